//! For each rule that makes a pass careful, a program in which the careless version is wrong.
//!
//! Each test states the verdict, checks that every selection of passes keeps it, and then makes
//! the same change without care, by hand, and sees that the verdict turns.

use crate::verdicts::{Graph, LIMIT, verdict};
use logic::Ltl;
use model::{
    Binary, Callee, Check, CheckId, Choice, Claim, Comm, ExprId, Fairness, FairnessKind, Fault,
    FaultId, GlobalId, LocId, Mode, Place, Procedure, ProcedureId, Process, ProcessId, Program,
    Projection, Property, PropertyId, Start, Step, StepId, Stmt, Target, Type, ValueSet, Variable,
    VariableKind,
};
use passes::{Pass, Selection, pipeline};
use source::Span;

/// A program under construction, with short words for what these tests need.
pub(crate) struct Maker(pub(crate) Program);

impl Maker {
    pub(crate) fn new() -> Self {
        let mut program = Program::new("rule", "by hand");
        let fault = program.add_fault(Fault {
            name: "fault".into(),
            message: "fault".into(),
        });
        program.division_fault = Some(fault);
        program.range_fault = Some(fault);
        program.stack_fault = Some(fault);
        program.add_check(Check {
            name: "check".into(),
            failure: "fails".into(),
            span: Span::NONE,
        });
        Maker(program)
    }

    fn global(&mut self, name: &str) -> GlobalId {
        self.0.add_global(Variable::new(name, Type::INT32))
    }

    pub(crate) fn num(&mut self, value: i128) -> ExprId {
        self.0.exprs.int(value, Type::INT32)
    }

    fn get(&mut self, id: GlobalId) -> ExprId {
        self.0.exprs.load(Place::global(id), Type::INT32)
    }

    fn own(&mut self, local: usize) -> ExprId {
        self.0.exprs.load(Place::own(local), Type::INT32)
    }

    pub(crate) fn op(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        self.0.exprs.binary(op, a, b)
    }

    /// `global == value`.
    fn is(&mut self, id: GlobalId, value: i128) -> ExprId {
        let (a, b) = (self.get(id), self.num(value));
        self.op(Binary::Eq, a, b)
    }

    /// `global := value`.
    fn set(&mut self, id: GlobalId, value: i128) -> Stmt {
        Stmt::Assign(Place::global(id), self.num(value))
    }

    /// `to := from`.
    fn copy(&mut self, to: GlobalId, from: GlobalId) -> Stmt {
        Stmt::Assign(Place::global(to), self.get(from))
    }

    /// Adds a process with the given locations, which starts at the first.
    pub(crate) fn process(&mut self, modes: &[Mode], steps: Vec<Step>) -> ProcessId {
        let mut process = Process::new("process");
        for mode in modes {
            let at = process.add_location("at", *mode, Span::NONE);
            process.locations[at.index()].end = true;
        }
        for step in steps {
            process.add_step(step);
        }
        let process = self.0.add_process(process);
        self.0.start.push(Start {
            process,
            args: Vec::new(),
        });
        process
    }

    fn property(&mut self, claim: Claim) -> PropertyId {
        self.0.add_property(Property {
            name: "property".into(),
            text: String::new(),
            span: Span::NONE,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        })
    }

    pub(crate) fn assert(&mut self, cond: ExprId) -> Stmt {
        Stmt::Assert {
            cond,
            check: CheckId(0),
            span: Span::NONE,
        }
    }
}

pub(crate) const OPEN: Mode = Mode::Open;
pub(crate) const REGION: Mode = Mode::Region;

pub(crate) fn step(from: usize, to: usize, body: Vec<Stmt>) -> Step {
    Step {
        body,
        ..Step::new(LocId::new(from), LocId::new(to), Span::NONE)
    }
}

pub(crate) fn guarded(from: usize, to: usize, guard: ExprId, body: Vec<Stmt>) -> Step {
    Step {
        guard: Some(guard),
        ..step(from, to, body)
    }
}

