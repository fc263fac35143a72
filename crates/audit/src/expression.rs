//! Expressions over states that are not known.
//!
//! What cannot be said exactly is any value of its type: an invariant that holds whatever that
//! value is holds all the more for the right one.

use model::{Binary, Expr, ExprId, Place, Program, Projection, Root, Type, Unary, ValueSet};
use solver::Literal;

use crate::Rejected;
use crate::gates::Gates;
use crate::number::Number;
use crate::state::{Faulty, Positions, Scope};
use crate::symbol::{MATHINT, Symbol};

/// Evaluates, and collects under what condition there is a fault.
pub(crate) struct Evaluator<'e, 'p> {
    pub(crate) gates: &'e mut Gates,
    pub(crate) program: &'p Program,
    pub(crate) faults: Vec<Faulty>,
    /// Whether only the low bits of mathematical integers matter.
    pub(crate) low: bool,
    /// Whether what is being evaluated is evaluated at all.
    under: Literal,
}

impl<'e, 'p> Evaluator<'e, 'p> {
    pub(crate) fn new(gates: &'e mut Gates, program: &'p Program) -> Self {
        let under = gates.constant(true);
        Evaluator {
            gates,
            program,
            faults: Vec::new(),
            low: false,
            under,
        }
    }

    fn fault(&mut self, when: Literal, fault: Option<model::FaultId>) {
        let when = self.gates.and(self.under, when);
        if self.gates.known(when) != Some(false) {
            self.faults.push(Faulty { when, fault });
        }
    }

    /// Evaluates where a condition holds.
    pub(crate) fn where_holds<T>(
        &mut self,
        cond: Literal,
        evaluate: impl FnOnce(&mut Self) -> Result<T, Rejected>,
    ) -> Result<T, Rejected> {
        let outer = self.under;
        self.under = self.gates.and(outer, cond);
        let result = evaluate(self);
        self.under = outer;
        result
    }

    pub(crate) fn truth(&mut self, scope: Scope<'_>, id: ExprId) -> Result<Literal, Rejected> {
        Ok(self.eval(scope, id)?.truth())
    }

    fn number(&mut self, scope: Scope<'_>, id: ExprId) -> Result<Number, Rejected> {
        let symbol = self.eval(scope, id)?;
        Ok(self.gates.as_number(&symbol))
    }

    fn anything(&mut self, ty: &Type) -> Result<Symbol, Rejected> {
        self.gates.any_of(self.program, ty)
    }

