//! Ends of ledges: bodies slide over the corner of a ledge of any kind, and off it.

use carom::Locks;
use carom::prelude::*;

use testkit::long_rounds;
use testkit::random::Random;
use testkit::worlds::{DT, add, check_range, earth, step};

/// What a ledge is made of. Its top is level, at y = 2, and ends at x = 2.
#[derive(Clone, Copy, Debug)]
enum Ledge {
    Chain,
    ClosedChain,
    Segments,
    Tiles,
    Compound,
    /// Bodies of their own, side by side.
    Boxes,
}

impl Ledge {
    const ALL: [Ledge; 6] =
        [Ledge::Chain, Ledge::ClosedChain, Ledge::Segments, Ledge::Tiles, Ledge::Compound, Ledge::Boxes];

    /// Its shapes, each for a body of its own. The top is of pieces of `width` m, the outer wall
    /// leans outward by `lean` m; that of tiles is upright.
    fn shapes(self, width: f32, lean: f32, is_reversed: bool) -> Vec<Shape> {
        let count = (6.0 / width) as i32;
        let top = |k: i32| vec2(2.0 - width * k as f32, 2.0);
        let foot = vec2(2.0 + lean, 0.0);
        let mut points: Vec<Vec2> = core::iter::once(foot).chain((0..=count).map(top)).collect();
        let closed = [points.as_slice(), &[vec2(top(count).x, 0.0)]].concat();
        if is_reversed {
            points.reverse();
        }
        let tile = |k: i32| {
            let below = vec2(0.0, -2.0);
            let foot = if k == 0 { foot } else { top(k) + below };
            Shape::polygon(&[top(k + 1), top(k + 1) + below, foot, top(k)])
        };
        let tiles = || (0..count).map(tile).collect::<Vec<Shape>>();
        match self {
            Ledge::Chain => vec![Shape::chain(&points)],
            Ledge::ClosedChain => {
                let mut points = closed;
                if is_reversed {
                    points.reverse();
                }
                vec![Shape::closed_chain(&points)]
            }
            Ledge::Segments => points.windows(2).map(|ends| Shape::segment(ends[0], ends[1])).collect(),
            Ledge::Tiles => {
                let map = Shape::tiles(
                    width,
                    count as u32,
                    &vec![TileCell::from(TileKind::Solid); 2 * count as usize],
                );
                vec![map.at([2.0 - width * count as f32, 2.0 - 2.0 * width])]
            }
            Ledge::Compound => vec![Shape::compound(tiles())],
            Ledge::Boxes => tiles(),
        }
    }
}

/// What slides: its name, a shape, and how far it reaches to the side and down from its middle.
fn slider(kind: usize) -> (&'static str, Shape, [f32; 2]) {
    let hexagon = [(0.2, -0.2), (0.35, 0.0), (0.2, 0.2), (-0.2, 0.2), (-0.35, 0.0), (-0.2, -0.2)];
    let outline = [vec2(-0.3, -0.2), vec2(0.3, -0.2), vec2(0.2, 0.2), vec2(-0.2, 0.2)];
    match kind {
        0 => ("box", Shape::rect(1.0, 1.0), [0.5, 0.5]),
        1 => ("crate", Shape::rect(0.4, 0.8), [0.2, 0.4]),
        2 => ("plank", Shape::rect(1.2, 0.1), [0.6, 0.05]),
        3 => ("capsule", Shape::capsule([0.0, -0.3], [0.0, 0.3], 0.3), [0.3, 0.6]),
        4 => ("lying capsule", Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2), [0.5, 0.2]),
        5 => ("hexagon", Shape::polygon(&hexagon.map(Vec2::from)), [0.2, 0.2]),
        6 => ("rounded polygon", Shape::polygon(&outline).rounded(0.05), [0.35, 0.25]),
        _ => ("ball", Shape::circle(0.3), [0.3, 0.3]),
    }
}

/// Slides off ledges: the least speed that one kept, as a share, and the most that one rose, in
/// metres.
struct Slides {
    count: usize,
    stopped: usize,
    slowest: f32,
    highest: f32,
}

