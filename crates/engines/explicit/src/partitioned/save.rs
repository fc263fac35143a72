//! A search by several processes, written down at the end of a level.
//!
//! Each process writes the states that it has come to own since it wrote last, level by level, each with
//! from where it was reached first: a *segment*, a file of its own that is never changed. When all have, process 0
//! writes the *manifest*: which level is the last whole one, what had been found by then, and which segments
//! there are, with the hash of each. Only what a whole manifest names counts, so a process may be lost at any
//! time. The files have the format of other [checkpoints](crate::checkpoint::file).
//!
//! Whoever goes on reads all segments, level by level, and keeps what is its own: with another number of
//! processes states have other owners, and numbers. As all go through the states in the same order, all
//! know the new number of each; they need remember those of one level only.

use std::io::{self, Read, Write};

use crate::checkpoint::file::{CheckpointError, Reading, Writing, check, damaged};
use crate::partitioned::owned::{MOST, Owned, Place};
use crate::partitioned::owners::Owners;
use crate::partitioned::parcel::Garbled;
use crate::partitioned::summary::Summary;
use crate::partitioned::widening::ROUNDS;
use crate::store::packing::FieldOverflow;

/// Where the processes of a cluster keep what they have found. All of them see the same files.
pub trait Vault: Sync {
    /// What is being verified, and how: files with another label are of no use.
    fn label(&self) -> u64;

    /// Whether it is time to write. Process 0 is asked.
    fn is_due(&self) -> bool;

    /// Whether there may be files to go on from.
    fn resumes(&self) -> bool;

    /// Replaces a file by what is written, at once or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    fn replace(
        &self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// A file from its beginning.
    ///
    /// # Errors
    /// If it cannot be read; [`NotFound`](io::ErrorKind::NotFound) if there is none.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read>>;
}

/// A segment that a manifest names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    /// The last level in it.
    pub(crate) level: u64,
    pub(crate) process: usize,
    /// The hash of its contents.
    pub(crate) hash: u64,
}

/// What a whole level is known by.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Manifest {
    /// How many processes wrote it.
    pub(crate) owners: usize,
    /// The level that comes next.
    pub(crate) level: u64,
    /// What did not fit each time that states were packed anew.
    pub(crate) rounds: Vec<Vec<FieldOverflow>>,
    /// What all had found.
    pub(crate) whole: Summary,
    pub(crate) segments: Vec<Segment>,
}

/// The files of one search.
#[derive(Clone, Copy)]
pub(crate) struct Files<'v> {
    pub(crate) vault: &'v dyn Vault,
    /// Which search it is.
    pub(crate) fingerprint: u64,
    /// How many bad things are looked for, and expressions watched.
    pub(crate) sizes: (usize, usize),
}

