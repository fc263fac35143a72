//! `cargo xtask bench spin`: our figures beside those of SPIN's verifier, run by run.
//!
//! Each pair is measured in one go: theirs, ours, theirs, ours. The least figure of several runs
//! counts, since whatever else the machine does only adds. Speed is states in a second of one
//! processor's time; memory is what the process takes beyond a run that stores nothing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::growth::{self, Point};
use super::pan::{Found, PLAIN, Pan, Recipe};
use super::passing::passing;
use super::{families, made_by, release, section};
use crate::measure::{Measured, measure};
use crate::workspace::root;

/// Where Debian puts SPIN's examples.
const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// Seconds from which on the time of the verifier alone says something.
const NOTICEABLE: f64 = 0.1;

/// Every part, in order.
const PARTS: &[&str] = &["whole", "speed", "reduced", "growth"];

/// What was asked for.
struct Options<'a> {
    runs: usize,
    write: bool,
    program: String,
    /// The greatest number of states of the growth plot, as a power of ten.
    growth: u32,
    /// The models of the fixed set to measure, if not all.
    only: Vec<&'a str>,
    parts: Vec<&'a str>,
}

/// Measures, prints tables, and with `--write` puts them into the page of figures.
///
/// # Errors
/// If an option is unknown, or SPIN is not installed, or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let options = parse(options)?;
    let mut well = true;
    for part in &options.parts {
        let (title, text) = match *part {
            "whole" => ("From file to verdict, beside SPIN", whole(&options)?),
            "speed" => ("Exploration, beside SPIN", speed(&options, &mut well)?),
            "reduced" => (
                "Properties that look at local variables",
                reduced(&options)?,
            ),
            _ => ("Growth", grow(&options)?),
        };
        println!("## {title}\n\n{text}");
        if options.write {
            let chore = made_by(&format!("bench spin --runs {} --write", options.runs));
            section::put(title, &format!("{chore}\n\n{text}"))?;
        }
    }
    Ok(well)
}

fn parse<'a>(words: &[&'a str]) -> Result<Options<'a>, String> {
    let mut options = Options {
        runs: 5,
        write: false,
        program: String::new(),
        growth: 8,
        only: Vec::new(),
        parts: Vec::new(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => options.write = true,
            "--program" => options.program = (*value()?).to_owned(),
            "--only" => options.only.push(value()?),
            "--runs" => options.runs = value()?.parse().map_err(|_| "read --runs")?,
            "--growth" => options.growth = value()?.parse().map_err(|_| "read --growth")?,
            part if PARTS.contains(&part) => options.parts.push(part),
            other => return Err(format!("read the option {other}")),
        }
    }
    if options.parts.is_empty() {
        options.parts = PARTS.to_vec();
    }
    options.runs = options.runs.max(1);
    if options.write && !options.only.is_empty() {
        return Err("the page is not written with --only: its tables are whole".to_owned());
    }
    if options.program.is_empty() {
        options.program = release()?;
    }
    Ok(options)
}

/// What one of our runs says of its first property.
#[derive(Clone)]
struct Ours {
    measured: Measured,
    states: u64,
    /// Bytes that the search says it holds: states, table and what is beside.
    held: u64,
    /// Wall time of the exploration.
    seconds: f64,
    verdict: String,
    /// The names of all properties.
    properties: Vec<String>,
}

fn ours(program: &str, model: &Path, more: &[&str]) -> Result<Ours, String> {
    let model = model.to_string_lossy();
    let mut arguments = vec!["check", &*model, "--format", "json", "--memory", "12G"];
    if more.contains(&"--passes") {
        // What is measured is exploration.
        arguments.extend(["--engine", "explicit"]);
    }
    arguments.extend(more);
    let measured = measure(program, &arguments)?;
    let report: Value = serde_json::from_str(&measured.out)
        .map_err(|error| format!("read the report on {model}: {error}"))?;
    let properties = &report["files"][0]["properties"];
    let names = properties.as_array().into_iter().flatten();
    let names = names.filter_map(|property| property["name"].as_str());
    let property = &properties[0];
    let statistics = &property["statistics"];
    Ok(Ours {
        states: statistics["states"].as_u64().unwrap_or(0),
        held: statistics["memory_bytes"].as_u64().unwrap_or(0),
        seconds: statistics["seconds"].as_f64().unwrap_or(0.0),
        verdict: property["verdict"].as_str().unwrap_or("none").to_owned(),
        properties: names.map(str::to_owned).collect(),
        measured,
    })
}

