//! The module as a text, an instruction a line: what diagnostics and runs point to.

use std::collections::HashMap;
use std::fmt::Write as _;

use source::{FileId, SourceMap, Span};
use wasmparser::Operator;

use crate::link::{Function, Store};

/// Where instructions stand in the listing.
pub(crate) struct Listing {
    file: FileId,
    /// By offset in the binary: the bytes of the line in the listing.
    lines: HashMap<u64, (u32, u32)>,
}

/// Instructions beyond these are not listed, to keep the listing small.
const MAX_LINES: usize = 200_000;

impl Listing {
    /// Of all functions of all instances.
    pub(crate) fn of(store: &Store<'_>, name: &str, sources: &mut SourceMap) -> Listing {
        let mut text = String::new();
        let mut lines = HashMap::new();
        for (at, function) in store.functions.iter().enumerate() {
            let Function::Own { instance, body, .. } = function else {
                continue;
            };
            let module = store.instances[*instance].module;
            let Some(body) = module.bodies.get(*body) else {
                continue;
            };
            let mut line = |offset: u64, content: String| {
                if lines.len() < MAX_LINES {
                    let start = text.len() as u32;
                    let _ = write!(text, "{content}");
                    lines.insert(offset, (start, text.len() as u32));
                    text.push('\n');
                }
            };
            line(body.offset, format!("func {}", store.name(at)));
            let mut depth = 1usize;
            for instr in &body.code {
                source::limits::check();
                let (before, after) = nesting(&instr.operator, depth);
                depth = after;
                let shown = shown(&instr.operator, *instance, store);
                let indent = "  ".repeat(before.min(20));
                line(
                    instr.offset,
                    format!("{indent}{shown}  ;; 0x{:x}", instr.offset),
                );
            }
        }
        let file = sources.add(name, text.as_str());
        Listing { file, lines }
    }

    /// The line of what stands at an offset in the binary.
    pub(crate) fn span(&self, offset: u64) -> Span {
        match self.lines.get(&offset) {
            Some(&(start, end)) => Span::new(self.file, start, end),
            None => Span::NONE,
        }
    }
}

/// How deep an instruction stands, and what follows it.
fn nesting(operator: &Operator<'_>, depth: usize) -> (usize, usize) {
    match operator {
        Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => (depth, depth + 1),
        Operator::Else => (depth.saturating_sub(1), depth),
        Operator::End => (depth.saturating_sub(1), depth.saturating_sub(1)),
        _ => (depth, depth),
    }
}

/// An instruction, about as the text format has it.
fn shown(operator: &Operator<'_>, instance: usize, store: &Store<'_>) -> String {
    match operator {
        Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
            let function = store.instances[instance].functions[*function_index as usize];
            let call = match operator {
                Operator::Call { .. } => "call",
                _ => "return_call",
            };
            format!("{call} {}", store.name(function))
        }
        Operator::I32Const { value } => format!("i32.const {value}"),
        Operator::I64Const { value } => format!("i64.const {value}"),
        Operator::BrTable { targets } => {
            let depths: Vec<String> = targets
                .targets()
                .flatten()
                .chain([targets.default()])
                .map(|depth| depth.to_string())
                .collect();
            format!("br_table {}", depths.join(" "))
        }
        _ => mnemonic(&format!("{operator:?}")),
    }
}

/// `I32Load8U { memarg: MemArg { offset: 4, .. } }` as `i32.load8_u offset=4`.
fn mnemonic(debug: &str) -> String {
    let end = debug.find([' ', '{', '(']).unwrap_or(debug.len());
    let (name, rest) = debug.split_at(end);
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    for group in [
        "i32", "i64", "f32", "f64", "v128", "local", "global", "memory", "table", "ref", "data",
        "elem",
    ] {
        if let Some(of) = out.strip_prefix(group).and_then(|of| of.strip_prefix('_')) {
            out = format!("{group}.{of}");
            break;
        }
    }
    let number = |key: &str| {
        let from = rest.find(&format!("{key}: "))? + key.len() + 2;
        let digits = rest[from..].split(|c: char| !c.is_ascii_digit()).next()?;
        (!digits.is_empty()).then(|| digits.to_owned())
    };
    for key in [
        "local_index",
        "global_index",
        "relative_depth",
        "function_index",
    ] {
        if let Some(number) = number(key) {
            let _ = write!(out, " {number}");
        }
    }
    match number("offset") {
        Some(offset) if offset != "0" => {
            let _ = write!(out, " offset={offset}");
        }
        _ => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::mnemonic;

    #[test]
    fn instructions_are_written_as_in_the_text_format() {
        let load = "I32Load8U { memarg: MemArg { align: 0, max_align: 0, offset: 4, memory: 0 } }";
        assert_eq!(mnemonic(load), "i32.load8_u offset=4");
        assert_eq!(mnemonic("LocalGet { local_index: 3 }"), "local.get 3");
        assert_eq!(mnemonic("BrIf { relative_depth: 0 }"), "br_if 0");
        assert_eq!(mnemonic("I64Add"), "i64.add");
    }
}