impl Files<'_> {
    fn manifest(self) -> String {
        format!("{:016x}.manifest", self.fingerprint)
    }

    /// A segment of states that have been packed anew so many times.
    fn segment(self, rounds: usize, level: u64, process: usize) -> String {
        let fingerprint = self.fingerprint;
        format!("{fingerprint:016x}.{rounds}.{level}.{process}")
    }

    /// Says that there is nothing to go on from.
    pub(crate) fn begin_anew(self) -> io::Result<()> {
        match self.vault.open(&self.manifest()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            _ => self.vault.replace(&self.manifest(), &mut |_| Ok(())),
        }
    }

    /// Writes the states of these levels; the hash of the segment.
    pub(crate) fn save(
        self,
        owned: &mut Owned,
        (first, last): (u64, u64),
        (process, rounds): (usize, usize),
    ) -> io::Result<u64> {
        let full = |_| io::Error::from(io::ErrorKind::OutOfMemory);
        let mut levels = Vec::new();
        for level in first..=last {
            levels.push(owned.level(level).map_err(full)?);
        }
        let owned = &*owned;
        let mut hash = 0;
        self.vault
            .replace(&self.segment(rounds, last, process), &mut |out| {
                let mut to = Writing::new(out, self.vault.label())?;
                to.words(&[self.fingerprint, process as u64, first, last])?;
                to.word(owned.store.words() as u64)?;
                let mut states = Vec::new();
                for ids in &levels {
                    to.word((ids.end - ids.start).into())?;
                    for start in ids.clone().step_by(256) {
                        let block = start..ids.end.min(start.saturating_add(256));
                        states.clear();
                        owned.store.read_all(block.clone(), &mut states);
                        for (id, state) in block.zip(states.chunks_exact(owned.store.words())) {
                            to.word(owned.parent(id).word())?;
                            to.words(state)?;
                        }
                    }
                }
                hash = to.hash();
                to.end()
            })?;
        Ok(hash)
    }

    /// Writes the manifest.
    pub(crate) fn complete(self, manifest: &Manifest) -> io::Result<()> {
        self.vault.replace(&self.manifest(), &mut |out| {
            let mut to = Writing::new(out, self.vault.label())?;
            to.words(&[self.fingerprint, manifest.owners as u64, manifest.level])?;
            to.word(manifest.rounds.len() as u64)?;
            for round in &manifest.rounds {
                let words = round.iter();
                to.list(words.map(|&(slot, value)| [slot.into(), value.cast_unsigned()]))?;
            }
            let mut whole = Vec::new();
            manifest.whole.write(&mut whole);
            // A text, which need not be a number of words.
            to.word(whole.len() as u64)?;
            for bytes in whole.chunks(8) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                to.word(u64::from_le_bytes(word))?;
            }
            let segments = manifest.segments.iter();
            to.list(segments.map(|it| [it.level, it.process as u64, it.hash]))?;
            to.end()
        })
    }

    /// The manifest, if there is one that is about this search.
    ///
    /// # Errors
    /// If it is damaged.
    pub(crate) fn known(self) -> Result<Option<Manifest>, CheckpointError> {
        let name = self.manifest();
        let open = || self.vault.open(&name);
        match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
            Ok(mut file) => {
                // One that says that there is nothing.
                if file.read(&mut [0])? == 0 {
                    return Ok(None);
                }
            }
        }
        check(open()?, self.vault.label())?;
        let mut from = Reading::new(open()?);
        let read = self.read_manifest(&mut from);
        read.map(Some).map_err(|_| CheckpointError::Damaged)
    }

    fn read_manifest(self, from: &mut Reading) -> io::Result<Manifest> {
        from.head()?;
        if from.word()? != self.fingerprint {
            return Err(damaged());
        }
        let owners: usize = from.number()?;
        let level = from.word()?;
        let count: usize = from.number()?;
        if count > ROUNDS {
            return Err(damaged());
        }
        let mut rounds = Vec::new();
        for _ in 0..count {
            let round = from.list()?.into_iter();
            let round = round.map(|[slot, value]| {
                let slot = u16::try_from(slot).map_err(|_| damaged())?;
                Ok((slot, value.cast_signed()))
            });
            rounds.push(round.collect::<io::Result<_>>()?);
        }
        let length: usize = from.number()?;
        let mut whole = Vec::new();
        while whole.len() < length {
            whole.extend_from_slice(&from.word()?.to_le_bytes());
        }
        whole.truncate(length);
        let whole = Summary::read(&whole, self.sizes).map_err(|Garbled| damaged())?;
        let mut segments = Vec::new();
        for [level, process, hash] in from.list()? {
            let process = usize::try_from(process).map_err(|_| damaged())?;
            if process >= owners {
                return Err(damaged());
            }
            segments.push(Segment {
                level,
                process,
                hash,
            });
        }
        match owners <= MOST {
            true => Ok(Manifest {
                owners,
                level,
                rounds,
                whole,
                segments,
            }),
            false => Err(damaged()),
        }
    }

    /// Reads the states that a manifest names, and keeps those of this process among so many. The places of
    /// what had been found are those that they have now.
    ///
    /// # Errors
    /// If a segment is missing or damaged, or there is no memory.
    pub(crate) fn load(
        self,
        manifest: &mut Manifest,
        owned: &mut Owned,
        (me, owners): (usize, &mut Owners),
    ) -> Result<(), CheckpointError> {
        let count = owners.count;
        let mut loading = Loading {
            me,
            owners,
            next: vec![0; count],
            before: vec![(0, Vec::new()); manifest.owners],
            begun: vec![0; manifest.owners],
        };
        let mut level = 0;
        let mut at = 0;
        while at < manifest.segments.len() {
            let last = manifest.segments[at].level;
            let count = manifest.owners.min(manifest.segments.len() - at);
            let group = &manifest.segments[at..at + count];
            let whole = group.iter().enumerate();
            if count < manifest.owners
                || !whole
                    .clone()
                    .all(|(number, it)| it.process == number && it.level == last)
            {
                return Err(CheckpointError::Damaged);
            }
            let mut readers = Vec::new();
            for segment in group {
                let rounds = manifest.rounds.len();
                let words = owned.store.words();
                readers.push(self.segment_from(segment, rounds, (level, words))?);
            }
            while level <= last {
                let is_full = loading
                    .level(level, &mut readers, owned, &mut manifest.whole)
                    .map_err(|error| match error.kind() {
                        io::ErrorKind::OutOfMemory => CheckpointError::Io(error),
                        _ => CheckpointError::Damaged,
                    });
                is_full?;
                level += 1;
            }
            at += count;
        }
        match level == manifest.level + 1 {
            true => Ok(()),
            false => Err(CheckpointError::Damaged),
        }
    }

    /// A segment that begins with this level, checked.
    fn segment_from(
        self,
        segment: &Segment,
        rounds: usize,
        (first, words): (u64, usize),
    ) -> Result<Reading, CheckpointError> {
        let name = self.segment(rounds, segment.level, segment.process);
        let hash = check(self.vault.open(&name)?, self.vault.label())?;
        let mut from = Reading::new(self.vault.open(&name)?);
        from.head()?;
        let head: [u64; 5] = from.array()?;
        let process = segment.process as u64;
        let expected = [
            self.fingerprint,
            process,
            first,
            segment.level,
            words as u64,
        ];
        match hash == segment.hash && head == expected {
            true => Ok(from),
            false => Err(CheckpointError::Damaged),
        }
    }
}

