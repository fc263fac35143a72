//! What is read from a file: classes with fields and methods, statements, expressions.

use source::Span;

/// A file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) classes: Vec<Class>,
}

/// A class or an interface. Those that stand inside others, or have no name, are in the same list.
#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: String,
    /// The class that it stands in.
    pub(crate) outer: Option<String>,
    /// Whether its objects know one of the class that it stands in, or variables around it.
    pub(crate) inner: bool,
    pub(crate) superclass: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) methods: Vec<Method>,
    /// What happens when it is loaded, or an object is made, in the order of the text.
    pub(crate) beginnings: Vec<Beginning>,
    /// The names that a class without a name uses, which may be those of variables around it.
    pub(crate) mentioned: Vec<String>,
    /// Where it is said that none of its objects must be lost, if that is.
    pub(crate) never_lost: Option<Span>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) is_volatile: bool,
    pub(crate) span: Span,
}

/// An initialiser of a field, or a block.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) is_static: bool,
    /// The field that the expression statement is assigned to.
    pub(crate) body: Vec<Stmt>,
}

#[derive(Debug)]
pub(crate) struct Method {
    /// `<init>` for a constructor.
    pub(crate) name: String,
    pub(crate) is_static: bool,
    pub(crate) synchronized: bool,
    pub(crate) result: Type,
    pub(crate) parameters: Vec<(Type, String)>,
    /// None, if it is abstract.
    pub(crate) body: Option<Vec<Stmt>>,
    pub(crate) span: Span,
}

/// A type by its name, without arguments; arrays have dimensions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) dimensions: usize,
}

#[derive(Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StmtKind {
    Empty,
    Block(Vec<Stmt>),
    Local(Type, Vec<(String, Option<Expr>)>),
    Expr(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For(Box<For>),
    /// `for (T x : e)`.
    Each(Type, String, Expr, Box<Stmt>),
    /// The value, and the statements behind each label; whether one is `default`.
    Switch(Expr, Vec<Vec<Stmt>>, bool),
    Synchronized(Expr, Vec<Stmt>),
    Return(Option<Expr>),
    Break(Option<String>),
    Continue(Option<String>),
    Labelled(String, Box<Stmt>),
    Assert(Expr),
    Throw(Expr),
    Try(Box<Try>),
}

#[derive(Debug)]
pub(crate) struct For {
    pub(crate) first: Vec<Stmt>,
    pub(crate) condition: Option<Expr>,
    pub(crate) next: Vec<Expr>,
    pub(crate) body: Stmt,
}

#[derive(Debug)]
pub(crate) struct Try {
    pub(crate) body: Vec<Stmt>,
    /// The types that are caught, and what is done then.
    pub(crate) catches: Vec<(Vec<String>, Vec<Stmt>)>,
    pub(crate) finally: Option<Vec<Stmt>>,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Null,
    This,
    Bool(bool),
    /// A number.
    Number(String),
    /// A text.
    Text,
    Name(String),
    Field(Box<Expr>, String),
    Call(Option<Box<Expr>>, String, Vec<Expr>),
    /// `this(...)` and `super(...)`.
    Construct(bool, Vec<Expr>),
    New(String, Vec<Expr>),
    Class(String),
    Not(Box<Expr>),
    And(Box<[Expr; 2]>),
    Or(Box<[Expr; 2]>),
    /// `==`, or `!=`.
    Equal(bool, Box<[Expr; 2]>),
    If(Box<[Expr; 3]>),
    Assign(Box<[Expr; 2]>),
    /// The operand is read and written: `x++`, `x += e`.
    Update(Box<Expr>, Vec<Expr>),
    Cast(Type, Box<Expr>),
    InstanceOf(Box<Expr>, Type),
    /// An element of an array.
    Index(Box<[Expr; 2]>),
    NewArray(Vec<Expr>),
    /// An operation on numbers or texts.
    Operator(String, Vec<Expr>),
    /// Something that is not understood; it has been said.
    Unknown,
}
