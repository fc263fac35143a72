//! Rules that have something to say after a step.

use model::predicates::{
    Constraint, Formula, Head, Kleene, Predicate, PredicateAction, PredicateProgram, Structure,
    Update,
};
use model::{Budget, PredicateId, Silent};
use source::Span;

#[test]
fn what_is_forgotten_is_known_again_where_a_rule_says_so() {
    let (given, follows) = (PredicateId::new(0), PredicateId::new(1));
    let predicate = |name: &str| Predicate {
        name: name.into(),
        arity: 0,
        abstraction: true,
        unique: false,
        injective: false,
        definition: None,
        span: Span::NONE,
    };
    let predicates = vec![predicate("given"), predicate("follows")];
    let rule = Constraint {
        text: String::new(),
        variables: 0,
        free: 0,
        body: Formula::Holds(given, Vec::new()),
        head: Head::Literal(follows, Vec::new(), true),
        span: Span::NONE,
    };
    let forget = PredicateAction {
        name: "forget".into(),
        span: Span::NONE,
        variables: Vec::new(),
        free: 0,
        scheduled: None,
        focus: Vec::new(),
        opens_turn: false,
        precondition: Formula::Value(Kleene::True),
        reports: Vec::new(),
        creates: Vec::new(),
        updates: vec![Update {
            predicate: follows,
            parameters: Vec::new(),
            value: Formula::Value(Kleene::Unknown),
        }],
        retains: None,
        reports_after: Vec::new(),
    };
    let found = |holds: Kleene, constraints: Vec<Constraint>| {
        let mut initial = Structure::new(&predicates, vec![false]);
        initial.values[given.index()][0] = holds;
        initial.values[follows.index()][0] = Kleene::True;
        let program = PredicateProgram {
            predicates: predicates.clone(),
            actions: vec![forget.clone()],
            constraints,
            initial: vec![initial],
            ..PredicateProgram::default()
        };
        let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
        explored.structures.len()
    };
    assert_eq!(found(Kleene::True, vec![rule.clone()]), 1);
    assert_eq!(found(Kleene::False, vec![rule]), 2);
    assert_eq!(found(Kleene::True, Vec::new()), 2);
}