fn choose(place: Place, set: ValueSet) -> Choice {
    Choice {
        place,
        set,
        sample: None,
        what: "it".into(),
        outside: None,
    }
}

fn holds(program: &Program, property: PropertyId) -> bool {
    let graph = Graph::of(program, LIMIT).expect("few states");
    verdict(&graph, property).is_none()
}

/// Checks the verdict without passes, with each of them, with all of them; and that the careless
/// change turns it. A failure after the passes has to lift.
#[track_caller]
pub(crate) fn check(maker: Maker, claim: Claim, expected: bool, careless: impl Fn(&mut Program)) {
    let mut maker = maker;
    let property = maker.property(claim);
    let program = maker.0;
    assert_eq!(holds(&program, property), expected, "the verdict itself");
    let mut selections: Vec<Selection> = Pass::ALL
        .into_iter()
        .map(|pass| Selection::of(&[pass]))
        .collect();
    selections.push(Selection::all());
    for selection in selections {
        let reduced = pipeline(&program, &[property], &selection);
        let graph = Graph::of(&reduced.program, LIMIT).expect("few states");
        match verdict(&graph, property) {
            None => assert!(expected, "{selection:?} hides a failure"),
            Some(failure) => {
                assert!(!expected, "{selection:?} makes a failure up");
                let lifted = reduced.lift(&failure.trace, failure.bad.as_ref());
                assert!(lifted.is_some(), "{selection:?}: the failure lifts");
            }
        }
    }
    let mut changed = program;
    careless(&mut changed);
    assert_eq!(
        holds(&changed, property),
        !expected,
        "the careless change is harmless"
    );
}

fn disable(program: &mut Program, process: usize, step: usize) {
    let never = program.exprs.bool(false);
    program.processes[process].steps[step].guard = Some(never);
}

/// `P: x = 1 || Q: loops`: nothing says that `P` ever moves.
#[test]
fn a_process_that_is_cut_away_leaves_a_stutter_step() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let body = vec![m.set(x, 1)];
    m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    let (zero, one) = (vec![m.set(y, 0)], vec![m.set(y, 1)]);
    m.process(&[OPEN, OPEN], vec![step(0, 1, one), step(1, 0, zero)]);
    let done = m.is(x, 1);
    check(
        m,
        Claim::Ltl(Ltl::eventually(Ltl::atom(done))),
        false,
        |p| {
            disable(p, 1, 0);
        },
    );
}

/// `y = 1 / z; x = 1`: the division stops the process, so `x` stays 0.
#[test]
fn a_right_side_that_can_fault_stays() {
    let mut m = Maker::new();
    let (x, y, z) = (m.global("x"), m.global("y"), m.global("z"));
    let quotient = {
        let (one, z) = (m.num(1), m.get(z));
        m.op(Binary::Div, one, z)
    };
    // Somebody writes `z`, so that it is no constant.
    let body = vec![m.set(z, 0)];
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let body = vec![Stmt::Assign(Place::global(y), quotient), m.set(x, 1)];
    m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), true, |p| {
        p.processes[1].steps[0].body.remove(0);
    });
}

/// `a[z] = a[z] + 1; x = 1`, nobody reads `a`: where there is no such element, `x` stays 0.
#[test]
fn an_index_that_may_be_outside_stays_and_the_array_goes() {
    let mut m = Maker::new();
    m.0.index_fault = m.0.division_fault;
    let x = m.global("x");
    let digit = Type::Range { lo: 0, hi: 3 };
    let z = m.0.add_global(Variable::new("z", digit.clone()));
    let elements = Type::Array(Box::new(Type::INT32), 3);
    let a = m.0.add_global(Variable::new("a", elements));
    let index = m.0.exprs.load(Place::global(z), digit.clone());
    let mut element = Place::global(a);
    element.path.push(Projection::Index(index));
    let more = {
        let now = m.0.exprs.load(element.clone(), Type::INT32);
        let one = m.num(1);
        m.op(Binary::Add, now, one)
    };
    let body = vec![Stmt::Assign(element, more), m.set(x, 1)];
    m.process(
        &[OPEN, OPEN, OPEN],
        vec![
            Step {
                binds: vec![choose(Place::global(z), ValueSet::All(digit))],
                ..step(0, 1, vec![])
            },
            step(1, 2, body),
        ],
    );
    let property = m.property(Claim::NoFault(m.0.index_fault.into_iter().collect()));
    let reduced = pipeline(&m.0, &[property], &Selection::of(&[Pass::WriteOnly]));
    assert_eq!(passes::sizes(&reduced.original).bits, 32 + 2 + 3 * 32);
    assert_eq!(passes::sizes(&reduced.program).bits, 2);
    let fault = Claim::NoFault(m.0.index_fault.into_iter().collect());
    check(m, fault, false, |p| {
        p.processes[0].steps[1].body.remove(0);
    });
}

