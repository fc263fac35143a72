//! From the tree to a program.
//!
//! A C program becomes one process. Calls are inlined; variables are split into scalars; pointers
//! are numbers (`pointer`). What a pointer may be to is found by lowering the program again until
//! nothing is added (`Facts`). What is not followed is a step after which everything may fail
//! (`sink`): a verdict depends on it only if a run comes there.

mod agent;
mod arguments;
mod attributes;
mod build;
mod call;
mod checks;
mod compact;
mod compose;
mod computed;
mod constant;
mod contents;
mod control;
mod convert;
mod counted;
mod declare;
mod documented;
mod effects;
mod expression;
mod extent;
mod filled;
mod flow;
mod heap;
mod library;
mod locks;
mod memory;
mod operators;
mod orders;
mod overlap;
mod pointer;
mod ranges;
mod second_run;
mod secrecy;
mod shadow;
mod statement;
mod stretch;
mod taint;
mod thread;
mod types;
mod unsigned;
mod value;
mod written_texts;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lang_c::ast::{FunctionDefinition, TranslationUnit};
use lang_c::span::Node;
use model::{
    Assumption, CheckId, Composition, EnumDecl, EnumId, ExprId, ExprPool, Fault, FiniteRuns,
    IdPolicy, LocId, Origin, Place, Process, Program, Start, Stmt,
};
use policy::{Arguments, Names, Net, Policy};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::codes::{names as code, notes};
use crate::ctype::{CType, Signature};
use crate::layout::Records;
use crate::text::Origins;

use agent::Agent;
use build::Build;
use call::Frame;
use checks::Checks;
use memory::{Object, Storage};
use pointer::Pts;

pub(crate) use documented::{is_filling, written_behind};

/// How often the program is lowered until what pointers may be to is known.
const MAX_PASSES: usize = 20;

/// What is lowered.
pub(crate) struct Input<'a> {
    pub(crate) name: &'a str,
    pub(crate) unit: &'a TranslationUnit,
    pub(crate) origins: &'a Origins,
    pub(crate) sources: &'a SourceMap,
    pub(crate) policy: &'a Policy,
    pub(crate) net: Option<&'a Net>,
}

/// What an object is known by in every pass.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Literal(Vec<u8>),
    Global(String),
    /// The calls that lead to it, its place in the text, its name.
    Variable(String, usize, String),
}

impl Key {
    fn literal(contents: &[u8]) -> Key {
        Key::Literal(contents.to_vec())
    }

    fn global(name: &str) -> Key {
        Key::Global(name.to_owned())
    }

    fn variable(path: &str, at: usize, name: &str) -> Key {
        Key::Variable(path.to_owned(), at, name.to_owned())
    }
}

/// What one pass tells the next. It only grows.
#[derive(Clone, PartialEq, Debug, Default)]
struct Facts {
    ids: HashMap<Key, usize>,
    objects: Vec<Object>,
    /// What the pointers in an object may be to.
    contents: BTreeMap<usize, Pts>,
    /// Texts that are told apart.
    texts: Vec<Vec<u8>>,
    /// Numbers of the program, for engines that try some.
    constants: BTreeSet<i128>,
    /// Objects whose address is taken by name.
    addressed: BTreeSet<usize>,
    /// Variables of functions that somebody points to, so that they may be gone then.
    mortal: BTreeSet<usize>,
    /// Objects that functions outside may write at any call.
    escaped: BTreeSet<usize>,
    /// Functions whose address is taken.
    taken: BTreeSet<usize>,
    /// Functions that threads run.
    creators: BTreeSet<usize>,
    /// Whether an agent moves.
    moves: bool,
    /// Whether a pointer is made a pointer to a structure.
    casts: bool,
    /// Which threads write an object while others run.
    writers: BTreeMap<usize, BTreeSet<usize>>,
    /// Places that allocate: the calls that lead to them, and where they stand.
    site_ids: HashMap<(String, usize), usize>,
    sites: Vec<heap::Site>,
    /// Variables that are declared as volatile: they may change at any time.
    volatile: BTreeSet<usize>,
    /// Objects that may be freed.
    freed: BTreeSet<usize>,
    /// The structures of the last pass.
    records: Records,
}

