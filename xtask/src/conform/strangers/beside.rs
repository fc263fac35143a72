//! Verdicts beside those of SPIN; those of NuSMV are in [`super::nusmv`].
//!
//! SPIN's verifier is run for one question at a time: what must not be reached, without claims; each claim;
//! and cycles of acceptance, without claims. Beside a claim it reports assertions, too, but not those that lie
//! outside of what the claim accepts, so an error there is compared only where no assertion fails. Where it
//! says otherwise it is asked again without its partial-order reduction, which is not meant for formulas with `X`.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::nusmv;
use crate::bench::{Pan, Recipe};

/// The tools beside which verdicts are looked at, where they are.
pub(super) struct Peers {
    spin: bool,
    nusmv: Option<String>,
}

/// How many of the questions about a file had two answers, and which of these differ.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) questions: usize,
    pub(super) differ: Vec<String>,
}

impl Peers {
    /// Those that can be run: SPIN where it is installed, NuSMV where `PROBITY_NUSMV` names it.
    pub(super) fn found() -> Self {
        let mut spin = Command::new("spin");
        let spin = spin.arg("-V").stdout(Stdio::null()).status();
        Self {
            spin: spin.is_ok_and(|status| status.success()),
            nusmv: std::env::var("PROBITY_NUSMV").ok(),
        }
    }

    /// Whether this family has a peer here.
    pub(super) fn knows(&self, family: &str) -> bool {
        match family {
            "Promela" => self.spin,
            "SMV" => self.nusmv.is_some(),
            _ => false,
        }
    }

    /// Compares what we say of a file with what its peer says, which has `limit` seconds for each question.
    ///
    /// # Errors
    /// If NuSMV cannot be run.
    pub(super) fn compare(
        &self,
        family: &str,
        file: &Path,
        properties: &[Value],
        limit: u32,
    ) -> Result<Compared, String> {
        match (family, &self.nusmv) {
            ("Promela", _) if self.spin => Ok(beside_spin(file, properties, limit)),
            ("SMV", Some(program)) => nusmv::beside(program, file, properties, limit),
            _ => Ok(Compared::default()),
        }
    }

    /// Whether the peer refuses a file, too; nothing if there is none, or if that is not known after
    /// `limit` seconds.
    pub(super) fn refuses(&self, family: &str, file: &Path, limit: u32) -> Option<bool> {
        match (family, &self.nusmv) {
            ("Promela", _) if self.spin => Some(!is_translated(file)),
            ("SMV", Some(program)) => nusmv::refuses(program, file, limit),
            _ => None,
        }
    }
}

/// Whether SPIN writes a verifier for a file.
fn is_translated(file: &Path) -> bool {
    let folder = std::env::temp_dir().join(format!("probity-strangers-{}", std::process::id()));
    drop(std::fs::create_dir_all(&folder));
    let home = file.parent().unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(home).into_iter().flatten().flatten() {
        if entry.path().is_file() {
            drop(std::fs::copy(entry.path(), folder.join(entry.file_name())));
        }
    }
    let mut spin = Command::new("spin");
    spin.arg("-a").arg(file.file_name().unwrap_or_default());
    spin.stdout(Stdio::null()).stderr(Stdio::null());
    let status = spin.current_dir(&folder).status();
    let is_written = folder.join("pan.c").exists();
    drop(std::fs::remove_dir_all(&folder));
    status.is_ok_and(|status| status.success()) && is_written
}

/// One question to SPIN's verifier: switches of the compiler, of the verifier, and the properties of ours
/// that it asks.
struct Question {
    gcc: Vec<&'static str>,
    pan: Vec<String>,
    ours: Vec<String>,
}

/// The questions that SPIN's verifier and we can both answer about a file.
fn questions(text: &str, properties: &[Value]) -> Vec<Question> {
    let names = properties.iter().filter_map(|one| one["name"].as_str());
    let names: Vec<&str> = names.collect();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let mut questions = vec![Question {
        gcc: vec!["-DSAFETY", "-DNOCLAIM"],
        pan: Vec::new(),
        ours: words(&["assertions", "deadlock"]),
    }];
    let whole = ["assertions", "deadlock", "faults", "progress", "acceptance"];
    for name in names.iter().filter(|name| !whole.contains(name)) {
        let mut pan: Vec<String> = words(&["-a", "-E"]);
        match text.contains(&format!("ltl {name}")) {
            true => pan.extend(["-N".to_owned(), (*name).to_owned()]),
            false if text.contains("never") && *name == "never_0" => {}
            false => continue,
        }
        let ours = words(&[name]);
        let gcc = Vec::new();
        questions.push(Question { gcc, pan, ours });
    }
    if names.contains(&"acceptance") {
        questions.push(Question {
            gcc: vec!["-DNOCLAIM"],
            pan: words(&["-a", "-A", "-E"]),
            ours: words(&["acceptance"]),
        });
    }
    questions
}