/// `y = 3 * (1 / z) * 0`: algebra may not drop the division either.
#[test]
fn algebra_keeps_faults() {
    let mut m = Maker::new();
    let (x, z) = (m.global("x"), m.global("z"));
    let (zero, one, load) = (m.num(0), m.num(1), m.get(z));
    let quotient = m.op(Binary::Div, one, load);
    let product = m.op(Binary::Mul, zero, quotient);
    let body = vec![m.set(z, 0)];
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let sum = m.op(Binary::Add, product, one);
    m.process(
        &[OPEN, OPEN],
        vec![step(0, 1, vec![Stmt::Assign(Place::global(x), sum)])],
    );
    check(m, Claim::NoFault(vec![FaultId(0)]), false, |p| {
        let one = p.exprs.int(1, Type::INT32);
        p.processes[1].steps[0].body = vec![Stmt::Assign(Place::global(x), one)];
    });
}

/// A choice from an empty set removes the run, though nobody reads what is chosen.
#[test]
fn a_choice_that_may_be_empty_stays() {
    let mut m = Maker::new();
    let (x, y, limit) = (m.global("x"), m.global("y"), m.global("limit"));
    let (one, most) = (m.num(1), m.get(limit));
    let set = ValueSet::Between(one, most);
    let body = vec![m.set(limit, 0)];
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let body = vec![Stmt::Choose(choose(Place::global(y), set)), m.set(x, 1)];
    m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), true, |p| {
        p.processes[1].steps[0].body.remove(0);
    });
}

/// `while (y == 0);  x = 1` within a macro step: `x` is never 1, although nobody reads `y`.
#[test]
fn a_loop_that_may_not_end_stays() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let stays = m.is(y, 0);
    let leaves = m.0.exprs.not(stays);
    let body = vec![m.set(y, 0)];
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let body = vec![m.set(x, 1)];
    m.process(
        &[OPEN, REGION, REGION, OPEN],
        vec![
            step(0, 1, vec![]),
            guarded(1, 1, stays, vec![]),
            guarded(1, 2, leaves, vec![]),
            step(2, 3, body),
        ],
    );
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), true, |p| {
        disable(p, 1, 1);
        p.processes[1].steps[2].guard = None;
    });
}

/// The same loop with a free choice to leave it ends, and is cut: `y` goes, and with it a choice.
#[test]
fn a_loop_that_can_always_be_left_goes() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let set = ValueSet::All(Type::Bool);
    let lost = m.0.add_global(Variable::new("lost", Type::Bool));
    let (load, one) = (m.get(y), m.num(1));
    let more = m.op(Binary::Add, load, one);
    let body = vec![
        Stmt::Choose(choose(Place::global(lost), set)),
        Stmt::Assign(Place::global(y), more),
    ];
    let set_x = vec![m.set(x, 1)];
    m.process(
        &[OPEN, REGION, OPEN],
        vec![step(0, 1, vec![]), step(1, 1, body), step(1, 2, set_x)],
    );
    let zero = m.is(x, 0);
    let property = m.property(Claim::Always(zero));
    let reduced = pipeline(&m.0, &[property], &Selection::all());
    let sizes = passes::sizes(&reduced.program);
    assert_eq!((sizes.choices, sizes.variables), (0, 1));
    let graph = Graph::of(&reduced.program, LIMIT).unwrap();
    let failure = verdict(&graph, property).expect("x is set");
    // In the original, `y` grows without end within the macro step; lifting leaves the loop.
    assert!(reduced.lift(&failure.trace, None).is_some());
}

