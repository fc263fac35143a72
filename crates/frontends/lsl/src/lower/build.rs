//! The program under construction: its tables, and small expressions over them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use model::{
    Binary, Choice, EventId, Expr, ExprId, Function, FunctionId, GlobalId, Place, Process, Program,
    Stmt, Type as ModelType, Unary, Value, ValueSet, Variable, VariableKind,
};
use source::{Diagnostic, Span};

use super::companions::Lengths;
use super::company::Company;
use super::flow::Flow;
use super::locals::Slots;
use super::readings::Reading;
use super::undecided::Guess;
use crate::environment::World;
use crate::library::{self, PureEntry};
use crate::types::Type;

/// The type that holds LSL values of a type.
pub(crate) fn model_type(ty: Type) -> ModelType {
    match ty {
        Type::Integer => ModelType::INT32,
        _ => ModelType::Rich,
    }
}

/// Everything that lowering builds, wherever the code at hand goes.
#[derive(Debug)]
pub(crate) struct Build {
    /// The program; its processes are added at the end.
    pub(crate) program: Program,
    /// The environment's process.
    pub(crate) world_process: Process,
    /// The script's process.
    pub(crate) script: Process,
    /// The script's variables.
    pub(crate) globals: Vec<GlobalId>,
    /// Their first values, constants.
    pub(crate) first_values: Vec<ExprId>,
    /// What the world keeps and does.
    pub(crate) world: World,
    /// Micro events by what they are about: `call llSay`, `change 3`, `handled money`.
    pub(crate) events: BTreeMap<String, EventId>,
    /// Variables of handlers, and temporaries.
    pub(crate) slots: Slots,
    /// Facts that calls with constant arguments read.
    pub(crate) readings: Vec<Reading>,
    /// Which texts can meet.
    pub(crate) flow: Arc<Flow>,
    /// For each class of texts, whether this macro step has decided something about one of them.
    pub(crate) decided: BTreeMap<usize, GlobalId>,
    /// What properties cannot tell, still to be put into the program.
    pub(crate) guesses: Vec<Guess>,
    /// Those among them that are about states.
    pub(crate) state_guesses: Vec<Guess>,
    /// How many there have been.
    pub(crate) guess_count: usize,
    /// In a linkset, what the scripts have in common.
    pub(crate) company: Company,
    /// The lengths of lists.
    pub(crate) lengths: Lengths,
    /// The places of statements that are marked.
    pub(crate) marked: HashSet<Span>,
    /// What could not be lowered.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether how many payments wait when a queue is emptied is sampled.
    pub(crate) samples_lost_payments: bool,
    /// Whether some integers stand for all, and nothing is counted.
    pub(crate) has_representatives: bool,
    functions: HashMap<(usize, bool, Vec<ModelType>), FunctionId>,
    /// For each expression so far, whether its evaluation may fault.
    faulty: Vec<bool>,
}

impl Build {
    pub(crate) fn new(program: Program, world: World, flow: Arc<Flow>) -> Build {
        Build {
            program,
            world_process: Process::new("world"),
            script: Process::new("script"),
            globals: Vec::new(),
            first_values: Vec::new(),
            world,
            events: BTreeMap::new(),
            slots: Slots::default(),
            readings: Vec::new(),
            flow,
            decided: BTreeMap::new(),
            guesses: Vec::new(),
            state_guesses: Vec::new(),
            guess_count: 0,
            company: Company::default(),
            lengths: Lengths::default(),
            marked: HashSet::new(),
            diagnostics: Vec::new(),
            samples_lost_payments: false,
            has_representatives: false,
            functions: HashMap::new(),
            faulty: Vec::new(),
        }
    }

    /// Hands the program and the world over to whoever goes on with another script.
    pub(super) fn hand_over(&mut self, to: &mut Build) {
        to.program = std::mem::replace(&mut self.program, Program::new("", "LSL"));
        to.world_process = std::mem::replace(&mut self.world_process, Process::new("world"));
        to.functions = std::mem::take(&mut self.functions);
        to.lengths.operations.clone_from(&self.lengths.operations);
    }

    /// Adds a global variable.
    pub(crate) fn variable(
        &mut self,
        name: impl Into<String>,
        ty: ModelType,
        kind: VariableKind,
        init: Option<ExprId>,
        span: Span,
    ) -> GlobalId {
        self.program.add_global(Variable {
            name: name.into(),
            ty,
            init: init.map(ValueSet::One),
            kind,
            span,
        })
    }

    pub(crate) fn int(&mut self, value: i32) -> ExprId {
        self.program.exprs.int(value.into(), ModelType::INT32)
    }

    pub(crate) fn bool(&mut self, value: bool) -> ExprId {
        self.program.exprs.bool(value)
    }

