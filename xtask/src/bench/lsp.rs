//! `cargo xtask bench lsp`: how long an editor waits on a long script.
//!
//! A script of 5,000 lines is opened and edited; measured are, as an editor sees it, the time from an edit
//! to the findings about the text as it is then, from a question about a name to its answer, and from an
//! edit that is followed by such a question at once to the answer. Properties are read and checked in the
//! background all the while, as they are for users.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{made_by, release, section};

/// Lines of the script.
const LINES: usize = 5_000;
/// What nobody should have to wait longer for, at the 99th percentile.
const TARGET: Duration = Duration::from_millis(50);
const URI: &str = "file:///bench/long.lsl";

/// Measures and prints a table; with `--write` puts it into the page of figures. False: the target was
/// missed.
///
/// # Errors
/// If an option is unknown, the build fails, or the server does.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut rounds, mut write, mut program) = (300_usize, false, None);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => write = true,
            "--rounds" => rounds = value()?.parse().map_err(|_| "read --rounds")?,
            "--program" => program = Some((*value()?).to_owned()),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let text = script(LINES);
    let mut session = Session::start(&program)?;
    let begin = Instant::now();
    session.open(&text)?;
    let opened = begin.elapsed();

    let mut random = fastrand::Rng::with_seed(5);
    let (mut findings, mut hovers, mut both) = (Vec::new(), Vec::new(), Vec::new());
    let names: Vec<(usize, usize)> = text
        .lines()
        .enumerate()
        .filter_map(|(line, text)| Some((line, text.find("total_")?)))
        .collect();
    for round in 0..rounds {
        // Every other edit makes an error, and the next one mends it.
        let line = random.usize(1..LINES - 50);
        for new in [" ", "(", ""] {
            let begin = Instant::now();
            session.edit(line, new)?;
            session.findings()?;
            findings.push(begin.elapsed());
        }
        let place = names[random.usize(0..names.len())];
        let begin = Instant::now();
        session.hover(place)?;
        hovers.push(begin.elapsed());
        if round % 2 == 0 {
            let begin = Instant::now();
            session.edit(line, " ")?;
            session.hover(place)?;
            both.push(begin.elapsed());
            session.findings()?;
            session.edit(line, "")?;
            session.findings()?;
        }
    }
    session.end();

    let mut page = String::from(
        "| what an editor waits for | times | median | 99th percentile | longest |\n\
         |---|---:|---:|---:|---:|\n",
    );
    let mut is_met = true;
    for (what, times) in [
        ("findings after an edit", &mut findings),
        ("hover", &mut hovers),
        ("hover right after an edit", &mut both),
    ] {
        times.sort_unstable();
        let at = |part: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a position in a list of some hundred"
            )]
            let index = ((times.len() as f64 * part).ceil() as usize).max(1) - 1;
            times.get(index).copied().unwrap_or_default()
        };
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
        is_met &= at(0.99) <= TARGET;
        writeln!(
            page,
            "| {what} | {} | {} | {} | {} |",
            times.len(),
            ms(at(0.5)),
            ms(at(0.99)),
            ms(at(1.0)),
        )
        .expect("writing to a string succeeds");
    }
    writeln!(
        page,
        "\nA generated LSL script of {LINES} lines ({} KB) with a property, opened in {:.0} ms; it is read \
         and checked in the background meanwhile. The target is {} ms at the 99th percentile: {}.\n\n{}",
        text.len() / 1000,
        opened.as_secs_f64() * 1000.0,
        TARGET.as_millis(),
        if is_met { "met" } else { "missed" },
        made_by("bench lsp --write"),
    )
    .expect("writing to a string succeeds");
    print!("{page}");
    if write {
        section::put("The language server", &page)?;
    }
    Ok(is_met)
}

