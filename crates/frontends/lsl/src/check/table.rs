//! What the checker found out, beside the tree.
//!
//! Lowering reads a script from here without looking up a name: every
//! expression has a type, every use of a name has its meaning, every declaration
//! its local variable, every implicit conversion its target.

use std::collections::HashMap;

use crate::ast::{
    Ast, ExprId, ExprKind, FunctionId, GlobalId, HandlerId, LabelId, LocalId, Name, StateId,
    StmtId, Symbol, UnaryOp,
};
use crate::facts;
use crate::types::Type;

/// What an expression yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExprType {
    /// A value of this type.
    Value(Type),
    /// Nothing: a call of a function without a result, or `print`.
    Void,
    /// Unknown, because something is wrong with it; that has been reported.
    Error,
}

impl ExprType {
    /// The type of the value, if there is one.
    #[must_use]
    pub fn value(self) -> Option<Type> {
        match self {
            ExprType::Value(ty) => Some(ty),
            ExprType::Void | ExprType::Error => None,
        }
    }
}

impl From<Option<Type>> for ExprType {
    /// `None` is [`ExprType::Void`].
    fn from(result: Option<Type>) -> ExprType {
        result.map_or(ExprType::Void, ExprType::Value)
    }
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Resolution {
    /// A global variable.
    Global(GlobalId),
    /// A parameter or local variable of the function or handler at hand.
    Local(LocalId),
    /// A builtin constant.
    Constant(&'static facts::Constant),
    /// A user function.
    Function(FunctionId),
    /// A library function.
    Library(&'static facts::Function),
    /// A state, after a word such as `in`.
    State(StateId),
    /// Something that the environment of a property brought in, by its number.
    Extra(u32),
}

/// What is known of one expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Use {
    /// What it yields by itself.
    pub ty: ExprType,
    /// What the place around it turns it into, if that is another type.
    pub converted: Option<Type>,
    /// For names, members, calls and words: what the name means.
    pub resolution: Option<Resolution>,
}

const UNCHECKED: Use = Use {
    ty: ExprType::Error,
    converted: None,
    resolution: None,
};

/// Types and meanings of all expressions of an [`Ast`]. It grows when
/// expressions are checked that were added later.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExprTable {
    uses: Vec<Use>,
}

impl ExprTable {
    /// All that is known of an expression.
    #[must_use]
    pub fn get(&self, id: ExprId) -> Use {
        self.uses.get(id.index()).copied().unwrap_or(UNCHECKED)
    }

    /// What the expression yields by itself.
    #[must_use]
    pub fn ty(&self, id: ExprId) -> ExprType {
        self.get(id).ty
    }

    /// The type of the value that the place around the expression sees: its
    /// own, or what it is converted to.
    ///
    /// # Panics
    /// If it has no value: it is void, wrong, or was never checked.
    #[must_use]
    pub fn used_as(&self, id: ExprId) -> Type {
        let used = self.get(id);
        used.converted
            .or(used.ty.value())
            .expect("checked expressions in value position have a value")
    }

    /// What the name in the expression means.
    #[must_use]
    pub fn resolution(&self, id: ExprId) -> Option<Resolution> {
        self.get(id).resolution
    }

    fn slot(&mut self, id: ExprId) -> &mut Use {
        if id.index() >= self.uses.len() {
            self.uses.resize(id.index() + 1, UNCHECKED);
        }
        &mut self.uses[id.index()]
    }

    pub(super) fn set_type(&mut self, id: ExprId, ty: ExprType) {
        self.slot(id).ty = ty;
    }

    pub(super) fn set_converted(&mut self, id: ExprId, ty: Type) {
        self.slot(id).converted = Some(ty);
    }

    pub(super) fn set_resolution(&mut self, id: ExprId, resolution: Resolution) {
        self.slot(id).resolution = Some(resolution);
    }
}

/// A parameter or local variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its type.
    pub ty: Type,
    /// Its name, where it is declared.
    pub name: Name,
    /// Whether it is a parameter.
    pub parameter: bool,
}

