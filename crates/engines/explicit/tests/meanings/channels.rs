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
