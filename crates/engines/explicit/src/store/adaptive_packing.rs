//! Fitting: states are stored in the bits that the values need that there have been.
//!
//! Types allow far more than what programs make of them: a byte that counts to three takes eight
//! bits of each state. A search begins with [packing](crate::store::packing) by types. Once it has found
//! two thousand states, each slot gets as many bits as its values there need, and the bits
//! that are left over in the last half word are given to those slots that will need them first.
//! The stored states are [packed anew](crate::store::repacking), and the search goes on where it was. A
//! value that does not fit is noted and the expansion given up; states are fitted again, with room
//! for it. Nothing is lost, so nothing rests on what has been guessed. Where that comes again
//! before the states are twice as many, all slots soon get more bits than their values have needed,
//! and twice as many more each time: it does not come again often.

use crate::ir::layout::{Layout, Leaf};
use crate::store::Store;
use crate::store::packing::{Field, FieldOverflow, Packing, arrange, halves};

/// Up to so many states, packing them anew costs next to nothing.
const DEAR: u32 = 1 << 14;
/// Bits that are tried to be given away.
const TRIES: usize = 256;

/// For each slot that is stored, in order, bounds of the values that there have been.
#[derive(Default)]
struct Seen(Vec<(u16, i64, i64)>);

impl Seen {
    /// The least and the greatest values in stored states, which are not many.
    fn exactly(packing: &Packing, store: &Store) -> Seen {
        let mut seen = Seen::nothing(packing);
        store.for_each(|stored| seen.add_state(packing, stored));
        seen.in_order()
    }

    /// No values, in the order of the fields.
    fn nothing(packing: &Packing) -> Seen {
        let fields = packing.fields().iter();
        Seen(
            fields
                .map(|field| (field.slot, i64::MAX, i64::MIN))
                .collect(),
        )
    }

    /// Adds the values of a stored state, while they are in the order of the fields.
    fn add_state(&mut self, packing: &Packing, stored: &[u64]) {
        for ((_, least, most), field) in self.0.iter_mut().zip(packing.fields()) {
            let value = field.get(stored);
            *least = (*least).min(value);
            *most = (*most).max(value);
        }
    }

    /// In the order of the slots.
    fn in_order(mut self) -> Seen {
        self.0.sort_unstable_by_key(|(slot, ..)| *slot);
        self
    }

    /// Adds what is in stored states, as far as bits tell that are set in any of them.
    fn add(&mut self, packing: &Packing, store: &Store) {
        let mut any = vec![0; packing.words];
        store.for_each(|stored| {
            for (any, word) in any.iter_mut().zip(stored) {
                *any |= word;
            }
        });
        for field in packing.fields() {
            let Ok(place) = self.0.binary_search_by_key(&field.slot, |(slot, ..)| *slot) else {
                continue;
            };
            let (_, least, most) = &mut self.0[place];
            let above = |value: i64| value.wrapping_sub(field.lo).cast_unsigned();
            let unused = above(field.get(&any)).leading_zeros();
            *least = field.lo;
            if unused < above(*most).leading_zeros() {
                *most = field.lo.wrapping_add((u64::MAX >> unused).cast_signed());
            }
        }
    }

