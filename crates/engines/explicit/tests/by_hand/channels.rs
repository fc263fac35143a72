//! Channels with room and without, and what a macro step does with them.

use explicit::{Answer, stable_states};
use model::*;
use source::Span;

use crate::build::*;

#[test]
fn a_bounded_buffer_keeps_its_order_and_its_bound() {
    let mut program = Program::new("buffer", "none");
    let small = Type::Range { lo: 0, hi: 2 };
    let buffer = program.add_channel(Channel {
        name: "buffer".into(),
        capacity: Some(2),
        fields: vec![small.clone()],
        from_start: true,
        owner: None,
    });
    let channel = program.exprs.int(i128::from(buffer.0) + 1, Type::Channel);
    let (sent, got) = (
        range(&mut program, "sent", 2),
        range(&mut program, "got", 2),
    );
    let check = program.add_check(Check {
        name: "order".into(),
        failure: "?".into(),
        span: Span::NONE,
    });
    let three = number(&mut program, 3);
    let next = |program: &mut Program, global| {
        let now = load(program, global);
        let one = number(program, 1);
        let more = program
            .exprs
            .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
        program
            .exprs
            .add(Expr::Binary(Binary::Rem, more, three), Type::Mathint)
    };
    let mut producer = Process::new("producer");
    let a = location(&mut producer, Mode::Open);
    let mut send = step(a, a);
    let message = load(&mut program, sent);
    send.comm = Some(Comm::Send {
        channel,
        message: vec![message],
        sorted: false,
        lossy: false,
    });
    let value = next(&mut program, sent);
    send.body = vec![Stmt::Assign(Place::global(sent), value)];
    producer.add_step(send);
    start(&mut program, producer, 1);
    let mut consumer = Process::new("consumer");
    consumer.locals = vec![Variable::new("item", small.clone())];
    let b = location(&mut consumer, Mode::Open);
    let mut receive = step(b, b);
    receive.comm = Some(Comm::Receive {
        channel,
        patterns: vec![Pattern::Bind(Place::own(0))],
        anywhere: false,
        keep: false,
    });
    let item = program.exprs.load(Place::own(0), small);
    let wanted = load(&mut program, got);
    let cond = program.exprs.binary(Binary::Eq, item, wanted);
    let value = next(&mut program, got);
    let zero = number(&mut program, 0);
    receive.body = vec![
        Stmt::Assert {
            cond,
            check,
            span: Span::NONE,
        },
        Stmt::Assign(Place::global(got), value),
        Stmt::Assign(Place::own(0), zero),
    ];
    consumer.add_step(receive);
    start(&mut program, consumer, 1);
    let length = program.exprs.add(Expr::ChannelLen(channel), Type::Mathint);
    let two = number(&mut program, 2);
    let over = program.exprs.binary(Binary::Lt, two, length);
    let full = program.exprs.binary(Binary::Eq, two, length);
    let bads = [
        Bad::Check(check),
        Bad::State(over),
        Bad::Deadlock,
        Bad::State(full),
    ];
    let outcome = safety(&program, &bads);
    assert_eq!(
        outcome.answers[..3],
        [Answer::Clear, Answer::Clear, Answer::Clear]
    );
    assert_eq!(violated(&program, &outcome.answers[3]).steps.len(), 2);
    assert_eq!(
        outcome.statistics.states, 9,
        "what was sent last, and how much waits"
    );
}

