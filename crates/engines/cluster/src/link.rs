//! A connection to another process, as timely reads and writes it.
//!
//! Timely's threads panic when a connection ends early. Here the loss is noted instead, for the thread that
//! searches, and timely's thread sleeps until the process ends.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of the last message of a connection that is ended in order: all of them are zero.
const LAST: usize = 48;

/// What has become of the connections of a team.
#[derive(Default, Debug)]
pub(crate) struct Fate {
    lost: Mutex<Option<String>>,
    /// Whether a connection was ended in order.
    ended: AtomicBool,
}

impl Fate {
    /// Notes that a process is lost; the first counts.
    pub(crate) fn lose(&self, process: usize, why: &str) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert_with(|| format!("process {process} is lost: {why}"));
    }

    pub(crate) fn lost(&self) -> Option<String> {
        let lost = self.lost.lock();
        lost.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether somebody has ended a connection in order.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// A connection.
pub(crate) struct Link {
    stream: TcpStream,
    process: usize,
    fate: Arc<Fate>,
    /// How many of the bytes read last were zero, without one that is not between them.
    zeros: usize,
}

impl Link {
    pub(crate) fn new(stream: TcpStream, process: usize, fate: &Arc<Fate>) -> Link {
        Link {
            stream,
            process,
            fate: Arc::clone(fate),
            zeros: 0,
        }
    }

    /// Notes the loss; nothing happens on this thread any more.
    fn lose(&self, why: &str) -> ! {
        self.fate.lose(self.process, why);
        loop {
            std::thread::park();
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if buffer.is_empty() => return Ok(0),
                Ok(0) if self.zeros >= LAST => {
                    self.fate.ended.store(true, Ordering::Relaxed);
                    return Ok(0);
                }
                Ok(0) => self.lose("it has ended the connection"),
                Ok(count) => {
                    let read = &buffer[..count];
                    let zeros = read.iter().rev().take(LAST).take_while(|byte| **byte == 0);
                    self.zeros = match zeros.count() {
                        all if all == count => self.zeros + all,
                        some => some,
                    };
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.lose(&error.to_string()),
            }
        }
    }
}

impl Write for Link {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(buffer) {
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.lose(&error.to_string()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Link::new(
            self.stream.try_clone()?,
            self.process,
            &self.fate,
        ))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Who has ended as well may be gone.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
