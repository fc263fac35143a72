//! Looking up and adding states in batches.

use std::sync::atomic::Ordering;

use crossbeam_utils::sync::ShardedLockReadGuard;

use super::batch::{BATCH, Batch};
use super::index::{Index, Probe};
use super::prefetch::prefetch_to_write;
use super::rows::Rows;
use super::{Form, Full, Inner, Inserted, RUNS, StateId, Store, Worker, packed};
use crate::ir::state_width::with_width;
use crate::search::crew::lock;
use crate::store::hash::hash;

/// Cells that are asked for ahead of the one that is written.
const AHEAD: usize = 192;

/// Keys to be looked up, their hashes, and where to go on looking for each.
struct Looked<'a> {
    keys: &'a [u64],
    hashes: &'a [u64],
    places: &'a [usize],
}

/// Finds the entries from which on keys with these hashes may be, and asks for the rows there.
/// Whether a state is new cannot be foretold, so it is not asked: where an entry is empty, another
/// row is asked for.
fn prepare(rows: &impl Rows, index: &Index, hashes: &[u64], places: &mut Vec<usize>) {
    places.clear();
    let some = rows.arena().rows() > 0;
    places.extend(hashes.iter().map(|&hash| {
        let tag = index.tag(hash);
        let place = index.stop(index.place(hash), tag);
        if some {
            rows.prefetch(index.row(place, tag));
        }
        place
    }));
}

impl Inner {
    /// Asks for what a look at the index for each state of a batch will need: for all of them at
    /// once, since one that stands alone holds up the processor until its address is translated.
    fn ask(&self, batch: &Batch) {
        match &self.form {
            Form::Plain(_) | Form::Hashes(_) => {
                for &hash in batch.hashes() {
                    self.index.prefetch(self.index.place(hash));
                }
            }
            Form::Bits(bits, _) => batch.hashes().iter().for_each(|&hash| bits.prefetch(hash)),
            // Dictionaries are looked up first.
            Form::Tree(..) => {}
        }
    }

    /// Asks for the rows that may hold the states of a batch.
    fn prepare(&self, batch: &mut Batch) {
        batch.generation = self.generation;
        let (hashes, places) = (&batch.hashes[..batch.count], &mut batch.places);
        match &self.form {
            Form::Plain(rows) => with_width!(rows.halves(), halves => {
                prepare(&rows.rows(halves), &self.index, hashes, places);
            }),
            Form::Hashes(rows) => prepare(&rows.hashes(), &self.index, hashes, places),
            Form::Bits(..) | Form::Tree(..) => {}
        }
    }
}

impl Store {
    /// Finds or adds the states of a batch that has waited, and appends what became of each. For
    /// one that is to wait, asks first for what a look at the index for each of its states will
    /// need, and then for the rows that may hold them.
    ///
    /// # Errors
    /// If there is no memory for more: what became of the first ones is appended nevertheless.
    pub(crate) fn exchange(
        &self,
        worker: &mut Worker,
        waiting: &mut Batch,
        next: &mut Batch,
        out: &mut Vec<Inserted>,
    ) -> Result<(), Full> {
        let inner = self.index_lock();
        inner.ask(next);
        let inner = self.insert(inner, worker, waiting, out)?;
        inner.prepare(next);
        Ok(())
    }

