//! Batches as trainers use them: layouts, memory of the program, subsets, several starts, automatic
//! resets, single worlds out and in, threads; each world has the bits of the world alone.

mod state;

use carom::prelude::*;
use carom::{Action, AutoReset, Batch, BatchLayout, End, Error, Observation, Spec, Variation};
use testkit::memory;
use testkit::random::Random;
use testkit::worlds::{DT, add, earth, ground, valid};

/// A cart with a pole, on the ground beside a crate that falls.
struct Cart {
    world: World,
    cart: BodyId,
    pole: BodyId,
    hinge: JointId,
}

fn cart() -> Cart {
    let mut world = earth();
    ground(&mut world);
    let cart = add(&mut world, BodyDef::dynamic().at([0.0, 0.75]).shape(Shape::rect(1.0, 0.5)));
    let pole = add(&mut world, BodyDef::dynamic().at([0.0, 1.75]).shape(Shape::rect(0.1, 1.5)));
    add(&mut world, BodyDef::dynamic().at([3.0, 2.0]).shape(Shape::rect(1.0, 1.0)));
    world.add_joint(JointDef::prismatic(None, cart, [1.0, 0.0]).at([0.0, 0.75])).expect("it breaks no rule");
    let hinge = world.add_joint(JointDef::revolute(cart, pole).at([0.0, 1.0])).expect("it breaks no rule");
    Cart { world, cart, pole, hinge }
}

/// The most steps of an episode.
const LIMIT: u32 = 35;

/// Actions, observations of every sort, variations and ends.
fn spec(it: &Cart) -> Spec {
    Spec::new()
        .action(Action::force(it.cart, [1.0, 0.0]).range(-15.0, 15.0))
        .action(Action::torque(it.pole).scale(0.1))
        .observation(Observation::position(it.cart).only_x())
        .observation(Observation::velocity(it.pole).relative_to(it.cart))
        .observation(Observation::joint_angle(it.hinge))
        .observation(Observation::joint_force(it.hinge))
        .observation(Observation::rays(it.cart, 5, 6.0))
        .observation(Observation::contact_impulse(it.pole))
        .observation(Observation::nearest_distance(it.pole, 3.0))
        .variation(Variation::spin(it.pole, -1.0, 1.0))
        .variation(Variation::velocity(it.cart, [-2.0, 0.0], [2.0, 0.0]))
        .end(End::outside(it.cart, [-0.7, -9.0], [0.7, 9.0]))
        .end(End::angle_beyond(it.pole, 0.6))
        .step_limit(LIMIT)
}

const WIDTH: usize = 13;

/// The action of a column on world `number` in step `step`.
fn action(number: usize, column: usize, step: usize) -> f32 {
    Random::new((number * 10_000 + 2 * step + column) as u64).range(-20.0_f32, 20.0)
}

fn fill(batch: &mut Batch, step: usize) {
    for column in 0..2 {
        let actions = batch.action_mut(column).iter_mut().enumerate();
        actions.for_each(|(number, place)| *place = action(number, column, step));
    }
}

fn hashes(batch: &Batch) -> Vec<u64> {
    (0..batch.len()).filter_map(|k| batch.world(k)).map(World::hash).collect()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// All that a batch tells after a step.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    hashes: Vec<u64>,
    observations: Vec<u32>,
    last: Vec<u32>,
    ended: Vec<i32>,
}

fn told(batch: &mut Batch) -> Told {
    Told {
        hashes: hashes(batch),
        observations: bits(batch.columns().1),
        last: bits(batch.final_observations()),
        ended: batch.ended().to_vec(),
    }
}

fn played(mut batch: Batch, steps: usize) -> Vec<Told> {
    batch.reset_all().expect("nothing is refused");
    let mut all = vec![told(&mut batch)];
    for step in 0..steps {
        fill(&mut batch, step);
        batch.step(DT).expect("nothing is refused");
        all.push(told(&mut batch));
    }
    (0..batch.len()).filter_map(|k| batch.world(k)).for_each(valid);
    all
}

fn batch(count: usize, auto_reset: AutoReset) -> Batch {
    let it = cart();
    let batch = Batch::new(&it.world, count).expect("not too many").seed(11);
    batch.spec(&spec(&it)).expect("the spec fits").auto_reset(auto_reset)
}

/// The numbers that SplitMix64 draws from a seed, as parts of 1.
fn draws(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / 16_777_216.0
    }
}

