//! The translation into automata against the direct evaluation of formulas.
//!
//! Random formulas are translated, and random ultimately periodic words are given to the
//! automaton and to the evaluator. The test prints how the cases are spread and fails if they
//! were too much alike to show anything.

#![expect(
    clippy::print_stdout,
    reason = "a reader of a failing test wants to see how the cases were spread"
)]

use logic::lasso::holds_on_lasso;
use logic::{Buchi, BuchiKind, Ltl, parse, translate};

/// A small deterministic generator (SplitMix64, Steele, Lea and Flood 2014).
struct Random(fastrand::Rng);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

const ATOMS: usize = 3;
const OPERATORS: [&str; 11] = ["!", "&&", "||", "->", "<->", "X", "<>", "[]", "U", "R", "W"];

fn formula(random: &mut Random, operators: usize, used: &mut [bool; 11]) -> Ltl<usize> {
    if operators == 0 {
        return match random.below(20) {
            0 => Ltl::True,
            1 => Ltl::False,
            _ => Ltl::atom(random.below(ATOMS)),
        };
    }
    let operator = random.below(OPERATORS.len());
    used[operator] = true;
    let unary = |random: &mut Random, used: &mut _, build: fn(Ltl<usize>) -> Ltl<usize>| {
        build(formula(random, operators - 1, used))
    };
    let binary = |random: &mut Random, used: &mut _, build: fn(_, _) -> Ltl<usize>| {
        let left = random.below(operators);
        let p = formula(random, left, used);
        build(p, formula(random, operators - 1 - left, used))
    };
    match OPERATORS[operator] {
        "!" => unary(random, used, Ltl::not),
        "X" => unary(random, used, Ltl::next),
        "<>" => unary(random, used, Ltl::eventually),
        "[]" => unary(random, used, Ltl::always),
        "&&" => binary(random, used, Ltl::and),
        "||" => binary(random, used, Ltl::or),
        "->" => binary(random, used, Ltl::implies),
        "<->" => binary(random, used, Ltl::iff),
        "U" => binary(random, used, Ltl::until),
        "R" => binary(random, used, Ltl::release),
        "W" => binary(random, used, Ltl::weak_until),
        other => unreachable!("{other} is not in the list"),
    }
}

/// Letters as sets of atoms, and where the loop begins.
#[derive(Debug)]
struct Word {
    letters: Vec<u64>,
    prefix: usize,
}

impl Word {
    fn random(random: &mut Random) -> Word {
        let prefix = random.below(5);
        let total = prefix + 1 + random.below(5);
        // Some words change rarely, so that `[]` has a chance.
        let calm = random.below(2) == 0;
        let mut letters: Vec<u64> = Vec::new();
        for i in 0..total {
            letters.push(match i {
                1.. if calm && random.below(3) > 0 => letters[i - 1],
                _ => random.next() % (1 << ATOMS),
            });
        }
        Word { letters, prefix }
    }

    fn reads(&self, position: usize, atom: &usize) -> bool {
        self.letters[position] >> atom & 1 == 1
    }

    fn satisfies(&self, formula: &Ltl<usize>) -> bool {
        holds_on_lasso(formula, self.prefix, self.letters.len(), |i, a| {
            self.reads(i, a)
        })
    }

    fn accepted_by(&self, automaton: &Buchi<usize>) -> bool {
        automaton.accepts_lasso(self.prefix, self.letters.len(), |i, a| self.reads(i, a))
    }

