//! Values that depend on variables, as cases: a condition and a value each. The conditions of one
//! value exclude one another and leave nothing out.

use super::{Net, Test, Value, VarId};

/// More cases than this are not followed.
const MOST: usize = 300;

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
    if result.len() > MOST {
        return unknown();
    }
    let joined = result.into_iter();
    joined.map(|(tests, v)| (Test::any(tests), v)).collect()
}

/// When a condition holds, and when it may or may not. The two exclude one another.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Truth {
    pub(crate) yes: Test,
    pub(crate) maybe: Test,
}

impl Truth {
    /// It depends on nothing that is not followed.
    pub(crate) fn known(yes: Test) -> Truth {
        let maybe = Test::Never;
        Truth { yes, maybe }
    }

    /// When it does not hold for certain.
    pub(crate) fn no(&self) -> Test {
        match self.maybe {
            Test::Never => Test::not(self.yes.clone()),
            _ => Test::not(self.possible()),
        }
    }

    /// When it may hold.
    pub(crate) fn possible(&self) -> Test {
        Test::any(vec![self.yes.clone(), self.maybe.clone()])
    }

    pub(crate) fn not(self) -> Truth {
        Truth {
            yes: self.no(),
            maybe: self.maybe,
        }
    }

    pub(crate) fn and(a: &Truth, b: &Truth) -> Truth {
        let yes = Test::and(a.yes.clone(), b.yes.clone());
        if a.maybe == Test::Never && b.maybe == Test::Never {
            return Truth::known(yes);
        }
        let possible = Test::and(a.possible(), b.possible());
        let maybe = Test::and(possible, Test::not(yes.clone()));
        Truth { yes, maybe }
    }

    pub(crate) fn or(a: Truth, b: Truth) -> Truth {
        if a.maybe == Test::Never && b.maybe == Test::Never {
            return Truth::known(Test::any(vec![a.yes, b.yes]));
        }
        Truth::and(&a.not(), &b.not()).not()
    }

    /// As a value.
    pub(crate) fn cases(self) -> Cases {
        let parts = [
            (self.yes.clone(), Value::Bool(true)),
            (self.no(), Value::Bool(false)),
            (self.maybe, Value::Unknown),
        ];
        parts
            .into_iter()
            .filter(|(test, _)| *test != Test::Never)
            .collect()
    }
}

/// When a truth value is true. Of numbers, all but zero are; what is neither may be either.
pub(crate) fn truth(cases: &Cases) -> Truth {
    let (mut yes, mut maybe) = (Vec::new(), Vec::new());
    for (test, value) in cases {
        match value {
            Value::Bool(false) | Value::Int(0) => {}
            Value::Bool(true) | Value::Int(_) => yes.push(test.clone()),
            Value::Real(_) | Value::Name(_) | Value::Unknown => maybe.push(test.clone()),
        }
    }
    Truth {
        yes: Test::any(yes),
        maybe: Test::any(maybe),
    }
}
