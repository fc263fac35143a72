//! A process of a cluster.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use explicit::{CheckpointError, Cluster, Team, TeamLost, Vault};

use crate::dataflow::Dataflow;
use crate::folder::Folder;
use crate::link::{Fate, Link};
use crate::meeting::{Unmet, meet};
use crate::proof::Secret;

/// The shortest secret, in bytes.
const SHORTEST: usize = 16;

/// A place in a cluster.
#[derive(Clone, Debug)]
pub struct Place {
    /// The addresses of all processes.
    pub addresses: Vec<SocketAddr>,
    /// Which of them this is, from 0.
    pub process: usize,
}

/// Why a process cannot take its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceError {
    /// A line is no address; its number, from 1, and what it says.
    NoAddress(usize, String),
    /// There are no addresses.
    Empty,
    /// There is no such process.
    NoSuchProcess {
        /// Which one was asked for,
        process: usize,
        /// of how many.
        of: usize,
    },
    /// The secret is too short to be one.
    ShortSecret,
    /// Nobody can be heard at the address; why.
    Bind(String),
    /// Somebody else is at the address.
    Taken(SocketAddr),
}

impl std::fmt::Display for PlaceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlaceError::NoAddress(line, text) => {
                write!(
                    f,
                    "line {line}: `{text}` is no address such as 10.0.0.7:7000"
                )
            }
            PlaceError::Empty => write!(f, "there are no addresses"),
            PlaceError::NoSuchProcess { process, of } => {
                write!(
                    f,
                    "there is no process {process} among {of}, which are numbered from 0"
                )
            }
            PlaceError::ShortSecret => {
                write!(f, "the secret has fewer than {SHORTEST} bytes")
            }
            PlaceError::Bind(why) => f.write_str(why),
            PlaceError::Taken(address) => write!(f, "another program is at {address}"),
        }
    }
}

impl std::error::Error for PlaceError {}

/// The addresses in a list of hosts: one a line, with a port; `:7000` is one of this machine. What comes
/// behind `#` is a comment.
///
/// # Errors
/// If a line is something else, or there is none.
pub fn places(text: &str) -> Result<Vec<SocketAddr>, PlaceError> {
    let mut addresses = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let whole = match line.strip_prefix(':') {
            Some(port) => format!("127.0.0.1:{port}"),
            None => line.to_owned(),
        };
        let address = whole.to_socket_addrs().ok().and_then(|mut all| all.next());
        let wrong = || PlaceError::NoAddress(number + 1, line.to_owned());
        addresses.push(address.ok_or_else(wrong)?);
    }
    match addresses.is_empty() {
        true => Err(PlaceError::Empty),
        false => Ok(addresses),
    }
}

/// A process of a cluster.
pub struct Member {
    place: Place,
    secret: Secret,
    listener: TcpListener,
    /// How many searches there were.
    searches: AtomicU64,
    /// States that were sent by anybody, and bytes of them.
    traffic: [AtomicU64; 2],
    /// Whether the processes have different numbers for some values.
    values_differ: AtomicBool,
    lost: Mutex<Option<TeamLost>>,
    refused: Mutex<Option<CheckpointError>>,
    /// Whether another process has not come.
    is_alone: AtomicBool,
    folder: Option<Folder>,
    /// Set when the user asks to stop.
    stop: Arc<AtomicBool>,
}

