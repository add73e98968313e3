//! Tiles around a view: four at all times, as few changes as can be, and a map without end.

use carom::prelude::*;
use carom::{Tile, Window};
use testkit::random::Random;

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
