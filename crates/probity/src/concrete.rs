//! `probity simulate --concrete`: a run of the script itself, in a world with concrete keys, texts
//! and times.
//!
//! The run is not one of the program that verification looks at, but of its twin: it shares
//! nothing with the lowering, and shows what may happen where a verdict says *not known*.

use language::ConcretePlan;

use crate::check::show;
use crate::command_line::{Input, SimulateInvocation};
use crate::corridor::{Script, contents, load, request};
use crate::fit::means_nothing;
use crate::languages::{concrete_world, concrete_worlds};
use crate::simulate::SOME_EVENTS;
use crate::system::System;

/// Runs, tells and returns the exit status: 0, or 2 for bad input.
pub(crate) fn run(invocation: &SimulateInvocation, input: &Input, system: &dyn System) -> u8 {
    let path = &invocation.path;
    let language = input.language_of(path).map(|one| one.language().name);
    let world = language.and_then(concrete_world);
    if let (Some(language), None) = (language, world) {
        let fit: Vec<&str> = concrete_worlds().collect();
        let message = means_nothing(input, "concrete", &[language], &fit);
        system.err(&format!("error[CLI0006]: {message}\n"));
        return 2;
    }
    let contents = match contents(path, system) {
        Ok(contents) => contents,
        Err(refused) => {
            show(&[*refused], &source::SourceMap::new(), system);
            return 2;
        }
    };
    let script = Script {
        path,
        contents: &contents,
        extra: &[],
    };
    // The front end says what is wrong with the script and its properties.
    let loaded = load(script, input, system).loaded;
    show(&loaded.diagnostics, &loaded.sources, system);
    let (Some(world), Some(_)) = (world, loaded.program) else {
        return 2;
    };
    let plan = ConcretePlan {
        seed: invocation.seed,
        steps: invocation.steps.unwrap_or(SOME_EVENTS),
    };
    let read = |path: &std::path::Path| system.read(path);
    let entries = |path: &std::path::Path| system.folder(path);
    let run = match world.run(&request(script, input, &read, &entries), &plan) {
        Ok(run) => run,
        Err(why) => {
            system.err(&format!("error: {why}\n"));
            return 2;
        }
    };
    for what in &run.made_up {
        system.err(&format!("warning: {what} is made up\n"));
    }
    system.out(&format!("A concrete run (seed {})\n", plan.seed));
    for line in &run.story {
        system.out(&format!("{line}\n"));
    }
    if let Some(why) = run.ended {
        system.out(&format!("The run ends here: {why}.\n"));
    }
    for (name, standing) in &run.standings {
        let wanted = invocation.property.as_deref();
        if wanted.is_none_or(|wanted| wanted == name) {
            system.out(&format!("{name}: {standing}\n"));
        }
    }
    0
}
