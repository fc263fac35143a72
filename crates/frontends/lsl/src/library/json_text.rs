//! JSON as LSL reads it: one level at a time.
//!
//! A function looks at the members of one array or object and leaves what is nested in them as
//! text, so malformed text deeper down goes unnoticed, and nothing here recurses. Grammar: RFC
//! 8259, except that a number may begin or end with its point.

/// What kind of value a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `{...}`, not looked into.
    Object,
    /// `[...]`, not looked into.
    Array,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// `null`.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
}

/// A member of an object, with its name, or of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member<'a> {
    /// The name, without quotes; empty in an array.
    pub(super) name: String,
    /// The value's text.
    pub(super) value: &'a str,
}

/// The kind of a text without space around it; `None` if it is no value.
pub(super) fn kind(text: &str) -> Option<Kind> {
    match text {
        "null" => return Some(Kind::Null),
        "true" => return Some(Kind::True),
        "false" => return Some(Kind::False),
        _ => {}
    }
    let kind = match text.bytes().next()? {
        b'{' => Kind::Object,
        b'[' => Kind::Array,
        b'"' => Kind::Text,
        _ => return is_number(text).then_some(Kind::Number),
    };
    (value_length(text) == Some(text.len())).then_some(kind)
}

/// The members of an array or object; `None` if this level is malformed.
pub(super) fn members(container: &str) -> Option<Vec<Member<'_>>> {
    let is_object = container.starts_with('{');
    let inside = container.get(1..container.len().checked_sub(1)?)?;
    let mut rest = inside.trim_start_matches(is_space);
    let mut members = Vec::new();
    while !rest.is_empty() {
        let mut name = String::new();
        if is_object {
            let length = value_length(rest).filter(|_| rest.starts_with('"'))?;
            name = unquote(&rest[..length]);
            rest = rest[length..].trim_start_matches(is_space);
            rest = rest.strip_prefix(':')?.trim_start_matches(is_space);
        }
        let length = value_length(rest)?;
        let value = &rest[..length];
        kind(value)?;
        members.push(Member { name, value });
        rest = rest[length..].trim_start_matches(is_space);
        if !rest.is_empty() {
            rest = rest.strip_prefix(',')?.trim_start_matches(is_space);
            if rest.is_empty() {
                return None;
            }
        }
    }
    Some(members)
}

/// How long the value at the start of the text is.
fn value_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'"' => text_length(bytes),
        b'{' | b'[' => {
            let mut open = Vec::new();
            let mut at = 0;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'"' => {
                        at += text_length(&bytes[at..])?;
                        continue;
                    }
                    b'{' => open.push(b'}'),
                    b'[' => open.push(b']'),
                    b'}' | b']' if open.pop() != Some(*byte) => return None,
                    _ => {}
                }
                at += 1;
                if open.is_empty() {
                    return Some(at);
                }
            }
            None
        }
        _ => {
            let end = |c| is_space(c) || matches!(c, ',' | ':' | ']' | '}');
            Some(text.find(end).unwrap_or(text.len()))
        }
    }
}

/// How long the quoted text at the start is, with its quotes.
fn text_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Whether all of the text is a number.
pub(super) fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(text);
    let mut rest = &text[whole..];
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix('.') {
        fraction = digits(after);
        rest = &after[fraction..];
    }
    if whole + fraction == 0 {
        return false;
    }
    if let Some(after) = rest.strip_prefix(['e', 'E']) {
        let after = after.strip_prefix(['+', '-']).unwrap_or(after);
        let exponent = digits(after);
        return exponent > 0 && exponent == after.len();
    }
    rest.is_empty()
}

/// The text in quotes, which is well-formed. Escapes by number are not translated.
pub(super) fn unquote(quoted: &str) -> String {
    let mut text = String::new();
    let mut characters = quoted[1..quoted.len() - 1].chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        text.push(match characters.next() {
            Some('b') => '\u{8}',
            Some('t') => '\t',
            Some('n') => '\n',
            Some('f') => '\u{C}',
            Some('r') => '\r',
            Some(other) => other,
            None => '\\',
        });
    }
    text
}

/// A text in quotes. Slashes are escaped too.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\u{8}' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\u{C}' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' | '/' => {
                quoted.push('\\');
                quoted.push(character);
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// An object or array of members.
pub(super) fn container(
    is_object: bool,
    members: impl Iterator<Item = (String, String)>,
) -> String {
    let members: Vec<String> = members
        .map(|(name, value)| {
            if is_object {
                format!("{}:{value}", quote(&name))
            } else {
                value
            }
        })
        .collect();
    let members = members.join(",");
    if is_object {
        format!("{{{members}}}")
    } else {
        format!("[{members}]")
    }
}

pub(super) fn is_space(c: char) -> bool {
    super::numerals::is_space(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, expected) in [
            ("null", Some(Kind::Null)),
            ("12", Some(Kind::Number)),
            ("-.5e-3", Some(Kind::Number)),
            ("1e", None),
            (".", None),
            ("nul", None),
            ("\"a\\\"b\"", Some(Kind::Text)),
            ("\"a\"b", None),
            ("\"a\\\"", None),
            ("[1,{]", None),
            ("[1,{}]", Some(Kind::Array)),
            ("{\"]\":1}", Some(Kind::Object)),
            ("", None),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    #[test]
    fn one_level_of_members() {
        let found = members(r#"{ "a" : [1, 2] , "b":"x,y"}"#).expect("well-formed");
        let found: Vec<_> = found.iter().map(|m| (&*m.name, m.value)).collect();
        assert_eq!(found, [("a", "[1, 2]"), ("b", "\"x,y\"")]);
        assert_eq!(members("[]"), Some(vec![]));
        for malformed in [
            "[1,]", "[,1]", "[1 2]", "{1:2}", "{\"a\"}", "{\"a\":}", "[x]",
        ] {
            assert_eq!(members(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn quoting_is_undone() {
        let text = "a\"b\\c/d\n\té";
        assert_eq!(unquote(&quote(text)), text);
        assert_eq!(quote("a/b"), "\"a\\/b\"");
    }

    #[test]
    fn nesting_does_not_recurse() {
        let deep = "[".repeat(100_000);
        assert_eq!(kind(&deep), None);
        let closed = format!("{deep}{}", "]".repeat(100_000));
        assert_eq!(kind(&closed), Some(Kind::Array));
    }
}
