//! A script with handlers, a procedure, a loop, a rendezvous with its world, wide amounts and a
//! fault: right invariants are believed, wrong ones are not.

use audit::{Atom, Invariant, Rejected, audit};
use model::{
    Bad, Binary, Budget, Callee, Choice, Comm, ExprId, Fault, FaultId, GlobalId, LocId, Mode,
    Pattern, Place, Procedure, Process, Program, Start, Step, Stmt, Target, Type, ValueSet,
    Variable,
};
use source::Span;

/// A till: the world pays any amount; the script adds what it keeps of it to `kept` and `booked`
/// by way of a procedure.
struct Till {
    program: Program,
    kept: GlobalId,
    booked: GlobalId,
    fault: FaultId,
    /// Inside the handler, between the two additions.
    between: LocId,
    wait: LocId,
    /// The script's.
    script: u32,
}

fn till() -> Till {
    let mut program = Program::new("till", "none");
    let fault = program.add_fault(Fault {
        name: "math-error".into(),
        message: "division by zero".into(),
    });
    program.division_fault = Some(fault);
    let kept = program.add_global(Variable::new("kept", Type::INT32));
    let booked = program.add_global(Variable::new("booked", Type::INT32));
    let channel = program.add_channel(model::Channel {
        name: "pay".into(),
        capacity: Some(0),
        fields: vec![Type::INT32],
        from_start: true,
        owner: None,
    });
    let reference = program
        .exprs
        .int(channel.index() as i128 + 1, Type::Channel);
    let own = |program: &mut Program, local| program.exprs.load(Place::own(local), Type::INT32);
    let global = |program: &mut Program, id| program.exprs.load(Place::global(id), Type::INT32);

    let mut world = Process::new("world");
    world.environment = true;
    world.locals.push(Variable::new("amount", Type::INT32));
    let at = world.add_location("world", Mode::Open, Span::NONE);
    let mut pay = Step::new(at, at, Span::NONE);
    pay.binds.push(Choice {
        place: Place::own(0),
        set: ValueSet::All(Type::INT32),
        sample: None,
        what: "amount".into(),
        outside: None,
    });
    let amount = own(&mut program, 0);
    pay.comm = Some(Comm::Send {
        channel: reference,
        message: vec![amount],
        sorted: false,
        lossy: false,
    });
    world.add_step(pay);
    let world = program.add_process(world);

    let mut script = Process::new("script");
    script.max_frames = 10;
    script.locals.push(Variable::new("paid", Type::INT32));
    script.locals.push(Variable::new("left", Type::INT32));
    let wait = script.add_location("wait", Mode::Open, Span::NONE);
    let test = script.add_location("test", Mode::Region, Span::NONE);
    let between = script.add_location("between", Mode::Region, Span::NONE);
    let inside = script.add_location("keep", Mode::Region, Span::NONE);
    let after = script.add_location("after", Mode::Region, Span::NONE);
    let keep = script.add_procedure(Procedure {
        name: "keep".into(),
        locals: vec![Variable::new("n", Type::INT32)],
        parameters: 1,
        entry: inside,
        span: Span::NONE,
    });
    let mut receive = Step::new(wait, test, Span::NONE);
    receive.comm = Some(Comm::Receive {
        channel: reference,
        patterns: vec![Pattern::Bind(Place::own(0))],
        anywhere: false,
        keep: false,
    });
    script.add_step(receive);
    let paid = own(&mut program, 0);
    let zero = program.exprs.int(0, Type::INT32);
    let positive = program.exprs.binary(Binary::Lt, zero, paid);
    let mut take = Step::new(test, between, Span::NONE);
    take.guard = Some(positive);
    let more = global(&mut program, kept);
    let more = program.exprs.binary(Binary::Add, more, paid);
    take.body.push(Stmt::Assign(Place::global(kept), more));
    script.add_step(take);
    let mut refuse = Step::new(test, wait, Span::NONE);
    refuse.rank = 1;
    script.add_step(refuse);
    let mut call = Step::new(between, after, Span::NONE);
    // Faults, if it is zero: it never is here.
    let one = program.exprs.int(100, Type::INT32);
    let whole = program.exprs.binary(Binary::Div, one, paid);
    call.body.push(Stmt::Assign(Place::own(1), whole));
    call.target = Target::Call {
        callee: Callee::Known(keep),
        args: vec![paid],
        result: None,
        then: after,
    };
    script.add_step(call);
    let n = program.exprs.load(Place::frame(0), Type::INT32);
    let more = global(&mut program, booked);
    let more = program.exprs.binary(Binary::Add, more, n);
    let mut book = Step::new(inside, inside, Span::NONE);
    book.body.push(Stmt::Assign(Place::global(booked), more));
    book.target = Target::Return(None);
    script.add_step(book);
    script.add_step(Step::new(after, wait, Span::NONE));
    let script = program.add_process(script);
    for process in [world, script] {
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }
    Till {
        program,
        kept,
        booked,
        fault,
        between,
        wait,
        script: 1,
    }
}

