//! The tangent graph of a radius: lines from corner to corner, found when first needed, and kept
//! until a face near them changes.
//!
//! ```text
//!   search.rs    the shortest way over lines       changes.rs   revisions of changes, by tile
//! ```
//!
//! In: corners, each with the side of the way that it is on. Out: their lines (seek/fan.rs), from
//! memory or made now. Both give the same result, because a fan is a function of the faces that it
//! goes through, and is made anew if one of them was written.

mod changes;
mod search;

use super::cdt::Cdt;
use super::feet::Area;
use super::fixed::{Place, Point};
use super::seek::Seek;
use super::tangent::Side;

pub(crate) use changes::Changed;
pub(crate) use search::{Found, Search};

/// A straight piece of a way, from one corner to another.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The corner at its end, as a [`state`], and the corner's place.
    to: u32,
    at: Point,
    from_part: u8,
    to_part: u8,
    /// Whether only ways that end near the corner turn about it.
    is_pocket: bool,
    /// Angles of the line's direction from the first direction of each corner (seek/fan.rs).
    depart: f64,
    arrive: f64,
    direction: Place,
    length: f64,
}

/// A corner and its side of the way, as a number.
fn state(vertex: u32, side: Side) -> u32 {
    2 * vertex + u32::from(side > 0)
}

fn corner(state: u32) -> (u32, Side) {
    (state >> 1, if state & 1 == 0 { -1 } else { 1 })
}

/// The lines of a state: their range in the list.
#[derive(Clone, Copy, Debug)]
struct Fan {
    /// Revision at which the lines were made; they are valid if the area has not changed since; 0
    /// for never.
    revision: u64,
    area: Area,
    first: u32,
    count: u32,
    /// Whether there are more lines than the stored ones.
    is_short: bool,
}

const NO_FAN: Fan = Fan { revision: 0, area: Area::EMPTY, first: 0, count: 0, is_short: false };

/// Lines for one radius.
#[derive(Clone, Debug, Default)]
struct Graph {
    radius: u64,
    used: u64,
    fans: Vec<Fan>,
    lines: Vec<Line>,
}

/// Number of kept radii; beyond it the least recently used radius is dropped.
const MAX_GRAPHS: usize = 8;
/// A graph with more lines than this (lines made again count again) is cleared.
const MAX_LINES: usize = 1 << 20;

#[derive(Clone, Debug, Default)]
pub(crate) struct Corners {
    graphs: Vec<Graph>,
    clock: u64,
}

impl Corners {
    /// The graph of a radius.
    fn graph(&mut self, r: f64, vertices: usize) -> &mut Graph {
        self.clock += 1;
        let radius = r.to_bits();
        let at = match self.graphs.iter().position(|graph| graph.radius == radius) {
            Some(at) => at,
            None if self.graphs.len() < MAX_GRAPHS => {
                self.graphs.push(Graph::default());
                self.graphs.len() - 1
            }
            None => (0..MAX_GRAPHS).min_by_key(|&at| self.graphs[at].used).unwrap_or(0),
        };
        let graph = &mut self.graphs[at];
        graph.used = self.clock;
        if graph.radius != radius || graph.lines.len() > MAX_LINES {
            graph.fans.clear();
            graph.lines.clear();
        }
        graph.radius = radius;
        graph.fans.resize(graph.fans.len().max(2 * vertices), NO_FAN);
        graph
    }
}

impl Graph {
    /// The lines of a state, made anew if they are out of date.
    fn fan(&mut self, cdt: &Cdt, seek: &mut Seek, changed: &Changed, r: f64, state: u32) -> Fan {
        let fan = &mut self.fans[state as usize];
        if fan.revision == changed.revision {
            return *fan;
        }
        if fan.revision != 0 && changed.latest(&fan.area) <= fan.revision {
            fan.revision = changed.revision;
            return *fan;
        }
        self.make(cdt, seek, changed, r, state)
    }

    #[cold]
    fn make(&mut self, cdt: &Cdt, seek: &mut Seek, changed: &Changed, r: f64, state: u32) -> Fan {
        let (vertex, side) = corner(state);
        let cone = seek.fan_of_corner(cdt, vertex, side, r);
        let mut fan = Fan {
            revision: changed.revision,
            area: seek.fan.area,
            first: self.lines.len() as u32,
            is_short: seek.fan.is_short,
            count: 0,
        };
        // Turns about the corner depend on the faces beside it, and a disc reaches over the edges
        // of the faces along its way.
        cdt.spokes(vertex).for_each(|h| fan.area.add(cdt.at(cdt.dest(h))));
        fan.area.grow(r.ceil() as i32);
        if let Some(cone) = cone {
            for line in &seek.fan.lines {
                if !cone.holds(line.direction, line.length, side) {
                    continue;
                }
                self.lines.push(Line {
                    to: self::state(line.vertex, line.side),
                    at: cdt.at(line.vertex),
                    from_part: line.part,
                    to_part: line.part_there,
                    is_pocket: line.is_pocket,
                    depart: cone.turned(line.direction, side),
                    arrive: line.turned_there,
                    direction: line.direction,
                    length: line.length,
                });
            }
        }
        let made = &mut self.lines[fan.first as usize..];
        made.sort_unstable_by(|a, b| {
            a.from_part.cmp(&b.from_part).then(a.depart.total_cmp(&b.depart)).then(a.to.cmp(&b.to))
        });
        fan.count = made.len() as u32;
        self.fans[state as usize] = fan;
        fan
    }
}
