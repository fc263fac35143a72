//! `cargo xtask bench circuits`: circuits in AIGER's binary format, beside ABC's `pdr`.
//!
//! ABC is R. Brayton, A. Mishchenko, *ABC: An Academic Industrial-Strength Verification Tool* (CAV
//! 2010); its `pdr` is N. Een, A. Mishchenko, R. Brayton, *Efficient Implementation of Property
//! Directed Reachability* (FMCAD 2011). ABC takes each output, and each bad state, to be bad, as we do
//! where a file states one of the two only. Its `undc` and `zero` are for latches that begin at any
//! value or at 1, and `fold` is for constraints, which `pdr` takes to be outputs otherwise. `pdr -a`
//! answers for each of several outputs.
//!
//! Files with equal contents count once. One run each, within a limit of time on the clock. A file is
//! solved by a tool that decides all of its properties. Times are the processor's, as what else the
//! machine does makes less of a difference to them.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{OnFolders, files_below, made_by, section};
use crate::measure::{Measured, measure};

/// What ABC is called where nothing names its program: as Debian's package `berkeley-abc` does.
const ABC: &str = "berkeley-abc";

/// How many properties of a file were decided, and how many were not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Verdicts {
    hold: usize,
    fail: usize,
    open: usize,
}

impl Verdicts {
    fn all(self) -> usize {
        self.hold + self.fail + self.open
    }

    fn solved(self) -> bool {
        self.open == 0 && self.all() > 0
    }

    /// Whether some completion of what is open makes both the same.
    fn agree(self, other: Self) -> bool {
        let within = |a: Self, b: Self| a.hold <= b.hold + b.open && a.fail <= b.fail + b.open;
        self.all() == other.all() && within(self, other) && within(other, self)
    }
}

impl std::fmt::Display for Verdicts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            (self.hold, "hold"),
            (self.fail, "fail"),
            (self.open, "open"),
        ];
        let said = parts.iter().filter(|(count, _)| *count > 0);
        let said: Vec<String> = said
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        f.write_str(&said.join(", "))
    }
}

/// What one tool did with one file.
#[derive(Clone, Copy)]
struct Ran {
    verdicts: Verdicts,
    seconds: f64,
}

struct Row {
    name: String,
    ours: Ran,
    theirs: Ran,
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown, or no file is left to run, or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let abc = std::env::var("PROBITY_ABC").unwrap_or_else(|_| ABC.to_owned());
    if !runs(&abc) {
        println!("skipped: {abc} cannot be run; Debian has it as the package {ABC}");
        return Ok(true);
    }
    let options = OnFolders::read(options, 20)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut seen = HashSet::new();
    for (name, file) in files_below(&options.folders, "aig")? {
        let bytes = std::fs::read(&file).map_err(|error| format!("read {name}: {error}"))?;
        if let Some(reason) = unfit(&bytes, &file) {
            println!("skipped: {name}: {reason}");
            continue;
        }
        let properties = properties(&bytes).unwrap_or_default();
        if !seen.insert(bytes) {
            println!("skipped: {name}: a copy of another");
            continue;
        }
        let theirs = by_abc(&abc, &file, properties, options.limit)?;
        let ours = ours(&options, &file, properties)?;
        println!(
            "{name}: ours {} in {:.2} s, ABC {} in {:.2} s",
            ours.verdicts, ours.seconds, theirs.verdicts, theirs.seconds
        );
        rows.push(Row { name, ours, theirs });
    }
    if rows.is_empty() {
        return Err("find circuits: name a folder of files in AIGER's binary format".to_owned());
    }
    let (text, agreed) = summary(&rows, options.limit);
    println!("\n{text}");
    if options.write {
        let chore = made_by(&format!(
            "bench circuits --limit {} --write DIR...",
            options.limit
        ));
        let page = format!("{chore} {text}\n{}", table(&rows));
        section::put("Circuits, beside ABC", &page)?;
    }
    Ok(agreed)
}

fn runs(program: &str) -> bool {
    let mut command = Command::new(program);
    command.args(["-c", "quit"]).stdout(Stdio::null());
    command.stderr(Stdio::null()).status().is_ok()
}

/// The numbers of the first line: variables, inputs, latches, outputs, gates and, in format 1.9, bad
/// states, constraints, justice properties and fairness signals.
fn header(bytes: &[u8]) -> Option<[usize; 9]> {
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    if words.next()? != "aig" {
        return None;
    }
    let mut numbers = [0; 9];
    for (index, word) in words.enumerate() {
        *numbers.get_mut(index)? = word.parse().ok()?;
    }
    Some(numbers)
}

/// How many properties both tools see in a file that is fit.
fn properties(bytes: &[u8]) -> Option<usize> {
    let [_, _, _, outputs, _, bad, ..] = header(bytes)?;
    Some(outputs + bad)
}

