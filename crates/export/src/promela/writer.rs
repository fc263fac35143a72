//! What all parts of the translation share: the program, where things are, and what was refused.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};

use model::{CheckId, ExprId, FaultId, Program, RichId};
use source::{Diagnostic, Span};

use super::expr::Term;
use super::layout::Layout;
use super::values::Values;
use crate::codes;

/// The condition that no move is possible, as a macro of the model.
pub(super) const NOTHING_ENABLED: &str = "nothing_enabled";

pub(super) struct Writer<'p> {
    pub(super) program: &'p Program,
    pub(super) layout: Layout<'p>,
    pub(super) values: Values<'p>,
    /// The bits that say that a check has failed, for the checks that are asked for.
    pub(super) check_flags: HashMap<CheckId, String>,
    /// The bits that say that a fault was raised.
    pub(super) fault_flags: HashMap<FaultId, String>,
    /// Where in the script we are, for refusals.
    pub(super) span: Cell<Span>,
    pub(super) refused: RefCell<Vec<Diagnostic>>,
    said: RefCell<HashSet<String>>,
    /// Rich values that are mentioned.
    pub(super) rich: RefCell<BTreeSet<RichId>>,
    /// Slots whose program counter is mentioned.
    at_used: RefCell<BTreeSet<usize>>,
    pub(super) channels_used: RefCell<BTreeSet<usize>>,
    pub(super) known_bounds: RefCell<HashMap<(ExprId, super::values::At), (i128, i128)>>,
    /// Whether `nothing_enabled` is mentioned.
    pub(super) asks_timeout: Cell<bool>,
    /// Whether `inside` is needed: something happens between stable states.
    pub(super) inside: Cell<bool>,
    labels: Cell<usize>,
}

impl<'p> Writer<'p> {
    pub(super) fn new(program: &'p Program, layout: Layout<'p>) -> Self {
        let values = Values::of(&layout);
        Writer {
            program,
            layout,
            values,
            check_flags: HashMap::new(),
            fault_flags: HashMap::new(),
            span: Cell::new(Span::NONE),
            refused: RefCell::default(),
            said: RefCell::default(),
            rich: RefCell::default(),
            at_used: RefCell::default(),
            channels_used: RefCell::default(),
            known_bounds: RefCell::default(),
            asks_timeout: Cell::new(false),
            inside: Cell::new(false),
            labels: Cell::new(0),
        }
    }

    fn push(&self, diagnostic: Diagnostic) {
        if self.said.borrow_mut().insert(diagnostic.message.clone()) {
            self.refused.borrow_mut().push(diagnostic);
        }
    }

    /// Says that the target has nothing for a construct.
    pub(super) fn refuse(&self, what: &str) {
        self.push(
            Diagnostic::error(
                codes::CONSTRUCT,
                format!("cannot be said in Promela: {what}"),
            )
            .at(self.span.get()),
        );
    }

    pub(super) fn refuse_term(&self, what: &str) -> Term {
        self.refuse(what);
        Term {
            text: "0".into(),
            faults: Vec::new(),
        }
    }

    /// Says that a number may not fit.
    pub(super) fn refuse_wide(&self) {
        self.push(
            Diagnostic::error(
                codes::INFINITE,
                "cannot be said in Promela: a number that may leave 32 bits",
            )
            .at(self.span.get())
            .help("bound what it is computed from, with --bound or in the file"),
        );
    }

    /// Says that a function's table has no end.
    pub(super) fn refuse_function(&self, name: &str) -> Term {
        self.push(
            Diagnostic::error(
                codes::INFINITE,
                format!(
                    "cannot be said in Promela: `{name}` of values of which there are too many \
                     to list"
                ),
            )
            .at(self.span.get())
            .help("bound what it is applied to, with --bound or in the file")
            .help("or translate one property only, with --property: what it does not depend on is left out"),
        );
        Term {
            text: "0".into(),
            faults: Vec::new(),
        }
    }

    /// Says that a choice is from too many values.
    pub(super) fn refuse_choice(&self, what: &str) {
        self.push(
            Diagnostic::error(
                codes::INFINITE,
                format!("cannot be said in Promela: a choice among too many values: {what}"),
            )
            .at(self.span.get())
            .help(format!("bound it: --bound {}=0..10", plain_word(what))),
        );
    }

    pub(super) fn note_rich(&self, id: RichId) {
        self.rich.borrow_mut().insert(id);
    }

    pub(super) fn note_at(&self, slot: usize) {
        if !self.at_used.borrow_mut().insert(slot) {
            return;
        }
        let entry = &self.layout.slots[slot];
        let process = &self.program.processes[entry.process.index()];
        let first = match (entry.started, process.starts_ended) {
            (true, false) => process.entry.index(),
            (true, true) => self.layout.ended(slot),
            (false, _) => self.layout.absent(slot),
        };
        let ty = if self.layout.halted(slot) > 255 {
            "short"
        } else {
            "byte"
        };
        let comment = format!("where {} is", process.name);
        self.layout
            .declare(&self.layout.at(slot), ty, first as i128, &comment);
    }

    /// Whether an instance in the slot can go away.
    pub(super) fn may_leave(&self, slot: usize) -> bool {
        let entry = &self.layout.slots[slot];
        let process = &self.program.processes[entry.process.index()];
        let control = &self.layout.controls[entry.process.index()];
        !entry.started
            || process.starts_ended
            || control
                .edges
                .iter()
                .any(|edge| process.steps[edge.step.index()].target == model::Target::End)
    }

    pub(super) fn channel_name(&self, channel: usize) -> String {
        self.channels_used.borrow_mut().insert(channel);
        let id = self.layout.channels[channel];
        let name = super::layout::plain(&self.program.channels[id.index()].name);
        format!("q{}_{name}", channel + 1)
    }

    /// Whether a receive with these fields would find a message.
    pub(super) fn poll(&self, channel: usize, fields: &[String], anywhere: bool) -> String {
        let name = self.channel_name(channel);
        if fields.iter().all(|field| field == "_") {
            return format!("(len({name}) > 0)");
        }
        let query = if anywhere { "??" } else { "?" };
        format!("{name}{query}[{}]", fields.join(", "))
    }

    /// A number for labels that nothing else has.
    pub(super) fn label(&self) -> usize {
        self.labels.set(self.labels.get() + 1);
        self.labels.get()
    }
}

fn plain_word(what: &str) -> String {
    let word: String = what
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    if word.is_empty() { "NAME".into() } else { word }
}
