//! Godot's text resources: tags in brackets, and under each the properties of an object.
//!
//! Written after the documentation of the TSCN format and the parser of variants of godot-orchestrator. Values
//! of types with names (`Vector2(1, 2)`, `Array[int]([1])`) keep their name and what stands in
//! parentheses; nothing else is made of them.

use source::{FileId, Span};

/// Values within values deeper than this are refused.
const DEEPEST: u32 = 100;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
    /// A value of a type with a name.
    Made(String, Vec<Value>),
}

impl Value {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
            Value::Int(number) => Some(*number as f64),
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The member of a map.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(members) => {
                let found = members.iter().find(|(member, _)| member == name);
                found.map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The elements of a list, typed or not; of anything else, none.
    pub(super) fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            Value::Made(_, parts) => match parts.as_slice() {
                [Value::List(items)] => items,
                parts => parts,
            },
            _ => &[],
        }
    }
}

/// A tag and the properties under it.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) tag: String,
    pub(super) fields: Vec<(String, Value)>,
    pub(super) properties: Vec<(String, Value)>,
    pub(super) span: Span,
}

impl Section {
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(field, _)| field == name)?;
        found.1.text()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let found = self
            .properties
            .iter()
            .find(|(property, _)| property == name)?;
        Some(&found.1)
    }
}

/// What is wrong with a text, and where.
pub(super) type Wrong = (String, Span);

