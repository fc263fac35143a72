//! Values that may not be able to occur: a failure that depends on one is only possible, a failure
//! that does not is a failure, and a *holds* covers all values.

use std::sync::Arc;

use logic::{Ctl, Quantifier};
use model::{
    Binary, Choice, Claim, Cut, CutBy, ExprId, Lifetime, Mode, Outside, OutsideId, Place, Process,
    Program, Property, Silent, Start, Step, Stmt, Strength, Type, UnknownReason, ValueSet,
    Variable, Verdict,
};
use source::Span;
use verify::{Options, check};

/// A process that stores one of `values` in `x`, again and again; those of the second list are undecided.
fn program(decided: &[i128], guessed: &[i128], never: i128) -> Program {
    let mut program = Program::new("outside", "by hand");
    let x = program.add_global(Variable::new("x", Type::INT32));
    let outside = program.add_outside(Outside {
        fact: "a part of a text".to_owned(),
        span: Span::NONE,
        lifetime: Lifetime::Reading,
        exact: false,
    });
    let mut process = Process::new("p");
    let here = process.add_location("here", Mode::Open, Span::NONE);
    for (values, outside) in [(decided, None), (guessed, Some(outside))] {
        let members: Vec<ExprId> = values
            .iter()
            .map(|&n| program.exprs.int(n, Type::INT32))
            .collect();
        if !members.is_empty() {
            let mut step = Step::new(here, here, Span::NONE);
            step.body.push(choose(Place::global(x), members, outside));
            process.add_step(step);
        }
    }
    let process = program.add_process(process);
    program.start.push(Start {
        process,
        args: vec![],
    });
    let value = program.exprs.load(Place::global(x), Type::INT32);
    let bad = program.exprs.int(never, Type::INT32);
    let claim = program.exprs.binary(Binary::Ne, value, bad);
    program.add_property(Property {
        name: "p".to_owned(),
        text: "x is never that".to_owned(),
        span: Span::NONE,
        claim: Claim::Always(claim),
        trigger: None,
        observers: vec![],
        assumptions: vec![],
    });
    program
}

fn choose(place: Place, members: Vec<ExprId>, outside: Option<OutsideId>) -> Stmt {
    Stmt::Choose(Choice {
        place,
        set: ValueSet::Union(members.into_iter().map(ValueSet::One).collect()),
        sample: None,
        what: "x".to_owned(),
        outside,
    })
}

fn verdict(program: &Program) -> Verdict {
    check(program, &Options::default(), &Silent)
        .remove(0)
        .verdict
}

#[test]
fn a_failure_that_rests_on_an_undecided_value_is_possible_only() {
    match verdict(&program(&[1, 2], &[3], 3)) {
        Verdict::Unknown {
            reason: UnknownReason::Undecided(values),
            possible: Some(_),
        } => assert_eq!(values.len(), 1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failure_that_does_without_is_found_behind_one_that_does_not() {
    // The undecided value fails at once, the decided one fails, too.
    let verdict = verdict(&program(&[1, 3], &[3, 2], 3));
    assert!(matches!(verdict, Verdict::Fails { .. }), "{verdict:?}");
}

#[test]
fn what_holds_holds_for_undecided_values_too() {
    let verdict = verdict(&program(&[1], &[2], 3));
    assert!(matches!(verdict, Verdict::Holds { .. }), "{verdict:?}");
}

#[test]
fn a_cut_by_default_never_holds_and_a_stated_one_holds_within_bounds() {
    for by in [CutBy::Default, CutBy::Stated] {
        let mut program = program(&[1], &[], 3);
        program.cut(Cut {
            text: "x is small".to_owned(),
            by,
            span: Span::NONE,
            properties: None,
        });
        match (by, verdict(&program)) {
            (CutBy::Default, Verdict::Unknown { .. }) => {}
            (CutBy::Stated, Verdict::Holds { strength, .. }) => {
                assert_eq!(strength, Strength::Exhausted);
            }
            (_, other) => panic!("{by:?}: {other:?}"),
        }
    }
}

/// A process that stores a value in `x` where `x` has another: from, to, and whether what is stored is
/// undecided. `x` is 0 at first.
fn moves(moves: &[(i128, i128, bool)], formula: &dyn Fn(&mut Program) -> Ctl<ExprId>) -> Program {
    let mut program = program(&[], &[], 0);
    let outside = program.add_outside(Outside {
        fact: "a part of a text".to_owned(),
        span: Span::NONE,
        lifetime: Lifetime::Reading,
        exact: false,
    });
    let x = Place::global(model::GlobalId::new(0));
    for &(from, to, undecided) in moves {
        let value = program.exprs.load(x.clone(), Type::INT32);
        let from = program.exprs.int(from, Type::INT32);
        let to = program.exprs.int(to, Type::INT32);
        let here = model::LocId::new(0);
        let mut step = Step::new(here, here, Span::NONE);
        step.guard = Some(program.exprs.binary(Binary::Eq, value, from));
        step.body
            .push(choose(x.clone(), vec![to], undecided.then_some(outside)));
        program.processes[0].add_step(step);
    }
    program.properties[0].claim = Claim::Ctl(formula(&mut program));
    program
}

fn is(program: &mut Program, value: i128) -> Arc<Ctl<ExprId>> {
    let x = Place::global(model::GlobalId::new(0));
    let x = program.exprs.load(x, Type::INT32);
    let value = program.exprs.int(value, Type::INT32);
    Arc::new(Ctl::Atom(program.exprs.binary(Binary::Eq, x, value)))
}

fn is_possible(program: &Program) -> bool {
    match verdict(program) {
        Verdict::Fails { .. } => false,
        Verdict::Unknown {
            reason: UnknownReason::Undecided(_),
            possible: Some(_),
        } => true,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_some_run_does_is_not_sought_among_fewer_runs() {
    let again = |program: &mut Program| {
        let back = Ctl::Eventually(Quantifier::Some, is(program, 0));
        Ctl::Always(Quantifier::All, Arc::new(back))
    };
    // Only an undecided value leads back from 1, and only one to 2: if it always leads back and never
    // there, there is no failure.
    assert!(is_possible(&moves(
        &[(0, 1, false), (1, 0, true), (0, 2, true)],
        &again
    )));
    // To 2 leads a decided one, and nothing leads back.
    assert!(!is_possible(&moves(
        &[(0, 1, true), (1, 0, true), (0, 2, false)],
        &again
    )));
}

#[test]
fn a_run_that_does_not_show_all_that_its_failure_rests_on_is_no_failure() {
    // In each state, a run that comes to 1 is what fails it: none of them is the run that is shown.
    let settled = |program: &mut Program| {
        let never = Ctl::Always(
            Quantifier::All,
            Arc::new(Ctl::not((*is(program, 1)).clone())),
        );
        Ctl::Eventually(Quantifier::Some, Arc::new(never))
    };
    assert!(is_possible(&moves(
        &[(0, 1, true), (1, 0, false)],
        &settled
    )));
}
