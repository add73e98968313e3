//! Tests of state machines: each fault, the order of events, and equal replays.

use super::*;
use crate::random::Random;
use crate::state::{LoadError, refuses_damage};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Guard {
    Wander,
    Chase,
    Attack,
    Dead,
}
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Killed,
    Noticed,
    Lost,
    InReach,
    OutOfReach,
}
use {Event::*, Guard::*};

fn guards() -> Machine<Guard, Event> {
    Machine::new(Wander)
        .events(&[Killed, Noticed, Lost])
        .on(Wander, Noticed, Chase)
        .on(Chase, InReach, Attack)
        .on(Attack, OutOfReach, Chase)
        .on(Chase, Lost, Wander)
        .on(Wander, Killed, Dead)
        .on(Chase, Killed, Dead)
        .on(Attack, Killed, Dead)
        .ends(Dead)
        .others_stay()
}

fn faults(machine: &Machine<Guard, Event>) -> Vec<Fault<Guard, Event>> {
    let mut faults = Vec::new();
    machine.faults(&mut faults);
    assert_eq!(machine.check().err(), faults.first().copied());
    faults
}

/// D1: from every state each event leads to one defined state.
#[test]
fn every_pair_has_one_answer() {
    let table = guards().check().expect("nothing is wrong");
    let expected = |state, event| match (state, event) {
        (Dead, _) => Dead,
        (_, Killed) => Dead,
        (Wander, Noticed) | (Attack, OutOfReach) => Chase,
        (Chase, InReach) => Attack,
        (Chase, Lost) => Wander,
        (state, _) => state,
    };
    for &state in table.states() {
        for &event in table.events() {
            let mut mind = table.mind(state).expect("a state of it");
            let step = table.step(&mut mind, event).expect("both known");
            let to = expected(state, event);
            assert_eq!((step.from, step.to, table.state(mind)), (state, to, Ok(to)));
            assert_eq!(
                (step.left(), step.entered()),
                if to == state { (None, None) } else { (Some(state), Some(to)) }
            );
        }
    }
    assert_eq!(table.states(), [Wander, Chase, Attack, Dead]);
    assert_eq!(table.events(), [Killed, Noticed, Lost, InReach, OutOfReach]);
}

/// Each fault by itself, reported with its state and its event.
#[test]
fn each_fault_is_named() {
    assert_eq!(faults(&guards()), []);
    let gap = Machine::new(Wander).on(Wander, Noticed, Chase).on(Chase, Lost, Wander);
    assert_eq!(
        faults(&gap),
        [Fault::Gap { state: Wander, event: Lost }, Fault::Gap { state: Chase, event: Noticed }]
    );
    assert_eq!(faults(&gap.clone().stay(Wander, Lost).stay(Chase, Noticed)), []);
    let gap = gap.others_stay();
    assert_eq!(faults(&gap), []);
    assert_eq!(faults(&gap.clone().on(Wander, Killed, Dead)), [Fault::Dead(Dead)]);
    // A state that only leads to itself is dead too.
    assert_eq!(faults(&gap.clone().on(Wander, Killed, Dead).on(Dead, Noticed, Dead)), [Fault::Dead(Dead)]);
    assert_eq!(
        faults(&gap.clone().on(Wander, Killed, Dead).ends(Dead).on(Dead, Noticed, Wander)),
        [Fault::NoEnd { state: Dead, event: Noticed }]
    );
    assert_eq!(
        faults(&gap.clone().on(Attack, InReach, Chase)),
        [Fault::Unreachable(Attack), Fault::Unused(InReach)]
    );
    assert_eq!(faults(&gap.clone().states(&[Attack])), [Fault::Dead(Attack), Fault::Unreachable(Attack)]);
    assert_eq!(faults(&gap.clone().events(&[Killed])), [Fault::Unused(Killed)]);
    assert_eq!(
        faults(&gap.clone().on(Wander, Noticed, Wander)),
        [Fault::Contradiction { state: Wander, event: Noticed }]
    );
    // Defining the same transition twice is no fault.
    assert_eq!(faults(&gap.on(Wander, Noticed, Chase)), []);
    assert_eq!(faults(&Machine::new(Wander)), [Fault::Dead(Wander)]);
    assert_eq!(faults(&Machine::new(Wander).ends(Wander)), []);
    let text = Fault::Gap::<Guard, Event> { state: Wander, event: Lost }.to_string();
    assert_eq!(text, "in state Wander nothing is said of event Lost");
    let many: Vec<u16> = (0..256).collect();
    assert_eq!(Machine::<u16, ()>::new(0).states(&many).check().err(), Some(Fault::TooMany(256)));
    let ring = many[..255].iter().fold(Machine::new(0), |machine, &k| machine.on(k, (), (k + 1) % 255));
    let table = ring.check().expect("255 states");
    let mut mind = table.mind(254).expect("the last");
    assert_eq!(table.step(&mut mind, ()).map(|step| step.to), Ok(0));
}

