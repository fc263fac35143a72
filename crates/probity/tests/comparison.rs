//! `docs/comparison.md`: each command of the table is one that there is, and does its work.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// The rows of the table: their cells.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| line.starts_with("| "));
    let rows = lines.map(|line| {
        let line = line.trim_start_matches('|').trim_end_matches('|');
        line.split(" | ").map(str::trim).collect()
    });
    rows.skip(1).collect()
}

/// The commands in a cell.
fn commands(cell: &str) -> Vec<&str> {
    let parts = cell.split('`').skip(1).step_by(2);
    parts.collect()
}

/// The words of a command line, with single quotes as a shell has them.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// What goes on until somebody ends it.
fn goes_on(words: &[String]) -> bool {
    ["serve", "lsp"].contains(&words[0].as_str()) || words.iter().any(|word| word == "--watch")
}

fn probity(words: &[String], folder: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), format!("{out}{err}"))
}

#[test]
fn each_command_of_the_table_does_its_work() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("comparison");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(root().join("examples"), folder.join("examples")).unwrap();
    let text = std::fs::read_to_string(root().join("docs/comparison.md")).unwrap();
    let (mut missing, mut partial) = (0, 0);
    let rows = rows(&text);
    for row in &rows {
        let [what, _, here, shown] = row[..] else {
            panic!("{row:?}");
        };
        let shown = commands(shown);
        missing += usize::from(here.starts_with("missing"));
        partial += usize::from(here.starts_with("in part"));
        assert_eq!(shown.is_empty(), here.starts_with("missing"), "{what}");
        for line in shown {
            let mut words = words(line);
            assert_eq!(words.remove(0), "probity", "{what}");
            let (status, help) = probity(&[words[0].clone(), "--help".to_owned()], &folder);
            assert_eq!(status, Some(0), "{line}: {help}");
            for option in words.iter().filter(|word| word.starts_with("--")) {
                assert!(help.contains(option.as_str()), "{line}: {option}");
            }
            if goes_on(&words) {
                continue;
            }
            let (status, said) = probity(&words, &folder);
            // A property that fails is what some of them show.
            assert!(
                matches!(status, Some(0 | 1 | 3)),
                "{line}: {status:?}\n{said}"
            );
        }
    }
    assert_eq!(rows.len(), 27);
    let full = rows.len() - missing - partial;
    let counted = format!("{full} are there in full, {partial} in part, and {missing} are missing");
    assert!(text.contains(&counted), "{counted}");
}

#[test]
fn commands_are_found_in_cells() {
    assert_eq!(commands("`a b` `c`"), ["a b", "c"]);
    assert!(commands("").is_empty());
    assert_eq!(words("check a 'b c' --d"), ["check", "a", "b c", "--d"]);
    assert!(goes_on(&words("check a --watch")));
    assert!(!goes_on(&words("check a")));
}
