//! Tiles: maps, and searches on them.
//!
//! [`Map`] holds walls as bits and what it costs to enter a cell; a [`Rule`] says which neighbours
//! a cell has. [`Search`] answers an [`Ask`] with a [`Path`]. [`Known`] is what a player has seen,
//! [`Adaptive`] searches there again and again, [`Claims`] keep units out of each other's way,
//! [`DeadEnds`] keep searches out of what leads nowhere.
//!
//! # Which test decides
//!
//! What the classic texts promise of tiles and graphs, and the test (in `nav/tests/tiles/`) that
//! holds it:
//!
//! | promise | test |
//! |---|---|
//! | one search on squares of 4 and 8, hexes, lists, tables (A1, A21, D25, G1, G2, G7) | `classic::one_search_fits_all_graphs` |
//! | a way if and only if there is one, legal, as long as it says; goals settled, not seen (A2, A8 to A11, B1, B2, B5, D11 to D13) | `random_maps`, `classic::the_search_stops_when_the_goal_is_settled` |
//! | lengths in integers against √2 (A3, B3) | `moving_ai::lengths_are_those_that_were_published` |
//! | the worked example: 68, 12 cells (A5) | `classic::the_tutorial_comes_out_as_printed` |
//! | Manhattan with diagonals is fast, not shortest (A4, D9, G9) | `classic::manhattan_with_diagonals_is_fast_and_not_shortest` |
//! | ties: the last that came in is first (A6) | `open::tests::ring_and_heap_agree_with_a_sorted_list` |
//! | three rules for corners, each symmetric (A7) | `rule::tests::rules_are_symmetric` |
//! | parked units block near by, claimed cells cost, claims expire (A13, A14) | `unknown::claims_part_units_and_expire` |
//! | costs on entering, layers apart from the land (A17, A18, B6, B7) | `random_maps::lengths_over_dear_land_are_the_shortest`, `classic::roads_around_swamps_are_taken` |
//! | unknown land counts as free; a player's, not a unit's (A19) | `unknown::scouts_arrive_with_fewer_expansions` |
//! | prices on turns; strings pulled (A20, D4) | `classic::turns_that_cost_are_left_out`, `classic::taut_ways_are_legal_and_no_longer` |
//! | waypoints joined by shapes, not rays (A22, G3) | `raster::waypoints_are_joined_by_shapes_and_not_by_rays` |
//! | requests over several ticks; a goal shared (A23, B11) | `queue::sliced_is_unsliced`, `queue::a_shared_goal_is_searched_once` |
//! | islands, kept through changes (A26) | `edits::a_changed_map_is_as_one_that_is_built_anew` |
//! | dead ends (A27) | `random_maps::dead_ends_are_passed_by` |
//! | stamps instead of clearing, which wrap (A29) | `search::tests::stamps_wrap`, `warm::nothing_allocates_once_warm` |
//! | the nearest of many goals (A30, D28) | `random_maps::lengths_over_dear_land_are_the_shortest` |
//! | estimates are never too great (D8, G8, G10) | `classic::estimates_are_never_too_great`, `random_maps::jump_points_a_star_and_dijkstra_agree` |
//! | greedy, by levels, in depth (B10, D5, D26, D27, G11) | `classic::orders_of_visiting_follow_the_edges`, `random_maps` |

mod adapt;
mod ask;
mod bits;
mod claims;
mod dead_ends;
mod islands;
mod jump;
mod known;
mod layer;
mod map;
mod near;
mod nodes;
pub(crate) mod order;
mod parse;
mod path;
mod prints;
#[cfg(feature = "world")]
mod raster;
mod rule;
mod save;
pub(crate) mod search;
mod sizes;
mod taut;
mod tier;
mod turning;

pub use adapt::Adaptive;
pub use ask::{Ask, Bad, Found, Heuristic, Method};
pub use claims::{Claims, Near};
pub use dead_ends::DeadEnds;
pub use known::Known;
pub use layer::{BLOCKED, By, Layer};
pub use map::{CHUNK, Map};
pub use parse::Scenario;
pub use path::Path;
#[cfg(feature = "world")]
pub use raster::Tiling;
pub use rule::{Corners, DIRECTIONS, Rule};
pub use search::Search;
pub use tier::Tier;

/// A cell of a map: `[x, y]`, y up, the first is `[0, 0]`. On hexes these are axial coordinates.
pub type Cell = glam::IVec2;
