//! Which values can be where: a set for each variable, computed before anything is written.
//!
//! Promela knows numbers only. Rich values (text, lists, keys) become numbers, which needs all of
//! them to be known, and a library function becomes a table, which needs all of its arguments to
//! be known. Both come from the least fixed point of "what is stored where" (values as a finite
//! set, whatever the control, or *anything*; abstract interpretation in the sense of Cousot and
//! Cousot, 1977). A set that grows beyond a limit becomes *anything*, which for a number of a
//! narrow type is still all numbers of the type.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use model::{
    Comm, Expr, ExprId, FunctionId, Pattern, ProcedureId, Program, Root, Stmt, Target, Type, Value,
    ValueSet,
};

use super::layout::{Home, Layout};

/// Numbers of types wider than this are not listed.
const MOST_NUMBERS: usize = 300;
/// Rich values beyond this in one place are too many.
const MOST_VALUES: usize = 2_000;
/// A set of rich values that still grows after so many rounds is given up.
const ROUNDS: usize = 100;
/// Combinations of arguments beyond this make too long a table.
const MOST_ROWS: usize = 4_000;

/// A finite set of values; `None`: anything.
pub(super) type Set = Option<BTreeSet<Value>>;

/// The sets of all variables.
pub(super) struct Values<'p> {
    program: &'p Program,
    sets: HashMap<Home, Set>,
    /// How often all statements have been looked at.
    rounds: usize,
    /// Arguments of the observed event, while an observer is looked at.
    arguments: RefCell<Vec<Set>>,
    memo: RefCell<HashMap<(ExprId, At), Set>>,
}

/// One row of a function's table: arguments, and the result or fault.
pub(super) type Row = (Vec<Value>, Result<Value, model::FaultId>);

impl<'p> Values<'p> {
    /// Computes them.
    pub(super) fn of(layout: &Layout<'p>) -> Self {
        let program = layout.program;
        let mut values = Values {
            program,
            sets: HashMap::new(),
            rounds: 0,
            arguments: RefCell::default(),
            memo: RefCell::default(),
        };
        while values.round(layout) {}
        values
    }

    fn first(&self, layout: &Layout<'_>, home: Home) -> Set {
        let mut all = BTreeSet::new();
        scalars(&layout.first_value(home), &mut all);
        Some(all)
    }

    /// Looks at every statement once; says whether a set grew.
    fn round(&mut self, layout: &Layout<'p>) -> bool {
        let mut grown = false;
        self.rounds += 1;
        self.memo.borrow_mut().clear();
        let program = self.program;
        for (slot, entry) in layout.slots.iter().enumerate() {
            let process = &program.processes[entry.process.index()];
            for edge in &layout.controls[entry.process.index()].edges {
                let step = &process.steps[edge.step.index()];
                let at = (Some(slot), edge.procedure);
                for choice in &step.binds {
                    let set = self.of_set(layout, at, &choice.set);
                    grown |= self.store(layout, at, choice.place.root, set);
                }
                if let Some(Comm::Receive { patterns, .. }) = &step.comm {
                    for (field, pattern) in patterns.iter().enumerate() {
                        if let Pattern::Bind(place) = pattern {
                            let set = self.sent(layout, field);
                            grown |= self.store(layout, at, place.root, set);
                        }
                    }
                }
                grown |= self.body(layout, at, &step.body);
                grown |= self.target(layout, at, &step.target, step);
            }
        }
        grown
    }

    /// What any send puts into a field.
    fn sent(&self, layout: &Layout<'p>, field: usize) -> Set {
        let mut all = BTreeSet::new();
        for (slot, entry) in layout.slots.iter().enumerate() {
            let process = &self.program.processes[entry.process.index()];
            for edge in &layout.controls[entry.process.index()].edges {
                if let Some(Comm::Send { message, .. }) = &process.steps[edge.step.index()].comm
                    && let Some(&value) = message.get(field)
                {
                    all.extend(self.of_expr(layout, (Some(slot), edge.procedure), value)?);
                }
            }
        }
        Some(all)
    }

