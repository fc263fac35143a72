//! Tools: a small automaton for each, played by the environment.
//!
//! A tool is away, connected, or has vanished: the bus has noticed that, the script has not heard of
//! it. While it is connected it may [answer](super::asked) what it has been asked, and send events; an
//! event that it has sent is not sent again before it is acknowledged. What it sends may be
//! [anything](super::range) of the type that is read.

mod leaving;

use std::collections::BTreeMap;

use model::{
    Binary, Choice, ExprId, GlobalId, LocId, Origin, Place, Projection, Root, Stmt, Type, Value,
    ValueSet,
};
use source::Span;

use super::Lowering;
use super::asked::{ASKED, Answers, takes_anything};
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::bounds::Bound;
use crate::library::{BYTE, Inner};
use crate::load::Dialect;
use crate::term::{self, Pattern, VarId};
use crate::types;

/// A kind of tools.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    /// The position of the first.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Whether they come by themselves.
    connects: bool,
    /// Whether they may go by themselves.
    pub(super) vanishes: bool,
    /// Whether each of them is held by a process, whose step it is that it vanishes.
    pub(super) owned: bool,
    /// Whether there is one for each that may ever be executed: no number is given twice.
    pub(super) once: bool,
    /// How it may answer.
    pub(super) answers: Answers,
}

impl Kind {
    /// Whether its tools come by themselves, and each of them once at most.
    pub(super) fn comes_once(&self, connections: Option<u8>) -> bool {
        self.connects && connections == Some(1)
    }
}

/// All tools.
#[derive(Default, Debug)]
pub(super) struct Tools {
    pub(super) kinds: Vec<Kind>,
    /// For each tool: away, connected, vanished.
    link: Option<GlobalId>,
    /// For each: how often it has connected.
    uses: Option<GlobalId>,
    /// For each: how much it has been asked of which nobody has read the answer.
    pub(super) asked: Option<GlobalId>,
    /// For each: whether it has answered something that nobody expects.
    pub(super) odd: Option<GlobalId>,
    /// For each: events that have not been acknowledged.
    open: Option<GlobalId>,
    /// For each: whether it has been told to go, which it does when it likes.
    pub(super) told: Option<GlobalId>,
    /// How often each tool connects at most.
    connections: Option<u8>,
    /// How often events have happened that happen so often only.
    pub(super) counters: BTreeMap<String, (GlobalId, i64)>,
    /// The table of kinds, for looking up.
    table: Option<ExprId>,
    words: Vec<String>,
}

const AWAY: i128 = 0;
const CONNECTED: i128 = 1;
const VANISHED: i128 = 2;
const GONE: i128 = 3;

const LINK: Type = Type::Range { lo: 0, hi: 3 };

/// What stories call these.
const LINKS: [&str; 4] = ["away", "connected", "vanished", "gone"];

/// What an action of a tool needs and does.
pub(super) struct Deed {
    /// Choices before the guard.
    pub(super) binds: Vec<Choice>,
    pub(super) guards: Vec<ExprId>,
    pub(super) body: Vec<Stmt>,
}

impl Pattern {
    /// The term after the action: what was filled in is there.
    pub(super) fn filled(&self) -> Pattern {
        match self {
            Pattern::Result(var) => Pattern::Var(*var),
            Pattern::Apply(name, args) => {
                Pattern::Apply(name.clone(), args.iter().map(Pattern::filled).collect())
            }
            Pattern::List(items) => Pattern::List(items.iter().map(Pattern::filled).collect()),
            other => other.clone(),
        }
    }
}

impl Tools {
    /// So many tools of a kind there are at most.
    pub(super) const MOST: usize = 8;

    /// The words of events.
    pub(super) fn event_words(&self) -> Vec<String> {
        self.words.clone()
    }

    /// What is known of tools, now and of what they have been.
    pub(super) fn arrays(&self) -> impl Iterator<Item = GlobalId> + use<> {
        [
            self.link, self.uses, self.asked, self.odd, self.open, self.told,
        ]
        .into_iter()
        .flatten()
    }

