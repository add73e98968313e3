//! Cells, requests, agents and settings of navigation.

use carom_nav::crowd::{Agent, CrowdDef, CrowdEvent};
use carom_nav::grid::{Ask, Cell, Corners, Heuristic, Method, Rule};
use carom_nav::mesh::MeshDef;

use super::one_of;
use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::{crowd_event_kind, status};

const RULES: [Rule; 5] = [
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Four,
    Rule::Six,
];
const METHODS: [Method; 7] = [
    Method::Auto,
    Method::AStar,
    Method::Jump,
    Method::Dijkstra,
    Method::Greedy,
    Method::Breadth,
    Method::Depth,
];
const HEURISTICS: [Heuristic; 5] = [
    Heuristic::Octile,
    Heuristic::Manhattan,
    Heuristic::Chebyshev,
    Heuristic::Euclid,
    Heuristic::Zero,
];

/// The steps of a search by their number.
pub(crate) fn rule(number: c::MapRule) -> Result<Rule> {
    one_of(&RULES, number, "map_rule")
}

impl From<c::Cell> for Cell {
    #[inline]
    fn from(cell: c::Cell) -> Cell {
        Cell::new(cell.x, cell.y)
    }
}

impl From<Cell> for c::Cell {
    #[inline]
    fn from(cell: Cell) -> c::Cell {
        c::Cell { x: cell.x, y: cell.y }
    }
}

impl TryFrom<&c::Ask> for Ask {
    type Error = Failure;

    fn try_from(ask: &c::Ask) -> Result<Ask> {
        let small = |number: u32, rule| {
            u8::try_from(number).map_err(|_| Failure::Rule(status::BAD_SEARCH, rule))
        };
        Ok(Ask::new(ask.start, ask.goal)
            .rule(rule(ask.rule)?)
            .method(one_of(&METHODS, ask.method, "search_method")?)
            .heuristic(one_of(&HEURISTICS, ask.heuristic, "search_heuristic")?)
            .size(small(ask.size, "a unit is 1 to 16 cells wide")?)
            .turn(small(ask.turn, "a turn is worth 0 to 255 steps")?))
    }
}

impl From<&c::MeshDef> for MeshDef {
    fn from(def: &c::MeshDef) -> MeshDef {
        MeshDef { half: def.half, max_radius: def.max_radius }
    }
}

impl TryFrom<&c::AgentDef> for Agent {
    type Error = Failure;

    fn try_from(def: &c::AgentDef) -> Result<Agent> {
        let priority = u8::try_from(def.priority)
            .map_err(|_| Failure::Rule(status::BAD_NUMBER, "a priority is 0 to 255"))?;
        Ok(Agent {
            radius: def.radius,
            speed: def.speed,
            acceleration: def.acceleration,
            horizon: def.horizon,
            priority,
        })
    }
}

impl From<&c::CrowdDef> for CrowdDef {
    fn from(def: &c::CrowdDef) -> CrowdDef {
        CrowdDef {
            neighbours: def.neighbours as usize,
            sight: def.sight,
            wall_horizon: def.wall_horizon,
            walls: def.walls,
            margin: def.margin,
            bias: def.bias,
        }
    }
}

impl TryFrom<&CrowdEvent> for c::CrowdEvent {
    type Error = Failure;

    fn try_from(event: &CrowdEvent) -> Result<c::CrowdEvent> {
        let (agent, kind) = match event {
            CrowdEvent::Arrived(agent) => (agent, crowd_event_kind::ARRIVED),
            CrowdEvent::Stuck(agent) => (agent, crowd_event_kind::STUCK),
            CrowdEvent::Gone(agent) => (agent, crowd_event_kind::GONE),
            _ => return Err(Failure::Rule(status::BAD_ENUM, "the header has no such event")),
        };
        Ok(c::CrowdEvent { agent: (*agent).into(), kind })
    }
}
