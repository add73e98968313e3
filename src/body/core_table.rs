//! Core geometry of all parts, interned: equal parts share one entry (a shape cache).
//!
//! In: parts that come and go. Out: the index of each part's form, and the columns from which lanes
//! read forms. In most worlds many bodies share a form, and a single copy stays in the cache.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

use glam::Vec2;

use crate::math::{Rot, max, min};
use crate::narrowphase::cores::{self, Form};
use crate::shape::Piece;
use crate::simd::{LANES, Lane, Width, inlined};
use crate::util::Common;

/// A form as bits.
type Key = ([u32; 32], [u32; 4]);

fn key(form: &Form) -> Key {
    (bytemuck::cast(form.rows), bytemuck::cast(form.facts))
}

/// The thinnest slab that contains a core, its rounding included; it is parallel to an edge and
/// symmetric about the middle: `[normal x, normal y, half width, 1]`. Zeros for forms that are no
/// cores.
pub(crate) type Slab = [f32; 4];

fn slab_of(form: &Form) -> Slab {
    let [radius, _, count, _] = form.facts;
    let of = |row: usize, k: usize| {
        let row = &form.rows[k / 4 * 2 + row];
        Vec2::new(row[k % 4], row[k % 4 + 4])
    };
    let corners = || 0..count as usize;
    let width = |n: Vec2| corners().map(|k| of(0, k).dot(n).abs()).fold(0.0, max) + radius;
    let slabs = corners().map(|k| (of(1, k), width(of(1, k))));
    let (n, width) =
        slabs.fold((Vec2::ZERO, f32::INFINITY), |least, slab| if slab.1 < least.1 { slab } else { least });
    [n.x, n.y, width, 1.0]
}

/// Hashes the words of a form. (SipHash was a twelfth of the time in which a hole is made.)
#[derive(Clone, Debug, Default)]
struct FormHasher(u64);

impl FormHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

impl Hasher for FormHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        rest.iter().for_each(|&byte| self.mix(u64::from(byte)));
    }

    fn finish(&self) -> u64 {
        // Tables look at the lowest bits and at the highest ones.
        self.0 ^ self.0 >> 32
    }
}

/// Columns by number, the same for all clones in which none was added.
#[derive(Debug)]
struct Table {
    rows: Vec<[[f32; 8]; 4]>,
    facts: Vec<[f32; 4]>,
    slabs: Vec<Slab>,
}

crate::state::clone_by_field! { Table { rows, facts, slabs } }

/// Forms by number, with how many parts have each. Number 0 is the box.
#[derive(Debug)]
pub(crate) struct Forms {
    table: Common<Table>,
    users: Vec<u32>,
    free: Vec<u32>,
    /// Used for look-ups only, never iterated.
    numbers: HashMap<Key, u32, BuildHasherDefault<FormHasher>>,
}

crate::state::clone_by_field! { Forms { table, users, free, numbers } }

impl Default for Forms {
    fn default() -> Forms {
        let Form { rows, facts } = Form::BOX;
        Forms {
            table: Table { rows: vec![rows], facts: vec![facts], slabs: vec![[0.0; 4]] }.into(),
            users: vec![1],
            free: Vec::new(),
            numbers: HashMap::default(),
        }
    }
}

impl Forms {
    /// Sharp boxes, and parts without a form of their own.
    pub(crate) const BOX: u32 = 0;

    /// Removes all forms.
    pub(crate) fn clear(&mut self) {
        let Table { rows, facts, slabs } = self.table.own();
        rows.truncate(1);
        facts.truncate(1);
        slabs.truncate(1);
        self.users.truncate(1);
        self.free.clear();
        self.numbers.clear();
    }

    /// The number of the form of a piece, seen from `middle`. To be given back by
    /// [`Forms::release`].
    pub(crate) fn take(&mut self, piece: Piece, middle: Vec2) -> u32 {
        Form::new(piece, middle).map_or(Forms::BOX, |form| self.take_form(form))
    }

