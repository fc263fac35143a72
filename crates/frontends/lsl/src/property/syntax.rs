//! The tree of the `//@` annotations: directives, formulas, event patterns.
//!
//! Expressions and ghost updates are LSL and live in the script's own [`Ast`](crate::ast::Ast).

use source::Span;

use crate::ast::{ExprId, Name, StmtId};

/// All directives of a file and of the command line, in order.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// `property NAME: ...;`
    pub properties: Vec<Property>,
    /// How many of them, the last ones, the command line asks for.
    pub asked: usize,
    /// `ghost TYPE NAME = e;`
    pub ghosts: Vec<Ghost>,
    /// `on EVENT { ... }`
    pub updates: Vec<Update>,
    /// `assume ...;`
    pub assumptions: Vec<Assumption>,
    /// `bound NAME = lo..hi;`
    pub bounds: Vec<Bound>,
    /// Names of properties whose claim could not be read; that has been reported.
    pub unread: Vec<String>,
}

/// `property NAME: ...;`
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// What is claimed.
    pub claim: Claim,
    /// The claim as written, on one line.
    pub text: String,
    /// The whole directive.
    pub span: Span,
}

/// What a property claims.
#[derive(Clone, Debug)]
pub enum Claim {
    /// A formula about runs.
    Formula(Formula),
    /// `when EVENT require E`: at each such event the expression is true.
    When(Pattern, ExprId),
}

/// A formula of linear time. Its letters are macro steps.
#[derive(Clone, Debug)]
pub enum Formula {
    /// An LSL expression, read at the stable state.
    State(ExprId),
    /// The event happened in this macro step.
    Event(Box<Pattern>),
    /// `!p`
    Not(Box<Formula>),
    /// `p && q`
    And(Box<Formula>, Box<Formula>),
    /// `p || q`
    Or(Box<Formula>, Box<Formula>),
    /// `p -> q`
    Implies(Box<Formula>, Box<Formula>),
    /// `p <-> q`
    Iff(Box<Formula>, Box<Formula>),
    /// `X p`, `next p`
    Next(Box<Formula>),
    /// `[] p`, `always p`
    Always(Box<Formula>),
    /// `never p`, which is `always !p`
    Never(Box<Formula>),
    /// `<> p`, `eventually p`
    Eventually(Box<Formula>),
    /// `p U q`, `p until q`
    Until(Box<Formula>, Box<Formula>),
    /// `p V q`, `p R q`, `p releases q`
    Release(Box<Formula>, Box<Formula>),
    /// `p W q`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `p leads to q`, which is `always (p -> eventually q)`
    LeadsTo(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether there is no operator about other moments than this one.
    #[must_use]
    pub fn is_present(&self) -> bool {
        match self {
            Formula::State(_) | Formula::Event(_) => true,
            Formula::Not(p) => p.is_present(),
            Formula::And(p, q)
            | Formula::Or(p, q)
            | Formula::Implies(p, q)
            | Formula::Iff(p, q) => p.is_present() && q.is_present(),
            _ => false,
        }
    }

    /// The direct subformulas.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::State(_) | Formula::Event(_) => Vec::new(),
            Formula::Not(p)
            | Formula::Next(p)
            | Formula::Always(p)
            | Formula::Never(p)
            | Formula::Eventually(p) => vec![p],
            Formula::And(p, q)
            | Formula::Or(p, q)
            | Formula::Implies(p, q)
            | Formula::Iff(p, q)
            | Formula::Until(p, q)
            | Formula::Release(p, q)
            | Formula::WeakUntil(p, q)
            | Formula::LeadsTo(p, q) => vec![p, q],
        }
    }

    /// Visits the expressions and patterns in it, from left to right.
    pub fn leaves(&self, each: &mut impl FnMut(Leaf<'_>)) {
        match self {
            Formula::State(expr) => each(Leaf::Expr(*expr)),
            Formula::Event(pattern) => each(Leaf::Pattern(pattern)),
            other => other
                .operands()
                .into_iter()
                .for_each(|operand| operand.leaves(each)),
        }
    }
}