/// A transition from a state to itself leaves and enters the state; staying does not.
#[test]
fn entering_again_is_not_staying() {
    let table = Machine::new(0)
        .on(0, 'a', 0)
        .on(0, 'b', 1)
        .on(1, 'b', 0)
        .stay(1, 'a')
        .check()
        .expect("nothing is wrong");
    let mut mind = table.start();
    assert_eq!(table.step(&mut mind, 'a').map(|step| step.entered()), Ok(Some(0)));
    table.step(&mut mind, 'b').expect("known");
    assert_eq!(table.step(&mut mind, 'a').map(|step| step.entered()), Ok(None));
    assert_eq!(table.step(&mut mind, 'c'), Err(MindError::NoSuchEvent('c')));
    assert_eq!(table.step(&mut Mind(7), 'a'), Err(MindError::NoSuchState(7)));
    assert_eq!(table.restore(2), Err(MindError::NoSuchState(2)));
}

/// Among simultaneous events the one of highest priority that moves the mind counts, in any order
/// of the list.
#[test]
fn priority_is_the_order_of_the_machine() {
    let table = guards().check().expect("nothing is wrong");
    for events in [[Noticed, Killed], [Killed, Noticed]] {
        let mut mind = table.start();
        assert_eq!(table.step_first(&mut mind, &events).map(|step| step.entered()), Ok(Some(Dead)));
    }
    let mut mind = table.start();
    let step = table.step_first(&mut mind, &[OutOfReach, Lost, Noticed]).expect("known");
    assert_eq!(step.entered(), Some(Chase));
    assert_eq!(table.step_first(&mut mind, &[]).map(|step| step.moved), Ok(false));
}

/// A million random events, replayed from any saved moment, give the same states and the same
/// hooks; loading calls no hook.
#[test]
fn replays_are_equal_and_loading_enters_nothing() {
    let table = guards().check().expect("nothing is wrong");
    let rounds = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    let mut random = Random(1);
    let events: Vec<Event> = (0..rounds)
        .map(|_| {
            // Killed is rare.
            let draw = random.below(4_001);
            if draw == 0 { Killed } else { table.events()[1 + draw % 4] }
        })
        .collect();
    let mut minds = vec![table.start(); 7];
    let mut image = Vec::new();
    let mut play = |minds: &mut Vec<Mind>, from: usize| {
        let mut hooks = 0_u64;
        for (tick, &event) in events.iter().enumerate().skip(from) {
            let unit = tick % minds.len();
            let before = table.state(minds[unit]).expect("of this table");
            let step = table.step(&mut minds[unit], event).expect("known");
            assert_eq!(step.from, before);
            // A step leaves exactly the state that the mind entered before.
            hooks += u64::from(step.moved);
            if table.state(minds[unit]) == Ok(Dead) {
                minds[unit] = table.start();
            }
            if from == 0 && tick == rounds / 2 {
                table.save_into(minds, &mut image);
                hooks = 0;
            }
        }
        hooks
    };
    let hooks = play(&mut minds, 0);
    assert!(hooks > 1_000);
    let mut again = Vec::new();
    let saved = {
        let mut first = vec![table.start(); 7];
        play(&mut first, 0);
        first
    };
    assert_eq!(minds, saved);
    table.load(&image, &mut again).expect("its own image");
    let mut later = again.clone();
    let from = rounds / 2 + 1;
    let mut replayed = 0;
    for (tick, &event) in events.iter().enumerate().skip(from) {
        let unit = tick % later.len();
        replayed += u64::from(table.step(&mut later[unit], event).expect("known").moved);
        if table.state(later[unit]) == Ok(Dead) {
            later[unit] = table.start();
        }
    }
    assert_eq!((later, replayed), (minds, hooks));
}

#[test]
fn damaged_images_are_refused() {
    let table = guards().check().expect("nothing is wrong");
    let minds: Vec<Mind> = (0..10).map(|k| Mind(k % 4)).collect();
    let mut image = Vec::new();
    table.save_into(&minds, &mut image);
    let mut into = Vec::new();
    refuses_damage(&image, |bytes| {
        let before = into.clone();
        let result = table.load(bytes, &mut into);
        assert!(result.is_ok() || into == before, "a refused image changes nothing");
        assert!(into.iter().all(|mind| mind.0 < 4));
        result
    });
    let other = Machine::new(0).on(0, 'a', 1).on(1, 'a', 0).check().expect("nothing is wrong");
    assert!(matches!(other.load(&image, &mut into), Err(LoadError::Broken(_))));
}
