//! What the names in properties mean, and what lowering must show for them.
//!
//! An event pattern opens a scope: its fresh names stand for the event's arguments. A name that
//! has a meaning already (a variable, a ghost, a constant, a name bound before it in the same
//! pattern) and any other expression must be *equal* to the argument. Such a test is turned into
//! an ordinary LSL comparison with a name that no script can write (`#0`), so that types are
//! checked and values compared as everywhere else.

use std::collections::{BTreeSet, HashMap};

use source::{Diagnostic, Diagnostics, Span};

use super::syntax::{
    Annotations, Argument, AssumptionKind, Claim, EventKind, Formula, GhostType, Leaf, Pattern,
};
use crate::Type;
use crate::ast::{BinaryOp, ExprId, ExprKind, GlobalId, Name, StmtId, StmtKind, Symbol};
use crate::check::{
    Callable, Checked, Environment, ExprType, Parameters, Resolution, Variable, suggest,
};
use crate::codes::property as code;
use crate::facts;
use crate::watch::{Fact, Watch};

/// What a name brought in by properties stands for: the meaning of [`Resolution::Extra`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Extra {
    /// `old(x)`.
    Old,
    /// `granted(p)`.
    Granted,
    /// A ghost, by position.
    Ghost(usize),
    /// An argument of the event at hand.
    Argument { index: u32, ty: Type },
    /// A parameter of the LSL event being handled.
    Parameter {
        event: String,
        index: usize,
        ty: Type,
    },
}

/// Names with their types and meanings.
type Scope = HashMap<Symbol, (Type, u32)>;

/// A ghost after checking.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    pub(super) name: String,
    pub(super) ty: GhostType,
    pub(super) value: Option<ExprId>,
    pub(super) span: Span,
}

/// What a pattern is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Happening {
    Call(String),
    Changes(GlobalId),
    Paid,
    Discarded,
    OwnerChanges,
    Handled(String),
}

/// An event pattern after checking.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) happening: Happening,
    /// Only while this LSL event is handled.
    pub(super) during: Option<String>,
    /// All must be true.
    pub(super) conditions: Vec<ExprId>,
    pub(super) span: Span,
}

/// `on EVENT { ... }` after checking.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) event: Event,
    pub(super) body: Vec<StmtId>,
}

/// A formula after checking.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Formula(super::syntax::Formula),
    When(Event, ExprId),
}

/// Annotations whose names have meanings.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    pub(super) extras: Vec<Extra>,
    pub(super) ghosts: Vec<Ghost>,
    pub(super) updates: Vec<Update>,
    /// By position of the property.
    pub(super) claims: Vec<Option<Meaning>>,
    /// By position of the assumption.
    pub(super) assumptions: Vec<Option<Meaning>>,
    /// The event atoms of formulas, by where they stand.
    pub(super) events: HashMap<Span, Event>,
    pub(super) watch: Watch,
    /// The ghosts whose value before an event is asked for.
    pub(super) old_ghosts: BTreeSet<usize>,
}

const OLD: u32 = 0;
const GRANTED: u32 = 1;

/// Gives names their meanings.
pub(super) fn resolve(
    annotations: &Annotations,
    checked: &mut Checked,
    diagnostics: &mut Diagnostics,
) -> Resolved {
    let states = checked
        .ast
        .state_ids()
        .map(|id| {
            let name = checked.ast.state(id).name;
            (checked.ast.name_text(name).to_owned(), id)
        })
        .collect();
    let mut resolver = Resolver {
        checked,
        diagnostics,
        ghosts: HashMap::new(),
        states,
        out: Resolved {
            extras: vec![Extra::Old, Extra::Granted],
            ..Resolved::default()
        },
    };
    resolver.ghosts(annotations);
    let rich = resolver.out.ghosts.iter();
    resolver.out.watch.ghost_keys = rich.filter(|g| g.ty != GhostType::Integer).count();
    for update in &annotations.updates {
        resolver.update(update);
    }
    for property in &annotations.properties {
        let claim = match &property.claim {
            Claim::Formula(formula) => resolver.formula(formula),
            Claim::When(pattern, expr) => resolver.when(pattern, *expr),
        };
        resolver.out.claims.push(claim);
    }
    for assumption in &annotations.assumptions {
        let meaning = match &assumption.kind {
            AssumptionKind::Always(formula) => resolver.formula(formula),
            AssumptionKind::When(pattern, expr) => resolver.when(pattern, *expr),
            AssumptionKind::OwnerGrants(permission) => {
                resolver.permission(*permission);
                None
            }
            _ => None,
        };
        resolver.out.assumptions.push(meaning);
    }
    resolver.out
}

