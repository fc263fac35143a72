//! Types and names as they are written in C.

use lang_c::ast::{Declarator, DeclaratorKind};

use crate::ctype::CType;
use crate::layout::Records;

/// The name that a declarator declares.
pub(super) fn name_of(declarator: &Declarator) -> Option<String> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(name.node.name.clone()),
        DeclaratorKind::Declarator(inner) => name_of(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}

/// A declaration of what is written inside as a value of a type; none if the type has no name.
pub(super) fn declaration(ty: &CType, inside: &str, records: &Records) -> Option<String> {
    let basic = |name: &str| Some(format!("{name} {inside}").trim_end().to_owned());
    match ty {
        CType::Void => basic("void"),
        CType::Bool => basic("_Bool"),
        CType::Float(4) => basic("float"),
        CType::Float(8) => basic("double"),
        CType::Float(_) => basic("long double"),
        CType::Int { bits, signed } => {
            let sign = if *signed { "" } else { "unsigned " };
            match bits {
                8 if *signed => basic("char"),
                8 => basic("unsigned char"),
                16 => basic(&format!("{sign}short")),
                32 => basic(&format!("{sign}int")),
                _ => basic(&format!("{sign}long")),
            }
        }
        CType::Pointer(to) => match &**to {
            CType::Function(_) | CType::Array(..) => {
                declaration(to, &format!("(*{inside})"), records)
            }
            _ => declaration(to, &format!("*{inside}"), records),
        },
        CType::Array(element, length) => {
            let length = length.map_or(String::new(), |length| length.to_string());
            declaration(element, &format!("{inside}[{length}]"), records)
        }
        CType::Function(signature) => {
            let parameters = signature.parameters.iter();
            let all: Option<Vec<String>> = parameters
                .map(|(_, ty)| declaration(ty, "", records))
                .collect();
            let mut all = all?;
            if all.is_empty() && !signature.open {
                all.push("void".to_owned());
            }
            declaration(
                &signature.result,
                &format!("{inside}({})", all.join(", ")),
                records,
            )
        }
        CType::Record(id) => {
            let record = &records.0[*id];
            match record.name.as_str() {
                "__probity_file" => basic("FILE"),
                "__probity_directory" => basic("DIR"),
                "" => None,
                name if record.union => basic(&format!("union {name}")),
                name => basic(&format!("struct {name}")),
            }
        }
        CType::Unknown => None,
    }
}
