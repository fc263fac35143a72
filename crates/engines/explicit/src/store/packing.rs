//! Stored states: the slots that can differ between stable states, each in as many bits as its
//! type needs, or, once a packing is [fitted](crate::store::adaptive_packing), as the values do that there have been.
//! Slots never straddle two words, so packing and unpacking are a shift and a mask.

use std::sync::{Mutex, MutexGuard, PoisonError};

use model::{Program, VariableKind};

use crate::ir::layout::{Layout, Leaf, size};
use crate::store::{Piece, Shape};

/// A slot of the working state and its place in the stored one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// The slot, or its address, of the unpacked value.
    pub(crate) slot: u16,
    word: u16,
    shift: u8,
    /// One less than the number of bits.
    more: u8,
    /// The least value.
    pub(crate) lo: i64,
}

impl Field {
    /// The bits of a value.
    pub(crate) fn mask(self) -> u64 {
        u64::MAX >> (63 - self.more)
    }

    /// The word of a stored state that it stands in.
    pub(crate) fn word(self) -> usize {
        self.word.into()
    }

    /// Where it begins in its word.
    pub(crate) fn shift(self) -> u32 {
        self.shift.into()
    }

    /// How many bits it has.
    pub(crate) fn bits(self) -> u8 {
        self.more + 1
    }

    /// Whether it holds the same values as another.
    pub(crate) fn is_like(self, other: Field) -> bool {
        (self.lo, self.more) == (other.lo, other.more)
    }

    /// The same with another place for the unpacked value.
    pub(crate) fn unpacked_to(self, slot: u16) -> Self {
        Field { slot, ..self }
    }

    /// The same for values that are locations' codes.
    ///
    /// # Panics
    /// If there are negative ones.
    pub(crate) fn small(self) -> Small {
        Small {
            word: self.word(),
            shift: self.shift.into(),
            mask: self.mask(),
            lo: usize::try_from(self.lo).expect("a location's code"),
        }
    }

    /// The value in a stored state.
    #[inline]
    pub(crate) fn get(self, stored: &[u64]) -> i64 {
        let bits = (stored[usize::from(self.word)] >> self.shift) & self.mask();
        bits.cast_signed().wrapping_add(self.lo)
    }

    /// The bits of a value that it has no room for.
    #[inline]
    fn excess(self, value: i64) -> u64 {
        value.wrapping_sub(self.lo).cast_unsigned() & !self.mask()
    }

    /// Its bits in its word, and what they are where it has a value; nothing if it has no room for that.
    pub(crate) fn placed(self, value: i64) -> Option<(u64, u64)> {
        let bits = value.wrapping_sub(self.lo).cast_unsigned() << self.shift;
        (self.excess(value) == 0).then_some((self.mask() << self.shift, bits))
    }

    /// Adds its bits to a mask.
    pub(crate) fn cover(self, mask: &mut [u64]) {
        mask[usize::from(self.word)] |= self.mask() << self.shift;
    }

    /// Replaces the value in a stored state; gives the bits that there is no room for.
    #[inline]
    pub(crate) fn set(self, stored: &mut [u64], value: i64) -> u64 {
        let word = &mut stored[usize::from(self.word)];
        let bits = value.wrapping_sub(self.lo).cast_unsigned() & self.mask();
        *word = (*word & !(self.mask() << self.shift)) | bits << self.shift;
        self.excess(value)
    }
}

/// A place in a stored state whose values are small and not negative: ready for use as an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Small {
    word: usize,
    shift: u32,
    mask: u64,
    lo: usize,
}

impl Small {
    /// Adds its bits to a mask.
    pub(crate) fn cover(self, mask: &mut [u64]) {
        mask[self.word] |= self.mask << self.shift;
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "values are small")]
    pub(crate) fn get(self, stored: &[u64]) -> usize {
        ((stored[self.word] >> self.shift & self.mask) as usize) + self.lo
    }
}

/// A slot with values that do not fit into its field.
pub(crate) type FieldOverflow = (u16, i64);

