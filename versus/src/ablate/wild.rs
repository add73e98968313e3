//! Wild scenes with a rule and without.
//!
//! In: a rule. Out: how often it acts per body and step, how scenes end with it and without, and
//! what it costs. All of it is told of the scenes in which it acts: the others are the same without
//! it. Times are those of the thread, the shortest of plays in turns.

use carom::ablate::{self, Rule};
use std::panic::{AssertUnwindSafe, catch_unwind};
use testkit::scenes::wild::WildScene;

use crate::Fallible;
use crate::engines::Rival;
use crate::wild::play::{self, Judged, Verdict};

/// Small scenes of many kinds, which take carom 2 s together.
const SEEDS: [u64; 12] = [7, 8, 9, 11, 17, 34, 38, 42, 44, 49, 54, 56];

/// Plays in turns, with a rule and without.
const TURNS: usize = 2;

/// All scenes, played with all rules.
pub(super) struct Wild {
    scenes: Vec<Played>,
}

/// A scene with all rules.
struct Played {
    scene: WildScene,
    verdict: Verdict,
    body_steps: u64,
    /// By rule.
    acted: Vec<u64>,
}

/// What a rule does in wild scenes.
#[derive(Default)]
pub(super) struct Effect {
    scenes: usize,
    /// How often it acts, per body and step of all scenes.
    rate: f64,
    /// Greatest overlaps in m, mean overlaps in m, bodies lost: sums over scenes, with the rule and
    /// without.
    sums: [[f64; 3]; 2],
    /// Logarithms of the ratios of times, with the rule over without, all together.
    logs: f64,
    /// Seeds of scenes that panic without the rule.
    panicked: Vec<u64>,
}

impl Wild {
    /// Plays all scenes with all rules.
    pub(super) fn play() -> Fallible<Wild> {
        let mut scenes = Vec::new();
        for scene in SEEDS.map(WildScene::new) {
            ablate::count_all(true);
            let Judged { verdict, body_steps, .. } = play::judged(&scene, Rival::Carom)?;
            ablate::count_all(false);
            let acted = Rule::ALL.iter().map(|&rule| ablate::acted(rule)).collect();
            scenes.push(Played { scene, verdict, body_steps, acted });
        }
        Ok(Wild { scenes })
    }

    /// Plays the scenes in which a rule acts without it.
    pub(super) fn without(&self, rule: Rule) -> Fallible<Effect> {
        let mut effect = Effect::default();
        let steps: u64 = self.scenes.iter().map(|played| played.body_steps).sum();
        let acted: u64 = self.scenes.iter().map(|played| played.acted[rule as usize]).sum();
        effect.rate = acted as f64 / steps as f64;
        for played in self.scenes.iter().filter(|played| played.acted[rule as usize] > 0) {
            effect.scenes += 1;
            effect.add(rule, played)?;
        }
        Ok(effect)
    }
}

impl Effect {
    fn add(&mut self, rule: Rule, played: &Played) -> Fallible<()> {
        let scene = &played.scene;
        ablate::turn_off(rule);
        let judged = catch_unwind(AssertUnwindSafe(|| play::judged(scene, Rival::Carom)));
        ablate::turn_on(rule);
        let Ok(judged) = judged else {
            self.panicked.push(scene.seed);
            return Ok(());
        };
        for (sums, verdict) in self.sums.iter_mut().zip([played.verdict, judged?.verdict]) {
            let ends = [f64::from(verdict.deepest), f64::from(verdict.mean_depth), verdict.lost as f64];
            sums.iter_mut().zip(ends).for_each(|(sum, end)| *sum += end);
        }
        let mut shortest = [f64::INFINITY; 2];
        for _ in 0..TURNS {
            for (is_off, shortest) in shortest.iter_mut().enumerate() {
                if is_off == 1 {
                    ablate::turn_off(rule);
                }
                let time = play::timed(scene, Rival::Carom)?.total;
                ablate::turn_on(rule);
                *shortest = if time < *shortest { time } else { *shortest };
            }
        }
        self.logs += (shortest[0] / shortest[1]).ln();
        Ok(())
    }

    /// How often it acts, in how many scenes.
    pub(super) fn acts(&self) -> String {
        if self.scenes == 0 { "never".into() } else { format!("{:.1e}, in {}", self.rate, self.scenes) }
    }

    /// How scenes end with it and without: greatest and mean overlap in mm, means over scenes, and
    /// bodies lost.
    pub(super) fn ends(&self) -> String {
        let count = self.scenes - self.panicked.len();
        if count == 0 {
            return if self.panicked.is_empty() { "same".into() } else { self.panics() };
        }
        let [with, without] = self.sums;
        let mm = |sums: [f64; 3], k: usize| sums[k] / count as f64 * 1.0e3;
        let ends = format!(
            "{:.1} → {:.1}, {:.2} → {:.2}, {} → {}",
            mm(with, 0),
            mm(without, 0),
            mm(with, 1),
            mm(without, 1),
            with[2],
            without[2]
        );
        if self.panicked.is_empty() { ends } else { format!("{ends}; {}", self.panics()) }
    }

    fn panics(&self) -> String {
        format!("panics in {:?}", self.panicked)
    }

    /// What it costs in those scenes, as a share of the time without it.
    pub(super) fn price(&self) -> String {
        let count = self.scenes - self.panicked.len();
        if count == 0 {
            return "-".into();
        }
        format!("{:+.1} %", 100.0 * ((self.logs / count as f64).exp() - 1.0))
    }
}
