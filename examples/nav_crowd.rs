//! A crowd at a door of 1.2 m: 150 people, six moments.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_crowd      out/nav_crowd.svg
//!
//! the paler an agent, the slower it walks; two hues by where it began, to see which wait
//! ```

use std::error::Error;

use carom::prelude::*;
use carom_nav::crowd::{Agent, AgentId, Crowd};
use testkit::draw::svg::{BLUE, GREY, INK, ORANGE, Style, Svg};

const DT: f32 = 1.0 / 60.0;
const PEOPLE: usize = 150;
/// Seconds at which a picture is made.
const MOMENTS: [usize; 6] = [0, 8, 20, 35, 50, 65];
/// Of a picture, in metres.
const SIZE: Vec2 = Vec2::new(19.0, 13.0);

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    for side in [-1.0, 1.0] {
        world.add(BodyDef::fixed().at([0.0, side * 10.6]).shape(Shape::rect(0.4, 20.0)))?;
    }
    let mut crowd = Crowd::default();
    let person = Agent { radius: 0.25, speed: 1.34, ..Agent::default() };
    let mut people: Vec<(BodyId, AgentId)> = Vec::new();
    for k in 0..PEOPLE {
        let (row, line) = (k / 15, k % 15);
        let body = world.add(person.body([-2.0 - 0.8 * row as f32, 0.75 * (line as f32 - 7.0)]))?;
        let id = crowd.add(&world, body, person)?;
        let spread = 1.5 * (line as f32 - 7.0) / 7.0;
        let way = [[-0.2, 0.0].into(), [0.3, 0.0].into(), [3.0, spread].into(), [30.0, 4.0 * spread].into()];
        crowd.follow(id, &way)?;
        people.push((body, id));
    }
    let page_size = Vec2::new(3.0 * SIZE.x, 2.0 * (SIZE.y + 1.5));
    let mut page = Svg::new(Vec2::ZERO, page_size, 20.0);
    for tick in 0..=MOMENTS[5] * 60 {
        if let Some(moment) = MOMENTS.iter().position(|moment| moment * 60 == tick) {
            let corner = Vec2::new((moment % 3) as f32 * SIZE.x, (1 - moment / 3) as f32 * (SIZE.y + 1.5));
            let through = people.iter().filter(|(body, _)| world[*body].position().x > 0.3).count();
            println!("{} s: {through} of {PEOPLE} through", MOMENTS[moment]);
            page.shifted(corner + Vec2::new(12.0, SIZE.y / 2.0), |page| {
                draw(page, &world, &people);
                let text = format!("{} s: {through} through", MOMENTS[moment]);
                page.text(Vec2::new(-11.5, 6.6), 16.0, &text, Style::flat(INK));
            });
        }
        crowd.steer(&mut world, DT)?;
        world.step(DT)?;
    }
    page.save("out/nav_crowd.svg")?;
    Ok(())
}

fn draw(page: &mut Svg, world: &World, people: &[(BodyId, AgentId)]) {
    page.clipped(Vec2::new(-11.8, -6.4), Vec2::new(6.6, 6.4), |page| {
        for side in [-1.0, 1.0] {
            let (low, high) = (Vec2::new(-0.2, side * 10.6 - 10.0), Vec2::new(0.2, side * 10.6 + 10.0));
            page.rect(low, high, Style::flat(GREY));
        }
        for (k, (body, _)) in people.iter().enumerate() {
            let body = &world[*body];
            let color = if (k % 15) < 8 { BLUE } else { ORANGE };
            let opacity = 0.2 + 0.8 * (body.velocity().length() / 1.34).clamp(0.0, 1.0);
            page.circle(body.position(), 0.25, Style { opacity, width: 1.0, ..Style::body(color) });
        }
    });
}
