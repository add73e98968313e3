//! Tiles around a view: four at all times, as few changes as can be, and a map without end.

use carom::prelude::*;
use carom::{Piece, Ties, Tile, Window};
use testkit::memory::{Asked, asked_by};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, run, valid};

/// Whether the four tiles of a window hold a view.
fn holds(window: &Window, center: WorldPoint, view: Vec2) -> bool {
    let tiles: Vec<Tile> = window.tiles().collect();
    let corners = [[-0.5, -0.5], [0.499, -0.5], [-0.5, 0.499], [0.499, 0.499]];
    corners.iter().all(|&[x, y]| tiles.contains(&window.tile_of(center.offset(view * vec2(x, y)))))
}

/// A walk of a million screens over the map, with jumps: the view is always inside, four tiles are
/// there, those that come and go are two, three, or all four, and pacing at a border loads nothing.
#[test]
fn a_walk_of_a_million_screens() {
    let steps = if cfg!(debug_assertions) { 200_000 } else { 4_000_000 };
    let (side, view, margin) = (64.0, vec2(40.0, 24.0), 8.0);
    let mut window = Window::new(side, view, margin).expect("it fits");
    let mut random = Random::new(5);
    let mut at = WorldPoint::new([2_000_000, -2_000_000].into(), vec2(500.0, -500.0));
    let mut resident: Vec<Tile> = Vec::new();
    let (mut loads, mut crossings, mut walked, mut velocity) = (0, 0, 0.0_f64, vec2(10.0, 0.0));
    for step in 0..steps {
        if random.below(200) == 0 {
            velocity = random.vec2(24.0);
        }
        let jump = random.below(20_000) == 0;
        let way = if jump { random.vec2(4.0e5) } else { velocity * 0.5 };
        walked += f64::from(way.length());
        let ahead: Vec<Tile> = window.ahead(at, way, 1.0).collect();
        at = at.offset(way);
        let change = window.look(at);
        let (entered, left): (Vec<Tile>, Vec<Tile>) = (change.entered().collect(), change.left().collect());
        assert_eq!(entered, ahead, "step {step}: what comes was foreseen");
        resident.retain(|tile| !left.contains(tile));
        resident.extend(&entered);
        assert_eq!(resident.len(), 4, "step {step}");
        assert!(holds(&window, at, view), "step {step}: the view is in the four");
        if change.is_none() {
            assert!(entered.is_empty() && left.is_empty());
            continue;
        }
        let allowed: &[usize] = if step == 0 || jump { &[2, 3, 4] } else { &[2, 3] };
        assert!(allowed.contains(&entered.len()), "step {step}: {entered:?}");
        (loads, crossings) = (loads + entered.len(), crossings + 1);
    }
    println!("{:.0} screens, {crossings} crossings, {loads} tiles loaded", walked / 40.0);
    assert!(crossings > 1000);
}