/// Ten steps that nobody asks about go one of two ways each, within a macro step: one of the thousand
/// ways is enough for the run that the failure stands for.
#[test]
fn one_of_very_many_ways_through_a_macro_step_will_do() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let mut locations = vec![OPEN];
    let mut steps = vec![step(0, 1, vec![])];
    for at in 1..=10 {
        locations.push(REGION);
        for bit in [0, 1] {
            let (load, two, bit) = (m.get(y), m.num(2), m.num(bit));
            let double = m.op(Binary::Mul, load, two);
            let more = m.op(Binary::Add, double, bit);
            let body = vec![Stmt::Assign(Place::global(y), more)];
            steps.push(step(at, at + 1, body));
        }
    }
    locations.extend([REGION, OPEN]);
    let set_x = vec![m.set(x, 1)];
    steps.push(step(11, 12, set_x));
    m.process(&locations, steps);
    let zero = m.is(x, 0);
    let property = m.property(Claim::Always(zero));
    let reduced = pipeline(&m.0, &[property], &Selection::all());
    assert_eq!(passes::sizes(&reduced.program).variables, 1);
    let graph = Graph::of(&reduced.program, LIMIT).unwrap();
    let failure = verdict(&graph, property).expect("x is set");
    assert!(reduced.lift(&failure.trace, None).is_some());
    // In haste, the first way is taken.
    let soon = model::Budget {
        deadline: Some(std::time::Instant::now() + std::time::Duration::from_secs(3600)),
        ..model::Budget::default()
    };
    assert!(reduced.lift_within(&failure.trace, None, &soon).is_some());
}

/// Two processes move at once. What the second chooses in its body is told apart from a choice among
/// seven hundred values that nobody reads, which is made but once.
#[test]
fn choices_of_the_bodies_of_a_joint_move_are_made_as_the_run_makes_them() {
    let mut m = Maker::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| m.global(name));
    let channel = m.0.add_channel(model::Channel {
        name: "c".into(),
        capacity: Some(0),
        fields: Vec::new(),
        from_start: true,
        owner: None,
    });
    assert_eq!(channel.0, 0);
    let reference = m.0.exprs.int(1, Type::Channel);
    m.process(
        &[OPEN, OPEN],
        vec![Step {
            comm: Some(Comm::Send {
                channel: reference,
                message: Vec::new(),
                sorted: false,
                lossy: false,
            }),
            ..step(0, 1, vec![])
        }],
    );
    let from_zero = |m: &mut Maker, most| ValueSet::Between(m.num(0), m.num(most));
    let (many, few) = (from_zero(&mut m, 700), from_zero(&mut m, 3));
    let chosen = vec![
        Stmt::Choose(choose(Place::global(y), many)),
        Stmt::Choose(choose(Place::global(x), few)),
    ];
    let copied = vec![m.copy(z, x)];
    m.process(
        &[OPEN, REGION, OPEN],
        vec![
            Step {
                comm: Some(Comm::Receive {
                    channel: reference,
                    patterns: Vec::new(),
                    anywhere: false,
                    keep: false,
                }),
                ..step(0, 1, chosen)
            },
            step(1, 2, copied),
        ],
    );
    let two = m.is(z, 2);
    let other = m.0.exprs.not(two);
    let property = m.property(Claim::Always(other));
    let reduced = pipeline(&m.0, &[property], &Selection::all());
    assert_eq!(passes::sizes(&reduced.program).choices, 1);
    let graph = Graph::of(&reduced.program, LIMIT).unwrap();
    let failure = verdict(&graph, property).expect("z becomes 2");
    let lifted = reduced.lift(&failure.trace, None).expect("it lifts");
    let values = &lifted.steps[0].moves[0].choices;
    assert_eq!(values, &[model::Value::Int(0), model::Value::Int(2)]);
}

