//! The syntax tree.
//!
//! Nodes live in arenas and refer to each other by id, so a tree of any shape
//! is dropped without recursion, and tables of types and names are plain
//! vectors beside it. A node is created after its children: ids of children are
//! smaller than their parent's.
//!
//! The parser limits how deep nodes nest, with one exception: a chain such as
//! `a + b + c + ...` leans to the left and may be as long as the text. Who
//! walks expressions goes down left operands with [`Ast::left_spine`], by a
//! loop, and everywhere else by recursion.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use source::{FileId, Span};

use crate::token::Annotation;
use crate::types::Type;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// Position in the table that the id belongs to, from 0.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            pub(crate) fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("a text has fewer nodes than bytes"))
            }
        }
    )*};
}

ids! {
    /// A spelling: equal spellings of one [`Ast`] have equal symbols.
    Symbol;
    /// An expression of an [`Ast`].
    ExprId;
    /// A statement of an [`Ast`].
    StmtId;
    /// A global variable, in order of declaration.
    GlobalId;
    /// A user function, in order of definition.
    FunctionId;
    /// A state, in order of definition; `default` is usually the first.
    StateId;
    /// An event handler, in order of definition over all states.
    HandlerId;
    /// A local variable or parameter of one function or handler: parameters
    /// first, then declarations in the order of the text.
    LocalId;
    /// A label of one function or handler, in the order of the text.
    LabelId;
}

/// A name in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its spelling; [`Ast::text`] gives the letters.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// An expression and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The text it covers.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// Something that could not be read; an error has been reported.
    Error,
    /// An integer literal, sign included if one stands before it.
    Integer(i32),
    /// A float literal, sign included if one stands before it.
    Float(f32),
    /// A string literal, its escapes replaced.
    String(Symbol),
    /// `<x, y, z>`.
    Vector([ExprId; 3]),
    /// `<x, y, z, s>`.
    Rotation([ExprId; 4]),
    /// `[a, b, ...]`.
    List(Box<[ExprId]>),
    /// A variable or a builtin constant.
    Name(Name),
    /// `base.field`, a component of a vector or rotation variable.
    Member {
        /// The variable.
        base: Name,
        /// The component: `x`, `y`, `z` or `s` if the script is right.
        field: Name,
    },
    /// `function(arguments)`, evaluated left to right.
    Call {
        /// The function.
        function: Name,
        /// What it gets.
        arguments: Box<[ExprId]>,
    },
    /// `print(operand)`: evaluates the operand, does nothing.
    Print(ExprId),
    /// `-a`, `!a`, `~a`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: ExprId,
    },
    /// `++a`, `--a`, `a++`, `a--`.
    Step {
        /// What is changed: a name or a member.
        place: ExprId,
        /// +1 or -1.
        by: i32,
        /// Whether the value is the one before the change.
        postfix: bool,
    },
    /// `left op right`; the right operand is evaluated first.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where the operator stands.
        op_span: Span,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `place = value` or, with an operator, `place op= value`.
    Assign {
        /// The operator of `op=`.
        op: Option<BinaryOp>,
        /// What is changed: a name or a member.
        place: ExprId,
        /// What is evaluated, before anything else.
        value: ExprId,
    },
    /// `(type)operand`.
    Cast {
        /// The type asked for.
        to: Type,
        /// What is converted.
        operand: ExprId,
    },
    /// `(inner)`.
    Parenthesized(ExprId),
    /// Any value of a type; in no text, but in scripts that stand for others (localization).
    Undecided {
        /// The type.
        ty: Type,
        /// Whether it is a truth value: 0 or 1.
        truth: bool,
        /// What is evaluated before, for its effect.
        after: Box<[ExprId]>,
    },
    /// A word of the property language applied to a name, such as `in closed`.
    /// Only where [`crate::parser::ExpressionOptions::words`] asks for it.
    Word {
        /// The word.
        word: Name,
        /// The name behind it.
        name: Name,
    },
}

/// The operators with one operand and no effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum UnaryOp {
    Negate,
    Not,
    BitNot,
}

impl UnaryOp {
    /// The spelling.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
        }
    }
}

/// The operators with two operands and no effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl BinaryOp {
    /// Whether it compares its operands.
    pub(crate) fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        )
    }

    /// Whether it asks whether operands are true.
    pub(crate) fn is_logic(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or)
    }

    /// The spelling.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

