//! Checks about nodes and the signals between them.

use std::sync::Arc;

use logic::{Ctl, Ltl, Quantifier};

use super::flags::condition;
use super::named;
use crate::claim::{Claimed, What};
use crate::formats::own::Asked;
use crate::lower::turns::goes_round;
use crate::lower::{Atom, Hook};
use crate::net::{MachineId, Net, Test};

type Claims = Result<Vec<Claimed>, String>;

/// The nodes that a check is told.
fn nodes(net: &Net, asked: &Asked) -> Result<Vec<MachineId>, String> {
    let names = asked.arguments("node");
    if names.is_empty() {
        return Err(format!("`{}` has to be told `node`", asked.name));
    }
    let find = |name: &String| {
        let found = net.ids().find(|(_, machine)| machine.name == *name);
        found.map(|(id, _)| id).ok_or_else(|| {
            let names = net.machines.iter().map(|machine| machine.name.as_str());
            super::no_such("node", name, names)
        })
    };
    names.iter().map(find).collect()
}

/// It waits, or else is not in its first state.
fn busy(net: &Net, id: MachineId) -> Test {
    match (net.waiting(id), net.machine(id).state) {
        (Test::Never, Some(state)) => {
            let first = net.var(state).first.iter();
            Test::not(Test::any(first.map(|&at| Test::Is(state, at)).collect()))
        }
        (waiting, _) => waiting,
    }
}

pub(super) fn during(net: &Net, asked: &Asked) -> Claims {
    let holds = condition(net, asked, "holds")?;
    let text = asked.argument("holds").unwrap_or_default();
    let claim = |id: MachineId| {
        let name = &net.machine(id).name;
        let busy = Ctl::Atom(Atom::Test(busy(net, id)));
        Claimed {
            name: named("wrong-during", name),
            text: format!("AG (busy({name}) -> {text})"),
            span: asked.span,
            what: What::Always(Ctl::Implies(
                Arc::new(busy.clone()),
                Arc::new(holds.clone()),
            )),
            trigger: Some(busy),
            unless: None,
        }
    };
    Ok(nodes(net, asked)?.into_iter().map(claim).collect())
}

pub(super) fn reached(net: &Net, asked: &Asked) -> Claims {
    let claim = |id: MachineId| {
        let machine = net.machine(id);
        let (atom, word) = match machine.inputs.is_empty() {
            true => (Atom::Fired(id, None), "fired"),
            false => (Atom::Entered(id, None), "entered"),
        };
        let atom = Arc::new(Ctl::Atom(atom));
        Claimed {
            name: named("never-reached", &machine.name),
            text: format!("EF {word}({})", machine.name),
            span: asked.span,
            what: What::Branching(Ctl::Eventually(Quantifier::Some, atom)),
            trigger: None,
            unless: None,
        }
    };
    Ok(nodes(net, asked)?.into_iter().map(claim).collect())
}

/// What has come to a join is answered: the rest comes, or the join is set back. One that keeps what has
/// come when it fires has been answered, too.
pub(super) fn join(net: &Net, asked: &Asked) -> Claims {
    let joins = net.ids().filter(|(_, machine)| !machine.marks.is_empty());
    let claim = |(_, machine): (MachineId, &crate::net::Machine)| {
        let marks = machine.marks.iter();
        let marked = |value| marks.clone().map(move |&(_, var)| Test::Is(var, value));
        let none = Test::all(marked(0).collect());
        let all = Test::all(marked(1).collect());
        let some = Test::not(none.clone());
        let name = &machine.name;
        Claimed {
            name: named("join-never-arrives", name),
            text: format!("once a signal has come to {name}, the others come, too, or it is reset"),
            span: if asked.span.is_none() {
                machine.span
            } else {
                asked.span
            },
            what: What::Linear(Ltl::leads_to(
                Ltl::atom(Atom::Test(some.clone())),
                Ltl::atom(Atom::Test(Test::any(vec![none, all]))),
            )),
            trigger: Some(Ctl::Atom(Atom::Test(some))),
            unless: None,
        }
    };
    Ok(joins.map(claim).collect())
}

