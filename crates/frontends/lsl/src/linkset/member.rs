//! What each script of a linkset has to know of the others before it is lowered.

use std::collections::BTreeSet;

use source::Span;

use super::loads::{LOAD, Load};
use super::orders::{Act, Meant, Named, Order, Suffers, act};
use crate::facts::{self, Effect, Function, Role};
use crate::library;

/// The link number that means the root.
pub(super) const LINK_ROOT: i32 = 1;

/// The scripts of a linkset.
#[derive(Debug)]
pub(crate) struct Linkset {
    /// The scripts, in the order of the file.
    pub(crate) scripts: Vec<MemberScript>,
    /// The prims of all objects; the first of each object is its root.
    pub(crate) prims: Vec<PrimOf>,
    /// How many messages wait for a script at most, if the file says; else as many as there is room
    /// for in a queue.
    pub(crate) queue: Option<u32>,
    /// Whether nobody has said so: then nothing is said to hold.
    pub(crate) queue_is_chosen: bool,
    /// Where the file says so.
    pub(crate) queue_span: Span,
    /// Whether it can make a difference who owns the object, to any of them.
    pub(crate) owner_matters: bool,
    /// Calls that properties about several scripts look at.
    pub(crate) watched: BTreeSet<String>,
}

/// A prim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PrimOf {
    /// The number of its object.
    pub(crate) object: usize,
    /// Under which name it speaks, if the file says so and no script may change it.
    pub(crate) name: Option<String>,
    /// The name that the file gives it.
    pub(crate) label: Option<String>,
}

/// A script of a linkset.
#[derive(Debug)]
pub(crate) struct MemberScript {
    /// Its name, by which properties mean it.
    pub(crate) name: String,
    /// Its name in the inventory of its prim; `None` if it is no script.
    pub(crate) item: Option<String>,
    /// Which text it is: scripts with the same number are made from one file.
    pub(crate) text: usize,
    /// Whether it is there at first.
    pub(crate) is_there: bool,
    /// Whether the file lists it among those that may be loaded.
    pub(crate) may_be_loaded: bool,
    /// The number of its prim among those of all objects.
    pub(crate) prim: usize,
    /// The number of its object.
    pub(crate) object: usize,
    /// The events that some state handles.
    pub(crate) handled: BTreeSet<&'static str>,
    /// The facts about the world that it reads.
    pub(crate) reads: BTreeSet<&'static str>,
    /// The events that answer requests which it makes.
    pub(crate) requests: BTreeSet<&'static str>,
    /// Whether it may delete the object.
    pub(crate) dies: bool,
    /// Whether it says something on a channel.
    pub(crate) speaks: bool,
    /// Its calls that act upon scripts of its prim.
    pub(crate) orders: Vec<Order>,
    /// Its calls that load scripts into other prims.
    pub(crate) loads: Vec<Load>,
    /// The pins with which it lets others load scripts into its prim.
    pub(crate) pins: Vec<Option<i32>>,
    /// What such calls do to it.
    pub(crate) suffers: Suffers,
}

/// One script among those of a linkset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    /// All of them.
    pub(crate) linkset: &'a Linkset,
    /// Which it is.
    pub(crate) index: usize,
}

/// Calls by which an object says something that scripts hear, and whether only those near it do.
const SPEAKS: [(&str, bool); 5] = [
    ("llRegionSay", false),
    ("llRegionSayTo", false),
    ("llSay", true),
    ("llShout", true),
    ("llWhisper", true),
];

/// Calls that may change the name of a prim.
const RENAMES: [&str; 4] = [
    "llSetLinkPrimitiveParams",
    "llSetLinkPrimitiveParamsFast",
    "llSetObjectName",
    "llSetPrimitiveParams",
];

/// Events that are meant for one script alone: others hear nothing of them.
const OF_ONE_SCRIPT: [&str; 14] = [
    "at_rot_target",
    "at_target",
    "control",
    "http_request",
    "link_message",
    "no_sensor",
    "not_at_rot_target",
    "not_at_target",
    "path_update",
    "run_time_permissions",
    "sensor",
    "state_entry",
    "state_exit",
    "timer",
];

/// Events that only the scripts of one prim hear.
const OF_ONE_PRIM: [&str; 10] = [
    "collision",
    "collision_end",
    "collision_start",
    "dataserver",
    "email",
    "http_response",
    "money",
    "touch",
    "touch_end",
    "touch_start",
];

/// Events that may come at any time, whatever the script has done before.
const SPONTANEOUS: [&str; 13] = [
    "attach",
    "changed",
    "collision",
    "collision_end",
    "collision_start",
    "land_collision",
    "land_collision_end",
    "land_collision_start",
    "money",
    "on_rez",
    "touch",
    "touch_end",
    "touch_start",
];

