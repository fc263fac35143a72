//! A whole report on a hand-built program: a tip jar that gives one payment back too much.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use model::interp::Interp;
use model::{
    Assumption, Binary, Check, Choice, Claim, Event, MacroStep, Mode, Observer, Origin, Place,
    Process, Program, Property, PropertyId, Start, Statistics, Step, Stmt, Strength, Trace, Type,
    UnknownReason, VacuousReason, Value, ValueSet, Variable, VariableKind, Verdict, Visibility,
};
use report::{FileReport, Report, Required, Strength as Reach, TextOptions, VerdictWord};
use source::{SourceMap, Span};
use verify::Outcome;

const SCRIPT: &str = "\
integer total;
default {
    money(key id, integer amount) {
        total += amount;
        if (amount > 2) llGiveMoney(id, 1);
    }
}
//@ property keeps: never call llGiveMoney;
//@ property small: always total < 100;
";

/// The program, its sources, and the properties `keeps` and `small`.
fn tip_jar() -> (SourceMap, Program, [PropertyId; 2]) {
    let mut sources = SourceMap::new();
    let file = sources.add("scripts/jar.lsl", SCRIPT);
    let at = |needle: &str| sources.file(file).span_of(needle).unwrap();
    let mut program = Program::new("jar", "LSL");
    let total = program.add_global(Variable::new("total", Type::INT32));
    let held = program.add_global(Variable {
        kind: VariableKind::Ghost,
        ..Variable::new("held", Type::Mathint)
    });
    program.add_global(Variable {
        kind: VariableKind::World,
        init: Some(ValueSet::All(Type::Bool)),
        ..Variable::new("a note is there", Type::Bool)
    });
    let hidden = program.add_global(Variable::new("$place", Type::INT32));
    let pays = program.add_event(Event {
        name: "paid".into(),
        parameters: vec![("who".into(), Type::Rich), ("amount".into(), Type::INT32)],
        story: Some("{0} pays L${1}".into()),
        visibility: Visibility::Told,
    });
    let gives = program.add_event(Event {
        name: "call llGiveMoney".into(),
        parameters: vec![("to".into(), Type::Rich), ("n".into(), Type::INT32)],
        story: Some("the script pays {0} L${1}".into()),
        visibility: Visibility::Told,
    });
    let check = program.add_check(Check {
        name: "keeps".into(),
        failure: "the script gives money away".into(),
        span: at("never call llGiveMoney"),
    });
    let never = program.exprs.bool(false);
    program.add_observer(Observer {
        name: "keeps".into(),
        event: gives,
        body: vec![Stmt::Assert {
            cond: never,
            check,
            span: at("never call llGiveMoney"),
        }],
    });

    let mut world = Process::new("the world");
    world.environment = true;
    world.locals = vec![Variable::new("amount", Type::INT32)];
    let idle = world.add_location("idle", Mode::Open, Span::NONE);
    let pool = &mut program.exprs;
    let amount = pool.load(Place::own(0), Type::INT32);
    let bob = program.rich.term("key", [program.rich.text("Bob")]);
    let bob = pool.value(bob, Type::Rich);
    let total_now = pool.load(Place::global(total), Type::INT32);
    let held_now = pool.load(Place::global(held), Type::Mathint);
    let sum = pool.binary(Binary::Add, total_now, amount);
    let held_sum = pool.binary(Binary::Add, held_now, amount);
    let (zero, one, two, three) = (
        pool.int(0, Type::INT32),
        pool.int(1, Type::INT32),
        pool.int(2, Type::INT32),
        pool.int(3, Type::INT32),
    );
    let much = pool.binary(Binary::Lt, two, amount);
    let mut pay = Step::new(idle, idle, at("money(key"));
    pay.binds = vec![Choice {
        place: Place::own(0),
        set: ValueSet::Between(one, three),
        sample: None,
        what: "amount".into(),
        outside: None,
    }];
    pay.body = vec![
        Stmt::Emit {
            event: pays,
            args: vec![bob, amount],
            span: at("money(key"),
        },
        Stmt::Assign(Place::global(total), sum),
        Stmt::Assign(Place::global(held), held_sum),
        Stmt::Assign(Place::global(hidden), amount),
        Stmt::If(
            much,
            vec![Stmt::Emit {
                event: gives,
                args: vec![bob, one],
                span: at("llGiveMoney(id"),
            }],
            Vec::new(),
        ),
        Stmt::Assign(Place::own(0), zero),
    ];
    world.add_step(pay);
    let world = program.add_process(world);
    program.start.push(Start {
        process: world,
        args: Vec::new(),
    });

    let bound = program.add_assumption(Assumption {
        text: "every payment is from L$1 to L$3".into(),
        origin: Origin::Bound,
        properties: None,
        span: Span::NONE,
    });
    let limit = program.exprs.int(100, Type::INT32);
    let below = program.exprs.binary(Binary::Lt, total_now, limit);
    let property = |name: &str, text: &str, claim| Property {
        name: name.into(),
        text: text.into(),
        span: at(text),
        claim,
        trigger: None,
        observers: Vec::new(),
        assumptions: vec![bound],
    };
    let keeps = property("keeps", "never call llGiveMoney", Claim::Check(check));
    let small = property("small", "always total < 100", Claim::Always(below));
    let keeps = program.add_property(keeps);
    let small = program.add_property(small);
    (sources, program, [keeps, small])
}

