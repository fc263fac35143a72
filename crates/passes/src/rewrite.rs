//! Replaces expressions wherever a program mentions them.

use model::{
    Callee, Choice, Comm, Expr, ExprId, FairnessKind, Pattern, Place, Process, Program, Projection,
    Root, Step, Stmt, Target, ValueSet, Variable,
};

/// A replacement of expressions.
pub(crate) trait Replace {
    /// What stands for the expression from now on.
    fn expr(&mut self, id: ExprId) -> ExprId;

    /// Replaces the operands of an expression.
    fn operands(&mut self, mut expr: Expr) -> Expr {
        match &mut expr {
            Expr::Const(_)
            | Expr::Next(_)
            | Expr::NothingEnabled
            | Expr::Me
            | Expr::AnyAt(_)
            | Expr::First(_)
            | Expr::InstanceCount => {}
            Expr::Load(place) => self.place(place),
            Expr::Unary(_, a)
            | Expr::Convert(a)
            | Expr::Enabled(a)
            | Expr::ChannelLen(a)
            | Expr::ChannelCapacity(a)
            | Expr::At { instance: a, .. } => *a = self.expr(*a),
            Expr::Binary(_, a, b) => {
                *a = self.expr(*a);
                *b = self.expr(*b);
            }
            Expr::Ite(a, b, c) => {
                *a = self.expr(*a);
                *b = self.expr(*b);
                *c = self.expr(*c);
            }
            Expr::Tuple(all) | Expr::Apply(_, all) => self.all(all),
            Expr::Poll {
                channel, patterns, ..
            } => {
                *channel = self.expr(*channel);
                for pattern in patterns.iter_mut().flatten() {
                    *pattern = self.expr(*pattern);
                }
            }
        }
        expr
    }

    /// Replaces in a place.
    fn place(&mut self, place: &mut Place) {
        match &mut place.root {
            Root::Remote { instance, .. } => *instance = self.expr(*instance),
            Root::Cell(pointer) => *pointer = self.expr(*pointer),
            Root::Global(_) | Root::Own(_) | Root::Frame(_) | Root::Argument(_) => {}
        }
        for projection in &mut place.path {
            if let Projection::Index(index) = projection {
                *index = self.expr(*index);
            }
        }
    }

    /// Replaces in a set.
    fn set(&mut self, set: &mut ValueSet) {
        match set {
            ValueSet::One(a) => *a = self.expr(*a),
            ValueSet::Between(a, b) => {
                *a = self.expr(*a);
                *b = self.expr(*b);
            }
            ValueSet::Union(sets) => sets.iter_mut().for_each(|set| self.set(set)),
            ValueSet::Ite(cond, a, b) => {
                *cond = self.expr(*cond);
                self.set(a);
                self.set(b);
            }
            ValueSet::All(_) => {}
        }
    }

    /// Replaces in a choice.
    fn choice(&mut self, choice: &mut Choice) {
        self.place(&mut choice.place);
        self.set(&mut choice.set);
        if let Some(sample) = &mut choice.sample {
            self.all(sample);
        }
    }

    /// Replaces in a list.
    fn all(&mut self, ids: &mut [ExprId]) {
        for id in ids {
            *id = self.expr(*id);
        }
    }

