//! What becomes of values that tools send: where they go, and what the script can tell of them.
//!
//! The variables that a value may come to are put into one class with that in which it arrives, as in
//! Steensgaard, *Points-to analysis in almost linear time* (POPL 1996): assignments, messages, notes
//! and parameters join classes, whichever way values go. A class knows what its values are compared
//! with, and how: with literals, with each other, by their order, after something has been computed
//! from them. From that [ranges](super::range) are made which lose nothing, or it is said what is lost.
//!
//! Everything here errs on the side of more: to be in one class with too many only makes ranges larger.

mod formula;

use super::Unit;
use super::facts::{Asked, Facts, Kinds};
use super::seen::Seen;
use crate::ast::Word;
use crate::automaton::Condition;
use crate::behaviour::{Atom, Core, Inlined};
use crate::term::{Pattern, VarId, some_differ};
use crate::types::{Fit, Type};

/// A class, by one of its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell(usize);

/// Whose variables stand in a term: a process, by its position; observers come behind.
type Owner = usize;

/// The classes of all variables.
#[derive(Default, Debug)]
pub(super) struct Flow {
    /// Whether others may take part in messages and notes.
    open: bool,
    parents: Vec<usize>,
    facts: Vec<Facts>,
    /// For each owner, where its variables begin.
    first: Vec<usize>,
    /// For each owner the types of its variables.
    types: Vec<Vec<Type>>,
}

/// Functions that give a truth value for two numbers by their order.
const ORDERS: [&str; 8] = [
    "less",
    "less-equal",
    "greater",
    "greater-equal",
    "rless",
    "rless-equal",
    "rgreater",
    "rgreater-equal",
];

/// Functions that compute with numbers.
const ARITHMETIC: [&str; 17] = [
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "abs",
    "radd",
    "rsub",
    "rmul",
    "rdiv",
    "rabs",
    "int-to-real",
    "real-to-int",
    "sec",
    "msec",
    "min",
    "hour",
];

/// Of those, the ones whose result may be no number though nothing of what they are given is.
const REAL_ARITHMETIC: [&str; 4] = ["radd", "rsub", "rmul", "rdiv"];

/// Functions that only ask of what kind a term is.
const KINDS: [&str; 10] = [
    "is-bool", "is-int", "is-real", "is-str", "is-bstr", "is-appl", "is-list", "is-empty",
    "is-var", "size",
];

/// Functions that look for a term among others.
const SEARCHES: [&str; 8] = [
    "member", "subset", "diff", "inter", "delete", "get", "put", "replace",
];

/// Functions that take lists and terms apart, or put them together.
const PARTS: [&str; 7] = [
    "first",
    "next",
    "index",
    "join",
    "fun",
    "args",
    "functional",
];

impl Flow {
    /// The classes of the variables of processes, with what formulas and observers ask of them.
    pub(super) fn of(
        units: &[Unit],
        observers: &[Inlined],
        started: &[(usize, Vec<Pattern>)],
        seen: &Seen,
        open: bool,
    ) -> Flow {
        let mut flow = Flow {
            open,
            ..Flow::default()
        };
        let processes: Vec<&Inlined> = units
            .iter()
            .map(|unit| &unit.inlined)
            .chain(observers)
            .collect();
        for (owner, process) in processes.iter().enumerate() {
            flow.first.push(flow.parents.len());
            let types = process.variables.iter().map(|variable| variable.ty.clone());
            flow.types.push(types.collect());
            for index in 0..process.variables.len() {
                let var = VarId(u32::try_from(index).expect("few variables"));
                let cell = flow.fresh();
                flow.facts[cell.0].members.push((owner, var));
            }
        }
        for (owner, unit) in units.iter().enumerate() {
            for condition in unit
                .automaton
                .states
                .iter()
                .flatten()
                .flat_map(|m| &m.conditions)
            {
                flow.condition(owner, condition);
            }
        }
        for (at, observer) in observers.iter().enumerate() {
            let owner = units.len() + at;
            for part in observer.cores.iter() {
                match part {
                    Core::If { test, .. } => flow.test(owner, &test.test),
                    Core::With { var, value, .. } => {
                        let cell = flow.cell(owner, *var);
                        flow.goes(owner, value, cell);
                    }
                    _ => {}
                }
            }
        }
        for (owner, process) in processes.iter().enumerate() {
            for atom in &process.atoms {
                flow.atom(owner, atom, owner < units.len(), units);
            }
        }
        for (unit, args) in started {
            for (index, arg) in args.iter().enumerate() {
                let var = VarId(u32::try_from(index).expect("few variables"));
                let cell = flow.cell(*unit, var);
                flow.goes(*unit, arg, cell);
            }
        }
        let all: Vec<(Owner, &Atom)> = processes[..units.len()]
            .iter()
            .enumerate()
            .flat_map(|(owner, process)| process.atoms.iter().map(move |atom| (owner, atom)))
            .collect();
        flow.communication(&all);
        for (at, observer) in observers.iter().enumerate() {
            for atom in &observer.atoms {
                for (owner, other) in &all {
                    if is_shown(atom.word, other.word) {
                        flow.pairs(units.len() + at, &atom.args, *owner, &other.args);
                    }
                }
            }
        }
        for (word, patterns) in seen.actions() {
            for (owner, atom) in &all {
                flow.formula(word, patterns, *owner, atom, seen.orders());
            }
        }
        flow
    }