    pub(crate) fn eval(&mut self, scope: Scope<'_>, id: ExprId) -> Result<Symbol, Rejected> {
        let program = self.program;
        let ty = program.exprs.ty(id);
        Ok(match program.exprs.get(id) {
            Expr::Const(value) => self.gates.value(value)?,
            Expr::Load(place) => self.load(scope, place)?,
            Expr::Next(global) => {
                scope.next.expect("`next` stands in relations only")[global.index()].clone()
            }
            Expr::Unary(op, operand) => {
                let operand = self.eval(scope, *operand)?;
                match op {
                    Unary::Not => Symbol::Bool(!operand.truth()),
                    Unary::Neg => {
                        let number = self.gates.as_number(&operand);
                        let negated = self.gates.neg(&number);
                        self.fitted(&negated, ty)
                    }
                    Unary::BitNot => {
                        let number = self.gates.as_number(&operand);
                        self.fitted(&Gates::complement(&number), ty)
                    }
                }
            }
            Expr::Binary(op, left, right) => self.binary(scope, *op, *left, *right, ty)?,
            Expr::Ite(cond, then, otherwise) => {
                let cond = self.truth(scope, *cond)?;
                let then = self.where_holds(cond, |this| this.eval(scope, *then))?;
                let otherwise = self.where_holds(!cond, |this| this.eval(scope, *otherwise))?;
                self.gates.choose(cond, &then, &otherwise)
            }
            Expr::Convert(operand) => {
                let number = self.number(scope, *operand)?;
                if *ty == Type::Bool {
                    let zero = self.gates.number(0);
                    Symbol::Bool(!self.gates.equal(&number, &zero))
                } else {
                    self.fitted(&number, ty)
                }
            }
            Expr::Tuple(items) => Symbol::Tuple(self.eval_all(scope, items)?),
            Expr::Apply(function, args) => self.apply(scope, *function, args, ty)?,
            Expr::At {
                instance,
                process,
                location,
            } => {
                let number = self.eval(scope, *instance)?;
                let choices = scope
                    .state
                    .choice_of_instance(self.gates, &number, *process);
                let mut at = self.gates.constant(false);
                for (index, this) in choices {
                    let here = scope.state.instances[index].is_at(self.gates, *location);
                    let both = self.gates.and(this, here);
                    at = self.gates.or(at, both);
                }
                Symbol::Bool(at)
            }
            Expr::AnyAt(places) => {
                let mut at = self.gates.constant(false);
                for instance in &scope.state.instances {
                    for (process, location) in places {
                        if instance.process == *process {
                            let here = instance.is_at(self.gates, *location);
                            at = self.gates.or(at, here);
                        }
                    }
                }
                Symbol::Bool(at)
            }
            Expr::Me => {
                let me = scope.me.expect("an instance evaluates");
                Symbol::Number(self.gates.number(me as i128))
            }
            // Who has gone is not followed, nor who could move.
            Expr::First(_) | Expr::Enabled(_) | Expr::NothingEnabled | Expr::InstanceCount => {
                self.anything(ty)?
            }
            Expr::ChannelLen(_) | Expr::ChannelCapacity(_) | Expr::Poll { .. } => {
                return Err(Rejected::unsupported("channels that keep messages"));
            }
        })
    }

    pub(crate) fn eval_all(
        &mut self,
        scope: Scope<'_>,
        ids: &[ExprId],
    ) -> Result<Vec<Symbol>, Rejected> {
        ids.iter().map(|&id| self.eval(scope, id)).collect()
    }

    /// A result reduced to its type.
    fn fitted(&mut self, number: &Number, ty: &Type) -> Symbol {
        let mut number = self.gates.wrap(number, ty);
        // Beyond this the interpreter gives up too, at 128 bits.
        if *ty == Type::Mathint && number.width() > MATHINT {
            if !self.low {
                let most = (1i128 << (MATHINT - 1)) - 1;
                let fits = self.gates.within(&number, -most - 1, most);
                self.fault(!fits, None);
            }
            number.0.truncate(MATHINT);
        }
        Symbol::Number(number)
    }