    pub(crate) fn rich(&mut self, value: Value) -> ExprId {
        self.program.exprs.value(value, ModelType::Rich)
    }

    pub(crate) fn text(&mut self, text: &str) -> ExprId {
        let value = self.program.rich.text(text);
        self.rich(value)
    }

    pub(crate) fn float(&mut self, value: f64) -> ExprId {
        let value = self.program.rich.float(value);
        self.rich(value)
    }

    /// What a global variable holds.
    pub(crate) fn read(&mut self, global: GlobalId) -> ExprId {
        let ty = self.program.globals[global.index()].ty.clone();
        self.program.exprs.load(Place::global(global), ty)
    }

    /// `global = value;`
    pub(crate) fn set(&mut self, global: GlobalId, value: ExprId) -> Stmt {
        Stmt::Assign(Place::global(global), value)
    }

    /// `global = true;` or `false`.
    pub(crate) fn set_flag(&mut self, global: GlobalId, value: bool) -> Stmt {
        let value = self.bool(value);
        self.set(global, value)
    }

    /// Equality of two values of one type; of constants at once.
    pub(crate) fn equal(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let exprs = &mut self.program.exprs;
        if let (Some(a), Some(b)) = (exprs.constant(left), exprs.constant(right)) {
            let same = a == b;
            return exprs.bool(same);
        }
        exprs.binary(Binary::Eq, left, right)
    }

    pub(crate) fn not(&mut self, operand: ExprId) -> ExprId {
        self.program.exprs.not(operand)
    }

