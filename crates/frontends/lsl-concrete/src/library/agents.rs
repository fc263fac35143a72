//! Avatars and other objects: names, presence, what an event has detected.

use crate::machine::Machine;
use crate::value::{NULL_KEY, Value};

impl Machine<'_> {
    pub(crate) fn agent(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        if let Some(what) = name.strip_prefix("llDetected") {
            return self.detected(what, &args[0]);
        }
        let key = args.first().map(Value::letters).unwrap_or_default();
        let world = &mut self.world;
        let person = world.people.iter().position(|person| *person.key == *key);
        let here = person.filter(|&index| world.people[index].here);
        Some(match name {
            "llKey2Name" => {
                if *key == *world.key {
                    return self.object("llGetObjectName", &[]);
                }
                Value::text(&world.name_of(&key).unwrap_or_default())
            }
            "llGetUsername" => match here {
                Some(index) => Value::text(&user_name(&world.people[index].name)),
                None => Value::text(""),
            },
            "llGetDisplayName" => match here {
                Some(_) if world.random.chance(1, 8) => Value::text("???"),
                Some(index) => Value::text(&world.people[index].name),
                None => Value::text(""),
            },
            "llName2Key" => {
                let wanted = world
                    .people
                    .iter()
                    .find(|person| person.here && person.name.eq_ignore_ascii_case(&key));
                Value::key(wanted.map_or(NULL_KEY, |person| &person.key))
            }
            "llGetOwnerKey" => match world.things.iter().any(|(thing, _)| **thing == *key) {
                true => {
                    let call = format!("the owner of {key}");
                    world.fact(call, |world| Value::key(&world.somebody().0))
                }
                false if *key == *world.key => Value::key(world.owner_key()),
                false => Value::key(&key),
            },
            "llGetAgentSize" => match here {
                Some(index) => {
                    let call = format!("the size of avatar {index}");
                    world.fact(call, |world| {
                        let height = 1.1 + crate::value::single(world.random.unit());
                        Value::Vector([0.45, 0.6, height])
                    })
                }
                None => Value::Vector([0.0; 3]),
            },
            "llGetAgentInfo" => match here {
                Some(_) => Value::Integer(world.small(0x4000)),
                None => Value::Integer(0),
            },
            "llGetAgentList" => {
                let keys = world.people.iter().filter(|person| person.here);
                Value::list(keys.map(|person| Value::key(&person.key)).collect())
            }
            "llGetRegionAgentCount" => {
                let count = world.people.iter().filter(|person| person.here).count();
                Value::Integer(i32::try_from(count).unwrap_or(0))
            }
            "llGetPermissions" => Value::Integer(world.granted),
            "llGetPermissionsKey" => Value::key(&world.granter),
            _ => return None,
        })
    }

    fn detected(&mut self, what: &str, number: &Value) -> Option<Value> {
        let index = usize::try_from(number.integer()).ok();
        let found = index.and_then(|index| self.detected.get(index)).cloned();
        let Some(found) = found else {
            return match what {
                // The wiki speaks of an empty key, which may be either.
                "Key" | "Owner" | "Rezzer" => {
                    let empty = self.world.small(2) == 0;
                    Some(Value::key(if empty { "" } else { NULL_KEY }))
                }
                "Name" => Some(Value::text("")),
                "Type" | "LinkNumber" | "Group" => Some(Value::Integer(0)),
                "Damage" => Some(Value::list(Vec::new())),
                // The rest is read like anything that nobody has said.
                _ => None,
            };
        };
        Some(match what {
            "Key" => Value::key(&found.key),
            "Name" => Value::text(&found.name),
            "Owner" => Value::key(&found.owner),
            "Type" => Value::Integer(found.kind),
            "LinkNumber" => {
                let call = format!("the link of {number}");
                let most = self.world.prims;
                let link = self.world.link.max(self.world.small(most + 1)).min(most);
                let value = self
                    .world
                    .of_event
                    .entry(call)
                    .or_insert(Value::Integer(link));
                value.clone()
            }
            _ => {
                let function = lsl::facts::function(&format!("llDetected{what}"))?;
                let call = format!("{what} of {number}");
                if let Some(value) = self.world.of_event.get(&call) {
                    return Some(value.clone());
                }
                let value = self.draw(function);
                self.world.of_event.insert(call, value.clone());
                value
            }
        })
    }
}

/// The name in small letters with a dot, without the surname of those who have none.
pub(super) fn user_name(name: &str) -> String {
    let name = name.strip_suffix(" Resident").unwrap_or(name);
    name.to_lowercase().replace(' ', ".")
}