/// A statement and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The text it covers, its semicolon included.
    pub span: Span,
}

/// The forms of statements.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// Something that could not be read; an error has been reported.
    Error,
    /// `;`
    Empty,
    /// `{ ... }`, a scope of its own.
    Block(Box<[StmtId]>),
    /// An expression evaluated for its effect.
    Expr(ExprId),
    /// `type name;` or `type name = value;`.
    Declare {
        /// The variable's type.
        ty: Type,
        /// The variable.
        name: Name,
        /// Its first value; without one, the type's default.
        value: Option<ExprId>,
    },
    /// `if (c) s else if (c) s ... else s`: the arms in order. A chain of
    /// `else if` is one statement, so that it may be long.
    If {
        /// Conditions and what they guard; at least one.
        arms: Box<[(ExprId, StmtId)]>,
        /// What runs if no condition is true.
        otherwise: Option<StmtId>,
    },
    /// `while (condition) body`
    While {
        /// Read before each turn.
        condition: ExprId,
        /// One turn.
        body: StmtId,
    },
    /// `do body while (condition);`
    DoWhile {
        /// One turn.
        body: StmtId,
        /// Read behind each turn.
        condition: ExprId,
    },
    /// `for (before; condition; after) body`
    For {
        /// Evaluated once.
        before: Box<[ExprId]>,
        /// Read before each turn.
        condition: ExprId,
        /// Evaluated behind each turn.
        after: Box<[ExprId]>,
        /// One turn.
        body: StmtId,
    },
    /// `@name;`
    Label(Name),
    /// `jump name;`
    Jump(Name),
    /// `return;` or `return value;`
    Return(Option<ExprId>),
    /// `state name;`; the name may be `default`.
    State(Name),
}

/// `type name` among the parameters of a function or handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: Name,
}

/// `type name = value;` at the top of a script.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: Name,
    /// Its first value, restricted in form; without one, the type's default.
    pub value: Option<ExprId>,
    /// The whole declaration.
    pub span: Span,
}

/// A user function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// What it returns; `None` for nothing.
    pub result: Option<Type>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Box<[Parameter]>,
    /// Its body, a block.
    pub body: StmtId,
    /// The whole definition.
    pub span: Span,
}

/// `default { ... }` or `state name { ... }`.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Its name, possibly `default`.
    pub name: Name,
    /// Its handlers, in order.
    pub handlers: Box<[HandlerId]>,
    /// The whole definition.
    pub span: Span,
}

/// What a state does on an event.
#[derive(Clone, PartialEq, Debug)]
pub struct Handler {
    /// The state it belongs to.
    pub state: StateId,
    /// The event's name.
    pub event: Name,
    /// Its parameters.
    pub parameters: Box<[Parameter]>,
    /// The parameters with their parentheses.
    pub parameters_span: Span,
    /// Its body, a block.
    pub body: StmtId,
    /// The whole definition.
    pub span: Span,
}

/// A script as written: nothing is resolved, much may be wrong.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The file it was read from.
    pub file: FileId,
    /// Global variables.
    pub globals: Vec<Global>,
    /// User functions.
    pub functions: Vec<Function>,
    /// States.
    pub states: Vec<State>,
    /// The handlers of all states.
    pub handlers: Vec<Handler>,
    /// The `//@` comments.
    pub annotations: Vec<Annotation>,
    /// Whether integers are only copied and compared with numbers that the script writes, so that
    /// these and their neighbours stand for all (see [`abstraction`](crate::abstraction)).
    pub(crate) has_representatives: bool,
    /// Handlers that sleep in the script of which this is a coarser one, where calls that sleep may be left out.
    pub(crate) sleepers: HashSet<HandlerId>,
    /// Where a script of several keeps from which payment the number in a message is.
    pub(crate) receipts: Option<Receipts>,
    exprs: Vec<Expr>,
    stmts: Vec<Stmt>,
    spellings: Vec<Arc<str>>,
    symbols: HashMap<Arc<str>, Symbol>,
}

/// The global variables whose values go from script to script with messages, beside what the scripts send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Receipts {
    /// What goes with the message that is sent.
    pub(crate) sent: GlobalId,
    /// What came with the message that was taken last.
    pub(crate) heard: GlobalId,
    /// Whether a payment is watched: one variable for all scripts, which outlives their resets.
    pub(crate) watching: GlobalId,
}

