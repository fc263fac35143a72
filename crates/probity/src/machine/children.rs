//! Processes of this program that it has started.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child as Process, Command, Stdio};
use std::thread::JoinHandle;

use crate::system::Child;

/// A process, and the thread that takes what it writes to standard output.
struct Started {
    process: Process,
    output: Option<JoinHandle<String>>,
}

/// Starts this program with other arguments.
pub(super) fn start(arguments: &[OsString], is_heard: bool) -> io::Result<Box<dyn Child>> {
    let mut process = Command::new(std::env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(if is_heard {
            Stdio::inherit()
        } else {
            Stdio::null()
        })
        .spawn()?;
    let output = process.stdout.take().map(|mut out| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was written before an error is kept.
            let _ = out.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    });
    Ok(Box::new(Started { process, output }))
}

/// So many ports of this machine that nobody uses now.
pub(super) fn free_ports(count: usize) -> io::Result<Vec<u16>> {
    let listeners = (0..count).map(|_| TcpListener::bind(("127.0.0.1", 0)));
    let listeners: io::Result<Vec<_>> = listeners.collect();
    let ports = listeners?.into_iter();
    ports.map(|it| Ok(it.local_addr()?.port())).collect()
}

impl Child for Started {
    fn tell(&mut self, text: &str) -> io::Result<()> {
        match &mut self.process.stdin {
            Some(input) => input
                .write_all(text.as_bytes())
                .and_then(|()| input.flush()),
            None => Ok(()),
        }
    }

    fn ended(&mut self) -> io::Result<Option<Option<u8>>> {
        let status = self.process.try_wait()?;
        Ok(status.map(|status| status.code().and_then(|code| u8::try_from(code).ok())))
    }

    fn end(&mut self) {
        // One that has ended by itself cannot be killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    fn output(&mut self) -> String {
        let output = self.output.take().and_then(|thread| thread.join().ok());
        output.unwrap_or_default()
    }
}
