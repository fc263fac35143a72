//! The functions on terms: those of the language, in expressions, and those that make up its
//! semantics (matching, queues of notes).
//!
//! All are pure functions on values. A function of the language that is given something it has no
//! result for raises the fault of expressions.

mod buses;

use model::{FaultId, Function, Program, PureFunction, RichTable, Type, Value};

use crate::ages;
use crate::load::Dialect;
use crate::term::{
    View, apply, bool, has_type, int, list, looks_like, matches, text, undefined, view,
};
use crate::types;

/// The fault that an expression without a value raises: the first of every program of ours.
pub(crate) const BAD_EXPRESSION: FaultId = FaultId(0);

type Given = Result<Value, FaultId>;

/// A function of the language.
pub(crate) struct BuiltIn {
    pub(crate) name: &'static str,
    pub(crate) arity: usize,
    pub(crate) result: types::Type,
    pub(crate) eval: PureFunction,
}

/// A number as both buses have it: 32 bits, in two's complement.
fn word(number: i64) -> Option<i32> {
    i32::try_from(number).ok()
}

/// Numbers of 32 bits; what is larger wraps, and nothing is divided by zero.
fn ints(table: &RichTable, args: &[Value], f: impl Fn(i32, i32) -> Option<i32>) -> Given {
    match (view(table, &args[0]), view(table, &args[1])) {
        (View::Int(a), View::Int(b)) => word(a)
            .zip(word(b))
            .and_then(|(a, b)| f(a, b))
            .map(|number| int(table, number.into()))
            .ok_or(BAD_EXPRESSION),
        _ => Err(BAD_EXPRESSION),
    }
}

fn reals(table: &RichTable, args: &[Value], f: impl Fn(f64, f64) -> f64) -> Given {
    match (view(table, &args[0]), view(table, &args[1])) {
        // Terms are shared: of the zeros, which are equal, there is one.
        (View::Real(a), View::Real(b)) => Ok(table.float(f(a, b) + 0.0)),
        _ => Err(BAD_EXPRESSION),
    }
}

fn compare_ints(table: &RichTable, args: &[Value], f: impl Fn(i64, i64) -> bool) -> Given {
    match (view(table, &args[0]), view(table, &args[1])) {
        (View::Int(a), View::Int(b)) => Ok(bool(table, f(a, b))),
        _ => Err(BAD_EXPRESSION),
    }
}

/// As IEEE 754 has it: the zeros are equal, and nothing is less or greater than what is no number.
fn compare_reals(table: &RichTable, args: &[Value], f: impl Fn(f64, f64) -> bool) -> Given {
    match (view(table, &args[0]), view(table, &args[1])) {
        (View::Real(a), View::Real(b)) => Ok(bool(table, f(a, b))),
        _ => Err(BAD_EXPRESSION),
    }
}

fn truths(table: &RichTable, args: &[Value], f: impl Fn(bool, bool) -> bool) -> Given {
    match (view(table, &args[0]), view(table, &args[1])) {
        (View::Bool(a), View::Bool(b)) => Ok(bool(table, f(a, b))),
        _ => Err(BAD_EXPRESSION),
    }
}

fn items(table: &RichTable, value: &Value) -> Result<Vec<Value>, FaultId> {
    match view(table, value) {
        View::List(items) => Ok(items),
        _ => Err(BAD_EXPRESSION),
    }
}

fn index(table: &RichTable, value: &Value, length: usize) -> Result<usize, FaultId> {
    match view(table, value) {
        View::Int(number) => usize::try_from(number)
            .ok()
            .filter(|at| (1..=length).contains(at))
            .map(|at| at - 1)
            .ok_or(BAD_EXPRESSION),
        _ => Err(BAD_EXPRESSION),
    }
}

fn kind_is(table: &RichTable, value: &Value, f: impl Fn(&View) -> bool) -> Given {
    Ok(bool(table, f(&view(table, value))))
}

