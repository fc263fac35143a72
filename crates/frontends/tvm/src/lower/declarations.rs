//! Sets, predicates and rules.

use model::PredicateId;
use model::predicates::{Constraint, Formula, Head, Kleene, Predicate};
use source::Span;

use super::formula::{Scope, free};
use super::{Lowering, Names, written};
use crate::codes;
use crate::tree::{self, Declaration, File};

impl Lowering<'_> {
    /// Declares what every model has, and what the file says.
    pub(super) fn declare(&mut self, file: &File) {
        let mut labels: Vec<String> = Vec::new();
        let edges = file.threads.iter().flat_map(|thread| &thread.edges);
        for edge in edges.chain(file.flow.iter().flatten()) {
            for label in [&edge.from, &edge.to] {
                if !labels.contains(label) {
                    labels.push(label.clone());
                }
            }
        }
        if file.flow.is_none() {
            self.schedules_threads();
        }
        self.own_rules = self.program.constraints.len();
        self.known.is_new = self.built_in("isNew", false, false);
        self.program.is_new = Some(self.known.is_new);
        let made_for = |new: &tree::New| matches!(new, tree::New::Each(..) | tree::New::Clone(..));
        let mut actions = file.actions.iter();
        if actions.any(|action| action.creates.iter().any(made_for)) {
            self.program.instance = Some(self.add(Predicate {
                name: "instance".to_owned(),
                arity: 2,
                abstraction: false,
                unique: false,
                injective: false,
                definition: None,
                span: Span::NONE,
            }));
        }
        for label in &labels {
            let name = format!("at[{label}]");
            match file.flow {
                Some(_) => self.location(name),
                None => self.built_in(&name, true, false),
            };
        }
        self.sets.insert("Labels".to_owned(), labels);
        self.declarations(&file.declarations, &Names::new());
    }

    /// What every model with threads has.
    fn schedules_threads(&mut self) {
        self.known.isthread = self.built_in("isthread", true, false);
        self.known.ready = self.built_in("ready", true, false);
        self.known.runnable = self.built_in("runnable", false, true);
        self.program.turn = Some(self.known.runnable);
        let moves = [self.known.isthread, self.known.ready];
        let moves = moves.map(|id| Formula::Holds(id, vec![0]));
        self.program.schedulable = Some(Formula::And(moves.into()));
    }

    /// The predicate of a location of a sequential program.
    fn location(&mut self, name: String) -> PredicateId {
        self.add(Predicate {
            name,
            arity: 0,
            abstraction: true,
            unique: false,
            injective: false,
            definition: None,
            span: Span::NONE,
        })
    }

    fn built_in(&mut self, name: &str, abstraction: bool, unique: bool) -> PredicateId {
        self.add(Predicate {
            name: name.to_owned(),
            arity: 1,
            abstraction,
            unique,
            injective: false,
            definition: None,
            span: Span::NONE,
        })
    }

    fn add(&mut self, predicate: Predicate) -> PredicateId {
        let id = PredicateId::new(self.program.predicates.len());
        if self.predicates.insert(predicate.name.clone(), id).is_some() {
            let message = format!("the predicate `{}` is declared twice", predicate.name);
            self.error(codes::TWICE, predicate.span, message);
        }
        let (unique, span) = (predicate.unique, predicate.span);
        let name = predicate.name.clone();
        self.program.predicates.push(predicate);
        if unique {
            let holds = |variable| Formula::Holds(id, vec![variable]);
            let text = format!("`{name}` holds for one at most");
            let both = Formula::And(vec![holds(0), holds(1)]);
            self.rule(&text, (2, 2), both, Head::Equal(0, 1, true), span);
            let other = Formula::not(Formula::Equal(1, 0));
            let another = Formula::Exists(1, Box::new(Formula::And(vec![holds(1), other])));
            self.rule(
                &text,
                (2, 1),
                another,
                Head::Literal(id, vec![0], false),
                span,
            );
        }
        id
    }

    fn rule(
        &mut self,
        text: &str,
        (variables, free): (usize, usize),
        body: Formula,
        head: Head,
        span: Span,
    ) {
        self.program.constraints.push(Constraint {
            text: text.to_owned(),
            variables,
            free,
            body,
            head,
            span,
        });
    }

    fn declarations(&mut self, all: &[Declaration], names: &Names) {
        for declaration in all {
            match declaration {
                Declaration::Set(name, set) => {
                    let members = self.members(set, names);
                    self.sets.insert(name.clone(), members);
                }
                Declaration::Predicate(predicate) => self.declaration(predicate, names),
                Declaration::Rule(rule) => self.stated_rule(rule, names),
                Declaration::Focus(all) => {
                    let all = all.iter().map(|one| (one.clone(), names.clone()));
                    self.focus.extend(all);
                }
                Declaration::Message(formula, text, span) => {
                    let message = self.message("everywhere", text, *span);
                    self.messages
                        .push((formula.clone(), names.clone(), message));
                }
                Declaration::Each(variable, set, inner) => {
                    for member in self.members(set, names) {
                        let mut names = names.clone();
                        names.insert(variable.clone(), member);
                        self.declarations(inner, &names);
                    }
                }
            }
        }
    }

    fn declaration(&mut self, predicate: &tree::Predicate, names: &Names) {
        let arity = predicate.arguments.len();
        let name = written(&predicate.name, names);
        if arity > 2 {
            let message = format!("`{name}`, of more than two individuals, cannot be verified yet");
            self.error(codes::UNSUPPORTED, predicate.name.span, message);
            return;
        }
        let mut scope = Scope::default();
        for argument in &predicate.arguments {
            scope.add(argument);
        }
        let definition = predicate.definition.as_ref();
        let definition = definition.map(|formula| self.formula(formula, &mut scope, names));
        let mut made = Predicate {
            name,
            arity,
            abstraction: arity < 2,
            unique: false,
            injective: false,
            definition,
            span: predicate.name.span,
        };
        let mut rules = Vec::new();
        for (attribute, span) in &predicate.attributes {
            match (attribute.as_str(), arity) {
                ("abs" | "pointer" | "box", _) => {}
                ("nonabs", _) => made.abstraction = false,
                ("unique", 1) => made.unique = true,
                (
                    "function" | "invfunction" | "symmetric" | "antisymmetric" | "transitive"
                    | "reflexive" | "antireflexive" | "acyclic",
                    2,
                ) => rules.push(attribute.as_str()),
                _ => {
                    let message =
                        format!("the attribute `{attribute}` cannot be verified here yet");
                    self.error(codes::UNSUPPORTED, *span, message);
                }
            }
        }
        let (name, span) = (made.name.clone(), made.span);
        let function = rules.contains(&"function");
        made.injective = rules.contains(&"invfunction");
        let id = self.add(made);
        self.program.predicates[id.index()].unique |= function;
        for attribute in rules {
            let text = format!("`{name}` is `{attribute}`");
            for (free, body, head) in attribute_rules(id, attribute) {
                self.rule(&text, (4, free), body, head, span);
            }
        }
    }

    fn stated_rule(&mut self, rule: &tree::Rule, names: &Names) {
        let mut all = Vec::new();
        free(&rule.body, &mut Vec::new(), &mut all);
        free(&rule.head, &mut Vec::new(), &mut all);
        let mut scope = Scope::default();
        for name in &all {
            scope.add(name);
        }
        let body = self.formula(&rule.body, &mut scope, names);
        let (atom, positive) = match self.formula(&rule.head, &mut scope, names) {
            Formula::Not(inner) => (*inner, false),
            other => (other, true),
        };
        let head = match (atom, positive) {
            (Formula::Value(Kleene::False), true) => Head::Never,
            (Formula::Holds(predicate, all), _) => Head::Literal(predicate, all, positive),
            (Formula::Equal(a, b), _) => Head::Equal(a, b, positive),
            _ => {
                let message =
                    "a rule says `0`, a literal or an equality; others cannot be verified yet";
                self.error(codes::UNSUPPORTED, rule.span, message);
                return;
            }
        };
        let sizes = (scope.variables.len(), all.len());
        self.rule("a rule of the model", sizes, body, head, rule.span);
    }
}

