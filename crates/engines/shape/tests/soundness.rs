//! Random programs over structures: whatever their configurations do, some structure found stands for
//! it, what they report is reported, and the audit agrees. Formulas, rules, definitions, focus and new
//! individuals are all drawn at random.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stderr, reason = "what was compared is said")]

use std::collections::HashSet;

use audit::check_structures;
use fastrand::Rng;
use logic::{Buchi, Ltl};
use model::predicates::{
    Concrete, Constraint, Creation, EndlessRun, Focus, Formula, Head, Kleene, Message, Onward,
    Predicate, PredicateAction, PredicateProgram, Structure, Taken, Update,
};
use model::{Budget, MessageId, PredicateId, Silent};
use shape::{Exploration, Join};
use source::Span;

fn one_in(random: &mut Rng, of: usize) -> bool {
    random.usize(..of) == 0
}

const FLAG: usize = 0;
const NEW: usize = 1;
const A: usize = 2;
const B: usize = 3;
const SINGLE: usize = 4;
const NEXT: usize = 5;
const DEFINED: usize = 6;
const CLOSED: usize = 7;
const INSTANCE: usize = 8;
/// Where steps of `NEXT` lead, and what is reached or pointed to.
const WAYS: usize = 9;
const REACHED: usize = 10;
const ARITY: [usize; 11] = [0, 1, 1, 1, 1, 2, 1, 0, 2, 2, 1];

/// A formula over these variables; those from `bound` on are free for quantifiers.
fn formula(
    random: &mut Rng,
    among: &[usize],
    variables: &[usize],
    bound: usize,
    depth: usize,
) -> Formula {
    let atom = depth == 0 || one_in(random, 4);
    if atom {
        let equal = !variables.is_empty() && one_in(random, 5);
        let mut pick = || variables[random.usize(..variables.len())];
        if equal {
            return Formula::Equal(pick(), pick());
        }
        let fitting: Vec<usize> = among
            .iter()
            .copied()
            .filter(|&predicate| ARITY[predicate] == 0 || !variables.is_empty())
            .collect();
        let predicate = fitting[random.usize(..fitting.len())];
        let arguments = (0..ARITY[predicate])
            .map(|_| variables[random.usize(..variables.len())])
            .collect();
        return Formula::Holds(PredicateId::new(predicate), arguments);
    }
    let inner = |random: &mut Rng| formula(random, among, variables, bound, depth - 1);
    match random.usize(..8) {
        0 => Formula::not(inner(random)),
        1 | 2 => Formula::And(vec![inner(random), inner(random)]),
        3 => Formula::Or(vec![inner(random), inner(random)]),
        4 => Formula::If(Box::new([inner(random), inner(random), inner(random)])),
        5 | 6 => {
            let more = [variables, &[bound]].concat();
            let body = Box::new(formula(random, among, &more, bound + 1, depth - 1));
            match one_in(random, 2) {
                true => Formula::Exists(bound, body),
                false => Formula::Forall(bound, body),
            }
        }
        _ if variables.is_empty() => Formula::Value(Kleene::True),
        _ => {
            let step = [bound, bound + 1];
            let more = [variables, &step].concat();
            let ends = [0, 1].map(|_| variables[random.usize(..variables.len())]);
            let edge = Box::new(formula(random, among, &more, bound + 2, depth - 1));
            Formula::Closure { ends, step, edge }
        }
    }
}

/// The variable of an individual for which new ones are made, or which stays.
const OWN: usize = 15;

/// New individuals: one, one for each of some, or copies of some.
fn creations(random: &mut Rng, among: &[usize], variables: &[usize]) -> Vec<Creation> {
    let own = [variables, &[OWN]].concat();
    let mut all = Vec::new();
    while one_in(random, 3) && all.len() < 2 {
        let each = one_in(random, 2).then(|| (OWN, formula(random, among, &own, 4, 2)));
        let holds = [A, B].into_iter().filter(|_| one_in(random, 3));
        let holds = holds.map(PredicateId::new).collect();
        all.push(Creation {
            copies: each.is_some() && one_in(random, 2),
            each,
            holds,
        });
    }
    all
}

