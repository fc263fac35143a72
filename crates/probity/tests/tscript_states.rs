//! States of Tscripts that nobody can tell apart are one: the verdicts are those of the states one by
//! one, and so are the graphs, up to branching bisimilarity with all actions hidden that no formula
//! names.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use logic::mu::{Pattern, Values};
use model::{
    Budget, Claim, Equivalence, EventId, Label, Program, PropertyId, Silent, StateSpace, Value,
};
use tscript::{Dialect, Options, Schedule};

/// What is compared of a script: verdicts by property, states, and states of the least graph.
struct Found {
    verdicts: BTreeMap<String, &'static str>,
    states: usize,
    least: usize,
}

/// Looks at a script; `None` if it is not accepted or has too many states.
fn found(text: &str, options: &Options<'_>) -> Option<Found> {
    let loaded = tscript::load("script.tb", text, options);
    let program = loaded.program?;
    let outcomes = verify::check(
        &program,
        &verify::Options {
            jobs: 1,
            ..verify::Options::default()
        },
        &Silent,
    );
    let verdicts = outcomes
        .iter()
        .map(|outcome| {
            let name = program.properties[outcome.property.index()].name.clone();
            let verdict = match outcome.verdict {
                model::Verdict::Holds { .. } => "holds",
                model::Verdict::Fails { .. } => "fails",
                _ => "not known",
            };
            (name, verdict)
        })
        .collect();
    let (states, least) = sizes(&program)?;
    Some(Found {
        verdicts,
        states,
        least,
    })
}

/// How many states the graph of the formulas has, and how many of them can be told apart by what
/// formulas name.
fn sizes(program: &Program) -> Option<(usize, usize)> {
    let formulas: Vec<PropertyId> = (0..program.properties.len())
        .map(PropertyId::new)
        .filter(|id| matches!(program.properties[id.index()].claim, Claim::Mu(_)))
        .collect();
    let mut named: Vec<(EventId, Vec<Pattern<Value>>)> = Vec::new();
    for id in &formulas {
        if let Claim::Mu(formula) = &program.properties[id.index()].claim {
            let actions = formula.actions().into_iter();
            named.extend(actions.map(|(event, patterns)| (*event, patterns.to_vec())));
        }
    }
    let program = passes::focus(program, &formulas);
    let space = explicit::Space::explore(
        &program,
        &[],
        true,
        &explicit::Options::with_jobs(1),
        &Budget::default(),
        &Silent,
    )
    .ok()?;
    let seen = space.graph().relabelled(|_, label: &Label| {
        let seen = label.iter().filter(|what| {
            named.iter().any(|(event, patterns)| {
                let mut pairs = patterns.iter().zip(&what.args);
                *event == what.event && pairs.all(|(p, value)| fits(&program, p, value))
            })
        });
        seen.cloned().collect::<Vec<_>>()
    });
    let least = seen.reduced(Equivalence::Branching, Vec::is_empty, usize::MAX);
    Some((seen.len(), least.ok()?.graph.len()))
}

fn fits(program: &Program, pattern: &Pattern<Value>, value: &Value) -> bool {
    match pattern {
        Pattern::Any | Pattern::Variable(_) | Pattern::Computed(_) => true,
        Pattern::Value(wanted) => wanted == value,
        Pattern::Term(functor, patterns) => {
            Values::term(&*program.rich, value).is_some_and(|(name, args)| {
                *name == **functor
                    && args.len() == patterns.len()
                    && patterns.iter().zip(&args).all(|(p, v)| fits(program, p, v))
            })
        }
    }
}

/// Compares a script with the same one, state by state.
fn compare(text: &str, options: &Options<'_>, plain: &Options<'_>) -> Option<(Found, Found)> {
    let (small, large) = (found(text, options)?, found(text, plain)?);
    assert_eq!(small.verdicts, large.verdicts, "{text}");
    assert_eq!(small.least, large.least, "{text}");
    Some((small, large))
}

