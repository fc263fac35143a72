//! Formulas and event patterns: recursive descent over LSL's tokens.
//!
//! Atoms are LSL expressions, so the reader decides at each `(` and `!` whether a formula or an
//! expression begins: it is a formula if something temporal or an event stands inside. Operators
//! in symbols (`[] <> X !`) reach over one operand, as in SPIN; operators in words (`always`,
//! `never`, `eventually`, `next`) reach as far right as they can, as in a sentence.
//!
//! From loosest to tightest: `leads to`; `<->`; `->` (right); `&&` and `||` on one level, as in
//! LSL; `U V R W` (right).

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::syntax::{Argument, During, EventKind, Formula, Pattern};
use crate::ast::{Ast, ExprId, ExprKind, Name};
use crate::codes::property as code;
use crate::facts;
use crate::parser::{ExpressionOptions, parse_expression};
use crate::token::{Token, TokenKind};

/// How deep formulas may nest.
const MAX_DEPTH: u32 = 100;

/// How many operators a formula may have; more than anybody reads.
const MAX_OPERATORS: u32 = 400;

/// The words that are operators on one formula.
const PREFIX_WORDS: [&str; 4] = ["always", "never", "eventually", "next"];

/// A place among the tokens of one directive.
pub(super) struct Reader<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) ast: &'a mut Ast,
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    /// Reading ends before this token.
    pub(super) limit: usize,
    /// The directive.
    pub(super) whole: Span,
    pub(super) diagnostics: Diagnostics,
    depth: u32,
    operators: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        source: &'a SourceFile,
        ast: &'a mut Ast,
        tokens: &'a [Token],
        whole: Span,
    ) -> Reader<'a> {
        Reader {
            source,
            ast,
            tokens,
            at: 0,
            limit: tokens.len() - 1,
            whole,
            diagnostics: Diagnostics::new(),
            depth: 0,
            operators: 0,
        }
    }

    fn token(&self, at: usize) -> Token {
        let token = self.tokens[at.min(self.tokens.len() - 1)];
        if at < self.limit {
            return token;
        }
        let start = self.tokens[self.limit.min(self.tokens.len() - 1)].start;
        Token {
            kind: TokenKind::End,
            start,
            end: start,
        }
    }

    fn kind_at(&self, at: usize) -> TokenKind {
        self.token(at).kind
    }

    fn text_at(&self, at: usize) -> &'a str {
        let token = self.token(at);
        &self.source.text()[token.start as usize..token.end as usize]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.kind_at(self.at)
    }

    pub(super) fn span(&self) -> Span {
        self.token(self.at).span(self.source.id())
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        &self.source.text()[span.range()]
    }

    pub(super) fn bump(&mut self) {
        self.at = (self.at + 1).min(self.limit);
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.is_word(self.at, word)
    }

    pub(super) fn at_words(&self, words: &[&str]) -> bool {
        (self.at..)
            .zip(words)
            .all(|(at, word)| self.is_word(at, word))
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.kind_at(at) == TokenKind::Name && self.text_at(at) == word
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> Option<T> {
        let found = match self.kind() {
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", self.text(self.span())),
        };
        let diagnostic =
            Diagnostic::error(code::FORMULA, format!("expected {what}, found {found}"))
                .at(self.span())
                .saying(format!("expected {what}"));
        self.fail(diagnostic)
    }

    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Option<()> {
        if self.eat(kind) {
            return Some(());
        }
        self.expected(what)
    }

    pub(super) fn expect_end(&mut self) -> Option<()> {
        if self.kind() == TokenKind::End {
            return Some(());
        }
        self.expected("an operator or `;`")
    }

    pub(super) fn expect_name(&mut self, what: &str) -> Option<Name> {
        if self.kind() != TokenKind::Name {
            return self.expected(what);
        }
        Some(self.take_name())
    }

    fn take_name(&mut self) -> Name {
        let span = self.span();
        self.bump();
        let symbol = self.ast.intern(&self.source.text()[span.range()]);
        Name { symbol, span }
    }

    /// The text of a span on one line, without `//@` and other comments.
    pub(super) fn one_line(&self, span: Span) -> String {
        let mut line = String::new();
        let mut end = None;
        for token in self.tokens {
            if token.kind == TokenKind::End || token.start < span.start || token.end > span.end {
                continue;
            }
            if end.is_some_and(|end| end != token.start) {
                line.push(' ');
            }
            line.push_str(&self.source.text()[token.start as usize..token.end as usize]);
            end = Some(token.end);
        }
        line
    }

    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)].span(self.source.id());
        start.to(last)
    }

    /// An expression with all its operators.
    pub(super) fn whole_expression(&mut self) -> Option<ExprId> {
        self.expression(false)
    }

    fn expression(&mut self, stop_at_logical: bool) -> Option<ExprId> {
        if self.kind() == TokenKind::End {
            return self.expected("an expression");
        }
        let options = ExpressionOptions {
            words: &["in"],
            stop_at_logical,
        };
        let prefix = parse_expression(self.source, self.ast, self.tokens, self.at, options);
        let failed = prefix.diagnostics.has_errors();
        self.diagnostics.append(prefix.diagnostics);
        self.at = prefix.next.min(self.limit);
        (!failed).then_some(prefix.expr)
    }

    /// A formula.
    pub(super) fn formula(&mut self) -> Option<Formula> {
        if self.depth == MAX_DEPTH {
            let diagnostic = Diagnostic::error(
                code::FORMULA,
                format!("formula nested more than {MAX_DEPTH} levels deep"),
            )
            .at(self.span());
            return self.fail(diagnostic);
        }
        self.depth += 1;
        let formula = self.leads_to();
        self.depth -= 1;
        formula
    }

    /// Counts one operator more.
    fn operator(&mut self) -> Option<()> {
        self.operators += 1;
        if self.operators <= MAX_OPERATORS {
            return Some(());
        }
        let diagnostic = Diagnostic::error(
            code::FORMULA,
            format!("a formula with more than {MAX_OPERATORS} operators"),
        )
        .at(self.span());
        self.fail(diagnostic)
    }

    fn leads_to(&mut self) -> Option<Formula> {
        let left = self.equivalence()?;
        if !self.at_words(&["leads", "to"]) {
            return Some(left);
        }
        self.bump();
        self.bump();
        let right = self.equivalence()?;
        Some(Formula::LeadsTo(Box::new(left), Box::new(right)))
    }

    fn equivalence(&mut self) -> Option<Formula> {
        let mut left = self.implication()?;
        while self.eat(TokenKind::DoubleArrow) {
            self.operator()?;
            let right = self.implication()?;
            left = Formula::Iff(Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn implication(&mut self) -> Option<Formula> {
        let mut operands = vec![self.logical()?];
        while self.eat(TokenKind::Arrow) {
            self.operator()?;
            operands.push(self.logical()?);
        }
        let mut formula = operands.pop()?;
        while let Some(left) = operands.pop() {
            formula = Formula::Implies(Box::new(left), Box::new(formula));
        }
        Some(formula)
    }

    fn logical(&mut self) -> Option<Formula> {
        let start = self.span();
        let mut left = self.binary_temporal()?;
        let mut only_states = matches!(left, Formula::State(_));
        let mut first = None;
        let mut mixed = None;
        while matches!(self.kind(), TokenKind::AndAnd | TokenKind::OrOr) {
            self.operator()?;
            let op = self.kind();
            let op_span = self.span();
            if *first.get_or_insert(op) != op {
                mixed.get_or_insert(op_span);
            }
            self.bump();
            let right = self.binary_temporal()?;
            only_states &= matches!(right, Formula::State(_));
            left = if op == TokenKind::AndAnd {
                Formula::And(Box::new(left), Box::new(right))
            } else {
                Formula::Or(Box::new(left), Box::new(right))
            };
        }
        if let Some(at) = mixed.filter(|_| !only_states) {
            let whole = self.since(start);
            let diagnostic = Diagnostic::error(
                code::MIXED_LOGIC,
                "`&&` and `||` are mixed without parentheses",
            )
            .at(at)
            .label(whole, "in this formula")
            .help("LSL reads them from the left, logic reads `&&` first; parentheses tell");
            return self.fail(diagnostic);
        }
        Some(left)
    }

    fn binary_temporal(&mut self) -> Option<Formula> {
        let left = self.unary()?;
        let word = match self.kind() {
            TokenKind::Name => self.text(self.span()),
            _ => return Some(left),
        };
        let make: fn(Box<Formula>, Box<Formula>) -> Formula = match word {
            "U" | "until" => Formula::Until,
            "V" | "R" | "releases" => Formula::Release,
            "W" => Formula::WeakUntil,
            _ => return Some(left),
        };
        self.bump();
        if self.depth == MAX_DEPTH {
            return self.formula();
        }
        self.depth += 1;
        let right = self.binary_temporal();
        self.depth -= 1;
        Some(make(Box::new(left), Box::new(right?)))
    }

    fn unary(&mut self) -> Option<Formula> {
        let make: fn(Box<Formula>) -> Formula = if self.box_at(self.at) {
            self.bump();
            self.bump();
            Formula::Always
        } else if self.diamond_at(self.at) {
            self.bump();
            self.bump();
            Formula::Eventually
        } else if self.at_word("X") && self.operand_at(self.at + 1) {
            self.bump();
            Formula::Next
        } else if self.kind() == TokenKind::Bang && self.temporal_at(self.at + 1) {
            self.bump();
            Formula::Not
        } else if let Some(word) = self.prefix_word(self.at) {
            self.bump();
            let operand = Box::new(self.formula()?);
            return Some(match word {
                "always" => Formula::Always(operand),
                "never" => Formula::Never(operand),
                "eventually" => Formula::Eventually(operand),
                _ => Formula::Next(operand),
            });
        } else {
            return self.atom();
        };
        if self.depth == MAX_DEPTH {
            return self.formula();
        }
        self.depth += 1;
        let operand = self.unary();
        self.depth -= 1;
        Some(make(Box::new(operand?)))
    }

    fn atom(&mut self) -> Option<Formula> {
        if self.pattern_at(self.at) {
            return Some(Formula::Event(Box::new(self.pattern()?)));
        }
        if self.kind() == TokenKind::LeftParen && self.temporal_at(self.at) {
            self.bump();
            let formula = self.formula()?;
            self.expect(TokenKind::RightParen, "`)` or an operator")?;
            return Some(formula);
        }
        if self.kind() == TokenKind::End {
            return self.expected("an expression or an event");
        }
        Some(Formula::State(self.expression(true)?))
    }

    /// `[]`, where it is no empty list: an operator behind it would make it one.
    fn box_at(&self, at: usize) -> bool {
        self.kind_at(at) == TokenKind::LeftBracket
            && self.kind_at(at + 1) == TokenKind::RightBracket
            && self.operand_at(at + 2)
    }

    fn diamond_at(&self, at: usize) -> bool {
        self.kind_at(at) == TokenKind::Less
            && self.kind_at(at + 1) == TokenKind::Greater
            && self.token(at).end == self.token(at + 1).start
    }

    /// Whether an operand may begin here.
    fn operand_at(&self, at: usize) -> bool {
        use TokenKind as T;
        matches!(
            self.kind_at(at),
            T::Name
                | T::Integer
                | T::Float
                | T::String
                | T::LeftParen
                | T::LeftBracket
                | T::Less
                | T::Minus
                | T::Bang
                | T::Tilde
        ) && !matches!(
            self.text_at(at),
            "U" | "V" | "R" | "W" | "until" | "releases" | "leads"
        )
    }

    fn prefix_word(&self, at: usize) -> Option<&'static str> {
        let word = PREFIX_WORDS
            .into_iter()
            .find(|word| self.is_word(at, word))?;
        // A variable of that name has an operator behind it.
        (self.operand_at(at + 1) || self.kind_at(at + 1) == TokenKind::End).then_some(word)
    }

    /// Whether what begins here is temporal or an event, so no LSL expression.
    fn temporal_at(&self, mut at: usize) -> bool {
        while self.kind_at(at) == TokenKind::Bang {
            at += 1;
        }
        if self.pattern_at(at)
            || self.box_at(at)
            || self.diamond_at(at)
            || self.prefix_word(at).is_some()
            || (self.is_word(at, "X") && self.operand_at(at + 1))
        {
            return true;
        }
        if self.kind_at(at) != TokenKind::LeftParen {
            return false;
        }
        let mut depth = 0_u32;
        let mut previous_operand = false;
        for at in at.. {
            let kind = self.kind_at(at);
            match kind {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                TokenKind::End => return false,
                TokenKind::Arrow | TokenKind::DoubleArrow => return true,
                TokenKind::Name if previous_operand => {
                    // Two names in a row: `U`, `until`, `leads to`, but not `in closed`.
                    if matches!(
                        self.text_at(at),
                        "U" | "V" | "R" | "W" | "until" | "releases" | "leads"
                    ) {
                        return true;
                    }
                }
                _ => {}
            }
            let begins = !previous_operand || kind == TokenKind::LeftParen;
            if begins
                && (self.pattern_at(at)
                    || self.box_at(at)
                    || self.diamond_at(at)
                    || self.prefix_word(at).is_some()
                    || (self.is_word(at, "X") && self.operand_at(at + 1)))
            {
                return true;
            }
            previous_operand = matches!(
                kind,
                TokenKind::Name
                    | TokenKind::Integer
                    | TokenKind::Float
                    | TokenKind::String
                    | TokenKind::RightParen
                    | TokenKind::RightBracket
            );
        }
        false
    }

    /// Whether an event pattern begins here.
    fn pattern_at(&self, at: usize) -> bool {
        if self.kind_at(at) == TokenKind::State {
            return self.is_word(at + 1, "changes");
        }
        if self.kind_at(at) != TokenKind::Name {
            return false;
        }
        let next = self.kind_at(at + 1);
        match self.text_at(at) {
            "call" | "during" if next == TokenKind::Name => true,
            "paid" | "discarded" if next == TokenKind::LeftParen => true,
            _ if self.is_word(at + 1, "changes") => true,
            name => next == TokenKind::LeftParen && facts::event(name).is_some(),
        }
    }

    /// An event pattern where one has to stand.
    pub(super) fn pattern_required(&mut self) -> Option<Pattern> {
        if self.pattern_at(self.at) {
            return self.pattern();
        }
        let at = self.span();
        let mut diagnostic = Diagnostic::error(code::EVENT, "expected an event")
            .at(at)
            .help("events are `call FUNCTION(...)`, `VARIABLE changes`, `paid(id, amount)`, `owner changes`, and events of LSL such as `timer()`");
        if self.kind() == TokenKind::Name && self.kind_at(self.at + 1) == TokenKind::Name {
            let word = self.token(self.at + 1).span(self.source.id());
            if crate::check::suggest(self.text(word), ["changes"]).is_some() {
                diagnostic = diagnostic.fix_it(word, "changes", "write `changes`");
            }
        }
        if self.kind() == TokenKind::Name && self.kind_at(self.at + 1) == TokenKind::LeftParen {
            let name = self.text(at);
            if facts::function(name).is_some() {
                diagnostic = diagnostic.fix_it(at.start_point(), "call ", "write `call` before it");
            } else if let Some(similar) =
                crate::check::suggest(name, facts::events().iter().map(|event| event.name))
            {
                diagnostic = diagnostic.fix_it(at, similar, format!("write `{similar}`"));
            }
        }
        self.fail(diagnostic)
    }

    fn pattern(&mut self) -> Option<Pattern> {
        let start = self.span();
        let mut during = None;
        while self.at_word("during") {
            self.during(&mut during)?;
        }
        let (kind, arguments) = self.happening()?;
        let mut conditions = Vec::new();
        loop {
            if self.at_word("during") {
                self.during(&mut during)?;
            } else if self.kind() == TokenKind::If {
                self.bump();
                self.expect(TokenKind::LeftParen, "`(`")?;
                conditions.push(self.whole_expression()?);
                self.expect(TokenKind::RightParen, "`)`")?;
            } else {
                break;
            }
        }
        Some(Pattern {
            kind,
            arguments,
            during,
            conditions,
            span: self.since(start),
        })
    }

    fn during(&mut self, during: &mut Option<During>) -> Option<()> {
        let start = self.span();
        self.bump();
        let event = self.expect_name("an event of LSL")?;
        let arguments = self.arguments()?;
        let span = self.since(start);
        if let Some(first) = during {
            let diagnostic = Diagnostic::error(code::EVENT, "two `during` at one event")
                .at(span)
                .label(first.span, "the first");
            return self.fail(diagnostic);
        }
        *during = Some(During {
            event,
            arguments,
            span,
        });
        Some(())
    }

    fn happening(&mut self) -> Option<(EventKind, Vec<Argument>)> {
        let span = self.span();
        if self.kind() == TokenKind::State {
            let diagnostic = Diagnostic::error(
                code::EVENT,
                "a change of state cannot be observed as an event",
            )
            .at(span)
            .help("`state_entry()` happens when a state has been entered; `in STATE` tests it");
            return self.fail(diagnostic);
        }
        if self.eat_word("call") {
            let function = self.expect_name("the name of a function")?;
            return Some((EventKind::Call(function), self.arguments()?));
        }
        if self.is_word(self.at + 1, "changes") {
            let name = self.expect_name("a variable")?;
            self.bump();
            let kind = if self.ast.name_text(name) == "owner" {
                EventKind::OwnerChanges(name.span)
            } else {
                EventKind::Changes(name)
            };
            return Some((kind, Vec::new()));
        }
        let name = self.expect_name("an event")?;
        let arguments = self.arguments()?;
        let kind = match self.ast.name_text(name) {
            "paid" => EventKind::Paid(span),
            "discarded" => EventKind::Discarded(span),
            _ => EventKind::Handled(name),
        };
        Some((kind, arguments))
    }

    /// `(a, _, e)`.
    fn arguments(&mut self) -> Option<Vec<Argument>> {
        self.expect(TokenKind::LeftParen, "`(`")?;
        let mut arguments = Vec::new();
        if self.eat(TokenKind::RightParen) {
            return Some(arguments);
        }
        loop {
            let expr = self.whole_expression()?;
            let argument = match self.ast.expr(expr).kind {
                ExprKind::Name(name) if self.ast.name_text(name) == "_" => Argument::Any,
                ExprKind::Name(name) => Argument::Name(name),
                _ => Argument::Equal(expr),
            };
            arguments.push(argument);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`,` or `)`")?;
        Some(arguments)
    }
}
