//! Lists with subscripts, which viewers rewrite into calls (*lazy lists*).
//!
//! `(string)names[2]` becomes `llList2String(names, 2)`; `names[2] = "x";` becomes
//! `names = lazy_list_set(names, 2, ["x"]);` with a function that makes the list long enough.

use source::{Span, Token, TokenKind};

use super::lex;
use super::put;
use super::switch::closing;

/// The function that puts a value into a list, in a script that does not have it.
const SET: &str = "list lazy_list_set(list l, integer at, list value) {
    while (llGetListLength(l) < at) l += 0;
    return llListReplaceList(l, value, at, at);
}";

/// Whether there is a subscript somewhere: a name before a bracket is nothing else in LSL, and in property
/// text one before brackets with nothing in them.
pub(super) fn is_there(tokens: &[Token]) -> bool {
    let subscript = |three: &[Token]| is_list(&three[0]) && three[1].is("[") && !three[2].is("]");
    tokens.windows(3).any(subscript)
}

/// The tokens with calls in place of subscripts, as far as they are to be rewritten.
pub(super) fn rewritten(tokens: Vec<Token>) -> Vec<Token> {
    if !is_there(&tokens) {
        return tokens;
    }
    let has_function = tokens.iter().any(|token| token.is_word("lazy_list_set"));
    let mut first_set = None;
    let written = subscripts(&tokens, &mut first_set);
    match first_set {
        Some(span) if !has_function => {
            let mut all = lex::tokens_at(SET, span);
            all.extend(written);
            all
        }
        _ => written,
    }
}

fn subscripts(tokens: &[Token], first_set: &mut Option<Span>) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let Some((function, close)) = reading(tokens, at) {
            let list = &tokens[at + 3];
            let index = subscripts(&tokens[at + 5..close], first_set);
            put(&mut written, list.span, &[function, "("]);
            written.push(list.clone());
            put(&mut written, list.span, &[","]);
            let is_slice = function == "llList2List";
            let alone = is_slice && !has_comma(&index);
            written.extend(index.clone());
            if alone {
                put(&mut written, list.span, &[","]);
                written.extend(index);
            }
            put(&mut written, list.span, &[")"]);
            at = close + 1;
        } else if let Some((close, end)) = setting(tokens, at) {
            let list = &tokens[at];
            first_set.get_or_insert(list.span);
            written.push(list.clone());
            put(&mut written, list.span, &["=", "lazy_list_set", "("]);
            written.push(list.clone());
            put(&mut written, list.span, &[","]);
            written.extend(subscripts(&tokens[at + 2..close], first_set));
            put(&mut written, list.span, &[",", "["]);
            written.extend(subscripts(&tokens[close + 2..end], first_set));
            put(&mut written, list.span, &["]", ")"]);
            at = end;
        } else {
            written.push(tokens[at].clone());
            at += 1;
        }
    }
    written
}

/// For a cast of a subscript at index `at`: the function to call, and the index of the closing bracket.
fn reading(tokens: &[Token], at: usize) -> Option<(&'static str, usize)> {
    let [open, ty, shut, list, bracket] = tokens.get(at..at + 5)? else {
        return None;
    };
    if !open.is("(") || !shut.is(")") || !is_list(list) || !bracket.is("[") {
        return None;
    }
    let function = match &*ty.text {
        "integer" => "llList2Integer",
        "float" => "llList2Float",
        "string" => "llList2String",
        "key" => "llList2Key",
        "vector" => "llList2Vector",
        "rotation" | "quaternion" => "llList2Rot",
        "list" => "llList2List",
        _ => return None,
    };
    Some((function, closing(tokens, at + 4)?))
}

/// For an assignment to a subscript at index `at`: the indices of its closing bracket and of its semicolon.
fn setting(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    if !is_list(&tokens[at]) || !tokens.get(at + 1)?.is("[") {
        return None;
    }
    let close = closing(tokens, at + 1)?;
    if !tokens.get(close + 1)?.is("=") {
        return None;
    }
    let mut depth = 0i64;
    for (place, token) in tokens.iter().enumerate().skip(close + 2) {
        if token.is("(") || token.is("[") {
            depth += 1;
        } else if token.is(")") || token.is("]") {
            depth -= 1;
        } else if token.is("{") || token.is("}") {
            return None;
        }
        if token.is(";") && depth == 0 {
            return Some((close, place));
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

fn has_comma(tokens: &[Token]) -> bool {
    let mut depth = 0i64;
    tokens.iter().any(|token| {
        depth +=
            i64::from(token.is("(") || token.is("[")) - i64::from(token.is(")") || token.is("]"));
        token.is(",") && depth == 0
    })
}

/// Whether a token may be the name of a list.
fn is_list(token: &Token) -> bool {
    let is_keyword = crate::token::TokenKind::keyword(&token.text).is_some();
    token.kind == TokenKind::Name && !is_keyword
}
