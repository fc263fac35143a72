//! Scripts of nodes from file to verdict: the examples, the two timings, and the translation.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use language::NoWhole;
use model::{Claim, Program, Silent, Verdict};
use nodegraph::{Options, Smv, Timing, Whole, load, to_smv};
use source::{Diagnostics, SourceMap};

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/nodegraph")
        .join(name);
    std::fs::read_to_string(path).unwrap()
}

fn outcomes(program: &Program) -> Vec<verify::Outcome> {
    let options = verify::Options {
        jobs: 1,
        ..verify::Options::default()
    };
    verify::check(program, &options, &Silent)
}

/// The verdicts of all properties, by name.
fn verdicts(program: &Program) -> Vec<(String, &'static str)> {
    in_words(program, &outcomes(program))
}

fn in_words(program: &Program, outcomes: &[verify::Outcome]) -> Vec<(String, &'static str)> {
    outcomes
        .iter()
        .map(|outcome| {
            let name = program.properties[outcome.property.index()].name.clone();
            let word = match outcome.verdict {
                Verdict::Holds { .. } => "holds",
                Verdict::Fails { .. } => "fails",
                Verdict::Vacuous { .. } => "vacuous",
                Verdict::Unknown { .. } => "not known",
                Verdict::Measured { .. } => "measured",
            };
            (name, word)
        })
        .collect()
}

fn loaded(text: &str, options: &Options) -> Program {
    let loaded = load("script.json", text, options);
    let found: Vec<String> = loaded
        .diagnostics
        .iter()
        .map(|d| source::render(d, &loaded.sources, false))
        .collect();
    loaded
        .program
        .unwrap_or_else(|| panic!("{}", found.join("\n")))
}