/// Bodies slide over the end of a ledge of a kind, and some the other way, from places where a side
/// of theirs is in line with the outer wall, or will be.
fn slide_off(ledge: Ledge, turns: bool, times: usize) -> Slides {
    let mut random = Random::new(31);
    let ice = Material::default().friction(0.0);
    let mut all = Slides { count: 0, stopped: 0, slowest: 1.0, highest: 0.0 };
    for round in 0..times {
        let (width, lean) = (random.one(&[0.5_f32, 1.0, 2.0, 6.0]), random.one(&[0.0_f32, 0.0, 0.5, -0.3]));
        // Not reached: boxes stop at segments of their own that lean inward below a ledge.
        let lean = if matches!(ledge, Ledge::Segments) { testkit::greater(lean, 0.0) } else { lean };
        let (kind, speed) = (random.below(8), random.log_range(0.1, 20.0) as f32);
        let (name, shape, [reach, height]) = slider(kind);
        let off = random.one(&[0.0_f32, 1.0e-6, 1.0e-5, 1.0e-4, 1.0e-3]) * random.sign() as f32;
        // From the side in front, in line now or some steps later, or from the one behind.
        let (leads, ahead) = (random.below(3) > 0, random.below(4) as f32 * speed * DT);
        let way = if leads { random.sign() as f32 } else { 1.0 };
        let from = if leads { -reach } else { reach };
        // One that comes back lies on the ledge with more than half of itself.
        let ahead = if way < 0.0 { testkit::smaller(ahead, 0.5 * reach) } else { ahead };
        let x = 2.0 + from + off - way * ahead;
        let y = 2.0 + height - random.one(&[0.0_f32, 1.0e-6, 1.1e-5, 1.0e-4]);
        let mut world = earth();
        for shape in ledge.shapes(width, lean, round % 2 == 1) {
            add(&mut world, BodyDef::fixed().shape(shape).material(ice));
        }
        let def = BodyDef::dynamic().at([x, y]).velocity([way * speed, 0.0]).shape(shape);
        let def = if turns { def } else { def.locks(Locks::ROTATION) };
        let id = add(&mut world, def.material(ice));
        let [mut slowest, mut highest] = [f32::INFINITY, f32::NEG_INFINITY];
        for _ in 0..40 {
            if world[id].position().x < -3.0 {
                break;
            }
            step(&mut world);
            slowest = testkit::smaller(slowest, way * world[id].velocity().x / speed);
            highest = testkit::greater(highest, world[id].position().y - y);
        }
        all.count += 1;
        if slowest < 0.9 || highest > 3.0e-3 {
            all.stopped += 1;
            if all.stopped <= 12 {
                println!(
                    "{ledge:?} {round}: {name} at {x} m, {y} up, {way} x {speed} m/s, off {off}, pieces {width}, lean {lean}: \
                     {slowest:.4} left, {:.2} mm up",
                    1.0e3 * highest
                );
            }
        }
        all.slowest = testkit::smaller(all.slowest, slowest);
        all.highest = testkit::greater(all.highest, highest);
    }
    println!("{ledge:?}: {} of {} held", all.stopped, all.count);
    all
}

/// A box that cannot turn slides along the top of a closed chain and off it, without friction: it
/// keeps its speed. (It stood at x = 1.5 for ever: in line with its side, the outer wall pushed it
/// back from inside.)
#[test]
fn a_box_slides_off_a_closed_chain() {
    let ice = Material::default().friction(0.0);
    let mut corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(Vec2::from);
    for _ in 0..2 {
        let mut world = earth();
        add(&mut world, BodyDef::fixed().shape(Shape::closed_chain(&corners)).material(ice));
        let slider = BodyDef::dynamic().at([0.6, 2.5]).velocity([2.0, 0.0]).locks(Locks::ROTATION);
        let slider = add(&mut world, slider.shape(Shape::rect(1.0, 1.0)).material(ice));
        for _ in 0..90 {
            step(&mut world);
            check_range("speed, m/s", world[slider].velocity().x, 1.999..2.001);
        }
        corners.reverse();
    }
}

/// Bodies of all kinds that cannot turn slide over the end of a ledge of any kind, at 0.1 to 20
/// m/s, their sides in line with its wall, or off by 1 µm to 1 mm: nothing is held back, or thrown
/// up.
#[test]
fn nothing_is_held_at_the_end_of_a_ledge() {
    let all = Ledge::ALL.map(|ledge| slide_off(ledge, false, long_rounds(150, 3_000, 30_000)));
    for (ledge, slides) in Ledge::ALL.iter().zip(all) {
        check_range(&format!("{ledge:?}: held or thrown"), slides.stopped as f64, ..=0.0);
        check_range(&format!("{ledge:?}: least speed left, share"), slides.slowest, 0.999..);
        check_range(&format!("{ledge:?}: up at most, m"), slides.highest, ..2.0e-3);
    }
}

/// The same of bodies that turn: they tip over the corner.
#[test]
fn nothing_that_tips_over_a_ledge_is_held() {
    let all = Ledge::ALL.map(|ledge| slide_off(ledge, true, long_rounds(150, 3_000, 30_000)));
    for (ledge, slides) in Ledge::ALL.iter().zip(all) {
        check_range(&format!("{ledge:?}: held or thrown"), slides.stopped as f64, ..=0.0);
        check_range(&format!("{ledge:?}: least speed left, share"), slides.slowest, 0.99..);
        check_range(&format!("{ledge:?}: up at most, m"), slides.highest, ..3.0e-3);
    }
}
