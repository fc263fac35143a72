//! Event traces: `trace` and `notrace`.
//!
//! An automaton that observes the sends and receives on the channels that it names, as SPIN's does:
//! it moves at each event in its scope. An event that it has no move for is an error of a `trace`
//! and ends the watch of a `notrace`, whose error it is to reach the end.

use std::collections::HashMap;
use std::rc::Rc;

use model::{
    Binary, Check, CheckId, Claim, Event, EventId, ExprId, GlobalId, Observer, Pattern,
    Place as Cell, Property, Root, Stmt, Type, VariableKind, Visibility,
};
use source::Span;

use super::statement::Action;
use super::{INT, Lowering, Place, unsupported};
use crate::ast::{self, Expr, StatementKind, Unit};
use crate::codes::rules;
use crate::flow::{Body, ElementId, ElementKind};

/// What the steps of the model have to tell.
pub(super) struct Events {
    send: EventId,
    receive: EventId,
    /// How many fields an event tells.
    fields: usize,
    /// Holds received fields until they are stored.
    received: Vec<GlobalId>,
}

/// A move of the automaton.
struct Move {
    send: bool,
    channel: ExprId,
    /// What is demanded of each field.
    demands: Vec<Option<ExprId>>,
    from: i64,
    to: i64,
    ends: bool,
}

