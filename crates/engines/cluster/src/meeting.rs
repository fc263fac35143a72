//! How processes meet: each pair has one connection, which the one of the higher number makes.
//!
//! | who | sends |
//! |---|---|
//! | caller | `Probity` and a version, who calls whom, of how many, a random number |
//! | called | a random number, and the code of all this |
//! | caller | what the search is about, and the code of all this |
//! | called | the code of all this again if it is about the same, another if it is not |
//!
//! Codes are made with the [secret](crate::proof), so that each side knows of the other that it has it, and
//! an old talk is of no use. The one that is called says nothing but random bytes and codes of them to
//! somebody who does not know the secret, reads no more than three short messages of fixed length, waits
//! for them ten seconds at most, and goes on listening meanwhile.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use crate::member::Place;
use crate::proof::{CODE, Secret, same};
use crate::silence::{LONGEST_SILENCE, bound};

/// "Probity", and the version of what is said.
const MARK: [u8; 8] = *b"Probity\x01";
/// Bytes of the first message: the mark, three numbers of four bytes, a random number.
const HELLO: usize = 8 + 12 + CODE;
/// How long the one that is called waits for each message.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long all wait for each other: one may still be at what comes before the search.
const LONGEST: Duration = Duration::from_secs(600);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);
/// Callers that are talked to at once.
const AT_ONCE: usize = 64;

/// What a search is about: a fingerprint, and its number.
pub(crate) type About = [u64; 2];

/// Why processes have not met.
#[derive(Debug)]
pub(crate) enum Unmet {
    /// This one has not come, however long it was waited for.
    Absent(usize),
    /// For another reason.
    Failed(String),
}

impl std::fmt::Display for Unmet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unmet::Absent(process) => write!(f, "process {process} has not come"),
            Unmet::Failed(why) => f.write_str(why),
        }
    }
}

impl From<String> for Unmet {
    fn from(why: String) -> Unmet {
        Unmet::Failed(why)
    }
}

/// Meets all others; for each a connection, and none for this process.
///
/// # Errors
/// If some are about something else, or do not come.
pub(crate) fn meet(
    place: &Place,
    secret: &Secret,
    listener: &TcpListener,
    about: About,
    stop: &AtomicBool,
) -> Result<Vec<Option<TcpStream>>, Unmet> {
    let size = place.addresses.len();
    let me = place.process;
    let mut met: Vec<Option<TcpStream>> = (0..size).map(|_| None).collect();
    let over = Arc::new(AtomicBool::new(false));
    let (tell, told) = channel();
    let call = |to: usize| {
        let call = Call {
            address: place.addresses[to],
            header: header(me, to, size),
            secret: secret.clone(),
            about,
            to,
        };
        let (tell, over) = (tell.clone(), Arc::clone(&over));
        let thread = std::thread::Builder::new().spawn(move || {
            let _ = tell.send((to, call.until(&over)));
        });
        thread.map_err(|error| format!("begin a thread: {error}"))
    };
    for to in 0..me {
        call(to)?;
    }
    let talks = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    let result = loop {
        while let Ok((other, result)) = told.try_recv() {
            match result {
                Ok(stream) => met[other] = Some(stream),
                Err(why) => {
                    over.store(true, Ordering::Relaxed);
                    return Err(why.into());
                }
            }
        }
        for (other, stream) in met.iter_mut().enumerate() {
            if stream.as_ref().is_some_and(has_ended) {
                // Whoever was lost there begins again.
                *stream = None;
                if other < me {
                    call(other)?;
                }
            }
        }
        if (0..size).all(|other| other == me || met[other].is_some()) {
            break Ok(());
        }
        let missing = (0..size).find(|&other| other != me && met[other].is_none());
        if stop.load(Ordering::Relaxed) || began.elapsed() > LONGEST {
            break Err(Unmet::Absent(missing.unwrap_or(me)));
        }
        match listener.accept() {
            Ok((stream, _)) if talks.load(Ordering::Relaxed) < AT_ONCE => {
                let hear = Hear {
                    me,
                    size,
                    secret: secret.clone(),
                    about,
                };
                talks.fetch_add(1, Ordering::Relaxed);
                let (tell, talks) = (tell.clone(), Arc::clone(&talks));
                let talk = std::thread::Builder::new().spawn(move || {
                    hear.out(stream, &tell);
                    talks.fetch_sub(1, Ordering::Relaxed);
                });
                drop(talk);
            }
            // There is no room for more.
            Ok((stream, _)) => drop(stream),
            Err(_) => std::thread::sleep(PAUSE),
        }
    };
    over.store(true, Ordering::Relaxed);
    result?;
    for stream in met.iter().flatten() {
        let ready = stream
            .set_read_timeout(None)
            .and_then(|()| stream.set_nodelay(true))
            .and_then(|()| bound(stream, LONGEST_SILENCE));
        ready.map_err(|error| error.to_string())?;
    }
    Ok(met)
}

/// Whether the other process has ended a connection.
fn has_ended(stream: &TcpStream) -> bool {
    let looked = stream
        .set_nonblocking(true)
        .and_then(|()| stream.peek(&mut [0]));
    let has_ended = match looked {
        Ok(count) => count == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    };
    has_ended || stream.set_nonblocking(false).is_err()
}