/// A world alone, by the calls of a world: begun, pushed, stepped, and begun again where its
/// episode ends, in 130 steps. As its number in the batch it has the same bits and ends.
#[test]
fn each_world_by_data_is_a_world_alone() {
    let (count, steps) = (40, 130);
    let it = cart();
    let all = played(batch(count, AutoReset::SameStep), steps);
    let mut seeds = batch(count, AutoReset::Never);
    let mut seen = [0; 3];
    for number in [0, 7, 16, 39] {
        let mut world = it.world.clone();
        let mut resets = 0;
        let mut begin = |world: &mut World| {
            // The seed of a world after so many resets is told by a batch like it.
            seeds.set_seed(11);
            resets += 1;
            (0..resets).for_each(|_| seeds.reset_list(&[number]).expect("it is one of forty"));
            let mut draw = draws(seeds.seed_of(number).expect("it is one of forty"));
            let (spin, x) = (draw(), draw());
            world.clone_from(&it.world);
            world.set_angular_velocity(it.pole, -(1.0 - spin) + spin).expect("a spin");
            world.set_velocity(it.cart, [-2.0 * (1.0 - x) + 2.0 * x, 0.0]).expect("a velocity");
        };
        begin(&mut world);
        let mut age = 0;
        for step in 0..steps {
            let [push, turn] = [0, 1].map(|column| action(number, column, step));
            world.apply_force(it.cart, [push.clamp(-15.0, 15.0), 0.0]).expect("a force");
            world.apply_torque(it.pole, 0.1 * turn).expect("a torque");
            world.step(DT).expect("dt is in range");
            age += 1;
            let ended = if world[it.cart].position().x.abs() > 0.7 {
                0
            } else if world[it.pole].angle().abs() > 0.6 {
                1
            } else if age == LIMIT {
                Batch::STEP_LIMIT
            } else {
                Batch::RUNS
            };
            let now = &all[step + 1];
            assert_eq!(now.ended[number], ended, "world {number}, step {step}");
            if ended != Batch::RUNS {
                let last = f32::from_bits(now.last[number]);
                assert_eq!(last, world[it.cart].position().x, "world {number}, step {step}");
                seen[if ended == Batch::STEP_LIMIT { 2 } else { ended as usize }] += 1;
                begin(&mut world);
                age = 0;
            }
            assert_eq!(now.hashes[number], world.hash(), "world {number}, step {step}");
            let x = f32::from_bits(now.observations[number]);
            assert_eq!(x, world[it.cart].position().x, "world {number}, step {step}");
        }
    }
    assert!(seen.iter().all(|&times| times > 0), "each end is reached: {seen:?}");
}

/// 1, 2 and 8 threads, of the caller's pool and of a pool of its own: the same bits in every world,
/// column and end.
#[test]
fn threads_do_not_change_a_bit_of_data() {
    for auto_reset in [AutoReset::SameStep, AutoReset::NextStep] {
        let reference = played(batch(70, auto_reset), 80);
        for threads in [1, 2, 8] {
            let own = batch(70, auto_reset).own_threads(threads).expect("a pool");
            assert!(played(own, 80) == reference, "{threads} threads of its own");
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let same = pool.install(|| played(batch(70, auto_reset).threads(threads), 80));
            assert!(same == reference, "{threads} threads of the caller");
        }
    }
}

/// By data and by functions that do the same: the same bits and ends.
#[test]
fn data_and_functions_are_alike() {
    let it = cart();
    let (cart, pole, hinge) = (it.cart, it.pole, it.hinge);
    let spec = Spec::new()
        .action(Action::force(cart, [1.0, 0.0]))
        .action(Action::torque(pole).scale(0.1))
        .observation(Observation::position(cart))
        .observation(Observation::joint_angle(hinge))
        .end(End::angle_beyond(pole, 0.6))
        .step_limit(LIMIT);
    let new = || Batch::new(&it.world, 20).expect("twenty").auto_reset(AutoReset::SameStep);
    let functions = new()
        .actions(2, move |world, row| {
            world.apply_force(cart, [row[0], 0.0])?;
            world.apply_torque(pole, 0.1 * row[1])
        })
        .observations(3, move |world, row| {
            row[..2].copy_from_slice(&world[cart].position().to_array());
            row[2] = world.joint_state(hinge).map_or(0.0, |state| state.angle);
        })
        .ends(move |world| (world[pole].angle().abs() > 0.6).then_some(0))
        .step_limit(LIMIT);
    assert!(played(new().spec(&spec).expect("the spec fits"), 120) == played(functions, 120));
}

