//! Expressions, formulas and never claims of random models.

use crate::generate::{Kind, Liveness, Variable, Writer};

impl Writer {
    /// A variable that can be written; of this kind, if there is one.
    pub(crate) fn variable(&mut self, wanted: Option<Kind>) -> Option<Variable> {
        let fits = |variable: &&Variable| match wanted {
            None => true,
            Some(Kind::Mtype) => variable.kind == Kind::Mtype,
            Some(_) => variable.kind != Kind::Mtype,
        };
        let all: Vec<&Variable> = self
            .globals
            .iter()
            .chain(&self.locals)
            .filter(fits)
            .collect();
        if all.is_empty() {
            return None;
        }
        Some(all[self.random.below(all.len())].clone())
    }

    /// A variable that can keep every value of a field.
    pub(crate) fn room_for(&mut self, field: Kind) -> Option<Variable> {
        let fits = |variable: &&Variable| match (field, variable.kind) {
            (Kind::Mtype, kind) => kind == Kind::Mtype,
            (_, Kind::Mtype) => false,
            (Kind::Bit, _) | (_, Kind::Short) => true,
            (Kind::Byte | Kind::Unsigned(_), kind) => kind == Kind::Byte,
            (Kind::Short, _) => false,
        };
        let all: Vec<&Variable> = self
            .globals
            .iter()
            .chain(&self.locals)
            .filter(fits)
            .collect();
        if all.is_empty() {
            return None;
        }
        Some(all[self.random.below(all.len())].clone())
    }

    fn number_variable(&mut self) -> Variable {
        self.variable(Some(Kind::Byte))
            .expect("there is always a global number")
    }

    /// An element of the array: an index that stays inside.
    pub(crate) fn element(&mut self) -> Option<String> {
        let (name, length) = self.array?;
        self.use_of("array");
        let index = match self.random.below(3) {
            0 => format!("g % {length}"),
            1 => "flag".to_owned(),
            _ => self.random.below(length).to_string(),
        };
        Some(format!("{name}[{index}]"))
    }

    fn buffered(&mut self) -> Option<String> {
        let names: Vec<&String> = self
            .channels
            .iter()
            .filter(|channel| channel.buffered)
            .map(|channel| &channel.name)
            .collect();
        if names.is_empty() {
            return None;
        }
        Some(names[self.random.below(names.len())].clone())
    }

