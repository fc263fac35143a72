//! `cargo xtask bench mcrl2`: the ToolBus's auction by mCRL2's tools and by ours.
//!
//! A script goes to `lps2lts` and `pbessolve` as the model that we translate it to, and to our program as it
//! is; each is asked the same findings, in its own words (`findings`). A model of the auction that was written
//! by hand, with its formulas, is among what the project keeps for reference (`PROBITY_REFERENCE`): `pbessolve`
//! decides these formulas on the model, ours on the graph that `lps2lts` makes of it. A verdict that differs
//! fails the command.

mod by_hand;
mod findings;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use self::findings::{FINDINGS, Model};
use super::{made_by, reference, release, section};
use crate::mcrl2::{Made, Ran, Solved, Tools};
use crate::measure::measure;
use crate::workspace::root;

/// The scripts.
const SCRIPTS: [&str; 2] = ["original", "repaired"];

/// Bidders and items.
const SETTINGS: [(u32, u32); 4] = [(1, 1), (1, 2), (2, 1), (3, 1)];

/// How many times as long as a formula a graph may take.
const GRAPH: u32 = 5;

struct Options {
    /// Seconds of processor time for a formula by mCRL2's tools.
    limit: u32,
    /// The most bidders.
    bidders: u32,
    /// Comparisons side by side.
    jobs: usize,
    write: bool,
    program: String,
}

/// Seconds of processor time for a verdict, or none within the limit.
type Time = Option<f64>;

/// A formula by both: what they say, if they do, and how long that takes.
struct Row {
    model: String,
    bidders: u32,
    items: u32,
    formula: String,
    theirs: Option<(bool, f64)>,
    ours: Option<(bool, f64)>,
}

impl Row {
    fn differs(&self) -> bool {
        matches!((self.theirs, self.ours), (Some(a), Some(b)) if a.0 != b.0)
    }

    fn line(&self, limit: u32) -> String {
        let verdict = match (self.theirs, self.ours) {
            _ if self.differs() => "**differs**",
            (Some((true, _)), _) | (None, Some((true, _))) => "holds",
            (Some(_), _) | (None, Some(_)) => "fails",
            (None, None) => "not known",
        };
        let times = [self.theirs, self.ours].map(|one| one.map(|(_, seconds)| seconds));
        format!(
            "| {} | {} | {} | {} | {verdict} | {} |",
            self.model,
            self.bidders,
            self.items,
            self.formula,
            compared(times, limit)
        )
    }
}

/// Both times, and the ratio.
fn compared([theirs, ours]: [Time; 2], limit: u32) -> String {
    let told = |time: Time| time.map(|seconds| format!("{seconds:.2}"));
    let ratio = match (theirs, ours) {
        (Some(theirs), Some(ours)) => match theirs / ours.max(0.01) {
            ratio if ratio < 10.0 => format!("{ratio:.2}"),
            ratio => format!("{ratio:.0}"),
        },
        (None, Some(ours)) => format!("> {:.0}", f64::from(limit) / ours.max(0.01)),
        _ => String::new(),
    };
    format!(
        "{} | {} | {ratio}",
        told(theirs).unwrap_or_else(|| format!("> {limit}")),
        told(ours).unwrap_or_else(|| "not known".to_owned()),
    )
}

/// A part of both tables.
#[derive(Default)]
struct Part {
    graphs: String,
    formulas: String,
    differences: usize,
    limit: u32,
}

impl Part {
    fn graph(&mut self, named: (&str, u32, u32), theirs: Option<&Made>, ours: Option<[f64; 3]>) {
        let (model, bidders, items) = named;
        let size = |size: Option<u64>| size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        let own = |at: usize| ours.map(|ours| ours[at] as u64);
        let limit = GRAPH * self.limit;
        let times = match ours {
            Some([.., seconds]) => {
                compared([theirs.map(|made| made.seconds), Some(seconds)], limit)
            }
            None => {
                let seconds = theirs.map(|made| format!("{:.2}", made.seconds));
                let seconds = seconds.unwrap_or_else(|| format!("> {limit}"));
                format!("{seconds} | - | -")
            }
        };
        let line = format!(
            "| {model} | {bidders} | {items} | {} | {} | {} | {} | {times} |",
            size(theirs.map(|made| made.states)),
            size(theirs.map(|made| made.transitions)),
            size(own(0)),
            size(own(1)),
        );
        println!("{line}");
        writeln!(self.graphs, "{line}").expect("writing to a string succeeds");
    }