/// Rows are columns turned over; so is memory of the program, which alone is written.
#[test]
fn rows_and_columns_hold_the_same_numbers() {
    let count = 20;
    let mut columns = batch(count, AutoReset::SameStep);
    let mut rows = batch(count, AutoReset::SameStep).layout(BatchLayout::Rows);
    let mut foreign = batch(count, AutoReset::SameStep).layout(BatchLayout::Rows);
    for batch in [&mut columns, &mut rows, &mut foreign] {
        batch.reset_all().expect("nothing is refused");
    }
    let (mut given, mut seen) = (vec![0.0; 2 * count], vec![0.0; WIDTH * count]);
    let own = bits(foreign.columns().1);
    for step in 0..90 {
        fill(&mut columns, step);
        for number in 0..count {
            let row = [0, 1].map(|column| action(number, column, step));
            rows.action_row_mut(number).copy_from_slice(&row);
            given[2 * number..][..2].copy_from_slice(&row);
        }
        assert_eq!(rows.columns().0, given);
        columns.step(DT).expect("nothing is refused");
        rows.step(DT).expect("nothing is refused");
        foreign.step_into(&given, &mut seen, DT).expect("nothing is refused");
        for (number, row) in seen.chunks_exact(WIDTH).enumerate() {
            assert_eq!(rows.observation_row(number), row, "step {step}");
            for (column, number_of_row) in row.iter().enumerate() {
                assert_eq!(columns.observation(column)[number], *number_of_row, "step {step}");
                let last = [
                    columns.final_observations()[column * count + number],
                    rows.final_observations()[number * WIDTH + column],
                ];
                assert_eq!(last[0], last[1], "step {step}");
            }
        }
        assert_eq!(rows.columns().1, seen, "step {step}");
        assert_eq!((foreign.ended(), rows.ended()), (columns.ended(), columns.ended()), "step {step}");
        assert_eq!(bits(foreign.columns().1), own, "its own memory is not written");
    }
    let mut copied = vec![0.0; WIDTH * count];
    foreign.observations_into(&mut copied).expect("a place for each");
    assert_eq!(copied, seen);
    assert!(rows.action_mut(0).is_empty() && rows.observation(0).is_empty());
    assert!(columns.action_row_mut(0).is_empty() && rows.action_row_mut(count).is_empty());
    assert!(columns.observation_row(count).is_empty());
}

/// Steps of a mask or a list: the other worlds keep their state, observations and ends; a refused
/// call changes nothing.
#[test]
fn a_subset_is_stepped_and_the_others_stay() {
    let mut some = batch(20, AutoReset::SameStep);
    some.reset_all().expect("nothing is refused");
    let mut alone: Vec<Batch> = (0..20).map(|_| batch(20, AutoReset::SameStep)).collect();
    alone.iter_mut().for_each(|batch| batch.reset_all().expect("nothing is refused"));
    let mut random = Random::new(2);
    for step in 0..60 {
        let list: Vec<usize> = (0..8).map(|_| random.below(20)).collect();
        let mask: Vec<bool> = (0..20).map(|number| list.contains(&number)).collect();
        fill(&mut some, step);
        let before = told(&mut some);
        if step % 2 == 0 {
            some.step_list(&list, DT).expect("nothing is refused");
        } else {
            some.step_mask(&mask, DT).expect("nothing is refused");
        }
        let after = told(&mut some);
        for (number, &is_stepped) in mask.iter().enumerate() {
            if is_stepped {
                fill(&mut alone[number], step);
                alone[number].step(DT).expect("nothing is refused");
                let same = alone[number].world(number).map(World::hash);
                assert_eq!(some.world(number).map(World::hash), same, "world {number}, step {step}");
                assert_eq!(after.ended[number], alone[number].ended()[number]);
            } else {
                assert_eq!(before.hashes[number], after.hashes[number], "world {number}, step {step}");
                assert_eq!(before.ended[number], after.ended[number], "world {number}, step {step}");
                let row =
                    |told: &Told| (0..WIDTH).map(|k| told.observations[20 * k + number]).collect::<Vec<_>>();
                assert_eq!(row(&before), row(&after), "world {number}, step {step}");
            }
        }
    }
    let before = told(&mut some);
    let why = |error: Result<(), Error>| error.expect_err("it is refused").to_string();
    assert_eq!(why(some.step_list(&[3, 20], DT)), "a list has only worlds of the batch");
    assert_eq!(why(some.reset_list(&[20])), "a list has only worlds of the batch");
    assert_eq!(why(some.step_mask(&[true; 19], DT)), "a mask has a place for each world of the batch");
    let (mut long, mut right) = (vec![0.0; 20 * WIDTH + 1], vec![0.0; 20 * WIDTH]);
    assert!(some.step_into(&[0.0; 40], &mut long, DT).is_err());
    assert!(some.step_into(&[0.0; 39], &mut right, DT).is_err());
    assert!(some.step_into(&[f32::NAN; 40], &mut right, DT).is_err());
    assert!(some.step_into(&[0.0; 40], &mut right, f32::NAN).is_err());
    assert!(some.observations_into(&mut long).is_err());
    some.step_list(&[], DT).expect("no world is stepped");
    assert_eq!(told(&mut some), before);
}

