//! Graph colouring: contacts of one colour share no body that impulses move, so eight of them are solved at once.
//!
//! In: the touching contacts, in the order of their list. Out: for each colour the contacts with one point and those with
//! two, and a rest that found no colour and is solved one by one. First fit; a mask a body says which colours it has.
//!
//! Contacts with something that impulses do not move come in colours of their own, which are solved last: what the
//! ground says then stands.

use crate::body::NONE;

/// Colours of pairs of dynamic bodies, and of those with one only. A body touches few others at once; what finds no
/// colour goes the slow way, so more of them cost nothing but cache.
const COLOURS: usize = 32;

/// Contacts of one colour, by the number of their points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Colour {
    pub(crate) with_points: [Vec<Coloured>; 2],
}

/// A contact, the solver rows of its bodies, and which of them impulses move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coloured {
    pub(crate) contact: u32,
    pub(crate) rows: [u32; 2],
    pub(crate) gives: [bool; 2],
}

/// Contacts by colour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Colouring {
    /// Pairs of dynamic bodies.
    pub(crate) inner: Vec<Colour>,
    /// Pairs with something that does not give way.
    pub(crate) outer: Vec<Colour>,
    /// Those that found no colour.
    pub(crate) rest: Colour,
    /// Colours taken by each body: inner ones in the lower half, outer ones in the upper half.
    taken: Vec<u64>,
}

/// What colouring has to know of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) contact: u32,
    /// Solver rows of A and B.
    pub(crate) rows: [u32; 2],
    /// Which of the two impulses move. (A kinematic body may be in every lane at once.)
    pub(crate) gives: [bool; 2],
    pub(crate) points: u8,
}

impl Colouring {
    /// Forgets all colours and makes room for `rows` solver rows.
    pub(crate) fn clear(&mut self, rows: usize) {
        for colour in self.inner.iter_mut().chain(&mut self.outer).chain([&mut self.rest]) {
            colour.with_points.iter_mut().for_each(Vec::clear);
        }
        self.taken.clear();
        self.taken.resize(rows, 0);
    }

    /// Gives a contact the first colour that none of its bodies has.
    #[inline]
    pub(crate) fn add(&mut self, edge: Edge) {
        let Edge { contact, rows, gives, points } = edge;
        debug_assert!(contact != NONE && (1..=2).contains(&points));
        let of = |side: usize| if gives[side] { rows[side] } else { 0 };
        let (row_a, row_b) = (of(0), of(1));
        if row_a == 0 && row_b == 0 {
            return;
        }
        let coloured = Coloured { contact, rows, gives: [row_a != 0, row_b != 0] };
        let one_sided = row_a == 0 || row_b == 0;
        let (a, b) = (self.taken[row_a as usize], self.taken[row_b as usize]);
        // Row 0 has no colours, so its mask stays empty.
        let free = !if one_sided { ((a | b) >> COLOURS) as u32 } else { (a | b) as u32 };
        let kind = usize::from(points - 1);
        if free == 0 {
            self.rest.with_points[kind].push(coloured);
            return;
        }
        let number = free.trailing_zeros() as usize;
        let bit = 1_u64 << (number + if one_sided { COLOURS } else { 0 });
        for row in [row_a, row_b] {
            if row != 0 {
                self.taken[row as usize] |= bit;
            }
        }
        let colours = if one_sided { &mut self.outer } else { &mut self.inner };
        if colours.len() <= number {
            colours.resize_with(number + 1, Colour::default);
        }
        colours[number].with_points[kind].push(coloured);
    }

    /// How many solver rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.taken.len()
    }

    /// Whether any contact may push the body of a row.
    pub(crate) fn pushes(&self, row: u32) -> bool {
        self.taken.get(row as usize).is_some_and(|&taken| taken != 0)
    }

    /// How many colours are in use.
    pub(crate) fn count(&self) -> usize {
        let used = |colour: &&Colour| colour.with_points.iter().any(|contacts| !contacts.is_empty());
        self.inner.iter().chain(&self.outer).filter(used).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_colour_holds_a_body_twice_and_nothing_is_lost() {
        let mut state = 3_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            (state >> 33) as u32 % below
        };
        let mut colouring = Colouring::default();
        for round in 0..50 {
            let rows = 2 + random(60);
            colouring.clear(rows as usize);
            let edges: Vec<Edge> = (0..random(400))
                .map(|contact| {
                    let row_a = random(rows);
                    let row_b = if row_a == 0 { 1 } else { random(row_a) };
                    let gives = [row_a != 0, row_b != 0];
                    Edge { contact, rows: [row_a, row_b], gives, points: 1 + (contact % 2) as u8 }
                })
                .collect();
            edges.iter().for_each(|&edge| colouring.add(edge));
            let mut seen = 0;
            for colour in colouring.inner.iter().chain(&colouring.outer) {
                let mut rows: Vec<u32> = colour
                    .with_points
                    .iter()
                    .flatten()
                    .flat_map(|coloured| coloured.rows)
                    .filter(|&row| row != 0)
                    .collect();
                rows.sort_unstable();
                assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "round {round}");
                seen += colour.with_points.iter().map(Vec::len).sum::<usize>();
            }
            seen += colouring.rest.with_points.iter().map(Vec::len).sum::<usize>();
            let real = |edge: &&Edge| edge.rows != [0, 0];
            assert_eq!(seen, edges.iter().filter(real).count());
        }
    }
}
