//! Random small Promela models.
//!
//! Variables stay small, so that every model can be explored completely; no model divides by zero,
//! leaves an array or uses a channel that is not there, since SPIN's verifier ends there without an
//! answer. What a model contains is noted, so that a test can say what its models covered.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

/// Every feature that the generator can use.
pub(crate) const FEATURES: &[&str] = &[
    "??",
    "!!",
    "?<>",
    "??<>",
    "_last",
    "_nr_pr",
    "_pid",
    "accept",
    "active [n]",
    "array",
    "assert",
    "atomic",
    "bit operators",
    "break",
    "buffered channel",
    "channel array",
    "channel parameter",
    "conditional expression",
    "d_step",
    "else",
    "else beside i/o",
    "enabled",
    "end",
    "eval",
    "for",
    "for in",
    "full and the like",
    "goto",
    "if",
    "inline",
    "len",
    "local channel",
    "ltl",
    "mtype",
    "negative numbers",
    "never",
    "np_",
    "nested unless",
    "poll",
    "priority",
    "progress",
    "provided",
    "remote label",
    "remote variable",
    "rendezvous",
    "rendezvous in atomic",
    "run",
    "run in a loop",
    "select",
    "set_priority",
    "timeout",
    "truncation",
    "typedef",
    "unless",
    "unless with i/o",
    "unsigned",
];

/// What else than end states and assertions is asked of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Liveness {
    None,
    /// Names of its claims.
    Claims(Vec<String>),
    Progress,
    Acceptance,
}

/// A model, and what it contains.
pub(crate) struct Model {
    pub(crate) text: String,
    pub(crate) features: BTreeSet<&'static str>,
    pub(crate) asserts: bool,
    pub(crate) liveness: Liveness,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bit,
    Byte,
    Short,
    /// So many bits.
    Unsigned(u32),
    Mtype,
}

/// A variable that can be read and written.
#[derive(Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Values are kept below this.
    pub(crate) modulus: usize,
}

impl Variable {
    fn new(name: impl Into<String>, kind: Kind, modulus: usize) -> Self {
        Variable {
            name: name.into(),
            kind,
            modulus,
        }
    }

    fn declaration(&self) -> String {
        let name = &self.name;
        match self.kind {
            Kind::Bit => format!("bit {name}"),
            Kind::Byte => format!("byte {name}"),
            Kind::Short => format!("short {name}"),
            Kind::Unsigned(bits) => format!("unsigned {name} : {bits}"),
            Kind::Mtype => format!("mtype {name}"),
        }
    }
}

/// A channel that can be named.
#[derive(Clone)]
pub(crate) struct Channel {
    pub(crate) name: String,
    pub(crate) buffered: bool,
}

/// A process template.
#[derive(Clone, Default)]
pub(crate) struct Process {
    pub(crate) name: String,
    /// The process ids of its first instances, if they are there from the start.
    pub(crate) pids: Vec<usize>,
    /// A local variable that others may look at.
    pub(crate) local: Option<String>,
    /// A parameter for a number, and one for a channel.
    pub(crate) parameters: bool,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) in_loop: bool,
    pub(crate) in_atomic: bool,
    /// Something may interrupt.
    pub(crate) in_unless: bool,
    pub(crate) depth: usize,
}

/// Writes the model of a seed.
pub(crate) fn model(seed: u64) -> Model {
    let mut writer = Writer {
        random: Random::new(seed),
        features: BTreeSet::new(),
        text: String::new(),
        globals: Vec::new(),
        locals: Vec::new(),
        array: None,
        fields: Vec::new(),
        channels: Vec::new(),
        processes: Vec::new(),
        liveness: Liveness::None,
        inline: false,
        priorities: false,
        enabled: false,
        label: None,
        marks: 0,
        counter: None,
        current: None,
        in_d_step: false,
    };
    writer.model();
    Model {
        asserts: writer.features.contains("assert"),
        text: writer.text,
        features: writer.features,
        liveness: writer.liveness,
    }
}