/// The run with the least of a figure.
fn least<T>(
    runs: usize,
    mut one: impl FnMut() -> Result<T, String>,
    figure: impl Fn(&T) -> f64,
) -> Result<T, String> {
    let mut best = one()?;
    for _ in 1..runs {
        let next = one()?;
        if figure(&next) < figure(&best) {
            best = next;
        }
    }
    Ok(best)
}

fn used(measured: &Measured) -> f64 {
    measured
        .processor_seconds
        .unwrap_or(measured.seconds)
        .max(1e-3)
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
    found.sort();
}

/// The properties that a run of SPIN's verifier looks at, as arguments.
fn asked_by<'p>(found: &Found, properties: &'p [String]) -> Vec<&'p str> {
    let whole = ["assertions", "deadlock", "faults", "progress", "acceptance"];
    let claim = |name: &str| !whole.contains(&name);
    let asked = |name: &str| match &found.claim {
        Some(theirs) => {
            name == "assertions" || name == theirs || (claim(name) && theirs == "never_0")
        }
        None => ["assertions", "deadlock", "acceptance"].contains(&name),
    };
    let names = properties.iter().map(String::as_str);
    let names = names.filter(|name| asked(name));
    names.flat_map(|name| ["--property", name]).collect()
}

/// Whole times over SPIN's examples.
fn whole(options: &Options<'_>) -> Result<String, String> {
    let mut files = Vec::new();
    models(Path::new(EXAMPLES), &mut files);
    if files.is_empty() {
        return Err(format!("find SPIN's examples in {EXAMPLES}"));
    }
    let mut page = String::from("| model | SPIN | ours | ratio |\n|---|---:|---:|---:|\n");
    let mut exploration =
        String::from("| model | properties | pan | ours | ratio |\n|---|---|---:|---:|---:|\n");
    let (mut sum, mut count, mut left_out) = (0.0f64, 0u32, Vec::new());
    for file in &files {
        let name = file
            .strip_prefix(EXAMPLES)
            .unwrap_or(file)
            .display()
            .to_string();
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let claims = ["ltl ", "never", "accept", "progress"];
        let (gcc, pan): (&[&str], &[&str]) = if claims.iter().any(|word| text.contains(word)) {
            (&["-O2"], &["-a", "-m1000000"])
        } else {
            (&["-O2", "-DSAFETY"], &["-m1000000"])
        };
        let recipe = Recipe {
            spin: &[],
            gcc,
            pan,
        };
        let theirs = || {
            let made = Pan::make(file, recipe)?;
            let found = made.run(recipe)?;
            Ok((made.making, found))
        };
        let mine = |more: &[&str]| {
            // As the verifier that SPIN makes: it ends at its first failure.
            let mut arguments = vec!["--timeout", "60s", "--first-failure"];
            arguments.extend(more);
            let one = ours(&options.program, file, &arguments)?;
            if one.measured.status == 2 {
                return Err("is not read".to_owned());
            }
            Ok(one)
        };
        let seconds = |one: &Ours| one.measured.seconds;
        let pair = least(options.runs, theirs, |(making, found)| {
            making + found.measured.seconds
        })
        .and_then(|theirs| Ok((theirs, least(options.runs, || mine(&[]), seconds)?)));
        let Ok(((making, found), every)) = pair else {
            left_out.push(name);
            continue;
        };
        let alone = found.search;
        if alone >= NOTICEABLE {
            let asked = asked_by(&found, &every.properties);
            let same = least(options.runs, || mine(&asked), seconds)?;
            let (ours, names) = (seconds(&same), asked.join(" ").replace("--property ", ""));
            writeln!(
                exploration,
                "| {name} | {names} | {alone:.2} s | {ours:.3} s | {:.1} |",
                alone / ours
            )
            .expect("writing to a string succeeds");
        }
        let (theirs, mine) = (making + found.measured.seconds, seconds(&every));
        let ratio = theirs / mine;
        sum += ratio.ln();
        count += 1;
        writeln!(
            page,
            "| {name} | {theirs:.2} s | {mine:.3} s | {ratio:.1} |"
        )
        .expect("writing to a string succeeds");
    }
    let mean = (sum / f64::from(count.max(1))).exp();
    Ok(format!(
        "Wall time of `spin`, `gcc -O2` and `pan`, its reductions on, against \
         `probity check --first-failure` with every property of the file. Geometric mean of the ratios over {count} models: \
         **{mean:.1}**. Left out, since one side does not read or finish them: {}.\n\n{page}\n\
         Where the search of the verifier alone takes {NOTICEABLE} s or more, as it says: that \
         against our whole process, asked for the properties that the verifier looks at (with a \
         claim, that claim and the assertions).\n\n{exploration}",
        if left_out.is_empty() {
            "none".to_owned()
        } else {
            left_out.join(", ")
        }
    ))
}

