//! Tests of reachability and widths, and of edits against a fresh build.

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, MeshDef, NoWay, ObstacleId, Way};
use glam::DVec2;

use crate::common::{Random, UNIT, is_valid, mesh, narrow, rect, star, tile};
use crate::tangents::Scene;

const ROUNDS: u64 = if cfg!(debug_assertions) { 6 } else { 60 };

fn scene(seed: u64, random: &mut Random) -> Scene {
    let half = 5.0;
    let count = 2 + random.below(9);
    let make = [rect, star, tile][seed as usize % 3];
    Scene { outlines: (0..count).map(|_| make(random, half - 1.0)).collect(), half }
}

#[test]
fn the_widest_disc_passes_and_none_that_is_wider() {
    let mut narrow_ones = 0_u64;
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let scene = scene(seed, &mut random);
        let mut mesh = mesh(&scene, 2.0);
        for _ in 0..6 {
            let (from, to) = (random.place(scene.half), random.place(scene.half));
            if scene.room(from).min(scene.room(to)) < 0.01 {
                continue;
            }
            let widest = mesh.widest(narrow(from), narrow(to)).map_or(0.0, f64::from);
            let what = format!("seed {seed}, from {from} to {to}, widest {widest}");
            if widest > 10.0 * UNIT {
                let way = scene.shortest(from, to, widest - 4.0 * UNIT);
                assert!(way.is_some(), "{what}: too wide");
            }
            if widest < 1.99 {
                narrow_ones += 1;
                assert!(scene.shortest(from, to, widest + 4.0 * UNIT).is_none(), "{what}: too narrow");
            }
        }
    }
    assert!(narrow_ones > ROUNDS);
}

#[test]
fn reachable_is_what_has_a_way_and_thinner_discs_go_no_further() {
    let mut way = Way::default();
    for seed in 0..4 * ROUNDS {
        let mut random = Random(seed);
        let scene = scene(seed, &mut random);
        let mut mesh = mesh(&scene, 2.0);
        for _ in 0..10 {
            let (from, to) = (random.place(scene.half), random.place(scene.half));
            if scene.room(from).min(scene.room(to)) < 1.0 {
                continue;
            }
            let mut longest = f64::MAX;
            for r in [1.0_f32, 0.7, 0.4, 0.2, 0.0] {
                let found = mesh.way(narrow(from), narrow(to), r, &mut way);
                let is_reachable = mesh.reachable(narrow(from), narrow(to), r);
                assert_eq!(found.is_ok(), is_reachable, "seed {seed}, radius {r}, from {from} to {to}");
                if found.is_ok() {
                    assert!(way.length() <= longest * 1.0001, "seed {seed}, radius {r}, from {from} to {to}");
                    longest = way.length();
                } else {
                    assert_eq!(longest, f64::MAX, "a wider one passed");
                }
            }
        }
    }
}

/// Adds and removes obstacles, and returns the remaining ones.
fn churn(
    random: &mut Random,
    mesh: &mut Mesh,
    make: &mut dyn FnMut(&mut Random) -> Vec<DVec2>,
) -> Vec<Vec<DVec2>> {
    let mut standing: Vec<(ObstacleId, Vec<DVec2>)> = Vec::new();
    for _ in 0..60 {
        if random.below(20) >= standing.len() {
            let outline = make(random);
            let points: Vec<Vec2> = outline.iter().map(|&p| narrow(p)).collect();
            standing.push((mesh.add(&points).expect("built"), outline));
        } else {
            let at = random.below(standing.len());
            assert!(mesh.remove(standing.swap_remove(at).0));
        }
    }
    mesh.audit().expect("sound");
    standing.into_iter().map(|(_, outline)| outline).collect()
}

fn edited_and_fresh(seed: u64, make: &mut dyn FnMut(&mut Random) -> Vec<DVec2>) -> (Mesh, Mesh, Random) {
    let mut random = Random(seed);
    let mut edited = Mesh::new(MeshDef { half: 6.0, max_radius: 1.0 }).expect("a mesh");
    let outlines = churn(&mut random, &mut edited, make);
    let fresh = mesh(&Scene { outlines, half: 6.0 }, 1.0);
    (edited, fresh, random)
}

