//! A scene in pixels has exactly the scaled bits of the scene in metres.
//!
//! Whatever world there is, it is written down as a level, all lengths in that are multiplied by a
//! power of two, and both are stepped side by side. A constant of carom with a length in it that
//! does not go with the unit shows as a body that is elsewhere, within some steps.

use carom::prelude::*;
use carom::{
    Anchor, Drive, IVec2, JointKind, Level, LevelJoint, Limits, Mass, Motor, Pull, Servo, Weight, WorldPoint,
};
use testkit::chaos::Chaos;
use testkit::golden;

/// How lengths, masses and what is made of both are scaled.
#[derive(Clone, Copy)]
struct Scale {
    length: f32,
    /// What a density is multiplied by.
    density: f32,
}

impl Scale {
    fn mass(self) -> f32 {
        self.density * self.length * self.length
    }

    fn force(self) -> f32 {
        self.mass() * self.length
    }

    fn torque(self) -> f32 {
        self.force() * self.length
    }

    /// For lengths of 1 and more in all regions, below in the one around the origin.
    fn point(self, point: WorldPoint) -> WorldPoint {
        if self.length >= 1.0 {
            return WorldPoint::new(point.region * self.length as i32, point.local * self.length);
        }
        assert_eq!(point.region, IVec2::ZERO, "smaller units are told apart near the origin alone");
        WorldPoint::from(point.local * self.length)
    }

    fn drive(self, drive: &mut Drive, is_angle: bool) {
        let (number, force) = if is_angle { (1.0, self.torque()) } else { (self.length, self.force()) };
        if let Some(Limits { lower, upper }) = &mut drive.limits {
            (*lower, *upper) = (*lower * number, *upper * number);
        }
        if let Some(Motor { speed, max }) = &mut drive.motor {
            (*speed, *max) = (*speed * number, *max * force);
        }
        if let Some(Servo { target, force: range, .. }) = &mut drive.servo {
            *target *= number;
            (range.lower, range.upper) = (range.lower * force, range.upper * force);
        }
    }

    fn body(self, def: &mut BodyDef) {
        def.position = self.point(def.position);
        def.linear_velocity *= self.length;
        def.max_speed *= self.length;
        def.gravity = def.gravity.map(|gravity| gravity * self.length);
        def.mass = def.mass.map(|Mass { mass, center, inertia }| Mass {
            mass: mass * self.mass(),
            center: center * self.length,
            inertia: inertia * self.mass() * self.length * self.length,
        });
        for shape in &mut def.shapes {
            shape.shape = shape.shape.clone().scaled(self.length);
            shape.weight = match shape.weight {
                Weight::Density(density) => Weight::Density(density * self.density),
                Weight::Mass(mass) => Weight::Mass(mass * self.mass()),
            };
            for material in shape.part_materials.iter_mut().chain([&mut shape.material]) {
                material.surface_speed *= self.length;
                material.rolling_resistance *= self.length;
            }
        }
    }

    fn area(self, area: &mut Area) {
        match &mut area.gravity {
            Some(Pull::Along(pull)) => *pull *= self.length,
            Some(Pull::Toward { point, strength, radius, .. }) => {
                *point *= self.length;
                (*strength, *radius) = (*strength * self.length, *radius * self.length);
            }
            None => {}
        }
        area.wind *= self.length;
        if let Some(fluid) = &mut area.fluid {
            fluid.density *= self.density;
            fluid.surface *= self.length;
            fluid.flow *= self.length;
        }
    }

