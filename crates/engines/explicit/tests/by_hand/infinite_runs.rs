//! What is about infinite runs: automata of each kind, and fairness of each kind.

use explicit::{Answer, LivenessJob, Options, accepted_run};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::interp::Interp;
use model::*;

use crate::build::*;

/// Peterson's algorithm for two; says where the critical section is.
fn peterson(careless: bool) -> (Program, [ProcessId; 2], LocId) {
    let mut program = Program::new("peterson", "none");
    let wants = [flag(&mut program, "wants 0"), flag(&mut program, "wants 1")];
    let turn = flag(&mut program, "turn");
    let mut critical = LocId(0);
    let mut ids = Vec::new();
    for me in 0..2 {
        let mut process = Process::new("peterson");
        let locations: Vec<LocId> = (0..4).map(|_| location(&mut process, Mode::Open)).collect();
        critical = locations[3];
        let mut want = step(locations[0], locations[1]);
        want.body = vec![set(&mut program, wants[me], true)];
        let mut yields = step(locations[1], locations[2]);
        yields.body = vec![set(&mut program, turn, me == 0)];
        let mut enter = step(locations[2], locations[3]);
        let other = load(&mut program, wants[1 - me]);
        let other = program.exprs.not(other);
        let mut mine = load(&mut program, turn);
        if me == 0 {
            mine = program.exprs.not(mine);
        }
        enter.guard = if careless {
            None
        } else {
            Some(program.exprs.or(other, mine))
        };
        let mut leave = step(locations[3], locations[0]);
        leave.body = vec![set(&mut program, wants[me], false)];
        for step in [want, yields, enter, leave] {
            process.add_step(step);
        }
        ids.push(start(&mut program, process, 1));
    }
    (program, [ids[0], ids[1]], critical)
}

#[test]
fn peterson_excludes_and_the_careless_version_does_not() {
    for careless in [false, true] {
        let (mut program, [p, q], critical) = peterson(careless);
        let (a, b) = (
            at(&mut program, 0, p, critical),
            at(&mut program, 1, q, critical),
        );
        let both = program.exprs.and(a, b);
        let outcome = safety(&program, &[Bad::State(both), Bad::Deadlock]);
        assert_eq!(outcome.answers[1], Answer::Clear);
        if careless {
            assert_eq!(violated(&program, &outcome.answers[0]).steps.len(), 6);
        } else {
            assert_eq!(outcome.answers[0], Answer::Clear);
        }
    }
}

#[test]
fn peterson_lets_everyone_in_if_the_processes_are_fair() {
    let (mut program, [p, q], critical) = peterson(false);
    let inside = at(&mut program, 0, p, critical);
    let automaton = finally_never(inside);
    let trace = violated(&program, &liveness(&program, &automaton));
    assert!(trace.loop_start.is_some());
    for process in [p, q] {
        let steps = program.processes[process.index()].steps.len();
        program.fairness.push(Fairness {
            name: "the process goes on".into(),
            kind: FairnessKind::Weak((0..steps).map(|s| (process, StepId::new(s))).collect()),
            assumption: None,
        });
    }
    assert_eq!(liveness(&program, &automaton), Answer::Clear);
}

/// Instances of one process that each go round for ever, and one that ends.
fn rounds(copies: usize) -> (Program, ProcessId, LocId) {
    let mut program = Program::new("rounds", "none");
    let mut process = Process::new("round");
    let (a, b) = (
        location(&mut process, Mode::Open),
        location(&mut process, Mode::Open),
    );
    process.add_step(step(a, b));
    process.add_step(step(b, a));
    let process = start(&mut program, process, copies);
    let mut once = Process::new("once");
    let (c, d) = (
        location(&mut once, Mode::Open),
        location(&mut once, Mode::Open),
    );
    once.add_step(step(c, d));
    start(&mut program, once, 1);
    (program, process, b)
}

#[test]
fn weak_fairness_of_instances_is_for_each_of_them_and_asks_nothing_of_the_ended() {
    let (mut program, process, b) = rounds(2);
    let second = at(&mut program, 1, process, b);
    let automaton = finally_never(second);
    violated(&program, &liveness(&program, &automaton));
    // To be fair to the process as such leaves one instance to do all.
    program.fairness.push(Fairness {
        name: "someone goes on".into(),
        kind: FairnessKind::Weak(vec![(process, StepId(0)), (process, StepId(1))]),
        assumption: None,
    });
    violated(&program, &liveness(&program, &automaton));
    program.assume_weak_fairness();
    assert_eq!(liveness(&program, &automaton), Answer::Clear);
    // There are fair runs, with the third instance ended.
    let trace = violated(&program, &liveness(&program, &Buchi::universal()));
    let interp = Interp::new(&program);
    let replay = interp.replay(&trace).unwrap();
    assert_eq!(interp.unfairness(&trace, &replay), Ok(None));
    // A run in which only the first goes round is not one of them.
    program.fairness.remove(1);
    let trace = violated(&program, &liveness(&program, &automaton));
    program.assume_weak_fairness();
    let interp = Interp::new(&program);
    let replay = interp.replay(&trace).unwrap();
    assert_eq!(interp.unfairness(&trace, &replay), Ok(Some(1)));
}

