//! Growing: room for more rows, larger indexes, wider rows, and from plain to compressed storage.
//!
//! A step of growth is only made if what it needs fits below the memory limit. The index is given
//! back before the next one is taken, and filled again from the rows by all workers, as they come
//! to it.

use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::filling::{Filling, Shares};
use super::index::{Index, capacity_for, most_rows};
use super::rows::{Rows, Wide};
use super::tree::Tree;
use super::{BITS, Form, Full, Inner, RUNS, Store, Worker};
use crate::Storage;
use crate::ir::state_width::{Any, with_width};

/// The most rows that a thread enters into a new index at a time.
const PART: u32 = 1 << 13;
/// An index of at most so many entries is small; one of at most this share of the memory is cheap.
const LARGE: u64 = 1 << 23;
const SHARE: u64 = 16;
/// States that are read together.
pub(super) const TOGETHER: u32 = 256;

impl Store {
    /// Makes room for more states.
    #[cold]
    pub(super) fn grow(&self) -> Result<(), Full> {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut *inner;
        let limit = self.limit.load(Ordering::Relaxed);
        if let Form::Tree(tree, rows) = &mut inner.form {
            tree.set_room(
                limit.saturating_sub(tree.bytes() + rows.arena.bytes() + inner.index.bytes()),
            );
            if !tree.fits(rows) {
                *rows = rows.moved(tree.layout())?;
            }
        }
        let next = self.next.load(Ordering::Relaxed);
        if next < inner.room {
            return Ok(());
        }
        let wanted = u64::from(next) + u64::from(RUNS.start);
        if self.storage == Storage::Auto
            && matches!(inner.form, Form::Plain(_))
            && !inner.incompressible
            && self.after_growth(inner, wanted) > limit / 8 * 5
        {
            self.compress(inner)?;
        }
        if let Form::Bits(bits, _) = &mut inner.form
            && bits.room() < wanted
        {
            let share = if limit == u64::MAX {
                BITS
            } else {
                limit / 8 * 5
            };
            if !bits.grow(next.into(), share) {
                return Err(Full);
            }
        }
        let (rows, _, more) = inner.form.rows();
        if rows < wanted && (inner.bytes() + more > limit || !inner.form.extend()) {
            return Err(Full);
        }
        let is_indexed = !matches!(inner.form, Form::Bits(..));
        if is_indexed && most_rows(inner.index.capacity()) < wanted {
            let (_, _, more) = inner.form.rows();
            let most = limit.saturating_sub(inner.form.bytes() + more) / 4;
            let capacity = self.next_capacity(inner).min(most);
            if capacity < capacity_for(wanted + wanted / 16) {
                return Err(Full);
            }
            self.rebuild(inner, capacity)?;
        }
        let mut room = inner.form.rows().0;
        match &inner.form {
            Form::Bits(bits, _) => room = room.min(bits.room()),
            _ => room = room.min(most_rows(inner.index.capacity())),
        }
        inner.room = u32::try_from(room).unwrap_or(u32::MAX - 1);
        Ok(())
    }

    /// The capacity of the next index. Filling it costs time and having it costs memory: it grows
    /// fourfold while it is small, then less, and least where memory is dear.
    fn next_capacity(&self, inner: &Inner) -> u64 {
        let now = inner.index.capacity();
        let limit = self.limit.load(Ordering::Relaxed);
        match inner.form {
            Form::Tree(..) if now > 1 << 16 => now / 4 * 5,
            _ if now * 4 <= LARGE && now * 4 * 4 <= limit / SHARE => now * 4,
            _ if now * 4 * 5 / 2 <= limit / SHARE => now / 2 * 5,
            _ => now * 2,
        }
    }

    /// Bytes in use after the next step of growth.
    fn after_growth(&self, inner: &Inner, wanted: u64) -> u64 {
        let (rows, _, more) = inner.form.rows();
        let mut bytes = inner.bytes();
        if rows < wanted {
            bytes += more;
        }
        if most_rows(inner.index.capacity()) < wanted {
            bytes += (self.next_capacity(inner) - inner.index.capacity()) * 4;
        }
        bytes
    }

    /// Makes a new index.
    fn rebuild(&self, inner: &mut Inner, capacity: u64) -> Result<(), Full> {
        inner.rebuild(capacity, self.filled())
    }

    /// The rows that are filled, in order.
    pub(super) fn filled(&self) -> Vec<Range<u32>> {
        without(0..self.next.load(Ordering::Relaxed), &self.holes())
    }

