//! `probity lsp` as editors meet it: the program itself, over standard input and output.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what is written in place is handed over"
)]

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// What was said that nobody has waited for.
    said: VecDeque<Value>,
    asked: u64,
}

impl Editor {
    fn start(params: Value) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_probity"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program is there");
        let input = server.stdin.take();
        let mut output = BufReader::new(server.stdout.take().expect("it is piped"));
        let (send, receive) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if let Some(said) = line.strip_prefix("Content-Length: ") {
                        length = said.trim().parse().expect("it is a number");
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                output
                    .read_exact(&mut body)
                    .expect("it is as long as it says");
                let message = serde_json::from_slice(&body).expect("it is JSON");
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor {
            server,
            input,
            output: receive,
            said: VecDeque::new(),
            asked: 0,
        };
        let answer = editor.ask("initialize", params);
        assert!(
            answer["result"]["capabilities"]["hoverProvider"]
                .as_bool()
                .unwrap_or(false)
        );
        editor.tell("initialized", json!({}));
        editor
    }

    /// An editor that counts columns in UTF-16 and never has anything checked unasked.
    fn quiet() -> Editor {
        Editor::start(json!({
            "capabilities": {},
            "initializationOptions": { "check": "never" },
        }))
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        let header = format!("Content-Length: {}\r\n\r\n", bytes.len());
        input.write_all(header.as_bytes()).expect("it is read");
        input.write_all(bytes).expect("it is read");
        input.flush().expect("it is read");
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.write(message.to_string().as_bytes());
    }

    /// The answer to a question.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(message.to_string().as_bytes());
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The next message that is so; others are kept.
    fn wait(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.said.iter().position(&is_so) {
            return self.said.remove(at).expect("it is there");
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self
                .output
                .recv_timeout(left)
                .expect("the server says something");
            if is_so(&message) {
                return message;
            }
            self.said.push_back(message);
        }
    }

    /// The next findings about a document that are so.
    fn findings(&mut self, uri: &str, is_so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let all = |message: &Value| message["params"]["diagnostics"].as_array().cloned();
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && all(message).is_some_and(|found| is_so(&found))
        });
        all(&message).expect("it has some")
    }

    fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, changes: Value) {
        let document = json!({ "uri": uri, "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// Asks something about a place in a document.
    fn at(&mut self, method: &str, uri: &str, (line, character): (u32, u32)) -> Value {
        let position = json!({ "line": line, "character": character });
        let mut params = json!({ "textDocument": { "uri": uri }, "position": position });
        if method.ends_with("references") {
            params["context"] = json!({ "includeDeclaration": true });
        }
        self.result(method, params)
    }

    /// The words over the properties of a document as soon as they are so.
    fn lenses(&mut self, uri: &str, is_so: impl Fn(&[String]) -> bool) -> Vec<String> {
        let until = Instant::now() + PATIENCE;
        loop {
            let params = json!({ "textDocument": { "uri": uri } });
            let all = self.result("textDocument/codeLens", params);
            let titles = all.as_array().expect("it is a list").iter();
            let titles = titles.map(|lens| lens["command"]["title"].as_str().unwrap_or_default());
            let titles: Vec<String> = titles.map(str::to_owned).collect();
            if is_so(&titles) {
                return titles;
            }
            assert!(Instant::now() < until, "{titles:?}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Ends the session; the exit status.
    fn end(mut self) -> Option<i32> {
        self.result("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.wait().expect("it ends").code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Places count units of UTF-16: the first line has one character of two.
const DOOR: &str = "\
/* \u{1F600} */ integer open;
//@ property small: always open < 3;
//@ property shut: always open == 0;
add(integer n) { open += n; }
default { touch_start(integer n) { if (open < 2) add(1); llOwnerSay(\"hello\"); } }
";

const URI: &str = "file:///shop/my%20door.lsl";

fn hover_text(hover: &Value) -> &str {
    hover["contents"]["value"].as_str().unwrap_or_default()
}

#[test]
fn a_script_is_understood_while_it_is_written() {
    let mut editor = Editor::quiet();
    editor.open(URI, "lsl", DOOR);
    let said = editor.at("textDocument/hover", URI, (0, 18));
    assert_eq!(hover_text(&said), "```lsl\ninteger open\n```", "{said}");
    assert_eq!(
        said["range"]["start"],
        json!({ "line": 0, "character": 17 })
    );
    let said = editor.at("textDocument/hover", URI, (4, 60));
    assert!(
        hover_text(&said).starts_with("```lsl\nllOwnerSay(string "),
        "{said}"
    );
    let said = editor.at("textDocument/hover", URI, (1, 6));
    assert!(hover_text(&said).contains("Something to verify"), "{said}");

    let place = editor.at("textDocument/definition", URI, (4, 50));
    assert_eq!(place["uri"], URI);
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 3, "character": 0 })
    );
    let places = editor.at("textDocument/references", URI, (1, 28));
    let lines: Vec<Option<u64>> = places
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|place| place["range"]["start"]["line"].as_u64())
        .collect();
    assert_eq!(lines, [0, 1, 2, 3, 4].map(Some));

    let params = json!({ "textDocument": { "uri": URI } });
    let symbols = editor.result("textDocument/documentSymbol", params);
    let names: Vec<&str> = symbols
        .as_array()
        .expect("it is a list")
        .iter()
        .filter_map(|symbol| symbol["name"].as_str())
        .collect();
    assert_eq!(
        names,
        ["open", "add", "default", "touch_start", "small", "shut"]
    );

    // A letter is written before `llOwnerSay`, and the rest of a name.
    let start = json!({ "line": 4, "character": 56 });
    let range = json!({ "start": start, "end": start });
    editor.change(URI, json!([{ "range": range, "text": " llGiveM" }]));
    let list = editor.at("textDocument/completion", URI, (4, 64));
    let items = list["items"].as_array().expect("it is a list");
    let labels: Vec<&str> = items
        .iter()
        .filter_map(|item| item["label"].as_str())
        .collect();
    assert_eq!(labels, ["llGiveMoney"]);
    assert!(
        items[0]["documentation"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("PERMISSION_DEBIT"))
    );
    // Property words are offered in annotations, and nowhere else.
    let offered = |list: &Value, name: &str| {
        let items = list["items"].as_array().expect("it is a list");
        items.iter().any(|item| item["label"] == name)
    };
    let list = editor.at("textDocument/completion", URI, (1, 20));
    assert!(offered(&list, "eventually") && offered(&list, "open"));
    let list = editor.at("textDocument/completion", URI, (4, 9));
    assert!(!offered(&list, "eventually") && offered(&list, "open") && !offered(&list, "n"));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn findings_have_codes_explanations_and_fixes() {
    let mut editor = Editor::quiet();
    let text =
        "default\n{\n    touch_start(integer n)\n    {\n        llOwnerSay(string(n));\n    }\n}\n";
    editor.open(URI, "lsl", text);
    let found = editor.findings(URI, |found| !found.is_empty());
    assert_eq!(found[0]["code"], "LSL0114", "{found:?}");
    assert_eq!(found[0]["source"], "probity");
    let place = json!({ "line": 4, "character": 19 });
    assert_eq!(found[0]["range"]["start"], place);
    let said = editor.at("textDocument/hover", URI, (4, 20));
    assert!(hover_text(&said).contains("LSL0114"), "{said}");
    assert!(hover_text(&said).contains("How to fix"), "{said}");
    let params = json!({
        "textDocument": { "uri": URI },
        "range": { "start": place, "end": place },
        "context": { "diagnostics": [] },
    });
    let actions = editor.result("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!(edit["newText"], "(string)n", "{actions}");
    editor.change(
        URI,
        json!([{ "range": edit["range"], "text": edit["newText"] }]),
    );
    let found = editor.findings(URI, |found| {
        !found.iter().any(|one| one["code"] == "LSL0114")
    });
    assert!(found.iter().all(|one| one["severity"] != 1), "{found:?}");
    editor.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": URI } }),
    );
    editor.findings(URI, <[Value]>::is_empty);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn properties_are_checked_in_the_background_and_their_runs_are_shown() {
    let mut editor = Editor::start(json!({
        "capabilities": { "general": { "positionEncodings": ["utf-8", "utf-16"] } },
        "initializationOptions": { "showsRuns": true },
    }));
    editor.open(URI, "lsl", DOOR);
    let found = editor.findings(URI, |found| found.iter().any(|one| one["code"] == "shut"));
    let failure = found
        .iter()
        .find(|one| one["code"] == "shut")
        .expect("it fails");
    assert_eq!(failure["severity"], 1);
    assert_eq!(
        failure["range"]["start"]["line"], 2,
        "where the property is written"
    );
    let steps = failure["relatedInformation"]
        .as_array()
        .expect("the run is told");
    let last = steps.last().expect("something happens");
    assert_eq!(last["location"]["uri"], URI);
    assert!(
        steps
            .iter()
            .any(|step| step["location"]["range"]["start"]["line"] == 4),
        "{steps:?}"
    );

    let lenses = editor.lenses(URI, |titles| titles.len() == 2);
    assert_eq!(
        lenses,
        ["small: holds (proved)", "shut: fails: show the run"]
    );
    let params = json!({ "command": "probity.run", "arguments": [URI, "shut", "text"] });
    let told = editor.result("workspace/executeCommand", params);
    let told = told.as_str().expect("it is a text");
    assert!(
        told.contains("shut") && told.contains("touch") && !told.contains("small"),
        "{told}"
    );
    let params = json!({ "command": "probity.run", "arguments": [URI, "shut", "html"] });
    let page = editor.result("workspace/executeCommand", params);
    assert!(
        page.as_str()
            .is_some_and(|page| page.starts_with("<!DOCTYPE html>"))
    );

    // A line is written above: what was found moves with the text, and is said to be old.
    let start = json!({ "line": 0, "character": 0 });
    let change = json!([{ "range": { "start": start, "end": start }, "text": "// a door\n" }]);
    editor.change(URI, change);
    let found = editor.findings(URI, |found| {
        found.iter().any(|one| one["range"]["start"]["line"] == 3)
    });
    let message = |one: &Value| one["message"].as_str().unwrap_or_default().to_owned();
    assert!(
        found
            .iter()
            .any(|one| message(one).starts_with("before the last change: "))
    );
    let found = editor.findings(URI, |found| {
        found
            .iter()
            .any(|one| one["code"] == "shut" && message(one).starts_with("`shut` fails"))
    });
    assert!(
        found.iter().all(|one| one["range"]["start"]["line"] != 2),
        "{found:?}"
    );
    editor.lenses(URI, |titles| {
        titles.iter().all(|title| !title.contains("before"))
    });
    assert_eq!(editor.end(), Some(0));
}

/// Two counters of 32 bits that grow in any order: more states than can be looked at.
const ENDLESS: &str = "\
int a, b, c, d;
active proctype P() { do :: a++ :: b++ :: c++ :: d++ od }
ltl apart { [] (a * b - c * d != 12345) }
";

#[test]
fn edits_stop_what_is_checked() {
    let mut editor = Editor::start(json!({
        "capabilities": { "workspace": { "codeLens": { "refreshSupport": true } } },
        "initializationOptions": { "arguments": ["--timeout", "1h", "--memory", "2G"] },
    }));
    let uri = "file:///models/endless.pml";
    editor.open(uri, "promela", ENDLESS);
    let params = json!({ "command": "probity.check", "arguments": [uri] });
    editor.result("workspace/executeCommand", params);
    editor.wait(|message| message["method"] == "workspace/codeLens/refresh");
    editor.lenses(uri, |titles| {
        titles.iter().any(|title| title.contains("being checked"))
    });
    // The server answers while it checks.
    let said = editor.at("textDocument/hover", uri, (0, 4));
    assert_eq!(hover_text(&said), "```promela\nint a\n```");
    let begin = Instant::now();
    let small = "byte a;\nactive proctype P() { a = 1 }\nltl little { [] (a < 2) }\n";
    editor.change(uri, json!([{ "text": small }]));
    let lenses = editor.lenses(uri, |titles| {
        titles
            .iter()
            .any(|title| title.starts_with("little: holds"))
    });
    assert!(
        lenses.iter().all(|title| !title.contains("apart")),
        "{lenses:?}"
    );
    assert!(
        begin.elapsed() < PATIENCE,
        "it did not wait for the hour to pass"
    );
    assert_eq!(editor.end(), Some(0));
}

/// A script of each language, with the beginning of a lens over it.
#[test]
fn every_language_is_served() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut editor = Editor::start(json!({ "capabilities": {} }));
    for (name, language, file) in [
        ("lsl", "lsl", "lsl/door"),
        ("pml", "promela", "promela/lock"),
        ("smv", "smv", "smv"),
        ("tb", "tscript", "tscript/request"),
        ("tvm", "tvm", "tvm/mutex"),
        ("java", "java", "java/counter"),
    ] {
        let folder = root.join(file);
        let entries = std::fs::read_dir(&folder).expect("the folder is there");
        let mut files: Vec<_> = entries
            .map(|entry| entry.expect("it can be read").path())
            .collect();
        files.sort();
        let has_name = |path: &&std::path::PathBuf| {
            path.extension().is_some_and(|extension| extension == name)
        };
        let Some(path) = files.iter().find(has_name) else {
            panic!("{} has no .{name}: {files:?}", folder.display());
        };
        let text = std::fs::read_to_string(path).expect("it can be read");
        let uri = format!("file://{}", path.display());
        editor.open(&uri, language, &text);
        let lenses = editor.lenses(&uri, |titles| {
            !titles.is_empty() && titles.iter().all(|title| !title.contains("check"))
        });
        let told = |title: &String| {
            ["holds", "fails", "not known", "may fail", "step"]
                .iter()
                .any(|word| title.contains(word))
        };
        assert!(lenses.iter().all(told), "{uri}: {lenses:?}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn names_of_other_languages_lead_somewhere_too() {
    let mut editor = Editor::quiet();
    for (uri, language, text, at, signature, line) in [
        (
            "file:///m/a.pml",
            "promela",
            "byte n;\nactive proctype P() { n = 1 }\n",
            (1, 22),
            "byte n",
            0,
        ),
        (
            "file:///m/a.smv",
            "smv",
            "MODULE main\nVAR n : 0..3;\nINVARSPEC n < 3\n",
            (2, 10),
            "VAR n : 0..3",
            1,
        ),
        (
            "file:///m/a.tb",
            "tscript",
            "process A is snd-msg(x)\nprocess B is rec-msg(x)\ntoolbus(A, B)\n",
            (2, 8),
            "process A()",
            0,
        ),
    ] {
        editor.open(uri, language, text);
        let said = editor.at("textDocument/hover", uri, at);
        assert_eq!(
            hover_text(&said),
            format!("```{language}\n{signature}\n```")
        );
        let place = editor.at("textDocument/definition", uri, at);
        assert_eq!(place["range"]["start"]["line"], line, "{uri}");
        let list = editor.at("textDocument/completion", uri, at);
        assert!(
            list["items"]
                .as_array()
                .is_some_and(|items| !items.is_empty())
        );
    }
    let said = editor.at("textDocument/hover", "file:///m/a.tb", (0, 16));
    assert!(hover_text(&said).contains("Sends a message"), "{said}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn nothing_that_an_editor_says_breaks_the_server() {
    let mut editor = Editor::quiet();
    editor.open(URI, "lsl", DOOR);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    let parse = Some(-32700);
    for broken in ["{", "\u{0}", "[1, 2", "nope"] {
        editor.write(broken.as_bytes());
        let answer =
            editor.wait(|message| message["id"].is_null() && message.get("error").is_some());
        assert_eq!(code(&answer), parse, "{broken}");
    }
    editor.write(b"\xff\xfe{}");
    let answer = editor.wait(|message| message["id"].is_null() && message.get("error").is_some());
    assert_eq!(code(&answer), parse);
    for params in [
        json!(null),
        json!([]),
        json!({ "textDocument": 7, "position": {} }),
        json!({ "textDocument": { "uri": URI }, "position": { "line": -1, "character": 0 } }),
        json!({ "textDocument": { "uri": URI }, "position": { "line": 1e300, "character": 0 } }),
    ] {
        for method in [
            "hover",
            "definition",
            "completion",
            "references",
            "codeAction",
            "codeLens",
        ] {
            let method = format!("textDocument/{method}");
            let answer = editor.ask(&method, params.clone());
            let is_refused = code(&answer) == Some(-32602);
            // A lens needs no position.
            assert!(
                is_refused || method.ends_with("codeLens"),
                "{method} {params}: {answer}"
            );
        }
    }
    let most = u32::MAX;
    for at in [
        (0, most),
        (most, 0),
        (most, most),
        (0, 4),
        (3, 9_999),
        (5, 0),
        (6, 0),
    ] {
        for method in ["hover", "definition", "completion", "references"] {
            editor.at(&format!("textDocument/{method}"), URI, at);
        }
        editor.at("textDocument/hover", "file:///nobody/opened.lsl", at);
    }
    // Edits that end before they begin, split a character, or are of a document that is not open.
    let place = |line: u64, character: u64| json!({ "line": line, "character": character });
    for (start, end) in [
        (place(3, 0), place(0, 0)),
        (place(0, 4), place(0, 4)),
        (place(9, 9), place(u64::from(most), u64::from(most))),
    ] {
        let change = json!([{ "range": { "start": start, "end": end }, "text": "\u{1F600}" }]);
        editor.change(URI, change.clone());
        editor.change("file:///nobody/opened.lsl", change);
    }
    editor.change(
        URI,
        json!([{ "range": { "start": place(0, 0) }, "text": 7 }]),
    );
    editor.change(URI, json!("nothing"));
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": "file:///x.lsl" } }),
    );
    editor.tell("textDocument/didOpen", json!({}));
    editor.tell("$/cancelRequest", json!({ "id": 1 }));
    editor.tell("$/whatever", json!(null));
    editor.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    let params = json!({ "command": "probity.run", "arguments": [7] });
    assert_eq!(
        editor.result("workspace/executeCommand", params),
        Value::Null
    );
    let params = json!({ "command": "rm" });
    assert_eq!(
        code(&editor.ask("workspace/executeCommand", params)),
        Some(-32602)
    );
    let nested = "(".repeat(200_000);
    editor.open(
        "file:///deep.lsl",
        "lsl",
        &format!("default {{ timer() {{ x = {nested}1;"),
    );
    editor.at("textDocument/hover", "file:///deep.lsl", (0, 30));
    assert_eq!(editor.end(), Some(0));
}

/// A text after an edit, by a way of its own: as units of 16 bits.
fn edited(text: &str, (start, end): ((usize, usize), (usize, usize)), new: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let units = |(line, column): (usize, usize)| {
        let before: usize = lines[..line]
            .iter()
            .map(|line| line.encode_utf16().count())
            .sum();
        before + column
    };
    let all: Vec<u16> = text.encode_utf16().collect();
    let mut out = all[..units(start)].to_vec();
    out.extend(new.encode_utf16());
    out.extend(&all[units(end)..]);
    String::from_utf16(&out).expect("no pair was split")
}

/// After any edits the server knows of a document what it knows of one that is opened as it is then.
#[test]
fn edited_documents_are_what_they_would_be_if_they_were_opened() {
    let mut editor = Editor::quiet();
    let mut random = fastrand::Rng::with_seed(11);
    let parts = [
        "integer k;\n",
        "\u{1F600}",
        "// \u{e9}\n",
        " ",
        "\n",
        "}",
        "add(1);",
        "state s { }\n",
    ];
    for round in 0..12 {
        let uri = format!("file:///random/{round}.lsl");
        let mut text = DOOR.to_owned();
        editor.open(&uri, "lsl", &text);
        for _ in 0..20 {
            // Both ends at the beginning of characters.
            let mut place = || {
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                if lines.is_empty() {
                    return (0, 0);
                }
                let line = random.usize(0..lines.len());
                let own = lines[line].trim_end_matches('\n');
                let count = random.usize(0..=own.chars().count());
                (line, own.chars().take(count).map(char::len_utf16).sum())
            };
            let (one, other) = (place(), place());
            let (start, end) = if one.0 == other.0 {
                (one.min(other), one.max(other))
            } else {
                (one, one)
            };
            let new = parts[random.usize(0..parts.len())];
            let place =
                |(line, character): (usize, usize)| json!({ "line": line, "character": character });
            let range = json!({ "start": place(start), "end": place(end) });
            editor.change(&uri, json!([{ "range": range, "text": new }]));
            text = edited(&text, (start, end), new);
        }
        let again = format!("file:///random/{round}-again.lsl");
        editor.open(&again, "lsl", &text);
        let mut symbols = |uri: &str| {
            let params = json!({ "textDocument": { "uri": uri } });
            editor.result("textDocument/documentSymbol", params)
        };
        assert_eq!(symbols(&uri), symbols(&again), "{text}");
    }
    assert_eq!(editor.end(), Some(0));
}
