//! What nodes do, kind by kind: each of the standard nodes of the engines in a small script of its own.

use model::{Silent, Verdict};
use nodegraph::{Options, load};

/// A node of some kind, what leads to it and away from it, and what is then so. `start` begins with the
/// script, `again` and `other` come whenever the world wants; `a`, `b` and `c` are where signals go.
struct Kind {
    kind: &'static str,
    /// Members of the node beside its kind.
    also: &'static str,
    links: &'static [&'static str],
    holds: &'static [&'static str],
    fails: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    // Waits.
    Kind {
        kind: "Delay",
        also: "",
        links: &["start.Out -> n.Start", "n.Finished -> a.In"],
        holds: &["AF entered(a)", "AG (busy(n) -> AF !busy(n))"],
        fails: &["AG !busy(n)"],
    },
    Kind {
        kind: "CancelableDelay",
        also: "",
        links: &[
            "start.Out -> n.Start",
            "n.Finished -> a.In",
            "other.Out -> n.Cancel",
        ],
        holds: &["AG (busy(n) -> AF !busy(n))", "EF entered(a)"],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "MovieClip",
        also: "",
        links: &[
            "start.Out -> n.Start",
            "n.Finished -> a.In",
            "n.Skipped -> b.In",
        ],
        holds: &[
            "AF (entered(a) | entered(b))",
            "EF entered(a)",
            "EF entered(b)",
        ],
        fails: &["AF entered(a)", "AF entered(b)"],
    },
    Kind {
        kind: "WaitForPlayer",
        also: "",
        links: &["start.Out -> n.Start", "n.Entered -> a.In"],
        holds: &["EF entered(a)"],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "ue:LatentFunction.Delay",
        also: "",
        links: &[
            "start.Out -> n.execute",
            "again.Out -> n.execute",
            "n.then -> a.In",
        ],
        holds: &["AF entered(a)", "retrigger-while-waiting"],
        fails: &["signal-dropped"],
    },
    Kind {
        kind: "ue:LatentFunction.RetriggerableDelay",
        also: "",
        links: &[
            "start.Out -> n.execute",
            "again.Out -> n.execute",
            "n.then -> a.In",
        ],
        // Whoever starts it again and again keeps it from its end.
        holds: &["EF entered(a)"],
        fails: &["retrigger-while-waiting", "AF entered(a)"],
    },
    Kind {
        kind: "ue:Timeline",
        also: "",
        links: &[
            "start.Out -> n.Play",
            "n.Update -> a.In",
            "n.Finished -> b.In",
        ],
        holds: &["AF entered(b)", "EF entered(a)"],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "ue:Timeline",
        also: r#", "with": {"bLoop": true}"#,
        links: &[
            "start.Out -> n.Play",
            "n.Update -> a.In",
            "n.Finished -> b.In",
        ],
        holds: &["AG !entered(b)", "EF entered(a)"],
        fails: &[],
    },
    Kind {
        kind: "canvas:TimeDelay",
        also: "",
        links: &["start.Out -> n.Start", "n.Done -> a.In"],
        holds: &["AF entered(a)", "AG (fired(n.Done) -> !busy(n))"],
        fails: &[],
    },
    Kind {
        kind: "canvas:Repeater",
        also: r#", "with": {"Repetitions": 3, "Interval": 1}"#,
        links: &[
            "start.Out -> n.Start",
            "n.Action -> a.In",
            "n.Complete -> b.In",
        ],
        // The last action comes just before the end.
        holds: &["AF entered(b)", "AF entered(a)"],
        fails: &["AG !busy(n)"],
    },
    Kind {
        kind: "canvas:HeartBeat",
        also: "",
        links: &[
            "start.Out -> n.Start",
            "other.Out -> n.Stop",
            "n.Pulse -> a.In",
        ],
        holds: &["EF entered(a)", "AG (state(n) == Stopped -> !entered(a))"],
        fails: &["AG EF entered(a)"],
    },
    Kind {
        kind: "HeartBeat",
        also: "",
        links: &["start.Out -> n.Start", "n.Pulse -> a.In"],
        holds: &["AG EF entered(a)"],
        fails: &["AG !entered(a)"],
    },
    Kind {
        kind: "khr:flow/setDelay",
        also: r#", "with": {"duration": 2}"#,
        links: &["start.Out -> n.in", "n.done -> a.In"],
        holds: &["AF entered(a)", "AG (busy(n) -> AF !busy(n))"],
        fails: &["AG !busy(n)"],
    },
    Kind {
        kind: "khr:flow/setDelay.cancellable",
        also: r#", "with": {"duration": 2}"#,
        links: &[
            "start.Out -> n.in",
            "other.Out -> n.cancel",
            "n.done -> a.In",
        ],
        holds: &["EF entered(a)"],
        fails: &["AF entered(a)"],
    },
    // That signals are lost is what it is for.
    Kind {
        kind: "khr:flow/throttle",
        also: r#", "with": {"duration": 2}"#,
        links: &["start.Out -> n.in", "again.Out -> n.in", "n.out -> a.In"],
        holds: &[
            "AF entered(a)",
            "AG (busy(n) -> AF !busy(n))",
            "signal-dropped",
        ],
        fails: &["AG (entered(n) -> entered(a))"],
    },
    // A duration that nobody gives may be one that is not valid.
    Kind {
        kind: "khr:flow/setDelay",
        also: "",
        links: &["start.Out -> n.in", "n.done -> a.In", "n.err -> b.In"],
        holds: &["AF (entered(a) | entered(b))", "EF entered(b)"],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "khr:flow/setDelay",
        also: r#", "with": {"duration": -1}"#,
        links: &["start.Out -> n.in", "n.done -> a.In", "n.err -> b.In"],
        holds: &["AF entered(b)", "AG !entered(a)"],
        fails: &["AG !entered(b)"],
    },
    // Done at once, before the output that says that it has begun.
    Kind {
        kind: "canvas:TimeDelay",
        also: r#", "with": {"Delay": 0}"#,
        links: &[
            "start.Out -> n.Start",
            "n.Done -> lamp.Enable",
            "n.On Start -> a.In",
        ],
        holds: &["AG (entered(a) -> Lit)", "AG !busy(n)"],
        fails: &["AG !Lit"],
    },
    Kind {
        kind: "behave:flow/throttle",
        also: r#", "with": {"duration": 2}"#,
        links: &[
            "start.Out -> n.flow",
            "again.Out -> n.flow",
            "n.flow -> a.In",
        ],
        holds: &[
            "AF entered(a)",
            "AG (busy(n) -> AF !busy(n))",
            "signal-dropped",
        ],
        fails: &["AG (entered(n) -> entered(a))"],
    },
    Kind {
        kind: "behave:flow/debounce",
        also: "",
        links: &["start.Out -> n.flow", "n.flow -> a.In"],
        holds: &["EF entered(a)"],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "behave:time/delay",
        also: r#", "with": {"duration": 2}"#,
        links: &[
            "start.Out -> n.flow",
            "again.Out -> n.flow",
            "n.flow -> a.In",
        ],
        holds: &["AF entered(a)", "retrigger-while-waiting"],
        fails: &["signal-dropped"],
    },
    // Order.
    Kind {
        kind: "Sequence",
        also: r#", "out": ["A", "B"]"#,
        links: &["again.Out -> n.In", "n.A -> a.In", "n.B -> b.In"],
        holds: &["AG (entered(a) <-> entered(b))", "EF entered(b)"],
        fails: &["AG !entered(a)"],
    },
    Kind {
        kind: "ForEach",
        also: "",
        links: &["again.Out -> n.In", "n.Body -> a.In", "n.Done -> b.In"],
        holds: &[
            "AG (entered(a) -> entered(b))",
            "EF (entered(b) & !entered(a))",
        ],
        fails: &["AG !entered(a)"],
    },
    Kind {
        kind: "While",
        also: r#", "with": {"Condition": "Lit"}"#,
        links: &[
            "start.Out -> lamp.Enable",
            "again.Out -> n.In",
            "n.Body -> lamp.Disable",
            "n.Done -> b.In",
        ],
        holds: &[
            "AG (entered(n) -> entered(b))",
            "EF (entered(b) & !Lit)",
            "zero-time-loop",
        ],
        fails: &["AG Lit"],
    },
    Kind {
        kind: "While",
        also: r#", "with": {"Condition": "Lit"}"#,
        links: &[
            "start.Out -> lamp.Enable",
            "again.Out -> n.In",
            "n.Body -> a.In",
        ],
        holds: &[],
        fails: &["zero-time-loop"],
    },
    // What remembers.
    Kind {
        kind: "DoOnce",
        also: "",
        links: &["again.Out -> n.Enter", "n.Out -> a.In"],
        holds: &["EF entered(a)", "AG (busy(n) -> AG busy(n))"],
        fails: &["latch-never-reset", "AG EF entered(a)"],
    },
    Kind {
        kind: "DoOnce",
        also: "",
        links: &[
            "again.Out -> n.Enter",
            "other.Out -> n.Reset",
            "n.Out -> a.In",
        ],
        holds: &["latch-never-reset", "AG EF entered(a)"],
        fails: &["AG (busy(n) -> AG busy(n))"],
    },
    Kind {
        kind: "DoN",
        also: r#", "with": {"N": 2}"#,
        links: &[
            "again.Out -> n.Enter",
            "n.Out -> turn.In",
            "turn.0 -> a.In",
            "turn.1 -> b.In",
            "turn.2 -> c.In",
        ],
        holds: &[
            "EF entered(a)",
            "EF entered(b)",
            "!E[!entered(a) U entered(b)]",
        ],
        fails: &["EF entered(c)"],
    },
    Kind {
        kind: "MultiGate",
        also: r#", "out": ["0", "1"]"#,
        links: &[
            "again.Out -> n.In",
            "other.Out -> n.Reset",
            "n.0 -> a.In",
            "n.1 -> b.In",
        ],
        holds: &["AG EF entered(a)", "!E[!entered(a) U entered(b)]"],
        fails: &["AG (entered(b) -> AG !entered(a))"],
    },
    Kind {
        kind: "FlipFlop",
        also: "",
        links: &["again.Out -> n.In", "n.OutA -> a.In", "n.OutB -> b.In"],
        holds: &[
            "!E[!entered(a) U entered(b)]",
            "AG EF entered(b)",
            "AG !(entered(a) & entered(b))",
        ],
        fails: &["AG !entered(b)"],
    },
    Kind {
        kind: "Gate",
        also: "",
        links: &[
            "again.Out -> n.Enter",
            "other.Out -> n.Close",
            "n.Out -> a.In",
        ],
        holds: &["EF entered(a)", "AG (state(n) == Closed -> !entered(a))"],
        fails: &["AG EF entered(a)"],
    },
    Kind {
        kind: "ue:MacroInstance.Gate",
        also: r#", "with": {"bStartClosed": true}"#,
        links: &[
            "again.Out -> n.Enter",
            "other.Out -> n.Toggle",
            "n.Exit -> a.In",
        ],
        holds: &["AG (entered(a) -> state(n) == Opened)", "AG EF entered(a)"],
        fails: &["AG !entered(a)"],
    },
    Kind {
        kind: "behave:flow/waitAll",
        also: "",
        links: &["start.Out -> n.1", "again.Out -> n.2", "n.flow -> a.In"],
        // There are three inputs by default.
        holds: &["AG !entered(a)"],
        fails: &[],
    },
    Kind {
        kind: "behave:flow/waitAll",
        also: r#", "with": {"numInputs": 2}"#,
        links: &["start.Out -> n.1", "again.Out -> n.2", "n.flow -> a.In"],
        holds: &["EF entered(a)"],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "ue:MultiGate",
        also: r#", "out": ["0", "1"], "with": {"StartIndex": 1}"#,
        links: &["again.Out -> n.execute", "n.0 -> a.In", "n.1 -> b.In"],
        holds: &["!E[!entered(b) U entered(a)]", "EF entered(a)"],
        fails: &["AG !entered(b)"],
    },
    Kind {
        kind: "ue:MultiGate",
        also: r#", "out": ["0", "1"], "with": {"IsRandom": true}"#,
        links: &["again.Out -> n.execute", "n.0 -> a.In", "n.1 -> b.In"],
        holds: &["EF entered(a)", "EF entered(b)"],
        // Once all are used, signals are lost.
        fails: &["AG EF entered(a)"],
    },
    Kind {
        kind: "WaitAll",
        also: "",
        links: &["start.Out -> n.InA", "again.Out -> n.InB", "n.Out -> a.In"],
        holds: &[
            "EF entered(a)",
            "AG (entered(a) -> entered(n.InB) | entered(n.InA))",
        ],
        fails: &["AF entered(a)"],
    },
    Kind {
        kind: "WaitAll",
        also: "",
        links: &["start.Out -> n.InA", "again.Out -> n.InA", "n.Out -> a.In"],
        holds: &["AG !entered(a)"],
        fails: &["join-never-arrives"],
    },
    Kind {
        kind: "khr:flow/waitAll",
        also: r#", "in": ["0", "1"]"#,
        links: &[
            "start.Out -> n.0",
            "start.Out -> n.1",
            "n.completed -> a.In",
        ],
        // It keeps what has come to it.
        holds: &["join-never-arrives", "EF (entered(a) & busy(n))"],
        fails: &["AG !busy(n)"],
    },
    Kind {
        kind: "khr:flow/waitAll",
        also: r#", "in": ["0", "1"]"#,
        links: &[
            "start.Out -> n.0",
            "again.Out -> n.1",
            "n.completed -> a.In",
            "n.out -> b.In",
        ],
        holds: &["EF entered(a)", "AF entered(b)"],
        fails: &["AF entered(a)"],
    },
];

