//! Requests of searches, and their answers.

use core::fmt;

use super::map::Map;
use super::{Cell, Rule};
use crate::grid::Corners;
use crate::length::{LIMIT, Length, Scale};

/// The algorithm of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// A shortest path: by jump point search where it applies (eight neighbours, no corner cut, all
    /// costs 1, no layer), else by A*.
    #[default]
    Auto,
    /// A*: by length so far plus estimate. A shortest path, unless the estimate is too great.
    AStar,
    /// A* on jump points, scanned a word of 64 cells at a time. Where it does not apply, the answer
    /// is [`Bad::Method`].
    Jump,
    /// Dijkstra: by length so far alone. A shortest path, and apart from
    /// [`Breadth`](Method::Breadth) the only method for many goals.
    Dijkstra,
    /// By estimate alone. Fast, seldom a shortest path. A cell keeps the parent that opened it.
    Greedy,
    /// Level by level: fewest steps, without regard to their costs.
    Breadth,
    /// In the first open direction, counter-clockwise from east, as far as possible; then back to
    /// the last branch.
    Depth,
}

/// Heuristic: an estimate of the length to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The length over free land under the rule: octile with eight neighbours, Manhattan with four,
    /// hexes with six.
    #[default]
    Octile,
    /// Columns plus rows. **Fast, not shortest** with diagonals or on hexes: there the estimate is
    /// too great.
    Manhattan,
    /// The greater of columns and rows. Never too great; a weak bound where diagonals are dear.
    Chebyshev,
    /// The straight line (on hexes as [`Heuristic::Octile`]). Never too great.
    Euclid,
    /// Always 0: A* becomes Dijkstra's search.
    Zero,
}

/// A search request. Made by [`Ask::new`], then refined by builder methods.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let ask = Ask::new([0, 0], [9, 2]).corners(Corners::OneFree).method(Method::AStar);
/// assert_eq!(ask.rule, Rule::Eight(Corners::OneFree));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The first cell of the path.
    pub start: Cell,
    /// The last cell of the path.
    pub goal: Cell,
    /// The steps that the path may take.
    pub rule: Rule,
    /// The algorithm.
    pub method: Method,
    /// The estimate that guides the search.
    pub heuristic: Heuristic,
    /// Lengths of steps; `None` takes [`Scale::FINE`] where all costs are 1, else
    /// [`Scale::COARSE`].
    pub scale: Option<Scale>,
    /// Width and height of the unit in cells. Its lower left cell stands for it. Beyond 1, the map
    /// has to keep that size: [`Map::keep_size`].
    pub size: u8,
    /// The cost of a turn, in straight steps over cost 1. Above 0 the nodes of the search are pairs
    /// of a cell and a direction, and it is slower.
    pub turn: u8,
    /// A queue answers requests of greater priority first.
    pub priority: i8,
}

