//! Random models with one state, about expressions on words of any width, and their twin: lists of bits.

/// A word bit by bit, the lowest first.
#[derive(Clone, Debug)]
struct Bits {
    bits: Vec<bool>,
    signed: bool,
}

impl Bits {
    fn of(bits: Vec<bool>, signed: bool) -> Bits {
        Bits { bits, signed }
    }

    fn like(&self, bits: Vec<bool>) -> Bits {
        Bits::of(bits, self.signed)
    }

    fn width(&self) -> usize {
        self.bits.len()
    }

    fn sign(&self) -> bool {
        self.signed && self.bits[self.width() - 1]
    }

    fn not(&self) -> Bits {
        self.like(self.bits.iter().map(|b| !b).collect())
    }

    fn add(&self, other: &Bits, mut carry: bool) -> Bits {
        let mut sum = Vec::new();
        for (a, b) in self.bits.iter().zip(&other.bits) {
            sum.push(a ^ b ^ carry);
            carry = (*a as u8 + *b as u8 + carry as u8) > 1;
        }
        self.like(sum)
    }

    fn negate(&self) -> Bits {
        let zero = self.like(vec![false; self.width()]);
        zero.add(&self.not(), true)
    }

    fn subtract(&self, other: &Bits) -> Bits {
        self.add(&other.not(), true)
    }

    fn up(&self, by: usize) -> Bits {
        let mut bits = vec![false; by.min(self.width())];
        bits.extend(&self.bits[..self.width() - bits.len()]);
        self.like(bits)
    }

    fn down(&self, by: usize) -> Bits {
        let by = by.min(self.width());
        let mut bits = self.bits[by..].to_vec();
        bits.resize(self.width(), self.sign());
        self.like(bits)
    }

    fn multiply(&self, other: &Bits) -> Bits {
        let mut product = self.like(vec![false; self.width()]);
        for (at, bit) in other.bits.iter().enumerate() {
            if *bit {
                product = product.add(&self.up(at), false);
            }
        }
        product
    }

    fn magnitude(&self) -> Bits {
        let bits = if self.sign() {
            self.negate()
        } else {
            self.clone()
        };
        Bits::of(bits.bits, false)
    }

    /// Quotient and remainder, both cut towards zero.
    fn divide(&self, by: &Bits) -> (Bits, Bits) {
        let (dividend, divisor) = (self.magnitude(), by.magnitude());
        let mut quotient = vec![false; self.width()];
        // One bit more, so that nothing is lost.
        let mut rest = Bits::of(vec![false; self.width() + 1], false);
        let mut divisor_bits = divisor.bits;
        divisor_bits.push(false);
        let divisor = Bits::of(divisor_bits, false);
        for at in (0..self.width()).rev() {
            rest = rest.up(1);
            rest.bits[0] = dividend.bits[at];
            if !rest.less(&divisor) {
                rest = rest.subtract(&divisor);
                quotient[at] = true;
            }
        }
        rest.bits.pop();
        let (quotient, rest) = (self.like(quotient), self.like(rest.bits));
        let turned = self.sign() != by.sign();
        (
            if turned { quotient.negate() } else { quotient },
            if self.sign() { rest.negate() } else { rest },
        )
    }

    fn less(&self, other: &Bits) -> bool {
        if self.sign() != other.sign() {
            return self.sign();
        }
        let pairs = self.bits.iter().zip(&other.bits).rev();
        pairs
            .filter(|(a, b)| a != b)
            .map(|(_, b)| *b)
            .next()
            .unwrap_or(false)
    }

    fn text(&self) -> String {
        let digits: String = self
            .bits
            .iter()
            .rev()
            .map(|b| if *b { '1' } else { '0' })
            .collect();
        let sign = if self.signed { 's' } else { 'u' };
        format!("0{sign}b{}_{digits}", self.width())
    }

