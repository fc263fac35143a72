//! Compiles samples together with the monitor, and runs them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::generate::{PRELUDE, Sample};

/// What a run of a program shows to be violated, and which run does.
pub(crate) type Found = BTreeMap<String, u64>;

/// The names of the monitor's bits behind the rules.
const KINDS: &[&str] = &[
    "assert", "division", "overflow", "shift", "index", "null", "dangling", "crash",
];

/// Whether nothing is known of a run after this.
pub(crate) fn is_fatal(what: &str) -> bool {
    !what.starts_with("rule-") && what != "overflow" && what != "assert"
}

/// What is missing for running the programs, if anything.
pub(crate) fn missing() -> Option<&'static str> {
    let folder = std::env::temp_dir().join(format!("probity-cc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for files");
    let source = folder.join("t.c");
    let text = "void __sanitizer_cov_trace_pc(void) {} int main(void) { return 0; }";
    std::fs::write(&source, text).expect("there is room for files");
    let built = Command::new("cc")
        .args(["-fsanitize=address", "-fsanitize-coverage=trace-pc", "-o"])
        .arg(folder.join("t"))
        .arg(&source)
        .output();
    drop(std::fs::remove_dir_all(&folder));
    match built {
        Err(_) => Some("no C compiler"),
        // Only GNU C has all that the monitor uses.
        Ok(built) if !built.status.success() => Some("a C compiler with its sanitizers"),
        Ok(_) => None,
    }
}

/// All samples as one file of C, with the table of their policies.
fn batch(samples: &[Sample]) -> String {
    let mut text = String::from(PRELUDE);
    text.push_str(
        "int prog_create(pthread_t *, void *, void *(*)(void *), void *, const char *);\n\
         #define pthread_create(h, a, f, x) prog_create(h, a, f, x, #f)\n",
    );
    for (at, sample) in samples.iter().enumerate() {
        let body = sample
            .text
            .replace("int main(void)", &format!("static int main_{at}(void)"));
        let _ = writeln!(
            text,
            "{body}\nstatic void run_{at}(void) {{ main_{at}(); }}"
        );
    }
    text.push_str(
        "struct permission { const char *function, *text; int prefix, position; };\n\
         struct rule { const char *to[3], *code_base, *code_origin; struct permission all[3]; };\n\
         struct provenance { const char *thread, *site, *agent, *origin, *code_base; };\n\
         struct program { void (*run)(void); int has_net; struct rule rules[3];\n\
         struct provenance threads[3]; };\nstruct program programs[] = {\n",
    );
    for (at, sample) in samples.iter().enumerate() {
        let _ = writeln!(text, "{{ run_{at}, {} }},", sample.table);
    }
    let _ = writeln!(text, "}};\nint program_count = {};", samples.len());
    text
}

fn compile(folder: &Path, arguments: &[&str]) {
    let told = Command::new("cc")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("there is a compiler");
    let why = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "cc {arguments:?}:\n{why}");
}

/// Runs each sample so many times; gives what the runs show.
pub(crate) fn run(samples: &[Sample], runs: usize, folder: &Path) -> Vec<Found> {
    std::fs::create_dir_all(folder).expect("there is room for files");
    std::fs::write(folder.join("programs.c"), batch(samples)).expect("there is room for files");
    std::fs::write(folder.join("monitor.c"), include_str!("monitor.c"))
        .expect("there is room for files");
    let headers = concat!(
        "-I",
        env!("CARGO_MANIFEST_DIR"),
        "/../frontends/mobile/include"
    );
    compile(
        folder,
        &[
            "-c",
            "-w",
            "-O0",
            "-nostdinc",
            headers,
            "-fno-builtin",
            "-fsanitize=address,signed-integer-overflow,integer-divide-by-zero,shift-exponent,\
             bounds,null",
            "-fsanitize-coverage=trace-pc",
            "-Dpthread_join=prog_join",
            "-Dpthread_mutex_lock=prog_lock",
            "-Dpthread_mutex_unlock=prog_unlock",
            "-Dexit=prog_exit",
            "-Dstrcmp=prog_strcmp",
            "programs.c",
        ],
    );
    compile(
        folder,
        &[
            "-c",
            "-w",
            "-O1",
            "-fno-tree-loop-distribute-patterns",
            "monitor.c",
        ],
    );
    compile(
        folder,
        &["-fsanitize=address", "-o", "all", "programs.o", "monitor.o"],
    );
    let told = Command::new(folder.join("all"))
        .arg(runs.to_string())
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=0",
        )
        .output()
        .expect("it was built");
    let out = String::from_utf8_lossy(&told.stdout);
    let found: Vec<Found> = out.lines().map(line).collect();
    let why = String::from_utf8_lossy(&told.stderr);
    assert_eq!(found.len(), samples.len(), "the runs ended early:\n{why}");
    found
}

fn line(text: &str) -> Found {
    let mut found = Found::new();
    for word in text.split_whitespace().skip(1) {
        let (bit, run) = word.split_once(':').expect("a bit and a run");
        let bit: usize = bit.parse().expect("the number of a bit");
        let name = match bit.checked_sub(8) {
            None => format!("rule-{}", bit + 1),
            Some(kind) => KINDS[kind].to_owned(),
        };
        found.insert(name, run.parse().expect("the number of a run"));
    }
    found
}
