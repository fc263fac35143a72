//! Sorted states on disk.
//!
//! States are compared word by word. A file is a sequence of blocks; in memory is kept where each block is, its first
//! state, and a hash of its bytes, so that no state is read that was not written. In a block a state is written as
//! what tells it from the one before: the first word that differs, by how much it is greater, and the words behind it
//! in as many bytes as they can need. Sorted states share much, so most take two to four bytes.

use std::io;
use std::sync::Arc;

use crate::disk::files::Pile;
use crate::store::hash::FoldHasher;
use crate::store::packing::Packing;

/// Bytes of a block, about.
pub(crate) const BLOCK: usize = 1 << 15;
/// Bytes behind a block, so that words are read whole.
const MARGIN: usize = 8;
/// How long a difference may be, in bytes, and none at all.
const LENGTHS: usize = 9;

/// How states are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Coding {
    /// For each word, the bytes that can differ from zero.
    bytes: Vec<u8>,
    /// Bytes of the number that says where a state differs, and by how long a difference.
    head: usize,
    block: usize,
}

impl Coding {
    /// For states that are packed so; blocks have about so many bytes.
    pub(crate) fn new(packing: &Packing, block: usize) -> Arc<Coding> {
        let mut bits = vec![0; packing.words];
        for field in packing.fields() {
            let end = field.shift() + u32::from(field.bits());
            bits[field.word()] = end.max(bits[field.word()]);
        }
        Coding::of_bits(&bits, block)
    }

    /// For states whose words have so many bits.
    pub(crate) fn of_bits(bits: &[u32], block: usize) -> Arc<Coding> {
        let bytes = bits.iter().map(|bits| bits.div_ceil(8).max(1));
        Arc::new(Coding {
            bytes: bytes
                .map(|bytes| u8::try_from(bytes).expect("eight at most"))
                .collect(),
            head: match bits.len() * LENGTHS {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                _ => 4,
            },
            block,
        })
    }

    pub(crate) fn words(&self) -> usize {
        self.bytes.len()
    }
}

/// A block of a file.
#[derive(Clone, Copy, Debug)]
struct Block {
    place: u64,
    length: u32,
    states: u32,
    hash: u64,
}

/// States in a file, in order, none twice.
#[derive(Debug)]
pub(crate) struct Sorted {
    coding: Arc<Coding>,
    pile: Arc<Pile>,
    blocks: Vec<Block>,
    /// The first state of each block.
    firsts: Vec<u64>,
    states: u64,
}

impl Sorted {
    /// How many states there are.
    pub(crate) fn len(&self) -> u64 {
        self.states
    }

    pub(crate) fn coding(&self) -> &Arc<Coding> {
        &self.coding
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        (self.blocks.capacity() * size_of::<Block>() + self.firsts.capacity() * 8) as u64
    }

    /// The states of a block, one behind the other, in place of what is there.
    pub(crate) fn read(
        &self,
        block: usize,
        bytes: &mut Vec<u8>,
        states: &mut Vec<u64>,
    ) -> io::Result<()> {
        self.load(block, bytes)?;
        states.clear();
        let mut state = vec![0; self.coding.words()];
        let mut at = 0;
        for _ in 0..self.blocks[block].states {
            decode(&self.coding, bytes, &mut at, &mut state)?;
            states.extend_from_slice(&state);
        }
        Ok(())
    }

    /// Reads the bytes of a block, with a margin.
    fn load(&self, number: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let block = self.blocks[number];
        let length = block.length as usize;
        bytes.clear();
        bytes.resize(length + MARGIN, 0);
        self.pile.read(&mut bytes[..length], block.place)?;
        if hash_of(&bytes[..length]) != block.hash {
            return Err(damaged());
        }
        Ok(())
    }

