//! What is claimed of a graph, as specifications of SMV.
//!
//! A formula from the file is written as it stands there; a check without a formula is an invariant
//! over the variables of signals and states (`INVARSPEC`, which fairness does not touch: what must
//! never happen must not happen on the way to a wait that goes on for ever either).

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use logic::{Ctl, Ltl, Quantifier};

use super::names::Names;
use crate::claim::{Claimed, What};
use crate::formula::{self, Formula, local};
use crate::lower::Atom;
use crate::lower::edges::bad;
use crate::lower::equations::Equations;
use crate::net::{MachineId, Net, Test};

/// The machines that claims name.
pub(super) fn spoken_of(claims: &[Claimed]) -> HashSet<MachineId> {
    let atoms = claims.iter().flat_map(|claim| claim.what.atoms());
    atoms
        .filter_map(|atom| match atom {
            Atom::Fired(id, _) | Atom::Entered(id, _) => Some(*id),
            Atom::Test(_) => None,
        })
        .collect()
}

/// A claim where machines have become others. None that it names is gone.
pub(super) fn renamed(claim: &Claimed, kept: &[Option<MachineId>]) -> Claimed {
    let machine = |id: MachineId| kept[id.index()].expect("what claims speak of is kept");
    let atom = |atom: &Atom| match atom {
        Atom::Test(test) => Atom::Test(test.clone()),
        Atom::Fired(id, at) => Atom::Fired(machine(*id), *at),
        Atom::Entered(id, at) => Atom::Entered(machine(*id), *at),
    };
    claim.renamed(&atom, &Some)
}

/// A claim in SMV, or why it cannot be said.
pub(super) fn specification(
    claim: &Claimed,
    net: &Net,
    equations: &Equations,
    names: &Names,
) -> Result<String, String> {
    if claim.unless.is_some() {
        return Err("it is two claims, of which one has to hold".to_owned());
    }
    let mut text = String::new();
    let branching = |formula: &Ctl<Atom>| names.branching(net, equations, formula);
    let linear = |formula: &Ltl<Atom>| names.linear(net, equations, formula);
    // What stands in a file is said as it stands there.
    let stated = formula::read(&claim.text, net)
        .ok()
        .filter(|formula| What::of(formula.clone()) == claim.what);
    if stated.is_none() {
        let _ = writeln!(text, "-- {}: {}", claim.name, claim.text.replace('\n', " "));
    }
    let _ = match (stated, &claim.what) {
        (Some(Formula::Branching(formula)), _) => writeln!(text, "CTLSPEC {}", branching(&formula)),
        (Some(Formula::Linear(formula)), _) => writeln!(text, "LTLSPEC {}", linear(&formula)),
        (None, What::Branching(formula)) => writeln!(text, "CTLSPEC {}", branching(formula)),
        (None, What::Linear(formula)) => match leads_to(formula) {
            Some(formula) => writeln!(text, "CTLSPEC {}", branching(&formula)),
            None => writeln!(text, "LTLSPEC {}", linear(formula)),
        },
        (None, What::Always(condition)) => writeln!(text, "INVARSPEC {}", branching(condition)),
        (None, What::Never(hook, var)) => {
            let good = Test::not(bad(net, equations, *hook, *var));
            writeln!(text, "INVARSPEC {}", names.test(equations, &good))
        }
        (None, What::Returns) => {
            return Err(
                "each line takes a step here, so that no signal goes round in no time".to_owned(),
            );
        }
    };
    Ok(text)
}

/// `G (p -> F q)` says the same as `AG (p -> AF q)`, in which form it costs less.
fn leads_to(formula: &Ltl<Atom>) -> Option<Ctl<Atom>> {
    let Ltl::Always(inner) = formula else {
        return None;
    };
    let Ltl::Implies(p, q) = &**inner else {
        return None;
    };
    let Ltl::Eventually(q) = &**q else {
        return None;
    };
    let (p, q) = (local(p)?, local(q)?);
    let answered = Ctl::Eventually(Quantifier::All, Arc::new(q));
    let answered = Ctl::Implies(Arc::new(p), Arc::new(answered));
    Some(Ctl::Always(Quantifier::All, Arc::new(answered)))
}
