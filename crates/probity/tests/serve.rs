//! `probity serve`: what is answered to whom, what is checked when, and the page in a real browser.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stderr, reason = "what is skipped is said")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A server of a folder, which ends with the test.
struct Server {
    process: Child,
    port: u16,
    token: String,
    folder: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Serves a folder of this name with these files of `examples`, and others.
    fn begin(name: &str, examples: &[&str], others: &[(&str, &str)], options: &[&str]) -> Server {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("serve")
            .join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("scripts")).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        for example in examples {
            let from = root.join(example);
            let to = folder.join("scripts").join(from.file_name().unwrap());
            std::fs::copy(from, to).unwrap();
        }
        for (file, text) in others {
            std::fs::write(folder.join(file), text).unwrap();
        }
        Server::of(folder, options)
    }

    fn of(folder: PathBuf, options: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_probity"))
            .current_dir(&folder)
            .args(["serve", "scripts", "--"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = process.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.split("http://127.0.0.1:").nth(1).unwrap().trim();
        let (port, token) = address.split_once('/').unwrap();
        Server {
            port: port.parse().unwrap(),
            token: token.trim_matches('/').to_owned(),
            process,
            folder,
        }
    }

    /// The status and the whole answer to a request of these lines.
    fn answer(&self, lines: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let request = format!("{lines}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        (status.unwrap_or(0), answer)
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    /// Asks for what stands behind the token.
    fn get(&self, path: &str) -> (u16, String) {
        let (token, host) = (&self.token, self.host());
        self.answer(&format!("GET /{token}/{path} HTTP/1.1\r\n{host}"))
    }

    fn post(&self, path: &str) -> u16 {
        let (token, host) = (&self.token, self.host());
        self.answer(&format!(
            "POST /{token}/{path} HTTP/1.1\r\n{host}\r\nContent-Length: 0"
        ))
        .0
    }

    /// Has a text tried as a script of a language.
    fn try_script(&self, language: &str, text: &str) -> u16 {
        let (token, host) = (&self.token, self.host());
        let length = text.len();
        self.answer(&format!(
            "POST /{token}/try/{language} HTTP/1.1\r\n{host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{text}"
        ))
        .0
    }

    /// What the server tells of an event of this name, up to one that is looked for.
    fn told(&self, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let (token, host) = (&self.token, self.host());
        let request = format!("GET /{token}/events HTTP/1.1\r\n{host}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let begin = Instant::now();
        let mut last = String::new();
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            assert!(begin.elapsed() < Duration::from_secs(60), "{last}");
            if let Some(data) = line.strip_prefix("data: ") {
                let value: Value = serde_json::from_str(data).unwrap();
                if last == format!("event: {name}") && is_it(&value) {
                    return value;
                }
            }
            last = line;
        }
        panic!("the server ended");
    }

    /// What is known of a script, once it is in this state.
    fn script(&self, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let of = |state: &Value| {
            let mut all = state["scripts"].as_array()?.iter();
            all.find(|script| script["name"] == name).cloned()
        };
        let found = self.told("state", |state| {
            of(state).is_some_and(|script| is_it(&script))
        });
        of(&found).unwrap()
    }

    fn current(&self, name: &str) -> Value {
        self.script(name, |script| script["state"] == "current")
    }
}

fn verdicts(script: &Value) -> Vec<String> {
    let all = script["properties"].as_array().unwrap().iter();
    all.map(|one| one["verdict"].as_str().unwrap().to_owned())
        .collect()
}

const LOCK: &str = "promela/lock/lock.pml";

/// So many states that nobody waits for the last of them.
const LARGE: &str = "byte a[8];\nactive [8] proctype P() { do :: a[_pid]++ od }\n\
                     ltl never_all { [] !(a[0] == 200 && a[1] == 200 && a[7] == 200) }\n";

#[test]
fn only_who_knows_the_token_and_asks_from_here_is_answered() {
    let server = Server::begin("guarded", &[LOCK], &[], &[]);
    let (status, page) = server.get("");
    assert_eq!(status, 200, "{page}");
    let header = page.split("\r\n\r\n").next().unwrap().to_lowercase();
    for line in [
        "default-src 'none'",
        "referrer-policy: no-referrer",
        "nosniff",
        "no-store",
    ] {
        assert!(header.contains(line), "{line}: {header}");
    }
    let (token, host, port) = (&server.token, server.host(), server.port);
    let ask = |path: &str, more: &str| server.answer(&format!("GET {path} HTTP/1.1\r\n{more}")).0;
    let page = format!("/{token}/");
    assert_eq!(ask(&page, &format!("Host: localhost:{port}")), 200);
    assert_eq!(
        ask(&page, &format!("{host}\r\nOrigin: http://127.0.0.1:{port}")),
        200
    );
    // Others on this machine, and pages from elsewhere.
    let wrong = format!("/{}/", "0".repeat(token.len()));
    for path in [
        "/",
        "//",
        &wrong,
        "/events",
        "/report/0",
        &format!("/{}", &token[1..]),
    ] {
        assert_eq!(ask(path, &host), 404, "{path}");
    }
    for more in [
        "Host: example.org".to_owned(),
        format!("Host: example.org:{port}"),
        "Host: 127.0.0.1".to_owned(),
        format!("Host: 127.0.0.1:{port}.example.org"),
        format!("{host}\r\nOrigin: http://example.org"),
        format!("{host}\r\nOrigin: https://127.0.0.1:{port}"),
        format!("{host}\r\nOrigin: null"),
    ] {
        assert_eq!(ask(&page, &more), 403, "{more}");
    }
    let from = format!("{host}\r\nOrigin: http://example.org\r\nContent-Length: 0");
    let (status, _) = server.answer(&format!("POST /{token}/check/0 HTTP/1.1\r\n{from}"));
    assert_eq!(status, 403);
    assert_eq!(
        server.get("check/0").0,
        405,
        "only who posts changes something"
    );
    assert_eq!(server.post("check/0"), 204);
    // Nothing listens but here.
    let stream = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    if stream.connect("192.0.2.1:9").is_ok()
        && let Ok(own) = stream.local_addr()
        && !own.ip().is_loopback()
        && !own.ip().is_unspecified()
    {
        assert!(TcpStream::connect((own.ip(), port)).is_err(), "{own}");
    }
}

#[test]
fn nothing_outside_of_the_folder_is_served() {
    let secret = "integer secret_of_somebody;\n";
    let include = "#include \"../outside.lsl\"\n//@ property p: always secret_of_somebody == 0;\n\
                   default { state_entry() { secret_of_somebody = 1; } }\n";
    let server = {
        let made = Server::begin(
            "outside",
            &[LOCK],
            &[
                ("outside.lsl", secret),
                ("scripts/includes.lsl", include),
                (
                    "scripts/through.lsl",
                    &include.replace("../outside", "link/outside"),
                ),
            ],
            &[],
        );
        let folder = made.folder.clone();
        drop(made);
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(folder.join("outside.lsl"), folder.join("scripts/link.lsl")).unwrap();
            symlink(&folder, folder.join("scripts/link")).unwrap();
        }
        Server::of(folder, &[])
    };
    server.current("lock.pml");
    let state = server.told("state", |state| {
        let mut all = state["scripts"].as_array().unwrap().iter();
        all.all(|script| script["state"] == "current")
    });
    let names = state["scripts"].as_array().unwrap().iter();
    let mut names: Vec<&str> = names.map(|one| one["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["includes.lsl", "lock.pml", "through.lsl"],
        "links lead out"
    );
    assert!(
        !state.to_string().contains("secret_of_somebody;"),
        "{state}"
    );
    for name in ["includes.lsl", "through.lsl"] {
        let script = server.current(name);
        assert!(!script["troubles"].is_null(), "it could be read: {script}");
        let (status, report) = server.get(&format!("report/{}", script["id"]));
        assert_eq!(status, 200);
        assert!(!report.contains("integer secret_of_somebody"), "{report}");
    }
    // No address names a file.
    let absolute = server.folder.join("outside.lsl");
    for path in [
        "report/../../outside.lsl".to_owned(),
        "report/..%2f..%2foutside.lsl".to_owned(),
        "report/%2e%2e/%2e%2e/outside.lsl".to_owned(),
        "../outside.lsl".to_owned(),
        "%2e%2e/outside.lsl".to_owned(),
        "lock.pml".to_owned(),
        "scripts/lock.pml".to_owned(),
        "report/lock.pml".to_owned(),
        "report/-1".to_owned(),
        "report/99".to_owned(),
        "report/0%00".to_owned(),
        format!("report/{}", absolute.display()),
        absolute.display().to_string().replace('/', "%2f"),
        format!("/{}", absolute.display()),
    ] {
        let (status, answer) = server.get(&path);
        assert_eq!(status, 404, "{path}");
        assert!(!answer.contains("secret_of_somebody"), "{path}");
    }
}

#[test]
fn scripts_are_checked_again_when_they_are_saved() {
    let included = "#include \"part.lsl\"\n//@ property small: always n < LIMIT;\n\
                    integer n;\ndefault { state_entry() { n = 3; } }\n";
    let files = [
        ("scripts/whole.lsl", included),
        ("scripts/part.lsl", "#define LIMIT 2\n"),
    ];
    let server = Server::begin("saved", &[LOCK], &files, &[]);
    assert_eq!(
        verdicts(&server.current("lock.pml")),
        ["fails", "holds", "holds"]
    );
    assert_eq!(verdicts(&server.current("whole.lsl")), ["fails"]);
    // What a script includes counts as well.
    std::fs::write(server.folder.join("scripts/part.lsl"), "#define LIMIT 10\n").unwrap();
    let whole = server.script("whole.lsl", |one| {
        one["state"] == "current" && one["properties"][0]["history"].as_array().unwrap().len() == 2
    });
    assert_eq!(verdicts(&whole), ["holds"]);
    let history = whole["properties"][0]["history"].as_array().unwrap();
    assert_eq!(
        [&history[0]["verdict"], &history[1]["verdict"]],
        ["fails", "holds"]
    );
    let lock = server.current("lock.pml");
    let length = |one: &Value| one["properties"][0]["history"].as_array().unwrap().len();
    assert_eq!(length(&lock), 1, "it was not saved");
    let repaired =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela/lock/lock-repaired.pml");
    let text = std::fs::read_to_string(repaired).unwrap();
    std::fs::write(server.folder.join("scripts/lock.pml"), &text).unwrap();
    let lock = server.script("lock.pml", |one| {
        one["state"] == "current" && length(one) == 2
    });
    assert!(
        verdicts(&lock).iter().all(|verdict| verdict == "holds"),
        "{lock}"
    );
    // A new one is found, and one that is gone is forgotten.
    std::fs::write(server.folder.join("scripts/new.pml"), &text).unwrap();
    server.current("new.pml");
    std::fs::remove_file(server.folder.join("scripts/lock.pml")).unwrap();
    server.told("state", |state| !state.to_string().contains("\"lock.pml\""));
}

#[test]
fn a_check_tells_how_far_it_is_and_can_be_stopped() {
    let files = [("scripts/large.pml", LARGE)];
    let server = Server::begin(
        "large",
        &[],
        &files,
        &["--timeout", "50s", "--memory", "2G"],
    );
    let live = server.told("progress", |live| {
        live["states"].as_u64().is_some_and(|all| all > 1000)
    });
    for name in ["depth", "memory", "rate", "elapsed"] {
        assert!(
            live[name].as_f64().is_some_and(|value| value > 0.0),
            "{name}: {live}"
        );
    }
    let running = server.script("large.pml", |one| one["state"] == "runs");
    assert_eq!(running["id"], live["id"]);
    let begin = Instant::now();
    assert_eq!(server.post(&format!("cancel/{}", live["id"])), 204);
    server.script("large.pml", |one| one["state"] == "stopped");
    server.told("progress", Value::is_null);
    assert!(
        begin.elapsed() < Duration::from_secs(20),
        "it was not stopped"
    );
    assert_eq!(server.post("check"), 204);
    server.script("large.pml", |one| one["state"] == "runs");
}

#[test]
fn what_cannot_be_served_is_said() {
    let said = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        let output = command.arg("serve").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let (status, text) = said(&["no-such-folder"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("serve: no-such-folder"), "{text}");
    for arguments in [
        &[".", "--port", "70000"][..],
        &[".", "--", "--html", "out.html"],
        &[".", "--", "--property", "p"],
        &[".", "--", "--nope"],
    ] {
        assert_eq!(said(arguments).0, Some(2), "{arguments:?}");
    }
}

#[test]
fn a_script_is_tried_without_being_saved() {
    let secret = [("outside.lsl", "integer secret_of_somebody;\n")];
    let server = Server::begin("tried", &[LOCK], &secret, &[]);
    let lock = server.current("lock.pml");
    let (status, copy) = server.get(&format!("text/{}", lock["id"]));
    assert_eq!(status, 200);
    assert!(copy.contains("active [2] proctype Worker()"), "{copy}");
    let model = "byte n; active [2] proctype P() { n++; assert(n < 2) }\n";
    assert_eq!(server.try_script("promela", model), 204);
    let tried = server.current("playground.pml");
    assert_eq!(verdicts(&tried)[0], "fails");
    let (status, report) = server.get(&format!("report/{}", tried["id"]));
    assert_eq!(status, 200);
    assert!(report.contains("playground.pml"), "{report}");
    // The next one takes its place, and it is not gone with those that are no files.
    let repaired = model.replace("n < 2", "n < 3");
    assert_eq!(server.try_script("promela", &repaired), 204);
    let again = server.script("playground.pml", |one| {
        one["state"] == "current" && one["properties"][0]["verdict"] == "holds"
    });
    assert_eq!(again["id"], tried["id"]);
    std::thread::sleep(Duration::from_millis(4500));
    assert_eq!(server.current("playground.pml")["id"], tried["id"]);
    let (_, text) = server.get(&format!("text/{}", tried["id"]));
    assert!(text.ends_with(&repaired), "{text}");
    // It reads what the folder has, and no more.
    let include = "#include \"../outside.lsl\"\ndefault { state_entry() { } }\n";
    assert_eq!(server.try_script("lsl", include), 204);
    let outside = server.current("playground.lsl");
    assert_eq!(outside["id"], tried["id"]);
    assert!(!outside["troubles"].is_null(), "{outside}");
    // A language that there is not, and no script at all.
    server.try_script("cobol", "MOVE 1 TO N.");
    assert_eq!(server.try_script("promela", "MOVE 1 TO N."), 204);
    let refused = server.script("playground.pml", |one| {
        one["state"] == "current" && !one["troubles"].is_null()
    });
    assert_eq!(verdicts(&refused), Vec::<String>::new());
    let files = std::fs::read_dir(server.folder.join("scripts")).unwrap();
    assert_eq!(files.count(), 1, "nothing is written");
    assert_eq!(server.get("text/99").0, 404);
    assert_eq!(server.get("try/promela").0, 405);
}

/// The browser's program.
fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            let mut version = Command::new(name);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        });
    if found.is_none() {
        eprintln!("skipped: there is no chromium (Debian: apt-get install chromium)");
    }
    found
}

#[test]
fn the_page_shows_verdicts_and_runs_in_a_browser() {
    let Some(browser) = browser() else { return };
    let server = Server::begin(
        "browser",
        &[LOCK, "nodegraph/event-mode/bug.json"],
        &[],
        &[],
    );
    let graph = server.current("bug.json");
    server.current("lock.pml");
    // The page of the run is a document within the page; what it asks for stands in the log of the network.
    let log = server.folder.join("log.json");
    let address = format!(
        "http://127.0.0.1:{}/{}/#{}/0",
        server.port, server.token, graph["id"]
    );
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args(["--enable-logging=stderr", "--timeout=6000", "--dump-dom"])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!(
            "--user-data-dir={}",
            server.folder.join("profile").display()
        ))
        .arg(&address)
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let wrong: Vec<&str> = errors
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(dom.contains("2 scripts: 2 hold, 2 fail"), "{dom}");
    for name in [
        "event_mode_ends",
        "assertions",
        "deadlock",
        "lock.pml",
        "bug.json",
    ] {
        assert!(dom.contains(name), "{name}");
    }
    assert!(dom.contains("· see the run"), "{dom}");
    let frame = dom.split("<iframe").nth(1).unwrap();
    assert!(
        frame.contains(&format!("src=\"report/{}?", graph["id"])),
        "{frame}"
    );
    let asked = std::fs::read_to_string(log).unwrap();
    assert!(
        asked.contains(&format!("/report/{}?", graph["id"])),
        "the run was not asked for"
    );
    // The browser's own requests are to who makes it.
    let own = format!("http://127.0.0.1:{}/", server.port);
    let makers = [".google.com/", ".gvt1.com/", ".googleapis.com/"];
    for part in asked.split("\"url\":\"http").skip(1) {
        let url = format!("http{}", part.split('"').next().unwrap());
        let is_known = url.starts_with(&own) || makers.iter().any(|maker| url.contains(maker));
        assert!(is_known, "{url}");
    }
}
