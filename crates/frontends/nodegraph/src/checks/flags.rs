//! Checks about flags.

use std::sync::Arc;

use logic::{Ctl, Ltl, Quantifier};

use super::named;
use crate::claim::{Claimed, What};
use crate::formats::own::Asked;
use crate::formula::{self, Formula};
use crate::lower::{Atom, Hook};
use crate::net::{Net, Owner, Test, VarId};

type Claims = Result<Vec<Claimed>, String>;

/// Whether some node changes the variable from its first value, and some node back to it. Where the first value is
/// not followed, nobody knows what that would be.
fn comes_and_goes(net: &Net, var: VarId) -> bool {
    let [first] = net.var(var).first[..] else {
        return false;
    };
    if net.var(var).anything() == Some(first) {
        return false;
    }
    let (mut away, mut back) = (false, false);
    for rule in net.machines.iter().flat_map(|machine| machine.rules()) {
        for (other, update) in rule.effects.iter().flat_map(|effect| &effect.sets) {
            if *other != var {
                continue;
            }
            match update {
                None => (away, back) = (true, true),
                Some(cases) => {
                    away |= cases.iter().any(|(_, at)| *at != first);
                    back |= cases.iter().any(|(_, at)| *at == first);
                }
            }
        }
    }
    away && back
}

/// The flags that a check is about: the one that is named, or all that come and go.
fn flags(net: &Net, asked: &Asked, bools: bool) -> Result<Vec<VarId>, String> {
    let named = asked.arguments("flag");
    for name in named {
        if !net
            .vars
            .iter()
            .any(|var| var.owner == Owner::Flag && var.name == *name)
        {
            let flags = net.vars.iter().filter(|var| var.owner == Owner::Flag);
            return Err(super::no_such(
                "flag",
                name,
                flags.map(|var| var.name.as_str()),
            ));
        }
    }
    let chosen = |(id, var): &(VarId, &crate::net::Var)| {
        let wanted = match named.is_empty() {
            true => comes_and_goes(net, *id),
            false => named.contains(&var.name),
        };
        var.owner == Owner::Flag && var.is_bool() == bools && wanted
    };
    Ok(net.var_ids().filter(chosen).map(|(id, _)| id).collect())
}

/// Whether lines lead to all nodes that set the variable back to its first value.
fn can_be_taken_back(net: &Net, var: VarId) -> bool {
    let reached = net.reached();
    net.ids().all(|(id, machine)| {
        let mut effects = machine.rules().flat_map(|rule| &rule.effects);
        let takes_back = effects.any(|effect| {
            let mut sets = effect.sets.iter();
            sets.any(|(other, update)| {
                let first = &net.var(var).first;
                let mut cases = update.iter().flatten();
                *other == var && cases.any(|(_, at)| first.contains(at))
            })
        });
        reached[id.index()] || !takes_back
    })
}

/// It comes back to its first value. Where nobody has asked, this is claimed only if some run changes it and
/// takes that back: what is set once for all is no flag that is left set. If no line leads to a node that
/// would take it back, a line is missing, and it is claimed.
fn returns(net: &Net, check: &str, var: VarId, asked: &Asked) -> Option<Claimed> {
    let declared = net.var(var);
    let [first] = declared.first[..] else {
        return None;
    };
    let away = Test::not(Test::Is(var, first));
    let back = Ltl::atom(Atom::Test(Test::Is(var, first)));
    let name = &declared.name;
    let (changed, restored) = match (declared.is_bool(), first) {
        (true, 0) => (name.clone(), format!("!{name}")),
        (true, _) => (format!("!{name}"), name.clone()),
        _ => {
            let value = &declared.values[usize::from(first)];
            (format!("{name} != {value}"), format!("{name} == {value}"))
        }
    };
    let is_asked_for = !asked.span.is_none();
    let always = format!("AG ({changed} -> AF {restored})");
    let (text, unless) = if is_asked_for || !can_be_taken_back(net, var) {
        (always, None)
    } else {
        let stays = Ltl::always(Ltl::implies(
            Ltl::atom(Atom::Test(away.clone())),
            Ltl::always(Ltl::atom(Atom::Test(away.clone()))),
        ));
        let text = format!("EF ({changed} & EF {restored}) -> {always}");
        (text, Some(What::Linear(stays)))
    };
    let span = if asked.span.is_none() {
        declared.span
    } else {
        asked.span
    };
    Some(Claimed {
        name: named(check, name),
        text,
        span,
        what: What::Linear(Ltl::leads_to(Ltl::atom(Atom::Test(away.clone())), back)),
        trigger: Some(Ctl::Atom(Atom::Test(away))),
        unless,
    })
}

pub(super) fn left_set(net: &Net, asked: &Asked) -> Claims {
    let flags = flags(net, asked, true)?.into_iter();
    Ok(flags
        .filter_map(|var| returns(net, "flag-left-set", var, asked))
        .collect())
}

