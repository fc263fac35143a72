//! The tree of a model, as it is written.

use std::rc::Rc;

use source::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ident {
    pub(crate) name: Rc<str>,
    pub(crate) span: Span,
}

/// A module.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Ident>,
    pub(crate) items: Vec<Item>,
}

/// A part of a module.
#[derive(Debug)]
pub(crate) enum Item {
    Variable(VariableSort, Ident, TypeExpr),
    Define(Ident, Expr),
    /// A definition inside of another instance, `part.name := value`, or of a name of several
    /// parts.
    DefineIn(Expr, Expr),
    Constant(Ident),
    Assign(Assignment),
    Constraint(ConstraintSort, Expr),
    Justice(Expr),
    Compassion(Expr, Expr),
    /// Another module's parts, as if they stood here.
    Isa(Ident),
    Spec(Spec),
}

/// How a variable behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VariableSort {
    State,
    Input,
    Frozen,
}

/// What a constraint is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstraintSort {
    Init,
    Invar,
    Trans,
}

/// An assignment.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) sort: AssignmentSort,
    pub(crate) target: Expr,
    pub(crate) value: Expr,
}

/// When an assignment holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AssignmentSort {
    /// `x := e`: at all times.
    Now,
    Init,
    Next,
}

/// A property.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) sort: SpecSort,
    pub(crate) name: Option<Ident>,
    pub(crate) stated: Stated,
    /// The module instance whose names it uses, where that is not the one that it stands in.
    pub(crate) context: Option<Expr>,
    pub(crate) span: Span,
}

/// What is stated.
#[derive(Debug)]
pub(crate) enum Stated {
    Formula(Expr),
    /// `MIN` or `MAX` of the steps from one to the other.
    Distance {
        longest: bool,
        from: Expr,
        to: Expr,
    },
}

/// What kind of property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpecSort {
    Ctl,
    Ltl,
    Invariant,
    Compute,
    Psl,
    /// Whatever its operators say.
    Any,
}

/// A type.
#[derive(Clone, Debug)]
pub(crate) struct TypeExpr {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Boolean,
    Enumeration(Vec<Expr>),
    Range(Expr, Expr),
    Word {
        signed: bool,
        width: Expr,
    },
    Array(Expr, Expr, Box<TypeExpr>),
    /// An array that words of so many bits index.
    WordArray(Expr, Box<TypeExpr>),
    /// The type of a value, `typeof(e)`.
    Of(Expr),
    Instance {
        process: bool,
        module: Ident,
        arguments: Vec<Expr>,
    },
    /// `integer`, `real`, `array integer`: infinite types of other tools.
    Infinite(Ident),
}

/// An expression or formula.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// Levels of operators below.
    pub(crate) depth: u32,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Bool(bool),
    Int(i64),
    Word {
        bits: u16,
        signed: bool,
        /// Its bits, 32 in each, the lowest first.
        limbs: Vec<u32>,
    },
    Name(Rc<str>),
    SelfRef,
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    /// Bits from the first down to the second.
    Bits(Box<Expr>, Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Several operands of an associative operator, from left to right.
    Chain(BinaryOp, Vec<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Case(Vec<(Expr, Expr)>),
    Set(Vec<Expr>),
    Array(Vec<Expr>),
    /// An array of a type with the same element everywhere.
    ConstantArray(Box<TypeExpr>, Box<Expr>),
    Next(Box<Expr>),
    Call(Function, Vec<Expr>),
    Temporal(TemporalOp, Option<Bounds>, Box<Expr>),
    Until(
        UntilOp,
        Option<Quantifier>,
        Option<Bounds>,
        Box<Expr>,
        Box<Expr>,
    ),
}

/// The bounds of a temporal operator, as they are written.
#[derive(Clone, Debug)]
pub(crate) struct Bounds(pub(crate) Box<Expr>, pub(crate) Box<Expr>);

/// Operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    Not,
    Minus,
}

