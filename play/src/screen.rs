//! Draws the game: each shape of each body, where it is between two steps, and what is only to be
//! looked at: sky, hills, grass, faces.

use carom::prelude::*;
use carom_play::{FLAG, Game, GuardState, HALF_LENGTH, LEFT, RADIUS, RIGHT, ROPE_TOP, SURFACE};
use macroquad::color::Color;
use macroquad::prelude as mq;

const SKY: Color = Color::new(0.93, 0.96, 0.99, 1.0);
const HIGH_SKY: Color = Color::new(0.62, 0.80, 0.95, 1.0);
const SUN: Color = Color::new(1.0, 0.93, 0.66, 1.0);
const CLOUD: Color = Color::new(1.0, 1.0, 1.0, 0.75);
const FAR_HILL: Color = Color::new(0.74, 0.85, 0.86, 1.0);
const HILL: Color = Color::new(0.62, 0.78, 0.70, 1.0);
const LAND: Color = Color::new(0.45, 0.36, 0.29, 1.0);
const GRASS: Color = Color::new(0.40, 0.65, 0.32, 1.0);
const LEDGE: Color = Color::new(0.56, 0.42, 0.28, 1.0);
const WOOD: Color = Color::new(0.80, 0.60, 0.36, 1.0);
const WATER: Color = Color::new(0.20, 0.50, 0.85, 0.45);
const FOAM: Color = Color::new(0.85, 0.95, 1.0, 0.8);
const ROPE: Color = Color::new(0.45, 0.33, 0.22, 1.0);
const HERO: Color = Color::new(0.16, 0.36, 0.75, 1.0);
const SCARF: Color = Color::new(0.88, 0.25, 0.22, 1.0);
const GOLD: Color = Color::new(0.95, 0.74, 0.15, 1.0);
const SHINE: Color = Color::new(1.0, 0.90, 0.50, 1.0);
const INK: Color = Color::new(0.15, 0.17, 0.20, 1.0);
const PATROL: Color = Color::new(0.35, 0.60, 0.35, 1.0);
const CHASE: Color = Color::new(0.90, 0.50, 0.15, 1.0);
const CATCH: Color = Color::new(0.80, 0.20, 0.20, 1.0);

/// Metres that are seen from top to bottom.
const VIEW: f32 = 12.0;

/// What part of the level is seen, and where on the screen.
struct View {
    middle: Vec2,
    scale: f32,
}

impl View {
    fn new(hero: Vec2) -> View {
        let scale = mq::screen_height() / VIEW;
        let half = 0.5 * mq::screen_width() / scale;
        // Not beyond the ends of the level, if the screen is not wider than that.
        let x = between(hero.x, LEFT - 1.0 + half, RIGHT + 1.0 - half);
        View { middle: Vec2::new(x, between(hero.y, 0.0, 4.0) + 1.5), scale }
    }

    /// Pixels, from the upper left.
    fn pixels(&self, at: Vec2) -> mq::Vec2 {
        let from = (at - self.middle) * self.scale;
        mq::vec2(0.5 * mq::screen_width() + from.x, 0.5 * mq::screen_height() - from.y)
    }

    fn disc(&self, at: Vec2, radius: f32, color: Color) {
        let at = self.pixels(at);
        mq::draw_circle(at.x, at.y, radius * self.scale, color);
    }

    fn line(&self, a: Vec2, b: Vec2, width: f32, color: Color) {
        let (a, b) = (self.pixels(a), self.pixels(b));
        mq::draw_line(a.x, a.y, b.x, b.y, width * self.scale, color);
    }

    fn capsule(&self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.line(a, b, 2.0 * radius, color);
        self.disc(a, radius, color);
        self.disc(b, radius, color);
    }

    fn polygon(&self, corners: &[Vec2], color: Color) {
        let first = self.pixels(corners[0]);
        for two in corners[1..].windows(2) {
            mq::draw_triangle(first, self.pixels(two[0]), self.pixels(two[1]), color);
        }
    }

    /// The outline of a polygon, so that crates that touch can be told apart.
    fn outline(&self, corners: &[Vec2], color: Color) {
        for (k, &from) in corners.iter().enumerate() {
            self.line(from, corners[(k + 1) % corners.len()], 0.05, color);
        }
    }

    /// Grass on the upper edges of land and ledges; corners go round counter-clockwise.
    fn grass(&self, corners: &[Vec2], color: Color) {
        if color != LAND && color != LEDGE {
            return;
        }
        let wide = if color == LAND { 0.22 } else { 0.1 };
        for (k, &from) in corners.iter().enumerate() {
            let to = corners[(k + 1) % corners.len()];
            let along = to - from;
            if -along.x > along.y.abs() {
                let down = Vec2::new(0.0, -0.5 * wide);
                self.line(from + down, to + down, wide, GRASS);
            }
        }
    }