/// Steps that begin at one individual are taken away, or lead to others.
fn relinked(random: &mut Rng, readable: &[usize], pair: &[usize]) -> Formula {
    let holds = |predicate, of: &[usize]| Formula::Holds(PredicateId::new(predicate), of.to_vec());
    let (was, here) = (holds(NEXT, pair), holds(SINGLE, &pair[..1]));
    match random.usize(..3) {
        0 => Formula::And(vec![was, Formula::not(here)]),
        1 => {
            let to = formula(random, readable, &pair[1..], 4, 1);
            Formula::Or(vec![was, Formula::And(vec![here, to])])
        }
        _ => {
            let to = holds([A, B, SINGLE][random.usize(..3)], &pair[1..]);
            Formula::If(Box::new([here, to, was]))
        }
    }
}

/// The closure of `NEXT`, or that and each individual itself.
fn ways(random: &mut Rng) -> Formula {
    let next = Formula::Holds(PredicateId::new(NEXT), vec![2, 3]);
    let way = Formula::Closure {
        ends: [0, 1],
        step: [2, 3],
        edge: Box::new(next),
    };
    match one_in(random, 2) {
        true => Formula::Or(vec![Formula::Equal(0, 1), way]),
        false => way,
    }
}

/// What is reached from one individual, what two point to, or anything.
fn reached(random: &mut Rng, core: &[usize]) -> Formula {
    let holds = |predicate, of: &[usize]| Formula::Holds(PredicateId::new(predicate), of.to_vec());
    match random.usize(..3) {
        0 => {
            let from = [holds(SINGLE, &[1]), holds(WAYS, &[1, 0])];
            Formula::Exists(1, Box::new(Formula::And(from.into())))
        }
        1 => {
            let apart = Formula::not(Formula::Equal(1, 2));
            let both = vec![holds(NEXT, &[1, 0]), holds(NEXT, &[2, 0]), apart];
            let other = Formula::Exists(2, Box::new(Formula::And(both)));
            Formula::Exists(1, Box::new(other))
        }
        _ => formula(random, &[core, &[WAYS]].concat(), &[0], 2, 3),
    }
}

fn action(random: &mut Rng, message: usize) -> PredicateAction {
    let known = |one: &usize| ![NEW, INSTANCE].contains(one);
    let all: Vec<usize> = (0..ARITY.len()).filter(known).collect();
    let with_new: Vec<usize> = (0..ARITY.len()).collect();
    let free = random.usize(..3);
    let variables: Vec<usize> = (0..free).collect();
    let creates = creations(random, &all, &variables);
    let readable = if creates.is_empty() { &all } else { &with_new };
    let own = [variables.as_slice(), &[OWN]].concat();
    let retained = one_in(random, 4);
    let retains = retained.then(|| (OWN, formula(random, &all, &own, 4, 2)));
    let mut updates = Vec::new();
    for predicate in [FLAG, A, B, SINGLE, NEXT] {
        if one_in(random, 3) {
            let parameters: Vec<usize> = (free..free + ARITY[predicate]).collect();
            let known = [variables.as_slice(), &parameters].concat();
            let value = match random.usize(..8) {
                0 if predicate != NEXT || one_in(random, 4) => Formula::Value(Kleene::Unknown),
                1..5 if predicate == NEXT => relinked(random, readable, &parameters),
                _ => formula(random, readable, &known, 4, 3),
            };
            updates.push(Update {
                predicate: PredicateId::new(predicate),
                parameters,
                value,
            });
        }
    }
    let mut focus: Vec<Focus> = Vec::new();
    for of in [A, B, SINGLE, FLAG, DEFINED] {
        if !one_in(random, 3) {
            continue;
        }
        let mut one = Focus::from(PredicateId::new(of));
        if of == SINGLE {
            for _ in 0..random.usize(..3) {
                one.then.push(Onward {
                    predicate: PredicateId::new(NEXT),
                    back: one_in(random, 3),
                });
            }
        }
        focus.push(one);
    }
    PredicateAction {
        name: "move".into(),
        span: Span::NONE,
        variables: vec![String::new(); 16],
        free,
        scheduled: None,
        focus,
        opens_turn: false,
        precondition: formula(random, &all, &variables, 4, 2),
        reports: vec![(
            MessageId::new(message),
            formula(random, &all, &variables, 4, 2),
        )],
        creates,
        updates,
        retains,
        reports_after: vec![(
            MessageId::new(message + 2),
            formula(random, &all, &[], 4, 3),
        )],
    }
}

