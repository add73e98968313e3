//! What a world draws: every layer, every kind of shape and joint, what is in view, far out, and
//! that nothing changes.

use carom::prelude::*;
use carom::{Color, DebugDraw, DrawOptions, IVec2, Motor};

/// One call.
#[derive(Clone, Debug, PartialEq)]
enum Call {
    Line(Vec2, Vec2),
    Polygon { corners: Vec<Vec2>, radius: f32, solid: bool },
    Star(Vec2, Vec<Vec2>),
    Circle { center: Vec2, radius: f32, solid: bool },
    Capsule { ends: [Vec2; 2], radius: f32, solid: bool },
    Point(Vec2),
    Text(Vec2, String),
}

/// Writes down what is drawn.
#[derive(Default)]
struct Record(Vec<(Call, Color)>);

impl Record {
    fn of(world: &World, options: &DrawOptions) -> Record {
        let mut record = Record::default();
        world.draw(&mut record, options);
        record
    }

    fn note(&mut self, call: Call, color: Color) {
        self.0.push((call, color));
    }

    fn count(&self, is_it: impl Fn(&Call) -> bool) -> usize {
        self.0.iter().filter(|(call, _)| is_it(call)).count()
    }

    fn texts(&self) -> Vec<&str> {
        let text = |call: &'_ (Call, Color)| matches!(call.0, Call::Text(..));
        let texts = self.0.iter().filter(|call| text(call));
        texts.map(|(call, _)| if let Call::Text(_, text) = call { text.as_str() } else { "" }).collect()
    }

    fn colors(&self) -> Vec<Color> {
        self.0.iter().map(|(_, color)| *color).collect()
    }
}

impl DebugDraw for Record {
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        self.note(Call::Line(a, b), color);
    }
    fn polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.note(Call::Polygon { corners: corners.to_vec(), radius, solid: false }, color);
    }
    fn solid_polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.note(Call::Polygon { corners: corners.to_vec(), radius, solid: true }, color);
    }
    fn solid_star(&mut self, center: Vec2, corners: &[Vec2], color: Color) {
        self.note(Call::Star(center, corners.to_vec()), color);
    }
    fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        self.note(Call::Circle { center, radius, solid: false }, color);
    }
    fn solid_circle(&mut self, center: Vec2, radius: f32, _axis: Vec2, color: Color) {
        self.note(Call::Circle { center, radius, solid: true }, color);
    }
    fn capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.note(Call::Capsule { ends: [a, b], radius, solid: false }, color);
    }
    fn solid_capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.note(Call::Capsule { ends: [a, b], radius, solid: true }, color);
    }
    fn point(&mut self, at: Vec2, _pixels: f32, color: Color) {
        self.note(Call::Point(at), color);
    }
    fn text(&mut self, at: Vec2, text: &str, color: Color) {
        self.note(Call::Text(at, text.into()), color);
    }
}

/// Knows lines alone.
#[derive(Default)]
struct Lines(Vec<[Vec2; 2]>);

impl DebugDraw for Lines {
    fn line(&mut self, a: Vec2, b: Vec2, _color: Color) {
        self.0.push([a, b]);
    }
}

impl Lines {
    fn of(world: &World, options: &DrawOptions) -> Lines {
        let mut lines = Lines::default();
        world.draw(&mut lines, options);
        lines
    }

    fn bounds(&self) -> Aabb {
        Aabb::around_points(self.0.as_flattened())
    }
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(1.0 / 60.0).expect("a step");
    }
}

fn shapes_alone() -> DrawOptions {
    DrawOptions { shapes: true, ..DrawOptions::none() }
}

fn with(name: &str) -> DrawOptions {
    let mut options = DrawOptions::none();
    *options.layer(name).expect("a layer") = true;
    options
}

