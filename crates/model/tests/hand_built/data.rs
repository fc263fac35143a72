//! Values, calls, objects, faults.

use model::interp::{Interp, Occurrence, Stop, Violation};
use model::{
    Binary, Callee, Expr, Fault, ObjectDecl, Place, Procedure, Process, Projection, Root, Stmt,
    Target, Type, Value, ValueSet, Variable,
};
use source::Span;

use crate::build::{Build, Control, explore, rows};

fn fault(build: &mut Build, name: &str) -> model::FaultId {
    build.program.add_fault(Fault {
        name: name.into(),
        message: name.into(),
    })
}

/// A procedure that computes a factorial by calling itself, each call with locals of its own.
#[test]
fn procedures_call_and_return() {
    for (argument, frames, expected) in [(5, 10, Some(120)), (5, 3, None)] {
        let mut build = Build::new();
        let out = build.global("out", Type::INT32);
        let overflow = fault(&mut build, "stack");
        build.program.stack_fault = Some(overflow);
        let mut process = Process::new("p");
        process.max_frames = frames;
        let [a, b] = [process.open("a"), process.open("b")];
        let entry = process.at("entry", model::Mode::Region);
        let recurse = process.at("recurse", model::Mode::Region);
        let n = build.program.exprs.load(Place::frame(0), Type::INT32);
        let rest = build.program.exprs.load(Place::frame(1), Type::INT32);
        let one = build.int(1);
        let less = build.program.exprs.binary(Binary::Sub, n, one);
        let product = build.program.exprs.binary(Binary::Mul, n, rest);
        let base = build.program.exprs.binary(Binary::Le, n, one);
        let factorial = process.add_procedure(Procedure {
            name: "factorial".into(),
            locals: vec![
                Variable::new("n", Type::INT32),
                Variable::new("rest", Type::INT32),
            ],
            parameters: 1,
            entry,
            span: Span::NONE,
        });
        let step = process.guarded(entry, entry, base, vec![]);
        process.with(step, |step| step.target = Target::Return(Some(one)));
        let step = process.edge(entry, entry, vec![]);
        process.with(step, |step| {
            step.rank = 1;
            step.target = Target::Call {
                callee: Callee::Known(factorial),
                args: vec![less],
                result: Some(Place::frame(1)),
                then: recurse,
            };
        });
        let step = process.edge(recurse, recurse, vec![]);
        process.with(step, |step| step.target = Target::Return(Some(product)));
        let argument = build.int(argument);
        let step = process.edge(a, b, vec![]);
        process.with(step, |step| {
            step.target = Target::Call {
                callee: Callee::Known(factorial),
                args: vec![argument],
                result: Some(Place::global(out)),
                then: b,
            };
        });
        build.run(process);
        match expected {
            Some(value) => assert_eq!(build.reachable(&[out]), rows(&[[0], [value]])),
            None => {
                let interp = Interp::new(&build.program);
                let (_, first) = interp.initial().expect("small").remove(0);
                let violations = interp.expand(&first).expect("small").violations;
                assert_eq!(violations[0].0, Violation::Fault(overflow));
            }
        }
    }
}

/// Objects and pointers: cells, offsets, null and dangling.
#[test]
fn pointers_reach_cells_until_their_object_is_freed() {
    let mut build = Build::new();
    let pointer_fault = fault(&mut build, "pointer");
    build.program.pointer_fault = Some(pointer_fault);
    let object = build.program.add_object(ObjectDecl {
        name: "pair".into(),
        cell: Type::INT32,
        cells: 2,
    });
    let p = build.global("p", Type::Pointer(object));
    let q = build.global("q", Type::Pointer(object));
    let out = build.global("out", Type::INT32);
    let [p_value, q_value] = [build.read(p), build.read(q)];
    let [one, nine] = [build.int(1), build.int(9)];
    let next = build.program.exprs.binary(Binary::Offset, p_value, one);
    let cell = Place::from(Root::Cell(q_value));
    let content = build.program.exprs.load(cell.clone(), Type::INT32);
    let mut process = Process::new("p");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| process.open(name));
    process.edge(
        a,
        b,
        vec![
            Stmt::New {
                object,
                result: Place::global(p),
            },
            Stmt::Assign(Place::global(q), next),
            Stmt::Assign(cell, nine),
            Stmt::Assign(Place::global(out), content),
        ],
    );
    process.edge(b, c, vec![Stmt::Free(p_value)]);
    process.edge(c, d, vec![Stmt::Assign(Place::global(out), content)]);
    build.run(process);
    assert_eq!(build.reachable(&[out]), rows(&[[0], [9]]));
    let interp = Interp::new(&build.program);
    let faults: Vec<_> = explore(&interp)
        .iter()
        .flat_map(|state| interp.expand(state).expect("small").violations)
        .map(|(violation, _)| violation)
        .collect();
    assert_eq!(faults, [Violation::Fault(pointer_fault)], "q dangles at c");
}

