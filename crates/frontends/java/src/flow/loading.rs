//! In which order classes are loaded.
//!
//! Java loads a class when it is first used (Java Language Specification, 12.4.1). All are loaded before
//! `main` begins here, which is the same where what happens at loading does not depend on the time: of
//! other classes it reads only flags and the like that are final, and no two classes need each other.

use std::collections::HashSet;

use source::{Diagnostic, Span};

use super::Flow;
use crate::classes::{ClassId, Classes, Kind};
use crate::codes;
use crate::tree::{ExprKind, Stmt};
use crate::walk;

impl Flow<'_, '_> {
    /// The classes, each behind those whose static fields its loading reads.
    pub(super) fn load_order(&mut self) -> Vec<ClassId> {
        let mut order = Vec::new();
        let mut open = Vec::new();
        for id in self.classes.ids() {
            self.load(id, &mut open, &mut order);
        }
        order
    }

    fn load(&mut self, id: ClassId, open: &mut Vec<ClassId>, order: &mut Vec<ClassId>) {
        if order.contains(&id) {
            return;
        }
        let class = self.classes.get(id);
        let Some(span) = first(id, self.classes) else {
            return order.push(id);
        };
        if open.contains(&id) {
            let what = format!(
                "that classes need each other before `{}` is loaded",
                class.name
            );
            return self.outside(span, &what);
        }
        open.push(id);
        let names = reached(id, self.classes);
        // A thread that uses the class waits until it is loaded, which nothing here stands for.
        if names.contains("start") {
            let message = format!("a thread may be started while `{}` is loaded", class.name);
            let error = Diagnostic::error(codes::OUTSIDE, message).at(span);
            let help = "start it in `main`: programs that start threads in static initialisers are not read";
            self.diagnostics.push(error.help(help));
        }
        for other in self.classes.ids().filter(|other| *other != id) {
            let fields = &self.classes.get(other).fields;
            let mut read = fields
                .iter()
                .filter(|field| field.is_static && names.contains(field.name.as_str()))
                .peekable();
            if read.peek().is_none() {
                continue;
            }
            let is_object = |ty| matches!(self.classes.kind(ty), Kind::Reference(_));
            if let Some(field) = read.find(|field| !field.is_final || is_object(&field.ty)) {
                let what = format!("that loading `{}` reads `{}`", class.name, field.name);
                self.outside(span, &what);
            }
            self.load(other, open, order);
        }
        open.pop();
        order.push(id);
    }
}

/// What is done first when a class is loaded, if anything is.
fn first(id: ClassId, classes: &Classes<'_>) -> Option<Span> {
    let mut beginnings = classes.get(id).beginnings.iter();
    let of = beginnings.find(|one| one.is_static && !one.body.is_empty())?;
    Some(of.body[0].span)
}

/// The names that stand in whatever may be executed while a class is loaded; a call may be one of any
/// method of that name.
fn reached<'a>(id: ClassId, classes: &Classes<'a>) -> HashSet<&'a str> {
    let mut found = HashSet::new();
    let mut open = Vec::new();
    let loaded = classes
        .get(id)
        .beginnings
        .iter()
        .filter(|one| one.is_static);
    loaded.for_each(|one| names(&one.body, &mut open));
    while let Some(name) = open.pop() {
        if !found.insert(name) {
            continue;
        }
        if let Some(made) = classes.named(name) {
            for above in classes.above(made) {
                let class = classes.get(above);
                let own = class.beginnings.iter().filter(|one| !one.is_static);
                own.for_each(|one| names(&one.body, &mut open));
                let constructors = class.methods.iter().filter(|one| one.name == "<init>");
                let bodies = constructors.filter_map(|one| one.body.as_deref());
                bodies.for_each(|body| names(body, &mut open));
            }
        }
        let methods = classes.all.iter().flat_map(|class| &class.methods);
        let bodies = methods
            .filter(|one| one.name == name)
            .filter_map(|one| one.body.as_deref());
        bodies.for_each(|body| names(body, &mut open));
    }
    found
}

fn names<'a>(body: &'a [Stmt], found: &mut Vec<&'a str>) {
    walk::in_statements(body, &mut |one| match &one.kind {
        ExprKind::Name(name)
        | ExprKind::Field(_, name)
        | ExprKind::Call(_, name, _)
        | ExprKind::New(name, _) => found.push(name),
        _ => {}
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn threads_are_not_started_while_classes_are_loaded() {
        let text = "class Main { static { new Reader().start(); } public static void main(String[] a) { } }\n\
                    class Reader extends Thread { public void run() { } }";
        let loaded = crate::load("T.java", text);
        assert!(loaded.program.is_none());
        let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(found, [crate::codes::OUTSIDE]);
    }
}
