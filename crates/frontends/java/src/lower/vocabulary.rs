//! The predicates of a program, and the rules that they obey because of what its steps do.

use std::collections::BTreeMap;

use model::PredicateId;
use model::predicates::{
    Constraint, Focus, Formula, Head, Onward, Predicate, PredicateProgram, Var,
};
use source::Span;

use crate::classes::{ClassId, Kind};
use crate::code::{Code, FieldId, Label, Op, Place, Ref, Test, Value, VarId};

/// The predicates.
pub(super) struct Vocabulary {
    pub(super) started: PredicateId,
    pub(super) alive: PredicateId,
    pub(super) turn: PredicateId,
    pub(super) is_new: PredicateId,
    /// The thread that a notification wakes.
    pub(super) woken: Option<PredicateId>,
    /// Of each label, who is there.
    pub(super) at: Vec<Option<PredicateId>>,
    /// Of each class of which objects are made, these objects.
    pub(super) types: BTreeMap<ClassId, PredicateId>,
    pub(super) class_objects: Vec<(ClassId, PredicateId)>,
    vars: Vec<Option<PredicateId>>,
    fields: Vec<Option<PredicateId>>,
    /// Which of the variables are of the main thread.
    main: Vec<bool>,
    target: Option<FieldId>,
    /// Of two, whether the second holds the first; of one, whether somebody does.
    pub(super) held: Option<(PredicateId, PredicateId)>,
    /// Of each function, who is a value of it.
    values: BTreeMap<PredicateId, PredicateId>,
}

/// Adds predicates.
pub(super) struct Declaring<'p> {
    program: &'p mut PredicateProgram,
    /// Of each function, who is a value of it.
    values: BTreeMap<PredicateId, PredicateId>,
}