#[test]
fn edits_leave_what_a_fresh_build_gives() {
    let (mut a, mut b) = (Way::default(), Way::default());
    for seed in 0..2 * ROUNDS {
        // Obstacles apart, each in a cell of its own: equal to the bit. Overlapping ones: crossings
        // are rounded in another order.
        let is_apart = seed % 2 == 0;
        let mut cell = 0;
        let mut make = |random: &mut Random| {
            if !is_apart {
                return rect(random, 4.0);
            }
            cell = (cell + 7) % 36;
            let at = DVec2::new(f64::from(cell % 6) * 2.0 - 5.0, f64::from(cell / 6) * 2.0 - 5.0);
            rect(random, 0.0).iter().map(|&p| crate::common::whole(p * 0.5 + at)).collect()
        };
        let (mut edited, mut fresh, mut random) = edited_and_fresh(seed, &mut make);
        for _ in 0..20 {
            let (from, to) = (narrow(random.place(5.5)), narrow(random.place(5.5)));
            for r in [0.0, 0.25] {
                let one = edited.way(from, to, r, &mut a);
                let other = fresh.way(from, to, r, &mut b);
                if !is_apart && (a.from_moved() || a.to_moved()) {
                    continue;
                }
                assert_eq!(one, other, "seed {seed}");
                if one.is_ok() {
                    let apart = (a.length() - b.length()).abs();
                    let least = if is_apart { 1e-9 } else { 1e-3 };
                    assert!(apart <= least, "seed {seed}, radius {r}: {} or {} m", a.length(), b.length());
                }
            }
            let (one, other) = (edited.widest(from, to), fresh.widest(from, to));
            let apart = (one.unwrap_or(0.0) - other.unwrap_or(0.0)).abs();
            assert!(one.is_some_and(|w| w >= 1.0) || apart < 1e-4, "seed {seed}: {one:?} or {other:?}");
        }
    }
}

#[test]
fn what_a_mesh_has_kept_from_earlier_ways_does_not_show() {
    let (mut random, mut kept) =
        (Random(11), Mesh::new(MeshDef { half: 12.0, max_radius: 1.0 }).expect("a mesh"));
    let (mut standing, mut image) = (Vec::new(), Vec::new());
    let (mut one, mut other) = (Way::default(), Way::default());
    let mut bends = 0;
    let changes = if cfg!(debug_assertions) { 120 } else { 360 };
    for _ in 0..changes {
        if random.below(60) >= standing.len() {
            let outline = [rect, star, tile][random.below(3)](&mut random, 11.0);
            let points: Vec<Vec2> = outline.iter().map(|&p| narrow(p)).collect();
            standing.push(kept.add(&points).expect("built"));
        } else {
            assert!(kept.remove(standing.swap_remove(random.below(standing.len()))));
        }
        image.clear();
        kept.save_into(&mut image);
        let mut fresh = Mesh::load(&image).expect("just saved");
        for _ in 0..10 {
            let (from, to) = (narrow(random.place(11.5)), narrow(random.place(11.5)));
            let r = [0.0, 0.25, 0.6][random.below(3)];
            assert_eq!(kept.way(from, to, r, &mut one), fresh.way(from, to, r, &mut other));
            assert_eq!(one.length().to_bits(), other.length().to_bits(), "from {from} to {to}, radius {r}");
            assert_eq!(one.bends(), other.bends());
            bends += one.bends().len();
        }
    }
    assert!(bends > 10 * changes, "{bends}");
}

#[test]
fn equal_edits_give_equal_bits() {
    let run = || {
        let mut random = Random(5);
        let mut mesh = Mesh::new(MeshDef { half: 6.0, max_radius: 1.0 }).expect("a mesh");
        churn(&mut random, &mut mesh, &mut |random| rect(random, 5.0));
        let mut bits: Vec<u32> =
            mesh.triangles().flatten().flat_map(|p| [p.x.to_bits(), p.y.to_bits()]).collect();
        let mut way = Way::default();
        for _ in 0..50 {
            let (from, to) = (narrow(random.place(5.5)), narrow(random.place(5.5)));
            if mesh.way(from, to, 0.3, &mut way).is_ok() {
                bits.extend(way.bends().iter().flat_map(|bend| [bend.to.x.to_bits(), bend.angle.to_bits()]));
            }
        }
        bits
    };
    assert_eq!(run(), run());
}

#[test]
fn an_empty_room_is_two_points() {
    let mut mesh = Mesh::new(MeshDef { half: 10.0, max_radius: 2.0 }).expect("a mesh");
    let mut way = Way::default();
    for r in [0.0, 0.5, 2.0] {
        mesh.way([-7.0, -7.0], [7.0, 6.0], r, &mut way).expect("a way");
        assert!(way.bends().is_empty() && (way.length() - 365.0_f64.sqrt()).abs() < 1e-4);
        assert_eq!((way.start(), way.goal()), (Vec2::new(-7.0, -7.0), Vec2::new(7.0, 6.0)));
        mesh.way([1.0, 1.0], [1.0, 1.0], r, &mut way).expect("a way");
        assert!(way.bends().is_empty() && way.length() == 0.0);
    }
}