    /// Adds a value.
    fn add_value(&mut self, (slot, value): FieldOverflow) {
        if let Ok(place) = self.0.binary_search_by_key(&slot, |(slot, ..)| *slot) {
            let (_, least, most) = &mut self.0[place];
            *least = (*least).min(value);
            *most = (*most).max(value);
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

/// When states are fitted, and to what.
pub(crate) struct AdaptivePacking {
    /// If they have not been yet, at how many that is to be.
    waits: Option<u32>,
    /// How many there were when they were fitted last.
    before: u32,
    seen: Seen,
    /// What has not fitted.
    overflow: Vec<FieldOverflow>,
    /// How often they were fitted when they were dear and not many more than the time before.
    again: u8,
}

impl AdaptivePacking {
    /// From so many states on, or never.
    pub(crate) fn new(from: Option<u32>) -> AdaptivePacking {
        AdaptivePacking {
            waits: from,
            before: 0,
            seen: Seen::default(),
            overflow: Vec::new(),
            again: 0,
        }
    }

    /// Once, before a search begins: who has no value left gets one.
    pub(crate) fn beforehand() -> AdaptivePacking {
        AdaptivePacking {
            again: 2,
            ..AdaptivePacking::new(Some(0))
        }
    }

    /// What has not fitted will find room next time.
    pub(crate) fn note(&mut self, packing: &Packing) {
        self.overflow.extend(packing.take_outgrown());
    }

    /// How states are to be packed from now on, if not as they are now. With those stored nothing
    /// is done meanwhile.
    pub(crate) fn fit(
        &mut self,
        now: &Packing,
        (whole, layout): (&Packing, &Layout),
        store: &Store,
    ) -> Option<Packing> {
        if !now.has_overflowed() {
            self.waits.take_if(|from| store.len() >= *from)?;
        }
        self.note(now);
        let states = store.len();
        if now.is_fitted() {
            self.seen.add(now, store);
            let again = states > DEAR && states < self.before.saturating_mul(2);
            self.again += u8::from(again);
        } else {
            self.seen = Seen::exactly(now, store);
        }
        self.before = states;
        for &overflow in &self.overflow {
            self.seen.add_value(overflow);
        }
        match self.fields(whole, layout) {
            Some(fields) => Some(whole.with_fields(fields)),
            None => now.is_fitted().then(|| whole.again()),
        }
    }

    /// Fields with room for what has been seen, and more, if states get shorter than by types.
    fn fields(&self, whole: &Packing, layout: &Layout) -> Option<Vec<Field>> {
        let is_allowed =
            |&(slot, value): &FieldOverflow| layout.leaves[usize::from(slot)].holds(value);
        if !self.overflow.iter().all(is_allowed) {
            return None;
        }
        let mut claims = Vec::new();
        // In the order of the slots, as by types.
        for &(slot, least, most) in &self.seen.0 {
            let leaf = layout.leaves[usize::from(slot)];
            let mut claim = Claim::new(slot.into(), leaf, (least, most));
            // What has not fitted once will not fit again.
            let overflow = self.overflow.iter().any(|(other, _)| *other == slot);
            let slack = match self.again {
                0 | 1 => 0,
                2 => u8::from(claim.tight),
                more => 1 << (more - 3).min(6),
            };
            (0..slack + u8::from(overflow)).for_each(|_| claim.widen());
            claims.push(claim);
        }
        shared_out(claims, halves(whole.fields()))
    }
}

/// A packing with room for whatever another one holds and for these values, which it does not hold; each
/// slot gets more bits if that has been needed several times `before`. By types if that takes no more.
pub(crate) fn widened(
    now: &Packing,
    overflow: &[FieldOverflow],
    (whole, layout): (&Packing, &Layout),
    before: usize,
) -> Packing {
    let most = |field: &Field| field.lo.wrapping_add(field.mask().cast_signed());
    let fields = now.fields().iter();
    let mut seen = Seen(fields.map(|it| (it.slot, it.lo, most(it))).collect());
    seen.0.sort_unstable_by_key(|(slot, ..)| *slot);
    for &value in overflow {
        seen.add_value(value);
    }
    let claims = seen.0.iter().map(|&(slot, least, most)| {
        let leaf = layout.leaves[usize::from(slot)];
        let mut claim = Claim::new(slot.into(), leaf, (least, most));
        let has_outgrown = overflow.iter().any(|(other, _)| *other == slot);
        (0..before + usize::from(has_outgrown)).for_each(|_| claim.widen());
        claim
    });
    match shared_out(claims.collect(), halves(whole.fields())) {
        Some(fields) => whole.with_fields(fields),
        None => whole.again(),
    }
}

/// A packing for states whose values are those of these states, with some more room; nothing if by types they are as
/// short. `each` goes through them.
///
/// # Errors
/// If it cannot.
pub(crate) fn closely<E>(
    whole: &Packing,
    layout: &Layout,
    each: impl FnOnce(&mut dyn FnMut(&[u64])) -> Result<(), E>,
) -> Result<Option<Packing>, E> {
    let mut seen = Seen::nothing(whole);
    each(&mut |stored| seen.add_state(whole, stored))?;
    let fitting = AdaptivePacking {
        seen: seen.in_order(),
        ..AdaptivePacking::beforehand()
    };
    let fields = fitting.fields(whole, layout);
    Ok(fields.map(|fields| whole.with_fields(fields)))
}

/// Fields for these, and what is left over given away, if that takes fewer half words than this.
fn shared_out(mut claims: Vec<Claim>, most: usize) -> Option<Vec<Field>> {
    let mut fields = fields_for(&claims);
    let length = halves(&fields);
    if length >= most {
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
    use crate::Storage;
    use crate::store::packing::tests::by_types;
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
        let (layout, zeros, whole) = by_types(&vec![byte; 10]);
        let slot = |number: usize| u16::try_from(layout.globals[2 * number]).unwrap();
        let states = [0, 1, 15].map(|value| {
            let mut state = zeros.clone();
            for number in 0..10 {
                state[usize::from(slot(number))] = if number < 2 { value } else { value.min(1) };
            }
            state
        });
        let store = stored(&whole, &states);
        let bits = |overflow: &[FieldOverflow], again| {
            let mut fitting = AdaptivePacking::new(None);
            fitting.seen = Seen::exactly(&whole, &store);
            for &overflow in overflow {
                fitting.seen.add_value(overflow);
            }
            fitting.overflow.extend_from_slice(overflow);
            fitting.again = again;
            let fields = fitting.fields(&whole, &layout)?;
            let bits = |number| fields.iter().find(|field| field.slot == slot(number));
            let bits = [0, 1, 2, 9].map(|number| bits(number).unwrap().bits());
            Some((halves(&fields), bits))
        };
        // Two bytes need four bits, eight need one: each gets one more, and then the first ones.
        assert_eq!(bits(&[], 0), Some((1, [5, 5, 3, 2])));
        assert_eq!(bits(&[(slot(0), 77)], 0), Some((1, [8, 5, 3, 2])));
        let more = [(slot(9), 2), (slot(9), 9)];
        assert_eq!(bits(&more, 0), Some((1, [5, 5, 2, 6])));
        assert_eq!(bits(&[(slot(9), 256)], 0), None, "no byte holds it");
        // Whoever has no value left, or everybody, gets bits beside.
        assert_eq!(bits(&more, 2), Some((1, [5, 5, 3, 5])));
        assert_eq!(bits(&[], 4), Some((2, [8, 8, 6, 5])));
        assert_eq!(bits(&[], 6), None, "types need no more");

        // With states that are fitted, bits tell about how large values are.
        let mut sizes = vec![(usize::from(slot(0)), 8, 0), (usize::from(slot(1)), 4, 10)];
        sizes.extend((2..10).map(|number| (usize::from(slot(number)), 1, 0)));
        let sized = |(slot, bits, lo)| (slot, Leaf { lo, bits, zero: 0 });
        let short = whole.with_fields(arrange(sizes.into_iter().map(sized).collect()));
        let mut states = [states[0].clone(), states[0].clone()];
        for (state, values) in states.iter_mut().zip([[65, 10], [20, 12]]) {
            state[usize::from(slot(0))] = values[0];
            state[usize::from(slot(1))] = values[1];
        }
        let mut seen = Seen(vec![(slot(0), 4, 30), (slot(1), 11, 14), (slot(2), 1, 1)]);
        seen.add(&short, &stored(&short, &states));
        let expected = [(slot(0), 0, 127), (slot(1), 10, 14), (slot(2), 0, 1)];
        assert_eq!(seen.0, expected);
    }

    #[test]
    fn a_wider_packing_holds_what_the_one_before_does() {
        let types: Vec<Type> = (0..40)
            .map(|number| Type::Int {
                bits: [8, 16, 32][number % 3],
                signed: number % 2 == 0,
            })
            .collect();
        let (layout, zeros, whole) = by_types(&types);
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let (mut rounds, mut by_type) = (0, 0);
        for _ in 0..50 {
            let mut sizes = Vec::new();
            for field in whole.fields() {
                let leaf = layout.leaves[usize::from(field.slot)];
                let bits = u8::try_from(1 + random(4)).unwrap().min(leaf.bits);
                let from_least = bits == leaf.bits || random(2) == 0;
                let lo = if from_least { leaf.lo } else { 0 };
                sizes.push((field.slot.into(), Leaf { lo, bits, ..leaf }));
            }
            let mut now = whole.with_fields(arrange(sizes));
            for before in 0.. {
                // Each field at its least and at its greatest, all at once.
                let ends = [0, u64::MAX].map(|bits| {
                    let mut state = zeros.clone();
                    now.unpack(&vec![bits; now.words], &mut state);
                    state
                });
                let field = now.fields()[random(now.fields().len())];
                let leaf = layout.leaves[usize::from(field.slot)];
                let far = leaf
                    .lo
                    .wrapping_add(((1_u64 << leaf.bits) - 1).cast_signed());
                let overflow = [(field.slot, if random(2) == 0 { leaf.lo } else { far })];
                let wider = widened(&now, &overflow, (&whole, &layout), before);
                for mut state in ends {
                    let mut words = vec![0; wider.words];
                    assert!(wider.pack(&state, &mut words), "{before}");
                    let mut back = zeros.clone();
                    wider.unpack(&words, &mut back);
                    assert_eq!(back, state);
                    state[usize::from(field.slot)] = overflow[0].1;
                    assert!(wider.pack(&state, &mut words), "{before}");
                }
                rounds += 1;
                if !wider.is_fitted() {
                    by_type += 1;
                    break;
                }
                now = wider;
            }
        }
        assert!(by_type == 50 && rounds > 200, "{rounds}");
    }

    #[test]
    fn states_are_packed_anew_a_few_times_however_often_values_do_not_fit() {
        let short = Type::Int {
            bits: 16,
            signed: false,
        };
        let (layout, zeros, whole) = by_types(&vec![short; 64]);
        let slots: Vec<usize> = layout.globals.iter().step_by(2).copied().collect();
        let mut fitting = AdaptivePacking::new(Some(1000));
        let mut packing = whole.again();
        let mut states: Vec<Vec<i64>> = Vec::new();
        let (mut overflow, mut packed, mut dear) = (0, 0, 0);
        while states.len() < 100_000 {
            // Each value is zero until late, when the last one was not.
            let number = states.len();
            let mut state = zeros.clone();
            state[slots[0]] = i64::try_from(number % 100).unwrap();
            state[slots[1]] = i64::try_from(number / 100).unwrap();
            let late = number.saturating_sub(20_000) / 1000;
            if late > 0 && late < 62 {
                state[slots[1 + late]] = 1000;
            }
            let mut words = vec![0; packing.words];
            if !packing.pack(&state, &mut words) {
                packing.outgrow(&state);
                overflow += 1;
            }
            let due = states.len() == 1000 || packing.has_overflowed();
            if due
                && let store = stored(&packing, &states)
                && let Some(anew) = fitting.fit(&packing, (&whole, &layout), &store)
            {
                packing = anew;
                packed += states.len();
                dear += usize::from(states.len() > 1 << 14);
            }
            states.push(state);
        }
        // All of them fit in the end, and did each time.
        drop(stored(&packing, &states));
        assert!(overflow > 3, "{overflow}");
        assert!((4..10).contains(&dear), "{dear}");
        assert!(packed < 5 * states.len(), "{packed}");
    }

    fn stored(packing: &Packing, states: &[Vec<i64>]) -> Store {
        let (store, mut workers) = Store::new(&packing.shape(), Storage::Plain, 1);
        let mut words = vec![0; packing.words];
        for state in states {
            assert!(packing.pack(state, &mut words));
            store
                .insert_all(&mut workers[0], &words, &mut Vec::new())
                .unwrap();
        }
        store
    }
}
