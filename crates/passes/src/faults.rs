//! Which evaluations and stores can fault.
//!
//! A fault is an effect: it ends a move and sends control elsewhere. So a pass that drops an
//! evaluation has to know that it cannot fault, and where it may, what has to stay behind in its
//! place ([`Faults::residue`]). An overflow of mathematical integers is no fault: it only makes
//! an answer *not known*, and dropping it can only make more known.

use model::{
    Binary, Expr, ExprId, ExprPool, Place, Program, Projection, Root, Stmt, Type, Value, ValueSet,
};

use crate::access::Scope;

/// How deep [`Faults::residue`] looks into an expression before it keeps it whole.
const RESIDUE_DEPTH: u32 = 64;

/// For each expression of a pool whether its evaluation can fault.
#[derive(Default)]
pub(crate) struct Faults {
    known: Vec<bool>,
}

impl Faults {
    /// Catches up with expressions that have been added to the pool. Linear: operands come first.
    fn extend(&mut self, program: &Program) {
        for index in self.known.len()..program.exprs.len() {
            let id = ExprId::new(index);
            let mut faults = can_fault_itself(program, id);
            program
                .exprs
                .operands(id, |operand| faults |= self.known[operand.index()]);
            self.known.push(faults);
        }
    }

    /// Whether evaluating the expression can fault.
    pub(crate) fn expr(&mut self, program: &Program, id: ExprId) -> bool {
        self.extend(program);
        self.known[id.index()]
    }

    /// Whether finding a place can fault: a pointer, an index. Its own reading or writing
    /// included, the fit of a value not.
    pub(crate) fn place(&mut self, program: &Program, place: &Place) -> bool {
        self.extend(program);
        let mut faults = place_faults_itself(program, place);
        place.operands(|operand| faults |= self.known[operand.index()]);
        faults
    }

    /// Whether an expression of a set can fault.
    pub(crate) fn set(&mut self, program: &Program, set: &ValueSet) -> bool {
        self.extend(program);
        let mut faults = false;
        set.operands(&mut |operand| faults |= self.known[operand.index()]);
        faults
    }

    /// Whether storing the expression's value in the place can fault.
    pub(crate) fn assign(
        &mut self,
        program: &Program,
        scope: Scope,
        place: &Place,
        value: ExprId,
    ) -> bool {
        self.expr(program, value)
            || self.place(program, place)
            || !value_fits(program, value, &place_type(program, scope, place))
    }

    /// Whether a choice from the set surely offers something and storing it cannot fault: then
    /// leaving the choice out loses nothing but the value.
    pub(crate) fn sure_choice(
        &mut self,
        program: &Program,
        scope: Scope,
        choice: &model::Choice,
    ) -> bool {
        !self.place(program, &choice.place)
            && self.sure_set(
                program,
                &choice.set,
                &place_type(program, scope, &choice.place),
            )
            && choice.sample.iter().flatten().all(|&value| {
                !self.expr(program, value)
                    && value_fits(program, value, &place_type(program, scope, &choice.place))
            })
    }

    /// Whether making the choice can fault; that there may be nothing to choose is no fault.
    pub(crate) fn choice(
        &mut self,
        program: &Program,
        scope: Scope,
        choice: &model::Choice,
    ) -> bool {
        let ty = place_type(program, scope, &choice.place);
        self.place(program, &choice.place)
            || self.set(program, &choice.set)
            || choice
                .sample
                .iter()
                .flatten()
                .any(|&value| self.expr(program, value))
            || (matches!(ty, Type::Range { .. }) && !self.sure_choice(program, scope, choice))
    }

    /// Whether a set surely has members, all of which fit the type.
    pub(crate) fn sure_set(&mut self, program: &Program, set: &ValueSet, ty: &Type) -> bool {
        if self.set(program, set) {
            return false;
        }
        match set {
            ValueSet::One(value) => value_fits(program, *value, ty),
            ValueSet::Between(lo, hi) => {
                let bounds = (program.exprs.constant(*lo), program.exprs.constant(*hi));
                let (Some(Value::Int(lo)), Some(Value::Int(hi))) = bounds else {
                    return false;
                };
                let inside = match ty {
                    Type::Range {
                        lo: least,
                        hi: most,
                    } => i128::from(*least) <= *lo && *hi <= i128::from(*most),
                    _ => true,
                };
                lo <= hi && (inside || program.range_fault.is_none())
            }
            ValueSet::Union(sets) => {
                !sets.is_empty() && sets.iter().all(|set| self.sure_set(program, set, ty))
            }
            ValueSet::Ite(_, a, b) => {
                self.sure_set(program, a, ty) && self.sure_set(program, b, ty)
            }
            ValueSet::All(all) => fits(program, all, ty),
        }
    }

