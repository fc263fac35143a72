//! Relations between numbers, found where the predicates do not suffice.
//!
//! IC3 excludes states in words first, which is implicit predicate abstraction: a run of abstract
//! states that leads to one of them may be spurious. It is where the state is then shown, in bits,
//! not to be reached. What the predicates lack can be read off that state: a relation that has
//! held in every state of some random runs and does not hold in this one. Such relations become
//! predicates, and the search begins anew (after Cimatti, Griggio, Mover, Tonetta: *IC3 modulo
//! theories via implicit predicate abstraction*, 2014; where they interpolate, the relations are
//! those that Ernst, Cockrell, Griswold and Notkin look for: *Dynamically discovering likely
//! program invariants*, 2001). None is believed: each is a gate that an invariant may speak of.

use std::collections::HashSet;

use circuit::{Aig, Lit, Word};

use crate::predicates::{Number, Predicate};
use crate::signal_correspondence::observed_latches;
use crate::system::{Signal, System};
use crate::weakest::{Step, push_signal};
use solver::{Limits, MakeSolver};

/// Factors of one number in a sum with another. That sums with others are the same is hard to see
/// in bits.
const FACTORS: [i128; 4] = [1, -1, 2, -2];
/// States that are kept of random runs.
const KEPT: usize = 4096;
/// Relations between fewer different states are by chance.
const FEW: usize = 8;
/// Numbers of more bits are left alone.
const WIDEST: usize = 64;
/// How many spurious runs are waited for until the search begins anew.
const SPURIOUS: usize = 6;
/// No more predicates than this are added at once.
const AT_ONCE: usize = 8;

/// Something that numbers, named by position, may have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Relation {
    /// The sum of some, each with a factor, is a constant; as machines of this width add.
    Sum {
        terms: Vec<(usize, i128)>,
        value: i128,
        width: usize,
    },
    /// This one is at most a constant.
    AtMost(usize, i128),
    /// This one is at least a constant.
    AtLeast(usize, i128),
    /// The first is greater than the second by no more than a constant.
    Apart(usize, usize, i128),
}

/// A bit of a number.
#[derive(Clone, Copy, Debug)]
enum Bit {
    Constant(bool),
    /// A latch of the system, by position.
    Latch(usize),
}

/// The relations that may yet become predicates.
#[derive(Debug)]
pub(crate) struct Relations<'n> {
    numbers: Vec<(&'n Number, Vec<Bit>)>,
    open: Vec<Relation>,
}

/// States that were excluded in bits only, and the relations that they break.
#[derive(Clone, Default, Debug)]
pub(crate) struct Spurious {
    count: usize,
    broken: Vec<usize>,
    steps: Vec<Step>,
}

/// What may say why states are excluded that only bits could exclude.
#[derive(Debug)]
pub(crate) struct Refinement {
    /// Relations that they break.
    pub(crate) relations: Vec<usize>,
    /// The steps from them to something bad.
    pub(crate) steps: Vec<Step>,
}

