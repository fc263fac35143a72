//! Random programs over structures: whatever their configurations do, some structure found stands for
//! it, what they report is reported, and the audit agrees. Formulas, rules, definitions, focus and new
//! individuals are all drawn at random.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use audit::check_structures;
use fastrand::Rng;
use model::predicates::{
    Concrete, Constraint, Formula, Head, Kleene, Message, Predicate, PredicateAction,
    PredicateProgram, Structure, Update,
};
use model::{Budget, MessageId, PredicateId, Silent};
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
const ARITY: [usize; 8] = [0, 1, 1, 1, 1, 2, 1, 0];

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

fn action(random: &mut Rng, message: usize) -> PredicateAction {
    let all: Vec<usize> = (0..ARITY.len()).filter(|&one| one != NEW).collect();
    let with_new: Vec<usize> = (0..ARITY.len()).collect();
    let free = random.usize(..3);
    let variables: Vec<usize> = (0..free).collect();
    let creates = one_in(random, 4);
    let readable = if creates { &with_new } else { &all };
    let mut updates = Vec::new();
    for predicate in [FLAG, A, B, SINGLE, NEXT] {
        if one_in(random, 3) {
            let parameters: Vec<usize> = (free..free + ARITY[predicate]).collect();
            let known = [variables.as_slice(), &parameters].concat();
            let value = match one_in(random, 8) {
                true => Formula::Value(Kleene::Unknown),
                false => formula(random, readable, &known, 4, 3),
            };
            updates.push(Update {
                predicate: PredicateId::new(predicate),
                parameters,
                value,
            });
        }
    }
    let focus = [A, B, SINGLE, FLAG, DEFINED].into_iter();
    let focus = focus.filter(|_| one_in(random, 3)).map(PredicateId::new);
    PredicateAction {
        name: "move".into(),
        span: Span::NONE,
        variables: vec![String::new(); 16],
        free,
        scheduled: None,
        focus: focus.collect(),
        precondition: formula(random, &all, &variables, 4, 2),
        reports: vec![(
            MessageId::new(message),
            formula(random, &all, &variables, 4, 2),
        )],
        creates: creates.then_some(PredicateId::new(NEW)),
        updates,
    }
}

fn program(random: &mut Rng) -> PredicateProgram {
    let core = [FLAG, A, B, SINGLE, NEXT];
    let predicates: Vec<Predicate> = (0..ARITY.len())
        .map(|index| Predicate {
            name: format!("p{index}"),
            arity: ARITY[index],
            abstraction: matches!(index, A | SINGLE | DEFINED) || index == FLAG,
            unique: index == SINGLE,
            definition: match index {
                DEFINED => Some(formula(random, &core, &[0], 2, 2)),
                CLOSED => Some(formula(random, &core, &[], 2, 3)),
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
        constraints,
        initial: Vec::new(),
        called: Vec::new(),
        turn: None,
        messages: (0..2)
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

/// Looks at runs from a configuration; how many steps were compared.
fn follow(
    program: &PredicateProgram,
    explored: &shape::Explored,
    state: &Structure,
    random: &mut Rng,
    what: &str,
) -> usize {
    let concrete = Concrete::new(program);
    let stands = |state: &Structure| {
        let mut all = explored.structures.iter();
        all.any(|one| one.stands_for(state, &program.predicates))
    };
    assert!(
        stands(state),
        "{what}: nothing stands for {state:?}\n{program:#?}"
    );
    let (mut steps, mut state) = (0, state.clone());
    for _ in 0..3 {
        if state.size() > 4 {
            break;
        }
        let Some(mut all) = concrete.successors(&state) else {
            break;
        };
        for taken in &all {
            steps += 1;
            assert!(
                stands(&taken.state),
                "{what}: nothing stands for {taken:?} from {state:?}\n{program:#?}"
            );
        }
        for message in 0..program.messages.len() {
            let message = MessageId::new(message);
            let is_reported = concrete.report(&state, message).is_some();
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
    steps
}

/// Compares so many programs; how many steps.
fn compare(programs: u64) -> usize {
    let mut steps = 0;
    for seed in 1..=programs {
        let mut random = Rng::with_seed(seed);
        let program = program(&mut random);
        let budget = Budget {
            memory: Some(40_000),
            ..Budget::default()
        };
        let explored = shape::explore(&program, &budget, &Silent).unwrap();
        if explored.stopped.is_some() {
            continue;
        }
        let messages = (0..program.messages.len()).map(MessageId::new);
        let silent = messages.filter(|message| explored.messages[message.index()].at.is_none());
        let silent: Vec<MessageId> = silent.collect();
        let checked = check_structures(&program, &explored.structures, &silent, &Budget::default());
        assert_eq!(checked, Ok(()), "seed {seed}: {program:#?}");
        let concrete = Concrete::new(&program);
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
                steps += follow(&program, &explored, state, &mut random, &what);
            }
        }
    }
    steps
}

#[test]
fn some_structure_stands_for_whatever_happens() {
    let steps = compare(150);
    assert!(steps > 2_000, "only {steps} steps were compared");
}
