//! Which texts and keys can meet.
//!
//! A value from outside may equal every literal and constant that the script can compare it with,
//! and strangers beside. Which these are is told by a look over the script's text: variables,
//! parameters, results and readings between which a value can be passed, or of which two are
//! compared, are put into one *class* (a union-find; Tarjan 1975). The literals of a class are the
//! range of all that is read into it. How many strangers there have to be is an argument of data
//! independence, as for avatars (see `environment/identities.rs`): where values are compared with
//! literals only, one; else as many as there are places that keep one, and readings that bring one.
//!
//! Whatever this look overlooks costs no soundness: a stranger and a text that it was not chosen
//! apart from are compared as *may be equal* (see [`library::same`](crate::library::same)).

mod text;
mod unite;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Input;
use crate::ast::{ExprId, FunctionId, GlobalId};
use crate::types::Type;

/// More strangers than this are not told apart: one stands for all, and comparing it with itself
/// is undecided.
const MOST_STRANGERS: usize = 4;

/// Something that may hold a text, a key, or a list of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holder {
    /// A variable of the script.
    Global(GlobalId),
    /// A variable or parameter of a handler or function, by the number of that.
    Local(usize, usize),
    /// What a function returns.
    Result(FunctionId),
    /// A parameter of an event.
    Parameter(&'static str, usize),
    /// What is read of a fact, or given by a function of no other kind.
    Fact(&'static str),
    /// The keys of requests that an event answers.
    Requests(&'static str),
    /// Names that properties bring in: ghosts and arguments, keys or texts.
    Extra(bool),
    /// An expression.
    Expr(ExprId),
}

/// What is known of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Class {
    /// The texts that the script writes.
    pub(crate) literals: BTreeSet<String>,
    /// Whether somebody's key is among its values.
    pub(crate) somebody: bool,
    /// Whether texts from outside are among its values, so that strangers are.
    pub(crate) strange: bool,
    /// Whether texts are among its values that were computed while the script ran.
    pub(crate) computed: bool,
    /// Whether keys are among its values that the script has made or been given for itself, such as
    /// those of its requests.
    pub(crate) own: bool,
    /// Whether keys that are made anew are among its values.
    pub(crate) made: bool,
    /// Whether operations were applied that do not reach every value (see [`text`]).
    pub(crate) narrowed: bool,
    /// Whether anything is asked about its values: whether they are equal, true, what is in them.
    pub(crate) asked: bool,
    /// Whether two values are compared neither of which is written in the script.
    pub(crate) pairs: bool,
    /// Whether two values are compared neither of which is written, or comes with an event as it is.
    pub(crate) kept_pairs: bool,
    /// How many variables keep one from one event to the next.
    pub(crate) kept: usize,
    /// How many readings bring one.
    pub(crate) readings: usize,
    /// Whether lists keep them, or loops read them: any number.
    pub(crate) endless: bool,
}

impl Class {
    /// How many strangers stand for all texts that are no literals, and whether each is only
    /// itself.
    pub(crate) fn strangers(&self) -> (usize, bool) {
        let enough = self.kept + self.readings.max(1);
        if !self.pairs || self.endless || enough > MOST_STRANGERS {
            (1, false)
        } else {
            (enough, true)
        }
    }

    /// Whether two of its values are equal if and only if they are the same term.
    pub(crate) fn is_plain(&self) -> bool {
        !self.computed && (!self.pairs || !self.strange || self.strangers().1)
    }

    /// Values may come from another script or go there: nothing is told of how many there are, and
    /// names do not tell them apart.
    fn meets_others(&mut self) {
        (self.pairs, self.strange, self.endless) = (true, true, true);
        self.kept_pairs = true;
    }

    /// Whether what an operation makes of a value from outside may be anything, as long as nothing
    /// else is asked about that value.
    pub(crate) fn reaches_all(&self) -> bool {
        !self.narrowed && self.kept == 0 && !self.endless
    }
}

/// The classes of a script and its properties.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    numbers: HashMap<Holder, usize>,
    parents: Vec<usize>,
    classes: Vec<Class>,
    /// Whether ghosts keep keys or texts: what they keep is not looked at when a key is made.
    pub(crate) ghosts: bool,
    /// Whether there are people who are not told apart.
    pub(crate) nameless: bool,
    /// UUIDs that the script writes.
    pub(crate) uuids: BTreeSet<String>,
    /// Expressions of texts that are only shown to somebody.
    pub(crate) shown: HashSet<ExprId>,
}

