//! Whether the options that are given mean something for the files that are given.
//!
//! An option of another language would be passed over, and its user would take the answer for one
//! to the question asked.

use std::path::Path;

use crate::command_line::Input;

/// An option that means nothing for any of the files, as a sentence.
pub(crate) fn misplaced<'p>(
    input: &Input,
    paths: impl IntoIterator<Item = &'p Path>,
) -> Option<String> {
    let mut languages: Vec<&str> = paths
        .into_iter()
        .filter_map(|path| Some(input.language_of(path)?.language().name))
        .collect();
    // What cannot be read is said elsewhere.
    if languages.is_empty() {
        return None;
    }
    languages.sort_unstable();
    languages.dedup();
    input.settings.iter().find_map(|(option, _)| {
        let fit = input.languages.with_option(option);
        let fits = languages.iter().any(|language| fit.contains(language));
        (!fits).then(|| means_nothing(input, option, &languages, &fit))
    })
}

/// That an option means nothing for some languages, but for others.
pub(crate) fn means_nothing(input: &Input, option: &str, here: &[&str], fit: &[&str]) -> String {
    let in_words = |names: &[&str]| input.languages.in_words(names);
    format!(
        "--{option} means nothing for {}: it is for {}",
        in_words(here),
        in_words(fit)
    )
}

#[cfg(test)]
mod tests {
    use crate::in_memory::InMemory;

    fn run(line: &str) -> (u8, String) {
        let system = InMemory::default()
            .with_file("door.lsl", "default { state_entry() { } }")
            .with_file("all/door.lsl", "default { state_entry() { } }")
            .with_file(
                "all/p.tb",
                "process A is snd-msg(a) . delta process B is rec-msg(a) . delta toolbus(A, B)",
            )
            .with_file("p.pml", "init { skip }")
            .with_file("m.smv", "MODULE main VAR x : boolean; INVARSPEC x | !x")
            .with_file("c.aag", "aag 0 0 0 0 0\n");
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        (crate::run(&words, &system), system.err())
    }

    #[test]
    fn options_of_other_languages_are_refused() {
        for (line, wanted) in [
            (
                "check door.lsl --dialect c",
                "--dialect means nothing for LSL: it is for Tscript",
            ),
            ("check c.aag -D N=3", "--define"),
            ("check door.lsl --timing edges", "node graphs"),
            (
                "check p.pml --bound amount=3",
                "--bound means nothing for Promela: it is for LSL and Tscript",
            ),
            ("check m.smv --ignore-c", "it is for Promela"),
            ("check c.aag --fair weak", "--fair"),
            ("simulate p.pml --polite-tools", "--polite-tools"),
            ("translate door.lsl --to smv --optimize state", "--optimize"),
            ("check x.txt --language lsl --schedule prompt", "--schedule"),
        ] {
            let (status, err) = run(&format!("probity {line}"));
            assert_eq!(status, 2, "{line}: {err}");
            assert!(
                err.contains("CLI0006") && err.contains(wanted),
                "{line}: {err}"
            );
        }
    }

    #[test]
    fn options_of_one_of_the_files_are_taken() {
        for line in [
            "check all --dialect c --timeout 5s",
            "check door.lsl --bound amount=1..2",
        ] {
            let (_, err) = run(&format!("probity {line}"));
            assert!(!err.contains("CLI0006"), "{line}: {err}");
        }
    }
}
