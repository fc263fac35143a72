//! The graph of stable states, and what of its product with an automaton has been reached.
//!
//! A program state is stored and expanded once, however many states of the automaton come to it:
//! its successors are kept, four bytes each, and the set of the automaton's states there is a few
//! bits beside it. The product is never built; to walk on it is to walk on lists of numbers.
//!
//! If what the automaton and fairness ask can be told from a stored state alone, the automaton
//! reads a state when it *leaves* it, as in SPIN, and there is one label a state. If not (events,
//! steps taken), it reads when a macro step ends, and there is one label a transition.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::search::crew::{lock, together};
use crate::store::column::{Column, Near, SHORTEST};
use crate::store::{Full, Store, prefetch};

/// A state has not been looked at,
pub(crate) const UNSEEN: u32 = 0;
/// or only when the automaton did not come to it,
pub(crate) const ASLEEP: u32 = 1;
/// or it has no successors. Otherwise its list begins at this position.
pub(crate) const NONE: u32 = 2;

/// On the last successor of a list,
const LAST: u32 = 1 << 31;
/// and on one that was found by this transition and has a greater number.
const FOUND: u32 = 1 << 30;
/// The list goes on elsewhere: at the position that follows.
const ELSEWHERE: u32 = FOUND - 1;
/// A successor's number is in these bits.
const NUMBER: u32 = FOUND - 1;

/// Successors that a thread goes through at a time.
const PIECE: usize = 1 << 12;

/// The marks of eight of the automaton's states at a state: those that have come to it,
const CAME: u16 = 0xff;
/// and, above them, those that wait. One that comes anew is put into both.
const BOTH: u16 = 0x101;

#[inline]
fn are_followed(cell: &AtomicU16) -> u8 {
    let marks = cell.load(Ordering::Relaxed);
    came(marks) & !waits(marks)
}

#[inline]
fn found_bit(found: bool) -> u32 {
    if found { FOUND } else { 0 }
}

#[inline]
fn came(marks: u16) -> u8 {
    marks.to_le_bytes()[0]
}

#[inline]
fn waits(marks: u16) -> u8 {
    marks.to_le_bytes()[1]
}

/// The graph.
pub(crate) struct Graph {
    pub(crate) store: Store,
    /// Bytes of a set of the automaton's states.
    pub(crate) width: usize,
    /// Where the successors of each state are, and its class plus one, if states have classes.
    heads: Column<AtomicU32>,
    successors: Column<AtomicU32>,
    /// The class of each transition, beside its target, if states have none.
    classes: Column<AtomicU32>,
    /// Whether it is the states that have classes.
    pub(crate) by_state: bool,
    /// Whether transitions are kept at all: to find out what can be reached they need not be.
    pub(crate) has_lists: bool,
    /// The automaton's states that have come to each state, and above them those not followed yet:
    /// both change at once.
    marks: Column<AtomicU16>,
    /// The next position that has not been handed out.
    next: AtomicU64,
    /// Whether only one thread works on it at present.
    alone: AtomicBool,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Transition {
    pub(crate) to: u32,
    pub(crate) class: u32,
}

/// What is left of a list of transitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    position: u32,
    class: u32,
}

/// What marking a state has changed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Marked {
    /// How many of the automaton's states are new there.
    pub(crate) new: u32,
    /// Whether none was waiting before.
    pub(crate) wakes: bool,
}

impl Graph {
    pub(crate) fn new(store: Store, width: usize, by_state: bool, has_lists: bool) -> Self {
        Graph {
            store,
            width,
            heads: Column::new(if by_state { 2 } else { 1 }),
            successors: Column::new(1),
            classes: Column::new(1),
            by_state,
            has_lists,
            marks: Column::new(width),
            next: AtomicU64::new(SHORTEST.into()),
            alone: AtomicBool::new(false),
        }
    }

    /// Says whether only one thread works on it from now on.
    pub(crate) fn set_alone(&self, alone: bool) {
        self.alone.store(alone, Ordering::Relaxed);
    }