pub(super) fn left_changed(net: &Net, asked: &Asked) -> Claims {
    let flags = flags(net, asked, false)?.into_iter();
    Ok(flags
        .filter_map(|var| returns(net, "value-left-changed", var, asked))
        .collect())
}

/// A condition that an argument gives.
pub(super) fn condition(net: &Net, asked: &Asked, name: &str) -> Result<Ctl<Atom>, String> {
    let Some(text) = asked.argument(name) else {
        let check = &asked.name;
        return Err(format!(
            "`{check}` has to be told `{name}`: a condition over flags and nodes"
        ));
    };
    match formula::read(text, net) {
        Ok(Formula::Branching(formula)) if formula.is_local() => Ok(formula),
        Ok(_) => Err(format!(
            "`{name}` is a condition, without temporal operators"
        )),
        Err((message, _)) => Err(format!("`{name}`: {message}")),
    }
}

pub(super) fn answered(net: &Net, asked: &Asked) -> Claims {
    let when = condition(net, asked, "when")?;
    let then = condition(net, asked, "then")?;
    let text = |name| asked.argument(name).unwrap_or_default();
    let (a, b) = (when.linear(), then.linear());
    let (Some(a), Some(b)) = (a, b) else {
        return Err("a condition has no temporal operators".to_owned());
    };
    Ok(vec![Claimed {
        name: named("never-answered", text("when")),
        text: format!("AG ({} -> AF {})", text("when"), text("then")),
        span: asked.span,
        what: What::Linear(Ltl::leads_to(a, b)),
        trigger: Some(when),
        unless: None,
    }])
}

pub(super) fn softlock(net: &Net, asked: &Asked) -> Claims {
    let goal = condition(net, asked, "goal")?;
    let text = asked.argument("goal").unwrap_or_default();
    let reachable = Ctl::Eventually(Quantifier::Some, Arc::new(goal));
    Ok(vec![Claimed {
        name: named("softlock", text),
        text: format!("AG EF {text}"),
        span: asked.span,
        what: What::Branching(Ctl::Always(Quantifier::All, Arc::new(reachable))),
        trigger: None,
        unless: None,
    }])
}

pub(super) fn stuck(net: &Net, asked: &Asked) -> Claims {
    let condition = condition(net, asked, "when")?;
    let text = asked.argument("when").unwrap_or_default();
    let away = Ctl::Eventually(Quantifier::Some, Arc::new(Ctl::not(condition.clone())));
    let what = Ctl::Implies(Arc::new(condition.clone()), Arc::new(away));
    Ok(vec![Claimed {
        name: named("stuck", text),
        text: format!("AG ({text} -> EF !({text}))"),
        span: asked.span,
        what: What::Branching(Ctl::Always(Quantifier::All, Arc::new(what))),
        trigger: Some(condition),
        unless: None,
    }])
}

pub(super) fn together(net: &Net, asked: &Asked) -> Claims {
    let texts = asked.arguments("modes");
    if texts.len() < 2 {
        return Err("`modes-together` has to be told `modes`: two conditions or more".to_owned());
    }
    let mut modes = Vec::new();
    for text in texts {
        let one = Asked {
            name: asked.name.clone(),
            arguments: vec![("mode".to_owned(), vec![text.clone()])],
            span: asked.span,
        };
        modes.push(condition(net, &one, "mode")?);
    }
    let mut claims = Vec::new();
    for (at, a) in modes.iter().enumerate() {
        for (offset, b) in modes[at + 1..].iter().enumerate() {
            let (x, y) = (&texts[at], &texts[at + 1 + offset]);
            let both: Ctl<Atom> = Ctl::And([a.clone(), b.clone()].into());
            claims.push(Claimed {
                name: named("modes-together", &format!("{x}-{y}")),
                text: format!("AG !(({x}) & ({y}))"),
                span: asked.span,
                what: What::Always(Ctl::not(both)),
                trigger: Some(Ctl::Or([a.clone(), b.clone()].into())),
                unless: None,
            });
        }
    }
    Ok(claims)
}

fn hooked(net: &Net, asked: &Asked, check: &str, hook: Hook, about: &str) -> Claims {
    let mut all = flags(net, asked, true)?;
    all.extend(flags(net, asked, false)?);
    let claim = |var: VarId| {
        let name = &net.var(var).name;
        Claimed {
            name: named(check, name),
            text: format!("{name} {about}"),
            span: asked.span,
            what: What::Never(hook, Some(var)),
            trigger: None,
            unless: None,
        }
    };
    Ok(all.into_iter().map(claim).collect())
}

pub(super) fn two_setters(net: &Net, asked: &Asked) -> Claims {
    let about = "never gets two different values in one step";
    hooked(net, asked, "two-setters", Hook::TwoSetters, about)
}

pub(super) fn unbalanced(net: &Net, asked: &Asked) -> Claims {
    let about = "is never set to what it is already";
    hooked(net, asked, "unbalanced", Hook::Unbalanced, about)
}