/// `timeout` looks at whether others can move: what they read belongs to the cone.
#[test]
fn nothing_enabled_pulls_in_what_guards_read() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let timeout = m.0.exprs.add(model::Expr::NothingEnabled, Type::Bool);
    let body = vec![m.set(x, 1)];
    m.process(&[OPEN, OPEN], vec![guarded(0, 1, timeout, body)]);
    let goes_on = m.is(y, 0);
    let body = vec![m.set(y, 0)];
    m.process(&[OPEN], vec![guarded(0, 0, goes_on, body)]);
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), true, |p| disable(p, 1, 0));
}

/// A step of a higher class that leads nowhere still keeps others from moving.
#[test]
fn an_idle_loop_of_a_higher_class_stays() {
    let mut m = Maker::new();
    let x = m.global("x");
    let body = vec![m.set(x, 1)];
    m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    m.process(
        &[OPEN],
        vec![Step {
            class: 2,
            ..step(0, 0, vec![])
        }],
    );
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), true, |p| disable(p, 1, 0));
}

/// A lower rank that leads nowhere still hides its siblings.
#[test]
fn an_idle_loop_of_a_lower_rank_stays() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let body = vec![m.set(x, 1)];
    let is_zero = m.is(y, 0);
    m.process(
        &[OPEN, OPEN],
        vec![
            guarded(0, 0, is_zero, vec![]),
            Step {
                rank: 1,
                ..step(0, 1, body)
            },
        ],
    );
    let body = vec![m.set(y, 0)];
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), true, |p| disable(p, 0, 0));
}

/// What a fairness constraint names stays: under it, the run that only toggles `y` is no run.
#[test]
fn fairness_and_what_it_names_stay() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let (zero, one) = (vec![m.set(y, 0)], vec![m.set(y, 1)]);
    let toggles = m.process(&[OPEN, OPEN], vec![step(0, 1, one), step(1, 0, zero)]);
    let body = vec![m.set(x, 1)];
    let sets = m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    let _ = toggles;
    m.0.fairness.push(Fairness {
        name: "moves".into(),
        kind: FairnessKind::Weak(vec![(sets, StepId(0))]),
        assumption: None,
    });
    let done = m.is(x, 1);
    check(m, Claim::Ltl(Ltl::eventually(Ltl::atom(done))), true, |p| {
        p.fairness.clear();
    });
}

/// A process that waits before its private step is unlike one that has taken it, to a fairness
/// constraint on what comes after: merging is off.
#[test]
fn merging_stops_where_fairness_looks() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    // l0 -> l1 (private) -> l2 -> x = 1; and fairness for the last step.
    let private = vec![m.set(y, 1)];
    let set_x = vec![m.set(x, 1)];
    let p = m.process(
        &[OPEN, OPEN, OPEN, OPEN],
        vec![step(0, 1, vec![]), step(1, 2, private), step(2, 3, set_x)],
    );
    m.process(&[OPEN], vec![step(0, 0, vec![])]);
    m.0.fairness.push(Fairness {
        name: "last".into(),
        kind: FairnessKind::Weak(vec![(p, StepId(0)), (p, StepId(2))]),
        assumption: None,
    });
    let done = m.is(x, 1);
    check(
        m,
        Claim::Ltl(Ltl::eventually(Ltl::atom(done))),
        false,
        |p| {
            p.processes[0].locations[1].mode = REGION;
        },
    );
}

/// A step that another process can see the other side of is not private.
#[test]
fn merging_needs_private_variables() {
    let mut m = Maker::new();
    let x = m.global("x");
    let (one, two) = (vec![m.set(x, 1)], vec![m.set(x, 2)]);
    m.process(&[OPEN, OPEN, OPEN], vec![step(0, 1, one), step(1, 2, two)]);
    let cond = m.is(x, 1);
    let not = m.0.exprs.not(cond);
    let assertion = m.assert(not);
    m.process(&[OPEN, OPEN], vec![step(0, 1, vec![assertion])]);
    check(m, Claim::Check(CheckId(0)), false, |p| {
        p.processes[0].locations[1].mode = REGION;
    });
}

