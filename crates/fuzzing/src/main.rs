//! Runs campaigns for a while: `fuzzing --minutes N [--target T]... [--executions N] [--whole-every N]
//! [--seed N] [--corpus DIR] [--found DIR]`. It is a tool: it opens files and prints.
//!
//! Examples are read from a folder for each target below the corpus. What panics is printed and
//! kept; what cannot be caught (a stack that is full, memory that runs out, an input that takes for
//! ever) leaves its input in the file `current` of the target.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it tells what it does"
)]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fuzzing::{Campaign, Target};

/// Reading is mostly small pieces of memory: twice as many inputs a second as with glibc's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The stack of the thread that reads, as large as the command line's.
const STACK: usize = 256 << 20;
/// An input that takes longer than this takes for ever.
const LONGEST: Duration = Duration::from_secs(60);
/// Reading stops at this limit.
const LIMIT: Duration = Duration::from_millis(100);
/// What takes longer to read is not changed any further.
const SLOW: Duration = Duration::from_millis(1);
/// Targets take turns of this length.
const TURN: Duration = Duration::from_secs(10);

struct Asked {
    minutes: f64,
    targets: Vec<&'static Target>,
    /// A target that was executed so often is done.
    executions: u64,
    /// One accepted input in so many goes on to all that follows, if it is said.
    whole_every: Option<u64>,
    seed: u64,
    corpus: PathBuf,
    found: PathBuf,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked = match asked(&words) {
        Ok(asked) => asked,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    let run = thread.spawn(move || run(&asked));
    match run.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::FAILURE,
    }
}