/// What an attribute of a predicate of two says.
fn attribute_rules(id: PredicateId, attribute: &str) -> Vec<(usize, Formula, Head)> {
    let holds = |a, b| Formula::Holds(id, vec![a, b]);
    let literal = |a, b, positive| Head::Literal(id, vec![a, b], positive);
    let other = |a, b| Formula::not(Formula::Equal(a, b));
    let exists = |variable, parts| Formula::Exists(variable, Box::new(Formula::And(parts)));
    match attribute {
        "function" => vec![
            (
                3,
                Formula::And(vec![holds(0, 1), holds(0, 2)]),
                Head::Equal(1, 2, true),
            ),
            (
                2,
                exists(2, vec![holds(0, 2), other(2, 1)]),
                literal(0, 1, false),
            ),
        ],
        "invfunction" => vec![
            (
                3,
                Formula::And(vec![holds(1, 0), holds(2, 0)]),
                Head::Equal(1, 2, true),
            ),
            (
                2,
                exists(2, vec![holds(2, 1), other(2, 0)]),
                literal(0, 1, false),
            ),
        ],
        "symmetric" => vec![
            (2, holds(0, 1), literal(1, 0, true)),
            (2, Formula::not(holds(0, 1)), literal(1, 0, false)),
        ],
        "antisymmetric" => vec![
            (
                2,
                Formula::And(vec![holds(0, 1), holds(1, 0)]),
                Head::Equal(0, 1, true),
            ),
            (
                2,
                Formula::And(vec![holds(0, 1), other(0, 1)]),
                literal(1, 0, false),
            ),
        ],
        "reflexive" => vec![(1, Formula::Value(Kleene::True), literal(0, 0, true))],
        "antireflexive" => vec![
            (1, holds(0, 0), Head::Never),
            (2, Formula::Equal(0, 1), literal(0, 1, false)),
        ],
        "acyclic" => {
            let way = |from, to| Formula::Closure {
                ends: [from, to],
                step: [2, 3],
                edge: Box::new(holds(2, 3)),
            };
            let back = Formula::Or(vec![Formula::Equal(0, 1), way(1, 0)]);
            vec![(1, way(0, 0), Head::Never), (2, back, literal(0, 1, false))]
        }
        _ => vec![(
            3,
            Formula::And(vec![holds(0, 1), holds(1, 2)]),
            literal(0, 2, true),
        )],
    }
}
