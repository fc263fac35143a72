//! Random models with one state, about expressions on arrays that words index, and their twin: lists.

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// The bits of indices and of elements.
const INDEX: usize = 3;
const ELEMENT: usize = 4;

struct Expressions {
    dice: Dice,
    /// Variables by their type and first value.
    variables: Vec<(String, String, String)>,
}

impl Expressions {
    fn variable(&mut self, ty: String, value: String) -> String {
        let name = format!("v{}", self.variables.len());
        self.variables.push((name.clone(), ty, value));
        name
    }

    fn word(&mut self, bits: usize, depth: usize) -> (String, usize) {
        if depth == 0 {
            let value = self.dice.below(1 << bits);
            let text = format!("0ud{bits}_{value}");
            return match self.dice.below(4) {
                0 => (text, value),
                _ => (self.variable(format!("word[{bits}]"), text), value),
            };
        }
        match self.dice.below(4) {
            0 => {
                let (a, x) = self.word(bits, depth - 1);
                let (b, y) = self.word(bits, depth - 1);
                (format!("({a} + {b})"), (x + y) % (1 << bits))
            }
            1 => {
                let (a, x) = self.word(bits, depth - 1);
                let ((c, p), (b, y)) = (self.truth(depth - 1), self.word(bits, depth - 1));
                (format!("({c} ? {a} : {b})"), if p { x } else { y })
            }
            _ if bits == ELEMENT => {
                let (a, list) = self.array(depth - 1);
                let (i, at) = self.word(INDEX, depth - 1);
                let text = match self.dice.below(2) {
                    0 => format!("READ({a}, {i})"),
                    _ => format!("({a})[{i}]"),
                };
                (text, list[at])
            }
            _ => {
                let (a, x) = self.word(ELEMENT, depth - 1);
                (format!("(({a})[{}:0])", bits - 1), x % (1 << bits))
            }
        }
    }

    fn array(&mut self, depth: usize) -> (String, Vec<usize>) {
        let ty = format!("array word[{INDEX}] of word[{ELEMENT}]");
        if depth == 0 {
            let mut list = vec![self.dice.below(1 << ELEMENT); 1 << INDEX];
            let mut text = format!("CONSTARRAY({ty}, 0ud{ELEMENT}_{})", list[0]);
            for _ in 0..self.dice.below(4) {
                let (at, value) = (self.dice.below(1 << INDEX), self.dice.below(1 << ELEMENT));
                list[at] = value;
                text = format!("WRITE({text}, 0ud{INDEX}_{at}, 0ud{ELEMENT}_{value})");
            }
            return match self.dice.below(4) {
                0 => (text, list),
                _ => (self.variable(ty, text), list),
            };
        }
        match self.dice.below(4) {
            0 => {
                let (a, x) = self.array(depth - 1);
                let ((c, p), (b, y)) = (self.truth(depth - 1), self.array(depth - 1));
                (
                    format!("(case {c} : {a}; TRUE : {b}; esac)"),
                    if p { x } else { y },
                )
            }
            1 => {
                let (v, value) = self.word(ELEMENT, depth - 1);
                (format!("CONSTARRAY({ty}, {v})"), vec![value; 1 << INDEX])
            }
            _ => {
                let (a, mut list) = self.array(depth - 1);
                let (i, at) = self.word(INDEX, depth - 1);
                let (v, value) = self.word(ELEMENT, depth - 1);
                list[at] = value;
                (format!("WRITE({a}, {i}, {v})"), list)
            }
        }
    }

    fn truth(&mut self, depth: usize) -> (String, bool) {
        let (a, x) = self.array(depth);
        match self.dice.below(4) {
            0 => {
                let (b, y) = self.array(depth);
                (format!("({a} = {b})"), x == y)
            }
            1 => {
                // What is read may be written back.
                let (i, _) = self.word(INDEX, depth);
                (format!("(WRITE({a}, {i}, READ({a}, {i})) != {a})"), false)
            }
            _ => {
                let (i, at) = self.word(INDEX, depth);
                let (v, value) = self.word(ELEMENT, depth);
                (format!("(READ({a}, {i}) < {v})"), x[at] < value)
            }
        }
    }
}

/// A model with one state that says what expressions are, rightly and wrongly.
pub(crate) fn model(seed: u64) -> String {
    let mut expressions = Expressions {
        dice: Dice(seed),
        variables: Vec::new(),
    };
    let (array, list) = expressions.array(3);
    let (truth, holds) = expressions.truth(2);
    let wrong = expressions.dice.below(1 << INDEX);
    let mut text = "MODULE main\n".to_owned();
    for (name, ty, value) in &expressions.variables {
        text += &format!(
            "VAR {name} : {ty};\nASSIGN init({name}) := {value}; next({name}) := {name};\n"
        );
    }
    for (at, value) in list.iter().enumerate() {
        text += &format!(
            "INVARSPEC NAME yes_{at} := READ({array}, 0ud{INDEX}_{at}) = 0ud{ELEMENT}_{value}\n"
        );
    }
    let other = (list[wrong] + 1) % (1 << ELEMENT);
    text += &format!(
        "INVARSPEC NAME no_wrong := ({array})[0ud{INDEX}_{wrong}] = 0ud{ELEMENT}_{other}\n"
    );
    let name = if holds { "yes_truth" } else { "no_truth" };
    text += &format!("INVARSPEC NAME {name} := {truth}\n");
    text
}
