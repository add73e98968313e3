//! A wild scene played by all engines in turns.
//!
//! In: a scene, engines. Out: the row of that scene. Each engine first plays the scene to be
//! judged, which also warms the machine; then they play it for time alone, in turns, and of each
//! engine the shortest play counts, since all plays of an engine do the same work. Which engine
//! begins changes from seed to seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use testkit::scenes::wild::WildScene;

use super::play::{self, Times, Verdict};
use crate::Fallible;
use crate::engines::{Parts, Rival};

/// Scenes are played again until all engines together have taken so long, in ms,
const ENOUGH: f64 = 300.0;
/// or have played them so often.
const MOST: usize = 8;
/// Scenes in which all engines together take longer are not played again: the times of the play
/// that was judged count, in ms.
const LONG: f64 = 3_000.0;

/// One engine in one scene.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) rival: Rival,
    /// `None` if it panicked.
    pub(crate) result: Option<(Times, Verdict)>,
}

/// All engines in one scene.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) scene: WildScene,
    pub(crate) entries: Vec<Entry>,
    /// Where carom's time goes, in ms over all steps.
    pub(crate) parts: Parts,
}

impl Round {
    pub(crate) fn play(scene: WildScene, rivals: &[Rival], repeat: Option<usize>) -> Fallible<Round> {
        let mut parts = Parts::new();
        let (mut entries, mut spent) = (Vec::new(), 0.0);
        for &rival in rivals {
            let judged = guarded(|| play::judged(&scene, rival))?;
            if let (Rival::Carom, Some(judged)) = (rival, &judged) {
                parts.clone_from(&judged.parts);
            }
            spent += judged.as_ref().map_or(0.0, |judged| judged.times.total);
            entries.push(Entry { rival, result: judged.map(|judged| (judged.times, judged.verdict)) });
        }
        let mut round = Round { scene, entries, parts };
        if repeat.is_none() && spent > LONG {
            return Ok(round);
        }
        spent = 0.0;
        for played in 0..repeat.unwrap_or(MOST) {
            if repeat.is_none() && spent > ENOUGH && played > 0 {
                break;
            }
            spent += round.time_all()?;
        }
        Ok(round)
    }

    /// Each engine once, for time; returns what all of them took.
    fn time_all(&mut self) -> Fallible<f64> {
        let (count, mut spent) = (self.entries.len(), 0.0);
        for k in 0..count {
            let entry = &mut self.entries[(k + self.scene.seed as usize) % count];
            let Some((shortest, _)) = &mut entry.result else { continue };
            let times = play::timed(&self.scene, entry.rival)?;
            spent += times.total;
            if times.total < shortest.total {
                *shortest = times;
            }
        }
        Ok(spent)
    }

    fn total(&self, rival: Rival) -> Option<f64> {
        let entry = self.entries.iter().find(|entry| entry.rival == rival)?;
        entry.result.map(|(times, _)| times.total)
    }

    /// The quicker rival's time over carom's: above 1 carom is the quickest.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let others = [Rival::Box2d, Rival::Rapier].into_iter().filter_map(|rival| self.total(rival));
        Some(others.min_by(f64::total_cmp)? / self.total(Rival::Carom)?)
    }
}

/// `None` for an engine that panics, which its message tells.
fn guarded<T>(play: impl FnOnce() -> Fallible<T>) -> Fallible<Option<T>> {
    catch_unwind(AssertUnwindSafe(play)).ok().transpose()
}
