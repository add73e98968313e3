//! Lone bodies: bodies that touch immovable bodies only. Lone bodies that are struck, deep in
//! something or pushed hard are solved once more, each by itself.
//!
//! In: filled blocks, and velocities before and after the passes of a sub-step. Out: velocities
//! without the error of a single pass, which would be energy out of nothing.
//!
//! ```text
//!      wall
//!       |  /\          floor and wall push against each other: what relaxation takes out at the
//!       | /  \         one, it puts back in part at the other. One pass leaves a tenth of a blow
//!       |/____\___     or of a push, and the body leaves the corner faster than it came.
//!           floor
//! ```
//!
//! Contacts with immovable bodies are passive: among all velocities that they allow, they choose
//! the velocity nearest to the unconstrained one in the measure of kinetic energy, so its energy is
//! no greater. Three things follow from that:
//!
//! 1. A warm start after which the energy is greater is the impulse of a blow that is over: it is
//!    dropped, and the contacts begin from nothing (`drop_blows`). So are the impulses that a
//!    sub-step takes over from the sub-step before.
//! 2. A lone body is a small problem of its own, so more passes over its contacts alone cost
//!    little. They are made in the order of contacts, not of blocks, which depends on threads.
//! 3. If the energy is still greater after those passes, the velocity is scaled to the energy of
//!    the unconstrained velocity.
//!
//! In 11,179 throws of sharp bodies into corners (`nothing_sinks_into_corners`), 763 bodies gained
//! more than 0.01 J/kg in some step without this, and up to 3.8 J/kg. Now 341 do, by up to 0.15:
//! they are lifted out of an overlap.
//!
//! (Tried instead: four relaxing passes for all contacts, 1.6 J/kg at most, and more bodies gain
//! above 0.01. After a blow no more warm start than the remembered load, for the contacts that were
//! struck: 4.0 J/kg at most, as another contact of the body keeps its share. More passes before the
//! body moves, too: the worst of 5,139 landings on grounds of all kinds gains 0.43 J/kg instead of
//! 0.06.)

use core::ops::Range;

use super::block::{ColdBlock, ContactBlock};
use super::solve;
use crate::ablate::Rule;
use crate::simd::{LANES, OneLane};
use crate::solver::columns::Columns;
use crate::solver::params::ContactParams;
use crate::util::trim::trim;

/// Further relaxing passes over the contacts of a lone body.
const PASSES: usize = 8;

/// A contact of a lone body: a lane of a block of so many points.
#[derive(Clone, Copy, Debug)]
struct Place {
    row: u32,
    contact: u32,
    points: u32,
    block: u32,
    lane: u32,
}

/// The lone bodies of a step that need more than the passes for all, with their contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoneBodies {
    /// By row, then by contact.
    places: Vec<Place>,
    /// Their rows, in ascending order.
    rows: Vec<u32>,
}

/// Blocks of one number of points, and the contacts in their lanes.
pub(crate) struct Filled<'b, const P: usize> {
    pub(crate) blocks: &'b mut [ContactBlock<P>],
    pub(crate) colds: &'b mut [ColdBlock],
    pub(crate) contacts: &'b [[u32; LANES]],
    /// The blocks in which one body of a contact may be immovable.
    pub(crate) one_sided: &'b [Range<usize>],
}

impl<const P: usize> Filled<'_, P> {
    /// The indices of the blocks in `one_sided`.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.one_sided.iter().flat_map(Range::clone)
    }
}

impl LoneBodies {
    /// Frees memory that few bodies do not need.
    pub(in crate::solver) fn trim(&mut self) {
        trim(&mut self.places);
        trim(&mut self.rows);
    }

    /// Lists anew the bodies that have a marked contact and for whose row `is_lone` holds.
    pub(crate) fn list(
        &mut self,
        single: &Filled<'_, 1>,
        double: &Filled<'_, 2>,
        is_lone: impl Fn(u32) -> bool,
    ) {
        self.places.clear();
        self.rows.clear();
        add_marked(single, &mut self.rows);
        add_marked(double, &mut self.rows);
        if self.rows.is_empty() {
            return;
        }
        self.rows.sort_unstable();
        self.rows.dedup();
        self.rows.retain(|&row| is_lone(row));
        if self.rows.is_empty() {
            return;
        }
        self.add_places(single);
        self.add_places(double);
        self.places.sort_unstable_by_key(|place| (place.row, place.contact));
    }

    fn add_places<const P: usize>(&mut self, filled: &Filled<'_, P>) {
        for number in filled.numbers() {
            let (block, contacts) = (&filled.blocks[number], &filled.contacts[number]);
            for lane in lanes_of(block.dynamic[0] ^ block.dynamic[1]) {
                let row = mover(block, lane);
                if self.rows.binary_search(&row).is_ok() {
                    let (points, contact) = (P as u32, contacts[lane]);
                    self.places.push(Place { row, contact, points, block: number as u32, lane: lane as u32 });
                }
            }
        }
    }