#[test]
fn the_auction_is_the_same_with_fewer_states() {
    let scripts = [
        include_str!("../../../examples/tscript/auction/original.tb"),
        include_str!("../../../examples/tscript/auction/repaired.tb"),
    ];
    // At least so many times as many, in tenths.
    for (text, gain) in scripts.into_iter().zip([12, 15]) {
        let with = |plain: bool, dialect: Dialect, polite_tools: bool| Options {
            plain,
            dialect,
            polite_tools,
            bounds: vec![("new-item".to_owned(), "1".to_owned())],
            ..Options::default()
        };
        for (dialect, polite) in [
            (Dialect::Ng, false),
            (Dialect::C, false),
            (Dialect::Ng, true),
        ] {
            let (small, large) = compare(
                text,
                &with(false, dialect, polite),
                &with(true, dialect, polite),
            )
            .expect("it is accepted");
            let (small, large) = (small.states, large.states);
            assert!(small < large, "{small} {large}");
            if !polite {
                assert!(small * gain < large * 10, "{small} {large}");
            }
        }
    }
}

/// A small generator of random numbers (xorshift).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// What a process of one tool may do.
const WORKER: &[&str] = &[
    "subscribe(a)",
    "subscribe(b(<int>))",
    "unsubscribe(a)",
    "unsubscribe(b(<int>))",
    "rec-note(a)",
    "rec-note(b(N?))",
    "(snd-msg(m(N)) +> rec-note(a))",
    "no-note(a)",
    "snd-do(X, show(N))",
    "snd-do(X, hide)",
    "rec-event(X, push(N?))",
    "snd-ack-event(X, push(N))",
    "snd-msg(m(N))",
    "rec-msg(r)",
    "rec-disconnect(X) . delta",
    "Show(X)",
    "Show(X)",
    "N := 1",
    "tau",
    "if equal(N, 1) then snd-do(X, hide) else tau fi",
    "if equal(N, 1) then rec-note(a) fi",
];

/// What the process that lets tools in may do.
const MASTER: &[&str] = &[
    "rec-connect(X?) . create(Worker(X), P?)",
    "rec-connect(X?) . create(Worker(X), P?)",
    "rec-connect(X?) . (snd-do(X, hide) . create(Worker(X), P?) + rec-disconnect(X))",
    "snd-note(a)",
    "snd-note(b(1))",
    "snd-note(b(N))",
    "rec-msg(m(N?))",
    "snd-msg(r)",
    "N := 2",
    "snd-do(X, hide)",
    "if equal(N, 2) then snd-note(a) else tau fi",
];

/// What it may do each time it comes round.
const ROUND: &[&str] = &[
    "rec-msg(m(N?))",
    "rec-msg(m(N?))",
    "(rec-msg(m(N?)) + tau)",
    "snd-msg(r)",
    "(snd-msg(r) + tau)",
    "snd-note(b(N))",
    "N := 2",
];

/// A process; with loops, unless it sends notes: no queue must come to be full, since one that nobody
/// reads any more never is. (What stands behind an event of a tool is done only so often.)
fn process(random: &mut Random, atoms: &[&str], depth: usize, loops: bool) -> String {
    if depth == 0 {
        return random.one(atoms).to_owned();
    }
    let (a, b) = (
        process(random, atoms, depth - 1, loops),
        process(random, atoms, depth - 1, loops),
    );
    match random.below(if loops { 8 } else { 6 }) {
        0..=3 => format!("{a} . {b}"),
        4 | 5 => format!("({a} + {b})"),
        6 => format!("({a}) * {b}"),
        _ => format!("({a} . {b}) * delta"),
    }
}

