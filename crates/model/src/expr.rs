//! Expressions: typed, without side effects, hash-consed.
//!
//! Evaluation may *fault* (division by zero, an index out of range, a null pointer); what a fault
//! leads to is said by the process (`on_fault`).

use std::collections::HashMap;
use std::sync::Arc;

use rapidhash::fast::RandomState;

use crate::ids::{ExprId, FunctionId, GlobalId, LocId, ProcessId};
use crate::types::Type;
use crate::value::Value;

/// Something that can be read, and assigned to where it is a variable or a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// The way down into arrays and records.
    pub path: Vec<Projection>,
}

impl Place {
    /// A global variable.
    #[must_use]
    pub fn global(id: GlobalId) -> Self {
        Root::Global(id).into()
    }

    /// A parameter or local of the process.
    #[must_use]
    pub fn own(index: usize) -> Self {
        Root::Own(u32::try_from(index).expect("few locals")).into()
    }

    /// A parameter or local of the current procedure.
    #[must_use]
    pub fn frame(index: usize) -> Self {
        Root::Frame(u32::try_from(index).expect("few locals")).into()
    }
}

impl From<Root> for Place {
    fn from(root: Root) -> Self {
        Place {
            root,
            path: Vec::new(),
        }
    }
}

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A global variable.
    Global(GlobalId),
    /// A parameter or local of the process; instances that share a frame share it.
    Own(u32),
    /// A parameter or local of the current procedure.
    Frame(u32),
    /// A local of another instance: a remote reference. Reads of an instance that is not there
    /// give the type's zero.
    Remote {
        /// The instance's number.
        instance: ExprId,
        /// The template it must be of.
        process: ProcessId,
        /// Which parameter or local.
        local: u32,
    },
    /// The cell that a pointer points to.
    Cell(ExprId),
    /// An argument of the event that is being observed (in observers only; read only).
    Argument(u32),
}

/// One step down into a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    /// A field of a record.
    Field(u32),
    /// An element of an array; outside of it is the fault
    /// [`Program::index_fault`](crate::Program::index_fault).
    Index(ExprId),
}

/// Operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Logical negation.
    Not,
    /// Arithmetic negation.
    Neg,
    /// Bitwise complement.
    BitNot,
}

/// Operators on two operands. Arithmetic is exact, then reduced to the type of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Logical and; the right side is evaluated only if the left holds.
    And,
    /// Logical or; the right side is evaluated only if the left does not hold.
    Or,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, truncated towards zero; by zero is
    /// [`Program::division_fault`](crate::Program::division_fault).
    Div,
    /// Remainder with the sign of the dividend; by zero is the same fault.
    Rem,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift left; the count is taken modulo the width of the result's type.
    Shl,
    /// Arithmetic shift right of signed, logical of unsigned values; the count as for `Shl`.
    Shr,
    /// Equality of any two values of one type; rich values by structure.
    Eq,
    /// Its negation.
    Ne,
    /// Less, on numbers.
    Lt,
    /// Less or equal, on numbers.
    Le,
    /// A pointer moved by a number of cells; outside `0..=cells` is
    /// [`Program::pointer_fault`](crate::Program::pointer_fault).
    Offset,
}

/// An expression; operands are ids in the same pool.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A value.
    Const(Value),
    /// What a place holds.
    Load(Place),
    /// What a global variable will hold in the next state: in relations of synchronous
    /// composition only.
    Next(GlobalId),
    /// One operand.
    Unary(Unary, ExprId),
    /// Two operands.
    Binary(Binary, ExprId, ExprId),
    /// `if`, `then`, `else`; only the chosen side is evaluated.
    Ite(ExprId, ExprId, ExprId),
    /// A number converted to the expression's type: wraps into machine integers; to `Bool`, zero
    /// is false; from `Bool`, 0 and 1.
    Convert(ExprId),
    /// A record or an array of the operands' values.
    Tuple(Vec<ExprId>),
    /// A named pure function.
    Apply(FunctionId, Vec<ExprId>),
    /// Whether an instance of the process with this number is at the location.
    At {
        /// The instance's number.
        instance: ExprId,
        /// The template it must be of.
        process: ProcessId,
        /// The location.
        location: LocId,
    },
    /// Whether some instance is at one of these locations, each of its template.
    AnyAt(Vec<(ProcessId, LocId)>),
    /// The least number of an instance of this template, -1 if there is none.
    First(ProcessId),
    /// Whether the instance with this number takes part in a possible move: one that guards and
    /// communication allow. While that is found out, `Enabled` itself is false: a guard that asks
    /// whether anybody may move does not wait for its own answer.
    Enabled(ExprId),
    /// Whether no step of any instance is enabled, steps that ask this taken as not enabled:
    /// Promela's `timeout`.
    NothingEnabled,
    /// The number of the instance that evaluates.
    Me,
    /// How many instances there are.
    InstanceCount,
    /// How many messages a channel holds.
    ChannelLen(ExprId),
    /// The capacity of a channel (-1 if unbounded).
    ChannelCapacity(ExprId),
    /// Whether a receive with these patterns would find a message.
    Poll {
        /// The channel.
        channel: ExprId,
        /// For each field: a value to match, or anything.
        patterns: Vec<Option<ExprId>>,
        /// Whether any message may match, not only the first.
        anywhere: bool,
    },
}

