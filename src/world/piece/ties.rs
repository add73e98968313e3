//! Which bodies go along with a piece because they touch its bodies or are joined to them.
//!
//! In: the bodies of an area. Out: the bodies that are taken, according to how ties across its
//! border are treated.

use super::World;
use crate::body::{NONE, flag as body_flag};
use crate::contact::flag;
use crate::util::NumberTable;

/// Treatment of bodies that touch or are joined to others across the border of a cut area.
///
/// Two dynamic bodies are tied if they touch, any two bodies if a joint connects them. Touching a
/// fixed or kinematic body is no tie: a wall is cut out, and bodies that leant on it fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// A body that is tied to a body outside stays, with all bodies that are tied to it.
    #[default]
    Stay,
    /// A body that is tied to a body inside comes along, wherever it is.
    Come,
    /// Ties are cut: contacts end, and joints are lost.
    Part,
}

impl World {
    /// Returns the bodies that are taken with an area, and the bodies in it that stay, both by
    /// ascending slot. `marks` is an empty table.
    pub(super) fn with_ties(&self, inside: Vec<u32>, ties: Ties, marks: &mut NumberTable) -> [Vec<u32>; 2] {
        /// Marks of bodies that are taken, and of bodies that were and stay after all.
        const TAKEN: u32 = 1;
        const STAYS: u32 = 2;
        let ends = || inside.iter().copied().filter(|&slot| self.has_ends(slot));
        if ties == Ties::Part || ends().next().is_none() {
            return [inside, Vec::new()];
        }
        marks.reach(self.bodies.rows.len());
        inside.iter().for_each(|&slot| marks.set(slot, TAKEN));
        // Bodies whose neighbours are visited: bodies inside that are tied to the outside, or all
        // bodies inside.
        let comes = ties == Ties::Come;
        let reaches = |slot: u32| self.tied_to(slot).any(|other| marks.of(other) == NONE);
        let mut open: Vec<u32> = ends().filter(|&slot| comes || reaches(slot)).collect();
        let (from, to) = if comes { (NONE, TAKEN) } else { (TAKEN, STAYS) };
        open.iter().for_each(|&slot| marks.set(slot, to));
        while let Some(slot) = open.pop() {
            for other in self.tied_to(slot) {
                if marks.of(other) == from {
                    marks.set(other, to);
                    open.push(other);
                }
            }
        }
        let all_with = |mark: u32| -> Vec<u32> {
            marks.keys().iter().copied().filter(|&slot| marks.of(slot) == mark).collect()
        };
        let (mut taken, stayed) = (all_with(TAKEN), all_with(STAYS));
        // The bodies inside come first, and ascend already.
        taken.sort_unstable();
        marks.clear();
        [taken, stayed]
    }

    /// Whether a body has contacts or joints at all.
    fn has_ends(&self, slot: u32) -> bool {
        self.contacts.edges().has(slot) || self.joints.first_of(slot) != NONE
    }

    /// The bodies that a body is tied to, some of them several times.
    fn tied_to(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        let touched = self.contacts.edges().of(slot).filter_map(move |contact| {
            let link = &self.contacts.link[contact as usize];
            let solid = link.flags & flag::TOUCHING != 0 && link.flags & flag::SENSOR == 0;
            let tied = solid && dynamic(link.body_a) && dynamic(link.body_b);
            tied.then_some(if link.body_a == slot { link.body_b } else { link.body_a })
        });
        let joined = self.joint_slots_of(slot).filter_map(move |joint| {
            let joint = &self.joints.rows[joint as usize];
            let other = if joint.body_a == slot { joint.body_b } else { joint.body_a };
            (other != NONE).then_some(other)
        });
        touched.chain(joined)
    }
}
