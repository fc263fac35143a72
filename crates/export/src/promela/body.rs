//! The effects of a move: statements, faults, where control goes.
//!
//! A body becomes straight-line Promela with forward jumps: a fault sets where the process goes
//! on and jumps to the end of the move; an assumption that does not hold takes the run out of
//! the model (`inside` gets a value that no process has, after which nothing moves).

use std::collections::{HashMap, HashSet};

use model::{
    Callee, Choice, ExprId, FaultId, LocId, Place, ProcedureId, Root, StepId, Stmt, Target, Type,
    Value, ValueSet,
};

use super::expr::{MATHINT, Scope, Step, Term, all, any, numeral};
use super::layout::Home;
use super::walk::{constant_members, reads, stored_roots};
use super::writer::Writer;

/// The value of `inside` after an assumption failed.
pub(super) const CUT: u32 = 255;

/// Choices of more values than this become a loop where they are ranges.
const MOST_OPTIONS: usize = 40;

/// Promela text under construction.
#[derive(Default)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) depth: usize,
    /// Whether everything so far has one outcome.
    pub(super) is_choice: bool,
    /// Whether a fault jumps to the end of the move.
    pub(super) faults: bool,
    /// Whether an assumption jumps there, too.
    pub(super) cuts: bool,
    /// The number of this move's labels.
    pub(super) label: usize,
    /// Temporaries in use.
    pub(super) temporaries: usize,
}

impl Code {
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }
}

