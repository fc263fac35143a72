//! What each process tells all others at the end of a level.

use model::{ChannelId, FaultId, ProcessId, UnknownReason};

use crate::ir::capacity::{CapacityExceeded, ChannelSlot, InstanceSlot};
use crate::partitioned::owned::Place;
use crate::partitioned::parcel::{Garbled, Result, Words, put, put_list, put_text};
use crate::store::packing::FieldOverflow;
use crate::vm::machine::Violation;

/// Where something bad is, among all processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sighting {
    /// The macro steps of the run that leads there: the shortest counts.
    pub(crate) level: u64,
    pub(crate) place: Place,
    pub(crate) what: What,
}

impl Sighting {
    /// The level of the state at which it was seen.
    pub(crate) fn state_level(&self) -> u64 {
        match self.what {
            What::State => self.level,
            What::Outcome(_) | What::Violation(_) => self.level.saturating_sub(1),
        }
    }
}

/// What is seen of something bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// The state itself.
    State,
    /// An outcome of a macro step from the state,
    Outcome(usize),
    /// or something on the way.
    Violation(Violation),
}

/// How far a search is, as counted by one process or by all; more than the first two only if it is for runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// States, or nodes of a product, that were expanded, and how many of them not in full.
    pub(crate) expansions: u64,
    pub(crate) reductions: u64,
    /// Nodes that are left, or not reached,
    pub(crate) left: u64,
    /// one of them,
    pub(crate) candidate: Option<Place>,
    /// nodes of which was told in the last round,
    pub(crate) told: u64,
    /// and edges that were taken away alone.
    pub(crate) removed: u64,
}

impl Tally {
    fn words(self) -> [u64; 7] {
        let place = self.candidate.map_or([0, 0], |place| [1, place.word()]);
        let [is_there, place] = place;
        [
            self.expansions,
            self.reductions,
            self.left,
            is_there,
            place,
            self.told,
            self.removed,
        ]
    }

    fn read(from: &mut Words<'_>) -> Result<Tally> {
        let (expansions, reductions, left) = (from.word()?, from.word()?, from.word()?);
        let (is_there, place) = (from.word()? != 0, Place::from_word(from.word()?)?);
        Ok(Tally {
            expansions,
            reductions,
            left,
            candidate: is_there.then_some(place),
            told: from.word()?,
            removed: from.word()?,
        })
    }

    fn add(&mut self, other: Tally) {
        self.expansions += other.expansions;
        self.reductions += other.reductions;
        self.left += other.left;
        self.candidate = self.candidate.or(other.candidate);
        self.told += other.told;
        self.removed += other.removed;
    }
}

/// What one process has found, from the beginning to the end of a level.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Summary {
    /// For each bad thing.
    pub(crate) found: Vec<Option<Sighting>>,
    /// For each watched expression, whether it was seen to hold.
    pub(crate) watched: Vec<bool>,
    /// Why it stops.
    pub(crate) stop: Option<UnknownReason>,
    /// What there was no room for.
    pub(crate) exceeded: Vec<CapacityExceeded>,
    /// What did not fit into the fields of a state.
    pub(crate) overflow: Vec<FieldOverflow>,
    pub(crate) sampled: bool,
    pub(crate) gave_up: bool,
    pub(crate) reduced: bool,
    /// Whether it has made texts or other values for which others may have other numbers.
    pub(crate) has_values: bool,
    /// The level, and how many of its states were expanded here.
    pub(crate) level: u64,
    pub(crate) expanded: u64,
    /// States and transitions since the beginning.
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Bytes that it keeps.
    pub(crate) memory: u64,
    /// States sent to others, and bytes of them.
    pub(crate) sent: [u64; 2],
    /// Whether all are to save what they have at the end of this level.
    pub(crate) due: bool,
    /// The hash of what was saved at the end of the level before.
    pub(crate) saved: Option<u64>,
    pub(crate) tally: Tally,
}

