//! Programs whose runs end are gone through; what is claimed of them is believed only if it is right.

use std::time::Duration;

use audit::{Invariant, Rejected, audit, audit_all_runs};
use model::{
    Bad, Binary, Budget, Choice, Composition, ExprId, GlobalId, IdPolicy, LocId, Mode, Place,
    Process, Program, Start, Step, Stmt, Type, Value, ValueSet, Variable,
};
use source::Span;

/// Adds, in each of some rounds, a number from one to three or ten, whichever way is taken, to a
/// sum; then shows the sum.
struct Sums {
    program: Program,
    sum: GlobalId,
    shown: GlobalId,
}

fn sums(rounds: i128) -> Sums {
    let mut program = Program::new("sums", "none");
    program.composition = Composition::Interleaving {
        ids: IdPolicy::Fresh,
    };
    let mut global = |name: &str| program.add_global(Variable::new(name, Type::INT32));
    let (sum, shown, round, ten) = (
        global("sum"),
        global("shown"),
        global("round"),
        global("ten"),
    );
    let load = |program: &mut Program, of: GlobalId| {
        let place = Place::global(of);
        program.exprs.load(place, Type::INT32)
    };
    let int = |program: &mut Program, value: i128| program.exprs.int(value, Type::INT32);
    let tenth = int(&mut program, 10);
    program.globals[ten.index()].init = Some(ValueSet::One(tenth));
    let (one, three, most) = (
        int(&mut program, 1),
        int(&mut program, 3),
        int(&mut program, rounds),
    );
    let (now, at, fixed) = (
        load(&mut program, sum),
        load(&mut program, round),
        load(&mut program, ten),
    );
    let goes_on = program.exprs.binary(Binary::Lt, at, most);
    let ends = program.exprs.not(goes_on);
    let next = program.exprs.binary(Binary::Add, at, one);
    let more = program.exprs.binary(Binary::Add, now, fixed);
    let mut process = Process::new("add");
    let places: Vec<LocId> = (0..4)
        .map(|_| process.add_location("", Mode::Open, Span::NONE))
        .collect();
    let amount = process.locals.len();
    process.locals.push(Variable::new("amount", Type::INT32));
    let chosen = program.exprs.load(Place::own(amount), Type::INT32);
    let some = program.exprs.binary(Binary::Add, now, chosen);
    let step = |from: usize, guard: Option<ExprId>, body: Vec<Stmt>, to: usize| Step {
        guard,
        body,
        ..Step::new(places[from], places[to], Span::NONE)
    };
    let set = |of: GlobalId, value: ExprId| Stmt::Assign(Place::global(of), value);
    let choose = Stmt::Choose(Choice {
        place: Place::own(amount),
        set: ValueSet::Between(one, three),
        sample: None,
        what: "amount".to_owned(),
        outside: None,
    });
    for step in [
        step(0, Some(goes_on), vec![set(round, next)], 1),
        // Either way may be taken.
        step(1, None, vec![choose, set(sum, some)], 0),
        step(1, None, vec![set(sum, more)], 0),
        step(0, Some(ends), vec![set(shown, now)], 2),
        Step {
            target: model::Target::End,
            ..Step::new(places[2], places[2], Span::NONE)
        },
    ] {
        process.add_step(step);
    }
    let process = program.add_process(process);
    program.start.push(Start {
        process,
        args: Vec::new(),
    });
    Sums {
        program,
        sum,
        shown,
    }
}

/// Whether it is believed that what is shown is never more than this, nor exactly that.
fn believed(rounds: i128, most: i128, never: i128, budget: &Budget) -> Result<(), Rejected> {
    let Sums {
        mut program, shown, ..
    } = sums(rounds);
    let exprs = &mut program.exprs;
    let shown = exprs.load(Place::global(shown), Type::INT32);
    let (most, never) = (exprs.int(most, Type::INT32), exprs.int(never, Type::INT32));
    let above = exprs.binary(Binary::Lt, most, shown);
    let same = exprs.binary(Binary::Eq, shown, never);
    let bad = exprs.binary(Binary::Or, above, same);
    audit_all_runs(&program, &Bad::State(bad), budget)
}

#[test]
fn every_way_of_every_run_is_gone() {
    let budget = Budget::default();
    // Four rounds give between 4 and 40, but not 39, nor 3.
    assert_eq!(believed(4, 40, 39, &budget), Ok(()));
    assert_eq!(believed(4, 40, 3, &budget), Ok(()));
    for possible in [4, 5, 12, 13, 22, 31, 33, 40] {
        let said = believed(4, 40, possible, &budget);
        assert_eq!(said, Err(Rejected::Violated), "{possible}");
    }
    assert_eq!(believed(4, 39, -1, &budget), Err(Rejected::Violated));
}

#[test]
fn runs_without_end_are_not_believed_to_end() {
    let soon = Budget::default().at_most(Duration::from_millis(300));
    let said = believed(1 << 31, i128::from(i32::MAX), -1, &soon);
    assert_eq!(said, Err(Rejected::Limit));
}

#[test]
fn what_nothing_writes_need_not_be_said() {
    let Sums {
        mut program, sum, ..
    } = sums(4);
    // A loop for ever that adds an even number: `ten` is never written.
    let process = &mut program.processes[0];
    process.steps.truncate(3);
    process.steps[0].guard = None;
    process.steps.remove(1);
    let low = audit::Atom::Bit {
        variable: audit::Variable::Global(sum),
        path: Vec::new(),
        bit: 0,
    };
    let even = Invariant::of_clauses([vec![(low, false)]]);
    let exprs = &mut program.exprs;
    let sum = exprs.load(Place::global(sum), Type::INT32);
    let seven = exprs.value(Value::Int(7), Type::INT32);
    let bad = exprs.binary(Binary::Eq, sum, seven);
    let said = audit(&program, &Bad::State(bad), &even, &Budget::default());
    assert_eq!(said, Ok(()));
    // Where it is written, it has to be said.
    let Sums {
        program: whole,
        shown,
        ..
    } = sums(4);
    let ten = GlobalId::new(shown.index() + 2);
    assert_eq!(whole.globals[ten.index()].name, "ten");
    let one = program.exprs.int(1, Type::INT32);
    program.processes[0].steps[0]
        .body
        .push(Stmt::Assign(Place::global(ten), one));
    let said = audit(&program, &Bad::State(bad), &even, &Budget::default());
    let rejected = matches!(said, Err(Rejected::NotInductive(_) | Rejected::Violated));
    assert!(rejected, "{said:?}");
}
