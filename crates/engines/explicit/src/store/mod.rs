//! The store of states: finds or adds, from several threads at once.
//!
//! Rows lie in an arena that is never moved; a compact index maps hashes to row numbers. Each
//! worker takes runs of consecutive rows and writes new states there before it publishes them in
//! the index, so that row numbers are the states' numbers, nearly dense (with one worker: dense,
//! in the order of discovery). States come in batches: first all index entries of a batch are
//! asked for, then all rows that may be the ones, then each is decided, so that the memory accesses
//! of a batch overlap. Workers hold the store shared for one batch; growing takes it alone.

mod arena;
mod index;
mod prefetch;
mod rows;

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use self::index::{Index, Probe, capacity_for, most_rows};
use self::prefetch::prefetch_address;
use self::rows::{Rows, Wide};
use crate::hash::hash;

/// The number of a stored state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateId(pub(crate) u32);

impl StateId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What became of a state: its number, and whether it is new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inserted {
    pub(crate) id: StateId,
    pub(crate) new: bool,
}

/// There is no memory for more states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Full;

/// States that are looked up together.
pub(crate) const BATCH: usize = 64;
/// The capacity that an index begins with.
const SMALL: u64 = 1 << 12;
/// The rows of the shortest and the longest run that a worker takes.
const RUNS: Range<u32> = 16..1024;

/// The store.
pub(crate) struct Store {
    inner: RwLock<Inner>,
    /// The first row that has not been handed out.
    next: AtomicU32,
    /// Runs that were handed out and given back.
    spare: Mutex<Vec<Range<u32>>>,
    /// What is left of each worker's run, between its batches.
    left: Vec<AtomicU64>,
    /// Bytes that may be used.
    limit: AtomicU64,
    /// Words of a state.
    words: usize,
    /// Where the index lies, and its capacity, for asking for entries without holding the store:
    /// what is out of date does no harm.
    hint: AtomicUsize,
    hint_capacity: AtomicU64,
}

/// States that are to be looked up together.
#[derive(Clone, Default, Debug)]
pub(crate) struct Batch {
    states: Vec<u64>,
    hashes: Vec<u64>,
}

impl Batch {
    /// How many states there are in it.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// All its states, one behind the other.
    #[inline]
    pub(crate) fn states(&self) -> &[u64] {
        &self.states
    }

    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
    }
}

/// What only growing changes.
struct Inner {
    rows: Wide,
    index: Index,
    /// Rows that there is room for.
    room: u32,
}

/// The right to add states to a store, for one thread.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    number: usize,
    run: Range<u32>,
    /// The rows filled since they were last asked for, in order.
    fresh: Vec<Range<u32>>,
}

fn packed(run: &Range<u32>) -> u64 {
    u64::from(run.start) << 32 | u64::from(run.end)
}

#[expect(clippy::cast_possible_truncation, reason = "the two halves")]
fn unpacked(run: u64) -> Range<u32> {
    (run >> 32) as u32..run as u32
}

impl Store {
    /// An empty store for states of so many half words, and its workers.
    pub(crate) fn new(halves: usize, workers: usize) -> (Store, Vec<Worker>) {
        let index = Index::new(SMALL).expect("there is memory for an empty store");
        let store = Store {
            inner: RwLock::new(Inner {
                rows: Wide::new(halves),
                index,
                room: 0,
            }),
            next: AtomicU32::new(0),
            spare: Mutex::default(),
            left: (0..workers).map(|_| AtomicU64::new(0)).collect(),
            limit: AtomicU64::new(u64::MAX),
            words: halves.div_ceil(2),
            hint: AtomicUsize::new(0),
            hint_capacity: AtomicU64::new(0),
        };
        let workers = (0..workers)
            .map(|number| Worker {
                number,
                run: 0..0,
                fresh: Vec::new(),
            })
            .collect();
        (store, workers)
    }

