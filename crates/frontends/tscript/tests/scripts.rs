//! Scripts from elsewhere: whether they load, and whether they print what is expected.
//!
//! `PROBITY_TSCRIPTS` names a folder; without it only the scripts here are looked at. Where a file
//! `X.out` stands beside `X.tb`, some run of the script prints that, white space aside.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "what was found is for people to read")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use model::interp::{Interp, Occurrence};
use model::{Program, Rich, Value};
use tscript::{Options, load};

/// Scripts that print more are not run: the interpreter is slow.
const LONG: usize = 200;

/// What one run prints; `seed` decides where there is a choice.
fn printed(program: &Program, mut seed: u64, steps: usize) -> String {
    let interp = Interp::new(program);
    let (_, mut state) = interp.initial().unwrap().remove(0);
    let mut out = String::new();
    for _ in 0..steps {
        let mut successors = interp.expand(&state).unwrap().successors;
        if successors.is_empty() {
            break;
        }
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let pick = usize::try_from(seed >> 33).unwrap() % successors.len();
        let successor = successors.swap_remove(pick);
        let (replayed, _) = interp.replay_step(0, &state, &successor.step).unwrap();
        for occurrence in replayed.occurrences {
            if let Occurrence::Event { event, args, .. } = occurrence
                && program.events[event.index()].name == "printf"
                && let Some(Value::Rich(text)) = args.first()
                && let Rich::Text(text) = &*program.rich.get(*text)
            {
                out.push_str(text);
            }
        }
        state = successor.state;
    }
    out
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(name: &str, program: &Program, expected: &str) -> Result<(), String> {
    let mut last = String::new();
    for seed in 1..40 {
        last = words(&printed(program, seed, 5_000));
        if last == words(expected) {
            return Ok(());
        }
    }
    Err(format!("{name} prints {last:?}, not {expected:?}"))
}

const PRINTING: &[(&str, &str)] = &[
    // Data flows both ways in one message.
    (
        "process A is let X : int in snd-msg(g, X?, 50) . snd-msg(go) . printf(\"%d\", X) endlet
         process B is let Y : int in rec-msg(g, 40, Y?) . printf(\"%d \", Y) . rec-msg(go) endlet
         toolbus(A, B)",
        "50 40",
    ),
    // The first note that matches is taken, others stay.
    (
        "process A is let X : int, L : list in
            subscribe(<list>) . subscribe(n(<int>)) .
            snd-note(n(1)) . snd-note([2]) . snd-note(n(3)) .
            rec-note(L?) . rec-note(n(3)) . no-note(n(3)) . rec-note(n(X?)) .
            printf(\"%t %d\", L, X) endlet
         toolbus(A)",
        "[2] 1",
    ),
    // A parameter that is assigned to is a variable of its own.
    (
        "process P(N : int) is N := 2 . printf(\"%d \", N)
         process Q is let A : int in A := 1 . P(A) . printf(\"%d\", A) endlet
         toolbus(Q)",
        "2 1",
    ),
    // A text of the name of a process hides it.
    (
        "process A is printf(\"a\")
         process B is printf(\"b\")
         process Q(B : str) is B
         toolbus(Q(\"A\"))",
        "a",
    ),
    // Of the texts of a script, some name processes that take other arguments.
    (
        "process A(S : str) is printf(\"%s\", S)
         process Q is let B : str in B := \"A\" . B(\"Q\") endlet
         toolbus(Q)",
        "\"Q\"",
    ),
    // One of the processes that a text may name calls what it is given, which may be anybody's name.
    (
        "process A(S : str) is printf(\"%s A \", S)
         process Q is let B : str in B := \"A\" . B(\"Q\") endlet
         process R(B : str) is B(\"via R\")
         toolbus(Q, R(\"A\"))",
        "\"Q\" A \"via R\" A",
    ),
    // A call of a text, and biased choices.
    (
        "process A(I : int) is printf(\"a%d \", I)
         process Q is let P : str in
            P := \"A\" . (printf(\"no\") +> P(2)) . P := \"B\" . (P(3) <+ printf(\"b\")) endlet
         toolbus(Q)",
        "a2 b",
    ),
    // A disrupt ends what it disrupts; parts side by side come in any order.
    (
        "process Q is (snd-msg(never) >> printf(\"x\")) . (printf(\"a\") || printf(\"b\"))
         toolbus(Q)",
        "xba",
    ),
    // An instance for each number, and a loop with a test.
    (
        "process F(N : int) is printf(\"%d\", N)
         process Q is let I : int, P : int in I := 1 .
            ( if less(I, 4) then create(F(I), P?) . I := add(I, 1) fi ) *
            if equal(I, 4) then tau fi endlet
         toolbus(Q)",
        "123",
    ),
];

#[test]
fn scripts_print_what_they_say() {
    for (text, expected) in PRINTING {
        let loaded = load("t.tb", text, &Options::default());
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        check(text, &program, expected).unwrap();
    }
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// All scripts of a folder: how many load, why others do not, and whether they print what stands
/// beside them.
#[test]
fn scripts_from_elsewhere() {
    let Some(folder) = std::env::var_os("PROBITY_TSCRIPTS") else {
        return;
    };
    let mut all = Vec::new();
    files(Path::new(&folder), &mut all);
    all.sort();
    let text_of = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let (mut loads, mut prints) = (0, 0);
    let mut refused: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in &all {
        let name = path.to_string_lossy();
        if !name.ends_with(".tb") && !name.ends_with(".tb.src") {
            continue;
        }
        let include = |wanted: &str| {
            let wanted = Path::new(wanted).file_name()?;
            // From `X.src` the build of those who wrote it makes `X`.
            let mut source = wanted.to_owned();
            source.push(".src");
            let named = |name: &OsStr| all.iter().find(|path| path.file_name() == Some(name));
            Some(text_of(named(wanted).or_else(|| named(&source))?))
        };
        let options = Options {
            include: &include,
            ..Options::default()
        };
        let loaded = load(&name, &text_of(path), &options);
        let Some(program) = loaded.program else {
            let error = loaded.diagnostics.iter().find(|d| d.is_error()).unwrap();
            *refused.entry(error.code).or_default() += 1;
            println!("{name}: {}: {}", error.code, error.message);
            continue;
        };
        loads += 1;
        let expected = path.with_extension("out");
        if !expected.is_file() {
            continue;
        }
        let expected = text_of(&expected);
        if expected.len() > LONG {
            println!("{name}: not run, prints too much for the interpreter");
            continue;
        }
        match check(&name, &program, &expected) {
            Ok(()) => prints += 1,
            Err(error) => wrong.push(error),
        }
    }
    println!("{loads} load, {prints} print what they should; refused: {refused:?}");
    assert_eq!(wrong, Vec::<String>::new());
}