macro_rules! built_ins {
    ($($name:literal $arity:literal $result:expr, $eval:expr;)*) => {
        /// The functions of the language, but for what [`Dialect`] says otherwise.
        fn common() -> Vec<BuiltIn> {
            vec![$(BuiltIn { name: $name, arity: $arity, result: $result, eval: $eval },)*]
        }
    };
}

/// The functions of the language as a bus computes them.
pub(crate) fn built_ins(dialect: Dialect) -> Vec<BuiltIn> {
    let mut all = common();
    let own: &[(&str, PureFunction)] = match dialect {
        Dialect::C => &buses::C,
        Dialect::Ng => &buses::NG,
    };
    for function in &mut all {
        if let Some((_, eval)) = own.iter().find(|(name, _)| *name == function.name) {
            function.eval = *eval;
        }
    }
    all
}

built_ins! {
    "add" 2 types::Type::Int, |t, a| ints(t, a, |a, b| Some(a.wrapping_add(b)));
    "sub" 2 types::Type::Int, |t, a| ints(t, a, |a, b| Some(a.wrapping_sub(b)));
    "mul" 2 types::Type::Int, |t, a| ints(t, a, |a, b| Some(a.wrapping_mul(b)));
    "div" 2 types::Type::Int, |t, a| ints(t, a, |a, b| (b != 0).then(|| a.wrapping_div(b)));
    "mod" 2 types::Type::Int, |t, a| ints(t, a, |a, b| (b != 0).then(|| a.wrapping_rem(b)));
    "abs" 1 types::Type::Int, |t, a| match view(t, &a[0]) {
        View::Int(n) => match word(n) {
            Some(n) => Ok(int(t, n.wrapping_abs().into())),
            None => Err(BAD_EXPRESSION),
        },
        _ => Err(BAD_EXPRESSION),
    };
    "radd" 2 types::Type::Real, |t, a| reals(t, a, |a, b| a + b);
    "rsub" 2 types::Type::Real, |t, a| reals(t, a, |a, b| a - b);
    "rmul" 2 types::Type::Real, |t, a| reals(t, a, |a, b| a * b);
    "rdiv" 2 types::Type::Real, |t, a| reals(t, a, |a, b| a / b);
    "rabs" 1 types::Type::Real, |t, a| match view(t, &a[0]) {
        View::Real(n) => Ok(t.float(n.abs())),
        _ => Err(BAD_EXPRESSION),
    };
    "int-to-real" 1 types::Type::Real, |t, a| match view(t, &a[0]) {
        View::Int(n) => Ok(t.float(word(n).ok_or(BAD_EXPRESSION)?.into())),
        _ => Err(BAD_EXPRESSION),
    };
    "real-to-int" 1 types::Type::Int, |t, a| match view(t, &a[0]) {
        // What is too large becomes the largest, what is no number zero: as Java has it.
        View::Real(n) => Ok(int(t, i64::from(n as i32))),
        _ => Err(BAD_EXPRESSION),
    };
    "less" 2 types::Type::Bool, |t, a| compare_ints(t, a, |a, b| a < b);
    "less-equal" 2 types::Type::Bool, |t, a| compare_ints(t, a, |a, b| a <= b);
    "greater" 2 types::Type::Bool, |t, a| compare_ints(t, a, |a, b| a > b);
    "greater-equal" 2 types::Type::Bool, |t, a| compare_ints(t, a, |a, b| a >= b);
    "rless" 2 types::Type::Bool, |t, a| compare_reals(t, a, |a, b| a < b);
    "rless-equal" 2 types::Type::Bool, |t, a| compare_reals(t, a, |a, b| a <= b);
    "rgreater" 2 types::Type::Bool, |t, a| compare_reals(t, a, |a, b| a > b);
    "rgreater-equal" 2 types::Type::Bool, |t, a| compare_reals(t, a, |a, b| a >= b);
    "equal" 2 types::Type::Bool, |t, a| Ok(bool(t, a[0] == a[1]));
    "not-equal" 2 types::Type::Bool, |t, a| Ok(bool(t, a[0] != a[1]));
    "not" 1 types::Type::Bool, |t, a| match view(t, &a[0]) {
        View::Bool(b) => Ok(bool(t, !b)),
        _ => Err(BAD_EXPRESSION),
    };
    "and" 2 types::Type::Bool, |t, a| truths(t, a, |a, b| a && b);
    "or" 2 types::Type::Bool, |t, a| truths(t, a, |a, b| a || b);
    "is-bool" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::Bool(_)));
    "is-int" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::Int(_)));
    "is-real" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::Real(_)));
    "is-str" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::Str(_)));
    "is-bstr" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::Str(_)));
    "is-appl" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::Apply(..)));
    "is-list" 1 types::Type::Bool, |t, a| kind_is(t, &a[0], |v| matches!(v, View::List(_)));
    "is-empty" 1 types::Type::Bool, |t, a| {
        kind_is(t, &a[0], |v| matches!(v, View::List(items) if items.is_empty()))
    };
    "is-var" 1 types::Type::Bool, |t, a| Ok(bool(t, a[0] == undefined(t)));
    "is-result-var" 1 types::Type::Bool, |t, a| {
        kind_is(t, &a[0], |v| matches!(v, View::Placeholder(_)))
    };
    "is-formal" 1 types::Type::Bool, |t, _| Ok(bool(t, false));
    "fun" 1 types::Type::Str, |_, _| Err(BAD_EXPRESSION);
    "args" 1 types::Type::List(None), |_, _| Err(BAD_EXPRESSION);
    "first" 1 types::Type::Term, |_, _| Err(BAD_EXPRESSION);
    "next" 1 types::Type::List(None), |t, a| {
        let items = items(t, &a[0])?;
        Ok(list(t, items.get(1..).unwrap_or_default()))
    };
    "size" 1 types::Type::Int, |t, a| {
        Ok(int(t, i64::try_from(items(t, &a[0])?.len()).unwrap_or(i64::MAX)))
    };
    "join" 2 types::Type::List(None), |t, a| {
        let part = |value: &Value| match view(t, value) {
            View::List(items) => items,
            _ => vec![value.clone()],
        };
        let mut all = part(&a[0]);
        all.extend(part(&a[1]));
        Ok(list(t, all))
    };
    "concat" 2 types::Type::Str, |t, a| match (view(t, &a[0]), view(t, &a[1])) {
        (View::Str(a), View::Str(b)) => Ok(t.text(&format!("{a}{b}"))),
        _ => Err(BAD_EXPRESSION),
    };
    "index" 2 types::Type::Term, |t, a| {
        let items = items(t, &a[0])?;
        Ok(items[index(t, &a[1], items.len())?].clone())
    };
    "replace" 3 types::Type::List(None), |t, a| {
        let mut items = items(t, &a[0])?;
        let at = index(t, &a[1], items.len())?;
        items[at] = a[2].clone();
        Ok(list(t, items))
    };
    "get" 2 types::Type::Term, |_, _| Err(BAD_EXPRESSION);
    "put" 3 types::Type::List(None), |_, _| Err(BAD_EXPRESSION);
    "member" 2 types::Type::Bool, |t, a| Ok(bool(t, items(t, &a[1])?.contains(&a[0])));
    "subset" 2 types::Type::Bool, |t, a| {
        // As often in the second as in the first.
        let mut all = items(t, &a[1])?;
        Ok(bool(t, items(t, &a[0])?.iter().all(|item| {
            let found = all.iter().position(|other| other == item);
            found.map(|at| all.remove(at)).is_some()
        })))
    };
    "diff" 2 types::Type::List(None), |t, a| {
        let other = items(t, &a[1])?;
        let mut all = items(t, &a[0])?;
        all.retain(|item| !other.contains(item));
        Ok(list(t, all))
    };
    "inter" 2 types::Type::List(None), |t, a| {
        let other = items(t, &a[1])?;
        let mut all = items(t, &a[0])?;
        all.retain(|item| other.contains(item));
        Ok(list(t, all))
    };
    "delete" 2 types::Type::List(None), |t, a| {
        let mut all = items(t, &a[0])?;
        if let Some(at) = all.iter().position(|item| *item == a[1]) {
            all.remove(at);
        }
        Ok(list(t, all))
    };
    // Of whoever computes it; see the lowering of expressions.
    "process-id" 0 types::Type::Int, |_, _| Err(BAD_EXPRESSION);
    // The bus in Java leaves it as it is; of that in C, see `doubt_numbers`.
    "current-time" 0 types::Type::Term, |t, _| Ok(apply(t, "current-time", &[]));
    "sec" 1 types::Type::Int, |_, a| Ok(a[0].clone());
    "msec" 1 types::Type::Int, |_, a| Ok(a[0].clone());
    "min" 1 types::Type::Int, |t, a| ints(t, &[a[0].clone(), int(t, 60)], |a, b| Some(a.wrapping_mul(b)));
    "hour" 1 types::Type::Int, |t, a| ints(t, &[a[0].clone(), int(t, 3600)], |a, b| Some(a.wrapping_mul(b)));
    "functional" 1 types::Type::Term, |_, a| Ok(a[0].clone());
}

