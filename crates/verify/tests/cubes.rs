//! Cubes together ask what the whole property asks, each of them a part of it.

use model::{Origin, Program, PropertyId, Silent, Verdict};
use verify::{Cube, Engine, Options, check, cubes_of, look_only_in};

/// Numbers of three types that go through all they can be.
fn program(formula: &str) -> Program {
    let text = format!(
        "byte n; short s = -5; bool b;\n\
         active proctype P() {{ do :: n < 9 -> n++ :: n == 9 -> n = 0 od }}\n\
         active proctype Q() {{ do :: s < 0 -> s++ :: s == 0 -> s = -5; b = !b od }}\n\
         ltl p {{ {formula} }}\n"
    );
    promela::load("model.pml", &text, &promela::Options::default())
        .program
        .expect("it is a model")
}

/// Whether the property fails in a cube, if that is known.
fn fails(formula: &str, cube: Option<Cube>, engine: Engine) -> bool {
    let mut program = program(formula);
    if let Some(cube) = cube {
        look_only_in(&mut program, cube);
        let assumption = program.assumptions.last().expect("the cube is told");
        assert_eq!(assumption.origin, Origin::Cube);
    }
    let options = Options {
        engine: Some(engine),
        only: Some(vec!["p".to_owned()]),
        ..Options::default()
    };
    let outcomes = check(&program, &options, &Silent);
    match &outcomes[0].verdict {
        Verdict::Fails { .. } => true,
        Verdict::Holds { .. } => false,
        other => panic!("{formula}, {cube:?}: {other:?}"),
    }
}

#[test]
fn a_property_fails_if_it_fails_in_some_cube() {
    let mut failing = 0;
    for (formula, expected) in [
        // One that holds, one that fails for one value, for several, and one about runs.
        ("[] (n <= 9 && s >= -5)", 0),
        ("[] (n != 7 || s != -3 || b)", 1),
        ("[] !(n == 7 && (s == -3 || s == -2))", 2),
        ("[] (n == 3 -> <> (s == 0))", 8),
    ] {
        let cubes = (1..=8).map(|number| Cube { number, of: 8 });
        let fail: Vec<Cube> = (cubes)
            .filter(|&cube| fails(formula, Some(cube), Engine::Explicit))
            .collect();
        assert_eq!(fails(formula, None, Engine::Explicit), !fail.is_empty());
        if expected < 8 {
            assert_eq!(fail.len(), expected, "{formula}: {fail:?}");
        } else {
            // Where n is even it has to do nothing.
            assert!(!fail.is_empty() && fail.len() < 8, "{formula}: {fail:?}");
        }
        failing += fail.len();
    }
    assert!(failing >= 4);
}

#[test]
fn satisfiability_looks_at_cubes_as_well() {
    for (formula, number, expected) in [
        ("[] (n != 7 || s != -3 || b)", 1, false),
        ("[] (n != 1 || s != -4)", 2, true),
    ] {
        let cube = Some(Cube { number, of: 4 });
        for engine in [Engine::Explicit, Engine::Sat] {
            assert_eq!(
                fails(formula, cube, engine),
                expected,
                "{formula}, {engine}"
            );
        }
    }
}

#[test]
fn there_are_as_many_cubes_as_variables_have_bits() {
    let first = |formula, most| {
        let program = program(formula);
        let named = program.properties.iter().position(|it| it.name == "p");
        cubes_of(&program, PropertyId::new(named.expect("p")), most)
    };
    assert_eq!(first("[] b", 64), 2);
    assert_eq!(first("[] (b || n < 3)", 64), 64);
    assert_eq!(first("[] (b || n < 3)", 1 << 20), 512);
    assert_eq!(first("[] (b || n < 3)", 7), 4);
    assert_eq!(
        first("<> b", 64),
        1,
        "it does not say what is always to hold"
    );
}