    /// Whether two computed reals may be asked to be the same where neither is a number.
    pub(super) fn compares_what_is_no_number(&self) -> bool {
        let mut all = self.facts.iter();
        all.any(|facts| facts.no_numbers && facts.same_reals)
    }

    /// What is known of the class of a variable.
    pub(super) fn facts(&self, owner: Owner, var: VarId) -> &Facts {
        let root = self.root(Cell(self.first[owner] + var.index()));
        &self.facts[root.0]
    }

    fn fresh(&mut self) -> Cell {
        self.parents.push(self.parents.len());
        self.facts.push(Facts::default());
        Cell(self.parents.len() - 1)
    }

    fn cell(&self, owner: Owner, var: VarId) -> Cell {
        Cell(self.first[owner] + var.index())
    }

    fn root(&self, cell: Cell) -> Cell {
        let mut at = cell.0;
        while self.parents[at] != at {
            at = self.parents[at];
        }
        Cell(at)
    }

    fn now(&mut self, cell: Cell) -> &mut Facts {
        let root = self.root(cell);
        &mut self.facts[root.0]
    }

    /// Notes what is asked of the values of some kinds in a class.
    fn ask(&mut self, cell: Cell, kinds: Kinds, what: impl Fn(&mut Asked)) {
        let facts = self.now(cell);
        for (bit, asked) in facts.asked.iter_mut().enumerate() {
            if kinds.0 >> bit & 1 != 0 {
                asked.looked_at = true;
                what(asked);
            }
        }
    }

    /// The same, but only what they are used for, as long as nobody looks at what comes of it.
    fn use_for(&mut self, cell: Cell, kinds: Kinds, what: impl Fn(&mut Asked)) {
        let facts = self.now(cell);
        for (bit, asked) in facts.asked.iter_mut().enumerate() {
            if kinds.0 >> bit & 1 != 0 {
                what(asked);
            }
        }
    }

    /// What may stand in the value of an expression.
    fn kinds(&self, owner: Owner, term: &Pattern) -> Kinds {
        match term {
            Pattern::Int(_) => Kinds::INT,
            Pattern::Real(_) => Kinds::REAL,
            Pattern::Str(_) => Kinds::TEXT,
            Pattern::Bool(_) => Kinds::NONE,
            Pattern::Var(var) | Pattern::Result(var) => Kinds::of(self.ty(owner, *var)),
            Pattern::Placeholder(ty) => Kinds::of(ty),
            Pattern::Apply(name, args) => match &**name {
                "concat" => Kinds::TEXT,
                "real-to-int" | "size" => Kinds::INT,
                "int-to-real" => Kinds::REAL,
                name if ARITHMETIC.contains(&name) => match name.starts_with('r') {
                    true => Kinds::REAL,
                    false => Kinds::INT,
                },
                name if PARTS.contains(&name) || SEARCHES.contains(&name) => Kinds::ALL,
                "process-id" => Kinds::INT,
                _ => self.kinds_of_all(owner, args),
            },
            Pattern::List(items) => self.kinds_of_all(owner, items),
        }
    }

    fn kinds_of_all(&self, owner: Owner, terms: &[Pattern]) -> Kinds {
        let kinds = terms.iter().map(|term| self.kinds(owner, term));
        kinds.fold(Kinds::OTHER, Kinds::or)
    }