    pub(crate) fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.program.exprs.and(left, right)
    }

    pub(crate) fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.program.exprs.or(left, right)
    }

    /// The disjunction, balanced, so that a long one is not deep.
    pub(crate) fn any(&mut self, conditions: &[ExprId]) -> ExprId {
        match conditions {
            [] => self.bool(false),
            [only] => *only,
            _ => {
                let (left, right) = conditions.split_at(conditions.len() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }

    /// The conjunction; `None` if there is nothing to demand.
    pub(crate) fn all(&mut self, conditions: impl IntoIterator<Item = ExprId>) -> Option<ExprId> {
        let mut conditions = conditions.into_iter();
        let first = conditions.next()?;
        Some(conditions.fold(first, |all, next| self.and(all, next)))
    }

    /// An LSL integer from a truth value; integers as they are.
    pub(crate) fn as_int(&mut self, expr: ExprId) -> ExprId {
        let exprs = &mut self.program.exprs;
        if *exprs.ty(expr) != ModelType::Bool {
            return expr;
        }
        match exprs.constant(expr) {
            Some(&Value::Bool(b)) => exprs.int(b.into(), ModelType::INT32),
            _ => exprs.add(Expr::Convert(expr), ModelType::INT32),
        }
    }

    /// A truth value from an LSL integer; truth values as they are.
    pub(crate) fn as_bool(&mut self, expr: ExprId) -> ExprId {
        let exprs = &mut self.program.exprs;
        if *exprs.ty(expr) == ModelType::Bool {
            return expr;
        }
        match exprs.get(expr) {
            Expr::Const(value) => {
                let truth = value.number() != 0;
                exprs.bool(truth)
            }
            &Expr::Convert(inner) if *exprs.ty(inner) == ModelType::Bool => inner,
            _ => {
                let zero = exprs.int(0, ModelType::INT32);
                exprs.binary(Binary::Ne, expr, zero)
            }
        }
    }

    /// An operator on two 32-bit integers; of constants at once, unless it faults.
    pub(crate) fn arithmetic(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        let exprs = &mut self.program.exprs;
        if let (Some(Value::Int(a)), Some(Value::Int(b))) =
            (exprs.constant(left), exprs.constant(right))
        {
            let (a, b) = (*a, *b);
            let value = match op {
                Binary::Add => a.checked_add(b),
                Binary::Sub => a.checked_sub(b),
                Binary::Mul => a.checked_mul(b),
                Binary::Div => a.checked_div(b),
                Binary::Rem => a.checked_rem(b),
                Binary::BitAnd => Some(a & b),
                Binary::BitOr => Some(a | b),
                Binary::BitXor => Some(a ^ b),
                Binary::Shl => Some(a << (b & 31)),
                Binary::Shr => Some(a >> (b & 31)),
                _ => None,
            };
            if let Some(value) = value {
                return exprs.int(ModelType::INT32.wrap(value), ModelType::INT32);
            }
        }
        exprs.binary(op, left, right)
    }

    /// `-x` of a 32-bit integer.
    pub(crate) fn negate(&mut self, operand: ExprId) -> ExprId {
        let zero = self.int(0);
        match self.program.exprs.constant(operand) {
            Some(_) => self.arithmetic(Binary::Sub, zero, operand),
            None => self.program.exprs.unary(Unary::Neg, operand),
        }
    }

    /// `if cond then a else b`; with a constant condition, or equal branches, at once.
    pub(crate) fn choose_by(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.program.exprs.constant(cond) {
            Some(Value::Bool(true)) => return then,
            Some(Value::Bool(false)) => return otherwise,
            _ if then == otherwise => return then,
            _ => {}
        }
        let ty = self.program.exprs.ty(then).clone();
        self.program.exprs.add(Expr::Ite(cond, then, otherwise), ty)
    }

    /// A pure operation of LSL on model values; on constants at once, unless it faults.
    pub(crate) fn apply(&mut self, entry: &'static PureEntry, args: &[ExprId]) -> ExprId {
        let values: Option<Vec<Value>> = args
            .iter()
            .map(|&arg| self.program.exprs.constant(arg).cloned())
            .collect();
        let ty = model_type(entry.result);
        if let Some(values) = values
            && let Ok(value) = (entry.eval)(&self.program.rich, &values)
        {
            return self.program.exprs.value(value, ty);
        }
        // What is in a list may be an error to compute.
        if let Some(asked) = library::asks_length(entry)
            && !args.iter().any(|&arg| self.can_fault(arg))
        {
            return self.answer_about_lengths(asked, args);
        }
        let function = self.function(entry, false, args);
        self.program
            .exprs
            .add(Expr::Apply(function, args.to_vec()), ty)
    }

    /// Whether the operation's value is determined by these arguments.
    pub(crate) fn determined(&mut self, entry: &'static PureEntry, args: &[ExprId]) -> ExprId {
        let values: Option<Vec<Value>> = args
            .iter()
            .map(|&arg| self.program.exprs.constant(arg).cloned())
            .collect();
        if let Some(values) = values
            && let Ok(value) = (entry.determined)(&self.program.rich, &values)
        {
            return self.program.exprs.value(value, ModelType::Bool);
        }
        if library::asks_length(entry).is_some() {
            return self.lengths_are_known(args);
        }
        let function = self.function(entry, true, args);
        self.program
            .exprs
            .add(Expr::Apply(function, args.to_vec()), ModelType::Bool)
    }

    fn function(
        &mut self,
        entry: &'static PureEntry,
        determined: bool,
        args: &[ExprId],
    ) -> FunctionId {
        let parameters: Vec<ModelType> = args
            .iter()
            .map(|&arg| self.program.exprs.ty(arg).clone())
            .collect();
        let key = (
            std::ptr::from_ref(entry) as usize,
            determined,
            parameters.clone(),
        );
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = self.program.add_function(if determined {
            Function {
                name: format!("determined {}", entry.name),
                parameters,
                result: ModelType::Bool,
                eval: entry.determined,
                can_fault: false,
            }
        } else {
            Function {
                name: entry.name.to_owned(),
                parameters,
                result: model_type(entry.result),
                eval: entry.eval,
                can_fault: DIVIDING.contains(&entry.name),
            }
        });
        self.functions.insert(key, id);
        if !determined {
            self.lengths.operations.insert(id, entry);
        }
        id
    }

    /// Whether evaluating the expression may raise a Math Error.
    ///
    /// The other fault of pure operations, a value that alone exceeds the script's memory, is
    /// left out: which computations run out of memory is not modelled exactly anyway, so an
    /// unused one may be dropped.
    pub(crate) fn can_fault(&mut self, id: ExprId) -> bool {
        let exprs = &self.program.exprs;
        for index in self.faulty.len()..exprs.len() {
            let at = ExprId::new(index);
            let own = match exprs.get(at) {
                Expr::Binary(Binary::Div | Binary::Rem, _, right) => !matches!(
                    exprs.constant(*right),
                    Some(Value::Int(divisor)) if *divisor != 0
                ),
                Expr::Apply(function, _) => {
                    let name = &self.program.functions[function.index()].name;
                    DIVIDING.contains(&name.as_str())
                }
                _ => false,
            };
            let mut fault = own;
            exprs.operands(at, |operand| fault |= self.faulty[operand.index()]);
            self.faulty.push(fault);
        }
        self.faulty[id.index()]
    }

    /// A choice among expressions.
    pub(crate) fn one_of(place: Place, what: &str, members: Vec<ExprId>) -> Choice {
        Choice {
            place,
            set: match members.as_slice() {
                [only] => ValueSet::One(*only),
                _ => ValueSet::Union(members.into_iter().map(ValueSet::One).collect()),
            },
            sample: None,
            what: what.to_owned(),
            outside: None,
        }
    }
}

/// Pure operations that may raise a Math Error.
const DIVIDING: &[&str] = &["/", "%", "llModPow", "llSqrt", "llLog", "llLog10", "llPow"];
