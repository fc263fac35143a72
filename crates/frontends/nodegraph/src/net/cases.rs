//! Values that depend on variables, as cases: a condition and a value each. The conditions of one
//! value exclude one another and leave nothing out.

use super::{Net, Test, Value, VarId};

/// More cases than this are not followed.
const MOST: usize = 300;

/// Nor are cases whose conditions are larger than this together: where values are combined again and
/// again, conditions grow as the number of ways in which they come about.
const LARGEST: usize = 10_000;

/// A value that depends on variables.
pub(crate) type Cases = Vec<(Test, Value)>;

/// A value that depends on nothing.
pub(crate) fn constant(value: Value) -> Cases {
    vec![(Test::Always, value)]
}

/// A value that is not followed.
pub(crate) fn unknown() -> Cases {
    constant(Value::Unknown)
}

/// What a variable holds.
pub(crate) fn of_var(net: &Net, var: VarId) -> Cases {
    let values = net.var(var).values.iter().enumerate();
    values
        .map(|(at, value)| (Test::Is(var, at as u16), value.clone()))
        .collect()
}

/// One value for each case.
pub(crate) fn each(cases: &Cases, value: impl Fn(&Value) -> Value) -> Cases {
    let cases = cases.iter();
    merged(
        cases
            .map(|(test, one)| (test.clone(), value(one)))
            .collect(),
    )
}

/// One value for each pair.
pub(crate) fn combine(a: &Cases, b: &Cases, value: impl Fn(&Value, &Value) -> Value) -> Cases {
    if a.len() * b.len() > MOST * MOST {
        return unknown();
    }
    let mut result = Cases::new();
    for (test, left) in a {
        for (other, right) in b {
            let both = Test::and(test.clone(), other.clone());
            if both != Test::Never {
                result.push((both, value(left, right)));
            }
        }
    }
    merged(result)
}

/// Cases of one value joined.
pub(crate) fn merged(cases: Cases) -> Cases {
    let mut result: Vec<(Vec<Test>, Value)> = Vec::new();
    for (test, value) in cases {
        match result.iter_mut().find(|(_, other)| *other == value) {
            Some((tests, _)) => tests.push(test),
            None => result.push((vec![test], value)),
        }
    }
    if result.len() == 1 {
        return constant(result.remove(0).1);
    }
    let tests = result.iter().flat_map(|(tests, _)| tests);
    if result.len() > MOST || Test::are_larger_than(LARGEST, tests) {
        return unknown();
    }
    let joined = result.into_iter();
    joined.map(|(tests, v)| (Test::any(tests), v)).collect()
}

/// When a condition holds, and when it does not. Where neither is so, it may or may not.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Truth {
    pub(crate) yes: Test,
    pub(crate) no: Test,
    /// When it may or may not, if that is said otherwise than by `yes` and `no`.
    maybe: Option<Test>,
}

impl Truth {
    /// It depends on nothing that is not followed.
    pub(crate) fn known(yes: Test) -> Truth {
        Truth {
            no: Test::not(yes.clone()),
            yes,
            maybe: Some(Test::Never),
        }
    }

    fn is_known(&self) -> bool {
        self.maybe == Some(Test::Never)
    }

    /// When it may or may not hold.
    pub(crate) fn maybe(&self) -> Test {
        match &self.maybe {
            Some(maybe) => maybe.clone(),
            None => Test::and(Test::not(self.yes.clone()), Test::not(self.no.clone())),
        }
    }

    /// When it may hold.
    pub(crate) fn possible(&self) -> Test {
        match &self.maybe {
            Some(maybe) => Test::any(vec![self.yes.clone(), maybe.clone()]),
            None => Test::not(self.no.clone()),
        }
    }

    pub(crate) fn not(self) -> Truth {
        Truth {
            yes: self.no,
            no: self.yes,
            maybe: self.maybe,
        }
    }

    pub(crate) fn and(a: &Truth, b: &Truth) -> Truth {
        let yes = Test::and(a.yes.clone(), b.yes.clone());
        if a.is_known() && b.is_known() {
            return Truth::known(yes);
        }
        // What stands for neither is not written out: in a long chain it would double each time.
        Truth {
            yes,
            no: Test::any(vec![a.no.clone(), b.no.clone()]),
            maybe: None,
        }
    }

    pub(crate) fn or(a: Truth, b: Truth) -> Truth {
        if a.is_known() && b.is_known() {
            return Truth::known(Test::any(vec![a.yes, b.yes]));
        }
        Truth::and(&a.not(), &b.not()).not()
    }

    /// As a value.
    pub(crate) fn cases(self) -> Cases {
        let maybe = self.maybe();
        if Test::are_larger_than(LARGEST, [&self.yes, &self.no, &maybe]) {
            return unknown();
        }
        let parts = [
            (self.yes, Value::Bool(true)),
            (self.no, Value::Bool(false)),
            (maybe, Value::Unknown),
        ];
        parts
            .into_iter()
            .filter(|(test, _)| *test != Test::Never)
            .collect()
    }
}

/// When a truth value is true. Of numbers, all but zero are; what is neither may be either.
pub(crate) fn truth(cases: &Cases) -> Truth {
    let (mut yes, mut no, mut maybe) = (Vec::new(), Vec::new(), Vec::new());
    for (test, value) in cases {
        match value {
            Value::Bool(false) | Value::Int(0) => no.push(test.clone()),
            Value::Bool(true) | Value::Int(_) => yes.push(test.clone()),
            Value::Real(_) | Value::Name(_) | Value::Between(..) | Value::Unknown => {
                maybe.push(test.clone());
            }
        }
    }
    if maybe.is_empty() {
        return Truth::known(Test::any(yes));
    }
    Truth {
        yes: Test::any(yes),
        no: Test::any(no),
        maybe: Some(Test::any(maybe)),
    }
}
