//! What a wild scene stands on.
//!
//! In: a recipe and the box in which all starts. Out: fixed bodies (a drum is kinematic) outside of
//! that box, and what nothing may leave. Each ground has walls: what is lost was pushed through
//! them, or flew over.

use carom::{Vec2, vec2};
use core::f32::consts::{PI, TAU};

use super::recipe::{Ground, Recipe};
use super::{StartBox, on_circle, stirrers};
use crate::random::Random;
use crate::scenes::plan::{BodyPlan, Outline, Part};
use crate::scenes::{Container, Stage};
use crate::{greater, smaller};

/// Sides of ground are no shorter, in m: Box2D merges corners within 2 cm.
const SHORTEST: f32 = 0.1;

/// What all grounds need to know.
struct Site<'s> {
    stage: &'s mut dyn Stage,
    random: &'s mut Random,
    start: StartBox,
    /// Half the width between the walls.
    half: f32,
    /// Half the thickness of walls and floors.
    thick: f32,
    friction: f32,
    /// Upper end of the walls.
    top: f32,
}

/// Adds the ground of a recipe.
pub(super) fn add(stage: &mut dyn Stage, recipe: &Recipe, start: StartBox, random: &mut Random) -> Container {
    let half = 0.5 * start.width * random.range(1.02, 2.0) + 0.1;
    let thick = greater(0.5, 0.02 * half);
    let friction = recipe.friction[1];
    // Nothing that is thrown up flies over a wall, unless others push it.
    let speed = recipe.pile.shaken + stirrers::greatest_speed(recipe);
    let top = 3.0 * start.height + 10.0 + 0.1 * speed * speed;
    let mut site = Site { stage, random, start, half, thick, friction, top };
    match recipe.ground {
        Ground::Plane => site.plane(),
        Ground::Bowl => site.bowl(),
        Ground::Stairs => site.stairs(),
        Ground::Rocks => site.rocks(),
        Ground::Level(count) => site.level(count),
        Ground::Hills(corners) => site.hills(corners),
        Ground::Room => site.room(),
        Ground::Drum(blades) => site.drum(blades),
        Ground::Nothing => site.nothing(),
    }
}