#[test]
fn a_rendezvous_hands_over_and_a_region_runs_to_its_end() {
    // A client asks, and a server answers after a loop and a call, all in one macro step.
    let mut program = Program::new("ping", "none");
    let ask = program.add_channel(Channel {
        name: "ask".into(),
        capacity: Some(0),
        fields: vec![Type::INT32],
        from_start: true,
        owner: None,
    });
    let channel = program.exprs.int(i128::from(ask.0) + 1, Type::Channel);
    let answer = program.add_global(Variable::new("answer", Type::INT32));
    let full = program.add_fault(Fault {
        name: "stack".into(),
        message: "full".into(),
    });
    program.stack_fault = Some(full);
    let mut client = Process::new("client");
    client.locals = vec![Variable::new("n", Type::INT32)];
    let (a, b) = (
        location(&mut client, Mode::Open),
        location(&mut client, Mode::Open),
    );
    client.locations[b.index()].end = true;
    let (zero, nine) = (number(&mut program, 0), number(&mut program, 9));
    let mut asks = step(a, b);
    asks.binds = vec![Choice {
        place: Place::own(0),
        set: ValueSet::Between(zero, nine),
        sample: None,
        what: "n".into(),
        outside: None,
    }];
    let own = program.exprs.load(Place::own(0), Type::INT32);
    asks.comm = Some(Comm::Send {
        channel,
        message: vec![own],
        sorted: false,
        lossy: false,
    });
    client.add_step(asks);
    start(&mut program, client, 1);
    // sum(k): if k == 0 { 0 } else { k + sum(k - 1) }, then counted down again in a loop.
    let mut server = Process::new("server");
    server.max_frames = 20;
    server.locals = vec![
        Variable::new("k", Type::INT32),
        Variable::new("s", Type::INT32),
    ];
    let c = location(&mut server, Mode::Open);
    server.locations[c.index()].end = true;
    let [called, back, enter, sum, more] = [(); 5].map(|()| location(&mut server, Mode::Region));
    let sum_id = server.add_procedure(Procedure {
        name: "sum".into(),
        locals: vec![
            Variable::new("k", Type::INT32),
            Variable::new("rest", Type::INT32),
        ],
        parameters: 1,
        entry: enter,
        span: Span::NONE,
    });
    let mut takes = step(c, called);
    takes.comm = Some(Comm::Receive {
        channel,
        patterns: vec![Pattern::Bind(Place::own(0))],
        anywhere: false,
        keep: false,
    });
    server.add_step(takes);
    let k = program.exprs.load(Place::own(0), Type::INT32);
    let mut calls = step(called, back);
    calls.target = Target::Call {
        callee: Callee::Known(sum_id),
        args: vec![k],
        result: Some(Place::own(1)),
        then: back,
    };
    server.add_step(calls);
    let frame_k = program.exprs.load(Place::frame(0), Type::INT32);
    let rest = program.exprs.load(Place::frame(1), Type::INT32);
    let none = program.exprs.int(0, Type::INT32);
    let one = program.exprs.int(1, Type::INT32);
    let is_zero = program.exprs.binary(Binary::Eq, frame_k, none);
    let mut ends = step(enter, enter);
    ends.guard = Some(is_zero);
    ends.target = Target::Return(Some(none));
    server.add_step(ends);
    let mut again = step(enter, sum);
    again.rank = 1;
    let less = program.exprs.binary(Binary::Sub, frame_k, one);
    again.target = Target::Call {
        callee: Callee::Known(sum_id),
        args: vec![less],
        result: Some(Place::frame(1)),
        then: sum,
    };
    server.add_step(again);
    let total = program.exprs.binary(Binary::Add, frame_k, rest);
    let mut returns = step(sum, sum);
    returns.target = Target::Return(Some(total));
    server.add_step(returns);
    // The loop: while s > 0 { s -= 1; answer += 1 }
    let s = program.exprs.load(Place::own(1), Type::INT32);
    let positive = program.exprs.binary(Binary::Lt, none, s);
    let mut down = step(back, back);
    down.guard = Some(positive);
    let less = program.exprs.binary(Binary::Sub, s, one);
    let now = program.exprs.load(Place::global(answer), Type::INT32);
    let more_of_it = program.exprs.binary(Binary::Add, now, one);
    down.body = vec![
        Stmt::Assign(Place::own(1), less),
        Stmt::Assign(Place::global(answer), more_of_it),
    ];
    server.add_step(down);
    let mut out = step(back, more);
    out.guard = Some(program.exprs.not(positive));
    server.add_step(out);
    let mut finish = step(more, c);
    finish.body = vec![Stmt::Assign(Place::own(0), none)];
    server.add_step(finish);
    start(&mut program, server, 1);
    let wanted = program.exprs.int(45, Type::INT32);
    let most = program.exprs.binary(Binary::Eq, now, wanted);
    let over = program.exprs.binary(Binary::Lt, wanted, now);
    let bads = [
        Bad::State(most),
        Bad::State(over),
        Bad::Deadlock,
        Bad::Divergence,
    ];
    let outcome = safety(&program, &bads);
    let trace = violated(&program, &outcome.answers[0]);
    assert_eq!(trace.steps.len(), 1);
    assert_eq!(trace.steps[0].moves[0].choices, [Value::Int(9)]);
    assert_eq!(
        outcome.answers[1..],
        [Answer::Clear, Answer::Clear, Answer::Clear]
    );
    assert_eq!(
        stable_states(&program, &Budget::default()).unwrap().len(),
        11
    );
    // Nine open calls are one too many for a stack of nine.
    program.processes[1].max_frames = 9;
    let outcome = safety(&program, &[Bad::Fault(vec![full])]);
    violated(&program, &outcome.answers[0]);
}
