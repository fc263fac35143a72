//! Turning states into others: from one shape to another, with the numbers that they have.

use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::grow::{TOGETHER, parts, read_all};
use super::rows::{Rows, Wide};
use super::tree::Tree;
use super::{Batch, Form, Full, Shape, Store, Worker};
use crate::Storage;
use crate::ir::state_width::Any;

impl Store {
    /// Goes through all states, in order.
    ///
    /// # Panics
    /// If the storage is not exact.
    pub(crate) fn for_each(&self, mut each: impl FnMut(&[u64])) {
        let mut states = Vec::new();
        for part in self
            .filled()
            .into_iter()
            .flat_map(|run| parts(run, TOGETHER))
        {
            states.clear();
            self.read_all(part, &mut states);
            states.chunks_exact(self.shape.words).for_each(&mut each);
        }
    }

    /// Turns all states into others of this shape, each into one of its own. Nobody adds any
    /// meanwhile; workers begin again. If there is no memory for both at once, states may be
    /// compressed first.
    ///
    /// # Errors
    /// If there is no memory for that either: then all states are as they were.
    ///
    /// # Panics
    /// If the storage is not exact.
    pub(crate) fn turn(
        &mut self,
        shape: &Shape,
        workers: &mut [Worker],
        mut turn: impl FnMut(&[u64], &mut [u64]),
    ) -> Result<(), Full> {
        for worker in &mut *workers {
            worker.parts.clear();
            worker.batch = Batch::default();
        }
        if self.turn_as_it_is(shape, &mut turn).is_ok() {
            return Ok(());
        }
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let may_compress = self.storage == Storage::Auto && !inner.incompressible;
        if !may_compress || !matches!(inner.form, Form::Plain(_)) {
            return Err(Full);
        }
        self.compress(&mut inner)?;
        drop(inner);
        self.turn_as_it_is(shape, &mut turn)
    }

    fn turn_as_it_is(
        &mut self,
        shape: &Shape,
        mut turn: impl FnMut(&[u64], &mut [u64]),
    ) -> Result<(), Full> {
        let filled = self.filled();
        let limit = self.limit.load(Ordering::Relaxed);
        let jobs = self.left.len();
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let before = &inner.form;
        let mut states = Vec::new();
        let mut to = vec![0; shape.words];
        let form = match before {
            Form::Plain(rows) => {
                let mut wide = Wide::new(shape.halves);
                while wide.arena.rows() < rows.arena.rows() {
                    if inner.bytes() + wide.arena.bytes() + wide.arena.next_bytes() > limit
                        || !wide.arena.extend()
                    {
                        return Err(Full);
                    }
                }
                for part in filled.iter().flat_map(|run| parts(run.clone(), TOGETHER)) {
                    read_all(rows, part.clone(), &mut states);
                    for (row, state) in part.zip(states.chunks_exact(self.shape.words)) {
                        turn(state, &mut to);
                        wide.rows(Any(shape.halves)).write(row, &to);
                    }
                }
                Form::Plain(wide)
            }
            Form::Tree(_, rows) => {
                let tree = Tree::new(shape, jobs);
                tree.set_room(limit.saturating_sub(inner.bytes()));
                let mut worker = Worker::new(0);
                tree.equip(&mut worker);
                let mut turned = Vec::new();
                let mut encode = |part: Range<u32>, keys: &mut Vec<u64>| {
                    turned.clear();
                    states.resize(self.shape.words, 0);
                    for row in part {
                        before.read(row, &mut states);
                        turn(&states, &mut to);
                        turned.extend_from_slice(&to);
                    }
                    keys.clear();
                    tree.encode(&mut worker, &turned, keys)
                };
                // How wide keys are is known when all states have theirs.
                let together = || filled.iter().flat_map(|run| parts(run.clone(), TOGETHER));
                let mut keys = Vec::new();
                together().try_for_each(|part| encode(part, &mut keys))?;
                let mut narrow = tree.layout();
                while narrow.arena.rows() < rows.arena.rows() {
                    if !narrow.arena.extend() {
                        return Err(Full);
                    }
                }
                for part in together() {
                    encode(part.clone(), &mut keys)?;
                    for (row, &key) in part.zip(&keys) {
                        narrow.write(row, &[key]);
                    }
                }
                tree.give_back(worker);
                Form::Tree(tree, narrow)
            }
            Form::Hashes(_) | Form::Bits(..) => {
                unreachable!("states are not read where only hashes are stored")
            }
        };
        inner.form = form;
        self.shape = shape.clone();
        let capacity = inner.index.capacity();
        inner.rebuild(capacity, filled)
    }
}
