//! `probity translate`: the script as a model for another tool, or as a graph.

use std::path::Path;

use export::{Options, StateGraph, aiger, control_flow, mcrl2, promela, smv};
use language::{FrontEnd, Request};
use model::interp::{Occurrence, ReplayedStep, State};
use model::{Budget, Origin, Program, PropertyId, Type, UnknownReason, VariableKind};
use report::{FailureOf, HappeningKind, Narrator, dot, value_text};
use source::{Diagnostic, SourceMap};

use crate::check::{is_name, own_properties, show};
use crate::command_line::{TranslateInvocation, Translation};
use crate::corridor::{Script, contents, load, request};
use crate::decisions::decisions;
use crate::destinations::try_outputs;
use crate::fit::misplaced;
use crate::system::{Stream, System};

/// Translates, writes the result, and returns the exit status.
pub(crate) fn run(invocation: &TranslateInvocation, system: &dyn System) -> u8 {
    if let Some(message) = misplaced(&invocation.input, [invocation.path.as_path()]) {
        system.err(&format!("error[CLI0006]: {message}\n"));
        return 2;
    }
    let input = &invocation.input;
    let inputs = [vec![invocation.path.clone()], input.files()].concat();
    let output = ("-o", invocation.output.as_deref(), false);
    if let Err(message) = try_outputs(&[output], &inputs, invocation.overwrite, system) {
        system.err(&format!("error: {message}\n"));
        return 2;
    }
    let (names, texts): (Vec<String>, Vec<String>) = invocation
        .properties
        .iter()
        .cloned()
        .partition(|given| is_name(given));
    let contents = match contents(&invocation.path, system) {
        Ok(contents) => contents,
        Err(refused) => {
            show(&[*refused], &SourceMap::new(), system);
            return 2;
        }
    };
    let script = Script {
        path: &invocation.path,
        contents: &contents,
        extra: &texts,
    };
    let front_end = input.language_of(&invocation.path);
    let read = |path: &Path| system.read(path);
    let entries = |path: &Path| system.folder(path);
    let decisions = match &invocation.run {
        None => None,
        Some(path) => match decisions(path, &names, script, input, system) {
            Ok(decisions) => Some(decisions),
            Err(message) => {
                system.err(&format!("error: {message}\n"));
                return 2;
            }
        },
    };
    let request = Request {
        decisions: decisions.as_deref(),
        ..request(script, input, &read, &entries)
    };
    let own = front_end.and_then(|front_end| front_end.translate(&invocation.to, &request));
    if let Some(loaded) = own {
        show(&loaded.diagnostics, &loaded.sources, system);
        let is_part = loaded.diagnostics.iter().any(|told| told.code == PART);
        return match loaded.program {
            Some(text) => only_part(written(invocation, &text, system), is_part),
            None => 2,
        };
    }
    if invocation.run.is_some() {
        let to = &invocation.to;
        system.err(&format!(
            "error: --run: no run can be written with --to {to}\n"
        ));
        return 2;
    }
    let Some(target) = invocation.target else {
        let has = |one: &&dyn FrontEnd| {
            let mut targets = one.language().targets.iter();
            targets.any(|(target, _)| *target == invocation.to)
        };
        let others = input.languages.iter().filter(has);
        let others: Vec<&str> = others.map(|one| one.language().name).collect();
        let others = input.languages.in_words(&others);
        let to = &invocation.to;
        system.err(&format!(
            "error: --to {to}: only {others} can be written so\n"
        ));
        return 2;
    };
    let loaded = load(script, input, system).loaded;
    show(&loaded.diagnostics, &loaded.sources, system);
    let Some(program) = &loaded.program else {
        return 2;
    };
    if program.predicates.is_some() && target != Translation::ControlFlow {
        let to = &invocation.to;
        let language = &program.language;
        system.err(&format!(
            "error: --to {to}: a model in {language} may have any number of threads and objects, and \
             what is written so has a fixed number; nothing is written\n"
        ));
        return 2;
    }
    let chosen = match chosen(program, &names, texts.len()) {
        Ok(chosen) => chosen,
        Err(unknown) => {
            system.err(&format!("error[CLI0003]: no property `{unknown}`\n"));
            return 2;
        }
    };
    let given = !invocation.properties.is_empty();
    let asked = if given {
        &chosen[..]
    } else {
        &all(program)[..]
    };
    if let Some(predicates) = &program.predicates {
        return match verify::ways(program, asked, &Budget::default()) {
            Ok(ways) => written(invocation, &dot(predicates, &program.name, &ways), system),
            Err(reason) => {
                let why = match reason {
                    UnknownReason::Unsupported(what) => {
                        format!("the engine cannot do this: {what}")
                    }
                    _ => "a limit was reached".to_owned(),
                };
                system.err(&format!("error: --to {}: {why}\n", invocation.to));
                3
            }
        };
    }
    let parts = match target {
        // Nothing is chosen in the text of a script.
        Translation::ControlFlow => Vec::new(),
        _ => parts(program, asked),
    };
    show(&parts, &loaded.sources, system);
    let text = match target {
        Translation::Promela => {
            let properties = if given { chosen } else { all(program) };
            let options = Options {
                passes: invocation.passes.clone(),
                sources: &loaded.sources,
                show: &|program, value| value_text(program, &Type::Rich, value),
                file: invocation.path.to_string_lossy().into_owned(),
            };
            match promela(program, &properties, &options) {
                Ok(model) => {
                    tell_left_out(program, &model.left_out, system);
                    model.text
                }
                Err(refused) => {
                    show(&refused, &loaded.sources, system);
                    return 2;
                }
            }
        }
        Translation::Smv | Translation::Aiger => {
            let properties = if given { chosen } else { all(program) };
            let write = match target {
                Translation::Smv => smv,
                _ => aiger,
            };
            match write(program, &properties, &invocation.passes) {
                Ok(model) => {
                    tell_left_out(program, &model.left_out, system);
                    model.text
                }
                Err(refused) => {
                    show(&refused, &loaded.sources, system);
                    return 2;
                }
            }
        }
        Translation::Mcrl2States => match mcrl2(program, invocation.states) {
            Ok(text) => text,
            Err(error) => {
                show(&[no_graph(&error.to_string())], &loaded.sources, system);
                return 3;
            }
        },
        Translation::ControlFlow if given => {
            let reduced = passes::pipeline(program, &chosen, &invocation.passes);
            control_flow(&reduced.program, &loaded.sources)
        }
        Translation::ControlFlow => control_flow(program, &loaded.sources),
        Translation::States | Translation::Aldebaran => {
            let reduced = if given {
                passes::pipeline(program, &chosen, &invocation.passes).program
            } else {
                program.clone()
            };
            let graph = states(&reduced, &loaded.sources, invocation.states);
            let graph = graph.and_then(|graph| match invocation.equivalence {
                None => Ok(graph),
                Some(equivalence) => graph
                    .reduced(equivalence, invocation.states)
                    .map_err(|error| Box::new(no_graph(&error.to_string()))),
            });
            match graph {
                Ok(graph) if target == Translation::States => graph.to_dot(&program.name),
                Ok(graph) => graph.to_aut(),
                Err(diagnostic) => {
                    show(&[*diagnostic], &loaded.sources, system);
                    return 3;
                }
            }
        }
    };
    only_part(written(invocation, &text, system), !parts.is_empty())
}

