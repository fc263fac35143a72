//! Who moves: rendezvous, atomic sequences, ranks, timeouts, priorities, escapes, `provided`.

use model::interp::State;
use model::*;

use crate::build::*;

#[test]
fn a_rendezvous_hands_over_what_fits_and_control_with_it() {
    // The receiver is inside an atomic sequence: it goes on before the third gets a turn.
    for mode in [Mode::Open, Mode::Atomic] {
        let mut p = program(IdPolicy::Fresh);
        let (x, third) = (byte(&mut p, "x"), byte(&mut p, "third"));
        let meet = channel(&mut p, 0, 2, true);
        let meet = reference(&mut p, meet);
        let (mut sender, at) = process(&[Mode::Atomic, Mode::Atomic, Mode::Open]);
        for n in [1, 2] {
            let mut sends = step(at[0], at[1]);
            let (n, rest) = (number(&mut p, n), number(&mut p, 7));
            sends.comm = Some(send(meet, vec![n, rest]));
            sender.add_step(sends);
        }
        let mut after = step(at[1], at[2]);
        after.body = vec![add(&mut p, x, 10)];
        sender.add_step(after);
        start(&mut p, sender);
        let (mut receiver, at) = process(&[Mode::Open, mode, Mode::Open]);
        receiver.locals = vec![Variable::new("y", BYTE)];
        let mut takes = step(at[0], at[1]);
        let two = number(&mut p, 2);
        takes.comm = Some(receive(
            meet,
            vec![Pattern::Match(two), Pattern::Bind(Place::own(0))],
        ));
        receiver.add_step(takes);
        let mut tells = step(at[1], at[2]);
        let y = own(&mut p, 0);
        tells.body = vec![Stmt::Assign(Place::global(x), y)];
        receiver.add_step(tells);
        start(&mut p, receiver);
        let (mut someone, at) = process(&[Mode::Open, Mode::Open]);
        let mut looks = step(at[0], at[1]);
        let now = load(&mut p, x);
        looks.body = vec![Stmt::Assign(Place::global(third), now)];
        someone.add_step(looks);
        start(&mut p, someone);
        let found = agree(&p);
        assert!(found.ever(x, 7) && !found.ever(x, 1));
        assert!(found.ever(third, 17));
    }
}

#[test]
fn a_blocked_atomic_sequence_lets_others_go_on_and_a_blocked_region_does_not() {
    for mode in [Mode::Atomic, Mode::Region] {
        let mut p = program(IdPolicy::Fresh);
        let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
        let (mut holder, at) = process(&[Mode::Open, mode, Mode::Open]);
        holder.locals = vec![Variable::new("c", BYTE)];
        let mut enters = step(at[0], at[1]);
        enters.body = vec![put(&mut p, x, 1)];
        holder.add_step(enters);
        let mut waits = step(at[1], at[2]);
        // A choice, so that the engine cannot decide on its own code alone.
        let (one, two) = (number(&mut p, 1), number(&mut p, 2));
        waits.binds = vec![Choice {
            place: Place::own(0),
            set: ValueSet::Between(one, two),
            sample: None,
            what: "c".into(),
            outside: None,
        }];
        let (c, now) = (own(&mut p, 0), load(&mut p, y));
        waits.guard = Some(p.exprs.binary(Binary::Eq, c, now));
        waits.body = vec![put(&mut p, x, 2)];
        holder.add_step(waits);
        start(&mut p, holder);
        let (mut other, at) = process(&[Mode::Open, Mode::Open]);
        let mut helps = step(at[0], at[1]);
        helps.body = vec![put(&mut p, y, 2)];
        other.add_step(helps);
        start(&mut p, other);
        let found = agree(&p);
        assert!(found.ever(x, 2));
        assert_eq!(found.divergence.is_some(), mode == Mode::Region);
        let stopped = |s: &State| {
            s.globals[x.index()] == Value::Int(1) && s.globals[y.index()] == Value::Int(0)
        };
        assert_eq!(found.states.iter().any(stopped), mode == Mode::Atomic);
    }
}

#[test]
fn a_step_of_higher_rank_is_taken_only_when_the_others_cannot() {
    let mut p = program(IdPolicy::Fresh);
    let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
    let (mut chooser, at) = process(&[Mode::Open]);
    let now = load(&mut p, x);
    let mut first = step(at[0], at[0]);
    first.guard = Some(is(&mut p, now, 0));
    first.body = vec![put(&mut p, x, 1)];
    chooser.add_step(first);
    let mut otherwise = step(at[0], at[0]);
    otherwise.rank = 1;
    otherwise.body = vec![put(&mut p, y, 1)];
    chooser.add_step(otherwise);
    start(&mut p, chooser);
    let found = agree(&p);
    assert_eq!(found.states.len(), 3, "x first, then y");
}

#[test]
fn timeouts_classes_and_priorities_decide_who_moves() {
    for kind in 0..3 {
        let mut p = program(IdPolicy::Fresh);
        let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
        let (mut eager, at) = process(&[Mode::Open, Mode::Open]);
        let mut moves = step(at[0], at[1]);
        moves.body = vec![put(&mut p, x, 1)];
        let (mut lazy, _) = process(&[Mode::Open, Mode::Open]);
        let mut later = step(at[0], at[1]);
        let now = load(&mut p, x);
        later.body = vec![Stmt::Assign(Place::global(y), now)];
        match kind {
            0 => later.guard = Some(p.exprs.add(Expr::NothingEnabled, Type::Bool)),
            1 => moves.class = 2,
            _ => eager.priority = Some(number(&mut p, 5)),
        }
        eager.add_step(moves);
        lazy.add_step(later);
        start(&mut p, lazy);
        start(&mut p, eager);
        let found = agree(&p);
        assert_eq!(found.states.len(), 3, "kind {kind}: one after the other");
    }
}

#[test]
fn an_escape_takes_precedence_and_the_greater_precedence_wins() {
    let mut p = program(IdPolicy::Fresh);
    let x = byte(&mut p, "x");
    let (mut main, at) = process(&[Mode::Open, Mode::Open]);
    let mut normal = step(at[0], at[0]);
    normal.body = vec![put(&mut p, x, 1)];
    main.add_step(normal);
    for (n, precedence) in [(2, 1), (3, 2)] {
        let mut escape = step(at[0], at[1]);
        let now = load(&mut p, x);
        escape.guard = Some(is(&mut p, now, 1));
        escape.body = vec![put(&mut p, x, n)];
        let steps = vec![main.add_step(escape)];
        main.escapes.push(Escape {
            covers: vec![at[0]],
            steps,
            precedence,
        });
    }
    start(&mut p, main);
    let found = agree(&p);
    assert!(found.ever(x, 3) && !found.ever(x, 2));
    assert_eq!(found.states.len(), 3);
}

#[test]
fn provided_holds_back_steps_and_going_away() {
    let mut p = program(IdPolicy::Stack);
    let x = byte(&mut p, "x");
    let (mut main, at) = process(&[Mode::Open, Mode::Open]);
    let now = load(&mut p, x);
    main.provided = Some(is(&mut p, now, 0));
    let mut moves = step(at[0], at[1]);
    moves.body = vec![put(&mut p, x, 1)];
    moves.target = Target::End;
    main.add_step(moves);
    start(&mut p, main);
    let found = agree(&p);
    assert_eq!(found.states.len(), 2, "it has ended, and stays");
}
