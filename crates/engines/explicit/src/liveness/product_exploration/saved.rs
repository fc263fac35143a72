//! What a checkpoint holds of an unfolding: the graph with the automaton's states in it, and what
//! is still to be looked at.

use std::io;
use std::sync::atomic::Ordering;

use super::ProductExploration;
use super::shared::Item;
use super::worker::Counts;
use crate::checkpoint::file::{Reading, Writing, damaged};
use crate::checkpoint::resume::{Dense, range_of, read_states};
use crate::liveness::automaton_labels::{Label, Letter, states};
use crate::liveness::product_graph::{ASLEEP, NONE, Pace, UNSEEN};
use crate::search::crew::lock;

impl ProductExploration<'_> {
    /// Writes the unfolding; nobody works on it.
    pub(crate) fn write(&self, to: &mut Writing<'_>) -> io::Result<()> {
        let graph = &self.common.graph;
        let dense = Dense::new(&graph.store);
        dense.write(to)?;
        let classes = self.common.letters.classes();
        to.list(classes.iter().map(|class| {
            let label = class.label;
            let stutter = u64::from(label.stutter);
            #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
            let (low, high) = (label.letter as u64, (label.letter >> 64) as u64);
            [low, high, label.taken, label.enabled, stutter]
        }))?;
        let [mut reached, mut followed] = [vec![0; graph.width], vec![0; graph.width]];
        let mut transitions = Vec::new();
        for row in dense.ids() {
            reached.fill(0);
            followed.fill(0);
            graph.all(row, &mut reached);
            graph.followed(row, &mut followed);
            for set in [&reached, &followed] {
                for part in set.chunks(8) {
                    let mut bytes = [0; 8];
                    bytes[..part.len()].copy_from_slice(part);
                    to.word(u64::from_le_bytes(bytes))?;
                }
            }
            to.word(graph.first(row).min(NONE).into())?;
            transitions.clear();
            graph.each(row, |transition| transitions.push(transition));
            to.list(transitions.iter().map(|transition| {
                [u64::from(dense.number(transition.to)) | u64::from(transition.class) << 32]
            }))?;
        }
        let initial = self.initial.iter();
        to.list(initial.map(|&(row, state)| [dense.number(row).into(), state.into()]))?;
        to.word(self.frontier.len() as u64)?;
        for item in &self.frontier {
            match item {
                Item::Fresh(rows) => {
                    to.word(0)?;
                    to.words(&dense.pair(rows))?;
                }
                Item::Again(rows) => {
                    to.word(1)?;
                    to.list(rows.iter().map(|&row| [dense.number(row).into()]))?;
                }
            }
        }
        let said = self.statistics();
        let (expanded, reduced) = self.reduced();
        let looked = self.common.looked.load(Ordering::Relaxed);
        to.words(&[said.states, said.transitions, looked, expanded, reduced])?;
        let left_out = u64::from(self.sampled()) | u64::from(self.gave_up()) << 1;
        to.words(&[said.depth, left_out])?;
        let mut watched = vec![false; lock(&self.workers[0]).watched.len()];
        self.watched(&mut watched);
        to.list(watched.iter().map(|&seen| [u64::from(seen)]))
    }

    /// Goes on from what was written; nothing has been unfolded yet.
    ///
    /// # Errors
    /// If it is not about this program and automaton, or there is no room for it.
    pub(crate) fn read(&mut self, from: &mut Reading) -> io::Result<()> {
        let full = |_| io::Error::from(io::ErrorKind::OutOfMemory);
        let common = &self.common;
        let graph = &common.graph;
        let mut worker = lock(&self.workers[0]);
        let count = read_states(from, &graph.store, &mut worker.inserter)?;
        let row_of = |number: u64| {
            let row = u32::try_from(number).ok().filter(|&row| row < count);
            row.ok_or_else(damaged)
        };
        let labels: Vec<[u64; 5]> = from.list()?;
        for (number, [low, high, taken, enabled, stutter]) in (0u32..).zip(&labels) {
            let label = Label {
                letter: Letter::from(*low) | Letter::from(*high) << 64,
                taken: *taken,
                enabled: *enabled,
                stutter: *stutter != 0,
            };
            if common.letters.number(label) != number {
                return Err(damaged());
            }
        }
        let automaton = common.letters.states();
        let mut run = 0..0;
        let mut pace = Pace::new(graph);
        let [mut reached, mut followed] = [vec![0; graph.width], vec![0; graph.width]];
        for row in 0..count {
            for set in [&mut reached, &mut followed] {
                for part in set.chunks_mut(8) {
                    let bytes = from.word()?.to_le_bytes();
                    part.copy_from_slice(&bytes[..part.len()]);
                }
                if states(set).any(|state| state >= automaton) {
                    return Err(damaged());
                }
            }
            pace.mark(row, &reached).map_err(full)?;
            graph.follow(row, &followed);
            let first: u32 = from.number()?;
            let mut to = Vec::new();
            let mut classes = Vec::new();
            for [word] in from.list()? {
                to.push(row_of(word & u64::from(u32::MAX))?);
                let class = u32::try_from(word >> 32).map_err(|_| damaged())?;
                if class as usize >= labels.len() {
                    return Err(damaged());
                }
                classes.push(class);
            }
            match first {
                UNSEEN => {}
                ASLEEP => pace.set_first(row, ASLEEP).map_err(full)?,
                _ => {
                    let class = classes.first().copied().filter(|_| graph.by_state);
                    if class.is_some() {
                        classes.clear();
                    }
                    let to = to.into_iter().map(|to| (to, false));
                    let kept = pace.keep(&mut run, to, &classes);
                    let kept = kept.map_err(full)?;
                    match class {
                        Some(class) => pace.set_head(row, kept, class).map_err(full)?,
                        None => pace.set_first(row, kept).map_err(full)?,
                    }
                }
            }
        }
        for [row, state] in from.list()? {
            let state = u32::try_from(state).map_err(|_| damaged())?;
            self.initial.push((row_of(row)?, state));
        }
        for _ in 0..from.word()? {
            self.frontier.push(match from.word()? {
                0 => Item::Fresh(range_of(from.array()?, count)?),
                _ => {
                    let rows = from.list()?.into_iter().map(|[row]| row_of(row));
                    Item::Again(rows.collect::<io::Result<_>>()?)
                }
            });
        }
        let [states, transitions, looked, expanded, reduced] = from.array()?;
        common.states.store(states, Ordering::Relaxed);
        common.transitions.store(transitions, Ordering::Relaxed);
        common.looked.store(looked, Ordering::Relaxed);
        worker.count_from(Counts {
            states,
            transitions,
            looked,
            expanded,
            reduced,
        });
        let [depth, left_out] = from.array()?;
        common.depth.store(depth, Ordering::Relaxed);
        worker.driver.machine.sampled |= left_out & 1 != 0;
        worker.driver.machine.gave_up |= left_out & 2 != 0;
        let watched: Vec<[u64; 1]> = from.list()?;
        if watched.len() != worker.watched.len() {
            return Err(damaged());
        }
        for (seen, [theirs]) in worker.watched.iter_mut().zip(watched) {
            *seen = theirs != 0;
        }
        Ok(())
    }
}