/// Events with answers to requests: all scripts of a prim hear them.
const ANSWERS: [&str; 2] = ["dataserver", "http_response"];

impl<'a> Member<'a> {
    /// The script itself.
    pub(crate) fn script(self) -> &'a MemberScript {
        &self.linkset.scripts[self.index]
    }

    /// The other scripts.
    fn others(self) -> impl Iterator<Item = &'a MemberScript> {
        let all = self.linkset.scripts.iter().enumerate();
        all.filter(move |(index, _)| *index != self.index)
            .map(|(_, script)| script)
    }

    /// The link number of the script's prim: 0 if there is no other.
    pub(crate) fn link_number(self) -> i32 {
        self.linkset.link_number(self.script().prim)
    }

    /// The scripts that hear what this one says: those of other prims that listen. A prim does not hear
    /// itself.
    pub(crate) fn hearers(self) -> impl Iterator<Item = &'a MemberScript> {
        let prim = self.script().prim;
        self.others()
            .filter(move |other| other.prim != prim && other.handled.contains("listen"))
    }

    /// Whether it may hear what another one says.
    pub(crate) fn hears(self) -> bool {
        let own = self.script();
        own.handled.contains("listen")
            && self
                .others()
                .any(|other| other.prim != own.prim && other.speaks)
    }

    /// Whether other scripts may notice the call, or act while it lasts.
    pub(crate) fn is_seen(self, function: &Function) -> bool {
        if speaks(function.name).is_some() && self.hearers().next().is_some() {
            return true;
        }
        if function.name == "llMessageLinked"
            || function.name == "llSleep"
            || function.sleep_ms > 0
            || self.is_watched(function)
            || self.orders(function)
        {
            return true;
        }
        let changed = |effect: &Effect| match *effect {
            Effect::Sets(fact, _) | Effect::Writes(fact) | Effect::Changes(fact) => Some(fact),
            _ => None,
        };
        let effects = facts::role(function.name).map_or(&[][..], Role::effects);
        let mut changed = effects.iter().filter_map(changed);
        let object = self.script().object;
        changed.any(|fact| {
            self.others()
                .any(|script| script.object == object && script.reads.contains(fact))
        })
    }

    /// Whether properties about several scripts look at the call: its order among the steps of all scripts
    /// matters, so that others may act in front of it, too.
    pub(crate) fn is_watched(self, function: &Function) -> bool {
        self.linkset.watched.contains(function.name) && library::pure(function.name).is_none()
    }

    /// Whether the call may reset, stop, start or remove a script.
    pub(crate) fn orders(self, function: &Function) -> bool {
        let Some(act) = act(function.name) else {
            return false;
        };
        let mut orders = self.script().orders.iter();
        orders.any(|order| order.act == act && !self.meant(order).scripts.is_empty())
    }

    /// The scripts that a call acts upon.
    pub(crate) fn meant(self, order: &Order) -> Meant {
        self.linkset.meant(self.index, &order.named)
    }

    /// What others, or the script itself, may do to it in the middle of a handler.
    pub(crate) fn suffers(self) -> Suffers {
        self.script().suffers
    }

    /// Events that bring answers to requests of other scripts, too.
    pub(crate) fn foreign_answers(self) -> impl Iterator<Item = &'static str> {
        let own = self.script();
        ANSWERS.into_iter().filter(move |event| {
            let requests =
                |other: &MemberScript| other.prim == own.prim && other.requests.contains(event);
            own.handled.contains(event) && self.others().any(requests)
        })
    }

    /// Whether another script hears of what happens when this one hears of such an event.
    pub(crate) fn shares(self, event: &str) -> bool {
        if event == "linkset_data" {
            return true;
        }
        if OF_ONE_SCRIPT.contains(&event) {
            return false;
        }
        let own = self.script();
        let reaches = |other: &MemberScript| match event {
            // What is said is heard by all objects.
            "listen" => true,
            _ if OF_ONE_PRIM.contains(&event) => other.prim == own.prim,
            _ => other.object == own.object,
        };
        self.others()
            .any(|other| other.handled.contains(event) && reaches(other))
    }
}

impl Linkset {
    /// How many prims an object has.
    pub(crate) fn prims_of(&self, object: usize) -> usize {
        let prims = self.prims.iter();
        prims.filter(|prim| prim.object == object).count()
    }

    /// Whether a prim is the root of its object.
    pub(crate) fn is_root(&self, prim: usize) -> bool {
        let object = self.prims[prim].object;
        self.prims[..prim]
            .iter()
            .all(|other| other.object != object)
    }

