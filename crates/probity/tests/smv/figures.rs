//! The models of Figs. 6 and 9 of Igawa et al.'s paper on checking visual scripts with NuSMV, and
//! the run of Fig. 7.

use model::interp::Pages;
use model::{Silent, Value, Verdict};
use verify::Options;

/// The states of a counterexample, as changes from one to the next.
fn run_of(text: &str) -> (Vec<Vec<String>>, Option<usize>, u64) {
    let loaded = smv::load("fig.smv", text, &smv::Options::default());
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.expect("the figure is a model, and fails");
    let outcome = verify::check(&program, &Options::default(), &Silent).remove(0);
    let Verdict::Fails { trace } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    let replay = outcome.replay.expect("the figure is a model, and fails");
    let show = |index: usize, value: &Value| {
        let variable = &program.globals[index];
        let model::Type::Enum(id) = variable.ty else {
            panic!("all variables are enumerations");
        };
        let members = &program.enums[id.index()].members;
        let at = usize::try_from(value.number()).expect("the figure is a model, and fails");
        format!("{} = {}", variable.name, members[at])
    };
    let mut states = Vec::new();
    let mut before: Option<Pages<Value>> = None;
    for at in 0..=trace.steps.len() {
        let now = replay.state(at).globals.clone();
        let changed = now.iter().enumerate().filter(|(index, value)| {
            let same = before
                .as_ref()
                .is_some_and(|before| before[*index] == **value);
            !same
        });
        states.push(changed.map(|(index, value)| show(index, value)).collect());
        before = Some(now);
    }
    (states, trace.loop_start, outcome.statistics.states)
}

#[test]
fn fig_6_fails_with_the_run_of_fig_7() {
    let (mut states, loop_start, reachable) = run_of(include_str!("fixtures/fig6.smv"));
    assert_eq!(reachable, 16);
    let first = states.remove(0);
    for value in [
        "ScriptStart1Out = Out",
        "MovieClip3State = Stopped",
        "EventMode = false",
    ] {
        assert!(first.iter().any(|v| v == value), "{first:?}");
    }
    let none = first.iter().filter(|v| v.ends_with("= none")).count();
    assert_eq!(none, 8);
    let expected: &[&[&str]] = &[
        &["ScriptStart1Out = none", "SetEventMode2In = Enable"],
        &[
            "SetEventMode2In = none",
            "SetEventMode2Out = Out",
            "EventMode = true",
        ],
        &["SetEventMode2Out = none", "MovieClip3In = Start"],
        &["MovieClip3In = none", "MovieClip3State = Playing"],
        &["MovieClip3State = Skipped"],
        &["MovieClip3Out = Skipped", "MovieClip3State = Stopped"],
        &["MovieClip3Out = none", "If5In = In"],
        &["If5In = none", "If5Out = False"],
        &["If5Out = none"],
    ];
    assert_eq!(states[..expected.len()], *expected);
    // And then it stays as it is.
    assert_eq!(loop_start, Some(9));
    assert_eq!(states[9..], [Vec::<String>::new()]);
}

#[test]
fn fig_9_fails_one_state_earlier() {
    let (states, loop_start, reachable) = run_of(include_str!("fixtures/fig9.smv"));
    assert_eq!(reachable, 14);
    assert_eq!(loop_start, Some(8));
    assert_eq!(states[7], ["If5In = none", "If5Out = False"]);
    assert_eq!(states[8], ["If5Out = none"]);
}
