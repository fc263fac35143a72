//! What the names in properties mean, and what lowering must show for them.
//!
//! An event pattern opens a scope: its fresh names stand for the event's arguments. A name that
//! has a meaning already (a variable, a ghost, a constant, a name bound before it in the same
//! pattern) and any other expression must be *equal* to the argument. Such a test is turned into
//! an ordinary LSL comparison with a name that no script can write (`#0`), so that types are
//! checked and values compared as everywhere else.

use std::collections::{BTreeSet, HashMap};

use source::{Diagnostic, Diagnostics, Span};

use super::syntax::{Annotations, AssumptionKind, Claim, Formula, GhostType, Leaf, Pattern};
use crate::Type;
use crate::ast::{ExprId, ExprKind, GlobalId, Name, StateId, StmtId, Symbol};
use crate::check::{
    Callable, Checked, Environment, ExprType, Parameters, Resolution, Variable, suggest,
};
use crate::codes::property as code;
use crate::facts;
use crate::watch::Watch;

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
pub(super) type Scope = HashMap<Symbol, (Type, u32)>;

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
    /// The names of ghosts that all scripts of a linkset have in common.
    pub(super) in_common: &'static [&'static str],
}

pub(super) const OLD: u32 = 0;
pub(super) const GRANTED: u32 = 1;

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
            Claim::When(pattern, expr) => resolver.when(pattern, *expr, true),
        };
        resolver.out.claims.push(claim);
    }
    for assumption in &annotations.assumptions {
        let meaning = match &assumption.kind {
            AssumptionKind::Always(formula) => resolver.formula(formula),
            AssumptionKind::When(pattern, expr) => resolver.when(pattern, *expr, false),
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

/// Gives names their meanings, one directive after the other.
pub(super) struct Resolver<'a> {
    pub(super) checked: &'a mut Checked,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) ghosts: Scope,
    pub(super) states: HashMap<String, StateId>,
    pub(super) out: Resolved,
}

/// The names that a property sees beside the script's.
pub(super) struct Names<'a> {
    pub(super) scope: &'a Scope,
    pub(super) ghosts: &'a Scope,
    pub(super) states: &'a HashMap<String, StateId>,
    pub(super) effects: bool,
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
pub(super) struct Place<'a> {
    pub(super) scope: &'a Scope,
    /// Whether there is a moment before.
    pub(super) old: bool,
    /// Whether `require` asks for it, alone or in conjunctions and disjunctions: then the property is never
    /// true because it is false.
    pub(super) required: bool,
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

    pub(super) fn extra(&mut self, extra: Extra) -> u32 {
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
                        required: false,
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

    fn when(&mut self, pattern: &Pattern, expr: ExprId, required: bool) -> Option<Meaning> {
        let before = self.diagnostics.errors();
        let (event, scope) = self.event(pattern)?;
        self.condition(
            expr,
            Place {
                scope: &scope,
                old: true,
                required,
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
}
