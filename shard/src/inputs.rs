//! Inputs of clients: each is applied once, in the order of (client, number), by the shard that has
//! the body.
//!
//! In: inputs as the messages of a tick have them, some of them twice or too early. Out: the inputs
//! that are due in a tick. All shards keep the same list, since all have the same messages, so
//! nobody has to be asked who has a body: it is in exactly one world when inputs are applied.
//!
//! An input waits for [`LEAD`] ticks. The boxes of its body are larger from the time at which it
//! is known, or a sudden push would bring it to a body of another shard before the two can meet in
//! one world.

use std::collections::BTreeMap;

use carom::Vec2;

use crate::AHEAD;

/// Ticks from the message that has an input to its effect.
pub(crate) const LEAD: u64 = AHEAD as u64;

/// A push that a client gives to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// The client.
    pub client: u32,
    /// Its inputs have ascending numbers, from 1 on.
    pub number: u32,
    /// The key of the body.
    pub body: u64,
    /// The impulse at its centre of mass, in N s.
    pub impulse: Vec2,
}

/// Inputs that wait. The same in all shards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting {
    /// Per client: the number of the last input that has its tick.
    last: BTreeMap<u32, u32>,
    /// Inputs that came before those with lower numbers.
    early: BTreeMap<(u32, u32), Input>,
    /// Inputs with the tick in which they are due, in order.
    due: Vec<(u64, Input)>,
}

impl Waiting {
    /// Takes in the inputs of all messages of a tick.
    pub(crate) fn take_in<'i>(&mut self, tick: u64, inputs: impl Iterator<Item = &'i Input>) {
        for input in inputs {
            let is_new = self.last.get(&input.client).is_none_or(|&last| input.number > last);
            if is_new && input.impulse.is_finite() {
                self.early.entry((input.client, input.number)).or_insert(*input);
            }
        }
        while let Some((&key, _)) = self.early.iter().find(|((client, number), _)| {
            *number == self.last.get(client).map_or(1, |last| last.saturating_add(1))
        }) {
            let Some(input) = self.early.remove(&key) else { break };
            self.last.insert(input.client, input.number);
            self.due.push((tick + LEAD, input));
        }
    }

    /// Takes out the inputs that are due, in the order of (client, number).
    pub(crate) fn take_due(&mut self, tick: u64) -> Vec<Input> {
        let is_due = |(at, _): &(u64, Input)| *at <= tick;
        let mut due: Vec<Input> = self.due.iter().filter(|of| is_due(of)).map(|&(_, input)| input).collect();
        self.due.retain(|of| !is_due(of));
        due.sort_by_key(|input| (input.client, input.number));
        due
    }

    /// The sum of all impulses that wait for a body.
    pub(crate) fn push_on(&self, body: u64) -> f32 {
        let of_body = self.due.iter().filter(|(_, input)| input.body == body);
        of_body.map(|(_, input)| input.impulse.length()).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.due.is_empty()
    }
}