    /// The definition of the operators, word for word. Every position that differs from all
    /// earlier ones comes within the next `letters.len()` steps.
    fn by_definition(&self, formula: &Ltl<usize>, i: usize) -> bool {
        let len = self.letters.len();
        let position = |i: usize| match i < len {
            true => i,
            false => self.prefix + (i - self.prefix) % (len - self.prefix),
        };
        let i = position(i);
        let until = |p: &Ltl<usize>, q: &Ltl<usize>| {
            (i..i + len)
                .any(|j| self.by_definition(q, j) && (i..j).all(|k| self.by_definition(p, k)))
        };
        match formula {
            Ltl::True => true,
            Ltl::False => false,
            Ltl::Atom(a) => self.reads(i, a),
            Ltl::Not(p) => !self.by_definition(p, i),
            Ltl::And(ps) => ps.iter().all(|p| self.by_definition(p, i)),
            Ltl::Or(ps) => ps.iter().any(|p| self.by_definition(p, i)),
            Ltl::Implies(p, q) => !self.by_definition(p, i) || self.by_definition(q, i),
            Ltl::Iff(p, q) => self.by_definition(p, i) == self.by_definition(q, i),
            Ltl::Next(p) => self.by_definition(p, i + 1),
            Ltl::Eventually(p) => (i..i + len).any(|j| self.by_definition(p, j)),
            Ltl::Always(p) => (i..i + len).all(|j| self.by_definition(p, j)),
            Ltl::Until(p, q) => until(p, q),
            Ltl::WeakUntil(p, q) => until(p, q) || (i..i + len).all(|j| self.by_definition(p, j)),
            Ltl::Release(p, q) => {
                let not = |f: &Ltl<usize>| Ltl::not(f.clone());
                !until(&not(p), &not(q))
            }
        }
    }
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    const FORMULAS: usize = 2_500;
    const WORDS: usize = 16;
    let mut random = Random(fastrand::Rng::with_seed(7));
    let mut uses = [0; OPERATORS.len()];
    let (mut holding, mut states, mut largest) = (0, Vec::new(), 0);
    let mut kinds = [0; 4];
    for round in 0..FORMULAS {
        let mut used = [false; OPERATORS.len()];
        let operators = 1 + random.below(12);
        let formula = formula(&mut random, operators, &mut used);
        for (count, used) in uses.iter_mut().zip(used) {
            *count += usize::from(used);
        }
        let negation = Ltl::not(formula.clone());
        let automaton = translate(&formula).expect("twelve operators are few");
        let complement = translate(&negation).expect("twelve operators are few");
        let simplified = formula.simplified();
        let normal = formula.negation_normal_form();
        states.push(automaton.state_count());
        largest = largest.max(operators);
        kinds[match automaton.kind() {
            BuchiKind::Empty => 0,
            BuchiKind::Terminal(_) => 1,
            BuchiKind::Weak => 2,
            BuchiKind::General => 3,
        }] += 1;
        if formula.is_cosafety() {
            assert!(
                matches!(automaton.kind(), BuchiKind::Empty | BuchiKind::Terminal(_)),
                "{formula} is cosafety but not terminal"
            );
        }
        if formula.is_safety() {
            assert!(
                matches!(complement.kind(), BuchiKind::Empty | BuchiKind::Terminal(_)),
                "{formula} is safety but has no bad prefixes"
            );
        }
        for _ in 0..WORDS {
            let word = Word::random(&mut random);
            let holds = word.satisfies(&formula);
            holding += usize::from(holds);
            let case = || format!("formula {round}: {formula} on {word:?}");
            assert_eq!(word.satisfies(&normal), holds, "normal form of {}", case());
            assert_eq!(
                word.satisfies(&simplified),
                holds,
                "{simplified} for {}",
                case()
            );
            assert_eq!(word.accepted_by(&automaton), holds, "{}", case());
            assert_eq!(word.accepted_by(&complement), !holds, "negated {}", case());
        }
    }
    states.sort_unstable();
    let total = FORMULAS * WORDS;
    println!("{holding} of {total} pairs hold; operators in formulas: ");
    for (operator, uses) in OPERATORS.iter().zip(uses) {
        println!("  {operator:4} {uses}");
        assert!(uses * 10 >= FORMULAS, "{operator} is in too few formulas");
    }
    println!(
        "states: median {}, 90 % {}, most {}; empty, terminal, weak, general: {kinds:?}",
        states[FORMULAS / 2],
        states[FORMULAS * 9 / 10],
        states[FORMULAS - 1]
    );
    assert!(total >= 20_000);
    assert!(holding * 10 >= total * 3 && holding * 10 <= total * 7);
    assert_eq!(largest, 12);
    assert!(kinds.iter().all(|&n| n * 50 >= FORMULAS), "{kinds:?}");
}

#[test]
fn evaluation_follows_the_definition() {
    let mut random = Random(fastrand::Rng::with_seed(11));
    let (mut holding, mut total) = (0, 0);
    for _ in 0..2_000 {
        let operators = 1 + random.below(4);
        let formula = formula(&mut random, operators, &mut Default::default());
        for _ in 0..5 {
            let word = Word::random(&mut random);
            let holds = word.satisfies(&formula);
            assert_eq!(
                word.by_definition(&formula, 0),
                holds,
                "{formula} on {word:?}"
            );
            total += 1;
            holding += usize::from(holds);
        }
    }
    println!("{holding} of {total} hold");
    assert!(holding * 10 >= total * 3 && holding * 10 <= total * 7);
}

#[test]
fn usual_formulas_have_small_automata() {
    // The number of states for the formula and for its negation.
    for (text, plain, negated) in [
        ("true", 1, 1),
        ("<> a", 2, 1),
        ("[] a", 1, 2),
        ("a U b", 2, 2),
        ("a W b", 2, 2),
        ("X X a", 4, 4),
        ("[] <> a", 1, 2),
        ("<> [] a", 2, 1),
        ("[] (a -> <> b)", 2, 2),
        ("[] (a -> X b)", 2, 3),
        ("[] (a -> (b U c))", 2, 3),
        ("[] <> a -> [] <> b", 4, 2),
        ("[] <> a && [] <> b", 2, 3),
        ("[] <> a && [] <> b && [] <> c", 3, 4),
        ("[] (a -> <> b) && [] (c -> <> d)", 5, 3),
        ("(a U b) || [] c", 4, 4),
        ("[] (a <-> X b)", 3, 4),
    ] {
        let formula = parse(text, |atom, _| Ok::<_, ()>(atom.to_owned()));
        let formula = formula.expect("it is a formula");
        let count = |f: &Ltl<String>| translate(f).expect("it is small").state_count();
        let found = (count(&formula), count(&Ltl::not(formula.clone())));
        println!("{text}: {found:?}");
        assert_eq!(found, (plain, negated), "{text}");
    }
}

#[test]
fn large_formulas_are_refused_or_done() {
    use logic::TranslateError::*;
    let atoms = |n: usize| (0..n).map(Ltl::atom);
    // Conjunctions of many fairness constraints have few states but 2^n combinations of marks.
    let fair = |n| Ltl::all(atoms(n).map(Ltl::infinitely_often));
    assert_eq!(translate(&fair(8)).map(|b| b.state_count()), Ok(8));
    assert_eq!(translate(&fair(30)), Err(TooLarge));
    assert_eq!(
        translate(&Ltl::all(atoms(65))),
        Err(TooManyAtoms { found: 65 })
    );
    assert_eq!(
        translate(&Ltl::all(atoms(64))).map(|b| b.state_count()),
        Ok(2)
    );
    let nested = (0..1_000).fold(Ltl::atom(0), |f, i| Ltl::until(Ltl::atom(i % 2), f));
    assert_eq!(translate(&nested), Err(TooDeep));
    let equivalences = (0..200).fold(Ltl::atom(0), |f, i| Ltl::iff(f, Ltl::atom(i % 40)));
    assert!(matches!(translate(&equivalences), Ok(_) | Err(TooLarge)));
}
