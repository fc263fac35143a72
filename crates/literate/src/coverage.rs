//! Whether every code has a snippet.

use std::collections::BTreeSet;
use std::path::Path;

use source::CodeDoc;

/// Codes that no snippet can show, because they need more than a text: the machine, a run, a limit.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// The codes.
    pub codes: &'static [&'static str],
    /// Why a snippet cannot show them.
    pub why: &'static str,
    /// The file of the test that does, from the root of the repository. It names the codes.
    pub file: &'static str,
    /// The function that is that test.
    pub test: &'static str,
}

/// What is wrong: a code without a snippet, one of no table, a test elsewhere that is not there or not
/// needed.
///
/// `root` is the root of the repository, `read` gives the text of a file.
pub(crate) fn missing(
    shown: &BTreeSet<String>,
    tables: &[&[CodeDoc]],
    elsewhere: &[Elsewhere],
    root: &Path,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let known: BTreeSet<&str> = tables
        .iter()
        .copied()
        .flatten()
        .map(|doc| doc.code)
        .collect();
    for code in shown.iter().filter(|code| !known.contains(code.as_str())) {
        wrong.push(format!("{code}: no table has it"));
    }
    for &code in &known {
        let listed = elsewhere.iter().any(|other| other.codes.contains(&code));
        match (shown.contains(code), listed) {
            (false, false) => wrong.push(format!("{code}: no snippet shows it")),
            (true, true) => wrong.push(format!("{code}: a snippet shows it; strike it off")),
            (true, false) | (false, true) => {}
        }
    }
    for other in elsewhere {
        let text = read(&root.join(other.file)).unwrap_or_default();
        let has_test = text.contains(&format!("fn {}(", other.test));
        let tested = |code: &str| has_test && known.contains(code) && text.contains(code);
        for code in other.codes.iter().filter(|code| !tested(code)) {
            wrong.push(format!(
                "{code}: {} has no test `{}` of it",
                other.file, other.test
            ));
        }
    }
    wrong
}