impl Ast {
    /// A tree without nodes.
    #[must_use]
    pub fn new(file: FileId) -> Ast {
        Ast {
            file,
            globals: Vec::new(),
            functions: Vec::new(),
            states: Vec::new(),
            handlers: Vec::new(),
            annotations: Vec::new(),
            has_representatives: false,
            sleepers: HashSet::new(),
            receipts: None,
            exprs: Vec::new(),
            stmts: Vec::new(),
            spellings: Vec::new(),
            symbols: HashMap::new(),
        }
    }

    /// A tree of the same file that knows the same spellings, without any nodes.
    #[must_use]
    pub fn without_nodes(&self) -> Ast {
        Ast {
            spellings: self.spellings.clone(),
            symbols: self.symbols.clone(),
            ..Ast::new(self.file)
        }
    }

    /// The same tree without statements; bodies of handlers and functions are yet to be put in.
    #[must_use]
    pub fn without_statements(&self) -> Ast {
        Ast {
            stmts: Vec::new(),
            ..self.clone()
        }
    }

    /// The expression with this id.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The statement with this id.
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// All expressions.
    pub(crate) fn exprs_mut(&mut self) -> &mut [Expr] {
        &mut self.exprs
    }

    /// All statements.
    pub(crate) fn stmts_mut(&mut self) -> &mut [Stmt] {
        &mut self.stmts
    }

    /// Number of expressions.
    #[must_use]
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// Number of statements.
    #[must_use]
    pub fn stmt_count(&self) -> usize {
        self.stmts.len()
    }

    /// Adds an expression; its children are there already.
    pub fn add_expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let id = ExprId::new(self.exprs.len());
        self.exprs.push(Expr { kind, span });
        id
    }

    /// Adds a statement; its children are there already.
    pub fn add_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        let id = StmtId::new(self.stmts.len());
        self.stmts.push(Stmt { kind, span });
        id
    }

    /// The symbol of a spelling, made if need be.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol::new(self.spellings.len());
        let text: Arc<str> = text.into();
        self.spellings.push(Arc::clone(&text));
        self.symbols.insert(text, symbol);
        symbol
    }

    /// The symbol of a spelling, if it occurs.
    #[must_use]
    pub fn symbol(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The letters of a symbol.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.spellings[symbol.index()]
    }

    /// The letters of a name.
    #[must_use]
    pub fn name_text(&self, name: Name) -> &str {
        self.text(name.symbol)
    }

    /// An expression's binary operators along left operands: the expression
    /// that is not binary at the lower end, and the binary ones above it,
    /// lowest first; the last is `id` itself. Empty if `id` is not binary.
    ///
    /// For `a + b * c - d` that is `a`, and the nodes of `a + b * c` and of the
    /// whole.
    #[must_use]
    pub fn left_spine(&self, id: ExprId) -> (ExprId, Vec<ExprId>) {
        let mut spine = Vec::new();
        let mut lowest = id;
        while let ExprKind::Binary { left, .. } = self.expr(lowest).kind {
            spine.push(lowest);
            lowest = left;
        }
        spine.reverse();
        (lowest, spine)
    }

    /// The expression without the parentheses around it.
    #[must_use]
    pub fn without_parentheses(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Parenthesized(inner) = self.expr(id).kind {
            id = inner;
        }
        id
    }

    /// The state with this name.
    #[must_use]
    pub fn state_named(&self, name: Symbol) -> Option<StateId> {
        let index = self
            .states
            .iter()
            .position(|state| state.name.symbol == name)?;
        Some(StateId::new(index))
    }

    /// The global variable with this id.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// The user function with this id.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The state with this id.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The handler with this id.
    #[must_use]
    pub fn handler(&self, id: HandlerId) -> &Handler {
        &self.handlers[id.index()]
    }

    /// The ids of all global variables.
    pub fn global_ids(&self) -> impl Iterator<Item = GlobalId> + use<> {
        (0..self.globals.len()).map(GlobalId::new)
    }

    /// The ids of all user functions.
    pub fn function_ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len()).map(FunctionId::new)
    }

    /// The ids of all expressions, those of properties included.
    pub fn expr_ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len()).map(ExprId::new)
    }

    /// The ids of all states.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId::new)
    }

    /// The ids of all handlers.
    pub fn handler_ids(&self) -> impl Iterator<Item = HandlerId> + use<> {
        (0..self.handlers.len()).map(HandlerId::new)
    }
}