pub(super) fn latch(net: &Net, asked: &Asked) -> Claims {
    let latches = net.ids().filter(|(_, machine)| {
        machine.ending.is_empty() && machine.own.is_empty() && machine.state.is_some()
    });
    let claim = |(_, machine): (MachineId, &crate::net::Machine)| {
        let state = machine.state?;
        let first = net.var(state).first.iter();
        let ready = Test::any(first.map(|&at| Test::Is(state, at)).collect());
        let ready = Ctl::Atom(Atom::Test(ready));
        let not_ready = Ctl::not(ready.clone());
        let back = Ctl::Eventually(Quantifier::Some, Arc::new(ready));
        let name = &machine.name;
        let what = Ctl::Implies(Arc::new(not_ready.clone()), Arc::new(back));
        Some(Claimed {
            name: named("latch-never-reset", name),
            text: format!("AG (busy({name}) -> EF !busy({name}))"),
            span: if asked.span.is_none() {
                machine.span
            } else {
                asked.span
            },
            what: What::Branching(Ctl::Always(Quantifier::All, Arc::new(what))),
            trigger: Some(not_ready),
            unless: None,
        })
    };
    Ok(latches.filter_map(claim).collect())
}

/// Whether some node that waits can be given a signal by others than the one line that starts it.
fn waits(net: &Net) -> bool {
    net.machines
        .iter()
        .any(|machine| !machine.ending.is_empty())
}

pub(super) fn retrigger(net: &Net, asked: &Asked) -> Claims {
    let claim = Claimed {
        name: "retrigger-while-waiting".to_owned(),
        text: "no node is started anew while it waits".to_owned(),
        span: asked.span,
        what: What::Never(Hook::Retrigger, None),
        trigger: None,
        unless: None,
    };
    Ok(if waits(net) { vec![claim] } else { Vec::new() })
}

pub(super) fn dropped(net: &Net, asked: &Asked) -> Claims {
    let claim = Claimed {
        name: "signal-dropped".to_owned(),
        text: "no signal is lost at a node that waits".to_owned(),
        span: asked.span,
        what: What::Never(Hook::Dropped, None),
        trigger: None,
        unless: None,
    };
    let may = net.ids().any(|(id, machine)| {
        net.waiting(id) != Test::Never
            && machine.inputs.iter().any(|input| {
                let guards = input.rules.iter().map(|rule| Test::not(rule.guard.clone()));
                Test::all(guards.collect()) != Test::Never
            })
    });
    Ok(if may { vec![claim] } else { Vec::new() })
}

/// Only where lines go round without a wait in between is there anything to find. What goes round
/// a number of times that is not known comes to its end.
pub(super) fn zero_time_loop(net: &Net, asked: &Asked) -> Claims {
    let claim = Claimed {
        name: "zero-time-loop".to_owned(),
        text: "each signal comes to rest".to_owned(),
        span: asked.span,
        what: What::Returns,
        trigger: None,
        unless: None,
    };
    Ok(match goes_round(net) {
        true => vec![claim],
        false => Vec::new(),
    })
}

pub(super) fn outlives(net: &Net, asked: &Asked) -> Claims {
    let gone = condition(net, asked, "gone")?;
    let text = asked.argument("gone").unwrap_or_default();
    let Some(linear) = gone.linear() else {
        return Err("`gone` is a condition, without temporal operators".to_owned());
    };
    let claim = |id: MachineId| {
        let name = &net.machine(id).name;
        let fired = Ltl::atom(Atom::Fired(id, None));
        let silent = Ltl::next(Ltl::always(Ltl::not(fired)));
        Claimed {
            name: named("outlives-owner", name),
            text: format!("G ({text} -> X G !fired({name}))"),
            span: asked.span,
            what: What::Linear(Ltl::always(Ltl::implies(linear.clone(), silent))),
            trigger: Some(gone.clone()),
            unless: None,
        }
    };
    Ok(nodes(net, asked)?.into_iter().map(claim).collect())
}