/// A kind of shape each, with the box that it fills.
fn every_shape() -> Vec<(Shape, Aabb)> {
    let star = [vec2(2.0, 0.0), vec2(0.5, 0.5), vec2(0.0, 2.0), vec2(-2.0, -2.0)];
    let hammer = Shape::compound([Shape::rect(0.2, 1.0), Shape::rect(0.8, 0.3).at([0.0, 0.6])]);
    vec![
        (Shape::circle(0.5).at([1.0, 0.0]), Aabb::new([0.5, -0.5], [1.5, 0.5])),
        (Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.25), Aabb::new([-1.25, -0.25], [1.25, 0.25])),
        (Shape::segment([-1.0, 0.0], [1.0, 0.5]), Aabb::new([-1.0, 0.0], [1.0, 0.5])),
        (Shape::rect(2.0, 1.0), Aabb::new([-1.0, -0.5], [1.0, 0.5])),
        (Shape::rect(2.0, 1.0).rounded(0.25), Aabb::new([-1.25, -0.75], [1.25, 0.75])),
        (Shape::triangle([0.0, 0.0], [2.0, 0.0], [0.0, 1.0]), Aabb::new([0.0, 0.0], [2.0, 1.0])),
        (Shape::polar(&star), Aabb::new([-2.0, -2.0], [2.0, 2.0])),
        (hammer, Aabb::new([-0.4, -0.5], [0.4, 0.75])),
        (
            Shape::chain(&[vec2(-2.0, 0.0), vec2(0.0, 1.0), vec2(2.0, 0.0)]),
            Aabb::new([-2.0, 0.0], [2.0, 1.0]),
        ),
        (Shape::closed_chain(&star), Aabb::new([-2.0, -2.0], [2.0, 2.0])),
    ]
}

#[test]
fn lines_alone_show_every_kind_of_shape_where_it_is() {
    for (shape, aabb) in every_shape() {
        let mut world = World::default();
        let name = format!("{shape:?}");
        world.add(BodyDef::fixed().at([10.0, 20.0]).shape(shape)).expect("a body");
        let seen = Lines::of(&world, &shapes_alone().origin([10.0, 20.0])).bounds();
        // A circle of 32 corners is up to 0.5 % too small.
        let near = |a: Vec2, b: Vec2| (a - b).abs().max_element() < 0.005;
        assert!(near(seen.min, aabb.min) && near(seen.max, aabb.max), "{name}: {seen:?}");
    }
}

#[test]
fn outlines_made_of_lines_are_closed() {
    for (shape, _) in every_shape() {
        if matches!(shape, Shape::Segment(_) | Shape::Circle(_))
            || matches!(&shape, Shape::Chain(chain) if !chain.is_closed())
        {
            continue; // open, or with a mark
        }
        let name = format!("{shape:?}");
        let mut world = World::default();
        world.add(BodyDef::fixed().shape(shape)).expect("a body");
        let lines = Lines::of(&world, &shapes_alone()).0;
        for [from, _] in &lines {
            let ends = lines.iter().filter(|[_, to]| to.distance(*from) < 1e-4).count();
            assert!(ends > 0, "{name}: nothing leads to {from}");
        }
    }
}

#[test]
fn shapes_come_as_what_they_are() {
    let mut world = World::default();
    for (shape, _) in every_shape() {
        world.add(BodyDef::fixed().shape(shape)).expect("a body");
    }
    let calls: Vec<Call> = Record::of(&world, &shapes_alone()).0.into_iter().map(|(call, _)| call).collect();
    let star = calls
        .iter()
        .find_map(|call| if let Call::Star(_, corners) = call { Some(corners.len()) } else { None });
    assert_eq!(star, Some(4));
    assert_eq!(calls[0], Call::Circle { center: vec2(1.0, 0.0), radius: 0.5, solid: true });
    assert_eq!(
        calls[1],
        Call::Capsule { ends: [vec2(-1.0, 0.0), vec2(1.0, 0.0)], radius: 0.25, solid: true }
    );
    let polygons = |radius: f32| {
        calls
            .iter()
            .filter(|call| matches!(call, Call::Polygon { radius: r, solid: true, .. } if *r == radius))
            .count()
    };
    assert_eq!(
        (polygons(0.0), polygons(0.25)),
        (2 + 2, 1),
        "box, triangle, two of the hammer; the round box"
    );
    assert_eq!(
        calls.iter().filter(|call| matches!(call, Call::Line(..))).count(),
        1 + 2 + 4,
        "segment, chains"
    );
}

