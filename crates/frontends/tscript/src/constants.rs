//! Constants that other scripts define: names in capital letters, as of the preprocessor's macros, that
//! nothing declares in a script which is a part of a system.
//!
//! Such a constant is one value for the whole script, different from all that stand in it. Its type is that
//! of what it is given to, assigned to or compared with. What is used for values of several types can only
//! be `undefined`, which every type lets through.

use std::collections::{HashMap, HashSet};

use crate::ast::{Call, Process, ProcessDef, ProcessKind, Script, Term, TermKind, Word};
use crate::term::Pattern;
use crate::types::Type;

/// The least length of such a name: shorter ones are variables.
const LEAST_LETTERS: usize = 3;

/// What a constant is taken for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Constant {
    /// A text.
    Text,
    /// A word.
    Word,
    /// A term that begins with this word, as its type says.
    Typed(String),
    /// No value.
    Undefined,
    /// A number, a truth value or a list: no such value differs from all others.
    Unknown,
}

impl Constant {
    /// What a constant is that is used for values of these types.
    fn of_types(types: &HashSet<Type>) -> Constant {
        let mut types = types.iter().filter(|ty| **ty != Type::Term);
        match (types.next(), types.next()) {
            (None, _) => Constant::Word,
            (Some(Type::Str), None) => Constant::Text,
            (Some(Type::Apply(word, None)), None) => Constant::Typed(word.clone()),
            (Some(_), None) => Constant::Unknown,
            (Some(_), Some(_)) => Constant::Undefined,
        }
    }

    /// The value, for the constant of a name.
    pub(crate) fn value(&self, name: &str) -> Option<Pattern> {
        let text = Pattern::Str(name.into());
        match self {
            Constant::Text => Some(text),
            Constant::Word => Some(Pattern::Apply(name.into(), Vec::new())),
            Constant::Typed(word) => Some(Pattern::Apply(word.as_str().into(), vec![text])),
            Constant::Undefined => Some(Pattern::Apply("undefined".into(), Vec::new())),
            Constant::Unknown => None,
        }
    }
}

/// Whether a name looks like a macro's.
fn is_like_a_macro(name: &str) -> bool {
    let mut chars = name.chars();
    name.len() >= LEAST_LETTERS
        && chars.all(|char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_')
}

/// What each name of a script may be that looks like a macro's and is declared nowhere. Nothing wanted of it
/// says that it is a text, as nearly all such constants are.
pub(crate) fn of(script: &Script) -> HashMap<String, Constant> {
    let formals: HashMap<&str, Vec<Type>> = script
        .processes
        .iter()
        .map(|process| {
            let types = process
                .formals
                .iter()
                .map(|formal| Type::of_term(&formal.ty));
            (process.name.as_str(), types.collect())
        })
        .collect();
    let mut wanted = Wanted {
        formals,
        types: HashMap::new(),
    };
    for process in &script.processes {
        wanted.by(process);
    }
    for call in &script.started {
        wanted.in_call(call, &HashMap::new());
    }
    let constant = |types: &HashSet<Type>| match types.is_empty() {
        true => Constant::Text,
        false => Constant::of_types(types),
    };
    let all = wanted.types.iter();
    all.map(|(name, types)| ((*name).to_owned(), constant(types)))
        .collect()
}

/// The types that are wanted of names that look like macros'.
struct Wanted<'s> {
    formals: HashMap<&'s str, Vec<Type>>,
    types: HashMap<&'s str, HashSet<Type>>,
}

impl<'s> Wanted<'s> {
    fn by(&mut self, process: &'s ProcessDef) {
        let mut declared: HashMap<&str, Type> = HashMap::new();
        let mut waiting = vec![&process.body];
        let mut bodies = Vec::new();
        for formal in &process.formals {
            declared.insert(&formal.name, Type::of_term(&formal.ty));
        }
        while let Some(part) = waiting.pop() {
            source::limits::check();
            bodies.push(part);
            match &part.kind {
                ProcessKind::Atom(_) | ProcessKind::Call(_) | ProcessKind::Create { .. } => {}
                ProcessKind::Sequence(all) | ProcessKind::Choice(all) | ProcessKind::Merge(all) => {
                    waiting.extend(all);
                }
                ProcessKind::Biased {
                    second_best: a,
                    best: b,
                }
                | ProcessKind::Iteration(a, b)
                | ProcessKind::Disrupt(a, b) => waiting.extend([&**a, &**b]),
                ProcessKind::If(_, then, otherwise) => {
                    waiting.push(then);
                    waiting.extend(otherwise.as_deref());
                }
                ProcessKind::Let(declarations, body) => {
                    for one in declarations {
                        declared.insert(&one.name, Type::of_term(&one.ty));
                    }
                    waiting.push(body);
                }
            }
        }
        for part in bodies {
            self.in_part(part, &declared);
        }
    }

    fn in_part(&mut self, part: &'s Process, declared: &HashMap<&str, Type>) {
        match &part.kind {
            ProcessKind::Atom(atom) => {
                if atom.word == Word::Assign {
                    self.alike(&atom.args[0], &atom.args[1], declared);
                }
                atom.args.iter().for_each(|arg| self.in_term(arg, declared));
            }
            ProcessKind::Call(call) | ProcessKind::Create { call, .. } => {
                self.in_call(call, declared);
            }
            ProcessKind::If(test, ..) => self.in_term(test, declared),
            _ => {}
        }
    }

    fn in_call(&mut self, call: &'s Call, declared: &HashMap<&str, Type>) {
        let formals = self.formals.get(call.name.as_str()).cloned();
        let formals = formals.unwrap_or_default();
        for (at, arg) in call.args.iter().enumerate() {
            match (formals.get(at), name(arg)) {
                (Some(ty), Some(name)) => self.add(name, Some(ty.clone()), declared),
                _ => self.in_term(arg, declared),
            }
        }
    }

    fn in_term(&mut self, term: &'s Term, declared: &HashMap<&str, Type>) {
        match &term.kind {
            TermKind::Var { name, .. } => self.add(name, None, declared),
            TermKind::Apply(function, args) => {
                if let ("equal" | "not-equal", [a, b]) = (function.as_str(), args.as_slice()) {
                    self.alike(a, b, declared);
                    self.alike(b, a, declared);
                }
                args.iter().for_each(|arg| self.in_term(arg, declared));
            }
            TermKind::List(items) => items.iter().for_each(|item| self.in_term(item, declared)),
            _ => {}
        }
    }

    /// `other` has to have the type of `this`, if that is a variable.
    fn alike(&mut self, this: &'s Term, other: &'s Term, declared: &HashMap<&str, Type>) {
        if let (Some(variable), Some(constant)) = (name(this), name(other)) {
            self.add(constant, declared.get(variable).cloned(), declared);
        }
    }

    fn add(&mut self, name: &'s str, ty: Option<Type>, declared: &HashMap<&str, Type>) {
        if is_like_a_macro(name) && !declared.contains_key(name) {
            self.types.entry(name).or_default().extend(ty);
        }
    }
}

/// The name of a variable.
fn name(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Var { name, .. } => Some(name),
        _ => None,
    }
}
