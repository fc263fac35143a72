//! From a file's tree to a program over structures.

mod actions;
mod declarations;
mod focus;
mod formula;
mod individuals;
mod initial;
mod linear;
mod messages;

use std::collections::HashMap;
use std::sync::Arc;

use model::predicates::PredicateProgram;
use model::{Assumption, AssumptionId, Claim, MessageId, Origin, PredicateId, Program, PropertyId};
use source::{Diagnostic, Diagnostics, Span, suggest};

use crate::codes;
use crate::tree::{self, File, Join, Name, Set};

/// What names in brackets stand for, where they are parameters.
type Names = HashMap<String, String>;

/// The predicates that every model has.
struct Known {
    isthread: PredicateId,
    ready: PredicateId,
    runnable: PredicateId,
    is_new: PredicateId,
}

struct Lowering<'d> {
    program: PredicateProgram,
    properties: Vec<model::Property>,
    sets: HashMap<String, Vec<String>>,
    predicates: HashMap<String, PredicateId>,
    /// The label at which threads of each type begin.
    entries: HashMap<String, String>,
    known: Known,
    /// What each action focuses on.
    focus: Vec<(tree::Formula, Names)>,
    /// Messages of each action, each with the one that it is.
    messages: Vec<(tree::Formula, Names, MessageId)>,
    /// So many rules are not the model's own.
    own_rules: usize,
    diagnostics: &'d mut Diagnostics,
}

/// Lowers a file. What is wrong is said.
pub(crate) fn lower(name: &str, file: &File, diagnostics: &mut Diagnostics) -> Program {
    let first = PredicateId::new(0);
    let mut lowering = Lowering {
        program: PredicateProgram::default(),
        properties: Vec::new(),
        sets: HashMap::new(),
        predicates: HashMap::new(),
        entries: file
            .threads
            .iter()
            .filter_map(|thread| Some((thread.name.clone(), thread.edges.first()?.from.clone())))
            .collect(),
        known: Known {
            isthread: first,
            ready: first,
            runnable: first,
            is_new: first,
        },
        focus: Vec::new(),
        messages: Vec::new(),
        own_rules: 0,
        diagnostics,
    };
    lowering.declare(file);
    if !lowering.diagnostics.has_errors() {
        lowering.act(file);
        lowering.begin(file);
        lowering.linear(file);
        lowering.output(file);
    }
    lowering.program.fair = file.fair;
    let language = if file.flow.is_some() { "TVP" } else { "TVM" };
    let mut program = Program::new(name, language);
    program.properties = lowering.properties;
    if let Some(first) = lowering.program.constraints.get(lowering.own_rules) {
        program.assumptions.push(Assumption {
            text: "the model's rules (`%r`, and what is said of predicates in their declarations) \
                   hold in every configuration: one that breaks them does not exist"
                .to_owned(),
            origin: Origin::Stated,
            properties: None,
            span: first.span,
        });
    }
    let runs = |property: &model::Property| matches!(property.claim, Claim::Configurations(_));
    if file.fair && program.properties.iter().any(runs) {
        let id = AssumptionId::new(program.assumptions.len());
        let mut about = Vec::new();
        for (number, property) in program.properties.iter_mut().enumerate() {
            if runs(property) {
                property.assumptions.push(id);
                about.push(PropertyId::new(number));
            }
        }
        program.assumptions.push(Assumption {
            properties: Some(about),
            ..linear::fairness()
        });
    }
    program.predicates = Some(Arc::new(lowering.program));
    program
}

impl Lowering<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        let error = Diagnostic::error(code, message);
        self.diagnostics.push(error.at(span));
    }

    /// Says that there is nothing of this name.
    fn unknown<'n>(
        &mut self,
        what: &str,
        name: &str,
        span: Span,
        all: impl Iterator<Item = &'n str>,
    ) {
        let mut error = Diagnostic::error(codes::NAME, format!("there is no {what} `{name}`"));
        if let Some(near) = suggest(name, all) {
            error = error.help(format!("there is one named `{near}`"));
        }
        self.diagnostics.push(error.at(span));
    }

    /// The members of a set, with names that stand for others replaced.
    fn members(&mut self, set: &Set, names: &Names) -> Vec<String> {
        match set {
            Set::Of(all) => all.iter().map(|one| replaced(one, names)).collect(),
            Set::Named(name, span) => {
                if let Some(all) = self.sets.get(name) {
                    return all.clone();
                }
                let known: Vec<String> = self.sets.keys().cloned().collect();
                self.unknown("set", name, *span, known.iter().map(String::as_str));
                Vec::new()
            }
            Set::Each(name, variable, set) => {
                let each = self.members(set, names).into_iter().map(|member| {
                    let mut names = names.clone();
                    names.insert(variable.clone(), member);
                    written(name, &names)
                });
                each.collect()
            }
            Set::Joined(parts, join) => {
                let [mut all, other] = parts.each_ref().map(|part| self.members(part, names));
                match join {
                    Join::Difference => all.retain(|one| !other.contains(one)),
                    Join::Intersection => all.retain(|one| other.contains(one)),
                    Join::Union => {
                        let more = other.into_iter().filter(|one| !all.contains(one));
                        let more: Vec<String> = more.collect();
                        all.extend(more);
                    }
                }
                all
            }
        }
    }

    /// A predicate by its name.
    fn predicate(&mut self, name: &Name, names: &Names) -> Option<PredicateId> {
        let written = written(name, names);
        if let Some(&id) = self.predicates.get(&written) {
            return Some(id);
        }
        let mut known: Vec<String> = self.predicates.keys().cloned().collect();
        known.sort_unstable();
        let known = known.iter().map(String::as_str);
        self.unknown("predicate", &written, name.span, known);
        None
    }
}

/// A name, or what it stands for.
fn replaced(name: &str, names: &Names) -> String {
    names
        .get(name)
        .map_or_else(|| name.to_owned(), Clone::clone)
}

/// A name as it is looked up.
fn written(name: &Name, names: &Names) -> String {
    let base = replaced(&name.base, names);
    if name.indices.is_empty() {
        return base;
    }
    let indices = name.indices.iter().map(|index| replaced(index, names));
    let indices: Vec<String> = indices.collect();
    format!("{base}[{}]", indices.join(","))
}
