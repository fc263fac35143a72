//! A store for one thread alone: numbers are dense and in the order of discovery.

use crate::Storage;
pub(crate) use crate::store::{Inserted, StateId};
use crate::store::{Shape, Store, Worker};

/// The states found so far.
pub(crate) struct Table {
    store: Store,
    worker: Worker,
    words: usize,
    inserted: Vec<Inserted>,
}

/// Why additions do not fail: the callers look at the budget often enough.
const ROOM: &str = "the search stops before memory and numbers are used up";

impl Table {
    /// For states of so many words.
    pub(crate) fn new(words: usize) -> Self {
        let (store, mut workers) = Store::new(&Shape::halves(words * 2), Storage::Plain, 1);
        Table {
            store,
            worker: workers.pop().expect("one was asked for"),
            words,
            inserted: Vec::new(),
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u32 {
        self.store.len()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    /// A state.
    pub(crate) fn state(&self, id: StateId) -> Vec<u64> {
        let mut state = vec![0; self.words];
        self.store.read(id, &mut state);
        state
    }

    /// The first word of a state.
    pub(crate) fn word(&self, id: StateId) -> u64 {
        let mut word = [0];
        self.store.read(id, &mut word);
        word[0]
    }

    /// Finds or adds one state.
    pub(crate) fn insert(&mut self, state: &[u64]) -> Inserted {
        let mut inserted = std::mem::take(&mut self.inserted);
        inserted.clear();
        self.insert_batch(state, &mut inserted);
        let answer = inserted[0];
        self.inserted = inserted;
        answer
    }

    /// Finds or adds states that lie one behind the other.
    pub(crate) fn insert_batch(&mut self, states: &[u64], out: &mut Vec<Inserted>) {
        self.store
            .insert_all(&mut self.worker, states, out)
            .expect(ROOM);
    }
}