    /// Goes over from plain to compressed storage, if that saves memory. First all states are
    /// interned, then their keys are written while the segments of the states are freed.
    pub(super) fn compress(&self, inner: &mut Inner) -> Result<(), Full> {
        inner.incompressible = true;
        let tree = Tree::new(&self.shape, self.left.len());
        let mut worker = Worker::new(0);
        tree.equip(&mut worker);
        let next = self.next.load(Ordering::Relaxed);
        let filled = self.filled();
        let Form::Plain(plain) = &mut inner.form else {
            return Ok(());
        };
        let mut states = Vec::new();
        let mut keys = Vec::new();
        for rows in filled.iter().flat_map(|rows| parts(rows.clone(), TOGETHER)) {
            read_all(plain, rows, &mut states);
            keys.clear();
            tree.encode(&mut worker, &states, &mut keys)?;
            // Dictionaries that take as much as a third of the states do not pay.
            if tree.bytes() > plain.arena.bytes() / 3 + (1 << 16) {
                return Ok(());
            }
        }
        let mut narrow = tree.layout();
        // Nothing is freed before there is room for all.
        while narrow.arena.rows() < plain.arena.rows() {
            if !narrow.arena.extend() {
                return Ok(());
            }
        }
        while let Some(rows) = plain.arena.last_segment() {
            let first = u32::try_from(rows.start).unwrap_or(next).min(next);
            let end = u32::try_from(rows.end).unwrap_or(next).min(next);
            let inside = filled
                .iter()
                .map(|run| run.start.max(first)..run.end.min(end));
            for rows in inside.flat_map(|rows| parts(rows, TOGETHER)) {
                read_all(plain, rows.clone(), &mut states);
                keys.clear();
                tree.encode(&mut worker, &states, &mut keys)?;
                for (row, &key) in rows.zip(&keys) {
                    narrow.write(row, &[key]);
                }
            }
            plain.arena.free_last();
        }
        tree.give_back(worker);
        inner.form = Form::Tree(tree, narrow);
        let capacity = inner.index.capacity();
        self.rebuild(inner, capacity)
    }
}

/// The states in rows, and no others.
pub(super) fn read_all(plain: &Wide, rows: Range<u32>, states: &mut Vec<u64>) {
    let plain = plain.rows(Any(plain.halves()));
    states.resize(rows.len() * plain.words(), 0);
    plain.read_all(rows.start, states);
}

/// Cuts a run of rows into parts.
pub(super) fn parts(rows: Range<u32>, most: u32) -> impl Iterator<Item = Range<u32>> {
    let step = usize::try_from(most).expect("a small number");
    rows.clone()
        .step_by(step)
        .map(move |start| start..start.saturating_add(most).min(rows.end))
}

/// A run of rows without holes, which are in order.
fn without(rows: Range<u32>, holes: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut left = Vec::new();
    let mut start = rows.start;
    for hole in holes {
        left.push(start..hole.start.min(rows.end));
        start = hole.end;
    }
    left.push(start..rows.end);
    left.retain(|run| run.start < run.end);
    left
}

impl Inner {
    /// Makes a new index of what is in these rows.
    pub(super) fn rebuild(&mut self, capacity: u64, rows: Vec<Range<u32>>) -> Result<(), Full> {
        let before = self.index.capacity();
        // The old one goes first, so that they are never both there.
        self.index = Index::new(1).ok_or(Full)?;
        let (index, enough) = match Index::new(capacity) {
            Some(index) => (index, true),
            None => (Index::new(before).ok_or(Full)?, false),
        };
        self.index = index;
        self.generation += 1;
        let parts: Vec<_> = rows.into_iter().flat_map(|run| parts(run, PART)).collect();
        self.filling = Filling {
            pages: Shares::new(self.index.pages()),
            entries: Shares::new(parts.len()),
            parts,
        };
        if enough { Ok(()) } else { Err(Full) }
    }

    /// Takes part in filling the index, and waits until that is done.
    #[cold]
    pub(super) fn fill(&self, alone: bool) {
        let Filling {
            pages,
            entries,
            parts,
        } = &self.filling;
        pages.work(|page| self.index.touch(page));
        entries.work(|part| self.enter(parts[part].clone(), alone));
    }

    /// Enters rows into the index.
    fn enter(&self, run: Range<u32>, alone: bool) {
        match &self.form {
            Form::Plain(rows) => with_width!(rows.halves(), halves => {
                self.index.enter(run, &rows.rows(halves), alone);
            }),
            Form::Tree(_, rows) | Form::Bits(_, rows) => self.index.enter(run, rows, alone),
            Form::Hashes(rows) => self.index.enter(run, &rows.hashes(), alone),
        }
    }
}
