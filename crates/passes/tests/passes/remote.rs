//! Rules about what properties see of the variables of instances.

use crate::rules::{Maker, OPEN, REGION, check, guarded, step};
use logic::Ltl;
use model::{
    Binary, CheckId, Claim, ExprId, LocId, Place, Program, Root, Stmt, Type, Value, Variable,
};

/// A local of the instance that starts first, seen from outside.
fn remote(m: &mut Maker, local: u32) -> ExprId {
    let instance = m.0.exprs.value(Value::Int(0), Type::Instance);
    let process = model::ProcessId::new(0);
    let root = Root::Remote {
        instance,
        process,
        local,
    };
    m.0.exprs.load(root.into(), Type::INT32)
}

/// `remote == value`.
fn sees(m: &mut Maker, local: u32, value: i128) -> ExprId {
    let (a, b) = (remote(m, local), m.num(value));
    m.op(Binary::Eq, a, b)
}

fn set(m: &mut Maker, local: usize, value: i128) -> Stmt {
    Stmt::Assign(Place::own(local), m.num(value))
}

/// A process with so many locals, which starts first.
fn process(m: &mut Maker, locals: usize, locations: usize, steps: Vec<model::Step>) {
    m.process(&vec![OPEN; locations], steps);
    for local in 0..locals {
        let name = format!("l{local}");
        m.0.processes[0]
            .locals
            .push(Variable::new(name, Type::INT32));
    }
}

fn reset(program: &mut Program, step: usize, local: usize) {
    let zero = program.exprs.int(0, Type::INT32);
    program.processes[0].steps[step]
        .body
        .push(Stmt::Assign(Place::own(local), zero));
}

/// `flag && value == 3` sees the value only where the flag may be up: there it stays.
#[test]
fn a_value_stays_where_the_flag_may_be_up() {
    let mut m = Maker::new();
    let value = vec![set(&mut m, 1, 3)];
    let up = vec![set(&mut m, 0, 1)];
    let down = vec![set(&mut m, 0, 0)];
    let steps = vec![step(0, 1, value), step(1, 2, up), step(2, 0, down)];
    process(&mut m, 2, 3, steps);
    let (flag, three) = (sees(&mut m, 0, 1), sees(&mut m, 1, 3));
    let both = m.op(Binary::And, flag, three);
    let never = m.0.exprs.not(both);
    check(m, Claim::Always(never), false, |p| reset(p, 0, 1));
}

/// A flag that is surely up decides what is seen, and so must not be set to its first value.
#[test]
fn a_known_value_that_decides_stays() {
    let mut m = Maker::new();
    let (up, other, skip) = (vec![set(&mut m, 0, 1)], vec![set(&mut m, 1, 3)], vec![]);
    let steps = vec![step(0, 1, up), step(1, 2, other), step(2, 2, skip)];
    process(&mut m, 2, 3, steps);
    // Where the flag is up, the value does not matter; both have been written when it is.
    let (up, three) = (sees(&mut m, 0, 1), sees(&mut m, 1, 3));
    let down = m.0.exprs.not(up);
    let bad = m.op(Binary::And, down, three);
    let never = m.0.exprs.not(bad);
    check(m, Claim::Always(never), true, |p| reset(p, 1, 0));
}

/// Variables of an instance that a fault has stopped are still seen.
#[test]
fn a_halted_instance_is_still_seen() {
    let mut m = Maker::new();
    let value = vec![set(&mut m, 0, 3)];
    let (one, zero) = (m.num(1), m.num(0));
    let quotient = m.op(Binary::Div, one, zero);
    let fault = vec![Stmt::Assign(Place::own(1), quotient)];
    let back = vec![set(&mut m, 0, 0)];
    let steps = vec![step(0, 1, value), step(1, 2, fault), step(2, 0, back)];
    process(&mut m, 2, 3, steps);
    let three = sees(&mut m, 0, 3);
    let settled = Claim::Ltl(Ltl::eventually(Ltl::always(Ltl::atom(three))));
    check(m, settled, true, |p| reset(p, 0, 0));
}

/// A step that changes what is seen keeps the state before it.
#[test]
fn merging_keeps_states_that_are_seen() {
    let mut m = Maker::new();
    let (one, two) = (vec![set(&mut m, 0, 1)], vec![set(&mut m, 0, 2)]);
    process(&mut m, 1, 3, vec![step(0, 1, one), step(1, 2, two)]);
    let one = sees(&mut m, 0, 1);
    let never = m.0.exprs.not(one);
    check(m, Claim::Always(never), false, |p| {
        p.processes[0].locations[1].mode = REGION;
    });
}

/// So does one that comes to a location that is asked for.
#[test]
fn merging_keeps_what_is_true_before_a_location() {
    let mut m = Maker::new();
    let (one, skip) = (vec![set(&mut m, 0, 1)], vec![]);
    process(&mut m, 1, 3, vec![step(0, 1, one), step(1, 2, skip)]);
    let instance = m.0.exprs.value(Value::Int(0), Type::Instance);
    let there = model::Expr::At {
        instance,
        process: model::ProcessId::new(0),
        location: LocId::new(2),
    };
    let there = m.0.exprs.add(there, Type::Bool);
    let elsewhere = m.0.exprs.not(there);
    let one = sees(&mut m, 0, 1);
    let early = m.op(Binary::And, one, elsewhere);
    let never = m.0.exprs.not(early);
    check(m, Claim::Always(never), false, |p| {
        p.processes[0].locations[1].mode = REGION;
    });
}

/// What another process reads through a remote reference is shared.
#[test]
fn merging_stops_where_another_process_looks() {
    let mut m = Maker::new();
    let (one, two) = (vec![set(&mut m, 0, 1)], vec![set(&mut m, 0, 2)]);
    process(&mut m, 1, 3, vec![step(0, 1, one), step(1, 2, two)]);
    let one = sees(&mut m, 0, 1);
    let no = m.0.exprs.bool(false);
    let assertion = m.assert(no);
    m.process(&[OPEN, OPEN], vec![guarded(0, 1, one, vec![assertion])]);
    check(m, Claim::Check(CheckId(0)), false, |p| {
        p.processes[0].locations[1].mode = REGION;
    });
}