    fn binary(
        &mut self,
        scope: Scope<'_>,
        op: Binary,
        left: ExprId,
        right: ExprId,
        ty: &Type,
    ) -> Result<Symbol, Rejected> {
        let a = self.eval(scope, left)?;
        match op {
            Binary::And => {
                let a = a.truth();
                let b = self.where_holds(a, |this| this.truth(scope, right))?;
                return Ok(Symbol::Bool(self.gates.and(a, b)));
            }
            Binary::Or => {
                let a = a.truth();
                let b = self.where_holds(!a, |this| this.truth(scope, right))?;
                return Ok(Symbol::Bool(self.gates.or(a, b)));
            }
            _ => {}
        }
        let b = self.eval(scope, right)?;
        if let Binary::Eq | Binary::Ne = op {
            let same = self.gates.same(&a, &b);
            return Ok(Symbol::Bool(same.negated_if(op == Binary::Ne)));
        }
        if let (Symbol::Bool(a), Symbol::Bool(b), Type::Bool) = (&a, &b, ty)
            && !matches!(op, Binary::Lt | Binary::Le)
        {
            return Ok(Symbol::Bool(match op {
                Binary::BitAnd => self.gates.and(*a, *b),
                Binary::BitOr => self.gates.or(*a, *b),
                Binary::BitXor => self.gates.xor(*a, *b),
                _ => return Err(Rejected::unsupported("arithmetic on truth values")),
            }));
        }
        let (a, b) = (self.gates.as_number(&a), self.gates.as_number(&b));
        let exact = match op {
            Binary::Lt => return Ok(Symbol::Bool(self.gates.less(&a, &b))),
            Binary::Le => return Ok(Symbol::Bool(self.gates.less_or_equal(&a, &b))),
            Binary::Add => self.gates.add(&a, &b),
            Binary::Sub => self.gates.sub(&a, &b),
            Binary::Mul => self.gates.mul(&a, &b),
            Binary::Div | Binary::Rem => {
                let zero = self.gates.number(0);
                let by_zero = self.gates.equal(&b, &zero);
                self.fault(by_zero, self.program.division_fault);
                let (quotient, remainder) = self.gates.divide(&a, &b);
                if op == Binary::Div {
                    quotient
                } else {
                    remainder
                }
            }
            Binary::BitAnd => self.gates.bitwise(&a, &b, Gates::and),
            Binary::BitOr => self.gates.bitwise(&a, &b, Gates::or),
            Binary::BitXor => self.gates.bitwise(&a, &b, Gates::xor),
            Binary::Shl | Binary::Shr => {
                let Type::Int { bits, .. } = *ty else {
                    return Err(Rejected::unsupported("shifts of numbers without a width"));
                };
                let count = self.modulo(&b, bits.into());
                let most = usize::from(bits) - 1;
                if op == Binary::Shl {
                    self.gates.shift_left(&a, &count, most)
                } else {
                    self.gates.shift_right(&a, &count, most)
                }
            }
            Binary::Eq | Binary::Ne | Binary::And | Binary::Or => unreachable!("done above"),
            Binary::Offset => return Err(Rejected::unsupported("pointers")),
        };
        Ok(self.fitted(&exact, ty))
    }

    /// The remainder that is not negative.
    fn modulo(&mut self, number: &Number, by: usize) -> Number {
        let by = self.gates.number(by as i128);
        let (_, remainder) = self.gates.divide(number, &by);
        let raised = self.gates.add(&remainder, &by);
        self.gates
            .choose_number(remainder.sign(), &raised, &remainder)
    }

    fn apply(
        &mut self,
        scope: Scope<'_>,
        function: model::FunctionId,
        args: &[ExprId],
        ty: &Type,
    ) -> Result<Symbol, Rejected> {
        let function = &self.program.functions[function.index()];
        let symbols = self.eval_all(scope, args)?;
        let known: Option<Vec<_>> = symbols
            .iter()
            .zip(&function.parameters)
            .map(|(symbol, ty)| self.gates.known_value(symbol, ty))
            .collect();
        if let Some(known) = known {
            let truth = self.gates.constant(true);
            match (function.eval)(&self.program.rich, &known) {
                Ok(value) => return self.gates.value(&value),
                Err(fault) => self.fault(truth, Some(fault)),
            }
        } else if function.can_fault {
            // Any fault there is, or none.
            for fault in 0..self.program.faults.len() {
                let when = self.gates.fresh();
                self.fault(when, Some(model::FaultId::new(fault)));
            }
        }
        self.anything(ty)
    }