impl Writer<'_> {
    /// The statements, in order. Ends early by a jump.
    pub(super) fn body(&self, code: &mut Code, scope: Scope<'_>, body: &[Stmt]) {
        for stmt in body {
            self.statement(code, scope, stmt);
        }
    }

    fn statement(&self, code: &mut Code, scope: Scope<'_>, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(place, value) => self.assign(code, scope, place, *value),
            Stmt::Choose(choice) => self.choose(code, scope, choice, true),
            Stmt::If(condition, then, otherwise) => {
                let term = self.expr(scope, *condition);
                self.check_faults(code, scope, &term);
                match term.text.as_str() {
                    "1" => return self.body(code, scope, then),
                    "0" => return self.body(code, scope, otherwise),
                    _ => {}
                }
                code.line("if");
                code.line(format!(":: {} ->", term.text));
                self.block(code, scope, then);
                code.line(":: else ->");
                self.block(code, scope, otherwise);
                code.line("fi;");
            }
            Stmt::Assert { cond, check, .. } => {
                let term = self.expr(scope, *cond);
                self.check_faults(code, scope, &term);
                if let Some(flag) = self.check_flags.get(check)
                    && term.text != "1"
                {
                    code.line("if");
                    code.line(format!(":: {} -> skip;", term.text));
                    code.line(format!(":: else -> {flag} = 1;"));
                    code.line("fi;");
                }
            }
            Stmt::Assume(condition) => {
                let term = self.expr(scope, *condition);
                self.check_faults(code, scope, &term);
                self.demand(code, &term.text);
            }
            Stmt::Raise(fault) => self.raise(code, scope, *fault),
            Stmt::Emit { event, args, .. } => self.emit(code, scope, *event, args),
            Stmt::Spawn { .. } => self.refuse("processes started by a running process"),
            Stmt::NewChannel { .. } => self.refuse("channels made by a running process"),
            Stmt::New { .. } | Stmt::Free(_) => self.refuse("objects made at run time"),
        }
    }

    fn block(&self, code: &mut Code, scope: Scope<'_>, body: &[Stmt]) {
        code.depth += 1;
        let before = code.text.len();
        self.body(code, scope, body);
        if code.text.len() == before {
            code.line("skip;");
        }
        code.depth -= 1;
    }

    /// Takes the run out of the model unless a condition holds.
    fn demand(&self, code: &mut Code, condition: &str) {
        if condition == "1" {
            return;
        }
        code.cuts = true;
        code.line("if");
        code.line(format!(":: {condition} -> skip;"));
        code.line(format!(
            ":: else -> inside = {CUT}; goto out_{};",
            code.label
        ));
        code.line("fi;");
    }

    /// Raises the first of a term's faults whose condition holds.
    pub(super) fn check_faults(&self, code: &mut Code, scope: Scope<'_>, term: &Term) {
        let mut at = 0;
        while at < term.faults.len() {
            let fault = term.faults[at].1;
            let same = term.faults[at..].iter().take_while(|(_, f)| *f == fault);
            let conditions: Vec<String> = same.map(|(text, _)| text.clone()).collect();
            at += conditions.len();
            let condition = any(conditions);
            if condition == "0" {
                continue;
            }
            code.line("if");
            code.line(format!(":: {condition} ->"));
            code.depth += 1;
            self.raise(code, scope, fault);
            code.depth -= 1;
            code.line(":: else -> skip;");
            code.line("fi;");
        }
    }

    /// All calls of an instance end: their locals go back to what they are before a call.
    fn leave_calls(&self, code: &mut Code, slot: usize) {
        let process = self.layout.slots[slot].process.index();
        let called: Vec<ProcedureId> = self.layout.controls[process]
            .callers
            .keys()
            .copied()
            .collect();
        for procedure in called {
            self.forget(code, slot, procedure);
        }
    }

    /// The fault's aftermath: calls are left, control goes where faults lead.
    pub(super) fn raise(&self, code: &mut Code, scope: Scope<'_>, fault: FaultId) {
        let Some(slot) = scope.slot else {
            return;
        };
        code.faults = true;
        if let Some(flag) = self.fault_flags.get(&fault) {
            code.line(format!("{flag} = 1;"));
        }
        let process = self.layout.slots[slot].process.index();
        self.leave_calls(code, slot);
        let location = match self.program.processes[process].on_fault {
            Some(location) => location.index(),
            None => self.layout.halted(slot),
        };
        self.note_at(slot);
        code.line(format!("{} = {location};", self.layout.at(slot)));
        code.line(format!("goto out_{};", code.label));
    }

    /// Sets a procedure's variables back, so that states do not differ by what is gone.
    fn forget(&self, code: &mut Code, slot: usize, procedure: ProcedureId) {
        let process = &self.program.processes[self.layout.slots[slot].process.index()];
        for (local, variable) in (0u32..).zip(&process.procedures[procedure.index()].locals) {
            let home = Home::Frame(slot, procedure.0, local);
            for leaf in super::layout::leaves(self.program, &variable.ty) {
                let count: u32 = leaf.lengths.iter().product();
                let name = self.layout.name(home, &leaf.fields);
                let zero = self.layout.number(&self.program.zero(&leaf.ty));
                if leaf.lengths.is_empty() {
                    code.line(format!("{name} = {zero};"));
                } else {
                    for at in 0..count {
                        code.line(format!("{name}[{at}] = {zero};"));
                    }
                }
            }
        }
        code.line(format!("{} = 0;", self.back(slot, procedure)));
    }

    /// The variable that says where a procedure returns to: 0 nowhere, else one of its callers.
    fn back(&self, slot: usize, procedure: ProcedureId) -> String {
        let entry = &self.layout.slots[slot];
        let process = &self.program.processes[entry.process.index()];
        let declared = &process.procedures[procedure.index()].name;
        let name = format!(
            "back_{}_{}_{}",
            entry.name,
            super::layout::plain(declared),
            procedure.0
        );
        let comment = format!("where {declared} was called from");
        self.layout.declare(&name, "byte", 0, &comment);
        name
    }

    fn assign(&self, code: &mut Code, scope: Scope<'_>, place: &Place, value: ExprId) {
        let ty = self.place_type(scope, place);
        let paths = self.paths(&ty);
        if paths.len() > 1 {
            let roots: HashSet<Root> = [place.root].into();
            if reads(self.program, value, &roots)
                && !matches!(self.program.exprs.get(value), model::Expr::Load(_))
            {
                self.refuse("a whole record or array computed from itself");
            }
        }
        for path in paths {
            let term = self.part(scope, value, &path);
            self.check_faults(code, scope, &term);
            let (lo, hi) = if path.is_empty() {
                self.bounds(scope, value)
            } else {
                type_bounds(&self.part_type(&ty, &path))
            };
            self.store(code, scope, place, &path, &ty, &term.text, (lo, hi));
        }
    }

    pub(super) fn place_type(&self, scope: Scope<'_>, place: &Place) -> Type {
        let process = scope.slot.map(|slot| self.layout.slots[slot].process);
        self.program.place_type(process, scope.procedure, place)
    }

    /// Stores what has been computed, between known bounds.
    #[expect(clippy::too_many_arguments, reason = "the parts of one assignment")]
    pub(super) fn store(
        &self,
        code: &mut Code,
        scope: Scope<'_>,
        place: &Place,
        path: &[Step],
        ty: &Type,
        text: &str,
        (lo, hi): (i128, i128),
    ) {
        let ty = self.part_type(ty, path);
        let mut faults = Vec::new();
        let (least, most) = type_bounds(&ty);
        match ty {
            Type::Range { .. } if lo < least || hi > most => {
                if lo < i128::from(i32::MIN) || hi > i128::from(i32::MAX) {
                    self.refuse_wide();
                }
                if let Some(fault) = self.program.range_fault {
                    let outside = format!(
                        "({text} < {} || {text} > {})",
                        numeral(least),
                        numeral(most)
                    );
                    faults.push((outside, fault));
                }
            }
            Type::Mathint if lo < least || hi > most => {
                code.line(format!(
                    "assert({text} >= {} && {text} <= {}); /* room */",
                    numeral(-MATHINT),
                    numeral(MATHINT)
                ));
            }
            _ => {}
        }
        let value = Term {
            text: text.to_owned(),
            faults,
        };
        self.check_faults(code, scope, &value);
        let target = self.place(scope, place, path);
        self.check_faults(code, scope, &target);
        let stored = match ty {
            Type::Int { .. } => self.wrapped(&ty, value.text, lo, hi),
            _ => value.text,
        };
        if target.text != stored {
            code.line(format!("{} = {stored};", target.text));
        }
    }

    /// Stores one of a set's values. In a body an empty set takes the run out of the model; in a
    /// step's own choices the guard has seen to it.
    pub(super) fn choose(&self, code: &mut Code, scope: Scope<'_>, choice: &Choice, in_body: bool) {
        if choice.sample.is_some() {
            self.refuse_choice(&choice.what);
            return;
        }
        if in_body {
            let some = self.has_member(scope, &choice.set);
            self.check_faults(code, scope, &some);
            self.demand(code, &some.text);
        }
        self.pick(code, scope, choice, &choice.set);
    }

    fn pick(&self, code: &mut Code, scope: Scope<'_>, choice: &Choice, set: &ValueSet) {
        let place = &choice.place;
        let ty = self.place_type(scope, place);
        if let Some(members) = constant_members(self.program, set, MOST_OPTIONS) {
            let store = |code: &mut Code, value: &Value| {
                let number = self.constant(value).text;
                let bound = match value {
                    Value::Int(n) => *n,
                    _ => 0,
                };
                self.store(code, scope, place, &[], &ty, &number, (bound, bound));
            };
            if let [value] = members.as_slice() {
                store(code, value);
                return;
            }
            code.is_choice = true;
            code.line(format!("if /* {} */", super::words::comment(&choice.what)));
            for value in &members {
                code.line(":: true ->");
                code.depth += 1;
                store(code, value);
                code.depth -= 1;
            }
            code.line("fi;");
            return;
        }
        match set {
            ValueSet::One(value) => {
                let term = self.expr(scope, *value);
                self.check_faults(code, scope, &term);
                self.store(
                    code,
                    scope,
                    place,
                    &[],
                    &ty,
                    &term.text,
                    self.bounds(scope, *value),
                );
            }
            ValueSet::Between(lo, hi) => {
                let (from, to) = (self.expr(scope, *lo), self.expr(scope, *hi));
                self.check_faults(code, scope, &from);
                self.check_faults(code, scope, &to);
                let bounds = (self.bounds(scope, *lo).0, self.bounds(scope, *hi).1);
                self.pick_between(code, scope, choice, &from.text, &to.text, bounds);
            }
            ValueSet::All(all) => {
                let (lo, hi) = all.bounds().unwrap_or((0, i128::from(u32::MAX)));
                let (from, to) = (numeral(lo), numeral(hi));
                self.pick_between(code, scope, choice, &from, &to, (lo, hi));
            }
            ValueSet::Ite(condition, a, b) => {
                let term = self.expr(scope, *condition);
                self.check_faults(code, scope, &term);
                code.line("if");
                for (test, side) in [(term.text.as_str(), a), ("else", b)] {
                    code.line(format!(":: {test} ->"));
                    code.depth += 1;
                    self.pick(code, scope, choice, side);
                    code.depth -= 1;
                }
                code.line("fi;");
            }
            ValueSet::Union(sets) => {
                code.is_choice |= sets.len() > 1;
                code.line(format!("if /* {} */", super::words::comment(&choice.what)));
                for set in sets {
                    let some = self.has_member(scope, set);
                    code.line(format!(":: {} ->", some.text));
                    code.depth += 1;
                    self.pick(code, scope, choice, set);
                    code.depth -= 1;
                }
                code.line("fi;");
            }
        }
    }

    fn pick_between(
        &self,
        code: &mut Code,
        scope: Scope<'_>,
        choice: &Choice,
        from: &str,
        to: &str,
        (lo, hi): (i128, i128),
    ) {
        let ty = self.place_type(scope, &choice.place);
        let (least, most) = type_bounds(&ty);
        if lo < least || hi > most {
            self.refuse("a choice beyond the type of where it goes");
            return;
        }
        if hi - lo > 1 << 20 {
            self.refuse_choice(&choice.what);
            return;
        }
        code.is_choice = true;
        let target = self.place(scope, &choice.place, &[]);
        self.check_faults(code, scope, &target);
        let name = target.text;
        code.line(format!(
            "{name} = {from}; /* {} */",
            super::words::comment(&choice.what)
        ));
        code.line("do");
        code.line(format!(":: {name} < {to} -> {name} = {name} + 1;"));
        code.line(":: true -> break;");
        code.line("od;");
    }

    /// Whether a set has a member.
    pub(super) fn has_member(&self, scope: Scope<'_>, set: &ValueSet) -> Term {
        let sure = |text: &str| Term {
            text: text.to_owned(),
            faults: Vec::new(),
        };
        match set {
            ValueSet::One(_) | ValueSet::All(_) => sure("1"),
            ValueSet::Between(lo, hi) => {
                let ((_, most), (least, _)) = (self.bounds(scope, *lo), self.bounds(scope, *hi));
                if most <= least {
                    return sure("1");
                }
                let (lo, hi) = (self.expr(scope, *lo), self.expr(scope, *hi));
                let mut faults = lo.faults;
                faults.extend(hi.faults);
                Term {
                    text: format!("({} <= {})", lo.text, hi.text),
                    faults,
                }
            }
            ValueSet::Union(sets) => {
                let terms: Vec<Term> = sets.iter().map(|set| self.has_member(scope, set)).collect();
                Term {
                    text: any(terms.iter().map(|term| term.text.clone())),
                    faults: terms.into_iter().flat_map(|term| term.faults).collect(),
                }
            }
            ValueSet::Ite(condition, a, b) => {
                let (a, b) = (self.has_member(scope, a), self.has_member(scope, b));
                if a.text == "1" && b.text == "1" {
                    return sure("1");
                }
                let condition = self.expr(scope, *condition);
                Term {
                    text: format!("({} -> {} : {})", condition.text, a.text, b.text),
                    faults: condition.faults,
                }
            }
        }
    }

    /// Takes a temporary.
    pub(super) fn temporary(&self, code: &mut Code) -> String {
        let name = format!("t_{}", code.temporaries);
        code.temporaries += 1;
        self.layout
            .declare(&name, "int", 0, "for a moment, within a move");
        name
    }

    fn emit(&self, code: &mut Code, scope: Scope<'_>, event: model::EventId, args: &[ExprId]) {
        let observers: Vec<&model::Observer> = self
            .program
            .observers
            .iter()
            .filter(|observer| observer.event == event && !observer.body.is_empty())
            .collect();
        let mut stored: HashSet<Root> = HashSet::new();
        for observer in &observers {
            stored_roots(self.program, &observer.body, &mut |root| {
                stored.insert(root);
            });
        }
        let mut arguments = Vec::new();
        let mut taken = Vec::new();
        for &arg in args {
            let ty = self.program.exprs.ty(arg).clone();
            let mut parts = HashMap::new();
            for path in self.paths(&ty) {
                // Nobody reads the arguments of an event that is not observed, but they may fault.
                let term = self.part(scope, arg, &path);
                self.check_faults(code, scope, &term);
                if observers.is_empty() {
                    continue;
                }
                let text = if reads(self.program, arg, &stored) {
                    let name = self.temporary(code);
                    code.line(format!("{name} = {};", term.text));
                    taken.push(name.clone());
                    name
                } else {
                    term.text
                };
                parts.insert(path, text);
            }
            arguments.push(parts);
        }
        if observers.is_empty() {
            return;
        }
        let at = (scope.slot, scope.procedure);
        let sets = args
            .iter()
            .map(|&arg| self.values.of_expr(&self.layout, at, arg))
            .collect();
        let inner = Scope {
            arguments: &arguments,
            ..scope
        };
        self.values.with_arguments(sets, || {
            for observer in observers {
                self.body(code, inner, &observer.body);
            }
        });
        for name in taken {
            code.line(format!("{name} = 0;"));
        }
    }

    /// Control goes to the target.
    pub(super) fn go(&self, code: &mut Code, scope: Scope<'_>, step: StepId, target: &Target) {
        let Some(slot) = scope.slot else {
            return;
        };
        self.note_at(slot);
        let at = self.layout.at(slot);
        match target {
            Target::Goto(location) => self.go_to(code, slot, *location),
            Target::End => {
                self.leave_calls(code, slot);
                let stays = self.program.composition
                    == model::Composition::Interleaving {
                        ids: model::IdPolicy::Stack,
                    };
                if stays {
                    code.line(format!("{at} = {};", self.layout.ended(slot)));
                } else {
                    self.go_away(code, slot);
                }
            }
            Target::Call {
                callee: Callee::Known(callee),
                args,
                then: _,
                result: _,
            } => {
                let process = self.layout.slots[slot].process.index();
                let control = &self.layout.controls[process];
                if control.recursive {
                    self.refuse("functions that call themselves");
                    return;
                }
                let declared = &self.program.processes[process].procedures[callee.index()];
                let inside = Scope::of(slot, Some(*callee));
                for (&arg, local) in args.iter().zip(0u32..) {
                    let ty = declared.locals[local as usize].ty.clone();
                    for path in self.paths(&ty) {
                        let term = self.part(scope, arg, &path);
                        self.check_faults(code, scope, &term);
                        let bounds = if path.is_empty() {
                            self.bounds(scope, arg)
                        } else {
                            type_bounds(&self.part_type(&ty, &path))
                        };
                        let place = Place::from(Root::Frame(local));
                        self.store(code, inside, &place, &path, &ty, &term.text, bounds);
                    }
                }
                let sites = control.callers.get(callee).map_or(&[][..], Vec::as_slice);
                let site = sites.iter().position(|&site| site == step).unwrap_or(0) + 1;
                code.line(format!("{} = {site};", self.back(slot, *callee)));
                for (index, local) in declared.locals.iter().enumerate() {
                    if let Some(set) = local.init.as_ref().filter(|_| index >= declared.parameters)
                    {
                        let choice = Choice {
                            place: Place::frame(index),
                            set: set.clone(),
                            sample: None,
                            what: local.name.clone(),
                            outside: None,
                        };
                        self.choose(code, inside, &choice, true);
                    }
                }
                self.go_to(code, slot, declared.entry);
            }
            Target::Call { .. } => self.refuse("procedures as values"),
            Target::Return(value) => self.go_back(code, scope, slot, *value),
        }
    }

    fn go_to(&self, code: &mut Code, slot: usize, location: LocId) {
        code.line(format!("{} = {};", self.layout.at(slot), location.0));
    }

    /// An instance that has gone leaves nothing behind.
    pub(super) fn go_away(&self, code: &mut Code, slot: usize) {
        self.note_at(slot);
        let process = &self.program.processes[self.layout.slots[slot].process.index()];
        for (local, variable) in (0u32..).zip(&process.locals) {
            let home = Home::Own(slot, local);
            if !self.layout.changes(home) {
                continue;
            }
            for leaf in super::layout::leaves(self.program, &variable.ty) {
                let name = self.layout.name(home, &leaf.fields);
                let zero = self.layout.number(&self.program.zero(&leaf.ty));
                if leaf.lengths.is_empty() {
                    code.line(format!("{name} = {zero};"));
                } else {
                    for at in 0..leaf.lengths.iter().product::<u32>() {
                        code.line(format!("{name}[{at}] = {zero};"));
                    }
                }
            }
        }
        code.line(format!(
            "{} = {};",
            self.layout.at(slot),
            self.layout.absent(slot)
        ));
    }

    fn go_back(&self, code: &mut Code, scope: Scope<'_>, slot: usize, value: Option<ExprId>) {
        let Some(procedure) = scope.procedure else {
            self.refuse("a return outside of a procedure");
            return;
        };
        let process_id = self.layout.slots[slot].process.index();
        let process = &self.program.processes[process_id];
        let control = &self.layout.controls[process_id];
        let sites = control.callers.get(&procedure).cloned().unwrap_or_default();
        let result_of = |site: StepId| match &process.steps[site.index()].target {
            Target::Call { result, then, .. } => (result.clone(), *then),
            _ => (None, process.entry),
        };
        // The result first, while the procedure's variables are still there.
        let wanted = sites.iter().any(|&site| result_of(site).0.is_some());
        let mut parts = Vec::new();
        if let Some(value) = value {
            let ty = self.program.exprs.ty(value).clone();
            for path in self.paths(&ty) {
                let term = self.part(scope, value, &path);
                self.check_faults(code, scope, &term);
                if wanted {
                    let name = self.temporary(code);
                    code.line(format!("{name} = {};", term.text));
                    parts.push((path, name));
                }
            }
        }
        let back = self.back(slot, procedure);
        let came_from = if sites.len() > 1 {
            let name = self.temporary(code);
            code.line(format!("{name} = {back};"));
            Some(name)
        } else {
            None
        };
        self.forget(code, slot, procedure);
        let finish = |code: &mut Code, site: StepId| {
            let (result, then) = result_of(site);
            self.go_to(code, slot, then);
            let from = process.steps[site.index()].from;
            let caller = control.reached.get(&from).copied().flatten();
            let outside = Scope::of(slot, caller);
            if let (Some(place), Some(value)) = (result, value) {
                let ty = self.place_type(outside, &place);
                for (path, name) in &parts {
                    let bounds = if path.is_empty() {
                        self.bounds(scope, value)
                    } else {
                        type_bounds(&self.part_type(&ty, path))
                    };
                    self.store(code, outside, &place, path, &ty, name, bounds);
                }
            }
        };
        match (&came_from, sites.as_slice()) {
            (Some(name), _) => {
                code.line("if");
                for (index, &site) in sites.iter().enumerate() {
                    code.line(format!(":: {name} == {} ->", index + 1));
                    code.depth += 1;
                    finish(code, site);
                    code.depth -= 1;
                }
                code.line("fi;");
            }
            (None, [site]) => finish(code, *site),
            (None, _) => {}
        }
        for name in parts.iter().map(|(_, name)| name).chain(&came_from) {
            code.line(format!("{name} = 0;"));
        }
    }

    /// All the choices of a step have members.
    pub(super) fn can_choose(&self, scope: Scope<'_>, choices: &[Choice]) -> String {
        all(choices
            .iter()
            .map(|choice| self.has_member(scope, &choice.set).holds_or_faults()))
    }
}

pub(super) fn type_bounds(ty: &Type) -> (i128, i128) {
    match ty {
        Type::Mathint => (-MATHINT, MATHINT),
        other => other
            .bounds()
            .unwrap_or((i128::from(i32::MIN), i128::from(i32::MAX))),
    }
}
