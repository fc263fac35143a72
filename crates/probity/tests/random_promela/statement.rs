//! Statements of random models.

use crate::generate::{Context, Kind, Liveness, Variable, Writer};

/// The statements of a process, at its top.
const TOP: Context = Context {
    in_loop: false,
    in_atomic: false,
    in_unless: false,
    depth: 2,
};

/// Which sides of communication stand in front of a selection's options. Beside both, SPIN's `else`
/// is not ours (docs/spin-differences.md, "`else` beside both sides of a rendezvous").
#[derive(Default)]
struct Sides {
    sends: bool,
    receives: bool,
}

impl Sides {
    fn note(&mut self, guard: &str) {
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let rest = guard.trim_start_matches(name);
        let rest = match rest.strip_prefix('[') {
            Some(index) => index.split_once(']').map_or("", |(_, rest)| rest),
            None => rest,
        };
        let named = guard.starts_with(name);
        self.sends |= named && rest.starts_with('!') && !rest.starts_with("!=");
        self.receives |= named && rest.starts_with('?');
    }

    fn both(&self) -> bool {
        self.sends && self.receives
    }
}

impl Writer {
    /// What a process does.
    pub(crate) fn body(&mut self) -> String {
        let top = match self.marked_process() {
            Some(name) => format!("{name}_top"),
            None => "top".to_owned(),
        };
        let mut parts = Vec::new();
        if self.random.chance(40) {
            parts.push(self.statement(TOP));
        }
        if self.random.chance(80) {
            let escaped = self.random.chance(14);
            let mut nested = false;
            let inside = Context {
                in_loop: true,
                in_unless: escaped,
                ..TOP
            };
            self.label = Some("");
            let options = 1 + self.random.below(3);
            let mut text = String::new();
            let mut sides = Sides::default();
            for _ in 0..options {
                let count = 1 + self.random.below(3);
                let guard = self.guard(inside);
                sides.note(&guard);
                let rest = self.sequence(inside, count);
                let mark = self.mark();
                text += &format!("  :: {guard} -> {mark}{rest}\n");
            }
            if self.random.chance(40) {
                let guard = self.guard(inside);
                text += &format!("  :: {guard} -> break\n");
                self.use_of("break");
            } else if self.random.chance(20) && !sides.both() {
                text += "  :: else -> break\n";
                self.use_of("else");
            }
            let mut whole = format!("do\n{text}  od");
            if escaped {
                let escape = self.escape();
                whole = format!("{{ {whole} }} unless {{ {escape} }}");
                self.use_of("unless");
                if self.random.chance(40) {
                    nested = true;
                    let escape = self.escape();
                    whole = format!("{{ {whole} }} unless {{ {escape} }}");
                    self.use_of("nested unless");
                }
            }
            let end = if !escaped && self.random.chance(25) {
                self.use_of("end");
                "end_a: "
            } else {
                ""
            };
            if nested {
                // See `interruptible`.
                parts.push(format!("{top}: skip;\n  {whole}"));
            } else {
                parts.push(format!("{end}{top}:\n  {whole}"));
            }
            self.label = None;
        } else {
            let count = 2 + self.random.below(3);
            let first = self.statement(TOP);
            parts.push(format!("{top}: {first}"));
            parts.push(self.sequence(TOP, count));
        }
        if self.random.chance(50) {
            parts.push(self.statement(TOP));
        }
        let text = parts.join(";\n  ");
        // The jump's target is known only now.
        format!("  {}", text.replace("goto @", &format!("goto {top}")))
    }

    /// The name in labels of the process that is written: others may ask whether it is there.
    fn marked_process(&self) -> Option<String> {
        self.current
            .map(|index| self.processes[index].name.to_lowercase())
    }

    /// A label that says progress or acceptance.
    fn mark(&mut self) -> String {
        let word = match self.liveness {
            Liveness::Progress => "progress",
            Liveness::Acceptance => "accept",
            _ => return String::new(),
        };
        if !self.random.chance(45) {
            return String::new();
        }
        self.use_of(if word == "accept" {
            "accept"
        } else {
            "progress"
        });
        self.marks += 1;
        // Not on an `unless`: there a label changes which escape SPIN tries first.
        format!("{word}_{}: skip; ", self.marks)
    }