    /// A small number.
    pub(crate) fn number(&mut self, depth: usize) -> String {
        let choice = if depth == 0 {
            self.random.below(5)
        } else {
            self.random.below(14)
        };
        match choice {
            0 => self.random.below(4).to_string(),
            1..=3 => self.number_variable().name,
            4 => match self.element() {
                Some(element) => element,
                None => self.number_variable().name,
            },
            5 | 6 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                let op = self.random.pick(&["+", "-", "*"]);
                if op == "-" {
                    self.use_of("negative numbers");
                }
                format!("({a} {op} {b})")
            }
            7 => {
                let a = self.number(depth - 1);
                let op = self.random.pick(&["/ 2", "% 3", "% 2"]);
                format!("({a} {op})")
            }
            8 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                self.use_of("bit operators");
                match self.random.below(6) {
                    0 => format!("({a} & {b})"),
                    1 => format!("({a} | {b})"),
                    2 => format!("({a} ^ {b})"),
                    3 => format!("({a} << 1)"),
                    4 => format!("({a} >> 1)"),
                    _ => format!("(~{a})"),
                }
            }
            9 => {
                let (c, a, b) = (
                    self.condition(0),
                    self.number(depth - 1),
                    self.number(depth - 1),
                );
                self.use_of("conditional expression");
                format!("({c} -> {a} : {b})")
            }
            10 | 11 => match self.buffered() {
                Some(channel) => {
                    self.use_of("len");
                    format!("len({channel})")
                }
                None => self.number_variable().name,
            },
            12 => {
                self.use_of("_pid");
                "_pid".to_owned()
            }
            _ if self.counts_processes() => {
                self.use_of("_nr_pr");
                "_nr_pr".to_owned()
            }
            _ => self.number_variable().name,
        }
    }

    /// Whether `_nr_pr` may be asked: SPIN counts its claim, too.
    pub(crate) fn counts_processes(&self) -> bool {
        matches!(self.liveness, Liveness::None | Liveness::Acceptance)
    }

    /// A comparison of what is always there.
    pub(crate) fn plain_condition(&mut self) -> String {
        let place = self.random.below(self.globals.len());
        let variable = self.globals[place].clone();
        let op = self.random.pick(&["==", "!="]);
        let value = match variable.kind {
            Kind::Mtype => self.random.pick(&["red", "green", "blue"]).to_owned(),
            _ => self.random.below(variable.modulus).to_string(),
        };
        format!("{} {op} {value}", variable.name)
    }

    /// A truth value.
    pub(crate) fn condition(&mut self, depth: usize) -> String {
        let choice = if depth == 0 {
            self.random.below(8)
        } else {
            self.random.below(19)
        };
        match choice {
            0..=3 => format!("({})", self.plain_condition()),
            4 | 5 => match self.variable(None) {
                Some(variable) if variable.kind == Kind::Mtype => {
                    let colour = self.random.pick(&["red", "green", "blue"]);
                    format!("({} == {colour})", variable.name)
                }
                Some(variable) => {
                    let value = self.random.below(variable.modulus);
                    let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                    format!("({} {op} {value})", variable.name)
                }
                None => "(g > 0)".to_owned(),
            },
            6 | 7 => {
                let (a, b) = (self.number(depth), self.number(depth));
                let op = self.random.pick(&["==", "!=", "<", "<="]);
                format!("({a} {op} {b})")
            }
            8..=11 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                let op = self.random.pick(&["&&", "||"]);
                format!("({a} {op} {b})")
            }
            // SPIN does not negate what it says of channels.
            12 | 13 => format!("(!({}))", self.plain_condition()),
            14 => match self.buffered() {
                Some(channel) => {
                    let what = self.random.pick(&["full", "empty", "nfull", "nempty"]);
                    self.use_of("full and the like");
                    format!("{what}({channel})")
                }
                None => "(g != 1)".to_owned(),
            },
            15 | 16 => match self.buffered() {
                Some(channel) => {
                    let op = self.random.pick(&["?", "??"]);
                    let fields = self.constants();
                    self.use_of("poll");
                    format!("{channel}{op}[{fields}]")
                }
                None => "(flag == 1)".to_owned(),
            },
            _ => self.remote().unwrap_or_else(|| "(flag == 0)".to_owned()),
        }
    }

    /// What another process is or has.
    ///
    /// SPIN knows a process template once it has been read, and refuses references in `d_step`.
    fn remote(&mut self) -> Option<String> {
        let so_far = self.current.unwrap_or(self.processes.len());
        if self.in_d_step {
            return None;
        }
        let known: Vec<_> = self.processes[..so_far]
            .iter()
            .filter(|process| !process.pids.is_empty())
            .cloned()
            .collect();
        if known.is_empty() {
            return None;
        }
        let process = &known[self.random.below(known.len())];
        let pid = process.pids[self.random.below(process.pids.len())];
        let name = &process.name;
        match &process.local {
            Some(local) if self.random.chance(60) => {
                let value = self.random.below(2);
                self.use_of("remote variable");
                Some(format!("({name}[{pid}]:{local} == {value})"))
            }
            _ => {
                self.use_of("remote label");
                Some(format!("({name}[{pid}]@{}_top)", name.to_lowercase()))
            }
        }
    }

    /// Fields of a poll.
    fn constants(&mut self) -> String {
        let mut texts = Vec::new();
        for place in 0..self.fields.len() {
            let text = match self.fields[place] {
                Kind::Mtype => self.random.pick(&["red", "green", "blue"]).to_owned(),
                Kind::Bit => self.random.below(2).to_string(),
                _ if self.random.chance(30) => {
                    self.use_of("eval");
                    "eval(g)".to_owned()
                }
                _ => self.random.below(3).to_string(),
            };
            texts.push(text);
        }
        texts.join(",")
    }

    /// An atom of a claim: nothing of one process alone.
    fn atom(&mut self) -> String {
        self.locals.clear();
        match self.random.below(6) {
            0..=3 => format!("({})", self.plain_condition()),
            4 => self.remote().expect("one process is there from the start"),
            _ => match self.buffered() {
                Some(channel) if !channel.contains('p') => {
                    self.use_of("len");
                    format!("(len({channel}) > 0)")
                }
                _ => "(g == 2)".to_owned(),
            },
        }
    }

    /// A formula of linear temporal logic without *next*.
    pub(crate) fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        match self.random.below(10) {
            0 => format!("[] {}", self.formula(depth - 1)),
            1 => format!("<> {}", self.formula(depth - 1)),
            2 => format!("[] <> {}", self.formula(depth - 1)),
            3 => format!("<> [] {}", self.formula(depth - 1)),
            4 | 5 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                format!("[] ({a} -> <> {b})")
            }
            6 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                let op = self.random.pick(&["U", "V", "W", "&&", "||", "->", "<->"]);
                format!("({a} {op} {b})")
            }
            7 => format!("! ({})", self.formula(depth - 1)),
            8 => {
                let (a, b, c) = (
                    self.formula(0),
                    self.formula(depth - 1),
                    self.formula(depth - 1),
                );
                format!("[] ({a} -> ({b} U {c}))")
            }
            _ => self.formula(depth - 1),
        }
    }

    /// What only a never claim can ask.
    fn claim_atom(&mut self) -> String {
        let pid = self.random.below(2);
        match self.random.below(10) {
            0..=2 => {
                self.use_of("_last");
                format!("(_last == {pid})")
            }
            7 | 8 => {
                self.use_of("np_");
                "(np_)".to_owned()
            }
            3..=5 if self.enabled => {
                self.use_of("enabled");
                format!("(enabled({pid}))")
            }
            6 => {
                let (a, b) = (self.atom(), self.atom());
                format!("({a} && {b})")
            }
            _ => self.atom(),
        }
    }

    /// A never claim.
    pub(crate) fn never(&mut self) -> String {
        let (a, b) = (self.claim_atom(), self.claim_atom());
        match self.random.below(4) {
            0 => format!("never n {{\n  do :: {a} && {b} -> break :: else od\n}}"),
            1 => format!(
                "never n {{\n  do :: {a} -> goto accept_n :: true od;\n\
                 accept_n: do :: {b} od\n}}"
            ),
            2 => format!(
                "never n {{\nwait: if :: {a} -> goto accept_n :: true -> goto wait fi;\n\
                 accept_n: if :: {b} -> goto wait :: !{b} -> goto accept_n fi\n}}"
            ),
            _ => {
                let c = self.claim_atom();
                format!(
                    "never n {{\nfirst: do :: {a} :: {b} -> goto accept_n od;\n\
                     accept_n: do :: {c} -> goto first :: {b} -> skip :: else -> goto last od;\n\
                     last: {a}; {c}\n}}"
                )
            }
        }
    }
}