/// From working to stored states and back.
#[derive(Debug)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    /// Words of a stored state, at least one.
    pub(crate) words: usize,
    /// A working state with all that is constant in place.
    pub(crate) base: Vec<i64>,
    /// What has not fitted; nothing where everything does that types allow.
    overflow: Option<Mutex<Vec<FieldOverflow>>>,
}

/// A slot, and the values that it is to have room for.
type Sized = (usize, Leaf);

/// Places slots one after the other, each in the first word that has room; in order of their places.
fn place(slots: &[Sized]) -> Vec<Field> {
    let mut used: Vec<u8> = Vec::new();
    let mut fields: Vec<Field> = slots
        .iter()
        .map(|&(slot, leaf)| {
            let word = used
                .iter()
                .position(|&used| used + leaf.bits <= 64)
                .unwrap_or_else(|| {
                    used.push(0);
                    used.len() - 1
                });
            let shift = used[word];
            used[word] += leaf.bits;
            Field {
                slot: u16::try_from(slot).expect("the compiler has checked the size"),
                word: u16::try_from(word).expect("fewer words than slots"),
                shift,
                more: leaf.bits - 1,
                lo: leaf.lo,
            }
        })
        .collect();
    fields.sort_by_key(|field| (field.word, field.shift));
    fields
}

/// Places slots so that states are short.
pub(crate) fn arrange(mut slots: Vec<Sized>) -> Vec<Field> {
    // In the order of the program, what is looked at together lies together; wide ones first
    // may need fewer words.
    let together = place(&slots);
    slots.sort_by_key(|(_, leaf)| std::cmp::Reverse(leaf.bits));
    let dense = place(&slots);
    if halves(&together) <= halves(&dense) {
        together
    } else {
        dense
    }
}

/// Half words of a state with fields in these places, one word at least.
pub(crate) fn halves(fields: &[Field]) -> usize {
    let last = fields.last();
    let end = last.map_or(0, |last| last.shift + last.bits());
    let words = last.map_or(1, |last| last.word() + 1);
    words * 2 - usize::from(end <= 32)
}

impl Packing {
    /// A packing for states that agree with the initial ones wherever nothing is written. Step
    /// variables have the values of the first initial state.
    pub(crate) fn new(program: &Program, layout: &Layout, initial: &[Vec<i64>]) -> Packing {
        let base = initial
            .first()
            .cloned()
            .unwrap_or_else(|| vec![0; layout.len()]);
        let mut kept: Vec<usize> = (0..layout.len())
            .filter(|&slot| layout.leaves[slot].bits > 0)
            .filter(|&slot| {
                layout.kept[slot] || initial.iter().any(|state| state[slot] != base[slot])
            })
            .collect();
        for (global, &first) in program.globals.iter().zip(&layout.globals) {
            if global.kind == VariableKind::Step {
                let end = first + size(program, &global.ty).unwrap_or(0);
                kept.retain(|slot| !(first..end).contains(slot));
            }
        }
        let slots = kept.into_iter().map(|slot| (slot, layout.leaves[slot]));
        Packing::of(arrange(slots.collect()), base, None)
    }

    fn of(
        fields: Vec<Field>,
        base: Vec<i64>,
        overflow: Option<Mutex<Vec<FieldOverflow>>>,
    ) -> Packing {
        Packing {
            words: fields.last().map_or(1, |last| last.word() + 1),
            fields,
            base,
            overflow,
        }
    }

    /// The same slots in other fields, which need not have room for all that types allow.
    pub(crate) fn with_fields(&self, fields: Vec<Field>) -> Packing {
        Packing::of(fields, self.base.clone(), Some(Mutex::default()))
    }

    /// The same.
    pub(crate) fn again(&self) -> Packing {
        Packing::of(self.fields.clone(), self.base.clone(), None)
    }

    /// Whether values may not fit.
    pub(crate) fn is_fitted(&self) -> bool {
        self.overflow.is_some()
    }

