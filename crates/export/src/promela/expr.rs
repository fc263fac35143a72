//! Expressions: a text for the value, and beside it when the evaluation would fault.
//!
//! Promela has no faults; a division by zero kills the verifier. So each expression comes with
//! the list of conditions under which it faults, in the order of evaluation: each condition may
//! be evaluated only where those before it are false, and the value only where all are.
//!
//! All numbers are computed in `int`: modulo 2^32, reduced to the type where that differs. What
//! must be exact (ranges, mathematical integers) and might not fit is refused.

use std::collections::HashMap;

use model::{
    Binary, Expr, ExprId, FaultId, Place, ProcedureId, Projection, Root, Type, Unary, Value,
};

use super::layout::Home;
use super::writer::Writer;

/// Mathematical integers are kept between these; the model says when one leaves.
pub(super) const MATHINT: i128 = 1_000_000_000;

/// Sums up to here come out between the limits above only if they are there, even modulo 2^32.
const ROOM: i128 = (1 << 32) - MATHINT - 1;

/// A conditional table longer than this is refused: SPIN's parser keeps it on a stack.
const LONGEST_TABLE: usize = 800;

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
    fn sure(text: impl Into<String>) -> Term {
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
fn chain(
    mut first: Vec<(String, FaultId)>,
    second: Vec<(String, FaultId)>,
) -> Vec<(String, FaultId)> {
    first.extend(second);
    first
}

fn under(condition: &str, faults: Vec<(String, FaultId)>) -> Vec<(String, FaultId)> {
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
                    Term::sure("nothing_enabled")
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

    fn same_number(&self, text: &str, position: u32) -> String {
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

    /// A place and where evaluation of the way to it faults: the variable's text.
    pub(super) fn place(&self, scope: Scope<'_>, place: &Place, path: &[Step]) -> Term {
        let home = match place.root {
            Root::Global(id) => Home::Global(id.0),
            Root::Own(local) => match scope.slot {
                Some(slot) => Home::Own(slot, local),
                None => return self.refuse_term("a local outside of its process"),
            },
            Root::Frame(local) => match (scope.slot, scope.procedure) {
                (Some(slot), Some(procedure)) => Home::Frame(slot, procedure.0, local),
                _ => return self.refuse_term("a local outside of its procedure"),
            },
            Root::Cell(_) => return self.refuse_term("pointers"),
            Root::Remote { .. } | Root::Argument(_) => {
                return self.refuse_term("an assignment to what can only be read");
            }
        };
        self.place_of(scope, home, &place.path, path)
    }

    fn place_of(&self, scope: Scope<'_>, home: Home, way: &[Projection], path: &[Step]) -> Term {
        let mut fields = Vec::new();
        let mut index = String::new();
        let mut faults = Vec::new();
        let mut ty = self.layout.type_of(home);
        let add = |index: &mut String, at: String, length: u32| {
            *index = if index.is_empty() {
                at
            } else {
                format!("({index} * {length} + {at})")
            };
        };
        for projection in way {
            match (projection, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    fields.push(*field);
                    ty = self.program.records[id.index()].fields[*field as usize]
                        .1
                        .clone();
                }
                (Projection::Index(at), Type::Array(item, length)) => {
                    let term = self.expr(scope, *at);
                    faults.extend(term.faults);
                    let (lo, hi) = self.bounds(scope, *at);
                    if (lo < 0 || hi >= i128::from(length))
                        && let Some(fault) = self.program.index_fault
                    {
                        let outside = format!("({0} < 0 || {0} >= {length})", term.text);
                        match term.text.parse::<u32>() {
                            Ok(at) if at < length => {}
                            _ => faults.push((outside, fault)),
                        }
                    }
                    add(&mut index, term.text, length);
                    ty = *item;
                }
                _ => return self.refuse_term("a part of what has no parts"),
            }
        }
        for step in path {
            match (step, ty) {
                (Step::Field(field), Type::Record(id)) => {
                    fields.push(*field);
                    ty = self.program.records[id.index()].fields[*field as usize]
                        .1
                        .clone();
                }
                (Step::Index(at), Type::Array(item, length)) => {
                    add(&mut index, at.to_string(), length);
                    ty = *item;
                }
                _ => return self.refuse_term("a part of what has no parts"),
            }
        }
        if !matches!(
            ty,
            Type::Bool | Type::Int { .. } | Type::Range { .. } | Type::Mathint
        ) && !matches!(
            ty,
            Type::Enum(_) | Type::Rich | Type::Channel | Type::Instance
        ) {
            return self.refuse_term("pointers, procedures as values, or a whole record or array");
        }
        if let Type::Int { bits, signed } = ty
            && (bits > 32 || (bits == 32 && !signed))
        {
            return self.refuse_term("machine integers beyond 32 bits with sign");
        }
        // What never changes is written as what it is.
        if !self.layout.changes(home) && index.is_empty() && faults.is_empty() {
            let mut value = self.layout.first_value(home);
            for &field in &fields {
                if let Value::Tuple(items) = value {
                    value = items[field as usize].clone();
                }
            }
            return self.constant(&value);
        }
        let name = self.layout.name(home, &fields);
        Term {
            text: if index.is_empty() {
                name
            } else {
                format!("{name}[{index}]")
            },
            faults,
        }
    }

    fn load(&self, scope: Scope<'_>, place: &Place, path: &[Step]) -> Term {
        if let Some(fixed) = scope.fixed
            && let Some(value) = fixed.get(place)
        {
            return self.constant(value);
        }
        match place.root {
            Root::Argument(index) => {
                let way: Option<Vec<Step>> = place
                    .path
                    .iter()
                    .map(|projection| match projection {
                        Projection::Field(field) => Some(Step::Field(*field)),
                        Projection::Index(at) => match self.program.exprs.constant(*at) {
                            Some(Value::Int(at)) => u32::try_from(*at).ok().map(Step::Index),
                            _ => None,
                        },
                    })
                    .chain(path.iter().map(|step| Some(*step)))
                    .collect();
                way.and_then(|way| scope.arguments.get(index as usize)?.get(&way).cloned())
                    .map_or_else(
                        || self.refuse_term("an element of an event's argument"),
                        Term::sure,
                    )
            }
            Root::Remote {
                instance,
                process,
                local,
            } => {
                let number = self.expr(scope, instance);
                let mut text = "0".to_owned();
                let mut faults = number.faults;
                for slot in self.slots_of(process).into_iter().rev() {
                    let position = self.layout.slots[slot].position;
                    let here =
                        self.both(&self.same_number(&number.text, position), &self.lives(slot));
                    let value = self.place_of(scope, Home::Own(slot, local), &place.path, path);
                    faults.extend(under(&here, value.faults));
                    text = match here.as_str() {
                        "0" => text,
                        "1" => value.text,
                        _ => format!("({here} -> {} : {text})", value.text),
                    };
                }
                Term { text, faults }
            }
            _ => self.place(scope, place, path),
        }
    }

    fn binary(
        &self,
        scope: Scope<'_>,
        id: ExprId,
        op: Binary,
        left: ExprId,
        right: ExprId,
    ) -> Term {
        let ty = self.program.exprs.ty(left).clone();
        if matches!(op, Binary::Eq | Binary::Ne) && matches!(ty, Type::Array(..) | Type::Record(_))
        {
            return self.equal_parts(scope, op, left, right, &ty);
        }
        let a = self.expr(scope, left);
        let b = self.expr(scope, right);
        let (x, y) = (&a.text, &b.text);
        let modular = matches!(op, Binary::Add | Binary::Sub | Binary::Mul);
        if !modular && (self.has_no_room(scope, left) || self.has_no_room(scope, right)) {
            self.refuse_wide();
        }
        let plain = |operator: &str| format!("({x} {operator} {y})");
        let text = match op {
            Binary::And => {
                if a.faults.is_empty() && b.faults.is_empty() {
                    return Term::sure(self.both(x, y));
                }
                let faults = chain(a.faults.clone(), under(x, b.faults.clone()));
                return Term {
                    text: plain("&&"),
                    faults,
                };
            }
            Binary::Or => {
                let text = match (x.as_str(), y.as_str()) {
                    ("0", other) | (other, "0") => other.to_owned(),
                    ("1", _) => "1".into(),
                    _ => plain("||"),
                };
                let faults = chain(a.faults.clone(), under(&format!("!{x}"), b.faults.clone()));
                return Term { text, faults };
            }
            Binary::Eq => plain("=="),
            Binary::Ne => plain("!="),
            Binary::Lt => plain("<"),
            Binary::Le => plain("<="),
            Binary::Add => self.fitted(scope, id, plain("+")),
            Binary::Sub => self.fitted(scope, id, plain("-")),
            Binary::Mul => self.fitted(scope, id, plain("*")),
            Binary::Div | Binary::Rem => {
                let mut faults = chain(a.faults.clone(), b.faults.clone());
                let (lo, hi) = self.bounds(scope, right);
                if lo <= 0
                    && hi >= 0
                    && let Some(fault) = self.program.division_fault
                {
                    faults.push((format!("({y} == 0)"), fault));
                }
                // The least number divided by -1 kills the verifier, too.
                let minimal = self.bounds(scope, left).0 <= -(1 << 31) && lo <= -1;
                let text = match (op, minimal) {
                    (Binary::Div, false) => plain("/"),
                    (Binary::Div, true) => format!("({y} == (-1) -> (0 - {x}) : {x} / {y})"),
                    (_, false) => plain("%"),
                    (_, true) => format!("({y} == (-1) -> 0 : {x} % {y})"),
                };
                return Term {
                    text: self.fitted(scope, id, text),
                    faults,
                };
            }
            Binary::BitAnd => plain("&"),
            Binary::BitOr => plain("|"),
            Binary::BitXor => plain("^"),
            Binary::Shl | Binary::Shr => {
                let Type::Int { bits, .. } = *self.program.exprs.ty(id) else {
                    return self.refuse_term("a shift of what is no machine integer");
                };
                let count = if bits.is_power_of_two() {
                    format!("({y} & {})", bits - 1)
                } else {
                    format!("((({y} % {bits}) + {bits}) % {bits})")
                };
                let operator = if op == Binary::Shl { "<<" } else { ">>" };
                self.fitted(scope, id, format!("({x} {operator} {count})"))
            }
            Binary::Offset => return self.refuse_term("pointers"),
        };
        Term {
            text,
            faults: chain(a.faults, b.faults),
        }
    }

    fn equal_parts(
        &self,
        scope: Scope<'_>,
        op: Binary,
        left: ExprId,
        right: ExprId,
        ty: &Type,
    ) -> Term {
        let mut faults = Vec::new();
        let mut same = Vec::new();
        for path in self.paths(ty) {
            let a = self.part(scope, left, &path);
            let b = self.part(scope, right, &path);
            faults.extend(a.faults);
            faults.extend(b.faults);
            same.push(format!("({} == {})", a.text, b.text));
        }
        let all = if same.is_empty() {
            "1".into()
        } else {
            format!("({})", same.join(" && "))
        };
        Term {
            text: if op == Binary::Eq {
                all
            } else {
                format!("(!{all})")
            },
            faults,
        }
    }

    /// The ways to the scalars of a type.
    pub(super) fn paths(&self, ty: &Type) -> Vec<Vec<Step>> {
        match ty {
            Type::Array(item, length) => (0..*length)
                .flat_map(|at| {
                    self.paths(item).into_iter().map(move |mut path| {
                        path.insert(0, Step::Index(at));
                        path
                    })
                })
                .collect(),
            Type::Record(id) => (0u32..)
                .zip(&self.program.records[id.index()].fields)
                .flat_map(|(field, (_, ty))| {
                    self.paths(ty).into_iter().map(move |mut path| {
                        path.insert(0, Step::Field(field));
                        path
                    })
                })
                .collect(),
            _ => vec![Vec::new()],
        }
    }

    /// The scalar that a path leads to.
    pub(super) fn part_type(&self, ty: &Type, path: &[Step]) -> Type {
        match (ty, path.split_first()) {
            (Type::Array(item, _), Some((_, rest))) => self.part_type(item, rest),
            (Type::Record(id), Some((Step::Field(field), rest))) => {
                let (_, ty) = &self.program.records[id.index()].fields[*field as usize];
                self.part_type(ty, rest)
            }
            _ => ty.clone(),
        }
    }

    /// Whether a mathematical integer may not fit into `int` before it is stored.
    pub(super) fn has_no_room(&self, scope: Scope<'_>, id: ExprId) -> bool {
        let (lo, hi) = self.bounds(scope, id);
        *self.program.exprs.ty(id) == Type::Mathint && (!fits_int(lo) || !fits_int(hi))
    }

    /// The result of an operation, computed in `int`, as its type has it.
    fn fitted(&self, scope: Scope<'_>, id: ExprId, text: String) -> String {
        let ty = self.program.exprs.ty(id);
        let (lo, hi) = self.exact_bounds(scope, id);
        // What is only added up and stored is checked where it is stored.
        let modular = matches!(
            self.program.exprs.get(id),
            Expr::Unary(Unary::Neg, _) | Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..)
        );
        if *ty == Type::Mathint && modular && lo >= -ROOM && hi <= ROOM {
            return text;
        }
        self.wrapped(ty, text, lo, hi)
    }

    /// A value between `lo` and `hi` reduced to a type.
    pub(super) fn wrapped(&self, ty: &Type, text: String, lo: i128, hi: i128) -> String {
        match ty {
            Type::Int { bits, signed } if *bits <= 32 && (*bits < 32 || *signed) => {
                let (least, most) = ty.bounds().unwrap_or((0, 0));
                if (least <= lo && hi <= most) || *bits == 32 {
                    text
                } else if *signed {
                    let half = 1i128 << (bits - 1);
                    format!("((({text} + {half}) & {}) - {half})", 2 * half - 1)
                } else {
                    format!("({text} & {most})")
                }
            }
            Type::Int { .. } => {
                self.refuse("machine integers beyond 32 bits with sign");
                text
            }
            Type::Bool => text,
            _ => {
                if !fits_int(lo) || !fits_int(hi) {
                    self.refuse_wide();
                }
                text
            }
        }
    }

    /// Bounds of an expression's value.
    pub(super) fn bounds(&self, scope: Scope<'_>, id: ExprId) -> (i128, i128) {
        let ty = self.program.exprs.ty(id);
        let (lo, hi) = self.exact_bounds(scope, id);
        match ty {
            Type::Int { .. } | Type::Bool => {
                let (least, most) = ty.bounds().unwrap_or((lo, hi));
                if lo < least || hi > most {
                    (least, most)
                } else {
                    (lo, hi)
                }
            }
            _ => (lo, hi),
        }
    }

    /// Bounds before reduction to the type.
    fn exact_bounds(&self, scope: Scope<'_>, id: ExprId) -> (i128, i128) {
        let at = (scope.slot, scope.procedure);
        let key = (id, at);
        if let Some(&known) = self.known_bounds.borrow().get(&key)
            && scope.arguments.is_empty()
        {
            return known;
        }
        let ty = self.program.exprs.ty(id);
        let by_type = || match ty {
            Type::Mathint => (-MATHINT, MATHINT),
            Type::Enum(id) => (0, self.program.enums[id.index()].members.len() as i128 - 1),
            Type::Rich | Type::Channel | Type::Instance => (0, i128::from(i32::MAX)),
            other => other.bounds().unwrap_or((0, i128::from(i32::MAX))),
        };
        let huge = (-(1i128 << 100), 1i128 << 100);
        let clamp = |(lo, hi): (i128, i128)| (lo.clamp(huge.0, huge.1), hi.clamp(huge.0, huge.1));
        let found = match self.program.exprs.get(id) {
            Expr::Const(Value::Int(n)) => (*n, *n),
            Expr::Const(Value::Bool(truth)) => (i128::from(*truth), i128::from(*truth)),
            // What is stored there may be known better than the type says.
            Expr::Load(_) => {
                let set = self.values.of_expr(&self.layout, at, id);
                let numbers: Option<Vec<i128>> = set.map(|set| {
                    set.iter()
                        .map(|value| match value {
                            Value::Int(_) | Value::Bool(_) => value.number(),
                            _ => i128::from(i32::MAX),
                        })
                        .collect()
                });
                match numbers.as_deref() {
                    Some(numbers @ [first, ..]) => (
                        numbers.iter().copied().min().unwrap_or(*first),
                        numbers.iter().copied().max().unwrap_or(*first),
                    ),
                    _ => by_type(),
                }
            }
            Expr::Ite(_, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(scope, *a), self.bounds(scope, *b));
                (a.min(c), b.max(d))
            }
            Expr::Convert(a) => self.bounds(scope, *a),
            Expr::First(_) => (-1, i128::from(u16::MAX)),
            Expr::Unary(Unary::Neg, a) => {
                let (lo, hi) = self.bounds(scope, *a);
                (-hi, -lo)
            }
            Expr::Unary(Unary::BitNot, a) => {
                let (lo, hi) = self.bounds(scope, *a);
                (!hi, !lo)
            }
            Expr::Binary(op, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(scope, *a), self.bounds(scope, *b));
                match op {
                    Binary::Add => (a + c, b + d),
                    Binary::Sub => (a - d, b - c),
                    Binary::Mul => {
                        let all = [(a, c), (a, d), (b, c), (b, d)]
                            .map(|(x, y)| x.checked_mul(y).unwrap_or(huge.1));
                        let least = all.into_iter().min().unwrap_or(huge.0);
                        let most = all.into_iter().max().unwrap_or(huge.1);
                        (least.min(-most), most)
                    }
                    Binary::Div => {
                        let most = a.abs().max(b.abs());
                        (if a >= 0 && c >= 0 { 0 } else { -most }, most)
                    }
                    Binary::Rem => {
                        let most = (c.abs().max(d.abs()) - 1).max(0);
                        (if a >= 0 { 0 } else { -most }, most)
                    }
                    Binary::BitAnd if a >= 0 || c >= 0 => (
                        0,
                        if a >= 0 && c >= 0 {
                            b.min(d)
                        } else if a >= 0 {
                            b
                        } else {
                            d
                        },
                    ),
                    Binary::Shl => huge,
                    _ => by_type(),
                }
            }
            _ => by_type(),
        };
        let found = clamp(found);
        self.known_bounds.borrow_mut().insert(key, found);
        found
    }

    /// A function as a table over the arguments that can occur.
    fn table(&self, scope: Scope<'_>, function: model::FunctionId, args: &[ExprId]) -> Term {
        let at = (scope.slot, scope.procedure);
        let name = self.program.functions[function.index()].name.clone();
        let Some(rows) = self.values.rows(&self.layout, at, function, args) else {
            return self.refuse_function(&name);
        };
        let mut faults = Vec::new();
        let mut texts = Vec::new();
        for &arg in args {
            let term = self.expr(scope, arg);
            faults.extend(term.faults);
            texts.push(term.text);
        }
        let mut failing: HashMap<FaultId, Vec<Vec<Value>>> = HashMap::new();
        let mut results = Vec::new();
        for (values, result) in rows {
            match result {
                Ok(value) => {
                    results.push((values, self.constant(&value).text));
                }
                Err(fault) => failing.entry(fault).or_default().push(values),
            }
        }
        let mut kinds: Vec<_> = failing.into_iter().collect();
        kinds.sort_by_key(|(fault, _)| *fault);
        for (fault, rows) in kinds {
            let rows: Vec<_> = rows.into_iter().map(|row| (row, "1".to_owned())).collect();
            let also: Vec<_> = results
                .iter()
                .map(|(row, _)| (row.clone(), "0".to_owned()))
                .collect();
            let all: Vec<_> = rows.into_iter().chain(also).collect();
            faults.push((format!("({} == 1)", self.decide(&texts, 0, &all)), fault));
        }
        if results.is_empty() {
            return Term {
                text: "0".into(),
                faults,
            };
        }
        let text = self.decide(&texts, 0, &results);
        if text.matches("->").count() > LONGEST_TABLE {
            return self.refuse_function(&name);
        }
        Term { text, faults }
    }

    /// Nested conditions that pick a row.
    fn decide(&self, texts: &[String], at: usize, rows: &[(Vec<Value>, String)]) -> String {
        let first = &rows[0].1;
        if at == texts.len() || rows.iter().all(|(_, result)| result == first) {
            return first.clone();
        }
        let mut branches: Vec<(String, Vec<String>)> = Vec::new();
        let mut order: Vec<&Value> = Vec::new();
        for (values, _) in rows {
            if !order.contains(&&values[at]) {
                order.push(&values[at]);
            }
        }
        for value in order {
            let mine: Vec<_> = rows
                .iter()
                .filter(|(values, _)| values[at] == *value)
                .cloned()
                .collect();
            let result = self.decide(texts, at + 1, &mine);
            let test = self.constant(value).text;
            match branches.iter_mut().find(|(known, _)| *known == result) {
                Some((_, tests)) => tests.push(test),
                None => branches.push((result, vec![test])),
            }
        }
        // The most frequent result needs no test.
        branches.sort_by_key(|(_, tests)| tests.len());
        let mut text = branches.pop().map_or(String::new(), |(result, _)| result);
        while let Some((result, tests)) = branches.pop() {
            let tests = tests
                .into_iter()
                .map(|test| format!("{} == {test}", texts[at]));
            text = format!("({} -> {result} : {text})", any(tests));
        }
        text
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
