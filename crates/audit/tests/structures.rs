//! Sets of structures that look closed and are not.

use audit::{Rejected, check_structures};
use model::predicates::{
    Constraint, Formula, Head, Kleene, Predicate, PredicateAction, PredicateProgram, Structure,
    Update,
};
use model::{Budget, PredicateId};
use source::Span;

const ON: usize = 0;
const SOME: usize = 1;

/// Whether each individual is on, and whether one is. In a step, each becomes what it is not.
fn program() -> PredicateProgram {
    let predicate = |name: &str, arity, definition| Predicate {
        name: name.into(),
        arity,
        abstraction: false,
        unique: false,
        injective: false,
        definition,
        span: Span::NONE,
    };
    let on = |variable| Formula::Holds(PredicateId::new(ON), vec![variable]);
    let action = PredicateAction {
        name: "toggle".into(),
        span: Span::NONE,
        variables: vec![String::new(); 2],
        free: 0,
        scheduled: None,
        focus: Vec::new(),
        opens_turn: false,
        precondition: Formula::Value(Kleene::True),
        reports: Vec::new(),
        creates: Vec::new(),
        updates: vec![Update {
            predicate: PredicateId::new(ON),
            parameters: vec![1],
            value: Formula::not(on(1)),
        }],
        retains: None,
        reports_after: Vec::new(),
    };
    PredicateProgram {
        predicates: vec![
            predicate("on", 1, None),
            predicate("some", 0, Some(Formula::Exists(0, Box::new(on(0))))),
        ],
        actions: vec![action],
        ..PredicateProgram::default()
    }
}

fn structure(program: &PredicateProgram, several: bool, on: Kleene, some: Kleene) -> Structure {
    let mut structure = Structure::new(&program.predicates, vec![several]);
    structure.values[ON][0] = on;
    structure.values[SOME][0] = some;
    structure
}

/// Whether these structures, of which the first is initial, are found closed.
fn closed(program: &mut PredicateProgram, structures: &[Structure]) -> bool {
    program.initial = structures[..1].to_vec();
    match check_structures(program, structures, &[], &Budget::default()) {
        Ok(_) => true,
        Err(Rejected::NotInductive(_)) => false,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn of_several_one_may_gain_what_another_loses() {
    use Kleene::{False, True, Unknown};
    let mut program = program();
    for (several, some_after) in [(false, False), (true, Unknown)] {
        let some_on = structure(&program, several, Unknown, True);
        let none_on = structure(&program, several, False, False);
        let all_on = structure(&program, several, True, True);
        let any = structure(&program, several, Unknown, Unknown);
        // Of one individual that is on, none is on afterwards; of several, some may be.
        let few = [some_on.clone(), none_on, all_on];
        assert_eq!(closed(&mut program, &few), some_after == False, "{several}");
        assert!(closed(&mut program, &[some_on, any]));
    }
}

#[test]
fn a_structure_does_not_stand_for_those_of_which_less_is_known() {
    use Kleene::{False, True, Unknown};
    let mut program = program();
    let off = structure(&program, true, False, False);
    let on = structure(&program, true, True, True);
    let any = structure(&program, true, Unknown, Unknown);
    assert!(!closed(&mut program, std::slice::from_ref(&off)));
    assert!(closed(&mut program, &[off, on]));
    assert!(closed(&mut program, &[any]));
    // What stands for several individuals is not stood for by one alone.
    let several = structure(&program, true, False, False);
    let alone = structure(&program, false, True, True);
    assert!(!closed(&mut program, &[several, alone]));
    let result = check_structures(&program, &program.initial, &[], &Budget::default());
    assert!(
        result
            .map(drop)
            .unwrap_err()
            .to_string()
            .contains("no structure stands for")
    );
}

#[test]
fn what_is_said_of_each_and_itself_is_not_said_of_each_two() {
    let mut program = program();
    program.predicates[ON].arity = 2;
    program.predicates[SOME].definition = None;
    let [action] = &mut program.actions[..] else {
        panic!("it has one action");
    };
    action.updates = vec![Update {
        predicate: PredicateId::new(ON),
        parameters: vec![0, 1],
        value: Formula::Value(Kleene::Unknown),
    }];
    program.constraints = vec![Constraint {
        text: String::new(),
        variables: 1,
        free: 1,
        body: Formula::Value(Kleene::True),
        head: Head::Literal(PredicateId::new(ON), vec![0, 0], false),
        span: Span::NONE,
    }];
    for several in [false, true] {
        let apart = structure(&program, several, Kleene::False, Kleene::False);
        // One alone is in no relation with itself; of several, one may be with another.
        assert_eq!(closed(&mut program, &[apart]), !several);
    }
}
