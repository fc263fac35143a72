//! The order of messages, and which of them a receive takes.

use model::*;

use crate::build::*;

/// Messages 1, 3, 2 are sent; then one is received.
fn messages(
    sorted: bool,
    lossy: bool,
    capacity: u32,
    comm: impl Fn(&mut Program, ExprId) -> Comm,
) -> (Program, GlobalId) {
    let mut p = program(IdPolicy::Fresh);
    let got = byte(&mut p, "got");
    let queue = channel(&mut p, capacity, 2, true);
    let queue = reference(&mut p, queue);
    let (mut main, at) = process(&[Mode::Open; 5]);
    for (place, n) in [1, 3, 2].into_iter().enumerate() {
        let mut sends = step(at[place], at[place + 1]);
        let (n, rest) = (number(&mut p, n), number(&mut p, 10 + place as i128));
        sends.comm = Some(Comm::Send {
            channel: queue,
            message: vec![n, rest],
            sorted,
            lossy,
        });
        main.add_step(sends);
    }
    let mut takes = step(at[3], at[4]);
    takes.comm = Some(comm(&mut p, queue));
    main.add_step(takes);
    let mut clears = step(at[4], at[3]);
    clears.body = vec![put(&mut p, got, 0)];
    main.add_step(clears);
    start(&mut p, main);
    (p, got)
}

#[test]
fn channels_keep_their_order_and_receives_look_where_they_may() {
    let bind = |got: GlobalId| Pattern::Bind(Place::global(got));
    let got = GlobalId(0);
    // In order; sorted; the first only; any; kept; matched by value; lost when full.
    let (p, _) = messages(false, false, 3, |_, q| {
        receive(q, vec![Pattern::Any, bind(got)])
    });
    let found = agree(&p);
    assert!(found.ever(got, 10) && found.ever(got, 11) && found.ever(got, 12));
    let (p, _) = messages(true, false, 3, |_, q| {
        receive(q, vec![bind(got), Pattern::Any])
    });
    assert!(agree(&p).ever(got, 3));
    for anywhere in [false, true] {
        for keep in [false, true] {
            let (p, _) = messages(false, false, 3, |p, q| Comm::Receive {
                channel: q,
                patterns: vec![Pattern::Match(number(p, 3)), bind(got)],
                anywhere,
                keep,
            });
            let found = agree(&p);
            assert_eq!(found.ever(got, 11), anywhere, "3 stands in the middle");
        }
    }
    for lossy in [false, true] {
        let (p, _) = messages(false, lossy, 1, |_, q| {
            receive(q, vec![bind(got), Pattern::Any])
        });
        let found = agree(&p);
        assert_eq!(found.ever(got, 1), lossy);
        assert!(found.deadlock.is_some());
    }
}

#[test]
fn a_message_is_cut_when_it_is_sent() {
    // Sent and received within one macro step: nothing is packed in between.
    for capacity in [0, 1] {
        let mut p = program(IdPolicy::Fresh);
        let got = p.add_global(Variable::new("got", Type::INT32));
        let queue = channel(&mut p, capacity, 1, true);
        let queue = reference(&mut p, queue);
        let large = p.exprs.int(300, Type::INT32);
        let sends = Some(send(queue, vec![large]));
        let takes = Some(receive(queue, vec![Pattern::Bind(Place::global(got))]));
        let (mut main, at) = process(&[Mode::Open, Mode::Atomic, Mode::Open]);
        let mut first = step(at[0], at[1]);
        first.comm = sends;
        main.add_step(first);
        let (mut other, there) = process(&[Mode::Open, Mode::Open]);
        let taker = if capacity == 0 {
            (&mut other, there[0], there[1])
        } else {
            (&mut main, at[1], at[2])
        };
        let mut second = step(taker.1, taker.2);
        second.comm = takes;
        taker.0.add_step(second);
        start(&mut p, main);
        start(&mut p, other);
        let found = agree(&p);
        assert!(found.ever(got, 44) && !found.ever(got, 300), "{capacity}");
    }
}