impl<'n> Relations<'n> {
    /// What holds of numbers in all states of some random runs.
    pub(crate) fn observed<M: MakeSolver>(
        system: &System,
        numbers: &'n [Number],
        make: &M,
        limits: &Limits<'_>,
    ) -> Relations<'n> {
        let numbers: Vec<(&Number, Vec<Bit>)> = numbers
            .iter()
            .filter_map(|number| Some((number, bits(system, number)?)))
            .collect();
        let mut relations = Relations {
            numbers,
            open: Vec::new(),
        };
        if relations.numbers.is_empty() {
            return relations;
        }
        let Some(rows) = observed_latches(system, make, limits) else {
            return relations;
        };
        let mut states: HashSet<Vec<i128>> = HashSet::new();
        let words = rows.first().map_or(0, Vec::len);
        'states: for word in (0..words).rev() {
            for lane in 0..64 {
                states.insert(relations.values(|latch| rows[latch][word] >> lane & 1 == 1));
                if states.len() == KEPT {
                    break 'states;
                }
            }
        }
        if states.len() >= FEW {
            let states: Vec<Vec<i128>> = states.into_iter().collect();
            relations.open = relations.candidates(&states);
        }
        relations
    }

    /// The numbers in a state.
    fn values(&self, latch: impl Fn(usize) -> bool) -> Vec<i128> {
        let value = |number: &Number, bits: &[Bit]| {
            let mut value = 0;
            for (place, bit) in bits.iter().enumerate() {
                let holds = match *bit {
                    Bit::Constant(holds) => holds,
                    Bit::Latch(position) => latch(position),
                };
                value |= i128::from(holds) << place;
            }
            let width = bits.len();
            if number.word.is_signed() && value >> (width - 1) & 1 == 1 {
                value -= 1 << width;
            }
            value
        };
        let numbers = self.numbers.iter();
        numbers.map(|(number, bits)| value(number, bits)).collect()
    }

    fn candidates(&self, states: &[Vec<i128>]) -> Vec<Relation> {
        let varies = |&number: &usize| states.iter().any(|s| s[number] != states[0][number]);
        let varying: Vec<usize> = (0..self.numbers.len()).filter(varies).collect();
        let width = |number: usize| self.numbers[number].1.len();
        let mut sums = Vec::new();
        let mut bounds = Vec::new();
        let mut tied: HashSet<(usize, usize)> = HashSet::new();
        let constant = |terms: Vec<(usize, i128)>| {
            let width = width(terms[0].0);
            let value = sum(&terms, &states[0], width);
            let same = states.iter().all(|s| sum(&terms, s, width) == value);
            same.then_some(Relation::Sum {
                terms,
                value,
                width,
            })
        };
        for (place, &a) in varying.iter().enumerate() {
            let values = || states.iter().map(|s| s[a]);
            bounds.extend(values().max().map(|most| Relation::AtMost(a, most)));
            bounds.extend(values().min().map(|least| Relation::AtLeast(a, least)));
            for &b in &varying[place + 1..] {
                for (a, b) in [(a, b), (b, a)] {
                    let apart = states.iter().map(|s| s[a] - s[b]).max();
                    bounds.extend(apart.map(|most| Relation::Apart(a, b, most)));
                }
                if width(a) != width(b) {
                    continue;
                }
                for factor in FACTORS {
                    for (a, b) in [(a, b), (b, a)] {
                        if tied.contains(&(a.min(b), a.max(b))) {
                            continue;
                        }
                        if let Some(relation) = constant(vec![(a, 1), (b, -factor)]) {
                            tied.insert((a.min(b), a.max(b)));
                            sums.push(relation);
                        }
                    }
                }
            }
        }
        for (i, &a) in varying.iter().enumerate() {
            for (j, &b) in varying.iter().enumerate().skip(i + 1) {
                for &c in &varying[j + 1..] {
                    let pairs = [(a, b), (a, c), (b, c)];
                    let alike = width(a) == width(b) && width(b) == width(c);
                    if !alike || pairs.iter().any(|pair| tied.contains(pair)) {
                        continue;
                    }
                    for signs in [[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]] {
                        let terms = [a, b, c].into_iter().zip(signs).collect();
                        sums.extend(constant(terms));
                    }
                }
            }
        }
        // Equations say more than bounds, which come of how far the runs went.
        sums.extend(bounds);
        sums
    }

    /// Takes note of a state that only bits could exclude and of the steps from there to something
    /// bad; what to go on with, once it is time for that.
    pub(crate) fn note(&self, spurious: &mut Spurious, steps: Vec<Step>) -> Option<Refinement> {
        let (state, _) = steps.first()?;
        let values = self.values(|latch| state[latch]);
        let broken = self.open.iter().enumerate();
        let broken: Vec<usize> = broken
            .filter(|(_, relation)| !relation.holds(&values))
            .map(|(number, _)| number)
            .collect();
        spurious.count += 1;
        for number in broken {
            if !spurious.broken.contains(&number) {
                spurious.broken.push(number);
            }
        }
        spurious.steps.extend(steps);
        (spurious.count >= SPURIOUS).then(|| {
            let mut relations = std::mem::take(&mut spurious.broken);
            relations.sort_unstable();
            relations.truncate(AT_ONCE);
            Refinement {
                relations,
                steps: std::mem::take(&mut spurious.steps),
            }
        })
    }

    /// Makes predicates of some relations. `graph` is the one of the circuit that was asked about,
    /// with more at its end.
    pub(crate) fn add_to(
        &mut self,
        system: &mut System,
        graph: &mut Aig,
        chosen: &[usize],
    ) -> Vec<Predicate> {
        let mut predicates = Vec::new();
        let inside: Vec<Word> = self
            .numbers
            .iter()
            .map(|(n, b)| here(system, n, b))
            .collect();
        let whole: Vec<Word> = self.numbers.iter().map(|(n, _)| n.word.clone()).collect();
        for &number in chosen {
            let relation = &self.open[number];
            let now = relation.gate(&mut system.circuit.aig, &inside);
            let origin = relation.gate(graph, &whole);
            let spoken = |signal: &Signal| signal.now.node() == now.node();
            if now.as_constant().is_some() || system.signals.iter().any(spoken) {
                continue;
            }
            push_signal(system, now, origin);
            let (name, negated) = self.told(relation);
            predicates.push(Predicate {
                name,
                negated,
                lit: origin,
            });
        }
        let mut number = 0;
        self.open.retain(|_| {
            number += 1;
            !chosen.contains(&(number - 1))
        });
        predicates
    }

    /// What a relation says, and what its negation does.
    fn told(&self, relation: &Relation) -> (String, String) {
        let name = |number: usize| self.numbers[number].0.name.as_str();
        let both = |left: &str, is: &str, is_not: &str, right: &str| {
            (
                format!("{left} {is} {right}"),
                format!("{left} {is_not} {right}"),
            )
        };
        match relation {
            Relation::Sum {
                terms,
                value,
                width,
            } => {
                let term = |&(number, factor): &(usize, i128)| match factor.abs() {
                    1 => name(number).to_owned(),
                    many => format!("{many} * {}", name(number)),
                };
                let side = |positive: bool| -> Vec<String> {
                    let terms = terms.iter().filter(|(_, factor)| (*factor > 0) == positive);
                    terms.map(term).collect()
                };
                let (mut left, mut right) = (side(true), side(false));
                let (on_the_left, constant) = balanced(*value, *width);
                if on_the_left {
                    left.push(constant.to_string());
                } else if constant != 0 || right.is_empty() {
                    right.push(constant.to_string());
                }
                if right.is_empty() {
                    right.push("0".to_owned());
                }
                both(&left.join(" + "), "==", "!=", &right.join(" + "))
            }
            Relation::AtMost(a, most) => both(name(*a), "<=", ">", &most.to_string()),
            Relation::AtLeast(a, least) => both(name(*a), ">=", "<", &least.to_string()),
            Relation::Apart(a, b, most) if *most < 0 => {
                let left = format!("{} + {}", name(*a), -most);
                both(&left, "<=", ">", name(*b))
            }
            Relation::Apart(a, b, most) => {
                let right = format!("{} + {most}", name(*b));
                both(name(*a), "<=", ">", &right)
            }
        }
    }
}

