//! Terms as expressions over a process's variables.

use model::{Binary, Expr, ExprId, Place, Type, Value};

use super::{FunctionKey, Lowering};
use crate::ast::Word;
use crate::behaviour::{Atom, Test};
use crate::library::{BYTE, Inner, built_in_function, list_maker, maker};
use crate::term::{self, Pattern, VarId};

/// The function that says which process one is.
pub(super) const PROCESS_ID: &str = "process-id";

/// Functions that have a value for all arguments, with the numbers of these.
const TOTAL: [(&str, usize); 18] = [
    ("equal", 2),
    ("not-equal", 2),
    ("join", 2),
    ("is-bool", 1),
    ("is-int", 1),
    ("is-real", 1),
    ("is-str", 1),
    ("is-bstr", 1),
    ("is-appl", 1),
    ("is-list", 1),
    ("is-empty", 1),
    ("is-var", 1),
    ("is-result-var", 1),
    ("is-formal", 1),
    ("functional", 1),
    ("sec", 1),
    (PROCESS_ID, 0),
    ("current-time", 0),
];

impl Lowering<'_> {
    /// A variable's value.
    pub(super) fn variable(&mut self, var: VarId) -> ExprId {
        let place = match &self.ghosts {
            Some(ghosts) => Place::global(ghosts[var.index()]),
            None => Place::own(var.index()),
        };
        self.program.exprs.load(place, Type::Rich)
    }

    pub(super) fn rich(&mut self, value: Value) -> ExprId {
        self.program.exprs.value(value, Type::Rich)
    }

    pub(super) fn byte(&mut self, number: usize) -> ExprId {
        let number = i128::try_from(number).unwrap_or(255);
        self.program.exprs.int(number, BYTE)
    }

    /// A text as a constant.
    pub(super) fn text(&mut self, text: &str) -> ExprId {
        let value = self.program.rich.text(text);
        self.rich(value)
    }

    /// A term as it stands, its variables replaced by their values; what is to be filled in becomes
    /// a placeholder.
    pub(super) fn value(&mut self, pattern: &Pattern) -> ExprId {
        self.value_in(pattern, None)
    }

    /// The same, where result variables have the types given.
    pub(super) fn value_of_unit(&mut self, pattern: &Pattern, unit: usize) -> ExprId {
        self.value_in(pattern, Some(unit))
    }

    fn value_in(&mut self, pattern: &Pattern, unit: Option<usize>) -> ExprId {
        match pattern {
            Pattern::Int(number) => {
                let value = term::int(&self.program.rich, *number);
                self.rich(value)
            }
            Pattern::Real(bits) => {
                let value = self.program.rich.float(f64::from_bits(*bits));
                self.rich(value)
            }
            Pattern::Str(text) => self.text(text),
            Pattern::Bool(truth) => {
                let value = term::bool(&self.program.rich, *truth);
                self.rich(value)
            }
            Pattern::Var(var) => self.variable(*var),
            Pattern::Result(var) if self.chosen_for(*var).is_some() => {
                let chosen = self.chosen_for(*var).expect("there is one");
                self.program.exprs.load(chosen, Type::Rich)
            }
            Pattern::Result(var) => {
                let ty = unit.map_or(crate::types::Type::Term, |unit| {
                    self.units[unit].inlined.variables[var.index()].ty.clone()
                });
                self.placeholder(&ty)
            }
            Pattern::Placeholder(ty) => self.placeholder(ty),
            Pattern::Apply(name, args) => {
                let mut all = vec![self.text(name)];
                for arg in args {
                    let arg = self.value_in(arg, unit);
                    all.push(arg);
                }
                let function = self.known(FunctionKey::Make(args.len()), || maker(args.len()));
                self.call(function, all)
            }
            Pattern::List(items) => {
                let mut all = Vec::new();
                for item in items {
                    let item = self.value_in(item, unit);
                    all.push(item);
                }
                let function = self.known(FunctionKey::List(items.len()), || list_maker(all.len()));
                self.call(function, all)
            }
        }
    }

    /// A list of values.
    pub(super) fn list_of(&mut self, items: Vec<ExprId>) -> ExprId {
        let function = self.known(FunctionKey::List(items.len()), || list_maker(items.len()));
        self.call(function, items)
    }

    /// A call; of constants at once.
    fn call(&mut self, function: model::FunctionId, args: Vec<ExprId>) -> ExprId {
        let constants: Option<Vec<Value>> = args
            .iter()
            .map(|&arg| self.program.exprs.constant(arg).cloned())
            .collect();
        let declared = &self.program.functions[function.index()];
        let ty = declared.result.clone();
        if let Some(constants) = constants
            && let Ok(value) = (declared.eval)(&self.program.rich, &constants)
        {
            return self.program.exprs.value(value, ty);
        }
        self.program.exprs.add(Expr::Apply(function, args), ty)
    }

    /// Where the value of a variable is chosen, if not in the variable.
    pub(super) fn chosen_for(&self, var: VarId) -> Option<Place> {
        let found = self.chosen.iter().find(|(other, _)| *other == var);
        found.map(|(_, chosen)| Place::global(*chosen))
    }

    /// A term with what has been filled in.
    pub(super) fn filled(&self, pattern: &Pattern) -> Pattern {
        match self.chosen.is_empty() {
            true => pattern.filled(),
            false => pattern.clone(),
        }
    }

    fn placeholder(&mut self, ty: &crate::types::Type) -> ExprId {
        let ty = term::type_value(&self.program.rich, ty);
        let value = self.program.rich.term("placeholder", vec![ty]);
        self.rich(value)
    }

    pub(super) fn type_constant(&mut self, ty: &crate::types::Type) -> ExprId {
        let value = term::type_value(&self.program.rich, ty);
        self.rich(value)
    }

    /// A term in an expression: functions of the language are computed.
    pub(super) fn evaluated(&mut self, pattern: &Pattern) -> ExprId {
        match pattern {
            Pattern::Apply(name, args) if &**name == "quote" && args.len() == 1 => {
                self.value(&args[0])
            }
            Pattern::Apply(name, args) if &**name == PROCESS_ID && args.is_empty() => {
                let me = self.program.exprs.add(Expr::Me, Type::Instance);
                let me = self.program.exprs.add(Expr::Convert(me), BYTE);
                self.apply(Inner::FromNumber, &[me])
            }
            Pattern::Apply(name, args) => {
                let found = self
                    .built_ins
                    .iter()
                    .position(|f| f.name == &**name && f.arity == args.len());
                let mut all = Vec::new();
                if found.is_none() {
                    all.push(self.text(name));
                }
                for arg in args {
                    let arg = self.evaluated(arg);
                    all.push(arg);
                }
                let function = match found {
                    Some(at) => {
                        let key = FunctionKey::BuiltIn(self.built_ins[at].name, args.len());
                        let function = built_in_function(&self.built_ins[at]);
                        self.known(key, || function)
                    }
                    None => self.known(FunctionKey::Make(args.len()), || maker(args.len())),
                };
                self.call(function, all)
            }
            Pattern::List(items) => {
                let mut all = Vec::new();
                for item in items {
                    let item = self.evaluated(item);
                    all.push(item);
                }
                let function = self.known(FunctionKey::List(items.len()), || list_maker(all.len()));
                self.call(function, all)
            }
            _ => self.value(pattern),
        }
    }

    /// Whether a test holds.
    pub(super) fn truth(&mut self, pattern: &Pattern) -> ExprId {
        match pattern {
            Pattern::Bool(truth) => self.program.exprs.bool(*truth),
            // Both sides of `and` and `or` are computed, and have to be truth values.
            Pattern::Apply(name, _)
                if matches!(&**name, "not" | "and" | "or") && !always_has_truth(pattern) =>
            {
                let value = self.evaluated(pattern);
                self.apply(Inner::IsTrue, &[value])
            }
            Pattern::Apply(name, args) => match (&**name, args.as_slice()) {
                ("not", [inner]) => {
                    let inner = self.truth(inner);
                    self.program.exprs.not(inner)
                }
                ("and", [a, b]) => {
                    let (a, b) = (self.truth(a), self.truth(b));
                    self.program.exprs.and(a, b)
                }
                ("or", [a, b]) => {
                    let (a, b) = (self.truth(a), self.truth(b));
                    self.program.exprs.or(a, b)
                }
                ("equal", [a, b]) => {
                    let (a, b) = (self.evaluated(a), self.evaluated(b));
                    self.equal(a, b)
                }
                ("not-equal", [a, b]) => {
                    let (a, b) = (self.evaluated(a), self.evaluated(b));
                    let equal = self.equal(a, b);
                    self.program.exprs.not(equal)
                }
                _ => {
                    let value = self.evaluated(pattern);
                    self.apply(Inner::IsTrue, &[value])
                }
            },
            _ => {
                let value = self.value(pattern);
                self.apply(Inner::IsTrue, &[value])
            }
        }
    }

    /// Whether a test has the answer that is wanted.
    pub(super) fn answered(&mut self, test: &Test) -> ExprId {
        let truth = self.truth(&test.test);
        if test.wanted {
            truth
        } else {
            self.program.exprs.not(truth)
        }
    }

    pub(super) fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.program.exprs.bool(true);
        }
        if let (Some(x), Some(y)) = (
            self.program.exprs.constant(a),
            self.program.exprs.constant(b),
        ) {
            let same = x == y;
            return self.program.exprs.bool(same);
        }
        self.program.exprs.binary(Binary::Eq, a, b)
    }

    pub(super) fn part(&mut self, value: ExprId, at: usize) -> ExprId {
        let at = self.byte(at);
        self.apply(Inner::Part, &[value, at])
    }

    pub(super) fn all_of(&mut self, conditions: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut all = self.program.exprs.bool(true);
        for condition in conditions {
            all = self.program.exprs.and(all, condition);
        }
        all
    }

    pub(super) fn any_of(&mut self, conditions: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut any = self.program.exprs.bool(false);
        for condition in conditions {
            any = self.program.exprs.or(any, condition);
        }
        any
    }

    /// Whether an action computes what may have no value.
    pub(super) fn may_have_no_value(&self, atom: &Atom) -> bool {
        atom.word == Word::Assign && atom.args.get(1).is_some_and(|term| self.is_partial(term))
    }

    /// Whether a term has a function in it that has no value for some arguments, or gives nothing for
    /// some.
    fn is_partial(&self, term: &Pattern) -> bool {
        let parts = match term {
            Pattern::Apply(name, args) => {
                let arity = args.len();
                let mut known = self.built_ins.iter();
                if &**name == "quote" && arity == 1 {
                    return false;
                }
                if known.any(|f| f.name == &**name && f.arity == arity)
                    && !TOTAL.contains(&(name, arity))
                {
                    return true;
                }
                args
            }
            Pattern::List(items) => items,
            _ => return false,
        };
        parts.iter().any(|part| self.is_partial(part))
    }
}

/// Whether an expression is a truth value whatever variables hold, also if they hold nothing.
pub(super) fn always_has_truth(term: &Pattern) -> bool {
    match term {
        Pattern::Bool(_) => true,
        Pattern::Apply(name, args) => match &**name {
            "not" | "and" | "or" => args.iter().all(always_has_truth),
            "equal" | "not-equal" => args.iter().all(|arg| {
                let mut computes = matches!(arg, Pattern::Apply(_, parts) if !parts.is_empty());
                computes |= matches!(arg, Pattern::List(items) if !items.is_empty());
                !computes
            }),
            _ => false,
        },
        _ => false,
    }
}
