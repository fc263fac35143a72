//! Compression: states as trees of dictionary numbers.
//!
//! A state's bits are cut into parts, each part is interned in a dictionary of its own, and the
//! numbers are paired and interned again until two are left: that pair is the state's key, and all
//! that a row holds (Laarman, van de Pol, Weber: Parallel recursive state compression for free,
//! SPIN 2011; Blom, Lisser, van de Pol, Weber 2009). Parts are cut along variables in the order of
//! the program, so that what belongs to one process lies together and takes few values. A row has
//! as many bytes as the numbers of the moment need; it is laid out anew when a dictionary outgrows
//! its bits.

use super::narrow::Narrow;
use super::{Full, StateId, Store, Worker};

/// Bits of a stored state that stay together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) word: usize,
    pub(crate) shift: u32,
    pub(crate) bits: u32,
}

impl Piece {
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
}

/// How stored states look.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Words of a state.
    pub(crate) words: usize,
    /// Half words: the upper half of the last word may be always zero.
    pub(crate) halves: usize,
    /// All bits that are ever set, in an order in which what belongs together lies together.
    pub(crate) pieces: Vec<Piece>,
}

impl Shape {
    /// States of so many half words of which nothing more is known.
    pub(crate) fn halves(halves: usize) -> Shape {
        let piece = |half: usize| Piece {
            word: half / 2,
            shift: if half.is_multiple_of(2) { 0 } else { 32 },
            bits: 32,
        };
        Shape {
            words: halves.div_ceil(2),
            halves,
            pieces: (0..halves).map(piece).collect(),
        }
    }
}

/// States of at most so many bits are their own keys.
const SHORT: u32 = 40;

/// Cuts the pieces into parts of about equal length, as many as a power of two, each of at most a
/// word.
fn cut(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let total: u32 = pieces.iter().map(|piece| piece.bits).sum();
    if total <= SHORT {
        return vec![pieces.to_vec()];
    }
    let mut count = 2u64;
    loop {
        let mut parts = vec![Vec::new(); usize::try_from(count).expect("few parts")];
        let mut before = 0;
        for &piece in pieces {
            let middle = before + piece.bits / 2;
            let part = (u64::from(middle) * count / u64::from(total)).min(count - 1);
            parts[usize::try_from(part).expect("few parts")].push(piece);
            before += piece.bits;
        }
        let longest = parts
            .iter()
            .map(|part: &Vec<Piece>| part.iter().map(|piece| piece.bits).sum::<u32>())
            .max();
        if longest <= Some(64) {
            return parts;
        }
        count *= 2;
    }
}

/// The dictionaries.
pub(crate) struct Tree {
    /// The parts of a state.
    parts: Vec<Vec<Piece>>,
    /// Those of the parts, then those of pairs, level by level. None if states are their own keys.
    dictionaries: Vec<Store>,
    /// Bits of a key, if states are their own keys.
    bits: u32,
    words: usize,
}

impl Tree {
    pub(crate) fn new(shape: &Shape, workers: usize) -> Tree {
        let parts = cut(&shape.pieces);
        let mut dictionaries = Vec::new();
        if parts.len() > 1 {
            for part in &parts {
                let bits: u32 = part.iter().map(|piece| piece.bits).sum();
                dictionaries.push(Store::dictionary(if bits <= 32 { 1 } else { 2 }, workers));
            }
            let mut level = parts.len() / 2;
            while level > 1 {
                dictionaries.extend((0..level).map(|_| Store::dictionary(2, workers)));
                level /= 2;
            }
        }
        Tree {
            parts,
            dictionaries,
            bits: shape.pieces.iter().map(|piece| piece.bits).sum(),
            words: shape.words,
        }
    }

    /// Gives a worker what it needs to work on the dictionaries.
    pub(crate) fn equip(&self, worker: &mut Worker) {
        let number = worker.number;
        worker
            .parts
            .resize_with(self.dictionaries.len(), || Worker::new(number));
    }