#[test]
fn half_planes_end_where_the_view_does() {
    let mut world = World::default();
    world.add(BodyDef::fixed().shape(Shape::half_plane([0.0, 1.0], [1.0, 1.0]))).expect("a body");
    let seen = |options: &DrawOptions| Lines::of(&world, options).0;
    let lines = seen(&shapes_alone().view([-10.0, -10.0], [10.0, 10.0]));
    assert_eq!(lines.len(), 5, "a square without a corner");
    let border = lines.iter().filter(|line| line.iter().all(|p| (p.x + p.y - 1.0).abs() < 1e-4)).count();
    assert_eq!(border, 1);
    assert!(seen(&shapes_alone().view([20.0, 20.0], [30.0, 30.0])).is_empty(), "it is free there");
    assert_eq!(seen(&shapes_alone()).len(), 5, "without a view it ends somewhere");
}

/// A box on the ground and one beside it that moves, after steps.
fn two_boxes(region: IVec2) -> World {
    let at = |x: f32, y: f32| WorldPoint::new(region, vec2(x, y));
    let mut world = World::default();
    world.add(BodyDef::fixed().at(at(0.0, -0.5)).shape(Shape::rect(20.0, 1.0))).expect("ground");
    world.add(BodyDef::dynamic().at(at(0.0, 0.5)).shape(Shape::rect(1.0, 1.0))).expect("a box");
    let mover = BodyDef::dynamic().at(at(4.0, 0.25)).velocity([2.0, 0.0]).shape(Shape::rect(0.5, 0.5));
    world.add(mover).expect("a box");
    steps(&mut world, 10);
    world
}

#[test]
fn boxes_lie_around_shapes_and_circles_around_both() {
    let world = two_boxes(IVec2::ZERO);
    let boxes = Record::of(&world, &with("boxes"));
    assert_eq!(boxes.count(|call| matches!(call, Call::Polygon { solid: false, .. })), 3);
    let Call::Polygon { corners, .. } = &boxes.0[1].0 else { panic!("a box") };
    let (around, tight) = (Aabb::around_points(corners), Aabb::new([-0.49, 0.01], [0.49, 0.99]));
    assert!(around.contains(&tight) && tight.grown(0.15).contains(&around), "{around:?}");
    let circles = Record::of(&world, &with("circles"));
    assert_eq!(circles.0.len(), 3);
    let Call::Circle { radius, solid: false, .. } = circles.0[1].0 else { panic!("a circle") };
    assert!((radius - 0.5_f32.sqrt()).abs() < 1e-5);
}

#[test]
fn cells_of_the_grid_count_what_stands_in_them() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    for k in 0..100 {
        let at = vec2((k % 10) as f32 * 0.4, (k / 10) as f32 * 0.4);
        world.add(BodyDef::dynamic().at(at).shape(Shape::circle(0.1))).expect("a disc");
    }
    for k in 0..100 {
        let at = vec2((k % 10) as f32 * 2.0, (k / 10) as f32 * 2.0 + 50.0);
        world.add(BodyDef::fixed().at(at).shape(Shape::circle(0.5))).expect("a post");
    }
    steps(&mut world, 3);
    world.prepare_queries();
    let record = Record::of(&world, &with("grid"));
    let counts: usize = record.texts().iter().map(|text| text.parse::<usize>().expect("a count")).sum();
    assert_eq!(counts, 100, "every disc is in one cell");
    let of = |low: f32, high: f32| -> Vec<Aabb> {
        let boxes = record.0.iter().filter_map(|(call, _)| match call {
            Call::Polygon { corners, .. } => Some(Aabb::around_points(corners)),
            _ => None,
        });
        boxes.filter(|aabb| low < aabb.center().y && aabb.center().y < high).collect()
    };
    let (cells, groups) = (of(-2.0, 10.0), of(40.0, 80.0));
    assert_eq!(cells.len(), record.texts().len());
    for (_, body) in world.bodies().take(100) {
        let corner = body.position() - Vec2::splat(0.1);
        assert!(cells.iter().any(|cell| cell.grown(0.05).contains_point(corner)), "{corner} is in a cell");
    }
    assert_eq!(groups.len(), 13, "100 posts in groups of 8");
    let all = groups.iter().fold(Aabb::EMPTY, |all, group| all.union(*group));
    assert!(all.contains(&Aabb::new([-0.5, 49.5], [18.5, 68.5])), "{all:?}");
}