/// The variables and labels of one function, handler, or piece of property text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// Parameters, then local variables; a [`LocalId`] is an index here. Equal
    /// names in different blocks are different variables.
    pub locals: Vec<Local>,
    /// Labels; a [`LabelId`] is an index here.
    pub labels: Vec<Name>,
}

impl Body {
    /// The variable with this id.
    #[must_use]
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    /// The ids of all variables, parameters first.
    pub fn local_ids(&self) -> impl Iterator<Item = LocalId> + use<> {
        (0..self.locals.len()).map(LocalId::new)
    }
}

/// What a statement's name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StmtName {
    Local(LocalId),
    Label(LabelId),
    State(StateId),
}

/// The names at the top of a script.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct GlobalNames {
    pub(super) globals: HashMap<Symbol, GlobalId>,
    pub(super) functions: HashMap<Symbol, FunctionId>,
    pub(super) states: HashMap<Symbol, StateId>,
}

/// A script with its names and types.
///
/// If checking gave no error, everything in reach of a handler or function is
/// resolved and typed. Otherwise parts may be missing.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree.
    pub ast: Ast,
    /// Types and meanings of its expressions.
    pub exprs: ExprTable,
    pub(super) statements: HashMap<StmtId, StmtName>,
    pub(super) names: GlobalNames,
    pub(super) functions: Vec<Body>,
    pub(super) handlers: Vec<Body>,
}

impl Checked {
    /// The integer that an expression is, if it is written in the script or a builtin constant.
    pub(crate) fn written_integer(&self, expr: ExprId) -> Option<i32> {
        let expr = self.ast.without_parentheses(expr);
        match self.ast.expr(expr).kind {
            ExprKind::Integer(value) => Some(value),
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => self.written_integer(operand).map(i32::wrapping_neg),
            _ => match self.exprs.resolution(expr) {
                Some(Resolution::Constant(facts::Constant {
                    value: facts::Value::Integer(value),
                    ..
                })) => Some(*value),
                _ => None,
            },
        }
    }

    /// The variables and labels of a function.
    #[must_use]
    pub fn function_body(&self, id: FunctionId) -> &Body {
        &self.functions[id.index()]
    }

    /// The variables and labels of a handler.
    #[must_use]
    pub fn handler_body(&self, id: HandlerId) -> &Body {
        &self.handlers[id.index()]
    }

    /// The variable that a declaration statement declares.
    #[must_use]
    pub fn declared(&self, id: StmtId) -> Option<LocalId> {
        match self.statements.get(&id) {
            Some(&StmtName::Local(local)) => Some(local),
            _ => None,
        }
    }

    /// The label that a label statement sets or a jump goes to.
    #[must_use]
    pub fn label(&self, id: StmtId) -> Option<LabelId> {
        match self.statements.get(&id) {
            Some(&StmtName::Label(label)) => Some(label),
            _ => None,
        }
    }

    /// The state that a `state` statement goes to.
    #[must_use]
    pub fn target_state(&self, id: StmtId) -> Option<StateId> {
        match self.statements.get(&id) {
            Some(&StmtName::State(state)) => Some(state),
            _ => None,
        }
    }

    /// The global variable with this name.
    #[must_use]
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        let symbol = self.ast.symbol(name)?;
        self.names.globals.get(&symbol).copied()
    }

    /// The user function with this name.
    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let symbol = self.ast.symbol(name)?;
        self.names.functions.get(&symbol).copied()
    }

    /// The state with this name.
    #[must_use]
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        let symbol = self.ast.symbol(name)?;
        self.names.states.get(&symbol).copied()
    }

    /// The handler of an event in a state.
    #[must_use]
    pub fn handler_of(&self, state: StateId, event: &str) -> Option<HandlerId> {
        let symbol = self.ast.symbol(event)?;
        let handlers = &self.ast.state(state).handlers;
        handlers
            .iter()
            .copied()
            .find(|&id| self.ast.handler(id).event.symbol == symbol)
    }

    /// The event that a handler is for.
    #[must_use]
    pub fn event(&self, id: HandlerId) -> Option<&'static facts::Event> {
        facts::event(self.ast.name_text(self.ast.handler(id).event))
    }
}
