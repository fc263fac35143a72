//! Selective trace against the program that it is made of, on random programs whose variables all move at once.
//!
//! Both are explored on the reference interpreter, and blocks of states that nothing can tell apart are computed for
//! both together: each first state of one must be in a block with a first state of the other. Runs are
//! turned back, and must be runs on which the same is seen.

use std::collections::{BTreeSet, HashMap};

use fastrand::Rng;
use model::interp::{Interp, State};
use model::{
    Binary, Claim, Composition, EnumDecl, Expr, FiniteRuns, GlobalId, MacroStep, Place, Program,
    Property, PropertyId, SyncAssign, Trace, Type, Value, ValueSet, Variable, VariableKind,
};
use passes::{selective, sizes};
use source::Span;

const PROGRAMS: u64 = 400;

/// Signals go down a row of machines, which remember that they have come, meet and sometimes go round.
fn program(random: &mut Rng) -> Program {
    let mut program = Program::new("row", "random");
    program.finite_runs = FiniteRuns::InfiniteOnly;
    let kind = |program: &mut Program, names: &[&str]| {
        let members = names.iter().map(ToString::to_string).collect();
        let name = names.join("-");
        Type::Enum(program.add_enum(EnumDecl { name, members }))
    };
    let signal = kind(&mut program, &["none", "out"]);
    let memory = kind(&mut program, &["ready", "passing", "done"]);
    let machines = random.usize(2..5);
    let mut declared = Vec::new();
    for number in 0..machines {
        for (name, ty) in [("out", &signal), ("state", &memory)] {
            // The first begins with a signal.
            let first = program
                .exprs
                .int(i128::from(number == 0 && name == "out"), ty.clone());
            declared.push(program.add_global(Variable {
                init: Some(ValueSet::One(first)),
                ..Variable::new(format!("{name}{number}"), ty.clone())
            }));
        }
    }
    let seen = program.add_global(Variable::new("seen", Type::Bool));
    let is = |program: &mut Program, global: GlobalId, value: i128| {
        let ty = program.globals[global.index()].ty.clone();
        let load = program.exprs.load(Place::global(global), ty.clone());
        let value = program.exprs.int(value, ty);
        program.exprs.binary(Binary::Eq, load, value)
    };
    let constant = |program: &mut Program, global: GlobalId, value: i128| {
        let ty = program.globals[global.index()].ty.clone();
        ValueSet::One(program.exprs.int(value, ty))
    };
    let mut assigns = Vec::new();
    for number in 0..machines {
        let [out, state] = [declared[2 * number], declared[2 * number + 1]];
        // Which signals come in.
        let mut sources: Vec<usize> = (0..number).filter(|_| random.u8(..3) > 0).collect();
        if random.u8(..6) == 0 {
            sources.push(random.usize(number..machines));
        }
        let arrives: Vec<_> = sources
            .iter()
            .map(|&from| is(&mut program, declared[2 * from], 1))
            .collect();
        let arrives = program.exprs.any(&arrives);
        let none = constant(&mut program, out, 0);
        let fires = constant(&mut program, out, 1);
        let [ready, passing, done] = [0, 1, 2].map(|at| constant(&mut program, state, at));
        let passes = is(&mut program, state, 1);
        // A step later it leaves, perhaps by no line; an event comes at any time.
        let event = number > 0 && random.u8(..12) == 0;
        let next_out = match random.u8(..3) {
            _ if event => ValueSet::Union(vec![none, fires]),
            0 => ValueSet::Ite(
                passes,
                Box::new(ValueSet::Union(vec![none.clone(), fires])),
                Box::new(none),
            ),
            _ => ValueSet::Ite(passes, Box::new(fires), Box::new(none)),
        };
        assigns.push(SyncAssign {
            global: out,
            next: next_out,
        });
        let ty = memory.clone();
        let keep = ValueSet::One(program.exprs.load(Place::global(state), ty));
        let is_ready = is(&mut program, state, 0);
        let can_pass = program.exprs.and(arrives, is_ready);
        // What passes may wait; behind it some are ready again, some are not, some are either.
        let ends = match random.u8(..4) {
            0 => ready,
            1 => ValueSet::Union(vec![passing.clone(), done]),
            2 => ValueSet::Union(vec![ready, done]),
            _ => done,
        };
        let next_state = ValueSet::Ite(
            passes,
            Box::new(ends),
            Box::new(ValueSet::Ite(can_pass, Box::new(passing), Box::new(keep))),
        );
        assigns.push(SyncAssign {
            global: state,
            next: next_state,
        });
    }
    let watched = declared[2 * random.usize(0..machines)];
    let toggles = is(&mut program, watched, 1);
    let now = program.exprs.load(Place::global(seen), Type::Bool);
    let other = program.exprs.not(now);
    assigns.push(SyncAssign {
        global: seen,
        next: ValueSet::Ite(
            toggles,
            Box::new(ValueSet::One(other)),
            Box::new(ValueSet::One(now)),
        ),
    });
    program.composition = Composition::Synchronous(assigns);
    program.add_property(Property {
        name: "dark".to_owned(),
        text: String::new(),
        span: Span::NONE,
        claim: Claim::Always(other),
        trigger: None,
        observers: Vec::new(),
        assumptions: Vec::new(),
    });
    program
}

