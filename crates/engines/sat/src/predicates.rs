//! Facts about numbers, in which an invariant can be said and told.
//!
//! An invariant over the bits of two 32-bit numbers that says that they are equal takes 64
//! clauses, and one that says which is less takes thousands. So comparisons of the numbers that
//! the latches hold are offered to IC3 as predicates, that is, as signals beside the latches
//! (Cimatti, Griggio, Mover, Tonetta: *IC3 modulo theories via implicit predicate abstraction*, 2014,
//! keep the predicates only; here the bits stay available, so that the search ends whether they are
//! refined or not, and words are preferred wherever they suffice; `relations` refines them).

use std::fmt::Write as _;

use circuit::{Circuit, Lit, Word};

use crate::certificate::Invariant;

/// A number that latches hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// For people.
    pub name: String,
    /// Its bits, over latches.
    pub word: Word,
}

/// A fact about states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// For people: what it says.
    pub name: String,
    /// For people: what its negation says.
    pub negated: String,
    /// Where it holds, over latches.
    pub lit: Lit,
}

/// Sums are only compared where there are at most so many numbers.
const FEW: usize = 8;
/// No more predicates than this are made.
const MOST: usize = 400;

/// Comparisons of numbers with each other and with zero: equal, less; where `sums`, of
/// sums of two with a third as well.
pub fn comparisons(circuit: &mut Circuit, numbers: &[Number], sums: bool) -> Vec<Predicate> {
    let mut predicates = Vec::new();
    let aig = &mut circuit.aig;
    let zero = Word::constant(0);
    let alike = |a: &Number, b: &Number| {
        a.word.width() == b.word.width() && a.word.is_signed() == b.word.is_signed()
    };
    let mut add = |lit: Lit, a: &str, is: &str, is_not: &str, b: &str| {
        if lit.as_constant().is_none() && predicates.len() < MOST {
            predicates.push(Predicate {
                name: format!("{a} {is} {b}"),
                negated: format!("{a} {is_not} {b}"),
                lit,
            });
        }
    };
    for number in numbers {
        let lit = aig.eq(&number.word, &zero);
        add(lit, &number.name, "==", "!=", "0");
        if number.word.is_signed() {
            add(number.word.sign(), &number.name, "<", ">=", "0");
        }
    }
    for (position, a) in numbers.iter().enumerate() {
        for b in &numbers[position + 1..] {
            let equal = aig.eq(&a.word, &b.word);
            add(equal, &a.name, "==", "!=", &b.name);
            for (a, b) in [(a, b), (b, a)] {
                let less = aig.lt(&a.word, &b.word);
                add(less, &a.name, "<", ">=", &b.name);
            }
        }
    }
    if !sums {
        return predicates;
    }
    for c in numbers {
        let terms: Vec<&Number> = numbers.iter().filter(|n| *n != c).collect();
        if terms.len() >= FEW {
            continue;
        }
        for (position, a) in terms.iter().enumerate() {
            for b in &terms[position + 1..] {
                // As machines add, where all are of one width: what is lost on one side is lost on
                // the other. Else exactly.
                let width = c.word.width();
                let sum = if alike(a, c) && alike(b, c) {
                    Word::new(aig.add_low(&a.word, &b.word, width), c.word.is_signed())
                } else {
                    aig.add(&a.word, &b.word)
                };
                let equal = aig.eq(&sum, &c.word);
                let name = format!("{} + {}", a.name, b.name);
                add(equal, &name, "==", "!=", &c.name);
            }
        }
    }
    predicates
}

/// The clauses of an invariant, one a line, in the words of the predicates and the names of the
/// latches. A clause of several literals reads as "if all of these, then the last".
#[must_use]
pub fn tell(circuit: &Circuit, invariant: &Invariant, predicates: &[Predicate]) -> String {
    let name = |lit: Lit| -> String {
        for predicate in predicates {
            if predicate.lit == lit {
                return predicate.name.clone();
            }
            if predicate.lit == !lit {
                return predicate.negated.clone();
            }
        }
        let plain = lit.invert_if(lit.is_inverted());
        let latch = circuit.latches.iter().find(|latch| latch.lit == plain);
        let name = latch.map_or_else(|| format!("{plain:?}"), |latch| latch.name.clone());
        if lit.is_inverted() {
            format!("!{name}")
        } else {
            name
        }
    };
    let is_predicate = |lit: &Lit| predicates.iter().any(|p| p.lit == *lit || p.lit == !*lit);
    let mut text = String::new();
    for clause in &invariant.clauses {
        let mut lits = clause.clone();
        lits.sort_by_key(is_predicate);
        let Some((last, conditions)) = lits.split_last() else {
            continue;
        };
        let conditions: Vec<String> = conditions.iter().map(|&lit| name(!lit)).collect();
        if !conditions.is_empty() {
            let _ = write!(text, "{} -> ", conditions.join(" & "));
        }
        let _ = writeln!(text, "{}", name(*last));
    }
    text
}
