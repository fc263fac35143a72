//! From a graph to a program: one process that is where the graph is, and tells what happens.

use std::collections::{HashMap, HashSet};

use model::{
    Event, EventId, FiniteRuns, Mode, Process, Program, Start, Step, Stmt, Type, Visibility,
};
use source::SourceFile;

use crate::label::{self, Action};
use crate::read::Lts;

/// What labels consist of.
pub(crate) struct Alphabet {
    /// How many kinds of actions there are; those of the program behind them are in no label.
    pub(crate) events: usize,
    /// The words that stand in arguments.
    pub(crate) words: HashSet<String>,
    /// Labels that nobody sees.
    pub(crate) silent: HashSet<String>,
}

/// The program of a graph, without properties, and what its labels consist of.
pub(crate) fn lower(
    name: &str,
    lts: &Lts<'_>,
    file: &SourceFile,
    silent: &[String],
) -> (Program, Alphabet) {
    let mut program = Program::new(name, "labelled graph");
    program.finite_runs = FiniteRuns::Maximal;
    program.display.steps = false;
    let mut words = HashSet::new();
    let mut events = Events::default();
    let bodies: Vec<Vec<Stmt>> = lts
        .labels
        .iter()
        .map(|text| {
            let actions = label::read(text, silent).into_iter();
            let tell = |action: Action| {
                action.args.iter().for_each(|arg| arg.words(&mut words));
                events.tell(&mut program, &action)
            };
            actions.map(tell).collect()
        })
        .collect();
    let mut process = Process::new("graph");
    let locations: Vec<_> = (0..lts.states)
        .map(|state| process.add_location(state.to_string(), Mode::Open, source::Span::NONE))
        .collect();
    process.entry = locations[lts.first as usize];
    for transition in &lts.transitions {
        let [from, to] = [transition.from, transition.to].map(|at| locations[at as usize]);
        let mut step = Step::new(from, to, file.line_span(transition.line));
        step.body.clone_from(&bodies[transition.label as usize]);
        process.add_step(step);
    }
    let process = program.add_process(process);
    program.start.push(Start {
        process,
        args: Vec::new(),
    });
    let hidden = silent
        .iter()
        .filter(|name| lts.labels.contains(&name.as_str()));
    let alphabet = Alphabet {
        events: program.events.len(),
        words,
        silent: hidden.cloned().collect(),
    };
    (program, alphabet)
}

/// The kinds of actions, by name and number of arguments.
#[derive(Default)]
struct Events(HashMap<(String, usize), EventId>);

impl Events {
    fn tell(&mut self, program: &mut Program, action: &Action) -> Stmt {
        let key = (action.name.clone(), action.args.len());
        let event = *self
            .0
            .entry(key)
            .or_insert_with(|| add_event(program, &action.name, action.args.len()));
        let values = action.args.iter().map(|arg| arg.value(&program.rich));
        let values: Vec<_> = values.collect();
        let args = values.into_iter();
        let args = args.map(|value| program.exprs.value(value, Type::Rich));
        Stmt::Emit {
            event,
            args: args.collect(),
            span: source::Span::NONE,
        }
    }
}

/// Adds a kind of action.
pub(crate) fn add_event(program: &mut Program, name: &str, arguments: usize) -> EventId {
    let holes: Vec<String> = (0..arguments).map(|at| format!("{{{at}}}")).collect();
    let written = name.replace('{', "{{").replace('}', "}}");
    let story = match holes.as_slice() {
        [] => written,
        holes => format!("{written}({})", holes.join(", ")),
    };
    let parameters = (1..=arguments).map(|at| (format!("argument {at}"), Type::Rich));
    program.add_event(Event {
        name: name.to_owned(),
        parameters: parameters.collect(),
        story: Some(story),
        visibility: Visibility::Told,
    })
}
