//! `probity explain`: what a code means.

use source::find_code;

use crate::codes::codes;
use crate::languages::Languages;
use crate::system::System;

/// Prints the documentation of a code. Status 2 if there is no such code.
pub(crate) fn run(code: &str, languages: Languages, system: &dyn System) -> u8 {
    let tables = codes(languages);
    // The name of a check is as good as its code.
    let named = || {
        let all = tables.iter().flat_map(|table| table.iter());
        let mut all = all.filter(|doc| {
            doc.title
                .split_once(": ")
                .is_some_and(|(name, _)| names(name, code))
        });
        all.next()
    };
    if let Some(doc) = find_code(&tables, code.trim()).or_else(named) {
        system.out(&doc.markdown());
        return 0;
    }
    let all = tables.iter().flat_map(|table| table.iter());
    let prefix: String = code.chars().take_while(|c| c.is_alphabetic()).collect();
    let near: Vec<&str> = all
        .map(|doc| doc.code)
        .filter(|known| known.eq_ignore_ascii_case(code) || starts_with(known, &prefix))
        .collect();
    let hint = match (near.first(), near.last()) {
        (Some(first), Some(last)) if !prefix.is_empty() => {
            format!("; those that begin alike are from {first} to {last}")
        }
        _ => String::new(),
    };
    system.err(&format!("error: there is no code `{code}`{hint}\n"));
    2
}

/// Whether a name of a check means a property; capitals at its end stand for a name of the script.
fn names(check: &str, property: &str) -> bool {
    let prefix = check.trim_end_matches(|c: char| c.is_ascii_uppercase());
    if prefix.len() == check.len() || prefix.is_empty() {
        check == property
    } else {
        property.starts_with(prefix) && property.len() > prefix.len()
    }
}

fn starts_with(code: &str, prefix: &str) -> bool {
    code.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