    pub(crate) fn load(&mut self, scope: Scope<'_>, place: &Place) -> Result<Symbol, Rejected> {
        let state = scope.state;
        let mut symbol = match place.root {
            Root::Global(id) => state.globals[id.index()].clone(),
            Root::Own(local) => {
                let me = scope.me.expect("an instance evaluates");
                state.instances[me].locals[local as usize].clone()
            }
            Root::Frame(local) => {
                let me = scope.me.expect("an instance evaluates");
                let call = state.instances[me].calls.last();
                call.expect("inside a procedure").locals[local as usize].clone()
            }
            Root::Remote {
                instance,
                process,
                local,
            } => {
                let number = self.eval(scope, instance)?;
                let choices = state.choice_of_instance(self.gates, &number, process);
                let declared = &self.program.processes[process.index()].locals[local as usize].ty;
                // Of one that has ended the value may stay or be the zero of its type.
                let mut found = self.anything(declared)?;
                let zero = self.gates.zero(self.program, declared)?;
                let nobody = !self.gates.any(choices.iter().map(|(_, this)| *this));
                found = self.gates.choose(nobody, &zero, &found);
                for (index, this) in choices {
                    let instance = &state.instances[index];
                    let lives: Vec<Literal> =
                        (0..self.program.processes[process.index()].locations.len())
                            .map(|at| instance.is_at(self.gates, model::LocId::new(at)))
                            .collect();
                    let lives = self.gates.any(lives);
                    let cond = self.gates.and(this, lives);
                    found = self
                        .gates
                        .choose(cond, &instance.locals[local as usize], &found);
                }
                found
            }
            Root::Cell(_) => return Err(Rejected::unsupported("pointers")),
            Root::Argument(argument) => scope.arguments[argument as usize].clone(),
        };
        for projection in &place.path {
            let Symbol::Tuple(items) = symbol else {
                panic!("internal error: {symbol:?} has no parts");
            };
            let positions = self.positions(scope, projection, items.len())?;
            let mut parts = items.into_iter().zip(positions).rev();
            let (mut chosen, _) = parts
                .next()
                .ok_or_else(|| Rejected::unsupported("arrays without elements"))?;
            for (part, this) in parts {
                chosen = self.gates.choose(this, &part, &chosen);
            }
            symbol = chosen;
        }
        Ok(symbol)
    }

    /// Which part a projection picks.
    pub(crate) fn positions(
        &mut self,
        scope: Scope<'_>,
        projection: &Projection,
        length: usize,
    ) -> Result<Positions, Rejected> {
        Ok(match projection {
            Projection::Field(field) => (0..length)
                .map(|at| self.gates.constant(at == *field as usize))
                .collect(),
            Projection::Index(index) => {
                let index = self.number(scope, *index)?;
                let positions: Positions = (0..length)
                    .map(|at| {
                        let at = self.gates.number(at as i128);
                        self.gates.equal(&index, &at)
                    })
                    .collect();
                let inside = self.gates.any(positions.iter().copied());
                self.fault(!inside, self.program.index_fault);
                positions
            }
        })
    }

    /// Some value of a set. Gives also when there is one that is it.
    pub(crate) fn pick(
        &mut self,
        scope: Scope<'_>,
        set: &ValueSet,
    ) -> Result<(Symbol, Literal), Rejected> {
        let always = self.gates.constant(true);
        Ok(match set {
            ValueSet::One(one) => (self.eval(scope, *one)?, always),
            ValueSet::Between(lo, hi) => {
                let (lo, hi) = (self.number(scope, *lo)?, self.number(scope, *hi)?);
                let number = self.gates.fresh_number(lo.width().max(hi.width()));
                let from = self.gates.less_or_equal(&lo, &number);
                let to = self.gates.less_or_equal(&number, &hi);
                (Symbol::Number(number), self.gates.and(from, to))
            }
            ValueSet::Union(sets) => {
                let mut found: Option<(Symbol, Literal)> = None;
                for set in sets {
                    let (symbol, exists) = self.pick(scope, set)?;
                    found = Some(match found {
                        None => (symbol, exists),
                        Some((other, other_exists)) => {
                            let this = self.gates.fresh();
                            let symbol = self.gates.choose(this, &symbol, &other);
                            (symbol, self.gates.ite(this, exists, other_exists))
                        }
                    });
                }
                found.ok_or_else(|| Rejected::unsupported("a choice from nothing"))?
            }
            ValueSet::Ite(cond, a, b) => {
                let cond = self.truth(scope, *cond)?;
                let (a, has_a) = self.where_holds(cond, |this| this.pick(scope, a))?;
                let (b, has_b) = self.where_holds(!cond, |this| this.pick(scope, b))?;
                let symbol = self.gates.choose(cond, &a, &b);
                (symbol, self.gates.ite(cond, has_a, has_b))
            }
            ValueSet::All(ty) => (self.anything(ty)?, always),
        })
    }
}
