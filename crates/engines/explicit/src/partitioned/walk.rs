//! Runs, told backwards: from owner to owner along the states from which others were reached first.

use crate::partitioned::owned::{Owned, Place};
use crate::partitioned::parcel::{Garbled, Kind, Result, Words, begin, put};
use crate::partitioned::summary::{Sighting, What};

/// States in a piece of a run.
const MOST: usize = 1 << 12;

/// The runs that are to be told, and how far that is.
pub(crate) struct Walk {
    /// For each bad thing, the states of the run there, the last one first.
    paths: Vec<Vec<Vec<u64>>>,
    /// The bad things whose runs have not been begun, the last one first.
    open: Vec<(usize, Place)>,
    /// The bad thing whose run is being told, and the state that comes next.
    next: Option<(usize, Place)>,
}

impl Walk {
    pub(crate) fn new(found: &[Option<Sighting>]) -> Walk {
        let open = found.iter().enumerate().rev();
        let open = open.filter_map(|(bad, found)| Some((bad, (*found)?.place)));
        let mut open: Vec<_> = open.collect();
        Walk {
            paths: vec![Vec::new(); found.len()],
            next: open.pop(),
            open,
        }
    }

    /// The next piece, if this process has the state that comes next.
    pub(crate) fn piece(&self, me: u16, owned: &Owned) -> Option<Vec<u8>> {
        let (bad, mut place) = self.next.filter(|(_, place)| place.owner == me)?;
        let mut states = Vec::new();
        while place.owner == me && place.id != Place::NOWHERE.id && states.len() < MOST {
            if place.id >= owned.len() {
                break;
            }
            states.push(owned.read(place.id));
            place = owned.parent(place.id);
        }
        let mut piece = begin(Kind::Path, me);
        put(&mut piece, &[bad as u64, place.word()]);
        states.iter().for_each(|state| put(&mut piece, state));
        Some(piece)
    }

    /// Whether all has been told.
    pub(crate) fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// Takes a piece, of states of so many words.
    pub(crate) fn hear(&mut self, piece: &[u8], words: usize) -> Result<()> {
        let mut from = Words(piece);
        let (bad, place): (usize, Place) = (from.number()?, Place::from_word(from.word()?)?);
        let Some((awaited, _)) = self.next else {
            return Err(Garbled);
        };
        if bad != awaited || from.0.is_empty() || !from.0.len().is_multiple_of(8 * words) {
            return Err(Garbled);
        }
        while !from.0.is_empty() {
            let state: Result<Vec<u64>> = (0..words).map(|_| from.word()).collect();
            self.paths[bad].push(state?);
        }
        self.next = match place.id == Place::NOWHERE.id {
            true => self.open.pop(),
            false => Some((bad, place)),
        };
        Ok(())
    }

    /// For each bad thing that was found, what it is and the states of the run there.
    pub(crate) fn runs(self, found: &[Option<Sighting>]) -> Vec<Option<(What, Vec<Vec<u64>>)>> {
        let is_told = self.next.is_none();
        let told = |(found, mut path): (&Option<Sighting>, Vec<Vec<u64>>)| {
            path.reverse();
            let what = (*found)?.what;
            (is_told && !path.is_empty()).then_some((what, path))
        };
        found.iter().zip(self.paths).map(told).collect()
    }
}