#[test]
fn the_standard_nodes_do_what_the_engines_say() {
    let mut wrong = Vec::new();
    for Kind {
        kind,
        also,
        links,
        holds,
        fails,
    } in KINDS
    {
        let quoted = |texts: &[&str]| {
            let texts = texts.iter().map(|text| format!("\"{text}\""));
            texts.collect::<Vec<_>>().join(", ")
        };
        let claims: Vec<(&str, &str)> = holds
            .iter()
            .map(|claim| (*claim, "holds"))
            .chain(fails.iter().map(|claim| (*claim, "fails")))
            .collect();
        let is_check = |claim: &&(&str, &str)| !claim.0.contains([' ', '(']);
        let checks: Vec<&str> = claims
            .iter()
            .filter(is_check)
            .map(|claim| claim.0)
            .collect();
        let formulas: Vec<(usize, &str)> = claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| !is_check(claim))
            .map(|(at, claim)| (at, claim.0))
            .collect();
        let properties: Vec<String> = formulas
            .iter()
            .map(|(at, formula)| format!("\"p{at}\": \"{formula}\""))
            .collect();
        let text = format!(
            r#"{{"nodegraph": 1, "flags": {{"Lit": false}},
                "nodes": [{{"name": "n", "kind": "{kind}"{also}}},
                          {{"name": "start", "kind": "ScriptStart"}},
                          {{"name": "again", "kind": "OnEvent"}},
                          {{"name": "other", "kind": "OnEvent"}},
                          {{"name": "lamp", "kind": "SetFlag", "with": {{"flag": "Lit"}}}},
                          {{"name": "turn", "kind": "MultiGate", "out": ["0", "1", "2"]}},
                          {{"name": "a", "kind": "PlaySE"}},
                          {{"name": "b", "kind": "PlaySE"}},
                          {{"name": "c", "kind": "PlaySE"}}],
                "links": [{}], "properties": {{{}}}, "checks": [{}]}}"#,
            quoted(links),
            properties.join(", "),
            quoted(&checks),
        );
        let loaded = load("kind.json", &text, &Options::default());
        let unknown = loaded.diagnostics.iter().find(|d| d.code == "NOD0301");
        assert!(unknown.is_none(), "{kind}: {unknown:?}");
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{kind}: {:?}", loaded.diagnostics));
        let options = verify::Options {
            jobs: 1,
            ..verify::Options::default()
        };
        let mut seen = 0;
        for outcome in verify::check(&program, &options, &Silent) {
            let name = &program.properties[outcome.property.index()].name;
            let word = match outcome.verdict {
                Verdict::Holds { .. } => "holds",
                Verdict::Fails { .. } => "fails",
                _ => "neither",
            };
            let claim = match name
                .strip_prefix('p')
                .and_then(|at| at.parse::<usize>().ok())
            {
                Some(at) => &claims[at],
                None => {
                    let check = name.split('.').next().unwrap();
                    claims.iter().find(|claim| claim.0 == check).unwrap()
                }
            };
            if word != claim.1 {
                wrong.push(format!("{kind}: {} {word}", claim.0));
            }
            seen += 1;
        }
        assert!(seen >= claims.len(), "{kind}: {seen} of {claims:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
