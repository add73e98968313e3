//! The break: a cue ball into a rack of fifteen, without friction or loss. A carom is the shot in
//! which one ball strikes, rebounds, and strikes again.
//!
//! Seen from above: no gravity. Where nothing is lost, all energy must still be there at the end;
//! how much is, is printed. Leaves `out/billiards.svg`: the path of each ball, with the ball where
//! it was at the end.
//!
//! ```text
//! cargo run --release -p carom-examples --example billiards
//! ```

use carom::prelude::*;
use std::error::Error;
use testkit::cloth::{RADIUS, TABLE, balls, cushions};
use testkit::draw::svg::{BLUE, GREY, INK, PALETTE, Style, Svg};

const DT: f32 = 1.0 / 240.0;
const STEPS: usize = 360;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    cushions(&mut world)?;
    let balls = balls(&mut world)?;
    let energy =
        |world: &World| balls.iter().map(|&ball| f64::from(world[ball].kinetic_energy())).sum::<f64>();

    let before = energy(&world);
    let mut paths: Vec<Vec<Vec2>> = balls.iter().map(|&ball| vec![world[ball].position()]).collect();
    let (mut between_balls, mut with_cushions) = (0, 0);
    for _ in 0..STEPS {
        world.step(DT)?;
        for hit in world.events().hits() {
            let is_ball = |body| balls.contains(&body);
            if is_ball(hit.body_a) && is_ball(hit.body_b) { between_balls += 1 } else { with_cushions += 1 }
        }
        for (path, &ball) in paths.iter_mut().zip(&balls) {
            path.push(world[ball].position());
        }
    }
    let (kept, moving) = (energy(&world) / before, balls.iter().filter(|&&ball| speed(&world, ball) > 0.1));
    println!("{:.1} s after the break, {} of 16 balls roll", STEPS as f32 * DT, moving.count());
    println!("hits at 1 m/s or more: {between_balls} between balls, {with_cushions} with cushions");
    println!("energy kept: {:.4} %", 100.0 * kept);
    picture(&world, &balls, &paths).save("out/billiards.svg")?;
    Ok(())
}

fn speed(world: &World, ball: BodyId) -> f32 {
    world[ball].velocity().length()
}

fn picture(world: &World, balls: &[BodyId], paths: &[Vec<Vec2>]) -> Svg {
    let half = TABLE / 2.0;
    let rim = Vec2::splat(0.06);
    let mut svg = Svg::new(-half - rim, half + rim, 380.0);
    svg.rect(-half, half, Style { width: 4.0, ..Style::outline(GREY) });
    for (k, (path, &ball)) in paths.iter().zip(balls).enumerate().rev() {
        let color = if k == 0 { INK } else { PALETTE[k % PALETTE.len()] };
        svg.polyline(path, Style { width: if k == 0 { 2.0 } else { 1.1 }, ..Style::outline(color) });
        svg.circle(path[0], RADIUS, Style { dash: 3.0, ..Style::outline(GREY) });
        svg.circle(world[ball].position(), RADIUS, Style { opacity: 0.6, ..Style::body(color) });
    }
    svg.arrow(paths[0][0], paths[0][0] + Vec2::X * 0.25, Style { width: 3.0, ..Style::outline(BLUE) });
    svg
}