fn program(random: &mut Rng) -> PredicateProgram {
    let core = [FLAG, A, B, SINGLE, NEXT];
    let (function, injective) = (one_in(random, 2), one_in(random, 3));
    let mut predicates: Vec<Predicate> = (0..ARITY.len())
        .map(|index| Predicate {
            name: format!("p{index}"),
            arity: ARITY[index],
            abstraction: matches!(index, A | SINGLE | DEFINED | REACHED) || index == FLAG,
            unique: index == SINGLE || index == NEXT && function,
            injective: index == NEXT && injective,
            definition: match index {
                DEFINED => Some(formula(random, &core, &[0], 2, 2)),
                CLOSED => Some(formula(random, &core, &[], 2, 3)),
                WAYS => Some(ways(random)),
                REACHED => Some(reached(random, &core)),
                _ => None,
            },
            span: Span::NONE,
        })
        .collect();
    let holds = |predicate, variable| Formula::Holds(PredicateId::new(predicate), vec![variable]);
    let rule = |body, head, free| Constraint {
        text: String::new(),
        variables: 12,
        free,
        body,
        head,
        span: Span::NONE,
    };
    let single = PredicateId::new(SINGLE);
    let both = Formula::And(vec![holds(SINGLE, 0), holds(SINGLE, 1)]);
    let another = Formula::Exists(
        1,
        Box::new(Formula::And(vec![
            holds(SINGLE, 1),
            Formula::not(Formula::Equal(1, 0)),
        ])),
    );
    let mut constraints = vec![
        rule(both, Head::Equal(0, 1, true), 2),
        rule(another, Head::Literal(single, vec![0], false), 1),
    ];
    let next = |a, b| Formula::Holds(PredicateId::new(NEXT), vec![a, b]);
    let both = Formula::And(vec![next(0, 1), next(0, 2)]);
    if function {
        constraints.push(rule(both, Head::Equal(1, 2, true), 3));
    }
    if injective {
        let both = Formula::And(vec![next(1, 0), next(2, 0)]);
        constraints.push(rule(both, Head::Equal(1, 2, true), 3));
    }
    if one_in(random, 2) {
        let body = formula(random, &core, &[0, 1], 4, 2);
        let next = PredicateId::new(NEXT);
        let head = match random.usize(..5) {
            0 => Head::Literal(next, vec![0, 1], one_in(random, 2)),
            1 => Head::Literal(next, vec![0, 0], one_in(random, 2)),
            2 => Head::Literal(PredicateId::new(B), vec![1], one_in(random, 2)),
            3 => Head::Equal(0, 1, one_in(random, 2)),
            _ => Head::Never,
        };
        constraints.push(rule(body, head, 2));
    }
    let actions: Vec<PredicateAction> = (0..2).map(|number| action(random, number)).collect();
    let size = 1 + random.usize(..2);
    if one_in(random, 2) {
        predicates[REACHED].abstraction = false;
    }
    let summary = (0..size).map(|_| one_in(random, 2)).collect();
    let mut initial = Structure::new(&predicates, summary);
    for predicate in [FLAG, A, B, SINGLE, NEXT] {
        for value in &mut initial.values[predicate] {
            *value = [Kleene::False, Kleene::True, Kleene::Unknown][random.usize(..3)];
        }
    }
    let mut program = PredicateProgram {
        predicates,
        actions,
        approximate: Vec::new(),
        constraints,
        initial: Vec::new(),
        called: Vec::new(),
        turn: None,
        schedulable: None,
        fair: false,
        is_new: Some(PredicateId::new(NEW)),
        instance: Some(PredicateId::new(INSTANCE)),
        messages: (0..4)
            .map(|number| Message {
                text: number.to_string(),
                span: Span::NONE,
            })
            .collect(),
    };
    initial.define(&program);
    program.initial.push(initial);
    program
}