#[test]
fn contacts_and_impulses_stand_where_the_box_does() {
    let world = two_boxes(IVec2::ZERO);
    let record = Record::of(&world, &with("contacts").view([-2.0, -2.0], [2.0, 2.0]));
    let points: Vec<Vec2> = record
        .0
        .iter()
        .filter_map(|(call, _)| if let Call::Point(at) = call { Some(*at) } else { None })
        .collect();
    assert_eq!(points.len(), 2, "the other box is out of view");
    for (point, x) in points.iter().zip([-0.5, 0.5]) {
        assert!((point.x.abs() - 0.5).abs() < 0.01 && point.y.abs() < 0.02, "{point} is not at {x}");
    }
    let upright =
        record.count(|call| matches!(call, Call::Line(a, b) if a.x == b.x && (a.y - b.y).abs() == 0.25));
    assert_eq!(upright, 2, "a normal at each, a sign long");

    let impulses = Record::of(&world, &with("impulses").view([-2.0, -2.0], [2.0, 2.0]));
    assert_eq!(impulses.texts(), ["0.16"], "1 kg for 1/60 s, in N s");
    let long = impulses
        .0
        .iter()
        .filter_map(|(call, _)| if let Call::Line(a, b) = call { Some(a.distance(*b)) } else { None });
    let sum: f32 = long.sum();
    assert!((sum - 9.81 / 60.0).abs() < 0.01, "a metre for each N s, but {sum}");
}

#[test]
fn velocities_centres_and_ids_are_drawn_for_each_body() {
    let world = two_boxes(IVec2::ZERO);
    let velocities = Record::of(&world, &with("velocities"));
    let body = world.bodies().nth(2).expect("the box that slides").1;
    assert_eq!(velocities.0.len(), 3, "one arrow: the others stand still");
    let Call::Line(from, to) = velocities.0[0].0 else { panic!("a line") };
    assert_eq!((from, to), (body.position(), body.position() + 0.1 * body.velocity()));
    assert_eq!(Record::of(&world, &with("centers")).0.len(), 2 * 2, "two axes of each that moves");
    assert_eq!(Record::of(&world, &with("ids")).texts(), ["0", "1", "2"]);
}

#[test]
fn colours_say_what_moves_a_body() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let disc = |def: BodyDef, x: f32| def.at([x, 0.0]).shape(Shape::circle(0.5));
    world.add(disc(BodyDef::fixed(), 0.0)).expect("a body");
    world.add(disc(BodyDef::kinematic(), 2.0)).expect("a body");
    world.add(disc(BodyDef::dynamic(), 4.0)).expect("a body");
    world.add(disc(BodyDef::dynamic(), 6.0).velocity([0.0, 100.0])).expect("a body");
    let sensor = ShapeDef::from(Shape::circle(0.5)).sensor();
    world.add(BodyDef::fixed().at([8.0, 0.0]).shape(sensor)).expect("a body");
    let sleeper = world.add(disc(BodyDef::dynamic(), 10.0)).expect("a body");
    world.step(1.0 / 60.0).expect("a step");
    let colors = Record::of(&world, &shapes_alone()).colors();
    let kinds = [Color::GREY, Color::PURPLE, Color::BLUE, Color::ORANGE, Color::GREEN, Color::BLUE];
    assert_eq!(colors, kinds);
    world.put_to_sleep(sleeper).expect("a body");
    world.step(1.0 / 60.0).expect("a step");
    let mut options = shapes_alone();
    assert_eq!(Record::of(&world, &options).colors()[5], Color::BLUE);
    options.sleep = true;
    assert_eq!(Record::of(&world, &options).colors()[5], Color::BLUE.pale());
    assert_eq!(Record::of(&world, &options).colors()[2], Color::BLUE);
}