/// Operators on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    Implies,
    Iff,
    Or,
    Xor,
    Xnor,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Union,
    Range,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Concatenate,
}

impl BinaryOp {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BinaryOp::Implies => "->",
            BinaryOp::Iff => "<->",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "xor",
            BinaryOp::Xnor => "xnor",
            BinaryOp::And => "&",
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::In => "in",
            BinaryOp::Union => "union",
            BinaryOp::Range => "..",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "mod",
            BinaryOp::Concatenate => "::",
        }
    }
}

/// Functions of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    Count,
    Abs,
    Min,
    Max,
    Bool,
    ToInt,
    Word1,
    Signed,
    Unsigned,
    UnsignedConst,
    SignedConst,
    Extend,
    Resize,
    SizeOf,
    Read,
    Write,
}

/// The quantifier over paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    All,
    Some,
}

/// Temporal operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TemporalOp {
    /// `X`, `F`, `G`; with a quantifier those of branching time.
    Next(Option<Quantifier>),
    Eventually(Option<Quantifier>),
    Always(Option<Quantifier>),
    /// `Y`: before, and there was a before.
    Yesterday,
    /// `Z`: before, if there was a before.
    WeakYesterday,
    /// `O`
    Once,
    /// `H`
    Historically,
}

/// Temporal operators on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UntilOp {
    Until,
    Releases,
    Since,
    Triggered,
}

impl Expr {
    /// The direct parts.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Word { .. }
            | ExprKind::Name(_)
            | ExprKind::SelfRef => Vec::new(),
            ExprKind::Field(a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Next(a)
            | ExprKind::ConstantArray(_, a)
            | ExprKind::Temporal(_, _, a) => vec![a],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Until(_, _, _, a, b) => {
                vec![a, b]
            }
            ExprKind::Bits(a, b, c) | ExprKind::Conditional(a, b, c) => vec![a, b, c],
            ExprKind::Chain(_, all)
            | ExprKind::Set(all)
            | ExprKind::Array(all)
            | ExprKind::Call(_, all) => all.iter().collect(),
            ExprKind::Case(branches) => branches.iter().flat_map(|(c, e)| [c, e]).collect(),
        }
    }

    /// The text of a name of several parts, `a.b[3]`; `None` if it is none.
    pub(crate) fn name_of_parts(&self) -> Option<String> {
        let mut ends = Vec::new();
        let mut expr = self;
        loop {
            match &expr.kind {
                ExprKind::Field(base, field) => {
                    ends.push(format!(".{}", field.name));
                    expr = base;
                }
                ExprKind::Index(base, index) => {
                    let ExprKind::Int(number) = index.kind else {
                        return None;
                    };
                    ends.push(format!("[{number}]"));
                    expr = base;
                }
                ExprKind::Name(name) => {
                    ends.push(name.to_string());
                    ends.reverse();
                    return Some(ends.concat());
                }
                _ => return None,
            }
        }
    }

    /// How many expressions it consists of.
    pub(crate) fn size(&self) -> usize {
        1 + self.children().into_iter().map(Expr::size).sum::<usize>()
    }

    /// Whether a temporal operator stands in it.
    pub(crate) fn is_temporal(&self) -> bool {
        matches!(self.kind, ExprKind::Temporal(..) | ExprKind::Until(..))
            || self.children().into_iter().any(Expr::is_temporal)
    }

    /// Whether a quantified temporal operator stands in it.
    pub(crate) fn is_branching(&self) -> bool {
        let own = match &self.kind {
            ExprKind::Temporal(op, _, _) => matches!(
                op,
                TemporalOp::Next(Some(_))
                    | TemporalOp::Eventually(Some(_))
                    | TemporalOp::Always(Some(_))
            ),
            ExprKind::Until(_, quantifier, _, _, _) => quantifier.is_some(),
            _ => false,
        };
        own || self.children().into_iter().any(Expr::is_branching)
    }
}