    /// Says how many bytes may be used.
    pub(crate) fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
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
        let inner = self.read_lock();
        inner.rows.arena.bytes() + inner.index.bytes()
    }

    /// Bytes of a stored state.
    pub(crate) fn state_bytes(&self) -> u64 {
        self.read_lock().rows.arena.width() as u64 * 4
    }

    /// Copies a state.
    pub(crate) fn read(&self, id: StateId, state: &mut [u64]) {
        self.read_lock().rows.read(id.0, state);
    }

    /// Appends the states with these numbers.
    pub(crate) fn read_all(&self, ids: Range<u32>, states: &mut Vec<u64>) {
        let inner = self.read_lock();
        let width = inner.rows.words();
        for row in ids {
            let start = states.len();
            states.resize(start + width, 0);
            inner.rows.read(row, &mut states[start..]);
        }
    }

    fn read_lock(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows that have been handed out and are not filled, in order.
    fn holes(&self) -> Vec<Range<u32>> {
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

    /// Adds a state to a batch, and asks for what a look at the index will need.
    #[inline]
    pub(crate) fn push(&self, batch: &mut Batch, state: &[u64]) {
        let hash = hash(state);
        batch.states.extend_from_slice(state);
        batch.hashes.push(hash);
        let capacity = self.hint_capacity.load(Ordering::Relaxed);
        let offset = ((u128::from(hash) * u128::from(capacity)) >> 64) * 4;
        let offset = offset as usize;
        prefetch_address(self.hint.load(Ordering::Relaxed).wrapping_add(offset));
    }

    /// Asks for the rows that may hold the states of a batch.
    pub(crate) fn prepare(&self, batch: &Batch) {
        let inner = self.read_lock();
        let index = &inner.index;
        for &hash in &batch.hashes {
            let mut place = index.place(hash);
            loop {
                match index.look(place, hash) {
                    Probe::Empty => break,
                    Probe::Candidate(row) => {
                        inner.rows.prefetch(row);
                        break;
                    }
                    Probe::Other => place = index.after(place),
                }
            }
        }
    }

    /// Finds or adds the states of a batch, and empties it; appends what became of each.
    ///
    /// # Errors
    /// If there is no memory for more: what became of the first ones is appended nevertheless.
    pub(crate) fn insert(
        &self,
        worker: &mut Worker,
        batch: &mut Batch,
        out: &mut Vec<Inserted>,
    ) -> Result<(), Full> {
        let mut done = 0;
        loop {
            let inner = self.read_lock();
            done += self.insert_some(&inner, worker, batch, done, out);
            self.left[worker.number].store(packed(&worker.run), Ordering::Relaxed);
            drop(inner);
            if done == batch.len() {
                batch.clear();
                return Ok(());
            }
            self.grow()?;
        }
    }

    /// Finds or adds states that lie one behind the other; appends what became of each.
    ///
    /// # Errors
    /// As [`Store::insert`].
    pub(crate) fn insert_all(
        &self,
        worker: &mut Worker,
        states: &[u64],
        out: &mut Vec<Inserted>,
    ) -> Result<(), Full> {
        let mut batch = Batch::default();
        for states in states.chunks(self.words * BATCH) {
            for state in states.chunks_exact(self.words) {
                self.push(&mut batch, state);
            }
            self.prepare(&batch);
            self.insert(worker, &mut batch, out)?;
        }
        Ok(())
    }

    /// Finds or adds the states of a batch from this one on up to where there is no room for
    /// one; says how many.
    fn insert_some(
        &self,
        inner: &Inner,
        worker: &mut Worker,
        batch: &Batch,
        first: usize,
        out: &mut Vec<Inserted>,
    ) -> usize {
        let (rows, index) = (&inner.rows, &inner.index);
        let alone = self.left.len() == 1;
        let states = batch.states.chunks_exact(self.words);
        for (number, (key, &hash)) in states.zip(&batch.hashes).skip(first).enumerate() {
            let mut place = index.place(hash);
            let inserted = loop {
                match index.look(place, hash) {
                    Probe::Candidate(row) if rows.same(row, key) => {
                        break Inserted {
                            id: StateId(row),
                            new: false,
                        };
                    }
                    Probe::Candidate(_) | Probe::Other => place = index.after(place),
                    Probe::Empty => {
                        if worker.run.is_empty() && !self.take_run(inner, worker) {
                            return number;
                        }
                        let row = worker.run.start;
                        rows.write(row, key);
                        if alone {
                            index.set(place, hash, row);
                        } else if !index.claim(place, hash, row) {
                            // Somebody else was faster: look at what is there now.
                            continue;
                        }
                        worker.advance();
                        break Inserted {
                            id: StateId(row),
                            new: true,
                        };
                    }
                }
            };
            out.push(inserted);
        }
        batch.len() - first
    }

    /// Gives the worker rows to write to, if there is room.
    #[cold]
    fn take_run(&self, inner: &Inner, worker: &mut Worker) -> bool {
        let spare = self
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        if let Some(run) = spare {
            worker.run = run;
            return true;
        }
        let mut start = self.next.load(Ordering::Relaxed);
        loop {
            let share = start / (64 * u32::try_from(self.left.len()).unwrap_or(u32::MAX));
            let end = start
                .saturating_add(share.clamp(RUNS.start, RUNS.end))
                .min(inner.room);
            if start >= end {
                return false;
            }
            match self
                .next
                .compare_exchange(start, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => {
                    worker.run = start..end;
                    return true;
                }
                Err(now) => start = now,
            }
        }
    }

    /// Makes room for more states.
    #[cold]
    fn grow(&self) -> Result<(), Full> {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let next = self.next.load(Ordering::Relaxed);
        if next < inner.room {
            return Ok(());
        }
        let wanted = u64::from(next) + u64::from(RUNS.start);
        let limit = self.limit.load(Ordering::Relaxed);
        if inner.rows.arena.rows() < wanted {
            let more = inner.rows.arena.next_bytes();
            let bytes = inner.rows.arena.bytes() + inner.index.bytes();
            if bytes + more > limit || !inner.rows.arena.extend() {
                return Err(Full);
            }
        }
        if most_rows(inner.index.capacity()) < wanted {
            let arena = inner.rows.arena.bytes() + inner.rows.arena.next_bytes();
            let most = limit.saturating_sub(arena) / 4;
            let capacity = (inner.index.capacity() * 2).min(most);
            if capacity < capacity_for(wanted + wanted / 16) || most_rows(capacity) < wanted {
                return Err(Full);
            }
            self.rebuild(&mut inner, capacity)?;
        }
        let room = inner
            .rows
            .arena
            .rows()
            .min(most_rows(inner.index.capacity()));
        inner.room = u32::try_from(room).unwrap_or(u32::MAX - 1);
        Ok(())
    }

    /// Makes a new index.
    fn rebuild(&self, inner: &mut Inner, capacity: u64) -> Result<(), Full> {
        let before = inner.index.capacity();
        // The old one goes first, so that they are never both there.
        inner.index = Index::new(1).ok_or(Full)?;
        let (index, enough) = match Index::new(capacity) {
            Some(index) => (index, true),
            None => (Index::new(before).ok_or(Full)?, false),
        };
        self.hint.store(index.address(), Ordering::Relaxed);
        self.hint_capacity
            .store(index.capacity(), Ordering::Relaxed);
        inner.index = index;
        let next = self.next.load(Ordering::Relaxed);
        let holes = self.holes();
        let part = AtomicU64::new(0);
        let fill = || {
            loop {
                let start = part.fetch_add(PART, Ordering::Relaxed);
                let end = (start + PART).min(next.into());
                if start >= end {
                    return;
                }
                #[expect(clippy::cast_possible_truncation, reason = "row numbers")]
                inner.fill(start as u32..end as u32, &holes);
            }
        };
        std::thread::scope(|threads| {
            if u64::from(next) > 4 * PART {
                for _ in 1..self.left.len() {
                    threads.spawn(fill);
                }
            }
            fill();
        });
        if enough { Ok(()) } else { Err(Full) }
    }
}

/// Rows that a thread enters into a new index at a time.
const PART: u64 = 1 << 14;

impl Inner {
    /// Enters rows into the index.
    fn fill(&self, rows: Range<u32>, holes: &[Range<u32>]) {
        let mut batch = [(0u64, 0u32); 16];
        let mut count = 0;
        let first = holes.partition_point(|hole| hole.end <= rows.start);
        let mut holes = holes[first..].iter().peekable();
        let mut row = rows.start;
        while row < rows.end {
            if let Some(hole) = holes.next_if(|hole| hole.start <= row) {
                row = hole.end;
                continue;
            }
            batch[count] = (self.rows.hash(row), row);
            count += 1;
            row += 1;
            if count == batch.len() {
                self.enter(&batch);
                count = 0;
            }
        }
        self.enter(&batch[..count]);
    }

    fn enter(&self, batch: &[(u64, u32)]) {
        for (hash, _) in batch {
            self.index.prefetch(self.index.place(*hash));
        }
        for &(hash, row) in batch {
            self.index.add(hash, row);
        }
    }
}

impl Worker {
    /// A row has been filled.
    #[inline]
    fn advance(&mut self) {
        let row = self.run.start;
        self.run.start += 1;
        match self.fresh.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => self.fresh.push(row..row + 1),
        }
    }

    /// The states added since this was last asked for, in the order in which they were.
    pub(crate) fn take_fresh(&mut self) -> Vec<Range<u32>> {
        std::mem::take(&mut self.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// States of three halves, many of them twice.
    fn states(seed: u64, count: usize) -> Vec<[u64; 2]> {
        let mut seed = seed;
        let mut states = Vec::new();
        for _ in 0..count {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            states.push([((seed >> 33) % 400) << 30, (seed >> 45) % 300]);
        }
        states
    }

    #[test]
    fn one_worker_numbers_states_in_the_order_of_discovery() {
        let (store, mut workers) = Store::new(3, 1);
        let states = states(1, 150_000);
        let mut answers = Vec::new();
        let flat: Vec<u64> = states.iter().flatten().copied().collect();
        for part in flat.chunks(2 * 777) {
            store
                .insert_all(&mut workers[0], part, &mut answers)
                .unwrap();
        }
        let mut map: HashMap<[u64; 2], u32> = HashMap::new();
        for (state, answer) in states.iter().zip(&answers) {
            let next = u32::try_from(map.len()).unwrap();
            let known = map.contains_key(state);
            let id = *map.entry(*state).or_insert(next);
            assert_eq!((answer.id, answer.new), (StateId(id), !known));
        }
        assert_eq!(store.len() as usize, map.len());
        assert!(map.len() > 50_000, "the index has grown: {}", map.len());
        let all = 0..store.len();
        assert_eq!(workers[0].take_fresh(), std::slice::from_ref(&all));
        for (state, id) in map {
            let mut back = [0; 2];
            store.read(StateId(id), &mut back);
            assert_eq!(back, state);
        }
    }

    #[test]
    fn several_workers_agree_with_a_map() {
        for threads in [2, 4] {
            let (store, mut workers) = Store::new(3, threads);
            let news: Vec<Vec<(u32, [u64; 2])>> = std::thread::scope(|scope| {
                let running: Vec<_> = (1..)
                    .zip(&mut workers)
                    .map(|(number, worker)| {
                        let store = &store;
                        scope.spawn(move || {
                            let mine = states(number % 3, 60_000);
                            let mut news = Vec::new();
                            let mut answers = Vec::new();
                            for part in mine.chunks(97) {
                                answers.clear();
                                let flat: Vec<u64> = part.iter().flatten().copied().collect();
                                store.insert_all(worker, &flat, &mut answers).unwrap();
                                for (state, answer) in part.iter().zip(&answers) {
                                    let mut back = [0; 2];
                                    store.read(answer.id, &mut back);
                                    assert_eq!(back, *state);
                                    if answer.new {
                                        news.push((answer.id.0, *state));
                                    }
                                }
                            }
                            news
                        })
                    })
                    .collect();
                running.into_iter().map(|it| it.join().unwrap()).collect()
            });
            let expected: std::collections::HashSet<[u64; 2]> = (0..3.min(threads as u64))
                .flat_map(|seed| states((seed + 1) % 3, 60_000))
                .collect();
            let found: HashMap<[u64; 2], u32> = news
                .iter()
                .flatten()
                .map(|&(id, state)| (state, id))
                .collect();
            assert_eq!(found.len(), expected.len());
            assert_eq!(news.iter().map(Vec::len).sum::<usize>(), expected.len());
            assert_eq!(store.len() as usize, expected.len());
            for (news, worker) in news.iter().zip(&mut workers) {
                let fresh: Vec<u32> = worker.take_fresh().into_iter().flatten().collect();
                let ids: Vec<u32> = news.iter().map(|(id, _)| *id).collect();
                assert_eq!(fresh, ids);
            }
        }
    }

    #[test]
    fn a_limit_is_kept_and_what_is_there_stays() {
        let (store, mut workers) = Store::new(3, 1);
        store.set_limit(1 << 20);
        let mut answers = Vec::new();
        let flat: Vec<u64> = (0..200_000u64).flat_map(|n| [n, n % 7]).collect();
        let full = store.insert_all(&mut workers[0], &flat, &mut answers);
        assert_eq!(full, Err(Full));
        assert_eq!(answers.len(), store.len() as usize);
        assert!(store.bytes() <= 1 << 20);
        assert!(
            u64::from(store.len()) * 20 > 1 << 20,
            "most of it is used: {}",
            store.len()
        );
        let known = flat[..2 * answers.len()].to_vec();
        answers.clear();
        store
            .insert_all(&mut workers[0], &known, &mut answers)
            .unwrap();
        assert!(answers.iter().all(|answer| !answer.new));
    }
}