/// The states of a program, what is seen in each, where each leads, and how many are first ones.
struct Explored {
    seen: Vec<Value>,
    next: Vec<Vec<usize>>,
    first: usize,
}

/// From so many variables on, the interpreter remembers what each can only become.
fn explore(program: &Program, seen: usize, many: usize) -> Explored {
    let interp = Interp::new(program).with_sleepers_from(many);
    let mut known: HashMap<Vec<Value>, usize> = HashMap::new();
    let mut states: Vec<State> = Vec::new();
    let mut explored = Explored {
        seen: Vec::new(),
        next: Vec::new(),
        first: 0,
    };
    let mut number = |state: State, states: &mut Vec<State>, explored: &mut Explored| {
        let state = interp.stored(&state);
        let key: Vec<Value> = state.globals.iter().cloned().collect();
        *known.entry(key).or_insert_with(|| {
            explored.seen.push(state.globals[seen].clone());
            states.push(state);
            states.len() - 1
        })
    };
    for (_, state) in interp.initial().expect("there are few") {
        number(state, &mut states, &mut explored);
    }
    explored.first = states.len();
    let mut at = 0;
    while at < states.len() {
        let expansion = interp.expand(&states[at]).expect("there are few");
        let next = expansion.successors.into_iter();
        let next: BTreeSet<usize> = next
            .map(|successor| number(successor.state, &mut states, &mut explored))
            .collect();
        explored.next.push(next.into_iter().collect());
        at += 1;
    }
    explored
}

/// The block of each state of both, side by side: of states that no formula can tell apart.
fn blocks(one: &Explored, other: &Explored) -> Vec<usize> {
    let offset = one.seen.len();
    let seen = one.seen.iter().chain(&other.seen);
    let own = one.next.iter().cloned();
    let shifted = other
        .next
        .iter()
        .map(|next| next.iter().map(|at| at + offset).collect());
    let next: Vec<Vec<usize>> = own.chain(shifted).collect();
    let mut block: Vec<usize> = seen.map(|value| usize::from(value.truth())).collect();
    let mut count = 0;
    loop {
        let mut numbers: HashMap<(usize, BTreeSet<usize>), usize> = HashMap::new();
        let signs = next.iter().zip(&block).map(|(next, &own)| {
            let to: BTreeSet<usize> = next.iter().map(|&at| block[at]).collect();
            let fresh = numbers.len();
            *numbers.entry((own, to)).or_insert(fresh)
        });
        let refined: Vec<usize> = signs.collect();
        block = refined;
        if numbers.len() == count {
            return block;
        }
        count = numbers.len();
    }
}

/// A run of so many steps, somewhere; the values of the variables of which there are so many in each state.
fn walk(program: &Program, steps: usize, random: &mut Rng) -> Trace {
    let interp = Interp::new(program);
    let (initial, state) = interp.initial().expect("there are few").swap_remove(0);
    let mut trace = Trace {
        initial,
        steps: Vec::new(),
        loop_start: None,
    };
    let mut state = interp.stored(&state);
    for _ in 0..steps {
        let mut next = interp.expand(&state).expect("there are few").successors;
        let next = next.swap_remove(random.usize(..next.len()));
        let step: MacroStep = next.step;
        trace.steps.push(step);
        state = interp.stored(&next.state);
    }
    trace
}

