//! Graphs of all states against the reference interpreter, on random small programs: the same
//! states, the same transitions, the same events in them.

#![expect(clippy::print_stdout, reason = "the spread is for people")]
#![expect(dead_code, reason = "the generator serves other tests too")]

#[path = "random/program.rs"]
mod program;

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use explicit::{Options, Space, Tuning};
use model::interp::{Interp, State};
use model::*;
use program::{Random, generate};
use source::Span;

/// The most states: the interpreter is slow.
const MOST: usize = 150;

/// A state and what holds at the end of the step that led there.
type Spot = (State, Vec<bool>);
type Way = (Spot, Label, Spot);

/// All transitions, as the interpreter makes them; nothing if there are too many states.
fn walked(program: &Program, conditions: &[ExprId], labels: bool) -> Option<BTreeSet<Way>> {
    let limit = Budget {
        deadline: Some(Instant::now() + Duration::from_millis(300)),
        ..Budget::default()
    };
    let interp = Interp::new(program)
        .with_micro_steps(300)
        .with_budget(&limit);
    let interp = if labels { interp.with_labels() } else { interp };
    let place = |state: &State| -> Option<Spot> {
        let truths: Result<Vec<bool>, _> =
            conditions.iter().map(|c| interp.holds(state, *c)).collect();
        Some((interp.stored(state), truths.ok()?))
    };
    let mut waiting: Vec<Spot> = Vec::new();
    for (_, state) in interp.initial().ok()? {
        waiting.push(place(&state)?);
    }
    let mut seen: BTreeSet<Spot> = BTreeSet::new();
    let mut steps = BTreeSet::new();
    while let Some(from) = waiting.pop() {
        if !seen.insert(from.clone()) {
            continue;
        }
        if seen.len() > MOST || limit.exhausted(0).is_some() {
            return None;
        }
        for successor in interp.expand(&from.0).ok()?.successors {
            let to = place(&successor.state)?;
            steps.insert((from.clone(), successor.label, to.clone()));
            waiting.push(to);
        }
    }
    Some(steps)
}

#[derive(Default, Debug)]
struct Spread {
    programs: usize,
    skipped: usize,
    steps: usize,
    labels: usize,
    split: usize,
}

fn compare(seed: u64, spread: &mut Spread) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let wild = random.chance(30);
    let generated = generate(&mut random, wild);
    let (mut program, mut conditions) = (generated.program, generated.atoms);
    if seed.is_multiple_of(2) {
        conditions.push(program.exprs.add(Expr::NothingEnabled, Type::Bool));
        for number in 0..2 {
            let instance = program.exprs.int(number, Type::Instance);
            conditions.push(program.exprs.add(Expr::Enabled(instance), Type::Bool));
        }
    }
    let program = &program;
    let labels = !seed.is_multiple_of(3);
    let budget = Budget {
        micro_steps: 300,
        memory: Some(2 << 20),
        // Programs that take long are left out; no verdict depends on it.
        deadline: Some(Instant::now() + Duration::from_millis(200)),
        ..Budget::default()
    };
    let Ok(space) = Space::explore(
        program,
        &conditions,
        labels,
        &Options {
            tuning: Tuning::drawn(seed),
            ..Options::with_jobs(1 + (seed as usize) % 2)
        },
        &budget,
        &Silent,
    ) else {
        spread.skipped += 1;
        return;
    };
    if space.graph().len() > MOST {
        spread.skipped += 1;
        return;
    }
    let Some(expected) = walked(program, &conditions, labels) else {
        spread.skipped += 1;
        return;
    };
    let graph = space.graph();
    let vertices = 0..Vertex::try_from(graph.len()).expect("there are few");
    let places: Vec<Spot> = vertices
        .map(|vertex| {
            let holds = |atom: &ExprId| space.holding(*atom).is_some_and(|set| set.has(vertex));
            (space.state(vertex), conditions.iter().map(holds).collect())
        })
        .collect();
    let found: BTreeSet<Way> = graph
        .all_edges()
        .map(|(from, label, to)| {
            let place = |vertex: Vertex| places[vertex as usize].clone();
            (
                place(from),
                graph.table()[label as usize].clone(),
                place(to),
            )
        })
        .collect();
    let missing = expected.difference(&found).next();
    let extra = found.difference(&expected).next();
    assert!(
        missing.is_none() && extra.is_none(),
        "seed {seed}: {} steps, expected {}\nmissing {missing:?}\nextra {extra:?}",
        found.len(),
        expected.len()
    );
    assert_eq!(
        found.len(),
        graph.transitions(),
        "seed {seed}: one is there twice"
    );
    spread.programs += 1;
    spread.steps += found.len();
    spread.labels += graph.table().len();
    let mut states: HashMap<&State, usize> = HashMap::new();
    for (state, _) in &places {
        *states.entry(state).or_default() += 1;
    }
    spread.split += states.values().filter(|count| **count > 1).count();
}