macro_rules! inner {
    ($($(#[$doc:meta])* $name:ident $text:literal [$($parameter:expr),*] $result:expr, $eval:expr;)*) => {
        /// The functions that the semantics is made of.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Inner {
            $($(#[$doc])* $name,)*
        }

        impl Inner {
            /// The function as a program has it.
            pub(crate) fn function(self) -> Function {
                match self {
                    $(Inner::$name => Function {
                        name: $text.to_owned(),
                        parameters: vec![$($parameter),*],
                        result: $result,
                        eval: $eval,
                        can_fault: matches!(Inner::$name, Inner::Fail),
                    },)*
                }
            }
        }
    };
}

/// Numbers up to 255.
pub(crate) const BYTE: Type = Type::Int {
    bits: 8,
    signed: false,
};

const RICH: Type = Type::Rich;

inner! {
    /// No value.
    Fail "no value" [] RICH, |_, _| Err(BAD_EXPRESSION);
    /// Whether a value is `true`.
    IsTrue "is true" [RICH] Type::Bool, |t, a| {
        Ok(Value::Bool(matches!(view(t, &a[0]), View::Bool(true))))
    };
    /// Whether a value has a type.
    HasType "has type" [RICH, RICH] Type::Bool, |t, a| {
        Ok(Value::Bool(has_type(t, &a[0], &a[1])))
    };
    /// Whether a value is a word with so many arguments.
    IsApply "is made by" [RICH, RICH, BYTE] Type::Bool, |t, a| {
        let wanted = view(t, &a[1]);
        Ok(Value::Bool(match (view(t, &a[0]), wanted) {
            (View::Apply(name, args), View::Str(wanted)) => {
                name == wanted && args.len() as i128 == a[2].number()
            }
            _ => false,
        }))
    };
    /// Whether a value is a list of so many items.
    IsList "is a list of" [RICH, BYTE] Type::Bool, |t, a| {
        Ok(Value::Bool(match view(t, &a[0]) {
            View::List(items) => items.len() as i128 == a[1].number(),
            _ => false,
        }))
    };
    /// An argument or item of a value.
    Part "part" [RICH, BYTE] RICH, |t, a| {
        let at = usize::try_from(a[1].number()).unwrap_or(usize::MAX);
        Ok(match view(t, &a[0]) {
            View::Apply(_, parts) | View::List(parts) => {
                parts.get(at).cloned().unwrap_or_else(|| undefined(t))
            }
            _ => undefined(t),
        })
    };
    /// A queue with a note put in, if one of the subscriptions lets it in. What is no queue stays:
    /// nobody reads there any more.
    Deliver "deliver" [RICH, RICH, RICH] RICH, |t, a| {
        let View::List(mut queue) = view(t, &a[0]) else { return Ok(a[0].clone()) };
        if items(t, &a[1])?.iter().any(|pattern| matches(t, &a[2], pattern)) {
            queue.push(a[2].clone());
        }
        Ok(list(t, queue))
    };
    /// The same for a queue that is sorted by the words of its notes; of one word, the oldest comes
    /// first.
    DeliverSorted "deliver by word" [RICH, RICH, RICH] RICH, |t, a| {
        let View::List(mut queue) = view(t, &a[0]) else { return Ok(a[0].clone()) };
        if items(t, &a[1])?.iter().any(|pattern| matches(t, &a[2], pattern)) {
            let word = |note: &Value| match view(t, note) {
                View::Apply(word, _) => Some(word),
                _ => None,
            };
            let mine = word(&a[2]);
            let at = queue.partition_point(|note| word(note) <= mine);
            queue.insert(at, a[2].clone());
        }
        Ok(list(t, queue))
    };
    /// Whether a term looks like a formula's pattern.
    LooksLike "looks like" [RICH, RICH] Type::Bool, |t, a| Ok(Value::Bool(looks_like(t, &a[0], &a[1])));
    /// Whether one of the subscriptions lets a note in.
    LetsIn "lets in" [RICH, RICH] Type::Bool, |t, a| {
        Ok(Value::Bool(items(t, &a[0])?.iter().any(|pattern| matches(t, &a[1], pattern))))
    };
    /// Whether a queue holds so many notes.
    IsFull "is full" [RICH, BYTE] Type::Bool, |t, a| {
        Ok(Value::Bool(match view(t, &a[0]) {
            View::List(items) => items.len() as i128 >= a[1].number(),
            _ => false,
        }))
    };
    /// The first item of a list that matches a pattern, or nothing.
    Find "first match" [RICH, RICH] RICH, |t, a| {
        let items = items(t, &a[0])?;
        let found = items.iter().find(|item| matches(t, item, &a[1]));
        Ok(found.cloned().unwrap_or_else(|| undefined(t)))
    };
    /// A list without the first of these items.
    Without "without" [RICH, RICH] RICH, |t, a| {
        let mut all = items(t, &a[0])?;
        if let Some(at) = all.iter().position(|item| *item == a[1]) {
            all.remove(at);
        }
        Ok(list(t, all))
    };
    /// A list without the items that match a pattern.
    Purge "purge" [RICH, RICH] RICH, |t, a| {
        let View::List(mut all) = view(t, &a[0]) else { return Ok(a[0].clone()) };
        all.retain(|item| !matches(t, item, &a[1]));
        Ok(list(t, all))
    };
    /// A set, as a sorted list, with an item put in.
    Insert "insert" [RICH, RICH] RICH, |t, a| {
        let mut all = items(t, &a[0])?;
        if let Err(at) = all.binary_search_by(|item| t.compare(item, &a[1])) {
            all.insert(at, a[1].clone());
        }
        Ok(list(t, all))
    };
    /// Whether a list has an item.
    Has "has" [RICH, RICH] Type::Bool, |t, a| Ok(Value::Bool(items(t, &a[0])?.contains(&a[1])));
    /// The outstanding event that an acknowledgement means: the same, or one with the same word.
    Acknowledged "acknowledged" [RICH, RICH] RICH, |t, a| {
        let all = items(t, &a[0])?;
        let word = |value: &Value| match view(t, value) {
            View::Apply(name, _) => Some(name),
            _ => None,
        };
        let same = all.iter().find(|item| **item == a[1]);
        let alike = || all.iter().find(|item| matches(t, item, &a[1]) || word(item) == word(&a[1]));
        Ok(same.or_else(alike).cloned().unwrap_or_else(|| undefined(t)))
    };
    /// The position of a tool in the tables of tools: given the tool, and for each kind a list of
    /// its name, its first position and the position of no tool at all.
    ToolIndex "tool index" [RICH, RICH] BYTE, |t, a| {
        let kinds = items(t, &a[1])?;
        let mut nowhere = 0;
        for kind in &kinds {
            let View::List(kind) = view(t, kind) else { continue };
            let [name, first, none] = kind.as_slice() else { continue };
            if let View::Int(none) = view(t, none) {
                nowhere = none;
            }
            if let (View::Apply(tool, args), View::Str(name), View::Int(first)) =
                (view(t, &a[0]), view(t, name), view(t, first))
                && tool == name
                && let Some(View::Int(number)) = args.first().map(|arg| view(t, arg))
            {
                return Ok(Value::Int((first + number - 1).into()));
            }
        }
        Ok(Value::Int(nowhere.into()))
    };
    /// The ages of notes when one comes.
    AgesSent "ages with" [RICH, RICH, RICH] RICH, ages::sent;
    /// The ages of notes when a process begins another round.
    AgesRound "ages after a round of" [RICH, RICH] RICH, ages::round;
    /// The ages of notes when a message comes.
    AgesHeard "ages after a message of" [RICH, RICH] RICH, ages::heard;
    /// The ages of notes when a process ends.
    AgesEnded "ages after the end of" [RICH, RICH] RICH, ages::ended;
    /// The ages of notes when one is read.
    AgesRead "ages without" [RICH, RICH] RICH, ages::read;
    /// The ages of notes when some are thrown away.
    AgesPurged "ages without what matches" [RICH, RICH] RICH, ages::purged;
    /// The ages of notes when nobody will read any of them.
    AgesUnread "ages of unread notes" [RICH] RICH, ages::unread;
    /// Whether a note with this word is stale.
    AgesIsStale "is stale" [RICH, RICH, RICH] Type::Bool, ages::is_stale;
    /// Whether a note of an earlier round of a process waits.
    AgesHasOld "has old notes of" [RICH, RICH] Type::Bool, ages::has_old;
    /// Whether an item of a list begins with a word.
    HasWord "has the word" [RICH, RICH] Type::Bool, |t, a| {
        let word = view(t, &a[1]);
        Ok(Value::Bool(items(t, &a[0])?.iter().any(|item| match (view(t, item), &word) {
            (View::Apply(name, _), View::Str(word)) => name == *word,
            (View::List(parts), View::Str(word)) => parts.iter().any(|part| {
                matches!(view(t, part), View::Apply(name, _) if name == *word)
            }),
            _ => false,
        })))
    };
    /// A number as a term.
    FromNumber "as term" [BYTE] RICH, |t, a| {
        Ok(int(t, i64::try_from(a[0].number()).unwrap_or(i64::MAX)))
    };
    /// What `printf` prints: a format, and a list of values.
    Printed "printed" [RICH, RICH] RICH, |t, a| Ok(t.text(&printed(t, &a[0], &items(t, &a[1])?)));
}

/// What `printf` prints.
fn printed(table: &RichTable, format: &Value, values: &[Value]) -> String {
    let View::Str(format) = view(table, format) else {
        return text(table, format);
    };
    let mut out = String::new();
    let mut values = values.iter();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('d' | 's' | 't' | 'f' | 'l') => {
                if let Some(value) = values.next() {
                    out.push_str(&text(table, value));
                }
            }
            Some('%') => out.push('%'),
            Some(other) => {
                out.push('%');
                out.push(other);
            }
            None => out.push('%'),
        }
    }
    out
}

/// A term from a word and so many arguments.
pub(crate) fn maker(arity: usize) -> Function {
    Function {
        name: format!("term of {arity}"),
        parameters: vec![RICH; arity + 1],
        result: RICH,
        eval: |t, a| Ok(t.term("apply", a)),
        can_fault: false,
    }
}

/// A list of so many items.
pub(crate) fn list_maker(length: usize) -> Function {
    Function {
        name: format!("list of {length}"),
        parameters: vec![RICH; length],
        result: RICH,
        eval: |t, a| Ok(list(t, a)),
        can_fault: false,
    }
}

/// A function of the language as a program has it.
pub(crate) fn built_in_function(built_in: &BuiltIn) -> Function {
    Function {
        name: built_in.name.to_owned(),
        parameters: vec![RICH; built_in.arity],
        result: RICH,
        eval: built_in.eval,
        can_fault: true,
    }
}

/// Adds the fault that comes first.
pub(crate) fn declare_fault(program: &mut Program) {
    let fault = program.add_fault(model::Fault {
        name: "bad-expression".to_owned(),
        message: "an expression has no value: its arguments are not of the types it needs"
            .to_owned(),
    });
    debug_assert_eq!(fault, BAD_EXPRESSION);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(table: &RichTable, name: &str, args: &[Value]) -> String {
        let all = built_ins(Dialect::Ng);
        let found = all.iter().find(|f| f.name == name).unwrap();
        match (found.eval)(table, args) {
            Ok(value) => text(table, &value),
            Err(_) => "fault".to_owned(),
        }
    }

    #[test]
    fn numbers_have_32_bits() {
        let t = RichTable::default();
        let n = |number: i32| int(&t, number.into());
        let (most, least) = (i32::MAX, i32::MIN);
        for (name, a, b, expected) in [
            ("add", most, 1, "-2147483648"),
            ("sub", least, 1, "2147483647"),
            ("mul", 65_536, 65_536, "0"),
            ("div", least, -1, "-2147483648"),
            ("div", -7, 2, "-3"),
            ("mod", least, -1, "0"),
            ("mod", -7, 2, "-1"),
            ("mod", 7, 0, "fault"),
            ("less", most, least, "false"),
        ] {
            assert_eq!(call(&t, name, &[n(a), n(b)]), expected, "{name}({a}, {b})");
        }
        assert_eq!(call(&t, "abs", &[n(least)]), "-2147483648");
    }

    #[test]
    fn reals_are_those_of_ieee_754() {
        let t = RichTable::default();
        let r = |number: f64| t.float(number);
        for (name, a, b, expected) in [
            ("rless", -0.0, 0.0, "false"),
            ("rgreater-equal", -0.0, 0.0, "true"),
            ("rless", f64::NAN, 1.0, "false"),
            ("rgreater-equal", f64::NAN, 1.0, "false"),
            ("rless-equal", f64::NAN, f64::NAN, "false"),
            ("rgreater", f64::INFINITY, 1e300, "true"),
        ] {
            assert_eq!(call(&t, name, &[r(a), r(b)]), expected, "{name}({a}, {b})");
        }
        // Orders are of numbers of one kind.
        assert_eq!(call(&t, "less", &[r(1.0), r(2.0)]), "fault");
        assert_eq!(call(&t, "rless", &[int(&t, 1), int(&t, 2)]), "fault");
        assert_eq!(call(&t, "real-to-int", &[r(f64::NAN)]), "0");
        assert_eq!(call(&t, "real-to-int", &[r(1e10)]), "2147483647");
    }

    #[test]
    fn functions_of_the_language_compute() {
        let t = RichTable::default();
        let n = |number| int(&t, number);
        let l = list(&t, vec![n(1), n(2), n(3)]);
        assert_eq!(call(&t, "add", &[n(2), n(3)]), "5");
        assert_eq!(call(&t, "div", &[n(2), n(0)]), "fault");
        assert_eq!(call(&t, "less-equal", &[n(2), n(2)]), "true");
        assert_eq!(call(&t, "first", std::slice::from_ref(&l)), "1");
        assert_eq!(call(&t, "next", std::slice::from_ref(&l)), "[2,3]");
        assert_eq!(call(&t, "index", &[l.clone(), n(3)]), "3");
        assert_eq!(call(&t, "index", &[l.clone(), n(4)]), "fault");
        assert_eq!(call(&t, "join", &[n(0), l.clone()]), "[0,1,2,3]");
        assert_eq!(call(&t, "member", &[n(2), l.clone()]), "true");
        let pairs = list(&t, vec![]);
        assert_eq!(call(&t, "put", &[pairs, n(1), l]), "[[1,[1,2,3]]]");
    }

    #[test]
    fn formats_are_filled() {
        let t = RichTable::default();
        let format = t.text("a %d, %s: %t%%\n");
        let values = [int(&t, 3), t.text("x"), apply(&t, "f", &[int(&t, 1)])];
        assert_eq!(printed(&t, &format, &values), "a 3, \"x\": f(1)%\n");
    }
}
