//! Names resolved, calls inlined, `let` renamed: each process that runs by itself becomes one
//! expression over its own variables.
//!
//! A call stands for the text of the process. Its parameters stand for the arguments; where that
//! could be noticed (the parameter is assigned to, or the argument's variables may change meanwhile)
//! the parameter is a variable of its own, which gets its value when the first action is taken. A call
//! of a text that names a process is a choice among the processes it may name.

mod assigned;
mod called;
mod candidates;
mod outside;
mod undeclared;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use source::{Diagnostic, Diagnostics, Span};

use assigned::assigned;

use crate::ast::{Call, Process, ProcessDef, ProcessKind, Script, Term, TermKind, Word};
use crate::behaviour::{Atom, Core, CoreId, Cores, Inlined, Test, Variable};
use crate::codes::{names as code, suspicious, syntax};
use crate::constants::{self, Constant};
use crate::library::{BuiltIn, built_ins};
use crate::load::Dialect;
use crate::term::{Pattern, VarId};
use crate::types::{Fit, Type};

/// Actions that all calls of one process may make together.
const MOST_ATOMS: usize = 100_000;

/// What a script says, names resolved.
pub(crate) struct Resolved {
    /// Processes that run by themselves: those that are started, then those that are created.
    pub(crate) processes: Vec<Inlined>,
    /// The processes started, as positions in `processes`, with their arguments.
    pub(crate) started: Vec<(usize, Vec<Pattern>, Span)>,
    /// Processes that only see what the others do.
    pub(crate) observers: Vec<Inlined>,
    /// Constants that other scripts define.
    pub(crate) constants: Vec<(String, Constant)>,
    /// A call of a process that is not defined here.
    pub(crate) calls_others: Option<(String, Span)>,
    /// Whether the name of a process that is called or started is a slip.
    pub(crate) has_slips: bool,
    /// Whether a call of a variable passes over a process because of its types.
    pub(crate) passes_over: bool,
}

