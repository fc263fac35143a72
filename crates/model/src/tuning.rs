//! Techniques that an engine can do without: each is a row of its engine's table.
//!
//! A technique makes an engine faster or keeps its memory small; no answer depends on it. So each
//! can be switched off: to measure what it gains, to look for a fault, and for random tests, which
//! go through the code with and without it. Tables of options with a name, a default and a range
//! come from CaDiCaL (Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: *CaDiCaL 2.0*, CAV 2024).

use std::marker::PhantomData;

/// The most rows of a table.
const MOST: usize = 24;

/// A technique as the table shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Where it comes from; empty if it is our own.
    pub source: &'static str,
    /// Its value if nothing is said. Zero is off; a switch that is on is one.
    pub default: u64,
    /// The greatest value; one for a switch.
    pub most: u64,
}

impl Row {
    /// A technique; `default` holds the usual value of one with a number of 32 bits, and nothing
    /// for a switch, which is on.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        default: &[u64],
        summary: &'static str,
        source: &'static str,
    ) -> Row {
        let (default, most) = match default {
            [default, ..] => (*default, u32::MAX as u64),
            [] => (1, 1),
        };
        Row {
            name,
            summary,
            source,
            default,
            most,
        }
    }

    /// Whether it is on or off only.
    #[must_use]
    pub const fn is_switch(&self) -> bool {
        self.most == 1
    }

    /// The values there are.
    #[must_use]
    pub fn range(&self) -> String {
        match self.most {
            1 => "on, off".to_owned(),
            most => format!("1 to {most}, off"),
        }
    }

    /// A value as it is written.
    #[must_use]
    pub fn written(&self, value: u64) -> String {
        match value {
            0 => "off".to_owned(),
            1 if self.is_switch() => "on".to_owned(),
            number => number.to_string(),
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// If the technique has no such value: says which it has.
    pub fn read(&self, text: &str) -> Result<u64, String> {
        let number = || {
            text.parse()
                .ok()
                .filter(|n| !self.is_switch() && (1..=self.most).contains(n))
        };
        match text {
            "off" => Some(0),
            "on" => Some(self.default),
            _ => number(),
        }
        .ok_or_else(|| format!("`{}` has no value `{text}`: {}", self.name, self.range()))
    }
}

/// Makes the table of an engine: the enumeration `Technique` and its rows. A row has a name, the
/// usual number if the technique has one, what the technique does and where it comes from.
///
/// ```
/// use model::Technique as _;
///
/// model::techniques! {
///     Cache: "cache", "remembers what moves led to", "";
///     Probe: "probe" = 7, "looks deep from so many states on", "";
/// }
///
/// assert_eq!(Technique::ROWS[Technique::Probe.place()].name, "probe");
/// ```
#[macro_export]
macro_rules! techniques {
    ($($variant:ident: $name:literal $(= $default:expr)?, $summary:literal, $source:literal;)+) => {
        /// A technique that answers do not depend on.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Technique {
            $(#[doc = concat!("`", $name, "`: ", $summary, ".")] $variant,)+
        }

        impl $crate::Technique for Technique {
            const ROWS: &'static [$crate::TuningRow] = &[
                $($crate::TuningRow::new($name, &[$($default)?], $summary, $source),)+
            ];

            fn place(self) -> usize {
                self as usize
            }
        }
    };
}

/// The techniques of an engine: an enumeration in the order of its table.
pub trait Technique: Copy + 'static {
    /// The table.
    const ROWS: &'static [Row];

    /// The place of its row.
    fn place(self) -> usize;
}

/// A value for each technique of an engine.
#[derive(PartialEq, Eq, Debug)]
pub struct Tuning<T> {
    values: [u64; MOST],
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Tuning<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Tuning<T> {}

impl<T: Technique> Default for Tuning<T> {
    fn default() -> Self {
        Tuning::usual()
    }
}

impl<T: Technique> Tuning<T> {
    /// The defaults.
    #[must_use]
    pub const fn usual() -> Self {
        let mut values = [0; MOST];
        let mut place = 0;
        while place < T::ROWS.len() {
            values[place] = T::ROWS[place].default;
            place += 1;
        }
        Tuning {
            values,
            of: PhantomData,
        }
    }

