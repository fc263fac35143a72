//! `cargo xtask conform nodegraph`: random graphs, run by the engines that they are for, beside what we
//! say of them.
//!
//! A graph is run in its engine a few times with what the world does drawn at random; then our program is asked
//! about what was seen. A state that the engine came to rest in must be one that we can reach, in
//! the order seen, and so must a node that ran; and of random formulas that a run breaks, none
//! may be said to hold. The engines are Babylon's flow graph (KHR_interactivity) and behave-graph's own; npm
//! fetches them into a scratch folder, in the versions that `xtask/peers/package.json` states.
//!
//! Where an engine does not do what its format's text says, the random graphs leave that out
//! (`generate`), and `docs/nodegraph.md` says so.

mod ask;
mod formulas;
mod generate;
mod graph;
mod kinds;
mod runner;
mod shrink;
mod spread;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use self::ask::{NO_FAIR_RUN, Program};
use self::formulas::{Formula, Vocabulary};
use self::graph::Graph;
use self::runner::{Runner, Seen, Wanted};
use self::spread::Spread;
use crate::bench::release;
use crate::random::Random;
use crate::workspace::root;

/// Runs of each graph.
const RUNS: usize = 3;

/// An engine beside ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    Babylon,
    Behave,
}

impl Peer {
    fn name(self) -> &'static str {
        match self {
            Peer::Babylon => "babylon",
            Peer::Behave => "behave",
        }
    }

    /// How files of its format are called.
    fn ending(self) -> &'static str {
        match self {
            Peer::Babylon => "gltf",
            Peer::Behave => "json",
        }
    }

    /// Our table of its kinds, and their prefix there.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Peer::Babylon => ("khr.nodes", "khr:"),
            Peer::Behave => ("behave.nodes", "behave:"),
        }
    }
}

struct Options {
    graphs: u64,
    seed: u64,
    peers: Vec<Peer>,
    program: Option<String>,
    keep: PathBuf,
    /// Differences that are made small; the rest are counted.
    shrink: usize,
    jobs: usize,
}

fn parse(options: &[&str]) -> Result<Options, String> {
    let mut parsed = Options {
        graphs: 1000,
        seed: 1,
        peers: vec![Peer::Babylon, Peer::Behave],
        program: None,
        keep: root().join("target/conform/differences"),
        shrink: 12,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let index = |number: u64| usize::try_from(number).map_err(|_| format!("count to {number}"));
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("read the value of {word}"))?;
        let number = || value.parse().map_err(|_| format!("read {word} {value}"));
        match *word {
            "--graphs" => parsed.graphs = number()?,
            "--seed" => parsed.seed = number()?,
            "--shrink" => parsed.shrink = index(number()?)?,
            "--jobs" => parsed.jobs = index(number()?)?,
            "--program" => parsed.program = Some((*value).to_owned()),
            "--keep" => parsed.keep = PathBuf::from(value),
            "--peer" => {
                parsed.peers = match *value {
                    "babylon" => vec![Peer::Babylon],
                    "behave" => vec![Peer::Behave],
                    _ => return Err(format!("find the peer {value}: babylon or behave")),
                }
            }
            _ => return Err(format!("read the option {word}")),
        }
    }
    Ok(parsed)
}

/// Compares.
///
/// # Errors
/// If an option is unknown, or a program cannot be run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let options = parse(options)?;
    let scratch = root().join("target/conform");
    let folder = match runner::installed(&scratch)? {
        Ok(folder) => folder,
        Err(reason) => {
            println!("skipped: {reason}");
            return Ok(true);
        }
    };
    let path = match &options.program {
        Some(program) => program.clone(),
        None => release()?,
    };
    let mut right = true;
    for &peer in &options.peers {
        right &= compare(peer, &options, &path, &folder)?;
    }
    Ok(right)
}

/// A formula that we say holds, and a run of the peer that breaks it.
struct Difference {
    graph: Graph,
    run: Wanted,
    formula: Formula,
    verdict: String,
}

fn compare(peer: Peer, options: &Options, path: &str, folder: &Path) -> Result<bool, String> {
    let next = AtomicU64::new(0);
    let workers: Vec<Result<(Comparison, Vec<Difference>), String>> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..options.jobs)
            .map(|worker| {
                let next = &next;
                scope.spawn(move || {
                    let mut comparison = Comparison::new(peer, worker, path, folder)?;
                    let found = comparison.work(peer, options, next)?;
                    Ok((comparison, found))
                })
            })
            .collect();
        let ended = started.into_iter().map(|one| one.join());
        ended
            .map(|one| one.unwrap_or_else(|_| Err("compare: a worker panicked".to_owned())))
            .collect()
    });
    let (mut differences, mut spread, mut shrinking) = (Vec::new(), Spread::new(peer), None);
    for worker in workers {
        let (comparison, found) = worker?;
        spread.add(&comparison.spread);
        differences.extend(found);
        shrinking = Some(comparison);
    }
    let count = differences.len();
    let mut told: Vec<Vec<&str>> = Vec::new();
    if let Some(mut comparison) = shrinking {
        for difference in differences.into_iter().take(2 * options.shrink) {
            let small = shrink::small(&mut comparison, difference)?;
            let mut kinds: Vec<&str> = small
                .graph
                .nodes
                .iter()
                .map(|node| node.kind.name)
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            // The same kinds are most likely the same difference.
            if !told.contains(&kinds) && told.len() < options.shrink {
                tell(peer, told.len(), &small, &options.keep)?;
                told.push(kinds);
            }
        }
    }
    Ok(spread.told(options.graphs) && count == 0)
}