/// A model to explore on both sides.
struct Case {
    name: &'static str,
    model: PathBuf,
    defines: Vec<String>,
    property: &'static str,
    /// Whether SPIN needs its search for cycles.
    liveness: bool,
    /// Whether SPIN's claim takes part.
    claim: bool,
    /// How deep pan may go, which takes memory and time for as deep a stack at once.
    depth: &'static str,
}

/// As deep as most models go.
const USUAL: &str = "-m2000000";

fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut add = |name, model: PathBuf, defines: &[&str], property, liveness, claim| {
        if model.is_file() {
            let defines = defines.iter().map(|&text| text.to_owned()).collect();
            cases.push(Case {
                name,
                model,
                defines,
                property,
                liveness,
                claim,
                depth: USUAL,
            });
        } else {
            println!("left out: {name}, for want of {}", model.display());
        }
    };
    let auction = reference().join("spin/auction.pml");
    let longer = ["T=20", "PROP=0"];
    let p2 = ["T=20", "PROP=2"];
    add(
        "auction (10,5,10)",
        auction.clone(),
        &["PROP=0"],
        "deadlock",
        false,
        false,
    );
    add(
        "auction (20,5,10)",
        auction.clone(),
        &longer,
        "deadlock",
        false,
        false,
    );
    add(
        "auction P2 (10,5,10)",
        auction.clone(),
        &["PROP=2"],
        "never",
        false,
        true,
    );
    add(
        "auction P2 (20,5,10)",
        auction.clone(),
        &p2,
        "never",
        false,
        true,
    );
    add(
        "auction P3 (10,5,10)",
        auction.clone(),
        &["PROP=3"],
        "never",
        true,
        true,
    );
    add(
        "auction P7 (10,5,10)",
        auction,
        &["PROP=7"],
        "term",
        true,
        true,
    );
    let examples = Path::new(EXAMPLES);
    add(
        "ex_6",
        examples.join("Exercises/ex_6.pml"),
        &[],
        "deadlock",
        false,
        false,
    );
    add(
        "cambridge",
        examples.join("cambridge.pml"),
        &[],
        "deadlock",
        false,
        false,
    );
    for (name, depth, text) in [
        ("counters 6 of 10", USUAL, families::counters(6, 10)),
        ("counters 7 of 10", "-m10000100", families::counters(7, 10)),
        ("ring 4 of 4", "-m2200000", families::ring(4, 4)),
        ("ring 4 of 5", "-m12000000", families::ring(4, 5)),
    ] {
        let file = format!("{}.pml", name.replace(' ', "_"));
        cases.push(Case {
            name,
            model: written(folder, &file, &text)?,
            defines: Vec::new(),
            property: "deadlock",
            liveness: false,
            claim: false,
            depth,
        });
    }
    Ok(cases)
}

/// The folder of reference data.
pub(crate) fn reference() -> PathBuf {
    std::env::var_os("PROBITY_REFERENCE").map_or_else(|| root().join("../shared"), PathBuf::from)
}

fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("write {}: {error}", path.display()))?;
    Ok(path)
}

fn scratch() -> PathBuf {
    std::env::temp_dir().join(format!("probity-families-{}", std::process::id()))
}

/// More states are not stored compressed as well: it would take long.
const MANY: u64 = 20_000_000;

