//! Minds, a guide: tools to write a guard's decisions with.
//!
//! | states | write | why |
//! |---|---|---|
//! | up to five, all in one place | an `enum` and a `match` | nothing is shorter, and the compiler checks it |
//! | up to some twenty, thousands of units | [`Machine`](super::Machine) | a checked table; a unit is one byte |
//! | states in states, with entry and exit code each | the crate `statig` | it is made for hierarchies |
//! | plans of many steps that fail and are tried anew | the crate `bonsai-bt` | a tree says "else" and "then" |
//!
//! # An enum and a match
//!
//! ```
//! #[derive(Clone, Copy, PartialEq, Debug)]
//! enum Guard { Wander, Chase, Attack }
//! enum Event { Noticed, Lost, InReach, OutOfReach }
//!
//! fn next(guard: Guard, event: Event) -> Guard {
//!     match (guard, event) {
//!         (Guard::Wander, Event::Noticed) | (Guard::Attack, Event::OutOfReach) => Guard::Chase,
//!         (Guard::Chase, Event::InReach) => Guard::Attack,
//!         (Guard::Chase, Event::Lost) => Guard::Wander,
//!         (guard, _) => guard,
//!     }
//! }
//! assert_eq!(next(Guard::Wander, Event::Noticed), Guard::Chase);
//! ```
//!
//! The last line hides forgotten cases: here an attacker that loses the thief attacks for ever.
//!
//! # A checked table
//!
//! [`Machine`](super::Machine) reports missing transitions: leave `others_stay` out and it names
//! each gap; a state without a way out or in, and an event without any use, are faults too. A unit
//! is a [`Mind`](super::Mind), one byte. A snapshot is a copy, and loading one runs no entry
//! actions, since your code runs them when it receives a [`Step`](super::Step).
//!
//! With the feature `world`, `Zones` makes its events from the world: noticed, lost, in reach, out
//! of reach, each border with hysteresis. `examples/nav_guard.rs` is a patrol of three guards that
//! wander, chase, attack and return.
//!
//! # When to take a crate
//!
//! `statig` when a state has states: all of "alive" reacts to "killed", and each state within has
//! entry and exit code of its own. `bonsai-bt` when a decision is a list of tries: flee, else heal,
//! else fight. Before you take either, check whether restoring a snapshot runs entry code again:
//! for rollback it must not. Neither is a dependency here, and both take the events of zones like
//! any other event.
