//! A call as a function of all its numbers: a line of a table, and what is done with every line.

use carom::broadphase::{Activity, Grid};
use carom::prelude::*;
use carom::{Error, Freeze, ShapeDef};

use super::{BAD, spoilt_by};
use testkit::rounds;
use testkit::worlds::{DT, add};

/// Steps after a call that was taken.
pub(crate) const STEPS: usize = rounds(6, 30);

/// Numbers that are far out, but for most functions still numbers to count with.
const EXTREME: [f32; 4] = [1.0e9, -1.0e9, 1.0e-9, 1.0e18];

/// What a function makes of bad numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Those that are not finite are refused.
    Finite,
    /// NaN is refused; infinity has a meaning that is documented.
    MayBeInfinite,
    /// Any number is taken, with a documented meaning.
    Any,
    /// Any number is taken, and the world is only read.
    Reads,
}

/// A call as a function of all its numbers, and numbers with which it succeeds.
pub(crate) struct Case {
    /// The name of the function, and which of its numbers.
    pub(crate) name: &'static str,
    pub(crate) rule: Rule,
    pub(crate) good: &'static [f32],
    pub(crate) call: fn(&mut Scene, &[f32]) -> Result<(), Error>,
}

/// A call whose numbers have to be finite.
pub(crate) fn finite(
    name: &'static str,
    good: &'static [f32],
    call: fn(&mut Scene, &[f32]) -> Result<(), Error>,
) -> Case {
    Case { name, rule: Rule::Finite, good, call }
}

impl Case {
    pub(crate) fn rule(self, rule: Rule) -> Case {
        Case { rule, ..self }
    }

    /// Whether the numbers were taken; or what was wrong with that.
    fn judge(&self, scene: &Scene, before: u64, numbers: &[f32]) -> Result<bool, String> {
        let mut scene = scene.clone();
        let answer = (self.call)(&mut scene, numbers);
        let unchanged = || scene.world.hash() == before;
        if let Err(error) = answer {
            let may = matches!(self.rule, Rule::Finite | Rule::MayBeInfinite);
            return match (may, unchanged()) {
                (true, true) => Ok(false),
                (true, false) => Err(format!("refused ({error}), and something is changed")),
                (false, _) => Err(format!("refused: {error}")),
            };
        }
        let takes = match self.rule {
            Rule::Finite => f32::is_finite,
            Rule::MayBeInfinite => |x: f32| !x.is_nan(),
            Rule::Any | Rule::Reads => |_| true,
        };
        if !numbers.iter().all(|&x| takes(x)) {
            return Err("taken".into());
        }
        if self.rule == Rule::Reads && !unchanged() {
            return Err("something is changed".into());
        }
        let steps = if self.rule == Rule::Reads { 0 } else { STEPS };
        scene.run(steps)?;
        scene.comes_back().map(|()| true)
    }
}