    pub(crate) fn sequence(&mut self, context: Context, count: usize) -> String {
        let statements: Vec<String> = (0..count).map(|_| self.statement(context)).collect();
        statements.join("; ")
    }

    /// What comes first in an option.
    fn guard(&mut self, context: Context) -> String {
        match self.random.below(10) {
            0..=4 => self.condition(1),
            5..=7 => self
                .communication(context)
                .unwrap_or_else(|| "true".to_owned()),
            8 => {
                if context.in_atomic {
                    return self.condition(1);
                }
                self.use_of("timeout");
                "timeout".to_owned()
            }
            _ => self.assignment(),
        }
    }

    /// What interrupts.
    fn escape(&mut self) -> String {
        let rest = self.assignment();
        // Not by rendezvous: with `else` in the main sequence, or one escape in another, SPIN
        // counts differently.
        if self.random.chance(60)
            && let Some(communication) = self.communication(TOP)
            && !communication.starts_with(['h', 'p'])
            && (!communication.starts_with('c') || self.channels.iter().all(|c| c.buffered))
        {
            self.use_of("unless with i/o");
            return format!("{communication} -> {rest}");
        }
        let condition = self.condition(1);
        format!("{condition} -> {rest}")
    }

    pub(crate) fn assignment(&mut self) -> String {
        if self.random.chance(20)
            && let Some(element) = self.element()
        {
            let value = self.number(1);
            return format!("{element} = ({value}) % 3");
        }
        let Some(Variable {
            name,
            kind,
            modulus,
        }) = self.variable(None)
        else {
            return "skip".to_owned();
        };
        match kind {
            Kind::Mtype => {
                let colour = self.random.pick(&["red", "green", "blue"]);
                format!("{name} = {colour}")
            }
            Kind::Bit => match self.random.below(3) {
                0 => format!("{name} = 1 - {name}"),
                1 => format!("{name} = !{name}"),
                _ => {
                    self.use_of("truncation");
                    format!("{name} = {}", self.number(1))
                }
            },
            Kind::Unsigned(_) => match self.random.below(3) {
                0 => {
                    self.use_of("truncation");
                    format!("{name}++")
                }
                1 => {
                    self.use_of("truncation");
                    format!("{name}--")
                }
                _ => {
                    self.use_of("truncation");
                    format!("{name} = {}", self.number(1))
                }
            },
            Kind::Byte | Kind::Short => match self.random.below(3) {
                0 => format!("{name} = ({name} + 1) % {modulus}"),
                1 => format!("{name} = {}", self.random.below(modulus)),
                _ => format!("{name} = ({}) % {modulus}", self.number(2)),
            },
        }
    }

    /// A send or receive.
    fn communication(&mut self, context: Context) -> Option<String> {
        if self.channels.is_empty() {
            return None;
        }
        let place = self.random.below(self.channels.len());
        let channel = self.channels[place].clone();
        self.use_of(if channel.buffered {
            "buffered channel"
        } else {
            "rendezvous"
        });
        if !channel.buffered && context.in_atomic {
            self.use_of("rendezvous in atomic");
        }
        let name = &channel.name;
        // SPIN receives in the main sequence whatever the escape says.
        let only_sends = !channel.buffered && context.in_unless;
        if only_sends || self.random.chance(50) {
            let sorted = channel.buffered && self.random.chance(30);
            let mut values = Vec::new();
            for place in 0..self.fields.len() {
                let value = match self.fields[place] {
                    Kind::Mtype => self.random.pick(&["red", "green", "blue"]).to_owned(),
                    // SPIN's verifier does not truncate the only field of a message to a bit.
                    Kind::Bit => format!("({}) & 1", self.number(1)),
                    // SPIN's verifier sorts by what does not fit yet.
                    Kind::Byte if sorted => format!("({}) & 3", self.number(1)),
                    _ => format!("({}) % 3", self.number(1)),
                };
                values.push(value);
            }
            let values = values.join(",");
            if sorted {
                self.use_of("!!");
            }
            let op = if sorted { "!!" } else { "!" };
            return Some(format!("{name}{op}{values}"));
        }
        let takes = self.takes(name);
        if !channel.buffered {
            return Some(format!("{name}?{takes}"));
        }
        match self.random.below(8) {
            0 | 1 => {
                self.use_of("??");
                Some(format!("{name}??{takes}"))
            }
            2 => {
                self.use_of("?<>");
                Some(format!("{name}?<{takes}>"))
            }
            3 => {
                self.use_of("??<>");
                Some(format!("{name}??<{takes}>"))
            }
            _ => Some(format!("{name}?{takes}")),
        }
    }

