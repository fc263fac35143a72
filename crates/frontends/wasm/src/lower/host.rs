//! The host: what it does when it is called, and what it calls.
//!
//! While a module calls out, the host may call the module. Such calls are found by giving up the run
//! of the module and going on where the host chooses what to call, in the state of that moment; so
//! everything that happens in them is looked at. Where the run of the module goes on instead, all that
//! such calls could have changed may have changed.

use model::{Event, Stmt, ValueSet, Visibility};
use source::Span;
use wasmparser::ValType;

use super::Lowering;
use super::arithmetic::address;
use super::values::{Val, numeric};
use crate::decode::{Parameters, Value};
use crate::link::{Abi, Entry, Function, Host};
use crate::wasi::documented;

impl Lowering<'_> {
    /// Whether the module imports functions of WASI.
    pub(super) fn uses_wasi(&self) -> bool {
        self.store.functions.iter().any(|function| match function {
            Function::Host(host) => documented(&host.names[0]).is_some(),
            _ => false,
        })
    }

    /// Whether the host may call the module while it is called.
    pub(super) fn begin_nesting(&mut self) {
        let may = self.store.functions.iter().any(|function| match function {
            Function::Host(host) => {
                host.abi == Abi::Builtin
                    || host.abi == Abi::Core && documented(&host.names[0]).is_none()
            }
            _ => false,
        });
        if may && self.memories.iter().any(|memory| !memory.dirty.is_empty()) {
            let place = self.variable("the host has been called", model::Type::Bool);
            let no = self.pool().bool(false);
            self.assign(place.clone(), no);
            self.nested = Some(place);
        }
    }

    /// The first values of globals.
    pub(super) fn begin_globals(&mut self) {
        for global in &self.store.globals {
            let is_known = matches!(global.value, Value::Number(_));
            let place = match numeric(global.ty) {
                Some(model) if global.mutable || !is_known => {
                    let place = self.variable(&global.name, model.clone());
                    let stmt = match global.value {
                        Value::Number(known) => {
                            let known = self.pool().int(i128::from(known), model);
                            Stmt::Assign(place.clone(), known)
                        }
                        _ => {
                            let fact = format!("the first value of `{}`", global.name);
                            let exact = global.open;
                            self.choice(place.clone(), ValueSet::All(model), &fact, exact)
                        }
                    };
                    self.emit(stmt);
                    Some(place)
                }
                _ => None,
            };
            self.globals.push(place);
        }
    }

    /// Instances are made: functions run that begin them. The host does not call what they export
    /// yet, unless it has got hold of it by a table.
    pub(super) fn begin_instances(&mut self, host: model::LocId) {
        let has_tables = self.store.tables.iter().any(|table| table.open);
        self.host = has_tables.then_some(host);
        self.after_trap = self.host;
        for &start in &self.store.starts {
            let Function::Own { instance, ty, .. } = self.store.functions[start] else {
                let store = self.store;
                if let Function::Host(function) = &store.functions[start] {
                    self.call_host(0, function, &[], &[], Span::NONE);
                }
                continue;
            };
            let Some(ty) = self.store.instances[instance].module.ty(ty) else {
                continue;
            };
            self.tell("the module begins", "begins to run {}", start, &[]);
            self.called(instance, start, &[], ty, Span::NONE);
        }
    }

    /// The host calls what it can reach, again and again.
    pub(super) fn host(&mut self, host: model::LocId) {
        self.host = Some(host);
        // A component that has trapped is not entered again.
        self.after_trap = (!self.store.is_component).then_some(host);
        self.start(host);
        self.world_changes("between two calls of the module");
        let Some(turn) = self.seal(Span::NONE) else {
            return;
        };
        self.here = None;
        let store = self.store;
        for Entry {
            name,
            function: entry,
            exact,
        } in &store.entries
        {
            let Function::Own { instance, ty, .. } = store.functions[*entry] else {
                continue;
            };
            let Some(ty) = store.instances[instance].module.ty(ty) else {
                continue;
            };
            let begin = self.location(Span::NONE);
            self.step(turn, None, begin, Span::NONE);
            self.start(begin);
            let params = ty.params().iter().enumerate();
            let params = params.map(|(at, &ty)| {
                let fact = format!("argument {} of `{name}`", at + 1);
                self.any_value(ty, &fact, *exact)
            });
            let args: Vec<Val> = params.collect();
            if store.is_component && !exact {
                // What is passed is written where the component says.
                self.passed_by_memory("what is passed to the component");
            }
            self.tell(
                &format!("call {name}"),
                &format!("the host calls {name}"),
                *entry,
                &args,
            );
            self.called(instance, *entry, &args, ty, Span::NONE);
            self.jump(host, Span::NONE);
        }
    }

    /// Tells that the host calls a function with arguments.
    fn tell(&mut self, name: &str, story: &str, function: usize, args: &[Val]) {
        let story = story.replace("{}", &plain(&self.store.name(function)));
        self.event(&format!("host: {name}"), &plain(&story), args, Span::NONE);
        self.seal(Span::NONE);
    }

    /// An event with the arguments that are numbers.
    pub(super) fn event(&mut self, name: &str, story: &str, args: &[Val], span: Span) {
        let mut parameters = Vec::new();
        let mut shown = Vec::new();
        let mut words = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            match arg.expr {
                Some(expr) => {
                    words.push(format!("{{{}}}{}", shown.len(), self.shown_text(expr)));
                    let ty = self.program.exprs.ty(expr).clone();
                    parameters.push((format!("a{at}"), ty));
                    shown.push(expr);
                }
                None => words.push("...".to_owned()),
            }
        }
        let event = self.program.add_event(Event {
            name: name.to_owned(),
            parameters,
            story: Some(format!("{story}({})", words.join(", "))),
            visibility: Visibility::Told,
        });
        self.emit(Stmt::Emit {
            event,
            args: shown,
            span,
        });
    }

    /// Calls a function of the host; gives its results, if it returns.
    pub(super) fn call_host(
        &mut self,
        caller: usize,
        host: &Host,
        args: &[Val],
        results: &[ValType],
        span: Span,
    ) -> Option<Vec<Val>> {
        let mut args = args.to_vec();
        self.keep_all(&mut args);
        self.monitor(caller, host, &args, span);
        let known = documented(&host.names[0]);
        if let Some(known) = known {
            if !known.returns {
                self.end(span);
                return None;
            }
            self.written_as_documented(caller, known, &args);
        } else {
            self.called_back(host, span);
            self.written_by(host, &args);
        }
        let fact = format!("what `{}` returns", host.names[0]);
        let plain = |parameters: &Parameters| parameters.exact;
        let exact = host.abi == Abi::Core || host.parameters.as_ref().is_some_and(plain);
        let results = results.iter().map(|&ty| self.any_value(ty, &fact, exact));
        let results: Vec<Val> = results.collect();
        self.seal(span);
        Some(results)
    }

    /// The host may call the module before it returns.
    fn called_back(&mut self, host: &Host, span: Span) {
        let may = match host.abi {
            Abi::Core => true,
            Abi::Canonical { .. } => false,
            // A destructor of the component runs.
            Abi::Builtin => !self.store.entries.is_empty(),
        };
        let Some(to) = self.host.filter(|_| may) else {
            return;
        };
        let Some(from) = self.seal(span) else {
            return;
        };
        let (stays, gives_up) = (self.location(span), self.location(span));
        self.step(from, None, gives_up, span);
        self.step(from, None, stays, span);
        self.here = None;
        self.start(gives_up);
        if self.store.is_component {
            // Only some functions of a component can be entered now.
            let fact = "whether the host enters the component while it is called";
            let may = self.any_truth(fact, false);
            let enters = self.location(span);
            if let Some(from) = self.seal(span) {
                self.step(from, Some(may), enters, span);
                self.here = None;
                self.start(enters);
            }
        }
        if let Some(nested) = self.nested.clone() {
            let yes = self.pool().bool(true);
            self.assign(nested, yes);
        }
        self.jump(to, span);
        self.start(stays);
        self.others_run("what calls of the host change", true);
    }

    /// Code of the module that is not looked at here may run now: all that it can change may change.
    pub(super) fn others_run(&mut self, what: &str, may_not: bool) {
        let mut changes = Vec::new();
        for (at, global) in self.store.globals.iter().enumerate() {
            let written = self.facts.written.as_ref();
            let changes_it = written.is_none_or(|written| written.globals.contains(&at));
            if let (true, Some(place), Some(model)) =
                (changes_it, self.globals[at].clone(), numeric(global.ty))
            {
                changes.push(self.choice(place, ValueSet::All(model), what, false));
            }
        }
        for memory in 0..self.memories.len() {
            changes.extend(self.own_changes(memory, what, may_not));
        }
        if changes.is_empty() {
            return;
        }
        match may_not {
            true => {
                let does = self.any_truth("whether the host calls the module meanwhile", true);
                self.emit(Stmt::If(does, changes, Vec::new()));
            }
            false => changes.into_iter().for_each(|stmt| self.emit(stmt)),
        }
    }

    /// Somebody writes into memory that the component allocates: its own code runs, and says where.
    pub(super) fn passed_by_memory(&mut self, what: &str) {
        self.others_run(what, false);
        for memory in 0..self.memories.len() {
            let changes = self.memory_changes(memory, what, false);
            changes.into_iter().for_each(|stmt| self.emit(stmt));
        }
    }

    /// The host may write what it can reach.
    fn world_changes(&mut self, what: &str) {
        for (at, global) in self.store.globals.iter().enumerate() {
            if let (true, Some(place), Some(model)) = (
                global.mutable && global.open,
                self.globals[at].clone(),
                numeric(global.ty),
            ) {
                let fact = format!("what the host does to `{}` {what}", global.name);
                let stmt = self.choice(place, ValueSet::All(model), &fact, true);
                self.emit(stmt);
            }
        }
        for memory in 0..self.memories.len() {
            if self.store.memories[memory].open {
                let fact = format!("what the host writes to memory {what}");
                let changes = self.memory_changes(memory, &fact, true);
                changes.into_iter().for_each(|stmt| self.emit(stmt));
            }
        }
    }

    /// What a function of the host writes that nobody has documented.
    fn written_by(&mut self, host: &Host, args: &[Val]) {
        match host.abi {
            Abi::Core => self.world_changes("while it is called"),
            Abi::Canonical { allocates: true } => {
                self.passed_by_memory("what is allocated for results");
            }
            Abi::Canonical { allocates: false } | Abi::Builtin => {
                let Some(parameters) = &host.parameters else {
                    return;
                };
                let values: usize = parameters.known.iter().map(|one| one.values()).sum();
                let result = args
                    .last()
                    .filter(|_| parameters.others || args.len() > values);
                if let (Some(memory), Some(result)) = (host.memory, result.and_then(|a| a.expr)) {
                    let at = address(self.pool(), result);
                    self.written(memory, at, parameters.result, None, false);
                }
            }
        }
    }

    fn written_as_documented(
        &mut self,
        caller: usize,
        known: &crate::wasi::Documented,
        args: &[Val],
    ) {
        let Some(&memory) = self.store.instances[caller].memories.first() else {
            return;
        };
        if known.buffers {
            let changes = self.memory_changes(memory, "what a function of WASI writes", false);
            changes.into_iter().for_each(|stmt| self.emit(stmt));
        }
        for (at, bytes) in known.writes {
            if let Some(expr) = args.get(*at).and_then(|arg| arg.expr) {
                let at = address(self.pool(), expr);
                self.written(memory, at, *bytes, None, true);
            }
        }
    }
}

/// A text without what would be read as an argument of a story.
fn plain(text: &str) -> String {
    text.replace(['{', '}'], "'")
}
