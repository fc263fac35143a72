//! Runs along the actions of a way through structures: they take these actions and no others, and end with
//! the message.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use model::predicates::{
    Formula, Kleene, Message, Predicate, PredicateAction, PredicateProgram, PredicateRun,
    Structure, Update,
};
use model::{Budget, MessageId, PredicateId};
use shape::concretise_along;
use source::Span;

const BEGUN: usize = 0;
const CHOSEN: usize = 1;

const BEGIN: usize = 0;
const CHOOSE: usize = 1;
const LOOK: usize = 2;

/// What is reported where the choice has led, and where the program has begun.
const AFTER: usize = 0;
const BEFORE: usize = 1;

fn holds(predicate: usize) -> Formula {
    Formula::Holds(PredicateId::new(predicate), Vec::new())
}

fn action(name: &str, precondition: Formula) -> PredicateAction {
    PredicateAction {
        name: name.into(),
        span: Span::NONE,
        variables: Vec::new(),
        free: 0,
        scheduled: None,
        focus: Vec::new(),
        opens_turn: false,
        precondition,
        reports: Vec::new(),
        creates: Vec::new(),
        updates: Vec::new(),
        retains: None,
        reports_after: Vec::new(),
    }
}

fn updated(predicate: usize, value: Kleene) -> Vec<Update> {
    vec![Update {
        predicate: PredicateId::new(predicate),
        parameters: Vec::new(),
        value: Formula::Value(value),
    }]
}

/// It begins, and then may choose, again and again.
fn program() -> PredicateProgram {
    let predicate = |name: &str| Predicate {
        name: name.into(),
        arity: 0,
        abstraction: true,
        unique: false,
        injective: false,
        definition: None,
        span: Span::NONE,
    };
    let predicates = vec![predicate("begun"), predicate("chosen")];
    let message = |text: &str| Message {
        text: text.into(),
        span: Span::NONE,
    };
    let begin = PredicateAction {
        updates: updated(BEGUN, Kleene::True),
        ..action("begin", Formula::not(holds(BEGUN)))
    };
    let choose = PredicateAction {
        updates: updated(CHOSEN, Kleene::Unknown),
        reports_after: vec![(MessageId::new(AFTER), holds(CHOSEN))],
        ..action("choose", holds(BEGUN))
    };
    let look = PredicateAction {
        reports: vec![(MessageId::new(BEFORE), Formula::Value(Kleene::True))],
        ..action("look", holds(BEGUN))
    };
    PredicateProgram {
        initial: vec![Structure::new(&predicates, vec![false])],
        predicates,
        actions: vec![begin, choose, look],
        messages: vec![message("chosen"), message("begun")],
        ..PredicateProgram::default()
    }
}

/// The actions of the run along these, replayed.
fn run(program: &PredicateProgram, message: usize, actions: &[usize]) -> Option<Vec<usize>> {
    let message = MessageId::new(message);
    let trace = concretise_along(program, message, actions, &Budget::default())?;
    let run = PredicateRun::replay(program, &trace, message).unwrap();
    Some(run.steps.iter().map(|step| step.action).collect())
}

#[test]
fn it_takes_the_actions_and_ends_with_the_message() {
    let program = program();
    let taken = run(&program, AFTER, &[BEGIN, CHOOSE]);
    assert_eq!(taken, Some(vec![BEGIN, CHOOSE]));
    // Of several values that can be chosen in a step, each later one is chosen anew.
    let twice = run(&program, AFTER, &[BEGIN, CHOOSE, CHOOSE]);
    assert_eq!(twice, Some(vec![BEGIN, CHOOSE, CHOOSE]));
    // What is reported where an action happens needs no step of it.
    assert_eq!(run(&program, BEFORE, &[BEGIN, LOOK]), Some(vec![BEGIN]));
}

#[test]
fn there_is_none_where_an_action_cannot_be_taken() {
    let program = program();
    assert_eq!(run(&program, AFTER, &[CHOOSE]), None);
    assert_eq!(run(&program, AFTER, &[BEGIN, BEGIN]), None);
    assert_eq!(run(&program, AFTER, &[]), None);
}

#[test]
fn there_is_none_along_an_action_that_the_program_may_never_take() {
    let mut program = program();
    program.approximate = vec![CHOOSE];
    assert_eq!(run(&program, AFTER, &[BEGIN, CHOOSE]), None);
    assert_eq!(run(&program, BEFORE, &[BEGIN, LOOK]), Some(vec![BEGIN]));
    program.approximate = vec![BEGIN];
    assert_eq!(run(&program, BEFORE, &[BEGIN, LOOK]), None);
}