impl Member {
    /// Takes its place: it is heard at its own address, and nowhere else. When it is to stop, it waits for
    /// nobody any more.
    ///
    /// # Errors
    /// If there is no such place, the secret is too short, or the address cannot be used.
    pub fn new(place: Place, secret: &[u8], stop: Arc<AtomicBool>) -> Result<Member, PlaceError> {
        let of = place.addresses.len();
        let process = place.process;
        let Some(address) = place.addresses.get(process) else {
            return Err(PlaceError::NoSuchProcess { process, of });
        };
        if secret.len() < SHORTEST {
            return Err(PlaceError::ShortSecret);
        }
        let listener = TcpListener::bind(address)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|error| match error.kind() {
                ErrorKind::AddrInUse => PlaceError::Taken(*address),
                _ => PlaceError::Bind(format!("listen at {address}: {error}")),
            })?;
        Ok(Member {
            place,
            secret: Secret::new(secret),
            listener,
            searches: AtomicU64::new(0),
            traffic: Default::default(),
            values_differ: AtomicBool::new(false),
            lost: Mutex::default(),
            refused: Mutex::default(),
            is_alone: AtomicBool::new(false),
            folder: None,
            stop,
        })
    }

    /// Keeps what is found there, and goes on from what is there already.
    #[must_use]
    pub fn keeping(mut self, folder: Folder) -> Member {
        self.folder = Some(folder);
        self
    }

    /// Why what was saved is of no use, if it is not.
    #[must_use]
    pub fn refused(&self) -> Option<CheckpointError> {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.take()
    }

    /// Which process it is.
    #[must_use]
    pub fn process(&self) -> usize {
        self.place.process
    }

    /// Why the work together has failed, if it has.
    #[must_use]
    pub fn lost(&self) -> Option<TeamLost> {
        let lost = self.lost.lock();
        lost.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether it has waited for another process in vain, so that there is no use in trying again.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.is_alone.load(Ordering::Relaxed)
    }

    /// How many states were sent from one process to another in all searches, and in how many bytes.
    #[must_use]
    pub fn traffic(&self) -> (u64, u64) {
        let [states, bytes] = &self.traffic;
        (
            states.load(Ordering::Relaxed),
            bytes.load(Ordering::Relaxed),
        )
    }
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Member({:?})", self.place)
    }
}

impl Cluster for Member {
    fn gather(&self, fingerprint: u64) -> Result<Box<dyn Team>, TeamLost> {
        if let Some(lost) = self.lost() {
            return Err(lost);
        }
        let number = self.searches.fetch_add(1, Ordering::Relaxed);
        let about = [fingerprint, number];
        let met = meet(&self.place, &self.secret, &self.listener, about, &self.stop);
        let met = met.map_err(|unmet| {
            let is_absent = matches!(unmet, Unmet::Absent(_));
            self.is_alone.fetch_or(is_absent, Ordering::Relaxed);
            TeamLost(unmet.to_string())
        })?;
        let fate = Arc::new(Fate::default());
        let failed = |error: std::io::Error| TeamLost(error.to_string());
        let links = met.into_iter().enumerate().map(|(process, stream)| {
            let link = stream.map(|stream| Link::new(stream, process, &fate));
            link.transpose()
        });
        let links = links.collect::<Result<_, _>>().map_err(failed)?;
        let dataflow = Dataflow::new(links, self.place.process, fate).map_err(failed)?;
        Ok(Box::new(dataflow))
    }

    fn fail(&self, lost: &TeamLost) {
        let mut first = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| lost.clone());
    }

    fn note_traffic(&self, states: u64, bytes: u64) {
        self.traffic[0].fetch_add(states, Ordering::Relaxed);
        self.traffic[1].fetch_add(bytes, Ordering::Relaxed);
    }

    fn note_values(&self) {
        self.values_differ.store(true, Ordering::Relaxed);
    }

    fn has_values(&self) -> bool {
        self.values_differ.load(Ordering::Relaxed)
    }

    fn vault(&self) -> Option<&dyn Vault> {
        self.folder.as_ref().map(|folder| folder as &dyn Vault)
    }

    fn refuse(&self, error: CheckpointError) {
        // Nothing more is searched for.
        self.fail(&TeamLost(error.to_string()));
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_addresses_a_line() {
        let hosts = places("# all of them\n127.0.0.1:7000\n\n :7001 # here\n[::1]:80\n").unwrap();
        let shown: Vec<String> = hosts.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["127.0.0.1:7000", "127.0.0.1:7001", "[::1]:80"]);
        assert_eq!(places("\n# none"), Err(PlaceError::Empty));
        let wrong = places(":7000\nno address");
        assert_eq!(
            wrong,
            Err(PlaceError::NoAddress(2, "no address".to_owned()))
        );
    }

    #[test]
    fn nobody_takes_a_place_that_is_not_there_or_with_a_secret_that_is_none() {
        let place = |process| Place {
            addresses: places(":0\n:0").unwrap(),
            process,
        };
        let new = |process, secret: &[u8]| Member::new(place(process), secret, Arc::default());
        assert!(matches!(
            new(2, &[7; 16]),
            Err(PlaceError::NoSuchProcess { process: 2, of: 2 })
        ));
        assert!(matches!(new(1, &[7; 15]), Err(PlaceError::ShortSecret)));
        assert!(new(1, &[7; 16]).is_ok());
    }
}
