//! The names that a script defines, and where they are used.

use std::collections::HashMap;

use language::{Definition, Kind, Mention, Outline};
use source::{Diagnostics, Include, SourceMap, Span};

use super::documentation::{event_signature, event_text};
use crate::ast::{
    Ast, ExprId, ExprKind, FunctionId, GlobalId, LocalId, Name, Parameter, StateId, StmtId,
    StmtKind,
};
use crate::check::{Body, Checked, Resolution};
use crate::facts;
use crate::load::{Options, understood};
use crate::property::syntax::{
    Annotations, Argument, AssumptionKind, Claim, EventKind, GhostType, Leaf, Pattern,
};

/// What can be said of a script without making a program of it.
pub(crate) fn outline(name: &str, text: &str, options: &Options, include: Include<'_>) -> Outline {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let (checked, prepared) = understood(
        name,
        text,
        (options, include),
        &mut sources,
        &mut diagnostics,
    );
    let mut names = Names::new(&checked);
    names.script();
    names.annotations(prepared.annotations());
    names.expressions();
    names.statements();
    diagnostics.sort();
    Outline {
        definitions: names.definitions,
        mentions: names.mentions,
        diagnostics: source::Loaded::<()>::new(SourceMap::new(), diagnostics, None).diagnostics,
        sources,
    }
}

/// A function or handler: where it is, its variables and labels, and where their definitions begin.
struct Owner<'c> {
    span: Span,
    body: &'c Body,
    locals: usize,
    labels: usize,
}

struct Names<'c> {
    checked: &'c Checked,
    ast: &'c Ast,
    definitions: Vec<Definition>,
    mentions: Vec<Mention>,
    /// Where the definitions of each sort begin.
    globals: usize,
    functions: usize,
    states: usize,
    /// Functions and handlers by where they begin.
    owners: Vec<Owner<'c>>,
    ghosts: HashMap<String, usize>,
    /// Up to where a declaration reaches: the end of the block that it stands in.
    reach: HashMap<StmtId, Span>,
}

impl<'c> Names<'c> {
    fn new(checked: &'c Checked) -> Names<'c> {
        Names {
            checked,
            ast: &checked.ast,
            definitions: Vec::new(),
            mentions: Vec::new(),
            globals: 0,
            functions: 0,
            states: 0,
            owners: Vec::new(),
            ghosts: HashMap::new(),
            reach: HashMap::new(),
        }
    }

    fn define(
        &mut self,
        kind: Kind,
        name: Name,
        whole: Span,
        scope: Option<Span>,
        signature: String,
    ) {
        self.definitions.push(Definition {
            name: self.ast.name_text(name).to_owned(),
            kind,
            span: name.span,
            // Macros may have put a name elsewhere.
            whole: if whole.contains(name.span) {
                whole
            } else {
                name.span
            },
            scope,
            signature,
            documentation: String::new(),
        });
    }

    fn mention(&mut self, span: Span, definition: usize) {
        if !span.is_none() && definition < self.definitions.len() {
            self.mentions.push(Mention { span, definition });
        }
    }

    /// What stands at the top of a script, and what it consists of.
    fn script(&mut self) {
        let ast = self.ast;
        for global in &ast.globals {
            let signature = format!("{} {}", global.ty.keyword(), ast.name_text(global.name));
            self.define(Kind::Variable, global.name, global.span, None, signature);
        }
        self.functions = self.definitions.len();
        for function in &ast.functions {
            let result = function.result.map_or("", |ty| ty.keyword());
            let gap = if result.is_empty() { "" } else { " " };
            let name = ast.name_text(function.name);
            let signature = format!(
                "{result}{gap}{name}({})",
                self.parameters(&function.parameters)
            );
            self.define(
                Kind::Function,
                function.name,
                function.span,
                None,
                signature,
            );
        }
        self.states = self.definitions.len();
        for state in &ast.states {
            let name = ast.name_text(state.name);
            let signature = match name {
                "default" => name.to_owned(),
                _ => format!("state {name}"),
            };
            self.define(Kind::State, state.name, state.span, None, signature);
        }
        self.blocks();
        for id in ast.handler_ids() {
            let handler = ast.handler(id);
            let event = facts::event(ast.name_text(handler.event));
            let signature = match event {
                Some(event) => event_signature(event),
                None => ast.name_text(handler.event).to_owned(),
            };
            // Nobody refers to a handler by its name.
            let scope = Some(handler.event.span);
            self.define(Kind::Event, handler.event, handler.span, scope, signature);
            if let (Some(event), Some(last)) = (event, self.definitions.last_mut()) {
                last.documentation = event_text(event);
            }
        }
        for id in ast.function_ids() {
            self.owner(ast.function(id).span, self.checked.function_body(id));
        }
        for id in ast.handler_ids() {
            self.owner(ast.handler(id).span, self.checked.handler_body(id));
        }
        self.owners.sort_by_key(|owner| owner.span.start);
    }

    fn parameters(&self, parameters: &[Parameter]) -> String {
        let parameters: Vec<String> = parameters
            .iter()
            .map(|parameter| {
                format!(
                    "{} {}",
                    parameter.ty.keyword(),
                    self.ast.name_text(parameter.name)
                )
            })
            .collect();
        parameters.join(", ")
    }

    /// The variables and labels of a function or handler.
    fn owner(&mut self, span: Span, body: &'c Body) {
        let locals = self.definitions.len();
        for local in &body.locals {
            let (kind, word) = match local.parameter {
                true => (Kind::Parameter, "parameter"),
                false => (Kind::Variable, "local"),
            };
            let name = self.ast.name_text(local.name);
            let signature = format!("{} {name} ({word})", local.ty.keyword());
            self.define(kind, local.name, local.name.span, Some(span), signature);
        }
        let labels = self.definitions.len();
        for label in &body.labels {
            let signature = format!("@{}", self.ast.name_text(*label));
            self.define(Kind::Label, *label, label.span, Some(span), signature);
        }
        self.owners.push(Owner {
            span,
            body,
            locals,
            labels,
        });
    }

    /// Finds the block that each declaration stands in.
    fn blocks(&mut self) {
        for index in 0..self.ast.stmt_count() {
            let stmt = self.ast.stmt(StmtId::new(index));
            if let StmtKind::Block(inner) = &stmt.kind {
                for id in inner {
                    self.reach.insert(*id, stmt.span);
                }
            }
        }
    }

    /// The function or handler that a place is in.
    fn owner_of(&self, span: Span) -> Option<&Owner<'c>> {
        let behind = self
            .owners
            .partition_point(|owner| owner.span.start <= span.start);
        let owner = self.owners.get(behind.checked_sub(1)?)?;
        owner.span.contains(span).then_some(owner)
    }

