//! The store of states: finds or adds, from several threads at once.
//!
//! Rows lie in an arena that is never moved; a compact index maps hashes to row numbers. Each
//! worker takes runs of consecutive rows and writes new states there before it publishes them in
//! the index, so that row numbers are the states' numbers, nearly dense (with one worker: dense,
//! in the order of discovery). States come in batches: what a look at the index needs is asked for
//! when a state joins a batch, the rows that may hold it when the batch is full, and it is looked
//! up when the next one is, so that memory latency passes while other work is done. Workers hold
//! the store shared for one batch; growing takes it alone.
//!
//! What rows hold depends on the storage: the states, keys of compressed states, hashes, or next
//! to nothing.

pub(crate) mod adaptive_packing;
mod arena;
mod batch;
mod bitstate;
pub(crate) mod column;
mod filling;
mod grow;
pub(crate) mod hash;
mod index;
mod insertion;
mod narrow;
pub(crate) mod packing;
mod pages;
pub(crate) mod prefetch;
mod probe4;
pub(crate) mod repacking;
pub(crate) use prefetch::prefetch;
mod rewrite_rows;
mod rows;
mod state_id;
mod tree;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;
use crossbeam_utils::sync::{ShardedLock, ShardedLockReadGuard};

use self::bitstate::Bits;
use self::filling::Filling;
use self::index::Index;
use self::narrow::Narrow;
use self::rows::{Rows, Wide};
use self::tree::Tree;
use crate::Storage;
use crate::ir::state_width::{Any, with_width};
use crate::store::hash::hash;

pub(crate) use self::batch::{BATCH, Batch};
pub(crate) use self::state_id::{Full, Inserted, StateId};
pub(crate) use self::tree::{Piece, Shape};

/// The capacity that an index begins with.
const SMALL: u64 = 1 << 13;
/// The rows of the shortest and the longest run that a worker takes.
const RUNS: Range<u32> = 16..1024;
/// Bytes of bits for bitstate hashing where no limit is set.
const BITS: u64 = 1 << 31;

/// The store.
pub(crate) struct Store {
    inner: ShardedLock<Inner>,
    /// Whether workers claim entries of the index, since several of them add states.
    claims: AtomicBool,
    shape: Shape,
    storage: Storage,
    /// The first row that has not been handed out.
    next: AtomicU32,
    /// Runs that were handed out and given back.
    spare: Mutex<Vec<Range<u32>>>,
    /// What is left of each worker's run, between its batches.
    left: Vec<CachePadded<AtomicU64>>,
    /// Bytes that may be used.
    limit: AtomicU64,
}

/// What only growing changes.
struct Inner {
    form: Form,
    index: Index,
    /// What is to be entered into it before it is looked at.
    filling: Filling,
    /// How many indexes there were before.
    generation: u64,
    /// Rows that there is room for.
    room: u32,
    /// Whether compression has been found not to pay.
    incompressible: bool,
}

/// What rows hold.
enum Form {
    /// States.
    Plain(Wide),
    /// Keys of compressed states.
    Tree(Tree, Narrow),
    /// Hashes.
    Hashes(Wide),
    /// A byte of the hash, for finding runs again; the index is not used.
    Bits(Bits, Narrow),
}

impl Form {
    fn bytes(&self) -> u64 {
        match self {
            Form::Plain(rows) => rows.arena.bytes(),
            Form::Tree(tree, rows) => tree.bytes() + rows.arena.bytes(),
            Form::Hashes(rows) => rows.arena.bytes(),
            Form::Bits(bits, rows) => bits.bytes() + rows.arena.bytes(),
        }
    }

    /// How many rows there is room for, the bytes that they take, and those of the next segment.
    fn rows(&self) -> (u64, u64, u64) {
        fn of<C: arena::Cell>(arena: &arena::Arena<C>) -> (u64, u64, u64) {
            (arena.rows(), arena.bytes(), arena.next_bytes())
        }
        match self {
            Form::Plain(rows) => of(&rows.arena),
            Form::Tree(_, rows) | Form::Bits(_, rows) => of(&rows.arena),
            Form::Hashes(rows) => of(&rows.arena),
        }
    }

    /// Makes room for another segment of rows.
    fn extend(&mut self) -> bool {
        match self {
            Form::Plain(rows) => rows.arena.extend(),
            Form::Tree(_, rows) | Form::Bits(_, rows) => rows.arena.extend(),
            Form::Hashes(rows) => rows.arena.extend(),
        }
    }
}

