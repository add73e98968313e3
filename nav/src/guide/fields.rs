//! Fields: numbers over all cells.
//!
//! # Many units, few goals
//!
//! A [`Flow`](crate::field::Flow) is searched once, from the goals back, as far as the farthest
//! unit. Each unit then asks for a direction. When the map changes, the field is repaired.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut map = Map::new(60, 40)?;
//! for y in 0..30 {
//!     map.set_wall([30, y], true);
//! }
//! let goal = Cell::new(55, 5);
//! let mut flow = Flow::to(&[goal]);
//! flow.until(&map, &[Cell::new(3, 3)]);
//! // A point that follows the field, three cells a second.
//! let (mut at, dt) = (Vec2::new(3.5, 3.5), 1.0 / 60.0);
//! let mut ticks = 0;
//! while flow.next(&map, at.floor().as_ivec2()).is_some() {
//!     at += flow.heading(&map, at) * 3.0 * dt;
//!     ticks += 1;
//! }
//! assert!(at.floor().as_ivec2() == goal && (1_400..1_900).contains(&ticks), "{ticks}");
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! Bodies follow a field by `Crowd::stream` and a `FlowOn`, which joins the field to its map and
//! the map's position in the world.
//!
//! # Where may this unit go in its turn?
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let map = Map::new(20, 20)?;
//! let mut reach = Reach::default();
//! reach.fill(&map, [10, 10], 3, &Occupied::default());
//! assert!(reach.can_stop([12, 10]) && !reach.can_stop([15, 10]));
//! let mut way = Vec::new();
//! assert!(reach.way([12, 10], &mut way));
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # Where is it dangerous?
//!
//! An [`Influence`](crate::field::Influence) is a sum of stamps, taken off again exactly. As a layer
//! of extra costs it bends paths around danger.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let map = Map::new(40, 21)?;
//! let (mut danger, tower) = (Influence::new(&map), Stamp::cone(8, 20));
//! danger.add(&tower, [20, 10]);
//! let (mut search, mut path) = (Search::default(), Path::default());
//! let found = search.path_over(&map, Ask::new([2, 10], [38, 10]), &danger, &mut path);
//! assert!(found.is_way() && path.cells().all(|cell| danger.value(cell) < 20));
//! # Ok::<(), carom_nav::MapError>(())
//! ```