    /// Whether a statement can fault, observers of the events it emits included.
    pub(crate) fn stmt(&mut self, program: &Program, scope: Scope, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Assign(place, value) => self.assign(program, scope, place, *value),
            Stmt::Choose(choice) => !self.sure_choice(program, scope, choice),
            Stmt::If(cond, then, otherwise) => {
                self.expr(program, *cond)
                    || self.block(program, scope, then)
                    || self.block(program, scope, otherwise)
            }
            Stmt::Assert { cond, .. } | Stmt::Assume(cond) => self.expr(program, *cond),
            Stmt::Emit { event, args, .. } => {
                args.iter().any(|&arg| self.expr(program, arg))
                    || program.observers.iter().any(|observer| {
                        observer.event == *event
                            && self.block(program, Scope::Observer(*event), &observer.body)
                    })
            }
            Stmt::Raise(_)
            | Stmt::Spawn { .. }
            | Stmt::NewChannel { .. }
            | Stmt::New { .. }
            | Stmt::Free(_) => true,
        }
    }

    /// Whether one of the statements can fault.
    pub(crate) fn block(&mut self, program: &Program, scope: Scope, body: &[Stmt]) -> bool {
        body.iter().any(|stmt| self.stmt(program, scope, stmt))
    }

    /// Adds the statements that fault exactly where evaluating the expression would, and do
    /// nothing else.
    pub(crate) fn residue(&mut self, program: &mut Program, id: ExprId, into: &mut Vec<Stmt>) {
        self.residue_within(program, id, into, RESIDUE_DEPTH);
    }

    /// Adds the statements that fault exactly where finding the place would. Adds nothing, and says
    /// so, if that takes looking into what is stored.
    pub(crate) fn place_residue(
        &mut self,
        program: &mut Program,
        place: &Place,
        into: &mut Vec<Stmt>,
    ) -> bool {
        self.place_within(program, place, into, RESIDUE_DEPTH)
    }

    fn place_within(
        &mut self,
        program: &mut Program,
        place: &Place,
        into: &mut Vec<Stmt>,
        depth: u32,
    ) -> bool {
        if !self.place(program, place) {
            return true;
        }
        let (Root::Global(global), [Projection::Index(index)]) = (&place.root, &*place.path) else {
            return false;
        };
        let Type::Array(_, length) = program.globals[global.index()].ty else {
            return false;
        };
        let Some(fault) = program.index_fault else {
            return false;
        };
        let index = *index;
        let within = |least: i128, most: i128| 0 <= least && most < i128::from(length);
        let always = match program.exprs.constant(index) {
            Some(Value::Int(n)) => within(*n, *n),
            _ => {
                let bounds = program.exprs.ty(index).bounds();
                bounds.is_some_and(|(least, most)| within(least, most))
                    && matches!(program.exprs.ty(index), Type::Int { .. })
            }
        };
        self.residue_within(program, index, into, depth);
        if !always {
            let inside = in_range(
                &mut program.exprs,
                index,
                Type::Mathint,
                0,
                i64::from(length) - 1,
            );
            into.push(Stmt::If(inside, Vec::new(), vec![Stmt::Raise(fault)]));
        }
        true
    }

    fn residue_within(
        &mut self,
        program: &mut Program,
        id: ExprId,
        into: &mut Vec<Stmt>,
        depth: u32,
    ) {
        if !self.expr(program, id) {
            return;
        }
        match program.exprs.get(id).clone() {
            Expr::Unary(_, a) | Expr::Convert(a) if depth > 0 => {
                self.residue_within(program, a, into, depth - 1);
            }
            Expr::Binary(op, a, b)
                if depth > 0 && !matches!(op, Binary::And | Binary::Or | Binary::Offset) =>
            {
                self.residue_within(program, a, into, depth - 1);
                self.residue_within(program, b, into, depth - 1);
                if let (Binary::Div | Binary::Rem, Some(fault)) = (op, program.division_fault)
                    && may_be_zero(program, b)
                {
                    let ty = program.exprs.ty(b).clone();
                    let zero = program.exprs.int(0, ty);
                    let is_zero = program.exprs.binary(Binary::Eq, b, zero);
                    into.push(Stmt::If(is_zero, vec![Stmt::Raise(fault)], Vec::new()));
                }
            }
            Expr::Tuple(items) if depth > 0 => {
                for item in items {
                    self.residue_within(program, item, into, depth - 1);
                }
            }
            Expr::Load(place)
                if depth > 0 && self.place_within(program, &place, into, depth - 1) => {}
            _ => {
                let test = if *program.exprs.ty(id) == Type::Bool {
                    id
                } else {
                    program.exprs.binary(Binary::Eq, id, id)
                };
                into.push(Stmt::If(test, Vec::new(), Vec::new()));
            }
        }
    }
}

