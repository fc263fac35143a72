//! Calls of `llRemoteLoadScriptPin`: which script they bring into which prim.
//!
//! A call copies a script out of the inventory of the caller's prim into another one. Which text that is
//! the file says: it is that of the script of this name in the caller's prim, or else that of the
//! script which another prim lists as `loaded`. There it takes the place of the script with its name. A call
//! whose script has no place in the file is not followed.

use super::member::{LINK_ROOT, Linkset, MemberScript};
use super::orders::{Named, is_never_assigned, named};
use crate::ast::{self, ExprKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::facts;

/// The call.
pub(crate) const LOAD: &str = "llRemoteLoadScriptPin";
/// The call that says under which number a prim lets others do so.
pub(crate) const SET_PIN: &str = "llSetRemoteScriptAccessPin";

/// The link number that means the caller's own prim.
const LINK_THIS: i32 = -4;

/// A call that loads a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Load {
    pub(crate) named: Named,
    pub(crate) to: Destination,
    /// The pin, if it is known.
    pub(crate) pin: Option<i32>,
    /// Whether the script is to run, if that is known.
    pub(crate) running: Option<bool>,
}

/// The prim whose key a call is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Destination {
    /// The prim of this number in the caller's object.
    Link(i32),
    /// No prim.
    Nowhere,
    /// Any prim of the file, or one outside.
    Any,
}

/// What a call may do, as far as it is followed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Loads {
    /// Where the script may come.
    pub(crate) ways: Vec<Way>,
    /// What else may happen, and what to write so that it is followed.
    pub(crate) open: Vec<String>,
    /// Whether it is known which prim is meant.
    pub(crate) is_one_prim: bool,
    /// Whether the file does not list the script in the caller's prim: that it is there is assumed.
    pub(crate) is_unlisted: bool,
}

/// A script that may come into a prim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// The script of the caller's prim whose copy it is, if the file lists that and it may be removed.
    pub(crate) source: Option<usize>,
    /// The script that begins.
    pub(crate) script: usize,
    /// Those whose place it takes.
    pub(crate) replaced: Vec<usize>,
}

/// A call that loads a script, as it is written.
pub(crate) fn load(checked: &Checked, site: ast::ExprId) -> Load {
    let ast = &checked.ast;
    let arguments = match &ast.expr(site).kind {
        ExprKind::Call { arguments, .. } => &arguments[..],
        _ => &[],
    };
    let integer = |position: usize| settled_integer(checked, *arguments.get(position)?);
    let to = arguments.first().map(|&key| destination(checked, key));
    Load {
        named: named(checked, site, 1),
        to: to.unwrap_or(Destination::Any),
        pin: integer(2),
        running: integer(3).map(|running| running != 0),
    }
}

/// The pins that a script gives its prim; `None` for one that is not known.
pub(crate) fn pins(checked: &Checked, sites: &[ast::ExprId]) -> Vec<Option<i32>> {
    let pin = |&site: &ast::ExprId| match &checked.ast.expr(site).kind {
        ExprKind::Call { arguments, .. } => settled_integer(checked, *arguments.first()?),
        _ => None,
    };
    sites.iter().map(pin).collect()
}

fn destination(checked: &Checked, key: ast::ExprId) -> Destination {
    let ast = &checked.ast;
    let key = ast.without_parentheses(key);
    match (&ast.expr(key).kind, checked.exprs.resolution(key)) {
        (ExprKind::Call { arguments, .. }, Some(Resolution::Library(function))) => {
            let number = arguments.first();
            match function.name {
                "llGetKey" => Destination::Link(LINK_THIS),
                "llGetLinkKey" => number
                    .and_then(|&number| settled_integer(checked, number))
                    .map_or(Destination::Any, Destination::Link),
                _ => Destination::Any,
            }
        }
        (ExprKind::Name(_), Some(Resolution::Constant(constant)))
            if constant.name == "NULL_KEY" =>
        {
            Destination::Nowhere
        }
        _ => Destination::Any,
    }
}

