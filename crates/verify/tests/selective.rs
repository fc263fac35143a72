//! Verdicts with and without passing over what is at rest, on random models whose variables all move at once
//! and on random graphs of nodes where a signal takes a step along each line.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fastrand::Rng;
use model::{Claim, Program, PropertyId, Silent, Verdict};
use verify::{Engine, Options, Tuning};

const MODELS: u64 = 160;
const GRAPHS: u64 = 160;

/// Signals go down a row of machines that remember them, and set and reset flags.
fn row(random: &mut Rng) -> String {
    let (machines, flags) = (random.usize(3..6), random.usize(1..4));
    let mut vars = String::from("MODULE main\nVAR\n");
    let mut assigns = String::from("ASSIGN\n");
    for at in 0..machines {
        writeln!(vars, "  s{at} : {{none, out, both}};").unwrap();
        writeln!(vars, "  p{at} : {{ready, busy, done}};").unwrap();
        let first = match (at, random.u8(..4)) {
            (0, 0) => "{out, both}",
            (0, 1) => "{none, out}",
            (0, _) => "out",
            _ => "none",
        };
        writeln!(
            assigns,
            "  init(s{at}) := {first};\n  init(p{at}) := ready;"
        )
        .unwrap();
        let sent = ["out", "both", "{out, both}", "{none, out}"][random.usize(..4)];
        writeln!(
            assigns,
            "  next(s{at}) := case p{at} = busy : {sent}; TRUE : none; esac;"
        )
        .unwrap();
        // Sometimes round in a circle.
        let mut from: Vec<usize> = (0..at).filter(|_| random.u8(..3) > 0).collect();
        if random.u8(..6) == 0 {
            from.push(random.usize(at..machines));
        }
        let mut arrives = vec!["FALSE".to_owned()];
        for from in from {
            let test = ["!= none", "= out", "= both"][random.usize(..3)];
            arrives.push(format!("s{from} {test}"));
        }
        let arrives = arrives.join(" | ");
        let guard = match random.u8(..3) {
            0 => format!("f{}", random.usize(..flags)),
            1 => format!("!f{}", random.usize(..flags)),
            _ => "TRUE".to_owned(),
        };
        let end = ["done", "ready", "{busy, done}", "{ready, done}"][random.usize(..4)];
        writeln!(
            assigns,
            "  next(p{at}) := case p{at} = busy : {end}; \
             ({arrives}) & p{at} = ready & {guard} : busy; TRUE : p{at}; esac;"
        )
        .unwrap();
    }
    for at in 0..flags {
        writeln!(vars, "  f{at} : boolean;").unwrap();
        if random.u8(..3) > 0 {
            writeln!(
                assigns,
                "  init(f{at}) := {};",
                ["FALSE", "TRUE"][random.usize(..2)]
            )
            .unwrap();
        }
        let (sets, resets) = (random.usize(..machines), random.usize(..machines));
        let set = ["TRUE", &format!("!f{at}"), "{TRUE, FALSE}"][random.usize(..3)].to_owned();
        writeln!(
            assigns,
            "  next(f{at}) := case s{sets} != none : {set}; s{resets} = out : FALSE; TRUE : f{at}; esac;"
        )
        .unwrap();
    }
    let atom = |random: &mut Rng| match random.u8(..4) {
        0 => format!("f{}", random.usize(..flags)),
        1 => format!(
            "s{} = {}",
            random.usize(..machines),
            ["none", "out", "both"][random.usize(..3)]
        ),
        _ => format!(
            "p{} = {}",
            random.usize(..machines),
            ["ready", "busy", "done"][random.usize(..3)]
        ),
    };
    let mut asked = String::new();
    for _ in 0..random.u8(..2) {
        writeln!(asked, "FAIRNESS {};", atom(random)).unwrap();
    }
    for _ in 0..2 {
        let [a, b, c] = [(); 3].map(|()| atom(random));
        writeln!(asked, "INVARSPEC ({a}) | !({b}) | ({c});").unwrap();
        let formula = match random.u8(..7) {
            0 => format!("G (({a}) -> F ({b}))"),
            1 => format!("G (({a}) -> X ({b} | {c}))"),
            2 => format!("F G !({a})"),
            3 => format!("X X X ({a}) -> X X X X (({b}) | F ({c}))"),
            4 => format!("(({a}) U ({b})) | G !({c})"),
            5 => format!("G F ({a}) -> G F ({b})"),
            _ => format!("G (({a}) & X ({b}) -> X X !({c}))"),
        };
        writeln!(asked, "LTLSPEC {formula};").unwrap();
    }
    let [a, b] = [(); 2].map(|()| atom(random));
    let formula = match random.u8(..3) {
        0 => format!("AG (({a}) -> EF ({b}))"),
        1 => format!("EF (({a}) & EX EX ({b}))"),
        _ => format!("AG EX (({a}) | ({b}))"),
    };
    writeln!(asked, "CTLSPEC {formula};").unwrap();
    vars + &assigns + &asked
}

