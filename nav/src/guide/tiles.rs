//! Tiles: paths over cells.
//!
//! A [`Map`](crate::grid::Map) has walls and costs, a [`Search`](crate::grid::Search) the arrays of
//! searches, and an [`Ask`](crate::grid::Ask) says what is wanted. Keep all three: once warm,
//! nothing allocates.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut map = Map::parse("..........\n..####....\n......#...\n")?; // the first line is the top row
//! let (mut search, mut path) = (Search::default(), Path::default());
//! match search.path(&map, Ask::new([0, 0], [9, 2]), &mut path) {
//!     Found::Way { cost } => println!("{} cells long, turns at {:?}", cost.cells(), path.turns()),
//!     Found::None => println!("the goal cannot be reached"),
//!     Found::TooFar => println!("longer than lengths can count"),
//!     Found::Bad(why) => println!("refused: {why}"),
//! }
//! // Walls come and go; a path notices when the map has changed along it.
//! map.set_wall([5, 0], true);
//! assert!(path.is_stale(&map));
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # Clicks in walls, and goals out of reach
//!
//! Islands are known without a search. So a click on a wall, or on another island, becomes the
//! nearest cell that can be reached, and no search runs in vain.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let map = Map::parse("...#...\n...#...\n...#...\n")?;
//! assert!(!map.connected([0, 0], [6, 1]));
//! let click = map.nearest_reachable(Rule::Four, [0, 0], [6, 1]);
//! assert_eq!(click, Some(Cell::new(2, 1)));
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # Units of several cells, and dear land
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut map = Map::new(30, 30)?;
//! map.keep_size(3)?; // walls for units of 3 x 3 cells, kept up to date from now on
//! for y in 0..30 {
//!     map.set_wall([15, y], !(10..12).contains(&y)); // a gate of two cells
//! }
//! let (mut search, mut path) = (Search::default(), Path::default());
//! let ask = Ask::new([2, 10], [20, 10]);
//! assert!(search.path(&map, ask, &mut path).is_way());
//! assert!(!search.path(&map, ask.size(3), &mut path).is_way());
//! map.set_cost([16, 10], 9); // a swamp behind the gate
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # Thousands of requests
//!
//! A [`Queue`](crate::queue::Queue) spends a number of expansions a tick, the same on every
//! machine, and searches once for all requests with one goal.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let map = Map::new(100, 60)?;
//! let mut queue = Queue::new(4_000);
//! let tickets: Vec<Ticket> = (0..50).map(|y| queue.ask(Ask::new([0, y], [90, 50]))).collect();
//! let mut found = 0;
//! for _tick in 0..100 {
//!     queue.work(&map);
//!     found += tickets.iter().filter_map(|ticket| queue.take(*ticket)).filter(|(found, _)| found.is_way()).count();
//! }
//! assert_eq!(found, 50);
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # What else there is
//!
//! | question | type |
//! |---|---|
//! | very long paths on large maps | [`Tier`](crate::grid::Tier), where maps have costs: its page says when it pays |
//! | land that a player has not seen | [`Known`](crate::grid::Known) and [`Adaptive`](crate::grid::Adaptive) |
//! | units in each other's way | [`Claims`](crate::grid::Claims); whole squads: [`coop`](crate::coop) |
//! | a path that looks straight | [`Map::taut`](crate::grid::Map::taut) |
//! | walls from a physics world | `Map::raster`, with a `Tiling` that turns cells into points of the world |