/// Worlds of several starts, each with other bodies, joints and settings: the bits of each
/// start alone, before and after a world begins as another start.
#[test]
fn several_starts_live_in_one_batch() {
    let starts: Vec<World> = (0..3)
        .map(|k| {
            let Cart { mut world, cart, .. } = cart();
            for post in 0..3 * k {
                let at = [-2.0 - post as f32, 1.0 + 0.7 * post as f32];
                let post = add(&mut world, BodyDef::dynamic().at(at).shape(Shape::regular(3 + post, 0.4)));
                world.add_joint(JointDef::rope(cart, post, 3.0)).expect("it breaks no rule");
            }
            world.set_gravity([0.0, -3.0 * (k + 1) as f32]).expect("gravity");
            world
        })
        .collect();
    let it = cart();
    let spec = spec(&it).step_limit(1_000);
    let new = |starts: &[World], count: usize| {
        Batch::from_starts(starts, count).expect("not too many").spec(&spec).expect("the spec fits").seed(11)
    };
    let mut mixed = new(&starts, 9);
    // Each start alone in a batch, with the same numbers of worlds: seeds depend on these.
    let mut alone: Vec<Batch> = starts.iter().map(|start| new(core::slice::from_ref(start), 9)).collect();
    let mut choice: Vec<usize> = (0..9).map(|number| number % 3).collect();
    let mut random = Random::new(3);
    for episode in 0..6 {
        mixed.reset_all().expect("nothing is refused");
        alone.iter_mut().for_each(|batch| batch.reset_all().expect("nothing is refused"));
        let begun: Vec<Option<usize>> = (0..9).map(|number| mixed.start_of(number)).collect();
        assert_eq!(begun, choice.iter().map(|&start| Some(start)).collect::<Vec<_>>());
        for step in 0..25 {
            fill(&mut mixed, step);
            mixed.step(DT).expect("nothing is refused");
            for batch in &mut alone {
                fill(batch, step);
                batch.step(DT).expect("nothing is refused");
            }
            for (number, &start) in choice.iter().enumerate() {
                let same = alone[start].world(number).map(World::hash);
                assert_eq!(mixed.world(number).map(World::hash), same, "episode {episode}, step {step}");
            }
        }
        for (number, start) in choice.iter_mut().enumerate() {
            *start = random.below(3);
            mixed.set_start(number, *start).expect("one of three");
        }
    }
    (0..9).filter_map(|number| mixed.world(number)).for_each(valid);
    assert!(mixed.set_start(9, 0).is_err() && mixed.set_start(0, 3).is_err());
    assert!(Batch::from_starts(&[], 3).is_err() && mixed.start_of(9).is_none());
}

/// A world that begins as a start of another unit and period has these.
#[test]
fn starts_may_differ_in_unit_and_period() {
    let of = |def: WorldDef| {
        let mut world = World::new(def);
        add(&mut world, BodyDef::dynamic().velocity([500.0, 0.0]).shape(Shape::rect(30.0, 30.0)));
        world
    };
    let starts =
        [of(WorldDef::default()), of(WorldDef::default().unit(30.0)), of(WorldDef::default().periodic(2, 0))];
    let mut batch = Batch::from_starts(&starts, 1).expect("one");
    for start in [1, 2, 0, 2, 1, 0] {
        batch.set_start(0, start).expect("one of three");
        batch.reset_all().expect("nothing is refused");
        let mut alone = starts[start].clone();
        for _ in 0..100 {
            batch.step(DT).expect("nothing is refused");
            alone.step(DT).expect("dt is in range");
        }
        assert_eq!(batch.world(0).map(World::hash), Some(alone.hash()), "start {start}");
        assert_eq!(batch.world(0).map(|world| *world.def()), Some(*alone.def()), "start {start}");
    }
}

