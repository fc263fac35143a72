//! Library functions: what they give is remembered, and must be what they give for just these
//! arguments, small, large and negative ones, in whatever order they come.

use explicit::Answer;
use model::*;

use crate::build::*;

const WORD: Type = Type::Int {
    bits: 32,
    signed: true,
};

fn int(value: &Value) -> i128 {
    match value {
        Value::Int(n) => *n,
        _ => unreachable!("arguments are numbers"),
    }
}

type Numbers = fn(&[i128]) -> i128;

/// Functions with what they give: of one argument, of the same, of two, and of three.
const FUNCTIONS: [(usize, PureFunction, Numbers); 4] = [
    (1, |_, a| Ok(Value::Int(first(&ints(a)))), first),
    (1, |_, a| Ok(Value::Int(second(&ints(a)))), second),
    (2, |_, a| Ok(Value::Int(third(&ints(a)))), third),
    (3, |_, a| Ok(Value::Int(fourth(&ints(a)))), fourth),
];

fn ints(args: &[Value]) -> Vec<i128> {
    args.iter().map(int).collect()
}

fn first(n: &[i128]) -> i128 {
    3 * n[0] + 1
}

fn second(n: &[i128]) -> i128 {
    7 - n[0]
}

fn third(n: &[i128]) -> i128 {
    n[0] - 2 * n[1]
}

fn fourth(n: &[i128]) -> i128 {
    n[0] + 5 * n[1] - n[2]
}

#[test]
fn what_is_remembered_of_a_call_is_what_it_gave() {
    let last = 5000;
    let mut program = Program::new("calls", "none");
    let n = program.add_global(Variable::new("n", WORD));
    let now = load(&mut program, n);
    let word = |program: &mut Program, n: i128| program.exprs.int(n, WORD);
    let mut process = Process::new("counter");
    let here = location(&mut process, Mode::Open);
    process.locations[here.index()].end = true;
    let mut goes_on = step(here, here);
    let (end, one) = (word(&mut program, last), word(&mut program, 1));
    goes_on.guard = Some(program.exprs.binary(Binary::Lt, now, end));
    let next = program.exprs.binary(Binary::Add, now, one);
    goes_on.body = vec![Stmt::Assign(Place::global(n), next)];
    process.add_step(goes_on);
    start(&mut program, process, 1);
    // n, n - 2500 and 40 n: the last does not fit into 16 bits.
    let (half, many) = (word(&mut program, last / 2), word(&mut program, 40));
    let args = [
        now,
        program.exprs.binary(Binary::Sub, now, half),
        program.exprs.binary(Binary::Mul, now, many),
    ];
    let value_of = |n: i128| [n, n - last / 2, 40 * n];
    let mut bads = Vec::new();
    for (number, (arity, eval, numbers)) in FUNCTIONS.into_iter().enumerate() {
        for rotation in 0..3 {
            let turned = |at: usize| (at + rotation) % 3;
            let function = program.add_function(Function {
                name: format!("f{number}"),
                parameters: vec![WORD; arity],
                result: WORD,
                eval,
                can_fault: false,
            });
            let args: Vec<ExprId> = (0..arity).map(|at| args[turned(at)]).collect();
            let given = program.exprs.add(Expr::Apply(function, args), WORD);
            // Linear functions are known by what they give for 0 and for 1.
            let of = |n: i128| {
                let values: Vec<i128> = (0..arity).map(|at| value_of(n)[turned(at)]).collect();
                numbers(&values)
            };
            let (start, more) = (word(&mut program, of(0)), word(&mut program, of(1) - of(0)));
            let rise = program.exprs.binary(Binary::Mul, now, more);
            let expected = program.exprs.binary(Binary::Add, start, rise);
            bads.push(Bad::State(program.exprs.binary(
                Binary::Ne,
                given,
                expected,
            )));
        }
    }
    let outcome = safety(&program, &bads);
    assert!(outcome.statistics.states > 5000);
    for (number, answer) in outcome.answers.iter().enumerate() {
        assert_eq!(*answer, Answer::Clear, "{number}");
    }
}
