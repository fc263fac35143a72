//! Listening, dialogs, messages to the linkset.

use crate::machine::Machine;
use crate::operators::is_uuid;
use crate::value::Value;
use crate::world::{Event, Listen};

/// The most listens that a script may have.
const MOST_LISTENS: usize = 65;

impl Machine<'_> {
    pub(crate) fn talk(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        Some(match name {
            "llListen" => self.listen(args),
            "llListenRemove" => {
                let handle = args[0].integer();
                self.world.listens.retain(|listen| listen.handle != handle);
                self.hush(handle);
                Value::Integer(0)
            }
            "llListenControl" => {
                let (handle, active) = (args[0].integer(), args[1].integer() != 0);
                for listen in &mut self.world.listens {
                    if listen.handle == handle {
                        listen.active = active;
                    }
                }
                if !active {
                    self.hush(handle);
                }
                Value::Integer(0)
            }
            "llDialog" => {
                let buttons = args[2].elements();
                let mut buttons: Vec<String> = buttons
                    .iter()
                    .map(|button| button.letters().to_string())
                    .collect();
                if buttons.is_empty() {
                    buttons.push("OK".to_owned());
                }
                self.world.dialogs.push((args[3].integer(), buttons));
                Value::Integer(0)
            }
            "llTextBox" => {
                self.world.dialogs.push((args[2].integer(), Vec::new()));
                Value::Integer(0)
            }
            "llMessageLinked" => {
                let link = args[0].integer();
                // LINK_SET means all prims, this one included; LINK_ALL_CHILDREN all but the root.
                let own = self.world.link;
                if self.is_own_link(link) || link == -1 || link == -3 && own > 1 {
                    let mut message = vec![Value::Integer(own)];
                    message.extend_from_slice(&args[1..4]);
                    self.raise(Event::new("link_message", message));
                }
                Value::Integer(0)
            }
            "llSay" | "llShout" | "llWhisper" | "llRegionSay" | "llOwnerSay"
            | "llInstantMessage" | "llRegionSayTo" => {
                let args: Vec<String> = args.iter().map(Value::to_string).collect();
                self.world.tell(format!("  {name}({})", args.join(", ")));
                Value::Integer(0)
            }
            _ => return None,
        })
    }

    fn listen(&mut self, args: &[Value]) -> Value {
        let channel = args[0].integer();
        let [name, mut key, message] =
            [1, 2, 3].map(|index: usize| args[index].letters().to_string());
        // What is nobody's key lets everybody through.
        if !is_uuid(&key) {
            key.clear();
        }
        let world = &mut self.world;
        let same = world.listens.iter_mut().find(|listen| {
            listen.channel == channel
                && listen.name == name
                && listen.key == key
                && listen.message == message
        });
        if let Some(same) = same {
            same.active = true;
            return Value::Integer(same.handle);
        }
        if world.listens.len() >= MOST_LISTENS {
            return Value::Integer(-1);
        }
        let handle = world.next_handle;
        world.next_handle += 1;
        world.listens.push(Listen {
            handle,
            channel,
            name,
            key,
            message,
            active: true,
        });
        Value::Integer(handle)
    }

    /// What a listen has heard and nobody has handled yet is forgotten with it.
    fn hush(&mut self, handle: i32) {
        self.world
            .queue
            .retain(|event| event.handle != Some(handle));
    }
}
