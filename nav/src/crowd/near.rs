//! Neighbours: pairs of agents in sight of each other.
//!
//! In: positions, and the sight of each agent. Out: for each agent, the others whose box of sight
//! overlaps its own, by index; pairs come sorted from the grid, so these lists are sorted too.

use carom::broadphase::{Activity, Grid, WorldAabb};
use carom::{Aabb, BodyId, Vec2};

use super::choose::Row;

const NONE: u32 = u32::MAX;

/// Boxes of sight, and the lists derived from them; and the agent of each body.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    grid: Grid,
    /// The agent of each body, by the body's index.
    by_body: Vec<u32>,
    /// Start of each agent's list in `others`, and the end of the last list.
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Near {
    pub(super) fn enter(&mut self, body: BodyId, agent: u32) {
        if self.by_body.len() <= body.index() {
            self.by_body.resize(body.index() + 1, NONE);
        }
        self.by_body[body.index()] = agent;
    }

    pub(super) fn leave(&mut self, body: BodyId, agent: u32) {
        self.grid.remove(agent);
        if let Some(entry) = self.by_body.get_mut(body.index()).filter(|entry| **entry == agent) {
            *entry = NONE;
        }
    }

    /// The agent in the slot of a body. The id may belong to an earlier body in this slot.
    pub(super) fn agent_of(&self, body: BodyId) -> Option<u32> {
        self.by_body.get(body.index()).copied().filter(|agent| *agent != NONE)
    }

    /// Finds the neighbours of all agents.
    pub(super) fn find_neighbours(&mut self, rows: &[Row]) {
        for (index, row) in (0..).zip(rows) {
            if row.present {
                let half = Vec2::splat(row.sight);
                let aabb = Aabb { min: row.place.local - half, max: row.place.local + half };
                let aabb = WorldAabb { region: row.place.region, aabb };
                if self.grid.contains(index) {
                    self.grid.update(index, aabb);
                } else {
                    self.grid.insert(index, aabb, Activity::Active);
                }
            }
        }
        self.grid.find_pairs();
        self.list(rows.len());
    }

    /// Pairs as lists, by counting sort.
    fn list(&mut self, count: usize) {
        let pairs = self.grid.pairs();
        self.starts.clear();
        self.starts.resize(count + 2, 0);
        for pair in pairs {
            self.starts[pair.a as usize + 2] += 1;
            self.starts[pair.b as usize + 2] += 1;
        }
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.others.clear();
        self.others.resize(pairs.len() * 2, 0);
        // Entry k + 1 moves from the start of list k to its end.
        for pair in pairs {
            for (me, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
                let next = &mut self.starts[me as usize + 1];
                self.others[*next as usize] = other;
                *next += 1;
            }
        }
    }

    pub(super) fn of(&self, agent: usize) -> &[u32] {
        &self.others[self.starts[agent] as usize..self.starts[agent + 1] as usize]
    }
}
