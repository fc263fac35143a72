//! Names and types of statements: block scopes, labels, `return` and `state`.

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics};

use super::environment::{Callable, Environment, Variable};
use super::expression::ExprChecker;
use super::script::named_like_an_event;
use super::table::{Body, ExprTable, ExprType, GlobalNames, Local, Resolution, StmtName};
use crate::ast::{Ast, ExprId, LabelId, LocalId, Name, Parameter, StmtId, StmtKind, Symbol};
use crate::codes::{lints, names, rules};
use crate::facts;
use crate::types::Type;
use source::suggest;

/// What the statements belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    Handler,
    Function {
        name: Name,
        result: Option<Type>,
    },
    /// Text of a property, which belongs to no state.
    Property,
}

/// The local variables in sight, over another environment.
pub(super) struct LocalScopes<'a> {
    outer: &'a dyn Environment,
    body: Body,
    /// For each name, the variables in sight, innermost last, with the number
    /// of blocks around each.
    visible: HashMap<Symbol, Vec<(LocalId, u32)>>,
    /// The names declared in each open block.
    blocks: Vec<Vec<Symbol>>,
}

impl Environment for LocalScopes<'_> {
    fn variable(&self, symbol: Symbol, text: &str) -> Option<Variable> {
        if let Some(&(id, _)) = self.visible.get(&symbol).and_then(|ids| ids.last()) {
            return Some(Variable {
                ty: self.body.local(id).ty,
                resolution: Resolution::Local(id),
                writable: true,
            });
        }
        self.outer.variable(symbol, text)
    }

    fn callable(&self, symbol: Symbol, text: &str) -> Option<Callable> {
        self.outer.callable(symbol, text)
    }

    fn word(&self, word: &str, name: &str) -> Option<(ExprType, Option<Resolution>)> {
        self.outer.word(word, name)
    }

    fn variable_names(&self) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self
            .visible
            .iter()
            .filter(|(_, ids)| !ids.is_empty())
            .map(|(&symbol, _)| symbol)
            .collect();
        symbols.sort_unstable();
        symbols.extend(self.outer.variable_names());
        symbols
    }

    fn callable_names(&self) -> Vec<String> {
        self.outer.callable_names()
    }

    fn effects(&self) -> bool {
        self.outer.effects()
    }
}

pub(super) struct BodyChecker<'a> {
    ast: &'a Ast,
    names: &'a GlobalNames,
    exprs: &'a mut ExprTable,
    statements: &'a mut HashMap<StmtId, StmtName>,
    diagnostics: &'a mut Diagnostics,
    scopes: LocalScopes<'a>,
    owner: Owner,
    labels: HashMap<Symbol, LabelId>,
    reported: HashSet<Symbol>,
    /// How many `if` statements are open.
    ifs: u32,
}

