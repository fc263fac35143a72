//! Text that is not known to the letter: identities, what the world decides, and mixtures.
//!
//! There are four kinds of it:
//!
//! * an *identity* is the key of somebody, and equals only itself;
//! * a *stranger* is a text from outside that differs from all those that the script compares it with
//!   (the world chooses among these first, and a stranger only then), and equals only itself;
//! * *something* is such a text, too, but two of a name need not be the same: it is what stands
//!   for values that the world may have changed in between;
//! * an *unknown* is what an operation makes of one of the others. Equal arguments give equal
//!   results; what else it equals cannot be told.
//!
//! Which texts are equal is the business of [`sameness`](super::sameness). A concatenation is kept
//! flat, with neighbouring known texts joined, so that equal texts built in different orders are
//! equal terms.

use model::{Rich, RichTable, Value};

use super::entry::Answer;

/// The functor of an identity.
pub(super) const KEY: &str = "key";
/// The functor of a text from outside that equals itself.
pub(super) const STRANGER: &str = "stranger";
/// The functor of a value from outside that need not equal itself.
pub(super) const SOMETHING: &str = "something";
/// The functor of the texts that strangers are not.
pub(super) const NONE_OF: &str = "none of";
/// The functor of what cannot be computed.
pub(super) const UNKNOWN: &str = "unknown";
/// The functor of text with parts that are not known.
pub(super) const CONCAT: &str = "concat";

/// How many characters a UUID has.
const UUID_LENGTH: usize = 36;

/// An identity of the world, printed as its name: an avatar, an object. It is a well-formed UUID
/// other than `NULL_KEY`.
#[must_use]
pub fn key(table: &RichTable, name: &str) -> Value {
    table.term(KEY, vec![table.text(name)])
}

/// The same, of somebody whose key is none of the UUIDs that the script writes (see [`none_of`]).
#[must_use]
pub fn key_apart(table: &RichTable, name: &str, shunned: &Value) -> Value {
    table.term(KEY, vec![table.text(name), shunned.clone()])
}

/// The texts that a value from outside has been chosen apart from, for [`stranger`] and
/// [`something`]. With `keys`, it is no identity either.
#[must_use]
pub fn none_of(table: &RichTable, texts: &[Value], keys: bool) -> Value {
    let mut all = vec![Value::Bool(keys)];
    all.extend_from_slice(texts);
    table.term(NONE_OF, all)
}

/// A text from outside that differs from the given ones (see [`none_of`]) and equals only itself.
#[must_use]
pub fn stranger(table: &RichTable, name: &str, shunned: &Value) -> Value {
    table.term(STRANGER, vec![table.text(name), shunned.clone()])
}

/// A value from outside; if it is a text, it differs from the given ones. Two of them may differ.
#[must_use]
pub fn something(table: &RichTable, name: &str, shunned: &Value) -> Value {
    table.term(SOMETHING, vec![table.text(name), shunned.clone()])
}

/// A float from outside of which bounds are known: at least the first, below the second. Two of
/// them may differ.
#[must_use]
pub fn between(table: &RichTable, name: &str, least: f64, below: f64) -> Value {
    let shunned = none_of(table, &[], false);
    let bounds = [table.float(least), table.float(below)];
    let [least, below] = bounds;
    table.term(SOMETHING, vec![table.text(name), shunned, least, below])
}

/// What cannot be computed: an operation, usually a library function, and of what. Two of them with
/// equal operands are equal, unless one of these is [`something`].
#[must_use]
pub fn unknown(table: &RichTable, what: &str, args: &[Value]) -> Value {
    let mut all = Vec::with_capacity(args.len() + 1);
    all.push(table.text(what));
    all.extend_from_slice(args);
    table.term(UNKNOWN, all)
}

/// The concatenation of texts, known or not.
#[must_use]
pub fn join(table: &RichTable, texts: &[Value]) -> Value {
    let mut builder = TextBuilder::new(table);
    for text in texts {
        builder.push(text);
    }
    builder.finish()
}

/// Builds a concatenation in canonical form.
pub(super) struct TextBuilder<'a> {
    table: &'a RichTable,
    parts: Vec<Value>,
    /// Known text at the end, not yet a part.
    tail: String,
}

impl<'a> TextBuilder<'a> {
    pub(super) fn new(table: &'a RichTable) -> Self {
        TextBuilder {
            table,
            parts: Vec::new(),
            tail: String::new(),
        }
    }

    /// Appends known text.
    pub(super) fn push_str(&mut self, text: &str) {
        self.tail.push_str(text);
    }

    /// Appends text, known or not.
    pub(super) fn push(&mut self, text: &Value) {
        match &*self.table.get(text.rich()) {
            Rich::Text(known) => self.tail.push_str(known),
            Rich::Term { functor, args } if &**functor == CONCAT => {
                for part in args {
                    self.push_part(part);
                }
            }
            _ => self.push_part(text),
        }
    }

    fn push_part(&mut self, part: &Value) {
        if let Rich::Text(known) = &*self.table.get(part.rich()) {
            self.tail.push_str(known);
            return;
        }
        self.flush();
        self.parts.push(part.clone());
    }

    fn flush(&mut self) {
        if !self.tail.is_empty() {
            self.parts.push(self.table.text(&self.tail));
            self.tail.clear();
        }
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> Value {
        if self.parts.is_empty() {
            return self.table.text(&self.tail);
        }
        self.flush();
        match self.parts.as_slice() {
            [only] => only.clone(),
            _ => self.table.term(CONCAT, self.parts),
        }
    }
}

/// How many characters a text has. All UUIDs are equally long, so an identity has a length.
pub(super) fn length(table: &RichTable, value: &Value) -> Answer<usize> {
    match &*table.get(value.rich()) {
        Rich::Term { functor, .. } if &**functor == KEY => Ok(UUID_LENGTH),
        Rich::Term { functor, args } if &**functor == CONCAT => {
            args.iter().map(|part| length(table, part)).sum()
        }
        _ => super::values::text(table, value).map(|text| text.chars().count()),
    }
}
