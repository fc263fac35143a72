//! Which numbers of a state an invariant may compare with each other.

use circuit::{Bits, Encoding, Lit, Word};
use sat::words::{Number, Predicate, comparisons};

/// Numbers narrower than this are left to their bits.
const NARROW: usize = 12;
/// No more numbers than this are compared.
const MOST: usize = 8;

/// Comparisons of the wide numbers of a state, and the latches that hold those.
pub(crate) fn predicates(encoding: &mut Encoding<'_>) -> (Vec<Predicate>, Vec<Lit>) {
    let mut numbers: Vec<Number> = Vec::new();
    for slot in &encoding.slots {
        collect(&slot.name, &slot.bits, &mut numbers);
    }
    let latches = |word: &Word| -> Vec<Lit> {
        let bits = word.bits().iter().copied();
        bits.filter(|lit| encoding.circuit.latch_of(*lit).is_some())
            .collect()
    };
    numbers.retain(|number| latches(&number.word).len() >= NARROW);
    numbers.truncate(MOST);
    let data = numbers.iter().flat_map(|n| latches(&n.word)).collect();
    (comparisons(&mut encoding.circuit, &numbers, true), data)
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
