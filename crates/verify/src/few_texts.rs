//! Texts, keys and lists of which a global variable holds only few, as can be seen from what is assigned
//! to it: constants, and what other such variables hold.
//!
//! Circuits number rich values and give no number to those they do not know, so an invariant in bits
//! leaves it to the numbers that a variable holds no other. In terms of the program it has to be said.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Choice, Comm, Composition, Expr, ExprId, GlobalId, Pattern, Place, Program, RichId, Root, Stmt,
    Target, Type, Value, ValueSet,
};

/// More values than this are not few.
const MOST: usize = 32;

/// What may be held: these values, and what these variables hold; `None` inside is anything.
#[derive(Clone, PartialEq, Eq)]
struct Held(Option<(BTreeSet<RichId>, BTreeSet<usize>)>);

impl Held {
    const ANYTHING: Held = Held(None);

    fn nothing() -> Held {
        Held(Some((BTreeSet::new(), BTreeSet::new())))
    }

    fn one(value: RichId) -> Held {
        Held(Some((BTreeSet::from([value]), BTreeSet::new())))
    }

    fn copy(variable: usize) -> Held {
        Held(Some((BTreeSet::new(), BTreeSet::from([variable]))))
    }

    fn join(&mut self, other: Held) {
        match (&mut self.0, other.0) {
            (Some((values, copies)), Some((more, more_copies))) => {
                values.extend(more);
                copies.extend(more_copies);
            }
            _ => *self = Held::ANYTHING,
        }
    }

    /// No more than few.
    fn bounded(self) -> Held {
        match &self.0 {
            Some((values, _)) if values.len() > MOST => Held::ANYTHING,
            _ => self,
        }
    }
}

/// The global variables that hold few rich values, with these.
pub(crate) fn few_texts(program: &Program) -> BTreeMap<GlobalId, BTreeSet<RichId>> {
    if matches!(program.composition, Composition::Synchronous(_)) {
        return BTreeMap::new();
    }
    let mut seen = Assigned {
        program,
        held: vec![Held::nothing(); program.globals.len()],
    };
    seen.program();
    let mut held = seen.held;
    for (held, variable) in held.iter_mut().zip(&program.globals) {
        if variable.ty != Type::Rich {
            *held = Held::ANYTHING;
        }
    }
    // What is copied comes along, until nothing is new.
    loop {
        let mut changed = false;
        for to in 0..held.len() {
            let Some((_, copies)) = &held[to].0 else {
                continue;
            };
            let mut all = held[to].clone();
            for &from in copies {
                all.join(held[from].clone());
            }
            let all = all.bounded();
            changed |= all != held[to];
            held[to] = all;
        }
        if !changed {
            break;
        }
    }
    let held = held.into_iter().enumerate();
    held.filter_map(|(at, held)| Some((GlobalId::new(at), held.0?.0)))
        .collect()
}

/// What variables hold that are assigned to on the way through a body.
type Here = BTreeMap<usize, Held>;

/// What is assigned to each global variable.
struct Assigned<'p> {
    program: &'p Program,
    held: Vec<Held>,
}

impl Assigned<'_> {
    fn program(&mut self) {
        let program = self.program;
        for (at, variable) in program.globals.iter().enumerate() {
            let first = match (&variable.init, program.zero(&variable.ty)) {
                (Some(set), _) => self.set(&Here::new(), set),
                (None, Value::Rich(id)) => Held::one(id),
                (None, _) => Held::ANYTHING,
            };
            self.held[at].join(first);
        }
        for observer in &program.observers {
            self.body(&mut Here::new(), &observer.body);
        }
        for step in program.processes.iter().flat_map(|process| &process.steps) {
            let mut here = Here::new();
            step.binds
                .iter()
                .for_each(|choice| self.choice(&mut here, choice));
            if let Some(Comm::Receive { patterns, .. }) = &step.comm {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.assign(&mut here, place, Held::ANYTHING);
                    }
                }
            }
            self.body(&mut here, &step.body);
            if let Target::Call {
                result: Some(place),
                ..
            } = &step.target
            {
                self.assign(&mut here, place, Held::ANYTHING);
            }
        }
    }

    fn body(&mut self, here: &mut Here, body: &[Stmt]) {
        for statement in body {
            match statement {
                Stmt::Assign(place, value) => {
                    let held = self.value(here, *value);
                    self.assign(here, place, held);
                }
                Stmt::Choose(choice) => self.choice(here, choice),
                Stmt::If(_, then, otherwise) => {
                    let mut other = here.clone();
                    self.body(here, then);
                    self.body(&mut other, otherwise);
                    for (&at, held) in &other {
                        let before = || Held::copy(at);
                        here.entry(at).or_insert_with(before).join(held.clone());
                    }
                    for (at, held) in here.iter_mut() {
                        if !other.contains_key(at) {
                            held.join(Held::copy(*at));
                        }
                    }
                }
                // Observers assign ghosts.
                Stmt::Emit { .. } => here.clear(),
                // Numbers of instances and channels, and pointers, are no rich values.
                Stmt::Spawn { .. }
                | Stmt::NewChannel { .. }
                | Stmt::New { .. }
                | Stmt::Assert { .. }
                | Stmt::Assume(_)
                | Stmt::Raise(_)
                | Stmt::Free(_) => {}
            }
        }
    }

    fn choice(&mut self, here: &mut Here, choice: &Choice) {
        let held = self.set(here, &choice.set);
        self.assign(here, &choice.place, held);
    }

    fn assign(&mut self, here: &mut Here, place: &Place, held: Held) {
        if let Root::Global(id) = place.root {
            let held = held.bounded();
            self.held[id.index()].join(held.clone());
            here.insert(id.index(), held);
        }
    }

    fn set(&self, here: &Here, set: &ValueSet) -> Held {
        match set {
            ValueSet::One(value) => self.value(here, *value),
            ValueSet::Union(sets) => {
                let mut all = Held::nothing();
                sets.iter().for_each(|set| all.join(self.set(here, set)));
                all
            }
            ValueSet::Ite(_, a, b) => {
                let mut both = self.set(here, a);
                both.join(self.set(here, b));
                both
            }
            ValueSet::Between(..) | ValueSet::All(_) => Held::ANYTHING,
        }
    }

    fn value(&self, here: &Here, value: ExprId) -> Held {
        match self.program.exprs.get(value) {
            Expr::Const(Value::Rich(id)) => Held::one(*id),
            Expr::Load(place) if place.path.is_empty() => match place.root {
                Root::Global(from) => {
                    let before = || Held::copy(from.index());
                    here.get(&from.index()).cloned().unwrap_or_else(before)
                }
                _ => Held::ANYTHING,
            },
            Expr::Ite(_, a, b) => {
                let mut both = self.value(here, *a);
                both.join(self.value(here, *b));
                both
            }
            _ => Held::ANYTHING,
        }
    }
}