impl<'p> Declaring<'p> {
    pub(super) fn new(program: &'p mut PredicateProgram) -> Declaring<'p> {
        Declaring {
            program,
            values: BTreeMap::new(),
        }
    }

    pub(super) fn add(
        &mut self,
        name: String,
        arity: usize,
        definition: Option<Formula>,
    ) -> PredicateId {
        self.program.predicates.push(Predicate {
            name,
            arity,
            abstraction: arity < 2,
            unique: false,
            injective: false,
            definition,
            span: Span::NONE,
        });
        PredicateId::new(self.program.predicates.len() - 1)
    }

    /// It does not keep individuals apart.
    pub(super) fn of_all(&mut self, id: PredicateId) {
        self.program.predicates[id.index()].abstraction = false;
    }

    fn rule(&mut self, text: &str, (variables, free): (usize, usize), body: Formula, head: Head) {
        self.program.constraints.push(Constraint {
            text: text.to_owned(),
            variables,
            free,
            body,
            head,
            span: Span::NONE,
        });
    }

    /// At most one individual has it.
    fn unique(&mut self, name: String) -> PredicateId {
        let text = format!("`{name}` holds for one at most");
        let id = self.add(name, 1, None);
        self.program.predicates[id.index()].unique = true;
        let holds = |variable| Formula::Holds(id, vec![variable]);
        let both = Formula::And(vec![holds(0), holds(1)]);
        self.rule(&text, (2, 2), both, Head::Equal(0, 1, true));
        let other = Formula::And(vec![holds(1), Formula::not(Formula::Equal(1, 0))]);
        let other = Formula::Exists(1, Box::new(other));
        self.rule(&text, (2, 1), other, Head::Literal(id, vec![0], false));
        id
    }

    /// It is of one individual at most for each first one.
    fn function(&mut self, id: PredicateId) {
        let text = format!("`{}` is a function", self.program.predicate(id).name);
        let holds = |a, b| Formula::Holds(id, vec![a, b]);
        let both = Formula::And(vec![holds(0, 1), holds(0, 2)]);
        self.rule(&text, (3, 3), both, Head::Equal(1, 2, true));
        let other = Formula::And(vec![holds(0, 2), Formula::not(Formula::Equal(2, 1))]);
        let other = Formula::Exists(2, Box::new(other));
        self.rule(&text, (3, 2), other, Head::Literal(id, vec![0, 1], false));
    }

    /// A function, with who has a value, and who is one.
    fn reference(&mut self, name: String) -> PredicateId {
        let id = self.add(name, 2, None);
        self.program.predicates[id.index()].unique = true;
        self.function(id);
        id
    }

    /// Who has a value of a function, and who is one: these keep individuals apart.
    fn ends(&mut self, id: PredicateId) {
        let name = self.program.predicate(id).name.clone();
        for (prefix, arguments) in [("has", vec![0, 1]), ("is", vec![1, 0])] {
            let some = Formula::Exists(1, Box::new(Formula::Holds(id, arguments)));
            let own = self.add(format!("{prefix}[{name}]"), 1, Some(some));
            if prefix == "is" {
                self.values.insert(id, own);
            }
        }
    }
}

impl Vocabulary {
    pub(super) fn new(code: &Code, program: &mut PredicateProgram) -> Vocabulary {
        let mut declaring = Declaring::new(program);
        // The rules about turns come first.
        let turn = declaring.unique("turn".to_owned());
        declaring.program.predicates[turn.index()].abstraction = false;
        let started = declaring.add("started".to_owned(), 1, None);
        let alive = declaring.add("alive".to_owned(), 1, None);
        let is_new = declaring.add("new".to_owned(), 1, None);
        declaring.program.predicates[is_new.index()].abstraction = false;
        declaring.program.turn = Some(turn);
        declaring.program.is_new = Some(is_new);
        declaring.program.schedulable = Some(Formula::Holds(alive, vec![0]));
        let mut vocabulary = Vocabulary {
            started,
            alive,
            turn,
            is_new,
            woken: None,
            at: Vec::new(),
            types: BTreeMap::new(),
            class_objects: Vec::new(),
            vars: vec![None; code.vars.len()],
            fields: vec![None; code.fields.len()],
            main: code.vars.iter().map(|variable| variable.main).collect(),
            target: code.target,
            held: None,
            values: BTreeMap::new(),
        };
        if code.edges.iter().any(|edge| edge.op == Op::Rouse) {
            vocabulary.woken = Some(declaring.unique("woken".to_owned()));
        }
        vocabulary.labels(code, &mut declaring);
        for &class in &code.made {
            let name = code.class_names[class.0].clone();
            vocabulary.types.insert(class, declaring.add(name, 1, None));
        }
        for &class in &code.class_objects {
            let name = format!("{}.class", code.class_names[class.0]);
            let id = declaring.unique(name);
            vocabulary.class_objects.push((class, id));
        }
        vocabulary.variables(code, &mut declaring);
        vocabulary.monitors(code, &mut declaring);
        vocabulary.values = declaring.values;
        vocabulary
    }

