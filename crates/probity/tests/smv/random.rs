//! Random models: what branching time and linear time say of the same is the same.
//!
//! One side explores with the interpreter and computes sets of states, the other compiles one
//! process, runs all passes and searches for accepting cycles.

use std::fmt::Write as _;

use crate::verdicts;

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn one_of(&mut self, all: &[&str]) -> String {
        let at = usize::try_from(self.below(all.len() as u64)).expect("formatting does not fail");
        all[at].to_owned()
    }

    fn condition(&mut self, depth: u32, input: bool) -> String {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(if input { 6 } else { 5 }) {
                0 => "b".to_owned(),
                1 => format!("n = {}", self.below(4)),
                2 => format!("n < {}", self.below(4)),
                3 => format!("c = {}", self.one_of(&["r", "g", "o"])),
                4 => format!("c in {{{}, o}}", self.one_of(&["r", "g"])),
                _ => "i".to_owned(),
            };
        }
        let a = self.condition(depth - 1, input);
        let b = self.condition(depth - 1, input);
        match self.below(5) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} | {b})"),
            3 => format!("({a} -> {b})"),
            _ => format!("({a} xor {b})"),
        }
    }

    fn value(&mut self, variable: &str) -> String {
        let simple = |random: &mut Random| match variable {
            "b" => random.one_of(&["TRUE", "FALSE", "b", "!b", "{TRUE, FALSE}", "i"]),
            "n" => random.one_of(&[
                "n",
                "0",
                "(n + 1) mod 4",
                "{0, 2}",
                "1..3",
                "3 - n",
                "n union 3",
            ]),
            _ => random.one_of(&["c", "r", "g", "o", "{r, g}", "c union o"]),
        };
        match self.below(3) {
            0 => simple(self),
            1 => {
                let condition = self.condition(1, true);
                format!("{condition} ? {} : {}", simple(self), simple(self))
            }
            _ => {
                let (p, q) = (self.condition(1, true), self.condition(1, true));
                format!(
                    "case {p} : {}; {q} : {}; TRUE : {}; esac",
                    simple(self),
                    simple(self),
                    simple(self)
                )
            }
        }
    }

    fn model(&mut self) -> String {
        let mut text =
            "MODULE main\nVAR b : boolean; n : 0..3; c : {r, g, o};\nIVAR i : boolean;\n"
                .to_owned();
        for variable in ["b", "n", "c"] {
            if self.below(4) > 0 {
                let value = match variable {
                    "b" => self.one_of(&["TRUE", "FALSE"]),
                    "n" => self.one_of(&["0", "1", "{0, 3}"]),
                    _ => self.one_of(&["r", "g", "{r, o}"]),
                };
                writeln!(text, "ASSIGN init({variable}) := {value};")
                    .expect("formatting does not fail");
            }
            if self.below(5) > 0 {
                let value = self.value(variable);
                writeln!(text, "ASSIGN next({variable}) := {value};")
                    .expect("formatting does not fail");
            }
        }
        if self.below(4) == 0 {
            let (p, q) = (self.condition(1, true), self.condition(1, false));
            writeln!(text, "TRANS {p} -> next({q});").expect("formatting does not fail");
        }
        if self.below(5) == 0 {
            let (p, q) = (self.condition(0, false), self.condition(0, false));
            writeln!(text, "INVAR {p} | {q};").expect("formatting does not fail");
        }
        for _ in 0..self.below(3) {
            let (p, q) = (self.condition(1, false), self.condition(0, false));
            writeln!(text, "FAIRNESS {p} | {q};").expect("formatting does not fail");
        }
        for (branching, linear) in [
            ("AG (p)", "G (p)"),
            ("AF (p)", "F (p)"),
            ("AX (p)", "X (p)"),
            ("A [p U q]", "(p) U (q)"),
            ("AG (p -> AF (q))", "G ((p) -> F (q))"),
            ("AG (p -> AX (q))", "G ((p) -> X (q))"),
            ("!EF (p & EG (q))", "G ((p) -> F !(q))"),
        ] {
            let (p, q) = (self.condition(1, false), self.condition(1, false));
            let fill = |formula: &str| {
                let words = formula.chars().map(|c| match c {
                    'p' => p.clone(),
                    'q' => q.clone(),
                    other => other.to_string(),
                });
                words.collect::<String>()
            };
            writeln!(
                text,
                "CTLSPEC {};\nLTLSPEC {};",
                fill(branching),
                fill(linear)
            )
            .expect("formatting does not fail");
        }
        text
    }
}

#[test]
fn branching_and_linear_time_agree() {
    let read = |name: &str, usual: u64| {
        let set = std::env::var(name).ok();
        set.and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let from = read("PROBITY_RANDOM_FROM", 0);
    let count = read("PROBITY_RANDOM_COUNT", 40);
    let (mut fails, mut vacuous, mut all) = (0, 0, 0);
    for seed in from..from + count {
        let model = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)).model();
        let found = verdicts(&model);
        for pair in found.chunks(2) {
            assert_eq!(pair[0].1, pair[1].1, "seed {seed}, {pair:?}:\n{model}");
            assert_ne!(pair[0].1, "not known", "seed {seed}:\n{model}");
            all += 1;
            fails += u32::from(pair[0].1 == "fails");
            vacuous += u32::from(pair[0].1 == "vacuous");
        }
    }
    assert!(fails * 10 >= all * 3, "{fails} of {all} fail");
    assert!(vacuous * 3 <= all, "{vacuous} of {all} are vacuous");
}
