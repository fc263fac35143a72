//! From automata to a program.
//!
//! Each process is a template, its variables rich values; variables whose value nobody will read are
//! undefined. A message is a rendezvous, with one channel for each pair of actions that may match, so
//! that all of the matching that can be done beforehand is. Notes and tools live in global arrays: a
//! queue for each instance, a small automaton for each tool.

mod alike;
mod answers;
mod asked;
mod checks;
mod coalesce;
mod created;
mod differences;
mod doubt;
mod early;
mod events;
mod expression;
mod facts;
mod flow;
mod held;
mod linear;
mod live;
mod mcrl2;
mod messages;
mod notes;
mod nothing;
mod observer;
mod open;
mod orphan;
mod process;
mod property;
mod range;
mod seen;
mod stale;
mod time;
mod tools;
mod vacuous;

use std::collections::{BTreeSet, HashMap};

use model::{
    Assumption, ExprId, Fault, FunctionId, GlobalId, LocId, Origin, Process, ProcessId, Program,
    Start, Type, VariableKind,
};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::annotations::Annotations;
use crate::ast::Word;
use crate::automaton::{Automaton, Condition, Move, automaton};
use crate::behaviour::{Atom, Inlined};
use crate::bounds::Bounds;
use crate::codes::names as code;
use crate::inline::Resolved;
use crate::library::{self, BuiltIn, Inner};
use crate::load::{Dialect, Options, Schedule, Time};
use crate::term::{self, Pattern};
use flow::Flow;
use held::Held;
use messages::Pair;
use notes::Notes;
use seen::Seen;
use tools::Tools;

/// A process with all that is known of it.
struct Unit {
    pub(super) inlined: Inlined,
    pub(super) automaton: Automaton,
    /// For each state, whether each variable is read later.
    pub(super) live: Vec<Vec<bool>>,
    /// For each state, whether it is left by one step that nobody else can notice.
    pub(super) silent: Vec<bool>,
    /// For each state, whether the process is about to end.
    pub(super) leaving: Vec<bool>,
    /// For each state, whether the process reads no more notes.
    pub(super) deaf: Vec<bool>,
    /// For each state, whether it neither reads notes nor sends messages any more.
    pub(super) mute: Vec<bool>,
    /// For each state, the variables whose tools are known to have vanished; none, for states behind.
    pub(super) gone: Vec<BTreeSet<term::VarId>>,
}

impl Unit {
    /// Whether guards can say which of a state's actions come before others: those that are preferred
    /// depend on nothing but the present state.
    fn is_plainly_ranked(&self, state: usize) -> bool {
        let moves = &self.automaton.states[state];
        moves.iter().all(|next| {
            let word = self.inlined.atoms[next.atom].word;
            let sets = |condition: &Condition| matches!(condition, Condition::Set(..));
            let plain = !next.conditions.iter().any(sets)
                && matches!(
                    word,
                    Word::RecNote
                        | Word::NoNote
                        | Word::SndNote
                        | Word::Subscribe
                        | Word::Unsubscribe
                        | Word::SndDo
                        | Word::SndAckEvent
                        | Word::Printf
                        | Word::Assign
                        | Word::Tau
                );
            plain || !moves.iter().any(|other| other.yields_to(next))
        })
    }

    /// Whether some of a state's actions come before others in a way that guards cannot say.
    fn is_oddly_ranked(&self, state: usize) -> bool {
        !self.is_plainly_ranked(state)
    }

    /// For each of a state's actions how many others come before it, one after the other; `None` if that
    /// does not say which comes before which.
    fn ranks(&self, state: usize) -> Option<Vec<u16>> {
        let moves = &self.automaton.states[state];
        let mut ranks = vec![0_u16; moves.len()];
        for _ in 0..moves.len() {
            for (at, next) in moves.iter().enumerate() {
                let better = moves.iter().zip(&ranks).filter(|(b, _)| next.yields_to(b));
                ranks[at] = better.map(|(_, rank)| rank + 1).max().unwrap_or(0);
            }
        }
        let says = moves.iter().zip(&ranks).all(|(next, rank)| {
            let mut others = moves.iter().zip(&ranks);
            others.all(|(other, before)| next.yields_to(other) == (before < rank))
        });
        says.then_some(ranks)
    }
}

