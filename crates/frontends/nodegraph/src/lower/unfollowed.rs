//! What a run rests on: the values that are not followed and that decide where it goes.
//!
//! A step that is one way of several because of such a value chooses it, as a value from outside that
//! may not be able to occur (`model::Outside::exact`): a failure that rests on one is looked at again, and is a
//! possible one if no other is found (`verify`). Nothing is to be chosen there, so that there are no more states than
//! without: the choice has one value, of a variable that nobody reads.

use std::collections::{BTreeSet, HashMap, HashSet};

use model::{
    Choice, ExprId, GlobalId, Lifetime, Outside, OutsideId, Place, Program, Stmt, Type, ValueSet,
    Variable, VariableKind,
};
use source::Span;

use super::Cause;
use crate::net::cone::{Cone, Observed};
use crate::net::difference::differences;
use crate::net::{Net, UnfollowedId, VarId};

/// What steps choose in the place of values that are not followed.
#[derive(Default)]
pub(crate) struct Guesses {
    /// The variable that nobody reads.
    place: Option<GlobalId>,
    ways: HashMap<UnfollowedId, OutsideId>,
    values: HashMap<VarId, OutsideId>,
    /// Variables of whose values claims speak.
    spoken_of: BTreeSet<VarId>,
    /// The steps that begin with such a choice.
    steps: HashSet<Cause>,
}

impl Guesses {
    pub(super) fn new(spoken_of: &BTreeSet<VarId>) -> Guesses {
        Guesses {
            spoken_of: spoken_of.clone(),
            ..Guesses::default()
        }
    }

    /// Whether a step begins with a choice in the place of a value that is not followed.
    pub(crate) fn is_way(&self, cause: Cause) -> bool {
        self.steps.contains(&cause)
    }

    /// The position of the value that stands for those that are not followed, if the variable is spoken of:
    /// that value is chosen, not assigned.
    pub(crate) fn is_value(&self, net: &Net, var: VarId) -> Option<u16> {
        let anything = net.var(var).anything()?;
        self.spoken_of.contains(&var).then_some(anything)
    }

    /// The choices that make a difference to what is observed.
    pub(crate) fn that_matter(
        &self,
        net: &Net,
        cone: &Cone,
        observed: &Observed,
    ) -> BTreeSet<OutsideId> {
        let ways = differences(net, cone, observed).into_iter();
        let ways = ways.filter_map(|by| self.ways.get(&by));
        let values = self.values.iter();
        let values = values.filter(|(var, _)| cone.vars.contains(var));
        ways.chain(values.map(|(_, outside)| outside))
            .copied()
            .collect()
    }

    /// The choice with which a step begins that is one way of several.
    pub(super) fn way(
        &mut self,
        net: &Net,
        program: &mut Program,
        by: UnfollowedId,
        cause: Cause,
    ) -> Stmt {
        self.steps.insert(cause);
        let no = program.exprs.bool(false);
        let place = *self.place.get_or_insert_with(|| {
            program.add_global(Variable {
                name: "(not followed)".to_owned(),
                ty: Type::Bool,
                init: Some(ValueSet::One(no)),
                kind: VariableKind::Step,
                span: Span::NONE,
            })
        });
        let value = &net.unfollowed[by.index()];
        let outside = *self.ways.entry(by).or_insert_with(|| {
            program.add_outside(Outside {
                fact: value.fact.clone(),
                span: value.span,
                lifetime: Lifetime::Reading,
                exact: false,
            })
        });
        Stmt::Choose(Choice {
            place: Place::global(place),
            set: ValueSet::One(no),
            sample: None,
            what: value.fact.clone(),
            outside: Some(outside),
        })
    }

    /// What is assigned to a variable where that is not followed.
    pub(super) fn value(&mut self, net: &Net, program: &mut Program, var: VarId) -> OutsideId {
        *self.values.entry(var).or_insert_with(|| {
            program.add_outside(Outside {
                fact: format!("what `{}` becomes", net.var(var).name),
                span: net.var(var).span,
                lifetime: Lifetime::Reading,
                exact: false,
            })
        })
    }
}

/// Assigns what is known, and chooses the rest: `anything`, too, which stands for values of which
/// it is not known what is said of them.
pub(super) fn assign(
    place: Place,
    set: &ValueSet,
    (what, anything, outside): (&str, Option<ExprId>, Option<OutsideId>),
    body: &mut Vec<Stmt>,
) {
    match set {
        ValueSet::One(value) if Some(*value) != anything => {
            body.push(Stmt::Assign(place, *value));
        }
        ValueSet::Ite(cond, then, otherwise) => {
            let mut yes = Vec::new();
            let mut no = Vec::new();
            let how = (what, anything, outside);
            assign(place.clone(), then, how, &mut yes);
            assign(place, otherwise, how, &mut no);
            body.push(Stmt::If(*cond, yes, no));
        }
        other => body.push(Stmt::Choose(Choice {
            place,
            set: other.clone(),
            sample: None,
            what: what.to_owned(),
            outside,
        })),
    }
}

/// Whether there are several values to choose from.
pub(super) fn is_open(set: &ValueSet) -> bool {
    match set {
        ValueSet::One(_) => false,
        ValueSet::Ite(_, then, otherwise) => is_open(then) || is_open(otherwise),
        _ => true,
    }
}