    /// The number of a form that has a number in another table. To be given back by
    /// [`Forms::release`].
    pub(crate) fn take_of(&mut self, other: &Forms, number: u32) -> u32 {
        if number == Forms::BOX {
            return Forms::BOX;
        }
        let place = number as usize;
        self.take_form(Form { rows: other.table.rows[place], facts: other.table.facts[place] })
    }

    /// Counts one more part of a form, and returns its index.
    pub(crate) fn take_again(&mut self, number: u32) -> u32 {
        if number != Forms::BOX {
            self.users[number as usize] += 1;
        }
        number
    }

    fn take_form(&mut self, form: Form) -> u32 {
        let key = key(&form);
        if let Some(&number) = self.numbers.get(&key) {
            self.users[number as usize] += 1;
            return number;
        }
        let Table { rows, facts, slabs } = self.table.own();
        let number = self.free.pop().unwrap_or_else(|| {
            rows.push([[0.0; 8]; 4]);
            facts.push([0.0; 4]);
            slabs.push([0.0; 4]);
            self.users.push(0);
            self.users.len() as u32 - 1
        });
        let place = number as usize;
        (rows[place], facts[place], self.users[place]) = (form.rows, form.facts, 1);
        slabs[place] = slab_of(&form);
        self.numbers.insert(key, number);
        number
    }

    /// Number of entries, in use or not.
    pub(crate) fn count_all(&self) -> usize {
        self.users.len()
    }

    /// Counts one part of a form less.
    pub(crate) fn release(&mut self, number: u32) {
        let place = number as usize;
        if number == Forms::BOX {
            return;
        }
        self.users[place] -= 1;
        if self.users[place] == 0 {
            let form = Form { rows: self.table.rows[place], facts: self.table.facts[place] };
            self.numbers.remove(&key(&form));
            self.free.push(number);
        }
    }

    /// The tight box around a rotated form, its rounding included.
    #[inline]
    pub(crate) fn bounds(&self, number: u32, turn: Rot) -> (Vec2, Vec2) {
        let (rows, [radius, _, count, _]) =
            (&self.table.rows[number as usize], self.table.facts[number as usize]);
        let ([x, y], Rot { cos, sin }) = ([0, 4], turn);
        let (mut low, mut high) = ([[f32::INFINITY; 4]; 2], [[f32::NEG_INFINITY; 4]; 2]);
        // Four corners side by side: this is done for every core in every step.
        for row in [&rows[0], &rows[2]].into_iter().take(if count > 4.0 { 2 } else { 1 }) {
            for k in 0..4 {
                let at = [cos * row[x + k] - sin * row[y + k], sin * row[x + k] + cos * row[y + k]];
                for axis in 0..2 {
                    low[axis][k] = min(low[axis][k], at[axis]);
                    high[axis][k] = max(high[axis][k], at[axis]);
                }
            }
        }
        let least = |[a, b, c, d]: [f32; 4]| min(min(a, b), min(c, d));
        let most = |[a, b, c, d]: [f32; 4]| max(max(a, b), max(c, d));
        let low = Vec2::new(least(low[0]), least(low[1])) - radius;
        (low, Vec2::new(most(high[0]), most(high[1])) + radius)
    }