struct Resolver<'a> {
    checked: &'a mut Checked,
    diagnostics: &'a mut Diagnostics,
    ghosts: Scope,
    states: HashMap<String, crate::ast::StateId>,
    out: Resolved,
}

/// The names that a property sees beside the script's.
struct Names<'a> {
    scope: &'a Scope,
    ghosts: &'a Scope,
    states: &'a HashMap<String, crate::ast::StateId>,
    effects: bool,
}

impl Environment for Names<'_> {
    fn variable(&self, symbol: Symbol, _: &str) -> Option<Variable> {
        let local = self.scope.get(&symbol);
        let &(ty, extra) = local.or_else(|| self.ghosts.get(&symbol))?;
        Some(Variable {
            ty,
            resolution: Resolution::Extra(extra),
            writable: local.is_none() && self.effects,
        })
    }

    fn callable(&self, _: Symbol, text: &str) -> Option<Callable> {
        let (parameters, result, extra) = match text {
            "old" => (Parameters::Same, None, OLD),
            "granted" => (
                Parameters::Types(vec![Type::Integer]),
                Some(Type::Integer),
                GRANTED,
            ),
            _ => return None,
        };
        Some(Callable {
            parameters,
            result,
            resolution: Resolution::Extra(extra),
        })
    }

    fn word(&self, word: &str, name: &str) -> Option<(ExprType, Option<Resolution>)> {
        if word != "in" {
            return None;
        }
        Some(match self.states.get(name) {
            Some(&state) => (
                ExprType::Value(Type::Integer),
                Some(Resolution::State(state)),
            ),
            None => (ExprType::Error, None),
        })
    }

    fn variable_names(&self) -> Vec<Symbol> {
        let names = self.scope.keys().chain(self.ghosts.keys());
        names.copied().collect()
    }

    fn callable_names(&self) -> Vec<String> {
        vec!["old".to_owned(), "granted".to_owned()]
    }

    fn effects(&self) -> bool {
        self.effects
    }
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    scope: &'a Scope,
    /// Whether there is a moment before.
    old: bool,
}