/// Exploration on the fixed set; `well` becomes false where stored states differ.
fn speed(options: &Options<'_>, well: &mut bool) -> Result<String, String> {
    let folder = scratch();
    let empty = written(&folder, "empty.pml", "init { skip }\n")?;
    let nothing = ours(&options.program, &empty, &["--jobs", "1"])?;
    let mut page = String::from(
        "| model | stored states | pan, states/s | ours, states/s | ratio | two jobs | at once | \
         pan, bytes/state | ours | compressed |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let is_asked_for = |case: &Case| options.only.is_empty() || options.only.contains(&case.name);
    for case in cases(&folder)?.into_iter().filter(is_asked_for) {
        println!("measuring {}", case.name);
        let defines: Vec<String> = case.defines.iter().map(|d| format!("-D{d}")).collect();
        let mut spin: Vec<&str> = PLAIN.to_vec();
        spin.extend(defines.iter().map(String::as_str));
        let mut gcc = vec!["-O3", "-march=native", "-DNOREDUCE"];
        if !case.liveness {
            gcc.push("-DSAFETY");
        }
        if !case.claim {
            gcc.push("-DNOCLAIM");
        }
        let mut pan = vec![case.depth, "-w24"];
        if case.liveness {
            pan.push("-a");
        }
        let recipe = Recipe {
            spin: &spin,
            gcc: &gcc,
            pan: &pan,
        };
        let made = Pan::make(&case.model, recipe)?;
        // What pan takes before it stores anything: the same tables for a model of three states.
        let bare = Recipe {
            spin: PLAIN,
            gcc: &gcc,
            pan: &[case.depth, "-w24"],
        };
        let bare = Pan::make(&empty, bare).and_then(|pan| pan.run(bare));
        let mut arguments = vec!["--property", case.property];
        arguments.extend(["--passes", "none", "--reduce", "none"]);
        for define in &case.defines {
            arguments.extend(["-D", define]);
        }
        let with_jobs = |jobs: &'static str| {
            let mut all = arguments.clone();
            all.extend(["--jobs", jobs]);
            ours(&options.program, &case.model, &all)
        };
        // Two searches that share nothing but the machine: no search on two threads does better.
        let at_once = || {
            std::thread::scope(|threads| {
                let other = threads.spawn(|| with_jobs("1"));
                let this = with_jobs("1")?;
                let other = other.join().map_err(|_| "run two at once")??;
                Ok::<f64, String>(this.seconds.max(other.seconds))
            })
        };
        // Processors change places: how far they are apart counts as it was before and after.
        let side_by_side = || {
            let before = passing();
            let two = with_jobs("2")?;
            Ok::<_, String>((two.seconds, before.max(passing())))
        };
        let (mut one, mut two) = (with_jobs("1")?, side_by_side()?);
        let mut alone = one.seconds;
        let mut both = at_once()?;
        let stored_in =
            |found: &Ours| beyond(&found.measured, nothing.measured.peak_bytes, found.states);
        let compressed = if case.liveness || one.states > MANY {
            "-".to_owned()
        } else {
            let mut all = arguments.clone();
            all.extend(["--jobs", "1", "--storage", "compressed"]);
            format!(
                "{:.1}",
                stored_in(&ours(&options.program, &case.model, &all)?)
            )
        };
        let mut theirs = made.run(recipe).ok();
        for _ in 1..options.runs {
            if let Some(theirs) = &mut theirs {
                better(theirs, made.run(recipe)?, |f: &Found| used(&f.measured));
            }
            // After theirs, the system may have to find the memory again that ours gave back before:
            // of two runs one after the other, the second finds it where the first has left it.
            for _ in 0..2 {
                let next = with_jobs("1")?;
                better(&mut alone, next.seconds, |seconds| *seconds);
                better(&mut one, next, |o: &Ours| used(&o.measured));
                better(&mut two, side_by_side()?, |(seconds, _)| *seconds);
            }
            better(&mut both, at_once()?, |seconds| *seconds);
        }
        let our_speed = one.states as f64 / used(&one.measured);
        let (stored, their_speed, ratio, their_bytes) = match &theirs {
            Some(theirs) => {
                let equal = theirs.states == one.states;
                *well &= equal;
                let stored = if equal {
                    theirs.states.to_string()
                } else {
                    format!("{} (pan: {})", one.states, theirs.states)
                };
                let speed = theirs.states as f64 / used(&theirs.measured);
                let bare = bare.ok().and_then(|found| found.measured.peak_bytes);
                (
                    stored,
                    format!("{:.2} M", speed / 1e6),
                    format!("{:.1}", our_speed / speed),
                    format!("{:.1}", beyond(&theirs.measured, bare, theirs.states)),
                )
            }
            None => {
                let stored = format!("{} (pan gives up)", one.states);
                (stored, String::new(), String::new(), String::new())
            }
        };
        let fails = theirs.is_some_and(|theirs| theirs.errors > 0) || one.verdict != "holds";
        let row = format!(
            "| {}{} | {stored} | {their_speed} | {:.2} M | {ratio} | {:.2} x ({:.0} ns) | {:.2} x | {their_bytes} | {:.1} | {compressed} |",
            case.name,
            if fails { " (fails)" } else { "" },
            our_speed / 1e6,
            alone / two.0.max(1e-6),
            two.1,
            2.0 * alone / both.max(1e-6),
            stored_in(&one),
        );
        // A long measurement that is stopped should leave what it has.
        println!("{row}");
        page.push_str(&row);
        page.push('\n');
    }
    Ok(format!(
        "`spin -o1 -o2 -o3 -a`, `gcc -O3 -march=native -DNOREDUCE` (`-DSAFETY` and `-DNOCLAIM` where \
         nothing needs the rest), `pan -w24`, against `probity check --passes none --reduce none \
         --jobs 1`. \
         States in a second of the whole process's processor time, the system's for it \
         included, ours with reading the file, theirs without the compiler's; *two jobs* is the \
         wall time of the exploration on one thread by that on two, and how long a cache line took from \
         one processor to the other before or after that; *at once* is how much more two \
         searches on one thread each do that run beside each other; bytes are those beyond a run \
         that stores nothing, so pan's table of 2^24 entries is not counted; *compressed* is with \
         `--storage compressed`. pan goes as deep as it has to. *pan gives up*: not done within 200 seconds.\n\n{page}"
    ))
}