    /// A worker will not be seen again.
    pub(crate) fn give_back(&self, worker: Worker) {
        for (dictionary, part) in self.dictionaries.iter().zip(worker.parts) {
            dictionary.give_back(part);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.dictionaries.iter().map(Store::bytes).sum()
    }

    /// Lets all dictionaries together grow by so many bytes.
    pub(crate) fn set_room(&self, room: u64) {
        for dictionary in &self.dictionaries {
            dictionary.set_limit(dictionary.bytes().saturating_add(room));
        }
    }

    /// The bits that the two halves of keys need now.
    pub(crate) fn needs(&self) -> (u32, u32) {
        match self.dictionaries.as_slice() {
            [] => (self.bits.min(32), self.bits.saturating_sub(32)),
            [.., a, b] => (32 - a.end().leading_zeros(), 32 - b.end().leading_zeros()),
            [_] => unreachable!("parts come in pairs"),
        }
    }

    /// The keys of states, which are interned.
    pub(crate) fn encode(
        &self,
        worker: &mut Worker,
        states: &[u64],
        keys: &mut Vec<u64>,
    ) -> Result<(), Full> {
        let states = states.chunks_exact(self.words);
        if self.dictionaries.is_empty() {
            keys.extend(states.map(|state| gather(&self.parts[0], state)));
            return Ok(());
        }
        let mut columns: Vec<Vec<u64>> = Vec::with_capacity(self.parts.len());
        for (number, part) in self.parts.iter().enumerate() {
            let values: Vec<u64> = states.clone().map(|state| gather(part, state)).collect();
            columns.push(self.intern(number, worker, &values)?);
        }
        let mut next = columns.len();
        while columns.len() > 2 {
            let mut paired = Vec::with_capacity(columns.len() / 2);
            for pair in columns.chunks(2) {
                let values: Vec<u64> = pairs(&pair[0], &pair[1]).collect();
                paired.push(self.intern(next, worker, &values)?);
                next += 1;
            }
            columns = paired;
        }
        keys.extend(pairs(&columns[0], &columns[1]));
        Ok(())
    }

    fn intern(&self, number: usize, worker: &mut Worker, values: &[u64]) -> Result<Vec<u64>, Full> {
        let mut found = Vec::with_capacity(values.len());
        self.dictionaries[number].insert_all(&mut worker.parts[number], values, &mut found)?;
        Ok(found.iter().map(|found| found.id.0.into()).collect())
    }

    /// The state of a key.
    pub(crate) fn decode(&self, key: u64, state: &mut [u64]) {
        state.fill(0);
        if self.dictionaries.is_empty() {
            scatter(&self.parts[0], key, state);
            return;
        }
        // From the root down; each level's dictionaries lie before those of the one above.
        let mut ids = vec![key & 0xffff_ffff, key >> 32];
        let mut end = self.dictionaries.len();
        loop {
            let first = end - ids.len();
            let values: Vec<u64> = (first..)
                .zip(&ids)
                .map(|(number, &id)| {
                    let mut value = [0];
                    let id = u32::try_from(id).expect("half of a key");
                    self.dictionaries[number].read(StateId(id), &mut value);
                    value[0]
                })
                .collect();
            if first == 0 {
                for (part, value) in self.parts.iter().zip(values) {
                    scatter(part, value, state);
                }
                return;
            }
            ids = values
                .into_iter()
                .flat_map(|value| [value & 0xffff_ffff, value >> 32])
                .collect();
            end = first;
        }
    }

    /// A row layout that has room for the keys of now, and what is to spare in its bytes.
    pub(crate) fn layout(&self) -> Narrow {
        let (low, high) = self.needs();
        let bytes = (low + high).div_ceil(8).max(1);
        let spare = bytes * 8 - low - high;
        let more = (spare / 2).min(32 - low);
        Narrow::new(bytes as usize, low + more)
    }

    /// Whether all keys of now have room.
    pub(crate) fn fits(&self, rows: &Narrow) -> bool {
        let (low, high) = self.needs();
        rows.has_room(low, high)
    }
}

fn pairs<'a>(low: &'a [u64], high: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    low.iter().zip(high).map(|(low, high)| low | high << 32)
}

/// The bits of some pieces, one behind the other.
fn gather(pieces: &[Piece], state: &[u64]) -> u64 {
    let mut value = 0;
    let mut at = 0;
    for piece in pieces {
        value |= (state[piece.word] >> piece.shift & piece.mask()) << at;
        at += piece.bits;
    }
    value
}

fn scatter(pieces: &[Piece], value: u64, state: &mut [u64]) {
    let mut at = 0;
    for piece in pieces {
        state[piece.word] |= (value >> at & piece.mask()) << piece.shift;
        at += piece.bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_all_bits_and_come_back() {
        let mut seed = 3u64;
        for words in [1, 2, 3, 5, 9] {
            // Pieces of odd lengths that fill the words.
            let mut pieces = Vec::new();
            for word in 0..words {
                let mut shift = 0;
                while shift < 60 {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let bits = (u32::try_from(seed >> 60).unwrap() + 1).min(60 - shift);
                    pieces.push(Piece { word, shift, bits });
                    shift += bits;
                }
            }
            let shape = Shape {
                words,
                halves: words * 2,
                pieces,
            };
            let parts = cut(&shape.pieces);
            assert_eq!(parts.concat(), shape.pieces);
            let tree = Tree::new(&shape, 1);
            let mut worker = Worker::new(0);
            tree.equip(&mut worker);
            let mut states = Vec::new();
            for _ in 0..500 * words {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                states.push(seed >> 4);
            }
            let mut keys = Vec::new();
            tree.encode(&mut worker, &states, &mut keys).unwrap();
            let mut back = vec![0; words];
            for (state, &key) in states.chunks_exact(words).zip(&keys) {
                tree.decode(key, &mut back);
                assert_eq!(back, state);
            }
            let different: std::collections::HashSet<&u64> = keys.iter().collect();
            assert_eq!(different.len(), 500, "no state comes twice");
        }
    }
}