/// The words for a bad thing that was found.
fn sighting(found: Option<Sighting>) -> [u64; 5] {
    let Some(Sighting { level, place, what }) = found else {
        return [0; 5];
    };
    let (kind, a, b): (u64, u64, u64) = match what {
        What::State => (1, 0, 0),
        What::Outcome(outcome) => (2, outcome as u64, 0),
        What::Violation(Violation::Check(check, site)) => (3, check.into(), site.into()),
        What::Violation(Violation::Fault(fault, site)) => (4, fault.0.into(), site.into()),
        What::Violation(Violation::Divergence) => (5, 0, 0),
    };
    [kind, level, place.word(), a, b]
}

fn read_sighting(from: &mut Words<'_>) -> Result<Option<Sighting>> {
    let (kind, level) = (from.word()?, from.word()?);
    let place = Place::from_word(from.word()?)?;
    let (a, b) = (from.word()?, from.word()?);
    let small = |word: u64| u32::try_from(word).map_err(|_| Garbled);
    let what = match kind {
        0 => return Ok(None),
        1 => What::State,
        2 => What::Outcome(small(a)? as usize),
        3 => What::Violation(Violation::Check(small(a)?, small(b)?)),
        4 => What::Violation(Violation::Fault(FaultId(small(a)?), small(b)?)),
        5 => What::Violation(Violation::Divergence),
        _ => return Err(Garbled),
    };
    Ok(Some(Sighting { level, place, what }))
}

/// Why searches stop, by numbers; whatever else there is goes by its text.
const REASONS: [UnknownReason; 6] = [
    UnknownReason::Time,
    UnknownReason::Memory,
    UnknownReason::Interrupted,
    UnknownReason::StepBudget,
    UnknownReason::Overflow,
    UnknownReason::Sampled,
];

fn put_reason(parcel: &mut Vec<u8>, reason: Option<&UnknownReason>) {
    let Some(reason) = reason else {
        return put(parcel, &[0]);
    };
    match REASONS.iter().position(|it| it == reason) {
        Some(number) => put(parcel, &[number as u64 + 2]),
        None => {
            put(parcel, &[1]);
            let text = match reason {
                UnknownReason::Unsupported(what) => what.clone(),
                other => format!("{other:?}"),
            };
            put_text(parcel, &text);
        }
    }
}

fn read_reason(from: &mut Words<'_>) -> Result<Option<UnknownReason>> {
    Ok(match from.number::<usize>()? {
        0 => None,
        1 => Some(UnknownReason::Unsupported(from.text()?)),
        number => Some(REASONS.get(number - 2).ok_or(Garbled)?.clone()),
    })
}

fn put_exceeded(parcel: &mut Vec<u8>, exceeded: &[CapacityExceeded]) {
    put(parcel, &[exceeded.len() as u64]);
    for exceeded in exceeded {
        match exceeded {
            CapacityExceeded::InstanceSlot(slot) => {
                put(parcel, &[0, slot.number as u64, slot.process.0.into()]);
                let key: Vec<u64> = slot.key.iter().map(|value| value.cast_unsigned()).collect();
                put_list(parcel, &key);
            }
            CapacityExceeded::ChannelSlot(slot) => {
                let owner = slot.owner.map_or(0, |owner| owner as u64 + 1);
                put(
                    parcel,
                    &[1, slot.place as u64, slot.channel.0.into(), owner],
                );
            }
        }
    }
}

fn read_exceeded(from: &mut Words<'_>) -> Result<Vec<CapacityExceeded>> {
    let count = from.word()?;
    let mut exceeded = Vec::new();
    for _ in 0..count {
        exceeded.push(match from.word()? {
            0 => CapacityExceeded::InstanceSlot(InstanceSlot {
                number: from.number()?,
                process: ProcessId(from.number()?),
                key: from.list()?.iter().map(|word| word.cast_signed()).collect(),
            }),
            1 => CapacityExceeded::ChannelSlot(ChannelSlot {
                place: from.number()?,
                channel: ChannelId(from.number()?),
                owner: from.number::<usize>()?.checked_sub(1),
            }),
            _ => return Err(Garbled),
        });
    }
    Ok(exceeded)
}

