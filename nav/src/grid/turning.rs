//! Paths with few turns.
//!
//! A turn costs some steps. For the least sum, the direction in which a cell is reached matters, so
//! nodes are pairs of a cell and a direction, eight times as many, and the search is a graph
//! search.

use super::ask::{Ask, Estimate, Found, Method};
use super::path::Path;
use super::rule::{DIRECTIONS, Rule};
use super::{Bad, Cell, Map, Unfit};
use crate::graph::{Graph, GraphError, GraphSearch, Order};
use crate::length::{Length, Scale};

/// Nodes are cells with the direction of arrival; the start has no direction, and is the last node.
struct Turning<'m> {
    view: &'m Map,
    rule: Rule,
    scale: Scale,
    start: Cell,
    turn: u32,
}

impl Turning<'_> {
    fn cell(&self, node: usize) -> Cell {
        if node == self.node_count() - 1 { self.start } else { self.view.cell_at(node / 8) }
    }
}

impl Graph for Turning<'_> {
    fn node_count(&self) -> usize {
        self.view.cell_count() * 8 + 1
    }

    fn each_edge(&self, node: usize, mut take: impl FnMut(usize, u32)) {
        let cell = self.cell(node);
        let came = if node == self.node_count() - 1 { None } else { Some(node % 8) };
        let moves = self.view.moves(self.rule, cell);
        for d in (0..8).filter(|d| moves >> d & 1 != 0) {
            let to = self.view.at(cell + DIRECTIONS[d]);
            let step = if self.rule.is_diagonal(d) { self.scale.diagonal } else { self.scale.straight };
            let length = u32::from(step) * u32::from(self.view.cost(cell + DIRECTIONS[d]));
            let turn = if came.is_some_and(|came| came != d) { self.turn } else { 0 };
            take(to * 8 + d, length.saturating_add(turn));
        }
    }
}

/// A path with the least sum of its length and `ask.turn` straight steps a turn. The answer has the
/// length alone.
pub(super) fn path(
    search: &mut GraphSearch,
    nodes: &mut Vec<usize>,
    view: &Map,
    ask: &Ask,
    path: &mut Path,
) -> Found {
    if !matches!(ask.method, Method::Auto | Method::AStar | Method::Dijkstra) {
        return Found::Bad(Bad::Method(Unfit::Turns));
    }
    let scale = ask.scale_on(view);
    let turn = u32::from(ask.turn) * u32::from(scale.straight);
    let graph = Turning { view, rule: ask.rule, scale, start: ask.start, turn };
    let least = if ask.method == Method::Dijkstra { 0 } else { u32::from(view.least_cost()) };
    let estimate = Estimate::new(ask, view, scale, least);
    let is_goal = |node: usize| graph.cell(node) == ask.goal;
    let estimate_at = |node: usize| {
        let Cell { x, y } = graph.cell(node);
        estimate.at(x, y)
    };
    match search.path_to(&graph, graph.node_count() - 1, is_goal, Order::Shortest, estimate_at, nodes) {
        Ok(Some(sum)) => {
            nodes.iter().for_each(|&node| path.push(graph.cell(node)));
            let units = sum - turn * path.turn_count() as u32;
            Found::Way { cost: Length { units, scale } }
        }
        Ok(None) => Found::None,
        Err(GraphError::TooFar) => Found::TooFar,
        Err(_) => Found::Bad(Bad::Start),
    }
}