fn script(random: &mut Random) -> String {
    let rounds = random.below(2) == 0;
    let master = match rounds {
        true => {
            let body = process(random, ROUND, 1, false);
            format!(
                "execute(master, M?) . ( rec-event(M, go) . snd-note(a) . {body} . \
                 snd-ack-event(M, go) ) * delta"
            )
        }
        false => process(random, MASTER, 3, false),
    };
    let worker = process(random, WORKER, 3, true);
    let subscribes = random.one(&["tau", "subscribe(a)"]);
    let show = process(
        random,
        &["snd-do(X, show(M))", "M := 2", "rec-note(b(M?))"],
        1,
        true,
    );
    let mut text = format!(
        "%%@ bound queue = 20\n%%@ bound processes = 3\n%%@ bound connections = 1\n%%@ bound t = 2\n\
         %%@ bound go = 2\n\
         tool t is {{ command = \"t\" }}\n\
         tool master is {{ command = \"m\" }}\n\
         process Master is let X : t, P : int, N : int, M : master in N := 1 . rec-connect(X?) . \
         create(Worker(X), P?) . {master} . delta endlet\n\
         process Worker(X : t) is let N : int in N := 1 . {subscribes} . {worker} . \
         rec-disconnect(X) . unsubscribe(a) . delta endlet\n\
         process Show(X : t) is let M : int in M := 1 . {show} endlet\n\
         toolbus(Master)\n"
    );
    for (number, (words, linear, fixpoints)) in PAIRS.iter().enumerate() {
        let known = words.iter().all(|word| text.contains(word));
        if known && random.below(2) > 0 {
            write!(
                text,
                "%%@ property linear{number}: {linear}\n\
                 %%@ property fixpoints{number}: {fixpoints}\n"
            )
            .expect("writing to a string succeeds");
        }
    }
    for (number, (words, formula)) in FORMULAS.iter().enumerate() {
        let known = words.iter().all(|word| text.contains(word));
        if known && random.below(3) > 0 {
            writeln!(text, "%%@ property f{number}: {formula}")
                .expect("writing to a string succeeds");
        }
    }
    text
}

/// Formulas, and what must be in a script that they speak of.
const FORMULAS: &[(&[&str], &str)] = &[
    (
        &["snd-note(a)", "rec-note(a)"],
        "[true* . snd-note(a)] <true* . rec-note(a)> true",
    ),
    (
        &["rec-event(", "snd-ack-event(", "hide"],
        "forall n. [true* . rec-event(_, push(n)) . (!snd-ack-event(_, push(n)))* . snd-do(_, hide)] false",
    ),
    (
        &["subscribe(", "delta endlet"],
        "[true* . create(_)] mu Y. (<!ends()> Y || <subscribe(_)> true)",
    ),
    (
        &["rec-disconnect(", "show("],
        "forall b. [true* . vanishes(b) . (!rec-disconnect(b))* . snd-do(b, show(_))] false",
    ),
    (&["snd-msg(m(", "rec-msg(m("], "[true* . msg(m(_))] false"),
];

/// Formulas of linear time, and what says the same by fixpoints: a run that ends owes what has not come.
const PAIRS: &[(&[&str], &str, &str)] = &[
    (
        &["rec-note(a)"],
        "[] !rec-note(a)",
        "[true* . rec-note(a)] false",
    ),
    (
        &["snd-note(a)", "rec-note(a)"],
        "[] (snd-note(a) -> <> rec-note(a))",
        "[true* . snd-note(a)] mu X. (<true> true && [!rec-note(a)] X)",
    ),
    (
        &["rec-event(X, push", "show(N)"],
        "!snd-do(_, show(_)) W rec-event(_, push(_))",
        "[(!rec-event(_, push(_)))* . snd-do(_, show(_))] false",
    ),
    (
        &["snd-do("],
        "[] <> snd-do(_, _)",
        "nu Y. mu X. ([snd-do(_, _)] Y && [!snd-do(_, _)] X && <true> true)",
    ),
    (
        &["snd-do(X, hide)"],
        "<> [] !snd-do(_, hide)",
        "mu Y. nu X. ([snd-do(_, hide)] Y && [!snd-do(_, hide)] X)",
    ),
    (
        &["subscribe(a)", "rec-note(a)"],
        "[] (subscribe(a) -> X rec-note(_))",
        "[true* . subscribe(a)] (<true> true && [!rec-note(_)] false)",
    ),
    (
        &["rec-msg(m("],
        "<> msg(m(2))",
        "mu X. (<true> true && [!msg(m(2))] X)",
    ),
];

