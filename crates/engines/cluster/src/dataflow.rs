//! The dataflow: one operator whose output is fed back to all, a level later.
//!
//! ```text
//!        ┌──────────── feedback, one level on ◄────────────┐
//!        ▼                                                 │
//!   by addressee ──► mailbox: takes and gives parcels ─────┘
//! ```
//!
//! The operator holds a capability for each level of which a parcel has arrived. When timely's frontier is past
//! a level, that level has ended everywhere; when the capability is dropped, nothing of the next can
//! come from here. The search itself is not in the operator: it takes what has arrived and leaves what
//! is to go, between two steps of timely.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explicit::{Event, Team, TeamLost};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{ProcessBuilder, Thread};
use timely::communication::{Allocator, Hooks};
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::OutputBuilder;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop as _, Feedback as _};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::link::{Fate, Link};

/// How long somebody may be silent after another has ended a connection in order.
const SILENCE: Duration = Duration::from_secs(20);

/// A parcel on its way.
#[derive(Clone, Debug)]
struct Parcel {
    to: u64,
    contents: Contents,
}

/// Bytes, which travel as they are.
#[derive(Clone, Debug)]
struct Contents(Vec<u8>);

impl Serialize for Parcel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.to, &self.contents).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Parcel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (to, contents) = Deserialize::deserialize(deserializer)?;
        Ok(Parcel { to, contents })
    }
}