impl Facts {
    fn add_constant(&mut self, value: i128) {
        // A few are enough for those that try.
        if self.constants.len() < 24 {
            self.constants.insert(value);
        }
    }
}

/// What a name means.
#[derive(Clone, Debug)]
enum Symbol {
    Object(usize),
    Constant(i128),
    Function(usize),
    Type(CType),
}

/// A structure's tag.
#[derive(Clone, Copy, Debug)]
struct Tag(usize);

#[derive(Default)]
struct Scope {
    names: HashMap<String, Symbol>,
    tags: HashMap<String, Tag>,
    /// The variables that are gone when it ends.
    objects: Vec<usize>,
}

/// A function.
struct Function<'a> {
    name: String,
    signature: Rc<Signature>,
    definition: Option<&'a Node<FunctionDefinition>>,
}

/// What is put aside while a call is lowered.
struct Outer {
    scopes: Vec<Scope>,
    path: String,
}

/// A write, for finding who disturbs whom.
struct Write {
    object: usize,
    role: usize,
    at: LocId,
    /// Whether it is locking or unlocking that writes a mutex.
    by_lock: bool,
}

struct Lowering<'a> {
    origins: &'a Origins,
    sources: &'a SourceMap,
    policy: &'a Policy,
    net: Option<&'a Net>,
    names: Names,
    facts: Facts,
    diagnostics: Diagnostics,
    program: Program,
    process: Process,
    functions: Vec<Function<'a>>,
    records: Records,
    record_ids: HashMap<(usize, usize), usize>,
    enums: HashMap<String, bool>,
    scopes: Vec<Scope>,
    frames: Vec<Frame>,
    /// The calls that are open, as a text.
    path: String,
    /// How many calls have been inlined.
    calls: usize,
    /// Where the call that is lowered stands in the parser's text.
    site: usize,
    storage: HashMap<usize, Storage>,
    unions: overlap::Unions,
    alive: HashMap<usize, Place>,
    /// The lengths of objects whose size is computed.
    lengths: HashMap<usize, Place>,
    /// Whether allocated objects were made before.
    taken: HashMap<usize, Place>,
    /// Variables that last whose first values are set.
    initialised: HashSet<usize>,
    here: Option<LocId>,
    body: Vec<Stmt>,
    sink: Option<LocId>,
    checks: Checks,
    rule_checks: Vec<CheckId>,
    order_checks: Vec<CheckId>,
    text_names: EnumId,
    agent: Agent,
    /// Who runs: 0 is `main`, others are threads by their function.
    role: usize,
    thread_end: Option<LocId>,
    skipped: Option<Place>,
    writes: Vec<Write>,
    creates: Vec<LocId>,
    locks: locks::Locks,
    /// Where memory is allocated, and by which place of the program.
    allocations: Vec<(LocId, usize)>,
    picks: Vec<heap::Pick>,
    /// What has been said, so that it is said once.
    said: HashSet<(String, Span)>,
    /// Variables that the program does not have.
    temporaries: HashSet<u32>,
    /// Whether nobody asks for the value of the expression that is evaluated next.
    discarded: bool,
    /// What the policy asks about secrets.
    questions: Vec<secrecy::Question>,
    world: secrecy::World,
    /// The rules that deny the call that is lowered if it carries this.
    denying: Vec<(usize, Arguments)>,
    /// The call of a function outside that is lowered.
    calling: Option<taint::Told>,
}

/// What a program declares.
pub(crate) struct Declared {
    /// Its functions.
    pub(crate) functions: BTreeMap<String, Rc<Signature>>,
    /// Those of them that it does not define.
    pub(crate) outside: BTreeSet<String>,
    /// Its structures.
    pub(crate) records: Records,
}

/// The functions of a program and their types.
pub(crate) fn declared(input: &Input<'_>) -> Declared {
    let mut lowering = Lowering::new(input, Facts::default());
    lowering.globals(input.unit);
    let outside = lowering.functions.iter();
    let outside = outside.filter(|function| function.definition.is_none());
    let outside = outside.map(|function| function.name.clone()).collect();
    let functions = lowering.functions.into_iter();
    Declared {
        outside,
        functions: functions
            .map(|function| (function.name, function.signature))
            .collect(),
        records: lowering.records,
    }
}