/// A graph of nodes of all kinds, with lines from anywhere to what comes later, now and then back to a wait.
fn graph(random: &mut Rng) -> String {
    const KINDS: &[(&str, &[&str], &[&str])] = &[
        ("SetEventMode", &["Enable", "Disable"], &["Out"]),
        ("SetEventMode", &["Enable", "Disable"], &["Out"]),
        ("If", &["In"], &["True", "False"]),
        ("Delay", &["Start"], &["Finished"]),
        ("MovieClip", &["Start"], &["Finished", "Skipped"]),
        ("DoOnce", &["Enter"], &["Out"]),
        ("FlipFlop", &["In"], &["OutA", "OutB"]),
        ("WaitAll", &["InA", "InB"], &["Out"]),
    ];
    let count = random.usize(4..9);
    let kinds: Vec<_> = (0..count)
        .map(|_| KINDS[random.usize(..KINDS.len())])
        .collect();
    let mut nodes = vec!["{\"name\": \"S\", \"kind\": \"ScriptStart\"}".to_owned()];
    let mut links = Vec::new();
    let name = |at: usize| format!("{}{at}", kinds[at].0);
    let mut outs = vec!["S.Out".to_owned()];
    for (at, (kind, ins, own)) in kinds.iter().enumerate() {
        nodes.push(format!(
            "{{\"name\": \"{}\", \"kind\": \"{kind}\"}}",
            name(at)
        ));
        for input in *ins {
            for _ in 0..random.usize(1..3) {
                let from = outs[random.usize(outs.len() / 2..outs.len())].clone();
                links.push(format!("\"{from} -> {}.{input}\"", name(at)));
            }
        }
        outs.extend(own.iter().map(|out| format!("{}.{out}", name(at))));
    }
    let waits: Vec<usize> = (0..count)
        .filter(|&at| ["Delay", "MovieClip"].contains(&kinds[at].0))
        .collect();
    if let Some(&wait) = random.choice(&waits)
        && random.u8(..3) == 0
    {
        let from = &outs[random.usize(..outs.len())];
        links.push(format!("\"{from} -> {}.Start\"", name(wait)));
    }
    links.sort();
    links.dedup();
    format!(
        "{{\"nodegraph\": 1, \"name\": \"random\", \"flags\": {{\"EventMode\": false}},\n\
         \"nodes\": [{}],\n\"links\": [{}],\n\"properties\": {{\
         \"ends\": \"AG (EventMode -> AF !EventMode)\", \"never\": \"AG !EventMode\", \
         \"next\": \"AG (EventMode -> AX EventMode)\", \"can\": \"AG EF !EventMode\"}}}}\n",
        nodes.join(",\n"),
        links.join(",\n")
    )
}

/// What is said of a property: by states that were seen, and behind which passes.
struct Said {
    property: PropertyId,
    word: &'static str,
    states: u64,
    passes: Vec<&'static str>,
}

