//! Conditions on variables with few values.

use super::VarId;

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Test {
    Always,
    Never,
    /// The variable has the value at this position.
    Is(VarId, u16),
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
}

impl Test {
    pub(crate) fn not(test: Test) -> Test {
        match test {
            Test::Always => Test::Never,
            Test::Never => Test::Always,
            Test::Not(inner) => *inner,
            other => Test::Not(Box::new(other)),
        }
    }

    pub(crate) fn all(tests: Vec<Test>) -> Test {
        let mut kept = Vec::new();
        for test in tests {
            match test {
                Test::Always => {}
                Test::Never => return Test::Never,
                Test::All(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        // Two values at once cannot be.
        for (at, test) in kept.iter().enumerate() {
            if let Test::Is(var, value) = test {
                let other =
                    |other: &Test| matches!(other, Test::Is(v, x) if v == var && x != value);
                if kept[..at].iter().any(other) {
                    return Test::Never;
                }
            }
        }
        let mut seen = Vec::new();
        for test in kept {
            if !seen.contains(&test) {
                seen.push(test);
            }
        }
        match seen.len() {
            0 => Test::Always,
            1 => seen.remove(0),
            _ => Test::All(seen),
        }
    }

    pub(crate) fn any(tests: Vec<Test>) -> Test {
        let mut kept = Vec::new();
        for test in tests {
            match test {
                Test::Never => {}
                Test::Always => return Test::Always,
                Test::Any(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Test::Never,
            1 => kept.remove(0),
            _ => Test::Any(kept),
        }
    }

    pub(crate) fn and(a: Test, b: Test) -> Test {
        Test::all(vec![a, b])
    }

    /// Whether conditions have more than so many parts together.
    pub(crate) fn are_larger_than<'t>(
        most: usize,
        tests: impl IntoIterator<Item = &'t Test>,
    ) -> bool {
        let mut open: Vec<&Test> = tests.into_iter().collect();
        let mut parts = 0;
        while let Some(test) = open.pop() {
            parts += 1;
            if parts > most {
                return true;
            }
            match test {
                Test::Always | Test::Never | Test::Is(..) => {}
                Test::Not(inner) => open.push(inner),
                Test::All(tests) | Test::Any(tests) => open.extend(tests),
            }
        }
        false
    }

    /// The variables that it speaks of.
    pub(crate) fn vars(&self, each: &mut impl FnMut(VarId)) {
        match self {
            Test::Always | Test::Never => {}
            Test::Is(var, _) => each(*var),
            Test::Not(inner) => inner.vars(each),
            Test::All(tests) | Test::Any(tests) => tests.iter().for_each(|test| test.vars(each)),
        }
    }
}