#[test]
fn random_scripts_are_the_same_with_fewer_states() {
    let mut random = Random(fastrand::Rng::with_seed(0x2545_f491_4f6c_dd1d));
    let (mut compared, mut smaller) = (0, 0);
    let (mut verdicts, mut late) = (BTreeMap::new(), BTreeMap::new());
    let mut pairs: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for _ in 0..300 {
        let text = script(&mut random);
        let with = |plain: bool, random: &mut Random| Options {
            plain,
            dialect: [Dialect::Ng, Dialect::Ng, Dialect::C][random.below(3)],
            schedule: [Schedule::Free, Schedule::Free, Schedule::Prompt][random.below(3)],
            polite_tools: random.below(4) == 0,
            ..Options::default()
        };
        let seed = random.0.u64(..);
        let small = with(false, &mut Random(fastrand::Rng::with_seed(seed)));
        let large = with(true, &mut Random(fastrand::Rng::with_seed(seed)));
        random.below(2);
        if let Some((small, large)) = compare(&text, &small, &large) {
            compared += 1;
            smaller += usize::from(small.states < large.states);
            for (name, linear) in &small.verdicts {
                if let Some(number) = name.strip_prefix("linear") {
                    let fixpoints = small.verdicts[&format!("fixpoints{number}")];
                    assert_eq!(*linear, fixpoints, "{number}: {text}");
                    *pairs.entry((number.to_owned(), fixpoints)).or_insert(0) += 1;
                }
            }
            for (name, verdict) in small.verdicts {
                *verdicts.entry(verdict).or_insert(0) += 1;
                if name.starts_with("stale-") || name.starts_with("outdated-") {
                    *late.entry(verdict).or_insert(0) += 1;
                }
            }
        }
    }
    let seen = |verdict: &str| verdicts.get(verdict).copied().unwrap_or(0);
    assert!(compared > 50 && smaller > 3, "{compared} {smaller}");
    assert!(
        seen("fails") > 20 && seen("holds") + seen("not known") > 20,
        "{verdicts:?}"
    );
    for number in 0..PAIRS.len() {
        let fails = pairs.get(&(number.to_string(), "fails"));
        assert!(fails.is_some_and(|many| *many > 1), "{number}: {pairs:?}");
    }
    let hold = pairs.iter().filter(|((_, verdict), _)| *verdict == "holds");
    assert!(hold.count() > 3, "{pairs:?}");
    assert!(late["fails"] > 2 && late["holds"] > 20, "{late:?}");
}

/// That a process stops reading notes is nothing that happens.
#[test]
fn who_stops_reading_does_so_in_silence() {
    let text = "%%@ bound queue = 20\n%%@ property quietly: [true* . subscribe(_)] <tau> true\n\
        process S is ( rec-msg(start) . snd-note(n) ) * rec-msg(m)\n\
        process R is subscribe(n) . ( rec-note(n) + tau . snd-msg(start) . snd-msg(m) ) . delta\n\
        toolbus(S, R)";
    let plain = Options {
        plain: true,
        ..Options::default()
    };
    let (small, _) = compare(text, &Options::default(), &plain).expect("it is accepted");
    assert_eq!(small.verdicts["quietly"], "holds");
}