/// A function in the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum FunctionKey {
    Inner(Inner),
    BuiltIn(&'static str, usize),
    Make(usize),
    List(usize),
}

/// A program being made.
struct Lowering<'a> {
    pub(super) program: Program,
    pub(super) units: Vec<Unit>,
    pub(super) bounds: &'a Bounds,
    pub(super) dialect: Dialect,
    pub(super) schedule: Schedule,
    pub(super) time: Time,
    /// Whether there is a clock.
    ticks: bool,
    clocks: Option<time::Clocks>,
    /// Where the variables of an observer are that is being made.
    ghosts: Option<Vec<GlobalId>>,
    /// Whether others may take part in what processes say.
    pub(super) open: bool,
    pub(super) polite: bool,
    /// Whether states are kept apart that nobody can tell apart.
    plain: bool,
    /// See [`Options::few_processes`].
    few_processes: bool,
    /// Whether processes of the script look on.
    looked_on: bool,
    pub(super) annotations: &'a Annotations,
    pub(super) built_ins: Vec<BuiltIn>,
    functions: HashMap<FunctionKey, FunctionId>,
    pairs: Vec<Pair>,
    notes: Option<Notes>,
    stale: Option<stale::Stale>,
    on_the_way: Vec<early::OnTheWay>,
    tools: Tools,
    /// Where values go that tools send.
    flow: Flow,
    /// Whether everything has been shut down.
    pub(super) down: Option<GlobalId>,
    /// Where values are that a tool sends for variables which are asked for their old values as well.
    pub(super) chosen: Vec<(term::VarId, GlobalId)>,
    /// Set by what a step picks out before it uses it; nothing between steps.
    pub(super) picked: GlobalId,
    /// The units that are started, by the numbers of their instances.
    pub(super) started: Vec<usize>,
    /// How many instances of processes there may be.
    pub(super) most_instances: u8,
    /// What a bound keeps the environment from, and where processes would go on but for that.
    pub(super) held_back: Vec<(ExprId, Vec<(ProcessId, LocId)>)>,
}

/// Lowers a script; `None` if it is too large.
pub(crate) fn lower(
    name: &str,
    mut resolved: Resolved,
    bounds: &Bounds,
    annotations: &Annotations,
    options: &Options<'_>,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let mut lowering = begun(
        name,
        &mut resolved,
        (bounds, annotations),
        options,
        diagnostics,
    )?;
    lowering.ticks = lowering.will_tick();
    let held = lowering.own_tools();
    lowering.declare_notes();
    lowering.look_ahead();
    lowering.add_orphans(&held);
    lowering.declare_stale();
    lowering.declare_early();
    lowering.declare_down();
    lowering.declare_time();
    lowering.pair_messages(diagnostics);
    lowering.pair_notes(diagnostics);
    lowering.say_open(&resolved.constants);
    if resolved.passes_over {
        lowering.assume(
            "a variable that is called names no process whose parameters have other types than its arguments",
            Origin::Semantics,
        );
    }
    for unit in 0..lowering.units.len() {
        let process = lowering.process(unit);
        lowering.program.add_process(process);
    }
    for (unit, args, _) in &resolved.started {
        let args = args
            .iter()
            .map(|arg| lowering.value(arg))
            .collect::<Vec<_>>();
        lowering.program.start.push(Start {
            process: ProcessId::new(*unit),
            args,
        });
    }
    lowering.vanishing();
    lowering.ticking();
    lowering.say_dialect();
    lowering.say_differences();
    lowering.declare_alike();
    lowering.checks(&resolved.started, sources, diagnostics);
    lowering.observers(resolved.observers);
    lowering.stated(diagnostics);
    lowering.exempt_growth();
    lowering.rest_on_others();
    let events: Vec<String> = lowering.tools.words();
    bounds.report_unused(&events, diagnostics);
    Some(lowering.program)
}

