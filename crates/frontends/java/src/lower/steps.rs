//! What each step of a thread does, as actions: one for each way in which it may end.

use model::PredicateId;
use model::predicates::{Focus, Formula, Kleene, Var};

use super::Lowering;
use super::action::{BOUND, Draft, FIRST, MOVER, SECOND};
use super::claims::Messages;
use crate::classes::{ClassId, THREAD};
use crate::code::{Edge, Label, Op, Place, Raise, Ref, Test, Value, VarId};

impl Lowering<'_> {
    /// The actions of a step.
    pub(super) fn edge(&mut self, edge: &Edge, messages: &Messages) {
        let mut draft = Draft::new(&self.vocabulary);
        draft.require(self.vocabulary.is_at(edge.from, MOVER));
        draft.approximate = edge.approximate;
        let mut object = None;
        if let Some(base) = edge.op.base() {
            if edge.raise != Raise::Never && !matches!(base, Ref::Me | Ref::Class(_)) {
                self.null(edge, base, messages, draft.clone());
                let never = Formula::Value(Kleene::False);
                draft.reports.extend(messages.null.map(|id| (id, never)));
            }
            object = Some(self.based(&mut draft, base));
        }
        self.races(edge, object, messages, &mut draft);
        self.acts(edge, object, messages, draft);
    }

    /// The object that a reference leads to, as a free variable.
    fn based(&self, draft: &mut Draft, base: Ref) -> Var {
        draft.look(self.vocabulary.way(base));
        if base == Ref::Me {
            return MOVER;
        }
        let object = draft.free("object");
        draft.require(self.vocabulary.points(base, MOVER, object));
        object
    }

    /// The exception where a reference is null.
    fn null(&mut self, edge: &Edge, base: Ref, messages: &Messages, mut draft: Draft) {
        draft.look(self.vocabulary.way(base));
        draft.require(Formula::not(self.some(base)));
        let surely = Formula::Value(Kleene::True);
        draft.reports.extend(messages.null.map(|id| (id, surely)));
        self.raised(edge, draft, "null");
    }

    /// Whether a reference of the thread that moves leads to anything.
    fn some(&self, reference: Ref) -> Formula {
        let points = self.vocabulary.points(reference, MOVER, BOUND);
        Formula::Exists(BOUND, Box::new(points))
    }

    fn raised(&mut self, edge: &Edge, draft: Draft, why: &str) {
        let to = match edge.raise {
            Raise::To(label) => Some(label),
            Raise::Never | Raise::Ends => None,
        };
        let told = format!("{}: {why}", self.told(edge));
        self.done(edge, to, draft, told);
    }

    fn normal(&mut self, edge: &Edge, draft: Draft) {
        let told = self.told(edge);
        self.done(edge, edge.to, draft, told);
    }

    /// The thread comes to a label, or ends; what it does not need any more it forgets.
    fn done(&mut self, edge: &Edge, to: Option<Label>, mut draft: Draft, told: String) {
        let mover = Formula::Equal(FIRST, MOVER);
        if Some(edge.from) != to {
            if let Some(at) = self.vocabulary.at[edge.from.0] {
                draft.mark(at, mover.clone(), false);
            }
            match to.and_then(|to| self.vocabulary.at[to.0]) {
                Some(at) => draft.mark(at, mover, true),
                None => draft.mark(self.vocabulary.alive, mover, false),
            }
        }
        self.forget(edge, to, &mut draft);
        self.keep(edge, &mut draft);
        let pauses = to.is_none_or(|to| self.pauses[to.0]);
        let approximate = draft.approximate;
        let predicates = &self.program.predicates;
        let arity = |id: PredicateId| predicates[id.index()].arity;
        let action = draft.finish(&self.vocabulary, arity, pauses, (told, edge.span));
        self.push(action, approximate);
    }

    fn forget(&self, edge: &Edge, to: Option<Label>, draft: &mut Draft) {
        let mut dead = self.live[edge.from.0].clone();
        dead.extend(crate::live::written(&edge.op));
        if let Some(to) = to {
            dead.retain(|variable| !self.live[to.0].contains(variable));
        }
        for variable in dead {
            let Some(id) = self.vocabulary.var(variable) else {
                continue;
            };
            let never = Formula::Value(Kleene::False);
            let value = match self.vocabulary.is_main(variable) {
                true => never,
                false => {
                    let arity = self.program.predicate(id).arity;
                    let others = Formula::not(Formula::Equal(FIRST, MOVER));
                    Formula::And(vec![draft.after(id, arity), others])
                }
            };
            draft.set(id, value);
        }
    }

    fn acts(&mut self, edge: &Edge, object: Option<Var>, messages: &Messages, mut draft: Draft) {
        match &edge.op {
            Op::Skip | Op::Touch(..) | Op::Receive(_) | Op::Unlock | Op::Wake => {
                if edge.op == Op::Unlock {
                    for &monitor in &self.code.labels[edge.from.0].monitors {
                        draft.look(self.vocabulary.way(monitor));
                    }
                }
                self.normal(edge, draft);
            }
            Op::Set(variable, value) => self.set(edge, *variable, *value, draft),
            Op::Test(test, holds) => {
                let condition = self.test(test, &mut draft);
                draft.require(match holds {
                    true => condition,
                    false => Formula::not(condition),
                });
                self.normal(edge, draft);
            }
            Op::New(variable, class) => {
                draft.create(
                    self.vocabulary
                        .types
                        .get(class)
                        .copied()
                        .into_iter()
                        .collect(),
                );
                let new = |object| Formula::Holds(self.vocabulary.is_new, vec![object]);
                self.assign(*variable, &mut draft, new);
                self.normal(edge, draft);
            }
            Op::Load(variable, place) => self.load(edge, *variable, (*place, object), draft),
            Op::Store(place, value) => self.store(edge, (*place, object), *value, draft),
            Op::Lock(_) | Op::Reacquire(_) => {
                let object = match (object, &edge.op) {
                    (Some(object), _) => object,
                    (None, Op::Reacquire(reference)) => self.based(&mut draft, *reference),
                    (None, _) => MOVER,
                };
                draft.require(self.free_for(edge.from, object));
                self.normal(edge, draft);
            }
            Op::Wait(_) | Op::Notify(_) | Op::NotifyAll(_) | Op::NotifyNobody(_) => {
                self.monitor(edge, object.unwrap_or(MOVER), messages, draft);
            }
            Op::Rouse => self.rouse(edge, &draft),
            Op::Start(base) => self.start(edge, *base, object.unwrap_or(MOVER), messages, &draft),
            Op::Join(_) => {
                let alive = Formula::Holds(self.vocabulary.alive, vec![object.unwrap_or(MOVER)]);
                draft.require(Formula::not(alive));
                self.normal(edge, draft);
            }
            Op::Assert(at, holds) => {
                let fails = Formula::Value(Kleene::of(!holds));
                let found = messages.assertions.iter().find(|(span, _)| span == at);
                draft.reports.extend(found.map(|(_, id)| (*id, fails)));
                self.normal(edge, draft);
            }
        }
    }

    /// Whether the thread that moves can enter a monitor.
    fn free_for(&self, at: Label, object: Var) -> Formula {
        let Some((held, locked)) = self.vocabulary.held else {
            return Formula::Value(Kleene::True);
        };
        let free = Formula::not(Formula::Holds(locked, vec![object]));
        match self.code.labels[at.0].monitors.is_empty() {
            true => free,
            false => {
                let own = Formula::Holds(held, vec![object, MOVER]);
                Formula::Or(vec![free, own])
            }
        }
    }

    /// Gives a variable of the thread that moves a value.
    fn assign(&self, variable: VarId, draft: &mut Draft, value: impl Fn(Var) -> Formula) {
        let Some(id) = self.vocabulary.var(variable) else {
            return;
        };
        let arity = self.program.predicate(id).arity;
        let object = if self.code.vars[variable.0].flag || arity == 1 {
            FIRST
        } else {
            SECOND
        };
        let value = value(object);
        draft.set(
            id,
            match self.vocabulary.is_main(variable) {
                true => value,
                false => {
                    let before = Formula::Holds(id, [FIRST, SECOND][..arity].to_vec());
                    let own = Formula::Equal(FIRST, MOVER);
                    Formula::If(Box::new([own, value, before]))
                }
            },
        );
    }

    /// What a flag or a truth value is.
    fn truth(&self, value: Value, draft: &mut Draft) -> Formula {
        match value {
            Value::Bool(value) => Formula::Value(Kleene::of(value)),
            Value::Flag(variable) => {
                let id = self.vocabulary.var(variable);
                draft.look(id.map(Focus::from));
                let main = self.vocabulary.is_main(variable);
                let arguments = if main { Vec::new() } else { vec![MOVER] };
                self.vocabulary.holds(id, arguments)
            }
            Value::Ref(_) | Value::Any(_) | Value::Chosen => Formula::Value(Kleene::Unknown),
        }
    }

    fn set(&mut self, edge: &Edge, variable: VarId, value: Value, mut draft: Draft) {
        match value {
            Value::Ref(reference) => {
                draft.look(self.vocabulary.way(reference));
                let points = |object| self.vocabulary.points(reference, MOVER, object);
                self.assign(variable, &mut draft, points);
            }
            Value::Any(class) => {
                draft.approximate = true;
                let mut none = draft.clone();
                self.assign(variable, &mut none, |_| Formula::Value(Kleene::False));
                self.normal(edge, none);
                let any = draft.free("object");
                draft.require(self.of_class(class, any));
                self.assign(variable, &mut draft, |object| Formula::Equal(object, any));
            }
            Value::Bool(_) | Value::Flag(_) | Value::Chosen => {
                draft.approximate |= value == Value::Chosen;
                let truth = self.truth(value, &mut draft);
                self.assign(variable, &mut draft, |_| truth.clone());
            }
        }
        self.normal(edge, draft);
    }

    /// Whether an object is of a class, or of one below it.
    pub(super) fn of_class(&self, class: ClassId, object: Var) -> Formula {
        let below = |one: &ClassId| self.code.above[one.0].contains(&class);
        let all = self.vocabulary.types.iter().filter(|(one, _)| below(one));
        Formula::Or(
            all.map(|(_, id)| Formula::Holds(*id, vec![object]))
                .collect(),
        )
    }

    fn test(&self, test: &Test, draft: &mut Draft) -> Formula {
        let points = |reference: Ref| self.vocabulary.points(reference, MOVER, BOUND);
        let some = |inner: Formula| Formula::Exists(BOUND, Box::new(inner));
        match test {
            Test::Null(reference) => {
                draft.look(self.vocabulary.way(*reference));
                Formula::not(self.some(*reference))
            }
            Test::Same(a, b) => {
                draft.look(self.vocabulary.way(*a));
                draft.look(self.vocabulary.way(*b));
                let both = some(Formula::And(vec![points(*a), points(*b)]));
                let none = [*a, *b].map(|one| Formula::not(self.some(one)));
                Formula::Or(vec![both, Formula::And(none.into())])
            }
            Test::Is(reference, classes) => {
                draft.look(self.vocabulary.way(*reference));
                let types = classes
                    .iter()
                    .filter_map(|one| self.vocabulary.types.get(one));
                let types = types.map(|id| Formula::Holds(*id, vec![BOUND]));
                let is = Formula::Or(types.collect());
                some(Formula::And(vec![points(*reference), is]))
            }
            Test::Flag(variable) => self.truth(Value::Flag(*variable), draft),
            Test::Chosen => Formula::Value(Kleene::Unknown),
        }
    }

    fn load(
        &mut self,
        edge: &Edge,
        variable: VarId,
        (place, object): (Place, Option<Var>),
        mut draft: Draft,
    ) {
        let field = self.vocabulary.field(place.field());
        let flag = self.code.vars[variable.0].flag;
        self.look_at(place, flag, &mut draft);
        let read = |second: Var| match (object, flag) {
            (None, true) => self.vocabulary.holds(field, Vec::new()),
            (None, false) => self.vocabulary.holds(field, vec![second]),
            (Some(object), true) => self.vocabulary.holds(field, vec![object]),
            (Some(object), false) => self.vocabulary.holds(field, vec![object, second]),
        };
        self.assign(variable, &mut draft, read);
        self.normal(edge, draft);
    }

    /// Makes known what a field is.
    fn look_at(&self, place: Place, flag: bool, draft: &mut Draft) {
        let field = self.vocabulary.field(place.field());
        match place {
            Place::Of(base, _) if !flag => {
                if let (Some(mut way), Some(field)) = (self.vocabulary.way(base), field) {
                    way.then.push(field.into());
                    draft.look(Some(way));
                }
            }
            _ => draft.look(field.map(Focus::from)),
        }
    }

    fn store(
        &mut self,
        edge: &Edge,
        (place, object): (Place, Option<Var>),
        value: Value,
        mut draft: Draft,
    ) {
        let Some(field) = self.vocabulary.field(place.field()) else {
            self.normal(edge, draft);
            return;
        };
        draft.approximate |= value == Value::Chosen;
        let of = |second: Var, draft: &mut Draft| match value {
            Value::Ref(reference) => {
                draft.look(self.vocabulary.way(reference));
                self.vocabulary.points(reference, MOVER, second)
            }
            other => self.truth(other, draft),
        };
        let reference = matches!(value, Value::Ref(_));
        let value = match object {
            None => of(FIRST, &mut draft),
            Some(object) => {
                let (second, arity) = if reference { (SECOND, 2) } else { (FIRST, 1) };
                let value = of(second, &mut draft);
                let own = Formula::Equal(FIRST, object);
                let before = draft.after(field, arity);
                Formula::If(Box::new([own, value, before]))
            }
        };
        draft.set(field, value);
        self.normal(edge, draft);
    }

    /// `wait` and `notify`, which need the monitor.
    fn monitor(&mut self, edge: &Edge, object: Var, messages: &Messages, mut draft: Draft) {
        let never = Formula::Value(Kleene::False);
        let held = match self.vocabulary.held {
            Some((held, _)) => Formula::Holds(held, vec![object, MOVER]),
            None => never.clone(),
        };
        for &monitor in &self.code.labels[edge.from.0].monitors {
            draft.look(self.vocabulary.way(monitor));
        }
        if edge.raise != Raise::Never {
            let mut without = draft.clone();
            without.require(Formula::not(held.clone()));
            let surely = Formula::Value(Kleene::True);
            without
                .reports
                .extend(messages.monitor.map(|id| (id, surely)));
            self.raised(edge, without, "without the monitor");
            draft.reports.extend(messages.monitor.map(|id| (id, never)));
        }
        draft.require(held);
        match edge.op {
            Op::Notify(_) => {
                draft.require(Formula::Exists(BOUND, Box::new(self.waits(BOUND, object))));
                if let Some(woken) = self.vocabulary.woken {
                    let any = Formula::Value(Kleene::Unknown);
                    draft.set(woken, Formula::And(vec![self.waits(FIRST, object), any]));
                }
            }
            Op::NotifyNobody(_) => {
                let some = Formula::Exists(BOUND, Box::new(self.waits(BOUND, object)));
                draft.require(Formula::not(some));
            }
            Op::NotifyAll(_) => {
                for (waits, again, released) in self.sleepers() {
                    let wakes = Formula::And(vec![
                        self.vocabulary.is_at(waits, FIRST),
                        self.vocabulary.points(released, FIRST, object),
                    ]);
                    for (label, holds) in [(waits, false), (again, true)] {
                        if let Some(at) = self.vocabulary.at[label.0] {
                            draft.mark(at, wakes.clone(), holds);
                        }
                    }
                }
            }
            _ => {}
        }
        self.normal(edge, draft);
    }

    /// The labels at which threads wait, with where they go on and the monitors that they wait for.
    fn sleepers(&self) -> Vec<(Label, Label, Ref)> {
        let wakes = self.code.edges.iter().filter(|edge| edge.op == Op::Wake);
        let all = wakes.filter_map(|edge| {
            let released = self.code.labels[edge.from.0].released?;
            Some((edge.from, edge.to?, released))
        });
        all.collect()
    }

    /// Whether a thread waits for a notification of an object.
    fn waits(&self, thread: Var, object: Var) -> Formula {
        let all = self.sleepers().into_iter().map(|(waits, _, released)| {
            Formula::And(vec![
                self.vocabulary.is_at(waits, thread),
                self.vocabulary.points(released, thread, object),
            ])
        });
        Formula::Or(all.collect())
    }

    /// The thread that has been chosen is woken.
    fn rouse(&mut self, edge: &Edge, draft: &Draft) {
        let Some(woken) = self.vocabulary.woken else {
            return;
        };
        for (waits, again, _) in self.sleepers() {
            let mut draft = draft.clone();
            draft.look(Some(woken.into()));
            let who = draft.free("woken");
            draft.require(Formula::Holds(woken, vec![who]));
            draft.require(self.vocabulary.is_at(waits, who));
            draft.set(woken, Formula::Value(Kleene::False));
            for (label, holds) in [(waits, false), (again, true)] {
                if let Some(at) = self.vocabulary.at[label.0] {
                    draft.mark(at, Formula::Equal(FIRST, who), holds);
                }
            }
            self.normal(edge, draft);
        }
    }

    fn start(&mut self, edge: &Edge, base: Ref, object: Var, messages: &Messages, draft: &Draft) {
        let started = Formula::Holds(self.vocabulary.started, vec![object]);
        let mut again = draft.clone();
        again.require(started.clone());
        let surely = Formula::Value(Kleene::True);
        again.reports.extend(messages.thread.map(|id| (id, surely)));
        self.raised(edge, again, "it has been started before");
        let mut draft = draft.clone();
        let never = Formula::Value(Kleene::False);
        draft.reports.extend(messages.thread.map(|id| (id, never)));
        draft.require(Formula::not(started));
        draft.mark(self.vocabulary.started, Formula::Equal(FIRST, object), true);
        let threads = self.code.threads.clone();
        let runs = |class: &ClassId| {
            let mut own = threads
                .iter()
                .filter(|one| !one.by_target && one.class == *class);
            own.any(|one| one.entry.is_some())
        };
        for thread in threads.iter().filter(|one| !one.by_target) {
            let (Some(entry), Some(&ty)) = (thread.entry, self.vocabulary.types.get(&thread.class))
            else {
                continue;
            };
            let mut draft = draft.clone();
            draft.require(Formula::Holds(ty, vec![object]));
            self.awakened(edge, entry, object, draft);
        }
        // Threads that run what they were made with.
        let plain = self
            .code
            .made
            .iter()
            .filter(|class| self.code.above[class.0].contains(&THREAD) && !runs(class));
        let plain = plain.filter_map(|class| self.vocabulary.types.get(class));
        let plain = plain.map(|id| Formula::Holds(*id, vec![object]));
        let plain = Formula::Or(plain.collect());
        draft.require(plain);
        let target = self
            .code
            .target
            .and_then(|field| self.vocabulary.field(field));
        if let (Some(mut way), Some(target)) = (self.vocabulary.way(base), target) {
            way.then.push(target.into());
            draft.look(Some(way));
        }
        let made_with = |second| self.vocabulary.holds(target, vec![object, second]);
        let mut idle = draft.clone();
        let some = Formula::Exists(BOUND, Box::new(made_with(BOUND)));
        idle.require(Formula::not(some));
        for thread in threads.iter().filter(|one| one.by_target) {
            let (Some(entry), Some(&ty)) = (thread.entry, self.vocabulary.types.get(&thread.class))
            else {
                continue;
            };
            let mut draft = draft.clone();
            let what = draft.free("target");
            draft.require(self.vocabulary.holds(target, vec![object, what]));
            draft.require(Formula::Holds(ty, vec![what]));
            self.awakened(edge, entry, object, draft);
        }
        self.normal(edge, idle);
    }

    fn awakened(&mut self, edge: &Edge, entry: Label, object: Var, mut draft: Draft) {
        let new = Formula::Equal(FIRST, object);
        draft.mark(self.vocabulary.alive, new.clone(), true);
        if let Some(at) = self.vocabulary.at[entry.0] {
            draft.mark(at, new, true);
        }
        self.normal(edge, draft);
    }
}
