//! From the steps of threads to a program over structures.
//!
//! Objects and threads are individuals. A thread is at a label, a local variable is a function from
//! threads to objects (of the main thread, a predicate of objects), a field a function from objects to
//! objects, a flag a predicate of one. Who holds a monitor is defined by where threads are and what
//! their variables refer to: so no step has to keep books of it, and a monitor that is entered again
//! is not given back too early (after Yahav, *Verifying Safety Properties of Concurrent Java Programs
//! Using 3-Valued Logic*, 2001, where it is a predicate of its own).

mod action;
mod claims;
mod lost;
mod steps;
mod vocabulary;

use std::collections::BTreeSet;
use std::sync::Arc;

use model::predicates::{Kleene, Message, PredicateAction, PredicateProgram, Structure};
use model::{Claim, MessageId, Program, Property};
use source::Span;

use crate::code::{Code, VarId};
use crate::live::{live, pauses};
use lost::Keeping;
use vocabulary::Vocabulary;

/// Lowers code; `text` is the file, from which steps are told.
pub(crate) fn lower(name: &str, text: &str, code: &Code) -> Program {
    let mut program = PredicateProgram::default();
    let vocabulary = Vocabulary::new(code, &mut program);
    let keeping = Keeping::new(code, &vocabulary, &mut program);
    let mut lowering = Lowering {
        code,
        text,
        vocabulary,
        keeping,
        program,
        properties: Vec::new(),
        live: live(code),
        pauses: pauses(code),
    };
    lowering.begin();
    let messages = lowering.messages();
    for edge in &code.edges {
        lowering.edge(edge, &messages);
    }
    lowering.deadlocks();
    lowering.losses();
    let mut program = Program::new(name, "Java");
    program.properties = lowering.properties;
    program.predicates = Some(Arc::new(lowering.program));
    program
}

struct Lowering<'c> {
    code: &'c Code,
    text: &'c str,
    vocabulary: Vocabulary,
    /// What is known of objects that must not be lost.
    keeping: Option<Keeping>,
    program: PredicateProgram,
    properties: Vec<Property>,
    /// The variables that are live at each label.
    live: Vec<BTreeSet<VarId>>,
    /// The labels at which others may go on.
    pauses: Vec<bool>,
}

impl Lowering<'_> {
    /// The configuration in which the program begins: the main thread, and the objects of classes.
    fn begin(&mut self) {
        let classes = &self.vocabulary.class_objects;
        let mut initial = Structure::new(&self.program.predicates, vec![false; 1 + classes.len()]);
        let known = &self.vocabulary;
        let mut holds = vec![known.started, known.alive];
        holds.extend(self.code.main.and_then(|main| known.at[main.0]));
        for predicate in holds {
            initial.set(predicate, &[0], Kleene::True);
        }
        initial.set(known.turn, &[0], Kleene::Unknown);
        let mut called = vec!["main".to_owned()];
        for (number, (_, predicate)) in classes.iter().enumerate() {
            initial.set(*predicate, &[1 + number], Kleene::True);
            called.push(self.program.predicate(*predicate).name.clone());
        }
        initial.define(&self.program);
        self.program.initial.push(initial);
        self.program.called.push(called);
    }

    /// Something that must not be reported, as a property.
    fn property(&mut self, name: String, text: &str, span: Span) -> MessageId {
        let id = MessageId::new(self.program.messages.len());
        self.program.messages.push(Message {
            text: text.to_owned(),
            span,
        });
        self.properties.push(Property {
            name,
            text: format!("never \"{text}\""),
            span,
            claim: Claim::Silent(id),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        id
    }

    fn push(&mut self, action: PredicateAction, approximate: bool) {
        if approximate {
            let number = self.program.actions.len();
            self.program.approximate.push(number);
        }
        self.program.actions.push(action);
    }
}
