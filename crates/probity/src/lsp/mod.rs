//! `probity lsp`: the language server.
//!
//! Editors speak the Language Server Protocol (3.17) over standard input and output. Messages are answered
//! one after the other, in the order in which they come, by one thread: what is asked of a text is answered
//! from an outline of just this text, which is made anew when the text was changed. Making a program of it
//! and checking its properties takes longer; that is done by two other threads, on a copy, and an edit
//! stops them.
//!
//! Messages are read here and not by a library: a header may say any length, and what is no JSON is to be
//! answered, not to end the server.

mod answers;
mod convert;
mod protocol;
mod session;
mod settings;
mod uri;

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use crate::background::{Background, Done};
use crate::languages::Languages;
use crate::system::System;
use protocol::{Incoming, incoming};
use session::Session;

/// How often the wish to stop is looked at.
const MOMENT: Duration = Duration::from_millis(250);

/// The stack of a thread that reads and checks scripts, in bytes.
const STACK: usize = 256 << 20;

/// What the server waits for.
enum Event {
    /// Something that the editor says.
    Message(Incoming),
    /// Something that was done in the background.
    Done(Done),
    /// The editor says nothing more.
    End,
}

/// Serves an editor until it has enough; the exit status: 0 if it said so before.
pub(crate) fn run(languages: Languages, system: &dyn System) -> u8 {
    let (send, events) = mpsc::channel();
    let background = Background::default();
    std::thread::scope(|scope| {
        let messages = send.clone();
        let reader = std::thread::Builder::new().name("messages".into());
        if let Err(error) = reader.spawn_scoped(scope, move || read(system, &messages)) {
            system.err(&format!("error: lsp: {error}\n"));
            return 3;
        }
        for queue in background.queues() {
            let send = send.clone();
            let worker = std::thread::Builder::new().stack_size(STACK);
            // Where there is no room for them, outlines have to do.
            let _ = worker.spawn_scoped(scope, move || {
                let tell = |done: Option<Done>| match done {
                    Some(done) => send.send(Event::Done(done)).is_ok(),
                    None => true,
                };
                queue.work(|_| (), tell, None, system);
            });
        }
        let mut session = Session::new(languages, &background, system);
        let status = serve(&mut session, &events, system);
        background.end();
        if status.is_none()
            && let Some(leave) = system.leave()
        {
            // Nobody can stop a thread that waits for a message.
            leave(3);
        }
        status.unwrap_or(3)
    })
}

/// Hands on what the editor says, up to its last message.
fn read(system: &dyn System, messages: &mpsc::Sender<Event>) {
    loop {
        let (event, is_last) = match system.message() {
            Ok(Some(text)) => {
                let message = incoming(&text);
                let is_last = message.is_exit();
                (Event::Message(message), is_last)
            }
            Ok(None) => (Event::End, true),
            Err(error) => {
                system.err(&format!("error: lsp: {error}\n"));
                (Event::End, true)
            }
        };
        if messages.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Does what events ask for; the exit status, or nothing if the user stopped the program.
fn serve(session: &mut Session<'_>, events: &Receiver<Event>, system: &dyn System) -> Option<u8> {
    let stop = system.stop();
    loop {
        let event = match events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Empty) => {
                // There is time to say what is wrong with what was changed.
                session.look_at_changes();
                match events.recv_timeout(MOMENT) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => return None,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Some(1),
                }
            }
            Err(TryRecvError::Disconnected) => return Some(1),
        };
        match event {
            Event::Message(message) if message.is_exit() => {
                return Some(u8::from(!session.was_shut_down()));
            }
            Event::Message(message) => session.receive(message),
            Event::Done(done) => session.done(done),
            Event::End => return Some(1),
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what is written in place is handed over"
)]
mod tests {
    use serde_json::{Value, json};

    use crate::in_memory::InMemory;

    /// What the server says to these messages, one after the other, until they end.
    fn said(messages: &[Value]) -> (u8, Vec<Value>) {
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        said_to(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn said_to(lines: &[&str]) -> (u8, Vec<Value>) {
        let system = InMemory::default().with_input(lines);
        let status = crate::run(&["probity", "lsp"], &system);
        let out = system.out();
        let mut rest = out.as_str();
        let mut all = Vec::new();
        while let Some((header, behind)) = rest.split_once("\r\n\r\n") {
            let length = header
                .strip_prefix("Content-Length: ")
                .expect("it is said first");
            let (body, next) = behind.split_at(length.parse().expect("it is a number"));
            all.push(serde_json::from_str(body).expect("it is JSON"));
            rest = next;
        }
        assert_eq!(rest, "");
        (status, all)
    }

    fn request(id: u32, method: &str, params: Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    fn tell(method: &str, params: Value) -> Value {
        json!({ "jsonrpc": "2.0", "method": method, "params": params })
    }

    #[test]
    fn a_session_has_a_beginning_and_an_end() {
        let (status, said) = said(&[
            request(1, "textDocument/hover", json!({})),
            request(2, "initialize", json!({ "capabilities": {} })),
            tell("initialized", json!({})),
            request(3, "initialize", json!({ "capabilities": {} })),
            request(4, "nobody/knows", json!({})),
            request(5, "textDocument/hover", json!({ "position": 7 })),
            request(6, "shutdown", Value::Null),
            request(7, "textDocument/hover", json!({})),
            tell("exit", Value::Null),
        ]);
        assert_eq!(status, 0);
        let codes: Vec<Option<i64>> = said
            .iter()
            .map(|one| one["error"]["code"].as_i64())
            .collect();
        let expected = [
            Some(-32002),
            None,
            Some(-32600),
            Some(-32601),
            Some(-32602),
            None,
            Some(-32600),
        ];
        assert_eq!(codes, expected, "{said:?}");
        assert_eq!(
            said[1]["result"]["capabilities"]["positionEncoding"],
            "utf-16"
        );
        assert_eq!(said[5]["result"], Value::Null);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let deep = "[".repeat(100_000);
        let (status, said) = said_to(&[
            "{",
            "[]",
            "7",
            "{\"id\": 1}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}",
            &deep,
            "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}",
        ]);
        assert_eq!(status, 1, "it was not shut down");
        let codes: Vec<Option<i64>> = said
            .iter()
            .map(|one| one["error"]["code"].as_i64())
            .collect();
        let (parse, request) = (Some(-32700), Some(-32600));
        assert_eq!(codes, [parse, request, request, request, parse]);
    }
}