/// A set of values to choose from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValueSet {
    /// One value.
    One(ExprId),
    /// The numbers between two values, both included; empty if the first is greater.
    Between(ExprId, ExprId),
    /// All values of any of the sets.
    Union(Vec<ValueSet>),
    /// One set or the other.
    Ite(ExprId, Box<ValueSet>, Box<ValueSet>),
    /// All values of a bounded type.
    All(Type),
}

/// The hash-consed expressions of one program, with their types. Copies share them, until one of
/// them gets another.
#[derive(Clone, Default, Debug)]
pub struct ExprPool {
    shared: Arc<Nodes>,
}

#[derive(Clone, Default, Debug)]
struct Nodes {
    nodes: Vec<(Expr, Type)>,
    /// For each, how large it is where nothing is shared.
    sizes: Vec<u32>,
    ids: HashMap<(Expr, Type), ExprId, RandomState>,
}

impl ExprPool {
    /// The id of an expression of a type, new or known.
    pub fn add(&mut self, expr: Expr, ty: Type) -> ExprId {
        source::limits::check();
        let key = (expr, ty);
        if let Some(&id) = self.shared.ids.get(&key) {
            return id;
        }
        let mut size = 1u32;
        key.0
            .operands(|operand| size = size.saturating_add(self.written_out(operand)));
        let Nodes { nodes, sizes, ids } = Arc::make_mut(&mut self.shared);
        let id = ExprId::new(nodes.len());
        nodes.push(key.clone());
        sizes.push(size);
        ids.insert(key, id);
        id
    }

