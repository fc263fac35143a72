//! Processes of a cluster, here threads with connections of this machine, against the search by one.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cluster::{Folder, Member, Place, places};
use explicit::{Answer, Cluster, Exchange, Options, SafetyJob, SafetyOutcome, Technique, Tuning};
use model::{
    Bad, Binary, Budget, Expr, ExprId, Mode, Process, Program, Silent, Start, Step, Stmt, Type,
    Variable,
};
use source::Span;

const SECRET: &[u8] = b"a secret of these tests";

/// So many counters, each of which goes from 0 to `most` and round again, as long as not all are at `most`:
/// that is a deadlock.
fn counters(count: usize, most: i32) -> (Program, Vec<ExprId>) {
    let mut program = Program::new("counters", "none");
    let ty = Type::Range {
        lo: 0,
        hi: most.into(),
    };
    let globals: Vec<_> = (0..count)
        .map(|number| program.add_global(Variable::new(format!("n{number}"), ty.clone())))
        .collect();
    let now: Vec<ExprId> = globals
        .iter()
        .map(|&global| program.exprs.load(model::Place::global(global), ty.clone()))
        .collect();
    let end = program.exprs.int(most.into(), ty);
    let at_end: Vec<ExprId> = now
        .iter()
        .map(|&now| program.exprs.binary(Binary::Eq, now, end))
        .collect();
    let all = at_end
        .iter()
        .copied()
        .reduce(|a, b| {
            program
                .exprs
                .add(Expr::Binary(Binary::And, a, b), Type::Bool)
        })
        .unwrap();
    let some_left = program.exprs.not(all);
    for (&global, &now) in globals.iter().zip(&now) {
        let (one, size) = (
            program.exprs.int(1, Type::Mathint),
            program.exprs.int(i128::from(most) + 1, Type::Mathint),
        );
        let more = program
            .exprs
            .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
        let next = program
            .exprs
            .add(Expr::Binary(Binary::Rem, more, size), Type::Mathint);
        let mut process = Process::new("count");
        let here = process.add_location("here", Mode::Open, Span::NONE);
        let mut step = Step::new(here, here, Span::NONE);
        step.guard = Some(some_left);
        step.body = vec![Stmt::Assign(model::Place::global(global), next)];
        process.add_step(step);
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }
    (program, at_end)
}

/// Addresses of this machine that nobody uses.
fn free(count: usize) -> String {
    let listeners: Vec<_> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let addresses = listeners
        .iter()
        .map(|it| it.local_addr().unwrap().to_string());
    addresses.collect::<Vec<_>>().join("\n")
}

fn member(hosts: &str, process: usize, secret: &[u8]) -> Member {
    let place = Place {
        addresses: places(hosts).unwrap(),
        process,
    };
    Member::new(place, secret, Arc::default()).unwrap()
}