/// A tile: ground between walls, a tile map, crates that sleep, a swing, and a ball that rolls.
fn tile_of(kind: u32) -> Piece {
    let mut world = World::default();
    add(&mut world, BodyDef::fixed().at([32.0, 1.0]).shape(Shape::rect(63.0, 2.0)));
    for x in [0.5, 63.5] {
        add(&mut world, BodyDef::fixed().at([x, 5.0]).shape(Shape::rect(1.0, 10.0)));
    }
    let cells: Vec<TileCell> =
        (0..64).map(|k| if (k * 7 + kind) % 5 < 2 { TileCell::SOLID } else { TileCell::EMPTY }).collect();
    add(&mut world, BodyDef::fixed().at([40.0, 2.0]).shape(Shape::tiles(1.0, 16, &cells)));
    for k in 0..6 + kind {
        let at = [4.0 + 1.2 * (k / 3) as f32, 2.5 + (k % 3) as f32];
        add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    let bob = add(&mut world, BodyDef::dynamic().at([25.0, 8.0]).shape(Shape::circle(0.4)));
    world.add_joint(JointDef::revolute(None, bob).at([24.0, 11.0])).expect("a joint");
    let ball = BodyDef::dynamic().at([30.0 - kind as f32, 2.3]).velocity([2.0, 0.0]);
    add(&mut world, ball.shape(Shape::circle(0.3)));
    run(&mut world, 60);
    Piece::from(world)
}

/// Tiles come and go for tens of thousands of screens: what the world holds does not grow with the
/// way.
#[test]
fn memory_is_flat_over_tens_of_thousands_of_screens() {
    let pieces: Vec<Piece> = (0..5).map(tile_of).collect();
    let most = 4 * pieces.iter().map(|piece| piece.world().body_count()).max().unwrap_or(0);
    let mut window = Window::new(64.0, [40.0, 24.0], 8.0).expect("it fits");
    let mut random = Random::new(7);
    let mut world = World::default();
    let (mut at, mut velocity) = (WorldPoint::from([0.0, 12.0]), vec2(20.0, 0.0));
    let mut walk = |screens: usize| -> Asked {
        asked_by(|| {
            for _ in 0..2 * screens {
                if random.below(16) == 0 {
                    velocity = 20.0 * random.direction().as_vec2();
                }
                at = at.offset(velocity);
                let change = window.look(at);
                for tile in change.left() {
                    drop(world.cut(window.area(tile), Ties::Part).expect("a box"));
                }
                for [x, y] in change.entered() {
                    let piece = &pieces[(7 * x + 3 * y).rem_euclid(5) as usize];
                    world.paste(piece, window.corner([x, y])).expect("there is room");
                }
                run(&mut world, 1);
                assert!(world.body_count() <= most, "{} bodies", world.body_count());
            }
        })
    };
    walk(rounds(100, 2_000));
    let short = walk(rounds(100, 2_000));
    let long = walk(rounds(500, 20_000));
    println!("{} bytes more over a short way, {} over a long one", short.most, long.most);
    assert!(long.most <= short.most + short.most / 4, "{} and {} bytes", short.most, long.most);
    valid(&world);
}

/// Up and down at a border, by less than twice the margin: two tiles once.
#[test]
fn pacing_at_a_border_loads_nothing() {
    let mut window = Window::new(32.0, [16.0, 16.0], 4.0).expect("it fits");
    window.look([16.0, 16.0]);
    let mut loads = 0;
    for k in 0..1000 {
        let x = 24.0 + if k % 2 == 0 { 0.1 } else { -7.8 };
        loads += window.look([x, 16.0]).entered().count();
        assert!(holds(&window, WorldPoint::from([x, 16.0]), vec2(16.0, 16.0)));
    }
    assert!(loads <= 2, "{loads}");
}

/// Corners and areas are exact, and each place lies in the area of its tile.
#[test]
fn tiles_are_where_they_say() {
    let mut random = Random::new(9);
    for side in [16.0, 64.0, 1024.0, 4096.0] {
        let window = Window::new(side, [8.0, 8.0], 2.0).expect("it fits");
        for _ in 0..2000 {
            let region = [random.below(4_000_000) as i32 - 2_000_000, random.below(9) as i32 - 4];
            let place = WorldPoint::new(region.into(), random.vec2(511.0));
            let tile = window.tile_of(place);
            let corner = window.corner(tile);
            assert!(corner.is_valid() && window.tile_of(corner) == tile, "{tile:?} at {corner}");
            let from_corner = corner.to(place);
            let inside = from_corner.min_element() >= 0.0 && from_corner.max_element() < side;
            assert!(inside, "{place} is {from_corner} from {corner}");
            let area = window.area(tile);
            assert_eq!((area.region, area.aabb.min), (corner.region, corner.local));
            assert_eq!(area.aabb.max - area.aabb.min, Vec2::splat(side));
        }
    }
}

#[test]
fn bad_windows_are_refused() {
    let good = Window::new(64.0, [40.0, 20.0], 12.0);
    assert!(good.is_ok());
    for (side, view, margin) in [
        (64.0, [64.0, 20.0], 1.0),
        (64.0, [40.0, 20.0], 12.5),
        (64.0, [40.0, 20.0], 0.0),
        (60.0, [20.0, 20.0], 1.0),
        (8.0, [2.0, 2.0], 1.0),
        (64.5, [20.0, 20.0], 1.0),
        (f32::NAN, [20.0, 20.0], 1.0),
        (64.0, [f32::NAN, 20.0], 1.0),
        (64.0, [20.0, -1.0], 1.0),
        (64.0, [20.0, 20.0], f32::INFINITY),
    ] {
        assert!(Window::new(side, view, margin).is_err(), "{side} {view:?} {margin}");
    }
    let mut window = good.expect("it fits");
    assert!(window.look([f32::NAN, 0.0]).is_none());
    assert!(!window.corner([i64::MAX, 0]).is_valid());
}