    fn overflow(&self) -> Option<MutexGuard<'_, Vec<FieldOverflow>>> {
        let overflow = self.overflow.as_ref()?;
        Some(overflow.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether there has been what does not fit.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflow().is_some_and(|all| !all.is_empty())
    }

    /// What has not fitted since this was last asked for.
    pub(crate) fn take_outgrown(&self) -> Vec<FieldOverflow> {
        self.overflow()
            .map_or(Vec::new(), |mut all| std::mem::take(&mut *all))
    }

    /// Notes what of a working state does not fit.
    #[cold]
    pub(crate) fn outgrow(&self, state: &[i64]) {
        let Some(mut overflow) = self.overflow() else {
            return;
        };
        for field in &self.fields {
            let value = state[usize::from(field.slot)];
            if field.excess(value) != 0 {
                overflow.push((field.slot, value));
            }
        }
    }

    /// What is stored.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// What stored states look like.
    pub(crate) fn shape(&self) -> Shape {
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        let piece = |field: &Field| Piece {
            word: field.word(),
            shift: field.shift.into(),
            bits: u32::from(field.more) + 1,
        };
        fields.sort_by_key(|field| field.slot);
        Shape {
            words: self.words,
            halves: halves(&self.fields),
            pieces: fields.into_iter().map(piece).collect(),
        }
    }

    /// Packs a working state; says whether it fits.
    #[inline]
    pub(crate) fn pack(&self, state: &[i64], out: &mut [u64]) -> bool {
        let mut word = 0;
        let mut bits = 0u64;
        let mut excess = 0;
        for field in &self.fields {
            if field.word != word {
                out[usize::from(word)] = bits;
                word = field.word;
                bits = 0;
            }
            let value = state[usize::from(field.slot)]
                .wrapping_sub(field.lo)
                .cast_unsigned();
            bits |= (value & field.mask()) << field.shift;
            excess |= value & !field.mask();
        }
        out[usize::from(word)] = bits;
        excess == 0 || !self.is_fitted()
    }

    /// Unpacks a stored state.
    pub(crate) fn unpack(&self, stored: &[u64], state: &mut [i64]) {
        state.copy_from_slice(&self.base);
        self.unpack_stored(stored, state);
    }