impl Relation {
    fn holds(&self, values: &[i128]) -> bool {
        match self {
            Relation::Sum {
                terms,
                value,
                width,
            } => sum(terms, values, *width) == *value,
            Relation::AtMost(a, most) => values[*a] <= *most,
            Relation::AtLeast(a, least) => values[*a] >= *least,
            Relation::Apart(a, b, most) => values[*a] - values[*b] <= *most,
        }
    }

    /// Where it holds of these numbers.
    fn gate(&self, aig: &mut Aig, numbers: &[Word]) -> Lit {
        match self {
            Relation::Sum {
                terms,
                value,
                width,
            } => {
                // As it is told, all factors positive: a multiplication by -1 is as dear as any.
                let mut sides = [Word::constant(0), Word::constant(0)];
                let (left, constant) = balanced(*value, *width);
                sides[usize::from(!left)] = Word::constant(constant);
                for &(number, factor) in terms {
                    let times = Word::constant(factor.abs());
                    let term = aig.mul_low(&numbers[number], &times, *width);
                    let side = &mut sides[usize::from(factor < 0)];
                    let more = aig.add_low(side, &Word::new(term, false), *width);
                    *side = Word::new(more, false);
                }
                let [left, right] = sides.map(|side| side.wrapped(*width, false));
                aig.eq(&left, &right)
            }
            Relation::AtMost(a, most) => aig.le(&numbers[*a], &Word::constant(*most)),
            Relation::AtLeast(a, least) => aig.le(&Word::constant(*least), &numbers[*a]),
            Relation::Apart(a, b, most) => {
                let sum = aig.add(&numbers[*b], &Word::constant(*most));
                aig.le(&numbers[*a], &sum)
            }
        }
    }
}

