//! The syntax tree: what is written, inline definitions replaced by their bodies.

use std::rc::Rc;

use source::Span;

/// A name and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Rc<str>,
    /// Its place.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Default, Debug)]
pub struct Model {
    /// What it is made of, in order.
    pub units: Vec<Unit>,
    /// Labels that remote references name, each with its process type.
    pub remote_labels: Vec<(Rc<str>, Rc<str>)>,
    /// Whether `_last` is mentioned.
    pub uses_last: bool,
    /// Whether `timeout` is mentioned.
    pub uses_timeout: bool,
}

/// A part of a model.
#[derive(Clone, Debug)]
pub enum Unit {
    /// Global variables.
    Declaration(Declaration),
    /// `mtype = { ... }`: the kind's name, if it has one, and the constants in order.
    Mtype(Option<Ident>, Vec<Ident>),
    /// `typedef`.
    Typedef(Ident, Vec<Declaration>),
    /// `proctype` or `init`.
    Process(Box<Process>),
    /// `never`.
    Never(Claim),
    /// `trace` or `notrace`.
    Trace {
        /// Whether it is `notrace`.
        forbidden: bool,
        /// Its body.
        claim: Claim,
    },
    /// `ltl`.
    Ltl {
        /// Its name, if it has one.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// The whole block.
        span: Span,
    },
}

/// A never claim or event trace.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// Its body.
    pub body: Sequence,
    /// The head.
    pub span: Span,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name; `init` has that.
    pub name: Ident,
    /// Whether it is `init`.
    pub init: bool,
    /// How many instances run from the start, if it is active.
    pub active: Option<Expr>,
    /// Parameters.
    pub parameters: Vec<Declaration>,
    /// `priority`.
    pub priority: Option<Expr>,
    /// `provided`.
    pub provided: Option<Expr>,
    /// Its body.
    pub body: Sequence,
}