/// What is said of each property, by one engine alone or by all.
fn verdicts(program: &Program, engine: Option<Engine>, least: u64) -> Vec<Said> {
    let mut tuning = Tuning::default();
    tuning
        .set(&format!(
            "selective-trace={}",
            match least {
                0 => "off".to_owned(),
                n => n.to_string(),
            }
        ))
        .unwrap();
    let options = Options {
        jobs: 1,
        engine,
        tuning,
        ..Options::default()
    };
    let outcomes = verify::check(program, &options, &Silent);
    let words = outcomes.iter().map(|outcome| {
        let word = match &outcome.verdict {
            Verdict::Holds { .. } => "holds",
            Verdict::Fails { .. } => "fails",
            Verdict::Vacuous { .. } => "vacuous",
            Verdict::Measured { .. } => "measured",
            Verdict::Unknown { .. } => "not known",
        };
        Said {
            property: outcome.property,
            word,
            states: outcome.statistics.states,
            passes: outcome.passes.iter().map(|sizes| sizes.pass).collect(),
        }
    });
    words.collect()
}

/// How many verdicts there were of each kind, how often the technique was used, and how often with fewer states.
#[derive(Default, Debug)]
struct Spread {
    words: BTreeMap<&'static str, usize>,
    used: usize,
    fewer: usize,
    /// How often it stood among the passes.
    named: usize,
}

impl Spread {
    fn compare(&mut self, program: &Program, seed: u64, text: &str) {
        let all: Vec<PropertyId> = (0..program.properties.len()).map(PropertyId::new).collect();
        let claim = |id: &PropertyId| &program.properties[id.index()].claim;
        let paths: Vec<PropertyId> = all
            .into_iter()
            .filter(|id| !matches!(claim(id), Claim::Ctl(_)))
            .collect();
        // Regions of one variable, of some, and of all.
        let least = [1, 6, 14][(seed % 3) as usize];
        let is_used = passes::selective(program, &paths, least as usize).is_some();
        self.used += usize::from(is_used);
        if !is_used {
            return;
        }
        let mut engines = vec![Some(Engine::Explicit), Some(Engine::Games)];
        if seed.is_multiple_of(4) {
            engines.push(None);
        }
        for engine in engines {
            let with = verdicts(program, engine, least);
            let without = verdicts(program, engine, 0);
            assert_eq!(with.len(), without.len());
            for (with, without) in with.iter().zip(&without) {
                assert_eq!(
                    (with.property, with.word),
                    (without.property, without.word),
                    "{seed} {engine:?}\n{text}"
                );
                *self.words.entry(with.word).or_default() += 1;
                if engine == Some(Engine::Explicit) && !with.passes.is_empty() {
                    assert_eq!(with.passes[0], "selective", "{seed}");
                    assert!(!without.passes.contains(&"selective"), "{seed}");
                    self.named += 1;
                }
                if engine == Some(Engine::Explicit) && with.word == "holds" {
                    self.fewer += usize::from(with.states < without.states);
                }
            }
        }
    }

    fn share(&self, word: &str) -> usize {
        let answered: usize = ["holds", "fails"]
            .map(|w| self.words.get(w).copied().unwrap_or(0))
            .iter()
            .sum();
        100 * self.words.get(word).copied().unwrap_or(0) / answered.max(1)
    }
}

#[test]
fn models_of_signals_have_the_same_verdicts() {
    let mut spread = Spread::default();
    for seed in 0..MODELS {
        let text = row(&mut Rng::with_seed(seed));
        let loaded = smv::load("m.smv", &text, &smv::Options::default());
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        spread.compare(&program, seed, &text);
    }
    let shares = ["holds", "fails"].map(|word| spread.share(word) >= 30);
    assert!(
        shares == [true; 2] && spread.used >= 100 && spread.fewer >= 40 && spread.named > 0,
        "{spread:?}"
    );
}

#[test]
fn graphs_of_nodes_have_the_same_verdicts() {
    let mut spread = Spread::default();
    for seed in 0..GRAPHS {
        let text = graph(&mut Rng::with_seed(seed));
        let options = nodegraph::Options {
            timing: nodegraph::Timing::Edges,
            ..nodegraph::Options::default()
        };
        let loaded = nodegraph::load("g.json", &text, &options);
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        spread.compare(&program, seed, &text);
    }
    let shares = ["holds", "fails"].map(|word| spread.share(word) >= 30);
    assert!(
        shares == [true; 2] && spread.used >= 80 && spread.fewer > 0 && spread.named > 0,
        "{spread:?}"
    );
}