    #[inline]
    fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed)
    }

    /// Bytes beside the store.
    pub(crate) fn beside(&self) -> u64 {
        self.heads.bytes() + self.successors.bytes() + self.classes.bytes() + self.marks.bytes()
    }

    /// Where the successors of a state begin, or what else is known of it.
    #[inline]
    pub(crate) fn first(&self, row: u32) -> u32 {
        let head = self.heads.row(row);
        head.map_or(UNSEEN, |cell| cell[0].load(Ordering::Acquire))
    }

    pub(crate) fn set_first(&self, row: u32, first: u32) -> Result<(), Full> {
        Pace::new(self).set_first(row, first)
    }

    /// Adds states of the automaton to those that have come to a state.
    pub(crate) fn mark(&self, row: u32, set: &[u8]) -> Result<Marked, Full> {
        Pace::new(self).mark(row, set)
    }

    #[inline(always)]
    fn mark_cell(&self, cell: &AtomicU16, set: u8) -> Marked {
        let mut before = cell.load(Ordering::Relaxed);
        loop {
            let new = set & !came(before);
            if new == 0 {
                return Marked::default();
            }
            let after = before | (u16::from(new) * BOTH);
            match self.replace(cell, before, after) {
                Ok(_) => {
                    return Marked {
                        new: new.count_ones(),
                        wakes: waits(before) == 0,
                    };
                }
                Err(now) => before = now,
            }
        }
    }

    fn mark_cells(&self, cells: &[AtomicU16], set: &[u8]) -> Marked {
        let mut marked = Marked::default();
        for (cell, &set) in cells.iter().zip(set) {
            let Marked { new, wakes } = self.mark_cell(cell, set);
            marked.new += new;
            marked.wakes |= wakes;
        }
        marked
    }

    /// Replaces the marks of a state, unless somebody else has been faster.
    #[inline]
    fn replace(&self, cell: &AtomicU16, before: u16, after: u16) -> Result<u16, u16> {
        if self.is_alone() {
            cell.store(after, Ordering::Relaxed);
            Ok(before)
        } else {
            cell.compare_exchange(before, after, Ordering::AcqRel, Ordering::Relaxed)
        }
    }

    /// Lets states of the automaton that were taken wait again.
    pub(crate) fn wait_again(&self, row: u32, set: &[u8]) {
        for (cell, &bits) in self.marks.row(row).into_iter().flatten().zip(set) {
            cell.fetch_or(u16::from(bits) << 8, Ordering::AcqRel);
        }
    }

    /// States of the automaton need not wait at a state any more.
    pub(crate) fn follow(&self, row: u32, set: &[u8]) {
        for (cell, &bits) in self.marks.row(row).into_iter().flatten().zip(set) {
            cell.fetch_and(!(u16::from(bits) << 8), Ordering::Relaxed);
        }
    }

    /// The automaton's states that have come to a state.
    pub(crate) fn all(&self, row: u32, set: &mut [u8]) {
        for (set, cell) in set
            .iter_mut()
            .zip(self.marks.row(row).into_iter().flatten())
        {
            *set = came(cell.load(Ordering::Relaxed));
        }
    }

    /// The automaton's states that have come to a state and have been followed.
    #[inline]
    pub(crate) fn followed(&self, row: u32, set: &mut [u8]) -> bool {
        let Some(cells) = self.marks.row(row) else {
            return false;
        };
        let mut any = 0;
        for (set, cell) in set.iter_mut().zip(cells) {
            *set = are_followed(cell);
            any |= *set;
        }
        any != 0
    }

    /// The same for all states of a range, in order: calls with each byte of their sets.
    pub(crate) fn all_followed(&self, rows: Range<u32>, mut each: impl FnMut(u8)) {
        let mut marks = self.marks.near();
        for row in rows {
            match marks.tail(row) {
                Some(cells) => cells[..self.width]
                    .iter()
                    .for_each(|cell| each(are_followed(cell))),
                None => (0..self.width).for_each(|_| each(0)),
            }
        }
    }

    /// The states, of so many, to which a transition leads that has not found them, or that comes
    /// from a greater number: only one transition leads to each of the others, and it comes from
    /// a lower number. They are found by so many threads.
    pub(crate) fn joins(&self, rows: u32, jobs: usize) -> Joins {
        let words = rows.div_ceil(64) as usize;
        let all: Vec<Mutex<Vec<u64>>> = (0..jobs.max(1)).map(|_| Mutex::default()).collect();
        together(all.len(), |number| {
            let mut bits = vec![0u64; words];
            let cells = self.successors.segments();
            let pieces = cells.flat_map(|cells| cells.chunks(PIECE));
            // Where a list goes on is no successor, but one more in the set does no harm.
            for cell in pieces.skip(number).step_by(all.len()).flatten() {
                let value = cell.load(Ordering::Relaxed);
                if value & FOUND == 0
                    && let Some(word) = bits.get_mut((value & NUMBER) as usize / 64)
                {
                    *word |= 1 << (value % 64);
                }
            }
            *lock(&all[number]) = bits;
        });
        let mut all = all.iter().map(|bits| std::mem::take(&mut *lock(bits)));
        let mut joins = all.next().unwrap_or_default();
        for bits in all {
            joins
                .iter_mut()
                .zip(bits)
                .for_each(|(all, some)| *all |= some);
        }
        Joins(joins)
    }

    /// Positions that nobody else has.
    fn more(&self) -> Result<Range<u32>, Full> {
        let start = self.next.fetch_add(SHORTEST.into(), Ordering::Relaxed);
        let start = u32::try_from(start).map_err(|_| Full)?;
        let end = start.checked_add(SHORTEST).ok_or(Full)?;
        Ok(start..end)
    }

    /// The transitions of a state.
    #[inline]
    pub(crate) fn transitions(&self, row: u32) -> Rest {
        let Some(head) = self.heads.row(row) else {
            return Rest {
                position: NONE,
                class: 0,
            };
        };
        let class = head.get(1).map_or(0, |cell| cell.load(Ordering::Relaxed));
        Rest {
            position: head[0].load(Ordering::Acquire),
            class: class.saturating_sub(1),
        }
    }

    /// The next transition.
    #[inline]
    pub(crate) fn next(&self, rest: &mut Rest) -> Option<Transition> {
        if rest.position <= NONE {
            return None;
        }
        let mut cells = self.successors.tail(rest.position)?;
        let mut value = cells[0].load(Ordering::Relaxed);
        if value == ELSEWHERE {
            rest.position = cells[1].load(Ordering::Relaxed);
            cells = self.successors.tail(rest.position)?;
            value = cells[0].load(Ordering::Relaxed);
        }
        let class = if self.by_state {
            rest.class
        } else {
            self.classes.tail(rest.position)?[0].load(Ordering::Relaxed)
        };
        rest.position = if value & LAST == 0 {
            rest.position + 1
        } else {
            NONE
        };
        Some(Transition {
            to: value & NUMBER,
            class,
        })
    }

    /// Goes through the transitions of a state.
    #[inline]
    pub(crate) fn each(&self, row: u32, each: impl FnMut(Transition)) {
        Pace::new(self).each(row, each);
    }
}