/// One location stays stable on every loop; otherwise the macro step never returns.
#[test]
fn merging_keeps_a_stable_location_on_every_loop() {
    let mut m = Maker::new();
    let y = m.global("y");
    let (one, two) = (vec![m.set(y, 1)], vec![m.set(y, 2)]);
    m.process(
        &[OPEN, OPEN, OPEN],
        vec![step(0, 1, vec![]), step(1, 2, one), step(2, 1, two)],
    );
    check(m, Claim::Returns, true, |p| {
        p.processes[0].locations[1].mode = REGION;
        p.processes[0].locations[2].mode = REGION;
    });
}

/// With `X`, every stable state counts: merging is off.
#[test]
fn merging_is_off_for_next() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let (one, private, two) = (vec![m.set(x, 1)], vec![m.set(y, 1)], vec![m.set(x, 2)]);
    m.process(
        &[OPEN, OPEN, OPEN, OPEN],
        vec![step(0, 1, one), step(1, 2, private), step(2, 3, two)],
    );
    let (is_one, is_two) = (m.is(x, 1), m.is(x, 2));
    let claim = Ltl::always(Ltl::implies(
        Ltl::atom(is_one),
        Ltl::or(
            Ltl::next(Ltl::atom(is_two)),
            Ltl::next(Ltl::next(Ltl::atom(is_two))),
        ),
    ));
    let strict = Ltl::always(Ltl::implies(
        Ltl::and(Ltl::atom(is_one), Ltl::next(Ltl::atom(is_one))),
        Ltl::next(Ltl::next(Ltl::atom(is_two))),
    ));
    let careless = |p: &mut Program| p.processes[0].locations[1].mode = REGION;
    // Holds either way, and so tells nothing; the next one does.
    let both = Ltl::and(claim, strict);
    let mut copy = Maker(m.0.clone());
    let property = copy.property(Claim::Ltl(both));
    assert!(holds(&copy.0, property));
    let at_once = Ltl::eventually(Ltl::and(Ltl::atom(is_one), Ltl::next(Ltl::atom(is_one))));
    check(m, Claim::Ltl(at_once), true, careless);
}

/// A variable that the property reads is never dead, whatever the process does with it.
#[test]
fn observed_variables_are_not_dead() {
    let mut m = Maker::new();
    let x = m.global("x");
    let body = vec![m.set(x, 1)];
    m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), false, |p| {
        let zero = p.exprs.int(0, Type::INT32);
        p.processes[0].steps[0]
            .body
            .push(Stmt::Assign(Place::global(x), zero));
    });
}

/// Dead for its writer is not dead for its reader.
#[test]
fn a_variable_that_another_process_reads_is_not_dead() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let body = vec![m.set(y, 1)];
    m.process(&[OPEN, OPEN], vec![step(0, 1, body)]);
    let body = vec![m.copy(x, y)];
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), false, |p| {
        let zero = p.exprs.int(0, Type::INT32);
        p.processes[0].steps[0]
            .body
            .push(Stmt::Assign(Place::global(y), zero));
    });
}

/// What a return passes on is read after the body.
#[test]
fn a_return_reads_after_its_body() {
    let mut m = Maker::new();
    let x = m.global("x");
    let mut process = Process::new("process");
    process.locals.push(Variable::new("y", Type::INT32));
    process.max_frames = 1;
    for mode in [OPEN, OPEN, REGION] {
        process.add_location("at", mode, Span::NONE);
    }
    process.add_procedure(Procedure {
        name: "f".into(),
        locals: vec![],
        parameters: 0,
        entry: LocId(2),
        span: Span::NONE,
    });
    let (one, local) = (m.num(1), m.own(0));
    process.add_step(Step {
        target: Target::Call {
            callee: Callee::Known(ProcedureId(0)),
            args: vec![],
            result: Some(Place::global(x)),
            then: LocId(1),
        },
        ..step(0, 2, vec![])
    });
    process.add_step(Step {
        target: Target::Return(Some(local)),
        ..step(2, 2, vec![Stmt::Assign(Place::own(0), one)])
    });
    let process = m.0.add_process(process);
    m.0.start.push(Start {
        process,
        args: vec![],
    });
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), false, |p| {
        let zero = p.exprs.int(0, Type::INT32);
        p.processes[0].steps[1]
            .body
            .push(Stmt::Assign(Place::own(0), zero));
    });
}

