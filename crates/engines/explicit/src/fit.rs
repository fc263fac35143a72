//! Fitting: states are stored in the bits that the values need that there have been.
//!
//! Types allow far more than what programs make of them: a byte that counts to three takes eight
//! bits of each state. A search begins with [packing](crate::packing) by types. Once it has found
//! two thousand states, each slot gets as many bits as its values there need, and the bits
//! that are left over in the last half word are given to those slots that will need them first.
//! The stored states are packed anew, and the search goes on where it was. A value that does not
//! fit is noted and the expansion given up; states are fitted again, with room for it. Nothing is
//! lost, so nothing rests on what has been guessed.

use crate::engine::Engine;
use crate::layout::{Layout, Leaf};
use crate::packing::{Field, Outgrown, Packing, arrange, halves};
use crate::store::Store;

/// Bits that are tried to be given away.
const TRIES: usize = 256;

/// For each field of a packing, the least and the greatest value that there has been.
pub(crate) struct Seen(Vec<(i64, i64)>);

impl Seen {
    /// Nothing yet.
    pub(crate) fn new(packing: &Packing) -> Seen {
        Seen(vec![(i64::MAX, i64::MIN); packing.fields().len()])
    }

    /// Adds the values of a stored state.
    pub(crate) fn add(&mut self, packing: &Packing, stored: &[u64]) {
        for (seen, field) in self.0.iter_mut().zip(packing.fields()) {
            let value = field.get(stored);
            *seen = (seen.0.min(value), seen.1.max(value));
        }
    }
}

/// A slot that is to get bits.
struct Claim {
    slot: usize,
    now: Leaf,
    /// What its type allows.
    whole: Leaf,
    /// Whether its values take up all that its bits allow.
    tight: bool,
}

impl Claim {
    /// The values from `least` to `most`, and more if that costs nothing.
    fn new(slot: usize, whole: Leaf, (least, most): (i64, i64)) -> Claim {
        let bits = |least: i64| {
            let span = most.wrapping_sub(least).cast_unsigned();
            u8::try_from(u64::BITS - span.leading_zeros())
                .expect("64 at most")
                .max(1)
        };
        let from_zero = least > whole.zero && bits(whole.zero) == bits(least);
        let lo = if from_zero { whole.zero } else { least };
        let mut claim = Claim {
            slot,
            now: Leaf {
                lo,
                bits: bits(lo),
                ..whole
            },
            whole,
            tight: least < most
                && most.wrapping_sub(lo).cast_unsigned() == u64::MAX >> (64 - bits(lo)),
        };
        claim.settle();
        claim
    }

    /// As many bits as its type needs are enough for all of it.
    fn settle(&mut self) {
        if self.now.bits >= self.whole.bits {
            self.now = self.whole;
        }
    }

    fn widen(&mut self) {
        self.now.bits += 1;
        self.settle();
    }

    fn is_whole(&self) -> bool {
        self.now == self.whole
    }
}

fn fields_for(claims: &[Claim]) -> Vec<Field> {
    arrange(claims.iter().map(|claim| (claim.slot, claim.now)).collect())
}

/// When states are fitted.
pub(crate) struct Fitting {
    /// If they have not been yet, at how many that is to be.
    waits: Option<u32>,
    /// What has not fitted.
    outgrown: Vec<Outgrown>,
}

impl Fitting {
    /// From so many states on, or never.
    pub(crate) fn new(from: Option<u32>) -> Fitting {
        Fitting {
            waits: from,
            outgrown: Vec::new(),
        }
    }

    /// What has not fitted will find room next time.
    pub(crate) fn note(&mut self, packing: &Packing) {
        self.outgrown.extend(packing.take_outgrown());
    }

    /// How states are to be packed from now on, if not as they are now. With those stored nothing
    /// is done meanwhile.
    pub(crate) fn fit(
        &mut self,
        now: &Engine<'_>,
        whole: &Engine<'_>,
        store: &Store,
    ) -> Option<Packing> {
        if !now.packing.is_outgrown() {
            self.waits.take_if(|from| store.len() >= *from)?;
        }
        self.note(&now.packing);
        let mut seen = Seen::new(&now.packing);
        store.for_each(|stored| seen.add(&now.packing, stored));
        let fitted = fitted(
            &whole.packing,
            &whole.layout,
            (&now.packing, &seen),
            &self.outgrown,
        );
        match fitted {
            Some(fields) => Some(whole.packing.with_fields(fields)),
            None => now.packing.is_fitted().then(|| whole.packing.again()),
        }
    }
}

