//! Graph colouring: contacts of one colour share no body that impulses move, so eight of them are
//! solved at once.
//!
//! In: the touching contacts, in the order of their list. Out: for each colour the contacts with
//! one point and those with two, and a rest without a colour, solved one by one. Greedy first-fit
//! colouring; a mask per body holds its colours.
//!
//! Contacts with an immovable body have colours of their own, which are solved last, so that they
//! hold best.
//!
//! With many contacts, rows of bodies are cut into zones: a zone has colours of its own for
//! contacts within it, so that one thread can solve all of them without waiting. Pairs across two
//! zones come after that. The number of zones and the assignment of bodies to them is chosen in
//! `step/begin/partition.rs`, which keeps cross-zone contacts few.

use crate::body::NONE;
use crate::util::graph_colouring::{COLOURS, first_fit};
use crate::util::trim::{trim, trim_all};

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
    /// The zones in use, and memory for more.
    zones: Vec<Zone>,
    cut: ZoneCut,
    /// Pairs of dynamic bodies in two zones.
    pub(crate) across: Vec<Colour>,
    /// Contacts without a colour.
    pub(crate) rest: Colour,
    /// Colours taken by each body: inner ones in the lower half, outer ones in the upper half.
    taken: Vec<u64>,
}

/// The contacts within a range of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zone {
    /// Pairs of dynamic bodies.
    pub(crate) inner: Vec<Colour>,
    /// Pairs with an immovable body.
    pub(crate) outer: Vec<Colour>,
}

impl Zone {
    fn clear(&mut self) {
        self.inner.iter_mut().chain(&mut self.outer).for_each(Colour::clear);
    }
}

/// Input of the colouring for one contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphEdge {
    pub(crate) contact: u32,
    /// Solver rows of A and B.
    pub(crate) rows: [u32; 2],
    /// Which of the two impulses move. (A kinematic body may be in every lane at once.)
    pub(crate) gives: [bool; 2],
    /// Which of the two is moved by other contacts but not by this one: the body that dominates the
    /// other. Its row still takes the colour, as other contacts write it.
    pub(crate) heavy: [bool; 2],
    pub(crate) points: u8,
}

/// The partition of rows into zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ZoneCut {
    zones: u32,
    rows: u32,
    /// Zones per row, times 2³⁶: exact for up to 2³⁶ rows times rows of a zone.
    share: u64,
}

impl Default for ZoneCut {
    fn default() -> ZoneCut {
        ZoneCut::new(1, LINE_ROWS)
    }
}

impl ZoneCut {
    /// Most zones.
    pub(crate) const MOST: usize = 64;

    /// `zones` zones of `rows` rows each; the last one has all further rows.
    pub(crate) fn new(zones: u32, rows: u32) -> ZoneCut {
        ZoneCut { zones, rows, share: (1_u64 << 36).div_ceil(u64::from(rows)) }
    }

    /// Rows cut evenly.
    pub(crate) fn even(zones: usize, rows: usize) -> ZoneCut {
        ZoneCut::new(zones as u32, (rows.div_ceil(zones) as u32).next_multiple_of(LINE_ROWS))
    }

    /// The number of zones, and of rows of each but the last.
    pub(crate) fn words(self) -> [u32; 2] {
        [self.zones, self.rows]
    }

    /// The cut from its [`ZoneCut::words`], if they are valid.
    pub(crate) fn of_words([zones, rows]: [u32; 2]) -> Option<ZoneCut> {
        let is_cut = (1..=ZoneCut::MOST as u32).contains(&zones) && rows > 0;
        is_cut.then(|| ZoneCut::new(zones, rows))
    }

    pub(crate) fn zones(self) -> usize {
        self.zones as usize
    }

    /// The zone of a row: no lower than the zones of earlier rows.
    #[inline(always)]
    pub(crate) fn zone_of(self, row: u32) -> usize {
        ((u64::from(row) * self.share) >> 36).min(u64::from(self.zones - 1)) as usize
    }
}

/// Rows per cache line: at most one line is shared by two zones.
const LINE_ROWS: u32 = 4;

impl Colour {
    fn clear(&mut self) {
        self.with_points.iter_mut().for_each(Vec::clear);
    }
}

impl Colouring {
    /// Removes all colours and makes room for `rows` solver rows.
    pub(crate) fn clear(&mut self, rows: usize, cut: ZoneCut) {
        self.zones.iter_mut().for_each(Zone::clear);
        self.zones.resize_with(self.zones.len().max(cut.zones()), Zone::default);
        self.cut = cut;
        self.across.iter_mut().chain([&mut self.rest]).for_each(Colour::clear);
        self.taken.clear();
        self.taken.resize(rows, 0);
    }

    /// Frees memory that few contacts do not need. Each list alone may be small, as there are
    /// several a zone.
    pub(crate) fn trim(&mut self) {
        trim_all(|visit| {
            let zones = self.zones.iter_mut().flat_map(|zone| zone.inner.iter_mut().chain(&mut zone.outer));
            let colours = zones.chain(&mut self.across).chain([&mut self.rest]);
            colours.flat_map(|colour| &mut colour.with_points).for_each(visit);
        });
        trim(&mut self.taken);
    }

