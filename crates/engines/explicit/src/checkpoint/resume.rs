//! What a checkpoint holds of a search.

use std::hash::Hasher as _;
use std::io;
use std::ops::Range;

use model::{ChannelId, FaultId, ProcessId, Program};

use crate::checkpoint::file::{CheckpointFile, Reading, Writing, damaged};
use crate::evidence::parent_bits::WorkerParentBits;
use crate::ir::capacity::{CapacityExceeded, ChannelSlot, InstanceSlot};
use crate::search::block::Block;
use crate::search::targets::Found;
use crate::store::hash::FoldHasher;
use crate::store::{StateId, Store, Worker};
use crate::vm::machine::Violation;

/// A search that was interrupted, without its states.
#[derive(Clone, Default, Debug)]
pub(crate) struct Saved {
    pub(crate) parent_bits: Vec<WorkerParentBits>,
    /// What is left of the level.
    pub(crate) rest: Vec<Block>,
    /// What has been found of the next.
    pub(crate) next: Vec<Block>,
    pub(crate) depth: u64,
    pub(crate) transitions: u64,
    pub(crate) found: Vec<Option<Found>>,
    pub(crate) watched: Vec<bool>,
    pub(crate) sampled: bool,
    /// Whether some branch of a macro step was given up.
    pub(crate) gave_up: bool,
}

impl Saved {
    /// Whether it is about so many bad things and so many watched expressions.
    pub(crate) fn fits(&self, bads: usize, watched: usize) -> bool {
        self.found.len() == bads && self.watched.len() == watched
    }
}

/// The hash of what something looks like.
pub(crate) fn fingerprint(what: &impl std::fmt::Debug) -> u64 {
    struct Into(FoldHasher);
    impl std::fmt::Write for Into {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            text.bytes().for_each(|byte| self.0.write_u64(byte.into()));
            Ok(())
        }
    }
    let mut into = Into(FoldHasher::default());
    std::fmt::Write::write_fmt(&mut into, format_args!("{what:?}")).expect("hashing never fails");
    into.0.finish()
}

/// The states of a store, numbered without the holes between them.
pub(crate) struct Dense<'s> {
    store: &'s Store,
    /// The holes, in order, and how many numbers are missing up to the end of each.
    holes: Vec<(Range<u32>, u32)>,
}

impl<'s> Dense<'s> {
    pub(crate) fn new(store: &'s Store) -> Self {
        let mut missing = 0;
        let holes = store.holes().into_iter().map(|hole| {
            missing += hole.end - hole.start;
            (hole, missing)
        });
        Dense {
            holes: holes.collect(),
            store,
        }
    }

    pub(crate) fn number(&self, id: u32) -> u32 {
        let before = self.holes.partition_point(|(hole, _)| hole.end <= id);
        id - before
            .checked_sub(1)
            .map_or(0, |before| self.holes[before].1)
    }

    pub(crate) fn pair(&self, range: &Range<u32>) -> [u64; 2] {
        let start = self.number(range.start);
        [start.into(), (start + (range.end - range.start)).into()]
    }

    /// The numbers that states have in the store, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        let mut start = 0;
        let end = self.store.end();
        let holes = self.holes.iter().map(|(hole, _)| hole.clone());
        holes
            .chain(std::iter::once(end..end))
            .flat_map(move |hole| std::mem::replace(&mut start, hole.end)..hole.start)
    }

    /// Writes the states.
    pub(crate) fn write(&self, to: &mut Writing<'_>) -> io::Result<()> {
        to.words(&[self.store.words() as u64, self.store.len().into()])?;
        let mut start = 0;
        let mut states = Vec::new();
        let last = self.store.end()..self.store.end();
        let holes = self.holes.iter().map(|(hole, _)| hole);
        for hole in holes.chain(std::iter::once(&last)) {
            while start < hole.start {
                let end = start.saturating_add(256).min(hole.start);
                states.clear();
                self.store.read_all(start..end, &mut states);
                to.words(&states)?;
                start = end;
            }
            start = hole.end;
        }
        Ok(())
    }
}

/// Reads states into an empty store; says how many.
pub(crate) fn read_states(
    from: &mut Reading,
    store: &Store,
    inserter: &mut Worker,
) -> io::Result<u32> {
    let (words, count): (usize, u32) = (from.number()?, from.number()?);
    if words != store.words() {
        return Err(damaged());
    }
    let mut inserted = Vec::new();
    let mut states = Vec::new();
    let mut left = count;
    while left > 0 {
        let here = left.min(256);
        states.clear();
        for _ in 0..here as usize * words {
            states.push(from.word()?);
        }
        inserted.clear();
        store
            .insert_all(inserter, &states, &mut inserted)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        left -= here;
    }
    inserter.take_fresh();
    if store.len() != count {
        return Err(damaged());
    }
    Ok(count)
}

/// A range of states, of which there are so many.
pub(crate) fn range_of([start, end]: [u64; 2], count: u32) -> io::Result<Range<u32>> {
    let small = |n| u32::try_from(n).ok().filter(|&n| n <= count);
    match (small(start), small(end)) {
        (Some(start), Some(end)) if start < end => Ok(start..end),
        _ => Err(damaged()),
    }
}

/// Reads a checkpoint up to where the search begins: what there was no room for.
pub(crate) fn begin_reading(
    file: &dyn CheckpointFile,
    program: &Program,
) -> Option<(Reading, Vec<Vec<CapacityExceeded>>)> {
    let mut from = Reading::new(file.open()?.ok()?);
    from.head().ok()?;
    from.rich(&program.rich).ok()?;
    let history = read_exceeded(&mut from).ok()?;
    let known = |exceeded: &CapacityExceeded| match exceeded {
        CapacityExceeded::InstanceSlot(instance_slot) => {
            instance_slot.process.index() < program.processes.len()
        }
        CapacityExceeded::ChannelSlot(channel_slot) => {
            channel_slot.channel.index() < program.channels.len()
        }
    };
    history
        .iter()
        .flatten()
        .all(known)
        .then_some((from, history))
}

