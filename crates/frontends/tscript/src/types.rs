//! Types, and which terms have them.

use crate::ast::{Term, TermKind};

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    Bool,
    Int,
    Real,
    Str,
    /// Text of bytes.
    Bstr,
    /// Anything.
    Term,
    /// A list; of items of one type, where it is said.
    List(Option<Box<Type>>),
    /// A list of as many items as there are types.
    Tuple(Vec<Type>),
    /// What begins with this word; with arguments of these types, where they are said.
    Apply(String, Option<Vec<Type>>),
}

/// Whether what has one type has another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    Never,
    Sometimes,
    Always,
}

impl Type {
    /// The type that a term says.
    pub(crate) fn of_term(term: &Term) -> Type {
        match &term.kind {
            TermKind::Placeholder(inner) => Type::of_term(inner),
            TermKind::List(items) => Type::Tuple(items.iter().map(Type::of_term).collect()),
            TermKind::Apply(name, args) => match (name.as_str(), args.as_slice()) {
                ("bool", []) => Type::Bool,
                ("int", []) => Type::Int,
                ("real", []) => Type::Real,
                ("str", []) => Type::Str,
                ("bstr" | "blob", []) => Type::Bstr,
                ("term", []) => Type::Term,
                ("list", []) => Type::List(None),
                ("list", [item]) => Type::List(Some(Box::new(Type::of_term(item)))),
                (name, []) => Type::Apply(name.to_owned(), None),
                (name, args) => Type::Apply(
                    name.to_owned(),
                    Some(args.iter().map(Type::of_term).collect()),
                ),
            },
            _ => Type::Term,
        }
    }

    /// Whether values of this type have the type `wanted`.
    pub(crate) fn fits(&self, wanted: &Type) -> Fit {
        use Fit::{Always, Never, Sometimes};
        let all = |own: &[Type], wanted: &[Type]| {
            if own.len() != wanted.len() {
                return Never;
            }
            let fits = own.iter().zip(wanted).map(|(own, wanted)| own.fits(wanted));
            fits.min().unwrap_or(Always)
        };
        match (self, wanted) {
            // What has no value is let through by every type.
            (Type::Apply(name, Some(args)), _) if name == "undefined" && args.is_empty() => Always,
            (_, Type::Term) => Always,
            (Type::Term, _) => Sometimes,
            (a, b) if a == b => Always,
            (Type::List(_) | Type::Tuple(_), Type::List(None)) => Always,
            (Type::Apply(a, _), Type::Apply(b, None)) if a == b => Always,
            (Type::Apply(a, None), Type::Apply(b, Some(_))) if a == b => Sometimes,
            (Type::Apply(a, Some(own)), Type::Apply(b, Some(wanted))) if a == b => all(own, wanted),
            (Type::List(None), Type::List(_) | Type::Tuple(_)) => Sometimes,
            // Both may be empty. (With `.max(Sometimes)` here, rustc 1.95 compiles this function to
            // one whose `Never` is equal to none, from `-C opt-level=2` on.)
            (Type::List(Some(own)), Type::List(Some(wanted))) => match own.fits(wanted) {
                Never => Sometimes,
                fit => fit,
            },
            (Type::List(Some(own)), Type::Tuple(wanted)) => {
                let fits = wanted.iter().map(|wanted| own.fits(wanted));
                fits.min().unwrap_or(Sometimes).min(Sometimes)
            }
            (Type::Tuple(own), Type::List(Some(wanted))) => {
                let fits = own.iter().map(|own| own.fits(wanted));
                fits.min().unwrap_or(Always)
            }
            (Type::Tuple(own), Type::Tuple(wanted)) => all(own, wanted),
            (Type::Str, Type::Bstr) | (Type::Bstr, Type::Str) => Sometimes,
            _ => Never,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |f: &mut std::fmt::Formatter<'_>, all: &[Type]| {
            for (index, ty) in all.iter().enumerate() {
                if index > 0 {
                    f.write_str(",")?;
                }
                write!(f, "<{ty}>")?;
            }
            Ok(())
        };
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int => f.write_str("int"),
            Type::Real => f.write_str("real"),
            Type::Str => f.write_str("str"),
            Type::Bstr => f.write_str("bstr"),
            Type::Term => f.write_str("term"),
            Type::List(None) => f.write_str("list"),
            Type::List(Some(item)) => write!(f, "list(<{item}>)"),
            Type::Tuple(all) => {
                f.write_str("[")?;
                list(f, all)?;
                f.write_str("]")
            }
            Type::Apply(name, None) => f.write_str(name),
            Type::Apply(name, Some(args)) => {
                write!(f, "{name}(")?;
                list(f, args)?;
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_fit_as_the_matcher_has_it() {
        let list = |item| Type::List(Some(Box::new(item)));
        let tool = Type::Apply("bidder".into(), None);
        let cases = [
            (Type::Int, Type::Term, Fit::Always),
            (Type::Term, Type::Int, Fit::Sometimes),
            (Type::Int, Type::Str, Fit::Never),
            (list(Type::Int), Type::List(None), Fit::Always),
            (Type::List(None), list(Type::Int), Fit::Sometimes),
            (list(Type::Int), list(Type::Str), Fit::Sometimes),
            (
                Type::Tuple(vec![Type::Int, Type::Int]),
                list(Type::Int),
                Fit::Always,
            ),
            (
                Type::Tuple(vec![Type::Int, Type::Str]),
                list(Type::Int),
                Fit::Never,
            ),
            (
                Type::Apply("undefined".into(), Some(vec![])),
                Type::Int,
                Fit::Always,
            ),
            (tool.clone(), Type::Apply("master".into(), None), Fit::Never),
            (
                Type::Apply("bidder".into(), Some(vec![Type::Int])),
                tool,
                Fit::Always,
            ),
        ];
        for (own, wanted, expected) in cases {
            assert_eq!(own.fits(&wanted), expected, "{own} as {wanted}");
        }
    }
}