impl Ask {
    /// A path from one cell to another: eight neighbours, no corner cut, a unit of one cell.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Ask {
        Ask {
            start: start.into(),
            goal: goal.into(),
            rule: Rule::default(),
            method: Method::default(),
            heuristic: Heuristic::default(),
            scale: None,
            size: 1,
            turn: 0,
            priority: 0,
        }
    }

    /// Sets the steps that the path may take.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Ask {
        Ask { rule, ..self }
    }

    /// Takes steps to all eight neighbours, with this rule for corners.
    #[must_use]
    pub fn corners(self, corners: Corners) -> Ask {
        self.rule(Rule::Eight(corners))
    }

    /// Sets the algorithm.
    #[must_use]
    pub fn method(self, method: Method) -> Ask {
        Ask { method, ..self }
    }

    /// Sets the heuristic.
    #[must_use]
    pub fn heuristic(self, heuristic: Heuristic) -> Ask {
        Ask { heuristic, ..self }
    }

    /// Sets the lengths of steps.
    #[must_use]
    pub fn scale(self, scale: Scale) -> Ask {
        Ask { scale: Some(scale), ..self }
    }

    /// Sets the width and height of the unit, in cells.
    #[must_use]
    pub fn size(self, size: u8) -> Ask {
        Ask { size, ..self }
    }

    /// Sets the cost of a turn, in straight steps.
    #[must_use]
    pub fn turn(self, turn: u8) -> Ask {
        Ask { turn, ..self }
    }

    /// Sets the priority in a queue: requests of greater priority are answered first.
    #[must_use]
    pub fn priority(self, priority: i8) -> Ask {
        Ask { priority, ..self }
    }

    /// The map for the unit's size, if the scale is valid and the ends are free there.
    pub(crate) fn check<'m>(&self, map: &'m Map) -> Result<&'m Map, Bad> {
        let view = map.view(self.size).ok_or(Bad::Size)?;
        if self.scale.is_some_and(|scale| !scale.is_valid()) {
            return Err(Bad::Scale);
        }
        if !view.is_free(self.start) {
            return Err(Bad::Start);
        }
        if view.is_free(self.goal) { Ok(view) } else { Err(Bad::Goal) }
    }

    /// The scale of this request on a map.
    pub(crate) fn scale_on(&self, map: &Map) -> Scale {
        self.scale.unwrap_or(if map.is_uniform() { Scale::FINE } else { Scale::COARSE })
    }
}

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Found {
    /// There is a path; its length.
    Way {
        /// Sum of the lengths of its steps.
        cost: Length,
    },
    /// There is no path.
    None,
    /// There is no path whose length is within [`LIMIT`].
    TooFar,
    /// The request was invalid; nothing was searched.
    Bad(Bad),
}

impl Found {
    /// The length of the path in cells, if there is one.
    pub fn cells(self) -> Option<f64> {
        match self {
            Found::Way { cost } => Some(cost.cells()),
            _ => None,
        }
    }

    /// Whether there is a path.
    pub fn is_way(self) -> bool {
        matches!(self, Found::Way { .. })
    }
}

/// Reason why a request is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// The start is a wall (for a unit of this size), or not on the map.
    Start,
    /// The goal is a wall, or not on the map; or there are no goals.
    Goal,
    /// The map does not keep this size: [`Map::keep_size`].
    Size,
    /// The scale is invalid: see [`Scale::is_valid`].
    Scale,
    /// The method does not fit the request; the reason.
    Method(Unfit),
    /// A layer of extra costs has another number of cells than the map.
    Layer,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bad::Start => write!(f, "the start is a wall for this unit, or not on the map"),
            Bad::Goal => write!(f, "the goal is a wall for this unit, or not on the map, or there is none"),
            Bad::Size => write!(f, "the map does not keep this size of units"),
            Bad::Scale => write!(f, "lengths of steps are above 0, and a diagonal at most two straight ones"),
            Bad::Method(why) => write!(f, "{why}"),
            Bad::Layer => write!(f, "a layer has as many cells as the map"),
        }
    }
}

impl core::error::Error for Bad {}

/// Reason why a method does not fit a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// Jump points need eight neighbours and no cut corners ([`Corners::Never`]).
    JumpRule,
    /// Jump points need a cost of 1 everywhere, and no layer of extra costs.
    JumpCosts,
    /// Jump points need a heuristic that never falls by more than the length of a step:
    /// [`Heuristic::Manhattan`] with diagonals does.
    JumpHeuristic,
    /// Many goals need [`Method::Dijkstra`] or [`Method::Breadth`].
    ManyGoals,
    /// A cost of turns ([`Ask::turn`]) needs [`Method::Auto`], [`Method::AStar`] or
    /// [`Method::Dijkstra`], one goal, and no layer.
    Turns,
    /// A search with a cost of turns cannot be spread over ticks by a queue.
    TurnsInQueue,
    /// Two tiers ([`Tier`](super::Tier)) need four neighbours, or eight without
    /// [`Corners::Always`], by [`Method::Auto`] or [`Method::AStar`], and no cost of turns.
    Tiers,
    /// A search without dead ends ([`DeadEnds`](super::DeadEnds)) needs four neighbours, or eight
    /// with [`Corners::Never`], a unit of one cell, and no cost of turns.
    DeadEnds,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unfit::JumpRule => "jump points need eight neighbours and no cut corners",
            Unfit::JumpCosts => "jump points need a cost of 1 everywhere, and no layer",
            Unfit::JumpHeuristic => "jump points need a consistent heuristic, not Manhattan with diagonals",
            Unfit::ManyGoals => "many goals need Dijkstra's search, or breadth-first",
            Unfit::Turns => "a cost of turns needs A* or Dijkstra's search, one goal and no layer",
            Unfit::TurnsInQueue => "a search with a cost of turns cannot be spread over ticks",
            Unfit::Tiers => "two tiers need four neighbours, or eight that do not always cut corners; A*; no cost of turns",
            Unfit::DeadEnds => "a search without dead ends needs four neighbours, or eight without cut corners; a unit of one cell; no cost of turns",
        })
    }
}