    /// The zones in use.
    pub(crate) fn zones(&self) -> &[Zone] {
        &self.zones[..self.cut.zones()]
    }

    /// Gives a contact the first colour that none of its bodies has.
    #[inline]
    pub(crate) fn add(&mut self, edge: GraphEdge) {
        let GraphEdge { contact, rows, gives, heavy, points } = edge;
        debug_assert!(contact != NONE && (1..=2).contains(&points));
        let of = |side: usize| if gives[side] { rows[side] } else { 0 };
        let (row_a, row_b) = (of(0), of(1));
        let gives = [row_a != 0 && !heavy[0], row_b != 0 && !heavy[1]];
        if gives == [false; 2] {
            return;
        }
        let coloured = Coloured { contact, rows, gives };
        let one_sided = row_a == 0 || row_b == 0;
        let (a, b) = (self.taken[row_a as usize], self.taken[row_b as usize]);
        // Row 0 has no colours, so its mask stays empty.
        let kind = usize::from(points - 1);
        let Some(colour) = first_fit(a | b, one_sided) else {
            self.rest.with_points[kind].push(coloured);
            return;
        };
        let (number, bit) = ((colour % COLOURS) as usize, 1_u64 << colour);
        for row in [row_a, row_b] {
            if row != 0 {
                self.taken[row as usize] |= bit;
            }
        }
        let (zone, other) = (self.cut.zone_of(row_a.max(row_b)), self.cut.zone_of(row_a.min(row_b)));
        let colours = if one_sided {
            &mut self.zones[zone].outer
        } else if zone == other {
            &mut self.zones[zone].inner
        } else {
            &mut self.across
        };
        if colours.len() <= number {
            colours.resize_with(number + 1, Colour::default);
        }
        colours[number].with_points[kind].push(coloured);
    }

    /// Whether any contact may push the body of a row.
    pub(crate) fn pushes(&self, row: u32) -> bool {
        self.taken.get(row as usize).is_some_and(|&taken| taken != 0)
    }

    /// Number of colours that follow one another: zones run side by side, so the largest count is
    /// taken.
    pub(crate) fn count(&self) -> usize {
        let used = |colour: &&Colour| colour.with_points.iter().any(|contacts| !contacts.is_empty());
        let most = |colours: fn(&Zone) -> &[Colour]| {
            let count = |zone: &Zone| colours(zone).iter().filter(used).count();
            self.zones().iter().map(count).max().unwrap_or(0)
        };
        most(|zone| &zone.inner) + most(|zone| &zone.outer) + self.across.iter().filter(used).count()
    }
}

#[cfg(test)]
impl Colouring {
    /// Contacts for which there is memory.
    pub(crate) fn room(&self) -> usize {
        let zones = self.zones.iter().flat_map(|zone| zone.inner.iter().chain(&zone.outer));
        let colours = zones.chain(&self.across).chain([&self.rest]);
        colours.flat_map(|colour| &colour.with_points).map(Vec::capacity).sum()
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
        for round in 0..200 {
            let (rows, zones) = (2 + random(60), 1 + random(4) as usize);
            colouring.clear(rows as usize, ZoneCut::even(zones, rows as usize));
            let edges: Vec<GraphEdge> = (0..random(400))
                .map(|contact| {
                    let row_a = random(rows);
                    let row_b = if row_a == 0 { 1 } else { random(row_a) };
                    let gives = [row_a != 0, row_b != 0];
                    let heavy = [row_a > 0 && row_b > 0 && contact % 5 == 0, false];
                    GraphEdge { contact, rows: [row_a, row_b], gives, heavy, points: 1 + (contact % 2) as u8 }
                })
                .collect();
            edges.iter().for_each(|&edge| colouring.add(edge));
            let rows_of = |colour: &Colour| -> Vec<u32> {
                let all = colour.with_points.iter().flatten();
                all.flat_map(|coloured| coloured.rows).filter(|&row| row != 0).collect()
            };
            let of_zones = colouring.zones().iter().flat_map(|zone| zone.inner.iter().chain(&zone.outer));
            let mut seen = 0;
            for colour in of_zones.chain(&colouring.across) {
                let mut rows = rows_of(colour);
                rows.sort_unstable();
                assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "round {round}");
                seen += colour.with_points.iter().map(Vec::len).sum::<usize>();
            }
            let mut last = 0;
            for zone in colouring.zones() {
                let rows: Vec<u32> = zone.inner.iter().chain(&zone.outer).flat_map(rows_of).collect();
                assert!(rows.iter().all(|&row| row > last), "round {round}: a row is in two zones");
                last = rows.into_iter().max().unwrap_or(last);
            }
            seen += colouring.rest.with_points.iter().map(Vec::len).sum::<usize>();
            let real = |edge: &&GraphEdge| edge.rows != [0, 0];
            assert_eq!(seen, edges.iter().filter(real).count());
        }
    }
}