/// A set of states to which more than one transition may lead.
pub(crate) struct Joins(Vec<u64>);

impl Joins {
    #[inline]
    pub(crate) fn has(&self, row: u32) -> bool {
        self.0[row as usize / 64] >> (row % 64) & 1 != 0
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// Cuts a range of states into blocks that lie together.
pub(crate) fn blocks(rows: Range<u32>) -> impl Iterator<Item = Range<u32>> {
    let first = rows.start / SHORTEST * SHORTEST;
    let starts = (first..rows.end).step_by(SHORTEST as usize);
    starts.map(move |start| start.max(rows.start)..start.saturating_add(SHORTEST).min(rows.end))
}

/// Walks on a graph and writes into it, best in the order of the states' numbers: what lies near
/// what was looked at last is found without looking for it.
pub(crate) struct Pace<'g> {
    graph: &'g Graph,
    heads: Near<'g, AtomicU32>,
    successors: Near<'g, AtomicU32>,
    classes: Near<'g, AtomicU32>,
    marks: Near<'g, AtomicU16>,
}

impl<'g> Pace<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        Pace {
            graph,
            heads: graph.heads.near(),
            successors: graph.successors.near(),
            classes: graph.classes.near(),
            marks: graph.marks.near(),
        }
    }

    /// Keeps the successors of a state, whether each was found by this transition and has a
    /// greater number, and their classes if states have none; gives the position.
    #[inline(always)]
    pub(crate) fn keep(
        &mut self,
        run: &mut Range<u32>,
        to: impl ExactSizeIterator<Item = (u32, bool)>,
        classes: &[u32],
    ) -> Result<u32, Full> {
        let length = to.len();
        if length == 0 || !self.graph.has_lists {
            return Ok(NONE);
        }
        if run.len() < length {
            *run = self.graph.more()?;
        }
        if run.len() < length {
            return self.keep_in_parts(run, to, classes);
        }
        let first = run.start;
        let [successors, own] = self.cells(first)?;
        let (successors, own) = (&successors[..length], own.iter().zip(classes));
        let mut greatest = 0;
        for (cell, (to, found)) in successors.iter().zip(to) {
            greatest = greatest.max(to);
            cell.store(to | found_bit(found), Ordering::Relaxed);
        }
        if greatest >= ELSEWHERE {
            return Err(Full);
        }
        let last = &successors[length - 1];
        last.store(last.load(Ordering::Relaxed) | LAST, Ordering::Relaxed);
        own.for_each(|(cell, class)| cell.store(*class, Ordering::Relaxed));
        #[expect(clippy::cast_possible_truncation, reason = "no longer than a run")]
        let length = length as u32;
        run.start += length;
        Ok(first)
    }

    /// The same for a list that is longer than a run.
    #[cold]
    fn keep_in_parts(
        &mut self,
        run: &mut Range<u32>,
        to: impl ExactSizeIterator<Item = (u32, bool)>,
        classes: &[u32],
    ) -> Result<u32, Full> {
        let mut left = to.len();
        let first = run.start;
        let mut cells = self.cells(run.start)?;
        for (number, (to, found)) in to.enumerate() {
            if run.len() <= 2 && left > run.len() {
                let next = self.graph.more()?;
                cells[0][0].store(ELSEWHERE, Ordering::Relaxed);
                cells[0][1].store(next.start, Ordering::Relaxed);
                *run = next;
                cells = self.cells(run.start)?;
            }
            if to >= ELSEWHERE {
                return Err(Full);
            }
            left -= 1;
            let last = if left == 0 { LAST } else { 0 };
            cells[0][0].store(to | found_bit(found) | last, Ordering::Relaxed);
            if let Some(class) = classes.get(number) {
                cells[1][0].store(*class, Ordering::Relaxed);
                cells[1] = &cells[1][1..];
            }
            cells[0] = &cells[0][1..];
            run.start += 1;
        }
        Ok(first)
    }

    /// The cells from a position on.
    #[inline(always)]
    fn cells(&mut self, position: u32) -> Result<[&'g [AtomicU32]; 2], Full> {
        let successors = self.successors.make(position)?;
        if self.graph.by_state {
            return Ok([successors, &[]]);
        }
        Ok([successors, self.classes.make(position)?])
    }

    /// Says where the successors of a state begin, or what else is known of it.
    pub(crate) fn set_first(&mut self, row: u32, first: u32) -> Result<(), Full> {
        if self.graph.has_lists {
            self.heads.make(row)?[0].store(first, Ordering::Release);
        }
        Ok(())
    }

    /// The same with the state's class.
    #[inline]
    pub(crate) fn set_head(&mut self, row: u32, first: u32, class: u32) -> Result<(), Full> {
        if self.graph.has_lists {
            let head = self.heads.make(row)?;
            head[1].store(class + 1, Ordering::Relaxed);
            head[0].store(first, Ordering::Release);
        }
        Ok(())
    }

    /// Adds states of the automaton to those that have come to a state.
    #[inline(always)]
    pub(crate) fn mark(&mut self, row: u32, set: &[u8]) -> Result<Marked, Full> {
        let cells = self.marks.make(row)?;
        match (cells, set) {
            ([cell, ..], [set]) => Ok(self.graph.mark_cell(cell, *set)),
            _ => Ok(self.graph.mark_cells(cells, set)),
        }
    }

    /// Takes the automaton's states that wait at a state, if there are any: adds the bytes of
    /// their set. Says whether there are.
    #[inline(always)]
    pub(crate) fn take(&mut self, row: u32, sets: &mut Vec<u8>) -> bool {
        let cells = self.marks.tail(row).unwrap_or_default();
        let start = sets.len();
        let mut any = 0;
        for cell in cells.iter().take(self.graph.width) {
            let before = if self.graph.is_alone() {
                let before = cell.load(Ordering::Relaxed);
                cell.store(before & CAME, Ordering::Relaxed);
                before
            } else {
                cell.fetch_and(CAME, Ordering::AcqRel)
            };
            any |= waits(before);
            sets.push(waits(before));
        }
        if any == 0 {
            sets.truncate(start);
        }
        any != 0
    }

    /// States to which a state of the automaton has come, and where it has been followed, with
    /// what is known of their transitions. They lie in one [block](blocks).
    #[inline(always)]
    pub(crate) fn followed(
        &mut self,
        block: Range<u32>,
        state: u32,
    ) -> impl Iterator<Item = (u32, Option<&'g [AtomicU32]>)> + use<'g> {
        let heads = self.heads.tail(block.start).unwrap_or_default();
        let marks = self.marks.tail(block.start).unwrap_or_default();
        let heads = heads.chunks_exact(if self.graph.by_state { 2 } else { 1 });
        let marks = marks.chunks_exact(self.graph.width);
        let (byte, bit) = (state as usize / 8, state % 8);
        block
            .zip(heads)
            .zip(marks)
            .map(move |((row, head), marks)| {
                let is_followed = are_followed(&marks[byte]) >> bit & 1 != 0;
                (row, is_followed.then_some(head))
            })
    }

    /// Asks for where the transitions of a state begin.
    #[inline]
    pub(crate) fn prefetch_head(&mut self, row: u32) {
        if let Some([head, ..]) = self.heads.tail(row) {
            prefetch(head);
        }
    }

    /// Asks for the transitions of a state.
    #[inline]
    pub(crate) fn prefetch_list(&mut self, row: u32) {
        if let Some([head, ..]) = self.heads.tail(row)
            && let Some([first, ..]) = self.successors.tail(head.load(Ordering::Acquire))
        {
            prefetch(first);
        }
    }

    /// Goes through the transitions of a state.
    #[inline(always)]
    pub(crate) fn each(&mut self, row: u32, each: impl FnMut(Transition)) {
        if let Some(head) = self.heads.tail(row) {
            self.each_of(head, each);
        }
    }

    /// Goes through the transitions of a state by what is known of them.
    #[inline(always)]
    pub(crate) fn each_of(&mut self, head: &[AtomicU32], mut each: impl FnMut(Transition)) {
        let of_state = match head {
            [_, class, ..] if self.graph.by_state => {
                Some(class.load(Ordering::Relaxed).saturating_sub(1))
            }
            _ => None,
        };
        let mut position = head[0].load(Ordering::Acquire);
        while position > NONE {
            let Some(cells) = self.successors.tail(position) else {
                return;
            };
            let classes = match of_state {
                Some(_) => &[],
                None => self.classes.tail(position).unwrap_or_default(),
            };
            let mut cells = cells.iter();
            let mut classes = classes.iter();
            position = NONE;
            while let Some(cell) = cells.next() {
                let value = cell.load(Ordering::Relaxed);
                if value == ELSEWHERE {
                    let next = cells.next();
                    position = next.map_or(NONE, |next| next.load(Ordering::Relaxed));
                    break;
                }
                let class = of_state.or_else(|| Some(classes.next()?.load(Ordering::Relaxed)));
                each(Transition {
                    to: value & NUMBER,
                    class: class.unwrap_or(0),
                });
                if value & LAST != 0 {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_however_long() {
        for by_state in [true, false] {
            let graph = Graph::new(Store::empty(), 1, by_state, true);
            let mut run = 0..0;
            let lengths = [0u32, 1, 3, 510, 511, 512, 513, 2000, 7, 505, 2, 1];
            for (row, &length) in (0..).zip(&lengths) {
                let classes: Vec<u32> = (0..length).map(|n| n * 7 + row).collect();
                let classes: &[u32] = if by_state { &[] } else { &classes };
                let to = (0..length).map(|n| (n * 3 + row, n % 2 == 0));
                let to = to.collect::<Vec<_>>().into_iter();
                let first = Pace::new(&graph).keep(&mut run, to, classes).unwrap();
                if by_state {
                    Pace::new(&graph).set_head(row, first, 99).unwrap();
                } else {
                    graph.set_first(row, first).unwrap();
                }
            }
            for (row, &length) in (0..).zip(&lengths) {
                let class = |n: u32| if by_state { 99 } else { n * 7 + row };
                let expected: Vec<Transition> = (0..length)
                    .map(|n| Transition {
                        to: n * 3 + row,
                        class: class(n),
                    })
                    .collect();
                let mut all = Vec::new();
                graph.each(row, |transition| all.push(transition));
                assert_eq!(all, expected);
                let mut rest = graph.transitions(row);
                let again: Vec<Transition> = std::iter::from_fn(|| graph.next(&mut rest)).collect();
                assert_eq!(again, expected);
            }
        }
    }

    #[test]
    fn marks_wake_a_state_once_until_they_are_taken() {
        let graph = Graph::new(Store::empty(), 2, true, true);
        let marked = |new, wakes| Ok(Marked { new, wakes });
        let mut set = Vec::new();
        assert!(!Pace::new(&graph).take(7, &mut set));
        assert_eq!(graph.mark(7, &[0b11, 0]), marked(2, true));
        assert_eq!(graph.mark(7, &[0b111, 0]), marked(1, false));
        assert_eq!(graph.mark(7, &[0b111, 0]), marked(0, false));
        assert!(!graph.followed(7, &mut set));
        assert!(Pace::new(&graph).take(7, &mut set));
        assert_eq!(set, [0b111, 0]);
        assert_eq!(graph.mark(7, &[0b1, 1]), marked(1, true));
        assert!(graph.followed(7, &mut set));
        assert_eq!(set, [0b111, 0]);
    }
}