    /// The same, but for what is not stored.
    pub(crate) fn unpack_stored(&self, stored: &[u64], state: &mut [i64]) {
        for field in &self.fields {
            state[usize::from(field.slot)] = field.get(stored);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ir::capacity::Capacity;
    use crate::store::repacking::Repacking;
    use model::{Mode, Place, Process, Start, Step, Stmt, Type, Variable};
    use source::Span;

    /// A program that writes a variable of each type.
    fn program(types: &[Type]) -> Program {
        let mut program = Program::new("types", "none");
        let mut process = Process::new("p");
        let here = process.add_location("here", Mode::Open, Span::NONE);
        let mut step = Step::new(here, here, Span::NONE);
        for ty in types {
            let id = program.add_global(Variable::new("x", ty.clone()));
            let value = program.exprs.load(Place::global(id), ty.clone());
            step.body.push(Stmt::Assign(Place::global(id), value));
            program.add_global(Variable::new("never written", ty.clone()));
        }
        process.add_step(step);
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        program
    }

    /// Its layout, the state in which all is zero, and the packing by types.
    pub(crate) fn by_types(types: &[Type]) -> (Layout, Vec<i64>, Packing) {
        let program = program(types);
        let layout = Layout::new(&program, &Capacity::new(&program)).unwrap();
        let zeros: Vec<i64> = layout.leaves.iter().map(|leaf| leaf.zero).collect();
        let packing = Packing::new(&program, &layout, std::slice::from_ref(&zeros));
        (layout, zeros, packing)
    }

    #[test]
    fn what_is_packed_comes_back_and_takes_the_bits_of_its_type() {
        let int = |bits, signed| Type::Int { bits, signed };
        let types = [
            Type::Bool,
            int(3, true),
            int(32, false),
            int(64, true),
            Type::Range { lo: -5, hi: 10 },
            Type::Range {
                lo: i64::MIN,
                hi: i64::MAX,
            },
            Type::Range { lo: 7, hi: 7 },
            Type::Mathint,
            Type::Array(Box::new(int(5, true)), 3),
        ];
        let (layout, initial, packing) = by_types(&types);
        // 64 + 64 + 64 bits alone, the rest is 1 + 3 + 32 + 4 + 3 * 5 and 2 for the location.
        assert_eq!(packing.words, 4);
        for pick in 0..4 {
            let mut state = initial.clone();
            for (slot, leaf) in state.iter_mut().zip(&layout.leaves[..layout.changing]) {
                let span = u64::MAX.checked_shr(64 - u32::from(leaf.bits)).unwrap_or(0);
                let offset = [0, span, span / 2, span / 3][pick];
                *slot = leaf.lo.wrapping_add(offset.cast_signed());
            }
            let mut words = vec![0; packing.words];
            packing.pack(&state, &mut words);
            let mut back = vec![0; layout.len()];
            packing.unpack(&words, &mut back);
            assert_eq!(state, back);
        }
    }

    #[test]
    fn what_differs_only_initially_is_kept() {
        let program = program(&[Type::Bool]);
        let layout = Layout::new(&program, &Capacity::new(&program)).unwrap();
        let first = vec![0; layout.len()];
        let never_written = layout.globals[1];
        assert!(never_written >= layout.changing);
        let mut second = first.clone();
        second[never_written] = 1;
        let packing = Packing::new(&program, &layout, &[first, second.clone()]);
        let mut words = vec![0; packing.words];
        packing.pack(&second, &mut words);
        let mut back = vec![0; layout.len()];
        packing.unpack(&words, &mut back);
        assert_eq!(second, back);
    }
    #[test]
    fn what_does_not_fit_is_told_and_what_fits_is_turned() {
        let long = Type::Int {
            bits: 64,
            signed: true,
        };
        let (layout, mut state, whole) = by_types(&[long.clone(), Type::Bool, long]);
        let [a, b, c] = [0, 2, 4].map(|global| layout.globals[global]);
        let narrow = |slot, bits, lo| {
            let leaf = layout.leaves[slot];
            (slot, Leaf { lo, bits, ..leaf })
        };
        let rest = whole.fields.iter().map(|field| usize::from(field.slot));
        let rest = rest.filter(|slot| ![a, c].contains(slot));
        let mut sizes: Vec<Sized> = rest.map(|slot| (slot, layout.leaves[slot])).collect();
        sizes.extend([narrow(a, 4, -8), narrow(c, 10, 1000)]);
        let fitted = whole.with_fields(arrange(sizes));
        assert!(fitted.words == 1 && whole.words == 3);

        (state[a], state[b], state[c]) = (-8, 1, 2023);
        let (mut wide, mut short) = (vec![0; 3], vec![0; 1]);
        assert!(whole.pack(&state, &mut wide) && fitted.pack(&state, &mut short));
        assert_eq!(Repacking::new(&whole, &fitted).turned(&wide), short);
        assert_eq!(Repacking::new(&fitted, &whole).turned(&short), wide);
        let mut back = vec![0; layout.len()];
        fitted.unpack(&short, &mut back);
        assert_eq!(state, back);

        for (slot, value) in [(a, -9), (a, 8), (a, i64::MIN), (c, 999), (c, 2024)] {
            let mut other = state.clone();
            other[slot] = value;
            assert!(whole.pack(&other, &mut wide));
            assert!(!fitted.pack(&other, &mut short), "{value} does not fit");
            assert!(!fitted.has_overflowed());
            fitted.outgrow(&other);
            assert!(fitted.has_overflowed());
            let slot = u16::try_from(slot).unwrap();
            assert_eq!(fitted.take_outgrown(), [(slot, value)]);
        }
    }
}
