//! Checkpoints: a search written to a file, and gone on with.
//!
//! A file is a sequence of 64-bit words, the lowest byte first. It begins with a mark, a version
//! and a *label* that says what is being verified, and ends with a hash of all before, so that
//! nothing is made of a file that is damaged or somebody else's. Then come the interned values, and
//! the search: its fingerprint, the states in the order of their numbers (without the holes
//! between them), who found whom, what is still to be expanded and what has been found. Whoever
//! has the file sees to it that it is replaced at once or not at all.

use std::fmt::Debug;
use std::hash::Hasher as _;
use std::io::{self, Read, Write};

use model::{Pointer, ProcedureId, Rich, RichId, RichTable, Value};

use crate::store::hash::FoldHasher;

/// "Probity\n".
const MARK: u64 = u64::from_le_bytes(*b"Probity\n");
/// Raised when the format changes.
const VERSION: u64 = 2;
/// Values nested deeper than this are not read.
const DEEPEST: u32 = 64;

/// A file for checkpoints, and perhaps one to go on from.
pub trait CheckpointFile: Debug + Send + Sync {
    /// What is being verified, and how: a file with another label is of no use.
    fn label(&self) -> u64;

    /// Whether it is time to write.
    fn is_due(&self) -> bool;

    /// Replaces the file by what is written, at once or not at all. Whoever has the file says
    /// what went wrong.
    fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);

    /// The file to go on from, if there is one, from its beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self) -> Option<io::Result<Box<dyn Read>>>;

    /// The file as it was last replaced, from its beginning; nothing if it has not been.
    ///
    /// # Errors
    /// If it cannot be read.
    fn written(&self) -> Option<io::Result<Box<dyn Read>>> {
        None
    }
}

/// Why a checkpoint is of no use.
#[derive(Debug)]
pub enum CheckpointError {
    /// It cannot be read.
    Io(io::Error),
    /// It is no checkpoint, or one of another version.
    NoCheckpoint,
    /// It was cut short or changed.
    Damaged,
    /// It is about something else.
    Foreign,
}

impl std::fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckpointError::Io(error) => write!(f, "read the checkpoint: {error}"),
            CheckpointError::NoCheckpoint => {
                write!(f, "find a checkpoint of this version in the file")
            }
            CheckpointError::Damaged => write!(f, "use the checkpoint: the file is damaged"),
            CheckpointError::Foreign => write!(
                f,
                "use the checkpoint: it is about another file, other properties or other options"
            ),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        CheckpointError::Io(error)
    }
}

/// Looks whether there is a checkpoint that can be gone on from, and makes the numbers of its
/// interned values known to the program's table. True if there is one; false if none was asked
/// for.
///
/// # Errors
/// If it is of no use.
pub fn restore(file: &dyn CheckpointFile, rich: &RichTable) -> Result<bool, CheckpointError> {
    let Some(reader) = file.open() else {
        return Ok(false);
    };
    check(reader?, file.label())?;
    let Some(reader) = file.open() else {
        return Ok(false);
    };
    let mut from = Reading::new(reader?);
    let damaged = |_| CheckpointError::Damaged;
    from.head().map_err(damaged)?;
    from.rich(rich).map_err(damaged)?;
    Ok(true)
}