pub(crate) struct Writer {
    pub(crate) random: Random,
    pub(crate) features: BTreeSet<&'static str>,
    text: String,
    pub(crate) globals: Vec<Variable>,
    /// Of the process being written.
    pub(crate) locals: Vec<Variable>,
    /// An array's name and length.
    pub(crate) array: Option<(&'static str, usize)>,
    /// The fields of every channel.
    pub(crate) fields: Vec<Kind>,
    pub(crate) channels: Vec<Channel>,
    /// Those that have been decided on; bodies are written later.
    pub(crate) processes: Vec<Process>,
    pub(crate) liveness: Liveness,
    pub(crate) inline: bool,
    pub(crate) priorities: bool,
    /// The claim may ask which process could move.
    pub(crate) enabled: bool,
    /// The label to which the process being written may jump.
    pub(crate) label: Option<&'static str>,
    /// Labels made so far.
    pub(crate) marks: usize,
    /// The process being written has a variable for loops.
    pub(crate) counter: Option<&'static str>,
    /// The process being written.
    pub(crate) current: Option<usize>,
    /// A `d_step` is being written.
    pub(crate) in_d_step: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(crate) fn use_of(&mut self, feature: &'static str) {
        debug_assert!(FEATURES.contains(&feature), "{feature}");
        self.features.insert(feature);
    }

    fn model(&mut self) {
        // Assertions are left out where SPIN looks at claims, in which it counts them as well.
        self.line("#ifdef NOASSERT");
        self.line("#define check(e) skip");
        self.line("#else");
        self.line("#define check(e) assert(e)");
        self.line("#endif");
        self.liveness = match self.random.weighted(&[22, 20, 26, 14, 18]) {
            0 => Liveness::None,
            1 => Liveness::Claims(vec!["l".to_owned()]),
            2 => Liveness::Claims(vec!["n".to_owned()]),
            3 => Liveness::Progress,
            _ => Liveness::Acceptance,
        };
        let never = self.liveness == Liveness::Claims(vec!["n".to_owned()]);
        let ltl = self.liveness == Liveness::Claims(vec!["l".to_owned()]);
        self.priorities = self.random.chance(20);
        // SPIN does not know which process could move where there is a rendezvous.
        self.enabled = never && self.random.chance(60);
        self.declarations(!self.priorities && !self.enabled);
        self.plan();
        self.inline = self.random.chance(28);
        if self.inline {
            let body = "{ v = (v + k) % 3; if :: v == 0 -> w = 1 - w :: else fi }";
            self.line(&format!("inline turn(v, k, w) {body}"));
        }
        for index in 0..self.processes.len() {
            self.process(index);
        }
        if self.processes.iter().any(|process| process.pids.is_empty()) {
            self.init();
        }
        self.current = None;
        if self.liveness == Liveness::Progress && !self.features.contains("progress")
            || self.liveness == Liveness::Acceptance && !self.features.contains("accept")
        {
            self.liveness = Liveness::None;
        }
        if never {
            let text = self.never();
            self.line(&text);
            self.use_of("never");
        }
        if ltl {
            let names: Vec<String> = (0..1 + self.random.below(2))
                .map(|index| format!("l{index}"))
                .collect();
            for name in &names {
                let formula = self.formula(2);
                self.line(&format!("ltl {name} {{ {formula} }}"));
            }
            self.use_of("ltl");
            self.liveness = Liveness::Claims(names);
        }
    }

    fn declarations(&mut self, rendezvous: bool) {
        self.globals.push(Variable::new("g", Kind::Byte, 3));
        self.globals.push(Variable::new("flag", Kind::Bit, 2));
        if self.random.chance(25) {
            self.globals.push(Variable::new("s", Kind::Short, 3));
        }
        if self.random.chance(25) {
            self.globals.push(Variable::new("u", Kind::Unsigned(2), 4));
            self.use_of("unsigned");
        }
        let mtype = self.random.chance(35);
        if mtype {
            self.line("mtype = { red, green, blue };");
            self.globals.push(Variable::new("m", Kind::Mtype, 4));
            self.use_of("mtype");
        }
        for index in 0..self.globals.len() {
            let mut declaration = self.globals[index].declaration();
            if self.globals[index].kind != Kind::Mtype && self.random.chance(20) {
                declaration += " = 1";
            }
            self.line(&(declaration + ";"));
        }
        if self.random.chance(45) {
            let length = 2 + self.random.below(2);
            self.line(&format!("byte a[{length}];"));
            self.array = Some(("a", length));
        }
        if self.random.chance(20) {
            self.line("typedef Pair { byte low; byte up[2] };");
            self.line("Pair pair;");
            self.globals.push(Variable::new("pair.low", Kind::Byte, 3));
            // No array of bits: SPIN's verifier does not truncate what goes into it.
            self.globals
                .push(Variable::new("pair.up[1]", Kind::Byte, 2));
            self.use_of("typedef");
        }
        self.fields = vec![[Kind::Byte, Kind::Bit, Kind::Short][self.random.below(3)]];
        if mtype && self.random.chance(60) {
            self.fields.insert(0, Kind::Mtype);
        } else if self.random.chance(25) {
            self.fields.push(Kind::Bit);
        }
        let types = self.message_types();
        let mut declared = Vec::new();
        if self.random.chance(70) {
            let capacity = 1 + self.random.below(2);
            declared.push(format!("chan q = [{capacity}] of {{ {types} }};"));
            self.channel("q", true);
        }
        if rendezvous && self.random.chance(55) {
            declared.push(format!("chan h = [0] of {{ {types} }};"));
            self.channel("h", false);
        }
        if self.random.chance(25) {
            let capacity = self.random.below(2).max(usize::from(!rendezvous));
            declared.push(format!("chan c[2] = [{capacity}] of {{ {types} }};"));
            self.channel("c[0]", capacity > 0);
            self.channel("c[g % 2]", capacity > 0);
            self.use_of("channel array");
        }
        for line in declared {
            self.line(&line);
        }
    }

    /// The types of a message's fields.
    fn message_types(&self) -> String {
        let types: Vec<&str> = self
            .fields
            .iter()
            .map(|kind| match kind {
                Kind::Bit => "bit",
                Kind::Byte | Kind::Unsigned(_) => "byte",
                Kind::Short => "short",
                Kind::Mtype => "mtype",
            })
            .collect();
        types.join(", ")
    }

    /// Declares a channel that goes away with the process being written.
    fn local_channel(&mut self) -> String {
        self.use_of("local channel");
        self.channel("own", true);
        let capacity = 1 + self.random.below(2);
        let types = self.message_types();
        format!("  chan own = [{capacity}] of {{ {types} }};")
    }

    fn channel(&mut self, name: &str, buffered: bool) {
        let name = name.to_owned();
        self.channels.push(Channel { name, buffered });
    }

    /// Decides which processes there are; `init` is the last one.
    fn plan(&mut self) {
        let mut next = 0;
        let count = 2 + self.random.below(2);
        for index in 0..count {
            let mut process = Process {
                name: format!("P{index}"),
                ..Process::default()
            };
            if index == 0 || self.random.chance(60) {
                let instances = 1 + usize::from(self.random.chance(20));
                if instances > 1 {
                    self.use_of("active [n]");
                }
                process.pids = (next..next + instances).collect();
                next += instances;
            } else {
                process.parameters = self.random.chance(60);
            }
            if self.random.chance(60) {
                process.local = Some("x".to_owned());
            }
            self.processes.push(process);
        }
    }

    fn process(&mut self, index: usize) {
        let process = self.processes[index].clone();
        self.locals.clear();
        self.label = None;
        self.counter = None;
        self.current = Some(index);
        let outer_channels = self.channels.clone();
        let mut head = String::new();
        match process.pids.len() {
            0 => {}
            1 => head += "active ",
            more => write!(head, "active [{more}] ").expect("writing to a string succeeds"),
        }
        write!(head, "proctype {}(", process.name).expect("writing to a string succeeds");
        if process.parameters {
            head += "byte k";
            self.locals.push(Variable::new("k", Kind::Byte, 3));
            if !self.channels.is_empty() {
                head += "; chan p";
                // Unlike a rendezvous, it can be looked into.
                let buffered = self.channels.iter().all(|channel| channel.buffered);
                self.channel("p", buffered);
                self.use_of("channel parameter");
            }
        }
        head += ")";
        if self.priorities && !process.pids.is_empty() {
            let priority = 1 + self.random.below(4);
            write!(head, " priority {priority}").expect("writing to a string succeeds");
            self.use_of("priority");
        }
        // SPIN's `enabled` does not ask what is `provided`.
        if !self.priorities && !self.enabled && self.random.chance(12) {
            let condition = match self.random.below(3) {
                0 => "(flag == 0 || g == 1)".to_owned(),
                1 => "(g != _pid)".to_owned(),
                _ => format!("({})", self.plain_condition()),
            };
            write!(head, " provided {condition}").expect("writing to a string succeeds");
            self.use_of("provided");
        }
        self.line(&(head + " {"));
        if process.local.is_some() {
            let (kind, modulus) = match self.random.below(4) {
                0 => (Kind::Unsigned(2), 4),
                1 => (Kind::Bit, 2),
                _ => (Kind::Byte, 3),
            };
            if kind == Kind::Unsigned(2) {
                self.use_of("unsigned");
            }
            let local = Variable::new("x", kind, modulus);
            let first = if self.random.chance(30) { " = 1" } else { "" };
            let declaration = local.declaration();
            self.line(&format!("  {declaration}{first};"));
            self.locals.push(local);
        }
        if self.random.chance(15) {
            let declaration = self.local_channel();
            self.line(&declaration);
        }
        // With priorities, SPIN's verifier forgets bits of a process without a whole byte.
        let counts = self.priorities || self.random.chance(40);
        if counts {
            self.line("  byte i;");
            self.counter = Some("i");
        }
        let body = self.body();
        self.line(&body);
        self.line("}");
        self.channels = outer_channels;
    }

    fn init(&mut self) {
        self.locals.clear();
        self.current = None;
        self.use_of("run");
        let outer_channels = self.channels.clone();
        let mut head = "init {\n".to_owned();
        if self.priorities {
            head += "  byte i;\n";
        }
        // What it starts may be given it; it goes away only after them.
        let takes_channel = self.processes.iter().any(|process| process.parameters);
        if takes_channel && !self.channels.is_empty() && self.random.chance(40) {
            head += &self.local_channel();
            head += "\n";
        }
        let mut starts = Vec::new();
        for index in 0..self.processes.len() {
            if self.processes[index].pids.is_empty() {
                starts.push(self.start(index));
            }
        }
        let again = starts.last().cloned().unwrap_or_default();
        let starts = starts.join("; ");
        let mut text = if self.random.chance(50) {
            format!("{head}  atomic {{ {starts} }}")
        } else {
            format!("{head}  {starts}")
        };
        if self.counts_processes() && !self.priorities && self.random.chance(75) {
            let limit = self.processes.iter().map(|p| p.pids.len()).sum::<usize>() + 2;
            let guard = self.plain_condition();
            write!(
                text,
                ";\n  do :: _nr_pr < {limit} && ({guard}) -> {again} :: g == 2 -> break od"
            )
            .expect("writing to a string succeeds");
            self.use_of("run in a loop");
            self.use_of("_nr_pr");
        }
        self.line(&(text + "\n}"));
        self.channels = outer_channels;
    }

    /// A `run`.
    fn start(&mut self, index: usize) -> String {
        let process = self.processes[index].clone();
        let mut arguments = String::new();
        if process.parameters {
            let number = self.random.below(3);
            write!(arguments, "{number}").expect("writing to a string succeeds");
            if !self.channels.is_empty() {
                let place = self.random.below(self.channels.len());
                let name = self.channels[place].name.clone();
                write!(arguments, ", {name}").expect("writing to a string succeeds");
            }
        }
        format!("run {}({arguments})", process.name)
    }
}