/// Resolves a script. Of an open one all processes start that no other calls or creates, if it does not
/// say which do; those with parameters when other scripts call them.
pub(crate) fn resolve(
    script: &Script,
    observing: &[(String, Span)],
    open: bool,
    diagnostics: &mut Diagnostics,
) -> Resolved {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (index, process) in script.processes.iter().enumerate() {
        if let Some(&before) = by_name.get(process.name.as_str()) {
            let name = &process.name;
            diagnostics.push(
                Diagnostic::error(code::TWICE, format!("process `{name}` is defined twice"))
                    .at(process.name_span)
                    .label(script.processes[before].name_span, "here already"),
            );
        }
        by_name.entry(&process.name).or_insert(index);
    }
    let mut tools: HashMap<&str, Span> = HashMap::new();
    for tool in &script.tools {
        if let Some(before) = tools.insert(&tool.name, tool.span) {
            let name = &tool.name;
            diagnostics.push(
                Diagnostic::error(
                    code::DUPLICATE_TOOL,
                    format!("tool `{name}` is defined twice"),
                )
                .at(tool.span)
                .label(before, "here already"),
            );
        }
    }
    let (first, by_others) = match script.started.as_slice() {
        [] if open => called::by_nobody(script),
        started => (started.to_vec(), Vec::new()),
    };
    let starts = !first.is_empty() || !by_others.is_empty();
    if !starts && !diagnostics.has_errors() {
        let diagnostic = Diagnostic::error(code::NOTHING_STARTED, "no process is started")
            .help("say which processes start: `toolbus(P, Q)`");
        diagnostics.push(match script.processes.first() {
            Some(first) => diagnostic.at(first.name_span),
            None => diagnostic,
        });
    }
    let mut inliner = Inliner {
        script,
        by_name,
        // Their types are those of both buses.
        built_ins: built_ins(Dialect::Ng),
        diagnostics,
        used: HashSet::new(),
        wanted: Vec::new(),
        constants: constants::of(script),
        defined_elsewhere: Vec::new(),
        calls_others: None,
        has_slips: false,
        passes_over: false,
        atoms: Vec::new(),
        variables: Vec::new(),
        cores: Cores::default(),
        stack: Vec::new(),
        reported: HashSet::new(),
        supposing: false,
        open,
        full: false,
    };
    let mut started = Vec::new();
    for call in &first {
        let args: Vec<Pattern> = call
            .args
            .iter()
            .map(|arg| inliner.term(arg, &Scope::default(), false))
            .collect();
        if let Some(index) = inliner.known(call)
            && inliner.right_arity(call, index)
        {
            started.push((inliner.want(Entry::Own(index)), args, call.span));
        }
    }
    for &index in &by_others {
        let at = inliner.want(Entry::ByOthers(index));
        started.push((at, Vec::new(), script.processes[index].name_span));
    }
    let mut processes = Vec::new();
    while processes.len() < inliner.wanted.len() {
        source::limits::check();
        let entry = inliner.wanted[processes.len()];
        processes.push(inliner.process(entry));
    }
    let mut observers = Vec::new();
    for (name, span) in observing {
        let call = Call {
            name: name.clone(),
            args: Vec::new(),
            span: *span,
        };
        if let Some(index) = inliner.known(&call)
            && inliner.right_arity(&call, index)
        {
            inliner.used.insert(index);
            observers.push(inliner.process(Entry::Own(index)));
        }
    }
    let all_read = starts && script.unread.is_empty();
    for (index, process) in script.processes.iter().enumerate().filter(|_| all_read) {
        let is_other = inliner.by_name.get(process.name.as_str()) != Some(&index);
        if !inliner.used.contains(&index) && !is_other {
            inliner.diagnostics.push(
                Diagnostic::warning(
                    suspicious::UNUSED,
                    format!("process `{}` is never started", process.name),
                )
                .at(process.name_span),
            );
        }
    }
    Resolved {
        processes,
        started,
        observers,
        constants: inliner.defined_elsewhere,
        calls_others: inliner.calls_others,
        has_slips: inliner.has_slips,
        passes_over: inliner.passes_over,
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Binding {
    /// A variable that may be assigned to.
    Var(VarId),
    /// An argument.
    Value(Pattern),
}

/// A process that runs by itself, by its position in the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    /// One that the script starts or creates.
    Own(usize),
    /// One that other scripts call: what it is given may be anything.
    ByOthers(usize),
}

impl Entry {
    fn index(self) -> usize {
        match self {
            Entry::Own(index) | Entry::ByOthers(index) => index,
        }
    }
}

/// Names in force.
#[derive(Clone, Default, Debug)]
struct Scope(HashMap<String, Binding>);

struct Inliner<'s, 'd> {
    script: &'s Script,
    by_name: HashMap<&'s str, usize>,
    built_ins: Vec<BuiltIn>,
    diagnostics: &'d mut Diagnostics,
    used: HashSet<usize>,
    /// Processes that run by themselves.
    wanted: Vec<Entry>,
    /// What names may be that look like constants of another script, and stand for nothing here.
    constants: HashMap<String, Constant>,
    /// Those of them that have been used.
    defined_elsewhere: Vec<(String, Constant)>,
    calls_others: Option<(String, Span)>,
    has_slips: bool,
    passes_over: bool,
    atoms: Vec<Atom>,
    variables: Vec<Variable>,
    cores: Cores,
    /// The calls that are being inlined.
    stack: Vec<usize>,
    /// What has been said already.
    reported: HashSet<(Span, String)>,
    /// Whether what is inlined is called only if some text is the name of a process.
    supposing: bool,
    /// Whether processes may be defined elsewhere.
    open: bool,
    full: bool,
}

impl<'s> Inliner<'s, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self
            .reported
            .insert((diagnostic.span, diagnostic.message.clone()))
        {
            self.diagnostics.push(diagnostic);
        }
    }

    fn want(&mut self, entry: Entry) -> usize {
        self.used.insert(entry.index());
        match self.wanted.iter().position(|&wanted| wanted == entry) {
            Some(at) => at,
            None => {
                self.wanted.push(entry);
                self.wanted.len() - 1
            }
        }
    }

    fn known(&mut self, call: &Call) -> Option<usize> {
        let found = self.by_name.get(call.name.as_str()).copied();
        if found.is_none() && !self.open && !self.script.unread.contains(&call.name) {
            let mut diagnostic = Diagnostic::error(
                code::NO_PROCESS,
                format!("there is no process `{}`", call.name),
            )
            .at(call.span);
            match source::suggest(&call.name, self.by_name.keys().copied()) {
                Some(near) => {
                    self.has_slips = true;
                    diagnostic = diagnostic.help(format!("`{near}` was probably meant"));
                }
                None if self.calls_others.is_none() => {
                    self.calls_others = Some((call.name.clone(), call.span));
                }
                None => {}
            }
            self.report(diagnostic.help("if another script defines it, say `--open`"));
        }
        found
    }

    fn right_arity(&mut self, call: &Call, index: usize) -> bool {
        let process = &self.script.processes[index];
        let right = process.formals.len() == call.args.len();
        if !right {
            // It is meant all the same.
            self.used.insert(index);
            self.report(
                Diagnostic::error(
                    syntax::ARITY,
                    format!(
                        "`{}` takes {} arguments, not {}",
                        call.name,
                        process.formals.len(),
                        call.args.len()
                    ),
                )
                .at(call.span)
                .label(process.name_span, "it is defined here"),
            );
        }
        right
    }

    fn process(&mut self, entry: Entry) -> Inlined {
        let index = entry.index();
        let script = self.script;
        let definition: &'s ProcessDef = &script.processes[index];
        self.atoms.clear();
        self.variables.clear();
        self.cores = Cores::default();
        self.full = false;
        let mut scope = Scope::default();
        for formal in &definition.formals {
            let var = self.declare(&formal.name, Type::of_term(&formal.ty), formal.span);
            scope.0.insert(formal.name.clone(), Binding::Var(var));
        }
        let mut parameters = self.variables.len();
        self.stack.push(index);
        let mut root = self.expression(&definition.body, &scope);
        self.stack.pop();
        let by_others = entry == Entry::ByOthers(index);
        if by_others {
            root = self.called_by_others(definition, parameters, root);
            parameters = 0;
        }
        Inlined {
            index: if by_others { usize::MAX } else { index },
            name: definition.name.clone(),
            span: definition.name_span,
            variables: std::mem::take(&mut self.variables),
            parameters,
            atoms: std::mem::take(&mut self.atoms),
            cores: std::mem::take(&mut self.cores),
            root,
            outermost: HashSet::new(),
            ng: false,
            choices: 0,
        }
    }

    fn declare(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        let id = VarId(u32::try_from(self.variables.len()).expect("few variables"));
        self.variables.push(Variable {
            name: name.to_owned(),
            ty,
            span,
        });
        id
    }

    fn expression(&mut self, process: &Process, scope: &Scope) -> CoreId {
        match &process.kind {
            ProcessKind::Atom(atom) => self.atom(atom, process.span, scope),
            ProcessKind::Create { call, pid } => self.create(call, pid.as_ref(), scope),
            ProcessKind::Call(call) => self.call(call, scope),
            ProcessKind::Sequence(parts) => {
                let parts: Vec<CoreId> = self.all(parts, scope);
                let mut parts = parts.into_iter().rev();
                let last = parts.next().expect("a sequence has parts");
                parts.fold(last, |then, first| self.cores.sequence(first, then))
            }
            ProcessKind::Choice(parts) => {
                let parts = self.all(parts, scope);
                self.cores.add(Core::Choice(parts))
            }
            ProcessKind::Biased { second_best, best } => {
                let core = Core::Biased {
                    second_best: self.expression(second_best, scope),
                    best: self.expression(best, scope),
                };
                self.cores.add(core)
            }
            ProcessKind::Iteration(body, exit) => {
                let body = self.expression(body, scope);
                let exit = self.expression(exit, scope);
                self.cores.add(Core::Iteration(body, exit))
            }
            ProcessKind::Merge(parts) => {
                let parts = self.all(parts, scope);
                self.cores.merge(parts)
            }
            ProcessKind::Disrupt(first, then) => {
                let first = self.expression(first, scope);
                let then = self.expression(then, scope);
                self.cores.add(Core::Disrupt(first, then))
            }
            ProcessKind::If(test, then, otherwise) => {
                let test = self.term(test, scope, true);
                let then = self.expression(then, scope);
                let then = self.tested(&test, true, then);
                match otherwise {
                    None => then,
                    Some(otherwise) => {
                        let otherwise = self.expression(otherwise, scope);
                        let otherwise = self.tested(&test, false, otherwise);
                        self.cores.add(Core::Choice(vec![then, otherwise]))
                    }
                }
            }
            ProcessKind::Let(declarations, body) => {
                let mut scope = scope.clone();
                for declaration in declarations {
                    let ty = Type::of_term(&declaration.ty);
                    let var = self.declare(&declaration.name, ty, declaration.span);
                    scope.0.insert(declaration.name.clone(), Binding::Var(var));
                }
                self.expression(body, &scope)
            }
        }
    }

    fn all(&mut self, parts: &[Process], scope: &Scope) -> Vec<CoreId> {
        parts
            .iter()
            .map(|part| self.expression(part, scope))
            .collect()
    }

    /// The test before the first actions.
    fn tested(&mut self, test: &Pattern, wanted: bool, then: CoreId) -> CoreId {
        let test = Test {
            test: test.clone(),
            wanted,
        };
        self.cores.add(Core::If { test, then })
    }

    fn push_atom(&mut self, atom: Atom) -> CoreId {
        if self.atoms.len() >= MOST_ATOMS {
            if !self.full {
                self.full = true;
                let process = &self.script.processes[self.stack[0]];
                let message = format!(
                    "process `{}` has more than {MOST_ATOMS} actions, with what it calls",
                    process.name
                );
                let diagnostic = Diagnostic::error(code::TOO_LARGE, message)
                    .at(process.name_span)
                    .label(atom.span, "this is one too many");
                self.report(diagnostic);
            }
            return self.cores.add(Core::Choice(Vec::new()));
        }
        self.atoms.push(atom);
        let atom = Core::Atom(self.atoms.len() - 1);
        self.cores.add(atom)
    }

    fn atom(&mut self, atom: &crate::ast::Atom, span: Span, scope: &Scope) -> CoreId {
        if atom.word == Word::Delta {
            return self.cores.add(Core::Choice(Vec::new()));
        }
        let mut args: Vec<Pattern> = Vec::new();
        for (position, arg) in atom.args.iter().enumerate() {
            let evaluated = atom.word == Word::Assign && position == 1;
            args.push(self.term(arg, scope, evaluated));
        }
        if atom.word == Word::Assign {
            match (&args[0], &args[1]) {
                (Pattern::Var(var), value) | (Pattern::Result(var), value) => {
                    let wanted = self.variables[var.index()].ty.clone();
                    self.check_type(value, &wanted, atom.args[1].span, true);
                    args[0] = Pattern::Result(*var);
                }
                _ => {
                    // That there is no such variable has been reported.
                    let is_known = match &atom.args[0].kind {
                        TermKind::Var { name, .. } => scope.0.contains_key(name),
                        _ => true,
                    };
                    if is_known {
                        self.report(
                            Diagnostic::error(
                                code::RESULT,
                                "only a variable of this process can be assigned to",
                            )
                            .at(atom.args[0].span),
                        );
                    }
                    return self.cores.add(Core::Done);
                }
            }
        }
        self.push_atom(Atom {
            word: atom.word,
            args,
            creates: None,
            delayed: atom.delayed,
            delay: atom.delay.as_ref().and_then(Term::seconds),
            timeout: atom.timeout.as_ref().and_then(Term::seconds),
            span,
        })
    }

    /// The type of a term; `evaluated`: functions of the language have their result's.
    fn type_of(&self, term: &Pattern, evaluated: bool) -> Type {
        if evaluated && let Pattern::Apply(name, args) = term {
            if &**name == "quote" {
                return Type::Term;
            }
            let found = self
                .built_ins
                .iter()
                .find(|f| f.name == &**name && f.arity == args.len());
            if let Some(built_in) = found {
                return built_in.result.clone();
            }
            if args
                .iter()
                .any(|arg| self.type_of(arg, true) != self.type_of(arg, false))
            {
                return Type::Apply(name.to_string(), None);
            }
        }
        term.ty(&|var| self.variables[var.index()].ty.clone())
    }

    fn check_type(&mut self, value: &Pattern, wanted: &Type, span: Span, evaluated: bool) {
        let own = self.type_of(value, evaluated);
        if own.fits(wanted) == Fit::Never && wanted.fits(&own) == Fit::Never {
            self.report(
                Diagnostic::error(
                    code::TYPE,
                    format!("this is of type `{own}`, not of type `{wanted}`"),
                )
                .at(span),
            );
        }
    }

    fn term(&mut self, term: &Term, scope: &Scope, evaluated: bool) -> Pattern {
        match &term.kind {
            TermKind::Int(number) => Pattern::Int(*number),
            TermKind::Real(number) => Pattern::Real(number.to_bits()),
            TermKind::Str(text) => Pattern::Str(Rc::from(text.as_str())),
            TermKind::Bool(truth) => Pattern::Bool(*truth),
            TermKind::Placeholder(ty) => Pattern::Placeholder(Type::of_term(ty)),
            TermKind::List(items) => Pattern::List(
                items
                    .iter()
                    .map(|item| self.term(item, scope, evaluated))
                    .collect(),
            ),
            TermKind::Apply(name, args) => {
                if evaluated && name == "quote" {
                    return Pattern::Apply(
                        "quote".into(),
                        args.iter()
                            .map(|arg| self.term(arg, scope, false))
                            .collect(),
                    );
                }
                if evaluated && name == "process-name" && args.is_empty() {
                    let running = self
                        .stack
                        .first()
                        .map(|&index| &self.script.processes[index]);
                    return Pattern::Str(running.map_or("", |process| &process.name).into());
                }
                if evaluated {
                    self.check_built_in(name, args.len(), term.span);
                }
                Pattern::Apply(
                    name.as_str().into(),
                    args.iter()
                        .map(|arg| self.term(arg, scope, evaluated))
                        .collect(),
                )
            }
            TermKind::Var { name, result } => match scope.0.get(name) {
                Some(Binding::Var(var)) if *result => Pattern::Result(*var),
                Some(Binding::Var(var)) => Pattern::Var(*var),
                Some(Binding::Value(value)) if !*result => value.clone(),
                Some(Binding::Value(_)) => {
                    self.report(
                        Diagnostic::error(
                            code::RESULT,
                            format!("`{name}` is a parameter without `?` and keeps its value"),
                        )
                        .at(term.span),
                    );
                    Pattern::Placeholder(Type::Term)
                }
                None => self.constant(name, *result, term.span, scope),
            },
        }
    }

    fn check_built_in(&mut self, name: &str, given: usize, span: Span) {
        let mut arities = self
            .built_ins
            .iter()
            .filter(|f| f.name == name)
            .map(|f| f.arity)
            .peekable();
        // `sec`, `first` and the like may be plain words, too.
        if given == 0 || arities.peek().is_none() {
            return;
        }
        let arities: Vec<usize> = arities.collect();
        if !arities.contains(&given) {
            self.report(
                Diagnostic::error(
                    syntax::ARITY,
                    format!("`{name}` takes {} arguments, not {given}", arities[0]),
                )
                .at(span),
            );
        }
    }

    fn create(&mut self, call: &Call, pid: Option<&Term>, scope: &Scope) -> CoreId {
        let mut args: Vec<Pattern> = call
            .args
            .iter()
            .map(|arg| self.term(arg, scope, false))
            .collect();
        let pid = pid.map(|pid| self.term(pid, scope, false));
        if self.is_outside(call, scope) {
            return self.outside(call, pid, scope);
        }
        let candidates = self.fitting(call, scope);
        let tests = candidates
            .iter()
            .filter_map(|(_, test)| test.clone())
            .collect();
        let mut choices = Vec::new();
        for (index, test) in candidates {
            if !self.right_arity(call, index) {
                continue;
            }
            let formals = &self.script.processes[index].formals;
            for ((formal, arg), given) in formals.iter().zip(&args).zip(&call.args) {
                self.check_type(arg, &Type::of_term(&formal.ty), given.span, false);
            }
            self.want(Entry::Own(index));
            let creates = Some(index);
            args.extend(pid.clone());
            let atom = self.push_atom(Atom {
                word: Word::Create,
                args: args.clone(),
                creates,
                delayed: false,
                delay: None,
                timeout: None,
                span: call.span,
            });
            choices.push(match test {
                Some(test) => self.cores.add(Core::If { test, then: atom }),
                None => atom,
            });
        }
        self.or_outside(&mut choices, (call, pid), tests, scope);
        match choices.as_slice() {
            [only] => *only,
            _ => self.cores.add(Core::Choice(choices)),
        }
    }

    fn call(&mut self, call: &Call, scope: &Scope) -> CoreId {
        if self.is_outside(call, scope) {
            return self.outside(call, None, scope);
        }
        let candidates = self.fitting(call, scope);
        let tests = candidates
            .iter()
            .filter_map(|(_, test)| test.clone())
            .collect();
        let mut choices = Vec::new();
        for (index, test) in candidates {
            if !self.right_arity(call, index) || self.full {
                continue;
            }
            if self.stack.contains(&index) {
                self.report(
                    Diagnostic::error(
                        code::RECURSION,
                        format!("process `{}` calls itself", call.name),
                    )
                    .at(call.span)
                    .help("repeat with `*`, or start another instance with `create`"),
                );
                continue;
            }
            let supposing = self.supposing || test.is_some();
            let before = std::mem::replace(&mut self.supposing, supposing);
            let inlined = self.inlined(call, index, scope);
            self.supposing = before;
            choices.push(match test {
                Some(test) => self.cores.add(Core::If {
                    test,
                    then: inlined,
                }),
                None => inlined,
            });
        }
        self.or_outside(&mut choices, (call, None), tests, scope);
        match choices.as_slice() {
            [only] => *only,
            _ => self.cores.add(Core::Choice(choices)),
        }
    }

    fn inlined(&mut self, call: &Call, index: usize, scope: &Scope) -> CoreId {
        self.used.insert(index);
        let script = self.script;
        let definition: &'s ProcessDef = &script.processes[index];
        let assigned = assigned(definition);
        let mut inner = Scope::default();
        let mut set = Vec::new();
        let args: Vec<Pattern> = call
            .args
            .iter()
            .map(|arg| self.term(arg, scope, false))
            .collect();
        for ((formal, arg), given) in definition.formals.iter().zip(args).zip(&call.args) {
            let ty = Type::of_term(&formal.ty);
            let binding = match (formal.result, &arg) {
                (true, Pattern::Result(var)) => Binding::Var(*var),
                (true, _) => {
                    self.report(
                        Diagnostic::error(
                            code::RESULT,
                            format!(
                                "`{}` gives a result back: pass a variable with `?`",
                                formal.name
                            ),
                        )
                        .at(given.span)
                        .label(formal.span, "it is declared with `?` here"),
                    );
                    Binding::Var(self.declare(&formal.name, ty, formal.span))
                }
                (false, Pattern::Result(_)) => {
                    self.report(
                        Diagnostic::error(
                            code::RESULT,
                            format!("`{}` gives no result back", formal.name),
                        )
                        .at(given.span)
                        .label(formal.span, "it is declared without `?` here"),
                    );
                    Binding::Var(self.declare(&formal.name, ty, formal.span))
                }
                (false, _) => {
                    self.check_type(&arg, &ty, given.span, false);
                    // Where nothing is assigned to it, the parameter is what was given, by name: a variable
                    // that changes meanwhile changes it, too.
                    if assigned.contains(formal.name.as_str()) {
                        let var = self.declare(&formal.name, ty, formal.span);
                        set.push((var, arg));
                        Binding::Var(var)
                    } else {
                        Binding::Value(arg)
                    }
                }
            };
            inner.0.insert(formal.name.clone(), binding);
        }
        self.stack.push(index);
        let mut core = self.expression(&definition.body, &inner);
        self.stack.pop();
        for (var, value) in set.into_iter().rev() {
            core = self.cores.add(Core::With {
                var,
                value,
                then: core,
            });
        }
        core
    }
}
