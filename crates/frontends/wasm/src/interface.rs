//! What a module may call outside of itself, and the texts in its data.

use language::Interface;
use source::{Diagnostics, Loaded, SourceMap};

use crate::decode::decode;
use crate::link::{Function, Store};
use crate::load::refused;

/// Texts are not shorter.
const SHORTEST: usize = 2;

/// Of a file.
pub(crate) fn interface(name: &str, bytes: &[u8]) -> Loaded<Interface> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let unit = match decode(bytes) {
        Ok(unit) => unit,
        Err(refusal) => {
            sources.add(name, "");
            diagnostics.push(refused(&refusal));
            return Loaded::new(sources, diagnostics, None);
        }
    };
    let store = Store::of(&unit);
    let mut interface = Interface::default();
    for function in &store.functions {
        if let Function::Host(host) = function {
            interface.functions.push(host.names[0].clone());
        }
    }
    for (_, bytes) in store.memories.iter().flat_map(|memory| &memory.segments) {
        for part in bytes.split(|byte| *byte == 0) {
            let plain = part
                .iter()
                .all(|byte| byte.is_ascii_graphic() || *byte == b' ');
            if plain && part.len() >= SHORTEST && !part.contains(&b'"') {
                interface
                    .texts
                    .push(String::from_utf8_lossy(part).into_owned());
            }
        }
    }
    Loaded::new(sources, diagnostics, Some(interface))
}