impl Summary {
    /// One that has found nothing of so many bad things and watched expressions.
    pub(crate) fn new(bads: usize, watched: usize) -> Summary {
        Summary {
            found: vec![None; bads],
            watched: vec![false; watched],
            ..Summary::default()
        }
    }

    pub(crate) fn write(&self, parcel: &mut Vec<u8>) {
        put(parcel, &[self.found.len() as u64]);
        for found in &self.found {
            put(parcel, &sighting(*found));
        }
        let watched: Vec<u64> = self.watched.iter().map(|seen| u64::from(*seen)).collect();
        put_list(parcel, &watched);
        put_reason(parcel, self.stop.as_ref());
        put_exceeded(parcel, &self.exceeded);
        let overflow = self.overflow.iter();
        let overflow = overflow.flat_map(|&(slot, value)| [slot.into(), value.cast_unsigned()]);
        put_list(parcel, &overflow.collect::<Vec<u64>>());
        let flags = [self.sampled, self.gave_up, self.reduced, self.has_values];
        put(parcel, &flags.map(u64::from));
        let [states, bytes] = self.sent;
        put(
            parcel,
            &[self.level, self.expanded, self.states, self.transitions],
        );
        put(parcel, &[self.memory, states, bytes]);
        let saved = self.saved.map_or([0, 0], |hash| [1, hash]);
        put(parcel, &[self.due.into(), saved[0], saved[1]]);
        put(parcel, &self.tally.words());
    }

    /// Reads one of so many bad things and watched expressions.
    pub(crate) fn read(bytes: &[u8], (bads, watched): (usize, usize)) -> Result<Summary> {
        let mut from = Words(bytes);
        let mut summary = Summary::default();
        if from.number::<usize>()? != bads {
            return Err(Garbled);
        }
        for _ in 0..bads {
            summary.found.push(read_sighting(&mut from)?);
        }
        summary.watched = from.list()?.iter().map(|word| *word != 0).collect();
        summary.stop = read_reason(&mut from)?;
        summary.exceeded = read_exceeded(&mut from)?;
        for pair in from.list()?.chunks(2) {
            let &[slot, value] = pair else {
                return Err(Garbled);
            };
            let slot = u16::try_from(slot).map_err(|_| Garbled)?;
            summary.overflow.push((slot, value.cast_signed()));
        }
        summary.sampled = from.word()? != 0;
        summary.gave_up = from.word()? != 0;
        summary.reduced = from.word()? != 0;
        summary.has_values = from.word()? != 0;
        summary.level = from.word()?;
        summary.expanded = from.word()?;
        summary.states = from.word()?;
        summary.transitions = from.word()?;
        summary.memory = from.word()?;
        summary.sent = [from.word()?, from.word()?];
        summary.due = from.word()? != 0;
        let saved = [from.word()?, from.word()?];
        summary.saved = (saved[0] != 0).then_some(saved[1]);
        summary.tally = Tally::read(&mut from)?;
        from.end()?;
        match summary.watched.len() == watched {
            true => Ok(summary),
            false => Err(Garbled),
        }
    }