/// The right to add states to a store, for one thread.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    number: usize,
    run: Range<u32>,
    /// The rows filled since they were last asked for, in order.
    fresh: Vec<Range<u32>>,
    /// Those of the dictionaries, if states are compressed.
    parts: Vec<Worker>,
    /// For states that come all at once.
    batch: Batch,
}

fn packed(run: &Range<u32>) -> u64 {
    u64::from(run.start) << 32 | u64::from(run.end)
}

#[expect(clippy::cast_possible_truncation, reason = "the two halves")]
fn unpacked(run: u64) -> Range<u32> {
    (run >> 32) as u32..run as u32
}

impl Store {
    /// An empty store for states of this shape, and its workers.
    pub(crate) fn new(shape: &Shape, storage: Storage, workers: usize) -> (Store, Vec<Worker>) {
        let storage = match storage {
            Storage::Disk => Storage::Auto,
            other => other,
        };
        let form = match storage {
            Storage::Auto | Storage::Plain | Storage::Disk => Form::Plain(Wide::new(shape.halves)),
            Storage::Compressed => {
                let tree = Tree::new(shape, workers);
                let rows = tree.layout();
                Form::Tree(tree, rows)
            }
            Storage::HashCompact => Form::Hashes(Wide::new(2)),
            Storage::Bitstate => Form::Bits(Bits::default(), Narrow::new(1, 8)),
        };
        let index = Index::new(SMALL).expect("there is memory for an empty store");
        let store = Store {
            inner: ShardedLock::new(Inner {
                form,
                index,
                filling: Filling::default(),
                generation: 0,
                room: 0,
                incompressible: false,
            }),
            claims: AtomicBool::new(workers > 1),
            shape: shape.clone(),
            storage,
            next: AtomicU32::new(0),
            spare: Mutex::default(),
            left: (0..workers).map(|_| CachePadded::default()).collect(),
            limit: AtomicU64::new(u64::MAX),
        };
        (store, (0..workers).map(Worker::new).collect())
    }

    /// A dictionary of values of so many half words.
    fn dictionary(halves: usize, workers: usize) -> Store {
        Store::new(&Shape::halves(halves), Storage::Plain, workers).0
    }

    /// A store for nothing.
    pub(crate) fn empty() -> Store {
        Store::dictionary(1, 0)
    }

    /// Says how many bytes may be used.
    pub(crate) fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// So many workers are going to add states: to be said while nobody adds any. It holds until it is
    /// said again. A claim is a locked instruction (Laarman, van de Pol, Weber: *Boosting multi-core
    /// reachability performance with shared hash tables*, FMCAD 2010), which one worker does without.
    pub(crate) fn prepare_for(&self, workers: usize) {
        self.claims.store(workers > 1, Ordering::Relaxed);
    }

    /// Words of a state.
    pub(crate) fn words(&self) -> usize {
        self.shape.words
    }

    /// Whether states can be read back, and none is taken for another.
    pub(crate) fn is_exact(&self) -> bool {
        !matches!(self.storage, Storage::HashCompact | Storage::Bitstate)
    }

    /// Whether it tells the numbers of states that it knows.
    pub(crate) fn is_numbered(&self) -> bool {
        self.storage != Storage::Bitstate
    }

    /// How states are stored now.
    pub(crate) fn storage(&self) -> Storage {
        match &self.read_lock().form {
            Form::Plain(_) => Storage::Plain,
            Form::Tree(..) => Storage::Compressed,
            Form::Hashes(_) => Storage::HashCompact,
            Form::Bits(..) => Storage::Bitstate,
        }
    }

