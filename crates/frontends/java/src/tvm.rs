//! Programs as models in TVM.
//!
//! Each step of a thread becomes an action with its own precondition, tried as a claim in every
//! configuration: whose turn it is, where threads are and what happens to both is said by predicates, as
//! in the program. What is not followed in Java is a choice (`1/2`) there.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use model::predicates::{
    Creation, Focus, Formula, Head, Kleene, PredicateAction, PredicateProgram, Structure, Var,
};
use model::{PredicateId, Program};

/// Words that mean something else in TVM.
const TAKEN: &[&str] = &[
    "A", "E", "TC", "foreach", "atomic", "in", "sm", "isthread", "ready", "runnable", "isNew",
    "instance", "Labels",
];

/// Writes a program.
pub(crate) fn write(name: &str, whole: &Program, program: &PredicateProgram) -> String {
    let writer = Writer {
        program,
        names: names(program),
    };
    let comment = |what: &str| format!("// {}\n", what.replace(['\n', '\r', '\\'], " "));
    let mut text = comment(name);
    // What is verified of the model is so of the program only under these assumptions.
    for assumption in &whole.assumptions {
        text.push_str(&comment(&format!("Assumed: {}", assumption.text)));
    }
    writer.declarations(&mut text);
    text.push_str("\n%%\n");
    for (number, action) in program.actions.iter().enumerate() {
        writer.action(number, action, &mut text);
    }
    text.push_str("\n%%\n\n%%\n\n");
    for number in 0..program.actions.len() {
        add(&mut text, format_args!("step{number}()\n"));
    }
    for (number, initial) in program.initial.iter().enumerate() {
        let called = program.called.get(number).map_or(&[][..], Vec::as_slice);
        writer.initial(initial, called, &mut text);
    }
    text
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string succeeds");
}

/// The names of predicates in TVM.
fn names(program: &PredicateProgram) -> Vec<String> {
    let mut taken: BTreeSet<String> = TAKEN.iter().map(|&one| one.to_owned()).collect();
    let mut names = Vec::new();
    for (index, predicate) in program.predicates.iter().enumerate() {
        if program.is_new == Some(PredicateId::new(index)) {
            names.push("isNew".to_owned());
            continue;
        }
        let mut name = identifier(&predicate.name);
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// A name of letters, digits and dots.
fn identifier(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
    let own = name.trim_end_matches(']').replace('[', ".");
    let own: String = own.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    match own.chars().next() {
        Some(first) if first.is_ascii_digit() || first == '.' => format!("_{own}"),
        _ => own,
    }
}

/// A text between quotation marks.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(['"', '\n', '\r'], "'"))
}

fn list(variables: impl IntoIterator<Item = Var>) -> String {
    let all = variables.into_iter().map(|one| format!("v{one}"));
    all.collect::<Vec<_>>().join(", ")
}

struct Writer<'p> {
    program: &'p PredicateProgram,
    names: Vec<String>,
}

/// What holds of new individuals from the beginning: updates of TVM are read before that.
type Born<'c> = &'c [PredicateId];