    fn formula(&mut self, row: &Row) {
        let line = row.line(self.limit);
        println!("{line}");
        writeln!(self.formulas, "{line}").expect("writing to a string succeeds");
        self.differences += usize::from(row.differs());
    }
}

/// Measures and prints two tables; with `--write` puts them into the page of figures.
///
/// # Errors
/// If an option is unknown, mCRL2's tools are not there, or a run fails.
pub(crate) fn run(words: &[&str]) -> Result<bool, String> {
    let options = parse(words)?;
    let tools = Both {
        graphs: found(GRAPH * options.limit)?,
        formulas: found(options.limit)?,
    };
    let folder = root().join("target/mcrl2");
    std::fs::create_dir_all(&folder).map_err(|error| format!("make {folder:?}: {error}"))?;
    let mut tasks: Vec<Task> = Vec::new();
    for script in SCRIPTS {
        let settings = SETTINGS.map(|(bidders, items)| Setting {
            script,
            bidders,
            items,
        });
        let few = |setting: &Setting| setting.bidders <= options.bidders;
        tasks.extend(settings.into_iter().filter(few).map(Task::Script));
    }
    let kept = reference().join("tscript");
    if kept.join("auction.mcrl2").is_file() {
        let variants = by_hand::VARIANTS.into_iter();
        let few = variants.filter(|variant| variant.bidders <= options.bidders);
        tasks.extend(few.map(|variant| Task::ByHand(kept.clone(), variant)));
    } else if options.write {
        return Err(format!(
            "write the page: its tables are whole, and {} has no model by hand",
            kept.display()
        ));
    } else {
        println!("skipped: {} has no model by hand", kept.display());
    }
    let mut page = Part {
        graphs: String::from(
            "| model | bidders | items | `lps2lts`: states | transitions | ours: states | transitions | `lps2lts`, s | ours, s | times faster |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        ),
        formulas: String::from(
            "| model | bidders | items | formula | verdict | `pbessolve`, s | ours, s | times faster |\n\
             |---|---:|---:|---|---|---:|---:|---:|\n",
        ),
        ..Part::default()
    };
    for part in side_by_side(&tasks, &options, &tools, &folder) {
        let part = part?;
        page.graphs.push_str(&part.graphs);
        page.formulas.push_str(&part.formulas);
        page.differences += part.differences;
    }
    if options.write {
        let text = format!(
            "{} {WHAT}\n\n{}\n{}",
            made_by(&format!(
                "bench mcrl2 --bidders {} --limit {} --write",
                options.bidders, options.limit
            )),
            page.graphs,
            page.formulas,
        );
        section::put("The auction, beside mCRL2", &text)?;
    }
    Ok(page.differences == 0)
}

/// The tools with the limit for graphs, and with the limit for formulas.
struct Both {
    graphs: Tools,
    formulas: Tools,
}

fn found(limit: u32) -> Result<Tools, String> {
    let found = Tools::found(limit);
    found.ok_or_else(|| "find mCRL2's tools: PROBITY_MCRL2 names their folder".to_owned())
}

/// What is compared, on one model.
enum Task {
    Script(Setting),
    ByHand(PathBuf, by_hand::Variant),
}

/// Does all tasks, some at a time; their parts of the tables are in the order of the tasks. All figures are
/// of processor time.
fn side_by_side(
    tasks: &[Task],
    options: &Options,
    tools: &Both,
    folder: &Path,
) -> Vec<Result<Part, String>> {
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<Part, String>>>> =
        tasks.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(task) = tasks.get(at)
                {
                    let mut part = Part {
                        limit: options.limit,
                        ..Part::default()
                    };
                    let ended = match task {
                        Task::Script(setting) => setting.compare(options, tools, folder, &mut part),
                        Task::ByHand(kept, variant) => {
                            by_hand::compare(kept, variant, options, tools, folder, &mut part)
                        }
                    };
                    let mut place = done[at].lock().unwrap_or_else(PoisonError::into_inner);
                    *place = Some(ended.map(|()| part));
                }
            });
        }
    });
    let done = done.into_iter().map(|one| {
        let one = one.into_inner().unwrap_or_else(PoisonError::into_inner);
        one.unwrap_or_else(|| Err("compare: a worker ended early".to_owned()))
    });
    done.collect()
}

