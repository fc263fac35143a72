//! Turning states into others: from one shape to another, with the numbers that they have.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::grow::{TOGETHER, parts, read_all};
use super::rows::{Rows, Wide};
use super::tree::Tree;
use super::{Batch, Form, Full, Shape, Store, Worker};
use crate::width::Any;

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
    /// meanwhile; workers begin again.
    ///
    /// # Errors
    /// If there is no memory for both at once: then nothing is changed.
    ///
    /// # Panics
    /// If the storage is not exact.
    pub(crate) fn turn(
        &mut self,
        shape: &Shape,
        workers: &mut [Worker],
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
                let mut keys = Vec::new();
                for row in filled.iter().cloned().flatten() {
                    states.resize(self.shape.words, 0);
                    before.read(row, &mut states);
                    turn(&states, &mut to);
                    tree.encode(&mut worker, &to, &mut keys)?;
                }
                tree.give_back(worker);
                let mut narrow = tree.layout();
                while narrow.arena.rows() < rows.arena.rows() {
                    if !narrow.arena.extend() {
                        return Err(Full);
                    }
                }
                for (row, key) in filled.iter().cloned().flatten().zip(keys) {
                    narrow.write(row, &[key]);
                }
                Form::Tree(tree, narrow)
            }
            Form::Hashes(_) | Form::Bits(..) => {
                unreachable!("states are not read where only hashes are stored")
            }
        };
        inner.form = form;
        self.shape = shape.clone();
        for worker in workers {
            worker.parts.clear();
            worker.batch = Batch::default();
        }
        let capacity = inner.index.capacity();
        inner.rebuild(capacity, filled)
    }
}
