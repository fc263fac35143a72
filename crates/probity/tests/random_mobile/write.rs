//! Writes random statements and expressions.
//!
//! Expressions leave orders of evaluation open only between calls of functions, where C says that one
//! follows the other: nothing is written twice, or read and written, without an order.

use std::fmt::Write as _;

use crate::generate::{Maker, Shape, Variable};
use crate::rules::TEXTS;

impl Maker {
    /// An expression that gives a number.
    pub(crate) fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(15) {
            return self.simple_number();
        }
        let of = |this: &mut Self| this.number(depth - 1);
        let kind = self.random.below(24);
        if self.careful && matches!(kind, 3..=8 | 14) {
            return self.defined_number(kind, depth - 1);
        }
        match kind {
            0..=2 => self.simple_number(),
            3..=6 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {op} {})", of(self), of(self))
            }
            7 => {
                let by = self.random.below(5);
                let op = self.random.pick(&["<<", ">>"]);
                match self.random.chance(20) {
                    true => format!("({} {op} {})", of(self), of(self)),
                    false => format!("({} {op} {by})", of(self)),
                }
            }
            8 => {
                let op = self.random.pick(&["/", "%"]);
                match self.random.chance(12) {
                    true => format!("({} {op} {})", of(self), of(self)),
                    false => format!("({} {op} {})", of(self), 1 + self.random.below(5)),
                }
            }
            9..=11 => self.truth(depth - 1),
            12 => format!("({} ? {} : {})", self.truth(depth - 1), of(self), of(self)),
            13 => {
                let ty = self.random.pick(&[
                    "unsigned char",
                    "signed char",
                    "unsigned",
                    "long",
                    "short",
                    "_Bool",
                ]);
                self.has("cast");
                format!("({ty}){}", of(self))
            }
            14 => format!("({} {})", self.random.pick(&["~", "-", "+"]), of(self)),
            15 => {
                self.has("call");
                let function = self.helper();
                format!("{function}({})", of(self))
            }
            16 => match self.of_shape(|v| v.shape == Shape::Function) {
                None => self.simple_number(),
                Some(v) => {
                    self.has("call through pointer");
                    match self.random.chance(50) {
                        true => format!("{}({})", v.name, of(self)),
                        false => format!("(*{})({})", v.name, of(self)),
                    }
                }
            },
            // A constant on the left, and a cast of it all, are more than GCC 12 compiles with sanitizers.
            17 => format!("(in_int(), {})", of(self)),
            18 => format!("({} & 3)", of(self)),
            19 => {
                self.has("unsigned");
                format!("({} + {}u)", of(self), self.random.below(9))
            }
            20 => format!("(in_int() & {})", [1, 3, 7][self.random.below(3)]),
            _ => self.place(),
        }
    }

    /// A calculation that is defined whatever its operands are.
    fn defined_number(&mut self, kind: usize, depth: usize) -> String {
        let (left, right) = (self.number(depth), self.number(depth));
        match kind {
            3 | 4 => {
                let op = self.random.pick(&["+", "-", "*"]);
                format!("(({left} & 15) {op} ({right} & 15))")
            }
            5 => {
                let op = self.random.pick(&["&", "|", "^"]);
                format!("({left} {op} {right})")
            }
            6 => {
                let op = self.random.pick(&["+", "-", "*"]);
                format!("((unsigned)({left}) {op} {right})")
            }
            7 => {
                let op = self.random.pick(&["<<", ">>"]);
                format!("((unsigned)({left}) {op} {})", self.random.below(5))
            }
            8 => {
                let op = self.random.pick(&["/", "%"]);
                let by = 1 + self.random.below(5);
                match self.random.chance(30) {
                    true => format!("({right} == 0 ? 1 : ({left} & 63) {op} (({right}) | 64))"),
                    false => format!("({left} {op} {by})"),
                }
            }
            _ => format!("(- ({left} & 127))"),
        }
    }

    fn simple_number(&mut self) -> String {
        match self.random.below(14) {
            0..=3 => self.random.below(9).to_string(),
            4 => self
                .random
                .pick(&[
                    "'a'",
                    "'b'",
                    "-1",
                    "255",
                    "128",
                    "2147483647",
                    "0x7fu",
                    "65535",
                    "1L",
                ])
                .to_owned(),
            5 => "in_int()".to_owned(),
            6 => "(in_int() & 3)".to_owned(),
            7 => self
                .random
                .pick(&["in_uint()", "in_long()", "(int)sizeof(int)"])
                .to_owned(),
            8 => self.random.pick(&["remote()", "(in_int() & 1)"]).to_owned(),
            _ => self.place(),
        }
    }

    /// An expression that is used as a truth value.
    pub(crate) fn truth(&mut self, depth: usize) -> String {
        let depth = depth.min(2);
        match self.random.below(10) {
            0..=4 => {
                let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.number(depth), self.number(depth))
            }
            5 => format!("({} && {})", self.number(depth), self.number(depth)),
            6 => format!("({} || {})", self.number(depth), self.number(depth)),
            7 => format!("!{}", self.number(depth)),
            8 => {
                self.has("strcmp");
                let text = self.random.pick(TEXTS);
                let other = self.text();
                let op = self.random.pick(&["==", "!="]);
                format!("(strcmp({other}, \"{text}\") {op} 0)")
            }
            _ => match self.of_shape(|v| v.shape == Shape::Pointer) {
                Some(v) => match self.random.below(3) {
                    0 => format!("({} ? 1 : 0)", v.name),
                    1 => format!("!{}", v.name),
                    _ => {
                        self.has("compared pointers");
                        format!("({} == {})", v.name, self.place_address(false))
                    }
                },
                None => self.number(depth),
            },
        }
    }

    /// A condition that holds whatever its operands are.
    fn certain(&mut self) -> String {
        let number = self.number(1);
        match self.random.below(4) {
            0 => format!("({number} & 3) < 4"),
            1 => format!("({number} | 1) != 0"),
            2 => format!("({number} % 3u) <= 2"),
            _ => format!("(unsigned char)({number}) < 256"),
        }
    }

    /// An index below a size, mostly.
    fn index(&mut self, size: usize) -> String {
        if let Some(counter) = self.of_shape(|v| v.counter)
            && self.random.chance(30)
        {
            if self.careful || self.random.chance(70) {
                return format!("({} % {size}u)", counter.name);
            }
            return counter.name;
        }
        match self.random.below(10) {
            0..=4 => self.random.below(size).to_string(),
            5..=7 => format!("({} % {size}u)", self.number(1)),
            8 => format!("({} & 1)", self.number(1)),
            _ => match !self.careful && self.random.chance(20) {
                true => self.number(1),
                false => format!("({} & 1)", self.number(1)),
            },
        }
    }

    /// A place that can be read and, if it is no counter, written.
    fn place(&mut self) -> String {
        match self.of_shape(|v| !matches!(v.shape, Shape::Text | Shape::Function)) {
            None => "in_int()".to_owned(),
            Some(v) => self.part_of(&v),
        }
    }

    fn part_of(&mut self, v: &Variable) -> String {
        let name = &v.name;
        match v.shape {
            Shape::Array(size) => format!("{name}[{}]", self.index(size)),
            Shape::Buffer(size) => format!("{name}[{}]", self.index(size)),
            Shape::Matrix(size) => format!("{name}[{}][{}]", self.index(size), self.index(2)),
            Shape::Structure => {
                let member = self.member();
                format!("{name}.{member}")
            }
            Shape::Structures(size) => {
                let index = self.index(size);
                let member = self.member();
                format!("{name}[{index}].{member}")
            }
            Shape::Union => {
                let member = self.shared_member();
                format!("{name}.{member}")
            }
            Shape::Link => {
                let member = self.member();
                format!("{name}->{member}")
            }
            Shape::Pointer => match self.random.below(3) {
                _ if self.careful => format!("(*{name})"),
                0 => format!("{name}[{}]", self.index(2)),
                1 if self.random.chance(50) => format!("(*({name} + {}))", self.random.below(2)),
                _ => format!("*{name}"),
            },
            Shape::Integer | Shape::Text | Shape::Function => name.clone(),
        }
    }

    /// A member of the union; those of its structure are bit-fields.
    fn shared_member(&mut self) -> String {
        match self.random.below(6) {
            0 => "a".to_owned(),
            1 => format!("b[{}]", self.index(4)),
            2 => format!("h[{}]", self.index(2)),
            _ => self.random.pick(&["f.l", "f.m", "f.n"]).to_owned(),
        }
    }

    fn member(&mut self) -> String {
        match self.random.below(6) {
            0..=2 => "a".to_owned(),
            3 => "b".to_owned(),
            4 => format!("t[{}]", self.index(4)),
            _ => format!("v[{}]", self.index(2)),
        }
    }

    /// A text.
    pub(crate) fn text(&mut self) -> String {
        match self.random.below(14) {
            // Buffers may have no end, and pointers move beyond it.
            0..=4 => format!("\"{}\"", self.random.pick(TEXTS)),
            7..=10 if self.careful => format!("\"{}\"", self.random.pick(TEXTS)),
            12 if self.careful && self.random.chance(80) => "\"ab\"".to_owned(),
            5 | 6 => match self.of_shape(|v| v.shape == Shape::Text) {
                Some(v) => match self.random.below(8) {
                    _ if self.careful => v.name,
                    0 => format!("({} + 1)", v.name),
                    1 => format!("&{}[1]", v.name),
                    _ => v.name,
                },
                None => "\"a\"".to_owned(),
            },
            7..=9 => match self.of_shape(|v| matches!(v.shape, Shape::Buffer(_))) {
                Some(v) => match self.random.below(4) {
                    0 => format!("&{}[{}]", v.name, self.index(2)),
                    1 => format!("({} + 1)", v.name),
                    _ => v.name,
                },
                None => "\"b\"".to_owned(),
            },
            10 => match self.of_shape(|v| v.shape == Shape::Structure) {
                Some(v) => format!("{}.t", v.name),
                None => "\"ab\"".to_owned(),
            },
            11 => {
                let (a, b) = (self.random.pick(TEXTS), self.random.pick(TEXTS));
                format!("({} ? \"{a}\" : \"{b}\")", self.truth(1))
            }
            12 => {
                self.has("text from outside");
                "in_text()".to_owned()
            }
            _ => format!("(\"x{}\" + 1)", self.random.pick(TEXTS)),
        }
    }

    /// Writes the statements of a block.
    pub(crate) fn block(&mut self, indent: usize, depth: usize) {
        let before = self.variables.len();
        let count = match depth {
            0 => self.size,
            _ => 1 + self.random.below(2),
        };
        if depth > 0 && self.random.chance(20) {
            let shape = [Shape::Integer, Shape::Array(2), Shape::Buffer(3)][self.random.below(3)];
            self.declare_as(shape, false, indent);
        }
        for _ in 0..count {
            self.statement(indent, depth);
        }
        self.variables.truncate(before);
    }

    fn braces(&mut self, indent: usize, depth: usize) {
        let pad = " ".repeat(indent);
        let _ = writeln!(self.out, "{pad}{{");
        self.block(indent + 4, depth + 1);
        let _ = writeln!(self.out, "{pad}}}");
    }

    pub(crate) fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", " ".repeat(indent));
    }

    fn statement(&mut self, indent: usize, depth: usize) {
        let kind = if depth >= 2 {
            self.random.below(15)
        } else {
            self.random.below(30)
        };
        match kind {
            0..=4 => self.assign(indent),
            5 => self.assign_pointer(indent),
            6..=10 => self.call_outside(indent),
            11 => self.special(indent),
            12 | 13 => {
                let text = self.alone();
                self.line(indent, &format!("{text};"));
            }
            14 => match self.random.below(8) {
                0..=2 => {
                    self.has("assert");
                    let cond = match self.random.below(3) {
                        _ if self.careful => self.certain(),
                        0 => self.truth(2),
                        1 => format!("({} != {})", self.number(1), 40 + self.random.below(40)),
                        _ => format!("({} < 200)", self.place()),
                    };
                    self.line(indent, &format!("assert({cond});"));
                }
                3 => {
                    self.has("exit");
                    let cond = self.truth(1);
                    self.line(indent, &format!("if ({cond}) exit(0);"));
                }
                4 if self.loops > 0 => {
                    let cond = self.truth(1);
                    let word = self.random.pick(&["break", "continue"]);
                    self.line(indent, &format!("if ({cond}) {word};"));
                }
                5 if self.returns => {
                    let cond = self.truth(1);
                    let value = self.number(1);
                    self.line(indent, &format!("if ({cond}) return {value};"));
                }
                _ => self.assign(indent),
            },
            15..=19 => {
                let cond = self.truth(2);
                self.line(indent, &format!("if ({cond})"));
                self.braces(indent, depth);
                if self.random.chance(40) {
                    self.line(indent, "else");
                    self.braces(indent, depth);
                }
            }
            20..=22 => self.for_loop(indent, depth),
            23 | 24 => self.while_loop(indent, depth),
            25 | 26 => self.switch(indent, depth),
            27 => self.goto(indent, depth),
            _ => self.call_outside(indent),
        }
    }

    fn assign(&mut self, indent: usize) {
        let Some(v) =
            self.of_shape(|v| !v.counter && !matches!(v.shape, Shape::Text | Shape::Function))
        else {
            return;
        };
        let place = self.part_of(&v);
        let line = match self.random.below(10) {
            0..=5 => format!("{place} = {};", self.number(3)),
            6.. if self.careful => {
                self.has("compound assignment");
                let op = self.random.pick(&["^=", "|=", "&=", "%= 3 +", ">>= 1 &"]);
                let value = self.number(2);
                format!("{place} {op} ({value} & 7);")
            }
            6 | 7 => {
                self.has("compound assignment");
                let op = self.random.pick(&["+=", "-=", "^=", "|=", "&=", "*="]);
                format!("{place} {op} {};", self.number(2))
            }
            8 => {
                self.has("compound assignment");
                let op = self.random.pick(&["/=", "%=", "<<=", ">>="]);
                format!("{place} {op} {};", 1 + self.random.below(4))
            }
            _ => format!("{place}{};", self.random.pick(&["++", "--"])),
        };
        self.line(indent, &line);
    }

    fn assign_pointer(&mut self, indent: usize) {
        let suits = |v: &Variable| {
            matches!(
                v.shape,
                Shape::Pointer | Shape::Text | Shape::Link | Shape::Function | Shape::Structure
            )
        };
        let Some(v) = self.of_shape(suits) else {
            return self.assign(indent);
        };
        let name = v.name.clone();
        // What lasts may point to what does not, and dangle.
        let lasting = self.careful || v.global && self.random.chance(70);
        let line = match v.shape {
            Shape::Pointer => match self.random.below(6) {
                0 if !self.careful => {
                    self.has("moved pointer");
                    format!("{name}{};", self.random.pick(&["++", "--", " += 1"]))
                }
                _ => format!("{name} = {};", self.place_address(lasting)),
            },
            Shape::Text => format!("{name} = {};", self.text()),
            Shape::Link => format!("{name} = {};", self.link(lasting)),
            Shape::Function => format!("{name} = {};", self.helper()),
            _ => match self.random.chance(50) {
                true => format!("{name}.p = {};", self.place_address(lasting)),
                false => {
                    self.has("copied structure");
                    let from = self.link(false);
                    match from.strip_prefix('&') {
                        Some(from) => format!("{name} = {from};"),
                        None => format!("if ({name}.p) *{name}.p = 1;"),
                    }
                }
            },
        };
        self.line(indent, &line);
    }

    /// A call that a policy may deny.
    fn call_outside(&mut self, indent: usize) {
        let line = match self.random.below(10) {
            0..=2 => format!("send({}, {});", self.text(), self.number(1)),
            3 | 4 => format!("open_at({}, {});", self.text(), self.text()),
            5 | 6 => format!("connect_to_location({});", self.text()),
            7 => format!("act({});", self.number(2)),
            8 => {
                self.has("writer outside");
                format!("mangle({});", self.place_address(false))
            }
            _ => {
                let cond = self.truth(1);
                let text = self.text();
                format!("if ({cond}) send({text}, 1);")
            }
        };
        self.line(indent, &line);
    }

    /// Moves and threads.
    fn special(&mut self, indent: usize) {
        let worker = self.worker_name().filter(|_| self.returns);
        if let Some(worker) = worker
            && self.random.chance(80)
        {
            let tag = self.tag;
            let argument = self.number(1);
            let line = match self.random.below(4) {
                3 => self.guarded(),
                0 => format!(
                    "{{ pthread_t h; if (!pthread_create(&h, 0, {worker}, (void *)(long)(int)({argument}))) pthread_join(h, 0); }}"
                ),
                1 => format!(
                    "{{ pthread_t h; pthread_create(&h, 0, {worker}, (void *)(long)(int)({argument})); }}"
                ),
                _ => {
                    self.has("mutex");
                    let place = self.place();
                    let value = self.number(1);
                    match place.contains("in_int") || place.contains("(int)") {
                        true => {
                            format!("pthread_mutex_lock(&m_{tag}); pthread_mutex_unlock(&m_{tag});")
                        }
                        false => format!(
                            "pthread_mutex_lock(&m_{tag}); {value}; pthread_mutex_unlock(&m_{tag});"
                        ),
                    }
                }
            };
            self.line(indent, &line);
            return;
        }
        self.has("move");
        let line = match self.random.below(4) {
            0 => "go_out(\"air0\"); go_in(\"air1\");".to_owned(),
            1 => format!("if ({}) go_out(\"airc\");", self.truth(1)),
            2 => format!("if (remote()) go_in({});", self.text()),
            _ => format!("go_out({});", self.text()),
        };
        match self.random.chance(50) {
            true => self.line(indent, &line),
            false => self.call_outside(indent),
        }
    }

    /// An expression for its effect: its parts write nothing that others of them use.
    fn alone(&mut self) -> String {
        let Some(v) = self.of_shape(|v| v.shape == Shape::Integer && !v.counter) else {
            return self.number(2);
        };
        let name = &v.name;
        match self.random.below(6) {
            0 | 2 | 3 if self.careful => format!("{name} = ({name} & 31) + 1"),
            0 => {
                self.has("increment");
                let function = self.helper();
                format!("{function}({name}{})", self.random.pick(&["++", "--"]))
            }
            1 => format!("{} && ({name} = {})", self.truth(1), self.number(1)),
            2 => format!("{} || ({name}++, act({name}), 1)", self.truth(1)),
            3 => format!("{name} = ({name} = {}, {name} + 1)", self.random.below(4)),
            4 => match self.of_shape(|v| matches!(v.shape, Shape::Array(_))) {
                Some(array) => {
                    self.has("call");
                    let (f, g) = (self.helper(), self.helper());
                    format!("{}[{f}(0) & 1] = {g}(1)", array.name)
                }
                None => self.number(2),
            },
            _ => {
                match self.of_shape(|v| v.shape == Shape::Array(2) || v.shape == Shape::Array(3)) {
                    Some(array) => {
                        self.has("increment");
                        format!(
                            "{name} = 0, {}[{name}++] = {}",
                            array.name,
                            self.random.below(9)
                        )
                    }
                    None => self.number(2),
                }
            }
        }
    }

    fn for_loop(&mut self, indent: usize, depth: usize) {
        self.has("for");
        let name = self.name("i");
        let size = 1 + self.random.below(4);
        let head = match self.random.below(3) {
            0 => format!("for (int {name} = {size}; {name} >= 0; {name}--)"),
            1 => format!("for (unsigned {name} = 0; {name} < {size}; {name}++)"),
            _ => format!("for (int {name} = 0; {name} < {size}; ++{name})"),
        };
        self.line(indent, &head);
        self.variables.push(Variable {
            name,
            shape: Shape::Integer,
            plain: false,
            global: false,
            counter: true,
        });
        self.loops += 1;
        self.braces(indent, depth);
        self.loops -= 1;
        self.variables.pop();
    }

    fn while_loop(&mut self, indent: usize, depth: usize) {
        self.loops += 1;
        if self.random.chance(50) {
            self.has("while");
            let cond = self.truth(1);
            let limit = self.random.pick(&["in_int() == 3", "(in_int() & 1)"]);
            self.line(indent, &format!("while ({limit} && {cond})"));
            self.braces(indent, depth);
        } else {
            self.has("do");
            self.line(indent, "do");
            self.braces(indent, depth);
            let cond = self.truth(1);
            self.line(indent, &format!("while (in_int() == 2 && {cond});"));
        }
        self.loops -= 1;
    }

    fn switch(&mut self, indent: usize, depth: usize) {
        self.has("switch");
        let value = self.number(2);
        self.line(indent, &format!("switch ({value})"));
        self.line(indent, "{");
        let loops = std::mem::take(&mut self.loops);
        let mut cases: Vec<&str> = vec![
            "case 0:",
            "case 1:",
            "case 3 ... 5:",
            "case -1:",
            "default:",
        ];
        for _ in 0..1 + self.random.below(4) {
            let at = self.random.below(cases.len());
            let label = cases.remove(at);
            self.line(indent, label);
            self.braces(indent, depth);
            if self.random.chance(60) {
                self.line(indent + 4, "break;");
            }
        }
        self.loops = loops;
        self.line(indent, "}");
    }

    fn goto(&mut self, indent: usize, depth: usize) {
        self.has("goto");
        let label = self.name("l");
        let cond = self.truth(1);
        if self.random.chance(50) {
            self.line(indent, &format!("if ({cond}) goto {label};"));
            self.braces(indent, depth);
            self.line(indent, &format!("{label}: ;"));
        } else {
            self.line(indent, &format!("{label}: ;"));
            self.braces(indent, depth);
            self.line(
                indent,
                &format!("if (in_int() == 1 && {cond}) goto {label};"),
            );
        }
    }
}