    /// Sky, sun, clouds and hills, which move less the farther they are.
    fn backdrop(&self) {
        const BANDS: u32 = 60;
        let high = mq::screen_height() / BANDS as f32;
        for k in 0..BANDS {
            let share = k as f32 / BANDS as f32;
            let mix = |a: f32, b: f32| a + (b - a) * share;
            let color =
                Color::new(mix(HIGH_SKY.r, SKY.r), mix(HIGH_SKY.g, SKY.g), mix(HIGH_SKY.b, SKY.b), 1.0);
            mq::draw_rectangle(0.0, k as f32 * high, mq::screen_width(), high + 1.0, color);
        }
        let far = |at: Vec2, share: f32| at + self.middle * share;
        self.disc(far(Vec2::new(6.0, 4.6), 1.0), 0.9, SUN);
        for k in -4..9 {
            let k = k as f32;
            let cloud = far(Vec2::new(9.0 * k, 5.8 + (1.7 * k) % 1.3), 0.75);
            for (x, y, radius) in [(0.0, 0.0, 0.5), (0.6, 0.15, 0.65), (1.25, 0.0, 0.45)] {
                self.disc(cloud + Vec2::new(x, y), radius, CLOUD);
            }
        }
        for (color, share, step, radius) in [(FAR_HILL, 0.7, 8.0, 6.5), (HILL, 0.45, 6.0, 4.5)] {
            for k in -6..14 {
                let k = k as f32;
                self.disc(
                    far(Vec2::new(step * k, -3.2 + (2.3 * k) % 1.1), share),
                    radius - (1.9 * k) % 1.4,
                    color,
                );
            }
        }
    }

    /// Two eyes that look to a side.
    fn eyes(&self, at: Vec2, side: f32, size: f32) {
        for x in [0.45, 1.55] {
            let eye = at + Vec2::new(side * size * x, 0.0);
            self.disc(eye, 0.75 * size, mq::WHITE);
            self.disc(eye + Vec2::new(0.25 * side * size, 0.0), 0.4 * size, INK);
        }
    }

    /// Feet that walk as far as the body does.
    fn feet(&self, at: Vec2, size: f32, color: Color) {
        let phase = (at.x * 1.2).rem_euclid(2.0) - 1.0;
        let swing = 2.0 * phase.abs() - 1.0;
        for side in [-1.0, 1.0] {
            self.disc(at + Vec2::new(side * swing * size, 0.12 * size), 0.45 * size, color);
        }
    }

    fn shape(&self, shape: &Shape, pose: Pose, color: Color) {
        let place = |at: Vec2| pose.position + pose.rotation * at;
        match shape {
            Shape::Circle(circle) => self.disc(place(circle.center()), circle.radius(), color),
            Shape::Capsule(capsule) => {
                let [a, b] = capsule.ends().map(place);
                self.capsule(a, b, capsule.radius(), color);
            }
            Shape::Obb(obb) => {
                let corners = obb.corners().map(place);
                self.polygon(&corners, color);
                self.grass(&corners, color);
                if color == WOOD {
                    self.outline(&corners, ROPE);
                    self.line(corners[0], corners[2], 0.05, ROPE);
                }
            }
            Shape::Polygon(polygon) => {
                let corners: Vec<Vec2> = polygon.vertices().iter().map(|&at| place(at)).collect();
                self.polygon(&corners, color);
                self.grass(&corners, color);
            }
            _ => {}
        }
    }
}

/// `x`, but not beyond two ends, of which the first counts where there is no room.
fn between(x: f32, least: f32, most: f32) -> f32 {
    if x > most && most > least { most } else { mq::clamp(x, least, f32::INFINITY) }
}