impl<'a> BodyChecker<'a> {
    pub(super) fn new(
        ast: &'a Ast,
        names: &'a GlobalNames,
        environment: &'a dyn Environment,
        owner: Owner,
        exprs: &'a mut ExprTable,
        statements: &'a mut HashMap<StmtId, StmtName>,
        diagnostics: &'a mut Diagnostics,
    ) -> BodyChecker<'a> {
        BodyChecker {
            ast,
            names,
            exprs,
            statements,
            diagnostics,
            scopes: LocalScopes {
                outer: environment,
                body: Body::default(),
                visible: HashMap::new(),
                blocks: vec![Vec::new()],
            },
            owner,
            labels: HashMap::new(),
            reported: HashSet::new(),
            ifs: 0,
        }
    }

    /// Checks parameters and statements; returns the variables and labels.
    pub(super) fn run(mut self, parameters: &[Parameter], statements: &[StmtId]) -> Body {
        for parameter in parameters {
            self.declare(parameter.ty, parameter.name, true);
        }
        for &statement in statements {
            self.collect_labels(statement);
        }
        for &statement in statements {
            self.statement(statement);
        }
        self.scopes.body
    }

    fn expressions(&mut self) -> ExprChecker<'_> {
        ExprChecker {
            ast: self.ast,
            names: self.names,
            environment: &self.scopes,
            known_globals: usize::MAX,
            exprs: self.exprs,
            diagnostics: self.diagnostics,
            reported: &mut self.reported,
        }
    }

    fn declare(&mut self, ty: Type, name: Name, parameter: bool) -> LocalId {
        let id = LocalId::new(self.scopes.body.locals.len());
        let text = self.ast.name_text(name);
        let depth = u32::try_from(self.scopes.blocks.len()).expect("nesting is limited");
        if facts::constant(text).is_some() {
            self.diagnostics.push(
                Diagnostic::error(
                    names::BUILTIN_NAME,
                    format!("`{text}` is a builtin constant"),
                )
                .at(name.span),
            );
        }
        self.diagnostics.extend(named_like_an_event(text, name));
        let hidden = self
            .scopes
            .visible
            .get(&name.symbol)
            .and_then(|ids| ids.last().copied());
        match hidden {
            Some((other, at)) if at == depth => {
                let other = self.scopes.body.local(other).name.span;
                self.diagnostics.push(
                    Diagnostic::error(names::DUPLICATE, format!("`{text}` is declared twice"))
                        .at(name.span)
                        .label(other, "declared here first"),
                );
            }
            Some((other, _)) => {
                let other = self.scopes.body.local(other).name.span;
                self.shadowed(name, other);
            }
            None => {
                if let Some(&global) = self.names.globals.get(&name.symbol) {
                    let other = self.ast.global(global).name.span;
                    self.shadowed(name, other);
                }
            }
        }
        self.scopes.body.locals.push(Local {
            ty,
            name,
            parameter,
        });
        self.scopes
            .visible
            .entry(name.symbol)
            .or_default()
            .push((id, depth));
        if let Some(block) = self.scopes.blocks.last_mut() {
            block.push(name.symbol);
        }
        id
    }

    fn shadowed(&mut self, name: Name, other: source::Span) {
        let text = self.ast.name_text(name);
        self.diagnostics.push(
            Diagnostic::warning(
                lints::SHADOWED,
                format!("this `{text}` hides another variable"),
            )
            .at(name.span)
            .label(other, "the one it hides"),
        );
    }

    fn collect_labels(&mut self, id: StmtId) {
        let ast = self.ast;
        match &ast.stmt(id).kind {
            &StmtKind::Label(name) => {
                let label = LabelId::new(self.scopes.body.labels.len());
                self.scopes.body.labels.push(name);
                self.statements.insert(id, StmtName::Label(label));
                let first = *self.labels.entry(name.symbol).or_insert(label);
                if first != label {
                    let text = ast.name_text(name);
                    let other = self.scopes.body.labels[first.index()].span;
                    self.diagnostics.push(
                        Diagnostic::error(
                            names::DUPLICATE_LABEL,
                            format!("label `{text}` is set twice"),
                        )
                        .at(name.span)
                        .label(other, "set here first"),
                    );
                }
            }
            StmtKind::Block(statements) => {
                for &statement in statements {
                    self.collect_labels(statement);
                }
            }
            StmtKind::If { arms, otherwise } => {
                for &(_, body) in arms {
                    self.collect_labels(body);
                }
                if let Some(body) = otherwise {
                    self.collect_labels(*body);
                }
            }
            &StmtKind::While { body, .. }
            | &StmtKind::DoWhile { body, .. }
            | &StmtKind::For { body, .. } => self.collect_labels(body),
            _ => {}
        }
    }

    fn statement(&mut self, id: StmtId) {
        let ast = self.ast;
        match &ast.stmt(id).kind {
            StmtKind::Error | StmtKind::Empty | StmtKind::Label(_) => {}
            StmtKind::Block(statements) => self.block(statements),
            &StmtKind::Expr(expr) => self.expressions().statement(expr),
            &StmtKind::Declare { ty, name, value } => {
                // The new name is not in sight in its own first value.
                if let Some(value) = value {
                    let place = || format!("`{}`", ast.name_text(name));
                    self.expressions().value_for(value, ty, &place);
                }
                let local = self.declare(ty, name, false);
                self.statements.insert(id, StmtName::Local(local));
            }
            StmtKind::If { arms, otherwise } => {
                self.ifs += 1;
                for &(condition, body) in arms {
                    self.expressions().condition(condition);
                    self.guarded(body);
                }
                if let Some(body) = *otherwise {
                    self.guarded(body);
                }
                self.ifs -= 1;
            }
            &StmtKind::While { condition, body } => {
                self.expressions().condition(condition);
                self.guarded(body);
            }
            &StmtKind::DoWhile { body, condition } => {
                self.guarded(body);
                self.expressions().condition(condition);
            }
            StmtKind::For {
                before,
                condition,
                after,
                body,
            } => {
                self.header(before);
                self.expressions().condition(*condition);
                self.header(after);
                self.guarded(*body);
            }
            &StmtKind::Jump(name) => self.jump(id, name),
            &StmtKind::Return(value) => self.return_statement(id, value),
            &StmtKind::State(name) => self.state_change(id, name),
        }
    }

    fn header(&mut self, expressions: &[ExprId]) {
        for &expr in expressions {
            self.expressions().check(expr);
        }
    }

    fn block(&mut self, statements: &[StmtId]) {
        self.scopes.blocks.push(Vec::new());
        for &statement in statements {
            self.statement(statement);
        }
        for symbol in self.scopes.blocks.pop().unwrap_or_default() {
            if let Some(ids) = self.scopes.visible.get_mut(&symbol) {
                ids.pop();
            }
        }
    }

    /// A body without braces is a scope too: a declaration there is an error
    /// already, and should not leak.
    fn guarded(&mut self, body: StmtId) {
        self.block(&[body]);
    }

    fn jump(&mut self, id: StmtId, name: Name) {
        if let Some(&label) = self.labels.get(&name.symbol) {
            self.statements.insert(id, StmtName::Label(label));
            return;
        }
        let ast = self.ast;
        let text = ast.name_text(name);
        let diagnostic = Diagnostic::error(names::UNKNOWN_LABEL, format!("unknown label `{text}`"))
            .at(name.span);
        let labels = self
            .scopes
            .body
            .labels
            .iter()
            .map(|&label| ast.name_text(label));
        let diagnostic = match suggest(text, labels) {
            Some(near) => diagnostic.fix_it(name.span, near, "a similar label is known"),
            None => diagnostic.help(format!("set it with `@{text};`")),
        };
        self.diagnostics.push(diagnostic);
    }

    fn return_statement(&mut self, id: StmtId, value: Option<ExprId>) {
        let span = self.ast.stmt(id).span;
        let ast = self.ast;
        let result = match self.owner {
            Owner::Function { result, .. } => result,
            Owner::Handler | Owner::Property => None,
        };
        match (value, result) {
            (Some(value), Some(ty)) => {
                let Owner::Function { name, .. } = self.owner else {
                    return;
                };
                let place = || format!("the result of `{}`", ast.name_text(name));
                self.expressions().value_for(value, ty, &place);
            }
            (None, None) => {}
            (Some(value), None) => {
                let ty = self.expressions().check(value);
                let what = match self.owner {
                    Owner::Function { name, .. } => {
                        format!("`{}` has no result", ast.name_text(name))
                    }
                    Owner::Handler | Owner::Property => "event handlers have no result".to_owned(),
                };
                if ty == ExprType::Void && self.ifs > 0 {
                    // `return f();` with an `f` that has no result: under an
                    // `if`, the compiler forgets to refuse it.
                    self.diagnostics.push(
                        Diagnostic::warning(rules::RETURN_VALUE, what)
                            .at(ast.expr(value).span)
                            .help("the compiler accepts this only because of the `if` around it"),
                    );
                    return;
                }
                let diagnostic = Diagnostic::error(rules::RETURN_VALUE, what)
                    .at(ast.expr(value).span)
                    .fix_it(span, "return;", "return without a value");
                self.diagnostics.push(match self.owner {
                    Owner::Function { name, .. } => {
                        diagnostic.label(name.span, "give it a type to return a value")
                    }
                    Owner::Handler | Owner::Property => diagnostic,
                });
            }
            (None, Some(ty)) => {
                self.diagnostics.push(
                    Diagnostic::error(
                        rules::RETURN_VALUE,
                        format!("`return` needs a value of type `{ty}`"),
                    )
                    .at(span),
                );
            }
        }
    }

    fn state_change(&mut self, id: StmtId, name: Name) {
        let span = self.ast.stmt(id).span;
        match self.owner {
            Owner::Handler | Owner::Property => {}
            Owner::Function { .. } if self.ifs > 0 => self.diagnostics.push(
                Diagnostic::warning(
                    lints::STATE_UNDER_IF,
                    "a state change in a function works only because of the `if` around it",
                )
                .at(span)
                .help("return a value, and change state in the handler"),
            ),
            Owner::Function { .. } => self.diagnostics.push(
                Diagnostic::error(rules::STATE_IN_FUNCTION, "a function cannot change state")
                    .at(span)
                    .help("return a value, and change state in the handler"),
            ),
        }
        if let Some(&state) = self.names.states.get(&name.symbol) {
            self.statements.insert(id, StmtName::State(state));
            return;
        }
        let ast = self.ast;
        let text = ast.name_text(name);
        if text == "default" {
            // That it is missing has been said.
            return;
        }
        let diagnostic = Diagnostic::error(names::UNKNOWN_STATE, format!("unknown state `{text}`"))
            .at(name.span);
        let states = ast.states.iter().map(|state| ast.name_text(state.name));
        let diagnostic = match suggest(text, states) {
            Some(near) => diagnostic.fix_it(name.span, near, "a similar state is known"),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }
}

/// Whether every path through a statement ends in `return`, a state change or a
/// jump, by the compiler's own simple rule: of a block only the last statement
/// counts, be it an empty one, and loops do not count, except the body of `do`.
pub(super) fn always_leaves(ast: &Ast, id: StmtId) -> bool {
    match &ast.stmt(id).kind {
        // An error has been reported there; one about paths would be noise.
        StmtKind::Error => true,
        StmtKind::Return(_) | StmtKind::State(_) | StmtKind::Jump(_) => true,
        StmtKind::Block(statements) => statements.last().is_some_and(|&id| always_leaves(ast, id)),
        StmtKind::If { arms, otherwise } => {
            otherwise.is_some_and(|id| always_leaves(ast, id))
                && arms.iter().all(|&(_, body)| always_leaves(ast, body))
        }
        &StmtKind::DoWhile { body, .. } => always_leaves(ast, body),
        _ => false,
    }
}
