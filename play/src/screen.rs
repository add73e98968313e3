//! Draws the game: each shape of each body, where it is between two steps.

use carom::prelude::*;
use carom_play::{FLAG, Game, GuardState, HALF_LENGTH, LEFT, RADIUS, RIGHT};
use macroquad::color::Color;
use macroquad::prelude as mq;

const SKY: Color = Color::new(0.93, 0.96, 0.99, 1.0);
const LAND: Color = Color::new(0.38, 0.44, 0.40, 1.0);
const LEDGE: Color = Color::new(0.36, 0.60, 0.42, 1.0);
const WOOD: Color = Color::new(0.80, 0.60, 0.36, 1.0);
const WATER: Color = Color::new(0.25, 0.55, 0.85, 0.35);
const ROPE: Color = Color::new(0.45, 0.33, 0.22, 1.0);
const HERO: Color = Color::new(0.16, 0.36, 0.75, 1.0);
const GOLD: Color = Color::new(0.95, 0.74, 0.15, 1.0);
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
                if color == WOOD {
                    self.outline(&corners, ROPE);
                    self.line(corners[0], corners[2], 0.05, ROPE);
                }
            }
            Shape::Polygon(polygon) => {
                let corners: Vec<Vec2> = polygon.vertices().iter().map(|&at| place(at)).collect();
                self.polygon(&corners, color);
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
    mq::clear_background(SKY);
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
        }
    }
    for (guard, state) in game.guards() {
        let color = match state {
            GuardState::Patrol => PATROL,
            GuardState::Chase => CHASE,
            GuardState::Catch => CATCH,
        };
        let at = poses[guard.body.index()].position;
        view.capsule(at - Vec2::Y * 0.3, at + Vec2::Y * 0.3, 0.35, color);
        view.disc(at + Vec2::new(0.18 * guard.facing, 0.35), 0.08, SKY);
    }
    view.capsule(hero - Vec2::Y * HALF_LENGTH, hero + Vec2::Y * HALF_LENGTH, RADIUS, HERO);
    let look = if game.hero.velocity().x < 0.0 { -0.12 } else { 0.12 };
    view.disc(hero + Vec2::new(look, HALF_LENGTH), 0.07, SKY);
    for (_, shape) in world.shapes_of(level.water) {
        view.shape(shape.shape(), poses[level.water.index()], WATER);
    }
    view.line(FLAG, FLAG + Vec2::Y * 2.0, 0.08, INK);
    let cloth = [FLAG + Vec2::Y * 2.0, FLAG + Vec2::new(0.9, 1.7), FLAG + Vec2::Y * 1.4];
    view.polygon(&cloth, if game.won { PATROL } else { CATCH });
    words(game);
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
        "arrows run, swim, take the rope, drop through ledges   space jumps   R starts again"
    };
    mq::draw_text(hint, size, 2.7 * size, 0.8 * size, INK);
}
