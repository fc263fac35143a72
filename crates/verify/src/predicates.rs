//! Which numbers of a state an invariant may compare with each other.

use std::collections::BTreeSet;

use circuit::{Bits, Encoding, Lit, Word};
use model::{Program, PropertyId, Type, Variable};
use passes::{Pass, Selection, pipeline};
use sat::predicates::{Number, Predicate, comparisons};

use crate::conditions::conditions;

/// Numbers narrower than this are left to their bits.
const NARROW: usize = 12;
/// No more numbers than this are compared.
const MOST: usize = 8;

/// The wide numbers of a state.
pub(crate) struct Wide {
    /// What they are called, and their bits.
    pub(crate) numbers: Vec<Number>,
    /// Comparisons of them.
    pub(crate) predicates: Vec<Predicate>,
    /// The latches that hold them.
    pub(crate) data: Vec<Lit>,
}

/// The wide numbers of a state. `wide` are the names of the variables that are not known to have
/// small values only.
pub(crate) fn wide_numbers(encoding: &mut Encoding<'_>, wide: &BTreeSet<String>) -> Wide {
    let mut numbers: Vec<Number> = Vec::new();
    for slot in &encoding.slots {
        collect(&slot.name, &slot.bits, &mut numbers);
    }
    let latches = |word: &Word| -> Vec<Lit> {
        let bits = word.bits().iter().copied();
        bits.filter(|lit| encoding.circuit.latch_of(*lit).is_some())
            .collect()
    };
    let is_wide = |name: &str| {
        let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
        wide.contains(name) || wide.contains(last)
    };
    numbers.retain(|number| latches(&number.word).len() >= NARROW && is_wide(&number.name));
    numbers.truncate(MOST);
    let data = numbers.iter().flat_map(|n| latches(&n.word)).collect();
    let mut predicates = conditions(encoding, &is_wide);
    let compared = comparisons(&mut encoding.circuit, &numbers, true);
    let is_new = |new: &Predicate| {
        let mut said = predicates.iter();
        !said.any(|old| old.lit.node() == new.lit.node())
    };
    let compared: Vec<Predicate> = compared.into_iter().filter(is_new).collect();
    predicates.extend(compared);
    Wide {
        predicates,
        data,
        numbers,
    }
}

/// The names of variables whose values are many, as far as intervals tell.
pub(crate) fn wide_variables(program: &Program, property: PropertyId) -> BTreeSet<String> {
    let selection = Selection::of(&[Pass::Inline, Pass::Fold, Pass::WriteOnly, Pass::Bounds]);
    let narrowed = pipeline(program, &[property], &selection).program;
    let mut names = BTreeSet::new();
    let mut add = |variables: &[Variable]| {
        for variable in variables {
            if is_wide(&variable.ty) {
                names.insert(variable.name.clone());
            }
        }
    };
    add(&narrowed.globals);
    for process in &narrowed.processes {
        add(&process.locals);
        for procedure in &process.procedures {
            add(&procedure.locals);
        }
    }
    names
}

fn is_wide(ty: &Type) -> bool {
    match ty {
        Type::Mathint => true,
        Type::Array(item, _) => is_wide(item),
        Type::Int { .. } | Type::Range { .. } => ty
            .bounds()
            .is_some_and(|(lo, hi)| hi.saturating_sub(lo) >= 1 << NARROW),
        _ => false,
    }
}

fn collect(name: &str, bits: &Bits, numbers: &mut Vec<Number>) {
    match bits {
        Bits::Word(word) => numbers.push(Number {
            name: plain(name).to_owned(),
            word: word.clone(),
        }),
        Bits::Tuple(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(&format!("{name}[{at}]"), item, numbers);
            }
        }
        Bits::Bool(_) | Bits::Rich(_) => {}
    }
}

/// A name without the instance it belongs to.
fn plain(name: &str) -> &str {
    match name.split_once(").") {
        Some((_, own)) => own,
        None => name,
    }
}