/// Arithmetic on ranges is exact: the type of a sum bounds nothing.
#[test]
fn bounds_do_not_trust_the_type_of_a_sum() {
    let mut m = Maker::new();
    let bit = Type::Range { lo: 0, hi: 1 };
    let y = m.0.add_global(Variable::new("y", bit.clone()));
    let x = m.0.add_global(Variable {
        kind: VariableKind::Ghost,
        ..Variable::new("x", Type::Mathint)
    });
    let load = m.0.exprs.load(Place::global(y), bit.clone());
    let sum = m.0.exprs.binary(Binary::Add, load, load);
    m.process(
        &[OPEN, OPEN],
        vec![Step {
            binds: vec![choose(Place::global(y), ValueSet::All(bit))],
            ..step(0, 1, vec![Stmt::Assign(Place::global(x), sum)])
        }],
    );
    let loaded = m.0.exprs.load(Place::global(x), Type::Mathint);
    let two = m.0.exprs.int(2, Type::Mathint);
    let is_two = m.0.exprs.binary(Binary::Eq, loaded, two);
    let never = m.0.exprs.not(is_two);
    check(m, Claim::Always(never), false, |p| {
        p.globals[x.index()].ty = Type::Range { lo: 0, hi: 1 };
    });
}

/// A value that needs more rounds than there are to get to where it is asked for: nothing is known then.
#[test]
fn bounds_that_take_many_rounds_are_not_cut_short() {
    let mut m = Maker::new();
    let all: Vec<_> = (0..260).map(|n| m.global(&format!("v{n}"))).collect();
    let one = m.0.exprs.int(1, Type::INT32);
    m.0.globals[all[0].index()].init = Some(ValueSet::One(one));
    let mut body = Vec::new();
    for pair in all.windows(2).rev() {
        let before = m.get(pair[0]);
        body.push(Stmt::Assign(Place::global(pair[1]), before));
    }
    m.process(&[OPEN], vec![step(0, 0, body)]);
    let last = all[259];
    let there = m.is(last, 1);
    let never = m.0.exprs.not(there);
    check(m, Claim::Always(never), false, |p| {
        p.globals[last.index()].ty = Type::Range { lo: 0, hi: 0 };
    });
}

/// What goes over a channel is data flow, too.
#[test]
fn messages_carry_dependence() {
    let mut m = Maker::new();
    let (x, y) = (m.global("x"), m.global("y"));
    let channel = m.0.add_channel(model::Channel {
        name: "c".into(),
        capacity: Some(0),
        fields: vec![Type::INT32],
        from_start: true,
        owner: None,
    });
    assert_eq!(channel.0, 0);
    let reference = m.0.exprs.int(1, Type::Channel);
    let (sent, body) = (m.get(y), vec![m.set(y, 1)]);
    m.process(
        &[OPEN, OPEN, OPEN],
        vec![
            step(0, 1, body),
            Step {
                comm: Some(Comm::Send {
                    channel: reference,
                    message: vec![sent],
                    sorted: false,
                    lossy: false,
                }),
                ..step(1, 2, vec![])
            },
        ],
    );
    m.process(
        &[OPEN, OPEN],
        vec![Step {
            comm: Some(Comm::Receive {
                channel: reference,
                patterns: vec![model::Pattern::Bind(Place::global(x))],
                anywhere: false,
                keep: false,
            }),
            ..step(0, 1, vec![])
        }],
    );
    let zero = m.is(x, 0);
    check(m, Claim::Always(zero), false, |p| {
        p.processes[0].steps[0].body.clear();
    });
}