#[test]
fn nothing_can_tell_the_states_apart() {
    let (mut fewer, mut restless, mut circles, mut turned_back) = (0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let mut random = Rng::with_seed(seed);
        let program = program(&mut random);
        let seen = program.globals.len() - 1;
        let asked = [PropertyId::new(0)];
        // In regions of one variable, or of two.
        let least = [1, 5][random.usize(..2)];
        let Some(made) = selective(&program, &asked, least) else {
            restless += 1;
            continue;
        };
        // All variables move in the one step.
        let (before, variables) = (sizes(&program), program.globals.len());
        assert_eq!(
            (before.steps, before.statements, before.variables),
            (1, variables, variables),
            "{seed}"
        );
        circles += usize::from(
            made.program
                .globals
                .iter()
                .any(|g| g.name.starts_with("next(")),
        );
        let (whole, small) = (explore(&program, seen, 0), explore(&made.program, seen, 0));
        let plain = explore(&program, seen, usize::MAX);
        assert_eq!(
            (&plain.seen, &plain.next),
            (&whole.seen, &whole.next),
            "{seed}"
        );
        let block = blocks(&whole, &small);
        let offset = whole.seen.len();
        let first = |from: usize, count: usize| -> BTreeSet<usize> {
            block[from..from + count].iter().copied().collect()
        };
        assert_eq!(first(0, whole.first), first(offset, small.first), "{seed}");
        fewer += usize::from(small.seen.len() < offset);
        for _ in 0..3 {
            let trace = walk(&made.program, 12, &mut random);
            let run = made.run_of(&program, &trace).expect("there is one");
            let told = Interp::new(&program).replay(&run).expect("it is a run");
            let own = Interp::new(&made.program)
                .replay(&trace)
                .expect("it is a run");
            for at in 0..=trace.steps.len() {
                let (told, own) = (told.state(at), own.state(at));
                assert_eq!(told.globals[seen], own.globals[seen], "{seed}");
                let differ = (0..seen).any(|at| told.globals[at] != own.globals[at]);
                turned_back += usize::from(differ);
            }
        }
    }
    let all = [fewer, restless, circles, turned_back];
    assert!(
        fewer > 60 && circles > 20 && restless > 5 && turned_back > 200,
        "{all:?}"
    );
}

/// A step with no value to choose is no step at all, for nobody; what lives within a step is set back without being
/// moved; and only truth values and members are followed.
#[test]
fn what_is_not_followed_is_left_as_it_is() {
    let followed = (0..PROGRAMS).map(|seed| program(&mut Rng::with_seed(seed)));
    let is_followed = |program: &Program| selective(program, &[PropertyId::new(0)], 1).is_some();
    let plain = followed.into_iter().find(is_followed).expect("most are");
    let with = |next: &dyn Fn(&mut Program, ValueSet) -> ValueSet| {
        let mut changed = plain.clone();
        let Composition::Synchronous(mut assigns) = changed.composition.clone() else {
            panic!("it is synchronous")
        };
        let last = assigns.len() - 1;
        assigns[last].next = next(&mut changed, assigns[last].next.clone());
        changed.composition = Composition::Synchronous(assigns);
        changed
    };
    assert!(is_followed(&with(&|_, next| next)));
    let nothing =
        |_: &mut Program, next: ValueSet| ValueSet::Union(vec![next, ValueSet::Union(Vec::new())]);
    assert!(!is_followed(&with(&nothing)));
    let seen = GlobalId::new(plain.globals.len() - 1);
    let load = |program: &mut Program| program.exprs.load(Place::global(seen), Type::Bool);
    let deep = |program: &mut Program, levels: u32| {
        let mut value = load(program);
        for _ in 0..levels {
            let now = load(program);
            value = program.exprs.add(Expr::Ite(now, value, now), Type::Bool);
        }
        ValueSet::One(value)
    };
    assert!(is_followed(&with(&|program, _| deep(program, 4_000))));
    assert!(!is_followed(&with(&|program, _| deep(program, 5_000))));
    let numbers = |program: &mut Program, next: ValueSet| {
        let [a, b] = [100, 200].map(|number| program.exprs.int(number, Type::Mathint));
        let test = Expr::Binary(Binary::Eq, a, b);
        let test = program.exprs.add(test, Type::Bool);
        ValueSet::Ite(test, Box::new(next.clone()), Box::new(next))
    };
    assert!(!is_followed(&with(&numbers)));
    // First values only say where the search for rests begins, even if there are none.
    let [none, all] = [ValueSet::Union(Vec::new()), ValueSet::All(Type::Bool)].map(|first| {
        let mut free = plain.clone();
        free.add_global(Variable {
            init: Some(first),
            ..Variable::new("free", Type::Bool)
        });
        is_followed(&free)
    });
    assert_eq!(none, all);
    let mut begins = plain.clone();
    begins.globals[seen.index()].init = Some(deep(&mut begins, 5_000));
    assert!(is_followed(&begins));
    let mut fleeting = plain.clone();
    fleeting.globals[seen.index()].kind = VariableKind::Step;
    assert!(!is_followed(&fleeting));
}