/// The sections of a text.
pub(super) fn sections(text: &str, file: FileId) -> Result<Vec<Section>, Wrong> {
    let mut reader = Reader { text, at: 0, file };
    let mut sections: Vec<Section> = Vec::new();
    loop {
        reader.blanks();
        let start = reader.at;
        match reader.peek() {
            None => return Ok(sections),
            Some('[') => {
                reader.at += 1;
                let tag = reader.word()?;
                let mut fields = Vec::new();
                loop {
                    reader.blanks();
                    if reader.eat(']') {
                        break;
                    }
                    let name = reader.word()?;
                    reader.blanks();
                    reader.expect('=')?;
                    fields.push((name, reader.value(0)?));
                }
                sections.push(Section {
                    tag,
                    fields,
                    properties: Vec::new(),
                    span: reader.span(start),
                });
            }
            Some(_) => {
                let name = reader.name()?;
                reader.blanks();
                reader.expect('=')?;
                let value = reader.value(0)?;
                match sections.last_mut() {
                    Some(section) => section.properties.push((name, value)),
                    None => {
                        return Err((
                            "a property stands under no tag".to_owned(),
                            reader.span(start),
                        ));
                    }
                }
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.file, offset(start), offset(self.at.max(start)))
    }

    fn wrong<T>(&self, message: &str) -> Result<T, Wrong> {
        Err((message.to_owned(), self.span(self.at)))
    }

    /// Blanks, and comments, which begin with a semicolon.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.rest().starts_with(';') {
                return;
            }
            let line = self.rest().find('\n').unwrap_or(self.rest().len());
            self.at += line;
        }
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        if found {
            self.at += character.len_utf8();
        }
        found
    }

    fn expect(&mut self, character: char) -> Result<(), Wrong> {
        match self.eat(character) {
            true => Ok(()),
            false => self.wrong(&format!("`{character}` is missing here")),
        }
    }

    /// A name of letters, digits and what stands for them.
    fn word(&mut self) -> Result<String, Wrong> {
        self.blanks();
        let of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | ':');
        let rest = self.rest();
        let length = rest.find(|c: char| !of_word(c)).unwrap_or(rest.len());
        if length == 0 {
            return self.wrong("a name is missing here");
        }
        let word = rest[..length].to_owned();
        self.at += length;
        Ok(word)
    }

    /// The name of a property, which may be quoted.
    fn name(&mut self) -> Result<String, Wrong> {
        match self.peek() {
            Some('"') => self.string(),
            _ => self.word(),
        }
    }

    fn string(&mut self) -> Result<String, Wrong> {
        self.expect('"')?;
        let mut made = String::new();
        loop {
            let Some(character) = self.peek() else {
                return self.wrong("a text does not end");
            };
            self.at += character.len_utf8();
            match character {
                '"' => return Ok(made),
                '\\' => {
                    let Some(escaped) = self.peek() else {
                        return self.wrong("a text does not end");
                    };
                    self.at += escaped.len_utf8();
                    made.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'u' | 'U' => {
                            let digits = if escaped == 'u' { 4 } else { 6 };
                            let number = self.rest().get(..digits);
                            let number = number.and_then(|n| u32::from_str_radix(n, 16).ok());
                            let Some(number) = number else {
                                return self.wrong("the number of a character is missing here");
                            };
                            self.at += digits;
                            char::from_u32(number).unwrap_or('\u{fffd}')
                        }
                        other => other,
                    });
                }
                _ => made.push(character),
            }
        }
    }

    fn value(&mut self, depth: u32) -> Result<Value, Wrong> {
        self.blanks();
        if depth > DEEPEST {
            return self.wrong("values stand too deep in one another");
        }
        match self.peek() {
            Some('"') => Ok(Value::Text(self.string()?)),
            Some('&' | '^') => {
                self.at += 1;
                Ok(Value::Text(self.string()?))
            }
            Some('[') => {
                self.at += 1;
                Ok(Value::List(self.list(']', depth)?))
            }
            Some('{') => {
                self.at += 1;
                Ok(Value::Map(self.members(depth)?))
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+') => self.literal(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let word = self.word()?;
                // `Array[int](...)`: the type of the elements is passed over.
                if self.peek() == Some('[') {
                    self.at += 1;
                    self.list(']', depth)?;
                }
                if self.eat('(') {
                    let parts = self.list(')', depth)?;
                    return Ok(Value::Made(word, parts));
                }
                Ok(match word.as_str() {
                    "true" => Value::Bool(true),
                    "false" => Value::Bool(false),
                    "inf" => Value::Number(f64::INFINITY),
                    "inf_neg" => Value::Number(f64::NEG_INFINITY),
                    "nan" => Value::Number(f64::NAN),
                    "null" | "nil" => Value::Null,
                    _ => Value::Made(word, Vec::new()),
                })
            }
            _ => self.wrong("a value is missing here"),
        }
    }

    fn literal(&mut self) -> Result<Value, Wrong> {
        let of_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
        let rest = self.rest();
        let length = rest.find(|c: char| !of_number(c)).unwrap_or(rest.len());
        let number = &rest[..length];
        let value = match (number.parse(), number.parse()) {
            (Ok(number), _) => Value::Int(number),
            (_, Ok(number)) => Value::Number(number),
            _ => return self.wrong("this is no number"),
        };
        self.at += length;
        Ok(value)
    }

    fn list(&mut self, end: char, depth: u32) -> Result<Vec<Value>, Wrong> {
        let mut items = Vec::new();
        loop {
            self.blanks();
            if self.eat(end) {
                return Ok(items);
            }
            items.push(self.value(depth + 1)?);
            self.blanks();
            // Members of an object: `"name": value`.
            if self.eat(':') {
                items.push(self.value(depth + 1)?);
                self.blanks();
            }
            if !self.eat(',') && self.peek() != Some(end) {
                return self.wrong(&format!("`{end}` is missing here"));
            }
        }
    }

    fn members(&mut self, depth: u32) -> Result<Vec<(String, Value)>, Wrong> {
        let mut members = Vec::new();
        loop {
            self.blanks();
            if self.eat('}') {
                return Ok(members);
            }
            let name = match self.value(depth + 1)? {
                Value::Text(name) => name,
                Value::Int(number) => number.to_string(),
                _ => String::new(),
            };
            self.blanks();
            self.expect(':')?;
            members.push((name, self.value(depth + 1)?));
            self.blanks();
            if !self.eat(',') && self.peek() != Some('}') {
                return self.wrong("`}` is missing here");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::SourceMap;

    fn read(text: &str) -> Result<Vec<Section>, Wrong> {
        let mut sources = SourceMap::new();
        let file = sources.add("f.torch", text);
        sections(text, file)
    }

    #[test]
    fn values_of_all_sorts_are_read() {
        let text = "[a type=\"B\" n=2]\nx = Array[int]([1, -2,])\ny = {\n\"k\": &\"v\\n\", \"l\": Vector2(1, 2.5)\n}\n; a remark\nz/w = null\n";
        let found = read(text).expect("it is well-formed");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].field("type"), Some("B"));
        let x = found[0].get("x").expect("it is there");
        assert_eq!(x.items(), [Value::Int(1), Value::Int(-2)]);
        let y = found[0].get("y").expect("it is there");
        assert_eq!(y.get("k").and_then(Value::text), Some("v\n"));
        let place = y.get("l").expect("it is there").items();
        assert_eq!(place[1].number(), Some(2.5));
        assert_eq!(found[0].get("z/w"), Some(&Value::Null));
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        for text in [
            "x = 1",
            "[a",
            "[a b]",
            "[a]\nx",
            "[a]\nx = ",
            "[a]\nx = [1",
            "[a]\nx = {1 2}",
            "[a]\nx = \"",
            "[a]\nx = \"\\u12\"",
            "[a]\nx = 1z",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read(&format!("[a]\nx = {}", "[".repeat(100_000))).is_err());
    }
}