    /// Lower and upper corners of the tight boxes around forms in lanes, each rotated by (cosine,
    /// sine).
    #[inline(always)]
    pub(crate) fn bounds_in_lanes<W: Width>(
        &self,
        w: W,
        numbers: &[u32; LANES],
        turn: [W::L; 2],
    ) -> ([W::L; 2], [W::L; 2]) {
        let Table { rows, facts, .. } = &*self.table;
        let rows = rows.as_flattened();
        let [radius, _, count, _] = w.gather(&facts[..], numbers);
        let many = w.splat(4.0).lt(count);
        let (mut first, mut second) = (*numbers, *numbers);
        for k in 0..LANES {
            (first[k], second[k]) = (4 * numbers[k], 4 * numbers[k] + 2);
        }
        let corners = turned_by(turn, w.gather_eight(rows, &first));
        let mut bounds = [[(w.splat(f32::INFINITY), w.splat(f32::NEG_INFINITY)); 4]; 2];
        for axis in 0..2 {
            for k in 0..4 {
                let ((low, high), x) = (bounds[axis][k], corners[axis][k]);
                bounds[axis][k] = (low.smaller(x), high.larger(x));
            }
        }
        if w.any(many) {
            let corners = turned_by(turn, w.gather_eight(rows, &second));
            for axis in 0..2 {
                for k in 0..4 {
                    let ((low, high), x) = (bounds[axis][k], corners[axis][k]);
                    bounds[axis][k] =
                        (W::L::select(many, low.smaller(x), low), W::L::select(many, high.larger(x), high));
                }
            }
        }
        let [[a, b, c, d], [e, f, g, h]] = bounds;
        let least = [
            a.0.smaller(b.0).smaller(c.0.smaller(d.0)) - radius,
            e.0.smaller(f.0).smaller(g.0.smaller(h.0)) - radius,
        ];
        let most = [
            a.1.larger(b.1).larger(c.1.larger(d.1)) + radius,
            e.1.larger(f.1).larger(g.1.larger(h.1)) + radius,
        ];
        (least, most)
    }

    /// How many corners it has.
    #[inline(always)]
    pub(crate) fn count(&self, number: u32) -> usize {
        self.table.facts[number as usize][2] as usize
    }

    /// The slabs of all forms, by number.
    pub(crate) fn slabs(&self) -> &[Slab] {
        &self.table.slabs
    }

    /// The columns that lanes read.
    #[inline(always)]
    pub(crate) fn columns(&self) -> cores::Forms<'_> {
        cores::Forms { rows: self.table.rows.as_flattened(), facts: &self.table.facts }
    }
}

/// Four corners, x before y, rotated by (cosine, sine).
#[inline(always)]
fn turned_by<L: Lane>([cos, sin]: [L; 2], corners: [L; LANES]) -> [[L; 4]; 2] {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = corners;
    let turned = inlined(
        #[inline(always)]
        |x: L, y: L| [cos * x - sin * y, sin * x + cos * y],
    );
    let ([a, e], [b, f]) = (turned(x0, y0), turned(x1, y1));
    let ([c, g], [d, h]) = (turned(x2, y2), turned(x3, y3));
    [[a, b, c, d], [e, f, g, h]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn equal_parts_share_a_form_until_the_last_is_gone() {
        let mut forms = Forms::default();
        let (five, six) = (Shape::regular(5, 1.0), Shape::regular(6, 1.0));
        let take = |forms: &mut Forms, shape: &Shape| forms.take(shape.piece(0), Vec2::ZERO);
        let (a, b, c) = (take(&mut forms, &five), take(&mut forms, &six), take(&mut forms, &five));
        assert_eq!((a, a == b, forms.count(a), forms.count(b)), (c, false, 5, 6));
        forms.release(a);
        assert_eq!(take(&mut forms, &five), a);
        (0..2).for_each(|_| forms.release(a));
        let seven = take(&mut forms, &Shape::regular(7, 1.0));
        assert_eq!((seven, forms.count(seven)), (a, 7), "its place is taken again");
        let again = take(&mut forms, &five);
        assert_eq!((again != seven, forms.count(again)), (true, 5));
    }

    #[test]
    fn the_box_around_a_form_is_that_of_its_shape() {
        let mut forms = Forms::default();
        for (corners, angle) in [(3, 0.3), (4, 2.0), (5, -1.0), (8, 0.7)] {
            let shape = Shape::regular(corners, 0.8).rounded(0.1);
            let form = forms.take(shape.piece(0), Vec2::ZERO);
            let turn = Rot::from_angle(angle);
            let tight = shape.aabb(crate::math::Transform { position: Vec2::ZERO, rotation: turn });
            let (low, high) = forms.bounds(form, turn);
            assert!(
                low.distance(tight.min) < 1.0e-6 && high.distance(tight.max) < 1.0e-6,
                "{low} {high} {tight:?}"
            );
        }
    }
}