/// A sum as machines of this width add.
fn sum(terms: &[(usize, i128)], values: &[i128], width: usize) -> i128 {
    let terms = terms.iter();
    let sum: i128 = terms.map(|&(number, factor)| values[number] * factor).sum();
    sum.rem_euclid(1 << width)
}

/// A small constant to be added on one side of an equation instead of a large one on the right:
/// whether on the left, and which.
fn balanced(value: i128, width: usize) -> (bool, i128) {
    if value >> (width - 1) & 1 == 1 {
        (true, (1 << width) - value)
    } else {
        (false, value)
    }
}

/// The bits of a number, if they are all latches of the system or constants.
fn bits(system: &System, number: &Number) -> Option<Vec<Bit>> {
    let width = number.word.width();
    if width == 0 || width > WIDEST {
        return None;
    }
    let bit = |lit: &Lit| match lit.as_constant() {
        Some(value) => Some(Bit::Constant(value)),
        None => {
            let latches = &system.signals[..system.circuit.latches.len()];
            let position = latches.iter().position(|signal| signal.origin == *lit)?;
            Some(Bit::Latch(position))
        }
    };
    number.word.bits().iter().map(bit).collect()
}

/// A number in the system's own literals.
fn here(system: &System, number: &Number, bits: &[Bit]) -> Word {
    let bits = bits.iter().map(|bit| match *bit {
        Bit::Constant(value) => Lit::constant(value),
        Bit::Latch(position) => system.circuit.latches[position].lit,
    });
    Word::new(bits.collect(), number.word.is_signed())
}

#[cfg(test)]
mod tests {
    use circuit::{Circuit, Reset};
    use model::{Budget, Silent};

    use crate::predicates::{comparisons, tell};
    use crate::system::Vocabulary;
    use crate::{Answer, Options, check};

    use super::*;

    /// Numbers of 32 bits, each of which changes by a multiple of the same amount, any at all.
    fn moving_together(first: &[(i128, i128)]) -> (Circuit, Vec<Number>) {
        let mut circuit = Circuit::default();
        let bits = (0..32).map(|bit| circuit.input(format!("amount.{bit}")));
        let amount = Word::new(bits.collect(), false);
        let mut numbers = Vec::new();
        for (number, &(start, factor)) in first.iter().enumerate() {
            let name = ["x", "y", "z"][number].to_owned();
            let bits = (0..32).map(|bit| {
                let reset = if start >> bit & 1 == 1 {
                    Reset::One
                } else {
                    Reset::Zero
                };
                circuit.latch(format!("{name}.{bit}"), reset)
            });
            let word = Word::new(bits.collect(), false);
            let change = circuit.aig.mul_low(&amount, &Word::constant(factor), 32);
            let change = Word::new(change, false);
            let next = circuit.aig.add_low(&word, &change, 32);
            for (&bit, next) in word.bits().iter().zip(next) {
                circuit.set_next(bit, next);
            }
            numbers.push(Number { name, word });
        }
        (circuit, numbers)
    }

