//! Instances that end and go away, and what goes with them.

use model::interp::{Interp, Violation};
use model::{
    Action, Binary, Channel, ChannelOwner, Comm, Composition, Fault, IdPolicy, Place, Process,
    Start, Stmt, Type,
};

use crate::build::{Build, Control, explore, rows};

fn stack_like() -> Build {
    let mut build = Build::new();
    build.program.composition = Composition::Interleaving {
        ids: IdPolicy::Stack,
    };
    let fault = build.program.add_fault(Fault {
        name: "channel".into(),
        message: "no such channel".into(),
    });
    build.program.channel_fault = Some(fault);
    build
}

fn buffer(from_start: bool, owner: Option<u32>) -> Channel {
    Channel {
        name: "buffer".into(),
        capacity: Some(1),
        fields: vec![Type::INT32],
        from_start,
        owner,
    }
}

#[test]
fn a_process_that_may_not_move_does_not_go_away() {
    let mut build = stack_like();
    let shut = build.global("shut", Type::Bool);
    let is_shut = build.read(shut);
    let mut gate = Process::new("gate");
    let a = gate.open("a");
    let yes = build.program.exprs.bool(true);
    gate.end(a, vec![Stmt::Assign(Place::global(shut), yes)]);
    build.run(gate);
    let mut guest = Process::new("guest");
    guest.provided = Some(build.program.exprs.not(is_shut));
    let a = guest.open("a");
    guest.end(a, vec![]);
    build.run(guest);

    let interp = Interp::new(&build.program);
    let states = explore(&interp);
    let counts: std::collections::BTreeSet<(bool, usize)> = states
        .iter()
        .map(|s| (s.globals[shut.index()].truth(), s.living().count()))
        .collect();
    // With the gate shut the guest is stuck, and so is the gatekeeper below it.
    assert_eq!(
        counts,
        [(false, 1), (false, 2), (true, 1), (true, 2), (true, 0)].into()
    );
    let stuck = states
        .iter()
        .filter(|s| interp.moves(s).is_empty() && s.living().count() == 2)
        .count();
    assert_eq!(stuck, 2, "before its step, and after it");
}

/// One process makes a channel with each child that it starts; the child goes, and its channel
/// with it; the next child's channel has the same reference.
#[test]
fn a_channel_goes_away_with_its_owner_and_its_reference_is_used_again() {
    let mut build = stack_like();
    let ch = build
        .program
        .add_global(model::Variable::new("ch", Type::Channel));
    let made = build.program.add_channel(buffer(false, None));
    let mut child = Process::new("child");
    let a = child.open("a");
    child.end(a, vec![]);
    let child = build.program.add_process(child);
    let mut parent = Process::new("parent");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| parent.open(name));
    let start = || {
        vec![
            Stmt::NewChannel {
                channel: made,
                owner: ChannelOwner::Next,
                result: Place::global(ch),
            },
            Stmt::Spawn {
                process: child,
                args: vec![],
                result: None,
                share_frame: false,
            },
        ]
    };
    parent.edge(a, b, start());
    let count = build
        .program
        .exprs
        .add(model::Expr::InstanceCount, Type::INT32);
    let one = build.int(1);
    let alone = build.program.exprs.binary(Binary::Eq, count, one);
    parent.guarded(b, c, alone, start());
    let reference = build.read(ch);
    let value = build.int(5);
    let send = parent.guarded(c, d, alone, vec![]);
    parent.with(send, |step| {
        step.comm = Some(Comm::Send {
            channel: reference,
            message: vec![value],
            sorted: false,
            lossy: false,
        });
    });
    build.run(parent);

    assert_eq!(build.reachable(&[ch]), rows(&[[0], [1]]));
    let interp = Interp::new(&build.program);
    let states = explore(&interp);
    for state in &states {
        let living = state.instance(1).is_some();
        assert_eq!(state.channels.len(), usize::from(living), "{state:?}");
    }
    // Nobody has the channel any more when the parent sends.
    let faults: Vec<_> = states
        .iter()
        .flat_map(|state| interp.expand(state).expect("small").violations)
        .map(|(violation, _)| violation)
        .collect();
    let dead = build.program.channel_fault.expect("declared");
    assert_eq!(faults, [Violation::Fault(dead)]);
}

#[test]
fn a_channel_from_the_start_may_belong_to_a_process() {
    let mut build = stack_like();
    let stays = build.program.add_channel(buffer(true, None));
    let goes = build.program.add_channel(buffer(true, Some(1)));
    let value = build.int(3);
    for channel in [stays, goes] {
        let mut sender = Process::new("sender");
        let a = sender.open("a");
        let step = sender.end(a, vec![]);
        let reference = i128::from(channel.0) + 1;
        let reference = build.program.exprs.int(reference, Type::Channel);
        sender.with(step, |step| {
            step.comm = Some(Comm::Send {
                channel: reference,
                message: vec![value],
                sorted: false,
                lossy: false,
            });
        });
        let process = build.program.add_process(sender);
        build.program.start.push(Start {
            process,
            args: vec![],
        });
    }
    let interp = Interp::new(&build.program);
    let states = explore(&interp);
    let last = states.iter().find(|s| s.living().count() == 0);
    let left = &last.expect("both can end").channels;
    assert_eq!(left.len(), 1, "the message of the one that stays is kept");
    let kept = left[0].as_ref().expect("it stays");
    assert_eq!((kept.channel, kept.messages.len()), (stays, 1));
    // The younger goes first, by a move of its own.
    let leaves = |s: &model::interp::State| {
        interp
            .moves(s)
            .iter()
            .flatten()
            .any(|part| part.action == Action::Leave && part.instance == 0)
    };
    assert!(states.iter().all(|s| !leaves(s) || s.instance(1).is_none()));
}
