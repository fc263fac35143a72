//! The explicit engine finds the states and transitions that the interpreter finds in models
//! written in Promela: those of the front end's own tests, and the examples that come with SPIN
//! where it is installed.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it does not expect"
)]

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use model::interp::{Interp, State};
use model::{Bad, Budget, Program, Silent};

/// Where Debian puts SPIN's examples.
const EXAMPLES: &str = "/usr/share/doc/spin/examples";
/// States after which the interpreter is not followed any further.
const MOST: usize = 300;

fn load(path: &Path) -> Option<Program> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let folder = path.parent()?.to_owned();
    let include = move |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let options = promela::Options {
        include: &include,
        ..promela::Options::default()
    };
    promela::load(&path.display().to_string(), &text, &options).program
}

/// The stable states and how many macro steps there are, by plain exploration; nothing if there
/// are too many.
fn explore(program: &Program) -> Option<(HashSet<State>, u64, bool)> {
    let interp = Interp::new(program);
    let mut known = HashSet::new();
    let mut waiting = VecDeque::new();
    for (_, first) in interp.initial().ok()? {
        if known.insert(interp.stored(&first)) {
            waiting.push_back(first);
        }
    }
    let (mut transitions, mut deadlock) = (0, false);
    while let Some(state) = waiting.pop_front() {
        let expansion = interp.expand(&state).ok()?;
        deadlock |= expansion.successors.is_empty()
            && interp.moves(&state).is_empty()
            && !interp.is_valid_end(&state);
        for successor in expansion.successors {
            transitions += 1;
            if known.insert(interp.stored(&successor.state)) {
                waiting.push_back(successor.state);
            }
        }
        if known.len() > MOST {
            return None;
        }
    }
    Some((known, transitions, deadlock))
}

/// Compares the two on a model; says whether it was small enough.
fn compare(path: &Path) -> bool {
    load(path).is_some_and(|program| compare_program(&path.display().to_string(), &program))
}

/// The same of a program.
fn compare_program(name: &str, program: &Program) -> bool {
    let Some((states, transitions, deadlock)) = explore(program) else {
        return false;
    };
    let found = explicit::stable_states(program, &Budget::default());
    let found = found.unwrap_or_else(|reason| panic!("{name}: {reason:?}"));
    let count = found.len();
    let found: HashSet<State> = found.into_iter().collect();
    assert_eq!(count, found.len(), "{name}: a state is stored twice");
    let (extra, missing) = (found.difference(&states), states.difference(&found));
    assert_eq!(
        (extra.count(), missing.count()),
        (0, 0),
        "{name}: {count} states, {} by the interpreter",
        states.len()
    );
    let bads = [Bad::Deadlock];
    let job = explicit::SafetyJob {
        program,
        bads: &bads,
        watch: &[],
        exchange: explicit::Exchange::default(),
    };
    let options = explicit::Options::default();
    let outcome = explicit::explore(&job, &options, &Budget::default(), &Silent);
    let clear = matches!(outcome.answers[0], explicit::Answer::Clear);
    assert_eq!(clear, !deadlock, "{name}: {:?}", outcome.answers[0]);
    if let explicit::Answer::Violated(trace) = &outcome.answers[0] {
        if let Err(error) = Interp::new(program).replay(trace) {
            panic!("{name}: {error}");
        }
    } else {
        assert_eq!(outcome.statistics.transitions, transitions, "{name}");
    }
    true
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ext| ext == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_engine_finds_what_the_interpreter_finds_in_the_front_ends_models() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontends/promela/tests/counts/models");
    let small = models(&folder).iter().filter(|path| compare(path)).count();
    assert!(small >= 18, "only {small} models are small enough");
}

#[test]
fn an_array_is_read_without_an_index_and_written_with_one() {
    let text = "
        byte a[2], i, other;
        active proctype P() {
          do
          :: d_step { a[0] + a[1] < 100; a[i] = (a[0] + 1) % 4; i = 1 - i }
          od
        }
        active proctype Q() { do :: other = (other + 1) % 4 od }";
    let program = promela::load("array.pml", text, &promela::Options::default()).program;
    assert!(compare_program("array.pml", &program.unwrap()));
}

#[test]
fn the_engine_finds_what_the_interpreter_finds_in_the_examples_of_spin() {
    if !Path::new(EXAMPLES).exists() {
        return;
    }
    let small = models(Path::new(EXAMPLES))
        .iter()
        .filter(|path| compare(path))
        .count();
    assert!(small >= 10, "only {small} examples are small enough");
}