/// What the tables say.
const WHAT: &str = "Seconds of processors. mCRL2 is release 202206; where its tools were stopped, the figure behind `>` says when. \
*original* and *repaired* are the scripts in `examples/tscript/auction`, with bids of 2 only: mCRL2's tools read what `probity translate --to mcrl2` makes of \
them, ours is the whole process from the script to the verdict. `mcrl22lps`, which takes less than a second, is not counted; `lps2pbes` is. \
The graphs are branching bisimilar (`cargo xtask conform mcrl2`), but not equal: ours has no states for what only one process sees. \
*By hand* is a model that was written in mCRL2 for these formulas; *all* has every repair. There, ours is the check of the graph that `lps2lts` has made, \
whose time the first table says. Each formula is asked alone, and both explore anew for each. *holds* and *fails* is what both say, or the only one that says anything.";

fn parse(words: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        limit: 60,
        bidders: 2,
        jobs: 1,
        write: false,
        program: String::new(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => options.write = true,
            "--limit" => options.limit = value()?.parse().map_err(|_| "read --limit")?,
            "--bidders" => options.bidders = value()?.parse().map_err(|_| "read --bidders")?,
            "--jobs" => options.jobs = value()?.parse().map_err(|_| "read --jobs")?,
            "--program" => options.program = (*value()?).to_owned(),
            other => return Err(format!("read the option {other}")),
        }
    }
    if options.program.is_empty() {
        options.program = release()?;
    }
    Ok(options)
}

/// A script with so many bidders and items.
struct Setting {
    script: &'static str,
    bidders: u32,
    items: u32,
}

impl Setting {
    fn compare(
        &self,
        options: &Options,
        tools: &Both,
        folder: &Path,
        part: &mut Part,
    ) -> Result<(), String> {
        let name = format!("{}-{}-{}", self.script, self.bidders, self.items);
        let file = folder.join(&name);
        let text = self.translated(options, &file.with_extension("mcrl2"))?;
        let linear = linearised(&tools.graphs, &file.with_extension("mcrl2"))?;
        let theirs = tools.graphs.graph(&linear, &file.with_extension("aut"))?;
        let ours = self.asked(options, "[true*]<true>true")?;
        let named = (self.script, self.bidders, self.items);
        part.graph(named, theirs.as_ref(), Some([ours.1, ours.2, ours.3]));
        let model = Model::new(&text, self.bidders)?;
        for finding in FINDINGS {
            let formula = file.with_extension(format!("{}.mcf", finding.name));
            written(&formula, &(finding.there)(&model))?;
            let (verdict, _, _, seconds) = self.asked(options, finding.here)?;
            part.formula(&Row {
                model: self.script.to_owned(),
                bidders: self.bidders,
                items: self.items,
                formula: finding.name.to_owned(),
                theirs: solved(&tools.formulas, &linear, &formula)?,
                ours: verdict.map(|holds| (holds, seconds)),
            });
        }
        Ok(())
    }

    fn bounds(&self) -> Vec<String> {
        let (bidders, items) = (self.bidders, self.items);
        let bounds = [
            format!("bidder={bidders}"),
            format!("new-item={items} distinct"),
            format!("processes={}", bidders + 1),
            "bid=2..2".to_owned(),
            // So much room that no queue is ever full: one that nobody reads has no length here.
            "queue=8".to_owned(),
        ];
        bounds
            .into_iter()
            .flat_map(|bound| ["--bound".to_owned(), bound])
            .collect()
    }

    fn path(&self) -> String {
        format!("examples/tscript/auction/{}.tb", self.script)
    }