/// A script of so many lines: functions that call each other and the library, and handlers.
fn script(lines: usize) -> String {
    let mut text = String::from(
        "integer sold;\n//@ property few: always sold <= 3;\n//@ bound amount = 0..9;\n",
    );
    let mut number = 0;
    while text.lines().count() < lines - 24 {
        let before = match number {
            0 => "a * 2".to_owned(),
            _ => format!("step_{}(a, (string)b)", number - 1),
        };
        write!(
            text,
            "integer total_{number} = {number};\n\
             // What is counted in part {number}.\n\
             integer step_{number}(integer a, string name)\n\
             {{\n    integer b = llStringLength(name) + total_{number};\n    \
             list parts = llParseString2List(name, [\",\", \" \"], []);\n    \
             integer i;\n    \
             for (i = 0; i < llGetListLength(parts); ++i)\n    {{\n        \
             string part = llList2String(parts, i);\n        \
             if (part == \"buy\" && a > total_{number})\n        {{\n            \
             total_{number} += a;\n            \
             llOwnerSay(\"part {number}: \" + part + (string)total_{number});\n        }}\n        \
             else b = b + (integer)part;\n    }}\n    \
             while (b > 100) b = b / 2;\n    \
             return {before} + b;\n}}\n\n",
        )
        .expect("writing to a string succeeds");
        number += 1;
    }
    text.push_str(
        "default\n{\n    state_entry()\n    {\n        llSetTimerEvent(60.0);\n    }\n    \
         money(key id, integer amount)\n    {\n        if (sold < 3) ++sold;\n        \
         llOwnerSay(llKey2Name(id));\n    }\n    timer()\n    {\n        llOwnerSay((string)total_0);\n    \
         }\n}\n",
    );
    while text.lines().count() < lines {
        text.push_str("// The end.\n");
    }
    text
}

/// A session with the server.
struct Session {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The version of the document.
    version: u64,
    asked: u64,
    /// The version that findings were last about.
    published: u64,
    /// How many characters were written into the line that is edited.
    written: usize,
}

impl Session {
    fn start(program: &str) -> Result<Session, String> {
        let mut server = Command::new(program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("start {program}: {error}"))?;
        let input = server.stdin.take().ok_or("talk to the server")?;
        let output = server.stdout.take().ok_or("hear the server")?;
        let mut session = Session {
            server,
            input,
            output: BufReader::new(output),
            version: 0,
            asked: 0,
            published: 0,
            written: 0,
        };
        session.ask("initialize", &json!({ "capabilities": {} }))?;
        session.tell("initialized", &json!({}))?;
        Ok(session)
    }

    fn write(&mut self, message: &Value) -> Result<(), String> {
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let written = self.input.write_all(framed.as_bytes());
        written
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("talk to the server: {error}"))
    }

    fn tell(&mut self, method: &str, params: &Value) -> Result<(), String> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn read(&mut self) -> Result<Value, String> {
        let failed = |error: std::io::Error| format!("hear the server: {error}");
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(failed)? == 0 {
                return Err("hear the server to its end".to_owned());
            }
            match line.strip_prefix("Content-Length: ") {
                Some(said) => length = said.trim().parse().map_err(|_| "read a length")?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).map_err(failed)?;
        let message: Value =
            serde_json::from_slice(&body).map_err(|error| format!("read an answer: {error}"))?;
        if message["method"] == "textDocument/publishDiagnostics" {
            let version = message["params"]["version"].as_u64();
            self.published = version.unwrap_or_default();
        }
        Ok(message)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.asked += 1;
        let id = self.asked;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let message = self.read()?;
            if message["id"] == id {
                return Ok(message);
            }
        }
    }

    fn open(&mut self, text: &str) -> Result<(), String> {
        self.version = 1;
        let document = json!({ "uri": URI, "languageId": "lsl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }))?;
        self.findings()
    }

    /// What was written at the beginning of a line is replaced.
    fn edit(&mut self, line: usize, new: &str) -> Result<(), String> {
        self.version += 1;
        let range = json!({
            "start": { "line": line, "character": 0 },
            "end": { "line": line, "character": self.written },
        });
        self.written = new.len();
        let document = json!({ "uri": URI, "version": self.version });
        let changes = json!([{ "range": range, "text": new }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", &params)
    }

    /// Waits for the findings about the document as it is.
    fn findings(&mut self) -> Result<(), String> {
        while self.published != self.version {
            self.read()?;
        }
        Ok(())
    }

    fn hover(&mut self, (line, character): (usize, usize)) -> Result<(), String> {
        let position = json!({ "line": line, "character": character + 1 });
        let params = json!({ "textDocument": { "uri": URI }, "position": position });
        let answer = self.ask("textDocument/hover", &params)?;
        match answer["result"]["contents"]["value"].as_str() {
            Some(said) if said.contains("total_") => Ok(()),
            _ => Err(format!("be told what a name is: {answer}")),
        }
    }

    fn end(mut self) {
        let _ = self.ask("shutdown", &Value::Null);
        let _ = self.tell("exit", &Value::Null);
        let _ = self.server.wait();
    }
}