impl Flow {
    /// Looks over a script and its properties.
    pub(crate) fn of(input: Input<'_>) -> Flow {
        unite::unite(input)
    }

    fn number(&mut self, holder: Holder) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(holder).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.classes.push(Class::default());
        }
        number
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (into, from) = if self.classes[a].literals.len() >= self.classes[b].literals.len() {
            (a, b)
        } else {
            (b, a)
        };
        let other = std::mem::take(&mut self.classes[from]);
        self.parents[from] = into;
        let class = &mut self.classes[into];
        class.literals.extend(other.literals);
        class.somebody |= other.somebody;
        class.strange |= other.strange;
        class.computed |= other.computed;
        class.own |= other.own;
        class.made |= other.made;
        class.narrowed |= other.narrowed;
        class.asked |= other.asked;
        class.pairs |= other.pairs;
        class.kept_pairs |= other.kept_pairs;
        class.kept += other.kept;
        class.readings += other.readings;
        class.endless |= other.endless;
    }

    fn class_mut(&mut self, number: usize) -> &mut Class {
        let root = self.root(number);
        &mut self.classes[root]
    }

    /// What a macro step decides of a text is not all that its event decides: handlers are cut.
    pub(crate) fn decides_nothing(&mut self) {
        for class in &mut self.classes {
            class.narrowed = true;
        }
    }

    /// Values of the holder's class may come from another script, or go there.
    pub(crate) fn meets_others(&mut self, holder: Holder) {
        if let Some(class) = self.class_of(holder) {
            self.classes[class].meets_others();
        }
    }

    /// The same of all classes.
    pub(crate) fn all_meet_others(&mut self) {
        self.classes.iter_mut().for_each(Class::meets_others);
    }

    /// Whether ghosts may keep values of a class.
    pub(crate) fn is_kept_by_ghosts(&self, class: usize) -> bool {
        self.ghosts
            && [true, false]
                .into_iter()
                .any(|is_key| self.class_of(Holder::Extra(is_key)) == Some(class))
    }

    /// The number of a holder's class.
    pub(crate) fn class_of(&self, holder: Holder) -> Option<usize> {
        Some(self.root(*self.numbers.get(&holder)?))
    }

    /// The class of a holder; what nobody has seen is compared with nothing.
    pub(crate) fn class(&self, holder: Holder) -> Class {
        match self.class_of(holder) {
            Some(root) => self.classes[root].clone(),
            None => Class::default(),
        }
    }

    /// The class of an expression's value, if it may hold text.
    pub(crate) fn of_expr(&self, id: ExprId) -> Option<usize> {
        self.class_of(Holder::Expr(id))
    }

    /// What is known of a class.
    pub(crate) fn get(&self, class: usize) -> &Class {
        &self.classes[self.root(class)]
    }

    /// Whether two values of a class are equal if and only if they are the same term.
    pub(crate) fn is_plain(&self, number: usize) -> bool {
        let class = self.get(number);
        class.is_plain()
            && !(class.somebody && self.nameless)
            && !(class.made && self.is_kept_by_ghosts(self.root(number)))
    }
}

/// Whether values of a type may be, or hold, texts.
pub(crate) fn holds_text(ty: Type) -> bool {
    ty.is_text() || ty == Type::List
}