    /// The expression.
    #[must_use]
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.shared.nodes[id.index()].0
    }

    /// Its type.
    #[must_use]
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.shared.nodes[id.index()].1
    }

    /// How many different expressions there are. Operands have smaller ids than what they are
    /// operands of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.nodes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shared.nodes.is_empty()
    }

    /// How many expressions it has inside, itself included, where one that is used twice counts
    /// twice: as many as there are to evaluate if nothing is remembered. [`u32::MAX`] stands for all
    /// that are not fewer.
    #[must_use]
    pub fn written_out(&self, id: ExprId) -> u32 {
        self.shared.sizes[id.index()]
    }

    /// How deep expressions nest: the levels of the deepest.
    #[must_use]
    pub fn nesting(&self) -> usize {
        let mut levels = vec![1; self.shared.nodes.len()];
        for index in 0..self.shared.nodes.len() {
            let mut below = 0;
            self.operands(ExprId::new(index), |operand| {
                below = below.max(levels[operand.index()]);
            });
            levels[index] = below + 1;
        }
        levels.into_iter().max().unwrap_or(0)
    }

    /// The constant, if it is one.
    #[must_use]
    pub fn constant(&self, id: ExprId) -> Option<&Value> {
        match self.get(id) {
            Expr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.add(Expr::Const(Value::Bool(value)), Type::Bool)
    }

    /// A number of an integer type.
    pub fn int(&mut self, value: i128, ty: Type) -> ExprId {
        self.add(Expr::Const(Value::Int(value)), ty)
    }

    /// A constant of any type.
    pub fn value(&mut self, value: Value, ty: Type) -> ExprId {
        self.add(Expr::Const(value), ty)
    }

    /// What a place of the given type holds.
    pub fn load(&mut self, place: Place, ty: Type) -> ExprId {
        self.add(Expr::Load(place), ty)
    }

    /// One operand, result of the operand's type.
    pub fn unary(&mut self, op: Unary, operand: ExprId) -> ExprId {
        let ty = self.ty(operand).clone();
        self.add(Expr::Unary(op, operand), ty)
    }

    /// Two operands. Comparisons and logic give truth values, other operators the type of the
    /// left operand.
    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        use Binary::{And, Eq, Le, Lt, Ne, Or};
        let ty = match op {
            And | Or | Eq | Ne | Lt | Le => Type::Bool,
            _ => self.ty(left).clone(),
        };
        self.add(Expr::Binary(op, left, right), ty)
    }

    /// Logical negation; of constants and negations at once.
    pub fn not(&mut self, operand: ExprId) -> ExprId {
        match *self.get(operand) {
            Expr::Const(Value::Bool(b)) => self.bool(!b),
            Expr::Unary(Unary::Not, inner) => inner,
            _ => self.unary(Unary::Not, operand),
        }
    }

    /// Logical and; with constants at once.
    pub fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        match (self.constant(left), self.constant(right)) {
            (Some(Value::Bool(true)), _) => right,
            (_, Some(Value::Bool(true))) | (Some(Value::Bool(false)), _) => left,
            _ => self.binary(Binary::And, left, right),
        }
    }

    /// Logical or; with constants at once.
    pub fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        match (self.constant(left), self.constant(right)) {
            (Some(Value::Bool(false)), _) => right,
            (_, Some(Value::Bool(false))) | (Some(Value::Bool(true)), _) => left,
            _ => self.binary(Binary::Or, left, right),
        }
    }

    /// Whether any of these holds; they are looked at in order. Nests no deeper than the logarithm of
    /// their number.
    pub fn any(&mut self, disjuncts: &[ExprId]) -> ExprId {
        match disjuncts {
            [] => self.bool(false),
            [one] => *one,
            _ => {
                let (first, last) = disjuncts.split_at(disjuncts.len() / 2);
                let (first, last) = (self.any(first), self.any(last));
                self.or(first, last)
            }
        }
    }

    /// The operands of an expression, those inside places included.
    pub fn operands(&self, id: ExprId, each: impl FnMut(ExprId)) {
        source::limits::check();
        self.get(id).operands(each);
    }
}

impl Expr {
    /// The operands, those inside places included.
    pub fn operands(&self, mut each: impl FnMut(ExprId)) {
        match self {
            Expr::Const(_)
            | Expr::Next(_)
            | Expr::NothingEnabled
            | Expr::Me
            | Expr::AnyAt(_)
            | Expr::First(_)
            | Expr::InstanceCount => {}
            Expr::Load(place) => place.operands(each),
            Expr::Unary(_, a)
            | Expr::Convert(a)
            | Expr::Enabled(a)
            | Expr::ChannelLen(a)
            | Expr::ChannelCapacity(a)
            | Expr::At { instance: a, .. } => each(*a),
            Expr::Binary(_, a, b) => {
                each(*a);
                each(*b);
            }
            Expr::Ite(a, b, c) => {
                each(*a);
                each(*b);
                each(*c);
            }
            Expr::Tuple(all) | Expr::Apply(_, all) => all.iter().copied().for_each(each),
            Expr::Poll {
                channel, patterns, ..
            } => {
                each(*channel);
                patterns.iter().flatten().copied().for_each(each);
            }
        }
    }
}

impl Place {
    /// The expressions inside the place: pointers, instance numbers, indices.
    pub fn operands(&self, mut each: impl FnMut(ExprId)) {
        match self.root {
            Root::Remote { instance, .. } => each(instance),
            Root::Cell(pointer) => each(pointer),
            Root::Global(_) | Root::Own(_) | Root::Frame(_) | Root::Argument(_) => {}
        }
        for projection in &self.path {
            if let Projection::Index(index) = projection {
                each(*index);
            }
        }
    }
}

impl ValueSet {
    /// The expressions inside the set.
    pub fn operands(&self, each: &mut impl FnMut(ExprId)) {
        match self {
            ValueSet::One(a) => each(*a),
            ValueSet::Between(a, b) => {
                each(*a);
                each(*b);
            }
            ValueSet::Union(sets) => sets.iter().for_each(|set| set.operands(each)),
            ValueSet::Ite(c, a, b) => {
                each(*c);
                a.operands(each);
                b.operands(each);
            }
            ValueSet::All(_) => {}
        }
    }
}