/// Lowers a program.
pub(crate) fn lower(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Program> {
    let mut facts = Facts::default();
    for rule in &input.policy.rules {
        for permission in &rule.permissions {
            for (text, _) in permission.arguments.texts() {
                facts.texts.push(text.as_bytes().to_vec());
            }
        }
    }
    facts.texts.sort();
    facts.texts.dedup();
    for pass in 1.. {
        let before = facts.clone();
        let mut lowering = Lowering::new(input, facts);
        lowering.run(input);
        if lowering.diagnostics.has_errors() {
            diagnostics.append(lowering.diagnostics);
            return None;
        }
        let done = lowering.facts == before;
        if done || pass == MAX_PASSES {
            if !done {
                lowering.program.cut(model::Cut {
                    text: "what pointers may be to is found in a few passes".to_owned(),
                    by: model::CutBy::Default,
                    span: Span::NONE,
                    properties: None,
                });
            }
            diagnostics.append(lowering.diagnostics);
            return Some(lowering.program);
        }
        facts = lowering.facts;
    }
    None
}

impl<'a> Lowering<'a> {
    fn new(input: &Input<'a>, facts: Facts) -> Self {
        let mut program = Program::new(input.name, "C");
        program.composition = Composition::Interleaving {
            ids: IdPolicy::Fresh,
        };
        program.finite_runs = FiniteRuns::Stutter;
        let fault = program.add_fault(Fault {
            name: "undefined".to_owned(),
            message: "undefined behaviour".to_owned(),
        });
        program.division_fault = Some(fault);
        program.index_fault = Some(fault);
        program.range_fault = Some(fault);
        program.display.steps = true;
        let mut members: Vec<String> = facts
            .texts
            .iter()
            .map(|text| crate::literal::quoted(text))
            .collect();
        members.push("...".to_owned());
        let text_names = program.add_enum(EnumDecl {
            name: "text".to_owned(),
            members,
        });
        let agent = Agent::nowhere(&mut program.exprs);
        Lowering {
            origins: input.origins,
            sources: input.sources,
            policy: input.policy,
            net: input.net,
            names: Names::new(input.policy, input.net),
            facts,
            diagnostics: Diagnostics::new(),
            program,
            process: Process::new("main"),
            functions: Vec::new(),
            records: Records::default(),
            record_ids: HashMap::new(),
            enums: HashMap::new(),
            scopes: vec![Scope::default()],
            frames: Vec::new(),
            path: String::new(),
            calls: 0,
            site: 0,
            storage: HashMap::new(),
            unions: overlap::Unions::default(),
            alive: HashMap::new(),
            lengths: HashMap::new(),
            taken: HashMap::new(),
            initialised: HashSet::new(),
            here: None,
            body: Vec::new(),
            sink: None,
            checks: Checks::new(),
            rule_checks: Vec::new(),
            order_checks: Vec::new(),
            text_names,
            agent,
            role: 0,
            thread_end: None,
            skipped: None,
            writes: Vec::new(),
            creates: Vec::new(),
            locks: locks::Locks::default(),
            allocations: Vec::new(),
            picks: Vec::new(),
            said: HashSet::new(),
            temporaries: HashSet::new(),
            discarded: false,
            questions: Vec::new(),
            world: secrecy::World::default(),
            denying: Vec::new(),
            calling: None,
        }
    }

    fn run(&mut self, input: &Input<'a>) {
        self.type_sites();
        self.declare_rules();
        self.assume();
        self.attributes(input.unit);
        self.globals(input.unit);
        let main = self
            .functions
            .iter()
            .position(|function| function.name == "main" && function.definition.is_some());
        let Some(main) = main else {
            let message = "the program has no function `main`";
            self.error(code::NO_MAIN, Span::NONE, message);
            return;
        };
        let entry = self.location(Span::NONE);
        self.process.entry = entry;
        self.here = Some(entry);
        let span = self.functions[main]
            .definition
            .map_or(Span::NONE, |definition| {
                self.span(definition.node.declarator.span)
            });
        self.agent = self.new_agent("main", span);
        let values = self.main_arguments(main, span);
        self.inline(main, &values, span);
        self.end(span);
        self.finish_picks();
        self.find_writers();
        self.find_secrets();
        self.finish_sink();
        self.facts.records = self.records.clone();
        let mut process = std::mem::replace(&mut self.process, Process::new(""));
        let questions = std::mem::take(&mut self.questions);
        self.world.threads = !self.facts.creators.is_empty();
        let (program, world) = (&mut self.program, &self.world);
        secrecy::answer(program, &mut process, self.sink, questions, world);
        compact::compact(&mut process, &mut self.program.exprs, self.sources);
        ranges::prune(&mut process, &self.program.globals, &self.program.exprs);
        compact::compact(&mut process, &mut self.program.exprs, self.sources);
        let process = self.program.add_process(process);
        self.program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }

    /// What is taken for granted in every verdict.
    fn assume(&mut self) {
        for text in [
            "signed arithmetic that overflows wraps around",
            "functions outside of the program use what they are given as documented, and reach \
             nothing else",
            "C is read as its standard says, and as GNU C does on x86-64 where the standard leaves it \
             open",
        ] {
            self.program.add_assumption(Assumption {
                text: text.to_owned(),
                origin: Origin::Semantics,
                properties: None,
                span: Span::NONE,
            });
        }
    }

    fn pool(&mut self) -> &mut ExprPool {
        &mut self.program.exprs
    }

    fn is_true(&self, cond: ExprId) -> bool {
        self.program.exprs.number(cond) == Some(1)
    }

    fn is_false(&self, cond: ExprId) -> bool {
        self.program.exprs.number(cond) == Some(0)
    }

    fn span(&self, span: lang_c::span::Span) -> Span {
        self.origins.span(span)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    /// Lists something that is not followed.
    fn note(&mut self, what: &str, span: Span) {
        if self.said.insert((what.to_owned(), span)) {
            let message = format!("not followed: {what}");
            let note = Diagnostic::note(notes::NOT_MODELLED, message).at(span);
            self.diagnostics.push(note);
        }
    }

    /// Something that cannot be gone on with, wherever runs come.
    fn refuse(&mut self, what: &str, span: Span) {
        self.note(what, span);
        self.program.cut(model::Cut {
            text: format!("{what} makes no difference"),
            by: model::CutBy::Default,
            span,
            properties: None,
        });
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
    }

    fn declare(&mut self, name: String, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, symbol);
        }
    }

    fn tag(&self, name: &str) -> Option<Tag> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.tags.get(name).copied())
    }

    fn own_tag(&self, name: &str) -> Option<Tag> {
        self.scopes
            .last()
            .and_then(|scope| scope.tags.get(name).copied())
    }

    fn add_tag(&mut self, name: &str, tag: Tag) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(name.to_owned(), tag);
        }
    }

    fn is_global_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    fn enter_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Ends a block: its variables are gone.
    fn leave_scope(&mut self) {
        self.gone_above(self.scopes.len() - 1);
        self.scopes.pop();
    }

    /// What is declared in the scopes beyond so many is gone.
    fn gone_above(&mut self, depth: usize) {
        let gone: Vec<usize> = self.scopes[depth..]
            .iter()
            .flat_map(|scope| scope.objects.iter().copied())
            .filter(|object| self.facts.mortal.contains(object))
            .collect();
        for object in gone {
            let alive = self.alive(object);
            let no = self.pool().bool(false);
            self.assign(alive, no);
        }
    }

    /// Whether a variable of an inner block can be pointed to.
    fn has_mortal(&self) -> bool {
        let inner = self.scopes.iter().skip(3);
        let mut objects = inner.flat_map(|scope| scope.objects.iter());
        objects.any(|object| self.facts.mortal.contains(object))
    }

    fn enter_function(&mut self, at: usize) -> Outer {
        let rest = self.scopes.split_off(1);
        self.scopes.push(Scope::default());
        let path = format!("{}{at}@{}/", self.path, self.site);
        Outer {
            scopes: rest,
            path: std::mem::replace(&mut self.path, path),
        }
    }

    fn leave(&mut self, outer: Outer) {
        self.scopes.truncate(1);
        self.scopes.extend(outer.scopes);
        self.path = outer.path;
    }

    /// Runs something for what it would give, without any step.
    fn unevaluated<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> T {
        let here = self.here.take();
        let body = std::mem::take(&mut self.body);
        let value = of(self);
        self.here = here;
        self.body = body;
        value
    }
}
