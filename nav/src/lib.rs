//! Pathfinding, flow fields, crowds and tactics for game loops, with or without carom's physics.
//!
//! **The [`guide`] has a chapter for each question**: [tiles](guide::tiles), meshes, crowds,
//! [fields](guide::fields), minds, and [names in other libraries](guide::coming_from).
//!
//! Everything here is deterministic: lengths on tiles are integers, ties are settled by order, and
//! budgets count expanded nodes, never milliseconds. The same calls give the same bits on every
//! machine. A *way* is a path, and *land* is the walkable part of a map.
//!
//! | module | contents |
//! |---|---|
//! | [`grid`] | square or hex cells; A*, jump point search, Dijkstra; hierarchical search; fog of war |
//! | [`graph`] | the same searches on any graph, and waypoints of a world |
//! | [`field`] | flow fields, movement ranges, influence maps, potential fields, field of view |
//! | [`queue`] | requests that share a budget per tick |
//! | `mesh` | a navigation mesh for discs of any radius (feature `mesh`) |
//! | `crowd` | agents that avoid each other (ORCA), doors, flocks (feature `world`) |
//! | [`coop`] | units that step by tiles and make room for each other (PIBT) |
//! | [`mind`] | finite state machines as checked tables; zones |
//! | [`war`] | Lanchester's laws of combat |
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut map = Map::parse("..........\n..####....\n......#...\n")?;
//! let (mut search, mut path) = (Search::default(), Path::default());
//! let found = search.path(&map, Ask::new([0, 0], [9, 2]), &mut path);
//! assert!(found.is_way());
//! assert_eq!(path.cells().last(), Some(Cell::new(9, 2)));
//! assert!(map.set_wall([9, 2], true) && !map.connected([0, 0], [9, 2]));
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # Ways, paths and routes
//!
//! | word | meaning | found by | an agent follows it by |
//! |---|---|---|---|
//! | [`grid::Path`] | cells of a map, kept as turns | [`grid::Search::path`], [`queue::Queue`] | `crowd.follow_path(agent, &tiling, &path)` |
//! | `mesh::Way` | straight pieces and arcs of a disc on a mesh | `mesh.way(…)` | `crowd.follow_way(agent, ground.origin, &way)` |
//! | `mesh::Route` | ways, with links between them | `mesh.route(…)` | its ways, one after the other |
//!
//! In text a way is any of the three. Ways of a field ([`field`]) are nowhere stored: an agent asks
//! the field in each tick.
//!
//! # The way of the data
//!
//! ```text
//! length -> graph -> grid -> field -> queue -> crowd -> coop -> mind      mesh and war stand alone
//! ```
//!
//! A module uses only modules before it, except that hierarchical search (`grid::Tier`) takes its
//! bucket queue from `field`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unimplemented)]

pub mod coop;
#[cfg(feature = "world")]
pub mod crowd;
pub mod error;
pub mod field;
pub mod graph;
pub mod grid;
pub mod guide;
pub mod length;
#[cfg(feature = "mesh")]
pub mod mesh;
pub mod mind;
pub mod queue;
pub mod war;

mod open;
#[cfg(any(test, feature = "mesh"))]
mod random;
mod state;

pub use error::MapError;
pub use glam::{IVec2, Vec2};
pub use state::LoadError;
#[doc(hidden)]
pub use state::restamp;

/// The promises of the classic texts, each with the test that checks it.
#[doc = include_str!("../docs/texts.md")]
pub mod texts {}

/// Every public type, except names as common as `graph::Order`, `mind::Step` and `war::End`, and
/// except `mind::Zone`, because `field::Zone` has the same name.
pub mod prelude {
    pub use crate::coop::{GoalId, Squad, SquadError, UnitId};
    #[cfg(feature = "world")]
    pub use crate::crowd::{
        Agent, AgentId, AgentState, Crowd, CrowdDef, CrowdError, CrowdEvent, Doing, Fields, FlowOn, NoFields,
        Wander,
    };
    pub use crate::error::MapError;
    pub use crate::field::{
        Charge, Falloff, Flow, Fov, Influence, Occupied, Passing, Potential, Reach, Sight, Stamp, Striker,
        Threshold, Zone, is_worth_changing, sees,
    };
    #[cfg(feature = "world")]
    pub use crate::graph::Waypoints;
    pub use crate::graph::{Graph, GraphError, GraphSearch, List, Matrix};
    #[cfg(feature = "world")]
    pub use crate::grid::Tiling;
    pub use crate::grid::{
        Adaptive, Ask, BLOCKED, Bad, By, Cell, Claims, Corners, DIRECTIONS, DeadEnds, Found, Heuristic,
        Known, Layer, Map, Method, Near, Path, Rule, Scenario, Search, Tier, Unfit,
    };
    pub use crate::length::{Length, Scale};
    #[cfg(feature = "mesh")]
    pub use crate::mesh::{
        AreaId, Bend, Crossing, Link, LinkId, Links, Mesh, MeshDef, MeshError, MeshQuery, NoWay, ObstacleId,
        Ray, RayHit, Reached, Route, Way,
    };
    #[cfg(feature = "world")]
    pub use crate::mesh::{Ground, Synced};
    pub use crate::mind::{Fault, Machine, Mind, MindError, Table};
    #[cfg(feature = "world")]
    pub use crate::mind::{WatcherId, ZoneError, ZoneEvent, Zones};
    pub use crate::queue::{Queue, Ticket};
    pub use crate::state::LoadError;
    pub use crate::war::{Fire, Law, War, WarError};
    pub use glam::Vec2;
}

/// The README's code, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
