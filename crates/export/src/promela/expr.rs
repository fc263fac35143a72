//! Expressions: a text for the value, and beside it when the evaluation would fault.
//!
//! Promela has no faults; a division by zero kills the verifier. So each expression comes with
//! the list of conditions under which it faults, in the order of evaluation: each condition may
//! be evaluated only where those before it are false, and the value only where all are.
//!
//! All numbers are computed in `int`: modulo 2^32, reduced to the type where that differs. What
//! must be exact (ranges, mathematical integers) and might not fit is refused.

use std::collections::HashMap;

use model::{Expr, ExprId, FaultId, Place, ProcedureId, Type, Unary, Value};

use super::writer::{NOTHING_ENABLED, Writer};

/// Mathematical integers are kept between these; the model says when one leaves.
pub(super) const MATHINT: i128 = 1_000_000_000;

/// An expression in Promela.
#[derive(Clone, Default, Debug)]
pub(super) struct Term {
    pub(super) text: String,
    /// When it faults, and how.
    pub(super) faults: Vec<(String, FaultId)>,
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    pub(super) slot: Option<usize>,
    pub(super) procedure: Option<ProcedureId>,
    /// The observed event's arguments: each leaf's text.
    pub(super) arguments: &'s [HashMap<Vec<Step>, String>],
    /// Places whose value is known here.
    pub(super) fixed: Option<&'s HashMap<Place, Value>>,
    /// The answer to `NothingEnabled`, where it is already being asked.
    pub(super) timeout: Option<bool>,
}

/// One step down into a value, to a constant position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    Field(u32),
    Index(u32),
}

impl Scope<'_> {
    pub(super) const OUTSIDE: Scope<'static> = Scope {
        slot: None,
        procedure: None,
        arguments: &[],
        fixed: None,
        timeout: None,
    };

    pub(super) fn of(slot: usize, procedure: Option<ProcedureId>) -> Scope<'static> {
        Scope {
            slot: Some(slot),
            procedure,
            ..Scope::OUTSIDE
        }
    }
}

impl Term {
    /// What does not fault.
    pub(super) fn sure(text: impl Into<String>) -> Term {
        Term {
            text: text.into(),
            faults: Vec::new(),
        }
    }

    /// Whether it is true and does not fault.
    pub(super) fn holds(&self) -> String {
        if self.faults.is_empty() {
            return self.text.clone();
        }
        format!("(!({}) && {})", self.any_fault(), self.text)
    }

    /// Whether it is true or faults: how guards count.
    pub(super) fn holds_or_faults(&self) -> String {
        if self.faults.is_empty() {
            return self.text.clone();
        }
        format!("({} || {})", self.any_fault(), self.text)
    }

    pub(super) fn any_fault(&self) -> String {
        let all: Vec<&str> = self.faults.iter().map(|(text, _)| text.as_str()).collect();
        all.join(" || ")
    }
}

/// Both lists, the second only where the first has nothing.
pub(super) fn chain(
    mut first: Vec<(String, FaultId)>,
    second: Vec<(String, FaultId)>,
) -> Vec<(String, FaultId)> {
    first.extend(second);
    first
}

/// The same, each only where a condition holds.
pub(super) fn under(condition: &str, faults: Vec<(String, FaultId)>) -> Vec<(String, FaultId)> {
    faults
        .into_iter()
        .map(|(text, fault)| (format!("({condition} && {text})"), fault))
        .collect()
}

/// A number as Promela reads it.
pub(super) fn numeral(n: i128) -> String {
    if n == -(1 << 31) {
        "(-2147483647 - 1)".into()
    } else if n < 0 {
        format!("(-{})", -n)
    } else {
        n.to_string()
    }
}

