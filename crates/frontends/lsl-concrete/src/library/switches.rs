//! Calls after which events come, or come no more.

use crate::claims::Cut;
use crate::machine::Machine;
use crate::value::Value;
use crate::world::{Event, Lasting};

const DEBIT: i32 = 0x2;
const TAKE_CONTROLS: i32 = 0x4;

impl Machine<'_> {
    pub(crate) fn switch(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let world = &mut self.world;
        match name {
            "llSetTimerEvent" => {
                let interval = args[0].number();
                world.timer = (interval > 0.0).then_some((interval, world.clock + interval));
                world.queue.retain(|event| event.name != "timer");
                world.tell(format!("  llSetTimerEvent({})", args[0]));
            }
            "llRequestPermissions" => {
                let who = args[0].letters();
                let mut mask = args[1].integer();
                if world.people.iter().any(|person| *person.key == *who) {
                    // Only the owner's money can be asked for.
                    if *who != *world.owner_key() {
                        mask &= !DEBIT;
                    }
                    if !world.habits.all_answers {
                        world.asked.retain(|(before, _)| before & DEBIT == 0);
                    }
                    world.asked.push((mask, who.to_string()));
                    let answered = |event: &Event| event.name == "run_time_permissions";
                    if world.queue.iter().any(answered) {
                        self.cut(Cut::AskedAgain);
                    }
                    // Who sits on the object, or wears it, is not even asked.
                    if mask & DEBIT == 0 && self.world.random.chance(1, 6) {
                        self.permissions();
                    }
                }
            }
            "llSensor" => {
                world.once_more("sensor");
            }
            "llSensorRepeat" => {
                world.on.insert("sensor", Lasting::Repeated);
            }
            "llSensorRemove" => {
                world.on.remove("sensor");
                world.queue.retain(|event| !event.name.ends_with("sensor"));
            }
            "llTakeControls" => {
                if world.granted & TAKE_CONTROLS != 0 {
                    world.on.insert("control", Lasting::Repeated);
                }
            }
            "llReleaseControls" => {
                world.on.remove("control");
                world.granted &= !TAKE_CONTROLS;
                world.queue.retain(|event| event.name != "control");
            }
            "llTarget" | "llRotTarget" => {
                let switch = if name == "llTarget" {
                    "target"
                } else {
                    "rot_target"
                };
                world.on.insert(switch, Lasting::Repeated);
                let handle = world.next_handle;
                world.next_handle += 1;
                world.targets.push(handle);
                return Some(Value::Integer(handle));
            }
            "llTargetRemove" | "llRotTargetRemove" => {
                let handle = args[0].integer();
                world.targets.retain(|&own| own != handle);
                if world.targets.is_empty() {
                    world.on.remove("target");
                    world.on.remove("rot_target");
                    world.queue.retain(|event| !event.name.ends_with("target"));
                }
            }
            "llCreateCharacter" | "llNavigateTo" | "llPursue" | "llWanderWithin" | "llEvade"
            | "llFleeFrom" | "llPatrolPoints" => {
                world.on.insert("character", Lasting::Repeated);
            }
            "llDeleteCharacter" => {
                world.on.remove("character");
                world.queue.retain(|event| event.name != "path_update");
            }
            "llRequestExperiencePermissions" => {
                world.once_more("experience");
            }
            _ => return None,
        }
        Some(Value::Integer(0))
    }
}
