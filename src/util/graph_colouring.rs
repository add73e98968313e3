//! Greedy first-fit graph colouring: a constraint between two bodies gets the lowest colour that
//! neither of them has yet. Constraints of one colour share no body, so they are solved in any
//! order, and in lanes.
//!
//! In: the colours of two bodies, as bits. Out: a colour. Contacts (`contact/colour.rs`) and joints
//! in loops (`solver/joints/layout.rs`) are coloured by it.

/// Number of colours for constraints that move both of their bodies: the lower half of the bits.
/// The upper half is for constraints that move one body. A body touches few others at once;
/// constraints without a colour are solved one by one.
pub(crate) const COLOURS: u32 = 32;

/// Returns the lowest colour that is not in `taken`, the colours of both bodies together; `None` if
/// all are taken.
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