/// Whether every value of one type can be stored in a place of another without a fault.
fn fits(program: &Program, value: &Type, place: &Type) -> bool {
    let Type::Range { lo, hi } = place else {
        return true;
    };
    if program.range_fault.is_none() {
        return true;
    }
    let bounds = match value {
        Type::Enum(id) => {
            let members = program.enums[id.index()].members.len() as i128;
            Some((0, members - 1))
        }
        other => other.bounds(),
    };
    bounds.is_some_and(|(least, most)| i128::from(*lo) <= least && most <= i128::from(*hi))
}

/// Whether evaluating an expression can fault.
#[must_use]
pub fn may_fault(program: &Program, expression: ExprId) -> bool {
    Faults::default().expr(program, expression)
}

/// Whether the value of the expression can be stored in a place of the type without a fault.
///
/// The type of a sum of ranges says nothing: arithmetic on ranges is exact. What variables hold
/// is within their types, and so are machine integers.
pub(crate) fn value_fits(program: &Program, value: ExprId, place: &Type) -> bool {
    let Type::Range { lo, hi } = place else {
        return true;
    };
    if program.range_fault.is_none() {
        // Nothing ever leaves a range.
        return true;
    }
    let ty = program.exprs.ty(value);
    match program.exprs.get(value) {
        Expr::Const(Value::Int(n)) => (i128::from(*lo)..=i128::from(*hi)).contains(n),
        Expr::Load(_) => fits(program, ty, place),
        _ => matches!(ty, Type::Bool | Type::Int { .. }) && fits(program, ty, place),
    }
}

/// The type of a place as a step or an observer sees it.
pub(crate) fn place_type(program: &Program, scope: Scope, place: &Place) -> Type {
    match scope {
        Scope::Process(process, procedure) => program.place_type(Some(process), procedure, place),
        Scope::Observer(_) | Scope::Outside => program.place_type(None, None, place),
    }
}

fn may_be_zero(program: &Program, id: ExprId) -> bool {
    !matches!(program.exprs.constant(id), Some(Value::Int(n)) if *n != 0)
}

fn can_fault_itself(program: &Program, id: ExprId) -> bool {
    match program.exprs.get(id) {
        Expr::Binary(Binary::Div | Binary::Rem, _, divisor) => may_be_zero(program, *divisor),
        Expr::Binary(Binary::Offset, ..) => true,
        Expr::Load(place) => place_faults_itself(program, place),
        Expr::Apply(function, _) => program.functions[function.index()].can_fault,
        Expr::ChannelLen(channel) | Expr::ChannelCapacity(channel) | Expr::Poll { channel, .. } => {
            crate::access::known_channel(program, *channel)
                .is_none_or(|id| program.channels[id.index()].owner.is_some())
        }
        _ => false,
    }
}

/// Whether a place can be missing, its operands' own faults left aside.
fn place_faults_itself(program: &Program, place: &Place) -> bool {
    if matches!(place.root, Root::Cell(_)) {
        return true;
    }
    let mut indices = place.path.iter().filter_map(|projection| match projection {
        Projection::Index(index) => Some(*index),
        Projection::Field(_) => None,
    });
    // The length is not looked up here: a constant index may still be outside, so only a single
    // dimension of a global array is told apart.
    let Some(index) = indices.next() else {
        return false;
    };
    if indices.next().is_some() || place.path.len() > 1 {
        return true;
    }
    let length = match place.root {
        Root::Global(global) => match &program.globals[global.index()].ty {
            Type::Array(_, length) => i128::from(*length),
            _ => return true,
        },
        _ => return true,
    };
    !matches!(program.exprs.constant(index), Some(Value::Int(n)) if (0..length).contains(n))
}

/// The condition that a value is within a range, its bounds constants of this type.
pub(crate) fn in_range(pool: &mut ExprPool, value: ExprId, ty: Type, lo: i64, hi: i64) -> ExprId {
    let lo = pool.int(lo.into(), ty.clone());
    let hi = pool.int(hi.into(), ty);
    let above = pool.binary(Binary::Le, lo, value);
    let below = pool.binary(Binary::Le, value, hi);
    pool.binary(Binary::And, above, below)
}