    /// Finds or adds the states of a batch; appends what became of each.
    fn insert<'s>(
        &'s self,
        mut inner: ShardedLockReadGuard<'s, Inner>,
        worker: &mut Worker,
        batch: &mut Batch,
        out: &mut Vec<Inserted>,
    ) -> Result<ShardedLockReadGuard<'s, Inner>, Full> {
        let mut done = 0;
        loop {
            let claims = self.claims.load(Ordering::Relaxed);
            let more = self.insert_from(&inner, worker, batch, (done, claims), out);
            self.left[worker.number].store(packed(&worker.run), Ordering::Relaxed);
            done += more?;
            if done == batch.len() {
                return Ok(inner);
            }
            drop(inner);
            self.grow()?;
            inner = self.index_lock();
        }
    }

    /// Finds or adds states that lie one behind the other; appends what became of each.
    ///
    /// # Errors
    /// As [`Store::exchange`].
    pub(crate) fn insert_all(
        &self,
        worker: &mut Worker,
        states: &[u64],
        out: &mut Vec<Inserted>,
    ) -> Result<(), Full> {
        let mut batch = std::mem::take(&mut worker.batch);
        batch.clear();
        for states in states.chunks(self.shape.words * BATCH) {
            for state in states.chunks_exact(self.shape.words) {
                batch.push(state);
            }
            let inner = self.index_lock();
            inner.ask(&batch);
            inner.prepare(&mut batch);
            drop(self.insert(inner, worker, &mut batch, out)?);
            batch.clear();
        }
        worker.batch = batch;
        Ok(())
    }

    /// Finds or adds the states of a batch from this one on, claiming entries of the index if others
    /// may add some as well, up to where there is no room for one; says how many.
    fn insert_from(
        &self,
        inner: &Inner,
        worker: &mut Worker,
        batch: &mut Batch,
        (first, claims): (usize, bool),
        out: &mut Vec<Inserted>,
    ) -> Result<usize, Full> {
        let words = self.shape.words;
        if batch.generation != inner.generation {
            batch.generation = inner.generation;
            batch.places.clear();
            if !batch.key_hashes.is_empty() || !matches!(inner.form, Form::Tree(..)) {
                let hashes = match &inner.form {
                    Form::Tree(..) => &batch.key_hashes,
                    _ => &batch.hashes[..batch.count],
                };
                let places = hashes.iter().map(|&hash| inner.index.place(hash));
                batch.places.extend(places);
            }
        }
        Ok(match &inner.form {
            Form::Plain(rows) => {
                let found = Looked {
                    keys: &batch.states()[first * words..],
                    hashes: &batch.hashes()[first..],
                    places: &batch.places[first..],
                };
                with_width!(rows.halves(), halves => {
                    self.insert_keys(inner, &rows.rows(halves), worker, (&found, claims), out)
                })
            }
            Form::Hashes(rows) => {
                let found = Looked {
                    keys: &batch.hashes()[first..],
                    hashes: &batch.hashes()[first..],
                    places: &batch.places[first..],
                };
                self.insert_keys(inner, &rows.hashes(), worker, (&found, claims), out)
            }
            Form::Tree(tree, rows) => {
                if batch.keys.is_empty() {
                    tree.equip(worker);
                    tree.encode(
                        worker,
                        &batch.states[..batch.count * words],
                        &mut batch.keys,
                    )?;
                    let hashes = batch.keys.iter().map(|key| hash(&[*key]));
                    batch.key_hashes.extend(hashes);
                    for &hash in &batch.key_hashes {
                        inner.index.prefetch(inner.index.place(hash));
                    }
                    prepare(rows, &inner.index, &batch.key_hashes, &mut batch.places);
                }
                let found = Looked {
                    keys: &batch.keys[first..],
                    hashes: &batch.key_hashes[first..],
                    places: &batch.places[first..],
                };
                self.insert_keys(inner, rows, worker, (&found, claims), out)
            }
            Form::Bits(bits, rows) => {
                for (number, &hash) in batch.hashes()[first..].iter().enumerate() {
                    let mut inserted = Inserted {
                        id: StateId(u32::MAX),
                        new: false,
                    };
                    if !bits.contains(hash) {
                        if worker.run.is_empty() && !self.take_run(inner, worker) {
                            return Ok(number);
                        }
                        if bits.add(hash) {
                            let row = worker.run.start;
                            rows.write(row, &[hash & 0xff]);
                            worker.run.start += 1;
                            worker.filled(row..row + 1);
                            inserted = Inserted {
                                id: StateId(row),
                                new: true,
                            };
                        }
                    }
                    out.push(inserted);
                }
                batch.len() - first
            }
        })
    }

    /// Finds or adds keys up to where there is no room for one; says how many.
    #[inline(always)]
    fn insert_keys(
        &self,
        inner: &Inner,
        rows: &impl Rows,
        worker: &mut Worker,
        (found, claims): (&Looked<'_>, bool),
        out: &mut Vec<Inserted>,
    ) -> usize {
        let index = &inner.index;
        let keys = found.keys.chunks_exact(rows.words());
        let each = keys.zip(found.hashes).zip(found.places);
        let mut run = worker.run.clone();
        // The cells of the row that comes next, and of some behind it.
        let mut free: &[_] = &[];
        let mut done = 0;
        'keys: for ((key, &hash), &place) in each {
            // Entries are never changed or taken away: what was passed over stays another's.
            let (mut place, tag) = (place, index.tag(hash));
            let inserted = loop {
                match index.look(place, tag) {
                    Probe::Candidate(row) if rows.same(row, key) => {
                        break Inserted {
                            id: StateId(row),
                            new: false,
                        };
                    }
                    Probe::Candidate(_) | Probe::Other => place = index.after(place),
                    Probe::Empty => {
                        if run.is_empty() {
                            worker.fill_to(run.start);
                            if !self.take_run(inner, worker) {
                                break 'keys;
                            }
                            run = worker.run.clone();
                            free = &[];
                        }
                        if !rows.fits(key) {
                            break 'keys;
                        }
                        let row = run.start;
                        if free.is_empty() {
                            free = rows.arena().rows_from(row, rows.cells());
                        }
                        let (cells, rest) = free.split_at(rows.cells());
                        rows.put(cells, key);
                        // Who claims an entry waits until what was written is there.
                        if let Some(later) = rest.get(AHEAD) {
                            prefetch_to_write(later);
                        }
                        if !claims {
                            index.set(place, tag, row);
                        } else if !index.claim(place, tag, row) {
                            // Somebody else was faster: look at what is there now.
                            continue;
                        }
                        free = rest;
                        run.start += 1;
                        break Inserted {
                            id: StateId(row),
                            new: true,
                        };
                    }
                }
            };
            out.push(inserted);
            done += 1;
        }
        worker.fill_to(run.start);
        done
    }

    /// Gives the worker rows to write to, if there is room.
    #[cold]
    fn take_run(&self, inner: &Inner, worker: &mut Worker) -> bool {
        let spare = lock(&self.spare).pop();
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
}
