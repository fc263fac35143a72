//! `probity simulate --concrete`: a run of the script itself, in a world with concrete keys, texts
//! and times.
//!
//! The run is not one of the program that verification looks at, but of its twin: it shares
//! nothing with the lowering, and shows what may happen where a verdict says *not known*.

use lsl_concrete::{Habits, Plan, Script, Standing, run as make};
use source::decode;

use crate::check::{read, show};
use crate::command_line::SimulateInvocation;
use crate::corridor::language_of;
use crate::simulate::SOME_EVENTS;
use crate::system::System;

/// Runs, tells and returns the exit status: 0, or 2 for bad input.
pub(crate) fn run(invocation: &SimulateInvocation, system: &dyn System) -> u8 {
    let (path, input) = (&invocation.path, &invocation.input);
    let language = input.language.as_deref().or_else(|| language_of(path));
    if language.is_some_and(|language| language != "lsl") {
        system.err("error: --concrete: only LSL scripts are run so\n");
        return 2;
    }
    // The front end says what is wrong with the script and its properties.
    let loaded = read(path, input, &[], system);
    show(&loaded.diagnostics, &loaded.sources, system);
    if loaded.program.is_none() {
        return 2;
    }
    let text = system.read(path).ok().and_then(|bytes| decode(bytes).ok());
    let options = lsl::Options {
        bounds: input.bounds.clone(),
        extra_properties: Vec::new(),
    };
    let name = path.to_string_lossy();
    let script = match Script::read(&name, &text.unwrap_or_default(), &options) {
        Ok(script) => script,
        Err(errors) => {
            system.err(&format!("error: {}\n", errors.join("\n")));
            return 2;
        }
    };
    let not_run = lsl_concrete::not_run();
    for call in script.calls() {
        if not_run.contains(&call) {
            system.err(&format!("warning: what `{call}` gives is made up\n"));
        }
    }
    let plan = Plan {
        seed: invocation.seed,
        steps: invocation.steps.unwrap_or(SOME_EVENTS),
        habits: Habits::default(),
    };
    let shown = make(&script, &plan);
    system.out(&format!("A concrete run (seed {})\n", plan.seed));
    for line in &shown.story {
        system.out(&format!("{line}\n"));
    }
    if let Some(why) = shown.lost {
        system.out(&format!("The run ends here: {why}.\n"));
    }
    for (name, standing) in script.properties().zip(&shown.standings) {
        let wanted = invocation.property.as_deref().is_none_or(|own| own == name);
        if wanted {
            system.out(&format!("{name}: {}\n", in_words(standing)));
        }
    }
    0
}

/// What a run means for a property.
fn in_words(standing: &Standing) -> String {
    match standing {
        Standing {
            broken: Some((step, why)),
            ..
        } => format!("broken after {step} events: {why}"),
        Standing { beyond: true, .. } => "about runs without end, which this is not".to_owned(),
        Standing { cut: true, .. } => "the run leaves what is assumed for it".to_owned(),
        Standing { judged: 0, .. } => "not put to the test".to_owned(),
        Standing { judged, .. } => format!("not broken, looked at {judged} times"),
    }
}