/// Fields for the same slots with room for what was seen with another packing, and for what did not
/// fit there, if states get shorter than by types.
fn fitted(
    whole: &Packing,
    layout: &Layout,
    (packing, seen): (&Packing, &Seen),
    outgrown: &[Outgrown],
) -> Option<Vec<Field>> {
    let is_allowed = |&(slot, value): &Outgrown| layout.leaves[usize::from(slot)].holds(value);
    if !outgrown.iter().all(is_allowed) {
        return None;
    }
    let mut claims = Vec::new();
    for (field, &(mut least, mut most)) in packing.fields().iter().zip(&seen.0) {
        let did_not_fit = outgrown.iter().filter(|(slot, _)| *slot == field.slot);
        let mut more = false;
        for &(_, value) in did_not_fit {
            (least, most, more) = (least.min(value), most.max(value), true);
        }
        let slot = usize::from(field.slot);
        let mut claim = Claim::new(slot, layout.leaves[slot], (least, most));
        if more {
            // It will not be the last.
            claim.widen();
        }
        claims.push(claim);
    }
    // In the order of the slots, as by types.
    claims.sort_by_key(|claim| claim.slot);
    let mut fields = fields_for(&claims);
    let length = halves(&fields);
    if length >= halves(whole.fields()) {
        return None;
    }
    // What is left over goes to those first that have fewest bits, and no value left.
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by_key(|&claim| (claims[claim].now.bits, !claims[claim].tight));
    for claim in order.into_iter().cycle().take(TRIES) {
        if claims[claim].is_whole() {
            continue;
        }
        let before = claims[claim].now;
        claims[claim].widen();
        let wider = fields_for(&claims);
        if halves(&wider) > length {
            claims[claim].now = before;
        } else {
            fields = wider;
        }
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packing::tests::program;
    use crate::room::Room;
    use model::Type;

    const BYTE: Leaf = Leaf {
        lo: 0,
        bits: 8,
        zero: 0,
    };

    #[test]
    fn values_get_the_bits_that_they_need() {
        let int = Leaf {
            lo: i64::from(i32::MIN),
            bits: 32,
            zero: 0,
        };
        for (whole, seen, lo, bits, tight) in [
            (BYTE, (0, 0), 0, 1, false),
            (BYTE, (0, 1), 0, 1, true),
            (BYTE, (0, 2), 0, 2, false),
            (BYTE, (5, 5), 5, 1, false),
            // As many bits are enough with zero.
            (BYTE, (4, 9), 4, 3, false),
            (BYTE, (3, 13), 0, 4, false),
            (BYTE, (0, 255), 0, 8, true),
            (int, (-3, 4), -3, 3, true),
            (int, (-1, i64::from(i32::MAX)), int.lo, 32, false),
        ] {
            let claim = Claim::new(0, whole, seen);
            assert_eq!((claim.now.lo, claim.now.bits), (lo, bits), "{seen:?}");
            assert_eq!(claim.tight, tight, "{seen:?}");
            assert_eq!(claim.is_whole(), bits == whole.bits);
        }
    }

    #[test]
    fn what_does_not_fit_gets_room_and_what_is_left_over_goes_to_the_narrowest() {
        let byte = Type::Int {
            bits: 8,
            signed: false,
        };
        let program = program(&vec![byte; 10]);
        let layout = Layout::new(&program, &Room::new(&program)).unwrap();
        let zeros: Vec<i64> = layout.leaves.iter().map(|leaf| leaf.zero).collect();
        let whole = Packing::new(&program, &layout, std::slice::from_ref(&zeros));
        let slot = |number: usize| u16::try_from(layout.globals[2 * number]).unwrap();
        let mut seen = Seen::new(&whole);
        let mut stored = vec![0; whole.words];
        for value in [0, 1, 15] {
            let mut state = zeros.clone();
            for number in 0..10 {
                state[usize::from(slot(number))] = if number < 2 { value } else { value.min(1) };
            }
            whole.pack(&state, &mut stored);
            seen.add(&whole, &stored);
        }
        let bits = |outgrown: &[Outgrown]| {
            let fields = fitted(&whole, &layout, (&whole, &seen), outgrown)?;
            assert_eq!(halves(&fields), 1);
            let bits = |number| fields.iter().find(|field| field.slot == slot(number));
            Some([0, 1, 2, 9].map(|number| bits(number).unwrap().bits()))
        };
        // Two bytes need four bits, eight need one: each gets one more, and then the first ones.
        assert_eq!(bits(&[]), Some([5, 5, 3, 2]));
        assert_eq!(bits(&[(slot(0), 77)]), Some([8, 5, 3, 2]));
        assert_eq!(bits(&[(slot(9), 2), (slot(9), 9)]), Some([5, 5, 2, 6]));
        assert_eq!(bits(&[(slot(9), 256)]), None, "no byte holds it");
    }
}
