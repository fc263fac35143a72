//! What of a state decides what moves lead to, and what of it they change.

use crate::successors::read_write_sets::{Footprints, GuardedMove, LocationLists};
use crate::vm::dependencies::Tracking;

/// What moves at a location touch, in masks for the words of a state.
pub(super) struct Touched {
    /// What decides, with what tells the location; what decides; what is written.
    pub(super) bits: Vec<u64>,
    pub(super) read: Vec<u64>,
    pub(super) written: Vec<u64>,
    /// Whether what is asked for at the ends of macro steps depends on more.
    pub(super) outcomes: bool,
    /// Whether what is asked for is among what decides.
    pub(super) wider: bool,
    /// What is to be written down of runs, since more is touched that is not known beforehand.
    pub(super) tracking: Tracking,
    /// Whether there is a way to know what is touched.
    pub(super) known: bool,
}

/// What decides beside what moves touch, and how that is found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deciding {
    /// Words of a state.
    pub(crate) words: usize,
    /// The bits that tell what is asked for at the ends of macro steps, if they are known.
    pub(crate) observed: Option<Vec<u64>>,
    /// Whether it is written down what runs touch, where that is not known beforehand.
    pub(crate) tracks: bool,
    /// With how many entries the moves at a location are split into groups; zero for never.
    pub(crate) split_from: u32,
}

/// The moves at a location that wait for nothing, of one class.
#[derive(Clone, Copy)]
pub(crate) struct Moves<'f> {
    pub(crate) footprints: &'f Footprints,
    pub(crate) location_lists: LocationLists,
    pub(crate) class: u8,
    /// All at the location.
    pub(crate) all: &'f [GuardedMove],
}

impl<'f> Moves<'f> {
    /// Those in some places.
    pub(super) fn within(self, (first, end): (u32, u32)) -> impl Iterator<Item = &'f GuardedMove> {
        let those = self.all[first as usize..end as usize].iter();
        those.filter(move |it| it.class == self.class && !it.waits)
    }
}

impl Touched {
    /// By those of some moves that stand in these places.
    pub(super) fn by(moves: Moves<'_>, places: (u32, u32), deciding: &Deciding) -> Touched {
        let mut touched = Touched {
            bits: Vec::new(),
            read: vec![0; deciding.words],
            written: vec![0; deciding.words],
            outcomes: false,
            wider: false,
            tracking: Tracking::Nothing,
            known: true,
        };
        let footprints = moves.footprints;
        for guarded_move in moves.within(places) {
            let Some(footprint) = guarded_move.footprint.as_ref() else {
                touched.tracking = Tracking::Everything;
                touched.known &= deciding.tracks;
                touched.outcomes = true;
                continue;
            };
            touched.outcomes |= footprint.outcomes;
            let (read, written) = match deciding.tracks {
                true => (
                    footprints.direct(footprint),
                    footprints.direct_written(footprint),
                ),
                false => (footprints.fetched(footprint), footprints.written(footprint)),
            };
            read.iter().for_each(|field| field.cover(&mut touched.read));
            written
                .iter()
                .for_each(|field| field.cover(&mut touched.written));
            if deciding.tracks && !footprints.is_direct(footprint) {
                touched.tracking = touched.tracking.max(Tracking::Indices);
            }
        }
        if let (true, Some(observed)) = (touched.outcomes, &deciding.observed) {
            for (read, observed) in touched.read.iter_mut().zip(observed) {
                *read |= observed;
            }
            touched.outcomes = false;
            touched.wider = true;
        }
        touched.bits.clone_from(&touched.read);
        moves.location_lists.cover(&mut touched.bits);
        touched
    }
}