/// What a formula is made of.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'a> {
    /// A state atom.
    Expr(ExprId),
    /// An event atom.
    Pattern(&'a Pattern),
}

/// An event: what happens, in which handler, under which condition.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What happens.
    pub kind: EventKind,
    /// The arguments; empty where none are written.
    pub arguments: Vec<Argument>,
    /// `during EVENT(args)`: only within that handler.
    pub during: Option<During>,
    /// `if (c)`: only if this is true then.
    pub conditions: Vec<ExprId>,
    /// The text it covers.
    pub span: Span,
}

/// The kinds of events that a pattern can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// `call f(...)`: the script calls a library function.
    Call(Name),
    /// `x changes`: a global variable gets another value.
    Changes(Name),
    /// `paid(id, amount)`: money reaches the owner, whether or not the script learns of it.
    Paid(Span),
    /// `discarded(id, amount)`: a payment whose event the script will never see.
    Discarded(Span),
    /// `owner changes`.
    OwnerChanges(Span),
    /// `touch_start(n)`: the script begins to handle an event.
    Handled(Name),
}

/// `during EVENT(args)`.
#[derive(Clone, Debug)]
pub struct During {
    /// The LSL event.
    pub event: Name,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// The text it covers.
    pub span: Span,
}

/// An argument of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// `_`: whatever it is.
    Any,
    /// A name alone: a new name for the argument, or, if the name has a meaning already, the
    /// value that it must equal. Which one is told when names are resolved.
    Name(Name),
    /// Must equal this value.
    Equal(ExprId),
}

/// A variable of the verification.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// Its type.
    pub ty: GhostType,
    /// Its name.
    pub name: Name,
    /// Its first value; without one, the type's default.
    pub value: Option<ExprId>,
    /// The whole directive.
    pub span: Span,
}

/// The types of ghosts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GhostType {
    /// A mathematical integer.
    Integer,
    /// A key.
    Key,
    /// Text.
    String,
}

/// `on EVENT { ... }`: what happens to ghosts at an event.
#[derive(Clone, Debug)]
pub struct Update {
    /// The event.
    pub pattern: Pattern,
    /// Assignments to ghosts, `if`, blocks.
    pub body: Vec<StmtId>,
    /// The whole directive.
    pub span: Span,
}

/// `assume ...;`
#[derive(Clone, Debug)]
pub struct Assumption {
    /// What is assumed.
    pub kind: AssumptionKind,
    /// As written, on one line, without `for`.
    pub text: String,
    /// The properties that it touches; `None`: all.
    pub properties: Option<Vec<(String, Span)>>,
    /// The whole directive.
    pub span: Span,
}

/// What can be assumed.
#[derive(Clone, Debug)]
pub enum AssumptionKind {
    /// `owner grants PERMISSION_X`: when asked for it, and is asked at last.
    OwnerGrants(Name),
    /// `owner answers`: a request for permissions does not stay open for ever.
    OwnerAnswers,
    /// `timer keeps firing`: an armed timer fires at last.
    TimerKeepsFiring,
    /// `queue never overflows`.
    QueueNeverOverflows,
    /// `no payment is lost`.
    NoPaymentLost,
    /// `owner stays`: the object is not sold or given away.
    OwnerStays,
    /// `inventory stays`: nothing is put into or taken out of the object's inventory.
    InventoryStays,
    /// `payments are positive`.
    PaymentsPositive,
    /// `always E`: in every stable state.
    Always(Formula),
    /// `when EVENT require E`.
    When(Pattern, ExprId),
}

/// `bound NAME = V;` or `bound NAME = lo..hi;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// What is bounded: `amount`, `bidders`, `events-per-timer`, `money.amount`...
    pub name: String,
    /// The least value; 0 if one value is given.
    pub lo: i64,
    /// The greatest value.
    pub hi: i64,
    /// As written: `0..10`.
    pub text: String,
    /// The whole directive; [`Span::NONE`] for the command line.
    pub span: Span,
}