/// A fault leads to the process's aftermath; effects before it stay, those after it do not happen.
#[test]
fn a_fault_has_an_aftermath() {
    let mut build = Build::new();
    let division = fault(&mut build, "division");
    build.program.division_fault = Some(division);
    let x = build.global("x", Type::INT32);
    let mut process = Process::new("p");
    let [a, b, stopped] = ["a", "b", "stopped"].map(|name| process.open(name));
    let [one, zero] = [build.int(1), build.int(0)];
    let bad = build.program.exprs.binary(Binary::Div, one, zero);
    let before = build.set(x, 1);
    let after = build.set(x, 2);
    process.edge(
        a,
        b,
        vec![before, Stmt::Assign(Place::global(x), bad), after],
    );
    process.edge(stopped, stopped, vec![build.set(x, 50)]);
    process.on_fault = Some(stopped);
    build.run(process);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [1], [50]]));
    build.program.processes[0].on_fault = None;
    assert_eq!(build.reachable(&[x]), rows(&[[0], [1]]), "halted");
}

/// Machine integers wrap, ranges fault, mathematical integers do neither.
#[test]
fn integers_of_three_kinds() {
    let mut build = Build::new();
    let range_fault = fault(&mut build, "range");
    build.program.range_fault = Some(range_fault);
    let byte = build.global(
        "byte",
        Type::Int {
            bits: 8,
            signed: false,
        },
    );
    let range = build.global("range", Type::Range { lo: 0, hi: 9 });
    let exact = build.global("exact", Type::Mathint);
    let big = build.program.exprs.int(1 << 100, Type::Mathint);
    let (set_byte, set_range) = (build.set(byte, 300), build.set(range, 10));
    let mut process = Process::new("p");
    let [a, b, c] = ["a", "b", "c"].map(|name| process.open(name));
    process.edge(
        a,
        b,
        vec![set_byte, Stmt::Assign(Place::global(exact), big)],
    );
    process.edge(b, c, vec![set_range]);
    build.run(process);
    assert_eq!(
        build.reachable(&[byte, range, exact]),
        rows(&[[0, 0, 0], [44, 0, 1 << 100]])
    );
    // A product beyond 128 bits is not known, not wrong.
    let exact_value = build.read(exact);
    let square = build
        .program
        .exprs
        .binary(Binary::Mul, exact_value, exact_value);
    build.program.processes[0].steps[1].body = vec![Stmt::Assign(Place::global(exact), square)];
    let interp = Interp::new(&build.program);
    let results: Vec<_> = interp
        .initial()
        .expect("small")
        .into_iter()
        .flat_map(|(_, state)| interp.expand(&state).expect("small").successors)
        .map(|successor| interp.expand(&successor.state).map(|_| ()))
        .collect();
    assert_eq!(results, [Err(Stop::Overflow)]);
}

/// Arrays: elements by computed index, and the fault outside.
#[test]
fn arrays_have_bounds() {
    let mut build = Build::new();
    let index_fault = fault(&mut build, "index");
    build.program.index_fault = Some(index_fault);
    let array = build.global("array", Type::Array(Box::new(Type::INT32), 3));
    let i = build.global("i", Type::INT32);
    let index = build.read(i);
    let element = Place {
        root: Root::Global(array),
        path: vec![Projection::Index(index)],
    };
    let value = build.program.exprs.load(element.clone(), Type::INT32);
    let one = build.int(1);
    let more = build.program.exprs.binary(Binary::Add, value, one);
    let mut process = Process::new("p");
    let a = process.open("a");
    process.edge(a, a, vec![Stmt::Assign(element, more), build.add(i, 1)]);
    build.run(process);
    let interp = Interp::new(&build.program);
    let states = explore(&interp);
    assert_eq!(build.reachable(&[i]), rows(&[[0], [1], [2], [3]]));
    let one = Value::Int(1);
    let full = Value::Tuple(vec![one.clone(), one.clone(), one].into());
    assert!(
        states
            .iter()
            .any(|state| state.globals[array.index()] == full)
    );
}

