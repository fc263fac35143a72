//! Parameters of fixpoints, expressions over data, actions that happen together, and sorts without end.

use super::tests::{labels, read, show_system, syntax_error};
use super::*;

type Happens<'l> = &'l [(&'l str, &'l [&'l str])];

/// Two counters of `up`, `down`, and both at once.
const STEPS: &[Happens<'static>] = &[
    &[("up", &["1"])],
    &[("down", &["2"])],
    &[("up", &["1"]), ("down", &["2"])],
    &[],
];

fn system(text: &str) -> String {
    show_system(text, STEPS)
}

#[test]
fn fixpoints_have_one_instance_for_each_value_that_is_asked_for() {
    assert_eq!(
        system("nu X(n: Nat = 0). val(n < 2) => [up]X(n + 1)"),
        "nu X0.[0,2]nu X1.[0,2]nu X2.true"
    );
    assert_eq!(
        system("mu X(n = 1). <up>X((n + 1) mod 2) || <down>X(n)"),
        "mu X0.(<0,2>mu X1.(<0,2>X0 || <1,2>X1) || <1,2>X0)"
    );
    assert_eq!(
        system("nu X(b: Bool = false). [up]X(!b) && val(b || true)"),
        "nu X0.[0,2]nu X1.[0,2]X0"
    );
    assert_eq!(system("nu X(n = 3). val(n == 3)"), "true");
    assert_eq!(
        system("nu X(a = 1, b = 2). [up]X(b, a)"),
        "nu X0.[0,2]nu X1.[0,2]X0"
    );
}

#[test]
fn parameters_do_not_go_on_for_ever() {
    let of = |text: &str| System::of(&read(text), &labels(STEPS), &tests::Words).map(|_| ());
    assert_eq!(
        of("nu X(n = 0). [up]X(n + 1)"),
        Err(InstantiateError::TooLarge)
    );
    assert_eq!(
        of("nu X(n = 0). [up]X(n div 0)"),
        Err(InstantiateError::NoValue)
    );
    assert_eq!(
        of("nu X(n = 0). [up]X(n + a)"),
        Err(InstantiateError::NoValue)
    );
}

#[test]
fn data_is_computed_as_in_arithmetic() {
    for (condition, holds) in [
        ("1 + 2 * 3 == 7", true),
        ("(1 + 2) * 3 == 9", true),
        ("7 - 2 - 1 == 4", true),
        ("7 div 2 == 3 && 7 mod 2 == 1", true),
        ("(0 - 7) div 2 == 0 - 4 && (0 - 7) mod 2 == 1", true),
        ("min(3, 4) < max(3, 4)", true),
        ("abs(0 - 3) == 3", true),
        ("if(1 < 2, 5, 6) == 5", true),
        ("1 == 2 => 3 == 4", true),
        ("!(1 == 1) || 2 != 2", false),
        ("Nat2Pos(3) == 3", true),
    ] {
        assert_eq!(
            system(&format!("val({condition})")),
            holds.to_string(),
            "{condition}"
        );
    }
}

#[test]
fn arguments_of_actions_may_be_computed() {
    assert_eq!(system("[up(2 - 1)]{p}"), "[0,2]p");
    assert_eq!(system("forall n. [up(n)][down(n + 1)]{p}"), "[0,2][1,2]p");
}

#[test]
fn what_happens_together_is_all_that_happens() {
    assert_eq!(system("[up|down]{p}"), "[2]p");
    assert_eq!(system("[down(2)|up(1)]{p}"), "[2]p");
    assert_eq!(system("[down(2)|up(2)]{p}"), "true");
    assert_eq!(system("[up|up]{p}"), "true");
    assert_eq!(system("[up || down]{p}"), "[0,1,2]p");
}

#[test]
fn errors_in_parameters() {
    use MuSyntax::*;
    assert_eq!(
        syntax_error("mu X(n = 0). X").0,
        Arguments("X".to_owned(), 1)
    );
    assert_eq!(syntax_error("mu X. X(1)").0, Arguments("X".to_owned(), 0));
    assert_eq!(syntax_error("mu X(n). X(n)").0, Missing("="));
    assert_eq!(
        syntax_error("val(min(1) == 1)").0,
        Arguments("min".to_owned(), 2)
    );
}
