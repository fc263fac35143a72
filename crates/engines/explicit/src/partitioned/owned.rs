//! The states that a process owns, and from where each was reached first.

use std::ops::Range;

use crate::partitioned::edges::{Edge, Edges, KEPT, Marks};
use crate::partitioned::parcel::{Garbled, HEAD, Kind, begin_in};
use crate::store::hash::hash;
use crate::store::packing::Packing;
use crate::store::repacking::Repacking;
use crate::store::{BATCH, Batch, Full, Inserted, StateId, Store, Worker};

/// The most processes that a search can have.
pub(crate) const MOST: usize = 1 << 16;

/// A state of somebody.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) owner: u16,
    pub(crate) id: u32,
}

impl Place {
    /// From where initial states come.
    pub(crate) const NOWHERE: Place = Place {
        owner: 0,
        id: u32::MAX,
    };

    pub(crate) fn word(self) -> u64 {
        (u64::from(self.owner) << 32) | u64::from(self.id)
    }

    pub(crate) fn from_word(word: u64) -> Result<Place, Garbled> {
        let owner = u16::try_from(word >> 32).map_err(|_| Garbled)?;
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        let id = word as u32;
        Ok(Place { owner, id })
    }
}

/// States that are to be looked up, and from where each was reached.
struct Waiting {
    batch: Batch,
    from: [Place; BATCH],
    /// The marks of the edges from there, where edges are kept.
    marks: [Marks; BATCH],
}

impl Default for Waiting {
    fn default() -> Self {
        Waiting {
            batch: Batch::default(),
            from: [Place::NOWHERE; BATCH],
            marks: [0; BATCH],
        }
    }
}

/// The states that a process owns.
pub(crate) struct Owned {
    pub(crate) store: Store,
    inserter: Worker,
    /// For each state, from where it was reached first.
    parents: Vec<u32>,
    parents_owners: Vec<u16>,
    filling: Waiting,
    waiting: Waiting,
    inserted: Vec<Inserted>,
    /// The edges that lead to each state, if they are kept.
    pub(crate) edges: Option<Edges>,
    /// Where each level begins.
    levels: Vec<u32>,
    /// The level to which what comes now belongs.
    level: u64,
    /// Half words of a state.
    halves: usize,
    /// How states would have to be turned, where there was no memory to do it.
    unturned: Option<Repacking>,
}

impl Owned {
    pub(crate) fn new(store: Store, inserter: Worker, halves: usize) -> Owned {
        Owned {
            store,
            inserter,
            parents: Vec::new(),
            parents_owners: Vec::new(),
            filling: Waiting::default(),
            waiting: Waiting::default(),
            inserted: Vec::new(),
            edges: None,
            levels: vec![0],
            level: 0,
            halves,
            unturned: None,
        }
    }

    /// Packs all states anew. What comes from now on is packed that way.
    ///
    /// # Errors
    /// If there is no memory. States can still be read, but none added.
    pub(crate) fn turn(&mut self, now: &Packing, turning: Repacking) -> Result<(), Full> {
        self.flush()?;
        (self.filling, self.waiting) = Default::default();
        let shape = now.shape();
        let workers = std::slice::from_mut(&mut self.inserter);
        let turned = (self.store).turn(&shape, workers, |from, to| turning.turn(from, to));
        self.halves = shape.halves;
        if turned.is_err() {
            self.unturned = Some(turning);
        }
        turned
    }

    /// Whether states could not be packed as all others have them.
    pub(crate) fn is_unturned(&self) -> bool {
        self.unturned.is_some()
    }