    /// Where states are lost, others are lost than with another seed. Nothing has been added yet.
    pub(crate) fn lose_others(&mut self, seed: u64) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Form::Bits(bits, _) = &mut inner.form {
            *bits = Bits::seeded(seed);
        }
    }

    /// How many states have probably been taken for others.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn omitted(&self) -> f64 {
        let states = f64::from(self.len());
        match &self.read_lock().form {
            Form::Plain(_) | Form::Tree(..) => 0.0,
            Form::Hashes(_) => states * states / 2.0 / (u64::MAX as f64),
            Form::Bits(bits, _) => bits.omitted(self.len().into()),
        }
    }

    /// Numbers of states are below this.
    pub(crate) fn end(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    /// How many states there are; exact while no worker adds any.
    pub(crate) fn len(&self) -> u32 {
        let holes: u32 = self.holes().iter().map(|hole| hole.end - hole.start).sum();
        self.end().saturating_sub(holes)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.read_lock().bytes()
    }

    /// Bytes of a stored state, the index aside.
    pub(crate) fn state_bytes(&self) -> u64 {
        let (rows, bytes, _) = self.read_lock().form.rows();
        bytes.checked_div(rows).unwrap_or(0)
    }

    /// Copies a state.
    ///
    /// # Panics
    /// If the storage is not exact.
    pub(crate) fn read(&self, id: StateId, state: &mut [u64]) {
        self.read_lock().form.read(id.0, state);
    }

    /// Appends the states with these numbers.
    ///
    /// # Panics
    /// If the storage is not exact.
    pub(crate) fn read_all(&self, ids: Range<u32>, states: &mut Vec<u64>) {
        let inner = self.read_lock();
        if let Form::Plain(rows) = &inner.form {
            let start = states.len();
            states.resize(start + ids.len() * self.shape.words, 0);
            with_width!(rows.halves(), halves => {
                rows.rows(halves).read_all(ids.start, &mut states[start..]);
            });
            return;
        }
        for row in ids {
            let start = states.len();
            states.resize(start + self.shape.words, 0);
            inner.form.read(row, &mut states[start..]);
        }
    }

    /// Whether a state may be the one with this number; for exact storage, whether it is.
    pub(crate) fn may_be(&self, id: StateId, state: &[u64]) -> bool {
        let inner = self.read_lock();
        match &inner.form {
            Form::Plain(rows) => rows.rows(Any(rows.halves())).same(id.0, state),
            Form::Tree(..) => {
                let mut other = vec![0; state.len()];
                inner.form.read(id.0, &mut other);
                other == state
            }
            Form::Hashes(rows) => rows.hashes().same(id.0, &[hash(state)]),
            Form::Bits(_, rows) => rows.same(id.0, &[hash(state) & 0xff]),
        }
    }

    /// A worker will not be seen again: what is left of its run is for others.
    pub(crate) fn give_back(&self, worker: Worker) {
        self.left[worker.number].store(0, Ordering::Relaxed);
        if !worker.run.is_empty() {
            self.spare
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(worker.run);
        }
        if let Form::Tree(tree, _) = &self.read_lock().form {
            let number = worker.number;
            tree.give_back(Worker {
                parts: worker.parts,
                ..Worker::new(number)
            });
        }
    }

    /// Locks the store for looking at the index.
    fn index_lock(&self) -> ShardedLockReadGuard<'_, Inner> {
        let inner = self.read_lock();
        if !inner.filling.is_done() {
            inner.fill(self.left.len() == 1);
        }
        inner
    }

    fn read_lock(&self) -> ShardedLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows that have been handed out and are not filled, in order.
    pub(crate) fn holes(&self) -> Vec<Range<u32>> {
        let mut holes = self
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        holes.extend(
            self.left
                .iter()
                .map(|left| unpacked(left.load(Ordering::Relaxed))),
        );
        holes.retain(|hole| !hole.is_empty());
        holes.sort_unstable_by_key(|hole| hole.start);
        holes
    }
}

impl Inner {
    fn bytes(&self) -> u64 {
        self.form.bytes() + self.index.bytes()
    }
}

impl Form {
    fn read(&self, row: u32, state: &mut [u64]) {
        match self {
            Form::Plain(rows) => rows.rows(Any(rows.halves())).read(row, state),
            Form::Tree(tree, rows) => {
                let mut key = [0];
                rows.read(row, &mut key);
                tree.decode(key[0], state);
            }
            Form::Hashes(_) | Form::Bits(..) => {
                unreachable!("states are not read where only hashes are stored")
            }
        }
    }
}

impl Worker {
    fn new(number: usize) -> Worker {
        Worker {
            number,
            run: 0..0,
            fresh: Vec::new(),
            parts: Vec::new(),
            batch: Batch::default(),
        }
    }

    /// Which of the store's workers it is.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The rows of its run below this one have been filled.
    fn fill_to(&mut self, row: u32) {
        let start = std::mem::replace(&mut self.run.start, row);
        self.filled(start..row);
    }

    /// Rows have been filled.
    #[inline]
    fn filled(&mut self, rows: Range<u32>) {
        match self.fresh.last_mut() {
            _ if rows.is_empty() => {}
            Some(last) if last.end == rows.start => last.end = rows.end,
            _ => self.fresh.push(rows),
        }
    }

    /// The states added since this was last asked for, in the order in which they were.
    pub(crate) fn take_fresh(&mut self) -> Vec<Range<u32>> {
        std::mem::take(&mut self.fresh)
    }
}

#[cfg(test)]
mod tests;
