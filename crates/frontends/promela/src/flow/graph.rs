//! Elements: the statements of a body as nodes of a graph.

use std::rc::Rc;

use source::Span;

use super::scope::ScopeId;
use crate::ast::{Ident, StatementKind};

/// The position of an element in its graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ElementId(pub u32);

impl ElementId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The position of a call of an inline definition in its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallId(pub(super) u32);

/// The position of a sequence in its graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SequenceId(pub(super) u32);

/// Elements in a row. A sequence is never empty once it is closed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) first: Option<ElementId>,
    /// The last one, the target behind a selection included.
    pub(super) last: Option<ElementId>,
    /// The last one that is written.
    pub(super) extent: Option<ElementId>,
}

/// Kinds of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// `{ ... }`, and any block inside of a `d_step` or an atomic one.
    Plain,
    /// `atomic { ... }`.
    Atomic,
    /// `d_step { ... }`.
    Deterministic,
}

/// What an element is.
#[derive(Clone, Debug)]
pub enum ElementKind {
    /// A basic statement.
    Basic(Box<StatementKind>),
    /// The assignment that a declaration behind the first statement makes: of this local.
    Declare(usize),
    /// Does nothing; always executable.
    Skip,
    /// `else`.
    Else,
    /// `goto label`, or `break`.
    Jump(Jump),
    /// `if` and `do`.
    Choice(Vec<SequenceId>),
    /// A block.
    Block(BlockKind, SequenceId),
    /// The main sequence and its escape.
    Unless(SequenceId, SequenceId),
    /// Where the options of a selection meet.
    Join,
    /// Where a loop is left to.
    LoopExit,
    /// The end of the body.
    End,
}

/// Where a jump leads.
#[derive(Clone, Debug)]
pub enum Jump {
    /// To a label; where it is found is filled in at the end.
    Label(Ident, Option<ElementId>),
    /// To the exit of the loop with this number.
    Break(usize),
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct Element {
    /// What it is.
    pub kind: ElementKind,
    /// What follows it.
    pub next: Option<ElementId>,
    /// The text.
    pub span: Span,
    /// The block it is in.
    pub scope: ScopeId,
    /// Its position among declarations and statements.
    pub position: u32,
    /// Inside of an atomic block, and not its last statement: control is kept behind it.
    pub keeps: bool,
    /// The last statement of an atomic block.
    pub(super) last_atomic: bool,
    /// Inside of a `d_step`: the number of that.
    pub d_step: Option<u32>,
    /// The call of an inline definition whose text it is in.
    pub call: Option<CallId>,
    /// Escapes that cover it, the outermost first.
    pub(super) escapes: Vec<SequenceId>,
    /// Labels, as written.
    pub labels: Vec<Ident>,
}

/// The elements of a body.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(super) elements: Vec<Element>,
    pub(super) rows: Vec<Row>,
    /// The exits of loops, by their numbers.
    pub(super) exits: Vec<Option<ElementId>>,
}

impl Graph {
    /// An element.
    #[must_use]
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.index()]
    }

    /// All elements.
    pub fn elements(&self) -> impl Iterator<Item = (ElementId, &Element)> {
        (0..).map(ElementId).zip(&self.elements)
    }

    pub(super) fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.index()]
    }

    pub(super) fn row(&self, id: SequenceId) -> Row {
        self.rows[id.0 as usize]
    }

    /// The first element of a sequence.
    pub(super) fn first(&self, id: SequenceId) -> ElementId {
        self.row(id)
            .first
            .expect("a closed sequence has a first element")
    }

    /// The elements of a sequence from the first to the last written.
    pub(super) fn written(&self, id: SequenceId) -> Vec<ElementId> {
        let row = self.row(id);
        self.between(row.first, row.extent)
    }

    /// The elements of a sequence, the join behind a selection included.
    pub(super) fn whole(&self, id: SequenceId) -> Vec<ElementId> {
        let row = self.row(id);
        self.between(row.first, row.last)
    }

    fn between(&self, mut at: Option<ElementId>, last: Option<ElementId>) -> Vec<ElementId> {
        let mut found = Vec::new();
        while let Some(id) = at {
            found.push(id);
            if Some(id) == last {
                break;
            }
            at = self.element(id).next;
        }
        found
    }

    /// The target of a jump.
    #[must_use]
    pub fn destination(&self, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::Label(_, target) => *target,
            Jump::Break(exit) => self.exits.get(*exit).copied().flatten(),
        }
    }
}

impl Element {
    /// Whether one of its labels begins like this.
    #[must_use]
    pub fn has_label(&self, prefix: &str) -> bool {
        self.labels
            .iter()
            .any(|label| label.name.starts_with(prefix))
    }

    /// The basic statement, if it is one.
    #[must_use]
    pub fn statement(&self) -> Option<&StatementKind> {
        match &self.kind {
            ElementKind::Basic(basic) => Some(basic),
            _ => None,
        }
    }

    /// A condition that is always true, or a `printf`.
    pub(super) fn is_skip(&self) -> bool {
        match &self.kind {
            ElementKind::Skip => true,
            ElementKind::Basic(basic) => match &**basic {
                StatementKind::Print(..) | StatementKind::PrintMtype(_) => true,
                StatementKind::Condition(e) => is_true(e),
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn prints(&self) -> bool {
        matches!(
            self.statement(),
            Some(StatementKind::Print(..) | StatementKind::PrintMtype(_))
        )
    }
}

/// Whether an expression is written `1`, `true` or `skip`.
pub fn is_true(e: &crate::ast::Expr) -> bool {
    use crate::ast::ExprKind;
    match &e.kind {
        ExprKind::Number(n) => *n == 1,
        ExprKind::Reference(r) => {
            let name: &Rc<str> = &r.parts[0].0.name;
            r.parts.len() == 1 && matches!(&**name, "true" | "skip")
        }
        _ => false,
    }
}