/// The code of what says that a model has only a part of what can happen.
const PART: &str = "EXP0004";

/// What of all that can happen is left out, so that a model would say less than the script does.
fn parts(program: &Program, asked: &[PropertyId]) -> Vec<Diagnostic> {
    let narrowed = program.assumptions.iter().filter(|assumption| {
        let touched = assumption.properties.as_ref();
        assumption.origin == Origin::Narrowed
            && touched.is_none_or(|all| asked.is_empty() || all.iter().any(|id| asked.contains(id)))
    });
    narrowed
        .map(|assumption| {
            let text = format!(
                "the model has only a part of what can happen: {}",
                assumption.text
            );
            Diagnostic::warning(PART, text).at(assumption.span)
        })
        .collect()
}

/// The exit status of a model that may have only a part of what can happen.
fn only_part(status: u8, is_part: bool) -> u8 {
    match status {
        0 if is_part => 3,
        other => other,
    }
}

/// Writes where it is asked to, and returns the exit status.
fn written(invocation: &TranslateInvocation, text: &str, system: &dyn System) -> u8 {
    match &invocation.output {
        None if system.is_terminal(Stream::Out) => system.out(text),
        // Another program is to read exactly this.
        None => system.write_out(text),
        Some(path) => {
            if let Err(error) = system.write(path, text) {
                system.err(&format!("error: -o: write {}: {error}\n", path.display()));
                return 3;
            }
        }
    }
    0
}