/// What each of so many processes finds out.
fn together(
    job: &SafetyJob<'_>,
    options: &Options,
    hosts: &str,
    folder: Option<(&PathBuf, bool)>,
) -> Vec<SafetyOutcome> {
    let count = hosts.lines().count();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|process| {
                scope.spawn(move || {
                    let mut member = member(hosts, process, SECRET);
                    if let Some((path, resumes)) = folder {
                        let kept = Folder::new(path.clone(), 7, resumes).unwrap();
                        member = member.keeping(kept.pausing(Duration::from_millis(5)));
                    }
                    let budget = Budget::default();
                    let outcome =
                        explicit::explore_together(job, options, &budget, &Silent, &member);
                    assert_eq!(member.lost(), None);
                    outcome
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

fn length(answer: &Answer) -> Option<usize> {
    match answer {
        Answer::Violated(trace) => Some(trace.steps.len()),
        Answer::Clear => None,
        Answer::Unknown(reason) => panic!("{reason:?}"),
    }
}

#[test]
fn any_number_of_processes_finds_what_one_finds() {
    let (mut program, at_end) = counters(3, 4);
    // Never, since a counter is never in two places.
    let not_first = program.exprs.not(at_end[0]);
    let never = program
        .exprs
        .add(Expr::Binary(Binary::And, at_end[0], not_first), Type::Bool);
    let two = program
        .exprs
        .add(Expr::Binary(Binary::And, at_end[0], at_end[1]), Type::Bool);
    for bads in [
        vec![Bad::State(never)],
        vec![Bad::State(two), Bad::State(never), Bad::Deadlock],
        vec![Bad::Deadlock, Bad::State(two)],
        vec![],
    ] {
        let job = SafetyJob {
            program: &program,
            bads: &bads,
            watch: &[two],
            exchange: Exchange::default(),
        };
        let tuning = Tuning::usual().without(Technique::DepthProbe);
        for tuning in [tuning, tuning.without(Technique::AdaptivePacking)] {
            let options = Options {
                tuning,
                ..Options::with_jobs(1)
            };
            let alone = explicit::explore(&job, &options, &Budget::default(), &Silent);
            for count in 1..=4 {
                for one in together(&job, &options, &free(count), None) {
                    let lengths = |outcome: &SafetyOutcome| -> Vec<_> {
                        outcome.answers.iter().map(length).collect()
                    };
                    assert_eq!(lengths(&one), lengths(&alone), "{count} {bads:?}");
                    let numbers = |outcome: &SafetyOutcome| {
                        let told = &outcome.statistics;
                        (told.states, told.transitions, told.depth)
                    };
                    if lengths(&alone).contains(&None) || bads.is_empty() {
                        assert_eq!(numbers(&one), numbers(&alone), "{count} {bads:?}");
                        assert_eq!(one.watched, alone.watched);
                    }
                }
            }
        }
    }
}

/// A number that goes up to `most`, its halves, quarters and so on, and three flags that change at any time.
fn growing(most: u32) -> Program {
    let mut program = Program::new("growing", "none");
    let ty = Type::Int {
        bits: 32,
        signed: false,
    };
    let number = program.add_global(Variable::new("n", ty.clone()));
    let now = (program.exprs).load(model::Place::global(number), ty.clone());
    let end = program.exprs.int(most.into(), ty.clone());
    let one = program.exprs.int(1, Type::Mathint);
    let more = (program.exprs).add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
    let mut process = Process::new("count");
    let here = process.add_location("here", Mode::Open, Span::NONE);
    let mut step = Step::new(here, here, Span::NONE);
    step.guard = Some((program.exprs).add(Expr::Binary(Binary::Lt, now, end), Type::Bool));
    step.body = vec![Stmt::Assign(model::Place::global(number), more)];
    for power in 1..7 {
        let part = program.add_global(Variable::new(format!("n{power}"), ty.clone()));
        let by = program.exprs.int(1 << power, ty.clone());
        let quotient = (program.exprs).add(Expr::Binary(Binary::Div, now, by), ty.clone());
        (step.body).push(Stmt::Assign(model::Place::global(part), quotient));
    }
    process.add_step(step);
    let mut processes = vec![process];
    for flag in ["a", "b", "c"] {
        let global = program.add_global(Variable::new(flag, Type::Bool));
        let was = (program.exprs).load(model::Place::global(global), Type::Bool);
        let other = program.exprs.not(was);
        let mut change = Process::new(flag);
        let here = change.add_location("here", Mode::Open, Span::NONE);
        let mut step = Step::new(here, here, Span::NONE);
        step.body = vec![Stmt::Assign(model::Place::global(global), other)];
        change.add_step(step);
        processes.push(change);
    }
    for process in processes {
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }
    program
}

#[test]
fn states_are_packed_anew_when_values_do_not_fit() {
    let most = 3_000;
    let mut program = growing(most);
    let ty = Type::Int {
        bits: 32,
        signed: false,
    };
    let now = (program.exprs).load(model::Place::global(model::GlobalId(0)), ty.clone());
    let mut is = |value: u32| {
        let value = program.exprs.int(value.into(), ty.clone());
        (program.exprs).add(Expr::Binary(Binary::Eq, now, value), Type::Bool)
    };
    // One that is soon there, one that comes only after states have been packed anew, one that never is.
    let bads = [100, 2_900, most + 1].map(|value| Bad::State(is(value)));
    let watch = [is(most)];
    // With a few hundred states they are packed anew where they are; usually the search would begin anew.
    let usual = Tuning::usual().without(Technique::DepthProbe);
    let in_place = usual.with(Technique::AdaptivePacking, 1);
    let path = folder("anew");
    let ask_as = |tuning: &Tuning, bads: &[Bad], count, folder| {
        let options = Options {
            tuning: *tuning,
            ..Options::with_jobs(1)
        };
        let job = SafetyJob {
            program: &program,
            bads,
            watch: &watch,
            exchange: Exchange::default(),
        };
        let all = together(&job, &options, &free(count), folder);
        for one in &all {
            let lengths: Vec<_> = one.answers.iter().map(length).collect();
            assert_eq!(lengths, [Some(100), Some(2_900), None][..bads.len()]);
        }
        let told = &all[0].statistics;
        assert_eq!(all[0].watched, [bads.len() == 3]);
        (told.states, told.transitions, told.depth, told.state_bytes)
    };
    let ask = |bads: &[Bad], count, folder| ask_as(&in_place, bads, count, folder);
    for count in 1..=3 {
        let told = ask(&bads, count, None);
        let anew = ask_as(&usual, &bads, count, None);
        assert_eq!((anew.0, anew.1, anew.2), (told.0, told.1, told.2));
        let states = u64::from(8 * (most + 1));
        // There are 8 bytes a state at first, and 32 by types.
        let expected = (states, 4 * states - 8, u64::from(most) + 3, 12);
        assert_eq!(told, expected, "{count}");
        // What is known is told although there is more that does not fit.
        ask(&bads[..2], count, None);
    }
    // What is saved afterwards is what others go on from.
    let whole = ask(&bads, 2, Some((&path, false)));
    let saved = std::fs::read_dir(&path).unwrap();
    let saved: Vec<String> = saved
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let anew = |name: &String| name.split('.').nth(1) > Some("0") && !name.contains("manifest");
    assert!(saved.iter().any(anew), "{} files", saved.len());
    for count in [2, 3, 1] {
        assert_eq!(ask(&bads, count, Some((&path, true))), whole, "{count}");
    }
}

#[test]
fn strangers_are_cut_off_and_do_no_harm() {
    let (program, _) = counters(2, 9);
    let hosts = free(2);
    let first = places(&hosts).unwrap()[0];
    let job = SafetyJob {
        program: &program,
        bads: &[Bad::Deadlock],
        watch: &[],
        exchange: Exchange::default(),
    };
    let options = Options::with_jobs(1);
    std::thread::scope(|scope| {
        let (hosts, options, job) = (&hosts, &options, &job);
        let zero = scope.spawn(move || {
            let member = member(hosts, 0, SECRET);
            explicit::explore_together(job, options, &Budget::default(), &Silent, &member)
        });
        let connect = || loop {
            match TcpStream::connect(first) {
                Ok(stream) => return stream,
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        // One that says nothing, one that says anything, and one that knows all but the secret.
        let silent = connect();
        let mut babbler = connect();
        babbler.write_all(&[0xab; 4096]).unwrap();
        assert_eq!(
            babbler.read(&mut [0; 64]).unwrap_or(0),
            0,
            "nothing is answered"
        );
        let mut liar = connect();
        let mut hello = b"Probity\x01".to_vec();
        for number in [1_u32, 0, 2] {
            hello.extend_from_slice(&number.to_le_bytes());
        }
        hello.extend_from_slice(&[5; 32]);
        liar.write_all(&hello).unwrap();
        let mut answer = [0; 64];
        liar.read_exact(&mut answer).unwrap();
        liar.write_all(&[0; 48]).unwrap();
        assert_eq!(liar.read(&mut answer).unwrap_or(0), 0, "it is not believed");
        let stranger = member(hosts, 1, b"another secret of theirs");
        let refused = stranger.gather(1).map(|_| ()).unwrap_err();
        assert!(refused.0.contains("does not know the secret"), "{refused}");
        drop(stranger);
        // The one that was waited for.
        let one = member(hosts, 1, SECRET);
        let told = explicit::explore_together(job, options, &Budget::default(), &Silent, &one);
        let zero = zero.join().unwrap();
        assert_eq!(length(&told.answers[0]), Some(18));
        assert_eq!(length(&zero.answers[0]), Some(18));
        drop(silent);
    });
}

#[test]
fn processes_that_are_about_something_else_say_so() {
    let hosts = free(2);
    std::thread::scope(|scope| {
        let hosts = &hosts;
        let zero = scope.spawn(move || member(hosts, 0, SECRET).gather(1).map(|_| ()));
        let one = member(hosts, 1, SECRET).gather(2).map(|_| ()).unwrap_err();
        let zero = zero.join().unwrap().unwrap_err();
        for lost in [zero, one] {
            assert!(lost.0.contains("about another search"), "{lost}");
        }
    });
}

#[test]
fn whoever_gives_up_counts_as_lost_at_once() {
    let hosts = free(2);
    std::thread::scope(|scope| {
        let hosts = &hosts;
        let (tell, told) = std::sync::mpsc::channel();
        scope.spawn(move || {
            let team = member(hosts, 1, SECRET).gather(1).unwrap();
            told.recv().unwrap();
            // It does not part.
            drop(team);
        });
        let mut team = member(hosts, 0, SECRET).gather(1).unwrap();
        tell.send(()).unwrap();
        let began = Instant::now();
        let lost = loop {
            match team.next(Duration::from_millis(10)) {
                Ok(_) => assert!(
                    began.elapsed() < Duration::from_secs(10),
                    "nothing is noticed"
                ),
                Err(lost) => break lost,
            }
        };
        assert!(lost.0.contains("process 1 is lost"), "{lost}");
    });
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn a_search_goes_on_from_a_level_with_any_number_of_processes_and_not_from_damage() {
    let (program, at_end) = counters(4, 14);
    let bads = [Bad::Deadlock];
    let job = SafetyJob {
        program: &program,
        bads: &bads,
        watch: &at_end[..1],
        exchange: Exchange::default(),
    };
    let tuning = Tuning::usual().without(Technique::DepthProbe);
    let options = Options {
        tuning,
        ..Options::with_jobs(1)
    };
    let path = folder("saved");
    let first = together(&job, &options, &free(2), Some((&path, false)));
    let files = || -> Vec<PathBuf> {
        let files = std::fs::read_dir(&path).unwrap();
        files.map(|file| file.unwrap().path()).collect()
    };
    let manifest = files()
        .into_iter()
        .find(|it| it.extension().is_some_and(|it| it == "manifest"));
    let manifest = manifest.expect("a level was written");
    assert!(
        std::fs::metadata(&manifest).unwrap().len() > 0,
        "something was saved"
    );
    for count in [2, 3, 1] {
        let again = together(&job, &options, &free(count), Some((&path, true)));
        for one in &again {
            assert_eq!(length(&one.answers[0]), length(&first[0].answers[0]));
            assert_eq!(one.statistics.states, first[0].statistics.states);
            assert_eq!(one.statistics.transitions, first[0].statistics.transitions);
            assert_eq!(one.statistics.depth, first[0].statistics.depth);
            assert_eq!(one.watched, first[0].watched);
        }
    }
    for file in files() {
        let good = std::fs::read(&file).unwrap();
        if good.is_empty() {
            continue;
        }
        for place in [0, good.len() / 2, good.len() - 1] {
            let mut bad = good.clone();
            bad[place] ^= 1;
            std::fs::write(&file, &bad).unwrap();
            let kept = Folder::new(path.clone(), 7, true).unwrap();
            let member = member(&free(1), 0, SECRET).keeping(kept);
            let outcome =
                explicit::explore_together(&job, &options, &Budget::default(), &Silent, &member);
            let is_named = file == manifest || member.refused().is_some();
            assert!(is_named || matches!(outcome.answers[0], Answer::Violated(_)));
            if file == manifest {
                assert!(matches!(outcome.answers[0], Answer::Unknown(_)), "{place}");
            }
        }
        std::fs::write(&file, good).unwrap();
    }
}
