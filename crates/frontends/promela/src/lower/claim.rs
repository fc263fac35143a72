//! Never claims, as automata over the conditions of their steps.
//!
//! The claim and the system move in turn, the claim first: each step of the claim reads one state.
//! A run is accepted if the claim passes accept labels for ever, or reaches its end. It is also accepted where a
//! condition is read that has no value there, for which SPIN's verifier ends with an error: as a literal, such a
//! condition would be false, and the claim would stop as if nothing had been wrong.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use logic::{Buchi, BuchiState, Cube, Edge};
use model::{Binary, Claim, Expr, ExprId, Program, Projection};
use source::Span;

use super::claim_variables::{ClaimVariables, Values, Ways};
use super::{Lowering, Place};
use crate::ast::{self, StatementKind, Unit};
use crate::codes::rules;
use crate::flow::{Body, ElementId, ElementKind, Transition};

/// A condition of a step: a truth value, or `else`.
enum Condition {
    When(ExprId),
    /// None of those before.
    Else,
    /// The condition, and the assertion that is looked at.
    Assert(ExprId),
    /// A variable of the claim takes these values.
    Set(Ways),
}

/// A state from which every run is accepted.
fn violation(edges: &mut Vec<Vec<Edge>>) -> BuchiState {
    let state = BuchiState(u32::try_from(edges.len()).expect("few states"));
    edges.push(vec![Edge {
        label: Cube::TRUE,
        target: state,
        accepting: true,
    }]);
    state
}

/// Whether there may be states in which the expression has no value: it names an element that an array may not
/// have, divides by what may be zero, or asks about a channel that may not exist.
fn may_have_no_value(program: &Program, expression: ExprId) -> bool {
    let exprs = &program.exprs;
    let is_known = |id: ExprId| exprs.constant(id).is_some();
    let mut waiting = vec![expression];
    let mut seen = HashSet::new();
    while let Some(id) = waiting.pop() {
        let is_partial = match exprs.get(id) {
            Expr::Load(place) => (place.path.iter())
                .any(|part| matches!(part, Projection::Index(index) if !is_known(*index))),
            Expr::Binary(Binary::Div | Binary::Rem, _, by) => !is_known(*by),
            Expr::ChannelLen(_) | Expr::ChannelCapacity(_) | Expr::Poll { .. } => true,
            _ => false,
        };
        if is_partial {
            return true;
        }
        if seen.insert(id) {
            exprs.operands(id, |operand| waiting.push(operand));
        }
    }
    false
}

/// States of an automaton; each is a bit beside each state of the program.
const MOST_STATES: usize = 1 << 11;