/// Why a file is no question that both tools understand alike.
fn unfit(bytes: &[u8], file: &Path) -> Option<&'static str> {
    let Some([_, _, latches, outputs, _, bad, _, justice, _]) = header(bytes) else {
        return Some("it is not in the binary format");
    };
    if justice > 0 {
        Some("it states justice properties, which `pdr` does not decide")
    } else if outputs > 0 && bad > 0 {
        Some("it states outputs and bad states, and ABC takes both to be bad")
    } else if outputs + bad == 0 {
        Some("it states nothing")
    } else if latches == 0 {
        Some("it has no latches, and `pdr` needs them")
    } else if file
        .to_str()
        .is_none_or(|name| name.contains([' ', ';', '"', '\'', '#']))
    {
        Some("ABC cannot be told its name")
    } else {
        None
    }
}

fn ours(options: &OnFolders, file: &Path, properties: usize) -> Result<Ran, String> {
    let file = file.to_string_lossy();
    let limit = format!("{}s", options.limit);
    let arguments = [
        "check",
        &*file,
        "--timeout",
        &limit,
        "--no-cache",
        "--format",
        "json",
    ];
    let measured = measure(&options.program, &arguments)?;
    let report: Value = serde_json::from_str(&measured.out).unwrap_or_default();
    let count = |words: &[&str]| {
        let stated = report["files"][0]["properties"].as_array();
        let verdicts = stated.into_iter().flatten().map(|one| &one["verdict"]);
        verdicts
            .filter(|verdict| verdict.as_str().is_some_and(|word| words.contains(&word)))
            .count()
    };
    let (hold, fail) = (count(&["holds", "vacuous"]), count(&["fails"]));
    let open = properties.saturating_sub(hold + fail);
    Ok(ran(&measured, Verdicts { hold, fail, open }))
}

fn by_abc(program: &str, file: &Path, properties: usize, limit: u32) -> Result<Ran, String> {
    let each = if properties > 1 { "-a " } else { "" };
    let script = format!(
        "read {}; logic; undc; strash; zero; fold; pdr {each}-T {limit}",
        file.display()
    );
    // It has been seen to look at its clock seldom.
    let patience = (limit + 5).to_string();
    let measured = measure(
        "timeout",
        &["-s", "KILL", &patience, program, "-c", &script],
    )?;
    let verdicts = abc_said(&measured.out, properties);
    Ok(ran(&measured, verdicts))
}

fn ran(measured: &Measured, verdicts: Verdicts) -> Ran {
    let seconds = measured.processor_seconds.unwrap_or(measured.seconds);
    Ran { verdicts, seconds }
}

/// What ABC's `pdr` said of so many properties.
fn abc_said(out: &str, properties: usize) -> Verdicts {
    let mut verdicts = Verdicts::default();
    for line in out.lines() {
        if properties == 1 {
            verdicts.hold = verdicts
                .hold
                .max(usize::from(line.starts_with("Property proved")));
            let failed = line.starts_with("Output ") && line.contains(" was asserted in frame");
            verdicts.fail = verdicts.fail.max(usize::from(failed));
        } else if line.starts_with("Properties:") {
            let number = |word: &str| {
                let rest = line.split_once(&format!("{word} = "))?.1;
                rest.split_once('.')?.0.parse().ok()
            };
            verdicts.hold = number("Proved").unwrap_or(0);
            verdicts.fail = number("Disproved").unwrap_or(0);
        }
    }
    verdicts.open = properties.saturating_sub(verdicts.hold + verdicts.fail);
    verdicts
}

/// What the rows come to, and whether no two verdicts differ.
fn summary(rows: &[Row], limit: u32) -> (String, bool) {
    let count = |is: &dyn Fn(bool, bool) -> bool| {
        let fits = |row: &&Row| is(row.ours.verdicts.solved(), row.theirs.verdicts.solved());
        rows.iter().filter(fits).count()
    };
    let both: Vec<&Row> = rows
        .iter()
        .filter(|row| row.ours.verdicts.solved() && row.theirs.verdicts.solved())
        .collect();
    let logs = both
        .iter()
        .map(|row| (row.ours.seconds.max(0.01) / row.theirs.seconds.max(0.01)).ln());
    let mean = (logs.sum::<f64>() / both.len().max(1) as f64).exp();
    let total = |of: fn(&Row) -> Ran| both.iter().map(|row| of(row).seconds).sum::<f64>();
    let different: Vec<&Row> = rows
        .iter()
        .filter(|row| !row.ours.verdicts.agree(row.theirs.verdicts))
        .collect();
    let mut text = format!(
        "Of {} circuits, within {limit} s each, we solve {}, ABC's `pdr` solves {}: {} are solved by \
         both, {} by us only, {} by ABC only. Verdicts differ on {}. On those that both solve, our \
         time is {mean:.2} times ABC's by geometric mean, and {:.1} s beside {:.1} s in all; times \
         below 0.01 s count as that. Seconds are the processor's.\n",
        rows.len(),
        count(&|ours, _| ours),
        count(&|_, theirs| theirs),
        both.len(),
        count(&|ours, theirs| ours && !theirs),
        count(&|ours, theirs| !ours && theirs),
        different.len(),
        total(|row| row.ours),
        total(|row| row.theirs),
    );
    for row in &different {
        writeln!(
            text,
            "\nDifferent: {}: ours {}, ABC {}",
            row.name, row.ours.verdicts, row.theirs.verdicts
        )
        .expect("writing to a string succeeds");
    }
    (text, different.is_empty())
}

