//! `llRemoteLoadScriptPin`: a script comes into another prim.
//!
//! It takes the place of the script of its name there, and begins anew: a script that is not there at first is one
//! that has been removed. Whether it comes at all is up to the pin of the prim and to what its owner
//! permits, so both are tried, each time. That is one of the things that the world decides where all calls
//! agree on the pin; where they do not, the runs in which the script comes and in which it does not
//! need not fit together. If the key may be that of several prims, each of them is tried.

use model::{Cut, CutBy, ExprId, GlobalId, Lifetime, Stmt, Type as ModelType};
use source::Span;

use super::build::Build;
use super::code::Coder;
use crate::ast;
use crate::linkset::loads::{Load, Way, load};
use crate::linkset::member::Member;

impl Coder<'_> {
    /// A call that loads a script.
    pub(super) fn load_script(&mut self, id: ast::ExprId, args: &[ExprId]) {
        let (Some(member), true) = (self.input.member, self.is_reachable()) else {
            return;
        };
        let &[key, _, _, running, parameter] = args else {
            return;
        };
        let checked = self.input.checked;
        let span = checked.ast.expr(id).span;
        let load = load(checked, id);
        let found = member.linkset.loads(member.index, &load);
        if found.is_unlisted {
            self.assume_it_is_there(member, &found.ways);
        }
        let running = self.build.as_bool(running);
        let (running, parameter) = (self.save(running), self.save(parameter));
        let given = Given { running, parameter };
        if found.is_one_prim {
            for way in &found.ways {
                let stmts = self.comes(member, way, &load, given, span);
                stmts.into_iter().for_each(|stmt| self.emit(stmt));
            }
        } else if !found.ways.is_empty() {
            let key = self.save(key);
            let which = self.which_prim(key, &found.ways, span);
            for (way, number) in found.ways.iter().zip(1..) {
                let number = self.build.int(number);
                let this = self.build.equal(which, number);
                let stmts = self.comes(member, way, &load, given, span);
                self.emit(Stmt::If(this, stmts, Vec::new()));
            }
        }
        for why in found.open {
            self.is_not_followed(&why, span);
        }
    }

    /// The file does not list in the caller's prim what the caller loads from there.
    fn assume_it_is_there(&mut self, member: Member<'_>, ways: &[Way]) {
        let scripts = &member.linkset.scripts;
        let script = ways
            .first()
            .and_then(|way| scripts[way.script].item.as_deref());
        let Some(script) = script else {
            return;
        };
        let text = format!(
            "the script `{script}` is in the inventory of the prim of {}, too, and does not run there",
            member.script().name
        );
        let program = &mut self.build.program;
        if program.assumptions.iter().all(|other| other.text != text) {
            program.add_assumption(model::Assumption {
                text,
                origin: model::Origin::Semantics,
                properties: None,
                span: Span::NONE,
            });
        }
    }

    /// Which prim a key means: the number of the way there, or 0 for none of them. A key that is not that of a
    /// prim for certain may be that of each.
    fn which_prim(&mut self, key: ExprId, ways: &[Way], span: Span) -> ExprId {
        let place = self.temporary(&ModelType::INT32);
        let what = "which prim `llRemoteLoadScriptPin` means";
        let outside = self.build.outside(what, span, Lifetime::Reading, false);
        let numbers = (0..=ways.len()).map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        let members = numbers.map(|n| self.build.int(n)).collect();
        let choice = self.build.chosen(place.clone(), what, members, outside);
        let mut otherwise = vec![Stmt::Choose(choice)];
        for (way, number) in ways.iter().zip(1..) {
            let prim = self.build.company.peers[way.script].key;
            let is_this = self.build.equality(key, prim).certain;
            let number = self.build.int(number);
            let then = vec![Stmt::Assign(place.clone(), number)];
            otherwise = vec![Stmt::If(is_this, then, otherwise)];
        }
        otherwise.into_iter().for_each(|stmt| self.emit(stmt));
        self.build.program.exprs.load(place, ModelType::INT32)
    }

    /// The script comes into a prim, or it does not.
    fn comes(
        &mut self,
        member: Member<'_>,
        way: &Way,
        load: &Load,
        given: Given,
        span: Span,
    ) -> Vec<Stmt> {
        let prim = member.linkset.scripts[way.script].prim;
        let what = format!(
            "whether {} is loaded",
            member.linkset.scripts[way.script].name
        );
        let place = self.temporary(&ModelType::Bool);
        let (no, yes) = (self.build.bool(false), self.build.bool(true));
        let choice = if load.pin.is_some() && member.linkset.has_one_pin(prim) {
            Build::one_of(place.clone(), &what, vec![yes, no])
        } else {
            let outside = self.build.outside(&*what, span, Lifetime::Reading, false);
            self.build
                .chosen(place.clone(), &what, vec![yes, no], outside)
        };
        let comes = self.build.program.exprs.load(place, ModelType::Bool);
        let effect = self.begins(way, given);
        let stmts = vec![Stmt::Choose(choice), Stmt::If(comes, effect, Vec::new())];
        let source = way
            .source
            .map(|source| self.build.company.peers[source].halts.gone);
        match source.flatten() {
            Some(gone) => {
                let gone = self.build.read(gone);
                vec![Stmt::If(gone, Vec::new(), stmts)]
            }
            None => stmts,
        }
    }

    /// What loading does to the scripts of a prim.
    fn begins(&mut self, way: &Way, given: Given) -> Vec<Stmt> {
        let peers = &self.build.company.peers;
        let halts = peers[way.script].halts;
        let replaced: Vec<_> = way.replaced.iter().map(|&old| peers[old].halts).collect();
        let mut stmts = Vec::new();
        let mut set = |flag: Option<GlobalId>, build: &mut Build, to: bool| {
            stmts.extend(flag.map(|flag| build.set_flag(flag, to)));
        };
        for old in replaced {
            set(old.gone, self.build, true);
            set(old.goes_on, self.build, false);
        }
        set(halts.gone, self.build, false);
        set(halts.goes_on, self.build, false);
        set(halts.reset, self.build, true);
        if let Some(off) = halts.off {
            let is_off = self.build.not(given.running);
            stmts.push(self.build.set(off, is_off));
        }
        stmts.extend(
            halts
                .given
                .map(|parameter| self.build.set(parameter, given.parameter)),
        );
        stmts
    }

    /// A call of which not everything is followed proves nothing.
    fn is_not_followed(&mut self, why: &str, span: Span) {
        self.build.program.cut(Cut {
            text: format!("what `llRemoteLoadScriptPin` does is not followed: {why}"),
            by: CutBy::Default,
            span,
            properties: None,
        });
        let what = "what `llRemoteLoadScriptPin` does to other scripts";
        let (choice, goes_on) = self.build.doubtful(what, span);
        self.emit(Stmt::Choose(choice));
        self.emit(Stmt::Assume(goes_on));
    }
}

/// How a script is to begin.
#[derive(Clone, Copy)]
struct Given {
    running: ExprId,
    parameter: ExprId,
}
