//! Random modules, as text.

use std::fmt::Write as _;

use fastrand::Rng;

/// Where texts are in memory: `bad`, `good`, `fine`, `bad news`.
const TEXTS: &[i32] = &[16, 20, 25, 32];

/// How many loops of a function have counters of their own: as many as there can be.
const COUNTERS: usize = 8;

struct Writer<'r> {
    rng: &'r mut Rng,
    out: String,
    /// How many statements may still be written.
    left: usize,
    /// Whether the function may call others.
    calls: bool,
    /// The labels of loops and blocks around.
    labels: Vec<String>,
    fresh: usize,
}

/// A module with three exports and imports `connect`, `wipe` and `ask`.
pub(crate) fn module(rng: &mut Rng) -> String {
    let mut out = String::from(
        "(module
  (import \"env\" \"connect\" (func $connect (param i32)))
  (import \"env\" \"wipe\" (func $wipe))
  (import \"env\" \"ask\" (func $ask (result i32)))
  (memory 1)
  (data (i32.const 16) \"bad\\00good\\00fine\\00\")
  (data (i32.const 32) \"bad news\\00\")
  (type $act (func (param i32)))
  (table funcref (elem $help0 $help1 $connect))
",
    );
    for global in 0..2 {
        let first = small(rng);
        let _ = writeln!(out, "  (global $g{global} (mut i32) (i32.const {first}))");
    }
    for (name, calls) in [
        ("$help0", false),
        ("$help1", false),
        ("$run0 (export \"run0\")", true),
        ("$run1 (export \"run1\")", true),
        ("$run2 (export \"run2\")", true),
    ] {
        let left = rng.usize(1..4);
        let mut writer = Writer {
            rng,
            out: String::new(),
            left,
            calls,
            labels: Vec::new(),
            fresh: 0,
        };
        writer.statements(0);
        let body = writer.out;
        let _ = write!(
            out,
            "  (func {name} (param $p i32) (local $a i32) (local $b i32)"
        );
        for counter in 0..COUNTERS {
            let _ = write!(out, " (local $c{counter} i32)");
        }
        let _ = writeln!(out, "\n{body}  )");
    }
    out.push_str(")\n");
    out
}

fn small(rng: &mut Rng) -> i32 {
    match rng.u8(0..6) {
        0 => *rng.choice(TEXTS).unwrap(),
        1 => -1,
        _ => rng.i32(0..6),
    }
}

impl Writer<'_> {
    fn statements(&mut self, depth: usize) {
        let count = self.rng.usize(1..4);
        for _ in 0..count {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement(depth);
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "    {text}");
    }

    fn statement(&mut self, depth: usize) {
        let nested = depth < 2;
        match self.rng.u8(0..18) {
            0..=3 | 16 => {
                let value = self.text();
                self.line(&format!("(call $connect {value})"));
            }
            4 | 17 => self.line("(call $wipe)"),
            5 | 6 => {
                let (variable, value) = (self.variable(), self.value(2));
                self.line(&format!("({}.set {} {value})", variable.0, variable.1));
            }
            7 => {
                let (at, value) = (self.address(), self.value(1));
                self.line(&format!("(i32.store8 {at} {value})"));
            }
            8 => {
                let (at, value) = (64 + 4 * self.rng.i32(0..2), self.value(1));
                self.line(&format!("(i32.store (i32.const {at}) {value})"));
            }
            9 if self.calls => {
                let (index, value) = (self.value(1), self.text());
                let index = format!("(i32.and {index} (i32.const 3))");
                self.line(&format!("(call_indirect (type $act) {value} {index})"));
            }
            10 if self.calls => {
                let (callee, value) = (self.rng.u8(0..2), self.value(1));
                self.line(&format!("(call $help{callee} {value})"));
            }
            11 if nested => self.loops(depth),
            12 if nested => self.switch(depth),
            13 if !self.labels.is_empty() => {
                let label = self.rng.choice(&self.labels).unwrap().clone();
                let cond = self.value(1);
                // A loop ends some time.
                self.line(&format!("(br_if {label} (i32.and {cond} (call $ask)))"));
            }
            _ if nested => self.branch(depth),
            _ => self.line("(nop)"),
        }
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.condition();
        self.line(&format!("(if {cond} (then"));
        self.statements(depth + 1);
        self.line(")");
        if self.rng.bool() {
            self.line("(else");
            self.statements(depth + 1);
            self.line(")");
        }
        self.line(")");
    }

    fn loops(&mut self, depth: usize) {
        self.fresh += 1;
        let label = format!("$l{}", self.fresh);
        let bound = self.rng.i32(1..4);
        let counter = format!("$c{}", self.fresh % COUNTERS);
        self.line(&format!("(local.set {counter} (i32.const 0))"));
        self.line(&format!("(loop {label}"));
        self.labels.push(label.clone());
        self.statements(depth + 1);
        self.labels.pop();
        self.line(&format!("(local.set $b (local.get {counter}))"));
        self.line(&format!(
            "(br_if {label} (i32.lt_u (local.tee {counter} (i32.add (local.get {counter}) (i32.const 1))) (i32.const {bound}))))"
        ));
    }

    fn switch(&mut self, depth: usize) {
        self.fresh += 1;
        let (outer, inner) = (format!("$o{}", self.fresh), format!("$i{}", self.fresh));
        let value = self.value(1);
        self.line(&format!("(block {outer} (block {inner}"));
        self.line(&format!(
            "(br_table {inner} {outer} {inner} {outer} {value}))"
        ));
        self.labels.push(outer);
        self.statements(depth + 1);
        self.labels.pop();
        self.line(")");
    }

    fn variable(&mut self) -> (&'static str, &'static str) {
        *self
            .rng
            .choice(&[
                ("local", "$a"),
                ("local", "$p"),
                ("global", "$g0"),
                ("global", "$g1"),
            ])
            .unwrap()
    }

    fn text(&mut self) -> String {
        let at = *self.rng.choice(TEXTS).unwrap();
        match self.rng.u8(0..12) {
            0 => self.value(1),
            1 => {
                let value = self.value(0);
                format!("(i32.add (i32.const 16) (i32.and {value} (i32.const 15)))")
            }
            2 => {
                let (other, cond) = (*self.rng.choice(TEXTS).unwrap(), self.condition());
                format!("(select (i32.const {at}) (i32.const {other}) {cond})")
            }
            _ => format!("(i32.const {at})"),
        }
    }

    /// Where something is written: behind the texts, mostly.
    fn address(&mut self) -> String {
        let value = self.value(0);
        match self.rng.u8(0..10) {
            0 => format!("(i32.and {value} (i32.const 31))"),
            _ => format!("(i32.add (i32.const 96) (i32.and {value} (i32.const 15)))"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.value(1), self.value(0));
        let op = *self
            .rng
            .choice(&["eq", "ne", "lt_s", "lt_u", "gt_s", "le_u", "ge_s"])
            .unwrap();
        format!("(i32.{op} {left} {right})")
    }

    fn value(&mut self, depth: usize) -> String {
        if depth > 0 && self.rng.bool() {
            let op = *self
                .rng
                .choice(&[
                    "add", "sub", "mul", "and", "or", "xor", "shl", "shr_u", "shr_s", "rotl",
                    "div_s", "div_u", "rem_s", "rem_u",
                ])
                .unwrap();
            let (left, right) = (self.value(depth - 1), self.value(depth - 1));
            return format!("(i32.{op} {left} {right})");
        }
        match self.rng.u8(0..9) {
            0 | 8 => "(call $ask)".to_owned(),
            1 => format!("(i32.load (i32.const {}))", 64 + 4 * self.rng.i32(0..2)),
            2 => format!("(i32.load8_u (i32.const {}))", self.rng.i32(16..40)),
            3 | 4 => {
                let variable = self.variable();
                format!("({}.get {})", variable.0, variable.1)
            }
            5 => "(local.get $b)".to_owned(),
            _ => format!("(i32.const {})", small(self.rng)),
        }
    }
}