/// So many successors of a configuration are compared.
const MOST_COMPARED: usize = 30;

/// What was compared.
#[derive(Default, Debug)]
struct Spread {
    programs: usize,
    steps: usize,
    /// Steps that made individuals, for one that stands for several among them, and steps after
    /// which some were gone.
    made: usize,
    copied: usize,
    vanished: usize,
    emptied: usize,
    reported_after: usize,
    unfinished: usize,
    /// So many structures fewer where they are joined.
    joined: usize,
    /// Values of defined predicates that are known although their definitions' are not, and
    /// values that are not.
    remembered: usize,
    forgotten: usize,
}

impl Spread {
    /// What is known of defined predicates.
    fn remember(&mut self, program: &PredicateProgram, structure: &Structure) {
        for (predicate, arity, definition) in program.defined() {
            let values = structure.values[predicate.index()].iter();
            for (place, value) in values.enumerate() {
                let mut assignment = structure.arguments(place, arity);
                assignment.resize(definition.slots().max(arity), 0);
                if structure.value(definition, &mut assignment) == Kleene::Unknown {
                    self.remembered += usize::from(*value != Kleene::Unknown);
                    self.forgotten += usize::from(*value == Kleene::Unknown);
                }
            }
        }
    }

    fn count(&mut self, program: &PredicateProgram, before: &Structure, taken: &Taken) {
        let action = &program.actions[taken.action];
        let news = taken.origins.iter().filter(|&&one| one >= before.size());
        let (all, news) = (taken.origins.len(), news.count());
        self.steps += 1;
        self.made += usize::from(news > 0);
        let copies = action.creates.iter().any(|one| one.copies);
        self.copied += usize::from(copies && news > 0);
        self.vanished += usize::from(all - news < before.size());
        self.emptied += usize::from(all == 0);
        self.reported_after += usize::from(!taken.reported_after.is_empty());
    }
}

/// Looks at runs from a configuration.
fn follow(
    program: &PredicateProgram,
    explored: &shape::Explored,
    state: &Structure,
    random: &mut Rng,
    (what, spread): (&str, &mut Spread),
) {
    let concrete = Concrete::new(program);
    let stands = |state: &Structure| {
        let mut all = explored.structures.iter();
        all.any(|one| one.stands_for(state, &program.predicates))
    };
    assert!(
        stands(state),
        "{what}: nothing stands for {state:?}\n{program:#?}"
    );
    let mut state = state.clone();
    for _ in 0..3 {
        if state.size() > 3 {
            break;
        }
        let Some(mut all) = concrete.successors(&state) else {
            break;
        };
        random.shuffle(&mut all);
        for taken in all.iter().take(MOST_COMPARED) {
            spread.count(program, &state, taken);
            assert!(
                stands(&taken.state),
                "{what}: nothing stands for {taken:?} from {state:?}\n{program:#?}"
            );
        }
        for message in 0..program.messages.len() {
            let message = MessageId::new(message);
            let is_reported = concrete.report(&state, message).is_some()
                || all.iter().any(|one| one.reported_after.contains(&message));
            let known = &explored.messages[message.index()];
            assert!(
                !is_reported || known.at.is_some(),
                "{what}: not reported\n{program:#?}"
            );
        }
        if all.is_empty() {
            break;
        }
        state = all.swap_remove(random.usize(..all.len())).state;
    }
}