/// The value of an integer that is written, or kept in a variable that is never assigned to.
pub(crate) fn settled_integer(checked: &Checked, id: ast::ExprId) -> Option<i32> {
    let ast = &checked.ast;
    let id = ast.without_parentheses(id);
    match ast.expr(id).kind {
        ExprKind::Integer(value) => Some(value),
        ExprKind::Unary {
            op: UnaryOp::Negate,
            operand,
        } => settled_integer(checked, operand).map(i32::wrapping_neg),
        ExprKind::Name(_) => match checked.exprs.resolution(id)? {
            Resolution::Constant(constant) => match constant.value {
                facts::Value::Integer(value) => Some(value),
                _ => None,
            },
            Resolution::Global(global) if is_never_assigned(checked, global) => {
                match ast.global(global).value {
                    Some(value) => settled_integer(checked, value),
                    None => Some(0),
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// The text that a call loads.
struct Source {
    text: usize,
    /// The script of the caller's prim that may be removed, if there is one.
    member: Option<usize>,
    /// Whether the file lists none there.
    is_unlisted: bool,
}

impl Linkset {
    /// What a call of a script may do.
    pub(crate) fn loads(&self, caller: usize, load: &Load) -> Loads {
        let mut found = Loads::default();
        let own = self.scripts[caller].prim;
        let one = match load.to {
            Destination::Nowhere => Some(None),
            Destination::Any => None,
            Destination::Link(number) => self.prim_of(caller, number),
        };
        found.is_one_prim = one.is_some();
        let prims: Vec<usize> = match one {
            Some(prim) => prim.into_iter().collect(),
            None => (0..self.prims.len()).collect(),
        };
        // Into its own prim nobody loads anything: that is an error.
        let prims: Vec<usize> = prims.into_iter().filter(|&prim| prim != own).collect();
        if prims.is_empty() || load.named == Named::NoScript {
            return found;
        }
        let item = match &load.named {
            Named::Own => self.scripts[caller].item.as_deref(),
            Named::Text(text) => Some(text.as_str()),
            Named::Any | Named::NoScript => None,
        };
        let Some(item) = item else {
            found.open.push(
                "which script it loads is not known; write its name in the call, or in a variable \
                 that is never assigned to"
                    .to_owned(),
            );
            return found;
        };
        let source = match self.source(caller, &load.named, item, &prims) {
            Ok(source) => source,
            Err(why) => {
                found.open.push(why);
                return found;
            }
        };
        for &prim in &prims {
            let (same, others): (Vec<usize>, Vec<usize>) = self
                .items(prim, item)
                .partition(|&script| self.scripts[script].text == source.text);
            let &[script] = same.as_slice() else {
                found.open.push(match same.len() {
                    0 => self.not_listed(prim, item),
                    _ => format!("{} has several scripts `{item}`", self.prim_in_words(prim)),
                });
                continue;
            };
            found.ways.push(Way {
                source: source.member,
                script,
                replaced: others,
            });
        }
        found.is_unlisted = source.is_unlisted;
        found
    }

    /// The scripts of a prim that have a name in its inventory, now or later.
    fn items(&self, prim: usize, item: &str) -> impl Iterator<Item = usize> {
        let scripts = self.scripts.iter().enumerate();
        let named = scripts
            .filter(move |(_, script)| script.prim == prim && script.item.as_deref() == Some(item));
        named.map(|(index, _)| index)
    }

    /// What the caller loads under a name; else what is to be written.
    fn source(
        &self,
        caller: usize,
        named: &Named,
        item: &str,
        prims: &[usize],
    ) -> Result<Source, String> {
        let own: Vec<usize> = self.items(self.scripts[caller].prim, item).collect();
        match own[..] {
            [] => {}
            [only] => {
                return Ok(Source {
                    text: self.scripts[only].text,
                    member: (*named != Named::Own).then_some(only),
                    is_unlisted: false,
                });
            }
            // Only one of them has that name.
            _ => {
                let here = self.prim_in_words(self.scripts[caller].prim);
                return Err(format!("{here} has several scripts `{item}`"));
            }
        }
        let listed = |script: &&MemberScript| {
            let there = prims.contains(&script.prim);
            there && script.may_be_loaded && script.item.as_deref() == Some(item)
        };
        let mut texts: Vec<usize> = self.scripts.iter().filter(listed).map(|s| s.text).collect();
        texts.sort_unstable();
        texts.dedup();
        match texts[..] {
            [text] => Ok(Source {
                text,
                member: None,
                is_unlisted: true,
            }),
            [] => Err(self.not_listed(prims[0], item)),
            _ => Err(format!(
                "which of several files `{item}` is, is not known; list it among the `scripts` of {}",
                self.prim_in_words(self.scripts[caller].prim)
            )),
        }
    }

    /// The prim of a link number in the object of a script, if there is one; `None` where that is not known:
    /// whether 0 means the root of several prims is told nowhere.
    pub(crate) fn prim_of(&self, caller: usize, number: i32) -> Option<Option<usize>> {
        let caller = &self.scripts[caller];
        if number == LINK_THIS {
            return Some(Some(caller.prim));
        }
        let is_alone = self.prims_of(caller.object) == 1;
        if number == 0 && !is_alone {
            return None;
        }
        let is_it = |&prim: &usize| {
            let is_own = self.prims[prim].object == caller.object;
            let own_number = self.link_number(prim);
            is_own && (own_number == number || is_alone && number == LINK_ROOT)
        };
        Some((0..self.prims.len()).find(is_it))
    }

    /// Whether all pins are the same that are given to a prim, or given for it.
    pub(crate) fn has_one_pin(&self, prim: usize) -> bool {
        let mut pins: Vec<Option<i32>> = Vec::new();
        for (caller, script) in self.scripts.iter().enumerate() {
            for load in &script.loads {
                let ways = self.loads(caller, load).ways;
                if ways.iter().any(|way| self.scripts[way.script].prim == prim) {
                    pins.push(load.pin);
                }
            }
            if script.prim == prim {
                pins.extend(&script.pins);
            }
        }
        match pins.first() {
            Some(&Some(first)) => first != 0 && pins.iter().all(|&pin| pin == Some(first)),
            _ => false,
        }
    }

    fn not_listed(&self, prim: usize, item: &str) -> String {
        format!(
            "the script `{item}` may come into {}, where the file does not list it; write `loaded = \
             [\"{item}.lsl\"]` there",
            self.prim_in_words(prim)
        )
    }

    fn prim_in_words(&self, prim: usize) -> String {
        match &self.prims[prim].label {
            Some(label) => format!("the prim \"{label}\""),
            None => {
                let number = self.link_number(prim);
                match self.objects() {
                    1 => format!("prim {number}"),
                    _ => format!("prim {number} of object {}", self.prims[prim].object + 1),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_are_functions() {
        for name in [LOAD, SET_PIN] {
            assert!(facts::function(name).is_some(), "{name}");
        }
        let mut constant = facts::constants().iter();
        assert!(constant.any(|constant| constant.name == "NULL_KEY"));
        let constant = facts::constants().iter();
        let this = constant.filter(|constant| constant.name == "LINK_THIS");
        let values: Vec<_> = this.map(|constant| &constant.value).collect();
        assert!(matches!(values[..], [facts::Value::Integer(LINK_THIS)]));
    }
}
