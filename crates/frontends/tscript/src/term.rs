//! Terms with their variables resolved, and terms as values.
//!
//! A value is an interned structure; how it is built is known to this file only:
//!
//! | term | value |
//! |---|---|
//! | `3`, `true` | `value(3)`, `value(true)` |
//! | `"abc"`, `1.5` | text, floating point |
//! | `f(a, b)`, `f` | `apply("f", a, b)`, `apply("f")` |
//! | `[a, b]` | `list(a, b)` |
//! | `<int>`, or a variable that has no value yet, in patterns | `placeholder(type)` |
//! | a variable that has no value | `apply("undefined")` |

use std::rc::Rc;

use model::{Rich, RichTable, Value};

use crate::types::{Fit, Type};

/// A variable of a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct VarId(pub(crate) u32);

impl VarId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term, its variables resolved.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pattern {
    Int(i64),
    /// By its bits.
    Real(u64),
    Str(Rc<str>),
    Bool(bool),
    Var(VarId),
    /// A variable that gets a value.
    Result(VarId),
    Placeholder(Type),
    Apply(Rc<str>, Vec<Pattern>),
    List(Vec<Pattern>),
}

impl Pattern {
    /// The word it begins with.
    pub(crate) fn word(&self) -> Option<&str> {
        match self {
            Pattern::Apply(name, _) => Some(name),
            _ => None,
        }
    }

    /// Whether nothing in it is to be filled in.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            Pattern::Result(_) | Pattern::Placeholder(_) => false,
            Pattern::Apply(_, args) | Pattern::List(args) => args.iter().all(Pattern::is_closed),
            _ => true,
        }
    }

    /// Whether it is the same always.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Pattern::Result(_) | Pattern::Placeholder(_) | Pattern::Var(_) => false,
            Pattern::Apply(_, args) | Pattern::List(args) => args.iter().all(Pattern::is_constant),
            _ => true,
        }
    }

    /// Whether it is written so that it matches `other` never, whatever variables hold.
    pub(crate) fn differs(&self, other: &Pattern) -> bool {
        match (self, other) {
            (Pattern::Int(a), Pattern::Int(b)) => a != b,
            (Pattern::Bool(a), Pattern::Bool(b)) => a != b,
            (Pattern::Str(a), Pattern::Str(b)) => a != b,
            (Pattern::Apply(f, args), Pattern::Apply(g, others)) => {
                f != g || some_differ(args, others)
            }
            (Pattern::List(items), Pattern::List(others)) => some_differ(items, others),
            _ => false,
        }
    }

    /// The variables in it: those that are read, and those that get a value.
    pub(crate) fn variables(&self, each: &mut impl FnMut(VarId, bool)) {
        match self {
            Pattern::Var(var) => each(*var, false),
            Pattern::Result(var) => each(*var, true),
            Pattern::Apply(_, args) | Pattern::List(args) => {
                args.iter().for_each(|arg| arg.variables(each));
            }
            _ => {}
        }
    }

    /// Its type, with those of the variables.
    pub(crate) fn ty(&self, variables: &dyn Fn(VarId) -> Type) -> Type {
        match self {
            Pattern::Int(_) => Type::Int,
            Pattern::Real(_) => Type::Real,
            Pattern::Str(_) => Type::Str,
            Pattern::Bool(_) => Type::Bool,
            Pattern::Var(var) | Pattern::Result(var) => variables(*var),
            Pattern::Placeholder(ty) => ty.clone(),
            Pattern::Apply(name, args) => Type::Apply(
                name.to_string(),
                Some(args.iter().map(|arg| arg.ty(variables)).collect()),
            ),
            Pattern::List(items) => {
                Type::Tuple(items.iter().map(|item| item.ty(variables)).collect())
            }
        }
    }
}

/// Whether two lists of terms are written so that they match never.
pub(crate) fn some_differ(all: &[Pattern], others: &[Pattern]) -> bool {
    all.len() != others.len() || all.iter().zip(others).any(|(a, b)| a.differs(b))
}

