//! mCRL2's own tools, in the folder that `PROBITY_MCRL2` names: each is run within a limit of processor time,
//! so that what else the machine does makes no difference.

use std::path::{Path, PathBuf};

use crate::measure::{Measured, measure};

/// The tools.
pub(crate) struct Tools {
    folder: PathBuf,
    /// Seconds of processor time that a tool may take.
    limit: u32,
}

/// How a tool fared.
pub(crate) enum Ran {
    /// It did what it was asked for, in so many seconds of processor time.
    Done { seconds: f64, out: String },
    /// It took longer than the limit.
    Cut,
    /// It refused what it was given, with this message.
    Refused(String),
}

/// A graph that `lps2lts` made.
pub(crate) struct Made {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) seconds: f64,
}

/// What one step with the tools gave: a value, or no value because of the limit.
pub(crate) type Within<T> = Option<T>;

impl Tools {
    /// The tools, if they are named.
    pub(crate) fn found(limit: u32) -> Option<Tools> {
        let folder = PathBuf::from(std::env::var_os("PROBITY_MCRL2")?);
        Some(Tools { folder, limit })
    }

    pub(crate) fn limit(&self) -> u32 {
        self.limit
    }

    /// Runs a tool.
    ///
    /// # Errors
    /// If there is no shell.
    pub(crate) fn run(&self, tool: &str, arguments: &[&str]) -> Result<Ran, String> {
        let script = format!("ulimit -t {}; exec \"$0\" \"$@\" 2>&1", self.limit);
        let path = self.folder.join(tool);
        let path = path.to_string_lossy();
        let mut all = vec!["-c", &script, &*path, "--quiet"];
        all.extend(arguments);
        Ok(self.fared(measure("sh", &all)?))
    }

    fn fared(&self, ran: Measured) -> Ran {
        let seconds = ran.processor_seconds.unwrap_or(ran.seconds);
        match ran.status {
            0 => Ran::Done {
                seconds,
                out: ran.out,
            },
            // A process that a signal ends has no status of its own.
            -1 if seconds + 1.0 >= f64::from(self.limit) => Ran::Cut,
            status => {
                let line = ran.out.lines().find(|line| !line.trim().is_empty());
                Ran::Refused(match line {
                    Some(line) => line.trim().to_owned(),
                    None => format!("exit status {status}"),
                })
            }
        }
    }

    /// The graph of a linear process, written to a file in the Aldebaran format.
    ///
    /// # Errors
    /// If the tool refuses the process, or its file cannot be read.
    pub(crate) fn graph(&self, linear: &Path, graph: &Path) -> Result<Within<Made>, String> {
        let files = [linear.to_string_lossy(), graph.to_string_lossy()];
        let seconds = match self.run("lps2lts", &[&*files[0], &*files[1]])? {
            Ran::Done { seconds, .. } => seconds,
            Ran::Cut => return Ok(None),
            Ran::Refused(why) => return Err(format!("explore {}: {why}", files[0])),
        };
        let (states, transitions) = header(graph)?;
        Ok(Some(Made {
            states,
            transitions,
            seconds,
        }))
    }

    /// Whether a formula holds of a linear process, and the seconds of processor time of both tools.
    ///
    /// # Errors
    /// If one of them cannot be run.
    pub(crate) fn solve(&self, linear: &Path, formula: &Path) -> Result<Solved, String> {
        let equations = formula.with_extension("pbes");
        let files = [linear, formula, &equations].map(Path::to_string_lossy);
        let option = format!("--formula={}", files[1]);
        let made = self.run("lps2pbes", &[&option, &*files[0], &*files[2]])?;
        let before = match made {
            Ran::Done { seconds, .. } => seconds,
            Ran::Cut => return Ok(Solved::Cut),
            Ran::Refused(why) => return Ok(Solved::NotOfIt(why)),
        };
        Ok(match self.run("pbessolve", &["-s2", &*files[2]])? {
            Ran::Done { seconds, out } => match out.lines().last().map(str::trim) {
                Some("true") => Solved::Is(true, before + seconds),
                Some("false") => Solved::Is(false, before + seconds),
                other => Solved::Failed(other.unwrap_or_default().to_owned()),
            },
            Ran::Cut => Solved::Cut,
            Ran::Refused(why) => Solved::Failed(why),
        })
    }
}

/// What `lps2pbes` and `pbessolve` say of a formula.
pub(crate) enum Solved {
    /// It holds or not; the seconds that took.
    Is(bool, f64),
    /// It took longer than the limit.
    Cut,
    /// It is no formula about this process.
    NotOfIt(String),
    /// The equations were made, and not solved.
    Failed(String),
}

/// States and transitions, as the first line of a graph says.
///
/// # Errors
/// If there is no such line.
fn header(graph: &Path) -> Result<(u64, u64), String> {
    let wrong = |what: &str| format!("read {}: {what}", graph.display());
    let text = std::fs::read_to_string(graph).map_err(|error| wrong(&error.to_string()))?;
    sizes(&text).ok_or_else(|| wrong("it does not begin with `des (0, transitions, states)`"))
}

fn sizes(text: &str) -> Option<(u64, u64)> {
    let line = text.lines().next()?.trim();
    let numbers = line.strip_prefix("des")?.trim();
    let numbers = numbers.strip_prefix('(')?.strip_suffix(')')?;
    let numbers: Option<Vec<u64>> = numbers
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect();
    match numbers?[..] {
        [_, transitions, states] => Some((states, transitions)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Tools {
        Tools {
            folder: PathBuf::from("/nowhere"),
            limit: 10,
        }
    }

    fn ran(status: i32, seconds: f64) -> Measured {
        Measured {
            seconds,
            processor_seconds: Some(seconds),
            peak_bytes: None,
            status,
            out: "\n[error] no such action \nmore".to_owned(),
        }
    }

    #[test]
    fn what_takes_too_long_is_cut_and_what_ends_otherwise_is_refused() {
        assert!(matches!(tools().fared(ran(0, 3.0)), Ran::Done { .. }));
        assert!(matches!(tools().fared(ran(-1, 9.9)), Ran::Cut));
        let Ran::Refused(why) = tools().fared(ran(1, 9.9)) else {
            panic!("a status of its own is no limit");
        };
        assert_eq!(why, "[error] no such action");
        assert!(matches!(tools().fared(ran(-1, 2.0)), Ran::Refused(_)));
    }

    #[test]
    fn the_first_line_tells_how_large_a_graph_is() {
        assert_eq!(sizes("des (0,7,3)   \n(0,\"a\",1)"), Some((3, 7)));
        assert_eq!(sizes("des  \n"), None);
        assert_eq!(sizes("(0,\"a\",1)"), None);
    }
}