    fn joint(self, joint: &mut LevelJoint, is_angle: impl Fn(&str) -> bool) {
        let def = &mut joint.def;
        for anchor in [&mut def.anchor_a, &mut def.anchor_b] {
            *anchor = match *anchor {
                Anchor::World(point) => Anchor::World(self.point(point)),
                Anchor::Local(point) => Anchor::Local(point * self.length),
            };
        }
        self.drive(&mut def.drive, matches!(def.kind, JointKind::Revolute | JointKind::Wheel { .. }));
        def.break_force *= self.force();
        def.break_torque *= self.torque();
        match &mut def.kind {
            JointKind::Distance { length, force } => {
                *length = length.map(|length| length * self.length);
                (force.lower, force.upper) = (force.lower * self.force(), force.upper * self.force());
            }
            JointKind::Wheel { suspension, .. } => self.drive(suspension, false),
            JointKind::Motor { offset, max_force, max_torque, .. } => {
                *offset *= self.length;
                (*max_force, *max_torque) = (*max_force * self.force(), *max_torque * self.torque());
            }
            JointKind::Friction { max_force, max_torque } => {
                (*max_force, *max_torque) = (*max_force * self.force(), *max_torque * self.torque());
            }
            JointKind::Gear { ratio, .. } => {
                let [first, second] =
                    joint.geared.as_ref().expect("two joints").each_ref().map(|it| is_angle(it));
                *ratio *= match (first, second) {
                    (true, false) => 1.0 / self.length,
                    (false, true) => self.length,
                    _ => 1.0,
                };
            }
            JointKind::Pulley { ground_a, ground_b, length, .. } => {
                (*ground_a, *ground_b) = (self.point(*ground_a), self.point(*ground_b));
                *length = length.map(|length| length * self.length);
            }
            _ => {}
        }
    }

    fn level(self, level: &Level) -> Level {
        let mut scaled = level.clone();
        let def = level.world;
        scaled.world = WorldDef {
            gravity: def.gravity * self.length,
            max_speed: def.max_speed * self.length,
            sleep_speed: def.sleep_speed * self.length,
            hit_speed: def.hit_speed * self.length,
            unit: self.length,
            ..def
        };
        for body in &mut scaled.bodies {
            self.body(&mut body.def);
            body.shapes.iter_mut().filter_map(|shape| shape.area.as_mut()).for_each(|area| self.area(area));
        }
        let is_angle = |name: &str| {
            let joint = level.joints.iter().find(|joint| joint.name == name);
            joint.is_some_and(|joint| matches!(joint.def.kind, JointKind::Revolute))
        };
        scaled.joints.iter_mut().for_each(|joint| self.joint(joint, is_angle));
        scaled
    }
}

/// Place from the origin and turn, velocities and sleep of a body, lengths divided by `unit`.
fn state_of(body: &carom::Body, unit: f32) -> ([f64; 2], [u32; 5], bool) {
    let center = body.world_center();
    let axis = |region: i32, local: f32| f64::from(region) * 1024.0 + f64::from(local);
    let [x, y] = [axis(center.region.x, center.local.x), axis(center.region.y, center.local.y)];
    let (velocity, rotation) = (body.velocity() / unit, body.rotation());
    let numbers = [rotation.cos, rotation.sin, velocity.x, velocity.y, body.angular_velocity()];
    // Not what is next to nothing, nor its sign: numbers below 1e-38 have fewer digits.
    let number = |x: f32| if x.abs() < 1.0e-30 { 0 } else { x.to_bits() };
    ([x / f64::from(unit), y / f64::from(unit)], numbers.map(number), body.is_awake())
}

/// The first body that is not what its twin is.
fn difference(metres: &World, scaled: &World) -> Option<String> {
    let unit = scaled.def().unit;
    let pairs = metres.bodies().zip(scaled.bodies());
    let told = pairs.into_iter().find_map(|((id, a), (_, b))| {
        let (of_a, of_b) = (state_of(a, 1.0), state_of(b, unit));
        (of_a != of_b).then(|| {
            let shapes: Vec<&Shape> = metres.shapes_of(id).map(|(_, it)| it.shape()).collect();
            let joints: Vec<JointKind> = metres.joints_of(id).map(|(_, joint)| joint.def().kind).collect();
            let touches: Vec<[BodyId; 2]> =
                metres.contacts_of_body(id).map(|it| [it.touch.body_a, it.touch.body_b]).collect();
            format!("{id}: {of_a:?} is not {of_b:?}\n  of {shapes:?}\n  with {joints:?}\n  at {touches:?}")
        })
    });
    let counts = |world: &World| {
        let events = world.events();
        [events.begun().len(), events.ended().len(), events.hits().len(), events.entered().len()]
    };
    let differ = counts(metres) != counts(scaled);
    told.or_else(|| differ.then(|| format!("events {:?}, {:?}", counts(metres), counts(scaled))))
}