/// Prints a difference, and keeps its graph.
fn tell(peer: Peer, number: usize, found: &Difference, keep: &Path) -> Result<(), String> {
    std::fs::create_dir_all(keep).map_err(|error| format!("make {keep:?}: {error}"))?;
    let name = format!("{}-{number}", peer.name());
    let file = keep.join(name).with_extension(peer.ending());
    let text = format!("{:#}\n", found.graph.json());
    std::fs::write(&file, text).map_err(|error| format!("write {file:?}: {error}"))?;
    let kinds: Vec<&str> = found
        .graph
        .nodes
        .iter()
        .map(|node| node.kind.name)
        .collect();
    println!(
        "difference {number}: `{}` {} and a run breaks it",
        found.formula.text, found.verdict
    );
    println!("  nodes: {}", kinds.join(", "));
    let variables = found.graph.variables.iter();
    let variables: Vec<String> = variables
        .map(|one| format!("{} = {}", one.name, one.initial))
        .collect();
    println!("  variables: {}", variables.join(", "));
    for (at, node) in found.graph.nodes.iter().enumerate() {
        println!(
            "    {at} {} {:?} {:?} {:?}",
            node.kind.name, node.settings, node.reads, node.links
        );
    }
    for (at, step) in found.run.1.iter().enumerate() {
        println!("    step {at}: {step}");
    }
    println!("  seed {}, {}", found.run.0, file.display());
    Ok(())
}

/// A peer beside our program.
pub(crate) struct Comparison {
    runner: Runner,
    program: Program,
    spread: Spread,
}

impl Comparison {
    fn new(peer: Peer, worker: usize, path: &str, folder: &Path) -> Result<Comparison, String> {
        let name = format!("{}-{}-{worker}", peer.name(), std::process::id());
        Ok(Comparison {
            runner: Runner::start(peer, folder)?,
            program: Program {
                path: path.to_owned(),
                file: folder.join(name).with_extension(peer.ending()),
            },
            spread: Spread::new(peer),
        })
    }

    /// Compares graphs until there are enough; of each that differs, the first difference.
    fn work(
        &mut self,
        peer: Peer,
        options: &Options,
        next: &AtomicU64,
    ) -> Result<Vec<Difference>, String> {
        let mut differences = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= options.graphs {
                return Ok(differences);
            }
            let seed = options.seed.wrapping_mul(1_000_003).wrapping_add(number);
            let mut random = Random::new(seed);
            let graph = generate::graph(peer, &mut random);
            let runs: Vec<Wanted> = (0..RUNS)
                .map(|_| {
                    let seed = u32::try_from(random.below(1 << 30)).expect("it is below 2^30");
                    (seed, generate::steps(&graph, &mut random))
                })
                .collect();
            let found = self.differences(&graph, &runs, seed)?;
            self.spread.differ(&found);
            differences.extend(found.into_iter().next());
            if (number + 1).is_multiple_of(100) {
                println!("{}: {} graphs", peer.name(), number + 1);
            }
        }
    }

    /// Runs and asks; formulas that we say hold and that a run breaks.
    fn differences(
        &mut self,
        graph: &Graph,
        runs: &[Wanted],
        seed: u64,
    ) -> Result<Vec<Difference>, String> {
        let seen = match self.runner.run(graph, runs)? {
            Ok(seen) => seen,
            Err(reason) => {
                self.spread.rejected(&reason);
                return Ok(Vec::new());
            }
        };
        let (formulas, verdicts) = match self.asked(graph, &seen, seed)? {
            Ok(answered) => answered,
            Err(reason) => {
                self.spread.refused(&reason);
                return Ok(Vec::new());
            }
        };
        self.spread.graph(graph, &seen);
        let mut found = Vec::new();
        for (formula, verdict) in formulas.into_iter().zip(verdicts) {
            self.spread.formula(&formula, verdict.as_deref());
            let run = match verdict.as_deref() {
                Some("holds") => formula.broken,
                // It claims that what the formula is about never happens.
                Some("vacuous") => formula.about,
                // It claims that no run comes to rest.
                Some(NO_FAIR_RUN) => seen.iter().position(|run| run.quiet && run.cut.is_none()),
                _ => None,
            };
            if let (Some(run), Some(verdict)) = (run, verdict) {
                found.push(Difference {
                    graph: graph.clone(),
                    run: runs[run].clone(),
                    formula,
                    verdict,
                });
            }
        }
        Ok(found)
    }

    /// The same of one run, not counted.
    fn quietly(
        &mut self,
        graph: &Graph,
        run: &Wanted,
        seed: u64,
    ) -> Result<Vec<Difference>, String> {
        let before = std::mem::replace(&mut self.spread, Spread::new(graph.peer));
        let found = self.differences(graph, std::slice::from_ref(run), seed);
        self.spread = before;
        found
    }

    /// Formulas and our verdicts on them; or why our program does not take the graph.
    #[expect(clippy::type_complexity, reason = "two lists of one length")]
    fn asked(
        &self,
        graph: &Graph,
        seen: &[Seen],
        seed: u64,
    ) -> Result<Result<(Vec<Formula>, Vec<Option<String>>), String>, String> {
        let mut unknown = Vec::new();
        loop {
            let vocabulary = Vocabulary::new(graph, &unknown);
            let formulas = vocabulary.formulas(seen, &mut Random::new(seed));
            let texts: Vec<String> = formulas.iter().map(|one| one.text.clone()).collect();
            let answer = self.program.ask(graph, &texts)?;
            if let Some(reason) = answer.refused {
                return Ok(Err(reason));
            }
            if !answer.unknown.is_empty() {
                unknown.extend(answer.unknown);
                continue;
            }
            let verdicts = texts
                .iter()
                .map(|text| answer.verdicts.get(text).cloned())
                .collect();
            return Ok(Ok((formulas, verdicts)));
        }
    }
}