#[test]
fn what_froze_in_the_last_step_is_red() {
    let mut world =
        World::new(WorldDef { max_speed: f32::INFINITY, ..WorldDef::default().gravity([0.0, 0.0]) });
    let edge = WorldPoint::new(IVec2::new(i32::MAX - (1 << 23), 0), Vec2::ZERO);
    let leaver = BodyDef::dynamic().at(edge).velocity([1.0e9, 0.0]).shape(Shape::circle(0.5));
    world.add(leaver).expect("a body");
    for _ in 0..600 {
        world.step(0.1).expect("a step");
        if !world.events().frozen().is_empty() {
            break;
        }
    }
    let end = world.bodies().next().expect("a body").1.world_center();
    let options = shapes_alone().origin(end);
    assert_eq!(Record::of(&world, &options).colors(), [Color::RED]);
    world.step(0.1).expect("a step");
    assert_eq!(Record::of(&world, &options).colors(), [Color::GREY], "it is fixed from then on");
}

#[test]
fn an_island_has_one_colour_asleep_or_not() {
    let mut world = World::default();
    world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0))).expect("ground");
    for x in [-6.0, 6.0] {
        for y in 0..3 {
            world
                .add(BodyDef::dynamic().at([x, y as f32 + 0.5]).shape(Shape::rect(1.0, 1.0)))
                .expect("a box");
        }
    }
    let left = world.add(BodyDef::dynamic().at([-12.0, 0.5]).shape(Shape::rect(1.0, 1.0))).expect("a box");
    let right = world.add(BodyDef::dynamic().at([12.0, 0.5]).shape(Shape::rect(1.0, 1.0))).expect("a box");
    world.add_joint(JointDef::distance(left, right)).expect("a rod");
    let options = DrawOptions { islands: true, ..shapes_alone() };
    for _ in 0..2 {
        steps(&mut world, 10);
        let colors = Record::of(&world, &options).colors();
        assert_eq!(colors[0], Color::GREY);
        assert!(colors[1..4].iter().all(|&color| color == Color::numbered(1)), "{colors:?}");
        assert!(colors[4..7].iter().all(|&color| color == Color::numbered(4)), "{colors:?}");
        assert_eq!(colors[7..9], [Color::numbered(7); 2], "jointed");
        steps(&mut world, 100);
    }
    assert!(world.bodies().all(|(_, body)| !body.is_awake()), "the second look was at sleepers");
}

