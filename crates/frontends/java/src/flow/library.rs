//! What the library says of threads and monitors; and what is thought of the rest of it.

use source::Span;

use super::call::At;
use super::{Flow, Val};
use crate::classes::{ClassId, Kind, RUNNABLE, THREAD};
use crate::code::{Op, Place, Ref, Value};

/// Classes of the library whose methods neither block nor call code of the file, unless it is given to them.
const HARMLESS: &[&str] = &[
    "String",
    "StringBuilder",
    "Math",
    "Integer",
    "Long",
    "Double",
    "Boolean",
    "Character",
    "Random",
    "System",
    "List",
    "ArrayList",
    "LinkedList",
    "Map",
    "HashMap",
    "Set",
    "HashSet",
    "Deque",
    "ArrayDeque",
    "Queue",
    "Stack",
    "Vector",
    "Collections",
    "Arrays",
    "Objects",
    "Iterator",
    "AtomicInteger",
    "AtomicLong",
    "AtomicBoolean",
    "Instant",
    "Duration",
    "PrintStream",
    "byte",
    "short",
    "int",
    "long",
    "char",
    "float",
    "double",
    "var",
    "Exception",
    "RuntimeException",
    "IllegalStateException",
    "IllegalArgumentException",
    "InterruptedException",
    "Error",
    "AssertionError",
    "NullPointerException",
    "UnsupportedOperationException",
    "Throwable",
];

impl Flow<'_, '_> {
    /// Whether the library has a method that an object of a class has.
    pub(super) fn is_library_method(&self, class: ClassId, name: &str, arguments: usize) -> bool {
        let of_all = [
            "wait",
            "notify",
            "notifyAll",
            "hashCode",
            "toString",
            "getClass",
            "equals",
        ];
        let of_threads = [
            "start",
            "join",
            "isAlive",
            "interrupt",
            "setDaemon",
            "setName",
            "getName",
        ];
        of_all.contains(&name) && !(name == "equals" && arguments != 1)
            || self.classes.is(class, THREAD) && of_threads.contains(&name)
    }

    /// Methods that every object has, or every thread.
    pub(super) fn library_method(
        &mut self,
        (object, class): (Ref, ClassId),
        name: &str,
        values: &[Val],
        at: At<'_>,
    ) -> Val {
        let span = at.1;
        let thread = self.classes.is(class, THREAD);
        match (name, values.len()) {
            ("wait", count) => self.wait(object, count > 0, span),
            ("notify", 0) => self.notify(object, span),
            ("notifyAll", 0) => self.step(Op::NotifyAll(object), span),
            ("start", 0) if thread => self.step(Op::Start(object), span),
            ("join", 0) if thread => self.step(Op::Join(object), span),
            ("join", _) if thread => self.step(Op::Receive(object), span),
            ("isAlive", 0) if thread => {
                self.step(Op::Receive(object), span);
                return Val::Flag(Value::Chosen);
            }
            ("equals", 1) => {
                self.step(Op::Receive(object), span);
                return Val::Flag(Value::Chosen);
            }
            ("run", 0) if class == RUNNABLE || thread => {
                self.outside(span, "a call of `run` of an object that is not known");
            }
            ("setDaemon" | "setName" | "getName" | "hashCode" | "toString" | "getClass", _) => {
                self.step(Op::Receive(object), span);
            }
            _ => return self.library("", values, at),
        }
        Val::Data
    }

    /// Waits for a notification, and takes the monitor again.
    fn wait(&mut self, object: Ref, timed: bool, span: Span) {
        if self.here.is_none() {
            return;
        }
        let waits = self.label(span);
        let again = self.label(span);
        for label in [waits, again] {
            let info = &mut self.code.labels[label.0];
            info.monitors.retain(|monitor| *monitor != object);
            info.released = Some(object);
        }
        self.code.labels[waits.0].waits = Some(timed);
        self.edge(Some(waits), Op::Wait(object), span, false);
        self.here = Some(waits);
        self.edge(Some(again), Op::Wake, span, false);
        self.here = Some(again);
        self.step(Op::Reacquire(object), span);
    }

    /// Wakes one thread that waits, if there is one.
    fn notify(&mut self, object: Ref, span: Span) {
        if self.here.is_none() {
            return;
        }
        let (chosen, end) = (self.label(span), self.label(span));
        self.edge(Some(end), Op::NotifyNobody(object), span, false);
        self.edge(Some(chosen), Op::Notify(object), span, false);
        self.here = Some(chosen);
        self.edge(Some(end), Op::Rouse, span, false);
        self.here = Some(end);
    }

    /// A call of the library whose code is not known.
    pub(super) fn library(&mut self, class: &str, values: &[Val], at: At<'_>) -> Val {
        self.may_throw = true;
        if !HARMLESS.contains(&class) {
            let what = format!("this call of `{class}`");
            let what = if class.is_empty() { "this call" } else { &what };
            self.outside(at.1, what);
        } else {
            self.given_away(values, class, at.1);
        }
        Val::Data
    }

    /// Objects that are given to the library may be called from there.
    pub(super) fn given_away(&mut self, values: &[Val], class: &str, span: Span) {
        let mut given = values.iter().filter_map(|value| match value {
            Val::Reference(reference, class, _) if *reference != Ref::Null => *class,
            _ => None,
        });
        let classes = self.classes;
        let called = given.any(|given| {
            let mut below = classes.ids().filter(|one| classes.is(*one, given));
            below.any(|one| {
                let mut methods = classes.get(one).methods.iter();
                let calls_back = [
                    "toString",
                    "equals",
                    "hashCode",
                    "compareTo",
                    "compare",
                    "run",
                    "call",
                ];
                methods.any(|method| calls_back.contains(&method.name.as_str()))
            })
        });
        let keeps = [
            "List",
            "ArrayList",
            "LinkedList",
            "Deque",
            "ArrayDeque",
            "Queue",
            "Stack",
        ];
        if called && !keeps.contains(&class) {
            self.outside(span, "what the library does with this object");
        } else if !HARMLESS.contains(&class) {
            self.outside(span, "an object of this class");
        }
    }

    /// What a thread is made with.
    pub(super) fn made_with(&mut self, thread: Ref, values: &[Val], span: Span) {
        for value in values {
            if let Val::Reference(target, Some(class), _) = *value
                && target != Ref::Null
            {
                self.targets.push(class);
                let kind = Kind::Reference(RUNNABLE);
                let field = self.hidden_field(THREAD, "target", kind);
                self.code.target = Some(field);
                self.step(
                    Op::Store(Place::Of(thread, field), Value::Ref(target)),
                    span,
                );
            }
        }
    }
}
