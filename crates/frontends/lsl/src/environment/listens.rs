//! Who speaks where the script listens, under which name, and what is said.
//!
//! A listen that asks for a name or a text hears just that. Of listens that one call has opened with
//! different arguments the last is known; while earlier ones may be open, anything may be heard.

use model::{Choice, ExprId, Place, ValueSet};

use super::arrival::Arrival;
use super::events::handling;
use super::sample;
use crate::lower::flow::Holder;
use crate::lower::{Build, Input, outside};

/// Makes a choice free under a condition, and a given value otherwise. If the condition is not
/// `certain`, the choice may be that value all the same.
fn narrow(choice: &mut Choice, free: ExprId, value: ExprId, certain: bool) {
    let mut all = choice.set.clone();
    if !certain {
        all = ValueSet::Union(vec![all, ValueSet::One(value)]);
    }
    choice.set = ValueSet::Ite(free, Box::new(all), Box::new(ValueSet::One(value)));
}

/// Somebody speaks where the script listens.
pub(super) fn listens(input: Input<'_>, build: &mut Build) {
    if handling(input, "listen").is_empty() {
        return;
    }
    let [channel, name, id, message] = build.world.arguments["listen"][..] else {
        unreachable!("listen has four parameters");
    };
    let listens: Vec<super::Listen> = build.world.listens.values().cloned().collect();
    let names = build.flow.class_of(Holder::Parameter("listen", 1));
    let keys = build.flow.class_of(Holder::Parameter("listen", 2));
    let texts = build.flow.class_of(Holder::Parameter("listen", 3));
    let plain =
        |build: &Build, class: Option<usize>| class.is_none_or(|class| build.flow.is_plain(class));
    for listen in listens {
        let open = build.read(listen.open);
        let on = build.read(listen.channel);
        let said = build.range(texts, "something else");
        let said = build.brought(Place::global(message), "what is said", said);
        let speaker = build.read(id);
        // Avatars have their names; objects have any.
        let mut called = vec![super::finish::name_of(build, speaker)];
        if names.is_some_and(|names| build.flow.get(names).asked) {
            called.extend(build.range(names, "the name of an object"));
        }
        let anybody = [
            Build::one_of(Place::global(channel), "channel", vec![on]),
            build.somebody(Place::global(id), "who speaks", keys),
            build.brought(Place::global(name), "the speaker's name", called),
            said,
        ];
        // Of the names and texts that a listen asks for, just these are heard.
        let mut binds = anybody.to_vec();
        let empty = build.text("");
        let nobody = build.text(outside::NULL_KEY);
        let whom = build.read(listen.id);
        let everybody = {
            let (a, b) = (
                build.may_equal(keys, whom, empty),
                build.may_equal(keys, whom, nobody),
            );
            build.or(a, b)
        };
        let this_one = build.may_equal(keys, whom, speaker);
        let heard = build.or(everybody, this_one);
        if let Some(by) = listen.name {
            let by = build.read(by);
            let anyone = build.may_equal(names, by, empty);
            let certain = plain(build, names);
            narrow(&mut binds[2], anyone, by, certain);
        }
        let what = build.read(listen.message);
        let everything = build.may_equal(texts, what, empty);
        narrow(&mut binds[3], everything, what, plain(build, texts));
        let mut hears = vec![open, heard];
        if let Some(muted) = listen.muted {
            let muted = build.read(muted);
            hears.push(build.not(muted));
        }
        let guard = build.all(hears);
        let guard = build.while_handled(input, "listen", guard);
        if let Some(others) = listen.others {
            let mut binds = anybody.to_vec();
            binds[0] = sample::choice_of_integers(
                build,
                input.survey,
                Place::global(channel),
                "channel of an earlier listen",
            );
            let others = build.read(others);
            let guard = build.while_handled(input, "listen", Some(others));
            build.arrive(
                input.member,
                Arrival {
                    event: "listen",
                    binds,
                    guard,
                    body: Vec::new(),
                },
            );
        }
        build.arrive(
            input.member,
            Arrival {
                event: "listen",
                binds,
                guard,
                body: Vec::new(),
            },
        );
    }
}