/// Whether two terms of different processes may match: every variable may have any value of its
/// type.
pub(crate) fn may_match(
    a: &Pattern,
    a_types: &dyn Fn(VarId) -> Type,
    b: &Pattern,
    b_types: &dyn Fn(VarId) -> Type,
) -> bool {
    match (a, b) {
        (Pattern::Apply(f, args), Pattern::Apply(g, others)) if f != g => {
            let _ = (args, others);
            false
        }
        (Pattern::Apply(_, args), Pattern::Apply(_, others))
        | (Pattern::List(args), Pattern::List(others)) => {
            args.len() == others.len()
                && args
                    .iter()
                    .zip(others)
                    .all(|(a, b)| may_match(a, a_types, b, b_types))
        }
        (a, b) if a.is_constant() && b.is_constant() => a == b,
        (a, b) => {
            let (a, b) = (a.ty(a_types), b.ty(b_types));
            a.fits(&b) != Fit::Never || b.fits(&a) != Fit::Never
        }
    }
}

/// What a value is.
pub(crate) enum View {
    Int(i64),
    Bool(bool),
    Real(f64),
    Str(Rc<str>),
    List(Vec<Value>),
    Apply(Rc<str>, Vec<Value>),
    Placeholder(Value),
}

/// A number as a value.
pub(crate) fn int(table: &RichTable, number: i64) -> Value {
    table.term("value", vec![Value::Int(number.into())])
}

/// A truth value as a value.
pub(crate) fn bool(table: &RichTable, truth: bool) -> Value {
    table.term("value", vec![Value::Bool(truth)])
}

/// A list as a value.
pub(crate) fn list(table: &RichTable, items: impl Into<Box<[Value]>>) -> Value {
    table.term("list", items)
}

/// A word with arguments as a value.
pub(crate) fn apply(table: &RichTable, name: &str, args: &[Value]) -> Value {
    let mut all = vec![table.text(name)];
    all.extend_from_slice(args);
    table.term("apply", all)
}

/// What a variable holds that has no value.
pub(crate) fn undefined(table: &RichTable) -> Value {
    apply(table, "undefined", &[])
}

/// What every term looks like.
pub(crate) fn anything(table: &RichTable) -> Value {
    apply(table, "_", &[])
}

/// Whether a term looks like a pattern: `_` stands for anything, and nothing else does.
pub(crate) fn looks_like(table: &RichTable, value: &Value, pattern: &Value) -> bool {
    match (view(table, value), view(table, pattern)) {
        (_, View::Apply(word, parts)) if *word == *"_" && parts.is_empty() => true,
        (View::Apply(f, parts), View::Apply(g, patterns)) => {
            let mut pairs = parts.iter().zip(&patterns);
            f == g
                && parts.len() == patterns.len()
                && pairs.all(|(part, pattern)| looks_like(table, part, pattern))
        }
        _ => value == pattern,
    }
}

/// What stands for a queue of notes that nobody will read.
pub(crate) fn unread(table: &RichTable) -> Value {
    apply(table, "unread", &[])
}

/// What a value is.
pub(crate) fn view(table: &RichTable, value: &Value) -> View {
    match &*table.get(value.rich()) {
        Rich::Text(text) => View::Str((&**text).into()),
        Rich::Float(bits) => View::Real(f64::from_bits(*bits)),
        Rich::Term { functor, args } => match (&**functor, &**args) {
            ("value", [Value::Bool(truth)]) => View::Bool(*truth),
            ("value", [number]) => View::Int(i64::try_from(number.number()).unwrap_or(i64::MAX)),
            ("list", items) => View::List(items.to_vec()),
            ("placeholder", [ty]) => View::Placeholder(ty.clone()),
            (_, [name, args @ ..]) => match &*table.get(name.rich()) {
                Rich::Text(name) => View::Apply((&**name).into(), args.to_vec()),
                _ => View::List(Vec::new()),
            },
            _ => View::List(Vec::new()),
        },
    }
}