    /// What a receive from a channel does with the fields of a message.
    ///
    /// SPIN takes a receive back by putting what it finds in variables, and what it computes anew
    /// for `eval`, into the channel again: what is received has to fit into its variable, and
    /// `eval` may not ask what the receive changes.
    fn takes(&mut self, channel: &str) -> String {
        let mut takes: Vec<String> = Vec::new();
        let mut bound: Vec<String> = Vec::new();
        for place in 0..self.fields.len() {
            let kind = self.fields[place];
            let take = match self.random.below(6) {
                0 => "_".to_owned(),
                1 => match kind {
                    Kind::Mtype => self.random.pick(&["red", "green", "blue"]).to_owned(),
                    Kind::Bit => self.random.below(2).to_string(),
                    _ => self.random.below(3).to_string(),
                },
                2 if kind != Kind::Mtype => {
                    let value = self.number(0);
                    format!("eval({value})")
                }
                // SPIN wants another one for each field, and evaluates the channel again after
                // the first is set.
                _ => match self.room_for(kind) {
                    Some(variable)
                        if !(bound.contains(&variable.name)
                            || variable.name == "g" && channel.contains('g')) =>
                    {
                        bound.push(variable.name.clone());
                        variable.name
                    }
                    _ => "_".to_owned(),
                },
            };
            takes.push(take);
        }
        for take in &mut takes {
            if !take.starts_with("eval") {
                continue;
            }
            if bound.iter().any(|name| take.contains(name.as_str())) {
                "_".clone_into(take);
            } else {
                self.use_of("eval");
            }
        }
        takes.join(",")
    }

    pub(crate) fn statement(&mut self, context: Context) -> String {
        if context.depth == 0 {
            return match self.random.below(8) {
                0..=3 => self.assignment(),
                4 | 5 => self
                    .communication(context)
                    .unwrap_or_else(|| self.assignment()),
                6 => self.assertion(),
                _ => self.condition(1),
            };
        }
        let inner = Context {
            depth: context.depth - 1,
            ..context
        };
        match self
            .random
            .weighted(&[26, 16, 8, 8, 8, 6, 10, 6, 5, 4, 4, 5, 9, 8, 3])
        {
            0 => self.assignment(),
            1 => self
                .communication(context)
                .unwrap_or_else(|| self.assignment()),
            2 => self.assertion(),
            3 => self.condition(1),
            4 => self.selection(inner),
            // A loop in an atomic sequence need not end, and SPIN then does not.
            5 if !context.in_atomic => self.repetition(inner),
            6 if !context.in_atomic => {
                let inside = Context {
                    in_atomic: true,
                    ..inner
                };
                let count = 2 + self.random.below(2);
                self.use_of("atomic");
                format!("atomic {{ {} }}", self.sequence(inside, count))
            }
            7 => self.deterministic(context),
            8 => self.interruptible(inner),
            9 if self.label.is_some() => {
                self.use_of("goto");
                let condition = self.condition(1);
                format!("if :: {condition} -> goto @ :: else fi")
            }
            10 if context.in_loop => {
                self.use_of("break");
                let condition = self.condition(1);
                format!("if :: {condition} -> break :: else -> skip fi")
            }
            11 if self.inline => {
                self.use_of("inline");
                let step = self.random.below(3);
                format!("turn(g, {step}, flag)")
            }
            12 => self.counting(),
            13 if self.priorities => {
                self.use_of("set_priority");
                let pid = ["_pid", "0"][self.random.below(2)];
                let priority = 1 + self.random.below(4);
                format!("set_priority({pid}, {priority})")
            }
            14 => "skip".to_owned(),
            _ => self.assignment(),
        }
    }

