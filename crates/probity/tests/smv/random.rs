//! Random models: what branching time and linear time say of the same is the same, and what
//! NuSMV says.
//!
//! One engine computes sets of states on the graph of all of them, one compiles one process,
//! runs all passes and searches for accepting cycles, one has sets of states as decision diagrams,
//! one is about circuits and satisfiability. NuSMV takes part where
//! `PROBITY_NUSMV` names it. `PROBITY_RANDOM_FROM` chooses other seeds; `PROBITY_RANDOM_COUNT` says
//! how many models are to be counted, `cargo xtask conform smv --random COUNT` makes them many.
//!
//! A model is counted if it has states enough for something to go wrong and nothing in it is
//! vacuous; of the others some are compared all the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use crate::generate::{Model, Random};
use crate::{check, nusmv, read_verdicts};

/// What is asked: each answers what it can. The first one says how large a model is.
const ENGINES: &[&str] = &["symbolic", "games", "explicit", "sat"];

/// How many features of the language there are for a model to have; a run has each.
const FEATURES: usize = 11;

/// Models with more states are left out: to enumerate them takes longer than many others together.
const MANY_STATES: u64 = 4_000;

/// What each engine is given for a model; a graph of few states may have millions of transitions.
const SECONDS: u32 = 5;

/// Models with fewer states are not counted, since little can go wrong in them.
const FEW_STATES: u64 = 60;

/// One in so many of the small models and of those with something vacuous is compared; one in so
/// many on the graph of all states, which takes longest, and with NuSMV.
const SOME: u64 = 3;

/// What a run covered.
#[derive(Default)]
struct Spread {
    models: usize,
    too_large: usize,
    too_small: usize,
    with_vacuous: usize,
    states: Vec<u64>,
    verdicts: usize,
    fails: usize,
    compared: usize,
    features: BTreeMap<&'static str, usize>,
    /// By engine.
    answers: BTreeMap<&'static str, usize>,
    seconds: BTreeMap<&'static str, f64>,
    differences: Vec<String>,
}

impl Spread {
    fn median_states(&self) -> u64 {
        let mut states = self.states.clone();
        states.sort_unstable();
        states.get(states.len() / 2).copied().unwrap_or(0)
    }
}

/// The number of states that the exploration for branching time met.
fn states(out: &str) -> Option<u64> {
    let line = out.lines().find(|line| line.contains(" ctl_1 "))?;
    let before = line.split(" states").next()?;
    let number = before.rsplit(' ').next()?.replace(',', "");
    number.parse().ok()
}