/// Writes a script as a model of mCRL2; `None` if something in it has no counterpart there.
pub(crate) fn mcrl2(
    name: &str,
    mut resolved: Resolved,
    bounds: &Bounds,
    annotations: &Annotations,
    options: &Options<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let mut lowering = begun(
        name,
        &mut resolved,
        (bounds, annotations),
        options,
        diagnostics,
    )?;
    if options.open() {
        let text = "processes of mCRL2 say all that there is: an open script has no counterpart";
        diagnostics.push(Diagnostic::error(
            crate::codes::suspicious::NO_COUNTERPART,
            text,
        ));
        return None;
    }
    lowering.declare_notes();
    let text = mcrl2::write(&mut lowering, &resolved.started, name, diagnostics)?;
    for cut in &lowering.program.assumptions {
        if cut.origin == Origin::Narrowed {
            let what = format!("the model has only a part of what can happen: {}", cut.text);
            diagnostics.push(Diagnostic::warning("EXP0004", what).at(cut.span));
        }
    }
    Some(text)
}

/// Automata of all processes, and tools; `None` if one is too large.
fn begun<'a>(
    name: &str,
    resolved: &mut Resolved,
    (bounds, annotations): (&'a Bounds, &'a Annotations),
    options: &Options<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Lowering<'a>> {
    let mut units = Vec::new();
    for mut inlined in std::mem::take(&mut resolved.processes) {
        let ng = options.dialect == Dialect::Ng;
        let Some(mut automaton) = automaton(&mut inlined, ng, options.open()) else {
            let text = format!("process `{}` has too many states", inlined.name);
            diagnostics.push(Diagnostic::error(code::TOO_LARGE, text).at(inlined.span));
            continue;
        };
        if !options.plain {
            coalesce::coalesce(&mut inlined, &mut automaton);
        }
        units.push(Unit {
            inlined,
            automaton,
            live: Vec::new(),
            silent: Vec::new(),
            leaving: Vec::new(),
            deaf: Vec::new(),
            mute: Vec::new(),
            gone: Vec::new(),
        });
    }
    if diagnostics.has_errors() {
        return None;
    }
    doubt::doubt_tools(&mut units);
    let mut program = Program::new(name, "tscript");
    program.statements = model::Statements::Steps;
    library::declare_fault(&mut program);
    program.index_fault = Some(program.add_fault(Fault {
        name: "internal-index".to_owned(),
        message: "a table was read outside its bounds".to_owned(),
    }));
    program.display.steps = false;
    let mut picked = model::Variable::new("(picked)", Type::Rich);
    picked.kind = VariableKind::Step;
    let picked = program.add_global(picked);
    let mut lowering = Lowering {
        program,
        units,
        bounds,
        dialect: options.dialect,
        // Others may always do something, and need not: they hold nothing up.
        schedule: match options.time {
            _ if options.open() => Schedule::Free,
            Time::Maximal => Schedule::Prompt,
            _ => options.schedule,
        },
        time: match options.time {
            Time::Maximal if options.open() => Time::Discrete,
            time => time,
        },
        ticks: false,
        clocks: None,
        ghosts: None,
        open: options.open(),
        polite: options.polite_tools,
        plain: options.plain,
        few_processes: options.few_processes,
        looked_on: !resolved.observers.is_empty(),
        annotations,
        built_ins: library::built_ins(options.dialect),
        functions: HashMap::new(),
        pairs: Vec::new(),
        notes: None,
        stale: None,
        on_the_way: Vec::new(),
        tools: Tools::default(),
        flow: Flow::default(),
        down: None,
        chosen: Vec::new(),
        picked,
        started: resolved.started.iter().map(|(unit, ..)| *unit).collect(),
        most_instances: 0,
        held_back: Vec::new(),
    };
    let undefined = lowering.undefined();
    lowering.program.globals[picked.index()].init = Some(model::ValueSet::One(undefined));
    lowering.instances(&resolved.started);
    let started: Vec<(usize, Vec<Pattern>)> = resolved
        .started
        .iter()
        .map(|(unit, args, _)| (*unit, args.clone()))
        .collect();
    let seen = Seen::by(annotations, false);
    lowering.flow = Flow::of(
        &lowering.units,
        &resolved.observers,
        &started,
        &seen,
        options.open(),
    );
    lowering.declare_tools();
    if lowering.flow.compares_what_is_no_number() {
        lowering.sample(
            "what is no number, as `rdiv(0.0, 0.0)`, is taken to equal itself: in the bus it does only if both \
             come from one computation"
                .to_owned(),
        );
    }
    lowering.doubt_numbers();
    Some(lowering)
}