    fn zip(&self, other: &Bits, op: fn(bool, bool) -> bool) -> Bits {
        let bits = self.bits.iter().zip(&other.bits).map(|(a, b)| op(*a, *b));
        self.like(bits.collect())
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    /// Bits that come in runs, so that carries travel far.
    fn bits(&mut self, width: usize) -> Vec<bool> {
        let mut bits = Vec::new();
        let mut value = self.below(2) == 0;
        while bits.len() < width {
            let run = if self.below(2) == 0 {
                1
            } else {
                1 + self.below(50)
            };
            bits.extend(std::iter::repeat_n(value, run));
            value = self.below(2) == 0;
        }
        bits.truncate(width);
        bits
    }
}

/// Words by their text and their value.
struct Expressions {
    dice: Dice,
    variables: Vec<(String, Bits)>,
}

impl Expressions {
    /// An expression of a width and a sign.
    fn word(&mut self, width: usize, signed: bool, depth: usize) -> (String, Bits) {
        if depth == 0 {
            return self.leaf(width, signed);
        }
        let depth = depth - 1;
        match self.dice.below(16) {
            0 | 1 => {
                let ((a, x), (b, y)) = (
                    self.word(width, signed, depth),
                    self.word(width, signed, depth),
                );
                (format!("({a} + {b})"), x.add(&y, false))
            }
            2 => {
                let ((a, x), (b, y)) = (
                    self.word(width, signed, depth),
                    self.word(width, signed, depth),
                );
                (format!("({a} - {b})"), x.subtract(&y))
            }
            3 => {
                let ((a, x), (b, y)) = (
                    self.word(width, signed, depth),
                    self.word(width, signed, depth),
                );
                (format!("({a} * {b})"), x.multiply(&y))
            }
            4 => {
                let (a, x) = self.word(width, signed, depth);
                (format!("(- {a})"), x.negate())
            }
            5 => {
                let (a, x) = self.word(width, signed, depth);
                (format!("(! {a})"), x.not())
            }
            6 => {
                let ((a, x), (b, y)) = (
                    self.word(width, signed, depth),
                    self.word(width, signed, depth),
                );
                match self.dice.below(5) {
                    0 => (format!("({a} & {b})"), x.zip(&y, |a, b| a & b)),
                    1 => (format!("({a} | {b})"), x.zip(&y, |a, b| a | b)),
                    2 => (format!("({a} xor {b})"), x.zip(&y, |a, b| a ^ b)),
                    3 => (format!("({a} -> {b})"), x.zip(&y, |a, b| !a | b)),
                    _ => (format!("({a} xnor {b})"), x.zip(&y, |a, b| a == b)),
                }
            }
            7 => {
                let (a, x) = self.word(width, signed, depth);
                let by = self.dice.below(width + 1);
                let count = match self.dice.below(3) {
                    0 => format!("{by}"),
                    1 => format!("uwconst({by}, 80)"),
                    _ => format!("(i + {by})"),
                };
                match self.dice.below(2) {
                    0 => (format!("({a} << {count})"), x.up(by)),
                    _ => (format!("({a} >> {count})"), x.down(by)),
                }
            }
            8 if !signed && width > 1 => {
                let low = 1 + self.dice.below(width - 1);
                let kind = self.dice.below(2) == 0;
                let ((a, x), (b, y)) = (
                    self.word(width - low, kind, depth),
                    self.word(low, !kind, depth),
                );
                (
                    format!("({a} :: {b})"),
                    Bits::of([y.bits, x.bits].concat(), false),
                )
            }
            9 if !signed => {
                let (low, more) = (self.dice.below(70), self.dice.below(70));
                let (a, x) = self.word(width + low + more, more % 2 == 0, depth);
                let text = format!("({a})[{}:{low}]", low + width - 1);
                (text, Bits::of(x.bits[low..low + width].to_vec(), false))
            }
            10 if width > 1 => {
                let less = 1 + self.dice.below(width - 1);
                let (a, x) = self.word(width - less, signed, depth);
                let mut bits = x.bits.clone();
                bits.resize(width, x.sign());
                let by = ["extend", "resize"][self.dice.below(2)];
                let argument = if by == "extend" { less } else { width };
                (format!("{by}({a}, {argument})"), Bits::of(bits, signed))
            }
            11 if width > 1 => {
                let more = 1 + self.dice.below(90);
                let (a, x) = self.word(width + more, signed, depth);
                let mut bits = x.bits[..width].to_vec();
                if signed {
                    bits[width - 1] = x.sign();
                }
                (format!("resize({a}, {width})"), Bits::of(bits, signed))
            }
            12 => {
                let (a, x) = self.word(width, !signed, depth);
                let by = if signed { "signed" } else { "unsigned" };
                (format!("{by}({a})"), Bits::of(x.bits, signed))
            }
            13 if width > 64 => {
                let (a, x) = self.word(width, signed, depth);
                let small_width = 1 + self.dice_width();
                let mut small = self.dice.bits(small_width);
                small[0] = true;
                small.resize(width, false);
                let mut by = Bits::of(small, signed);
                let mut text = by.text();
                if signed && self.dice.below(2) == 0 {
                    by = by.negate();
                    text = format!("(- {text})");
                } else if self.dice.below(2) == 0 {
                    // What is not known beforehand but is zero in its upper part.
                    let (b, y) = self.word(10, false, 0);
                    let mut bits = y.bits;
                    bits[0] = true;
                    bits.resize(width, false);
                    by = Bits::of(bits, signed);
                    text = format!("extend({b} | 0ud10_1, {})", width - 10);
                    if signed {
                        text = format!("signed({text})");
                    }
                }
                let (quotient, rest) = x.divide(&by);
                match self.dice.below(2) {
                    0 => (format!("({a} / {text})"), quotient),
                    _ => (format!("({a} mod {text})"), rest),
                }
            }
            14 => {
                let (c, holds) = self.truth(depth);
                let ((a, x), (b, y)) = (
                    self.word(width, signed, depth),
                    self.word(width, signed, depth),
                );
                let text = format!("(case {c} : {a}; TRUE : {b}; esac)");
                (text, if holds { x } else { y })
            }
            15 => {
                let ((a, x), (b, y)) = (
                    self.word(width, signed, depth),
                    self.word(width, signed, depth),
                );
                let less = x.less(&y);
                match self.dice.below(2) {
                    0 => (format!("min({a}, {b})"), if less { x } else { y }),
                    _ => (format!("max({a}, {b})"), if less { y } else { x }),
                }
            }
            _ => self.leaf(width, signed),
        }
    }

