//! Instances that come and go, and channels that go with them.

use model::interp::State;
use model::*;

use crate::build::*;

/// A parent starts two children, each of which starts one more, and counts who is there.
fn family(ids: IdPolicy) -> (Program, GlobalId, GlobalId) {
    let mut p = program(ids);
    let (count, sum) = (byte(&mut p, "count"), byte(&mut p, "sum"));
    let instances = p.exprs.add(Expr::InstanceCount, BYTE);
    let me = p.exprs.add(Expr::Me, Type::Instance);
    let me = p.exprs.add(Expr::Convert(me), BYTE);
    let (mut grandchild, at) = process(&[Mode::Open, Mode::Open]);
    grandchild.locals = vec![
        Variable::new("given", BYTE),
        Variable {
            init: Some(ValueSet::One(own(&mut p, 0))),
            ..Variable::new("kept", BYTE)
        },
    ];
    grandchild.parameters = 1;
    let mut tells = step(at[0], at[1]);
    let (kept, so_far) = (own(&mut p, 1), load(&mut p, sum));
    let more = p.exprs.binary(Binary::Add, so_far, kept);
    let two = number(&mut p, 2);
    let more = p.exprs.binary(Binary::Rem, more, two);
    tells.body = vec![
        Stmt::Assign(Place::global(sum), more),
        Stmt::Assign(Place::global(count), instances),
        Stmt::Assign(Place::own(1), me),
    ];
    grandchild.add_step(tells);
    grandchild.add_step(last(at[1]));
    let grandchild = p.add_process(grandchild);
    let (mut child, at) = process(&[Mode::Open, Mode::Open]);
    child.locals = vec![Variable::new("n", BYTE), Variable::new("whom", BYTE)];
    child.parameters = 1;
    let mut starts = step(at[0], at[1]);
    let n = own(&mut p, 0);
    starts.body = vec![spawn(grandchild, vec![n], Some(Place::own(1)))];
    child.add_step(starts);
    child.add_step(last(at[1]));
    let child = p.add_process(child);
    let (mut parent, at) = process(&[Mode::Open, Mode::Open, Mode::Open]);
    let nothing = number(&mut p, 3);
    for n in 0..2 {
        let mut starts = step(at[n], at[n + 1]);
        let arg = number(&mut p, 1 + n as i128);
        starts.body = vec![spawn(child, vec![arg], None)];
        if n == 1 {
            let alone = p.exprs.binary(Binary::Lt, instances, nothing);
            starts.guard = Some(alone);
        }
        parent.add_step(starts);
    }
    parent.locations[2].end = true;
    start(&mut p, parent);
    (p, count, sum)
}

#[test]
fn numbers_are_used_again_when_the_youngest_has_gone() {
    let (p, count, sum) = family(IdPolicy::Stack);
    let found = agree(&p);
    assert!(found.ever(count, 4) && found.ever(sum, 1));
    let ended = |state: &State| {
        let mut instances = state.instances.iter().flatten();
        instances.any(|instance| instance.location.is_none() && !instance.halted)
    };
    assert!(
        found.states.iter().any(ended),
        "ending and leaving are two steps"
    );
    assert_eq!(found.deadlock, None);
}

#[test]
fn the_least_free_number_goes_to_a_newcomer() {
    let (p, count, sum) = family(IdPolicy::Fresh);
    let found = agree(&p);
    assert!(found.ever(count, 3) && found.ever(sum, 1));
    let gap = |state: &State| state.instances.iter().any(Option::is_none);
    assert!(found.states.iter().any(gap), "somebody goes below others");
}

#[test]
fn many_instances_get_room() {
    // Each starts the next, and all stay: more than there is room for at first.
    let mut p = program(IdPolicy::Stack);
    let (mut link, at) = process(&[Mode::Open, Mode::Open]);
    link.locals = vec![Variable::new("n", BYTE)];
    link.parameters = 1;
    let mut on = step(at[0], at[1]);
    let (n, one, most) = (own(&mut p, 0), number(&mut p, 1), number(&mut p, 40));
    on.guard = Some(p.exprs.binary(Binary::Lt, n, most));
    let more = p.exprs.binary(Binary::Add, n, one);
    on.body = vec![spawn(ProcessId(0), vec![more], None)];
    link.add_step(on);
    let id = p.add_process(link);
    let zero = number(&mut p, 0);
    p.start.push(Start {
        process: id,
        args: vec![zero],
    });
    let found = agree(&p);
    assert_eq!(found.states.len(), 41);
    assert_eq!(found.deadlock, Some(40));
}

