//! Failures in Java itself: each run that is found is one of the program, compiled by `javac` and run step
//! by step in the order of the run, by the debugger's interface (`schedule/Replay.java`). Where there is
//! no `javac`, this is skipped.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stderr, reason = "what was run is said")]

use std::path::{Path, PathBuf};
use std::process::Command;

use model::predicates::{Kleene, PredicateProgram, PredicateRun, Taken};
use model::{Budget, Claim, MessageId, Silent};

/// What a step does that other threads may see, in the words of a schedule.
fn told(step: &str) -> Option<String> {
    let access = |word: &str| {
        let field = step.strip_prefix(word)?.trim();
        (!field.starts_with("Thread.")).then(|| format!("{} {field}", word.trim_end_matches('s')))
    };
    if let Some(access) = access("reads").or_else(|| access("writes")) {
        return Some(access);
    }
    let is = |begin: &str| step.starts_with(begin);
    let word = if is("takes the monitor again") {
        "relock"
    } else if is("takes the monitor") {
        "lock"
    } else if is("gives the monitor back") {
        "unlock"
    } else if is("wakes from") {
        return None;
    } else if step.contains(".wait(") || is("wait(") {
        "wait"
    } else if step.contains("notifyAll(") || step.contains("notify()") && !step.ends_with(')') {
        // Whom `notify` wakes is a step behind the call.
        "notify"
    } else {
        return None;
    };
    Some(word.to_owned())
}

/// A run as a schedule, from where main begins.
fn schedule(text: &str, program: &PredicateProgram, run: &PredicateRun, property: &str) -> String {
    let main = text.find(" main(").unwrap();
    let mut lines = Vec::new();
    let mut began = false;
    let mut names = run.names.clone();
    let started = program.predicates.iter();
    let started = started
        .clone()
        .position(|one| one.name == "started")
        .unwrap();
    let mut before = run.initial.clone();
    for taken in &run.steps {
        let action = &program.actions[taken.action];
        let thread = &names[taken.assignment[action.scheduled.unwrap()]];
        // Before that come the initialisers of classes.
        began |= thread != "main" || action.span.start as usize > main;
        let next = program.names_after(&names, taken);
        let mut begins = taken.origins.iter().enumerate().filter(|&(now, &old)| {
            let is = taken.state.values[started][now] == Kleene::True;
            let was = before.values[started].get(old) == Some(&Kleene::True);
            is && !was
        });
        if let Some((new, _)) = begins.next() {
            lines.push(format!("{thread} start {}", next[new]));
        } else if let Some(what) = told(&action.name).filter(|_| began) {
            lines.push(format!("{thread} {what}"));
        }
        names = next;
        before = taken.state.clone();
    }
    let action = &program.actions[run.ends.0];
    let who = action
        .scheduled
        .map(|variable| run.end_names[run.ends.1[variable]].clone());
    let who = who.unwrap_or_else(|| "-".to_owned());
    let exception = match property {
        "null-dereference" => "NullPointerException",
        "monitor-state" => "IllegalMonitorStateException",
        "thread-state" => "IllegalThreadStateException",
        _ => "AssertionError",
    };
    lines.push(match property.strip_prefix("race-") {
        Some(field) => format!("{who} races {field}"),
        None if property == "deadlock" || property == "lost-notify" => "- stuck".to_owned(),
        None => format!("{who} throws java.lang.{exception}"),
    });
    lines.join("\n")
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let error = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(&output.stdout);
    Some(match output.status.success() {
        true => text.trim().to_owned(),
        false => format!("{text}{error}"),
    })
}

/// The class that has `main`.
fn main_class(text: &str) -> &str {
    let before = &text[..text.find(" main(").unwrap()];
    let name = before.rsplit("class ").find(|part| !part.trim().is_empty());
    name.unwrap().split([' ', '{', '\n']).next().unwrap()
}

