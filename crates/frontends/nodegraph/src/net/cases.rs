//! Values that depend on variables, as cases: a condition and a value each. The conditions of one
//! value exclude one another and leave nothing out.

use super::{Net, Test, Value, VarId};

/// More cases than this are not followed.
const MOST: usize = 256;

/// A value that depends on variables; none if it is not followed.
pub(crate) type Cases = Vec<(Test, Value)>;

/// A value that depends on nothing.
pub(crate) fn constant(value: Value) -> Cases {
    vec![(Test::Always, value)]
}

/// What a variable holds.
pub(crate) fn of_var(net: &Net, var: VarId) -> Cases {
    let values = net.var(var).values.iter().enumerate();
    values
        .map(|(at, value)| (Test::Is(var, at as u16), value.clone()))
        .collect()
}

/// One value for each pair; none if there are too many, or if some pair has no value.
pub(crate) fn combine(
    a: &Cases,
    b: &Cases,
    value: impl Fn(&Value, &Value) -> Option<Value>,
) -> Option<Cases> {
    if a.len() * b.len() > MOST * MOST {
        return None;
    }
    let mut result = Cases::new();
    for (test, left) in a {
        for (other, right) in b {
            let both = Test::and(test.clone(), other.clone());
            if both != Test::Never {
                result.push((both, value(left, right)?));
            }
        }
    }
    merged(result)
}

/// Cases of one value joined.
pub(crate) fn merged(cases: Cases) -> Option<Cases> {
    let mut result: Vec<(Vec<Test>, Value)> = Vec::new();
    for (test, value) in cases {
        match result.iter_mut().find(|(_, other)| *other == value) {
            Some((tests, _)) => tests.push(test),
            None => result.push((vec![test], value)),
        }
    }
    let joined = result.into_iter();
    let joined: Cases = joined.map(|(tests, v)| (Test::any(tests), v)).collect();
    match joined.len() {
        1 => Some(constant(joined.into_iter().next()?.1)),
        length if length <= MOST => Some(joined),
        _ => None,
    }
}

/// When a truth value is true; none if it is something else.
pub(crate) fn truth(cases: &Cases) -> Option<Test> {
    let mut tests = Vec::new();
    for (test, value) in cases {
        match value {
            Value::Bool(true) => tests.push(test.clone()),
            Value::Bool(false) => {}
            Value::Int(number) => {
                if *number != 0 {
                    tests.push(test.clone());
                }
            }
            Value::Name(_) => return None,
        }
    }
    Some(Test::any(tests))
}