/// A joint of each kind.
fn every_joint() -> (World, Vec<JointId>) {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let mut disc = |x: f32, y: f32| {
        let body = BodyDef::dynamic().at([x, y]).shape(Shape::circle(0.3));
        world.add(body).expect("a disc")
    };
    let pairs: Vec<[BodyId; 2]> =
        (0..10).map(|k| [disc(k as f32 * 4.0, 0.0), disc(k as f32 * 4.0, 2.0)]).collect();
    let [a, b] = pairs[0];
    let hinge = JointDef::revolute(a, b).at([0.0, 1.0]).limits(-0.5, 0.5).motor(1.0, 5.0);
    let mut defs = vec![hinge];
    let make: [fn(BodyId, BodyId) -> JointDef; 9] = [
        |a, b| JointDef::prismatic(a, b, [0.0, 1.0]).limits(-1.0, 3.0).motor(1.0, 5.0),
        |a, b| JointDef::distance(a, b),
        |a, b| JointDef::rope(a, b, 5.0),
        |a, b| JointDef::weld(a, b),
        |a, b| JointDef::wheel(a, b, [0.0, 1.0], Spring::new(3.0, 0.7)),
        |a, b| JointDef::motor_to(a, b, Spring::new(3.0, 1.0)),
        |a, b| JointDef::friction(a, b, 1.0, 1.0),
        |a, b| JointDef::pulley(a, b, [32.0, 6.0], [34.0, 6.0], 1.0),
        |a, b| JointDef::filter(a, b),
    ];
    for (k, make) in make.into_iter().enumerate() {
        let [a, b] = pairs[k + 1];
        defs.push(make(a, b));
    }
    let mut joints: Vec<JointId> =
        defs.into_iter().map(|def| world.add_joint(def).expect("a joint")).collect();
    joints.push(world.add_joint(JointDef::gear(joints[0], joints[1], 2.0)).expect("a gear"));
    world.step(1.0 / 60.0).expect("a step");
    (world, joints)
}

#[test]
fn every_kind_of_joint_has_a_sign_of_its_own() {
    let (mut world, joints) = every_joint();
    let mut signs: Vec<String> = Vec::new();
    for joint in joints.into_iter().rev() {
        let all = Record::of(&world, &with("joints")).0;
        world.remove_joint(joint).expect("it is there");
        let rest = Record::of(&world, &with("joints")).0;
        let own: Vec<String> = all
            .iter()
            .filter(|call| !rest.contains(call))
            .map(|(call, color)| {
                format!("{}{color:?}", format!("{call:?}").split(['(', ' ']).next().unwrap_or(""))
            })
            .collect();
        assert_eq!(own.len(), all.len() - rest.len(), "what is left stays the same");
        assert!(!own.is_empty());
        signs.push(own.join(" "));
    }
    let kinds = signs.len();
    signs.sort();
    signs.dedup();
    assert_eq!(signs.len(), kinds, "no two kinds look alike: {signs:#?}");
    assert!(Record::of(&world, &with("joints")).0.is_empty());
}

#[test]
fn signs_of_joints_say_limits_and_motors() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let b = world.add(BodyDef::dynamic().at([1.0, 0.0]).shape(Shape::rect(2.0, 0.2))).expect("a bar");
    let plain = JointDef::revolute(None, b).at([0.0, 0.0]);
    let joint = world.add_joint(plain).expect("a hinge");
    let orange = |world: &World| {
        Record::of(world, &with("joints")).colors().iter().filter(|&&c| c == Color::ORANGE).count()
    };
    let sector = |world: &World, angle: f32| {
        let way = Rot::from_angle(angle).x_axis() * (0.9 * 0.25);
        let is_it =
            |call: &Call| matches!(call, Call::Line(a, b) if a.length() < 1e-5 && b.distance(way) < 1e-4);
        Record::of(world, &with("joints")).count(is_it)
    };
    assert_eq!((orange(&world), sector(&world, 0.7)), (0, 0));
    world
        .change_joint(joint, |def| {
            def.drive.limits = Some(carom::Limits::new(-0.4, 0.7));
            def.drive.motor = Some(Motor::new(1.0, 2.0));
        })
        .expect("a change");
    assert!(orange(&world) > 3, "an arrow");
    assert_eq!((sector(&world, 0.7), sector(&world, -0.4), sector(&world, 0.2)), (1, 1, 0));
}