/// Compares the programs of these seeds, with structures kept one by one and with joined ones.
fn compare(seeds: std::ops::RangeInclusive<u64>) -> Spread {
    let mut spread = Spread::default();
    for seed in seeds {
        let mut random = Rng::with_seed(seed);
        let program = program(&mut random);
        let budget = Budget {
            memory: Some(60_000),
            ..Budget::default()
        };
        let mut all = 0;
        for join in [Join::Relational, Join::Partial] {
            let how = Exploration {
                join,
                ..Exploration::default()
            };
            let explored = shape::explore_with(&program, how, &budget, &Silent).unwrap();
            is_the_same_in_wide_sets(&program, how, &explored);
            if explored.stopped.is_some() {
                spread.unfinished += 1;
                continue;
            }
            let found = explored.structures.len();
            match join {
                Join::Relational => {
                    all = found;
                    is_sharp((seed, &program), &explored);
                }
                Join::Partial => spread.joined += all.saturating_sub(found),
            }
            // The same runs are looked at.
            let mut random = random.clone();
            compare_one((seed, &program), &explored, &mut random, &mut spread);
        }
    }
    spread
}

/// The same is found where some structures, or all, are looked at in sets of several words.
fn is_the_same_in_wide_sets(
    program: &PredicateProgram,
    how: Exploration<'_>,
    explored: &shape::Explored,
) {
    if explored.stopped.is_some() {
        return;
    }
    for narrow in [0, 2] {
        let how = Exploration { narrow, ..how };
        let wide = shape::explore_with(program, how, &Budget::default(), &Silent).unwrap();
        assert_eq!(explored.structures, wide.structures, "{program:#?}");
        assert_eq!(explored.steps, wide.steps, "{program:#?}");
        assert_eq!(explored.messages, wide.messages, "{program:#?}");
    }
}

/// Each structure is as sharp as rules make it. After a step only those are asked that may have something to
/// say; all are of initial structures, and nothing changes.
fn is_sharp((seed, program): (u64, &PredicateProgram), explored: &shape::Explored) {
    let again = PredicateProgram {
        actions: Vec::new(),
        initial: explored.structures.clone(),
        ..program.clone()
    };
    let asked = shape::explore(&again, &Budget::default(), &Silent).unwrap();
    let (before, after) = (&explored.structures, &asked.structures);
    assert_eq!(before, after, "seed {seed}: {program:#?}");
}

/// Compares what was found of a program with what it does.
fn compare_one(
    (seed, program): (u64, &PredicateProgram),
    explored: &shape::Explored,
    random: &mut Rng,
    spread: &mut Spread,
) {
    spread.programs += 1;
    let structures = explored.structures.iter();
    structures.for_each(|one| spread.remember(program, one));
    let messages = (0..program.messages.len()).map(MessageId::new);
    let silent = messages.filter(|message| explored.messages[message.index()].at.is_none());
    let silent: Vec<MessageId> = silent.collect();
    let checked = check_structures(program, &explored.structures, &silent, &Budget::default());
    assert_eq!(checked.map(drop), Ok(()), "seed {seed}: {program:#?}");
    let concrete = Concrete::new(program);
    let initial = &program.initial[0];
    let several = initial
        .summary
        .iter()
        .map(|&several| 1 + usize::from(several));
    let counts: Vec<usize> = several.collect();
    for counts in [vec![1; counts.len()], counts] {
        let Some(all) = concrete.concretisations(initial, &counts) else {
            continue;
        };
        for _ in 0..3 {
            if all.is_empty() {
                break;
            }
            let (_, state) = &all[random.usize(..all.len())];
            let what = format!("seed {seed}");
            follow(program, explored, state, random, (&what, spread));
        }
    }
}