fn words<'a>(found: &'a [(String, &'static str)]) -> Vec<(&'a str, &'static str)> {
    found
        .iter()
        .map(|(name, word)| (name.as_str(), *word))
        .collect()
}

/// These properties of an example fail, and the others hold.
fn only_these_fail(file: &str, found: &[(String, &'static str)], failing: &[&str]) {
    for (name, word) in words(found) {
        let expected = if failing.contains(&name) {
            "fails"
        } else {
            "holds"
        };
        assert_eq!(word, expected, "{file}: {name}");
    }
}

#[test]
fn the_papers_example_fails_and_mended_holds_in_both_timings() {
    for timing in [Timing::Completion, Timing::Edges] {
        for (file, word) in [
            ("event-mode/bug.json", "fails"),
            ("event-mode/fixed.json", "holds"),
        ] {
            let options = Options {
                timing,
                ..Options::default()
            };
            let found = verdicts(&loaded(&example(file), &options));
            assert_eq!(
                words(&found),
                [("event_mode_ends", word)],
                "{file} {timing:?}"
            );
        }
    }
}

#[test]
fn examples_have_the_verdicts_that_their_page_tells() {
    for (file, failing) in [
        ("quest/quest.json", &[][..]),
        ("elevator/elevator.json", &[]),
        ("dialogue/dialogue.json", &[]),
        (
            "boss-fight/boss-fight.json",
            &["value-left-changed.Music", "join-never-arrives.Both"],
        ),
    ] {
        let found = verdicts(&loaded(&example(file), &Options::default()));
        assert!(found.len() > 1, "{file}: {found:?}");
        only_these_fail(file, &found, failing);
    }
}

/// Where a signal takes time, others overtake it: two events come through a test before the first one has
/// set what it asks for, and a signal is lost that meets another one at a latch. The paper says so of its
/// timing (III-F), and it is so: none of this can happen where signals take no time.
#[test]
fn one_step_an_edge_examples_fail_where_signals_overtake_each_other() {
    let options = Options {
        timing: Timing::Edges,
        ..Options::default()
    };
    for (file, failing) in [
        ("quest/quest.json", &[][..]),
        (
            "elevator/elevator.json",
            &["all_floors", "latch-never-reset.Once"],
        ),
        (
            "dialogue/dialogue.json",
            &["room_is_earned", "retrigger-while-waiting"],
        ),
    ] {
        let found = verdicts(&loaded(&example(file), &options));
        only_these_fail(file, &found, failing);
    }
}

/// A script as SMV, and what is said about it.
fn written(text: &str, form: Smv) -> (String, Diagnostics) {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let options = Options::default();
    let model = to_smv(
        "t.json",
        text,
        &options,
        form,
        &mut sources,
        &mut diagnostics,
    )
    .unwrap();
    (model, diagnostics)
}

/// What the paper's Fig. 6 says, line by line.
#[test]
fn the_translation_is_the_papers_figure() {
    let text = example("event-mode/bug.json");
    let model = |form: Smv| written(&text, form).0;
    let plain = model(Smv::default());
    for part in [
        " MovieClip3State : {Stopped, Playing, Finished, Skipped};\n",
        " EventMode : {true, false};\nFAIRNESS MovieClip3State = Stopped;\nASSIGN\n",
        " init(ScriptStart1Out) := Out;\n next(ScriptStart1Out) := none;\n",
        " SetEventMode2In = Enable | SetEventMode2In = Disable : Out;\n TRUE : none;\n",
        " MovieClip3In = Start : Playing;\n MovieClip3State = Playing : {Playing, Finished, Skipped};\n \
         TRUE : Stopped;\n",
        " MovieClip3Out = Finished : Disable;\n If5Out = True : Disable;\n TRUE : none;\n",
        " If5In = In : {True, False};\n",
        " SetEventMode2In = Disable | SetEventMode4In = Disable : false;\n TRUE : EventMode;\n",
        "CTLSPEC AG(EventMode = true -> AF(EventMode = false))\n",
    ] {
        assert!(plain.contains(part), "{part}\nis not in\n{plain}");
    }
    let small = model(Smv {
        drop_cosmetic: true,
        encode_state: true,
    });
    for part in [
        " MovieClip3Out : {none_Stopped, none_Playing, Finished, Skipped};\n",
        " MovieClip3In = Start : none_Playing;\n \
         MovieClip3Out = none_Playing : {none_Playing, Finished, Skipped};\n TRUE : none_Stopped;\n",
    ] {
        assert!(small.contains(part), "{part}\nis not in\n{small}");
    }
}

/// What never happens makes a claim about it hold for no good reason, whoever is asked: which engine
/// is first must not decide.
#[test]
fn every_engine_sees_that_nothing_triggers_a_claim() {
    let text = r#"{"nodegraph": 1, "flags": {"Lit": false},
        "nodes": [{"name": "start", "kind": "ScriptStart"},
                  {"name": "clip", "kind": "MovieClip"},
                  {"name": "lamp", "kind": "SetFlag", "with": {"flag": "Lit"}}],
        "links": ["start.Out -> clip.Start", "clip.Finished -> lamp.Disable"],
        "properties": {"linear": "G (Lit -> F !Lit)", "tree": "AG (Lit -> EF !Lit)",
                       "state": "AG (Lit -> state(clip) == Stopped)",
                       "seen": "AG (state(clip) == Playing -> EF state(clip) == Stopped)"}}"#;
    use verify::Engine::{Explicit, Games, Sat, Symbolic};
    for (timing, engine) in [
        (Timing::Completion, Explicit),
        (Timing::Completion, Games),
        (Timing::Completion, Sat),
        (Timing::Edges, Explicit),
        (Timing::Edges, Games),
        (Timing::Edges, Sat),
        (Timing::Edges, Symbolic),
    ] {
        let options = Options {
            timing,
            ..Options::default()
        };
        let program = loaded(text, &options);
        let options = verify::Options {
            jobs: 1,
            engine: Some(engine),
            ..verify::Options::default()
        };
        let outcomes = verify::check(&program, &options, &Silent);
        let mut known = 0;
        for (name, word) in words(&in_words(&program, &outcomes)) {
            let expected = if name == "seen" { "holds" } else { "vacuous" };
            assert!(
                [expected, "not known"].contains(&word),
                "{timing:?}, {engine}: {name} {word}"
            );
            known += u64::from(word == expected);
        }
        assert!(known > 0, "{timing:?}, {engine}");
    }
}

/// Each check is said in SMV, or the model says why not; so that nobody takes it for checked.
#[test]
fn the_translation_says_every_claim_or_why_not() {
    for file in [
        "boss-fight/boss-fight.json",
        "elevator/elevator.json",
        "quest/quest.json",
        "dialogue/dialogue.json",
    ] {
        let text = example(file);
        let claims = loaded(&text, &Options::default()).properties;
        for drop_cosmetic in [false, true] {
            let form = Smv {
                drop_cosmetic,
                encode_state: drop_cosmetic,
            };
            let (model, diagnostics) = written(&text, form);
            let begins = |words: &[&str]| {
                let lines = model.lines();
                lines
                    .filter(|line| words.iter().any(|word| line.starts_with(word)))
                    .count()
            };
            let said = begins(&["CTLSPEC ", "LTLSPEC ", "INVARSPEC "]);
            let left_out = model.matches(": left out, for ").count();
            assert_eq!(said + left_out, claims.len(), "{file}\n{model}");
            assert_eq!(diagnostics.iter().count(), left_out, "{file}");
            let read = smv::load("e.smv", &model, &smv::Options::default());
            assert!(read.program.is_some(), "{file}: {:?}", read.diagnostics);
        }
    }
}

/// A random script: kinds and lines as they come, so that nothing about its shape can be relied on.
fn random(seed: u64) -> String {
    const KINDS: &[(&str, &[&str], &[&str])] = &[
        ("PlaySE", &["In"], &["Out"]),
        ("SetEventMode", &["Enable", "Disable"], &["Out"]),
        ("If", &["In"], &["True", "False"]),
        ("Delay", &["Start"], &["Finished"]),
        ("MovieClip", &["Start"], &["Finished", "Skipped"]),
        ("DoOnce", &["Enter", "Reset"], &["Out"]),
        ("FlipFlop", &["In"], &["OutA", "OutB"]),
        ("Gate", &["Enter", "Open", "Close"], &["Out"]),
        ("WaitAll", &["InA", "InB"], &["Out"]),
        ("WaitForPlayer", &["Start"], &["Entered"]),
        ("CancelableDelay", &["Start", "Cancel"], &["Finished"]),
        ("DoN", &["Enter", "Reset"], &["Out"]),
        ("Repeater", &["Start"], &["Action", "Complete"]),
        ("HeartBeat", &["Start", "Stop"], &["Pulse"]),
        ("Throttle", &["In", "Reset"], &["Out"]),
    ];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % most
    };
    let count = 5 + below(5);
    let kinds: Vec<_> = (0..count).map(|_| KINDS[below(KINDS.len())]).collect();
    let mut nodes = vec!["{\"name\": \"n\", \"kind\": \"ScriptStart\"}".to_owned()];
    let mut links = Vec::new();
    for (at, (kind, ..)) in kinds.iter().enumerate() {
        nodes.push(format!("{{\"name\": \"n{at}\", \"kind\": \"{kind}\"}}"));
    }
    let mut link = |from: String, below: &mut dyn FnMut(usize) -> usize| {
        let to = below(count);
        let pins = kinds[to].1;
        links.push(format!("\"{from} -> n{to}.{}\"", pins[below(pins.len())]));
    };
    link("n.Out".to_owned(), &mut below);
    for (at, (.., outs)) in kinds.iter().enumerate() {
        for out in *outs {
            for _ in 0..[0, 1, 1, 1, 2][below(5)] {
                link(format!("n{at}.{out}"), &mut below);
            }
        }
    }
    links.sort();
    links.dedup();
    format!(
        "{{\"nodegraph\": 1, \"flags\": {{\"EventMode\": false}}, \"nodes\": [{}], \"links\": [{}], \
         \"properties\": {{\"left\": \"AG (EventMode -> AF !EventMode)\", \
         \"set\": \"AG !EventMode\", \"seen\": \"AG EF EventMode\"}}, \"checks\": [\"zero-time-loop\", \"join-never-arrives\", \"retrigger-while-waiting\", \
         \"signal-dropped\", \"unbalanced\", \"two-setters\", \"latch-never-reset\"]}}",
        nodes.join(", "),
        links.join(", ")
    )
}

/// Checks a script by what bears on its properties; each run on which one fails has to be one of the
/// whole as well. Gives the verdicts, and how many runs there were.
fn sliced(text: &str, timing: Timing) -> (Vec<(String, &'static str)>, usize) {
    let options = Options {
        timing,
        ..Options::default()
    };
    let program = loaded(text, &options);
    let outcomes = outcomes(&program);
    let mut runs = 0;
    for outcome in &outcomes {
        let Verdict::Fails { trace } = &outcome.verdict else {
            continue;
        };
        let whole = match Whole::read("script.json", text, &options) {
            Ok(whole) => whole,
            Err(why) => {
                assert_eq!(why, NoWhole::Same, "{text}");
                continue;
            }
        };
        let property = outcome.property;
        let name = &program.properties[property.index()].name;
        let run = whole.run(trace);
        let run = run.unwrap_or_else(|| panic!("{timing:?}, {name}: no run: {text}"));
        let focused = passes::focus(whole.program(), &[property]);
        if let Err(why) = verify::confirm(&focused, property, &run) {
            panic!("{timing:?}, {name}: {why}: {text}");
        }
        runs += 1;
    }
    (in_words(&program, &outcomes), runs)
}

/// What is left out of a slice makes no difference, a run of it is one of the whole; and one step an
/// edge, we and our reader of SMV say the same of the same script.
#[test]
fn random_scripts_have_one_meaning() {
    let mut different = 0u64;
    let (mut runs, mut unfair) = (0, 0u64);
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let from: u64 = number("PROBITY_RANDOM_FROM").unwrap_or(1);
    let count = number("PROBITY_RANDOM_COUNT").unwrap_or(60);
    for seed in from..from + count {
        let text = random(seed);
        let whole = |timing| {
            let options = Options {
                timing,
                whole: true,
                ..Options::default()
            };
            verdicts(&loaded(&text, &options))
        };
        let (by_waves, some) = sliced(&text, Timing::Completion);
        runs += some;
        let all = whole(Timing::Completion);
        let endless = |(name, _): &&(&str, &str)| *name == "zero-time-loop";
        let (ours, theirs) = (words(&by_waves), words(&all));
        assert_eq!(
            ours.iter().find(endless),
            theirs.iter().find(endless),
            "{seed}: {text}"
        );
        if ours
            .iter()
            .find(endless)
            .is_none_or(|(_, word)| *word == "holds")
        {
            // A signal that goes round for ever stops everything else.
            assert_eq!(ours, theirs, "{seed}: {text}");
        }
        let (edges, some) = sliced(&text, Timing::Edges);
        runs += some;
        let all = whole(Timing::Edges);
        assert_eq!(words(&edges), words(&all), "{seed}: {text}");
        different += u64::from(edges[0] != by_waves[0]);
        for encode_state in [false, true] {
            let form = Smv {
                drop_cosmetic: false,
                encode_state,
            };
            let (model, _) = written(&text, form);
            let read = smv::load("r.smv", &model, &smv::Options::default());
            let program = read
                .program
                .unwrap_or_else(|| panic!("{:?}\n{model}", read.diagnostics));
            let claims = program.properties.iter().map(|property| &property.claim);
            assert!(
                claims
                    .clone()
                    .all(|claim| matches!(claim, Claim::Ctl(_) | Claim::Always(_)))
            );
            let by_smv: Vec<&str> = verdicts(&program).iter().map(|(_, word)| *word).collect();
            // Vacuity of a trigger is something that SMV cannot say. It asks all waits to end, those
            // outside of the slice too: where that leaves no fair run, it says nothing.
            let ours = edges.iter().filter(|(name, _)| name != "zero-time-loop");
            for ((name, ours), theirs) in ours.zip(by_smv) {
                let ours = if *ours == "vacuous" { "holds" } else { ours };
                if theirs == "vacuous" {
                    unfair += 1;
                    continue;
                }
                assert_eq!(ours, theirs, "{seed} {name}: {text}\n{model}");
            }
        }
    }
    assert!(
        3 * different < 2 * count,
        "the timings differ where signals meet, not everywhere: {different} of {count}"
    );
    assert!(6 * unfair < count, "SMV said nothing {unfair} times");
    assert!(runs as u64 > count, "there were only {runs} runs");
}

/// Each of a hundred clips may be the one that plays: which one is not known beforehand, so each of
/// them has to be asked to end.
#[test]
fn a_hundred_waits_come_to_their_ends() {
    let script = |forgotten: usize| {
        let mut nodes = vec![
            r#"{"name": "s", "kind": "ScriptStart"}"#.to_owned(),
            r#"{"name": "on", "kind": "SetEventMode"}"#.to_owned(),
            r#"{"name": "off", "kind": "SetEventMode"}"#.to_owned(),
        ];
        let mut links = vec![r#""s.Out -> on.Enable""#.to_owned()];
        for n in 0..100 {
            nodes.push(format!(
                r#"{{"name": "if{n}", "kind": "If", "with": {{"Condition": "Scene == {n}"}}}}"#
            ));
            nodes.push(format!(r#"{{"name": "clip{n}", "kind": "Delay"}}"#));
            links.push(format!(r#""on.Out -> if{n}.In""#));
            links.push(format!(r#""if{n}.True -> clip{n}.Start""#));
            if n != forgotten {
                links.push(format!(r#""clip{n}.Finished -> off.Disable""#));
            }
        }
        format!(
            r#"{{"nodegraph": 1, "flags": {{"EventMode": false, "Scene": {{"range": [0, 99]}}}},
                "nodes": [{}], "links": [{}],
                "properties": {{"ends": "G (EventMode -> F !EventMode)"}}}}"#,
            nodes.join(","),
            links.join(",")
        )
    };
    for (forgotten, word) in [(100, "holds"), (71, "fails")] {
        let program = loaded(&script(forgotten), &Options::default());
        assert!(program.fairness.len() >= 99, "{}", program.fairness.len());
        assert_eq!(words(&verdicts(&program)), [("ends", word)]);
    }
}

/// A loop that starts, at each turn, something else as well: how often it goes round is counted by
/// what it remembers, not by all that may be pending.
#[test]
fn loops_that_fork_are_followed_as_long_as_they_can_go_on() {
    let script = |first: &str, pin: &str| {
        format!(
            r#"{{"nodegraph": 1,
            "nodes": [{{"name": "start", "kind": "ScriptStart"}},
                      {{"name": "a", "kind": "PlaySE"}},
                      {{"name": "again", "kind": "{first}"}},
                      {{"name": "on", "kind": "SetEventMode"}},
                      {{"name": "clip", "kind": "MovieClip"}},
                      {{"name": "off", "kind": "SetEventMode"}}],
            "links": ["start.Out -> a.In", "a.Out -> again.{pin}", "a.Out -> on.Enable",
                      "again.Out -> a.In", "on.Out -> clip.Start",
                      "clip.Finished -> off.Disable", "clip.Skipped -> off.Disable"],
            "properties": {{"ends": "G (EventMode -> F !EventMode)"}},
            "checks": ["zero-time-loop"]}}"#
        )
    };
    for (kind, pin, word) in [("DoOnce", "Enter", "holds"), ("PlaySE", "In", "fails")] {
        let program = loaded(&script(kind, pin), &Options::default());
        let steps: usize = program.processes.iter().map(|p| p.steps.len()).sum();
        assert!(steps < 200, "{steps}");
        let found = verdicts(&program);
        let endless = found.iter().find(|(name, _)| name == "zero-time-loop");
        assert_eq!(endless.unwrap().1, word, "{kind}");
    }
}

#[test]
fn every_example_is_read() {
    let mut folders: Vec<PathBuf> =
        vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nodegraph")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(
                    !loaded(&text, &Options::default()).properties.is_empty(),
                    "{path:?}"
                );
                count += 1;
            }
        }
    }
    assert!(count >= 6);
}

#[test]
fn nothing_is_left_out_where_steps_are_counted() {
    let script = |formula: &str| {
        format!(
            r#"{{"nodegraph": 1,
            "nodes": [{{"name": "start", "kind": "ScriptStart"}},
                      {{"name": "on", "kind": "SetEventMode"}},
                      {{"name": "clip", "kind": "MovieClip"}},
                      {{"name": "off", "kind": "SetEventMode"}},
                      {{"name": "also", "kind": "ScriptStart"}},
                      {{"name": "other", "kind": "MovieClip"}},
                      {{"name": "sound", "kind": "PlaySE"}}],
            "links": ["start.Out -> on.Enable", "on.Out -> clip.Start",
                      "clip.Finished -> off.Disable", "clip.Skipped -> off.Disable",
                      "also.Out -> other.Start", "other.Finished -> sound.In"],
            "properties": {{"p": "{formula}"}}}}"#
        )
    };
    let size = |formula: &str, whole: bool| {
        let options = Options {
            whole,
            ..Options::default()
        };
        loaded(&script(formula), &options).processes.len()
    };
    let lasting = "G (EventMode -> F !EventMode)";
    assert!(size(lasting, false) < size(lasting, true));
    for counting in ["G (EventMode -> X EventMode)", "AG EX EventMode"] {
        assert_eq!(size(counting, false), size(counting, true), "{counting}");
    }
}

/// A flag that no run takes back is set once for all, as a test's result is; one that some run takes back
/// and another does not is left set.
#[test]
fn a_flag_is_left_set_only_if_some_run_takes_it_back() {
    let graph = |condition: &str, more: &str| {
        format!(
            r#"{{"nodegraph": 1, "flags": {{"EventMode": false, "Never": false}},
              "nodes": [{{"name": "start", "kind": "ScriptStart"}},
                {{"name": "set", "kind": "SetEventMode"}}, {{"name": "clip", "kind": "MovieClip"}},
                {{"name": "if", "kind": "If"{condition}}},
                {{"name": "reset", "kind": "SetEventMode"}}],
              "links": ["start.Out -> set.Enable", "set.Out -> clip.Start",
                "clip.Finished -> if.In", "clip.Skipped -> if.In",
                "if.True -> reset.Disable"]{more}}}"#
        )
    };
    let never = r#", "with": {"Condition": "Never"}"#;
    let told = |graph: &str| {
        let program = loaded(graph, &Options::default());
        let verdicts = verdicts(&program).into_iter();
        let name = "flag-left-set.EventMode";
        let mut verdicts = verdicts.filter(|(known, _)| known == name);
        verdicts.next().expect("it is checked").1
    };
    assert_eq!(told(&graph("", "")), "fails");
    assert_eq!(told(&graph(never, "")), "holds");
    // Its author knows better.
    let asked = r#", "checks": ["flag-left-set"]"#;
    assert_eq!(told(&graph(never, asked)), "fails");
    // Where no line leads to what would take it back, one is missing.
    let cut = graph("", "").replace(r#""if.True -> reset.Disable""#, r#""reset.Out -> if.In""#);
    assert_eq!(told(&cut), "fails");
    // A branch on what is not followed may leave it set; nothing takes it back all the same.
    let beside = |condition: &str| {
        graph(condition, "")
            .replace(r#""flags": {"#, r#""flags": {"Odd": false, "#)
            .replace(
                r#"{"name": "clip", "kind": "MovieClip"}"#,
                r#"{"name": "clip", "kind": "MovieClip"},
                {"name": "first", "kind": "If", "with": {"Condition": "Odd == 0"}}"#,
            )
            .replace(
                r#""start.Out -> set.Enable""#,
                r#""start.Out -> first.In", "first.True -> set.Enable""#,
            )
    };
    assert_eq!(told(&beside(never)), "holds");
    assert_eq!(told(&beside("")), "not known");
    // It may stay set, for nothing more need happen; whether it is ever taken back is not known.
    let perhaps = graph(r#", "with": {"Condition": "Odd == 0"}"#, "")
        .replace(r#""flags": {"#, r#""flags": {"Odd": false, "#)
        .replace(
            r#""clip.Finished -> if.In", "clip.Skipped -> if.In""#,
            r#""ask.Out -> if.In""#,
        )
        .replace(
            r#"{"name": "clip", "kind": "MovieClip"}"#,
            r#"{"name": "clip", "kind": "MovieClip"}, {"name": "ask", "kind": "OnEvent"}"#,
        );
    assert_eq!(told(&perhaps), "not known");
    let known = perhaps.replace("Odd == 0", "not Odd");
    assert_eq!(told(&known), "fails");
}