#[test]
fn a_remote_reference_reads_who_is_there_and_zero_of_others() {
    let mut p = program(IdPolicy::Stack);
    let seen = byte(&mut p, "seen");
    let (mut one, at) = process(&[Mode::Open, Mode::Open]);
    one.locals = vec![Variable::new("n", BYTE), Variable::new("x", BYTE)];
    one.parameters = 1;
    let mut sets = step(at[0], at[1]);
    let n = own(&mut p, 0);
    sets.body = vec![Stmt::Assign(Place::own(1), n)];
    one.add_step(sets);
    one.add_step(last(at[1]));
    let mut other = one.clone();
    other.name = "other".into();
    let (one, other) = (p.add_process(one), p.add_process(other));
    let (mut reader, at) = process(&[Mode::Open, Mode::Open]);
    for (process, n) in [(one, 5), (one, 6), (other, 7)] {
        let mut starts = step(at[0], at[1]);
        let n = number(&mut p, n);
        starts.body = vec![spawn(process, vec![n], None)];
        reader.add_step(starts);
    }
    for local in 0..2 {
        let mut reads = step(at[1], at[1]);
        let instance = p.exprs.int(1, Type::Instance);
        let place = Root::Remote {
            instance,
            process: one,
            local,
        };
        let value = p.exprs.load(place.into(), BYTE);
        reads.body = vec![Stmt::Assign(Place::global(seen), value)];
        reader.add_step(reads);
    }
    start(&mut p, reader);
    let found = agree(&p);
    assert!(found.ever(seen, 5) && found.ever(seen, 6) && !found.ever(seen, 7));
}

/// A child waits for a message on a channel of its own; somebody sends again when it has gone.
fn owner(capacity: u32) -> (Program, GlobalId) {
    let mut p = program(IdPolicy::Stack);
    let got = byte(&mut p, "got");
    let mine = p.add_global(Variable::new("mine", Type::Channel));
    let own_channel = channel(&mut p, capacity, 1, false);
    let (mut child, at) = process(&[Mode::Open, Mode::Open]);
    child.locals = vec![Variable::new("c", Type::Channel), Variable::new("x", BYTE)];
    child.parameters = 1;
    let c = p.exprs.load(Place::own(0), Type::Channel);
    let mut takes = step(at[0], at[1]);
    takes.comm = Some(receive(c, vec![Pattern::Bind(Place::own(1))]));
    let x = own(&mut p, 1);
    takes.body = vec![Stmt::Assign(Place::global(got), x)];
    child.add_step(takes);
    child.add_step(last(at[1]));
    let child = p.add_process(child);
    let (mut parent, at) = process(&[Mode::Open; 5]);
    let shared = p.exprs.load(Place::global(mine), Type::Channel);
    for round in 0..2 {
        let mut makes = step(at[2 * round], at[2 * round + 1]);
        makes.body = vec![
            Stmt::NewChannel {
                channel: own_channel,
                owner: ChannelOwner::Next,
                result: Place::global(mine),
            },
            spawn(child, vec![shared], None),
        ];
        parent.add_step(makes);
        let mut sends = step(at[2 * round + 1], at[2 * round + 2]);
        let n = number(&mut p, 300 + round as i128);
        sends.comm = Some(send(shared, vec![n]));
        parent.add_step(sends);
    }
    let mut again = step(at[4], at[4]);
    let n = number(&mut p, 9);
    again.comm = Some(send(shared, vec![n]));
    parent.add_step(again);
    start(&mut p, parent);
    (p, got)
}

#[test]
fn a_channel_goes_away_with_its_owner() {
    for capacity in [0, 1, 2] {
        let (p, got) = owner(capacity);
        let found = agree(&p);
        assert!(
            found.ever(got, 44) && found.ever(got, 45),
            "messages fit their fields"
        );
        assert!(found.faults[1].is_some(), "the channel is gone");
        let twice = |state: &State| state.channels.iter().flatten().count() == 2;
        assert!(found.states.iter().any(twice));
    }
}