    /// The script for mCRL2.
    fn translated(&self, options: &Options, to: &Path) -> Result<String, String> {
        let (path, to) = (self.path(), to.to_string_lossy());
        let mut words = vec!["translate", &path, "--to", "mcrl2", "-o", &*to];
        let bounds = self.bounds();
        words.extend(bounds.iter().map(String::as_str));
        let ran = measure(&options.program, &words)?;
        // A model with a part of what can happen has a status of its own, and a warning.
        if !matches!(ran.status, 0 | 3) {
            return Err(format!("translate {path}: exit status {}", ran.status));
        }
        std::fs::read_to_string(&*to).map_err(|error| format!("read {to}: {error}"))
    }

    /// Our verdict, states, transitions, and seconds of processor time.
    fn asked(
        &self,
        options: &Options,
        formula: &str,
    ) -> Result<(Option<bool>, f64, f64, f64), String> {
        let path = self.path();
        let mut words = vec!["check", &path, "--readings", "one", "--format", "json"];
        let bounds = self.bounds();
        words.extend(bounds.iter().map(String::as_str));
        words.extend(["--property", formula]);
        asked(&options.program, &words)
    }
}

/// What our program says of one property: the verdict, states, transitions, and seconds of processor time.
fn asked(program: &str, words: &[&str]) -> Result<(Option<bool>, f64, f64, f64), String> {
    let ran = measure(program, words)?;
    let report = serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
    let property = &report["files"][0]["properties"][0];
    let verdict = match property["verdict"].as_str() {
        Some("holds" | "vacuous") => Some(true),
        Some("fails") => Some(false),
        Some(_) => None,
        None => return Err(format!("check {}: exit status {}", words[1], ran.status)),
    };
    let figure = |name: &str| property["statistics"][name].as_f64().unwrap_or(0.0);
    let seconds = ran.processor_seconds.unwrap_or(ran.seconds);
    Ok((verdict, figure("states"), figure("transitions"), seconds))
}

/// The linear process of a model.
fn linearised(tools: &Tools, model: &Path) -> Result<PathBuf, String> {
    let linear = model.with_extension("lps");
    let files = [model, &linear].map(Path::to_string_lossy);
    match tools.run("mcrl22lps", &[&*files[0], &*files[1]])? {
        Ran::Done { .. } => Ok(linear),
        Ran::Cut => Err(format!("linearise {} within the limit", files[0])),
        Ran::Refused(why) => Err(format!("linearise {}: {why}", files[0])),
    }
}

/// What mCRL2's tools say of a formula, if they do within the limit.
fn solved(tools: &Tools, linear: &Path, formula: &Path) -> Result<Option<(bool, f64)>, String> {
    match tools.solve(linear, formula)? {
        Solved::Is(holds, seconds) => Ok(Some((holds, seconds))),
        Solved::Cut => Ok(None),
        Solved::NotOfIt(why) | Solved::Failed(why) => {
            Err(format!("solve {}: {why}", formula.display()))
        }
    }
}

fn written(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(theirs: Option<bool>, ours: Option<bool>) -> Row {
        Row {
            model: "m".to_owned(),
            bidders: 1,
            items: 2,
            formula: "F".to_owned(),
            theirs: theirs.map(|holds| (holds, 4.0)),
            ours: ours.map(|holds| (holds, 0.5)),
        }
    }

    #[test]
    fn verdicts_differ_only_where_both_have_one() {
        assert!(row(Some(true), Some(false)).differs());
        assert!(!row(Some(true), Some(true)).differs());
        assert!(!row(None, Some(true)).differs());
        assert!(!row(Some(false), None).differs());
    }

    #[test]
    fn a_row_says_the_ratio_or_a_bound_of_it() {
        assert_eq!(
            row(Some(false), Some(false)).line(60),
            "| m | 1 | 2 | F | fails | 4.00 | 0.50 | 8.00 |"
        );
        assert_eq!(
            row(None, Some(true)).line(60),
            "| m | 1 | 2 | F | holds | > 60 | 0.50 | > 120 |"
        );
        assert_eq!(
            row(Some(true), None).line(60),
            "| m | 1 | 2 | F | holds | 4.00 | not known |  |"
        );
    }
}
