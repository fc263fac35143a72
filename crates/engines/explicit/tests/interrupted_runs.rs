//! Searches for runs that are interrupted and gone on with: always the same product and the same
//! answer.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use explicit::{
    Answer, CheckpointFile, LivenessJob, LivenessOutcome, Options, Tuning, accepted_run,
    accepted_run_with, restore,
};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::{
    Binary, Budget, Expr, ExprId, Fairness, FairnessKind, Mode, Place, Process, ProcessId, Program,
    Silent, Start, Step, StepId, Stmt, Type, Variable,
};
use source::Span;

/// Counters that go up to a number, in any order; whether the first is half way, and whether all
/// are there.
fn counters(count: u64, most: u64) -> (Program, [ExprId; 2]) {
    let mut program = Program::new("counters", "none");
    let ty = Type::Range {
        lo: 0,
        hi: i64::try_from(most).expect("a small number"),
    };
    let mut sum = program.exprs.int(0, Type::Mathint);
    let mut half = sum;
    for number in 0..count {
        let x = program.add_global(Variable::new("x", ty.clone()));
        let now = program.exprs.load(Place::global(x), ty.clone());
        let top = program.exprs.int(most.into(), Type::Mathint);
        let one = program.exprs.int(1, Type::Mathint);
        let more = program
            .exprs
            .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
        let mut process = Process::new("count");
        let here = process.add_location("here", Mode::Open, Span::NONE);
        let mut step = Step::new(here, here, Span::NONE);
        step.guard = Some(program.exprs.binary(Binary::Lt, now, top));
        step.body = vec![Stmt::Assign(Place::global(x), more)];
        process.add_step(step);
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        if number == 0 {
            let middle = program.exprs.int((most / 2).into(), Type::Mathint);
            half = program.exprs.binary(Binary::Eq, now, middle);
        }
        sum = program
            .exprs
            .add(Expr::Binary(Binary::Add, sum, now), Type::Mathint);
    }
    let all = program.exprs.int((count * most).into(), Type::Mathint);
    let all = program.exprs.binary(Binary::Eq, sum, all);
    (program, [half, all])
}

/// Runs on which the first counter is half way at some time, and from then on all are there for
/// ever, or never.
fn then_for_ever([half, all]: [ExprId; 2], there: bool) -> Buchi<ExprId> {
    let edge = |label, target, accepting| Edge {
        label,
        target: BuchiState(target),
        accepting,
    };
    let mut last = vec![edge(Cube::literal(1, there), 1, true)];
    if there {
        last.push(edge(Cube::literal(1, false), 1, false));
    }
    Buchi {
        atoms: vec![half, all],
        initial: BuchiState(0),
        edges: vec![
            vec![
                edge(Cube::TRUE, 0, false),
                edge(Cube::literal(0, true), 1, false),
            ],
            last,
        ],
    }
}

/// A file that is written each time so much has been done, and perhaps stops the search then.
#[derive(Debug, Default)]
struct File {
    asked: AtomicU64,
    every: u64,
    stop: Option<Arc<AtomicBool>>,
    written: Mutex<Vec<Vec<u8>>>,
    begin: Option<Vec<u8>>,
}

impl File {
    fn written(self) -> Vec<Vec<u8>> {
        self.written
            .into_inner()
            .expect("nobody panics while writing")
    }
}

impl CheckpointFile for File {
    fn label(&self) -> u64 {
        23
    }

    fn is_due(&self) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let due = self.every > 0 && asked.is_multiple_of(self.every);
        match &self.stop {
            Some(stop) if due => {
                stop.store(true, Ordering::Relaxed);
                false
            }
            _ => due,
        }
    }

    fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("memory takes what is written");
        self.written
            .lock()
            .expect("nobody panics while writing")
            .push(bytes);
    }

    fn open(&self) -> Option<io::Result<Box<dyn Read>>> {
        let begin = self.begin.clone()?;
        Some(Ok(Box::new(io::Cursor::new(begin))))
    }
}

fn agree(found: &LivenessOutcome, expected: &LivenessOutcome) {
    match (&found.answer, &expected.answer) {
        (Answer::Violated(_), Answer::Violated(_)) => {}
        (found, expected) => assert_eq!(found, expected),
    }
    if expected.answer == Answer::Clear {
        assert_eq!(found.statistics.states, expected.statistics.states);
        assert_eq!(
            found.statistics.transitions,
            expected.statistics.transitions
        );
        assert_eq!(found.watched, expected.watched);
    }
}

/// Interrupts a search in all ways, and goes on.
fn interrupt(program: &Program, job: &LivenessJob<'_>) -> usize {
    let unlimited = Budget::default();
    let expected = accepted_run(job, &Options::with_jobs(1), &unlimited, &Silent);
    let mut resumed = 0;
    for (jobs, every) in [(1, 7), (1, 40), (3, 25)] {
        let options = Options {
            tuning: Tuning::drawn(every),
            ..Options::with_jobs(jobs)
        };
        let file = File {
            every,
            ..File::default()
        };
        agree(
            &accepted_run_with(job, &options, &unlimited, &Silent, Some(&file)),
            &expected,
        );
        let mut written = file.written();
        let budget = Budget::default();
        let stopped = File {
            every: 2 * every,
            stop: Some(Arc::clone(&budget.stop)),
            ..File::default()
        };
        let outcome = accepted_run_with(job, &options, &budget, &Silent, Some(&stopped));
        assert!(matches!(outcome.answer, Answer::Unknown(_)));
        let last = stopped.written();
        assert_eq!(last.len(), 1, "stopped, it is saved once");
        written.extend(last);
        assert!(written.len() >= 3, "{} times", written.len());
        let last = written.len() - 1;
        for begin in [&written[0], &written[last / 2], &written[last]] {
            let file = File {
                begin: Some(begin.clone()),
                ..File::default()
            };
            assert!(restore(&file, &program.rich).expect("it is whole"));
            let options = Options {
                jobs: 3 - jobs.min(2),
                ..options
            };
            let outcome = accepted_run_with(job, &options, &unlimited, &Silent, Some(&file));
            agree(&outcome, &expected);
            resumed += 1;
            // Another search begins anew.
            let (other, atoms) = counters(3, 5);
            let automaton = then_for_ever(atoms, false);
            let job = LivenessJob {
                program: &other,
                automaton: &automaton,
                watch: &[],
            };
            let outcome = accepted_run_with(&job, &options, &unlimited, &Silent, Some(&file));
            let anew = accepted_run(&job, &options, &unlimited, &Silent);
            agree(&outcome, &anew);
        }
    }
    resumed
}

#[test]
fn an_interrupted_search_goes_on_as_if_nothing_had_been() {
    let (program, atoms) = counters(5, 9);
    for there in [false, true] {
        let automaton = then_for_ever(atoms, there);
        let job = LivenessJob {
            program: &program,
            automaton: &automaton,
            watch: &[atoms[1]],
        };
        assert_eq!(interrupt(&program, &job), 9);
    }
}

#[test]
fn so_does_one_whose_automaton_reads_transitions() {
    let (mut program, atoms) = counters(4, 11);
    // Fairness asks which steps are taken and enabled: no state tells.
    program.fairness.push(Fairness {
        name: "the first counter goes on".into(),
        kind: FairnessKind::Weak(vec![(ProcessId(0), StepId(0))]),
        assumption: None,
    });
    let automaton = then_for_ever(atoms, false);
    let job = LivenessJob {
        program: &program,
        automaton: &automaton,
        watch: &[],
    };
    assert_eq!(interrupt(&program, &job), 9);
}