    /// How many there are, when all have been looked up.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.parents.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let edges = self.edges.as_ref().map_or(0, Edges::bytes);
        self.store.bytes() + self.parents.capacity() as u64 * 6 + edges
    }

    /// From where a state was reached first.
    pub(crate) fn parent(&self, id: u32) -> Place {
        Place {
            owner: self.parents_owners[id as usize],
            id: self.parents[id as usize],
        }
    }

    /// The states of a level, all of which have arrived; nothing may have come of a later one but the next.
    pub(crate) fn level(&mut self, level: u64) -> Result<Range<u32>, Full> {
        if self.level <= level {
            self.flush()?;
        }
        let at = |level: u64| {
            let begin = usize::try_from(level)
                .ok()
                .and_then(|at| self.levels.get(at));
            begin.copied().unwrap_or(self.len())
        };
        Ok(at(level)..at(level + 1))
    }

    /// What comes now belongs to this level.
    #[inline]
    pub(crate) fn enter(&mut self, level: u64) -> Result<(), Full> {
        if level > self.level {
            self.flush()?;
            while self.level < level {
                self.levels.push(self.len());
                self.level += 1;
            }
        }
        Ok(())
    }

    /// Adds a state of so many words that is written to its place, if it is new.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        words: usize,
        from: Place,
        write: impl FnOnce(&mut [u64]),
    ) -> Result<(), Full> {
        let filling = &mut self.filling;
        filling.from[filling.batch.len() % BATCH] = from;
        filling.batch.push_written(words, write);
        if filling.batch.len() >= BATCH {
            self.look_up()?;
        }
        Ok(())
    }

    /// The same, and keeps the edge that leads there if its marks say so.
    #[inline(always)]
    pub(crate) fn add_edge(
        &mut self,
        words: usize,
        edge: Edge,
        write: impl FnOnce(&mut [u64]),
    ) -> Result<(), Full> {
        self.filling.marks[self.filling.batch.len() % BATCH] = edge.marks;
        self.add(words, edge.place, write)
    }

    /// Looks up the states that have waited; lets those wait that have come since.
    #[inline(never)]
    fn look_up(&mut self) -> Result<(), Full> {
        self.inserted.clear();
        let (waiting, filling) = (&mut self.waiting.batch, &mut self.filling.batch);
        let result =
            (self.store).exchange(&mut self.inserter, waiting, filling, &mut self.inserted);
        for (inserted, from) in self.inserted.iter().zip(&self.waiting.from) {
            if inserted.new {
                // With one worker numbers go up by one.
                debug_assert_eq!(inserted.id.0 as usize, self.parents.len());
                self.parents.push(from.id);
                self.parents_owners.push(from.owner);
            }
        }
        if let Some(edges) = &mut self.edges {
            let found = self.inserted.iter().zip(&self.waiting.from);
            for ((inserted, &place), &marks) in found.zip(&self.waiting.marks) {
                if inserted.new {
                    edges.add_node();
                }
                if marks & KEPT != 0 {
                    edges.add(inserted.id.0, Edge { place, marks })?;
                }
            }
        }
        result?;
        self.waiting.batch.clear();
        std::mem::swap(&mut self.filling, &mut self.waiting);
        Ok(())
    }

    /// Looks up all that have come.
    pub(crate) fn flush(&mut self) -> Result<(), Full> {
        while !(self.filling.batch.is_empty() && self.waiting.batch.is_empty()) {
            self.look_up()?;
        }
        Ok(())
    }

    /// Adds the states of a parcel.
    pub(crate) fn receive(
        &mut self,
        sender: u16,
        states: &[u8],
    ) -> Result<Result<(), Full>, Garbled> {
        let words = self.store.words();
        let has_edges = self.edges.is_some();
        let record = record(self.halves, has_edges);
        if !states.len().is_multiple_of(record) {
            return Err(Garbled);
        }
        for record in states.chunks_exact(record) {
            let (id, mut state) = record.split_first_chunk().ok_or(Garbled)?;
            let mut marks = 0;
            if has_edges {
                let (bytes, rest) = state.split_first_chunk().ok_or(Garbled)?;
                (marks, state) = (Marks::from_le_bytes(*bytes), rest);
            }
            let place = Place {
                owner: sender,
                id: u32::from_le_bytes(*id),
            };
            let added = self.add_edge(words, Edge { place, marks }, |to| {
                let (whole, rest) = state.as_chunks();
                for (word, bytes) in to.iter_mut().zip(whole) {
                    *word = u64::from_le_bytes(*bytes);
                }
                if let (Some(word), [a, b, c, d]) = (to.last_mut(), rest) {
                    *word = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
                }
            });
            if added.is_err() {
                return Ok(added);
            }
        }
        Ok(Ok(()))
    }

    /// Copies a state.
    pub(crate) fn read(&self, id: u32) -> Vec<u64> {
        let mut stored = vec![0; self.store.words()];
        self.store.read(StateId(id), &mut stored);
        match &self.unturned {
            Some(turning) => turning.turned(&stored),
            None => stored,
        }
    }
}

/// Bytes of a state in a parcel, with where it comes from, and the marks of the edge from there if there are any.
fn record(halves: usize, has_edges: bool) -> usize {
    4 + 4 * halves + if has_edges { size_of::<Marks>() } else { 0 }
}