/// Values that no state can hold flat are interned, and pure functions work on them.
#[test]
fn rich_values_are_compared_by_structure() {
    let mut build = Build::new();
    let text = build.global("text", Type::Rich);
    let same = build.global("same", Type::Bool);
    let append = build.program.add_function(model::Function {
        name: "append".into(),
        parameters: vec![Type::Rich, Type::Rich],
        result: Type::Rich,
        can_fault: false,
        eval: |table, args| {
            let part = |value: &Value| match &*table.get(value.rich()) {
                model::Rich::Text(text) => text.to_string(),
                _ => String::new(),
            };
            Ok(table.text(&(part(&args[0]) + &part(&args[1]))))
        },
    });
    let constant = |build: &mut Build, value: &str| {
        let value = build.program.rich.text(value);
        build.program.exprs.value(value, Type::Rich)
    };
    let [a_text, b_text, ab] = ["a", "b", "ab"].map(|value| constant(&mut build, value));
    let joined = build
        .program
        .exprs
        .add(Expr::Apply(append, vec![a_text, b_text]), Type::Rich);
    let held = build.read(text);
    let equal = build.program.exprs.binary(Binary::Eq, held, ab);
    let mut process = Process::new("p");
    let [a, b] = [process.open("a"), process.open("b")];
    process.edge(
        a,
        b,
        vec![
            Stmt::Assign(Place::global(text), joined),
            Stmt::Assign(Place::global(same), equal),
        ],
    );
    build.run(process);
    assert_eq!(build.reachable(&[same]), rows(&[[0], [1]]));
}

/// A remote reference reads another instance's local, or zero if it is not there.
#[test]
fn remote_references_read_locals_of_others() {
    let mut build = Build::new();
    let out = build.global("out", Type::INT32);
    let mut owner = Process::new("owner");
    let mut local = Variable::new("n", Type::INT32);
    let six = build.int(6);
    local.init = Some(ValueSet::One(six));
    owner.locals.push(local);
    let a = owner.open("a");
    owner.end(a, vec![]);
    let owner = build.run(owner);
    let number = build.program.exprs.int(0, Type::Instance);
    let remote = build.program.exprs.load(
        Place::from(Root::Remote {
            instance: number,
            process: owner,
            local: 0,
        }),
        Type::INT32,
    );
    let mut reader = Process::new("reader");
    let a = reader.open("a");
    reader.edge(a, a, vec![Stmt::Assign(Place::global(out), remote)]);
    build.run(reader);
    assert_eq!(build.reachable(&[out]), rows(&[[0], [6]]));
}

/// Micro events run observers at once, with their arguments, before the next statement.
#[test]
fn observers_see_the_instant() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let sum = build.global("sum", Type::Mathint);
    let event = build.program.add_event(model::Event {
        name: "paid".into(),
        parameters: vec![("amount".into(), Type::INT32)],
        story: None,
        visibility: model::Visibility::Told,
    });
    let check = build.program.add_check(model::Check {
        name: "small".into(),
        failure: "too much".into(),
        span: Span::NONE,
    });
    let argument = build
        .program
        .exprs
        .load(Place::from(Root::Argument(0)), Type::INT32);
    let sum_value = build.read(sum);
    let more = build.program.exprs.binary(Binary::Add, sum_value, argument);
    let small = build.compare(Binary::Lt, sum, 10);
    build.program.add_observer(model::Observer {
        name: "ledger".into(),
        event,
        body: vec![
            Stmt::Assign(Place::global(sum), more),
            Stmt::Assert {
                cond: small,
                check,
                span: Span::NONE,
            },
        ],
    });
    let value = build.read(x);
    let emit = Stmt::Emit {
        event,
        args: vec![value],
        span: Span::NONE,
    };
    let mut process = Process::new("p");
    let [a, b] = [process.open("a"), process.open("b")];
    let body = vec![
        build.set(x, 4),
        emit.clone(),
        build.set(x, 8),
        emit,
        build.set(x, 0),
    ];
    process.edge(a, b, body);
    build.run(process);
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    let expansion = interp.expand(&first).expect("small");
    assert_eq!(expansion.violations[0].0, Violation::Check(check));
    let trace = model::Trace {
        initial: vec![],
        steps: vec![expansion.successors[0].step.clone()],
        loop_start: None,
    };
    let replay = interp.replay(&trace).expect("a run");
    let events: Vec<_> = replay.steps[0]
        .occurrences
        .iter()
        .filter_map(|occurrence| match occurrence {
            Occurrence::Event { args, .. } => Some(args[0].number()),
            _ => None,
        })
        .collect();
    assert_eq!(events, [4, 8]);
    assert_eq!(crate::build::numbers(replay.state(1), &[x, sum]), [0, 12]);
}