/// Checks a whole file; the hash that it ends with.
pub(crate) fn check(reader: Box<dyn Read>, label: u64) -> Result<u64, CheckpointError> {
    let mut reader = io::BufReader::with_capacity(1 << 20, reader);
    let mut hasher = FoldHasher::default();
    let mut bytes = [0; 8];
    let mut last: Option<u64> = None;
    for place in 0.. {
        let mut got = 0;
        while got < 8 {
            match reader.read(&mut bytes[got..]) {
                Ok(0) => break,
                Ok(more) => got += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        let word = u64::from_le_bytes(bytes);
        match (place, got) {
            (0 | 1, 0..8) => return Err(CheckpointError::NoCheckpoint),
            (_, 0) => break,
            (_, 1..8) => return Err(CheckpointError::Damaged),
            (0, _) if word != MARK => return Err(CheckpointError::NoCheckpoint),
            (1, _) if word != VERSION => return Err(CheckpointError::NoCheckpoint),
            (2, _) if word != label => return Err(CheckpointError::Foreign),
            _ => {}
        }
        if let Some(last) = last.replace(word) {
            hasher.write_u64(last);
        }
    }
    let hash = hasher.finish();
    if last == Some(hash) {
        Ok(hash)
    } else {
        Err(CheckpointError::Damaged)
    }
}

/// Writes words.
pub(crate) struct Writing<'w> {
    out: io::BufWriter<&'w mut dyn Write>,
    hasher: FoldHasher,
}

impl<'w> Writing<'w> {
    /// Begins a file.
    pub(crate) fn new(out: &'w mut dyn Write, label: u64) -> io::Result<Self> {
        let mut to = Writing {
            out: io::BufWriter::with_capacity(1 << 20, out),
            hasher: FoldHasher::default(),
        };
        to.words(&[MARK, VERSION, label])?;
        Ok(to)
    }

    pub(crate) fn word(&mut self, word: u64) -> io::Result<()> {
        self.hasher.write_u64(word);
        self.out.write_all(&word.to_le_bytes())
    }

    pub(crate) fn words(&mut self, words: &[u64]) -> io::Result<()> {
        words.iter().try_for_each(|&word| self.word(word))
    }

    /// A number of things, and the words of each.
    pub(crate) fn list<const N: usize>(
        &mut self,
        items: impl ExactSizeIterator<Item = [u64; N]>,
    ) -> io::Result<()> {
        self.word(items.len() as u64)?;
        for item in items {
            self.words(&item)?;
        }
        Ok(())
    }

    /// The hash with which the file would end here.
    pub(crate) fn hash(&self) -> u64 {
        self.hasher.finish()
    }

    /// Ends the file.
    pub(crate) fn end(mut self) -> io::Result<()> {
        let hash = self.hasher.finish();
        self.out.write_all(&hash.to_le_bytes())?;
        self.out.flush()
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.word(text.len() as u64)?;
        for part in text.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(bytes))?;
        }
        Ok(())
    }

    /// All interned values, in the order of their numbers.
    pub(crate) fn rich(&mut self, table: &RichTable) -> io::Result<()> {
        let count = table.len();
        self.word(count as u64)?;
        for number in 0..count {
            let id = RichId(u32::try_from(number).expect("ids are numbers of 32 bits"));
            match &*table.get(id) {
                Rich::Text(text) => {
                    self.word(0)?;
                    self.text(text)?;
                }
                Rich::Float(bits) => self.words(&[1, *bits])?,
                Rich::Term { functor, args } => {
                    self.word(2)?;
                    self.text(functor)?;
                    self.word(args.len() as u64)?;
                    for arg in args {
                        self.value(arg)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> io::Result<()> {
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let halves = |number: i128| [number as u64, (number >> 64) as u64];
        match value {
            Value::Bool(truth) => self.words(&[0, u64::from(*truth)]),
            Value::Int(number) => {
                self.word(1)?;
                self.words(&halves(*number))
            }
            Value::Rich(id) => self.words(&[2, id.0.into()]),
            Value::Pointer(Pointer::Null) => self.word(3),
            Value::Pointer(Pointer::Dangling) => self.word(4),
            Value::Pointer(Pointer::Cell { object, offset }) => {
                self.words(&[5, (*object).into(), (*offset).into()])
            }
            Value::Procedure(id) => self.words(&[6, id.0.into()]),
            Value::Tuple(items) => {
                self.words(&[7, items.len() as u64])?;
                items.iter().try_for_each(|item| self.value(item))
            }
        }
    }
}

/// Reads words.
pub(crate) struct Reading {
    reader: io::BufReader<Box<dyn Read>>,
}

pub(crate) fn damaged() -> io::Error {
    io::Error::other("the checkpoint says what cannot be")
}

impl Reading {
    pub(crate) fn new(reader: Box<dyn Read>) -> Self {
        Reading {
            reader: io::BufReader::with_capacity(1 << 20, reader),
        }
    }

    /// The beginning of the file, which has been checked.
    pub(crate) fn head(&mut self) -> io::Result<()> {
        for _ in 0..3 {
            self.word()?;
        }
        Ok(())
    }

    pub(crate) fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.reader.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number that fits.
    pub(crate) fn number<T: TryFrom<u64>>(&mut self) -> io::Result<T> {
        T::try_from(self.word()?).map_err(|_| damaged())
    }

    pub(crate) fn array<const N: usize>(&mut self) -> io::Result<[u64; N]> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.word()?;
        }
        Ok(words)
    }

    /// Words as [`Writing::list`] wrote them.
    pub(crate) fn list<const N: usize>(&mut self) -> io::Result<Vec<[u64; N]>> {
        let count = self.word()?;
        (0..count).map(|_| self.array()).collect()
    }

    fn text(&mut self) -> io::Result<String> {
        let length: usize = self.number()?;
        let mut bytes = Vec::new();
        while bytes.len() < length {
            bytes.extend_from_slice(&self.word()?.to_le_bytes());
        }
        bytes.truncate(length);
        String::from_utf8(bytes).map_err(|_| damaged())
    }

    /// Makes interned values known under their numbers.
    pub(crate) fn rich(&mut self, table: &RichTable) -> io::Result<()> {
        let count: u32 = self.number()?;
        for number in 0..count {
            let rich = match self.word()? {
                0 => Rich::Text(self.text()?.into()),
                1 => Rich::Float(self.word()?),
                2 => {
                    let functor = self.text()?.into();
                    let length = self.word()?;
                    let args: io::Result<Vec<Value>> =
                        (0..length).map(|_| self.value(DEEPEST)).collect();
                    Rich::Term {
                        functor,
                        args: args?.into(),
                    }
                }
                _ => return Err(damaged()),
            };
            if table.intern(rich) != RichId(number) {
                return Err(damaged());
            }
        }
        Ok(())
    }

    fn value(&mut self, depth: u32) -> io::Result<Value> {
        let depth = depth.checked_sub(1).ok_or_else(damaged)?;
        Ok(match self.word()? {
            0 => Value::Bool(self.word()? != 0),
            1 => {
                let [low, high] = self.array()?;
                Value::Int((u128::from(low) | u128::from(high) << 64).cast_signed())
            }
            2 => Value::Rich(RichId(self.number()?)),
            3 => Value::Pointer(Pointer::Null),
            4 => Value::Pointer(Pointer::Dangling),
            5 => Value::Pointer(Pointer::Cell {
                object: self.number()?,
                offset: self.number()?,
            }),
            6 => Value::Procedure(ProcedureId(self.number()?)),
            7 => {
                let length = self.word()?;
                let items: io::Result<Vec<Value>> =
                    (0..length).map(|_| self.value(depth)).collect();
                Value::Tuple(items?.into())
            }
            _ => return Err(damaged()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Debug, Default)]
    struct InMemory(u64, Arc<Mutex<Vec<u8>>>);

    impl CheckpointFile for InMemory {
        fn label(&self) -> u64 {
            self.0
        }

        fn is_due(&self) -> bool {
            false
        }

        fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
            let mut bytes = Vec::new();
            write(&mut bytes).unwrap();
            *self.1.lock().unwrap() = bytes;
        }

        fn open(&self) -> Option<io::Result<Box<dyn Read>>> {
            let bytes = self.1.lock().unwrap().clone();
            Some(Ok(Box::new(io::Cursor::new(bytes))))
        }
    }

    #[test]
    fn interned_values_come_back_and_damage_is_noticed() {
        let table = RichTable::default();
        let a = table.text("a text that is longer than a word");
        let f = table.float(-1.5);
        let list = Value::Tuple(vec![a, Value::Int(-7), Value::Bool(true)].into());
        table.term("list", vec![f, list, Value::Pointer(Pointer::Null)]);
        let mut file = InMemory(7, Arc::default());
        file.replace(&mut |out| {
            let mut to = Writing::new(out, 7)?;
            to.rich(&table)?;
            to.end()
        });
        let other = RichTable::default();
        assert!(restore(&file, &other).unwrap());
        assert_eq!(other.len(), table.len());
        for number in 0..u32::try_from(table.len()).unwrap() {
            assert_eq!(other.get(RichId(number)), table.get(RichId(number)));
        }
        // Other values have the numbers already.
        let taken = RichTable::default();
        taken.text("another text");
        assert!(matches!(
            restore(&file, &taken),
            Err(CheckpointError::Damaged)
        ));
        file.0 = 8;
        assert!(matches!(
            restore(&file, &other),
            Err(CheckpointError::Foreign)
        ));
        file.0 = 7;
        let good = file.1.lock().unwrap().clone();
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 4;
            *file.1.lock().unwrap() = bad;
            assert!(restore(&file, &RichTable::default()).is_err());
            *file.1.lock().unwrap() = good[..place].to_vec();
            assert!(restore(&file, &RichTable::default()).is_err());
        }
    }
}