/// Writes the search, its states included.
pub(crate) fn write(
    to: &mut Writing<'_>,
    store: &Store,
    saved: &Saved,
    parent_bits: &[&WorkerParentBits],
) -> io::Result<()> {
    let dense = Dense::new(store);
    dense.write(to)?;
    to.word(parent_bits.len() as u64)?;
    for parent_bits in parent_bits {
        parent_bits.write(to, |range| dense.pair(range))?;
    }
    for blocks in [&saved.rest, &saved.next] {
        to.list(blocks.iter().map(|block| dense.pair(&block.ids)))?;
    }
    let left_out = u64::from(saved.sampled) | u64::from(saved.gave_up) << 1;
    to.words(&[saved.depth, saved.transitions, left_out])?;
    to.list(saved.found.iter().map(|found| {
        let number = |id: StateId| u64::from(dense.number(id.0));
        match *found {
            None => [0, 0, 0, 0],
            Some(Found::At(id)) => [1, number(id), 0, 0],
            Some(Found::Outcome(id, outcome)) => [2, number(id), outcome as u64, 0],
            Some(Found::Violation(id, violation)) => {
                let (kind, of, site) = match violation {
                    Violation::Check(check, site) => (0, check, site),
                    Violation::Fault(fault, site) => (1, fault.0, site),
                    Violation::Divergence => (2, 0, 0),
                };
                [3, number(id), u64::from(site) << 2 | kind, of.into()]
            }
        }
    }))?;
    to.list(saved.watched.iter().map(|&seen| [u64::from(seen)]))
}

/// Reads a search; the states go into the store.
pub(crate) fn read(from: &mut Reading, store: &Store, inserter: &mut Worker) -> io::Result<Saved> {
    let count = read_states(from, store, inserter)?;
    let range = |pair| range_of(pair, count);
    let mut saved = Saved::default();
    for _ in 0..from.word()? {
        saved
            .parent_bits
            .push(WorkerParentBits::read(from, &range)?);
    }
    for blocks in [&mut saved.rest, &mut saved.next] {
        for pair in from.list()? {
            blocks.push(Block::new(range(pair)?));
        }
    }
    saved.depth = from.word()?;
    saved.transitions = from.word()?;
    let left_out = from.word()?;
    (saved.sampled, saved.gave_up) = (left_out & 1 != 0, left_out & 2 != 0);
    for [kind, id, a, b] in from.list()? {
        let small = |n: u64| u32::try_from(n).map_err(|_| damaged());
        let id = StateId(small(id)?);
        if id.0 >= count {
            return Err(damaged());
        }
        let site = a >> 2;
        saved
            .found
            .push(match (kind, if kind == 3 { a & 3 } else { a }) {
                (0, _) => None,
                (1, _) => Some(Found::At(id)),
                (2, outcome) => Some(Found::Outcome(id, small(outcome)? as usize)),
                (3, 0) => {
                    let violation = Violation::Check(small(b)?, small(site)?);
                    Some(Found::Violation(id, violation))
                }
                (3, 1) => {
                    let violation = Violation::Fault(FaultId(small(b)?), small(site)?);
                    Some(Found::Violation(id, violation))
                }
                (3, 2) => Some(Found::Violation(id, Violation::Divergence)),
                _ => return Err(damaged()),
            });
    }
    saved.watched = from.list()?.into_iter().map(|[seen]| seen != 0).collect();
    Ok(saved)
}

/// Writes what there was no room for, each time.
pub(crate) fn write_exceeded(
    to: &mut Writing<'_>,
    history: &[Vec<CapacityExceeded>],
) -> io::Result<()> {
    to.word(history.len() as u64)?;
    for exceeded in history {
        to.word(exceeded.len() as u64)?;
        for exceeded in exceeded {
            match exceeded {
                CapacityExceeded::InstanceSlot(instance_slot) => {
                    to.words(&[
                        0,
                        instance_slot.number as u64,
                        instance_slot.process.0.into(),
                    ])?;
                    to.list(
                        instance_slot
                            .key
                            .iter()
                            .map(|value| [value.cast_unsigned()]),
                    )?;
                }
                CapacityExceeded::ChannelSlot(channel_slot) => {
                    let owner = channel_slot.owner.map_or(0, |owner| owner as u64 + 1);
                    to.words(&[
                        1,
                        channel_slot.place as u64,
                        channel_slot.channel.0.into(),
                        owner,
                    ])?;
                }
            }
        }
    }
    Ok(())
}

/// Reads what there was no room for.
pub(crate) fn read_exceeded(from: &mut Reading) -> io::Result<Vec<Vec<CapacityExceeded>>> {
    let mut history = Vec::new();
    for _ in 0..from.word()? {
        let mut exceeded = Vec::new();
        for _ in 0..from.word()? {
            exceeded.push(match from.word()? {
                0 => CapacityExceeded::InstanceSlot(InstanceSlot {
                    number: from.number()?,
                    process: ProcessId(from.number()?),
                    key: from
                        .list()?
                        .into_iter()
                        .map(|[value]| value.cast_signed())
                        .collect(),
                }),
                1 => CapacityExceeded::ChannelSlot(ChannelSlot {
                    place: from.number()?,
                    channel: ChannelId(from.number()?),
                    owner: from.number::<usize>()?.checked_sub(1),
                }),
                _ => return Err(damaged()),
            });
        }
        history.push(exceeded);
    }
    Ok(history)
}