/// Steps a level in metres and in `unit`, and compares all of it after each step. How many bodies
/// have slept, and how many touches there were.
fn compare(name: &str, level: &Level, scale: Scale, steps: u32) -> Result<[usize; 2], String> {
    if scale.length < 1.0 && level.bodies.iter().any(|it| it.def.position.region != IVec2::ZERO) {
        return Ok([0; 2]);
    }
    let (mut metres, _) = level.to_world().map_err(|error| error.to_string())?;
    let (mut scaled, _) = scale.level(level).to_world().map_err(|error| format!("{name}: {error}"))?;
    let mut seen = [0; 2];
    if let Some(difference) = difference(&metres, &scaled) {
        return Err(format!("{name} by {}, at first: {difference}", scale.length));
    }
    for step in 0..steps {
        for world in [&mut metres, &mut scaled] {
            world.step(if step % 50 == 49 { 1.0 / 90.0 } else { 1.0 / 60.0 }).expect("a step");
        }
        // Small units are told apart in one region alone.
        let is_near = |(_, body): (BodyId, &carom::Body)| body.world_center().region == IVec2::ZERO;
        if scale.length < 1.0 && !metres.bodies().all(is_near) {
            break;
        }
        // Joints that are torn apart by metres, and pull with 1e8 N at each other, may come to
        // other bits: 5 of 340 worlds. Why is not known yet.
        let is_torn = |(id, _): (JointId, &carom::Joint)| {
            metres.joint_state(id).is_some_and(|it| it.gap > 1.0 && it.force.length() > 1.0e7)
        };
        if metres.joints().any(is_torn) {
            break;
        }
        if let Some(difference) = difference(&metres, &scaled) {
            let Scale { length, density } = scale;
            return Err(format!("{name} by {length} (density by {density}), step {step}: {difference}"));
        }
        seen[0] += metres.events().slept().len();
        seen[1] += metres.events().begun().len();
    }
    Ok(seen)
}

const SCALES: [Scale; 3] = [
    Scale { length: 64.0, density: 1.0 },
    Scale { length: 64.0, density: 1.0 / 4096.0 },
    Scale { length: 1.0 / 16.0, density: 256.0 },
];

#[test]
fn golden_scenes_in_pixels_have_the_scaled_bits() {
    let (later, steps) = if cfg!(debug_assertions) { (40, 20) } else { (90, 80) };
    let mut wrong = Vec::new();
    for (name, build) in golden::SCENES.into_iter().filter(|(name, _)| *name != "far") {
        let mut scene = build().expect("a scene");
        for frame in [0, later] {
            while scene.frame < frame {
                scene.step().expect("a step");
            }
            let level = scene.world.to_level();
            for scale in SCALES {
                wrong.extend(compare(name, &level, scale, steps).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn worlds_of_everything_in_pixels_have_the_scaled_bits() {
    let (seeds, steps) = if cfg!(debug_assertions) { (4, 30) } else { (32, 150) };
    let (mut seen, mut wrong) = ([0; 2], Vec::new());
    for seed in 0..seeds {
        let mut chaos = Chaos::new(1_000 + seed, 60);
        for _ in 0..seed % 4 * 20 {
            chaos.step(1.0 / 60.0);
        }
        let level = chaos.world.to_level();
        // (What has no weight counts as one kilogram: masses have to be the same.)
        for scale in &SCALES[1..] {
            match compare(&format!("seed {seed}"), &level, *scale, steps) {
                Ok([slept, begun]) => seen = [seen[0] + slept, seen[1] + begun],
                Err(difference) => wrong.push(difference),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cfg!(debug_assertions) || (seen[0] > 250 && seen[1] > 10_000), "{seen:?}");
}