/// Verdicts by property, in order.
type Verdicts = Vec<(String, &'static str)>;

/// Verdicts, states, differences.
type Said = (Verdicts, Option<u64>, Vec<String>);

/// What the engines say of a model together, its states, and where they say different things;
/// nothing if the model is left out.
fn by_engine(text: &str, seed: u64, spread: &mut Spread) -> Result<Option<Said>, String> {
    let mut all: Verdicts = Vec::new();
    let (mut size, mut differences) = (None, Vec::new());
    for &engine in ENGINES {
        if engine == "games" && !seed.is_multiple_of(SOME) {
            continue;
        }
        let begun = Instant::now();
        let (status, out, err) = check(text, &format!("--timeout {SECONDS} --engine {engine}"));
        *spread.seconds.entry(engine).or_default() += begun.elapsed().as_secs_f64();
        if status == 2 {
            return Err(err);
        }
        match (engine, states(&out)) {
            ("symbolic", Some(states)) if states > MANY_STATES => {
                spread.too_large += 1;
                return Ok(None);
            }
            ("symbolic", Some(states)) if states < FEW_STATES && !seed.is_multiple_of(SOME) => {
                spread.too_small += 1;
                return Ok(None);
            }
            ("symbolic", states) => size = states,
            // Decision diagrams have only what the formulas depend on.
            ("games", Some(states)) if states > 0 => size = Some(states),
            _ => {}
        }
        let found = read_verdicts(&out);
        let known = found.iter().filter(|(_, word)| *word != "not known");
        *spread.answers.entry(engine).or_default() += known.count();
        if all.is_empty() {
            let vacuous = found.iter().any(|(_, word)| *word == "vacuous");
            if vacuous && !seed.is_multiple_of(SOME) {
                spread.with_vacuous += 1;
                return Ok(None);
            }
            all = found;
            continue;
        }
        for ((name, known), (_, word)) in all.iter_mut().zip(found) {
            if *known == "not known" {
                *known = word;
                continue;
            }
            if word != "not known" && word != *known {
                differences.push(format!("{name}: {known}, but {word} ({engine})"));
            }
        }
    }
    Ok(Some((all, size, differences)))
}

fn look_at(seed: u64, model: &Model, peer: Option<&Path>, spread: &mut Spread) {
    for feature in &model.features {
        *spread.features.entry(feature).or_default() += 1;
    }
    let by_engine = by_engine(&model.text, seed, spread);
    let mut differ = |what: String| {
        let text = &model.text;
        spread
            .differences
            .push(format!("seed {seed}: {what}\n{text}"));
    };
    let ask = |program| nusmv::ask(program, &model.text, &seed.to_string());
    let (found, states, differences) = match by_engine {
        Ok(Some(said)) => said,
        Ok(None) => return,
        Err(err) => {
            match peer.map(ask) {
                Some(theirs) if !theirs.errors.is_empty() => {}
                _ => differ(format!("refused: {err}")),
            }
            return;
        }
    };
    differences.into_iter().for_each(&mut differ);
    if states.is_none_or(|states| states == 0) {
        spread.too_large += 1;
        return;
    }
    let of = |kind: &str| -> Vec<(&str, &str)> {
        let own = found.iter().filter(|(name, _)| name.starts_with(kind));
        own.map(|(name, word)| (name.as_str(), *word)).collect()
    };
    let (trees, lines, psl, invariants) = (of("ctl_"), of("ltl_"), of("psl_"), of("invar_"));
    for (tree, line) in trees.iter().zip(&lines).take(model.pairs) {
        if tree.1 != line.1 {
            differ(format!("{tree:?} and {line:?}"));
        }
    }
    // All but the last of PSL repeat those of linear time.
    for (line, same) in lines.iter().zip(&psl).take(psl.len() - 1) {
        if line.1 != same.1 {
            differ(format!("{line:?} and {same:?}"));
        }
    }
    if let Some((name, _)) = found.iter().find(|(_, word)| *word == "not known") {
        differ(format!("{name} is not known"));
    }
    let peer = peer.filter(|_| seed.is_multiple_of(SOME));
    if let Some(theirs) = peer.map(ask) {
        let kinds = [
            ("CTL", &trees),
            ("LTL", &lines),
            ("PSL", &psl),
            ("Invar", &invariants),
        ];
        if !theirs.errors.is_empty() {
            differ(format!("NuSMV refuses it: {}", theirs.errors));
            return;
        }
        for (kind, ours) in kinds {
            // NuSMV's answers under compassion are wrong: `COMPASSION (TRUE, TRUE)` changes them.
            if model.features.contains(&"compassion") && matches!(kind, "LTL" | "PSL") {
                continue;
            }
            let said = theirs.of(kind);
            if said.len() != ours.len() {
                differ(format!(
                    "NuSMV has {} of {kind}, we {}",
                    said.len(),
                    ours.len()
                ));
            }
            for (said, (name, word)) in said.into_iter().zip(ours) {
                // NuSMV says "true" of what is vacuous, and warns.
                let same = match *word {
                    "fails" => said == "False",
                    _ => said == "True",
                };
                if !same {
                    differ(format!("{name}: {word} (NuSMV: {said})"));
                }
                spread.compared += 1;
            }
        }
    }
    if states.is_some_and(|states| states < FEW_STATES) {
        spread.too_small += 1;
        return;
    }
    if found.iter().any(|(_, word)| *word == "vacuous") {
        spread.with_vacuous += 1;
        return;
    }
    spread.models += 1;
    spread.verdicts += found.len();
    spread.fails += found.iter().filter(|(_, word)| *word == "fails").count();
    spread.states.extend(states);
}

#[test]
fn engines_and_nusmv_agree_on_random_models() {
    let read = |name: &str, usual: u64| {
        let set = std::env::var(name).ok();
        set.and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let from = read("PROBITY_RANDOM_FROM", 0);
    let count = read("PROBITY_RANDOM_COUNT", 30);
    let peer = nusmv::program();
    let mut spread = Spread::default();
    let mut seed = from;
    while (spread.models as u64) < count {
        let model = Random::new(seed).model();
        look_at(seed, &model, peer.as_deref(), &mut spread);
        seed += 1;
        assert!(
            seed - from < 20 * count,
            "few models count: {}",
            spread.models
        );
        if seed % 500 == 0 {
            println!("seed {seed}: {}", spread.models);
            spread
                .differences
                .iter()
                .for_each(|differs| println!("{differs}"));
        }
    }
    println!(
        "{} models, none with anything vacuous ({} more have, {} are too small, {} too large), \
         median {} states; {} verdicts, {} fail; {} compared with NuSMV{}; {:?}; answers {:?}; \
         seconds {:.1?}",
        spread.models,
        spread.with_vacuous,
        spread.too_small,
        spread.too_large,
        spread.median_states(),
        spread.verdicts,
        spread.fails,
        spread.compared,
        match peer {
            Some(_) => "",
            None => ", which PROBITY_NUSMV does not name",
        },
        spread.features,
        spread.answers,
        spread.seconds,
    );
    let differences = &spread.differences;
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(spread.fails * 10 >= spread.verdicts * 3);
    assert!(spread.median_states() >= 200);
    assert_eq!(spread.features.len(), FEATURES, "{:?}", spread.features);
}
