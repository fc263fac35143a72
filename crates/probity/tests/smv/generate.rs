//! Random SMV models: small enough to enumerate, of everything that the language has.
//!
//! Each is right by NuSMV's static rules, since whatever may leave its type is brought back by a
//! `case`, a modulus or a type that is wide enough.

use std::fmt::Write as _;

/// A small generator of random numbers (splitmix64).
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(
            seed.wrapping_mul(0x2545_f491_4f6c_dd1d),
        ))
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0.u64(..limit)
    }

    /// Whether something that happens once in so many times does.
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(all.len() as u64)).expect("it is below a length");
        &all[at]
    }
}

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    Bool,
    /// `0..n`
    Upto(u64),
    Color,
    Word(u64, bool),
}

const COLORS: &[&str] = &["red", "green", "off"];

impl Ty {
    fn text(self) -> String {
        match self {
            Ty::Bool => "boolean".to_owned(),
            Ty::Upto(n) => format!("0..{n}"),
            Ty::Color => "{red, green, off}".to_owned(),
            Ty::Word(bits, false) => format!("unsigned word[{bits}]"),
            Ty::Word(bits, true) => format!("signed word[{bits}]"),
        }
    }
}

/// Something that can be read.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    ty: Ty,
}

/// What can be read where an expression stands.
#[derive(Clone, Default)]
struct Scope {
    vars: Vec<Var>,
    /// Variables whose next value may be read as well.
    next: Vec<Var>,
}

/// A model, and which features it has.
pub(crate) struct Model {
    pub(crate) text: String,
    pub(crate) features: Vec<&'static str>,
    /// How many properties of linear time follow, as pairs of branching and linear time.
    pub(crate) pairs: usize,
}

impl Random {
    fn read(&mut self, scope: &Scope, ty: Ty) -> Option<String> {
        let now: Vec<&Var> = scope.vars.iter().filter(|v| v.ty == ty).collect();
        let next: Vec<&Var> = scope.next.iter().filter(|v| v.ty == ty).collect();
        if !next.is_empty() && self.once_in(3) {
            return Some(format!("next({})", self.pick(&next).name));
        }
        (!now.is_empty()).then(|| self.pick(&now).name.clone())
    }