    /// The position of the first tool of a kind, and how many there are.
    pub(super) fn range(&self, kind: usize) -> (usize, usize) {
        (self.kinds[kind].first, self.kinds[kind].count)
    }

    /// How often each tool connects at most.
    pub(super) fn connections(&self) -> Option<u8> {
        self.connections
    }

    /// Everything that bounds may name.
    pub(super) fn words(&self) -> Vec<String> {
        let kinds = self.kinds.iter().map(|kind| kind.name.clone());
        let own = ["connections", "queue", "processes", "int", "str", "answers"];
        kinds
            .chain(self.words.iter().cloned())
            .chain(own.map(str::to_owned))
            .collect()
    }
}

impl Lowering<'_> {
    /// The kind of a tool that a term is.
    pub(super) fn kind_name(&self, unit: usize, pattern: &Pattern) -> Option<String> {
        match pattern {
            Pattern::Var(var) | Pattern::Result(var) => {
                match &self.units[unit].inlined.variables[var.index()].ty {
                    types::Type::Apply(name, _) => Some(name.clone()),
                    _ => None,
                }
            }
            Pattern::Placeholder(types::Type::Apply(name, _)) => Some(name.clone()),
            Pattern::Apply(name, _) => Some(name.to_string()),
            _ => None,
        }
    }

    pub(super) fn declare_tools(&mut self) {
        let mut found: BTreeMap<String, (bool, bool)> = BTreeMap::new();
        let mut words: Vec<String> = Vec::new();
        for unit in 0..self.units.len() {
            for atom in &self.units[unit].inlined.atoms {
                let kind = match atom.word {
                    Word::RecConnect | Word::Execute | Word::RecDisconnect => {
                        self.kind_name(unit, &atom.args[0])
                    }
                    Word::RecEvent => {
                        let words_of = atom.args[1..].iter().filter_map(Pattern::word);
                        words.extend(words_of.map(str::to_owned));
                        None
                    }
                    _ => None,
                };
                let Some(kind) = kind else { continue };
                let entry = found.entry(kind).or_default();
                entry.0 |= atom.word == Word::RecConnect;
                entry.1 |= matches!(atom.word, Word::RecConnect | Word::RecDisconnect);
            }
        }
        words.sort();
        words.dedup();
        let mut first = 0;
        for (name, (connects, vanishes)) in found {
            let executed = self.most_executed(&name);
            let default = executed.map_or(2, |most| most + usize::from(connects));
            let default = default.clamp(1, Tools::MOST);
            let stated = self.bounds.count(&name, u8::try_from(default).unwrap_or(1));
            let count = stated.value.map_or(Tools::MOST, usize::from);
            let count = count.clamp(1, Tools::MOST);
            let enough = executed.is_some_and(|most| most <= count) && !connects;
            if !enough {
                let stated = self.bounds.get(&name);
                let as_stated =
                    matches!(stated, Some(Bound::Count(n)) if usize::try_from(n) == Ok(count));
                let text = format!(
                    "there is at most {count} tool `{name}` at a time; one that comes later may have \
                     the number of one that has gone"
                );
                match as_stated {
                    true => self.restrict(&text, &name),
                    false => self.sample(text),
                }
            }
            if !connects && !vanishes {
                let until = match self.terminates() {
                    true => " before it is told to",
                    false => "",
                };
                self.assume(
                    format!(
                        "tool `{name}`, whose end no process waits for, does not vanish{until}"
                    ),
                    Origin::Semantics,
                );
            }
            let answers = self.answers_of(&name);
            self.tools.kinds.push(Kind {
                name,
                first,
                count,
                connects,
                vanishes,
                owned: false,
                once: enough,
                answers,
            });
            first += count;
        }
        if self.tools.kinds.is_empty() {
            return;
        }
        let connects = self.tools.kinds.iter().any(|kind| kind.connects);
        if connects {
            let stated = self.bounds.count("connections", 1);
            self.tools.connections = stated.value;
            if let Some(most) = stated.value {
                self.cut(
                    format!("each tool connects at most {most} times"),
                    "connections",
                );
            }
            if !self.polite {
                self.assume(
                    "tools that connect by themselves may vanish at any moment (--polite-tools: \
                     only when a process is ready to hear of it); what they have sent before, and \
                     nobody has read, is lost",
                    Origin::Semantics,
                );
            } else {
                self.assume(
                    "tools disconnect only when a process is ready to hear of it (--polite-tools)",
                    Origin::Stated,
                );
            }
        }
        if self.has_word(Word::RecEvent) {
            self.assume(
                "a tool sends no event that nobody reads, and none again before it has been acknowledged",
                Origin::Semantics,
            );
        }
        self.declare_answers();
        // One more than there are: for what is no tool.
        let length = u32::try_from(first + 1).expect("few tools");
        let empty = self.empty();
        let no_events = self.program.exprs.add(
            model::Expr::Tuple(vec![empty; first + 1]),
            Type::Array(Box::new(Type::Rich), length),
        );
        let odd = self.tools.kinds.iter().any(|kind| kind.answers.odd);
        let terminates = self.terminates();
        let mut array = |name: &str, ty: Type, init: Option<ExprId>| {
            let mut variable = model::Variable::new(name, Type::Array(Box::new(ty), length));
            variable.init = init.map(ValueSet::One);
            variable.kind = model::VariableKind::World;
            Some(self.program.add_global(variable))
        };
        self.tools.link = array("tools", LINK, None);
        self.tools.asked = array("asked", ASKED, None);
        if odd {
            self.tools.odd = array("unexpected answers", Type::Bool, None);
        }
        self.tools.open = array("events", Type::Rich, Some(no_events));
        if terminates {
            self.tools.told = array("told to go", Type::Bool, None);
        }
        if let Some(most) = self.tools.connections {
            let ty = Type::Range {
                lo: 0,
                hi: most.into(),
            };
            self.tools.uses = array("connections", ty, None);
        }
        for word in &words {
            if let Some(Bound::Count(most)) = self.bounds.get(word) {
                let ty = Type::Range {
                    lo: 0,
                    hi: most.clamp(0, 100),
                };
                let name = format!("{word} so far");
                let counter = self.program.add_global(model::Variable::new(name, ty));
                self.tools
                    .counters
                    .insert(word.clone(), (counter, most.clamp(0, 100)));
                let most = most.clamp(0, 100);
                let each = match self.bounds.is_distinct(word) {
                    true => ", each time with texts of its own",
                    false => "",
                };
                let text = format!("event `{word}` happens at most {most} times{each}");
                self.cut(text, word);
            }
        }
        self.tools.words = words;
        self.name_tools();
        let rich = &self.program.rich;
        let number = |n: usize| term::int(rich, i64::try_from(n).unwrap_or(0));
        let rows: Vec<Value> = self
            .tools
            .kinds
            .iter()
            .map(|kind| {
                let row = vec![rich.text(&kind.name), number(kind.first), number(first)];
                term::list(rich, row)
            })
            .collect();
        let table = term::list(rich, rows);
        self.tools.table = Some(self.rich(table));
    }

    /// Has stories call tools what scripts call them, and not by their positions.
    fn name_tools(&mut self) {
        let tools = &self.tools;
        let names: Vec<String> = tools
            .kinds
            .iter()
            .flat_map(|kind| (1..=kind.count).map(|number| format!("{}({number})", kind.name)))
            .collect();
        let arrays = [
            tools.link,
            tools.uses,
            tools.asked,
            tools.odd,
            tools.open,
            tools.told,
        ];
        for array in arrays.into_iter().flatten() {
            self.program.display.elements.insert(array, names.clone());
        }
        let links = self.program.add_enum(model::EnumDecl {
            name: "tool".into(),
            members: LINKS.map(str::to_owned).to_vec(),
        });
        if let Some(link) = self.tools.link {
            self.program.display.globals.insert(link, links);
        }
    }

    pub(super) fn tool_cell(array: Option<GlobalId>, index: ExprId) -> Place {
        Place {
            root: Root::Global(array.expect("there are tools")),
            path: vec![Projection::Index(index)],
        }
    }

    /// The tool with a number.
    pub(super) fn tool_as_value(&self, kind: usize, number: usize) -> Value {
        let rich = &self.program.rich;
        let number = term::int(rich, i64::try_from(number + 1).unwrap_or(0));
        term::apply(rich, &self.tools.kinds[kind].name, &[number])
    }

    pub(super) fn tool_value(&mut self, kind: usize, number: usize) -> ExprId {
        let tool = self.tool_as_value(kind, number);
        self.rich(tool)
    }

    fn is_link(&mut self, index: ExprId, wanted: i128) -> ExprId {
        let place = Self::tool_cell(self.tools.link, index);
        let link = self.program.exprs.load(place, LINK);
        let wanted = self.program.exprs.int(wanted, LINK);
        self.program.exprs.binary(Binary::Eq, link, wanted)
    }

    /// Whether the tool of a variable has vanished.
    pub(super) fn has_vanished(&mut self, var: VarId) -> ExprId {
        let tool = self.value(&Pattern::Var(var));
        let table = self.tools.table.expect("there are tools");
        let index = self.apply(Inner::ToolIndex, &[tool, table]);
        self.is_link(index, VANISHED)
    }

    /// When the tool of a variable can vanish, and what happens then.
    pub(super) fn vanishes(&mut self, var: VarId) -> (ExprId, Vec<Stmt>) {
        let tool = self.value(&Pattern::Var(var));
        let table = self.tools.table.expect("there are tools");
        let index = self.apply(Inner::ToolIndex, &[tool, table]);
        let connected = self.is_link(index, CONNECTED);
        (connected, self.vanish(tool, index))
    }

    fn vanish(&mut self, tool: ExprId, index: ExprId) -> Vec<Stmt> {
        let told = self.tell("vanishes", &[], vec![tool], Span::NONE);
        let mut body = self.gone(index);
        body[0] = self.set_link(index, VANISHED);
        body.insert(0, told);
        body
    }

    fn set_link(&mut self, index: ExprId, to: i128) -> Stmt {
        let to = self.program.exprs.int(to, LINK);
        Stmt::Assign(Self::tool_cell(self.tools.link, index), to)
    }

    /// A tool that is gone leaves nothing behind.
    fn gone(&mut self, index: ExprId) -> Vec<Stmt> {
        let empty = self.empty();
        let mut body = vec![
            self.set_link(index, AWAY),
            Stmt::Assign(Self::tool_cell(self.tools.open, index), empty),
        ];
        if let Some(told) = self.tools.told {
            let no = self.program.exprs.bool(false);
            body.push(Stmt::Assign(Self::tool_cell(Some(told), index), no));
        }
        body.extend(self.nothing_asked(index));
        body
    }

    /// The same for a tool of a kind: where no number is given twice, it has had its turn.
    fn gone_for_good(&mut self, kind: Option<usize>, index: ExprId) -> Vec<Stmt> {
        let mut body = self.gone(index);
        if kind.is_some_and(|kind| self.tools.kinds[kind].once) {
            body[0] = self.set_link(index, GONE);
        }
        body
    }

    /// Whether a tool may be connected now.
    fn is_free(&mut self, index: usize, connects: bool) -> ExprId {
        let index = self.byte(index);
        let away = self.is_link(index, AWAY);
        match self.tools.connections {
            Some(most) if connects => {
                let ty = Type::Range {
                    lo: 0,
                    hi: most.into(),
                };
                let place = Self::tool_cell(self.tools.uses, index);
                let uses = self.program.exprs.load(place, ty.clone());
                let most = self.program.exprs.int(most.into(), ty);
                let left = self.program.exprs.binary(Binary::Lt, uses, most);
                self.program.exprs.and(away, left)
            }
            _ => away,
        }
    }

    /// The positions of all tools of some kinds.
    pub(super) fn tools_of(&self, kinds: &[usize]) -> Vec<usize> {
        let kinds = kinds.iter().map(|&kind| &self.tools.kinds[kind]);
        kinds
            .flat_map(|kind| kind.first..kind.first + kind.count)
            .collect()
    }

    pub(super) fn kind_named(&self, kind: usize) -> &str {
        &self.tools.kinds[kind].name
    }

    pub(super) fn is_connected(&mut self, tool: usize) -> ExprId {
        let index = self.byte(tool);
        self.is_link(index, CONNECTED)
    }

    /// The events of a tool that have not been acknowledged.
    pub(super) fn open_events(&mut self, tool: usize) -> ExprId {
        let index = self.byte(tool);
        let place = Self::tool_cell(self.tools.open, index);
        self.program.exprs.load(place, Type::Rich)
    }

    /// Whether no tool of a kind may be connected now, by itself or because it is executed.
    pub(super) fn none_free(&mut self, kind: usize, connects: bool) -> ExprId {
        let Kind { first, count, .. } = self.tools.kinds[kind];
        let free: Vec<ExprId> = (first..first + count)
            .map(|index| self.is_free(index, connects))
            .collect();
        let any = self.any_of(free);
        self.program.exprs.not(any)
    }

    pub(super) fn kind_of(&self, unit: usize, pattern: &Pattern) -> Option<usize> {
        let name = self.kind_name(unit, pattern)?;
        self.tools.kinds.iter().position(|kind| kind.name == name)
    }

    /// The ways in which an action of a tool can happen.
    pub(super) fn tool_deeds(&mut self, unit: usize, atom: &Atom) -> Vec<Deed> {
        if self.tools.kinds.is_empty() {
            return Vec::new();
        }
        match atom.word {
            Word::RecConnect => self.connect(unit, &atom.args[0], &atom.args[0], true),
            Word::Execute => self.connect(unit, &atom.args[0], &atom.args[1], false),
            _ => {
                let tool = &atom.args[0];
                if tool.is_closed() {
                    let tool = self.value(tool);
                    let table = self.tools.table.expect("there are tools");
                    let index = self.apply(Inner::ToolIndex, &[tool, table]);
                    return self.with_tool(unit, atom, index);
                }
                let Some(kind) = self.kind_of(unit, tool) else {
                    return Vec::new();
                };
                let Kind { first, count, .. } = self.tools.kinds[kind];
                (0..count)
                    .flat_map(|number| {
                        let index = self.byte(first + number);
                        let mut deeds = self.with_tool(unit, atom, index);
                        if let Pattern::Result(var) = tool {
                            let value = self.tool_value(kind, number);
                            for deed in &mut deeds {
                                deed.body
                                    .insert(0, Stmt::Assign(Place::own(var.index()), value));
                            }
                        }
                        deeds
                    })
                    .collect()
            }
        }
    }

    fn connect(
        &mut self,
        unit: usize,
        kind: &Pattern,
        tool: &Pattern,
        by_itself: bool,
    ) -> Vec<Deed> {
        let Some(kind) = self.kind_of(unit, kind) else {
            return Vec::new();
        };
        let Kind { first, count, .. } = self.tools.kinds[kind];
        let mut deeds = Vec::new();
        let mut guards: Vec<ExprId> = Vec::new();
        for number in 0..count {
            let free = self.is_free(first + number, by_itself);
            let index = self.byte(first + number);
            let mut body = vec![self.set_link(index, CONNECTED)];
            if by_itself && let Some(most) = self.tools.connections {
                let ty = Type::Range {
                    lo: 0,
                    hi: most.into(),
                };
                let place = Self::tool_cell(self.tools.uses, index);
                let uses = self.program.exprs.load(place.clone(), ty);
                let one = self.program.exprs.int(1, Type::Mathint);
                let more = self
                    .program
                    .exprs
                    .add(model::Expr::Binary(Binary::Add, uses, one), Type::Mathint);
                body.push(Stmt::Assign(place, more));
            }
            if let Pattern::Result(var) = tool {
                let value = self.tool_value(kind, number);
                body.push(Stmt::Assign(Place::own(var.index()), value));
            }
            let mut own = guards.clone();
            own.push(free);
            deeds.push(Deed {
                binds: Vec::new(),
                guards: own,
                body,
            });
            // A tool that connects gets the least number that is free.
            guards.push(self.program.exprs.not(free));
        }
        deeds
    }

    /// An action with the tool at a position, in all ways in which it can happen.
    fn with_tool(&mut self, unit: usize, atom: &Atom, index: ExprId) -> Vec<Deed> {
        let kind = self.kind_of(unit, &atom.args[0]);
        let connected = self.is_link(index, CONNECTED);
        let mut deed = Deed {
            binds: Vec::new(),
            guards: vec![connected],
            body: Vec::new(),
        };
        let ng = self.dialect == Dialect::Ng;
        match atom.word {
            Word::SndEval => {
                let (may, counts) = self.asks(kind, index);
                deed.guards.push(may);
                deed.body.push(counts);
            }
            Word::RecValue => {
                deed.binds = self.choices(unit, Word::RecValue, &atom.args[1..]);
                let mut odd = None;
                if takes_anything(unit, &self.units, atom)
                    && let Some((is, reads)) = self.reads_odd(index)
                {
                    odd = Some(Deed {
                        binds: deed.binds.clone(),
                        guards: vec![connected, is],
                        body: vec![reads],
                    });
                }
                let (may, reads) = self.reads_answer(index);
                deed.guards.push(may);
                deed.body.push(reads);
                return std::iter::once(deed).chain(odd).collect();
            }
            Word::RecEvent => {
                let open = Self::tool_cell(self.tools.open, index);
                let all = self.program.exprs.load(open.clone(), Type::Rich);
                let word = atom.args[1..].iter().find_map(Pattern::word);
                let word = word.unwrap_or("event").to_owned();
                deed.binds = self.choices(unit, Word::RecEvent, &atom.args[1..]);
                let filled = atom.args[1..].iter().map(|arg| self.filled(arg));
                let filled: Vec<Pattern> = filled.collect();
                let event = match filled.as_slice() {
                    [one] => self.value(one),
                    several => self.value(&Pattern::List(several.to_vec())),
                };
                let has = self.apply(Inner::Has, &[all, event]);
                deed.guards.push(self.program.exprs.not(has));
                let more = self.apply(Inner::Insert, &[all, event]);
                deed.body.push(Stmt::Assign(open, more));
                if let Some(&(counter, most)) = self.tools.counters.get(&word) {
                    let (left, count) = self.count(counter, most);
                    deed.guards.push(left);
                    deed.body.push(count);
                }
                if let Some((left, count)) = self.rate(&word) {
                    deed.guards.push(left);
                    deed.body.push(count);
                }
            }
            Word::SndAckEvent => {
                let open = Self::tool_cell(self.tools.open, index);
                let all = self.program.exprs.load(open.clone(), Type::Rich);
                let event = match &atom.args[1..] {
                    [] => self.undefined(),
                    [one] => self.value(one),
                    several => self.value(&Pattern::List(several.to_vec())),
                };
                let meant = self.apply(Inner::Acknowledged, &[all, event]);
                if ng {
                    // The bus in Java sends it in any case.
                    let vanished = self.is_link(index, VANISHED);
                    deed.guards = vec![self.program.exprs.or(connected, vanished)];
                } else {
                    let undefined = self.undefined();
                    let nothing = self.equal(meant, undefined);
                    deed.guards.push(self.program.exprs.not(nothing));
                }
                let rest = self.apply(Inner::Without, &[all, meant]);
                deed.body.push(Stmt::Assign(open, rest));
            }
            Word::RecDisconnect => {
                let vanishes = kind.is_none_or(|kind| self.tools.kinds[kind].vanishes);
                let vanished = self.is_link(index, VANISHED);
                if vanishes && !self.polite {
                    deed.guards = vec![vanished];
                } else if ng && self.has_word(Word::SndTerminate) {
                    deed.guards = vec![self.program.exprs.or(connected, vanished)];
                }
                deed.body = self.gone_for_good(kind, index);
            }
            // In the bus in Java it is the tool that goes then, when it likes.
            Word::SndTerminate if ng => {
                let vanished = self.is_link(index, VANISHED);
                deed.guards = vec![self.program.exprs.or(connected, vanished)];
                deed.body = vec![Stmt::Assign(
                    Self::tool_cell(self.tools.told, index),
                    connected,
                )];
            }
            // That bus only ends tools that it has executed.
            Word::SndKill if ng && kind.is_some_and(|kind| self.comes_by_itself(kind)) => {
                let vanished = self.is_link(index, VANISHED);
                deed.guards = vec![self.program.exprs.or(connected, vanished)];
            }
            Word::SndTerminate | Word::SndKill => deed.body = self.gone_for_good(kind, index),
            _ => {}
        }
        vec![deed]
    }

    /// Whether an event may still happen, and counting it.
    pub(super) fn count(&mut self, counter: GlobalId, most: i64) -> (ExprId, Stmt) {
        let ty = Type::Range { lo: 0, hi: most };
        let now = self.program.exprs.load(Place::global(counter), ty.clone());
        let most = self.program.exprs.int(most.into(), ty);
        let left = self.program.exprs.binary(Binary::Lt, now, most);
        let one = self.program.exprs.int(1, Type::Mathint);
        let more = self
            .program
            .exprs
            .add(model::Expr::Binary(Binary::Add, now, one), Type::Mathint);
        (left, Stmt::Assign(Place::global(counter), more))
    }

    /// A condition, as long as not everything has been shut down.
    pub(super) fn unless_down(&mut self, condition: ExprId) -> ExprId {
        match self.down {
            Some(down) => {
                let down = self.program.exprs.load(Place::global(down), Type::Bool);
                let up = self.program.exprs.not(down);
                self.program.exprs.and(up, condition)
            }
            None => condition,
        }
    }

    /// Whether tools of a kind come by themselves only.
    pub(super) fn comes_by_itself(&self, kind: usize) -> bool {
        let kind = &self.tools.kinds[kind];
        kind.connects && self.most_executed(&kind.name) == Some(0)
    }

    /// For the places where a process waits for what a bound keeps away.
    pub(super) fn held_back_by(&mut self, unit: usize, atom: &Atom) -> Option<ExprId> {
        match atom.word {
            Word::RecConnect => {
                let kind = self.kind_of(unit, &atom.args[0])?;
                Some(self.none_free(kind, true))
            }
            Word::Execute => {
                let kind = self.kind_of(unit, &atom.args[0])?;
                Some(self.none_free(kind, false))
            }
            Word::RecEvent => {
                let word = atom.args[1..].iter().find_map(Pattern::word)?;
                let &(counter, most) = self.tools.counters.get(word)?;
                let (left, _) = self.count(counter, most);
                Some(self.program.exprs.not(left))
            }
            Word::SndNote => self.some_queue_is_full(),
            Word::Create => {
                let room = self.room_for_one_more();
                Some(self.program.exprs.not(room))
            }
            _ => None,
        }
    }

    /// Whether one more instance may run.
    pub(super) fn room_for_one_more(&mut self) -> ExprId {
        let most = self.byte(self.slots());
        let count = self.program.exprs.add(model::Expr::InstanceCount, BYTE);
        self.program.exprs.binary(Binary::Lt, count, most)
    }

    /// How many processes the environment has.
    pub(super) fn environments(&self) -> usize {
        usize::from(self.has_environment()) + usize::from(self.ticks)
    }

    /// Whether tools have a process of their own.
    pub(super) fn has_environment(&self) -> bool {
        let vanishes = |kind: &Kind| kind.vanishes && !kind.owned;
        let mut kinds = self.tools.kinds.iter();
        !self.polite
            && (self.tools.told.is_some() || kinds.any(|kind| vanishes(kind) || kind.answers.odd))
    }

    /// Where instances of a unit are, in an expression.
    pub(super) fn any_at(&mut self, places: Vec<(model::ProcessId, LocId)>) -> ExprId {
        self.program
            .exprs
            .add(model::Expr::AnyAt(places), Type::Bool)
    }
}
