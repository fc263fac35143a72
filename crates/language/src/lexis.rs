//! How a text is cut into words and signs, as far as it takes to change one of them.
//!
//! No grammar: whoever changes a text reads it again afterwards, and what is no script any more is
//! dropped.

/// What the words and signs of a language are, and what can be put in their place.
#[derive(Debug)]
pub struct Lexis {
    /// What begins a comment up to the end of its line.
    pub line_comments: &'static [&'static str],
    /// What begins and what ends a comment of any length, if there are such.
    pub block_comment: Option<(&'static str, &'static str)>,
    /// Words and signs, and for each what makes a script of the same form that does something else.
    pub swaps: &'static [(&'static str, &'static str)],
    /// How a statement is left out, if a text consists of statements.
    pub statements: Option<Statements>,
}

/// Where statements begin and end.
#[derive(Debug)]
pub struct Statements {
    /// Words and signs behind which one can begin.
    pub after: &'static [&'static str],
    /// Words and signs before which one can end.
    pub before: &'static [&'static str],
    /// What does nothing, to stand in the place of one.
    pub nothing: &'static str,
    /// Words with which those begin that state a property.
    pub assertions: &'static [&'static str],
}

/// Operators of C, and of languages that have them from there.
const OPERATORS_OF_C: &[(&str, &str)] = &[
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("-", "+"),
    ("++", "--"),
    ("--", "++"),
    ("+=", "-="),
    ("-=", "+="),
    ("TRUE", "FALSE"),
    ("FALSE", "TRUE"),
    ("true", "false"),
    ("false", "true"),
];

impl Lexis {
    /// That of languages in the tradition of C.
    pub const OF_C: Lexis = Lexis {
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        swaps: OPERATORS_OF_C,
        statements: Some(Statements {
            after: &[";", "{", "}"],
            before: &[";"],
            nothing: "",
            assertions: &["assert"],
        }),
    };
}