impl Till {
    fn same(&mut self) -> ExprId {
        let exprs = &mut self.program.exprs;
        let kept = exprs.load(Place::global(self.kept), Type::INT32);
        let booked = exprs.load(Place::global(self.booked), Type::INT32);
        exprs.binary(Binary::Eq, kept, booked)
    }

    /// `kept == booked + paid`
    fn ahead(&mut self) -> ExprId {
        let exprs = &mut self.program.exprs;
        let kept = exprs.load(Place::global(self.kept), Type::INT32);
        let booked = exprs.load(Place::global(self.booked), Type::INT32);
        let place = Place::from(model::Root::Remote {
            instance: exprs.int(1, Type::Instance),
            process: self.program.start[1].process,
            local: 0,
        });
        let paid = exprs.load(place, Type::INT32);
        let sum = exprs.binary(Binary::Add, booked, paid);
        exprs.binary(Binary::Eq, kept, sum)
    }

    fn positive(&mut self) -> ExprId {
        let exprs = &mut self.program.exprs;
        let place = Place::from(model::Root::Remote {
            instance: exprs.int(1, Type::Instance),
            process: self.program.start[1].process,
            local: 0,
        });
        let paid = exprs.load(place, Type::INT32);
        let zero = exprs.int(0, Type::INT32);
        exprs.binary(Binary::Lt, zero, paid)
    }

    fn between(&self) -> Atom {
        Atom::Among {
            instance: self.script,
            locations: vec![self.between],
            ended: false,
        }
    }

    /// Between the two additions they differ by what is paid; elsewhere they are the same.
    fn invariant(&mut self) -> Invariant {
        let (same, ahead, positive) = (self.same(), self.ahead(), self.positive());
        Invariant::of_clauses([
            vec![(self.between(), true), (Atom::Holds(same), true)],
            vec![(self.between(), false), (Atom::Holds(ahead), true)],
            vec![(self.between(), false), (Atom::Holds(positive), true)],
        ])
    }
}

#[test]
fn a_right_invariant_is_believed_through_calls_and_rendezvous() {
    let mut till = till();
    let invariant = till.invariant();
    let same = till.same();
    let bad = Bad::State(till.program.exprs.not(same));
    assert_eq!(
        audit(&till.program, &bad, &invariant, &Budget::default()),
        Ok(())
    );
    let fault = Bad::Fault(vec![till.fault]);
    assert_eq!(
        audit(&till.program, &fault, &invariant, &Budget::default()),
        Ok(())
    );
}

#[test]
fn each_part_of_it_is_needed() {
    let mut till = till();
    let invariant = till.invariant();
    let same = till.same();
    let bads = [
        Bad::State(till.program.exprs.not(same)),
        Bad::Fault(vec![till.fault]),
    ];
    for left_out in 0..invariant.clauses.len() {
        let mut weaker = invariant.clone();
        weaker.clauses.remove(left_out);
        let believed = bads
            .iter()
            .all(|bad| audit(&till.program, bad, &weaker, &Budget::default()).is_ok());
        assert!(!believed, "without clause {left_out}");
    }
}

#[test]
fn corrupted_invariants_are_rejected() {
    let mut till = till();
    let invariant = till.invariant();
    let same = till.same();
    let bad = Bad::State(till.program.exprs.not(same));
    for clause in 0..invariant.clauses.len() {
        for atom in 0..invariant.clauses[clause].len() {
            let mut corrupted = invariant.clone();
            corrupted.clauses[clause][atom].holds ^= true;
            let verdict = audit(&till.program, &bad, &corrupted, &Budget::default());
            assert!(
                matches!(verdict, Err(Rejected::NotInductive(_) | Rejected::Violated)),
                "clause {clause}, atom {atom}: {verdict:?}"
            );
        }
    }
    let elsewhere = Atom::Among {
        instance: 7,
        locations: vec![till.wait],
        ended: false,
    };
    let malformed = Invariant::of_clauses([vec![(elsewhere, true)]]);
    assert_eq!(
        audit(&till.program, &bad, &malformed, &Budget::default()),
        Err(Rejected::Malformed)
    );
}

#[test]
fn a_script_that_books_too_little_has_no_such_invariant() {
    let mut till = till();
    let invariant = till.invariant();
    let same = till.same();
    let bad = Bad::State(till.program.exprs.not(same));
    // The procedure's step books nothing.
    let process = till.program.start[1].process;
    for step in &mut till.program.processes[process.index()].steps {
        if matches!(step.target, Target::Return(_)) {
            step.body.clear();
        }
    }
    assert!(audit(&till.program, &bad, &invariant, &Budget::default()).is_err());
}
