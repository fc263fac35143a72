//! The same samples given to ESBMC, where `PROBITY_ESBMC` names its program: those without threads
//! and nets, as annotated programs. It gives one verdict on all properties together.

use std::path::Path;
use std::process::Command;

use probity::InMemory;

use crate::generate::{PRELUDE, Sample};

/// What ESBMC says of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// Nothing fails.
    Holds,
    /// Something fails.
    Fails,
    /// It does not end in time, or gives up.
    Nothing,
}

/// Whether ESBMC can be asked about a sample.
pub(crate) fn is_suited(sample: &Sample) -> bool {
    sample.net.is_none() && !sample.features.contains("thread")
}

/// Asks ESBMC; also gives what it printed. None if the sample cannot be annotated: an agent moves.
pub(crate) fn ask(
    esbmc: &str,
    sample: &Sample,
    folder: &Path,
    seconds: u32,
) -> Option<(Said, String)> {
    // It has a `send` of its own, with other parameters.
    let text = format!("{PRELUDE}{}", sample.text).replace("send(", "post(");
    let policy = sample.policy.replace("function send", "function post");
    let system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", policy);
    let line = "probity translate t.c --policy t.policy --to c";
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if probity::run(&words, &system) != 0 {
        return None;
    }
    std::fs::create_dir_all(folder).expect("there is room for files");
    let file = folder.join("annotated.c");
    std::fs::write(&file, system.out()).expect("there is room for files");
    let told = Command::new(esbmc)
        .arg(&file)
        .args(["--k-induction", "--overflow-check", "--timeout"])
        .arg(format!("{seconds}s"))
        .output()
        .expect("ESBMC can be run");
    let out = format!(
        "{}{}",
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&told.stderr)
    );
    let said = match () {
        // A negative number that is shifted to the left is undefined in C, and defined in GNU C.
        () if out.lines().any(|line| {
            line.contains("FAILED") && line.contains("undefined behavior on shift operation shl")
        }) =>
        {
            Said::Nothing
        }
        () if out.contains("VERIFICATION SUCCESSFUL") => Said::Holds,
        () if out.contains("VERIFICATION FAILED") => Said::Fails,
        () => Said::Nothing,
    };
    Some((said, out))
}