    fn union(&mut self, a: Cell, b: Cell) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[b.0] = a.0;
            let facts = std::mem::take(&mut self.facts[b.0]);
            self.facts[a.0].join(facts);
        }
    }

    fn ty(&self, owner: Owner, var: VarId) -> &Type {
        &self.types[owner][var.index()]
    }

    /// A literal goes to a class, or is compared with its values.
    fn literal(&mut self, term: &Pattern, cell: Cell) {
        let facts = self.now(cell);
        match term {
            Pattern::Int(number) => {
                facts.ints.insert(*number);
            }
            Pattern::Real(bits) => {
                facts.reals.insert(*bits);
            }
            Pattern::Str(text) => {
                facts.texts.insert(text.clone());
            }
            Pattern::Apply(_, parts) | Pattern::List(parts) => {
                if term.is_constant() && !facts.terms.contains(term) {
                    facts.terms.push(term.clone());
                }
                for part in parts {
                    self.literal(part, cell);
                }
            }
            Pattern::Bool(_) | Pattern::Var(_) | Pattern::Result(_) | Pattern::Placeholder(_) => {}
        }
    }

    /// A term as it stands goes to a class.
    fn goes(&mut self, owner: Owner, term: &Pattern, to: Cell) {
        self.literal(term, to);
        term.variables(&mut |var, _| {
            let cell = self.cell(owner, var);
            self.union(to, cell);
        });
    }

    fn condition(&mut self, owner: Owner, condition: &Condition) {
        match condition {
            Condition::Holds(test) => self.test(owner, &test.test),
            Condition::Set(var, value) => {
                let cell = self.cell(owner, *var);
                self.goes(owner, value, cell);
            }
            Condition::Vanishes(_) | Condition::Vanished(_) => {}
        }
    }

    fn test(&mut self, owner: Owner, test: &Pattern) {
        let kinds = self.kinds(owner, test);
        let result = self.fresh();
        self.computed(owner, test, result);
        if let Pattern::Var(_) = test {
            self.ask(result, kinds, |asked| asked.taken_apart = true);
        }
    }

    /// The value of an expression goes to a class.
    fn computed(&mut self, owner: Owner, term: &Pattern, to: Cell) {
        let (name, args) = match term {
            Pattern::Apply(name, args) => (&**name, args.as_slice()),
            Pattern::List(items) => {
                self.literal(term, to);
                for item in items {
                    self.computed(owner, item, to);
                }
                return;
            }
            _ => return self.goes(owner, term, to),
        };
        match (name, args) {
            ("quote", [quoted]) => self.goes(owner, quoted, to),
            ("equal" | "not-equal", [a, b]) => {
                let kinds = self.kinds(owner, a).and(self.kinds(owner, b));
                let is_literal = |term: &Pattern| matches!(term, Pattern::Real(_));
                let told = a == b || is_literal(a) || is_literal(b);
                let (a, b) = (self.operand(owner, a), self.operand(owner, b));
                self.equal(a, b, kinds);
                self.now(a).same_reals |= !told && kinds.meets(Kinds::REAL);
            }
            (name, [a, b]) if ORDERS.contains(&name) => {
                let literal = |term: &Pattern| matches!(term, Pattern::Int(_) | Pattern::Real(_));
                let free = !literal(a) && !literal(b);
                let (a, b) = (self.operand(owner, a), self.operand(owner, b));
                self.union(a, b);
                let kinds = match name.starts_with('r') {
                    true => Kinds::REAL,
                    false => Kinds::INT,
                };
                self.ask(a, kinds, |asked| {
                    asked.ordered = true;
                    asked.computed |= free;
                });
            }
            ("and" | "or" | "not", _) => {
                for arg in args {
                    self.test(owner, arg);
                }
            }
            (name, _) if ARITHMETIC.contains(&name) => {
                for arg in args {
                    self.computed(owner, arg, to);
                }
                self.now(to).no_numbers |= REAL_ARITHMETIC.contains(&name);
                let given = self.kinds_of_all(owner, args);
                let kinds = self.kinds(owner, term).or(given.and(Kinds(3)));
                self.use_for(to, kinds, |asked| {
                    asked.computed = true;
                    // Nothing is divided by zero; and what is asked of a number that becomes one of another
                    // kind is asked of that.
                    asked.looked_at |=
                        matches!(name, "div" | "mod" | "int-to-real" | "real-to-int");
                });
            }
            ("concat", _) => {
                for arg in args {
                    self.computed(owner, arg, to);
                }
                self.use_for(to, Kinds::TEXT, |asked| asked.joined = true);
            }
            (name, _) if KINDS.contains(&name) => {
                for arg in args {
                    let kinds = self.kinds(owner, arg);
                    let cell = self.operand(owner, arg);
                    self.ask(cell, kinds, |asked| asked.taken_apart = true);
                }
                if name == "size" {
                    // It is a number that stands nowhere in the script.
                    self.use_for(to, Kinds::INT, |asked| asked.computed = true);
                }
            }
            ("process-id" | "current-time", []) => {
                self.use_for(to, Kinds::ALL, |asked| asked.computed = true);
            }
            (name, _) if PARTS.contains(&name) || SEARCHES.contains(&name) => {
                for arg in args {
                    self.computed(owner, arg, to);
                }
                let facts = self.now(to);
                facts.same_reals |= SEARCHES.contains(&name);
                facts.arguments |= name == "args";
                self.ask(to, Kinds::ALL, |asked| {
                    asked.taken_apart = true;
                    asked.compared |= SEARCHES.contains(&name);
                });
            }
            _ => {
                self.literal(term, to);
                for arg in args {
                    self.computed(owner, arg, to);
                }
            }
        }
    }

    /// The class of an operand's value.
    fn operand(&mut self, owner: Owner, term: &Pattern) -> Cell {
        match term {
            Pattern::Var(var) => self.cell(owner, *var),
            _ => {
                let cell = self.fresh();
                self.computed(owner, term, cell);
                cell
            }
        }
    }

    /// The values of two classes are compared. One without variables has literals only.
    fn equal(&mut self, a: Cell, b: Cell, kinds: Kinds) {
        let both = [a, b].map(|cell| !self.now(cell).members.is_empty());
        self.union(a, b);
        self.ask(a, kinds, |asked| asked.compared |= both == [true, true]);
    }

    /// Whether the variables of an action may be given values from outside of the script.
    fn is_filled_in(&self, word: Word) -> bool {
        match word {
            Word::RecEvent | Word::RecValue | Word::Read | Word::Outside => true,
            Word::SndMsg | Word::RecMsg | Word::RecNote => self.open,
            _ => false,
        }
    }

    /// What an action does with its terms, whoever else takes part.
    fn atom(&mut self, owner: Owner, atom: &Atom, takes_part: bool, units: &[Unit]) {
        match (atom.word, atom.args.as_slice()) {
            (Word::Assign, [Pattern::Result(var), value]) => {
                let cell = self.cell(owner, *var);
                self.computed(owner, value, cell);
            }
            (Word::Create, args) => {
                let created = units
                    .iter()
                    .position(|unit| Some(unit.inlined.index) == atom.creates);
                if let Some(created) = created {
                    let parameters = units[created].inlined.parameters;
                    for (index, arg) in args.iter().take(parameters).enumerate() {
                        let var = VarId(u32::try_from(index).expect("few variables"));
                        let cell = self.cell(created, var);
                        self.goes(owner, arg, cell);
                    }
                }
            }
            (word, args) if takes_part && self.is_filled_in(word) => {
                let rest = match atom.word {
                    Word::RecEvent | Word::RecValue => &args[1..],
                    _ => args,
                };
                let word = origin(atom.word, rest);
                for term in rest {
                    term.variables(&mut |var, written| {
                        if written {
                            let origin = (word.to_owned(), Kinds::of(self.ty(owner, var)));
                            let cell = self.cell(owner, var);
                            *self.now(cell).origins.entry(origin).or_default() += 1;
                        }
                    });
                }
            }
            _ => {}
        }
        let is_tools = matches!(
            atom.word,
            Word::RecDisconnect
                | Word::SndEval
                | Word::SndDo
                | Word::RecValue
                | Word::RecEvent
                | Word::SndAckEvent
                | Word::SndTerminate
                | Word::SndKill
        );
        if is_tools && let Some(Pattern::Var(var)) = atom.args.first() {
            // It makes a difference which tool it is, and whether it is one.
            let cell = self.cell(owner, *var);
            self.ask(cell, Kinds::OTHER, |asked| asked.taken_apart = true);
        }
    }

    /// Messages and notes.
    fn communication(&mut self, all: &[(Owner, &Atom)]) {
        let of = |words: &'static [Word]| {
            let all = all.iter().copied();
            all.filter(move |(_, atom)| words.contains(&atom.word))
        };
        for (sends, takes) in [
            (&[Word::SndMsg][..], &[Word::RecMsg][..]),
            (
                &[Word::SndNote],
                &[
                    Word::RecNote,
                    Word::NoNote,
                    Word::Subscribe,
                    Word::Unsubscribe,
                ],
            ),
            (&[Word::Subscribe], &[Word::Unsubscribe]),
        ] {
            for (sender, sent) in of(sends) {
                for (receiver, wanted) in of(takes) {
                    if !some_differ(&sent.args, &wanted.args) {
                        self.pairs(sender, &sent.args, receiver, &wanted.args);
                    }
                }
            }
        }
        for (sender, sent) in of(&[Word::SndNote]) {
            for term in &sent.args {
                term.variables(&mut |var, _| {
                    let kinds = Kinds::of(self.ty(sender, var));
                    let cell = self.cell(sender, var);
                    let facts = self.now(cell);
                    facts.in_notes = facts.in_notes.or(kinds);
                });
            }
        }
    }

    fn pairs(&mut self, a: Owner, terms: &[Pattern], b: Owner, others: &[Pattern]) {
        for (term, other) in terms.iter().zip(others) {
            self.meet(a, term, b, other);
        }
    }

    /// Two terms of different processes are matched.
    fn meet(&mut self, a: Owner, term: &Pattern, b: Owner, other: &Pattern) {
        use Pattern::{Apply, List, Placeholder, Result, Var};
        match (term, other) {
            (Var(x) | Result(x), Var(y) | Result(y)) => {
                let differ = self.ty(a, *x).fits(self.ty(b, *y)) != Fit::Always
                    || self.ty(b, *y).fits(self.ty(a, *x)) != Fit::Always;
                let compares = matches!((term, other), (Var(_), Var(_)));
                let kinds = Kinds::of(self.ty(a, *x)).and(Kinds::of(self.ty(b, *y)));
                let either = Kinds::of(self.ty(a, *x)).or(Kinds::of(self.ty(b, *y)));
                let (x, y) = (self.cell(a, *x), self.cell(b, *y));
                self.union(x, y);
                if compares {
                    self.ask(x, kinds, |asked| asked.compared = true);
                    self.now(x).same_reals |= kinds.meets(Kinds::REAL);
                }
                if differ {
                    self.ask(x, either, |asked| asked.taken_apart = true);
                }
            }
            (Var(x) | Result(x), Placeholder(ty)) => self.meets_type(a, *x, ty),
            (Placeholder(ty), Var(y) | Result(y)) => self.meets_type(b, *y, ty),
            (Var(x) | Result(x), _) => {
                let closed = matches!(term, Var(_));
                self.meets_term((a, *x, closed), (b, other));
            }
            (_, Var(y) | Result(y)) => {
                let closed = matches!(other, Var(_));
                self.meets_term((b, *y, closed), (a, term));
            }
            (Apply(f, terms), Apply(g, others)) if f == g && terms.len() == others.len() => {
                self.pairs(a, terms, b, others);
            }
            (List(terms), List(others)) if terms.len() == others.len() => {
                self.pairs(a, terms, b, others);
            }
            _ => {}
        }
    }

    fn meets_type(&mut self, owner: Owner, var: VarId, ty: &Type) {
        if self.ty(owner, var).fits(ty) != Fit::Always {
            let kinds = Kinds::of(self.ty(owner, var));
            let cell = self.cell(owner, var);
            self.ask(cell, kinds, |asked| asked.taken_apart = true);
        }
    }

    /// A variable is matched with a term that is not a variable.
    fn meets_term(
        &mut self,
        (owner, var, closed): (Owner, VarId, bool),
        (other, term): (Owner, &Pattern),
    ) {
        let cell = self.cell(owner, var);
        let literal = !matches!(term, Pattern::Apply(..) | Pattern::List(_));
        let mut variables = 0;
        term.variables(&mut |_, _| variables += 1);
        let kinds = Kinds::of(self.ty(owner, var)).and(self.kinds(other, term));
        self.goes(other, term, cell);
        if closed {
            self.now(cell).same_reals |= variables > 0 && kinds.meets(Kinds::REAL);
            self.ask(cell, kinds, |asked| {
                asked.compared |= variables > 0;
                asked.taken_apart |= !literal && variables > 0;
            });
        }
    }
}

/// Whether an observer's action of one word is shown actions of another.
fn is_shown(observes: Word, done: Word) -> bool {
    let message = |word: Word| matches!(word, Word::SndMsg | Word::RecMsg);
    observes == done || message(observes) && message(done)
}

/// What brings a value: the word of an event, `value` or `read`.
pub(super) fn origin(word: Word, terms: &[Pattern]) -> &str {
    match word {
        Word::RecEvent => terms.iter().find_map(Pattern::word).unwrap_or("event"),
        Word::RecValue => "value",
        _ => "read",
    }
}