    fn target(&mut self, layout: &Layout<'p>, at: At, target: &Target, step: &model::Step) -> bool {
        let program = self.program;
        let (Some(slot), procedure) = at else {
            return false;
        };
        let process = &program.processes[layout.slots[slot].process.index()];
        match target {
            Target::Call {
                callee: model::Callee::Known(callee),
                args,
                ..
            } => {
                let mut grown = false;
                let inside = (Some(slot), Some(*callee));
                for (&arg, local) in args.iter().zip(0u32..) {
                    let set = self.of_expr(layout, at, arg);
                    grown |= self.store(layout, inside, Root::Frame(local), set);
                }
                let declared = &process.procedures[callee.index()];
                for (index, local) in declared.locals.iter().enumerate() {
                    if let Some(set) = &local.init {
                        let set = self.of_set(layout, inside, set);
                        grown |= self.store(layout, inside, Root::Frame(index as u32), set);
                    }
                }
                grown
            }
            Target::Return(Some(value)) => {
                let Some(procedure) = procedure else {
                    return false;
                };
                let set = self.of_expr(layout, at, *value);
                let control = &layout.controls[layout.slots[slot].process.index()];
                let mut grown = false;
                for &site in control.callers.get(&procedure).into_iter().flatten() {
                    let caller = process.steps[site.index()].from;
                    let caller = control.reached.get(&caller).copied().flatten();
                    if let Target::Call {
                        result: Some(place),
                        ..
                    } = &process.steps[site.index()].target
                    {
                        grown |= self.store(layout, (Some(slot), caller), place.root, set.clone());
                    }
                }
                let _ = step;
                grown
            }
            _ => false,
        }
    }