/// States on their way to their owners, and those that have been sent lately.
pub(crate) struct Outgoing {
    me: u16,
    halves: usize,
    parcels: Vec<Vec<u8>>,
    /// A state that has been sent need not be sent again: for some hashes the last one, none if there are
    /// only zeros. (Lerda and Sisto, *Distributed-memory model checking with SPIN*, SPIN 1999, sends none
    /// twice in a row; remembered are whole states, so none is lost.)
    sent: Vec<u64>,
    /// Bits that choose a place among them.
    mask: u64,
    /// How many states were sent, and how many were not since they had been.
    pub(crate) states: u64,
    pub(crate) spared: u64,
}

/// States that are remembered as sent; a power of two.
const REMEMBERED: usize = 1 << 15;
/// Bytes of a full parcel.
const FULL: usize = 1 << 15;

impl Outgoing {
    pub(crate) fn new(owners: usize, me: usize, words: usize, halves: usize) -> Outgoing {
        let me = u16::try_from(me).unwrap_or(u16::MAX);
        let mut parcels = vec![Vec::new(); owners];
        for parcel in &mut parcels {
            begin_in(parcel, Kind::States, me);
        }
        let remembered = if owners > 1 { REMEMBERED } else { 0 };
        Outgoing {
            me,
            halves,
            parcels,
            sent: vec![0; remembered * words],
            mask: (remembered as u64).wrapping_sub(1),
            states: 0,
            spared: 0,
        }
    }

    /// The same for states of another size, none of which has been sent; all that there were are on their way.
    pub(crate) fn anew(&self, words: usize, halves: usize) -> Outgoing {
        Outgoing {
            states: self.states,
            spared: self.spared,
            ..Outgoing::new(self.parcels.len(), self.me.into(), words, halves)
        }
    }

    /// Puts a state into the parcel for its owner; the parcel, if it is full.
    #[inline(always)]
    pub(crate) fn add(&mut self, to: usize, from: u32, stored: &[u64]) -> Option<Vec<u8>> {
        if self.was_sent(stored) {
            return None;
        }
        self.put(to, from, None, stored)
    }

    /// The same with the marks of the edge that leads there; one that is kept is always sent.
    #[inline(always)]
    pub(crate) fn add_edge(
        &mut self,
        to: usize,
        (from, marks): (u32, Marks),
        stored: &[u64],
    ) -> Option<Vec<u8>> {
        if self.was_sent(stored) && marks & KEPT == 0 {
            return None;
        }
        self.put(to, from, Some(marks), stored)
    }

    /// Whether a state was sent lately; it counts as sent from now on.
    #[inline(always)]
    fn was_sent(&mut self, stored: &[u64]) -> bool {
        let place = ((hash(stored) >> 20) & self.mask) as usize * stored.len();
        let sent = &mut self.sent[place..place + stored.len()];
        // Word by word, which is quicker for so few than a call is.
        let is_same = sent.iter().zip(stored).all(|(sent, word)| sent == word);
        if is_same && stored.iter().any(|word| *word != 0) {
            self.spared += 1;
            return true;
        }
        sent.copy_from_slice(stored);
        false
    }

    #[inline(always)]
    fn put(
        &mut self,
        to: usize,
        from: u32,
        marks: Option<Marks>,
        stored: &[u64],
    ) -> Option<Vec<u8>> {
        self.states += 1;
        let parcel = &mut self.parcels[to];
        parcel.extend_from_slice(&from.to_le_bytes());
        if let Some(marks) = marks {
            parcel.extend_from_slice(&marks.to_le_bytes());
        }
        for word in &stored[..self.halves / 2] {
            parcel.extend_from_slice(&word.to_le_bytes());
        }
        if self.halves % 2 == 1
            && let Some(last) = stored.last()
        {
            #[expect(clippy::cast_possible_truncation, reason = "the upper half is zero")]
            parcel.extend_from_slice(&(*last as u32).to_le_bytes());
        }
        (parcel.len() >= FULL).then(|| self.take(to))
    }

    #[cold]
    fn take(&mut self, to: usize) -> Vec<u8> {
        let mut next = Vec::with_capacity(FULL + 256);
        begin_in(&mut next, Kind::States, self.me);
        std::mem::replace(&mut self.parcels[to], next)
    }

    /// All parcels that are not empty.
    pub(crate) fn drain(&mut self) -> Vec<(usize, Vec<u8>)> {
        let filled = |&to: &usize| self.parcels[to].len() > HEAD;
        let filled: Vec<usize> = (0..self.parcels.len()).filter(filled).collect();
        filled.into_iter().map(|to| (to, self.take(to))).collect()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let parcels: usize = self.parcels.iter().map(Vec::capacity).sum();
        (parcels + self.sent.len() * 8) as u64
    }
}