impl Writer<'_> {
    fn name(&self, id: PredicateId) -> &str {
        &self.names[id.index()]
    }

    fn declarations(&self, text: &mut String) {
        for (index, predicate) in self.program.predicates.iter().enumerate() {
            if self.program.is_new == Some(PredicateId::new(index)) {
                continue;
            }
            let (name, variables) = (&self.names[index], list(0..predicate.arity));
            match &predicate.definition {
                None => add(text, format_args!("%p {name}({variables})")),
                Some(definition) => {
                    let definition = self.formula(definition, &[]);
                    add(text, format_args!("%i {name}({variables}) = {definition}"));
                }
            }
            let attributes = [
                (predicate.arity < 2 && !predicate.abstraction, "nonabs"),
                (predicate.arity == 1 && predicate.unique, "unique"),
                (predicate.arity == 2 && predicate.unique, "function"),
                (predicate.arity == 2 && predicate.injective, "invfunction"),
            ];
            for (_, attribute) in attributes.iter().filter(|(has, _)| *has) {
                add(text, format_args!(" {attribute}"));
            }
            text.push('\n');
        }
        for rule in &self.program.constraints {
            // The attributes say these.
            let known = ["holds for one at most", "is a function"];
            if known.iter().any(|one| rule.text.ends_with(one)) {
                continue;
            }
            let body = self.formula(&rule.body, &[]);
            let head = match &rule.head {
                Head::Never => "0".to_owned(),
                head => self.formula(&head.formula(), &[]),
            };
            add(text, format_args!("%r {body} ==> {head}\n"));
        }
    }

    fn formula(&self, formula: &Formula, born: Born<'_>) -> String {
        let all = |parts: &[Formula], mark: &str, none: &str| match parts {
            [] => none.to_owned(),
            parts => {
                let parts = parts.iter().map(|one| self.formula(one, born));
                format!("({})", parts.collect::<Vec<_>>().join(mark))
            }
        };
        match formula {
            Formula::Value(Kleene::False) => "0".to_owned(),
            Formula::Value(Kleene::True) => "1".to_owned(),
            Formula::Value(Kleene::Unknown) => "1/2".to_owned(),
            Formula::Holds(id, variables) => {
                let holds = format!("{}({})", self.name(*id), list(variables.iter().copied()));
                match (born.contains(id), variables.as_slice()) {
                    (true, [one]) => format!("({holds} | isNew(v{one}))"),
                    _ => holds,
                }
            }
            Formula::Equal(a, b) => format!("v{a} == v{b}"),
            Formula::Not(inner) => format!("!({})", self.formula(inner, born)),
            Formula::And(parts) => all(parts, " & ", "1"),
            Formula::Or(parts) => all(parts, " | ", "0"),
            Formula::If(parts) => {
                let [test, then, otherwise] = [0, 1, 2].map(|one| self.formula(&parts[one], born));
                format!("({test} ? {then} : {otherwise})")
            }
            Formula::Exists(bound, inner) => format!("(E(v{bound}) {})", self.formula(inner, born)),
            Formula::Forall(bound, inner) => format!("(A(v{bound}) {})", self.formula(inner, born)),
            Formula::Closure { ends, step, edge } => {
                let edge = self.formula(edge, born);
                let (ends, step) = (list(*ends), list(*step));
                format!("(TC ({ends})({step}) {edge})")
            }
        }
    }

    fn focus(&self, focus: &Focus) -> String {
        let first = self.program.predicate(focus.of).arity;
        let mut text = format!("{}({})", self.name(focus.of), list(0..first));
        for (place, onward) in focus.then.iter().enumerate() {
            let pair = match onward.back {
                true => [place + 1, place],
                false => [place, place + 1],
            };
            add(
                &mut text,
                format_args!(" & {}({})", self.name(onward.predicate), list(pair)),
            );
        }
        text
    }

    fn action(&self, number: usize, action: &PredicateAction, text: &mut String) {
        let told = quoted(&action.name);
        add(
            text,
            format_args!("\n%action step{number}() {{\n    %t {told}\n"),
        );
        let focus: Vec<String> = action.focus.iter().map(|one| self.focus(one)).collect();
        if !focus.is_empty() {
            add(text, format_args!("    %f {{ {} }}\n", focus.join(", ")));
        }
        // Its free variables are those of the precondition, in their order.
        let free = (0..action.free).map(|one| format!("v{one} == v{one} & "));
        let free: String = free.collect();
        let precondition = self.formula(&action.precondition, &[]);
        add(text, format_args!("    %p {free}{precondition}\n"));
        let message = |(id, condition): &(model::MessageId, Formula)| {
            let said = quoted(&self.program.messages[id.index()].text);
            format!(
                "    %message ({}) -> {said}\n",
                self.formula(condition, &[])
            )
        };
        action
            .reports
            .iter()
            .for_each(|one| text.push_str(&message(one)));
        for creation in &action.creates {
            text.push_str(&self.creation(creation));
        }
        self.updates(action, text);
        if let Some((_, retained)) = &action.retains {
            add(
                text,
                format_args!("    %retain {}\n", self.formula(retained, &[])),
            );
        }
        action
            .reports_after
            .iter()
            .for_each(|one| text.push_str(&message(one)));
        text.push_str("}\n");
    }

    fn creation(&self, creation: &Creation) -> String {
        let keyword = if creation.copies { "%clone" } else { "%new" };
        match &creation.each {
            None => format!("    {keyword}\n"),
            Some((_, whom)) => format!("    {keyword} {}\n", self.formula(whom, &[])),
        }
    }

    fn updates(&self, action: &PredicateAction, text: &mut String) {
        let holds = action.creates.iter().flat_map(|one| &one.holds).copied();
        let born: Vec<PredicateId> = holds.collect();
        text.push_str("    {\n");
        for update in &action.updates {
            let value = self.formula(&update.value, &born);
            let (name, parameters) = (self.name(update.predicate), &update.parameters);
            let parameters = list(parameters.iter().copied());
            add(
                text,
                format_args!("        {name}({parameters}) = {value}\n"),
            );
        }
        let updated = |id: &&PredicateId| action.updates.iter().any(|one| one.predicate == **id);
        for &id in born.iter().filter(|id| !updated(id)) {
            let name = self.name(id);
            add(
                text,
                format_args!("        {name}(v0) = {name}(v0) | isNew(v0)\n"),
            );
        }
        text.push_str("    }\n");
    }

    fn initial(&self, initial: &Structure, called: &[String], text: &mut String) {
        let mut known: HashMap<String, usize> = HashMap::new();
        let individuals: Vec<String> = (0..initial.size())
            .map(|one| {
                let name = called.get(one).map_or("o", String::as_str);
                let name = identifier(name).replace('.', "_");
                let count = known.entry(name.clone()).or_default();
                *count += 1;
                if *count == 1 {
                    name
                } else {
                    format!("{name}_{count}")
                }
            })
            .collect();
        add(
            text,
            format_args!("\n%initial {{\n    %n = {{ {} }}\n", individuals.join(", ")),
        );
        text.push_str("    %p = {\n");
        let some = (0..initial.size()).filter(|&one| initial.summary[one]);
        let some: Vec<String> = some
            .map(|one| format!("{}: 1/2", individuals[one]))
            .collect();
        if !some.is_empty() {
            add(
                text,
                format_args!("        sm = {{ {} }}\n", some.join(", ")),
            );
        }
        for (index, predicate) in self.program.predicates.iter().enumerate() {
            if predicate.definition.is_some() {
                continue;
            }
            let mut values = Vec::new();
            for (place, &value) in initial.values[index].iter().enumerate() {
                let of = initial.arguments(place, predicate.arity);
                let of: Vec<&str> = of.iter().map(|&one| individuals[one].as_str()).collect();
                match value {
                    Kleene::False => {}
                    Kleene::Unknown if of.is_empty() => values.push("1/2".to_owned()),
                    Kleene::Unknown => values.push(format!("{}: 1/2", of.join("->"))),
                    Kleene::True if of.is_empty() => values.push("1".to_owned()),
                    Kleene::True => values.push(of.join("->")),
                }
            }
            let (name, values) = match (values.is_empty(), predicate.arity) {
                (true, _) => continue,
                (false, 0) => (&self.names[index], values.join("")),
                _ => (&self.names[index], format!("{{ {} }}", values.join(", "))),
            };
            add(text, format_args!("        {name} = {values}\n"));
        }
        text.push_str("    }\n}\n");
    }
}