    fn assertion(&mut self) -> String {
        self.use_of("assert");
        let mut condition = self.condition(1);
        if self.random.chance(60) {
            let other = self.condition(1);
            condition = format!("({condition} || {other})");
        }
        format!("check(({condition}))")
    }

    fn selection(&mut self, context: Context) -> String {
        self.use_of("if");
        let mut text = "if".to_owned();
        let mut talks = false;
        let mut sides = Sides::default();
        for _ in 0..1 + self.random.below(2) {
            let guard = self.guard(context);
            sides.note(&guard);
            talks |= guard.contains(['?', '!']) && !guard.contains(['(', '[']);
            // A timeout and `else` do not go together.
            let guard = guard.replace("timeout", "g == 1");
            let rest = self.statement(context);
            text += &format!(" :: {guard} -> {rest}");
        }
        if self.random.chance(65) && !sides.both() {
            self.use_of("else");
            if talks {
                self.use_of("else beside i/o");
            }
            let rest = self.assignment();
            text += &format!(" :: else -> {rest}");
        }
        text + " fi"
    }

    fn repetition(&mut self, context: Context) -> String {
        let inside = Context {
            in_loop: true,
            ..context
        };
        let guard = self.guard(inside);
        let rest = self.statement(inside);
        let leave = self.condition(1);
        self.use_of("break");
        format!("do :: {guard} -> {rest} :: {leave} -> break od")
    }

    /// A `d_step`: nothing in it blocks but its guard.
    fn deterministic(&mut self, context: Context) -> String {
        self.use_of("d_step");
        self.in_d_step = true;
        let mut parts = Vec::new();
        if self.random.chance(50) {
            parts.push(self.condition(1));
        }
        parts.push(self.assignment());
        // SPIN takes a choice under an `unless` for a jump into the `d_step`.
        if !context.in_unless && self.random.chance(50) {
            let (a, b) = (self.condition(0), self.condition(0));
            let (x, y, z) = (self.assignment(), self.assignment(), self.assignment());
            parts.push(format!("if :: {a} -> {x} :: {b} -> {y} :: else -> {z} fi"));
        }
        parts.push(self.assignment());
        if self.random.chance(20) {
            let assertion = self.assertion();
            parts.push(assertion);
        }
        self.in_d_step = false;
        format!("d_step {{ {} }}", parts.join("; "))
    }

    fn interruptible(&mut self, context: Context) -> String {
        let inside = Context {
            in_unless: true,
            ..context
        };
        let count = 2 + self.random.below(2);
        self.use_of("unless");
        let main = self.sequence(inside, count);
        let escape = self.escape();
        // SPIN tries the inner escape first where an `unless` as a whole is what a process stands
        // at: behind a label, at the head of an option or of an atomic sequence.
        let text = format!("{{ {main} }} unless {{ {escape} }}");
        if context.in_unless || !self.random.chance(30) {
            return format!("skip; {text}");
        }
        self.use_of("nested unless");
        let escape = self.escape();
        format!("skip; {{ {text} }} unless {{ {escape} }}")
    }

    /// A loop over numbers, or a choice of one.
    fn counting(&mut self) -> String {
        let Some(counter) = self.counter else {
            return self.assignment();
        };
        let body = self.assignment();
        match self.random.below(5) {
            1..=3 if self.array.is_some() => {
                self.use_of("for in");
                self.use_of("array");
                format!("for ({counter} in a) {{ a[{counter}] = (a[{counter}] + 1) % 2; {body} }}")
            }
            0 | 1 => {
                self.use_of("for");
                format!("for ({counter} : 0 .. 1) {{ {body} }}")
            }
            _ => {
                self.use_of("select");
                format!("select ({counter} : 0 .. 2); g = {counter}")
            }
        }
    }
}