impl Lowering<'_> {
    /// Sets up the events and what observes them, if the model has a trace.
    pub(super) fn declare_trace(&mut self) {
        let tree = self.tree;
        let traces: Vec<(bool, &ast::Claim)> = tree
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Trace { forbidden, claim } => Some((*forbidden, claim)),
                _ => None,
            })
            .collect();
        let Some(&(forbidden, claim)) = traces.first() else {
            return;
        };
        if let Some((_, second)) = traces.get(1) {
            let refused = unsupported("a second trace", second.span);
            self.diagnostics.push(refused);
        }
        if self.lossy {
            // What is lost is not sent, and whether it is lost is not known where it is told.
            let refused = unsupported("a trace where full channels lose messages", claim.span);
            self.diagnostics.push(refused);
        }
        let fields = self.shapes.iter().map(|s| s.fields.len()).max();
        let fields = fields.unwrap_or(0);
        let mut event = |name: &str| {
            let mut parameters = vec![("channel".to_owned(), Type::Channel)];
            parameters.extend((0..fields).map(|field| (format!("field{field}"), INT)));
            self.program.add_event(Event {
                name: name.to_owned(),
                parameters,
                story: None,
                visibility: Visibility::Detail,
            })
        };
        let (send, receive) = (event("send"), event("receive"));
        let received = (0..fields)
            .map(|field| self.hidden_global(&format!("field{field}"), INT, VariableKind::Step))
            .collect();
        self.events = Some(Events {
            send,
            receive,
            fields,
            received,
        });
        let moves = self.trace_moves(claim);
        let name = if forbidden { "notrace" } else { "trace" };
        let state = self.hidden_global(name, INT, VariableKind::Ghost);
        let check = self.program.add_check(Check {
            name: name.to_owned(),
            failure: if forbidden {
                "the forbidden trace is complete".to_owned()
            } else {
                "an event does not fit the trace".to_owned()
            },
            span: claim.span,
        });
        let mut observers = Vec::new();
        for (is_send, event) in [(true, send), (false, receive)] {
            let body = self.watch(&moves, is_send, (state, check, forbidden), claim.span);
            observers.push(self.program.add_observer(Observer {
                name: name.to_owned(),
                event,
                body,
            }));
        }
        self.program.add_property(Property {
            name: name.to_owned(),
            text: self.sources.snippet(claim.body.span).to_owned(),
            span: claim.span,
            claim: Claim::Check(check),
            trigger: None,
            observers,
            assumptions: Vec::new(),
        });
    }

    fn trace_moves(&mut self, claim: &ast::Claim) -> Vec<Move> {
        let build = Body::build(&[], &claim.body, &|_| None, |_| false, self.diagnostics);
        let body = Rc::new(build);
        let start = body.entry(self.diagnostics);
        let mut numbers: HashMap<ElementId, i64> = HashMap::from([(start, 0)]);
        let mut waiting = vec![start];
        let mut moves = Vec::new();
        while let Some(state) = waiting.pop() {
            for transition in body.transitions(state, self.diagnostics) {
                let element = body.graph.element(transition.element);
                let (channel, demands, send) = match element.statement() {
                    Some(StatementKind::Send {
                        channel, fields, ..
                    }) => (channel, self.send_demands(fields), true),
                    Some(StatementKind::Receive {
                        channel, fields, ..
                    }) => (channel, self.demands(fields, Place::OUTSIDE), false),
                    _ => {
                        let message = "a trace has sends and receives only";
                        self.error(rules::NOT_IN_PROPERTY, element.span, message);
                        continue;
                    }
                };
                let Some((channel, _)) = self.channel(channel, Place::OUTSIDE) else {
                    continue;
                };
                let next = numbers.len() as i64;
                let to = *numbers.entry(transition.target).or_insert_with(|| {
                    waiting.push(transition.target);
                    next
                });
                moves.push(Move {
                    send,
                    channel,
                    demands,
                    from: numbers[&state],
                    to,
                    ends: matches!(body.graph.element(transition.target).kind, ElementKind::End),
                });
            }
        }
        moves
    }

    fn send_demands(&mut self, fields: &[Expr]) -> Vec<Option<ExprId>> {
        let mut demands = Vec::new();
        for field in fields {
            let ignored = matches!(&field.kind, ast::ExprKind::Reference(r)
                if *r.parts[0].0.name == *"_");
            demands.push((!ignored).then(|| self.any_value(field, Place::OUTSIDE)));
        }
        demands
    }

    /// What happens at an event of one kind.
    fn watch(
        &mut self,
        moves: &[Move],
        send: bool,
        (state, check, forbidden): (GlobalId, CheckId, bool),
        span: Span,
    ) -> Vec<Stmt> {
        let argument = |number: usize| {
            Cell::from(Root::Argument(
                u32::try_from(number).expect("few arguments"),
            ))
        };
        let channel = self.program.exprs.load(argument(0), Type::Channel);
        let now = self.program.exprs.load(Cell::global(state), INT);
        let wrong = self.program.exprs.bool(false);
        let failed = Stmt::Assert {
            cond: wrong,
            check,
            span,
        };
        let gone = self.int(-1);
        // Nothing fits.
        let mut otherwise = if forbidden {
            vec![Stmt::Assign(Cell::global(state), gone)]
        } else {
            vec![failed.clone()]
        };
        let mut scope = self.program.exprs.bool(false);
        for step in moves.iter().rev().filter(|step| step.send == send) {
            let here = self.program.exprs.binary(Binary::Eq, channel, step.channel);
            scope = self.program.exprs.or(scope, here);
            let from = self.int(step.from);
            let at = self.program.exprs.binary(Binary::Eq, now, from);
            let mut fits = self.program.exprs.and(at, here);
            for (number, demand) in step.demands.iter().enumerate() {
                if let Some(demand) = demand {
                    let demand = self.convert(*demand, INT);
                    let field = self.program.exprs.load(argument(number + 1), INT);
                    let same = self.program.exprs.binary(Binary::Eq, field, demand);
                    fits = self.program.exprs.and(fits, same);
                }
            }
            let to = self.int(if step.ends && forbidden { -1 } else { step.to });
            let mut then = vec![Stmt::Assign(Cell::global(state), to)];
            if step.ends && forbidden {
                then.push(failed.clone());
            }
            otherwise = vec![Stmt::If(fits, then, otherwise)];
        }
        vec![Stmt::If(scope, otherwise, Vec::new())]
    }

    /// Tells of a send.
    pub(super) fn tell_send(
        &mut self,
        channel: ExprId,
        message: &[ExprId],
        shape: Option<usize>,
        span: Span,
        action: &mut Action,
    ) {
        let Some((event, fields)) = self.events.as_ref().map(|e| (e.send, e.fields)) else {
            return;
        };
        let mut args = vec![channel];
        for (number, &value) in message.iter().enumerate().take(fields) {
            // As the channel keeps it.
            let kept = shape.and_then(|shape| self.shapes[shape].fields.get(number).copied());
            let value = match kept {
                Some(ty) => {
                    let ty = self.model_type(ty, None);
                    self.convert(value, ty)
                }
                None => value,
            };
            args.push(self.convert(value, INT));
        }
        while args.len() <= fields {
            args.push(self.zero());
        }
        action.body.push(Stmt::Emit { event, args, span });
    }

    /// Tells of a receive: fields are kept aside first, so that those that are stored into
    /// variables, and those that are not, can be told.
    pub(super) fn tell_receive(
        &mut self,
        channel: ExprId,
        patterns: &mut [Pattern],
        span: Span,
        action: &mut Action,
    ) {
        let Some(events) = self.events.as_ref() else {
            return;
        };
        let (event, fields) = (events.receive, events.fields);
        let received = events.received.clone();
        let mut args = vec![channel];
        for (pattern, &aside) in patterns.iter_mut().zip(&received) {
            let aside = Cell::global(aside);
            let load = self.program.exprs.load(aside.clone(), INT);
            let value = match pattern {
                Pattern::Match(value) => self.convert(*value, INT),
                Pattern::Bind(place) => {
                    action.body.push(Stmt::Assign(place.clone(), load));
                    *pattern = Pattern::Bind(aside);
                    load
                }
                Pattern::Any => {
                    *pattern = Pattern::Bind(aside);
                    load
                }
            };
            args.push(value);
        }
        while args.len() <= fields {
            args.push(self.zero());
        }
        action.body.push(Stmt::Emit { event, args, span });
    }
}
