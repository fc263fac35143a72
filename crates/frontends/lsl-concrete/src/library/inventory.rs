//! What is in the object: reading it, giving it away, rezzing it.

use crate::answers::EOF;
use crate::machine::Machine;
use crate::value::{NULL_KEY, Value};
use crate::world::{Event, Item, NOTECARD};

const CHANGED_INVENTORY: i32 = 0x1;

/// What a notecard says that the region has not read yet.
const NAK: &str = "\n\u{15}\n";

impl Machine<'_> {
    pub(crate) fn inventory_call(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let text = args.first().map(Value::letters).unwrap_or_default();
        let item = self.world.item(&text).cloned();
        Some(match name {
            "llGetInventoryNumber" => {
                let count = self.of_kind(args[0].integer()).count();
                Value::Integer(i32::try_from(count).unwrap_or(0))
            }
            "llGetInventoryName" => {
                let index = usize::try_from(args[1].integer()).ok();
                let found = index.and_then(|index| self.of_kind(args[0].integer()).nth(index));
                Value::text(found.map_or("", |item| &item.name))
            }
            "llGetInventoryType" => Value::Integer(self.world.item_kind(&text)),
            "llGetInventoryKey" => match item {
                Some(item) if item.copyable => Value::key(&item.key),
                _ => Value::key(NULL_KEY),
            },
            "llGetInventoryCreator" => {
                Value::key(item.as_ref().map_or(NULL_KEY, |item| &item.creator))
            }
            "llGiveInventory" => {
                self.world
                    .tell(format!("  llGiveInventory({}, {})", args[0], args[1]));
                self.take(&args[1].letters());
                Value::Integer(0)
            }
            "llGiveInventoryList" => {
                for item in args[2].elements().iter() {
                    self.take(&item.letters());
                }
                Value::Integer(0)
            }
            "llGiveAgentInventory" => {
                for item in args[2].elements().iter() {
                    self.take(&item.letters());
                }
                Value::Integer(self.world.small(2))
            }
            "llRemoveInventory" => {
                if text == self.world.script_name.as_str().into() {
                    // It is gone before its next statement; nothing of that is seen.
                    return Some(Value::Integer(0));
                }
                self.remove(&text);
                Value::Integer(0)
            }
            "llRezObject" | "llRezAtRoot" => {
                if item.is_some_and(|item| item.kind == 6) {
                    self.world.once_more("rez");
                    self.take(&text);
                }
                Value::Integer(0)
            }
            "llRezObjectWithParams" => {
                if item.is_none_or(|item| item.kind != 6) {
                    return Some(Value::key(NULL_KEY));
                }
                self.world.once_more("rez");
                self.take(&text);
                Value::key(&self.world.fresh_key())
            }
            "llGetNotecardLineSync" => match item {
                Some(item) if item.kind == NOTECARD && self.world.random.chance(3, 4) => {
                    let line = usize::try_from(args[1].integer()).ok();
                    let line = line.and_then(|line| item.lines.get(line));
                    Value::text(line.map_or(EOF, String::as_str))
                }
                _ => Value::text(NAK),
            },
            _ => return None,
        })
    }

    /// Items of a type, by name; of all types for -1.
    fn of_kind(&self, kind: i32) -> impl Iterator<Item = &Item> {
        let items = self.world.items.iter();
        items.filter(move |item| kind == -1 || item.kind == kind)
    }

    /// Gives an item away: what cannot be copied is gone.
    fn take(&mut self, name: &str) {
        if self.world.item(name).is_some_and(|item| !item.copyable) {
            self.remove(name);
        }
    }

    fn remove(&mut self, name: &str) {
        if self.world.item(name).is_none() {
            return;
        }
        self.world.items.retain(|item| item.name != name);
        let changed = vec![Value::Integer(CHANGED_INVENTORY)];
        self.raise(Event::new("changed", changed));
    }
}
