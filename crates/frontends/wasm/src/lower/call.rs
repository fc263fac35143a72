//! Calls: of functions of instances, which are inlined, of the host, and through tables.

use std::collections::BTreeMap;

use model::Binary;
use source::Span;
use wasmparser::{FuncType, Operator, ValType};

use super::arithmetic::{two, unsigned};
use super::code::Running;
use super::values::{Val, numeric};
use super::{Lowering, MAX_FRAMES, MAX_RECURSION};
use crate::decode::Instr;
use crate::link::{Function, slots};

impl<'a> Lowering<'a> {
    /// The type of a call, by the index of a type in the module.
    fn call_type(&self, instance: usize, index: u32) -> Option<&'a FuncType> {
        self.store.instances[instance].module.ty(index)
    }

    pub(super) fn call(&mut self, instr: &Instr<'_>, run: &mut Running, span: Span) {
        match instr.operator {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                let function =
                    self.store.instances[run.instance].functions[function_index as usize];
                let Some(ty) = self.type_of(run.instance, function_index) else {
                    self.sink("a call of what is no function", span);
                    return;
                };
                let args = run.pop_many(ty.params().len());
                self.keep_all(&mut run.stack);
                let results = self.called(run.instance, function, &args, ty, span);
                run.stack.extend(results.unwrap_or_default());
            }
            Operator::CallIndirect {
                type_index,
                table_index,
            }
            | Operator::ReturnCallIndirect {
                type_index,
                table_index,
            } => self.call_indirect(type_index, table_index, run, span),
            _ => {}
        }
    }

    /// The type of a function of a module, imported or its own.
    pub(super) fn type_of(&self, instance: usize, index: u32) -> Option<&'a FuncType> {
        let module = self.store.instances[instance].module;
        let imported = module
            .imports
            .iter()
            .filter_map(|import| match import.kind {
                crate::decode::ImportKind::Function(ty) => Some(ty),
                _ => None,
            });
        let mut all = imported.chain(module.functions.iter().copied());
        let ty = all.nth(index as usize)?;
        module.ty(ty)
    }

    /// Calls a function; gives its results, if it returns.
    pub(super) fn called(
        &mut self,
        caller: usize,
        function: usize,
        args: &[Val],
        ty: &FuncType,
        span: Span,
    ) -> Option<Vec<Val>> {
        let store = self.store;
        match &store.functions[function] {
            Function::Host(host) => self.call_host(caller, host, args, ty.results(), span),
            Function::Own { instance, body, .. } => {
                self.inline(function, (*instance, *body), args, ty, span)
            }
            Function::Adapted(target) => self.call_adapted(*target, ty.results(), span),
        }
    }

    /// A function of another component: what arguments and results are there is not followed.
    fn call_adapted(&mut self, target: usize, results: &[ValType], span: Span) -> Option<Vec<Val>> {
        let Function::Own { instance, body, ty } = self.store.functions[target] else {
            self.sink("a function of the host that is handed on", span);
            return None;
        };
        let ty = self.call_type(instance, ty)?;
        // Texts are copied into memory that the other side allocates.
        self.passed_by_memory("what is allocated for arguments and results");
        let fact = "an argument that is translated";
        let params = ty
            .params()
            .iter()
            .map(|&ty| self.any_value(ty, fact, false));
        let args: Vec<Val> = params.collect();
        self.inline(target, (instance, body), &args, ty, span)?;
        self.passed_by_memory("what is allocated for arguments and results");
        let fact = "a result that is translated";
        let results = results.iter().map(|&ty| self.any_value(ty, fact, false));
        Some(results.collect())
    }

    fn inline(
        &mut self,
        function: usize,
        (instance, body): (usize, usize),
        args: &[Val],
        ty: &FuncType,
        span: Span,
    ) -> Option<Vec<Val>> {
        let open = self.path.iter().filter(|&&open| open == function).count();
        if open >= MAX_RECURSION || self.path.len() >= MAX_FRAMES {
            self.sink("a call that nests deeper than is followed", span);
            return None;
        }
        if self.is_too_large() {
            self.sink("what is beyond the size that is followed", span);
            return None;
        }
        let store = self.store;
        let body = store.instances[instance].module.bodies.get(body)?;
        let mut locals = Vec::new();
        for (at, &ty) in ty.params().iter().chain(&body.locals).enumerate() {
            let place = self.place_for(&format!("local {at}"), ty);
            if at >= args.len()
                && let (Some(place), Some(model)) = (&place, numeric(ty))
            {
                let zero = self.pool().int(0, model);
                self.assign(place.clone(), zero);
            }
            locals.push((ty, place));
        }
        self.assign_all(&locals, args);
        self.path.push(function);
        let mut run = Running::new(instance, locals);
        let results = self.body(body, &mut run, ty.results());
        self.path.pop();
        results
    }

    fn call_indirect(&mut self, ty: u32, table: u32, run: &mut Running, span: Span) {
        let index = run.pop();
        let Some(ty) = self.call_type(run.instance, ty) else {
            self.sink("a call of what is no function", span);
            return;
        };
        let args = run.pop_many(ty.params().len());
        self.keep_all(&mut run.stack);
        let mut args = args;
        self.keep_all(&mut args);
        let store = self.store;
        let table = store.instances[run.instance].tables.get(table as usize);
        let Some(table) = table.map(|&table| &store.tables[table]) else {
            self.sink("a call through what is no table", span);
            return;
        };
        let (Some(index), false) = (index.expr, table.changes || table.slots.is_none()) else {
            self.call_any(&args, ty, run, span);
            return;
        };
        let index = self.kept(index);
        let index = unsigned(self.pool(), index);
        let model = self.program.exprs.ty(index).clone();
        let mut targets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (slot, function) in slots(table) {
            if self.has_type(function, ty) != Some(false) {
                targets.entry(function).or_default().push(slot);
            }
        }
        let mut cases = Vec::new();
        let mut none = self.pool().bool(true);
        for (function, at) in targets {
            let mut cond = self.pool().bool(false);
            for slot in at {
                let slot = self.pool().int(slot as i128, model.clone());
                let here = two(self.pool(), Binary::Eq, index, slot);
                cond = self.pool().or(cond, here);
            }
            let not = self.pool().not(cond);
            none = self.pool().and(none, not);
            cases.push((function, Some(cond)));
        }
        let Some(from) = self.seal(span) else {
            return;
        };
        let missing = self.location(span);
        self.step(from, Some(none), missing, span);
        self.here = None;
        self.start(missing);
        self.trap(span);
        self.dispatch(from, cases, (&args, ty), run, span);
    }

    /// Any function of a type may be called, and others that are not known.
    fn call_any(&mut self, args: &[Val], ty: &FuncType, run: &mut Running, span: Span) {
        let chosen = self.any_truth("whether a function is called that is not known", false);
        self.sink_if(chosen, "a call through a table that changes", span);
        let trap = self.any_truth("whether a call through a table traps", false);
        self.trap_if(trap, span);
        let Some(from) = self.seal(span) else {
            return;
        };
        // The choice of one of them is a value that need not be.
        let pick = self.any(
            &super::arithmetic::I32,
            "which function is in a table",
            false,
        );
        let from = self.seal(span).unwrap_or(from);
        self.here = None;
        let mut cases = Vec::new();
        for function in 0..self.store.functions.len() {
            if self.has_type(function, ty) == Some(true) {
                let at = self.pool().int(function as i128, super::arithmetic::I32);
                let cond = two(self.pool(), Binary::Eq, pick, at);
                cases.push((function, Some(cond)));
            }
        }
        self.dispatch(from, cases, (args, ty), run, span);
    }

    /// Whether a function has a type; none if that is not known.
    fn has_type(&self, function: usize, ty: &FuncType) -> Option<bool> {
        match self.store.functions[function] {
            Function::Own {
                instance, ty: own, ..
            } => Some(self.call_type(instance, own).is_some_and(|own| own == ty)),
            // The modules that import it say which type it has.
            Function::Host(_) | Function::Adapted(_) => {
                let instances = self.store.instances.iter().enumerate();
                let mut types = instances.flat_map(|(at, instance)| {
                    let indices = instance.functions.iter().enumerate();
                    let same = indices.filter(move |(_, known)| **known == function);
                    same.map(move |(index, _)| (at, index))
                });
                let (at, index) = types.next()?;
                let known = self.type_of(at, u32::try_from(index).ok()?)?;
                Some(known == ty)
            }
        }
    }

    /// One of several functions is called, each under its condition.
    fn dispatch(
        &mut self,
        from: model::LocId,
        cases: Vec<(usize, Option<model::ExprId>)>,
        (args, ty): (&[Val], &FuncType),
        run: &mut Running,
        span: Span,
    ) {
        let places = self.places_for("result", ty.results());
        let end = self.location(span);
        let mut returns = false;
        for (function, cond) in cases {
            let to = self.location(span);
            self.step(from, cond, to, span);
            self.start(to);
            if let Some(results) = self.called(run.instance, function, args, ty, span)
                && self.is_live()
            {
                self.assign_all(&places, &results);
                self.jump(end, span);
                returns = true;
            }
            self.here = None;
            self.body.clear();
        }
        if returns {
            self.start(end);
            let values = self.loads(&places);
            run.stack.extend(values);
        }
    }
}