fn asked(words: &[String]) -> Result<Asked, String> {
    let mut asked = Asked {
        minutes: 1.0,
        targets: Vec::new(),
        executions: u64::MAX,
        whole_every: None,
        seed: 1,
        corpus: "fuzz/corpus".into(),
        found: "target/fuzz".into(),
    };
    for pair in words.chunks(2) {
        let [option, value] = pair else {
            return Err(format!("{} needs a value", pair[0]));
        };
        let wrong = || format!("{option}: `{value}` is no number");
        let number = || value.parse().map_err(|_| wrong());
        match option.as_str() {
            "--minutes" => asked.minutes = value.parse().map_err(|_| wrong())?,
            "--executions" => asked.executions = number()?,
            "--whole-every" => asked.whole_every = Some(number()?),
            "--seed" => asked.seed = number()?,
            "--corpus" => asked.corpus = value.into(),
            "--found" => asked.found = value.into(),
            "--target" => {
                let names = || {
                    Target::ALL
                        .iter()
                        .map(|t| t.name)
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let target = Target::named(value);
                let target =
                    target.ok_or_else(|| format!("no target `{value}`; there are: {}", names()))?;
                asked.targets.push(target);
            }
            other => return Err(format!("no option `{other}`")),
        }
    }
    if asked.targets.is_empty() {
        asked.targets.extend(Target::ALL);
    }
    Ok(asked)
}

/// Runs; says whether nothing was found.
fn run(asked: &Asked) -> io::Result<bool> {
    fs::create_dir_all(&asked.found)?;
    let mut campaigns = Vec::new();
    for target in &asked.targets {
        let examples = examples(&asked.corpus.join(target.name))?;
        if examples.is_empty() {
            eprintln!("note: no examples for {}", target.name);
        }
        let mut campaign = Campaign::new(target, examples, asked.seed).within(LIMIT, SLOW);
        if let Some(accepted) = asked.whole_every {
            campaign = campaign.whole_every(accepted);
        }
        campaigns.push((campaign, Duration::ZERO, 0));
    }
    let clock = Arc::new(Clock::default());
    watchdog(&clock);
    let end = Instant::now() + Duration::from_secs_f64(asked.minutes * 60.0);
    let done = |campaign: &Campaign| campaign.statistics().executions >= asked.executions;
    while Instant::now() < end && !campaigns.iter().all(|(campaign, ..)| done(campaign)) {
        for (campaign, spent, told) in &mut campaigns {
            if done(campaign) {
                continue;
            }
            let path = asked
                .found
                .join(format!("{}.current", campaign.target().name));
            let file = File::create(&path)?;
            let begin = Instant::now();
            let mut about = |input: &[u8]| {
                clock.begin(&path);
                // Without it, only what cannot be caught is harder to find.
                let _ = written(&file, input);
            };
            while begin.elapsed() < TURN && Instant::now() < end && !done(campaign) {
                campaign.run(50, &mut about);
            }
            clock.end();
            *spent += begin.elapsed();
            for finding in &campaign.findings()[*told..] {
                tell(asked, campaign.target(), finding)?;
            }
            *told = campaign.findings().len();
        }
        table(&campaigns);
    }
    let findings: usize = campaigns
        .iter()
        .map(|(campaign, ..)| campaign.findings().len())
        .sum();
    println!("{findings} findings");
    Ok(findings == 0)
}

/// The examples of a target, in order of name.
fn examples(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths
        .iter()
        .filter(|path| path.is_file())
        .map(fs::read)
        .collect()
}

#[cfg(unix)]
fn written(file: &File, input: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;
    file.write_all_at(input, 0)?;
    file.set_len(input.len() as u64)
}

#[cfg(not(unix))]
fn written(mut file: &File, input: &[u8]) -> io::Result<()> {
    use std::io::{Seek as _, Write as _};
    file.rewind()?;
    file.write_all(input)?;
    file.set_len(input.len() as u64)
}

/// Prints and keeps a finding.
fn tell(asked: &Asked, target: &Target, finding: &fuzzing::Finding) -> io::Result<()> {
    let place = finding.panicked.place.replace(['/', ':', '\\'], "-");
    let path = asked.found.join(format!("{}-{place}", target.name));
    fs::write(&path, &finding.input)?;
    println!(
        "{} panics at {} ({:?}): {}\n{}\nkept as {}\n",
        target.name,
        finding.panicked.place,
        finding.depth,
        finding.panicked.message,
        String::from_utf8_lossy(&finding.input),
        path.display()
    );
    Ok(())
}

fn table(campaigns: &[(Campaign, Duration, usize)]) {
    println!(
        "target               executions  accepted  stopped    whole   kept  panics  per second"
    );
    for (campaign, spent, _) in campaigns {
        let done = campaign.statistics();
        let share = done.accepted * 100 / done.executions.max(1);
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = done.executions as f64 / spent.as_secs_f64().max(0.001);
        println!(
            "{:<18} {:>12} {share:>8}% {:>8} {:>8} {:>6} {:>7} {rate:>11.0}",
            campaign.target().name,
            done.executions,
            done.stopped,
            done.whole,
            done.kept,
            done.panics,
        );
    }
    println!();
}

/// When the input that is being read was begun.
#[derive(Default)]
struct Clock {
    /// How many were begun.
    number: AtomicU64,
    now: Mutex<Option<(Instant, PathBuf)>>,
}

impl Clock {
    fn begin(&self, path: &Path) {
        // The clock is looked at by the watchdog; here it would take too much time.
        if self
            .number
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(64)
        {
            let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
            *now = Some((Instant::now(), path.to_owned()));
        }
    }

    fn end(&self) {
        self.number.fetch_add(1, Ordering::Relaxed);
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Ends the program when an input takes for ever.
fn watchdog(clock: &Arc<Clock>) {
    let clock = Arc::clone(clock);
    std::thread::spawn(move || {
        let mut seen = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let number = clock.number.load(Ordering::Relaxed);
            if number != seen.0 {
                seen = (number, Instant::now());
                continue;
            }
            let now = clock.now.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, path)) = &*now
                && seen.1.elapsed() > LONGEST
            {
                println!("an input takes for ever: {}", path.display());
                std::process::exit(1);
            }
        }
    });
}
