//! Who owns which state: each belongs to the process that its hash names (Stern and Dill: *Parallelizing
//! the Mur-phi verifier*, CAV 1997).

use crate::store::hash::hash;
use crate::store::packing::Packing;
use crate::store::repacking::Repacking;

/// The number of a state's owner among so many. It depends on nothing but the state as it is packed, by
/// other bits of its hash than the store uses.
#[inline(always)]
pub(crate) fn owner(stored: &[u64], owners: usize) -> usize {
    if owners == 1 {
        return 0;
    }
    let mixed = hash(stored)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23);
    // The upper half, multiplied: that is even, and quicker than a division.
    (((mixed & 0xffff_ffff) * owners as u64) >> 32) as usize
}

/// Who owns which state.
pub(crate) struct Owners {
    /// How many there are.
    pub(crate) count: usize,
    /// Where states have been packed anew: back to how they were packed at first. A value that did not fit then
    /// spills into others, the same way for everybody.
    back: Option<(Repacking, Vec<u64>)>,
}

impl Owners {
    /// So many, of states that are packed as at first.
    pub(crate) fn new(count: usize) -> Owners {
        Owners { count, back: None }
    }

    /// The same, of states that are packed otherwise `now` than at `first`.
    pub(crate) fn since(self, first: &Packing, now: &Packing) -> Owners {
        let back = Repacking::new(now, first);
        Owners {
            back: Some((back, vec![0; first.words])),
            ..self
        }
    }

    /// The number of a state's owner.
    #[inline(always)]
    pub(crate) fn of(&mut self, stored: &[u64]) -> usize {
        match &mut self.back {
            None => owner(stored, self.count),
            Some((back, first)) => {
                back.turn(stored, first);
                owner(first, self.count)
            }
        }
    }
}