/// The three ways of going on after an end, step by step.
#[test]
fn an_episode_that_ended_is_followed_as_chosen() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
    let puck = add(&mut world, BodyDef::dynamic().velocity([1.0, 0.0]).shape(Shape::circle(0.1)));
    // At 1 m/s and 10 steps a second it leaves the box in the fourth step.
    let spec = Spec::new().observation(Observation::position(puck).only_x()).end(End::outside(
        puck,
        [-1.0, -1.0],
        [0.35, 1.0],
    ));
    let run = |auto_reset: AutoReset, repeat: u32, spec: &Spec| {
        let batch = Batch::new(&world, 1).expect("one").spec(spec).expect("the spec fits");
        let mut batch = batch.auto_reset(auto_reset).repeat(repeat);
        let mut told = Vec::new();
        for _ in 0..6 {
            batch.step(0.1).expect("nothing is refused");
            let last = batch.final_observations().first().copied().unwrap_or(-1.0);
            let tenths = |x: f32| (10.0 * x).round() as i32;
            told.push((tenths(batch.observation(0)[0]), batch.ended()[0], tenths(last)));
        }
        told
    };
    let never = [(1, -1, -10), (2, -1, -10), (3, -1, -10), (4, 0, -10), (5, 0, -10), (6, 0, -10)];
    assert_eq!(run(AutoReset::Never, 1, &spec), never);
    let same = [(1, -1, 0), (2, -1, 0), (3, -1, 0), (0, 0, 4), (1, -1, 4), (2, -1, 4)];
    assert_eq!(run(AutoReset::SameStep, 1, &spec), same);
    let next = [(1, -1, 0), (2, -1, 0), (3, -1, 0), (4, 0, 4), (0, -1, 4), (1, -1, 4)];
    assert_eq!(run(AutoReset::NextStep, 1, &spec), next);
    // Three steps a call: the end is noticed in the first one of the second call.
    let long = [(3, -1, 0), (4, 0, 4), (0, -1, 4), (3, -1, 4), (4, 0, 4), (0, -1, 4)];
    assert_eq!(run(AutoReset::NextStep, 3, &spec), long);
    // The limit counts calls; an end in the last one comes before it.
    let (limit, is_limit) = (spec.clone().step_limit(2), Batch::STEP_LIMIT);
    let short = [(1, -1, 0), (0, is_limit, 2), (1, -1, 2), (0, is_limit, 2), (1, -1, 2), (0, is_limit, 2)];
    assert_eq!(run(AutoReset::SameStep, 1, &limit), short);
    assert_eq!(run(AutoReset::SameStep, 1, &spec.step_limit(4)), same);
}

/// A step returns the error of a refused action, in any world, and all worlds are stepped.
#[test]
fn the_first_action_that_is_refused_is_told() {
    let it = cart();
    let spec = Spec::new()
        .action(Action::force(it.cart, [1.0, 0.0]).scale(1.0e9))
        .action(Action::motor_speed(it.hinge))
        .observation(Observation::position(it.cart));
    assert_eq!(spec.check(&it.world).expect_err("the hinge has no motor").field(), "joint");
    let spec = Spec::new().action(Action::force(it.cart, [1.0, 0.0]).scale(1.0e9));
    let mut batch = Batch::new(&it.world, 3).expect("three").spec(&spec).expect("the spec fits");
    batch.action_mut(0).copy_from_slice(&[0.0, 5.0, 0.0]);
    let error = batch.step(DT).expect_err("the force is too strong");
    assert_eq!(error, Error::BadNumber("a force must be finite, and at most 1e9"));
    assert_eq!([0, 1, 2].map(|k| batch.world(k).map(World::step_count)), [Some(1); 3]);
    batch.action_mut(0).fill(0.0);
    assert_eq!(batch.step(DT), Ok(()));
    assert_eq!(batch.step_list(&[0], DT), Ok(()), "an error of another call is forgotten");
}