    /// The proof, in words, that the second number is above 100 where the first is zero.
    fn proof(first: &[(i128, i128)]) -> (String, Vec<Predicate>) {
        let (mut circuit, numbers) = moving_together(first);
        let zero = circuit.aig.eq(&numbers[0].word, &Word::constant(0));
        let small = circuit.aig.le(&numbers[1].word, &Word::constant(100));
        let bad = circuit.aig.and(zero, small);
        let mut words = comparisons(&mut circuit, &numbers, true);
        let options = Options {
            predicates: words.iter().map(|word| word.lit).collect(),
            data: numbers
                .iter()
                .flat_map(|number| number.word.bits().to_vec())
                .collect(),
            numbers,
            ..Options::default()
        };
        let answer = check(&circuit, bad, &options, &Budget::default(), &Silent);
        let Answer::Proved {
            invariant, mined, ..
        } = answer
        else {
            panic!("not proved: {answer:?}");
        };
        words.extend(mined.clone());
        (tell(&circuit, &invariant, &words), mined)
    }

    #[test]
    fn a_distance_that_nobody_names_is_found() {
        let (told, mined) = proof(&[(1000, 1), (993, 1)]);
        assert_eq!(told, "x == y + 7\n");
        assert!(mined.iter().any(|word| word.name == "x == y + 7"));
    }

    #[test]
    fn a_factor_is_found() {
        let (told, _) = proof(&[(6, 2), (0, 1)]);
        assert_eq!(told, "x == 2 * y + 6\n");
    }

    #[test]
    fn numbers_with_a_sign_are_read_with_it() {
        let mut circuit = Circuit::default();
        let latches = (0..4).map(|bit| circuit.latch(format!("n.{bit}"), Reset::Zero));
        let word = Word::new(latches.collect(), true);
        for &bit in word.bits() {
            circuit.set_next(bit, !bit);
        }
        let numbers = [Number {
            name: "n".to_owned(),
            word: word.clone(),
        }];
        let bad = circuit.aig.eq(&word, &Word::constant(-3));
        let system = System::new(&circuit, bad, Vocabulary::default(), true);
        let positions = bits(&system, &numbers[0]).expect("they are latches");
        let relations = Relations {
            numbers: vec![(&numbers[0], positions)],
            open: Vec::new(),
        };
        assert_eq!(relations.values(|latch| latch != 1), [-3]);
        assert_eq!(relations.values(|latch| latch == 1), [2]);
    }

    #[test]
    fn what_is_said_is_what_the_gate_computes() {
        let (circuit, numbers) = moving_together(&[(1, 1), (2, 1), (4, 1)]);
        let whole: Vec<Word> = numbers.iter().map(|number| number.word.clone()).collect();
        let relations = [
            Relation::Sum {
                terms: vec![(0, 1), (1, -3), (2, 1)],
                value: 9,
                width: 32,
            },
            // Said with a small number on the other side.
            Relation::Sum {
                terms: vec![(0, 1), (1, -1)],
                value: (1 << 32) - 2,
                width: 32,
            },
            Relation::AtMost(0, 5),
            Relation::AtLeast(1, 3),
            Relation::Apart(0, 1, 2),
            Relation::Apart(1, 0, -2),
        ];
        let mut dice = crate::testing::Dice::new(5);
        let (mut right, mut wrong) = (0, 0);
        for _ in 0..300 {
            let values: Vec<i128> = (0..3).map(|_| dice.below(8) as i128).collect();
            let state: Vec<bool> = values
                .iter()
                .flat_map(|value| (0..32).map(move |bit| value >> bit & 1 == 1))
                .collect();
            for relation in &relations {
                let mut circuit = circuit.clone();
                let gate = relation.gate(&mut circuit.aig, &whole);
                let holds = relation.holds(&values);
                assert_eq!(circuit.evaluate(&state, &[]).holds(gate), holds);
                *if holds { &mut right } else { &mut wrong } += 1;
            }
        }
        assert!(right > 200 && wrong > 200, "{right} {wrong}");
    }
}