/// A run in which Bob pays these amounts.
fn payments(interp: &Interp<'_>, amounts: &[i128]) -> Trace {
    let (initial, mut state) = interp.initial().unwrap().remove(0);
    let mut steps: Vec<MacroStep> = Vec::new();
    for amount in amounts {
        let found = interp.expand(&state).unwrap().successors;
        let chosen = found
            .into_iter()
            .find(|next| next.step.moves[0].choices == [Value::Int(*amount)])
            .unwrap();
        steps.push(chosen.step);
        state = chosen.state;
    }
    Trace {
        initial,
        steps,
        loop_start: None,
    }
}

fn outcome(property: PropertyId, verdict: Verdict) -> Outcome {
    Outcome {
        property,
        verdict,
        engine: verify::Engine::Explicit,
        statistics: Statistics {
            states: 1234,
            ..Statistics::default()
        },
        shared_by: 1,
        may_be_shorter: false,
        passes: Vec::new(),
        replay: None,
        audited: verify::Audited::Nothing,
        facts: Vec::new(),
        evidence: None,
        way: None,
        others: Vec::new(),
        others_cut: false,
        sampled: verify::Sampled::default(),
        program: None,
    }
}

fn failing(program: &Program, property: PropertyId, amounts: &[i128]) -> Outcome {
    let interp = Interp::new(program);
    let trace = payments(&interp, amounts);
    let replay = interp.replay(&trace).unwrap();
    Outcome {
        replay: Some(replay),
        ..outcome(
            property,
            Verdict::Fails {
                trace: Arc::new(trace),
            },
        )
    }
}

fn holding(program: &Program, property: PropertyId, strength: Strength) -> Outcome {
    let assumptions = program.properties[property.index()].assumptions.clone();
    outcome(
        property,
        Verdict::Holds {
            strength,
            assumptions,
        },
    )
}

fn report(outcomes: &[Outcome], required: Required) -> Report {
    let (sources, program, _) = tip_jar();
    let mut file = FileReport::checked("scripts/jar.lsl", &sources, &program, outcomes, &[]);
    for property in &mut file.properties {
        let name = property.name.as_str();
        let words = ["probity", "check", "scripts/jar.lsl", "--property", name];
        property.again = Some(report::shell_command(&words));
    }
    Report::new(vec![file], required)
}