    fn constant(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Bool => (*self.pick(&["TRUE", "FALSE"])).to_owned(),
            Ty::Upto(n) => self.below(n + 1).to_string(),
            Ty::Color => (*self.pick(COLORS)).to_owned(),
            Ty::Word(bits, false) => format!("0ud{bits}_{}", self.below(1 << bits)),
            Ty::Word(bits, true) => format!("0sd{bits}_{}", self.below(1 << (bits - 1))),
        }
    }

    /// An expression without a set.
    fn value(&mut self, scope: &Scope, ty: Ty, depth: u32) -> String {
        if depth == 0 || self.once_in(4) {
            if !self.once_in(4)
                && let Some(read) = self.read(scope, ty)
            {
                return read;
            }
            return self.constant(ty);
        }
        let down = depth - 1;
        if self.once_in(5) {
            let condition = self.condition(scope, down);
            let (a, b) = (self.value(scope, ty, down), self.value(scope, ty, down));
            return match self.below(2) {
                0 => format!("({condition} ? {a} : {b})"),
                _ => format!("case {condition} : {a}; TRUE : {b}; esac"),
            };
        }
        match ty {
            Ty::Bool => self.condition(scope, depth),
            Ty::Color => self.value(scope, ty, 0),
            Ty::Upto(n) => {
                let (a, b) = (self.value(scope, ty, down), self.value(scope, ty, 0));
                let m = n + 1;
                match self.below(8) {
                    0 => format!("(({a} + {b}) mod {m})"),
                    1 => format!("({n} - {a})"),
                    2 => format!("max({a}, {b})"),
                    3 => format!("min({a}, {b})"),
                    4 => format!("abs({a} - {b})"),
                    5 => format!("(({a} * {b}) mod {m})"),
                    6 => format!("({a} / {})", 1 + self.below(n)),
                    _ => {
                        let p = self.condition(scope, 0);
                        let q = self.condition(scope, 0);
                        if n >= 2 {
                            format!("count({p}, {q})")
                        } else {
                            format!("toint({p})")
                        }
                    }
                }
            }
            Ty::Word(bits, signed) => {
                let (a, b) = (self.value(scope, ty, down), self.value(scope, ty, 0));
                match self.below(11) {
                    0 => format!("({a} + {b})"),
                    1 => format!("({a} - {b})"),
                    2 => format!("({a} * {b})"),
                    3 => format!("({a} & {b})"),
                    4 => format!("({a} xor {b})"),
                    5 => format!("!{a}"),
                    6 => format!("(-{a})"),
                    7 => format!("({a} << {})", self.below(bits + 1)),
                    8 => format!("({a} >> {})", self.below(bits + 1)),
                    9 => {
                        let other = self.value(scope, Ty::Word(bits, !signed), 0);
                        let change = if signed { "signed" } else { "unsigned" };
                        format!("{change}({other})")
                    }
                    _ if bits > 1 && !signed => {
                        let high = bits - 1;
                        format!("({a}[{high}:1] :: {b}[0:0])")
                    }
                    _ => format!("resize(extend({a}, 2), {bits})"),
                }
            }
        }
    }

    /// A truth value.
    fn condition(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 || self.once_in(3) {
            return self.atom(scope);
        }
        let down = depth - 1;
        let (a, b) = (self.condition(scope, down), self.condition(scope, down));
        match self.below(6) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} | {b})"),
            3 => format!("({a} -> {b})"),
            4 => format!("({a} <-> {b})"),
            _ => format!("({a} xor {b})"),
        }
    }

    fn atom(&mut self, scope: &Scope) -> String {
        let types: Vec<Ty> = scope.vars.iter().map(|v| v.ty).collect();
        let ty = *self.pick(&types);
        let a = self
            .read(scope, ty)
            .expect("there is a variable of the type");
        match ty {
            Ty::Bool => a,
            Ty::Color => match self.below(3) {
                0 => format!("{a} in {{{}, off}}", self.pick(&["red", "green"])),
                1 => format!("{a} != {}", self.constant(ty)),
                _ => format!("{a} = {}", self.constant(ty)),
            },
            Ty::Upto(n) => {
                let b = self.value(scope, ty, 1);
                let middle = self.below(n) + 1;
                match self.below(5) {
                    0 => format!("{a} = {b}"),
                    1 => format!("{a} < {b}"),
                    2 => format!("{a} >= {b}"),
                    3 => format!("{a} in 0..{}", middle - 1),
                    _ => format!("{a} > {}", middle - 1),
                }
            }
            Ty::Word(bits, _) => {
                let b = self.value(scope, ty, 1);
                match self.below(5) {
                    0 => format!("{a} = {b}"),
                    1 => format!("{a} < {b}"),
                    2 => format!("{a} >= {b}"),
                    3 => format!("bool({a}[{0}:{0}])", self.below(bits)),
                    _ => format!("{a} != {b}"),
                }
            }
        }
    }

    /// What may be assigned: perhaps a set.
    fn choice(&mut self, scope: &Scope, ty: Ty) -> String {
        let simple = |random: &mut Random| {
            let a = random.value(scope, ty, 2);
            // NuSMV has no sets of words.
            if matches!(ty, Ty::Word(..)) {
                return a;
            }
            match random.below(5) {
                0 => {
                    let b = random.value(scope, ty, 1);
                    format!("{{{a}, {b}}}")
                }
                1 if !matches!(ty, Ty::Bool) => {
                    let b = random.constant(ty);
                    format!("({a} union {b})")
                }
                2 => match ty {
                    Ty::Upto(n) => {
                        let low = random.below(n + 1);
                        format!("{low}..{}", low + random.below(n - low + 1))
                    }
                    _ => a,
                },
                _ => a,
            }
        };
        match self.below(3) {
            0 => simple(self),
            1 => {
                let condition = self.condition(scope, 1);
                format!("{condition} ? {} : {}", simple(self), simple(self))
            }
            _ => {
                let (p, q) = (self.condition(scope, 1), self.condition(scope, 1));
                let (a, b, c) = (simple(self), simple(self), simple(self));
                format!("case {p} : {a}; {q} : {b}; TRUE : {c}; esac")
            }
        }
    }

    fn first(&mut self, ty: Ty) -> String {
        let (a, b) = (self.constant(ty), self.constant(ty));
        match self.below(3) {
            0 if !matches!(ty, Ty::Word(..)) => format!("{{{a}, {b}}}"),
            _ => a,
        }
    }

    /// A formula over `p` and `q`, with these replaced.
    fn fill(pattern: &str, p: &str, q: &str) -> String {
        let words = pattern.chars().map(|c| match c {
            'p' => format!("({p})"),
            'q' => format!("({q})"),
            other => other.to_string(),
        });
        words.collect()
    }

    /// A formula of branching time, of nested operators.
    fn tree(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return format!("({})", self.condition(scope, 1));
        }
        let (a, b) = (self.tree(scope, depth - 1), self.tree(scope, depth - 1));
        match self.below(14) {
            0 => format!("!{a}"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} -> {b})"),
            3 => format!("EX {a}"),
            4 => format!("AX {a}"),
            5 => format!("EF {a}"),
            6 => format!("AF {a}"),
            7 => format!("EG {a}"),
            8 => format!("AG {a}"),
            9 => format!("E [{a} U {b}]"),
            10 => format!("A [{a} U {b}]"),
            11 => format!("EBF {}..3 {a}", self.below(3)),
            12 => format!("ABG {}..2 {a}", self.below(2)),
            _ => format!("A [{a} BU {}..3 {b}]", self.below(3)),
        }
    }

    /// A formula of linear time, of the past too.
    fn line(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return format!("({})", self.condition(scope, 1));
        }
        let (a, b) = (self.line(scope, depth - 1), self.line(scope, depth - 1));
        match self.below(18) {
            0 => format!("(!{a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} -> {b})"),
            3 => format!("(X {a})"),
            4 => format!("(F {a})"),
            5 => format!("(G {a})"),
            6 => format!("({a} U {b})"),
            7 => format!("({a} V {b})"),
            8 => format!("(Y {a})"),
            9 => format!("(Z {a})"),
            10 => format!("(O {a})"),
            11 => format!("(H {a})"),
            12 => format!("({a} S {b})"),
            13 => format!("({a} T {b})"),
            14 => format!("(F [{}, 3] {a})", self.below(3)),
            15 => format!("(G [{}, 2] {a})", self.below(2)),
            16 => format!("(O [{}, 2] {a})", self.below(2)),
            _ => format!("(H [{}, 2] {a})", self.below(2)),
        }
    }

    pub(crate) fn model(&mut self) -> Model {
        let mut features = Vec::new();
        let mut text = String::new();
        let interleaved = self.once_in(5);
        let bits = 2 + self.below(2);
        let signed = self.once_in(2);
        let top = 3 + self.below(5);
        let cell = *self.pick(&[Ty::Bool, Ty::Upto(2), Ty::Color]);
        let shared = Ty::Upto(top);

        let line = |text: &mut String, part: String| {
            writeln!(text, "{part}").expect("a text can always be written to");
        };
        line(&mut text, "MODULE main\nVAR".to_owned());
        let mut own: Vec<Var> = Vec::new();
        let mut declare = |text: &mut String, name: &str, ty: Ty| {
            line(text, format!("  {name} : {};", ty.text()));
            own.push(Var {
                name: name.to_owned(),
                ty,
            });
        };
        declare(&mut text, "b", Ty::Bool);
        declare(&mut text, "n", shared);
        if !self.once_in(3) {
            declare(&mut text, "k", shared);
        }
        if self.once_in(2) {
            declare(&mut text, "c", Ty::Color);
        }
        if self.once_in(3) {
            features.push("word");
            declare(&mut text, "w", Ty::Word(bits, signed));
        }
        let own = own;
        let mut readable = own.clone();
        let has_array = self.once_in(4);
        if has_array {
            features.push("array");
            line(&mut text, "  a : array 0..1 of boolean;".to_owned());
            for at in 0..2 {
                readable.push(Var {
                    name: format!("a[{at}]"),
                    ty: Ty::Bool,
                });
            }
        }
        let parts = if interleaved { 2 } else { self.below(3) };
        for number in 1..=parts {
            let kind = if interleaved { "process " } else { "" };
            line(&mut text, format!("  m{number} : {kind}cell(b, n);"));
        }
        if interleaved {
            features.push("process");
        } else if parts > 0 {
            features.push("module");
        }
        for number in 1..=parts {
            readable.push(Var {
                name: format!("m{number}.s"),
                ty: cell,
            });
            if cell != Ty::Color {
                readable.push(Var {
                    name: format!("m{number}.d"),
                    ty: Ty::Bool,
                });
            }
        }
        if self.once_in(4) {
            features.push("frozen");
            line(&mut text, "FROZENVAR f : boolean;".to_owned());
            readable.push(Var {
                name: "f".to_owned(),
                ty: Ty::Bool,
            });
        }
        let state = Scope {
            vars: readable.clone(),
            next: Vec::new(),
        };
        let mut with_input = state.clone();
        if !interleaved && self.once_in(3) {
            features.push("input");
            line(&mut text, "IVAR i : boolean;".to_owned());
            with_input.vars.push(Var {
                name: "i".to_owned(),
                ty: Ty::Bool,
            });
        }
        if self.once_in(3) {
            features.push("define");
            let condition = self.condition(&state, 1);
            line(&mut text, format!("DEFINE def := {condition};"));
            with_input.vars.push(Var {
                name: "def".to_owned(),
                ty: Ty::Bool,
            });
        }

        line(&mut text, "ASSIGN".to_owned());
        let mut assigned: Vec<Var> = Vec::new();
        for var in &own {
            if !self.once_in(8) {
                let first = self.first(var.ty);
                line(&mut text, format!("  init({}) := {first};", var.name));
            }
            // In a model of processes `n` and `b` may be left to them.
            if self.once_in(if interleaved { 2 } else { 12 }) {
                continue;
            }
            let scope = Scope {
                next: if interleaved {
                    Vec::new()
                } else {
                    assigned.clone()
                },
                ..with_input.clone()
            };
            let value = self.choice(&scope, var.ty);
            line(&mut text, format!("  next({}) := {value};", var.name));
            assigned.push(var.clone());
        }
        if has_array {
            for at in 0..2 {
                let value = self.choice(&with_input, Ty::Bool);
                line(&mut text, format!("  init(a[{at}]) := FALSE;"));
                line(&mut text, format!("  next(a[{at}]) := {value};"));
            }
        }
        if !interleaved && self.once_in(4) {
            features.push("trans");
            let both = Scope {
                next: own,
                ..with_input.clone()
            };
            let (p, q) = (self.condition(&with_input, 1), self.condition(&both, 1));
            line(&mut text, format!("TRANS {p} -> {q};"));
        }
        if self.once_in(5) {
            features.push("invar");
            let (p, q) = (self.condition(&state, 0), self.condition(&state, 0));
            line(&mut text, format!("INVAR {p} | {q};"));
        }
        if self.once_in(5) {
            let (p, q) = (self.condition(&state, 0), self.condition(&state, 0));
            line(&mut text, format!("INIT {p} | {q};"));
        }
        let fairness = self.below(3);
        if fairness > 0 {
            features.push("fairness");
        }
        for _ in 0..fairness {
            let (p, q) = (self.condition(&state, 1), self.condition(&state, 0));
            line(&mut text, format!("FAIRNESS {p} | {q};"));
        }
        if self.once_in(6) {
            features.push("compassion");
            let (p, q) = (self.condition(&state, 1), self.condition(&state, 0));
            line(&mut text, format!("COMPASSION ({p}, {p} | {q});"));
        }
        let compassionate = features.contains(&"compassion");

        let mut pairs = 0;
        let mut linear = String::new();
        let mut psl = String::new();
        let patterns = [
            ("AG p", "G p", "always p"),
            ("AF p", "F p", "eventually! p"),
            ("AX p", "X p", "next p"),
            ("A [p U q]", "p U q", "p until! q"),
            (
                "AG (p -> AF q)",
                "G (p -> F q)",
                "always (p -> eventually! q)",
            ),
            ("AG (p -> AX q)", "G (p -> X q)", "always (p -> next! q)"),
            ("ABF 1..3 p", "F [1,3] p", "next_e[1:3] (p)"),
            ("!E [!q U (!p & !q)]", "q V (p | q)", "p until q"),
        ];
        for (number, (branching, line_pattern, psl_pattern)) in patterns.into_iter().enumerate() {
            if self.once_in(3) {
                continue;
            }
            let (p, q) = (self.condition(&state, 1), self.condition(&state, 1));
            // Compassion counts in linear time only.
            if !compassionate {
                pairs += 1;
                let formula = Random::fill(branching, &p, &q);
                line(&mut text, format!("CTLSPEC {formula};"));
            }
            let formula = Random::fill(line_pattern, &p, &q);
            line(&mut linear, format!("LTLSPEC {formula};"));
            // NuSMV's parser for PSL knows few expressions.
            let (left, right) = (format!("p{number}"), format!("q{number}"));
            line(&mut text, format!("DEFINE {left} := {p}; {right} := {q};"));
            let formula = Random::fill(psl_pattern, &left, &right);
            line(&mut psl, format!("PSLSPEC {formula};"));
        }
        for _ in 0..3 {
            let tree = self.tree(&state, 2);
            line(&mut text, format!("CTLSPEC {tree};"));
        }
        text.push_str(&linear);
        for _ in 0..3 {
            let line_formula = self.line(&state, 2);
            line(&mut text, format!("LTLSPEC {line_formula};"));
        }
        text.push_str(&psl);
        let (p, q) = (self.condition(&state, 1), self.condition(&state, 1));
        line(&mut text, format!("DEFINE p := {p}; q := {q};"));
        let formula = self.psl();
        line(&mut text, format!("PSLSPEC {formula};"));
        for _ in 0..2 {
            let condition = self.condition(&state, 2);
            line(&mut text, format!("INVARSPEC {condition};"));
        }
        if parts > 0 {
            text.push_str(&self.cell(cell, shared, interleaved));
        }
        Model {
            text,
            features,
            pairs,
        }
    }

    /// A formula of PSL over `p` and `q` that has no twin.
    fn psl(&mut self) -> &'static str {
        let patterns: &[&'static str] = &[
            "p until q",
            "p until_ q",
            "p until!_ q",
            "always (p -> (q before p))",
            "q before! p",
            "q before_ p",
            "next_event(p)(q)",
            "next_event!(p)(q)",
            "next_a[1:2](p)",
            "next[2](p) | q",
            "[p W q]",
            "forall x in {1:2} : X[2](p) -> q",
            "never (p & q)",
        ];
        let chosen: &&str = self.pick(patterns);
        chosen
    }

    /// The module of which there are instances.
    fn cell(&mut self, ty: Ty, shared: Ty, interleaved: bool) -> String {
        let mut text = format!("MODULE cell(x, y)\nVAR s : {};\n", ty.text());
        let inner = |name: &str, ty| Var {
            name: name.to_owned(),
            ty,
        };
        let scope = Scope {
            vars: vec![inner("s", ty), inner("x", Ty::Bool), inner("y", shared)],
            next: Vec::new(),
        };
        if ty != Ty::Color {
            let condition = self.condition(&scope, 1);
            writeln!(text, "DEFINE d := {condition};").expect("a text can always be written to");
        }
        let (first, value) = (self.first(ty), self.choice(&scope, ty));
        writeln!(text, "ASSIGN init(s) := {first}; next(s) := {value};")
            .expect("a text can always be written to");
        if interleaved {
            if self.once_in(2) {
                text.push_str("FAIRNESS running\n");
            }
        } else if self.once_in(3) {
            let both = Scope {
                next: vec![inner("s", ty)],
                ..scope.clone()
            };
            let (p, q) = (self.condition(&scope, 0), self.condition(&both, 0));
            writeln!(text, "TRANS {p} | {q};").expect("a text can always be written to");
        }
        text
    }
}
