//! Sorted states from several places, in order.

use std::io;
use std::sync::Arc;

use model::Pulse;

use crate::disk::files::Room;
use crate::disk::sorted::{Reader, Sorted, Writer};

/// So many files of one size are merged into one.
const FEW: usize = 4;
/// The same for runs, which are merged soon in any case.
const MANY: usize = 64;
/// States between two looks at the budget, at most.
const PULSE: u32 = 1 << 14;
/// States of the smallest size.
const SMALL: u64 = 1 << 6;

/// States in order.
pub(crate) enum Source<'s> {
    /// On disk,
    File(Reader),
    /// or in memory, so many words each.
    Memory(&'s [u64], usize),
}

impl<'s> Source<'s> {
    pub(crate) fn of_memory(states: &'s [u64], words: usize) -> Self {
        Source::Memory(states, words)
    }

    #[inline]
    fn state(&self) -> Option<&[u64]> {
        match self {
            Source::File(reader) => reader.state(),
            Source::Memory(states, words) => states.get(..*words),
        }
    }

    #[inline]
    fn advance(&mut self) -> io::Result<()> {
        match self {
            Source::File(reader) => reader.advance(),
            Source::Memory(states, words) => {
                *states = &states[*words..];
                Ok(())
            }
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Source::File(reader) => reader.bytes(),
            Source::Memory(..) => 0,
        }
    }
}

/// A heap of sources, that with the first state on top. None is at its end.
pub(crate) struct Merge<'s> {
    sources: Vec<Source<'s>>,
}

impl<'s> Merge<'s> {
    pub(crate) fn new(mut sources: Vec<Source<'s>>) -> Self {
        sources.retain(|source| source.state().is_some());
        let mut merge = Merge { sources };
        for place in (0..merge.sources.len() / 2).rev() {
            merge.sink(place);
        }
        merge
    }

    /// Hands each state over once, in order.
    ///
    /// # Errors
    /// If something cannot be read or taken, or there is no time to go on.
    pub(crate) fn each(
        mut self,
        room: &Room<'_>,
        mut take: impl FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut last: Vec<u64> = Vec::new();
        let mut pulse = Pulse::new(PULSE);
        while let Some(state) = self.sources.first().and_then(Source::state) {
            if *last != *state {
                last.clear();
                last.extend_from_slice(state);
                take(&last)?;
                if pulse.beat() {
                    room.check()?;
                }
            }
            self.sources[0].advance()?;
            if self.sources[0].state().is_none() {
                self.sources.swap_remove(0);
            }
            self.sink(0);
        }
        Ok(())
    }

    #[inline]
    fn is_before(&self, one: usize, other: usize) -> bool {
        self.sources[one].state() < self.sources[other].state()
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let mut child = 2 * place + 1;
            if child >= self.sources.len() {
                return;
            }
            if child + 1 < self.sources.len() && self.is_before(child + 1, child) {
                child += 1;
            }
            if !self.is_before(child, place) {
                return;
            }
            self.sources.swap(place, child);
            place = child;
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.sources.iter().map(Source::bytes).sum()
    }
}

/// Files of sorted states, of which those of about the same size are merged when there are several.
#[derive(Debug)]
pub(crate) struct Runs {
    sizes: Vec<Vec<Arc<Sorted>>>,
    by_states: bool,
}

impl Runs {
    /// Files that are as large as they are because of how often they were merged.
    pub(crate) fn of_any_size() -> Self {
        Runs {
            sizes: Vec::new(),
            by_states: false,
        }
    }

    /// Files of all sizes.
    pub(crate) fn by_states() -> Self {
        Runs {
            sizes: Vec::new(),
            by_states: true,
        }
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, file: Arc<Sorted>, room: &Room<'_>) -> io::Result<()> {
        let mut file = file;
        let mut size = 0;
        loop {
            if self.by_states {
                size = (file.len() / SMALL).max(1).ilog(FEW as u64) as usize;
            }
            if self.sizes.len() <= size {
                self.sizes.resize_with(size + 1, Vec::new);
            }
            let most = if self.by_states { FEW } else { MANY };
            let files = &mut self.sizes[size];
            files.push(file);
            if files.len() < most {
                return Ok(());
            }
            file = Arc::new(merged(&std::mem::take(files), room)?);
            size += 1;
        }
    }

    /// All files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Arc<Sorted>> {
        self.sizes.iter().flatten()
    }

    /// Their states.
    pub(crate) fn sources(&self) -> io::Result<Vec<Source<'static>>> {
        self.files()
            .map(|file| Ok(Source::File(Reader::new(Arc::clone(file))?)))
            .collect()
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.files().map(|file| file.bytes()).sum()
    }
}

/// All states of some files, in a new one.
fn merged(files: &[Arc<Sorted>], room: &Room<'_>) -> io::Result<Sorted> {
    let coding = files[0].coding();
    let mut writer = Writer::new(coding, &room.pile()?);
    let sources = files
        .iter()
        .map(|file| Ok(Source::File(Reader::new(Arc::clone(file))?)));
    let merge = Merge::new(sources.collect::<io::Result<_>>()?);
    merge.each(room, |state| writer.push(state))?;
    writer.end()
}

/// Looks states up in several files, in order.
pub(crate) struct Known {
    readers: Vec<Reader>,
}

impl Known {
    pub(crate) fn new(runs: &Runs) -> io::Result<Self> {
        let readers = runs.files().map(|file| Reader::new(Arc::clone(file)));
        Ok(Known {
            readers: readers.collect::<io::Result<_>>()?,
        })
    }

    /// Whether a state is in one of them, which is behind all that were asked for before.
    pub(crate) fn has(&mut self, state: &[u64]) -> io::Result<bool> {
        for reader in &mut self.readers {
            if reader.seek(state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.readers.iter().map(Reader::bytes).sum()
    }
}