#[test]
fn a_failed_check_is_told_with_its_lines_and_arguments() {
    let (_, program, [keeps, small]) = tip_jar();
    let outcomes = [
        failing(&program, keeps, &[1, 1, 3]),
        holding(&program, small, Strength::Exhausted),
    ];
    let report = report(&outcomes, Required::Exhausted);
    assert_eq!(report.status, 1);
    let text = report::text(&report, TextOptions::default());
    let expected = "\
scripts/jar.lsl
  fails      keeps  see below       [1]  1,234 states, 0.00 s
  holds      small  within bounds   [1]  1,234 states, 0.00 s

keeps fails
  never call llGiveMoney

  1-2. Bob pays L$1 (2 times)                         jar.lsl:3        money(key id, integer amount) {
         total 0 -> 2
         ledger: held 0 -> 2
    3. Bob pays L$3                                   jar.lsl:3        money(key id, integer amount) {
       the script pays Bob L$1                        jar.lsl:5        if (amount > 2) llGiveMoney(id, 1);
         total 2 -> 5
         ledger: held 2 -> 5
  => the script gives money away
     with to = Bob, n = 1
  Every step of it: probity check scripts/jar.lsl --property keeps --verbose

Assuming that
  [1] every payment is from L$1 to L$3  (command line)

2 properties: 1 holds, 1 fails. Exit status 1: some property fails.
";
    assert_eq!(text, expected, "the text was:\n{text}");
    let verbose = report::text(
        &report,
        TextOptions {
            verbose: true,
            ..TextOptions::default()
        },
    );
    assert!(verbose.contains("$place 0 -> 1"), "{verbose}");
    assert!(verbose.contains("at first a note is there = false"));
    assert!(verbose.contains("violated: the script gives money away"));
    assert!(!verbose.contains("times)"));
}

#[test]
fn what_is_not_kept_of_a_long_run_is_told_as_one_step() {
    let (_, program, [keeps, _]) = tip_jar();
    let mut amounts: Vec<i128> = [1, 2].repeat(10);
    amounts.push(3);
    let mut outcome = failing(&program, keeps, &amounts);
    let Verdict::Fails { trace } = &outcome.verdict else {
        unreachable!()
    };
    outcome.replay = Some(Interp::new(&program).replay_ends(trace, 2).unwrap());
    let report = report(&[outcome], Required::Exhausted);
    let story = report.files[0].properties[0].story.as_ref().unwrap();
    let numbers: Vec<usize> = story.steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, [1, 2, 3, 20, 21]);
    let text = report::text(&report, TextOptions::default());
    let middle = "    2. Bob pays L$2                                   jar.lsl:3        money(key id, integer amount) {
         total 1 -> 3
         ledger: held 1 -> 3
 3-19. 17 steps of this long run, all together
         total 3 -> 28
         ledger: held 3 -> 28
   20. Bob pays L$2 ";
    assert!(text.contains(middle), "{text}");
    assert!(text.contains("   21. Bob pays L$3 "), "{text}");
}

#[test]
fn a_violated_state_shows_its_values_and_an_endless_run_its_loop() {
    let (_, program, [_, small]) = tip_jar();
    let mut outcome = failing(&program, small, &[2]);
    let text = report::text(
        &report(&[outcome.clone()], Required::Exhausted),
        TextOptions::default(),
    );
    assert!(text.contains("=> here `always total < 100` is violated\n     with total = 2\n"));
    // The report tells what it is given: whether a loop closes is for the replay to say.
    let Verdict::Fails { trace } = &mut outcome.verdict else {
        unreachable!()
    };
    Arc::make_mut(trace).loop_start = Some(0);
    let text = report::text(
        &report(&[outcome.clone()], Required::Exhausted),
        TextOptions::default(),
    );
    assert!(
        text.contains("and then this repeats for ever:\n    1. Bob pays L$2"),
        "{text}"
    );
    let Verdict::Fails { trace } = &mut outcome.verdict else {
        unreachable!()
    };
    Arc::make_mut(trace).loop_start = Some(1);
    let text = report::text(
        &report(&[outcome], Required::Exhausted),
        TextOptions::default(),
    );
    assert!(
        text.contains("and then nothing more happens, for ever"),
        "{text}"
    );
}

#[test]
fn the_exit_status_follows_the_weakest_verdict_and_what_is_required() {
    let (_, program, [keeps, small]) = tip_jar();
    let held = |strength| holding(&program, small, strength);
    let vacuous = || {
        outcome(
            keeps,
            Verdict::Vacuous {
                reason: VacuousReason::NeverTriggered,
            },
        )
    };
    let status = |outcomes: &[Outcome], required| report(outcomes, required).status;
    assert_eq!(status(&[held(Strength::Exhausted)], Required::Exhausted), 0);
    assert_eq!(status(&[held(Strength::Exhausted)], Required::Proved), 3);
    assert_eq!(status(&[held(Strength::Proved)], Required::Proved), 0);
    assert_eq!(
        status(&[held(Strength::Bounded(7))], Required::Exhausted),
        3
    );
    assert_eq!(status(&[held(Strength::Bounded(7))], Required::Bounded), 0);
    assert_eq!(status(&[held(Strength::Sampled)], Required::Bounded), 3);
    assert_eq!(status(&[vacuous()], Required::Exhausted), 3);
    assert_eq!(status(&[], Required::Exhausted), 3);
    let failed = failing(&program, keeps, &[3]);
    assert_eq!(status(&[vacuous(), failed], Required::Exhausted), 1);
    let refused = FileReport::refused("x", &SourceMap::new(), &[]);
    assert_eq!(Report::new(vec![refused], Required::Exhausted).status, 2);
}

#[test]
fn an_interrupted_run_is_never_a_success() {
    let (_, program, [keeps, small]) = tip_jar();
    for outcome in [
        holding(&program, small, Strength::Proved),
        failing(&program, keeps, &[3]),
    ] {
        let report = report(&[outcome], Required::Exhausted).interrupted();
        assert_eq!(report.status, 3);
        let text = report::text(&report, TextOptions::default());
        assert!(text.ends_with("Exit status 3: interrupted.\n"), "{text}");
    }
}

#[test]
fn weak_answers_say_why_and_what_to_do() {
    let (_, program, [keeps, small]) = tip_jar();
    let report = report(
        &[
            holding(&program, small, Strength::Sampled),
            outcome(
                keeps,
                Verdict::Unknown {
                    reason: UnknownReason::Time,
                    possible: None,
                },
            ),
        ],
        Required::Exhausted,
    );
    let [sampled, late] = &report.files[0].properties[..] else {
        panic!("two properties")
    };
    assert_eq!(sampled.verdict, VerdictWord::NotKnown);
    assert_eq!(sampled.strength, Some(Reach::Sampled));
    assert!(late.why.as_ref().unwrap().contains("time limit"));
    assert!(late.advice.as_ref().unwrap().contains("--timeout"));
    let text = report::text(&report, TextOptions::default());
    assert!(text.contains("2 properties: 2 not known. Exit status 3"));
}

#[test]
fn json_says_the_same_and_reads_back() {
    let (_, program, [keeps, _]) = tip_jar();
    let report = report(&[failing(&program, keeps, &[3])], Required::Exhausted);
    let back: Report = serde_json::from_str(&report.to_json()).unwrap();
    // What only pictures need is not written.
    assert_eq!(back.to_json(), report.to_json());
    let colored = report::text(
        &report,
        TextOptions {
            color: true,
            ..TextOptions::default()
        },
    );
    assert!(colored.contains("\u{1b}["));
}

/// Set `PROBITY_BLESS` to write the schemas anew.
#[test]
fn the_schemas_in_docs_are_current() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, text) in [
        ("report.schema.json", report::schema()),
        ("trace.schema.json", report::trace_schema()),
    ] {
        let path = docs.join(name);
        if std::env::var_os("PROBITY_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == text,
            "docs/{name} is not current: run the tests with PROBITY_BLESS=1"
        );
    }
}
