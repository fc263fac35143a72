//! A parser's tokens: looking ahead, taking, putting back.

use std::collections::VecDeque;

use crate::span::Span;
use crate::token::{Token, TokenKind};

/// The tokens that a parser has not taken yet; the last is [`TokenKind::End`] and stays.
#[derive(Debug)]
pub struct TokenStream {
    tokens: VecDeque<Token>,
    /// Where the last token taken stands.
    last: Span,
}

impl TokenStream {
    /// The tokens of a text.
    ///
    /// # Panics
    /// If there is none, since even an empty text has an end.
    #[must_use]
    pub fn new(tokens: Vec<Token>) -> Self {
        assert!(!tokens.is_empty(), "a text has an end");
        TokenStream {
            tokens: tokens.into(),
            last: Span::NONE,
        }
    }

    /// The token `ahead` tokens further on; at the end, the end.
    #[must_use]
    pub fn peek(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[ahead.min(last)]
    }

    /// Takes a token; the end again and again.
    #[expect(
        clippy::should_implement_trait,
        reason = "it never ends, so it is no iterator"
    )]
    pub fn next(&mut self) -> Token {
        crate::limits::check();
        let token = if self.tokens.len() > 1 {
            self.tokens.pop_front().expect("it has two tokens")
        } else {
            self.tokens[0].clone()
        };
        self.last = token.extent();
        token
    }

    /// Puts tokens before what comes next.
    pub fn prepend(&mut self, tokens: Vec<Token>) {
        for token in tokens.into_iter().rev() {
            self.tokens.push_front(token);
        }
    }

    /// How many tokens there are, with the end.
    #[must_use]
    pub fn left(&self) -> usize {
        self.tokens.len()
    }

    /// Takes all tokens but the end.
    pub fn skip_all(&mut self) {
        self.tokens.drain(..self.tokens.len() - 1);
    }

    /// Whether the punctuation `text` comes.
    #[must_use]
    pub fn at(&self, text: &str) -> bool {
        self.peek(0).is(text)
    }

    /// Whether the word `text` comes.
    #[must_use]
    pub fn at_word(&self, text: &str) -> bool {
        self.peek(0).is_word(text)
    }

    /// Whether all has been taken.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.peek(0).kind == TokenKind::End
    }

    /// Takes the punctuation `text`, if it comes.
    pub fn accept(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.next();
        }
        found
    }

    /// Takes the word `text`, if it comes.
    pub fn accept_word(&mut self, text: &str) -> bool {
        let found = self.at_word(text);
        if found {
            self.next();
        }
        found
    }

    /// Where the last token taken stands.
    #[must_use]
    pub fn last_span(&self) -> Span {
        self.last
    }

    /// Where the next token stands.
    #[must_use]
    pub fn here(&self) -> Span {
        self.peek(0).extent()
    }

    /// From `start` to the last token taken.
    #[must_use]
    pub fn since(&self, start: Span) -> Span {
        start.to(self.last)
    }

    /// What comes, as it is named in a message.
    #[must_use]
    pub fn found(&self) -> String {
        match self.peek(0).kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.peek(0).text),
        }
    }
}
