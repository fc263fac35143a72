//! Parts of a report as a terminal may be shown them.
//!
//! Names, values and lines come from scripts, and nobody knows what is in them. All texts of a part
//! are changed at once, whichever there are, by way of its JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The same part without anything in its texts that a terminal would obey.
///
/// # Panics
/// If the part does not survive its JSON, which a test keeps from happening.
#[must_use]
pub fn shown<T: Serialize + DeserializeOwned>(part: &T) -> T {
    let mut value = serde_json::to_value(part).expect("a part of a report can be said in JSON");
    clean(&mut value);
    serde_json::from_value(value).expect("a part of a report comes back from its JSON")
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(clean) = source::shown(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::shown;
    use crate::values::First;

    #[test]
    fn no_text_of_a_part_reaches_a_terminal_as_it_is() {
        let first = First {
            variable: "\u{1b}[2Ja".into(),
            value: "\u{202e}b\n".into(),
            detail: true,
        };
        let clean = shown(&first);
        assert_eq!(clean.variable, "\u{241b}[2Ja");
        assert_eq!(clean.value, "\u{fffd}b\n");
        assert!(clean.detail);
    }
}
