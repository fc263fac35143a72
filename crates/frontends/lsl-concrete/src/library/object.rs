//! The object itself: names, keys, parts, who sits on it, money that it pays.

use crate::machine::Machine;
use crate::value::{NULL_KEY, Value};
use crate::world::{Event, World};

const DEBIT: i32 = 0x2;
const CHANGED_LINK: i32 = 0x20;
const PRIM_NAME: i32 = 27;
const PRIM_DESC: i32 = 28;

/// The first so many characters.
fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn own_text(world: &mut World<'_>, call: &str) -> Value {
    world.fact(call.to_owned(), |world| {
        Value::text(&cut(&world.text(), 63))
    })
}

impl Machine<'_> {
    pub(crate) fn object(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let world = &mut self.world;
        Some(match name {
            "llGetKey" => Value::key(&world.key),
            "llGetOwner" => Value::key(world.owner_key()),
            "llGetCreator" => Value::key(&world.creator),
            "llGetScriptName" => Value::text(&world.script_name),
            "llGetStartParameter" => Value::Integer(world.start_parameter),
            "llGetStartString" => Value::text(&world.start_text),
            "llGetObjectName" | "llGetObjectDesc" => own_text(world, &format!("{name}()")),
            "llSetObjectName" => {
                self.set_text("llGetObjectName()", &args[0], 63);
                Value::Integer(0)
            }
            "llSetObjectDesc" => {
                self.set_text("llGetObjectDesc()", &args[0], 127);
                Value::Integer(0)
            }
            "llSetPrimitiveParams" => self.set_params(&args[0]),
            "llSetLinkPrimitiveParams" | "llSetLinkPrimitiveParamsFast" => {
                let link = args[0].integer();
                if self.is_own_link(link) {
                    self.set_params(&args[1])
                } else {
                    self.forget_others();
                    Value::Integer(0)
                }
            }
            "llGetLinkNumber" => Value::Integer(world.link),
            "llGetNumberOfPrims" => Value::Integer(world.prims + i32::from(world.sitter.is_some())),
            "llGetLinkKey" => {
                let link = args[0].integer();
                let (prims, sitter) = (world.prims, world.sitter);
                if self.is_own_link(link) {
                    return Some(Value::key(&self.world.key));
                }
                match sitter {
                    Some(index) if link == prims + 1 => Value::key(&self.world.people[index].key),
                    _ if (1..=prims).contains(&link) => {
                        let call = format!("the key of link {link}");
                        self.world
                            .fact(call, |world| Value::key(&world.fresh_key()))
                    }
                    _ => Value::key(NULL_KEY),
                }
            }
            "llGetLinkName" => {
                let link = args[0].integer();
                let (prims, sitter) = (world.prims, world.sitter);
                if self.is_own_link(link) {
                    return Some(own_text(&mut self.world, "llGetObjectName()"));
                }
                match sitter {
                    Some(index) if link == prims + 1 => Value::text(&self.world.people[index].name),
                    _ if (1..=prims).contains(&link) => {
                        own_text(&mut self.world, &format!("the name of link {link}"))
                    }
                    _ => Value::text(NULL_KEY),
                }
            }
            "llAvatarOnSitTarget" | "llAvatarOnLinkSitTarget" => {
                let sitter = world.sitter.map(|index| world.people[index].key.clone());
                Value::key(sitter.as_deref().unwrap_or(NULL_KEY))
            }
            "llUnSit" => {
                let sitter = world.sitter.map(|index| world.people[index].key.clone());
                if sitter.is_some_and(|key| *key == *args[0].letters()) {
                    world.sitter = None;
                    self.raise(Event::new("changed", vec![Value::Integer(CHANGED_LINK)]));
                }
                Value::Integer(0)
            }
            "llGiveMoney" => {
                self.give_money(&args[0].letters(), args[1].integer());
                Value::Integer(0)
            }
            "llFrand" => {
                let most = args[0].number();
                let number = Value::Float(world.random.unit() * most);
                let number = number.stored(lsl::Type::Float);
                // Rounding must not reach the argument itself.
                let below = most == 0.0 || number.number().abs() < most.abs();
                if below { number } else { Value::Float(0.0) }
            }
            "llGenerateKey" => Value::key(&world.fresh_key()),
            "llListRandomize" => {
                let list = args[0].elements();
                let stride = usize::try_from(args[1].integer()).unwrap_or(1).max(1);
                if !list.len().is_multiple_of(stride) {
                    return Some(args[0].clone());
                }
                let mut parts: Vec<&[Value]> = list.chunks(stride).collect();
                for last in (1..parts.len()).rev() {
                    parts.swap(last, world.random.below(last + 1));
                }
                Value::list(parts.concat())
            }
            _ => return None,
        })
    }

    /// Whether a link number means the prim of the script.
    pub(crate) fn is_own_link(&self, link: i32) -> bool {
        let own = self.world.link;
        link == -4 || link == own || link == 0 && own <= 1 || link == 1 && own == 0
    }

    fn set_text(&mut self, call: &str, text: &Value, most: usize) {
        let text = cut(&text.letters(), most);
        self.world.facts.insert(call.to_owned(), Value::text(&text));
    }

    /// Names and descriptions are kept; whatever else the rules set is read as anything later.
    fn set_params(&mut self, rules: &Value) -> Value {
        self.forget_others();
        let rules = rules.elements();
        let mut rest = &*rules;
        while let [Value::Integer(rule), text, behind @ ..] = rest {
            match *rule {
                PRIM_NAME => self.set_text("llGetObjectName()", text, 63),
                PRIM_DESC => self.set_text("llGetObjectDesc()", text, 127),
                _ => break,
            }
            rest = behind;
        }
        if !rest.is_empty() {
            // What stands behind other rules is not looked for.
            self.world.facts.clear();
        }
        Value::Integer(0)
    }

    /// What getters say of looks and movement is drawn anew.
    fn forget_others(&mut self) {
        let own = ["llGetObjectName()", "llGetObjectDesc()"];
        self.world
            .facts
            .retain(|call, _| own.contains(&call.as_str()));
    }

    /// Pays, if the owner has allowed it and has the money. The script never learns of it.
    fn give_money(&mut self, to: &str, amount: i32) {
        let world = &mut self.world;
        let owner = world.owner;
        let told = format!("  llGiveMoney({to:?}, {amount})");
        world.tell(told);
        let amount = i64::from(amount);
        let payable =
            world.granted & DEBIT != 0 && amount > 0 && world.people[owner].balance >= amount;
        if !payable {
            return;
        }
        if let Some(person) = world.people.iter().position(|person| person.key == to) {
            world.people[owner].balance -= amount;
            world.people[person].balance += amount;
        }
    }
}
