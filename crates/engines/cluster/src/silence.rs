//! How long a machine may be silent: one that vanishes closes no connection, and nobody would notice.
//!
//! The kernel of a machine answers for a process that is at work for a long time, and for one that is stopped. So the
//! kernel of the other asks it, where nothing else is said, and ends the connection when there is no answer for
//! so long (`SO_KEEPALIVE`; RFC 1122, 4.2.3.6). The same bound is set for what is sent and not taken
//! (`TCP_USER_TIMEOUT`; RFC 5482), where the system knows that.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};

/// How long a machine may be silent. A network that is away for less changes nothing.
pub(crate) const LONGEST_SILENCE: Duration = Duration::from_secs(180);

/// Of this time the kernel asks so many times, the first time after as long as from one time to the next.
const QUESTIONS: u32 = 6;

/// Has a connection end when the other machine does not answer for so long.
pub(crate) fn bound(stream: &TcpStream, longest: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    // Whole seconds are what systems know.
    let pause = (longest / QUESTIONS).max(Duration::from_secs(1));
    let keepalive = TcpKeepalive::new()
        .with_time(pause)
        .with_interval(pause)
        .with_retries(QUESTIONS - 1);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(longest))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write as _};
    use std::net::TcpListener;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn who_takes_nothing_for_too_long_is_cut_off() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        // It is there, and never reads.
        let (_silent, _) = listener.accept().unwrap();
        bound(&stream, Duration::from_secs(2)).unwrap();
        let limit = Duration::from_secs(60);
        stream.set_write_timeout(Some(limit)).unwrap();
        let error = loop {
            match stream.write_all(&[0; 1 << 16]) {
                Ok(()) => {}
                Err(error) => break error,
            }
        };
        // Not the limit of this test, which is `WouldBlock`.
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn the_kernel_asks_whether_a_machine_is_there() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        bound(&stream, LONGEST_SILENCE).unwrap();
        let socket = SockRef::from(&stream);
        assert!(socket.keepalive().unwrap());
        let (time, interval) = (socket.tcp_keepalive_time(), socket.tcp_keepalive_interval());
        let all = time.unwrap() + interval.unwrap() * socket.tcp_keepalive_retries().unwrap();
        assert_eq!(all, LONGEST_SILENCE);
    }
}
