//! What a process can do: expressions without names, over the actions and variables of one process.
//!
//! Expressions are hash-consed, so that what is left of a process after an action is one number.

use std::collections::{HashMap, HashSet};

use source::Span;

use crate::ast::Word;
use crate::term::{Pattern, VarId};
use crate::types::Type;

/// What is left of a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CoreId(u32);

/// An expression without names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Core {
    /// Nothing: it has ended.
    Done,
    /// An action, by its position.
    Atom(usize),
    Sequence(CoreId, CoreId),
    /// Of nothing: `delta`.
    Choice(Vec<CoreId>),
    Biased {
        second_best: CoreId,
        best: CoreId,
    },
    Iteration(CoreId, CoreId),
    Merge(Vec<CoreId>),
    Disrupt(CoreId, CoreId),
    /// The first action is taken only if this holds.
    If {
        test: Test,
        then: CoreId,
    },
    /// The first action is taken with this variable set.
    With {
        var: VarId,
        value: Pattern,
        then: CoreId,
    },
}

/// A test, and the answer that is wanted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Test {
    pub(crate) test: Pattern,
    pub(crate) wanted: bool,
}

/// An action where it stands in the text of a process, calls inlined.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) word: Word,
    pub(crate) args: Vec<Pattern>,
    /// For `create`: the process, by its position in the script.
    pub(crate) creates: Option<usize>,
    /// Whether it has to wait.
    pub(crate) delayed: bool,
    /// How many seconds, where that is a number.
    pub(crate) delay: Option<i64>,
    /// After how many seconds it is too late, where that is a number.
    pub(crate) timeout: Option<i64>,
    pub(crate) span: Span,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) span: Span,
}

/// A process that runs by itself.
#[derive(Debug)]
pub(crate) struct Inlined {
    /// Its position in the script; `usize::MAX` if only other scripts call it, so that nothing creates it.
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Parameters first.
    pub(crate) variables: Vec<Variable>,
    pub(crate) parameters: usize,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) cores: Cores,
    pub(crate) root: CoreId,
    /// The loops that are in no other.
    pub(crate) outermost: HashSet<CoreId>,
    /// Whether it runs on the bus in Java.
    pub(crate) ng: bool,
    /// Choices by `+>` that have been met in the state that is looked at.
    pub(crate) choices: u16,
}

impl Inlined {
    /// Whether an action of the rest of the system is that this process is called, with its first one.
    pub(crate) fn is_own_call(&self, atom: &Atom) -> bool {
        let own = |term: &Pattern| matches!(term, Pattern::Str(name) if **name == *self.name);
        atom.word == Word::Outside && atom.args.first().is_some_and(own)
    }
}

/// Expressions, each once.
#[derive(Default, Debug)]
pub(crate) struct Cores {
    all: Vec<Core>,
    ids: HashMap<Core, CoreId>,
}

impl Cores {
    pub(crate) fn get(&self, id: CoreId) -> &Core {
        &self.all[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Core> {
        self.all.iter()
    }

    pub(crate) fn add(&mut self, core: Core) -> CoreId {
        if let Some(&id) = self.ids.get(&core) {
            return id;
        }
        let id = CoreId(u32::try_from(self.all.len()).expect("fewer than 2^32 expressions"));
        self.all.push(core.clone());
        self.ids.insert(core, id);
        id
    }

    pub(crate) fn sequence(&mut self, first: CoreId, then: CoreId) -> CoreId {
        match (self.get(first), self.get(then)) {
            (Core::Done, _) => then,
            (_, Core::Done) => first,
            _ => self.add(Core::Sequence(first, then)),
        }
    }

    pub(crate) fn merge(&mut self, mut parts: Vec<CoreId>) -> CoreId {
        parts.retain(|&part| *self.get(part) != Core::Done);
        match parts.as_slice() {
            [] => self.add(Core::Done),
            [only] => *only,
            _ => self.add(Core::Merge(parts)),
        }
    }
}