fn beside_spin(file: &Path, properties: &[Value], limit: u32) -> Compared {
    let mut compared = Compared::default();
    let Ok(text) = std::fs::read(file) else {
        return compared;
    };
    let verdict = |name: &str| {
        let mine = properties.iter().find(|one| one["name"] == name);
        mine.and_then(|one| one["verdict"].as_str())
    };
    let may_fail = |name: &str| verdict(name).is_some_and(|verdict| verdict != "holds");
    let mut verifiers = Verifiers::new(file, limit);
    for question in questions(&String::from_utf8_lossy(&text), properties) {
        let verdicts = question.ours.iter().filter_map(|name| verdict(name));
        let verdicts: Vec<&str> = verdicts.collect();
        let Some(mine) = one_fails(&verdicts) else {
            continue;
        };
        let Some(theirs) = verifiers.errors(&question, &[]) else {
            continue;
        };
        // What else ends a run there as a violated assertion does: that is another property of ours.
        let others = match question.ours[0].as_str() {
            "assertions" => may_fail("faults"),
            _ => may_fail("faults") || may_fail("assertions"),
        };
        if theirs && !mine && others {
            continue;
        }
        compared.questions += 1;
        let still = |theirs: bool| theirs != mine;
        if still(theirs)
            && verifiers
                .errors(&question, &["-DNOREDUCE"])
                .is_some_and(still)
        {
            compared.differ.push(question.ours.join(", "));
        }
    }
    compared
}

/// The verifiers of a file that have been made, by the switches of the compiler.
struct Verifiers<'f> {
    file: &'f Path,
    limit: u32,
    made: HashMap<Vec<&'static str>, Option<Pan>>,
}

impl<'f> Verifiers<'f> {
    fn new(file: &'f Path, limit: u32) -> Self {
        Self {
            file,
            limit,
            made: HashMap::new(),
        }
    }

    /// Whether SPIN's verifier finds an error; nothing if it does not come to an end.
    fn errors(&mut self, question: &Question, more: &[&'static str]) -> Option<bool> {
        let gcc = [&["-O1", "-DMEMLIM=2000"], &question.gcc[..], more].concat();
        let pan = question.pan.iter().map(String::as_str);
        let pan: Vec<&str> = std::iter::once("-m1000000").chain(pan).collect();
        let recipe = Recipe {
            spin: &[],
            gcc: &gcc,
            pan: &pan,
        };
        let made = self.made.entry(gcc.clone());
        let made = made.or_insert_with(|| Pan::make(self.file, recipe).ok());
        let found = made.as_ref()?.run_within(recipe, self.limit);
        Some(found.ok()?.errors > 0)
    }
}

/// Whether one of some verdicts is that a property fails; nothing if that is not known.
fn one_fails(verdicts: &[&str]) -> Option<bool> {
    let known = |verdict: &&str| ["holds", "vacuous"].contains(verdict);
    match verdicts.contains(&"fails") {
        true => Some(true),
        false => (!verdicts.is_empty() && verdicts.iter().all(known)).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_compared() {
        assert_eq!(one_fails(&["holds", "not-known", "fails"]), Some(true));
        assert_eq!(one_fails(&["holds", "not-known"]), None);
        assert_eq!(one_fails(&["holds", "vacuous"]), Some(false));
        assert_eq!(one_fails(&[]), None);
    }

    #[test]
    fn each_claim_is_a_question_of_its_own() {
        let named = |name: &str| serde_json::json!({"name": name});
        let properties = ["assertions", "deadlock", "p", "q"].map(named);
        let text = "ltl p { [] x } ltl q { <> y }";
        let asked = questions(text, &properties);
        let ours: Vec<String> = asked.iter().map(|one| one.ours.join(" ")).collect();
        assert_eq!(ours, ["assertions deadlock", "p", "q"]);
        assert!(asked[2].pan.ends_with(&["-N".to_owned(), "q".to_owned()]));
        let cycles = ["assertions", "acceptance"].map(named);
        assert_eq!(questions("", &cycles)[1].gcc, ["-DNOCLAIM"]);
    }
}