/// Once warm, a step by data allocates nothing: a cart with every sort of action, observation and
/// end, among crates at rest; and neither does a reset that varies motions and masses.
#[test]
fn warm_data_allocates_nothing() {
    let mut it = cart();
    for k in 0..6 {
        let at = [-3.0 - 1.2 * (k % 3) as f32, 0.5 + (k / 3) as f32];
        add(&mut it.world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    let rail = it.world.joints().next().map(|(id, _)| id).expect("the rail");
    it.world.set_motor(rail, Motor::new(0.0, 200.0)).expect("a slide can be driven");
    let spec = Spec::new()
        .action(Action::motor_speed(rail).scale(0.01))
        .action(Action::force(it.cart, [1.0, 0.0]).at([0.0, 0.1]).in_body_frame())
        .action(Action::torque(it.pole).scale(0.1))
        .observation(Observation::position(it.pole).relative_to(it.cart))
        .observation(Observation::joint_angle(it.hinge))
        .observation(Observation::joint_force(it.hinge))
        .observation(Observation::touches(it.pole))
        .observation(Observation::contact_impulse(it.cart))
        .observation(Observation::contact_count(it.cart))
        .observation(Observation::rays(it.cart, 10, 8.0))
        .observation(Observation::nearest_distance(it.pole, 4.0))
        .variation(Variation::position(it.cart, [-0.5, 0.75], [0.5, 0.75]).also(it.pole))
        .variation(Variation::angle(it.pole, -0.1, 0.1).about([0.0, -0.75]))
        .variation(Variation::velocity(it.cart, [-1.0, 0.0], [1.0, 0.0]))
        .variation(Variation::spin(it.pole, -0.2, 0.2))
        .variation(Variation::gravity([0.0, -10.0], [0.0, -9.0]))
        .variation(Variation::gravity_scale(it.pole, 0.9, 1.1))
        .variation(Variation::motor_speed(rail, -0.1, 0.1))
        .variation(Variation::mass(it.pole, 0.8, 1.3))
        .end(End::outside(it.cart, [-99.0, -99.0], [99.0, 99.0]))
        .end(End::angle_beyond(it.pole, 3.1).relative_to(it.cart))
        .end(End::touches(it.pole).except(it.cart));
    let mut batch = Batch::new(&it.world, 20).expect("twenty").spec(&spec).expect("the spec fits");
    let mut asked = [0; 2];
    for round in 0..8 {
        let reset = memory::asked_by(|| batch.reset_all().expect("nothing is refused")).pieces;
        let steps = |batch: &mut Batch, count: usize| {
            for step in 0..count {
                for column in 0..3 {
                    let actions = batch.action_mut(column).iter_mut().enumerate();
                    actions.for_each(|(number, place)| *place = 0.05 * action(number, column, step));
                }
                batch.step(DT).expect("nothing is refused");
            }
        };
        // The pole falls, and all lists come to their sizes.
        steps(&mut batch, 200);
        let steps = memory::asked_by(|| steps(&mut batch, 60)).pieces;
        if round > 3 {
            asked = [asked[0] + reset, asked[1] + steps];
        }
    }
    assert_eq!(asked, [0, 0]);
}

/// Pendulums whose masses differ from world to world, so that their trees are heavy in some and not
/// in others, take over each other's layouts and have the bits of each world alone.
#[test]
fn worlds_of_other_masses_are_worlds_alone() {
    let mut world = World::default();
    let mut spec = Spec::new();
    for x in [0.0, 5.0, 10.0] {
        let rod = |x: f32| BodyDef::dynamic().at([x, 0.0]).shape(Shape::rect(1.0, 0.5));
        let (upper, lower) = (add(&mut world, rod(x + 0.5)), add(&mut world, rod(x + 1.5)));
        _ = world.add_joint(JointDef::revolute(None, upper).at([x, 0.0])).expect("a hinge");
        _ = world.add_joint(JointDef::revolute(upper, lower).at([x + 1.0, 0.0])).expect("a hinge");
        spec = spec.variation(Variation::mass(lower, 0.01, 20.0));
    }
    let mut batch = Batch::new(&world, 24).expect("some").spec(&spec).expect("the spec fits");
    batch.reset_all().expect("nothing is refused");
    let mut alone: Vec<World> = (0..24).filter_map(|k| batch.world(k).cloned()).collect();
    for _ in 0..60 {
        batch.step(DT).expect("nothing is refused");
        alone.iter_mut().for_each(|world| _ = world.step(DT).expect("dt is in range"));
    }
    let hashes = |worlds: &[World]| worlds.iter().map(World::hash).collect::<Vec<u64>>();
    assert_eq!((0..24).filter_map(|k| batch.world(k).map(World::hash)).collect::<Vec<u64>>(), hashes(&alone));
}