/// A basic type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeName {
    /// `bit` and `bool`.
    Bit,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`; the width stands with the variable.
    Unsigned,
    /// `mtype`, of a kind if that is named.
    Mtype(Option<Ident>),
    /// `chan`.
    Chan,
    /// A `typedef`.
    User(Ident),
}

/// `hidden byte x = 1, y[3];`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// `hidden`.
    pub hidden: bool,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub variables: Vec<Declarator>,
}

/// One variable of a declaration.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// Its name.
    pub name: Ident,
    /// Bits of an `unsigned`.
    pub width: Option<Expr>,
    /// Elements of an array.
    pub length: Option<Expr>,
    /// Its first value.
    pub init: Option<Init>,
}

/// A first value.
#[derive(Clone, Debug)]
pub enum Init {
    /// An expression; of an array, that of each element.
    Value(Expr),
    /// The elements of an array.
    List(Vec<Expr>),
    /// `[capacity] of { types }`.
    Channel {
        /// How many messages it holds.
        capacity: Expr,
        /// The types of a message's fields.
        fields: Vec<TypeName>,
        /// Where.
        span: Span,
    },
}

/// Statements in a row.
#[derive(Clone, Default, Debug)]
pub struct Sequence {
    /// The steps.
    pub items: Vec<Item>,
    /// The whole.
    pub span: Span,
}

/// A part of a sequence.
#[derive(Clone, Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A statement.
    Statement(Box<Statement>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// The whole of it.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// An expression as a condition.
    Condition(Expr),
    /// `else`.
    Else,
    /// `x = e`.
    Assign(Reference, Expr),
    /// `x++`.
    Increment(Reference),
    /// `x--`.
    Decrement(Reference),
    /// `assert(e)`.
    Assert(Expr),
    /// `printf`, with its text and arguments.
    Print(Rc<str>, Vec<Expr>),
    /// `printm(e)`.
    PrintMtype(Expr),
    /// `q!a,b` and `q!!a,b`.
    Send {
        /// The channel.
        channel: Reference,
        /// The message.
        fields: Vec<Expr>,
        /// `!!`.
        sorted: bool,
    },
    /// `q?a,b`, `q??a,b`, `q?<a,b>` and `q??<a,b>`.
    Receive {
        /// The channel.
        channel: Reference,
        /// What to do with each field.
        fields: Vec<ReceiveField>,
        /// `??`.
        anywhere: bool,
        /// `<...>`.
        keep: bool,
    },
    /// `if`.
    If(Vec<Sequence>),
    /// `do`.
    Do(Vec<Sequence>),
    /// `for (x : a .. b) { ... }`.
    ForRange(Reference, Expr, Expr, Sequence),
    /// `for (x in y) { ... }`.
    ForIn(Reference, Reference, Sequence),
    /// `select (x : a .. b)`.
    Select(Reference, Expr, Expr),
    /// `atomic { ... }`.
    Atomic(Sequence),
    /// `d_step { ... }`.
    DStep(Sequence),
    /// `{ ... }`.
    Block(Sequence),
    /// The block that a call of an inline definition stands for; the text is that of the call.
    Call(Sequence),
    /// `main unless escape`.
    Unless(Box<Statement>, Box<Statement>),
    /// `goto label`.
    Goto(Ident),
    /// `break`.
    Break,
    /// `label: statement`; without a statement before a `}`.
    Labelled(Ident, Option<Box<Statement>>),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
}

/// What a receive does with a field.
#[derive(Clone, PartialEq, Debug)]
pub enum ReceiveField {
    /// A variable (stored into), a constant (demanded) or `_` (ignored).
    Reference(Reference),
    /// A number or `eval(e)`: demanded.
    Value(Expr),
}

/// `a.b[i].c`.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// The parts.
    pub parts: Vec<(Ident, Option<Expr>)>,
    /// The whole.
    pub span: Span,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole of it.
    pub span: Span,
    /// How deep it nests.
    pub depth: u32,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i64),
    /// A variable, a constant or a predefined name.
    Reference(Reference),
    /// An operator on one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator on two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority n`.
    Run {
        /// The process type.
        process: Ident,
        /// Arguments.
        arguments: Vec<Expr>,
        /// `priority`.
        priority: Option<Box<Expr>>,
    },
    /// `len`, `full`, `empty`, `nfull`, `nempty`.
    Probe(ProbeOp, Reference),
    /// `q?[a,b]` and `q??[a,b]`.
    Poll {
        /// The channel.
        channel: Reference,
        /// What to match.
        fields: Vec<ReceiveField>,
        /// `??`.
        anywhere: bool,
    },
    /// The number of elements of an array; not written, but part of `for (x in a)`.
    Length(Reference),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `get_priority(p)`.
    Priority(Box<Expr>),
    /// `P[i]@label`.
    RemoteLabel(Ident, Option<Box<Expr>>, Ident),
    /// `P[i]:x`.
    RemoteVariable(Ident, Option<Box<Expr>>, Reference),
}

/// Operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Minus,
    /// `~`.
    Complement,
    /// `[]`.
    Always,
    /// `<>`.
    Eventually,
    /// `X`.
    Next,
}

/// Operators on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Implies,
    Iff,
    Until,
    WeakUntil,
    Release,
}

/// Questions about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ProbeOp {
    Len,
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

impl Expr {
    /// Whether a `run` stands in it, and how many.
    #[must_use]
    pub fn runs(&self) -> usize {
        let own = usize::from(matches!(self.kind, ExprKind::Run { .. }));
        own + self.children().iter().map(|e| e.runs()).sum::<usize>()
    }

    /// The direct operands.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Enabled(a)
            | ExprKind::PcValue(a)
            | ExprKind::Priority(a) => vec![a],
            ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Conditional(a, b, c) => vec![a, b, c],
            ExprKind::Run { arguments, .. } => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }
}