/// Whether notes wait that are old is still asked of who will not read them, but sends messages.
#[test]
fn notes_that_nobody_will_read_grow_old() {
    let script = |first: &str, last: &str| {
        format!(
            "process S is ( rec-msg(start) . snd-note(n) . snd-note(n) ) * rec-msg(m)\n\
             process R is subscribe(n) . {first} . rec-note(n) . {last} snd-msg(m)\n\
             toolbus(S, R)\n"
        )
    };
    let (start, twice) = ("snd-msg(start)", "snd-msg(start) . snd-msg(start)");
    let cases = [
        // It has read one of this round, the other is not old yet.
        (script(start, ""), "holds"),
        // Of the first round it has read one,
        (script(twice, ""), "fails"),
        // of this round it has; then comes another.
        (script(start, "snd-msg(start) ."), "fails"),
        // All that it has not read is of this round.
        (script(twice, "rec-note(n) ."), "holds"),
        (script(twice, "rec-note(n) . rec-note(n) ."), "holds"),
    ];
    let plain = Options {
        plain: true,
        ..Options::default()
    };
    for (text, expected) in cases {
        let text = format!("%%@ bound queue = 20\n{text}");
        let (small, large) = compare(&text, &Options::default(), &plain).expect("it is accepted");
        assert_eq!(small.verdicts["outdated-m"], expected, "{text}");
        assert!(small.states <= large.states, "{text}");
    }
}

/// The variables of two calls become one only where at most one of them is in use.
#[test]
fn calls_side_by_side_keep_their_own_values() {
    for calls in ["Echo || Echo", "Echo . Echo"] {
        let text = format!(
            "%%@ property once: forall n. [true* . msg(out(n)) . true* . msg(out(n))] false\n\
             process Echo is let X : int in rec-msg(in(X?)) . snd-msg(out(X)) endlet\n\
             process Both is ( {calls} ) . delta\n\
             process User is snd-msg(in(1)) . ( snd-msg(in(2)) . rec-msg(out(1)) . rec-msg(out(2))\n\
               + snd-msg(in(2)) . rec-msg(out(2)) . rec-msg(out(1))\n\
               + rec-msg(out(1)) . snd-msg(in(2)) . rec-msg(out(2)) ) . delta\n\
             toolbus(Both, User)\n"
        );
        let plain = Options {
            plain: true,
            ..Options::default()
        };
        let (small, _) = compare(&text, &Options::default(), &plain).expect("it is accepted");
        assert_eq!(small.verdicts["once"], "holds", "{text}");
        assert!(small.states > 3, "{text}: {}", small.states);
    }
}

/// With formulas looked at on the way, verdicts are the same, runs are replayed as ever, and fewer states
/// are visited where the answer is near.
#[test]
fn near_answers_are_those_of_the_whole_graph() {
    let original = include_str!("../../../examples/tscript/auction/original.tb");
    let repaired = include_str!("../../../examples/tscript/auction/repaired.tb");
    let request = include_str!("../../../examples/tscript/request/request.tb");
    let dining = include_str!("../../../examples/tscript/dining/dining.tb");
    let (mut near, mut far) = (0, 0);
    for text in [original, repaired, request, dining] {
        let program = tscript::load("script.tb", text, &Options::default())
            .program
            .unwrap();
        let answers = |on_the_fly: bool| {
            let options = verify::Options {
                on_the_fly,
                jobs: 1,
                ..verify::Options::default()
            };
            verify::check(&program, &options, &Silent)
        };
        for (some, all) in answers(true).iter().zip(&answers(false)) {
            let property = &program.properties[some.property.index()];
            let word = |outcome: &verify::Outcome| match &outcome.verdict {
                model::Verdict::Holds { .. } => "holds".to_owned(),
                model::Verdict::Fails { .. } => "fails".to_owned(),
                other => format!("{other:?}"),
            };
            assert_eq!(word(some), word(all), "{}", property.name);
            let branches = matches!(property.claim, Claim::Ctl(_) | Claim::Mu(_));
            if branches && matches!(some.verdict, model::Verdict::Fails { .. }) {
                assert!(some.replay.is_some(), "{}", property.name);
                if some.statistics.states < all.statistics.states {
                    near += 1;
                } else {
                    far += 1;
                }
            }
        }
    }
    // What waits for ever is known to only when all that may come is.
    assert!(near > 3, "{near} near, {far} far");
}