    /// Drops warm starts that add energy, before contacts are solved.
    pub(crate) fn drop_blows(
        &self,
        single: &mut Filled<'_, 1>,
        double: &mut Filled<'_, 2>,
        columns: &mut Columns,
    ) {
        for places in self.bodies() {
            let row = places[0].row as usize;
            let [now, most] = energies(columns, row);
            if !Rule::LoneWarmStart.acts(now > most) {
                continue;
            }
            columns.velocity[row] = columns.unconstrained[row];
            for place in places {
                let (at, lane) = (place.block as usize, place.lane as usize);
                match place.points {
                    1 => drop_impulses(&mut single.blocks[at], &mut single.colds[at], lane),
                    _ => drop_impulses(&mut double.blocks[at], &mut double.colds[at], lane),
                }
            }
        }
    }

    /// Relaxes each body by itself, after the relaxing pass over all contacts.
    pub(crate) fn relax(
        &self,
        single: &mut Filled<'_, 1>,
        double: &mut Filled<'_, 2>,
        columns: &mut Columns,
        params: &ContactParams,
    ) {
        for places in self.bodies() {
            let passes = if Rule::LonePasses.acts(true) { PASSES } else { 0 };
            for place in (0..passes).flat_map(|_| places) {
                let (at, lane) = (place.block as usize, place.lane as usize);
                match place.points {
                    1 => relax_again(&mut single.blocks[at], &mut single.colds[at], lane, columns, params),
                    _ => relax_again(&mut double.blocks[at], &mut double.colds[at], lane, columns, params),
                }
            }
            let row = places[0].row as usize;
            let [now, most] = energies(columns, row);
            if Rule::LoneEnergy.acts(now > most) {
                let (share, mass) = ((most / now).sqrt(), columns.mass[row]);
                let scaled = columns.velocity[row].iter_mut().zip(mass).take(3);
                scaled.filter(|(_, inverse)| *inverse > 0.0).for_each(|(v, _)| *v *= share);
            }
        }
    }

    /// The contacts of each body.
    fn bodies(&self) -> impl Iterator<Item = &[Place]> {
        self.places.chunk_by(|place, next| place.row == next.row)
    }
}

/// Twice the kinetic energy of a body, at its velocity and at its unconstrained velocity. Axes that
/// impulses do not change are left out: a locked axis has no inverse mass.
fn energies(columns: &Columns, row: usize) -> [f32; 2] {
    let mass = columns.mass[row];
    [columns.velocity[row], columns.unconstrained[row]].map(|velocity| {
        let parts = velocity.iter().zip(mass).take(3).filter(|(_, inverse)| *inverse > 0.0);
        parts.fold(0.0, |sum, (v, inverse)| sum + v * v / inverse)
    })
}

fn drop_impulses<const P: usize>(block: &mut ContactBlock<P>, cold: &mut ColdBlock, lane: usize) {
    for point in &mut block.points {
        point.normal_impulse[lane] = 0.0;
        point.tangent_impulse[lane] = 0.0;
    }
    if block.flags.rolls {
        cold.rolling_impulse[lane] = 0.0;
    }
}

/// Relaxes one contact once more. The sum of its impulses counts each sub-step once.
fn relax_again<const P: usize>(
    block: &mut ContactBlock<P>,
    cold: &mut ColdBlock,
    lane: usize,
    columns: &mut Columns,
    params: &ContactParams,
) {
    for point in &mut block.points {
        point.total[lane] -= point.normal_impulse[lane];
    }
    solve::relax(OneLane(lane), (block, cold), columns.share(), params);
}

/// Adds the rows of bodies that are marked in a contact with an immovable one.
fn add_marked<const P: usize>(filled: &Filled<'_, P>, rows: &mut Vec<u32>) {
    for number in filled.numbers() {
        let block = &filled.blocks[number];
        let one_sided = block.dynamic[0] ^ block.dynamic[1];
        rows.extend(lanes_of(block.flags.marked & one_sided).map(|lane| mover(block, lane)));
    }
}

/// The row of the body that a one-sided contact moves.
fn mover<const P: usize>(block: &ContactBlock<P>, lane: usize) -> u32 {
    if block.dynamic[0] >> lane & 1 != 0 { block.row_a[lane] } else { block.row_b[lane] }
}

/// The lanes whose bits are set.
fn lanes_of(bits: u8) -> impl Iterator<Item = usize> {
    (0..if bits == 0 { 0 } else { LANES }).filter(move |lane| bits >> lane & 1 != 0)
}