impl Resolver<'_> {
    fn ghosts(&mut self, annotations: &Annotations) {
        for ghost in &annotations.ghosts {
            let name = self.checked.ast.name_text(ghost.name).to_owned();
            let taken = if self.ghosts.contains_key(&ghost.name.symbol) {
                Some("another ghost")
            } else if self.checked.global_named(&name).is_some() {
                Some("a variable of the script")
            } else if facts::constant(&name).is_some() {
                Some("a builtin constant")
            } else {
                None
            };
            if let Some(what) = taken {
                self.diagnostics.push(
                    Diagnostic::error(code::DUPLICATE, format!("`{name}` is the name of {what}"))
                        .at(ghost.name.span)
                        .help("choose another name for the ghost"),
                );
                continue;
            }
            let ty = match ghost.ty {
                GhostType::Integer => Type::Integer,
                GhostType::Key => Type::Key,
                GhostType::String => Type::String,
            };
            if let Some(value) = ghost.value {
                let names = Names {
                    scope: &Scope::new(),
                    ghosts: &Scope::new(),
                    states: &self.states,
                    effects: false,
                };
                self.checked
                    .check_value(value, ty, &names, self.diagnostics);
                if !self.is_constant(value) {
                    self.diagnostics.push(
                        Diagnostic::error(
                            code::GHOST_TYPE,
                            "a ghost's first value must be a constant",
                        )
                        .at(self.checked.ast.expr(value).span),
                    );
                }
            }
            let extra = self.extra(Extra::Ghost(self.out.ghosts.len()));
            self.ghosts.insert(ghost.name.symbol, (ty, extra));
            self.out.ghosts.push(Ghost {
                name,
                ty: ghost.ty,
                value: ghost.value,
                span: ghost.span,
            });
        }
    }

    /// Whether an expression is a literal, a builtin constant, or arithmetic on them.
    fn is_constant(&self, id: ExprId) -> bool {
        match self.checked.ast.expr(id).kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::String(_) => true,
            ExprKind::Name(_) => matches!(
                self.checked.exprs.resolution(id),
                Some(Resolution::Constant(_))
            ),
            ExprKind::Parenthesized(inner) | ExprKind::Unary { operand: inner, .. } => {
                self.is_constant(inner)
            }
            _ => false,
        }
    }

    fn extra(&mut self, extra: Extra) -> u32 {
        let id = u32::try_from(self.out.extras.len()).expect("fewer names than bytes of text");
        self.out.extras.push(extra);
        id
    }

    fn update(&mut self, update: &super::syntax::Update) {
        let Some((event, scope)) = self.event(&update.pattern) else {
            return;
        };
        let before = self.diagnostics.errors();
        let names = Names {
            scope: &scope,
            ghosts: &self.ghosts,
            states: &self.states,
            effects: true,
        };
        self.checked
            .check_statements(&update.body, &names, self.diagnostics);
        if self.diagnostics.errors() > before {
            return;
        }
        for &statement in &update.body {
            self.ghost_statement(statement, &scope);
        }
        self.out.updates.push(Update {
            event,
            body: update.body.clone(),
        });
    }

    /// Statements in `on` blocks change ghosts and nothing else.
    fn ghost_statement(&mut self, id: StmtId, scope: &Scope) {
        let at = Place { scope, old: true };
        let statement = self.checked.ast.stmt(id).clone();
        match statement.kind {
            StmtKind::Empty => {}
            StmtKind::Block(statements) => {
                for &inner in &statements {
                    self.ghost_statement(inner, scope);
                }
            }
            StmtKind::If { arms, otherwise } => {
                for &(condition, then) in &arms {
                    self.inspect(condition, at);
                    self.ghost_statement(then, scope);
                }
                if let Some(otherwise) = otherwise {
                    self.ghost_statement(otherwise, scope);
                }
            }
            StmtKind::Expr(expr) => {
                let place = match self.checked.ast.expr(expr).kind {
                    ExprKind::Assign { place, value, .. } => {
                        self.inspect(value, at);
                        place
                    }
                    ExprKind::Step { place, .. } => place,
                    _ => return self.no_update(statement.span),
                };
                match self.checked.exprs.resolution(place) {
                    Some(Resolution::Extra(extra))
                        if matches!(self.out.extras[extra as usize], Extra::Ghost(_)) => {}
                    _ => self.no_update(self.checked.ast.expr(place).span),
                }
            }
            _ => self.no_update(statement.span),
        }
    }

    fn no_update(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(code::UPDATE, "only ghosts can be changed here")
                .at(span)
                .help("declare one with `//@ ghost integer NAME;`")
                .help("`on` blocks hold assignments to ghosts, `if` and blocks"),
        );
    }

    fn formula(&mut self, formula: &Formula) -> Option<Meaning> {
        let before = self.diagnostics.errors();
        let mut leaves: Vec<Result<ExprId, Pattern>> = Vec::new();
        formula.leaves(&mut |leaf| {
            leaves.push(match leaf {
                Leaf::Expr(expr) => Ok(expr),
                Leaf::Pattern(pattern) => Err(pattern.clone()),
            });
        });
        let scope = Scope::new();
        for leaf in leaves {
            match leaf {
                Ok(expr) => self.condition(
                    expr,
                    Place {
                        scope: &scope,
                        old: false,
                    },
                ),
                Err(pattern) => {
                    if let Some((event, _)) = self.event(&pattern) {
                        self.out.events.insert(pattern.span, event);
                    }
                }
            }
        }
        (self.diagnostics.errors() == before).then(|| Meaning::Formula(formula.clone()))
    }

    fn when(&mut self, pattern: &Pattern, expr: ExprId) -> Option<Meaning> {
        let before = self.diagnostics.errors();
        let (event, scope) = self.event(pattern)?;
        self.condition(
            expr,
            Place {
                scope: &scope,
                old: true,
            },
        );
        (self.diagnostics.errors() == before).then_some(Meaning::When(event, expr))
    }

    fn permission(&mut self, name: Name) {
        let text = self.checked.ast.name_text(name);
        let integer = facts::constant(text)
            .is_some_and(|constant| matches!(constant.value, facts::Value::Integer(_)));
        if integer && text.starts_with("PERMISSION_") {
            return;
        }
        let mut diagnostic =
            Diagnostic::error(code::ASSUMPTION, format!("`{text}` is no permission")).at(name.span);
        let permissions = facts::constants()
            .iter()
            .map(|constant| constant.name)
            .filter(|name| name.starts_with("PERMISSION_"));
        if let Some(similar) = suggest(text, permissions) {
            diagnostic = diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// A pattern and the scope that it opens.
    fn event(&mut self, pattern: &Pattern) -> Option<(Event, Scope)> {
        let (happening, types) = self.happening(pattern)?;
        let mut scope = Scope::new();
        let mut conditions = Vec::new();
        if !pattern.arguments.is_empty() || !types.is_empty() {
            self.count(pattern.arguments.len(), types.len(), pattern.span)?;
        }
        for (index, (&argument, &ty)) in pattern.arguments.iter().zip(&types).enumerate() {
            let extra = Extra::Argument {
                index: u32::try_from(index).expect("few arguments"),
                ty,
            };
            conditions.extend(self.argument(argument, ty, extra, index, &mut scope));
        }
        let mut during = None;
        if let Some(written) = &pattern.during {
            let event = self.lsl_event(written.event)?;
            self.count(
                written.arguments.len(),
                event.parameters.len(),
                written.span,
            )?;
            for (index, (&argument, parameter)) in
                written.arguments.iter().zip(&event.parameters).enumerate()
            {
                let extra = Extra::Parameter {
                    event: event.name.to_owned(),
                    index,
                    ty: parameter.ty,
                };
                let position = pattern.arguments.len() + index;
                conditions.extend(self.argument(
                    argument,
                    parameter.ty,
                    extra,
                    position,
                    &mut scope,
                ));
            }
            self.out.watch.during.insert(event.name.to_owned());
            during = Some(event.name.to_owned());
        }
        conditions.extend(&pattern.conditions);
        let place = Place {
            scope: &scope,
            old: true,
        };
        for &condition in &conditions {
            self.condition(condition, place);
        }
        let event = Event {
            happening,
            during,
            conditions,
            span: pattern.span,
        };
        Some((event, scope))
    }

    /// Brings an argument's name into scope, or gives back the test that it must pass.
    fn argument(
        &mut self,
        argument: Argument,
        ty: Type,
        extra: Extra,
        position: usize,
        scope: &mut Scope,
    ) -> Option<ExprId> {
        let other = match argument {
            Argument::Any => return None,
            Argument::Name(name) => {
                let text = self.checked.ast.name_text(name);
                let known = scope.contains_key(&name.symbol)
                    || self.ghosts.contains_key(&name.symbol)
                    || self.checked.global_named(text).is_some()
                    || facts::constant(text).is_some();
                if !known {
                    let extra = self.extra(extra);
                    scope.insert(name.symbol, (ty, extra));
                    return None;
                }
                self.checked.ast.add_expr(ExprKind::Name(name), name.span)
            }
            Argument::Equal(expr) => expr,
        };
        let span = self.checked.ast.expr(other).span;
        let symbol = self.checked.ast.intern(&format!("#{position}"));
        let extra = self.extra(extra);
        scope.insert(symbol, (ty, extra));
        let name = ExprKind::Name(Name { symbol, span });
        let left = self.checked.ast.add_expr(name, span);
        let test = ExprKind::Binary {
            op: BinaryOp::Equal,
            op_span: span,
            left,
            right: other,
        };
        Some(self.checked.ast.add_expr(test, span))
    }

    fn count(&mut self, written: usize, wanted: usize, span: Span) -> Option<()> {
        if written == wanted {
            return Some(());
        }
        let arguments = if wanted == 1 { "argument" } else { "arguments" };
        self.diagnostics.push(
            Diagnostic::error(
                code::ARGUMENTS,
                format!("this event has {wanted} {arguments}, not {written}"),
            )
            .at(span)
            .help("`_` stands for an argument that does not matter"),
        );
        None
    }

    /// What a pattern is about, and the types of its arguments.
    fn happening(&mut self, pattern: &Pattern) -> Option<(Happening, Vec<Type>)> {
        match pattern.kind {
            EventKind::Call(name) => self.call(name),
            EventKind::Changes(name) => {
                let text = self.checked.ast.name_text(name).to_owned();
                if let Some(global) = self.checked.global_named(&text) {
                    self.out.watch.changes.insert(global);
                    return Some((Happening::Changes(global), Vec::new()));
                }
                let ghost = self.ghosts.contains_key(&name.symbol);
                let mut diagnostic = Diagnostic::error(
                    code::EVENT,
                    if ghost {
                        format!("changes of the ghost `{text}` are no events")
                    } else {
                        format!("the script has no global variable `{text}`")
                    },
                )
                .at(name.span);
                let globals: Vec<String> = self
                    .checked
                    .ast
                    .globals
                    .iter()
                    .map(|global| self.checked.ast.name_text(global.name).to_owned())
                    .collect();
                if let Some(similar) = suggest(&text, globals.iter().map(String::as_str)) {
                    diagnostic =
                        diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
                }
                self.diagnostics.push(diagnostic);
                None
            }
            EventKind::Paid(_) => Some((Happening::Paid, vec![Type::Key, Type::Integer])),
            EventKind::Discarded(_) => Some((Happening::Discarded, vec![Type::Key, Type::Integer])),
            EventKind::OwnerChanges(span) => {
                if self.checked.global_named("owner").is_some() {
                    self.diagnostics.push(
                        Diagnostic::warning(
                            code::EVENT,
                            "`owner changes` is about the object's owner, not about the variable `owner`",
                        )
                        .at(span),
                    );
                }
                Some((Happening::OwnerChanges, Vec::new()))
            }
            EventKind::Handled(name) => {
                let event = self.lsl_event(name)?;
                let types = event.parameters.iter().map(|p| p.ty).collect();
                Some((Happening::Handled(event.name.to_owned()), types))
            }
        }
    }

    fn call(&mut self, name: Name) -> Option<(Happening, Vec<Type>)> {
        let text = self.checked.ast.name_text(name).to_owned();
        let types = if let Some(user) = self.checked.function_named(&text) {
            let parameters = &self.checked.ast.function(user).parameters;
            parameters.iter().map(|p| p.ty).collect()
        } else if let Some(function) = facts::function(&text) {
            function.parameters.iter().map(|p| p.ty).collect()
        } else {
            let users: Vec<String> = self
                .checked
                .ast
                .functions
                .iter()
                .map(|function| self.checked.ast.name_text(function.name).to_owned())
                .collect();
            let names = facts::functions()
                .iter()
                .map(|function| function.name)
                .chain(users.iter().map(String::as_str));
            let mut diagnostic =
                Diagnostic::error(code::EVENT, format!("there is no function `{text}`"))
                    .at(name.span);
            if let Some(similar) = suggest(&text, names) {
                diagnostic = diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        self.out.watch.calls.insert(text.clone());
        Some((Happening::Call(text), types))
    }

    fn lsl_event(&mut self, name: Name) -> Option<&'static facts::Event> {
        let text = self.checked.ast.name_text(name);
        let Some(event) = facts::event(text) else {
            let mut diagnostic =
                Diagnostic::error(code::EVENT, format!("LSL has no event `{text}`")).at(name.span);
            if let Some(similar) = suggest(text, facts::events().iter().map(|event| event.name)) {
                diagnostic = diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        let mut states = self.states.values();
        if !states.any(|&state| self.checked.handler_of(state, event.name).is_some()) {
            self.diagnostics.push(
                Diagnostic::warning(
                    code::UNHANDLED,
                    format!("no state handles `{}`", event.name),
                )
                .at(name.span)
                .saying("this never happens"),
            );
        }
        Some(event)
    }

    fn condition(&mut self, expr: ExprId, at: Place<'_>) {
        let before = self.diagnostics.errors();
        let names = Names {
            scope: at.scope,
            ghosts: &self.ghosts,
            states: &self.states,
            effects: false,
        };
        self.checked.check_condition(expr, &names, self.diagnostics);
        if self.diagnostics.errors() == before {
            self.inspect(expr, at);
        }
    }

    /// Refuses calls that are no reads, and notes which facts about the world are read.
    fn inspect(&mut self, id: ExprId, at: Place<'_>) {
        let (lowest, spine) = self.checked.ast.left_spine(id);
        for node in spine {
            if let ExprKind::Binary { right, .. } = self.checked.ast.expr(node).kind {
                self.inspect(right, at);
            }
        }
        let expr = self.checked.ast.expr(lowest).clone();
        match expr.kind {
            ExprKind::Vector(parts) => parts.iter().for_each(|&part| self.inspect(part, at)),
            ExprKind::Rotation(parts) => parts.iter().for_each(|&part| self.inspect(part, at)),
            ExprKind::List(parts) => parts.iter().for_each(|&part| self.inspect(part, at)),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => {
                self.inspect(operand, at);
            }
            ExprKind::Parenthesized(inner) => self.inspect(inner, at),
            ExprKind::Call {
                function,
                arguments,
            } => self.inspect_call(lowest, function, &arguments, at),
            ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Print(_) => {
                self.no_update(expr.span);
            }
            _ => {}
        }
    }

    fn inspect_call(&mut self, id: ExprId, function: Name, arguments: &[ExprId], at: Place<'_>) {
        for &argument in arguments {
            self.inspect(argument, at);
        }
        match self.checked.exprs.resolution(id) {
            Some(Resolution::Extra(OLD)) => {
                if !at.old {
                    self.diagnostics.push(
                        Diagnostic::error(code::OLD, "`old` has no meaning between events")
                            .at(self.checked.ast.expr(id).span)
                            .help("use it in `when EVENT require ...`"),
                    );
                }
                let argument = self.checked.ast.without_parentheses(arguments[0]);
                let plain = match self.checked.exprs.resolution(argument) {
                    Some(Resolution::Global(_)) => true,
                    Some(Resolution::Extra(extra)) => match self.out.extras[extra as usize] {
                        Extra::Ghost(ghost) => {
                            self.out.old_ghosts.insert(ghost);
                            true
                        }
                        _ => false,
                    },
                    _ => false,
                };
                if !plain {
                    self.diagnostics.push(
                        Diagnostic::error(code::OLD, "`old` takes a variable or a ghost").at(self
                            .checked
                            .ast
                            .expr(argument)
                            .span),
                    );
                }
            }
            Some(Resolution::Extra(_)) => {
                self.out.watch.facts.insert(Fact::Granted);
            }
            Some(Resolution::Library(library)) if library.name == "llGetOwner" => {
                self.out.watch.facts.insert(Fact::Owner);
            }
            Some(Resolution::Library(library)) if library.name == "llGetInventoryType" => {
                self.out.watch.facts.insert(Fact::Inventory);
                let argument = self.checked.ast.without_parentheses(arguments[0]);
                if let ExprKind::String(text) = self.checked.ast.expr(argument).kind {
                    let item = self.checked.ast.text(text).to_owned();
                    self.out.watch.items.insert(item);
                }
            }
            Some(Resolution::Library(library)) if crate::library::pure(library.name).is_some() => {}
            _ => {
                let name = self.checked.ast.name_text(function);
                self.diagnostics.push(
                    Diagnostic::error(
                        code::NOT_PURE,
                        format!("`{name}` cannot be called in a property"),
                    )
                    .at(function.span)
                    .help("calls that change nothing and depend on their arguments only may stand here, `llGetOwner()` and `llGetInventoryType(item)`"),
                );
            }
        }
    }
}
