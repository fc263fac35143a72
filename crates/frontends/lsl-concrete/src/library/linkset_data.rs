//! The data that all scripts of a linkset share.

use crate::machine::Machine;
use crate::value::Value;

const OK: i32 = 0;
const NO_KEY: i32 = 2;
const PROTECTED: i32 = 3;
const NOT_FOUND: i32 = 4;
const NO_UPDATE: i32 = 5;

/// What all data may take, in bytes.
const ROOM: usize = 131_072;

impl Machine<'_> {
    pub(crate) fn linkset(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let what = name.strip_prefix("llLinksetData")?;
        let text = |index: usize| args.get(index).map(Value::letters).unwrap_or_default();
        Some(match what {
            "Write" => Value::Integer(self.write(&text(0), &text(1), "")),
            "WriteProtected" => Value::Integer(self.write(&text(0), &text(1), &text(2))),
            "Read" => self.read_data(&text(0), ""),
            "ReadProtected" => self.read_data(&text(0), &text(1)),
            "Delete" => Value::Integer(self.delete(&text(0), "")),
            "DeleteProtected" => Value::Integer(self.delete(&text(0), &text(1))),
            "Reset" => {
                self.world.data.clear();
                self.linkset_data(0, "", "");
                Value::Integer(0)
            }
            "CountKeys" => integer(self.world.data.len()),
            "Available" => {
                let data = self.world.data.iter();
                let used: usize = data
                    .map(|(name, (value, pass))| {
                        name.len() + value.len() + if pass.is_empty() { 0 } else { 32 }
                    })
                    .sum();
                integer(ROOM.saturating_sub(used))
            }
            "CountFound" => {
                let pattern = text(0);
                let found = self.found(&pattern).len();
                integer(found)
            }
            "ListKeys" => {
                let keys: Vec<String> = self.world.data.keys().cloned().collect();
                page(&keys, args[0].integer(), args[1].integer())
            }
            "FindKeys" => {
                let found = self.found(&text(0));
                page(&found, args[1].integer(), args[2].integer())
            }
            "DeleteFound" => {
                let (pass, found) = (text(1), self.found(&text(0)));
                let mut counts = [0, 0];
                for name in found {
                    let own = &self.world.data[&name].1;
                    let open = own.is_empty() || **own == *pass;
                    counts[usize::from(!open)] += 1;
                    if open {
                        self.world.data.remove(&name);
                    }
                }
                if counts[0] > 0 {
                    self.linkset_data(3, "", "");
                }
                Value::list(counts.map(Value::Integer).to_vec())
            }
            _ => return None,
        })
    }

    fn write(&mut self, name: &str, value: &str, pass: &str) -> i32 {
        if name.is_empty() {
            return NO_KEY;
        }
        if value.is_empty() {
            return self.delete(name, pass);
        }
        if let Some((before, own)) = self.world.data.get(name) {
            if !own.is_empty() && own != pass {
                return PROTECTED;
            }
            if before == value {
                return NO_UPDATE;
            }
        }
        let entry = (value.to_owned(), pass.to_owned());
        self.world.data.insert(name.to_owned(), entry);
        let shown = if pass.is_empty() { value } else { "" };
        self.linkset_data(1, name, shown);
        OK
    }

    fn read_data(&self, name: &str, pass: &str) -> Value {
        let found = self.world.data.get(name);
        let open = found.filter(|(_, own)| own.is_empty() || own == pass);
        Value::text(open.map_or("", |(value, _)| value))
    }

    fn delete(&mut self, name: &str, pass: &str) -> i32 {
        match self.world.data.get(name) {
            None => NOT_FOUND,
            Some((_, own)) if !own.is_empty() && own != pass => PROTECTED,
            Some(_) => {
                self.world.data.remove(name);
                self.linkset_data(2, name, "");
                OK
            }
        }
    }

    /// The names that a regular expression finds. Letters and digits find themselves; what other
    /// expressions find is drawn.
    fn found(&self, pattern: &str) -> Vec<String> {
        let plain = pattern.chars().all(char::is_alphanumeric);
        let names: Vec<String> = self.world.data.keys().cloned().collect();
        // A pattern with signs is taken to match some names, the same ones each time.
        let bytes = |text: &str| text.bytes().map(u32::from).sum::<u32>();
        let finds = |name: &str| match plain {
            true => name.contains(pattern),
            false => (bytes(name) + bytes(pattern)) % 2 == 0,
        };
        names.into_iter().filter(|name| finds(name)).collect()
    }
}

fn integer(number: usize) -> Value {
    Value::Integer(i32::try_from(number).unwrap_or(i32::MAX))
}

/// So many names from one on; all for a negative or no number.
fn page(names: &[String], start: i32, count: i32) -> Value {
    let start = usize::try_from(start).unwrap_or(0);
    let count = usize::try_from(count).ok().filter(|&count| count > 0);
    let names = names.iter().skip(start).take(count.unwrap_or(usize::MAX));
    Value::list(names.map(|name| Value::text(name)).collect())
}