/// How far reading is.
struct Loading<'o> {
    me: usize,
    owners: &'o mut Owners,
    /// The number that the next state of each owner gets.
    next: Vec<u32>,
    /// For each process that wrote, where its states of the level before began, and their places now.
    before: Vec<(u32, Vec<Place>)>,
    /// For each process that wrote, how many of its states have been read.
    begun: Vec<u32>,
}

impl Loading<'_> {
    /// Reads the states of a level.
    fn level(
        &mut self,
        level: u64,
        readers: &mut [Reading],
        owned: &mut Owned,
        whole: &mut Summary,
    ) -> io::Result<()> {
        let full = |_| io::Error::from(io::ErrorKind::OutOfMemory);
        owned.enter(level).map_err(full)?;
        let mut places = Vec::new();
        let mut state = vec![0; owned.store.words()];
        for (process, from) in readers.iter_mut().enumerate() {
            let count: u32 = from.number()?;
            let first = self.begun[process];
            let mut now = Vec::new();
            for _ in 0..count {
                let parent = Place::from_word(from.word()?).map_err(|Garbled| damaged())?;
                for word in &mut state {
                    *word = from.word()?;
                }
                let parent = self.moved(parent).ok_or_else(damaged)?;
                let to = self.owners.of(&state);
                let place = Place {
                    owner: u16::try_from(to).map_err(|_| damaged())?,
                    id: self.next[to],
                };
                self.next[to] = self.next[to].checked_add(1).ok_or_else(damaged)?;
                now.push(place);
                if to == self.me {
                    let added = owned.add(state.len(), parent, |it| it.copy_from_slice(&state));
                    added.map_err(full)?;
                }
            }
            self.begun[process] = first.checked_add(count).ok_or_else(damaged)?;
            places.push((first, now));
        }
        owned.flush().map_err(full)?;
        if owned.len() != self.next[self.me] {
            return Err(damaged());
        }
        self.before = places;
        // What was seen of bad things was seen at states of some level.
        for found in whole.found.iter_mut().flatten() {
            if found.state_level() == level {
                found.place = self.moved(found.place).ok_or_else(damaged)?;
            }
        }
        Ok(())
    }

    /// Where a state of the level that was read last is now.
    fn moved(&self, place: Place) -> Option<Place> {
        if place.id == Place::NOWHERE.id {
            return Some(Place::NOWHERE);
        }
        let (first, places) = self.before.get(usize::from(place.owner))?;
        let at = place.id.checked_sub(*first)?;
        places.get(at as usize).copied()
    }
}
