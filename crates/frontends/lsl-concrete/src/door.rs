//! The concrete world behind the door for such worlds.

use language::{BOUND, ConcretePlan, ConcreteRun, ConcreteWorld, DEFINE, Request};

use crate::{Habits, Plan, Script, Standing, not_run, run};

/// The concrete world of LSL.
pub struct LslWorld;

impl ConcreteWorld for LslWorld {
    fn language(&self) -> &'static str {
        "lsl"
    }

    fn run(&self, request: &Request<'_>, plan: &ConcretePlan) -> Result<ConcreteRun, String> {
        let text = request.text().unwrap_or_default();
        let notecards = lsl::notecards(request).map_err(|refused| refused.message)?;
        let options = lsl::Options {
            bounds: request.settings.pairs(BOUND.name),
            bound_spans: Default::default(),
            extra_properties: request.extra_properties.to_vec(),
            defines: request.settings.pairs(DEFINE.name),
            notecards,
            checks: false,
            statements: false,
        };
        let include = |file: &str| request.include(&file.replace('\\', "/"));
        let script = Script::read_with(&request.name(), &text, &options, &include);
        let script = script.map_err(|errors| errors.join("\n"))?;
        let not_run = not_run();
        let calls = script.calls().into_iter();
        let made_up = calls.filter(|call| not_run.contains(call));
        let made_up = made_up.map(|call| format!("what `{call}` gives"));
        let made_up = made_up.collect();
        let plan = Plan {
            seed: plan.seed,
            steps: plan.steps,
            habits: Habits::default(),
        };
        let shown = run(&script, &plan);
        let standings = script.properties().zip(&shown.standings);
        let standings = standings.map(|(name, standing)| (name.to_owned(), in_words(standing)));
        Ok(ConcreteRun {
            made_up,
            standings: standings.collect(),
            story: shown.story,
            ended: shown.lost.map(str::to_owned),
        })
    }
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