/// Bytes a state beyond what a run takes that stores nothing.
fn beyond(run: &Measured, empty: Option<u64>, states: u64) -> f64 {
    let (peak, empty) = (run.peak_bytes.unwrap_or(0), empty.unwrap_or(0));
    peak.saturating_sub(empty) as f64 / states.max(1) as f64
}

fn better<T>(best: &mut T, next: T, figure: impl Fn(&T) -> f64) {
    if figure(&next) < figure(best) {
        *best = next;
    }
}

/// The auction's properties that look at another process's variables, passes on.
fn reduced(options: &Options<'_>) -> Result<String, String> {
    let auction = reference().join("spin/auction.pml");
    if !auction.is_file() {
        return Err(format!("find {}", auction.display()));
    }
    let mut page = String::from(
        "| property | SPIN stores | we store | target | time |\n|---|---:|---:|---:|---:|\n",
    );
    for (number, spin, target) in [
        (2, 5_212_825, 500_000),
        (4, 5_212_825, 500_000),
        (5, 5_212_825, 500_000),
        (6, 5_212_825, 500_000),
        (3, 10_307_825, 800_000),
    ] {
        let define = format!("PROP={number}");
        let arguments = ["--property", "never", "-D", &define, "--jobs", "1"];
        let one = || ours(&options.program, &auction, &arguments);
        let best = least(options.runs, one, |o| used(&o.measured))?;
        writeln!(
            page,
            "| {number} ({}) | {spin} | {} | {target} | {:.2} s |",
            best.verdict, best.states, best.measured.seconds
        )
        .expect("writing to a string succeeds");
    }
    Ok(format!(
        "The first paper's auction at (10, 5, 10); SPIN's figures are those of one run with its \
         own reductions on, which one remote reference turns off.\n\n{page}"
    ))
}

/// Resident sizes that differ by less cannot be told apart: the system counts them in batches.
const RESOLUTION: u64 = 1 << 20;

/// Speed and memory as a family grows.
fn grow(options: &Options<'_>) -> Result<String, String> {
    let folder = scratch();
    let search = |modulus: u32| {
        let model = written(&folder, "counters.pml", &families::counters(4, modulus))?;
        let arguments = [
            "--property",
            "deadlock",
            "--passes",
            "none",
            "--reduce",
            "none",
            "--jobs",
            "1",
        ];
        ours(&options.program, &model, &arguments)
    };
    let smallest = search(2)?.measured.peak_bytes.unwrap_or(0);
    let mut page = String::from(
        "| states | states/s | bytes held/state | resident |\n|---:|---:|---:|---:|\n",
    );
    let mut points = Vec::new();
    for exponent in 4..=options.growth {
        // As many successors from each state, however many states there are.
        let modulus = 10f64.powf(f64::from(exponent) / 4.0).round() as u32;
        let best = least(options.runs, || search(modulus), |o| o.seconds)?;
        let states = best.states.max(1) as f64;
        let peak = best.measured.peak_bytes.unwrap_or(0);
        let resident = match peak.saturating_sub(smallest) {
            few if few < RESOLUTION => "-".to_owned(),
            bytes => format!("{:.1}", bytes as f64 / states),
        };
        let point = Point {
            states,
            speed: states / best.seconds.max(1e-6),
            bytes: best.held as f64 / states,
        };
        writeln!(
            page,
            "| {} | {:.2} M | {:.1} | {resident} |",
            best.states,
            point.speed / 1e6,
            point.bytes
        )
        .expect("writing to a string succeeds");
        points.push(point);
    }
    if options.write {
        let path = root().join("docs/growth.svg");
        std::fs::write(&path, growth::svg(&points))
            .map_err(|error| format!("write {}: {error}", path.display()))?;
    }
    Ok(format!(
        "Four counters, one process each, that count modulo the fourth root of the number of \
         states; exploration time only, one thread. Held is what the search holds: states, table \
         and what is beside; resident is the process's peak less that with 16 states, where it is \
         more than the system resolves (1 MB).\n\n\
         ![states per second and bytes per state](growth.svg)\n\n{page}"
    ))
}
