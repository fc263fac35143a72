//! Expressions: as C's `int`, as truth, or as channels.

use model::{Binary, Expr as Model, ExprId, Type, Unary};
use source::Diagnostic;

use super::types::Ty;
use super::{INT, Lowering, Place, RunNumber};
use crate::ast::{BinaryOp, Expr, ExprKind, ProbeOp, ReceiveField, Reference, UnaryOp};
use crate::codes::{lints, names, rules};

impl Lowering<'_> {
    /// An expression as a 32-bit number.
    pub(super) fn number(&mut self, e: &Expr, place: Place) -> ExprId {
        if let Some(value) = self.constant(e) {
            return self.int(value);
        }
        if let Some(value) = self.known_in_claim(e) {
            return self.int(value);
        }
        match &e.kind {
            ExprKind::Number(n) => self.int(*n),
            ExprKind::Reference(reference) => self.load(reference, place),
            ExprKind::Unary(op @ (UnaryOp::Minus | UnaryOp::Complement), a) => {
                let a = self.number(a, place);
                let op = if *op == UnaryOp::Minus {
                    Unary::Neg
                } else {
                    Unary::BitNot
                };
                self.program.exprs.unary(op, a)
            }
            ExprKind::Binary(op, a, b) if arithmetic(*op).is_some() => {
                let op = arithmetic(*op).expect("just asked");
                let a = self.number(a, place);
                let b = self.number(b, place);
                self.program.exprs.binary(op, a, b)
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.truth(c, place);
                let a = self.number(a, place);
                let b = self.number(b, place);
                self.program.exprs.add(Model::Ite(c, a, b), INT)
            }
            ExprKind::Run { .. } => self.run_number(e, place),
            ExprKind::Length(reference) => {
                let length = self.target(reference, place).and_then(|t| t.length);
                if length.is_none() {
                    let message = "`for (x in a)` needs an array or a channel";
                    self.error(rules::INDEX, reference.span, message);
                }
                self.int(length.unwrap_or(1).into())
            }
            ExprKind::Probe(ProbeOp::Len, channel) => match self.channel(channel, place) {
                Some((channel, _)) => self.program.exprs.add(Model::ChannelLen(channel), INT),
                None => self.zero(),
            },
            ExprKind::PcValue(process) => {
                self.diagnostics.push(
                    Diagnostic::note(
                        lints::PC_VALUE,
                        "the numbers of control points are not those of SPIN",
                    )
                    .at(e.span),
                );
                let process = self.number(process, place);
                self.control_point(process)
            }
            ExprKind::Priority(process) => {
                let process = self.number(process, place);
                self.priority_at(process)
            }
            ExprKind::RemoteVariable(process, instance, variable) => {
                let instance = instance.as_ref().map(|i| self.number(i, place));
                self.remote_variable(process, instance, variable, place)
            }
            _ => {
                let truth = self.truth(e, place);
                self.convert(truth, INT)
            }
        }
    }

    /// What is constant while the variables of a claim have their values.
    fn known_in_claim(&mut self, e: &Expr) -> Option<i64> {
        if self.claim_values.is_empty() {
            return None;
        }
        self.constant(e)
    }

    /// An expression as a truth value.
    pub(super) fn truth(&mut self, e: &Expr, place: Place) -> ExprId {
        if let Some(value) = self.known_in_claim(e) {
            return self.program.exprs.bool(value != 0);
        }
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.truth(a, place);
                self.program.exprs.not(a)
            }
            ExprKind::Unary(UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, _)
            | ExprKind::Binary(BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release, ..) => {
                let message = "a temporal operator inside of a state condition";
                self.diagnostics.push(
                    Diagnostic::error(rules::NOT_IN_PROPERTY, message)
                        .at(e.span)
                        .help("put parentheses around what it applies to"),
                );
                self.program.exprs.bool(true)
            }
            ExprKind::Binary(op, a, b) => self.relation(*op, a, b, e, place),
            ExprKind::Probe(op, channel) if *op != ProbeOp::Len => self.probe(*op, channel, place),
            ExprKind::Poll {
                channel,
                fields,
                anywhere,
            } => self.poll(channel, fields, *anywhere, place),
            ExprKind::Timeout => self.program.exprs.add(Model::NothingEnabled, Type::Bool),
            ExprKind::NonProgress => {
                let progress = self.any_progress();
                self.program.exprs.not(progress)
            }
            ExprKind::Enabled(process) => {
                let process = self.number(process, place);
                self.program.exprs.add(Model::Enabled(process), Type::Bool)
            }
            ExprKind::RemoteLabel(process, instance, label) => {
                let instance = instance.as_ref().map(|i| self.number(i, place));
                self.remote_label(process, instance, label)
            }
            _ => {
                let value = self.number(e, place);
                self.convert(value, Type::Bool)
            }
        }
    }

    /// An expression as a channel.
    pub(super) fn channel_value(&mut self, e: &Expr, place: Place) -> ExprId {
        if let ExprKind::Reference(reference) = &e.kind
            && !self.is_constant_name(reference)
            && let Some(target) = self.scalar(reference, place)
            && target.ty == Ty::Channel
        {
            return self.program.exprs.load(target.place, Type::Channel);
        }
        let number = self.number(e, place);
        self.convert(number, Type::Channel)
    }

    /// An expression as its own kind says: a channel, or a number.
    pub(super) fn any_value(&mut self, e: &Expr, place: Place) -> ExprId {
        if let ExprKind::Reference(reference) = &e.kind
            && let Some(variable) = self.find_variable(&reference.parts[0].0.name, place)
            && matches!(variable.ty, Ty::Channel | Ty::Structure(_))
            && let Some(target) = self.scalar(reference, place)
            && target.ty == Ty::Channel
        {
            return self.program.exprs.load(target.place, Type::Channel);
        }
        self.number(e, place)
    }

    /// Whether a reference is a constant or a predefined name.
    pub(super) fn is_constant_name(&self, reference: &Reference) -> bool {
        let (ident, _) = &reference.parts[0];
        reference.parts.len() == 1
            && (self.constant_name(&ident.name).is_some()
                || matches!(
                    &*ident.name,
                    "true" | "false" | "skip" | "_" | "_pid" | "_nr_pr" | "_last" | "_priority"
                ))
    }

    fn load(&mut self, reference: &Reference, place: Place) -> ExprId {
        if let [(ident, None)] = reference.parts.as_slice()
            && let Some(value) = self.constant_name(&ident.name)
        {
            return self.int(value);
        }
        if self.is_constant_name(reference) {
            return self.predefined(reference, place);
        }
        let Some(target) = self.scalar(reference, place) else {
            return self.zero();
        };
        let ty = self.model_type(target.ty, None);
        let load = self.program.exprs.load(target.place, ty);
        self.convert(load, INT)
    }

    fn predefined(&mut self, reference: &Reference, place: Place) -> ExprId {
        let (ident, _) = &reference.parts[0];
        let own = place.process.is_some();
        match &*ident.name {
            "_pid" if own => {
                let me = self.program.exprs.add(Model::Me, Type::Instance);
                self.convert(me, INT)
            }
            "_nr_pr" => self.program.exprs.add(Model::InstanceCount, INT),
            "_last" => {
                let Some(last) = self.last else {
                    return self.zero();
                };
                let load = self
                    .program
                    .exprs
                    .load(model::Place::global(last), super::LAST);
                self.convert(load, INT)
            }
            "_priority" if own => {
                let me = self.program.exprs.add(Model::Me, Type::Instance);
                let me = self.convert(me, INT);
                self.priority_of(me)
            }
            "_" => {
                let message = "`_` has no value: it is only written to";
                self.error(rules::MISPLACED, ident.span, message);
                self.zero()
            }
            name => {
                let message = format!("`{name}` means something inside of a process only");
                self.error(rules::MISPLACED, ident.span, message);
                self.zero()
            }
        }
    }

    fn relation(&mut self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr, place: Place) -> ExprId {
        if a.runs() + b.runs() > 0 && matches!(op, BinaryOp::And | BinaryOp::Or) {
            let message = "`run` in a condition of `&&` or `||`";
            self.error(rules::RUN, whole.span, message);
            return self.program.exprs.bool(true);
        }
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                let a = self.truth(a, place);
                let b = self.truth(b, place);
                match op {
                    BinaryOp::And => self.program.exprs.and(a, b),
                    BinaryOp::Or => self.program.exprs.or(a, b),
                    BinaryOp::Implies => {
                        let not = self.program.exprs.not(a);
                        self.program.exprs.or(not, b)
                    }
                    _ => self.program.exprs.binary(Binary::Eq, a, b),
                }
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => {
                let a = self.number(a, place);
                let b = self.number(b, place);
                let exprs = &mut self.program.exprs;
                match op {
                    BinaryOp::Equal => exprs.binary(Binary::Eq, a, b),
                    BinaryOp::NotEqual => exprs.binary(Binary::Ne, a, b),
                    BinaryOp::Less => exprs.binary(Binary::Lt, a, b),
                    BinaryOp::LessEqual => exprs.binary(Binary::Le, a, b),
                    BinaryOp::Greater => exprs.binary(Binary::Lt, b, a),
                    _ => exprs.binary(Binary::Le, b, a),
                }
            }
            _ => {
                let value = self.number(whole, place);
                self.convert(value, Type::Bool)
            }
        }
    }

    fn probe(&mut self, op: ProbeOp, channel: &Reference, place: Place) -> ExprId {
        let Some((channel, _)) = self.channel(channel, place) else {
            return self.program.exprs.bool(true);
        };
        match op {
            ProbeOp::Empty | ProbeOp::NotEmpty | ProbeOp::Len => {
                let len = self.program.exprs.add(Model::ChannelLen(channel), INT);
                let zero = self.zero();
                let op = if op == ProbeOp::Empty {
                    Binary::Eq
                } else {
                    Binary::Ne
                };
                self.program.exprs.binary(op, len, zero)
            }
            ProbeOp::Full | ProbeOp::NotFull => {
                let full = self.full(channel);
                if op == ProbeOp::Full {
                    full
                } else {
                    self.program.exprs.not(full)
                }
            }
        }
    }

    /// Whether a channel holds as many messages as it can. A rendezvous channel holds none and is
    /// never full, as in SPIN's verifiers.
    fn full(&mut self, channel: ExprId) -> ExprId {
        let len = self.program.exprs.add(Model::ChannelLen(channel), INT);
        let capacity = self.program.exprs.add(Model::ChannelCapacity(channel), INT);
        let zero = self.zero();
        let keeps = self.program.exprs.binary(Binary::Lt, zero, capacity);
        let filled = self.program.exprs.binary(Binary::Le, capacity, len);
        self.program.exprs.and(keeps, filled)
    }

    /// Whether a send to the channel would not block, as long as it is no rendezvous.
    pub(super) fn has_room(&mut self, channel: ExprId) -> ExprId {
        // Where messages are lost, a channel that keeps any takes all.
        let len = match self.lossy {
            true => self.zero(),
            false => self.program.exprs.add(Model::ChannelLen(channel), INT),
        };
        let capacity = self.program.exprs.add(Model::ChannelCapacity(channel), INT);
        self.program.exprs.binary(Binary::Lt, len, capacity)
    }

    pub(super) fn poll(
        &mut self,
        channel: &Reference,
        fields: &[ReceiveField],
        anywhere: bool,
        place: Place,
    ) -> ExprId {
        let Some((id, shape)) = self.channel(channel, place) else {
            return self.program.exprs.bool(true);
        };
        let patterns = self.demands(fields, place);
        self.check_arity(shape, patterns.len(), channel.span);
        let poll = Model::Poll {
            channel: id,
            patterns,
            anywhere,
        };
        self.program.exprs.add(poll, Type::Bool)
    }

    /// For each field of a message what is demanded of it, structures taken apart.
    pub(super) fn demands(&mut self, fields: &[ReceiveField], place: Place) -> Vec<Option<ExprId>> {
        let mut all = Vec::new();
        for field in fields {
            match field {
                ReceiveField::Value(value) => all.push(Some(self.any_value(value, place))),
                ReceiveField::Reference(reference) => {
                    let (ident, _) = &reference.parts[0];
                    if *ident.name == *"_" {
                        all.push(None);
                    } else if self.is_constant_name(reference) {
                        all.push(Some(self.load(reference, place)));
                    } else if let Some(target) = self.target(reference, place) {
                        let count = self.flat(target.ty, target.length).len();
                        all.extend(std::iter::repeat_n(None, count));
                    }
                }
            }
        }
        all
    }

    pub(super) fn check_arity(&mut self, shape: Option<usize>, given: usize, span: source::Span) {
        if let Some(shape) = shape {
            let has = self.shapes[shape].fields.len();
            if given > has {
                let message = format!("{given} fields for a channel whose messages have {has}");
                self.error(rules::MESSAGE, span, message);
            }
        }
    }

    /// The number of a process that is started, and what starts it.
    fn run_number(&mut self, e: &Expr, place: Place) -> ExprId {
        if self.run_number == RunNumber::Forbidden {
            self.error(rules::RUN, e.span, "`run` is not allowed here");
            return self.zero();
        }
        let stored = match self.run_number {
            RunNumber::Stored => {
                let result = match self.run_result {
                    Some(result) => result,
                    None => {
                        let kind = model::VariableKind::Step;
                        let result = self.hidden_global("run", INT, kind);
                        self.run_result = Some(result);
                        result
                    }
                };
                Some(model::Place::global(result))
            }
            _ => None,
        };
        self.spawn(e, stored.clone(), place);
        match stored {
            Some(stored) => self.program.exprs.load(stored, INT),
            None => self.program.exprs.add(Model::InstanceCount, INT),
        }
    }

    /// Reports a label or process that does not exist.
    pub(super) fn no_process(&mut self, ident: &crate::ast::Ident) {
        let mut diagnostic = Diagnostic::error(
            names::NO_PROCESS,
            format!("no process type `{}`", ident.name),
        )
        .at(ident.span);
        let lower = ident.name.to_lowercase();
        let mut known = self.processes.iter().map(|p| &p.ast.name.name);
        if let Some(close) = known.find(|name| name.to_lowercase() == lower) {
            diagnostic = diagnostic.help(format!("there is `{close}`"));
        }
        self.diagnostics.push(diagnostic);
    }
}

fn arithmetic(op: BinaryOp) -> Option<Binary> {
    Some(match op {
        BinaryOp::BitOr => Binary::BitOr,
        BinaryOp::BitXor => Binary::BitXor,
        BinaryOp::BitAnd => Binary::BitAnd,
        BinaryOp::ShiftLeft => Binary::Shl,
        BinaryOp::ShiftRight => Binary::Shr,
        BinaryOp::Add => Binary::Add,
        BinaryOp::Subtract => Binary::Sub,
        BinaryOp::Multiply => Binary::Mul,
        BinaryOp::Divide => Binary::Div,
        BinaryOp::Remainder => Binary::Rem,
        _ => return None,
    })
}