#[test]
fn some_structure_stands_for_whatever_happens() {
    // `PROBITY_RANDOM_COUNT` asks for more of them, `PROBITY_RANDOM_FIRST` for others.
    let asked = |name| std::env::var(name).ok()?.parse().ok();
    let first = asked("PROBITY_RANDOM_FIRST").unwrap_or(1);
    let programs = asked("PROBITY_RANDOM_COUNT").unwrap_or(220);
    let spread = compare(first..=first + programs - 1);
    eprintln!("{spread:?}");
    assert!(spread.programs > 290, "{spread:?}");
    assert!(spread.steps > 6_000, "{spread:?}");
    assert!(spread.made > 1_200 && spread.copied > 200, "{spread:?}");
    assert!(spread.vanished > 400 && spread.emptied > 200, "{spread:?}");
    assert!(spread.reported_after > 2_000, "{spread:?}");
    assert!(spread.remembered > 100, "{spread:?}");
    assert!(spread.joined > 300, "{spread:?}");
}

/// The configurations that can be reached from some, each with where its steps lead; one that leads
/// nowhere stays as it is. `None`: they are many.
fn graph(program: &PredicateProgram, first: &[Structure]) -> Option<Graph> {
    let concrete = Concrete::new(program);
    let mut all = first.to_vec();
    let mut leads = Vec::new();
    let mut next = 0;
    while next < all.len() {
        if all.len() > 300 {
            return None;
        }
        let mut own = Vec::new();
        for taken in concrete.successors(&all[next])? {
            if program.is_observer(&program.actions[taken.action]) {
                continue;
            }
            let known = all.iter().position(|one| *one == taken.state);
            let to = known.unwrap_or_else(|| {
                all.push(taken.state);
                all.len() - 1
            });
            own.push(to);
        }
        if own.is_empty() {
            own.push(next);
        }
        own.sort_unstable();
        own.dedup();
        leads.push(own);
        next += 1;
    }
    let first = first.len();
    Some(Graph { all, first, leads })
}

struct Graph {
    all: Vec<Structure>,
    /// So many of them are initial.
    first: usize,
    leads: Vec<Vec<usize>>,
}

/// Whether an automaton accepts a run of a graph: an accepting step that can be reached lies on a
/// cycle.
fn accepts(graph: &Graph, automaton: &Buchi<Formula>) -> bool {
    let letter = |at: usize| {
        let atoms = automaton.atoms.iter().enumerate();
        let holds = atoms.filter(|(_, atom)| {
            graph.all[at].value(atom, &mut vec![0; atom.slots()]) == Kleene::True
        });
        holds.fold(0_u64, |letter, (index, _)| letter | 1 << index)
    };
    let steps = |(at, state): (usize, usize)| {
        let letter = letter(at);
        let edges = automaton.edges[state].iter();
        let edges = edges.filter(move |edge| edge.label.matches(letter));
        let steps = edges.flat_map(move |edge| {
            let to = graph.leads[at].iter();
            to.map(move |&to| ((to, edge.target.index()), edge.accepting))
        });
        steps.collect::<Vec<_>>()
    };
    let reached = |from: Vec<(usize, usize)>| {
        let mut known: HashSet<(usize, usize)> = from.iter().copied().collect();
        let mut open = from;
        while let Some(node) = open.pop() {
            for (to, _) in steps(node) {
                if known.insert(to) {
                    open.push(to);
                }
            }
        }
        known
    };
    let first = (0..graph.first).map(|at| (at, automaton.initial.index()));
    let all = reached(first.collect());
    all.iter().any(|&node| {
        let accepting = steps(node).into_iter().filter(|(_, accepting)| *accepting);
        let after: Vec<(usize, usize)> = accepting.map(|(to, _)| to).collect();
        !after.is_empty() && reached(after).contains(&node)
    })
}

