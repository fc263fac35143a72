//! What a partitioned search needs of those who carry its parcels.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::time::Duration;

use crate::checkpoint::file::CheckpointError;
use crate::partitioned::save::Vault;

/// The others have gone, or one of them: nothing that was found out together counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamLost(pub String);

impl std::fmt::Display for TeamLost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "search together: {}", self.0)
    }
}

impl std::error::Error for TeamLost {}

/// What happens to one of a team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A parcel arrives, which belongs to this level.
    Parcel(u64, Vec<u8>),
    /// All parcels of this level have arrived, here and everywhere. Whoever is told this may send parcels for
    /// the next level until it [releases](Team::release) this one. Told to all at first, of level 0, and
    /// then to those to whom a parcel of the level was sent, after all its parcels.
    Ended(u64),
    /// Nobody can send anything any more.
    Over,
    /// Nothing for now.
    Nothing,
}

/// Processes that search together, as one of them sees them.
pub trait Team {
    /// How many there are.
    fn size(&self) -> usize;

    /// Which of them this is, from 0.
    fn me(&self) -> usize;

    /// Sends a parcel to one of them, or to itself. It belongs to the level behind this one, whose
    /// [end](Event::Ended) has been told here and which has not been released.
    fn send(&mut self, level: u64, to: usize, parcel: Vec<u8>);

    /// There will be no more parcels from here for the level behind this one.
    fn release(&mut self, level: u64);

    /// What happens next; waits for it up to so long.
    ///
    /// # Errors
    /// If one of them is lost.
    fn next(&mut self, wait: Duration) -> Result<Event, TeamLost>;

    /// Ends the work together, when it is [over](Event::Over).
    ///
    /// # Errors
    /// If that cannot be told to the others any more.
    fn part(self: Box<Self>) -> Result<(), TeamLost>;
}

/// Where teams meet.
pub trait Cluster: Debug + Send + Sync {
    /// Meets the others for a search. All must be about the same one, which the fingerprint tells.
    ///
    /// # Errors
    /// If some cannot be met, or are about something else.
    fn gather(&self, fingerprint: u64) -> Result<Box<dyn Team>, TeamLost>;

    /// Notes that the work together has failed: nothing that is said from now on counts.
    fn fail(&self, lost: &TeamLost);

    /// Is told how many states were sent from one process to another in a search, and in how many bytes.
    fn note_traffic(&self, states: u64, bytes: u64);

    /// Notes that texts or other values have been made in a search for which the processes have different numbers:
    /// they cannot search together for anything any more.
    fn note_values(&self);

    /// Whether that was noted.
    fn has_values(&self) -> bool;

    /// Where searches are saved, if they are.
    fn vault(&self) -> Option<&dyn Vault>;

    /// Notes that what was saved is of no use.
    fn refuse(&self, error: CheckpointError);
}

/// A team of one.
#[derive(Debug)]
pub(crate) struct Solo {
    parcels: VecDeque<(u64, Vec<u8>)>,
    /// The level whose end is to be told when all parcels have been.
    open: Option<u64>,
    /// The level whose end has been told and that has not been released.
    held: Option<u64>,
}

impl Default for Solo {
    fn default() -> Self {
        Solo {
            parcels: VecDeque::new(),
            open: Some(0),
            held: None,
        }
    }
}

impl Team for Solo {
    fn size(&self) -> usize {
        1
    }

    fn me(&self) -> usize {
        0
    }

    fn send(&mut self, level: u64, _to: usize, parcel: Vec<u8>) {
        self.open = Some(level + 1);
        self.parcels.push_back((level + 1, parcel));
    }

    fn release(&mut self, _level: u64) {
        self.held = None;
    }

    fn next(&mut self, _wait: Duration) -> Result<Event, TeamLost> {
        Ok(match (self.parcels.pop_front(), self.held) {
            (Some((level, parcel)), _) => Event::Parcel(level, parcel),
            (None, Some(_)) => Event::Nothing,
            (None, None) => match self.open.take() {
                Some(level) => {
                    self.held = Some(level);
                    Event::Ended(level)
                }
                None => Event::Over,
            },
        })
    }

    fn part(self: Box<Self>) -> Result<(), TeamLost> {
        Ok(())
    }
}