    fn expressions(&mut self) {
        for id in self.ast.expr_ids() {
            let name = match &self.ast.expr(id).kind {
                ExprKind::Name(name)
                | ExprKind::Member { base: name, .. }
                | ExprKind::Call { function: name, .. }
                | ExprKind::Word { name, .. } => *name,
                _ => continue,
            };
            if let Some(definition) = self.meaning(id, name) {
                self.mention(name.span, definition);
            }
        }
    }

    fn meaning(&self, id: ExprId, name: Name) -> Option<usize> {
        match self.checked.exprs.resolution(id)? {
            Resolution::Global(global) => Some(self.global(global)),
            Resolution::Function(function) => Some(self.function(function)),
            Resolution::State(state) => Some(self.state(state)),
            Resolution::Local(local) => self.local(name.span, local),
            Resolution::Extra(_) => self.ghosts.get(self.ast.name_text(name)).copied(),
            Resolution::Constant(_) | Resolution::Library(_) => None,
        }
    }

    fn global(&self, id: GlobalId) -> usize {
        self.globals + id.index()
    }

    fn function(&self, id: FunctionId) -> usize {
        self.functions + id.index()
    }

    fn state(&self, id: StateId) -> usize {
        self.states + id.index()
    }

    fn local(&self, span: Span, id: LocalId) -> Option<usize> {
        let owner = self.owner_of(span)?;
        (id.index() < owner.body.locals.len()).then(|| owner.locals + id.index())
    }

    fn statements(&mut self) {
        for index in 0..self.ast.stmt_count() {
            let id = StmtId::new(index);
            match self.ast.stmt(id).kind {
                StmtKind::Declare { name, .. } => {
                    let reach = self.reach.get(&id).copied();
                    let local = self.checked.declared(id);
                    let definition = local.and_then(|local| self.local(name.span, local));
                    if let (Some(definition), Some(block)) = (definition, reach)
                        && block.contains(name.span)
                    {
                        let scope = Span::new(block.file, name.span.start, block.end);
                        self.definitions[definition].scope = Some(scope);
                    }
                }
                StmtKind::Jump(name) | StmtKind::Label(name) => {
                    let label = self.checked.label(id);
                    let owner = self.owner_of(name.span);
                    if let (Some(label), Some(owner)) = (label, owner)
                        && label.index() < owner.body.labels.len()
                    {
                        self.mention(name.span, owner.labels + label.index());
                    }
                }
                StmtKind::State(name) => {
                    if let Some(state) = self.checked.target_state(id) {
                        self.mention(name.span, self.state(state));
                    }
                }
                _ => {}
            }
        }
    }