    fn body(&mut self, layout: &Layout<'p>, at: At, body: &[Stmt]) -> bool {
        let mut grown = false;
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let set = self.of_expr(layout, at, *value);
                    grown |= self.store(layout, at, place.root, set);
                }
                Stmt::Choose(choice) => {
                    let set = self.of_set(layout, at, &choice.set);
                    grown |= self.store(layout, at, choice.place.root, set);
                }
                Stmt::If(_, then, otherwise) => {
                    grown |= self.body(layout, at, then);
                    grown |= self.body(layout, at, otherwise);
                }
                Stmt::Emit { event, args, .. } => {
                    let sets = args.iter().map(|&arg| self.of_expr(layout, at, arg));
                    let sets = sets.collect();
                    let before = self.arguments.replace(sets);
                    self.memo.borrow_mut().clear();
                    for observer in &self.program.observers {
                        if observer.event == *event {
                            grown |= self.body(layout, at, &observer.body);
                        }
                    }
                    self.arguments.replace(before);
                    self.memo.borrow_mut().clear();
                }
                _ => {}
            }
        }
        grown
    }

    fn home(at: At, root: Root) -> Option<Home> {
        Some(match (root, at) {
            (Root::Global(id), _) => Home::Global(id.0),
            (Root::Own(local), (Some(slot), _)) => Home::Own(slot, local),
            (Root::Frame(local), (Some(slot), Some(procedure))) => {
                Home::Frame(slot, procedure.0, local)
            }
            _ => return None,
        })
    }

    fn store(&mut self, layout: &Layout<'p>, at: At, root: Root, set: Set) -> bool {
        let Some(home) = Self::home(at, root) else {
            return false;
        };
        let first = self.first(layout, home);
        let known = self.sets.entry(home).or_insert(first);
        let Some(old) = known else {
            return false;
        };
        let Some(new) = set else {
            *known = None;
            return true;
        };
        let before = old.len();
        let ty = layout.type_of(home);
        let scalar = |value: Value| {
            let mut all = BTreeSet::new();
            match (&ty, value) {
                (Type::Int { .. }, Value::Int(n)) => {
                    all.insert(Value::Int(ty.wrap(n)));
                }
                // Leaving a range is a fault.
                (Type::Range { lo, hi }, Value::Int(n)) if n < (*lo).into() || n > (*hi).into() => {
                }
                (_, value) => scalars(&value, &mut all),
            }
            all
        };
        old.extend(new.into_iter().flat_map(scalar));
        let rich = old.iter().any(|value| matches!(value, Value::Rich(_)));
        let grown = old.len() > before;
        let endless = rich && grown && self.rounds >= ROUNDS;
        if endless || old.len() > if rich { MOST_VALUES } else { MOST_NUMBERS } {
            *known = None;
            return true;
        }
        grown
    }

    /// All values of a narrow type.
    fn of_type(&self, ty: &Type) -> Set {
        let (lo, hi) = match ty {
            Type::Bool => return Some([Value::Bool(false), Value::Bool(true)].into()),
            Type::Enum(id) => (0, self.program.enums[id.index()].members.len() as i128 - 1),
            other => other.bounds()?,
        };
        (hi - lo < MOST_NUMBERS as i128).then(|| (lo..=hi).map(Value::Int).collect())
    }

    fn of_set(&self, layout: &Layout<'p>, at: At, set: &ValueSet) -> Set {
        match set {
            ValueSet::One(value) => self.of_expr(layout, at, *value),
            ValueSet::Between(lo, hi) => {
                let bounds = |id| {
                    let all = self.of_expr(layout, at, id)?;
                    let numbers = || all.iter().map(Value::number);
                    Some((numbers().min()?, numbers().max()?))
                };
                let ((lo, _), (_, hi)) = (bounds(*lo)?, bounds(*hi)?);
                (hi - lo < MOST_NUMBERS as i128).then(|| (lo..=hi).map(Value::Int).collect())
            }
            ValueSet::Union(sets) => {
                let mut all = BTreeSet::new();
                for set in sets {
                    all.extend(self.of_set(layout, at, set)?);
                }
                Some(all)
            }
            ValueSet::Ite(_, a, b) => {
                let mut all = self.of_set(layout, at, a)?;
                all.extend(self.of_set(layout, at, b)?);
                Some(all)
            }
            ValueSet::All(ty) => self.of_type(ty),
        }
    }

    /// The values that an expression can have.
    pub(super) fn of_expr(&self, layout: &Layout<'p>, at: At, id: ExprId) -> Set {
        let key = (id, at);
        if let Some(known) = self.memo.borrow().get(&key) {
            return known.clone();
        }
        let found = self.compute(layout, at, id);
        let found = match found {
            Some(set) => Some(set),
            None => self.of_type(self.program.exprs.ty(id)),
        };
        self.memo.borrow_mut().insert(key, found.clone());
        found
    }

    fn compute(&self, layout: &Layout<'p>, at: At, id: ExprId) -> Set {
        let program = self.program;
        let ty = program.exprs.ty(id);
        match program.exprs.get(id) {
            Expr::Const(value) => Some([value.clone()].into()),
            Expr::Load(place) => {
                if let Root::Argument(index) = place.root {
                    return self.arguments.borrow().get(index as usize)?.clone();
                }
                let home = Self::home(at, place.root)?;
                match self.sets.get(&home) {
                    Some(set) => set.clone(),
                    None => self.first(layout, home),
                }
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.of_expr(layout, at, *condition)?;
                let mut all = BTreeSet::new();
                for (truth, side) in [(true, then), (false, otherwise)] {
                    if condition.contains(&Value::Bool(truth)) {
                        all.extend(self.of_expr(layout, at, *side)?);
                    }
                }
                Some(all)
            }
            Expr::Unary(op, operand) => {
                self.map(layout, at, &[*operand], |values| op.apply(&values[0], ty))
            }
            Expr::Convert(operand) => self.map(layout, at, &[*operand], |values| {
                Some(values[0].converted(ty))
            }),
            Expr::Binary(op, left, right) => self.map(layout, at, &[*left, *right], |values| {
                op.apply(&values[0], &values[1], ty)
            }),
            Expr::Apply(function, args) => {
                let rows = self.rows(layout, at, *function, args)?;
                Some(
                    rows.into_iter()
                        .filter_map(|(_, result)| result.ok())
                        .collect(),
                )
            }
            _ => None,
        }
    }

    /// Every result over all combinations; combinations without a result are left out.
    fn map(
        &self,
        layout: &Layout<'p>,
        at: At,
        operands: &[ExprId],
        apply: impl Fn(&[Value]) -> Option<Value>,
    ) -> Set {
        let mut all = BTreeSet::new();
        for values in self.combinations(layout, at, operands)? {
            all.extend(apply(&values));
            if all.len() > MOST_VALUES {
                return None;
            }
        }
        Some(all)
    }

    fn combinations(&self, layout: &Layout<'p>, at: At, ids: &[ExprId]) -> Option<Vec<Vec<Value>>> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for &id in ids {
            source::limits::check();
            let set = self.of_expr(layout, at, id)?;
            if rows.len().saturating_mul(set.len()) > MOST_ROWS {
                return None;
            }
            rows = rows
                .into_iter()
                .flat_map(|row| {
                    set.iter().map(move |value| {
                        let mut longer = row.clone();
                        longer.push(value.clone());
                        longer
                    })
                })
                .collect();
        }
        Some(rows)
    }

    /// The table of a function as far as it can be needed at one place of the program.
    pub(super) fn rows(
        &self,
        layout: &Layout<'p>,
        at: At,
        function: FunctionId,
        args: &[ExprId],
    ) -> Option<Vec<Row>> {
        let eval = self.program.functions[function.index()].eval;
        let rows = self.combinations(layout, at, args)?;
        Some(
            rows.into_iter()
                .map(|values| {
                    source::limits::check();
                    let result = eval(&self.program.rich, &values);
                    (values, result)
                })
                .collect(),
        )
    }

    /// Looks at an observer's expressions with the arguments' sets in place.
    pub(super) fn with_arguments<T>(&self, sets: Vec<Set>, look: impl FnOnce() -> T) -> T {
        let before = self.arguments.replace(sets);
        self.memo.borrow_mut().clear();
        let result = look();
        self.arguments.replace(before);
        self.memo.borrow_mut().clear();
        result
    }
}

/// Whose expression: a slot, and a procedure in it.
pub(super) type At = (Option<usize>, Option<ProcedureId>);

fn scalars(value: &Value, all: &mut BTreeSet<Value>) {
    match value {
        Value::Tuple(items) => items.iter().for_each(|item| scalars(item, all)),
        scalar => {
            all.insert(scalar.clone());
        }
    }
}