impl Site<'_> {
    /// Into how many pieces the width between the walls can be cut.
    fn most_pieces(&self) -> usize {
        ((2.0 * self.half / SHORTEST) as usize).max(2)
    }

    fn plane(&mut self) -> Container {
        let floor = Part::rect(self.half + 2.0 * self.thick, self.thick).at(vec2(0.0, -self.thick));
        self.walled(vec![floor], 0.0)
    }

    /// Half a ring, so wide that the start box stands in it, and walls on its rims.
    fn bowl(&mut self) -> Container {
        let radius = 1.5 * self.half;
        let count = (12 + self.random.below(48)).min((PI * radius / SHORTEST) as usize);
        let share = PI / count as f32;
        // Its sides are straight, and so nearer to the middle than their corners.
        let (near, half) = (radius * on_circle(1.0, 0.5 * share + 0.02).x, 0.5 * self.start.width);
        let middle = vec2(0.0, (near * near - half * half).sqrt());
        let radii = [radius, radius + 2.0 * self.thick];
        let quad = |k: usize| {
            let from = PI + share * k as f32;
            quad(radii, [from - 0.02, from + share + 0.02]).at(middle)
        };
        let quads = (0..count).map(quad).collect();
        self.half = radius;
        self.walled(quads, middle.y - radius)
    }

    /// Down to the right, or down and up again.
    fn stairs(&mut self) -> Container {
        let count = (4 + self.random.below(40)).min(self.most_pieces());
        let run = self.half / count as f32;
        let rise = run * self.random.range(0.2, 1.0);
        let is_valley = self.random.below(2) == 0;
        let deepest = rise * if is_valley { (count / 2) as f32 } else { (count - 1) as f32 };
        let step = |k: usize| {
            let down = if is_valley { k.min(count - 1 - k) } else { k };
            let low = -deepest - 2.0 * self.thick;
            let top = -rise * down as f32;
            let x = run * (2 * k + 1) as f32 - self.half;
            Part::rect(run, 0.5 * (top - low)).at(vec2(x, 0.5 * (top + low)))
        };
        let steps = (0..count).map(step).collect();
        self.walled(steps, -deepest)
    }

    /// Squares turned by any angle, each so large that it reaches into its neighbours.
    fn rocks(&mut self) -> Container {
        let count = (10 + self.random.below(190)).min(self.most_pieces());
        let apart = 2.0 * self.half / count as f32;
        let slope: f32 = self.random.range(-0.4, 0.4);
        for k in 0..=count {
            let x = apart * k as f32 - self.half;
            let half = apart * self.random.range(0.7, 1.0);
            let highest = -slope.abs() * self.half - 1.5 * apart;
            let rock = BodyPlan::fixed(vec2(x, highest + slope * x));
            let part = Part::square(half).friction(self.friction);
            self.stage.add(BodyPlan { angle: self.random.range(-PI, PI), ..rock }.part(part));
        }
        self.walled(Vec::new(), -2.0 * slope.abs() * self.half - 3.0 * apart)
    }

    /// Columns of fixed boxes without a gap, flat or in steps.
    fn level(&mut self, count: usize) -> Container {
        let deep = (1 + self.random.below(100)).min(count / 10);
        let columns = count / deep;
        let side = greater(2.0 * self.half / columns as f32, 0.25);
        let step = if self.random.below(2) == 0 { 0.0 } else { side };
        self.half = 0.5 * side * columns as f32;
        let mut lowest = 0.0;
        let mut down = 0;
        for column in 0..columns {
            // A walk that never rises above the start box.
            down = (down + self.random.below(3)).saturating_sub(1);
            let top = -step * down as f32;
            lowest = smaller(lowest, top);
            let x = side * (column as f32 + 0.5) - self.half;
            for depth in 0..deep {
                let at = vec2(x, top - side * (depth as f32 + 0.5));
                let part = Part::square(0.5 * side).friction(self.friction);
                self.stage.add(BodyPlan::fixed(at).part(part));
            }
        }
        self.walled(Vec::new(), lowest)
    }

    /// A ring, clockwise: the hills from right to left, then up and over.
    fn hills(&mut self, corners: usize) -> Container {
        let corners = corners.min(self.most_pieces());
        let apart = 2.0 * self.half / corners as f32;
        let rough = apart * self.random.range(0.1, 1.5);
        let mut heights: Vec<f32> = Vec::new();
        let mut height = 0.0;
        for _ in 0..=corners {
            height += self.random.range(-rough, rough);
            heights.push(height);
        }
        let highest = heights.iter().copied().fold(f32::MIN, greater);
        let lowest = heights.iter().copied().fold(f32::MAX, smaller) - highest;
        let corner = |k: usize| vec2(self.half - apart * k as f32, heights[k] - highest);
        let mut ring: Vec<Vec2> = (0..=corners).map(corner).collect();
        ring.extend([vec2(-self.half, self.top), vec2(self.half, self.top)]);
        let part = Part::new(Outline::Ring(ring)).friction(self.friction);
        let of = self.stage.add(BodyPlan::fixed(Vec2::ZERO).part(part));
        Container::Pit { of, half_width: self.half + 0.5, floor: lowest - 0.5 }
    }

    fn room(&mut self) -> Container {
        let half = greater(self.half, 0.5 * self.start.height + 0.1);
        let reach = half + self.thick;
        let mut room = BodyPlan::fixed(vec2(0.0, half));
        for side in [-1.0, 1.0] {
            let upright = Part::rect(self.thick, reach + self.thick).at(vec2(reach * side, 0.0));
            let level = Part::rect(reach + self.thick, self.thick).at(vec2(0.0, reach * side));
            room = room.part(upright.friction(self.friction)).part(level.friction(self.friction));
        }
        Container::Square { of: self.stage.add(room), half: reach }
    }

    /// Around the start box. Blades reach from the ring towards it.
    fn drum(&mut self, blades: usize) -> Container {
        let free = 0.5 * vec2(self.start.width, self.start.height).length() + 0.1;
        let inner = if blades > 0 { 1.15 * free } else { free };
        let outer = inner + 2.0 * self.thick;
        let mut drum = BodyPlan::kinematic(vec2(0.0, 0.5 * self.start.height));
        drum.spin = self.random.sign() as f32 * self.random.range(1.0, 8.0) / inner;
        let share = TAU / 36.0;
        for k in 0..36 {
            let from = share * k as f32;
            drum = drum.part(quad([inner, outer], [from - 0.02, from + share + 0.02]));
        }
        for k in 0..blades {
            let from = TAU * k as f32 / blades as f32;
            // One body: it does not touch itself.
            drum = drum.part(quad([1.02 * free, inner + self.thick], [from, from + 0.1]));
        }
        drum.parts.iter_mut().for_each(|part| part.friction = self.friction);
        Container::Disc { of: self.stage.add(drum), radius: inner + self.thick }
    }

    fn nothing(&mut self) -> Container {
        let of = self.stage.add(BodyPlan::fixed(Vec2::ZERO));
        Container::Square { of, half: 1.0e5 }
    }

    /// A body of these parts and two walls, open at the top.
    fn walled(&mut self, parts: Vec<Part>, lowest: f32) -> Container {
        let low = lowest - 2.0 * self.thick;
        let top = self.top;
        let mut body = BodyPlan::fixed(Vec2::ZERO);
        body.parts = parts;
        for side in [-1.0, 1.0] {
            let at = vec2(side * (self.half + self.thick), 0.5 * (low + top));
            body = body.part(Part::rect(self.thick, 0.5 * (top - low)).at(at));
        }
        body.parts.iter_mut().for_each(|part| part.friction = self.friction);
        let of = self.stage.add(body);
        Container::Pit { of, half_width: self.half + self.thick, floor: lowest - self.thick }
    }
}

/// Between two radii and two angles, counter-clockwise.
fn quad([inner, outer]: [f32; 2], [from, to]: [f32; 2]) -> Part {
    Part::polygon([
        on_circle(inner, from),
        on_circle(outer, from),
        on_circle(outer, to),
        on_circle(inner, to),
    ])
}
