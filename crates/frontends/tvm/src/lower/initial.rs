//! Initial configurations.

use std::collections::HashMap;

use model::predicates::{Kleene, Structure};

use super::{Lowering, Names};
use source::{Diagnostic, Span};

use crate::codes;
use crate::tree::{Edge, File, Initial};

impl Lowering<'_> {
    /// Reads the initial configurations.
    pub(super) fn begin(&mut self, file: &File) {
        for initial in &file.initial {
            let structure = self.structure(initial, file);
            self.broken(&structure, initial);
            self.program.initial.push(structure);
            let threads = initial.threads.iter().map(|(name, ..)| name);
            let others = initial.individuals.iter().map(|(name, _)| name);
            self.program
                .called
                .push(threads.chain(others).cloned().collect());
        }
    }

    /// Says which rule an initial configuration breaks: runs would begin nowhere.
    fn broken(&mut self, structure: &Structure, initial: &Initial) {
        if self.diagnostics.has_errors() {
            return;
        }
        let Some((what, span)) = self.program.broken_rule(structure) else {
            return;
        };
        let message = format!("this configuration cannot be: {what}");
        let error = Diagnostic::error(codes::BROKEN, message).at(initial.span);
        self.diagnostics.push(match span {
            Span::NONE => error,
            span => error.label(span, "this is what it breaks"),
        });
    }

    fn structure(&mut self, initial: &Initial, file: &File) -> Structure {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let threads = initial
            .threads
            .iter()
            .map(|(name, _, _, span)| (name, *span));
        let others = initial.individuals.iter().map(|(name, span)| (name, *span));
        for (name, span) in threads.chain(others) {
            let next = numbers.len();
            if *numbers.entry(name).or_insert(next) != next {
                let message = format!("the individual `{name}` is declared twice");
                self.error(codes::TWICE, span, message);
            }
        }
        let mut structure = Structure::new(&self.program.predicates, vec![false; numbers.len()]);
        for (name, kind, label, span) in &initial.threads {
            let number = [numbers[name.as_str()]];
            structure.set(self.known.isthread, &number, Kleene::True);
            let known = file.threads.iter().find(|thread| thread.name == *kind);
            let Some(thread) = known else {
                let names = file.threads.iter().map(|thread| thread.name.as_str());
                self.unknown("type of threads", kind, *span, names);
                continue;
            };
            let entry = thread.edges.first().map(|edge| &edge.from);
            let Some(label) = label.as_ref().or(entry) else {
                continue;
            };
            match self.predicates.get(&format!("at[{label}]")) {
                Some(&at) => structure.set(at, &number, Kleene::True),
                None => self.unknown("label", label, *span, std::iter::empty()),
            }
        }
        if let Some(flow) = &file.flow {
            self.location_of(initial, flow, &mut structure);
        }
        let mut stated = Vec::new();
        for (name, tuples) in &initial.values {
            let summaries = name.base == "sm" && name.indices.is_empty();
            let predicate = match summaries {
                true => None,
                false => match self.predicate(name, &Names::new()) {
                    Some(id) => Some(id),
                    None => continue,
                },
            };
            stated.extend(predicate);
            for (tuple, value, span) in tuples {
                let mut individuals = Vec::new();
                for one in tuple {
                    match numbers.get(one.as_str()) {
                        Some(&number) => individuals.push(number),
                        None => self.unknown("individual", one, *span, numbers.keys().copied()),
                    }
                }
                if individuals.len() < tuple.len() {
                    continue;
                }
                match predicate {
                    Some(id) => {
                        if self.fits(id, individuals.len(), *span) {
                            structure.set(id, &individuals, *value);
                        }
                    }
                    None if individuals.len() == 1 && *value != Kleene::True => {
                        structure.summary[individuals[0]] = *value == Kleene::Unknown;
                    }
                    None => {
                        let message = "`sm` is `0` or `1/2`, of one individual";
                        self.error(codes::SYNTAX, *span, message);
                    }
                }
            }
        }
        if file.flow.is_none() && !stated.contains(&self.known.runnable) {
            for one in 0..structure.size() {
                let moves = structure
                    .get(self.known.isthread, &[one])
                    .min(structure.get(self.known.ready, &[one]))
                    .min(Kleene::Unknown);
                structure.set(self.known.runnable, &[one], moves);
            }
        }
        // What has a definition is what that says, unless the file says something else: then rules
        // tell whether both can be.
        let mut defined = structure.clone();
        defined.define(&self.program);
        for predicate in self
            .program
            .defined()
            .map(|(id, _, _)| id)
            .collect::<Vec<_>>()
        {
            if !stated.contains(&predicate) {
                let values = &mut structure.values[predicate.index()];
                values.copy_from_slice(&defined.values[predicate.index()]);
                // A TVS file leaves out what is false.
                if file.flow.is_some() {
                    let unknown = values.iter_mut().filter(|one| **one == Kleene::Unknown);
                    unknown.for_each(|one| *one = Kleene::False);
                }
            }
        }
        structure
    }

    /// Says where a sequential program is: where its first edge begins, unless the file says otherwise.
    fn location_of(&mut self, initial: &Initial, flow: &[Edge], structure: &mut Structure) {
        if let Some((_, _, _, span)) = initial.threads.first() {
            let message = "a sequential program has no threads";
            self.error(codes::SYNTAX, *span, message);
        }
        let stated = initial.location.as_ref();
        let first = flow.first().map(|edge| (&edge.from, edge.span));
        let Some((location, span)) = stated.map(|(name, span)| (name, *span)).or(first) else {
            return;
        };
        match self.predicates.get(&format!("at[{location}]")) {
            Some(&at) => structure.set(at, &[], Kleene::True),
            None => self.unknown("location", location, span, std::iter::empty()),
        }
    }
}