/// The rows that either tool solves.
fn table(rows: &[Row]) -> String {
    let mut page = String::from("| circuit | properties | ours | ABC |\n|---|---|---:|---:|\n");
    let cell = |ran: Ran| {
        if ran.verdicts.solved() {
            format!("{:.2} s", ran.seconds)
        } else {
            "-".to_owned()
        }
    };
    for row in rows {
        let known = [row.ours.verdicts, row.theirs.verdicts];
        if let Some(verdicts) = known.iter().find(|verdicts| verdicts.solved()) {
            let (ours, theirs) = (cell(row.ours), cell(row.theirs));
            writeln!(page, "| {} | {verdicts} | {ours} | {theirs} |", row.name)
                .expect("writing to a string succeeds");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(hold: usize, fail: usize, open: usize) -> Verdicts {
        Verdicts { hold, fail, open }
    }

    #[test]
    fn abc_is_understood() {
        let proved = "Invariant F[1] : 1 clauses\nProperty proved.  Time =     0.01 sec\n";
        assert_eq!(abc_said(proved, 1), verdicts(1, 0, 0));
        let failed = "Output 0 of miter \"t/d\" was asserted in frame 1.  Time =     0.01 sec\n";
        assert_eq!(abc_said(failed, 1), verdicts(0, 1, 0));
        let some = "Output 0 was asserted in frame  1 ( 1) (solved 1 out of 3 outputs).\n\
                    Properties:  All = 3. Proved = 1. Disproved = 1. Undecided = 1.   Time = 1 sec\n";
        assert_eq!(abc_said(some, 3), verdicts(1, 1, 1));
        assert_eq!(
            abc_said("Reached timeout (10 seconds).\n", 2),
            verdicts(0, 0, 2)
        );
    }

    #[test]
    fn verdicts_differ_only_where_nothing_open_could_make_them_the_same() {
        assert!(verdicts(2, 1, 0).agree(verdicts(1, 0, 2)));
        assert!(!verdicts(2, 1, 0).agree(verdicts(1, 2, 0)));
        assert!(!verdicts(0, 1, 2).agree(verdicts(3, 0, 0)));
        assert!(!verdicts(1, 0, 0).agree(verdicts(1, 1, 0)));
    }

    #[test]
    fn files_that_the_tools_understand_differently_are_left_out() {
        let file = Path::new("a.aig");
        let fits = |head: &str| unfit(head.as_bytes(), file).is_none();
        assert!(fits("aig 2 1 1 1 0\n"));
        assert!(fits("aig 2 1 1 0 0 1 1\n"));
        assert!(!fits("aag 2 1 1 1 0\n"));
        assert!(!fits("aig 2 1 1 1 0 1\n"));
        assert!(!fits("aig 2 1 1 0 0\n"));
        assert!(!fits("aig 2 2 0 1 0\n"));
        assert!(!fits("aig 2 1 1 0 0 1 0 1\n"));
        assert!(unfit(b"aig 2 1 1 1 0\n", Path::new("a b.aig")).is_some());
        assert_eq!(properties(b"aig 2 1 1 0 0 3 1\n"), Some(3));
    }

    #[test]
    fn what_one_solves_and_the_other_does_not_is_counted() {
        let row = |ours, theirs| Row {
            name: "c".to_owned(),
            ours: Ran {
                verdicts: ours,
                seconds: 4.0,
            },
            theirs: Ran {
                verdicts: theirs,
                seconds: 1.0,
            },
        };
        let rows = [
            row(verdicts(1, 0, 0), verdicts(1, 0, 0)),
            row(verdicts(0, 0, 1), verdicts(1, 0, 0)),
            row(verdicts(0, 0, 1), verdicts(0, 0, 1)),
        ];
        let (text, agreed) = summary(&rows, 9);
        assert!(agreed);
        assert!(text.contains(
            "we solve 1, ABC's `pdr` solves 2: 1 are solved by both, 0 by us only, 1 by"
        ));
        assert!(text.contains("4.00 times ABC's"));
        assert!(!table(&rows).contains("| c | 1 open"));
        assert!(!summary(&[row(verdicts(0, 1, 0), verdicts(1, 0, 0))], 9).1);
    }
}
