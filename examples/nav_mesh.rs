//! A cow and a hen on one mesh: `cargo run --release -p carom-examples --example nav_mesh`.
//!
//! Prints the ways from one corner of a yard to the other, for radii from a hen's to a cow's;
//! leaves `out/nav_mesh.svg`: the mesh, and these ways with their bends, each to the widest disc
//! that takes it; and `out/nav_areas.svg`: ways through and around a swamp, by how dear it is, and
//! along a road.

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, MeshDef, NoWay, Way};
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED, Style, Svg};

const HALF: f32 = 12.0;
const START: Vec2 = Vec2::new(-10.5, -10.0);
const GOAL: Vec2 = Vec2::new(10.3, 10.2);

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let mut mesh = Mesh::new(MeshDef { half: HALF, max_radius: 2.0 })?;
    let obstacles = yard();
    for obstacle in &obstacles {
        mesh.add(obstacle)?;
    }
    let widest = mesh.widest(START, GOAL).ok_or(NoWay::Apart)?;
    println!("widest: {widest:.3} m, {} faces", mesh.face_count());

    let mut svg = Svg::new(Vec2::splat(-HALF - 0.5), Vec2::splat(HALF + 0.5), 32.0);
    for triangle in mesh.triangles() {
        svg.polygon(&triangle, Style { width: 0.5, ..Style::outline("#d0d6dc") });
    }
    for obstacle in &obstacles {
        svg.polygon(obstacle, Style { width: 0.8, opacity: 0.5, ..Style::body(GREY) });
    }
    svg.rect(Vec2::splat(-HALF), Vec2::splat(HALF), Style { width: 3.0, ..Style::outline(GREY) });
    let mut way = Way::default();
    let radii = [0.1, 0.4, 0.7, widest - 0.001];
    for (radius, color) in radii.into_iter().zip([GREEN, BLUE, PURPLE, ORANGE]) {
        mesh.way(START, GOAL, radius, &mut way)?;
        println!("radius {radius:.3}: {:.3} m, {} bends", way.length(), way.bends().len());
        draw(&mut svg, &way, color);
    }
    let refused = mesh.way(START, GOAL, widest + 0.01, &mut way);
    println!("radius {:.3}: {refused:?}", widest + 0.01);
    svg.text(Vec2::new(-11.5, 11.2), 15.0, &format!("widest: {widest:.2} m"), Style::flat(INK));
    svg.circle(GOAL, 0.12, Style::flat(RED));
    svg.save("out/nav_mesh.svg")?;
    areas(&mut mesh, &obstacles)
}

/// The same yard with a swamp in the middle and a road along two sides.
fn areas(mesh: &mut Mesh, obstacles: &[Vec<Vec2>]) -> Result<(), Box<dyn core::error::Error>> {
    let swamp = [[-3.5, -6.0], [2.0, -8.0], [6.5, -3.0], [5.0, 3.0], [0.5, 6.0], [-4.0, 2.0]].map(Vec2::from);
    let road = [[-11.5, -11.5], [11.5, -11.5], [11.5, 9.0], [10.5, 9.0], [10.5, -10.5], [-11.5, -10.5]];
    let road = road.map(Vec2::from);
    let swamp_id = mesh.add_area(&swamp, 1.0)?;
    let road_id = mesh.add_area(&road, 1.0)?;

    let mut svg = Svg::new(Vec2::splat(-HALF - 0.5), Vec2::splat(HALF + 0.5), 32.0);
    svg.polygon(&swamp, Style { opacity: 0.35, ..Style::body(GREEN) });
    svg.polygon(&road, Style { opacity: 0.35, ..Style::body(ORANGE) });
    for obstacle in obstacles {
        svg.polygon(obstacle, Style { width: 0.8, opacity: 0.5, ..Style::body(GREY) });
    }
    svg.rect(Vec2::splat(-HALF), Vec2::splat(HALF), Style { width: 3.0, ..Style::outline(GREY) });
    let mut way = Way::default();
    let costs = [(1.0, 1.0, INK), (1.2, 1.0, BLUE), (3.0, 1.0, PURPLE), (3.0, 0.4, RED)];
    for (of_swamp, of_road, color) in costs {
        mesh.set_area_factor(swamp_id, of_swamp)?;
        mesh.set_area_factor(road_id, of_road)?;
        mesh.way(START, GOAL, 0.3, &mut way)?;
        println!("swamp {of_swamp}, road {of_road}: {:.3} m, costs {:.3}", way.length(), way.cost());
        draw(&mut svg, &way, color);
    }
    svg.save("out/nav_areas.svg")?;
    Ok(())
}

/// Sheds and walls of a yard, some of them over each other.
fn yard() -> Vec<Vec<Vec2>> {
    let shed = |x: f32, y: f32, w: f32, h: f32, t: f32| {
        // A rational turn.
        let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        [(-w, -h), (w, -h), (w, h), (-w, h)]
            .map(|(px, py)| Vec2::new(x + c * px - s * py, y + s * px + c * py))
            .to_vec()
    };
    vec![
        shed(-6.0, -6.5, 2.0, 1.5, 0.2),
        shed(-2.6, -3.4, 1.2, 2.6, -0.3),
        shed(-8.0, -1.0, 2.6, 0.9, 0.1),
        shed(-5.5, 3.8, 1.6, 2.0, 0.35),
        shed(0.4, 1.5, 1.7, 1.1, 0.5),
        shed(2.9, -6.3, 2.2, 1.8, -0.15),
        shed(5.4, -0.6, 2.1, 1.2, 0.3),
        shed(5.0, 0.9, 0.7, 2.0, 0.3),
        shed(1.2, 7.4, 2.6, 1.0, -0.2),
        shed(7.3, 6.0, 1.3, 1.9, 0.25),
        shed(-1.5, 10.6, 0.5, 1.6, 0.0),
        shed(9.6, -7.8, 1.1, 2.2, 0.4),
    ]
}

/// A way, and its disc at the start and where it bends.
fn draw(svg: &mut Svg, way: &Way, color: &str) {
    let mut points = Vec::new();
    way.points(0.005, &mut points);
    svg.polyline(&points, Style { width: 2.2, ..Style::outline(color) });
    let disc = Style { width: 0.8, opacity: 0.08, ..Style::body(color) };
    svg.circle(way.start(), way.radius(), disc);
    for bend in way.bends() {
        svg.circle(bend.to, way.radius(), disc);
    }
    svg.circle(way.goal(), way.radius(), disc);
}