/// A type as a value.
pub(crate) fn type_value(table: &RichTable, ty: &Type) -> Value {
    let plain = |name: &str| apply(table, name, &[]);
    match ty {
        Type::Bool => plain("bool"),
        Type::Int => plain("int"),
        Type::Real => plain("real"),
        Type::Str => plain("str"),
        Type::Bstr => plain("bstr"),
        Type::Term => plain("term"),
        Type::List(None) => plain("list"),
        Type::List(Some(item)) => apply(table, "list", &[type_value(table, item)]),
        Type::Tuple(all) => {
            let all: Vec<Value> = all.iter().map(|ty| type_value(table, ty)).collect();
            list(table, all)
        }
        Type::Apply(name, None) => apply(table, "any", &[table.text(name)]),
        Type::Apply(name, Some(args)) => {
            let mut all = vec![table.text(name)];
            all.extend(args.iter().map(|ty| type_value(table, ty)));
            apply(table, "made", &all)
        }
    }
}

/// Whether a value has a type, given as [`type_value`] does.
pub(crate) fn has_type(table: &RichTable, value: &Value, ty: &Value) -> bool {
    let value_view = view(table, value);
    if let View::Placeholder(_) = value_view {
        return true;
    }
    // What has no value yet is let through by every type.
    if *value == undefined(table) {
        return true;
    }
    match view(table, ty) {
        View::List(types) => match value_view {
            View::List(items) => {
                items.len() == types.len()
                    && items
                        .iter()
                        .zip(&types)
                        .all(|(item, ty)| has_type(table, item, ty))
            }
            _ => false,
        },
        View::Apply(name, args) => match (&*name, args.as_slice(), value_view) {
            ("term", ..)
            | ("bool", _, View::Bool(_))
            | ("int", _, View::Int(_))
            | ("real", _, View::Real(_))
            | ("str" | "bstr", _, View::Str(_))
            | ("list", [], View::List(_)) => true,
            ("list", [item], View::List(items)) => {
                items.iter().all(|value| has_type(table, value, item))
            }
            ("any", [wanted], View::Apply(name, _)) => {
                matches!(view(table, wanted), View::Str(wanted) if wanted == name)
            }
            ("made", [wanted, types @ ..], View::Apply(name, args)) => {
                matches!(view(table, wanted), View::Str(wanted) if wanted == name)
                    && args.len() == types.len()
                    && args
                        .iter()
                        .zip(types)
                        .all(|(value, ty)| has_type(table, value, ty))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value without gaps matches a pattern.
pub(crate) fn matches(table: &RichTable, value: &Value, pattern: &Value) -> bool {
    if value == pattern {
        return true;
    }
    match (view(table, value), view(table, pattern)) {
        (_, View::Placeholder(ty)) => has_type(table, value, &ty),
        (View::Placeholder(ty), _) => has_type(table, pattern, &ty),
        (View::List(values), View::List(patterns)) => all_match(table, &values, &patterns),
        (View::Apply(f, values), View::Apply(g, patterns)) => {
            f == g && all_match(table, &values, &patterns)
        }
        _ => false,
    }
}

fn all_match(table: &RichTable, values: &[Value], patterns: &[Value]) -> bool {
    values.len() == patterns.len()
        && values
            .iter()
            .zip(patterns)
            .all(|(value, pattern)| matches(table, value, pattern))
}

/// A value as the ToolBus prints it.
pub(crate) fn text(table: &RichTable, value: &Value) -> String {
    let list = |all: &[Value]| {
        let all: Vec<String> = all.iter().map(|value| text(table, value)).collect();
        all.join(",")
    };
    match view(table, value) {
        View::Int(number) => number.to_string(),
        View::Bool(truth) => truth.to_string(),
        View::Real(number) => {
            if number.fract() == 0.0 && number.abs() < 1e15 {
                format!("{number:.1}")
            } else {
                number.to_string()
            }
        }
        View::Str(text) => format!("\"{text}\""),
        View::List(items) => format!("[{}]", list(&items)),
        View::Apply(name, args) if args.is_empty() => name.to_string(),
        View::Apply(name, args) => format!("{name}({})", list(&args)),
        View::Placeholder(ty) => format!("<{}>", text(table, &ty)),
    }
}