#[test]
fn a_view_shows_what_meets_it_and_nothing_else() {
    let mut world = World::default();
    for k in 0..40 {
        let at = vec2((k % 8) as f32 * 3.0, (k / 8) as f32 * 3.0);
        world.add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0).turned(0.3))).expect("a box");
    }
    let (low, high) = (vec2(2.0, 2.0), vec2(10.1, 6.2));
    let (view, whole) = (shapes_alone().view(low, high), shapes_alone());
    let (seen, all) = (Record::of(&world, &view), Record::of(&world, &whole));
    let meets = |call: &Call| {
        let Call::Polygon { corners, .. } = call else { panic!("a box") };
        Aabb::around_points(corners).overlaps(&Aabb::new(low, high))
    };
    let wanted: Vec<_> = all.0.iter().filter(|(call, _)| meets(call)).cloned().collect();
    assert_eq!(seen.0, wanted, "in the same order");
    assert_eq!(seen.0.len(), 3 * 2, "columns at 3, 6 and 9, rows at 3 and 6");
    let blind = DrawOptions { view: Some(Aabb { min: Vec2::NAN, max: Vec2::NAN }), ..DrawOptions::all() };
    assert!(Record::of(&world, &blind).0.is_empty());
    let askew = DrawOptions { velocity_scale: f32::NAN, ..DrawOptions::all() };
    assert!(Record::of(&world, &askew).0.is_empty());
    let mut record = Record::default();
    let object: &mut dyn DebugDraw = &mut record;
    world.draw(object, &whole);
    assert_eq!(record.0, all.0, "an object of the trait will do");
    let huge =
        DrawOptions { view: Some(Aabb { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY }), ..shapes_alone() };
    assert_eq!(Record::of(&world, &huge).0, all.0);
}

#[test]
fn far_out_it_looks_the_same_to_the_bit() {
    let far = IVec2::new(1_000_000, -1_000_000);
    let bits = |region: IVec2, view: bool| {
        let origin = WorldPoint::new(region, vec2(1.25, 0.7));
        let options = DrawOptions::all().origin(origin);
        let options = if view { options.view([-9.0, -3.0], [3.5, 8.0]) } else { options };
        let mut world = two_boxes(region);
        world.prepare_queries();
        Record::of(&world, &options).0
    };
    for view in [false, true] {
        let (here, there) = (bits(IVec2::ZERO, view), bits(far, view));
        assert!(here.len() > 30);
        assert_eq!(format!("{here:?}"), format!("{there:?}"));
    }
}

#[test]
fn drawing_changes_nothing() {
    let (joints, _) = every_joint();
    for mut world in [two_boxes(IVec2::ZERO), joints] {
        let mut twin = world.clone();
        for _ in 0..5 {
            let before = world.hash();
            let (first, second) =
                (Record::of(&world, &DrawOptions::all()).0, Record::of(&world, &DrawOptions::all()).0);
            assert_eq!(first, second);
            assert_eq!(world.hash(), before);
            world.step(1.0 / 60.0).expect("a step");
            twin.step(1.0 / 60.0).expect("a step");
            assert_eq!(world.hash(), twin.hash());
        }
    }
}

#[test]
fn layers_are_found_by_name() {
    let mut all = DrawOptions::none();
    for name in DrawOptions::LAYERS {
        let layer = all.layer(name).expect(name);
        assert!(!core::mem::replace(layer, true), "{name} is one of its own");
    }
    assert_eq!(all, DrawOptions::all());
    assert!(all.layer("colliders").is_none());
    let usual = DrawOptions::default();
    assert!(usual.shapes && usual.sleep && usual.joints && !usual.contacts && !usual.ids);
}

/// Contrast as the Web Content Accessibility Guidelines 2.1 define it.
#[test]
fn the_palette_stands_out_on_white_and_on_dark() {
    let luminance = |color: Color| {
        let part = |x: u8| {
            let x = f64::from(x) / 255.0;
            if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(color.r) + 0.7152 * part(color.g) + 0.0722 * part(color.b)
    };
    let contrast = |a: Color, b: Color| {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        if a > b { a / b } else { b / a }
    };
    for color in Color::PALETTE.into_iter().chain([Color::GREY]) {
        for ground in [Color::rgb(255, 255, 255), Color::rgb(0x14, 0x18, 0x1d)] {
            let contrast = contrast(color, ground);
            assert!(contrast >= 3.0, "{color:?} on {ground:?}: {contrast:.2}");
        }
    }
}
