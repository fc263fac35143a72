//! The words of the language.

use source::{FileId, Span};

use crate::types::Type;

/// The kind of a token. Literals and names carry no value; it is read from the
/// text when the parser wants it, so that a token stays small.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the variants are the language's own spellings")]
pub enum TokenKind {
    Name,
    Integer,
    Float,
    String,
    /// One of the words that name a type.
    Type(Type),
    Default,
    State,
    /// Reserved, without a use.
    Event,
    Jump,
    Return,
    If,
    Else,
    For,
    Do,
    While,
    Print,
    LeftBrace,
    RightBrace,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Semicolon,
    Comma,
    Period,
    Colon,
    At,
    Assign,
    PlusAssign,
    MinusAssign,
    StarAssign,
    SlashAssign,
    PercentAssign,
    PlusPlus,
    MinusMinus,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Bang,
    Tilde,
    Ampersand,
    Bar,
    Caret,
    AndAnd,
    OrOr,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    /// `->`: no LSL, but property text uses it, and no LSL has `-` before `>`.
    Arrow,
    /// `<->`: as [`TokenKind::Arrow`].
    DoubleArrow,
    /// Behind the last token; stands once, at the end.
    End,
}

impl TokenKind {
    /// The keyword with this spelling.
    #[must_use]
    pub fn keyword(word: &str) -> Option<TokenKind> {
        Some(match word {
            "default" => TokenKind::Default,
            "state" => TokenKind::State,
            "event" => TokenKind::Event,
            "jump" => TokenKind::Jump,
            "return" => TokenKind::Return,
            "if" => TokenKind::If,
            "else" => TokenKind::Else,
            "for" => TokenKind::For,
            "do" => TokenKind::Do,
            "while" => TokenKind::While,
            "print" => TokenKind::Print,
            _ => TokenKind::Type(Type::from_keyword(word)?),
        })
    }

    /// Whether the token is a reserved word.
    #[must_use]
    pub fn is_keyword(self) -> bool {
        matches!(
            self,
            TokenKind::Type(_)
                | TokenKind::Default
                | TokenKind::State
                | TokenKind::Event
                | TokenKind::Jump
                | TokenKind::Return
                | TokenKind::If
                | TokenKind::Else
                | TokenKind::For
                | TokenKind::Do
                | TokenKind::While
                | TokenKind::Print
        )
    }
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte.
    pub end: u32,
}

impl Token {
    /// The token's place in `file`.
    #[must_use]
    pub fn span(self, file: FileId) -> Span {
        Span::new(file, self.start, self.end)
    }
}

/// A `//@` comment: a line of property text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The whole comment, from `//@` to the end of the line.
    pub span: Span,
    /// What stands behind `//@`, without the line ending.
    pub text: Span,
}
