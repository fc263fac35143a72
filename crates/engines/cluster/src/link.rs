//! A connection to another process, as timely reads and writes it.
//!
//! Timely's threads panic when a connection ends early. Here the loss is noted instead, for the thread that
//! searches, and timely's thread sleeps until the process ends. Who gives up ends no connection in order, so that the
//! others notice.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::framing::Framing;

/// What has become of the connections of a team.
#[derive(Default, Debug)]
pub(crate) struct Fate {
    lost: Mutex<Option<String>>,
    /// Whether a connection was ended in order.
    ended: AtomicBool,
    /// Whether this process has given up.
    abandoned: AtomicBool,
    streams: Mutex<Vec<TcpStream>>,
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

    /// Ends all connections, and not in order.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
        let streams = self.streams.lock();
        for stream in streams.unwrap_or_else(PoisonError::into_inner).drain(..) {
            // It may have ended already.
            let _ = stream.shutdown(Shutdown::Both);
        }
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
    framing: Framing,
}

impl Link {
    /// A connection to this process, which ends when the team is given up.
    ///
    /// # Errors
    /// If the system has no handles left.
    pub(crate) fn new(stream: TcpStream, process: usize, fate: &Arc<Fate>) -> io::Result<Link> {
        let streams = fate.streams.lock();
        let known = stream.try_clone()?;
        streams.unwrap_or_else(PoisonError::into_inner).push(known);
        Ok(Link {
            stream,
            process,
            fate: Arc::clone(fate),
            framing: Framing::new(),
        })
    }

    /// Notes the loss; nothing happens on this thread any more.
    fn lose(&self, why: &str) -> ! {
        self.fate.lose(self.process, why);
        sleep_for_ever()
    }
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if buffer.is_empty() => return Ok(0),
                Ok(0) if self.framing.is_over() => {
                    self.fate.ended.store(true, Ordering::Relaxed);
                    return Ok(0);
                }
                Ok(0) => self.lose("it has ended the connection"),
                Ok(count) => {
                    if !self.framing.take(&buffer[..count]) {
                        self.lose("it has sent more behind its last message");
                    }
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
            if self.fate.abandoned.load(Ordering::SeqCst) {
                sleep_for_ever();
            }
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
        Ok(Link {
            stream: self.stream.try_clone()?,
            process: self.process,
            fate: Arc::clone(&self.fate),
            framing: Framing::new(),
        })
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

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::{Duration, Instant};

    use super::*;

    /// What becomes of a connection on which these bytes come before it ends.
    fn fate(bytes: &[u8]) -> Arc<Fate> {
        let fate = Arc::new(Fate::default());
        let pair = TcpListener::bind("127.0.0.1:0").and_then(|listener| {
            let mut sender = TcpStream::connect(listener.local_addr()?)?;
            sender.write_all(bytes)?;
            Ok(listener.accept()?.0)
        });
        let Ok(stream) = pair else {
            panic!("this machine has no connections to itself");
        };
        let Ok(mut link) = Link::new(stream, 1, &fate) else {
            panic!("no handles left");
        };
        // The thread sleeps for ever when the process is lost.
        std::thread::spawn(move || while link.read(&mut [0; 100]).is_ok_and(|count| count > 0) {});
        let began = Instant::now();
        while !fate.has_ended() && fate.lost().is_none() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
        fate
    }

    #[test]
    fn a_message_of_zeros_that_breaks_off_is_no_end_in_order() {
        let mut message = vec![0; 300];
        message[38] = 2; // 512 bytes follow.
        assert!(fate(&message).lost().is_some());
        message[38] = 0;
        message[39] = 252;
        assert!(
            fate(&message).lost().is_some(),
            "the last message is missing"
        );
        message.extend([0; 48]);
        let orderly = fate(&message);
        assert!(orderly.has_ended() && orderly.lost().is_none());
        message.push(0);
        assert!(fate(&message).lost().is_some());
    }
}