    /// The link number of a prim: 0 if its object has no other.
    pub(crate) fn link_number(&self, prim: usize) -> i32 {
        let object = self.prims[prim].object;
        if self.prims_of(object) == 1 {
            return 0;
        }
        let before = self.prims[..prim].iter();
        let before = before.filter(|other| other.object == object).count();
        LINK_ROOT + i32::try_from(before).unwrap_or(i32::MAX - 1)
    }

    /// How many objects there are.
    pub(crate) fn objects(&self) -> usize {
        self.prims.last().map_or(1, |prim| prim.object + 1)
    }
}

impl Linkset {
    /// The scripts that a call of one of them may mean.
    pub(crate) fn meant(&self, caller: usize, named: &Named) -> Meant {
        let none = Meant {
            scripts: Vec::new(),
            certain: true,
        };
        let here = || {
            let scripts = self.scripts.iter().enumerate();
            let prim = self.scripts[caller].prim;
            scripts.filter(move |(_, script)| script.item.is_some() && script.prim == prim)
        };
        match named {
            Named::NoScript => none,
            Named::Own => Meant {
                scripts: vec![caller],
                certain: true,
            },
            Named::Any => Meant {
                scripts: here().map(|(index, _)| index).collect(),
                certain: false,
            },
            Named::Text(text) => {
                let is = |script: &&str| *script == text;
                let found: Vec<usize> = here()
                    .filter(|(_, script)| script.item.as_deref().as_ref().is_some_and(is))
                    .map(|(index, _)| index)
                    .collect();
                if found.len() == 1 {
                    return Meant {
                        scripts: found,
                        certain: true,
                    };
                }
                // Of several that are made from one file, all but one have other names.
                let copies = |item: &str| {
                    let same = here().filter(|(_, other)| other.item.as_deref() == Some(item));
                    same.count() > 1
                };
                let scripts = here()
                    .filter(|(_, script)| script.item.as_deref().is_some_and(copies))
                    .map(|(index, _)| index)
                    .collect::<Vec<_>>();
                Meant {
                    certain: scripts.is_empty(),
                    scripts,
                }
            }
        }
    }

    /// What is done to each script by calls of others, and by its own.
    pub(crate) fn find_orders(&mut self) {
        let mut suffers = vec![Suffers::default(); self.scripts.len()];
        for (caller, script) in self.scripts.iter().enumerate() {
            for order in &script.orders {
                for target in self.meant(caller, &order.named).scripts {
                    let suffers = &mut suffers[target];
                    match order.act {
                        Act::Reset => suffers.reset = true,
                        Act::Switch => suffers.stopped = true,
                        Act::Remove => suffers.removed = true,
                    }
                    suffers.own |= target == caller;
                }
            }
            for load in &script.loads {
                for way in self.loads(caller, load).ways {
                    let loaded = &mut suffers[way.script];
                    (loaded.reset, loaded.loaded) = (true, true);
                    loaded.stopped |= load.running != Some(true);
                    for other in way.replaced {
                        suffers[other].removed = true;
                    }
                }
            }
        }
        for (script, mut suffers) in self.scripts.iter_mut().zip(suffers) {
            suffers.removed |= !script.is_there;
            script.suffers = suffers;
        }
    }
}

/// Whether a call is one by which an object says something, and if so, whether only those near it hear
/// that.
pub(crate) fn speaks(function: &str) -> Option<bool> {
    let known = SPEAKS.iter().find(|(name, _)| *name == function);
    known.map(|(_, near)| *near)
}

/// Whether a call may change the name of a prim.
pub(crate) fn renames(function: &str) -> bool {
    RENAMES.contains(&function)
}

/// Whether an event may come at any time, whatever the script has done before.
pub(crate) fn is_spontaneous(event: &str) -> bool {
    SPONTANEOUS.contains(&event)
}

/// Whether a call may act upon other scripts.
pub(crate) fn acts_on_scripts(function: &str) -> bool {
    function == LOAD || act(function).is_some()
}

/// Whether what is read is what scripts alone decide, and those of the linkset are all there are: what
/// is chosen for it need not be what they have written.
pub(crate) fn is_decided_by_scripts(function: &str) -> bool {
    function.starts_with("llLinksetData")
        || matches!(function, "llDetectedLinkNumber" | "llGetLinkKey")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_events_and_functions() {
        let events = OF_ONE_PRIM.iter().chain(&OF_ONE_SCRIPT);
        for event in events.chain(&SPONTANEOUS).chain(&ANSWERS) {
            assert!(facts::event(event).is_some(), "{event}");
        }
        let speaks = SPEAKS.iter().map(|(name, _)| *name);
        for function in RENAMES.into_iter().chain(speaks) {
            assert!(facts::function(function).is_some(), "{function}");
        }
        for role in facts::roles() {
            let changes = role.effects().contains(&Effect::Changes("scripts"));
            assert!(!changes || acts_on_scripts(role.name), "{}", role.name);
        }
    }
}