/// Draws all of it, `alpha` of the way from the step before to the last one.
pub(crate) fn draw(game: &mut Game, alpha: f32) {
    let poses = game.level.world.poses_at(alpha).to_vec();
    let game = &*game;
    let hero = poses[game.hero.body.index()].position;
    let view = View::new(hero);
    view.backdrop();
    gallows(&view);
    let (level, world) = (&game.level, &game.level.world);
    for (id, body) in world.bodies() {
        for (_, collider) in world.shapes_of(id) {
            let color = match body.kind() {
                _ if id == level.water || id == level.flag || id == game.hero.body => continue,
                _ if level.coins.contains(&id) => GOLD,
                _ if level.rope.contains(&id) => ROPE,
                _ if collider.is_sensor() => continue,
                BodyKind::Kinematic => continue,
                BodyKind::Dynamic => WOOD,
                BodyKind::Fixed if collider.one_way().is_some() => LEDGE,
                BodyKind::Fixed => LAND,
            };
            view.shape(collider.shape(), poses[id.index()], color);
            if color == GOLD {
                view.disc(poses[id.index()].position, 0.2, SHINE);
                view.line(
                    poses[id.index()].position - Vec2::Y * 0.1,
                    poses[id.index()].position + Vec2::Y * 0.1,
                    0.07,
                    GOLD,
                );
            }
        }
    }
    for (guard, state) in game.guards() {
        let color = match state {
            GuardState::Patrol => PATROL,
            GuardState::Chase => CHASE,
            GuardState::Catch => CATCH,
        };
        let at = poses[guard.body.index()].position;
        view.feet(at - Vec2::Y * 0.62, 0.25, INK);
        view.capsule(at - Vec2::Y * 0.25, at + Vec2::Y * 0.3, 0.33, color);
        let eyes = at + Vec2::new(0.02 * guard.facing, 0.38);
        view.eyes(eyes, guard.facing, 0.11);
        if state != GuardState::Patrol {
            let brow = eyes + Vec2::new(0.0, 0.14);
            view.line(brow + Vec2::Y * 0.05, brow + Vec2::new(0.26 * guard.facing, -0.05), 0.06, INK);
        }
    }
    draw_hero(&view, game, hero);
    for (_, shape) in world.shapes_of(level.water) {
        view.shape(shape.shape(), poses[level.water.index()], WATER);
        if let Shape::Obb(pool) = shape.shape() {
            let [half, middle] = [pool.half_size().x, poses[level.water.index()].position.x];
            let ends = [middle - half, middle + half].map(|x| Vec2::new(x, SURFACE));
            view.line(ends[0], ends[1], 0.07, FOAM);
        }
    }
    view.line(FLAG, FLAG + Vec2::Y * 2.0, 0.08, INK);
    let cloth = [FLAG + Vec2::Y * 2.0, FLAG + Vec2::new(0.9, 1.7), FLAG + Vec2::Y * 1.4];
    view.polygon(&cloth, if game.won { PATROL } else { CATCH });
    words(game);
}

/// What the rope hangs from: a post on the far bank, and a beam.
fn gallows(view: &View) {
    let foot = Vec2::new(18.7, 0.0);
    let head = Vec2::new(foot.x, ROPE_TOP.y + 0.1);
    view.line(foot, head + Vec2::Y * 0.3, 0.3, ROPE);
    view.line(head + Vec2::X * 0.3, ROPE_TOP + Vec2::new(-0.4, 0.1), 0.22, ROPE);
    view.line(head - Vec2::Y * 1.2, head - Vec2::X * 1.2, 0.16, ROPE);
}

/// A face, a scarf that flies behind, and feet.
fn draw_hero(view: &View, game: &Game, at: Vec2) {
    let velocity = game.hero.velocity();
    let side = if velocity.x < -0.05 { -1.0 } else { 1.0 };
    let top = at + Vec2::Y * HALF_LENGTH;
    view.feet(at - Vec2::Y * (HALF_LENGTH + 0.24), 0.24, INK);
    view.capsule(at - Vec2::Y * (HALF_LENGTH - 0.06), top, RADIUS, HERO);
    let neck = top - Vec2::Y * 0.32;
    let end = neck - Vec2::new(0.35 * side + 0.07 * velocity.x, 0.12 + 0.03 * velocity.y);
    view.line(neck - Vec2::X * 0.9 * RADIUS, neck + Vec2::X * 0.9 * RADIUS, 0.14, SCARF);
    view.polygon(&[neck + Vec2::Y * 0.07, end + Vec2::Y * 0.1, end - Vec2::Y * 0.1], SCARF);
    view.polygon(&[end - Vec2::Y * 0.1, neck - Vec2::Y * 0.07, neck + Vec2::Y * 0.07], SCARF);
    view.eyes(top + Vec2::new(0.02 * side, 0.02), side, 0.1);
    if game.hero.hangs() {
        view.line(neck, top + Vec2::new(0.0, 0.12), 0.12, HERO);
    }
}

/// The score, and which keys there are.
fn words(game: &Game) {
    let size = mq::clamp(mq::screen_height() / 32.0, 14.0, 40.0);
    let [coins, caught] = game.score;
    let score = format!("coins {coins} of {}   caught {caught}", coins as usize + game.level.coins.len());
    let wide = mq::clamp(mq::screen_height(), 0.0, mq::screen_width());
    mq::draw_rectangle(0.5 * size, 0.4 * size, wide, 2.7 * size, Color { a: 0.85, ..SKY });
    mq::draw_text(&score, size, 1.5 * size, size, INK);
    let hint = if game.won {
        "You are there!  R plays again"
    } else {
        "arrows run, swim, take and climb the rope, drop through ledges   space jumps   R starts again"
    };
    mq::draw_text(hint, size, 2.7 * size, 0.8 * size, INK);
}