    fn dice_width(&mut self) -> usize {
        self.dice.below(32)
    }

    fn leaf(&mut self, width: usize, signed: bool) -> (String, Bits) {
        let fitting: Vec<usize> = (0..self.variables.len())
            .filter(|at| {
                self.variables[*at].1.width() == width && self.variables[*at].1.signed == signed
            })
            .collect();
        if !fitting.is_empty() && self.dice.below(4) > 0 {
            let at = fitting[self.dice.below(fitting.len())];
            return self.variables[at].clone();
        }
        if self.dice.below(4) == 0 {
            let value = Bits::of(self.dice.bits(width), signed);
            return (value.text(), value);
        }
        let value = Bits::of(self.dice.bits(width), signed);
        let name = format!("v{}", self.variables.len());
        self.variables.push((name.clone(), value.clone()));
        (name, value)
    }

    fn truth(&mut self, depth: usize) -> (String, bool) {
        let (width, signed) = (self.width(), self.dice.below(2) == 0);
        let (a, x) = self.word(width, signed, depth);
        let (b, y) = match self.dice.below(3) {
            0 => (a.clone(), x.clone()),
            _ => self.word(width, signed, depth),
        };
        let (less, same) = (x.less(&y), x.bits == y.bits);
        match self.dice.below(6) {
            0 => (format!("({a} < {b})"), less),
            1 => (format!("({a} <= {b})"), less | same),
            2 => (format!("({a} > {b})"), !less & !same),
            3 => (format!("({a} >= {b})"), !less),
            4 => (format!("({a} = {b})"), same),
            _ => (format!("({a} != {b})"), !same),
        }
    }

    fn width(&mut self) -> usize {
        match self.dice.below(8) {
            0 => 1 + self.dice.below(64),
            1 => [64, 65, 95, 96, 97, 127, 128, 129][self.dice.below(8)],
            _ => 65 + self.dice.below(100),
        }
    }
}

/// A model with one state that says what an expression is, rightly and wrongly.
pub(crate) fn model(seed: u64) -> String {
    let mut expressions = Expressions {
        dice: Dice(seed),
        variables: Vec::new(),
    };
    let (width, signed) = (expressions.width(), expressions.dice.below(2) == 0);
    let (word, value) = expressions.word(width, signed, 4);
    let mut wrong = value.clone();
    let at = expressions.dice.below(width);
    wrong.bits[at] = !wrong.bits[at];
    let (truth, holds) = expressions.truth(3);
    let mut text = "MODULE main\nVAR i : 0..0;\n".to_owned();
    for (name, value) in &expressions.variables {
        let sign = if value.signed { "signed" } else { "unsigned" };
        text += &format!("VAR {name} : {sign} word[{}];\n", value.width());
        text += &format!(
            "ASSIGN init({name}) := {}; next({name}) := {name};\n",
            value.text()
        );
    }
    text += &format!("INVARSPEC NAME yes_1 := {word} = {}\n", value.text());
    text += &format!("INVARSPEC NAME no_1 := {word} = {}\n", wrong.text());
    let name = if holds { "yes_2" } else { "no_2" };
    text += &format!("INVARSPEC NAME {name} := {truth}\n");
    text
}