    fn annotations(&mut self, annotations: &Annotations) {
        for ghost in &annotations.ghosts {
            let ty = match ghost.ty {
                GhostType::Integer => "integer",
                GhostType::Key => "key",
                GhostType::String => "string",
            };
            let name = self.ast.name_text(ghost.name);
            let signature = format!("ghost {ty} {name}");
            self.ghosts.insert(name.to_owned(), self.definitions.len());
            self.define(Kind::Variable, ghost.name, ghost.span, None, signature);
        }
        for property in &annotations.properties {
            self.definitions.push(Definition {
                name: property.name.clone(),
                kind: Kind::Property,
                span: property.name_span,
                whole: property.span,
                scope: None,
                signature: format!("property {}: {}", property.name, property.text),
                documentation: String::new(),
            });
        }
        let mut patterns = Vec::new();
        for property in &annotations.properties {
            match &property.claim {
                Claim::Formula(formula) => formula.leaves(&mut |leaf| {
                    if let Leaf::Pattern(pattern) = leaf {
                        patterns.push(pattern.clone());
                    }
                }),
                Claim::When(pattern, _) => patterns.push(pattern.clone()),
            }
        }
        for assumption in &annotations.assumptions {
            if let AssumptionKind::When(pattern, _) = &assumption.kind {
                patterns.push(pattern.clone());
            }
            for (name, span) in assumption.properties.iter().flatten() {
                let known = annotations.properties.iter();
                let known = known.clone().position(|property| property.name == *name);
                let first = self.definitions.len() - annotations.properties.len();
                if let Some(known) = known {
                    self.mention(*span, first + known);
                }
            }
        }
        patterns.extend(
            annotations
                .updates
                .iter()
                .map(|update| update.pattern.clone()),
        );
        for pattern in &patterns {
            self.pattern(pattern);
        }
    }

    /// The names in an event pattern.
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern.kind {
            EventKind::Call(name) => {
                let function = self.checked.function_named(self.ast.name_text(name));
                if let Some(function) = function {
                    self.mention(name.span, self.function(function));
                }
            }
            EventKind::Changes(name) => self.value_named(name),
            _ => {}
        }
        let inner = pattern.during.iter().flat_map(|during| &during.arguments);
        let arguments: Vec<Argument> = pattern.arguments.iter().chain(inner).copied().collect();
        for argument in arguments {
            if let Argument::Name(name) = argument {
                self.value_named(name);
            }
        }
    }

    /// A name that means a variable or a ghost if there is one.
    fn value_named(&mut self, name: Name) {
        let text = self.ast.name_text(name);
        let global = self.checked.global_named(text).map(|id| self.global(id));
        if let Some(definition) = global.or_else(|| self.ghosts.get(text).copied()) {
            self.mention(name.span, definition);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Outline {
        outline("t.lsl", text, &Options::default(), &|_| None)
    }

    /// What the name at the `nth` place where it stands is, by the line of its definition.
    fn meant(outline: &Outline, text: &str, name: &str, nth: usize) -> Option<(usize, String)> {
        let (at, _) = text.match_indices(name).nth(nth)?;
        let mut found = outline.mentions.iter();
        let mention = found.find(|mention| mention.span.start as usize == at)?;
        let definition = &outline.definitions[mention.definition];
        let line = text[..definition.span.start as usize].lines().count();
        Some((line.max(1), definition.signature.clone()))
    }

    const SCRIPT: &str = "\
integer n;
//@ ghost integer seen = 0;
//@ on money(id, amount) { seen = seen + amount; }
//@ property p: always n <= seen;
add(integer n) { integer k = n; { integer k; k = 1; } jump out; @out; }
default { money(key id, integer amount) { n += amount; add(n); state other; } }
state other { state_entry() { llOwnerSay((string)n); } }
";

    #[test]
    fn names_lead_to_what_they_mean() {
        let outline = of(SCRIPT);
        assert_eq!(
            outline.diagnostics.iter().filter(|d| d.is_error()).count(),
            0
        );
        let at =
            |name: &str, nth| meant(&outline, SCRIPT, name, nth).map(|(_, signature)| signature);
        let global = Some("integer n".to_owned());
        assert_eq!(at("n += ", 0), global);
        assert_eq!(at("n <= ", 0), global);
        assert_eq!(at("n; {", 0), Some("integer n (parameter)".to_owned()));
        assert_eq!(at("add(n)", 0), Some("add(integer n)".to_owned()));
        assert_eq!(at("other; }", 0), Some("state other".to_owned()));
        assert_eq!(at("out; @", 0), Some("@out".to_owned()));
        assert_eq!(at("seen;", 0), Some("ghost integer seen".to_owned()));
        assert_eq!(
            at("llOwnerSay", 0),
            None,
            "the library is no part of the script"
        );
    }

    #[test]
    fn declarations_reach_to_the_end_of_their_block() {
        let outline = of(SCRIPT);
        let scopes: Vec<&str> = outline
            .definitions
            .iter()
            .filter(|one| one.name == "k")
            .map(|one| &SCRIPT[one.scope.expect("it is local").range()])
            .collect();
        assert_eq!(
            scopes,
            [
                "k = n; { integer k; k = 1; } jump out; @out; }",
                "k; k = 1; }"
            ]
        );
    }

    #[test]
    fn texts_with_errors_have_an_outline_too() {
        let text = "integer n; default { touch_start(integer k) { n = ; n = nope; ";
        let outline = of(text);
        assert!(outline.diagnostics.iter().any(source::Diagnostic::is_error));
        assert!(meant(&outline, text, "n = nope", 0).is_some());
        for text in [
            "",
            "default",
            "{{{{",
            "state",
            "//@ property",
            "//@ ghost",
            "f(",
            "\u{0}",
        ] {
            let _ = of(text);
        }
    }
}
