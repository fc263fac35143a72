//! Runs of programs over logical structures, told: who does what, and what is different then.

use logic::Buchi;
use model::predicates::{
    EndlessRun, Formula, Kleene, PredicateProgram, PredicateRun, Structure, Taken,
};
use model::{PredicateId, Trace};

use crate::graphs::graph;
use crate::story::Narrator;
use crate::values::{Change, Ending, First, Happening, HappeningKind, Holder, Story, StoryStep};

/// The story of a run.
pub(crate) fn story(
    narrator: &Narrator<'_>,
    program: &PredicateProgram,
    trace: &Trace,
    message: model::MessageId,
) -> Option<Story> {
    let run = PredicateRun::replay(program, trace, message).ok()?;
    let mut before = &run.initial;
    let mut names = run.names.clone();
    let mut steps = Vec::new();
    let mut graphs = vec![graph(program, &names, before)];
    for taken in &run.steps {
        let number = steps.len() + 1;
        steps.push(step(narrator, program, &names, number, before, taken));
        before = &taken.state;
        names = program.names_after(&names, taken);
        graphs.push(graph(program, &names, before));
    }
    let told = &program.messages[message.index()];
    let (action, individuals) = &run.ends;
    let who = bound(program, &run.end_names, *action, individuals);
    let by = if who.is_empty() {
        String::new()
    } else {
        format!(" ({who})")
    };
    Some(Story {
        possible: false,
        beginning: beginning(program, &run.names, &run.initial),
        steps,
        repeats_from: None,
        ending: Ending {
            text: format!(
                "`{}`{by} reports \"{}\"",
                program.actions[*action].name, told.text
            ),
            values: Vec::new(),
            line: narrator.line(told.span),
            waiting: Vec::new(),
        },
        graphs,
    })
}

/// The story of a run that never ends.
pub(crate) fn endless(
    narrator: &Narrator<'_>,
    program: &PredicateProgram,
    trace: &Trace,
    automaton: &Buchi<Formula>,
) -> Option<Story> {
    let run = EndlessRun::replay(program, trace, automaton).ok()?;
    let mut names = run.names.clone();
    let mut steps = Vec::new();
    let mut graphs = vec![graph(program, &names, &run.initial)];
    for (index, taken) in run.steps.iter().enumerate() {
        let before = run.state(index);
        steps.push(step(narrator, program, &names, index + 1, before, taken));
        names = program.names_after(&names, taken);
        graphs.push(graph(program, &names, &taken.state));
    }
    let text = match run.repeats_from == run.steps.len() {
        true => "nobody can go on, and nothing changes any more",
        false => "this goes on for ever",
    };
    Some(Story {
        possible: false,
        beginning: beginning(program, &run.names, &run.initial),
        steps,
        repeats_from: Some(run.repeats_from),
        ending: Ending {
            text: text.to_owned(),
            values: Vec::new(),
            line: None,
            waiting: Vec::new(),
        },
        graphs,
    })
}

impl Narrator<'_> {
    /// A step of a run of a program over logical structures.
    #[must_use]
    pub fn configuration_step(
        &self,
        program: &PredicateProgram,
        names: &[String],
        number: usize,
        before: &Structure,
        taken: &Taken,
    ) -> StoryStep {
        step(self, program, names, number, before, taken)
    }
}

/// What holds in a configuration in which a run begins.
#[must_use]
pub fn beginning(program: &PredicateProgram, names: &[String], initial: &Structure) -> Vec<First> {
    facts(program, initial)
        .into_iter()
        .map(|(predicate, place)| First {
            variable: fact(program, names, initial, predicate, place),
            value: "true".to_owned(),
            detail: false,
        })
        .collect()
}

fn step(
    narrator: &Narrator<'_>,
    program: &PredicateProgram,
    names: &[String],
    number: usize,
    before: &Structure,
    taken: &Taken,
) -> StoryStep {
    let action = &program.actions[taken.action];
    let who = action.scheduled.map(|variable| taken.assignment[variable]);
    StoryStep {
        number,
        happenings: vec![Happening {
            kind: HappeningKind::Step,
            who: who.map(|one| individual(names, one)),
            text: action.name.clone(),
            detail: false,
            line: narrator.line(action.span),
            places: Vec::new(),
            message: None,
        }],
        changes: changes(program, names, before, taken),
    }
}

/// What is different, of the individuals that there were, what holds of new ones, and who is gone.
fn changes(
    program: &PredicateProgram,
    names: &[String],
    before: &Structure,
    taken: &Taken,
) -> Vec<Change> {
    let after = &taken.state;
    let called = program.names_after(names, taken);
    let change = |variable, was: &str, is: &str| Change {
        variable,
        holder: Holder::Script,
        before: was.to_owned(),
        after: is.to_owned(),
        detail: false,
    };
    let mut changes = Vec::new();
    for (index, predicate) in program.predicates.iter().enumerate() {
        let id = PredicateId::new(index);
        if program.turn == Some(id) {
            continue;
        }
        for (place, &value) in after.values[index].iter().enumerate() {
            let individuals = after.arguments(place, predicate.arity);
            let origins: Vec<usize> = individuals.iter().map(|&one| taken.origins[one]).collect();
            let known = origins.iter().all(|&one| one < before.size());
            let was = if known {
                before.get(id, &origins)
            } else {
                Kleene::False
            };
            if was != value {
                let word = |value| (value == Kleene::True).to_string();
                let variable = fact(program, &called, after, id, place);
                changes.push(change(variable, &word(was), &word(value)));
            }
        }
    }
    for (one, name) in names.iter().enumerate() {
        if !taken.origins.contains(&one) {
            changes.push(change(name.clone(), "there", "gone"));
        }
    }
    changes
}

/// What holds: predicates and the places of their values.
fn facts(program: &PredicateProgram, structure: &Structure) -> Vec<(PredicateId, usize)> {
    let mut all = Vec::new();
    for (index, values) in structure.values.iter().enumerate() {
        let id = PredicateId::new(index);
        let holds = values
            .iter()
            .enumerate()
            .filter(|(_, value)| **value == Kleene::True);
        if program.turn != Some(id) {
            all.extend(holds.map(|(place, _)| (id, place)));
        }
    }
    all
}

fn fact(
    program: &PredicateProgram,
    names: &[String],
    of: &Structure,
    predicate: PredicateId,
    place: usize,
) -> String {
    let predicate = program.predicate(predicate);
    let individuals = of.arguments(place, predicate.arity);
    let individuals: Vec<String> = individuals
        .into_iter()
        .map(|one| individual(names, one))
        .collect();
    format!("{}({})", predicate.name, individuals.join(", "))
}

/// What an individual is called.
fn individual(names: &[String], number: usize) -> String {
    names.get(number).cloned().unwrap_or_default()
}

/// The individuals of an action's free variables.
fn bound(
    program: &PredicateProgram,
    names: &[String],
    action: usize,
    individuals: &[usize],
) -> String {
    let variables = program.actions[action].variables.iter();
    let named = variables.zip(individuals);
    let named = named.map(|(variable, &one)| format!("{variable} is {}", individual(names, one)));
    named.collect::<Vec<_>>().join(", ")
}