#[test]
fn every_kind_of_automaton_is_searched_right_by_one_and_by_two() {
    let (mut program, process, b) = rounds(2);
    let (p, q) = (
        at(&mut program, 0, process, b),
        at(&mut program, 1, process, b),
    );
    let both = program.exprs.binary(Binary::And, p, q);
    let never = program.exprs.bool(false);
    let lit = |index, value| Cube::literal(index, value);
    let edge = |label, target, accepting| Edge {
        label,
        target: BuchiState(target),
        accepting,
    };
    // A chain of states that count how often an atom was seen, and what accepts at its end.
    let chain = |length: u32, atoms: Vec<ExprId>, last: Vec<Edge>| {
        let mut edges: Vec<Vec<Edge>> = (0..length)
            .map(|at| {
                vec![
                    edge(lit(0, false), at, false),
                    edge(lit(0, true), at + 1, false),
                ]
            })
            .collect();
        edges.push(last);
        Buchi {
            atoms,
            initial: BuchiState(0),
            edges,
        }
    };
    let cases = [
        // Terminal: a prefix decides; seven sets of eight states are more than one byte.
        (chain(3, vec![both], vec![edge(Cube::TRUE, 3, true)]), true),
        (chain(50, vec![p], vec![edge(Cube::TRUE, 50, true)]), true),
        (
            chain(3, vec![never], vec![edge(Cube::TRUE, 3, true)]),
            false,
        ),
        // Weak: then for ever not.
        (chain(9, vec![p], vec![edge(lit(0, false), 9, true)]), true),
        (chain(1, vec![p], vec![edge(lit(0, true), 1, true)]), true),
        // General: both again and again, and each again and again but never together.
        (
            Buchi {
                atoms: vec![p, q],
                initial: BuchiState(0),
                edges: vec![
                    vec![edge(lit(0, false), 0, false), edge(lit(0, true), 1, false)],
                    vec![edge(lit(1, false), 1, false), edge(lit(1, true), 0, true)],
                ],
            },
            true,
        ),
        (
            Buchi {
                atoms: vec![p, never],
                initial: BuchiState(0),
                edges: vec![
                    vec![edge(lit(0, false), 0, false), edge(lit(0, true), 1, false)],
                    vec![edge(lit(1, false), 1, false), edge(lit(1, true), 0, true)],
                ],
            },
            false,
        ),
    ];
    for (number, (automaton, accepted)) in cases.iter().enumerate() {
        let job = LivenessJob {
            program: &program,
            automaton,
            watch: &[],
        };
        let mut states = Vec::new();
        for jobs in [1, 2] {
            let options = Options::with_jobs(jobs);
            let outcome = accepted_run(&job, &options, &Budget::default(), &Silent);
            if *accepted {
                let trace = violated(&program, &outcome.answer);
                assert!(trace.loop_start.is_some(), "case {number}");
            } else {
                assert_eq!(outcome.answer, Answer::Clear, "case {number}");
                states.push(outcome.statistics.states);
            }
        }
        assert!(states.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn strong_fairness_serves_whom_weak_fairness_forgets() {
    // A door opens and closes for ever; someone may go in while it is open.
    for strong in [false, true] {
        let mut program = Program::new("door", "none");
        let open = flag(&mut program, "open");
        let inside = flag(&mut program, "inside");
        let mut door = Process::new("door");
        let (a, b) = (
            location(&mut door, Mode::Open),
            location(&mut door, Mode::Open),
        );
        let mut opens = step(a, b);
        opens.body = vec![set(&mut program, open, true)];
        let mut closes = step(b, a);
        closes.body = vec![set(&mut program, open, false)];
        door.add_step(opens);
        door.add_step(closes);
        start(&mut program, door, 1);
        let mut guest = Process::new("guest");
        let (c, d) = (
            location(&mut guest, Mode::Open),
            location(&mut guest, Mode::Open),
        );
        let mut enters = step(c, d);
        enters.guard = Some(load(&mut program, open));
        enters.body = vec![set(&mut program, inside, true)];
        guest.add_step(enters);
        let guest = start(&mut program, guest, 1);
        let steps = vec![(guest, StepId(0))];
        let kind = if strong {
            FairnessKind::Strong(steps)
        } else {
            FairnessKind::Weak(steps)
        };
        program.fairness.push(Fairness {
            name: "guest".into(),
            kind,
            assumption: None,
        });
        let atom = load(&mut program, inside);
        let answer = liveness(&program, &finally_never(atom));
        if strong {
            assert_eq!(answer, Answer::Clear);
        } else {
            let trace = violated(&program, &answer);
            assert_eq!(trace.steps.len(), 2, "opens, closes, opens, closes, ...");
        }
    }
}

/// In turns, one sets a flag and takes it back, and the other counts round and round. What the first
/// does comes again for each count, and the flag has to be looked at each time.
#[test]
fn what_has_been_seen_before_is_read_again_at_each_step() {
    let mut program = Program::new("turns", "none");
    let (flag, turn) = (flag(&mut program, "flag"), flag(&mut program, "turn"));
    let count = range(&mut program, "count", 3);
    for second in [false, true] {
        let mut process = Process::new("turn");
        let here = location(&mut process, Mode::Open);
        let mut step = step(here, here);
        let now = load(&mut program, turn);
        step.guard = Some(if second { now } else { program.exprs.not(now) });
        let change = if second {
            let (now, one) = (load(&mut program, count), number(&mut program, 1));
            let (three, zero) = (number(&mut program, 3), number(&mut program, 0));
            let exprs = &mut program.exprs;
            let more = exprs.add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
            let is_last = exprs.binary(Binary::Eq, now, three);
            let next = exprs.add(Expr::Ite(is_last, zero, more), Type::Mathint);
            Stmt::Assign(Place::global(count), next)
        } else {
            let now = load(&mut program, flag);
            Stmt::Assign(Place::global(flag), program.exprs.not(now))
        };
        step.body = vec![change, set(&mut program, turn, !second)];
        process.add_step(step);
        let process = start(&mut program, process, 1);
        program.fairness.push(Fairness {
            name: "it goes on".into(),
            kind: FairnessKind::Weak(vec![(process, StepId::new(0))]),
            assumption: None,
        });
    }
    let is_set = load(&mut program, flag);
    let edge = |label, target, accepting| Edge {
        label,
        target: BuchiState(target),
        accepting,
    };
    let (yes, no) = (Cube::literal(0, true), Cube::literal(0, false));
    // It is taken back for so many steps: two, never one or three.
    for (steps, accepts) in [(1, false), (2, true), (3, false)] {
        let mut edges = vec![vec![edge(Cube::TRUE, 0, false), edge(yes, 1, false)]];
        edges.extend((1..=steps).map(|state| vec![edge(no, state + 1, false)]));
        edges.push(vec![edge(yes, steps + 2, false)]);
        edges.push(vec![edge(Cube::TRUE, steps + 2, true)]);
        let automaton = Buchi {
            atoms: vec![is_set],
            initial: BuchiState(0),
            edges,
        };
        let found = liveness(&program, &automaton);
        assert_eq!(found != Answer::Clear, accepts, "{found:?}");
    }
}

#[test]
fn a_cycle_is_found_though_its_states_are_come_to_from_elsewhere() {
    // The cycle is 1, 4; what leads from 2 to 4 comes from what lies on none. Few states are come
    // to by more than one way.
    let mut program = Program::new("ways", "none");
    let mut process = Process::new("goes");
    let places: Vec<LocId> = (0..60)
        .map(|_| location(&mut process, Mode::Open))
        .collect();
    let ways = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 2), (4, 1)];
    let dead_end = (5..places.len()).map(|place| (if place == 5 { 0 } else { place - 1 }, place));
    for (from, to) in ways.into_iter().chain(dead_end) {
        process.add_step(step(places[from], places[to]));
    }
    let process = start(&mut program, process, 1);
    let end = at(&mut program, 0, process, places[places.len() - 1]);
    let automaton = Buchi {
        atoms: vec![end],
        initial: BuchiState(0),
        edges: vec![vec![Edge {
            label: Cube::literal(0, false),
            target: BuchiState(0),
            accepting: true,
        }]],
    };
    let trace = violated(&program, &liveness(&program, &automaton));
    assert_eq!(trace.steps.len() - trace.loop_start.unwrap(), 2);
}