fn boxed(x: f32, y: f32, w: f32, h: f32) -> [Vec2; 4] {
    [Vec2::new(x, y), Vec2::new(x + w, y), Vec2::new(x + w, y + h), Vec2::new(x, y + h)]
}

/// A mesh with a wall from one side to the other, with a gap of 1 m.
fn gated() -> Mesh {
    let mut mesh = Mesh::new(MeshDef { half: 5.0, max_radius: 2.0 }).expect("a mesh");
    mesh.add(&boxed(-6.0, -0.5, 5.5, 1.0)).expect("built");
    mesh.add(&boxed(0.5, -0.5, 6.0, 1.0)).expect("built");
    mesh
}

#[test]
fn a_gap_is_as_wide_as_it_is() {
    let mut mesh = gated();
    let mut way = Way::default();
    let (from, to) = ([0.3, -3.0], [-0.2, 3.0]);
    assert!(mesh.way(from, to, 0.5, &mut way).is_ok(), "as wide as the disc, to the unit");
    assert_eq!(mesh.way(from, to, 0.501, &mut way), Err(NoWay::Apart));
    assert!((mesh.widest(from, to).expect("a way") - 0.5).abs() < 1e-4);
    assert!(mesh.reachable(from, to, 0.5) && !mesh.reachable(from, to, 0.501));
}

#[test]
fn places_on_corners_edges_and_too_close_are_answered() {
    let mut mesh = gated();
    let mut way = Way::default();
    // A point can stand on a corner and on a wall; a disc is moved off.
    for from in [[-0.5, 0.5], [-2.0, 0.5], [0.5, -0.5], [5.0, 5.0], [-5.0, 3.0]] {
        mesh.way(from, [3.0, 3.0], 0.0, &mut way).expect("a way of a point");
        assert!(!way.from_moved());
        mesh.way(from, [3.0, 3.0], 0.4, &mut way).expect("a way of a disc");
        assert!(way.from_moved());
        assert!(way.start().distance(Vec2::from(from)) < 0.4 * 1.4143 + 1e-3, "{:?}", way.start());
    }
    // A start in a wall is moved out to the nearer side.
    mesh.way([-3.0, 0.3], [3.0, 3.0], 0.4, &mut way).expect("a way");
    assert!(way.from_moved() && way.start().distance(Vec2::new(-3.0, 0.9)) < 1e-3);
    // The goal is nearer to the start than the radius.
    mesh.way([2.0, 2.0], [2.1, 2.1], 1.0, &mut way).expect("a way");
    assert!(way.bends().is_empty());
    // Along a wall, at the radius.
    mesh.way([-4.0, 0.9], [-1.0, 0.9], 0.4, &mut way).expect("a way");
    assert!((way.length() - 3.0).abs() < 1e-3);
    // Places far off the mesh, and invalid numbers.
    assert_eq!(mesh.way([90.0, 0.0], [3.0, 3.0], 0.4, &mut way), Err(NoWay::BadStart));
    assert_eq!(mesh.way([f32::NAN, 0.0], [3.0, 3.0], 0.4, &mut way), Err(NoWay::BadNumber));
    assert_eq!(mesh.way([0.0, 3.0], [3.0, 3.0], 2.5, &mut way), Err(NoWay::BadNumber));
}

#[test]
fn walls_twice_inside_touching_and_over_the_border_are_walls() {
    let mut mesh = gated();
    let before: Vec<_> = mesh.triangles().collect();
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(mesh.add(&boxed(-6.0, -0.5, 5.5, 1.0)).expect("again"));
        ids.push(mesh.add(&boxed(-3.0, -0.25, 1.0, 0.5)).expect("inside another"));
        ids.push(mesh.add(&boxed(-2.0, 0.5, 1.0, 1.0)).expect("touching along an edge"));
        ids.push(mesh.add(&boxed(4.0, 4.0, 1.0, 1.0)).expect("in the corner of the border"));
        ids.push(mesh.add(&boxed(4.5, 2.0, 3.0, 1.0)).expect("over the border"));
        ids.push(
            mesh.add_wall(&[Vec2::new(1.0, 2.0), Vec2::new(2.0, 2.0), Vec2::new(1.0, 2.0)])
                .expect("there and back"),
        );
        ids.push(mesh.add(&[Vec2::new(3.0, 1.0); 3]).expect("a point"));
    }
    mesh.audit().expect("sound");
    assert!((mesh.widest([0.3, -3.0], [-0.2, 3.0]).expect("a way") - 0.5).abs() < 1e-4);
    let mut way = Way::default();
    mesh.way([1.5, 1.5], [1.5, 2.5], 0.2, &mut way).expect("round the wall");
    assert!(!way.bends().is_empty());
    for id in ids {
        assert!(mesh.remove(id) && !mesh.remove(id));
    }
    mesh.audit().expect("sound");
    let key = |t: &[Vec2; 3]| {
        let mut corners = t.map(|p| (p.x.to_bits(), p.y.to_bits()));
        corners.sort_unstable();
        corners
    };
    let sorted = |list: &[[Vec2; 3]]| {
        let mut list: Vec<_> = list.iter().map(key).collect();
        list.sort_unstable();
        list
    };
    let area = |list: &[[Vec2; 3]]| -> f64 {
        list.iter().map(|[a, b, c]| f64::from((*b - *a).perp_dot(*c - *a))).sum()
    };
    let after: Vec<_> = mesh.triangles().collect();
    assert_eq!(sorted(&before).len(), sorted(&after).len());
    assert!((area(&before) - area(&after)).abs() < 1e-3);
}