fn tell_left_out(program: &Program, left_out: &[(PropertyId, String)], system: &dyn System) {
    for (property, why) in left_out {
        let name = &program.properties[property.index()].name;
        system.err(&format!("note: {name} is not in the model: {why}\n"));
    }
}

fn all(program: &Program) -> Vec<PropertyId> {
    (0..program.properties.len()).map(PropertyId::new).collect()
}

/// The properties of the given names, and the `extra` last ones.
fn chosen(program: &Program, names: &[String], extra: usize) -> Result<Vec<PropertyId>, String> {
    let own = own_properties(program, extra);
    let mut chosen = Vec::new();
    for name in names {
        let found = program.properties[..own]
            .iter()
            .position(|property| property.name == *name)
            .ok_or_else(|| name.clone())?;
        chosen.push(PropertyId::new(found));
    }
    chosen.extend((own..program.properties.len()).map(PropertyId::new));
    Ok(chosen)
}

/// The state graph, told in the script's words.
fn states(
    program: &Program,
    sources: &SourceMap,
    limit: usize,
) -> Result<StateGraph, Box<Diagnostic>> {
    let narrator = Narrator::new(sources, program, FailureOf::None);
    let label = |before: &State, step: &ReplayedStep| {
        let told = narrator.step(1, before, step);
        let texts = |wanted: &dyn Fn(&report::Happening) -> bool| {
            let texts: Vec<&str> = told
                .happenings
                .iter()
                .filter(|happening| !happening.text.is_empty() && wanted(happening))
                .map(|happening| happening.text.as_str())
                .collect();
            texts.join("; ")
        };
        let short = texts(&|happening| !happening.detail);
        if !short.is_empty() {
            return short;
        }
        let events = texts(&|happening| happening.kind == HappeningKind::Event);
        if !events.is_empty() {
            return events;
        }
        statements(program, sources, before, step)
    };
    let tell = |state: &State| describe(program, state);
    StateGraph::explore(program, limit, &label, &tell)
        .map_err(|error| Box::new(no_graph(&error.to_string())))
}

fn no_graph(why: &str) -> Diagnostic {
    Diagnostic::error("EXP0003", format!("there is no state graph: {why}"))
        .help("bound the script, with --bound or in the file")
        .help("name a property, with --property: only what it depends on is drawn")
        .help("allow more states, with --states")
}

/// What the processes of the script do, in the script's own words; nothing for what only the
/// world does.
fn statements(
    program: &Program,
    sources: &SourceMap,
    before: &State,
    step: &ReplayedStep,
) -> String {
    let mut parts = Vec::new();
    for occurrence in &step.occurrences {
        let Occurrence::Step { part, span } = occurrence else {
            continue;
        };
        let Some(instance) = before.instance(part.instance) else {
            continue;
        };
        let process = &program.processes[instance.process.index()];
        let text = sources.snippet(*span);
        if !process.environment && !text.is_empty() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            parts.push(format!("{} ({}): {text}", process.name, part.instance));
        }
    }
    parts.join("; ")
}

/// A state: where each process is, and the script's variables.
fn describe(program: &Program, state: &State) -> String {
    let mut lines = Vec::new();
    for (number, instance) in state.living() {
        let process = &program.processes[instance.process.index()];
        let place = match instance.location {
            Some(location) => {
                let name = &process.locations[location.index()].name;
                if name.is_empty() {
                    format!("{}", location.0)
                } else {
                    name.clone()
                }
            }
            None => "ended".to_owned(),
        };
        if process.locations.len() > 1 {
            lines.push(format!("{} ({number}): {place}", process.name));
        }
        if let Some(Some(frame)) = state.frames.get(instance.frame) {
            for (variable, value) in process.locals.iter().zip(frame) {
                let shown = value_text(program, &variable.ty, value);
                lines.push(format!("{} = {shown}", variable.name));
            }
        }
    }
    for (variable, value) in program.globals.iter().zip(state.globals.iter()) {
        if variable.kind == VariableKind::State {
            let shown = value_text(program, &variable.ty, value);
            lines.push(format!("{} = {shown}", variable.name));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}
