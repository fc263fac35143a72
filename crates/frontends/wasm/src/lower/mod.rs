//! From instances to a program.
//!
//! A module becomes one process: first what runs when instances are made, then a loop in which the
//! host calls one of the functions that it can reach. Calls are inlined. Locals and globals that are
//! numbers are variables; of memory it is known which zones still have their first contents
//! (`memory`). What is not followed is a step after which everything may fail (`sink`): a verdict
//! depends on it only if a run comes there.

mod arithmetic;
mod call;
mod code;
mod facts;
mod flow;
mod host;
mod joined;
mod memory;
mod monitor;
mod plain;
mod relevance;
mod texts;
mod values;

use std::collections::HashSet;

use model::{
    Assumption, CheckId, Composition, ExprPool, Fault, FiniteRuns, IdPolicy, LocId, Origin, Place,
    Process, Program, Start, Stmt,
};
use policy::{Names, Net, Policy, Standing};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::codes;
use crate::link::Store;
use crate::listing::Listing;
use crate::load::Texts;

use facts::{Facts, Modelled, Written};

/// What is lowered.
pub(crate) struct Input<'a> {
    pub(crate) name: &'a str,
    pub(crate) store: &'a Store<'a>,
    pub(crate) listing: &'a Listing,
    pub(crate) sources: &'a SourceMap,
    pub(crate) policy: &'a Policy,
    pub(crate) net: Option<&'a Net>,
    pub(crate) texts: Texts,
}

/// Programs are not followed beyond this number of steps.
const MAX_STEPS: usize = 60_000;
/// Nor beyond this number of variables.
const MAX_VARIABLES: usize = 120_000;
/// Expressions that are larger, written out, are kept in variables.
const MAX_EXPRESSION: u32 = 400;
/// How many calls of one function may be open at once.
const MAX_RECURSION: usize = 4;
/// How many calls may be open at once.
const MAX_FRAMES: usize = 48;

struct Lowering<'a> {
    input: &'a Input<'a>,
    store: &'a Store<'a>,
    names: Names,
    standing: Standing,
    diagnostics: Diagnostics,
    program: Program,
    process: Process,
    here: Option<LocId>,
    body: Vec<Stmt>,
    /// Where runs go that are not followed.
    sink: Option<LocId>,
    /// Where the host chooses what it calls; none until there is something to call.
    host: Option<LocId>,
    /// Whether the host has been called and has not returned, where that can be.
    nested: Option<Place>,
    /// Where runs go after a trap; none if they end.
    after_trap: Option<LocId>,
    rule_checks: Vec<CheckId>,
    /// For each global of the store, where it is kept.
    globals: Vec<Option<Place>>,
    memories: Vec<Modelled>,
    /// What earlier passes have found.
    facts: Facts,
    /// What this pass finds that code writes.
    now_written: Written,
    /// The functions whose calls are open.
    path: Vec<usize>,
    /// What has been said, so that it is said once.
    said: HashSet<(String, Span)>,
}

/// Lowers a module or a component.
pub(crate) fn lower(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Program {
    // The first time over finds the addresses at which variables are kept in memory, the second what
    // is written.
    let mut first = Lowering::new(input, Facts::default());
    first.run();
    let accesses = first.facts.accesses;
    let mut second = Lowering::new(
        input,
        Facts {
            accesses: accesses.clone(),
            written: None,
        },
    );
    second.run();
    let facts = Facts {
        accesses,
        written: Some(second.now_written),
    };
    let mut lowering = Lowering::new(input, facts);
    lowering.run();
    diagnostics.append(lowering.diagnostics);
    lowering.program
}

impl<'a> Lowering<'a> {
    fn new(input: &'a Input<'a>, facts: Facts) -> Self {
        let mut program = Program::new(input.name, "WebAssembly");
        program.composition = Composition::Interleaving {
            ids: IdPolicy::Fresh,
        };
        program.finite_runs = FiniteRuns::Stutter;
        let fault = program.add_fault(Fault {
            name: "trap".to_owned(),
            message: "a trap".to_owned(),
        });
        program.division_fault = Some(fault);
        program.display.steps = true;
        let standing = Standing::nowhere(&mut program.exprs);
        Lowering {
            input,
            store: input.store,
            names: Names::new(input.policy, input.net),
            standing,
            diagnostics: Diagnostics::new(),
            program,
            process: Process::new("module"),
            here: None,
            body: Vec::new(),
            sink: None,
            host: None,
            nested: None,
            after_trap: None,
            rule_checks: Vec::new(),
            globals: Vec::new(),
            memories: Vec::new(),
            facts,
            now_written: Written::default(),
            path: Vec::new(),
            said: HashSet::new(),
        }
    }

    fn run(&mut self) {
        self.declare_rules();
        self.assume();
        let entry = self.location(Span::NONE);
        self.process.entry = entry;
        self.here = Some(entry);
        self.begin_standing();
        self.begin_memories();
        self.begin_nesting();
        self.begin_globals();
        for what in &self.store.not_followed {
            self.note(what, Span::NONE);
        }
        if let Some(what) = self.store.not_followed.first() {
            // What is not followed may run at any time.
            let maybe = self.any_truth(&format!("whether {what} runs"), false);
            self.sink_if(maybe, what, Span::NONE);
        }
        let host = self.location(Span::NONE);
        self.begin_instances(host);
        self.jump(host, Span::NONE);
        self.host(host);
        self.finish_sink();
        let mut process = std::mem::replace(&mut self.process, Process::new(""));
        relevance::drop_irrelevant(&mut process, &self.program.exprs);
        joined::join(&mut process, &mut self.program.exprs);
        let process = self.program.add_process(process);
        self.program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }

    /// What is taken for granted in every verdict.
    fn assume(&mut self) {
        let entries = match self.store.is_component {
            true => {
                "the host calls what the component exports, in any order and any number of times, \
                 and does not enter it while it calls out"
            }
            false => {
                "the host calls what the module exports, in any order and any number of times, also \
                 while the module calls it"
            }
        };
        let mut texts = vec![entries.to_owned()];
        if self.uses_wasi() {
            texts.push(
                "functions of wasi_snapshot_preview1 do what is documented: they write what they \
                 are given to write, and do not call the module"
                    .to_owned(),
            );
        }
        match self.input.texts {
            Texts::Any => {}
            Texts::Counted => texts.push(
                "functions outside of the module are given texts by an address and a length"
                    .to_owned(),
            ),
            Texts::Terminated => texts.push(
                "functions outside of the module are given texts that end with zero".to_owned(),
            ),
        }
        for text in texts {
            self.program.add_assumption(Assumption {
                text,
                origin: Origin::Semantics,
                properties: None,
                span: Span::NONE,
            });
        }
    }

    fn pool(&mut self) -> &mut ExprPool {
        &mut self.program.exprs
    }

    /// Lists something that is not followed.
    fn note(&mut self, what: &str, span: Span) {
        if self.said.insert((what.to_owned(), span)) {
            let message = format!("not followed: {what}");
            let note = Diagnostic::note(codes::NOT_FOLLOWED, message).at(span);
            self.diagnostics.push(note);
        }
    }
}
