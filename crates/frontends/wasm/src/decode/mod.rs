//! From bytes to modules and components: `wasmparser` decodes and validates, and this keeps what the
//! lowering needs.

mod body;
mod component;
mod constant;
mod module;
mod refusal;

use wasmparser::{Encoding, Parser, Payload, ValidPayload, Validator, WasmFeatures};

pub(crate) use body::{Body, Instr};
pub(crate) use component::{Component, Item, Parameter, Parameters};
pub(crate) use constant::{Constant, Value};
pub(crate) use module::{ImportKind, Module};
pub(crate) use refusal::Refusal;

/// Instructions beyond this number are refused.
const MAX_INSTRUCTIONS: usize = 2_000_000;
/// How deep components may nest.
const MAX_NESTING: usize = 32;

/// What a file is.
pub(crate) enum Unit<'a> {
    /// A core module.
    Module(Box<Module<'a>>),
    /// A component.
    Component(Box<Component<'a>>),
}

/// The proposals that are read. What is read and not followed is a matter of the lowering.
fn features() -> WasmFeatures {
    let refused = WasmFeatures::MEMORY64
        | WasmFeatures::GC
        | WasmFeatures::FUNCTION_REFERENCES
        | WasmFeatures::STACK_SWITCHING
        | WasmFeatures::SHARED_EVERYTHING_THREADS
        | WasmFeatures::LEGACY_EXCEPTIONS
        | WasmFeatures::CUSTOM_PAGE_SIZES
        | WasmFeatures::CM_VALUES;
    WasmFeatures::default() - refused
}

/// Reads a file.
pub(crate) fn decode(bytes: &[u8]) -> Result<Unit<'_>, Refusal> {
    let mut validator = Validator::new_with_features(features());
    let mut open: Vec<Unit<'_>> = Vec::new();
    let mut instructions = 0;
    let mut allocations = wasmparser::FuncValidatorAllocations::default();
    for payload in Parser::new(0).parse_all(bytes) {
        source::limits::check();
        let payload = payload?;
        if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
            let mut checked = function.into_validator(allocations);
            let body = body::read(&body, &mut checked)?;
            allocations = checked.into_allocations();
            instructions += body.code.len();
            if instructions > MAX_INSTRUCTIONS {
                let what = format!("it has more than {MAX_INSTRUCTIONS} instructions");
                return Err(Refusal::TooLarge(what));
            }
            if let Some(Unit::Module(module)) = open.last_mut() {
                module.bodies.push(body);
            }
            continue;
        }
        match payload {
            Payload::Version { encoding, .. } => {
                if open.len() > MAX_NESTING {
                    let what = format!("components nest deeper than {MAX_NESTING} levels");
                    return Err(Refusal::TooLarge(what));
                }
                open.push(match encoding {
                    Encoding::Module => Unit::Module(Box::default()),
                    Encoding::Component => Unit::Component(Box::default()),
                });
            }
            Payload::End(_) => {
                let done = open.pop().ok_or_else(truncated)?;
                match open.last_mut() {
                    None => return Ok(done),
                    Some(Unit::Component(outer)) => outer.items.push(match done {
                        Unit::Module(module) => Item::Module(module),
                        Unit::Component(inner) => Item::Component(inner),
                    }),
                    // The validator lets nothing be inside of a module.
                    Some(Unit::Module(_)) => return Err(truncated()),
                }
            }
            other => match open.last_mut() {
                Some(Unit::Module(module)) => module.section(other)?,
                Some(Unit::Component(component)) => component.section(other, validator.types(0))?,
                None => return Err(truncated()),
            },
        }
    }
    Err(truncated())
}

fn truncated() -> Refusal {
    Refusal::Invalid {
        message: "the file ends too early".to_owned(),
        offset: 0,
    }
}