    /// Replaces in statements, also within branches.
    fn body(&mut self, body: &mut [Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    self.place(place);
                    *value = self.expr(*value);
                }
                Stmt::Choose(choice) => self.choice(choice),
                Stmt::If(cond, then, otherwise) => {
                    *cond = self.expr(*cond);
                    self.body(then);
                    self.body(otherwise);
                }
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) | Stmt::Free(cond) => {
                    *cond = self.expr(*cond);
                }
                Stmt::Emit { args, .. } => self.all(args),
                Stmt::Spawn { args, result, .. } => {
                    self.all(args);
                    if let Some(place) = result {
                        self.place(place);
                    }
                }
                Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => self.place(result),
                Stmt::Raise(_) => {}
            }
        }
    }

    /// Replaces in a step.
    fn step(&mut self, step: &mut Step) {
        for choice in &mut step.binds {
            self.choice(choice);
        }
        if let Some(guard) = &mut step.guard {
            *guard = self.expr(*guard);
        }
        match &mut step.comm {
            Some(Comm::Send {
                channel, message, ..
            }) => {
                *channel = self.expr(*channel);
                self.all(message);
            }
            Some(Comm::Receive {
                channel, patterns, ..
            }) => {
                *channel = self.expr(*channel);
                for pattern in patterns {
                    match pattern {
                        Pattern::Bind(place) => self.place(place),
                        Pattern::Match(value) => *value = self.expr(*value),
                        Pattern::Any => {}
                    }
                }
            }
            Some(Comm::Barrier(_)) | None => {}
        }
        self.body(&mut step.body);
        match &mut step.target {
            Target::Call {
                callee,
                args,
                result,
                ..
            } => {
                if let Callee::Value(value) = callee {
                    *value = self.expr(*value);
                }
                self.all(args);
                if let Some(place) = result {
                    self.place(place);
                }
            }
            Target::Return(Some(value)) => *value = self.expr(*value),
            Target::Goto(_) | Target::Return(None) | Target::End => {}
        }
    }

    /// Replaces in first values.
    fn variables(&mut self, variables: &mut [Variable]) {
        for set in variables.iter_mut().filter_map(|v| v.init.as_mut()) {
            self.set(set);
        }
    }

    /// Replaces in a template.
    fn process(&mut self, process: &mut Process) {
        self.variables(&mut process.locals);
        for procedure in &mut process.procedures {
            self.variables(&mut procedure.locals);
        }
        for id in process.provided.iter_mut().chain(&mut process.priority) {
            *id = self.expr(*id);
        }
        for step in &mut process.steps {
            self.step(step);
        }
    }

    /// Replaces everywhere but in the claims of properties, whose expressions others hold on to.
    fn program(&mut self, program: &mut Program) {
        self.variables(&mut program.globals);
        for process in &mut program.processes {
            self.process(process);
        }
        for observer in &mut program.observers {
            self.body(&mut observer.body);
        }
        for start in &mut program.start {
            self.all(&mut start.args);
        }
        if let model::Composition::Synchronous(assigns) = &mut program.composition {
            for assign in assigns {
                self.set(&mut assign.next);
            }
        }
        self.all(&mut program.initial);
        self.all(&mut program.state_constraint);
        self.all(&mut program.relation);
        for fairness in &mut program.fairness {
            match &mut fairness.kind {
                FairnessKind::Justice(a) => *a = self.expr(*a),
                FairnessKind::Compassion(a, b) => {
                    *a = self.expr(*a);
                    *b = self.expr(*b);
                }
                FairnessKind::Weak(_) | FairnessKind::Strong(_) | FairnessKind::WeakInstances => {}
            }
        }
    }
}

/// Calls `each` with every place that the statements may store to, also within branches.
pub(crate) fn stored_places<'b>(body: &'b [Stmt], each: &mut impl FnMut(&'b Place)) {
    for stmt in body {
        match stmt {
            Stmt::Assign(place, _)
            | Stmt::Choose(Choice { place, .. })
            | Stmt::NewChannel { result: place, .. }
            | Stmt::New { result: place, .. } => each(place),
            Stmt::If(_, then, otherwise) => {
                stored_places(then, each);
                stored_places(otherwise, each);
            }
            Stmt::Spawn { result, .. } => result.iter().for_each(&mut *each),
            Stmt::Assert { .. }
            | Stmt::Assume(_)
            | Stmt::Raise(_)
            | Stmt::Emit { .. }
            | Stmt::Free(_) => {}
        }
    }
}

/// Calls `each` with every place that the step itself may store to.
pub(crate) fn places_of_step<'s>(step: &'s Step, each: &mut impl FnMut(&'s Place)) {
    step.binds.iter().for_each(|choice| each(&choice.place));
    if let Some(Comm::Receive { patterns, .. }) = &step.comm {
        for pattern in patterns {
            if let Pattern::Bind(place) = pattern {
                each(place);
            }
        }
    }
    stored_places(&step.body, each);
    if let Target::Call {
        result: Some(place),
        ..
    } = &step.target
    {
        each(place);
    }
}

/// Whether the step can never be taken. Choices come before the guard, and may fault.
pub(crate) fn is_disabled(program: &Program, step: &Step) -> bool {
    step.binds.is_empty()
        && step.guard.is_some_and(|guard| {
            *program.exprs.get(guard) == Expr::Const(model::Value::Bool(false))
        })
}

/// Those of the steps that can be taken some time, as far as is known.
pub(crate) fn live_steps(program: &Program, process: &Process, steps: &[usize]) -> Vec<usize> {
    let mut live = steps.to_vec();
    live.retain(|&step| !is_disabled(program, &process.steps[step]));
    live
}

/// Makes the step one that can never be taken.
pub(crate) fn disable(exprs: &mut model::ExprPool, step: &mut Step) {
    step.guard = Some(exprs.bool(false));
    step.binds.clear();
    step.comm = None;
    step.body.clear();
    step.target = Target::Goto(step.from);
}
