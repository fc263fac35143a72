//! Whether anything in a value is decided by the world.

use std::collections::HashSet;

use model::{Rich, RichTable, Value};

use super::unknowns::{SOMETHING, STRANGER, UNKNOWN};

/// Whether no part of the value is decided by the world. Identities are known: they are who they are.
///
/// A value without unknowns may still leave an integer open (the first character of a UUID);
/// [`PureEntry::determined`](super::PureEntry::determined) answers that exactly.
#[must_use]
pub fn known(table: &RichTable, value: &Value) -> bool {
    // Terms share parts and may be nested as deeply as the script runs long: no recursion, and
    // every part once.
    let mut seen = HashSet::new();
    let mut pending = vec![value.clone()];
    while let Some(value) = pending.pop() {
        match value {
            Value::Rich(id) if seen.insert(id) => {
                if let Rich::Term { functor, args } = &*table.get(id) {
                    if matches!(&**functor, UNKNOWN | STRANGER | SOMETHING) {
                        return false;
                    }
                    pending.extend(args.iter().cloned());
                }
            }
            Value::Tuple(parts) => pending.extend(parts),
            _ => {}
        }
    }
    true
}