/// The first message but for its random number.
fn header(from: usize, to: usize, size: usize) -> [u8; 20] {
    let mut header = [0; 20];
    header[..8].copy_from_slice(&MARK);
    for (at, number) in [from, to, size].into_iter().enumerate() {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        header[8 + 4 * at..][..4].copy_from_slice(&number.to_le_bytes());
    }
    header
}

fn nonce() -> io::Result<[u8; CODE]> {
    let mut nonce = [0; CODE];
    getrandom::fill(&mut nonce).map_err(io::Error::other)?;
    Ok(nonce)
}

fn bytes_of(about: About) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (at, word) in about.into_iter().enumerate() {
        bytes[8 * at..][..8].copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// A call of another process.
struct Call {
    address: SocketAddr,
    header: [u8; 20],
    secret: Secret,
    about: About,
    to: usize,
}

/// What has come of a call.
enum Called {
    Met(TcpStream),
    /// It is about something else, or does not know the secret.
    Refused(String),
    /// Another call may do better.
    Failed,
}

impl Call {
    /// Calls until it is answered, or nobody wants to know any more.
    fn until(&self, over: &AtomicBool) -> Result<TcpStream, String> {
        loop {
            match self.once(over).unwrap_or(Called::Failed) {
                Called::Met(stream) => return Ok(stream),
                Called::Refused(why) => return Err(why),
                Called::Failed if over.load(Ordering::Relaxed) => {
                    return Err(format!("process {} was not reached", self.to));
                }
                Called::Failed => std::thread::sleep(PAUSE),
            }
        }
    }

    fn once(&self, over: &AtomicBool) -> io::Result<Called> {
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
        stream.set_read_timeout(Some(Duration::from_millis(200)))?;
        let mine = nonce()?;
        let hello = [&self.header[..], &mine].concat();
        stream.write_all(&hello)?;
        let theirs: [u8; CODE] = read(&mut stream, over)?;
        let code: [u8; CODE] = read(&mut stream, over)?;
        let talk: [&[u8]; 3] = [b"called", &hello, &theirs];
        if !same(&code, &self.secret.code(&talk)) {
            let why = format!("process {} does not know the secret", self.to);
            return Ok(Called::Refused(why));
        }
        let about = bytes_of(self.about);
        let talk: [&[u8]; 4] = [b"caller", &hello, &theirs, &about];
        stream.write_all(&[&about[..], &self.secret.code(&talk)].concat())?;
        let code: [u8; CODE] = read(&mut stream, over)?;
        let agreed: [&[u8]; 4] = [b"agreed", &hello, &theirs, &about];
        Ok(match same(&code, &self.secret.code(&agreed)) {
            true => Called::Met(stream),
            false => Called::Refused(format!(
                "process {} is about another search: is it the same version, script and options?",
                self.to
            )),
        })
    }
}

/// Reads so many bytes, for as long as somebody wants to know.
fn read<const N: usize>(stream: &mut TcpStream, over: &AtomicBool) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let mut got = 0;
    while got < N {
        match stream.read(&mut bytes[got..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => got += more,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut
                | io::ErrorKind::Interrupted
                    if !over.load(Ordering::Relaxed) => {}
                _ => return Err(error),
            },
        }
    }
    Ok(bytes)
}

/// How a caller is heard.
struct Hear {
    me: usize,
    size: usize,
    secret: Secret,
    about: About,
}

impl Hear {
    /// Hears a caller out; tells of it if it is one of the others.
    fn out(&self, stream: TcpStream, tell: &Sender<(usize, Result<TcpStream, String>)>) {
        if let Ok(Some((from, result))) = self.talk(stream) {
            let _ = tell.send((from, result));
        }
    }

    fn talk(
        &self,
        mut stream: TcpStream,
    ) -> io::Result<Option<(usize, Result<TcpStream, String>)>> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut hello = [0; HELLO];
        stream.read_exact(&mut hello)?;
        let (head, _) = hello.split_at(20);
        let from = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
        if from <= self.me || from >= self.size || head != header(from, self.me, self.size) {
            return Ok(None);
        }
        let mine = nonce()?;
        let talk: [&[u8]; 3] = [b"called", &hello, &mine];
        stream.write_all(&[&mine[..], &self.secret.code(&talk)].concat())?;
        let mut about = [0; 16];
        let mut code = [0; CODE];
        stream.read_exact(&mut about)?;
        stream.read_exact(&mut code)?;
        let talk: [&[u8]; 4] = [b"caller", &hello, &mine, &about];
        if !same(&code, &self.secret.code(&talk)) {
            return Ok(None);
        }
        let agrees = about == bytes_of(self.about);
        let word: &[u8] = if agrees { b"agreed" } else { b"differ" };
        let talk: [&[u8]; 4] = [word, &hello, &mine, &about];
        stream.write_all(&self.secret.code(&talk))?;
        stream.set_write_timeout(None)?;
        let result = match agrees {
            true => Ok(stream),
            false => Err(format!(
                "process {from} is about another search: is it the same version, script and options?"
            )),
        };
        Ok(Some((from, result)))
    }
}