/// A world with something of everything, and what stands beside a world.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) ground: BodyId,
    /// A dynamic box on the ground, with another one on top of it.
    pub(crate) crate_: BodyId,
    /// A dynamic ball beside it.
    pub(crate) ball: BodyId,
    /// A kinematic platform.
    pub(crate) lift: BodyId,
    /// The shape of the box, and a fixed chain of three segments.
    pub(crate) face: ShapeId,
    pub(crate) chain: ShapeId,
    /// A sensor round the box.
    pub(crate) zone: ShapeId,
    /// Two hinges that hold a lever each.
    pub(crate) hinges: [JointId; 2],
    pub(crate) levers: [BodyId; 2],
    pub(crate) mover: Mover,
    pub(crate) clock: FixedStep,
    pub(crate) grid: Grid,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        let mut world = World::default();
        let fixed = |shape: ShapeDef| BodyDef::fixed().shape(shape);
        let ground = add(&mut world, fixed(Shape::rect(40.0, 2.0).into()).at([0.0, -1.0]));
        let box_at =
            |y: f32| BodyDef::dynamic().at([0.0, y]).shape(ShapeDef::from(Shape::rect(1.0, 1.0)).hooked());
        let crate_ = add(&mut world, box_at(0.5));
        add(&mut world, box_at(1.5));
        let ball = add(&mut world, BodyDef::dynamic().at([1.2, 0.5]).shape(Shape::circle(0.5)));
        let lift = add(&mut world, BodyDef::kinematic().at([4.0, 1.0]).shape(Shape::rect(2.0, 0.2)));
        add(&mut world, BodyDef::dynamic().at([4.0, 1.35]).shape(Shape::rect(0.5, 0.5)));
        let points = [vec2(-9.0, 1.0), vec2(-7.0, 0.2), vec2(-5.0, 0.2), vec2(-3.0, 1.0)];
        let slope = add(&mut world, fixed(Shape::chain(&points).into()));
        add(&mut world, BodyDef::dynamic().at([-6.0, 0.8]).shape(Shape::circle(0.4)));
        let zone = add(&mut world, fixed(ShapeDef::from(Shape::rect(3.0, 3.0)).sensor()));
        let levers =
            [8.0, 9.0].map(|x| add(&mut world, BodyDef::dynamic().at([x, 3.0]).shape(Shape::rect(0.5, 0.5))));
        let hinges = [(8.0, levers[0]), (9.0, levers[1])].map(|(x, lever)| {
            world.add_joint(JointDef::revolute(None, lever).at([x, 3.5])).expect("it breaks no rule")
        });
        let first =
            |world: &World, body| world.shapes_of(body).next().map(|(id, _)| id).expect("it has a shape");
        let [face, chain, zone] = [crate_, slope, zone].map(|body| first(&world, body));
        let mut grid = Grid::new();
        for id in 0..20 {
            let low = vec2(id as f32, 0.0);
            grid.insert(id, Aabb::new(low, low + Vec2::splat(1.5)), Activity::Active);
        }
        grid.find_pairs();
        let mut scene = Scene {
            world,
            ground,
            crate_,
            ball,
            lift,
            face,
            chain,
            zone,
            hinges,
            levers,
            grid,
            mover: Mover::default(),
            clock: FixedStep::hz(60.0),
        };
        assert_eq!(scene.run(STEPS), Ok(()));
        scene
    }

    /// Steps, and every invariant before the first and after each.
    pub(crate) fn run(&mut self, steps: usize) -> Result<(), String> {
        self.world.validate()?;
        for number in 0..steps {
            self.world.step(DT).map_err(|error| error.to_string())?;
            self.world.validate().map_err(|rule| format!("step {number}: {rule}"))?;
            if let Some(Freeze { body, .. }) = self.world.events().frozen().first() {
                return Err(format!("step {number}: {body} froze"));
            }
        }
        Ok(())
    }

    /// Whatever can be built can be saved, and comes back.
    fn comes_back(&self) -> Result<(), String> {
        let (mut bytes, mut other) = (Vec::new(), World::default());
        self.world.save_whole_into(&mut bytes);
        other.load(&bytes).map_err(|error| format!("not loaded: {error}"))?;
        if other.hash() == self.world.hash() { Ok(()) } else { Err("another world is loaded".into()) }
    }
}

/// Every case with every bad number in every place: what is refused changes nothing; what is taken
/// can be stepped.
pub(crate) fn try_all(cases: &[Case]) {
    let scene = Scene::new();
    let before = scene.world.hash();
    let (mut refused, mut taken, mut faults) = (0_usize, 0_usize, Vec::new());
    for case in cases {
        let mut fresh = scene.clone();
        let answer = (case.call)(&mut fresh, case.good);
        assert_eq!(answer, Ok(()), "{} of {:?}", case.name, case.good);
        assert_eq!(fresh.run(STEPS), Ok(()), "{} of {:?}", case.name, case.good);
        // A third of them in debug builds.
        for numbers in spoilt_by(&[&BAD[..], &EXTREME].concat(), case.good).into_iter().step_by(rounds(3, 1))
        {
            match case.judge(&scene, before, &numbers) {
                Ok(true) => taken += 1,
                Ok(false) => refused += 1,
                Err(fault) => faults.push(format!("{} of {numbers:?}: {fault}", case.name)),
            }
        }
    }
    println!("{refused} refused, {taken} taken");
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), refused + taken, faults.join("\n"));
}