/// A formula of linear time over two formulas.
fn linear(random: &mut Rng, atoms: &[Formula], depth: usize) -> Ltl<Formula> {
    if depth == 0 || one_in(random, 4) {
        let atom = Ltl::atom(atoms[random.usize(..atoms.len())].clone());
        return if one_in(random, 2) {
            Ltl::not(atom)
        } else {
            atom
        };
    }
    let inner = |random: &mut Rng| linear(random, atoms, depth - 1);
    match random.usize(..6) {
        0 => Ltl::always(inner(random)),
        1 => Ltl::eventually(inner(random)),
        2 => Ltl::next(inner(random)),
        3 => Ltl::until(inner(random), inner(random)),
        4 => Ltl::or(inner(random), inner(random)),
        _ => Ltl::and(inner(random), inner(random)),
    }
}

#[test]
fn no_run_that_an_automaton_accepts_is_missed() {
    let (mut compared, mut accepted, mut rejected) = (0, 0, 0);
    let (mut looked_for, mut runs) = (0, 0);
    for seed in 1..=400 {
        let mut random = Rng::with_seed(seed);
        let mut program = program(&mut random);
        for action in &mut program.actions {
            action.creates.clear();
        }
        let initial = &program.initial[0];
        let concrete = Concrete::new(&program);
        let several = initial.summary.iter();
        let counts: Vec<usize> = several.map(|&one| 1 + usize::from(one)).collect();
        let Some(first) = concrete.concretisations(initial, &counts) else {
            continue;
        };
        let first: Vec<Structure> = first.into_iter().map(|(_, state)| state).take(4).collect();
        let Some(graph) = graph(&program, &first) else {
            continue;
        };
        let few = Budget {
            memory: Some(75_000),
            ..Budget::default()
        };
        let explored = shape::explore(&program, &few, &Silent).unwrap();
        if explored.stopped.is_some() {
            continue;
        }
        let budget = Budget::default();
        let closed = check_structures(&program, &explored.structures, &[], &budget).unwrap();
        for _ in 0..6 {
            let core = [FLAG, A, B, SINGLE, NEXT, CLOSED];
            let atoms = [0, 1].map(|_| formula(&mut random, &core, &[], 2, 2));
            let automaton = logic::translate(&linear(&mut random, &atoms, 3)).unwrap();
            let way = shape::accepted(&program, &explored, &automaton, &budget).unwrap();
            let audited = closed.check_runs(&automaton, &budget);
            assert_eq!(way.is_none(), audited.is_ok(), "seed {seed}");
            compared += 1;
            // What structures may do for ever, a few individuals often do.
            let may = way.is_some() && looked_for < 150;
            looked_for += usize::from(may);
            let run = may.then(|| shape::concretise_endless(&program, &automaton, &budget));
            if let Some(trace) = run.flatten() {
                let run = EndlessRun::replay(&program, &trace, &automaton);
                assert_eq!(run.map(drop), Ok(()), "seed {seed}");
                runs += 1;
            }
            if accepts(&graph, &automaton) {
                accepted += 1;
                assert!(way.is_some(), "seed {seed}: {automaton:?}\n{program:#?}");
            }
            rejected += usize::from(way.is_none());
        }
    }
    eprintln!("{compared} compared, {accepted} accepted, {rejected} hold, {runs} runs");
    assert!(runs > 100);
    assert!(compared > 500 && accepted > 200 && rejected > 50);
}

/// Programs in which something was missed.
#[test]
fn what_was_missed_once() {
    // A variable of a definition is bound twice, and a rule made one of both.
    compare(1165..=1165);
    // A step has more cases than there is memory for: it has to stop at its limit.
    let many = compare(2855..=2855);
    assert!(many.unfinished > 0, "{many:?}");
}
