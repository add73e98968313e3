//! Graph colouring, first fit: what joins two bodies gets the lowest colour that neither of them
//! has yet. Nothing of one colour shares a body, so it is solved in any order, and in lanes.
//!
//! In: the colours of two bodies, a bit each. Out: a colour. Contacts (`contact/colour.rs`) and
//! joints in loops (`solver/joints/layout.rs`) are coloured by it.

/// Colours of what moves both of its bodies: the lower half of the bits. The upper half are those of
/// what moves one body only. A body touches few others at once; what finds no colour is solved one
/// by one, so more colours cost nothing but cache.
pub(crate) const COLOURS: u32 = 32;

/// The bit of the lowest colour that is not in `taken`, the colours of both bodies together; none
/// if all are.
#[inline]
pub(crate) fn first_fit(taken: u64, moves_one: bool) -> Option<u32> {
    let first = if moves_one { COLOURS } else { 0 };
    let free = !((taken >> first) as u32);
    (free != 0).then(|| first + free.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_colour_is_taken() {
        assert_eq!(first_fit(0, false), Some(0));
        assert_eq!(first_fit(0b1011, false), Some(2));
        assert_eq!(first_fit(u64::from(u32::MAX), false), None);
        assert_eq!(first_fit(u64::from(u32::MAX), true), Some(32));
        assert_eq!(first_fit(0b11 << 32, true), Some(34));
        assert_eq!(first_fit(u64::MAX, true), None);
    }
}