#[test]
fn graphs_are_those_of_the_interpreter() {
    let mut spread = Spread::default();
    // In the last one, whether somebody can move is asked where a step variable is, too.
    for seed in (1..=200).chain([910]) {
        compare(seed, &mut spread);
    }
    println!("{spread:?}");
    assert!(spread.programs > 40 && spread.steps > 800, "{spread:?}");
    assert!(spread.labels > 30 && spread.split > 5, "{spread:?}");
}

#[test]
fn what_happens_is_told_in_order_and_kept_apart() {
    let bit = Type::Range { lo: 0, hi: 1 };
    let mut program = Program::new("bits", "by hand");
    let [x, y] = ["x", "y"].map(|name| program.add_global(Variable::new(name, bit.clone())));
    let [first, second] = ["first", "second"].map(|name| {
        program.add_event(Event {
            name: name.to_owned(),
            parameters: vec![("bit".to_owned(), bit.clone())],
            story: None,
            visibility: Visibility::Told,
        })
    });
    let mut process = Process::new("chooser");
    let here = process.add_location("here", Mode::Open, Span::NONE);
    let mut step = Step::new(here, here, Span::NONE);
    for (event, variable) in [(first, x), (second, y)] {
        let value = program.exprs.load(Place::global(variable), bit.clone());
        step.body.push(Stmt::Choose(Choice {
            place: Place::global(variable),
            set: ValueSet::All(bit.clone()),
            sample: None,
            what: "a bit".to_owned(),
            outside: None,
        }));
        step.body.push(Stmt::Emit {
            event,
            args: vec![value],
            span: Span::NONE,
        });
    }
    // What was chosen is forgotten: only the labels tell the ways apart.
    let zero = program.exprs.int(0, bit);
    step.body.push(Stmt::Assign(Place::global(x), zero));
    step.body.push(Stmt::Assign(Place::global(y), zero));
    process.add_step(step);
    let process = program.add_process(process);
    program.start.push(Start {
        process,
        args: Vec::new(),
    });
    let budget = Budget::default();
    let graph = |labels: bool| {
        let space = Space::explore(
            &program,
            &[],
            labels,
            &Options::with_jobs(2),
            &budget,
            &Silent,
        );
        space.expect("it is small").graph().clone()
    };
    assert_eq!((graph(false).len(), graph(false).transitions()), (1, 1));
    let labelled = graph(true);
    assert_eq!((labelled.len(), labelled.transitions()), (1, 4));
    let mut told: Vec<Vec<(EventId, i128)>> = labelled
        .table()
        .iter()
        .map(|label| {
            label
                .iter()
                .map(|h| (h.event, h.args[0].number()))
                .collect()
        })
        .collect();
    told.sort();
    let expected: Vec<_> = [(0, 0), (0, 1), (1, 0), (1, 1)]
        .map(|(a, b)| vec![(first, a), (second, b)])
        .into();
    assert_eq!(told, expected);
}

#[test]
fn nothing_holds_where_there_is_no_state() {
    let mut program = Program::new("nothing", "by hand");
    let no = program.exprs.bool(false);
    program.initial.push(no);
    let space = Space::explore(
        &program,
        &[no],
        false,
        &Options::with_jobs(2),
        &Budget::default(),
        &Silent,
    );
    let space = space.expect("there is nothing to explore");
    assert!(space.graph().is_empty());
    assert!(space.holding(no).is_some_and(StateSet::is_empty));
}

#[test]
fn who_waits_for_nothing_to_be_possible_is_not_enabled_himself() {
    let digit = Type::Range { lo: 0, hi: 2 };
    let mut program = Program::new("again", "by hand");
    let n = program.add_global(Variable::new("n", digit.clone()));
    let now = program.exprs.load(Place::global(n), digit.clone());
    let [zero, one, two] = [0, 1, 2].map(|n| program.exprs.int(n, digit.clone()));
    let stuck = program.exprs.add(Expr::NothingEnabled, Type::Bool);
    let mut process = Process::new("counter");
    let here = process.add_location("here", Mode::Open, Span::NONE);
    let more = program.exprs.binary(Binary::Lt, now, two);
    let next = program.exprs.binary(Binary::Add, now, one);
    for (guard, value) in [(more, next), (stuck, zero)] {
        let mut step = Step::new(here, here, Span::NONE);
        step.guard = Some(guard);
        step.body = vec![Stmt::Assign(Place::global(n), value)];
        process.add_step(step);
    }
    let process = program.add_process(process);
    program.start.push(Start {
        process,
        args: Vec::new(),
    });
    let conditions = [stuck, program.exprs.binary(Binary::Eq, now, two)];
    let budget = Budget::default();
    let space = Space::explore(
        &program,
        &conditions,
        false,
        &Options::with_jobs(1),
        &budget,
        &Silent,
    );
    let space = space.expect("it is small");
    assert_eq!((space.graph().len(), space.graph().transitions()), (3, 3));
    let [stuck, at_two] = conditions.map(|condition| space.holding(condition));
    assert!(at_two.is_some_and(|set| set.iter().count() == 1));
    assert_eq!(stuck, at_two);
}