    /// What all have found, in the order of the processes: the same for whoever asks.
    pub(crate) fn of_all(all: &[Summary]) -> Summary {
        let mut whole = Summary::default();
        for one in all {
            whole
                .found
                .resize(whole.found.len().max(one.found.len()), None);
            for (found, theirs) in whole.found.iter_mut().zip(&one.found) {
                let order = |it: &Sighting| (it.level, it.place);
                *found = match (*found, *theirs) {
                    (Some(a), Some(b)) => Some(if order(&b) < order(&a) { b } else { a }),
                    (a, b) => a.or(b),
                };
            }
            whole
                .watched
                .resize(whole.watched.len().max(one.watched.len()), false);
            for (seen, theirs) in whole.watched.iter_mut().zip(&one.watched) {
                *seen |= theirs;
            }
            if whole.stop.is_none() {
                whole.stop.clone_from(&one.stop);
            }
            whole.exceeded.extend_from_slice(&one.exceeded);
            whole.overflow.extend_from_slice(&one.overflow);
            whole.sampled |= one.sampled;
            whole.gave_up |= one.gave_up;
            whole.reduced |= one.reduced;
            whole.has_values |= one.has_values;
            whole.level = whole.level.max(one.level);
            whole.expanded += one.expanded;
            whole.states += one.states;
            whole.transitions += one.transitions;
            whole.memory += one.memory;
            whole.tally.add(one.tally);
            for (sum, theirs) in whole.sent.iter_mut().zip(one.sent) {
                *sum += theirs;
            }
        }
        whole.exceeded.sort();
        whole.exceeded.dedup();
        whole.overflow.sort_unstable();
        whole.overflow.dedup();
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_read_as_it_was_written_and_nothing_else_is() {
        let seen = |level, id, what| Sighting {
            level,
            place: Place { owner: 3, id },
            what,
        };
        let summary = Summary {
            found: vec![
                None,
                Some(seen(2, 7, What::State)),
                Some(seen(4, 9, What::Outcome(5))),
                Some(seen(4, 9, What::Violation(Violation::Check(1, 2)))),
                Some(seen(4, 9, What::Violation(Violation::Fault(FaultId(6), 2)))),
                Some(seen(4, 9, What::Violation(Violation::Divergence))),
            ],
            watched: vec![true, false],
            stop: Some(UnknownReason::Unsupported("this and that".to_owned())),
            exceeded: vec![
                CapacityExceeded::InstanceSlot(InstanceSlot {
                    number: 2,
                    process: ProcessId(1),
                    key: vec![-4, 5],
                }),
                CapacityExceeded::ChannelSlot(ChannelSlot {
                    place: 1,
                    channel: ChannelId(3),
                    owner: Some(0),
                }),
            ],
            overflow: vec![(4, -9), (5, 1 << 40)],
            sampled: true,
            gave_up: false,
            reduced: true,
            has_values: true,
            level: 8,
            expanded: 9,
            states: 1,
            transitions: 2,
            memory: 3,
            sent: [4, 5],
            due: true,
            saved: Some(0),
            tally: Tally {
                expansions: 11,
                reductions: 12,
                left: 13,
                candidate: Some(Place { owner: 1, id: 2 }),
                told: 14,
                removed: 15,
            },
        };
        let mut parcel = Vec::new();
        summary.write(&mut parcel);
        assert_eq!(Summary::read(&parcel, (6, 2)), Ok(summary.clone()));
        assert_eq!(Summary::read(&parcel, (5, 2)), Err(Garbled));
        assert_eq!(Summary::read(&parcel, (6, 1)), Err(Garbled));
        for length in 0..parcel.len() {
            assert_eq!(Summary::read(&parcel[..length], (6, 2)), Err(Garbled));
        }
        for reason in REASONS {
            let told = Summary {
                stop: Some(reason),
                ..Summary::new(1, 0)
            };
            parcel.clear();
            told.write(&mut parcel);
            assert_eq!(Summary::read(&parcel, (1, 0)), Ok(told));
        }
        // What is nearest counts, whoever tells it first.
        let near = Summary {
            found: vec![None, Some(seen(1, 8, What::State))],
            ..Summary::new(2, 0)
        };
        for all in [[near.clone(), summary.clone()], [summary, near]] {
            let found = Summary::of_all(&all).found;
            assert_eq!(found[1], Some(seen(1, 8, What::State)));
            assert_eq!(found.len(), 6);
        }
    }
}
