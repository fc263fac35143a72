//! Random numbers from a seed, and values of LSL's types drawn with them.
//!
//! Half of the values come from the script's own literals, because that is where scripts look.

use lsl::Type;

use crate::literals::Literals;
use crate::value::{NULL_KEY, Value, single};

/// Sebastiano Vigna's SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut random = Random(fastrand::Rng::with_seed(seed));
        // Neighbouring seeds begin with unlike numbers.
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("less than a usize")
    }

    /// True `times` times out of `of`.
    pub(crate) fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// From 0 to below 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, least: i64, greatest: i64) -> i64 {
        let span = greatest.wrapping_sub(least).cast_unsigned().wrapping_add(1);
        if span == 0 {
            return self.next().cast_signed();
        }
        least.wrapping_add((self.next() % span).cast_signed())
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() {
            return None;
        }
        let index = self.below(from.len());
        from.get(index)
    }

    /// A UUID that nothing else has.
    pub(crate) fn uuid(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xfff,
            0x8000 | (b >> 48 & 0x3fff),
            b & 0xffff_ffff_ffff
        )
    }

    pub(crate) fn integer(&mut self, literals: &Literals) -> i32 {
        if self.chance(1, 2)
            && let Some(&literal) = self.pick(&literals.integers)
        {
            return match self.below(8) {
                0 => literal.wrapping_add(1),
                1 => literal.wrapping_sub(1),
                2 => literal.wrapping_neg(),
                _ => literal,
            };
        }
        #[expect(clippy::cast_possible_truncation, reason = "any 32 bits will do")]
        match self.below(10) {
            0..=4 => self.between(-1, 4) as i32,
            5 | 6 => self.between(-20, 120) as i32,
            7 => 1_i32.wrapping_shl(self.below(32) as u32),
            8 => *self.pick(&[i32::MAX, i32::MIN, -1, 1000]).unwrap_or(&0),
            _ => self.next() as i32,
        }
    }

    pub(crate) fn float(&mut self, literals: &Literals) -> f32 {
        if self.chance(1, 2)
            && let Some(&literal) = self.pick(&literals.floats)
        {
            return match self.below(6) {
                0 => literal + 1.0,
                1 => literal / 2.0,
                2 => -literal,
                _ => literal,
            };
        }
        match self.below(4) {
            0 => 0.0,
            1 => single(self.unit()),
            2 => single(self.unit() * 256.0),
            _ => single(self.unit() * 2000.0 - 1000.0),
        }
    }

    /// Any text: one of the script's, made of the script's, or one that it does not know.
    pub(crate) fn text(&mut self, literals: &Literals) -> String {
        if self.chance(1, 2)
            && let Some(literal) = self.pick(&literals.texts).cloned()
        {
            return match self.below(12) {
                0 => literal.to_uppercase(),
                1 => literal.to_lowercase(),
                2 | 3 => format!("{literal}{}", self.piece(literals)),
                4 => format!("{}{literal}", self.piece(literals)),
                _ => literal,
            };
        }
        match self.below(8) {
            0 => String::new(),
            1 => self.integer(literals).to_string(),
            2 => format!(" stranger {} ", self.below(4)),
            3 => {
                let separator = self.pick(&literals.separators).cloned();
                let separator = separator.unwrap_or_else(|| ",".to_owned());
                let pieces: Vec<String> = (0..2 + self.below(3))
                    .map(|_| self.piece(literals))
                    .collect();
                pieces.join(&separator)
            }
            4 => self.uuid(),
            5 => self
                .pick(&literals.uuids)
                .cloned()
                .unwrap_or_else(|| NULL_KEY.to_owned()),
            _ => format!("stranger{}", self.below(1000)),
        }
    }

    fn piece(&mut self, literals: &Literals) -> String {
        match self.below(4) {
            0 => self.between(-1, 100).to_string(),
            1 => self.pick(&literals.texts).cloned().unwrap_or_default(),
            2 => self.pick(&literals.uuids).cloned().unwrap_or_default(),
            _ => format!("word{}", self.below(10)),
        }
    }

    /// Any value of a type; keys are any text, as those of messages are.
    pub(crate) fn value(&mut self, ty: Type, literals: &Literals) -> Value {
        match ty {
            Type::Integer => Value::Integer(self.integer(literals)),
            Type::Float => Value::Float(self.float(literals).into()),
            Type::String => Value::text(&self.text(literals)),
            Type::Key => match self.below(4) {
                0 => Value::key(&self.text(literals)),
                1 => Value::key(NULL_KEY),
                2 => Value::key(&self.pick(&literals.uuids).cloned().unwrap_or_default()),
                _ => Value::key(&self.uuid()),
            },
            Type::Vector => Value::Vector(std::array::from_fn(|_| self.float(literals))),
            Type::Rotation => {
                let mut four: [f32; 4] = std::array::from_fn(|_| single(self.unit() - 0.5));
                let length = four.iter().map(|part| part * part).sum::<f32>().sqrt();
                if length > 0.0 && self.chance(2, 3) {
                    four = four.map(|part| part / length);
                } else {
                    four = [0.0, 0.0, 0.0, 1.0];
                }
                Value::Rotation(four)
            }
            Type::List => {
                let length = self.below(5);
                let elements = (0..length).map(|_| {
                    let ty = Type::ALL[self.below(6)];
                    self.value(ty, literals)
                });
                Value::list(elements.collect())
            }
        }
    }
}