impl Lowering<'_> {
    /// Adds the never claims to the properties.
    pub(super) fn claims(&mut self) {
        let tree = self.tree;
        let claims: Vec<_> = tree
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Never(claim) => Some(claim),
                _ => None,
            })
            .collect();
        for (number, claim) in claims.iter().enumerate() {
            let name = match &claim.name {
                Some(ident) => ident.name.to_string(),
                None if claims.len() == 1 => "never".to_owned(),
                None => format!("never_{number}"),
            };
            if let Some(automaton) = self.automaton(claim) {
                let text = self.sources.snippet(claim.body.span).to_owned();
                self.property(&name, text, claim.span, Claim::Never(automaton));
            }
        }
    }

    fn automaton(&mut self, claim: &ast::Claim) -> Option<Buchi<ExprId>> {
        let body = Rc::new(Body::build(
            &[],
            &claim.body,
            &|_| None,
            |_| false,
            self.diagnostics,
        ));
        let (variables, first) = ClaimVariables::of(self, &body)?;
        let automaton = self.unrolled(claim, &body, &variables, first);
        self.claim_values.clear();
        automaton
    }

    /// The automaton, with a state for each control point and each way to set the variables there.
    fn unrolled(
        &mut self,
        claim: &ast::Claim,
        body: &Body,
        variables: &ClaimVariables,
        first: Values,
    ) -> Option<Buchi<ExprId>> {
        let mut automaton = Buchi {
            atoms: Vec::new(),
            initial: BuchiState(0),
            edges: vec![Vec::new()],
        };
        let mut states: HashMap<(ElementId, Values), BuchiState> = HashMap::new();
        let start = (body.entry(self.diagnostics), first);
        states.insert(start.clone(), BuchiState(0));
        let mut waiting = vec![start];
        while let Some((element, values)) = waiting.pop() {
            let from = states[&(element, values.clone())];
            variables.mean(self, &values);
            if automaton.edges.len() > MOST_STATES {
                let message = format!("a claim of more than {MOST_STATES} states");
                self.error(rules::TOO_LARGE, claim.span, message);
                return None;
            }
            let accepting = body.graph.element(element).has_label("accept");
            let transitions = body.transitions(element, self.diagnostics);
            if matches!(body.graph.element(element).kind, ElementKind::End) {
                // The end of the claim is a violation, whatever follows.
                automaton.edges[from.index()].push(Edge {
                    label: Cube::TRUE,
                    target: from,
                    accepting: true,
                });
                continue;
            }
            let mut before = Vec::new();
            let mut edges = Vec::new();
            let mut read = Vec::new();
            for transition in &transitions {
                let Some(condition) = self.claim_condition(body, transition, variables, &values)
                else {
                    continue;
                };
                let mut target = |values: &Values, edges: &mut Vec<_>| {
                    *states
                        .entry((transition.target, values.clone()))
                        .or_insert_with_key(|state| {
                            let number = u32::try_from(edges.len()).expect("few states");
                            edges.push(Vec::new());
                            waiting.push(state.clone());
                            BuchiState(number)
                        })
                };
                match &condition {
                    Condition::When(atom) | Condition::Assert(atom) => read.push(*atom),
                    Condition::Set(ways) => read.extend(ways.iter().filter_map(|(when, _)| *when)),
                    Condition::Else => {}
                }
                match condition {
                    Condition::When(atom) => {
                        before.push(atom);
                        let target = target(&values, &mut automaton.edges);
                        edges.push((vec![(atom, true)], target));
                    }
                    Condition::Set(ways) => {
                        before.clear();
                        before.push(self.program.exprs.bool(true));
                        for (when, values) in ways {
                            let when = when.map(|atom| (atom, true));
                            let target = target(&values, &mut automaton.edges);
                            edges.push((when.into_iter().collect(), target));
                        }
                    }
                    Condition::Assert(atom) => {
                        before.clear();
                        let target = target(&values, &mut automaton.edges);
                        edges.push((vec![(atom, true)], target));
                        // An assertion that fails is a violation too.
                        edges.push((vec![(atom, false)], violation(&mut automaton.edges)));
                    }
                    Condition::Else => {
                        let none = before.iter().map(|&atom| (atom, false)).collect();
                        let target = target(&values, &mut automaton.edges);
                        edges.push((none, target));
                    }
                }
            }
            read.sort_unstable();
            read.dedup();
            for atom in read {
                if may_have_no_value(&self.program, atom) {
                    let negated = self.program.exprs.not(atom);
                    let has_value = self.program.exprs.binary(Binary::Or, atom, negated);
                    edges.push((vec![(has_value, false)], violation(&mut automaton.edges)));
                }
            }
            for (literals, target) in edges {
                let label = self.cube(&mut automaton.atoms, &literals, claim.span)?;
                if !label.is_false() {
                    automaton.edges[from.index()].push(Edge {
                        label,
                        target,
                        accepting,
                    });
                }
            }
        }
        Some(automaton.joined())
    }

    fn claim_condition(
        &mut self,
        body: &Body,
        transition: &Transition,
        variables: &ClaimVariables,
        values: &Values,
    ) -> Option<Condition> {
        let element = body.graph.element(transition.element);
        let named = |reference| variables.named(reference);
        match &element.kind {
            ElementKind::Basic(statement) => match &**statement {
                StatementKind::Assign(to, e) if named(to).is_some() => {
                    let ways = variables.set(self, named(to)?, e, values)?;
                    Some(Condition::Set(ways))
                }
                StatementKind::Increment(x) if named(x).is_some() => {
                    Some(Condition::Set(variables.step_by(named(x)?, 1, values)))
                }
                StatementKind::Decrement(x) if named(x).is_some() => {
                    Some(Condition::Set(variables.step_by(named(x)?, -1, values)))
                }
                StatementKind::Condition(e) => Some(Condition::When(self.truth(e, Place::OUTSIDE))),
                StatementKind::Assert(e) => Some(Condition::Assert(self.truth(e, Place::OUTSIDE))),
                StatementKind::Print(..) | StatementKind::PrintMtype(_) => {
                    let always = self.program.exprs.bool(true);
                    Some(Condition::When(always))
                }
                _ => {
                    let message = "a claim has conditions only";
                    self.error(rules::NOT_IN_PROPERTY, element.span, message);
                    None
                }
            },
            ElementKind::Skip
            | ElementKind::Jump(_)
            | ElementKind::Join
            | ElementKind::LoopExit => {
                let always = self.program.exprs.bool(true);
                Some(Condition::When(always))
            }
            ElementKind::Else => Some(Condition::Else),
            ElementKind::Declare(local) => {
                let declarator = &body.locals[*local].declarator;
                let ways = match &declarator.init {
                    Some(ast::Init::Value(e)) => variables.set(self, *local, e, values)?,
                    _ => variables.step_by(*local, -values[*local], values),
                };
                Some(Condition::Set(ways))
            }
            _ => {
                let message = "a claim has conditions only";
                self.error(rules::NOT_IN_PROPERTY, element.span, message);
                None
            }
        }
    }

    fn cube(
        &mut self,
        atoms: &mut Vec<ExprId>,
        literals: &[(ExprId, bool)],
        span: Span,
    ) -> Option<Cube> {
        let mut cube = Cube::TRUE;
        for &(atom, value) in literals {
            if let Some(constant) = self.program.exprs.constant(atom) {
                if constant.truth() != value {
                    return Some(Cube { pos: 1, neg: 1 });
                }
                continue;
            }
            let index = match atoms.iter().position(|&known| known == atom) {
                Some(index) => index,
                None => {
                    atoms.push(atom);
                    atoms.len() - 1
                }
            };
            if index >= Cube::MAX_ATOMS {
                let message = format!("a claim of more than {} conditions", Cube::MAX_ATOMS);
                self.error(rules::TOO_LARGE, span, message);
                return None;
            }
            cube = cube.and(Cube::literal(index, value));
        }
        Some(cube)
    }
}
