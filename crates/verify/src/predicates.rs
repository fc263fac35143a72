//! Facts about numbers, offered to a search for an invariant: that two of them are equal, that
//! one is the sum of two others, that one is no greater than another.
//!
//! Bits alone cannot say in few clauses what money properties live on, such as that a ledger and
//! a variable agree. With comparisons of words as signals of their own, IC3 can (implicit predicate
//! abstraction: Cimatti, Griggio, Mover, Tonetta, *IC3 modulo theories via implicit predicate
//! abstraction*, 2014; here the theory is bits, so nothing is abstract that is not also exact).

use circuit::{Bits, Encoding, Lit, Word};

/// Numbers narrower than this are left to their bits.
const NARROW: usize = 12;
/// How many numbers are put into relation.
const NUMBERS: usize = 7;

/// A fact about a state.
pub(crate) struct Predicate {
    /// For people.
    pub(crate) text: String,
    /// Where it holds, over latches.
    pub(crate) lit: Lit,
}

/// Facts about the wide numbers of a state.
pub(crate) fn predicates(encoding: &mut Encoding<'_>) -> Vec<Predicate> {
    let mut numbers: Vec<(String, Word)> = Vec::new();
    for slot in &encoding.slots {
        collect(&slot.name, &slot.bits, &mut numbers);
    }
    numbers.retain(|(_, word)| {
        let over_latches = |lit: &Lit| encoding.circuit.latch_of(*lit).is_some();
        word.width() >= NARROW
            && word.bits().iter().filter(|lit| over_latches(lit)).count() >= NARROW
    });
    numbers.truncate(NUMBERS);
    let aig = &mut encoding.circuit.aig;
    let mut found = Vec::new();
    let mut add = |text: String, lit: Lit| {
        if lit != Lit::TRUE && lit != Lit::FALSE {
            found.push(Predicate { text, lit });
        }
    };
    let zero = Word::constant(0);
    for (at, (a, word)) in numbers.iter().enumerate() {
        add(format!("{a} == 0"), aig.eq(word, &zero));
        add(format!("{a} < 0"), aig.lt(word, &zero));
        for (b, other) in &numbers[at + 1..] {
            add(format!("{a} == {b}"), aig.eq(word, other));
            add(format!("{a} <= {b}"), aig.le(word, other));
            add(format!("{b} <= {a}"), aig.le(other, word));
        }
    }
    for (at, (a, word)) in numbers.iter().enumerate() {
        for (next, (b, other)) in numbers.iter().enumerate().skip(at + 1) {
            let sum = aig.add(word, other);
            for (third, (c, total)) in numbers.iter().enumerate() {
                if third != at && third != next {
                    add(format!("{c} == {a} + {b}"), aig.eq(total, &sum));
                }
            }
        }
    }
    found
}

fn collect(name: &str, bits: &Bits, numbers: &mut Vec<(String, Word)>) {
    match bits {
        Bits::Word(word) => numbers.push((plain(name).to_owned(), word.clone())),
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
