//! A network in memory that delays, reorders, repeats and loses packets by a seed.
//!
//! In: packets with their receivers, and time in slots. Out: packets, in any order, some of them
//! twice, some never.

use crate::{HostId, Packet};

/// Loss, repetition and delay of packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weather {
    /// The share of packets that are lost.
    pub loss: f32,
    /// The share of packets that come twice.
    pub repeat: f32,
    /// Most slots that a packet takes.
    pub delay: u32,
}

impl Weather {
    /// Each packet comes once, in the next slot.
    pub const CALM: Weather = Weather { loss: 0.0, repeat: 0.0, delay: 1 };

    /// One in ten is lost, one in ten comes twice, and they take one to four slots.
    pub const STORM: Weather = Weather { loss: 0.1, repeat: 0.1, delay: 4 };
}

/// See the head of this file.
#[derive(Debug)]
pub struct Net {
    weather: Weather,
    state: u64,
    slot: u64,
    on_the_way: Vec<(u64, HostId, Packet)>,
    cut: Vec<[HostId; 2]>,
}

impl Net {
    /// A network with a seed.
    #[must_use]
    pub fn new(seed: u64, weather: Weather) -> Net {
        Net { weather, state: seed, slot: 0, on_the_way: Vec::new(), cut: Vec::new() }
    }

    /// A random number below 1 (SplitMix64).
    fn random(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) >> 40) as f32 / (1 << 24) as f32
    }

    /// Lets nothing pass between two hosts any more, or again.
    pub fn set_cut(&mut self, between: [HostId; 2], is_cut: bool) {
        let [a, b] = between;
        self.cut.retain(|pair| *pair != [a, b] && *pair != [b, a]);
        if is_cut {
            self.cut.push([a, b]);
        }
    }

    /// Sends a packet.
    pub fn send(&mut self, to: HostId, packet: Packet) {
        let copies = 1 + usize::from(self.random() < self.weather.repeat);
        for _ in 0..copies {
            let is_lost = self.random() < self.weather.loss;
            let delay = 1 + (self.random() * self.weather.delay as f32) as u64;
            let is_cut = self
                .cut
                .iter()
                .any(|pair| pair.contains(&to) && pair.contains(&packet.from) && to != packet.from);
            if !is_lost && !is_cut {
                self.on_the_way.push((
                    self.slot + delay.min(u64::from(self.weather.delay.max(1))),
                    to,
                    packet.clone(),
                ));
            }
        }
    }

    /// Ends a slot, and returns the packets that arrive, in an order that the seed decides.
    pub fn arrivals(&mut self) -> Vec<(HostId, Packet)> {
        self.slot += 1;
        let slot = self.slot;
        let (due, rest) = core::mem::take(&mut self.on_the_way).into_iter().partition(|(at, ..)| *at <= slot);
        self.on_the_way = rest;
        let mut due: Vec<(u64, HostId, Packet)> = due;
        for last in (1..due.len()).rev() {
            let other = (self.random() * (last + 1) as f32) as usize;
            due.swap(last, other.min(last));
        }
        due.into_iter().map(|(_, to, packet)| (to, packet)).collect()
    }
}