impl Serialize for Contents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Contents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Contents;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Contents, E> {
                Ok(Contents(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Contents, E> {
                Ok(Contents(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// What the operator and the search leave for each other.
struct Mailbox {
    arrived: VecDeque<(u64, Vec<u8>)>,
    /// The right to send parcels for the level behind each of these.
    held: BTreeMap<u64, Capability<u64>>,
    /// What is to go, and behind which level it comes.
    leaving: Vec<(u64, Parcel)>,
    released: Vec<u64>,
    /// The least level of which something can still arrive; none if nothing can.
    frontier: Option<u64>,
}

impl Mailbox {
    fn has_work(&self) -> bool {
        !(self.leaving.is_empty() && self.released.is_empty())
    }
}

/// A team over timely.
pub(crate) struct Dataflow {
    /// Dropped first, since timely would say that all ends in order.
    fate: Shared,
    worker: Worker,
    guard: Threads,
    mailbox: Rc<RefCell<Mailbox>>,
    activator: Activator,
    /// The level whose end has been told and that has not been released.
    ended: Option<u64>,
    me: usize,
    size: usize,
    /// Since when nothing has happened.
    silent_since: Instant,
}

impl Dataflow {
    /// Over these connections, one for each process but this.
    pub(crate) fn new(
        links: Vec<Option<Link>>,
        me: usize,
        fate: Arc<Fate>,
    ) -> std::io::Result<Dataflow> {
        let size = links.len();
        let (allocator, guard) = if size == 1 {
            (Allocator::Thread(Thread::default()), None)
        } else {
            let hooks = Hooks::default();
            let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
            let (mut builders, guard) =
                initialize_networking_from_sockets(inner, links, me, 1, hooks)?;
            let builder = builders.pop().expect("one thread of timely");
            (Allocator::Tcp(builder.build()), Some(guard))
        };
        // Without a clock it would never sleep.
        let clock = Some(Instant::now());
        let mut worker = Worker::new(WorkerConfig::default(), allocator, clock);
        let mailbox = Rc::new(RefCell::new(Mailbox {
            arrived: VecDeque::new(),
            held: BTreeMap::new(),
            leaving: Vec::new(),
            released: Vec::new(),
            frontier: Some(0),
        }));
        let activator = worker.dataflow::<u64, _, _>(|scope| {
            let (handle, cycle) = scope.feedback::<Vec<Parcel>>(1);
            let mut builder = OperatorBuilder::new("mailbox".to_owned(), scope);
            let by_addressee = Exchange::new(|parcel: &Parcel| parcel.to);
            let mut input = builder.new_input(cycle, by_addressee);
            let (output, stream) = builder.new_output::<Vec<Parcel>>();
            let mut output = OutputBuilder::from(output);
            let activator = scope.activator_for(builder.operator_info().address);
            let shared = Rc::clone(&mailbox);
            builder.build(move |capabilities| {
                let begin = capabilities.into_iter().map(|first| (*first.time(), first));
                shared.borrow_mut().held.extend(begin);
                move |frontiers| {
                    let mailbox = &mut *shared.borrow_mut();
                    input.for_each(|capability, parcels: &mut Vec<Parcel>| {
                        let Some(&level) = capability.least() else {
                            return;
                        };
                        let held = mailbox.held.entry(level);
                        held.or_insert_with(|| capability.delayed(&level, 0));
                        let arrived = parcels.drain(..);
                        mailbox
                            .arrived
                            .extend(arrived.map(|parcel| (level, parcel.contents.0)));
                    });
                    let mut output = output.activate();
                    for (level, parcel) in mailbox.leaving.drain(..) {
                        let right = mailbox.held.get(&level);
                        let right = right.expect("who sends behind a level has not released it");
                        output.session(right).give(parcel);
                    }
                    for level in mailbox.released.drain(..) {
                        mailbox.held.remove(&level);
                    }
                    mailbox.frontier = frontiers[0].frontier().first().copied();
                }
            });
            stream.connect_loop(handle);
            activator
        });
        Ok(Dataflow {
            fate: Shared(fate),
            worker,
            guard: Threads(guard),
            mailbox,
            activator,
            ended: None,
            me,
            size,
            silent_since: Instant::now(),
        })
    }

    /// What has happened, if something has.
    fn happened(&mut self) -> Option<Event> {
        let mut mailbox = self.mailbox.borrow_mut();
        if let Some((level, parcel)) = mailbox.arrived.pop_front() {
            return Some(Event::Parcel(level, parcel));
        }
        if self.ended.is_some() || mailbox.has_work() {
            return None;
        }
        let first = mailbox.held.first_key_value().map(|(level, _)| *level);
        match (first, mailbox.frontier) {
            (None, None) => Some(Event::Over),
            (Some(level), frontier) if frontier.is_none_or(|least| least > level) => {
                self.ended = Some(level);
                Some(Event::Ended(level))
            }
            _ => None,
        }
    }

    fn step(&mut self, wait: Duration) {
        if self.mailbox.borrow().has_work() {
            self.activator.activate();
        }
        self.worker.step_or_park(Some(wait));
    }
}

impl Team for Dataflow {
    fn size(&self) -> usize {
        self.size
    }

    fn me(&self) -> usize {
        self.me
    }

    fn send(&mut self, level: u64, to: usize, parcel: Vec<u8>) {
        let parcel = Parcel {
            to: to as u64,
            contents: Contents(parcel),
        };
        self.mailbox.borrow_mut().leaving.push((level, parcel));
    }

    fn release(&mut self, level: u64) {
        self.ended = None;
        self.mailbox.borrow_mut().released.push(level);
    }

    fn next(&mut self, wait: Duration) -> Result<Event, TeamLost> {
        let waits = !wait.is_zero();
        // What has arrived is taken before more is looked for; then there are two steps at the most, of
        // which the second waits.
        for wait in [None, Some(Duration::ZERO), Some(wait).filter(|_| waits)] {
            if let Some(wait) = wait {
                self.step(wait);
            }
            if let Some(event) = self.happened() {
                self.silent_since = Instant::now();
                return Ok(event);
            }
        }
        if let Some(lost) = self.fate.0.lost() {
            return Err(TeamLost(lost));
        }
        if waits && self.fate.0.has_ended() && self.silent_since.elapsed() > SILENCE {
            return Err(TeamLost("a process has ended before the search".to_owned()));
        }
        Ok(Event::Nothing)
    }

    fn part(self: Box<Self>) -> Result<(), TeamLost> {
        let Dataflow {
            mut worker,
            mut guard,
            fate,
            mailbox,
            activator,
            ..
        } = *self;
        while worker.has_dataflows() {
            worker.step_or_park(Some(Duration::from_millis(1)));
            if let Some(lost) = fate.0.lost() {
                drop(fate);
                return Err(TeamLost(lost));
            }
        }
        drop((mailbox, activator));
        drop(worker);
        let Some(guard) = guard.0.take() else {
            return Ok(());
        };
        // What is still to be sent is sent, and all others have sent what they had.
        let (done, wait) = std::sync::mpsc::channel();
        let joining = std::thread::Builder::new().spawn(move || {
            drop(guard);
            let _ = done.send(());
        });
        joining.map_err(|error| TeamLost(format!("begin a thread: {error}")))?;
        loop {
            match wait.recv_timeout(Duration::from_millis(20)) {
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                    if let Some(lost) = fate.0.lost() {
                        return Err(TeamLost(lost));
                    }
                }
                Ok(()) | Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// What has become of the connections. They are given up when it is dropped, if they have not ended in order by then.
struct Shared(Arc<Fate>);

impl Drop for Shared {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// The threads of connections; none where there is one process.
struct Threads(Option<CommsGuard>);

impl Drop for Threads {
    fn drop(&mut self) {
        // Who ends before the others must not wait for threads that wait for them.
        if let Some(guard) = self.0.take() {
            std::mem::forget(guard);
        }
    }
}