/// Runs each failure of a program in Java: how many there are, and what was not reproduced.
fn failures(text: &str, tools: &Path, wrong: &mut Vec<String>) -> usize {
    let program = java::load("T.java", text).program.unwrap();
    let predicates = program.predicates.as_ref().unwrap();
    let budget = Budget::default();
    let explored = shape::explore(predicates, &budget, &Silent).unwrap();
    let mut count = 0;
    for property in &program.properties {
        let Claim::Silent(message) = property.claim else {
            continue;
        };
        if explored.messages[message.index()].at.is_none() {
            continue;
        }
        let Some(run) = replayed(predicates, message) else {
            continue;
        };
        let wakes = |taken: &Taken| {
            predicates.actions[taken.action]
                .name
                .starts_with("wakes from")
        };
        let notified = |taken: &Taken| predicates.actions[taken.action].name.contains("notify");
        if run.steps.iter().any(wakes) && !run.steps.iter().any(notified) {
            // A machine may wake a thread that nobody notifies, but it cannot be made to.
            eprintln!("{}: a thread wakes by itself", property.name);
            continue;
        }
        count += 1;
        let folder = Folder(tools.join(format!("program{count}")));
        std::fs::create_dir_all(&folder.0).unwrap();
        let schedule = schedule(text, predicates, &run, &property.name);
        std::fs::write(folder.0.join("schedule"), &schedule).unwrap();
        let main = main_class(text);
        let source = folder.0.join(format!("{main}.java"));
        std::fs::write(&source, text).unwrap();
        let compiled = output(
            Command::new("javac")
                .arg("-J-XX:TieredStopAtLevel=1")
                .arg("-d")
                .arg(&folder.0)
                .arg(&source),
        );
        let files = std::fs::read_dir(&folder.0).unwrap().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let classes = names.filter_map(|name| name.strip_suffix(".class").map(str::to_owned));
        let mut java = Command::new("java");
        java.arg("-XX:TieredStopAtLevel=1")
            .arg("-cp")
            .arg(tools)
            .arg("Replay")
            .arg(&folder.0);
        java.arg(main).arg(folder.0.join("schedule")).args(classes);
        let outcome = output(&mut java).unwrap();
        let name = &property.name;
        eprintln!("{name}: {outcome}");
        if outcome != "reproduced" {
            wrong.push(format!(
                "{name}: {outcome} {compiled:?}\n{schedule}\n{text}"
            ));
        }
    }
    count
}

fn replayed(program: &PredicateProgram, message: MessageId) -> Option<PredicateRun> {
    let trace = shape::concretise(program, message, &Budget::default())?;
    Some(PredicateRun::replay(program, &trace, message).unwrap())
}

#[test]
fn each_failure_happens_in_java() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = Folder(std::env::temp_dir().join(format!("probity-java-{}", std::process::id())));
    std::fs::create_dir_all(&tools.0).unwrap();
    let controller = here.join("tests/schedule/Replay.java");
    let mut javac = Command::new("javac");
    let Some(said) = output(javac.arg("-d").arg(&tools.0).arg(controller)) else {
        eprintln!("skipped: there is no javac");
        return;
    };
    assert_eq!(said, "");
    let (mut count, mut wrong) = (0, Vec::new());
    for name in ["monitors", "references", "threads", "waiting"] {
        let text = std::fs::read_to_string(here.join(format!("tests/programs/{name}.md"))).unwrap();
        for part in text.split("```java\n").skip(1) {
            let (program, rest) = part.split_once("```").unwrap();
            let (_, expected) = rest.split_once("```expect\n").unwrap();
            if expected.split("```").next().unwrap().contains("fails ") {
                count += failures(program, &tools.0, &mut wrong);
            }
        }
    }
    for name in ["counter", "transfer"] {
        let path = here.join(format!("../../../examples/java/{name}/Broken.java"));
        count += failures(
            &std::fs::read_to_string(path).unwrap(),
            &tools.0,
            &mut wrong,
        );
    }
    eprintln!("{count} failures, {} of them not reproduced", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "{count}");
}
