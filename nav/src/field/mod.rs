//! Fields over a whole map: which way to a goal, where a unit can go, what it sees, who holds the
//! land.
//!
//! | | in | out |
//! |---|---|---|
//! | [`Flow`] | goals | the way from every cell, as far as asked, repaired after edits |
//! | [`Potential`] | goals | the neighbour that is nearer as the crow flies; stays in a U |
//! | [`Reach`] | a unit and its points | where it can go, whom it can strike |
//! | [`Influence`] | stamps of units | their sums, exact after any moves |
//! | [`Fov`], [`sees`] | a cell | what it sees, the same both ways |
//!
//! Which test decides what the classic texts promise of these (rows of the project's list of them):
//!
//! | row | promise | test |
//! |---|---|---|
//! | A30, D29, B11 | nearest of many goals | `lengths_are_exact_and_ways_are_as_long` |
//! | A18, B7, B8 | danger turns a way aside | `danger_turns_the_way_aside_until_it_decays` |
//! | A18 | what is put on comes off | `stamps_come_off_exactly` |
//! | D18, D19 | the raw potential stays in a U | `the_potential_stays_in_a_trap` |
//! | D18 | the flow field does not | `it_leads_out_of_a_trap` |
//! | R1 | a diamond of 2r² + 2r + 1 cells | `open_land_gives_a_diamond_a_square_a_hexagon` |
//! | R2 | each reason to stay out | `each_reason_to_stay_out_counts` |
//! | R3, R5 | points left are those of the best walk | `it_is_what_every_walk_says` |
//! | R3 | seen first, dearer | `the_way_around_is_found_though_the_dear_one_is_seen_first` |
//! | R4 | no list that is too short: each cell once | `it_is_what_every_walk_says` |
//! | R6 | one way to any cell | `it_is_what_every_walk_says` |

mod flow;
mod influence;
mod potential;
mod reach;
mod sight;
pub(crate) mod wave;

pub use flow::Flow;
pub use influence::{Influence, Stamp, Threshold, is_worth_changing};
pub use potential::{Charge, Falloff, Potential};
pub use reach::{Occupied, Passing, Reach, Sight, Striker, Zone};
pub use sight::{Fov, sees};

#[cfg(test)]
mod tests;