/// Coefficients of any estimate: `straight (greater - lesser) + like lesser` for the greater and
/// the lesser of columns and rows, with `unlike` instead of `like` where their signs differ.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Estimate {
    straight: u32,
    like: u32,
    unlike: u32,
    /// Twice the square of the straight line's factor; if it is not 0, the other coefficients are
    /// unused.
    euclid: u64,
    goal: Cell,
}

impl Estimate {
    /// `least` is the least cost of any cell.
    pub(crate) fn new(ask: &Ask, map: &Map, scale: Scale, least: u32) -> Estimate {
        let (straight, diagonal) = (u32::from(scale.straight) * least, u32::from(scale.diagonal) * least);
        let goal = ask.goal;
        // Estimates stay within the limit; a smaller estimate is still valid.
        let most = LIMIT / (2 * (map.width() + map.height()) as u32);
        if diagonal > most {
            return Estimate { goal, ..Estimate::default() };
        }
        let (like, unlike) = match (ask.heuristic, ask.rule) {
            (Heuristic::Zero, _) => return Estimate { goal, ..Estimate::default() },
            (Heuristic::Manhattan, _) => (2 * straight, 2 * straight),
            (Heuristic::Chebyshev, _) => (straight, straight),
            (_, Rule::Six) => (2 * straight, straight),
            (Heuristic::Octile, Rule::Four) => (2 * straight, 2 * straight),
            (Heuristic::Octile, Rule::Eight(_)) => (diagonal, diagonal),
            (Heuristic::Euclid, rule) => {
                let (s, d) = (u64::from(straight), u64::from(diagonal));
                // A diagonal step of the scale may be a little shorter than √2.
                let euclid = if rule == Rule::Four { 2 * s * s } else { (2 * s * s).min(d * d) };
                return Estimate { euclid, goal, ..Estimate::default() };
            }
        };
        Estimate { straight, like, unlike, euclid: 0, goal }
    }

    /// Whether no step lowers the estimate by more than its length: then f never falls.
    pub(crate) fn is_consistent(ask: &Ask) -> bool {
        ask.heuristic != Heuristic::Manhattan || ask.rule == Rule::Four
    }

    /// Greatest growth of the estimate in one step.
    pub(crate) fn greatest_rise(&self, scale: Scale, least: u32) -> u32 {
        (2 * u32::from(scale.straight) * least).max(self.like)
    }

    /// Whether the estimate is always 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.straight == 0 && self.like == 0 && self.euclid == 0
    }

    pub(crate) fn aim(&mut self, goal: Cell) {
        self.goal = goal;
    }

    #[inline(always)]
    pub(crate) fn at(&self, x: i32, y: i32) -> u32 {
        let (dx, dy) = (x - self.goal.x, y - self.goal.y);
        let (a, b) = (dx.unsigned_abs(), dy.unsigned_abs());
        if self.euclid != 0 {
            let square = u64::from(a) * u64::from(a) + u64::from(b) * u64::from(b);
            return (u128::from(square) * u128::from(self.euclid) / 2).isqrt() as u32;
        }
        let lesser = a.min(b);
        let by = if dx ^ dy < 0 { self.unlike } else { self.like };
        (a.max(b) - lesser) * self.straight + lesser * by
    }
}