impl Lowering<'_> {
    /// What stands for a variable without value.
    pub(super) fn undefined(&mut self) -> ExprId {
        let value = term::undefined(&self.program.rich);
        self.program.exprs.value(value, Type::Rich)
    }

    /// The empty list.
    pub(super) fn empty(&mut self) -> ExprId {
        let value = term::list(&self.program.rich, Vec::new());
        self.program.exprs.value(value, Type::Rich)
    }

    pub(super) fn function(&mut self, inner: Inner) -> FunctionId {
        self.known(FunctionKey::Inner(inner), || inner.function())
    }

    fn known(&mut self, key: FunctionKey, make: impl FnOnce() -> model::Function) -> FunctionId {
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = self.program.add_function(make());
        self.functions.insert(key, id);
        id
    }

    pub(super) fn apply(&mut self, inner: Inner, args: &[ExprId]) -> ExprId {
        let id = self.function(inner);
        let ty = self.program.functions[id.index()].result.clone();
        self.program
            .exprs
            .add(model::Expr::Apply(id, args.to_vec()), ty)
    }

    pub(super) fn assume(&mut self, text: impl Into<String>, origin: Origin) {
        self.program.assumptions.push(Assumption {
            text: text.into(),
            origin,
            properties: None,
            span: Span::NONE,
        });
    }

    /// How many instances there may be.
    fn instances(&mut self, started: &[(usize, Vec<term::Pattern>, Span)]) {
        let creates = self
            .units
            .iter()
            .flat_map(|unit| &unit.inlined.atoms)
            .any(|atom| atom.creates.is_some());
        let start = u8::try_from(started.len()).unwrap_or(100);
        if !creates {
            self.most_instances = start;
            return;
        }
        let subscribes = self.has_word(Word::Subscribe);
        let default = if subscribes || self.few_processes {
            start.saturating_add(4)
        } else {
            200
        };
        let stated = self.bounds.count("processes", default);
        self.most_instances = stated.value.unwrap_or(200).max(start);
        if !self.open
            && !stated.stated
            && let Some(all) = created::all_instances(&self.units, &self.started)
            && all <= self.most_instances
        {
            // More are never created.
            self.most_instances = all.max(start);
            return;
        }
        // What nobody reaches is no restriction: the counts of tools usually keep below it.
        let text = format!("at most {} processes run at a time", self.most_instances);
        self.cut(text, "processes");
    }

    /// Whether any process has such an action.
    pub(super) fn has_word(&self, word: Word) -> bool {
        self.units
            .iter()
            .flat_map(|unit| &unit.inlined.atoms)
            .any(|atom| atom.word == word)
    }

    /// Whether a process creates instances of a unit.
    pub(super) fn is_created(&self, unit: usize) -> bool {
        let index = self.units[unit].inlined.index;
        let mut atoms = self.units.iter().flat_map(|unit| &unit.inlined.atoms);
        atoms.any(|atom| atom.creates == Some(index))
    }

    fn declare_down(&mut self) {
        if self.has_word(Word::Shutdown) {
            let down = model::Variable::new("shut down", Type::Bool);
            self.down = Some(self.program.add_global(down));
        }
    }

    /// Finds the tools that are held.
    fn own_tools(&mut self) -> Held {
        let held = Held::of(&self.units, &self.started);
        for kind in &mut self.tools.kinds {
            // A bus that listens to tools only when nothing else can happen may never do so: whoever
            // could hear of a tool's end cannot be said to go on.
            let listens = self.schedule == Schedule::Free;
            let vanishes = kind.vanishes && listens && !self.polite && !self.plain && !self.ticks;
            kind.owned = vanishes && held.is_owned(&kind.name);
        }
        held
    }

    /// Gives processes states in which they know that their tools have vanished.
    fn add_orphans(&mut self, held: &Held) {
        let vanish = |lowering: &Self, unit: usize, var: term::VarId| {
            let kind = lowering.kind_of(unit, &Pattern::Var(var));
            kind.is_some_and(|kind| lowering.tools.kinds[kind].owned)
        };
        let mut found = Vec::new();
        for unit in 0..self.units.len() {
            let states = 0..self.units[unit].automaton.states.len();
            let count = self.units[unit].inlined.variables.len();
            let holds: Vec<Vec<bool>> = states
                .map(|state| {
                    let variables = (0..count).map(|var| {
                        let var = term::VarId(u32::try_from(var).expect("few variables"));
                        vanish(self, unit, var) && held.is_held(&self.units, (unit, state), var)
                    });
                    variables.collect()
                })
                .collect();
            found.push(holds);
        }
        let ng = self.dialect == Dialect::Ng;
        for (unit, holds) in self.units.iter_mut().zip(&found) {
            let held = |state: usize, var: term::VarId| holds[state][var.index()];
            orphan::add_orphans(unit, &held, ng);
        }
        self.look_ahead();
    }

    /// Finds out about each state what is read from there on, and whether it is left by one step
    /// that nobody else can notice or prevent.
    fn look_ahead(&mut self) {
        for unit in &mut self.units {
            unit.live = live::live(&unit.inlined, &unit.automaton);
            let never = |kinds: &[Word]| match self.plain {
                true => vec![false; unit.automaton.states.len()],
                false => live::never_again(&unit.inlined, &unit.automaton, kinds),
            };
            let mut reads = vec![Word::RecNote, Word::NoNote];
            if self.dialect == Dialect::C {
                // It throws away what has not been read.
                reads.push(Word::Unsubscribe);
            }
            unit.deaf = never(&reads);
            reads.push(Word::SndMsg);
            unit.mute = never(&reads);
        }
        let held = Held::of(&self.units, &self.started);
        let leaving: Vec<Vec<bool>> = (0..self.units.len())
            .map(|unit| {
                let this = &self.units[unit];
                let certain = |state: usize, next: &Move| {
                    let atom = &this.inlined.atoms[next.atom];
                    let sure = match (atom.word, atom.args.first()) {
                        (Word::Unsubscribe, _) => true,
                        (Word::RecDisconnect, Some(Pattern::Var(var))) => {
                            this.gone.get(state).is_some_and(|gone| gone.contains(var))
                        }
                        (word, _) => {
                            live::is_local(word) || self.is_quiet((unit, state), atom, &held)
                        }
                    };
                    let timed = atom.delayed || atom.timeout.is_some();
                    !self.plain && !self.ticks && !timed && next.conditions.is_empty() && sure
                };
                live::leaving(&this.automaton, &certain)
            })
            .collect();
        for (unit, leaving) in self.units.iter_mut().zip(leaving) {
            unit.leaving = leaving;
        }
        let seen = Seen::by(self.annotations, self.looked_on);
        let silent: Vec<Vec<bool>> = (0..self.units.len())
            .map(|unit| {
                let this = &self.units[unit];
                let quiet = |state: usize, next: &Move| {
                    let action = &this.inlined.atoms[next.atom];
                    let ends = this.automaton.is_end(next.to) && seen.sees_ends();
                    live::is_local(action.word)
                        || !ends
                            && !seen.sees(action)
                            && self.is_quiet((unit, state), action, &held)
                };
                live::silent(&this.inlined, &this.automaton, &quiet)
            })
            .collect();
        for (unit, silent) in self.units.iter_mut().zip(silent) {
            unit.silent = silent;
        }
    }

    /// Whether an action that is told, but that nobody asks about, can always be done and changes
    /// nothing for others.
    fn is_quiet(&self, (unit, state): (usize, usize), action: &Atom, held: &Held) -> bool {
        if self.plain || self.ticks {
            return false;
        }
        match (action.word, action.args.first()) {
            // Nothing is read from the queue any more.
            (Word::Unsubscribe, _) => {
                let leaving = self.units[unit].leaving.get(state);
                leaving.copied().unwrap_or(false) && self.notes.is_some()
            }
            (Word::SndDo, Some(tool @ Pattern::Var(var))) => {
                let Some(kind) = self.kind_of(unit, tool) else {
                    return false;
                };
                let stays = self.polite || !self.tools.kinds[kind].vanishes;
                stays && held.is_held(&self.units, (unit, state), *var)
            }
            _ => false,
        }
    }

    /// What is left of notes and tools when everything has been shut down: nothing, since nobody
    /// does anything any more.
    pub(super) fn everything_ends(&mut self) -> Vec<model::Stmt> {
        if self.plain {
            return Vec::new();
        }
        let tools = self.tools.arrays();
        let notes = self.notes.iter().flat_map(Notes::arrays);
        let arrays: Vec<GlobalId> = notes.chain(tools).collect();
        let mut body = Vec::new();
        for array in arrays {
            let variable = &self.program.globals[array.index()];
            let (ty, init) = (variable.ty.clone(), variable.init.clone());
            let empty = match (init, &ty) {
                (Some(model::ValueSet::One(first)), _) => first,
                (_, Type::Array(item, length)) => {
                    let nothing = self.program.zero(item);
                    let nothing = self.program.exprs.value(nothing, (**item).clone());
                    let all = vec![nothing; *length as usize];
                    self.program.exprs.add(model::Expr::Tuple(all), ty.clone())
                }
                _ => continue,
            };
            body.push(model::Stmt::Assign(model::Place::global(array), empty));
        }
        body
    }

    /// The semantics that was chosen, as assumptions.
    fn say_dialect(&mut self) {
        let dialect = match self.dialect {
            Dialect::C => "the bus is the one in C (--dialect c)",
            Dialect::Ng => "the bus is the one in Java (--dialect ng)",
        };
        self.assume(dialect, Origin::Semantics);
        let schedule = match self.schedule {
            Schedule::Free => {
                "steps of processes and messages of tools come in any order (--schedule free)"
            }
            Schedule::Prompt => {
                "processes listen to tools, and delays run out, only when nothing else can happen \
                 (--schedule prompt)"
            }
        };
        self.assume(schedule, Origin::Semantics);
        let mut atoms = self.units.iter().flat_map(|unit| &unit.inlined.atoms);
        let timed = atoms.any(|atom| atom.delayed || atom.timeout.is_some());
        match self.time {
            Time::Untimed if timed && self.schedule == Schedule::Free => self.assume(
                "time is not counted: a delay may be over at any moment, and a timeout never comes \
                 (--time untimed)",
                Origin::Semantics,
            ),
            Time::Untimed if timed => self.assume(
                "time is not counted: a timeout never comes (--time untimed)",
                Origin::Semantics,
            ),
            Time::Untimed => {}
            Time::Discrete => self.assume(
                "time passes in ticks of a second, at any moment (--time discrete)",
                Origin::Semantics,
            ),
            Time::Maximal => self.assume(
                "time passes in ticks of a second, only when no process can do anything else \
                 (--time maximal)",
                Origin::Semantics,
            ),
        }
    }

    /// Adds a process of the environment and starts it.
    pub(super) fn start_environment(&mut self, mut process: Process) {
        process.environment = true;
        let process = self.program.add_process(process);
        self.program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }
}