    /// The same with another value for a technique; zero is off.
    #[must_use]
    pub fn with(mut self, technique: T, value: u64) -> Self {
        self.values[technique.place()] = value;
        self
    }

    /// The same with a technique off.
    #[must_use]
    pub fn without(self, technique: T) -> Self {
        self.with(technique, 0)
    }

    /// Whether a technique is used.
    #[must_use]
    pub fn has(&self, technique: T) -> bool {
        self.values[technique.place()] != 0
    }

    /// The number of a technique; zero if it is off.
    #[must_use]
    pub fn number(&self, technique: T) -> u64 {
        self.values[technique.place()]
    }

    /// Sets the technique of a name; says whether there is one.
    ///
    /// # Errors
    /// If the technique has no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let mut rows = T::ROWS.iter().zip(&mut self.values);
        let Some((row, own)) = rows.find(|(row, _)| row.name == name) else {
            return Ok(false);
        };
        *own = row.read(value)?;
        Ok(true)
    }

    /// The defaults but for a subset of techniques, which are off: those whose bits are set.
    #[must_use]
    pub fn subset(off: u64) -> Self {
        let mut tuning = Self::usual();
        let rows = (0..T::ROWS.len()).zip(&mut tuning.values);
        for (place, value) in rows {
            if off >> place & 1 != 0 {
                *value = 0;
            }
        }
        tuning
    }
}

impl<T: Technique> Tuning<T> {
    /// For random tests: of the techniques a quarter is off, and another quarter of the numbers is as
    /// small as they can be; which ones the seed decides.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let mut tuning = Self::usual();
        let mut bits = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for (row, value) in T::ROWS.iter().zip(&mut tuning.values) {
            // Marsaglia, *Xorshift RNGs*, 2003.
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            match bits >> 62 {
                0 => *value = 0,
                1 if !row.is_switch() => *value = 1,
                _ => {}
            }
        }
        tuning
    }
}

#[cfg(test)]
mod tests {
    use super::Tuning;

    #[expect(unreachable_pub, reason = "the table of an engine is public")]
    mod few {
        crate::techniques! {
            Cache: "cache", "remembers", "";
            Probe: "probe" = 7, "looks deep from so many states on", "";
        }
    }
    use few::Technique as Few;

    #[test]
    fn techniques_are_set_by_name() {
        let mut tuning = Tuning::<Few>::usual();
        assert!(tuning.has(Few::Cache) && tuning.number(Few::Probe) == 7);
        assert_eq!(tuning.set("cache", "off"), Ok(true));
        assert_eq!(tuning.set("probe", "9"), Ok(true));
        assert_eq!(tuning.set("heat", "off"), Ok(false));
        assert!(!tuning.has(Few::Cache) && tuning.number(Few::Probe) == 9);
        assert_eq!(tuning.set("probe", "on"), Ok(true));
        assert_eq!(tuning.number(Few::Probe), 7);
        for (name, value) in [
            ("cache", "2"),
            ("cache", "1"),
            ("probe", "0"),
            ("probe", "x"),
        ] {
            assert!(tuning.set(name, value).is_err(), "{name}={value}");
        }
    }

    #[test]
    fn a_subset_is_off() {
        let tuning = Tuning::<Few>::subset(0b10);
        assert!(tuning.has(Few::Cache) && !tuning.has(Few::Probe));
        assert_eq!(Tuning::<Few>::subset(0), Tuning::usual());
        let drawn: Vec<_> = (0..400).map(Tuning::<Few>::drawn).collect();
        let off = |technique| drawn.iter().filter(|tuning| !tuning.has(technique)).count();
        assert!((60..140).contains(&off(Few::Cache)), "{}", off(Few::Cache));
        assert!((60..140).contains(&off(Few::Probe)), "{}", off(Few::Probe));
        let small = drawn.iter().filter(|tuning| tuning.number(Few::Probe) == 1);
        assert!((60..140).contains(&small.count()));
    }
}
