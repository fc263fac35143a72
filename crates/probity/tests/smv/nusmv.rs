//! The peer: NuSMV, where `PROBITY_NUSMV` names it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What NuSMV says of a model.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Kind of property and what is said of it, in the order of the text for each kind.
    pub(crate) all: Vec<(String, String)>,
    /// Messages about what is wrong with the model, if it was not checked to its end.
    pub(crate) errors: String,
}

impl Answers {
    /// What is said of properties of a kind: `CTL`, `LTL`, `PSL`, `Invar`, `Quantitative`.
    pub(crate) fn of(&self, kind: &str) -> Vec<&str> {
        let own = self.all.iter().filter(|(own, _)| own == kind);
        own.map(|(_, said)| said.as_str()).collect()
    }
}

/// The program, if it is there.
pub(crate) fn program() -> Option<PathBuf> {
    std::env::var_os("PROBITY_NUSMV").map(PathBuf::from)
}

/// Asks NuSMV. It answers in an order of its own, so the list of properties is printed at the end.
pub(crate) fn ask(program: &Path, text: &str, name: &str) -> Answers {
    let folder = std::env::temp_dir();
    let own = format!("probity-{}-{name}", std::process::id());
    let (model, commands) = (
        folder.join(format!("{own}.smv")),
        folder.join(format!("{own}.cmd")),
    );
    let script = format!(
        "set on_failure_script_quits 1\nset counter_examples 0\nread_model -i {}\ngo\n\
         check_property\nshow_property\nquit\n",
        model.display()
    );
    std::fs::write(&model, text).expect("the folder for temporary files can be written to");
    std::fs::write(&commands, script).expect("the folder for temporary files can be written to");
    let output = Command::new(program)
        .arg("-source")
        .arg(&commands)
        .output()
        .expect("the program that PROBITY_NUSMV names can be run");
    for file in [model, commands] {
        std::fs::remove_file(file).expect("it has just been written");
    }
    let out = String::from_utf8_lossy(&output.stdout);
    let mut answers = Answers::default();
    for line in out.lines() {
        if let Some(rest) = line.strip_prefix("  [") {
            let mut words = rest.split_whitespace();
            if let (Some(kind), Some(said)) = (words.next(), words.next()) {
                answers.all.push((kind.to_owned(), said.to_owned()));
            }
        }
    }
    if answers.all.is_empty() {
        answers.errors = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    answers
}
