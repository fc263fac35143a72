//! What is claimed of a net, before it is a property of a program: by the file, by a check, or on
//! the command line.

use logic::{Ctl, Ltl};
use source::Span;

use crate::formula::Formula;
use crate::lower::turns::loops;
use crate::lower::{Atom, Hook};
use crate::net::cone::Observed;
use crate::net::{Net, VarId};

/// Something that is claimed.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) what: What,
    /// If this never holds, the claim says nothing. Without temporal operators.
    pub(crate) trigger: Option<Ctl<Atom>>,
    /// Where the claim is not so, this is enough.
    pub(crate) unless: Option<What>,
}

/// What is claimed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum What {
    /// Of all runs.
    Linear(Ltl<Atom>),
    /// Of all states; without temporal operators.
    Always(Ctl<Atom>),
    /// Of the tree of states.
    Branching(Ctl<Atom>),
    /// That something is never seen while signals travel.
    Never(Hook, Option<VarId>),
    /// That each wave of signals comes to rest.
    Returns,
}

impl What {
    /// What a formula claims: the cheapest form that says the same.
    pub(crate) fn of(formula: Formula) -> What {
        match formula {
            Formula::Linear(formula) => What::Linear(formula),
            Formula::Branching(Ctl::Always(logic::Quantifier::All, inner)) if inner.is_local() => {
                What::Always((*inner).clone())
            }
            Formula::Branching(formula) => match formula.linear() {
                Some(linear) => What::Linear(linear),
                None => What::Branching(formula),
            },
        }
    }

    /// Whether it tells a run from one in which more steps go by where nothing changes.
    pub(crate) fn counts_steps(&self) -> bool {
        fn has_next(formula: &Ctl<Atom>) -> bool {
            matches!(formula, Ctl::Next(..)) || formula.operands().into_iter().any(has_next)
        }
        match self {
            What::Linear(formula) => !formula.is_stutter_invariant_syntactically(),
            What::Branching(formula) => has_next(formula),
            What::Always(_) | What::Never(..) | What::Returns => false,
        }
    }

    /// All atoms.
    pub(crate) fn atoms(&self) -> Vec<&Atom> {
        match self {
            What::Linear(formula) => formula.atoms().into_iter().collect(),
            What::Always(formula) | What::Branching(formula) => formula.atoms(),
            What::Never(..) | What::Returns => Vec::new(),
        }
    }
}

impl Claimed {
    /// The same where atoms and variables are called otherwise.
    pub(crate) fn renamed(
        &self,
        atom: &dyn Fn(&Atom) -> Atom,
        var: &dyn Fn(VarId) -> Option<VarId>,
    ) -> Claimed {
        let tree = |formula: &Ctl<Atom>| formula.map(&mut |a: &Atom| atom(a));
        let what = |what: &What| match what {
            What::Linear(formula) => What::Linear(formula.map(atom)),
            What::Always(formula) => What::Always(tree(formula)),
            What::Branching(formula) => What::Branching(tree(formula)),
            What::Never(hook, about) => What::Never(*hook, about.and_then(var)),
            What::Returns => What::Returns,
        };
        Claimed {
            what: what(&self.what),
            trigger: self.trigger.as_ref().map(tree),
            unless: self.unless.as_ref().map(what),
            ..self.clone()
        }
    }

    /// Adds what the claim is about.
    pub(crate) fn observes(&self, net: &Net, observed: &mut Observed) {
        let trigger = self.trigger.iter().flat_map(Ctl::atoms);
        for atom in self.what.atoms().into_iter().chain(trigger) {
            observe(net, atom, observed);
        }
        match &self.what {
            What::Never(Hook::Retrigger | Hook::Dropped, _) => {
                for (id, machine) in net.ids() {
                    if machine.ending.is_empty() {
                        continue;
                    }
                    observed.vars.extend(machine.state);
                    let inputs = 0..machine.inputs.len() as u16;
                    observed.entered.extend(inputs.map(|at| (id, at)));
                }
            }
            What::Never(Hook::TwoSetters | Hook::Unbalanced, var) => observed.vars.extend(*var),
            // Only what goes round can go on for ever.
            What::Returns => observed.entered.extend(loops(net).into_iter().flatten()),
            _ => {}
        }
    }
}

fn observe(net: &Net, atom: &Atom, observed: &mut Observed) {
    match atom {
        Atom::Test(test) => test.vars(&mut |var| observed.vars.push(var)),
        Atom::Fired(id, at) => {
            let all = 0..net.machine(*id).outputs.len() as u16;
            let asked = all.filter(|out| at.is_none_or(|at| at == *out));
            observed.fired.extend(asked.map(|out| (*id, out)));
        }
        Atom::Entered(id, at) => {
            let all = 0..net.machine(*id).inputs.len() as u16;
            let asked = all.filter(|input| at.is_none_or(|at| at == *input));
            observed.entered.extend(asked.map(|input| (*id, input)));
        }
    }
}