#[test]
fn a_way_knows_when_something_near_it_changed() {
    let mut mesh = Mesh::new(MeshDef { half: 500.0, max_radius: 2.0 }).expect("a mesh");
    let mut way = Way::default();
    mesh.way([0.0, 0.0], [30.0, 10.0], 0.5, &mut way).expect("a way");
    mesh.add(&boxed(300.0, 300.0, 5.0, 5.0)).expect("far off");
    assert!(mesh.is_current(&way));
    let id = mesh.add(&boxed(20.0, -5.0, 1.0, 20.0)).expect("across");
    assert!(!mesh.is_current(&way));
    mesh.way([0.0, 0.0], [30.0, 10.0], 0.5, &mut way).expect("a way");
    assert!(mesh.is_current(&way) && !way.bends().is_empty());
    mesh.remove(id);
    assert!(!mesh.is_current(&way));
}

#[test]
fn one_mesh_serves_cow_and_hen() {
    let mut mesh = gated();
    mesh.add(&boxed(2.0, -3.0, 1.0, 1.0)).expect("built");
    let scene = Scene {
        outlines: [boxed(-6.0, -0.5, 5.5, 1.0), boxed(0.5, -0.5, 6.0, 1.0), boxed(2.0, -3.0, 1.0, 1.0)]
            .iter()
            .map(|outline| outline.iter().map(|&p| crate::common::wide(p)).collect())
            .collect(),
        half: 5.0,
    };
    let mut way = Way::default();
    for r in [0.0, 0.1, 0.25, 0.4, 0.5] {
        mesh.way([4.0, -3.0], [-3.0, 3.0], r, &mut way).expect("a way");
        is_valid(&scene, &way).expect("free");
        let best = scene.shortest(DVec2::new(4.0, -3.0), DVec2::new(-3.0, 3.0), f64::from(r) + 1.0 * UNIT);
        assert!(best.is_none_or(|best| way.length() <= best * 1.0001), "radius {r}");
    }
    assert_eq!(mesh.way([4.0, -3.0], [-3.0, 3.0], 1.0, &mut way), Err(NoWay::Apart));
}

/// There is no land far beyond the border: found by random bytes.
#[test]
fn no_way_leads_beyond_the_border() {
    let mut mesh = Mesh::new(MeshDef { half: 12.0, max_radius: 2.0 }).expect("a mesh");
    let mut way = Way::default();
    for far in [13.5, 14.9, 15.1, 100.0, 8_191.0, 9_000.0, 1e6, 1e9] {
        for to in [[far, 0.0], [-far, 3.0], [0.5, far], [far, -far]] {
            for radius in [0.0, 0.5] {
                if mesh.way([0.0, 0.0], to, radius, &mut way).is_ok() {
                    assert!(way.to_moved() && way.goal().abs().max_element() <= 12.001, "{to:?}");
                }
            }
            assert_eq!(mesh.widest([0.0, 0.0], to), None, "{to:?}");
            assert!(far < 15.0 || !mesh.reachable([0.0, 0.0], to, 0.5), "{to:?}");
        }
    }
}

#[test]
fn a_way_of_a_larger_mesh_is_not_current_in_a_small_one() {
    let mut large = Mesh::new(MeshDef::default()).expect("a good definition");
    let small = Mesh::new(MeshDef { half: 1.0, ..MeshDef::default() }).expect("a good definition");
    let mut way = Way::default();
    large.way([300.0, 290.0], [310.0, 300.0], 0.5, &mut way).expect("nothing is there");
    assert!(large.is_current(&way) && !small.is_current(&way));
}