impl Writer<'_> {
    /// A scalar expression.
    pub(super) fn expr(&self, scope: Scope<'_>, id: ExprId) -> Term {
        self.part(scope, id, &[])
    }

    /// The part of an expression's value that constant steps lead to.
    pub(super) fn part(&self, scope: Scope<'_>, id: ExprId, path: &[Step]) -> Term {
        let program = self.program;
        let ty = program.exprs.ty(id);
        match program.exprs.get(id) {
            Expr::Const(value) => {
                let mut value = value;
                for step in path {
                    let (Step::Field(at) | Step::Index(at)) = *step;
                    let Value::Tuple(items) = value else { break };
                    value = &items[at as usize];
                }
                self.constant(value)
            }
            Expr::Load(place) => self.load(scope, place, path),
            Expr::Tuple(items) => match path.split_first() {
                Some((&(Step::Field(at) | Step::Index(at)), rest)) => {
                    self.part(scope, items[at as usize], rest)
                }
                None => self.refuse_term("a whole record or array as a number"),
            },
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr(scope, *condition);
                if condition.faults.is_empty() {
                    match condition.text.as_str() {
                        "1" => return self.part(scope, *then, path),
                        "0" => return self.part(scope, *otherwise, path),
                        _ => {}
                    }
                }
                let then = self.part(scope, *then, path);
                let otherwise = self.part(scope, *otherwise, path);
                let c = &condition.text;
                let sides = chain(
                    under(c, then.faults),
                    under(&format!("!{c}"), otherwise.faults),
                );
                Term {
                    text: format!("({c} -> {} : {})", then.text, otherwise.text),
                    faults: chain(condition.faults, sides),
                }
            }
            Expr::Unary(op, operand) => {
                let inner = self.expr(scope, *operand);
                let text = match op {
                    Unary::Not => format!("!{}", inner.text),
                    Unary::Neg => self.fitted(scope, id, format!("(-{})", inner.text)),
                    Unary::BitNot => self.fitted(scope, id, format!("(~{})", inner.text)),
                };
                let text = if *op == Unary::Not {
                    format!("({text})")
                } else {
                    text
                };
                Term { text, ..inner }
            }
            Expr::Binary(op, left, right) => self.binary(scope, id, *op, *left, *right),
            Expr::Convert(operand) => {
                if *ty != Type::Mathint && self.has_no_room(scope, *operand) {
                    self.refuse_wide();
                }
                let inner = self.expr(scope, *operand);
                let from = program.exprs.ty(*operand);
                let text = if *ty == Type::Bool && *from != Type::Bool {
                    format!("({} != 0)", inner.text)
                } else {
                    let (lo, hi) = self.bounds(scope, *operand);
                    self.wrapped(ty, inner.text, lo, hi)
                };
                Term { text, ..inner }
            }
            Expr::Apply(function, args) => self.table(scope, *function, args),
            Expr::At {
                instance,
                process,
                location,
            } => {
                let number = self.expr(scope, *instance);
                let found = self.slots_of(*process).into_iter().map(|slot| {
                    let position = self.layout.slots[slot].position;
                    let at = self.layout.at(slot);
                    self.note_at(slot);
                    self.both(
                        &self.same_number(&number.text, position),
                        &format!("({at} == {})", location.0),
                    )
                });
                Term {
                    text: any(found),
                    faults: number.faults,
                }
            }
            Expr::AnyAt(places) => {
                let found = places.iter().flat_map(|(process, location)| {
                    self.slots_of(*process).into_iter().map(|slot| {
                        self.note_at(slot);
                        format!("({} == {})", self.layout.at(slot), location.0)
                    })
                });
                Term::sure(any(found.collect::<Vec<_>>()))
            }
            Expr::First(process) => {
                let mut text = numeral(-1);
                for slot in self.slots_of(*process).into_iter().rev() {
                    let position = self.layout.slots[slot].position;
                    text = match self.lives(slot).as_str() {
                        "1" => position.to_string(),
                        lives => format!("({lives} -> {position} : {text})"),
                    };
                }
                Term::sure(text)
            }
            Expr::Me => match scope.slot {
                Some(slot) => Term::sure(self.layout.slots[slot].position.to_string()),
                None => self.refuse_term("the number of an instance outside of one"),
            },
            Expr::InstanceCount => {
                let all: Vec<String> = (0..self.layout.slots.len())
                    .map(|slot| self.lives(slot))
                    .collect();
                Term::sure(if all.is_empty() {
                    "0".into()
                } else {
                    format!("({})", all.join(" + "))
                })
            }
            Expr::NothingEnabled => match scope.timeout {
                Some(answer) => Term::sure(if answer { "1" } else { "0" }),
                None => {
                    self.asks_timeout.set(true);
                    Term::sure(NOTHING_ENABLED)
                }
            },
            Expr::Enabled(_) => self.refuse_term("`enabled`"),
            Expr::ChannelLen(channel) => self.per_channel(scope, *channel, |channel| {
                Term::sure(format!("len({})", self.channel_name(channel)))
            }),
            Expr::ChannelCapacity(channel) => self.per_channel(scope, *channel, |channel| {
                let id = self.layout.channels[channel];
                let capacity = program.channels[id.index()].capacity;
                Term::sure(numeral(capacity.map_or(-1, i128::from)))
            }),
            Expr::Poll {
                channel,
                patterns,
                anywhere,
            } => {
                let mut faults = Vec::new();
                let fields: Vec<String> = patterns
                    .iter()
                    .map(|pattern| match pattern {
                        None => "_".to_owned(),
                        Some(value) => {
                            let value = self.expr(scope, *value);
                            faults.extend(value.faults);
                            format!("eval({})", value.text)
                        }
                    })
                    .collect();
                let poll = |channel: usize| Term::sure(self.poll(channel, &fields, *anywhere));
                let term = self.per_channel(scope, *channel, poll);
                Term {
                    faults: chain(faults, term.faults),
                    text: term.text,
                }
            }
            Expr::Next(_) => self.refuse_term("synchronous composition"),
        }
    }

    pub(super) fn constant(&self, value: &Value) -> Term {
        match value {
            Value::Bool(_) | Value::Int(_) => {
                let number = value.number();
                if !fits_int(number) {
                    return self.refuse_term("a number beyond 32 bits");
                }
                Term::sure(numeral(number))
            }
            Value::Rich(id) => {
                self.note_rich(*id);
                Term::sure(id.0.to_string())
            }
            Value::Tuple(_) => self.refuse_term("a whole record or array as a number"),
            Value::Pointer(_) => self.refuse_term("pointers"),
            Value::Procedure(_) => self.refuse_term("procedures as values"),
        }
    }

    /// The slots where instances of a template can be.
    pub(super) fn slots_of(&self, process: model::ProcessId) -> Vec<usize> {
        (0..self.layout.slots.len())
            .filter(|&slot| self.layout.slots[slot].process == process)
            .collect()
    }

    /// Whether an instance exists in a slot.
    pub(super) fn lives(&self, slot: usize) -> String {
        if !self.may_leave(slot) {
            return "1".into();
        }
        self.note_at(slot);
        format!("({} != {})", self.layout.at(slot), self.layout.absent(slot))
    }

    pub(super) fn same_number(&self, text: &str, position: u32) -> String {
        match text.parse::<u32>() {
            Ok(number) => if number == position { "1" } else { "0" }.into(),
            Err(_) => format!("({text} == {position})"),
        }
    }

    pub(super) fn both(&self, left: &str, right: &str) -> String {
        match (left, right) {
            ("0", _) | (_, "0") => "0".into(),
            ("1", other) | (other, "1") => other.to_owned(),
            _ => format!("({left} && {right})"),
        }
    }

    /// A term for each channel that a reference can name, chosen by the reference.
    pub(super) fn per_channel(
        &self,
        scope: Scope<'_>,
        channel: ExprId,
        term: impl Fn(usize) -> Term,
    ) -> Term {
        let reference = self.expr(scope, channel);
        if let Ok(number) = reference.text.parse::<usize>() {
            return match number.checked_sub(1) {
                Some(place) if place < self.layout.channels.len() => term(place),
                _ => self.dead_reference(),
            };
        }
        let mut text = "0".to_owned();
        for place in (0..self.layout.channels.len()).rev() {
            let here = term(place);
            text = format!(
                "({} == {} -> {} : {text})",
                reference.text,
                place + 1,
                here.text
            );
        }
        let mut faults = reference.faults;
        if let Some(fault) = self.program.channel_fault {
            let last = self.layout.channels.len();
            faults.push((format!("({0} < 1 || {0} > {last})", reference.text), fault));
        }
        Term { text, faults }
    }

    fn dead_reference(&self) -> Term {
        Term {
            text: "0".into(),
            faults: self
                .program
                .channel_fault
                .map(|fault| ("1".to_owned(), fault))
                .into_iter()
                .collect(),
        }
    }
}

/// Whether a number is a Promela `int`.
pub(super) fn fits_int(n: i128) -> bool {
    i32::try_from(n).is_ok()
}

/// A disjunction.
pub(super) fn any(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| part != "0").collect();
    if parts.iter().any(|part| part == "1") {
        return "1".into();
    }
    match parts.len() {
        0 => "0".into(),
        1 => parts.into_iter().next().unwrap_or_default(),
        _ => format!("({})", parts.join(" || ")),
    }
}

/// A conjunction.
pub(super) fn all(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| part != "1").collect();
    if parts.iter().any(|part| part == "0") {
        return "0".into();
    }
    match parts.len() {
        0 => "1".into(),
        1 => parts.into_iter().next().unwrap_or_default(),
        _ => format!("({})", parts.join(" && ")),
    }
}