    fn labels(&mut self, code: &Code, declaring: &mut Declaring<'_>) {
        let mut used = vec![false; code.labels.len()];
        for edge in &code.edges {
            let all = crate::contract::next(edge).chain([edge.from]);
            all.for_each(|label| used[label.0] = true);
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for (info, used) in code.labels.iter().zip(used) {
            if !used {
                self.at.push(None);
                continue;
            }
            let count = names.entry(&info.name).or_default();
            *count += 1;
            let name = match *count {
                1 => format!("at[{}]", info.name),
                count => format!("at[{}.{count}]", info.name),
            };
            let id = declaring.add(name, 1, None);
            self.at.push(Some(id));
        }
    }

    fn variables(&mut self, code: &Code, declaring: &mut Declaring<'_>) {
        let mut used = Used::default();
        code.edges.iter().for_each(|edge| used.of(&edge.op));
        let mut functions = Vec::new();
        for (variable, info) in code.vars.iter().enumerate() {
            if !used.vars.contains(&VarId(variable)) {
                continue;
            }
            let name = info.name.clone();
            let id = match (info.main, info.flag) {
                (true, true) => declaring.add(name, 0, None),
                (true, false) => declaring.unique(name),
                (false, true) => declaring.add(name, 1, None),
                (false, false) => {
                    let id = declaring.reference(name);
                    functions.push(id);
                    id
                }
            };
            self.vars[variable] = Some(id);
        }
        for (field, info) in code.fields.iter().enumerate() {
            if !used.fields.contains(&FieldId(field)) && code.target != Some(FieldId(field)) {
                continue;
            }
            let name = info.name.clone();
            let id = match (info.kind, info.is_static) {
                (Kind::Data, _) => continue,
                (Kind::Flag, true) => declaring.add(name, 0, None),
                (Kind::Flag, false) => declaring.add(name, 1, None),
                (Kind::Reference(_), true) => declaring.unique(name),
                (Kind::Reference(_), false) => {
                    let id = declaring.reference(name);
                    functions.push(id);
                    id
                }
            };
            self.fields[field] = Some(id);
        }
        functions.into_iter().for_each(|id| declaring.ends(id));
    }

    /// Who holds a monitor: who is where it has been entered and not given back.
    fn monitors(&mut self, code: &Code, declaring: &mut Declaring<'_>) {
        // Labels by the monitors that are held there.
        let mut groups: Vec<(Ref, Option<Ref>, Vec<Formula>)> = Vec::new();
        for (label, info) in code.labels.iter().enumerate() {
            let Some(at) = self.at[label] else {
                continue;
            };
            for &monitor in &info.monitors {
                let here = Formula::Holds(at, vec![1]);
                let same = |group: &&mut (Ref, Option<Ref>, Vec<Formula>)| {
                    (group.0, group.1) == (monitor, info.released)
                };
                match groups.iter_mut().find(same) {
                    Some((_, _, all)) => all.push(here),
                    None => groups.push((monitor, info.released, vec![here])),
                }
            }
        }
        let locks = |op: &Op| matches!(op, Op::Lock(_) | Op::Reacquire(_));
        if groups.is_empty() && !code.edges.iter().any(|edge| locks(&edge.op)) {
            return;
        }
        let parts = groups.into_iter().map(|(monitor, released, at)| {
            let mut parts = vec![Formula::Or(at), self.points(monitor, 1, 0)];
            if let Some(released) = released {
                parts.push(Formula::not(self.points(released, 1, 0)));
            }
            Formula::And(parts)
        });
        let definition = Formula::Or(parts.collect());
        let held = declaring.add("held_by".to_owned(), 2, Some(definition));
        declaring.function(held);
        let some = Formula::Exists(1, Box::new(Formula::Holds(held, vec![0, 1])));
        let locked = declaring.add("locked".to_owned(), 1, Some(some));
        self.held = Some((held, locked));
    }

    pub(super) fn var(&self, variable: VarId) -> Option<PredicateId> {
        self.vars[variable.0]
    }

    /// Who is a value of a predicate, if it is a function.
    pub(super) fn value_of(&self, id: PredicateId) -> Option<PredicateId> {
        self.values.get(&id).copied()
    }

    /// The predicates of the variables that are references.
    pub(super) fn variables_of_references(&self, code: &Code) -> Vec<PredicateId> {
        let all = self.vars.iter().zip(&code.vars);
        let references = all.filter(|(_, info)| !info.flag);
        references.filter_map(|(id, _)| *id).collect()
    }

    pub(super) fn is_main(&self, variable: VarId) -> bool {
        self.main[variable.0]
    }

    pub(super) fn field(&self, field: FieldId) -> Option<PredicateId> {
        self.fields[field.0]
    }

    /// Whether a thread is at a label.
    pub(super) fn is_at(&self, label: Label, thread: Var) -> Formula {
        self.holds(self.at[label.0], vec![thread])
    }

    /// A predicate that was declared if anything uses it; otherwise it holds for nobody.
    pub(super) fn holds(&self, predicate: Option<PredicateId>, arguments: Vec<Var>) -> Formula {
        match predicate {
            Some(id) => Formula::Holds(id, arguments),
            None => Formula::Value(model::predicates::Kleene::False),
        }
    }

    /// Whether a reference of a thread is to an object.
    pub(super) fn points(&self, reference: Ref, thread: Var, object: Var) -> Formula {
        match reference {
            Ref::Null => Formula::Value(model::predicates::Kleene::False),
            Ref::Me => Formula::Equal(thread, object),
            Ref::Target => {
                let target = self.target.and_then(|field| self.field(field));
                self.holds(target, vec![thread, object])
            }
            Ref::Var(variable) if self.is_main(variable) => {
                self.holds(self.var(variable), vec![object])
            }
            Ref::Var(variable) => self.holds(self.var(variable), vec![thread, object]),
            Ref::Static(field) => self.holds(self.field(field), vec![object]),
            Ref::Class(class) => {
                let mut all = self.class_objects.iter();
                let found = all.find(|(own, _)| *own == class).map(|(_, id)| *id);
                self.holds(found, vec![object])
            }
        }
    }

    /// How the analysis finds where a reference of the thread that moves leads.
    pub(super) fn way(&self, reference: Ref) -> Option<Focus> {
        let from_thread = |id: Option<PredicateId>| {
            let then = id.into_iter().map(Onward::from).collect();
            Some(Focus {
                of: self.turn,
                then,
            })
        };
        match reference {
            Ref::Null => None,
            Ref::Me => from_thread(None),
            Ref::Target => from_thread(self.field(self.target?)),
            Ref::Var(variable) if self.is_main(variable) => self.var(variable).map(Focus::from),
            Ref::Var(variable) => from_thread(self.var(variable)),
            Ref::Static(field) => self.field(field).map(Focus::from),
            Ref::Class(class) => {
                let mut all = self.class_objects.iter();
                all.find(|(own, _)| *own == class)
                    .map(|(_, id)| (*id).into())
            }
        }
    }
}

/// What code reads and writes.
#[derive(Default)]
struct Used {
    vars: std::collections::BTreeSet<VarId>,
    fields: std::collections::BTreeSet<FieldId>,
}

impl Used {
    fn of(&mut self, op: &Op) {
        if let Some(base) = op.base() {
            self.reference(base);
        }
        match op {
            Op::Set(variable, value) => {
                self.vars.insert(*variable);
                self.value(*value);
            }
            Op::New(variable, _) => {
                self.vars.insert(*variable);
            }
            Op::Load(variable, place) => {
                self.vars.insert(*variable);
                self.place(*place);
            }
            Op::Store(place, value) => {
                self.place(*place);
                self.value(*value);
            }
            Op::Test(test, _) => match test {
                Test::Same(a, b) => [*a, *b].into_iter().for_each(|one| self.reference(one)),
                Test::Null(a) | Test::Is(a, _) => self.reference(*a),
                Test::Flag(variable) => {
                    self.vars.insert(*variable);
                }
                Test::Chosen => {}
            },
            Op::Reacquire(reference) => self.reference(*reference),
            _ => {}
        }
    }

    fn place(&mut self, place: Place) {
        self.fields.insert(place.field());
        if let Place::Of(base, _) = place {
            self.reference(base);
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Ref(reference) => self.reference(reference),
            Value::Flag(variable) => {
                self.vars.insert(variable);
            }
            Value::Any(_) | Value::Bool(_) | Value::Chosen => {}
        }
    }

    fn reference(&mut self, reference: Ref) {
        match reference {
            Ref::Var(variable) => {
                self.vars.insert(variable);
            }
            Ref::Static(field) => {
                self.fields.insert(field);
            }
            Ref::Null | Ref::Me | Ref::Target | Ref::Class(_) => {}
        }
    }
}
