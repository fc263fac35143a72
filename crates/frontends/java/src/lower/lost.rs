//! Objects that must not be lost: those of classes with the annotation `@NeverLost`.
//!
//! What a program cannot reach any more is collected, so that no object of Java is leaked as memory is in
//! other languages; but a list may lose what has been put into it. An object is *lost* by an assignment to a
//! field behind which no static field and no variable of a thread leads to it, although one did before, over
//! fields of other objects, and no variable held it itself: nobody has taken it out.
//!
//! Which objects are reached is defined by the closure of the fields that may lead to them, as heap
//! reachability is in M. Sagiv, T. Reps, R. Wilhelm, *Parametric Shape Analysis via 3-Valued Logic* (2002),
//! section 2.4. An assignment keeps in mind which were reached before it; the next step forgets that.

use std::collections::BTreeSet;

use model::PredicateId;
use model::predicates::{Formula, Kleene, PredicateProgram};

use super::Lowering;
use super::action::{Draft, FIRST};
use super::vocabulary::{Declaring, Vocabulary};
use crate::classes::{ClassId, Kind};
use crate::code::{Code, Edge, FieldId, FieldInfo, Op};

/// The predicates of what must not be lost.
pub(super) struct Keeping {
    /// What static fields and variables lead to.
    reached: PredicateId,
    /// What was reached before the last step, if that assigned to a field, and held by no variable.
    listed: PredicateId,
    /// The fields that may lead to what must not be lost.
    fields: BTreeSet<FieldId>,
    /// Who has been named by a variable: predicates of one.
    held: Vec<PredicateId>,
}

/// The classes of which objects must not be lost, or that may lead to such, and the fields that do.
fn carriers(code: &Code) -> (BTreeSet<ClassId>, BTreeSet<FieldId>) {
    let is_below = |class: ClassId, above: ClassId| code.above[class.0].contains(&above);
    let made = || code.made.iter().copied();
    let kept = |class: &ClassId| code.never_lost.iter().any(|one| is_below(*class, one.0));
    let mut classes: BTreeSet<ClassId> = made().filter(kept).collect();
    let mut fields = BTreeSet::new();
    loop {
        let before = fields.len();
        for (number, field) in code.fields.iter().enumerate() {
            let Kind::Reference(to) = field.kind else {
                continue;
            };
            if !classes.iter().any(|class| is_below(*class, to)) {
                continue;
            }
            fields.insert(FieldId(number));
            if !field.is_static {
                let owns = |class: &ClassId| {
                    owner(code, field).is_none_or(|owner| is_below(*class, owner))
                };
                classes.extend(made().filter(owns));
            }
        }
        if let Some(target) = code.target {
            let threads = code.threads.iter().filter(|thread| thread.by_target);
            if threads
                .clone()
                .any(|thread| classes.contains(&thread.class))
            {
                fields.insert(target);
            }
        }
        if fields.len() == before {
            return (classes, fields);
        }
    }
}

/// The class that declares a field, if it has its name.
fn owner(code: &Code, field: &FieldInfo) -> Option<ClassId> {
    let (name, _) = field.name.split_once('.')?;
    let number = code.class_names.iter().position(|one| one == name)?;
    Some(ClassId(number))
}

impl Keeping {
    /// Adds what is asked of lost objects, if any must not be lost.
    pub(super) fn new(
        code: &Code,
        vocabulary: &Vocabulary,
        program: &mut PredicateProgram,
    ) -> Option<Keeping> {
        let (classes, fields) = carriers(code);
        if classes.is_empty() {
            return None;
        }
        let mut declaring = Declaring::new(program);
        let one = |id, variable| Formula::Holds(id, vec![variable]);
        let (mut steps, mut roots, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for &id in &fields {
            let Some(predicate) = vocabulary.field(id) else {
                continue;
            };
            match code.fields[id.0].is_static {
                true => roots.push(one(predicate, 0)),
                false => steps.push(predicate),
            }
        }
        for predicate in vocabulary.variables_of_references(code) {
            match vocabulary.value_of(predicate) {
                // Of the main thread there is one.
                None => held.push(predicate),
                Some(is) => held.push(is),
            }
        }
        roots.extend(held.iter().map(|&id| one(id, 0)));
        roots.push(one(vocabulary.alive, 0));
        let leads = match steps[..] {
            [only] => only,
            _ => {
                let any = steps.iter().map(|&id| Formula::Holds(id, vec![0, 1]));
                let any = Formula::Or(any.collect());
                declaring.add("leads".to_owned(), 2, Some(any))
            }
        };
        let way = Formula::Closure {
            ends: [0, 1],
            step: [2, 3],
            edge: Box::new(Formula::Holds(leads, vec![2, 3])),
        };
        let way = Formula::Or(vec![Formula::Equal(0, 1), way]);
        let ways = declaring.add("ways".to_owned(), 2, Some(way));
        let root = declaring.add("root".to_owned(), 1, Some(Formula::Or(roots)));
        declaring.of_all(root);
        let from = vec![one(root, 1), Formula::Holds(ways, vec![1, 0])];
        let from = Formula::Exists(1, Box::new(Formula::And(from)));
        let reached = declaring.add("reached".to_owned(), 1, Some(from));
        let listed = declaring.add("listed".to_owned(), 1, None);
        declaring.of_all(listed);
        Some(Keeping {
            reached,
            listed,
            fields,
            held,
        })
    }
}

impl Lowering<'_> {
    /// A property for each class of which objects must not be lost.
    pub(super) fn losses(&mut self) {
        let Some(keeping) = &self.keeping else {
            return;
        };
        let (listed, reached) = (keeping.listed, keeping.reached);
        for (class, span) in self.code.never_lost.clone() {
            let name = self.code.class_names[class.0].clone();
            let text = format!("a `{name}` is lost");
            let lost = vec![
                Formula::Holds(listed, vec![0]),
                Formula::not(Formula::Holds(reached, vec![0])),
                self.of_class(class, 0),
            ];
            let some = Formula::Exists(0, Box::new(Formula::And(lost)));
            self.claim(&format!("lost-{name}"), &text, span, some);
        }
    }

    /// Keeps in mind before an assignment to a field what it may lose.
    pub(super) fn keep(&self, edge: &Edge, draft: &mut Draft) {
        let Some(keeping) = &self.keeping else {
            return;
        };
        let loses = match &edge.op {
            Op::Store(place, _) => keeping.fields.contains(&place.field()),
            _ => false,
        };
        let value = match loses {
            false => Formula::Value(Kleene::False),
            true => {
                let held = keeping.held.iter().chain([&self.vocabulary.alive]);
                let held = held.map(|&id| Formula::not(Formula::Holds(id, vec![FIRST])));
                let mut parts = vec![Formula::Holds(keeping.reached, vec![FIRST])];
                let kept = self.code.never_lost.iter();
                let kept = kept.map(|(class, _)| self.of_class(*class, FIRST));
                parts.push(Formula::Or(kept.collect()));
                parts.extend(held);
                Formula::And(parts)
            }
        };
        draft.set(keeping.listed, value);
    }
}