    /// The first state of a block.
    fn first(&self, block: usize) -> &[u64] {
        let words = self.coding.words();
        &self.firsts[block * words..][..words]
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = FoldHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

fn damaged() -> io::Error {
    let what = "a file of the search was changed from outside";
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes states.
pub(crate) struct Writer {
    file: Sorted,
    last: Vec<u64>,
    bytes: Vec<u8>,
    states: u32,
}

impl Writer {
    pub(crate) fn new(coding: &Arc<Coding>, pile: &Arc<Pile>) -> Self {
        Writer {
            last: vec![0; coding.words()],
            bytes: Vec::with_capacity(coding.block + coding.words() * 8 + MARGIN),
            states: 0,
            file: Sorted {
                coding: Arc::clone(coding),
                pile: Arc::clone(pile),
                blocks: Vec::new(),
                firsts: Vec::new(),
                states: 0,
            },
        }
    }

    /// Adds a state, which is behind all others.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64]) -> io::Result<()> {
        if self.bytes.len() >= self.file.coding.block {
            self.end_block()?;
        }
        if self.states == 0 {
            self.last.fill(0);
            self.file.firsts.extend_from_slice(state);
        }
        encode(&self.file.coding, &mut self.bytes, &self.last, state);
        self.last.copy_from_slice(state);
        self.states += 1;
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.states == 0 {
            return Ok(());
        }
        let place = self.file.pile.add(&self.bytes)?;
        self.file.blocks.push(Block {
            place,
            length: u32::try_from(self.bytes.len()).expect("blocks are short"),
            states: self.states,
            hash: hash_of(&self.bytes),
        });
        self.file.states += u64::from(self.states);
        self.states = 0;
        self.bytes.clear();
        Ok(())
    }

    pub(crate) fn end(mut self) -> io::Result<Sorted> {
        self.end_block()?;
        Ok(self.file)
    }
}

#[inline]
fn encode(coding: &Coding, bytes: &mut Vec<u8>, last: &[u64], state: &[u64]) {
    let differs = last.iter().zip(state).position(|(a, b)| a != b);
    let word = differs.unwrap_or(0);
    let more = state[word].wrapping_sub(last[word]);
    let length = (u64::BITS - more.leading_zeros()).div_ceil(8) as usize;
    let head = (word * LENGTHS + length) as u64;
    bytes.extend_from_slice(&head.to_le_bytes()[..coding.head]);
    bytes.extend_from_slice(&more.to_le_bytes()[..length]);
    if differs.is_some() {
        for (word, &length) in state.iter().zip(&coding.bytes).skip(word + 1) {
            bytes.extend_from_slice(&word.to_le_bytes()[..usize::from(length)]);
        }
    }
}

/// Turns a state into the next one.
#[inline]
fn decode(coding: &Coding, bytes: &[u8], at: &mut usize, state: &mut [u64]) -> io::Result<()> {
    let head = number(bytes, *at, coding.head)? as usize;
    *at += coding.head;
    let (word, length) = (head / LENGTHS, head % LENGTHS);
    if word >= state.len() {
        return Err(damaged());
    }
    if length == 0 {
        // The first of all states.
        return Ok(());
    }
    state[word] = state[word].wrapping_add(number(bytes, *at, length)?);
    *at += length;
    for (word, &length) in state.iter_mut().zip(&coding.bytes).skip(word + 1) {
        let length = usize::from(length);
        *word = number(bytes, *at, length)?;
        *at += length;
    }
    Ok(())
}

/// A number of so many bytes, eight at most.
#[inline(always)]
fn number(bytes: &[u8], at: usize, length: usize) -> io::Result<u64> {
    let Some(Ok(word)) = bytes.get(at..at + 8).map(<[u8; 8]>::try_from) else {
        return Err(damaged());
    };
    Ok(u64::from_le_bytes(word) & (u64::MAX >> ((8 - length) * 8)))
}

/// Goes through the states of a file.
pub(crate) struct Reader {
    file: Arc<Sorted>,
    /// The next block.
    next: usize,
    /// How many states of the present block are left.
    left: u32,
    bytes: Vec<u8>,
    at: usize,
    state: Vec<u64>,
    /// Whether there is a present state.
    is_on: bool,
}

impl Reader {
    /// At the first state.
    pub(crate) fn new(file: Arc<Sorted>) -> io::Result<Self> {
        let mut reader = Reader {
            next: 0,
            left: 0,
            bytes: Vec::new(),
            at: 0,
            state: vec![0; file.coding.words()],
            is_on: true,
            file,
        };
        reader.advance()?;
        Ok(reader)
    }

    /// The present state; none behind the last.
    #[inline]
    pub(crate) fn state(&self) -> Option<&[u64]> {
        self.is_on.then_some(&self.state)
    }

    /// To the next state.
    #[inline]
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        if self.left == 0 {
            if self.next >= self.file.blocks() {
                self.is_on = false;
                return Ok(());
            }
            self.go_to(self.next)?;
        }
        self.left -= 1;
        decode(
            &self.file.coding,
            &self.bytes,
            &mut self.at,
            &mut self.state,
        )
    }

    #[cold]
    fn go_to(&mut self, block: usize) -> io::Result<()> {
        self.file.load(block, &mut self.bytes)?;
        self.next = block + 1;
        self.left = self.file.blocks[block].states;
        self.at = 0;
        self.state.fill(0);
        Ok(())
    }

    /// To the first state that is not before this one; says whether it is the same. Blocks in which there is nothing
    /// to be found are passed over.
    #[inline]
    pub(crate) fn seek(&mut self, wanted: &[u64]) -> io::Result<bool> {
        if self.is_on && *self.state < *wanted {
            self.skip(wanted)?;
        }
        Ok(self.is_on && self.state == wanted)
    }

    fn skip(&mut self, wanted: &[u64]) -> io::Result<()> {
        if self.next < self.file.blocks() && self.file.first(self.next) <= wanted {
            // The last block that does not begin behind it, near as a rule.
            let (mut low, mut step) = (self.next, 1);
            while low + step < self.file.blocks() && self.file.first(low + step) <= wanted {
                low += step;
                step *= 2;
            }
            let mut high = (low + step).min(self.file.blocks());
            while high - low > 1 {
                let middle = low.midpoint(high);
                if self.file.first(middle) <= wanted {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            self.go_to(low)?;
            self.advance()?;
        }
        while self.is_on && *self.state < *wanted {
            self.advance()?;
        }
        Ok(())
    }

    /// Bytes in memory, the file's own aside.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bytes.capacity() + self.state.capacity() * 8) as u64
    }
}
