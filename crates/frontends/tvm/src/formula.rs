//! Reading formulas. A quantifier reaches as far as it can; then `<->`, `->`, `|`, `&`, `!`.

use model::predicates::Kleene;
use source::TokenKind;

use crate::parse::{Parser, Result};
use crate::tree::{Formula, Name};

impl Parser {
    /// A formula.
    pub(crate) fn formula(&mut self) -> Result<Formula> {
        self.deeper(|parser| {
            let mut left = parser.implication()?;
            while parser.tokens.accept("<->") {
                left = Formula::Same(Box::new([left, parser.implication()?]));
            }
            Ok(left)
        })
    }

    fn implication(&mut self) -> Result<Formula> {
        let left = self.disjunction()?;
        // In `%message f -> "text"` the arrow ends the formula.
        if self.tokens.at("->") && self.tokens.peek(1).kind != TokenKind::Text {
            self.tokens.next();
            let right = self.deeper(Parser::implication)?;
            return Ok(Formula::Or(vec![Formula::Not(Box::new(left)), right]));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Formula> {
        let mut all = vec![self.conjunction()?];
        while self.tokens.at("|") && !self.tokens.peek(1).is("/") {
            self.tokens.next();
            all.push(self.conjunction()?);
        }
        Ok(if all.len() == 1 {
            all.remove(0)
        } else {
            Formula::Or(all)
        })
    }

    fn conjunction(&mut self) -> Result<Formula> {
        let mut all = vec![self.negation()?];
        while self.tokens.at("&") && !self.tokens.peek(1).is("/") {
            self.tokens.next();
            all.push(self.negation()?);
        }
        Ok(if all.len() == 1 {
            all.remove(0)
        } else {
            Formula::And(all)
        })
    }

    fn negation(&mut self) -> Result<Formula> {
        if self.tokens.accept("!") {
            let inner = self.deeper(Parser::negation)?;
            return Ok(Formula::Not(Box::new(inner)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Formula> {
        let start = self.tokens.peek(0).clone();
        for (mark, all) in [("|", false), ("&", true)] {
            if self.tokens.at(mark) {
                self.tokens.next();
                self.expect("/")?;
                self.expect("{")?;
                let body = self.formula()?;
                self.expect(":")?;
                let variable = self.word()?;
                self.keyword("in")?;
                let set = self.set()?;
                self.expect("}")?;
                return Ok(Formula::Over(all, variable, set, Box::new(body)));
            }
        }
        if self.tokens.accept("(") {
            let inner = self.formula()?;
            if self.tokens.accept("?") {
                let then = self.formula()?;
                self.expect(":")?;
                let otherwise = self.formula()?;
                self.expect(")")?;
                return Ok(Formula::If(Box::new([inner, then, otherwise])));
            }
            self.expect(")")?;
            return Ok(inner);
        }
        if start.kind == TokenKind::Number {
            return Ok(Formula::Value(self.value()?));
        }
        let before_parenthesis = self.tokens.peek(1).is("(");
        match &*start.text {
            "E" | "A" if before_parenthesis => {
                self.tokens.next();
                let variables = self.words_in_parentheses()?;
                let body = Box::new(self.formula()?);
                return Ok(Formula::Bound(&*start.text == "E", variables, body));
            }
            "TC" if before_parenthesis => {
                self.tokens.next();
                let ends = self.pair()?;
                let step = self.pair()?;
                let body = Box::new(self.formula()?);
                return Ok(Formula::Closure(ends, step, body, start.span));
            }
            _ => {}
        }
        let name = self.name()?;
        if name.indices.is_empty() {
            for (mark, positive) in [("==", true), ("!=", false)] {
                if self.tokens.accept(mark) {
                    let other = self.word()?;
                    let span = self.tokens.since(start.span);
                    let equal = Formula::Equal(name.base, other, span);
                    return Ok(match positive {
                        true => equal,
                        false => Formula::Not(Box::new(equal)),
                    });
                }
            }
        }
        for (mark, none) in [("+", false), ("*", true)] {
            if self.tokens.accept(mark) {
                let ends = self.pair()?;
                return Ok(Formula::Way(name, ends, none));
            }
        }
        let arguments = self.words_in_parentheses()?;
        Ok(Formula::Holds(name, arguments))
    }

    /// `(a, b)`.
    fn pair(&mut self) -> Result<[String; 2]> {
        let words = self.words_in_parentheses()?;
        words.try_into().map_err(|_| {
            self.error("two variables are expected here");
        })
    }

    /// A truth value: `0`, `1`, `1/2`.
    pub(crate) fn value(&mut self) -> Result<Kleene> {
        let token = self.tokens.peek(0).clone();
        let known = match &*token.text {
            "0" => Kleene::False,
            "1" => Kleene::True,
            _ => {
                self.error("a truth value is expected here: `0`, `1` or `1/2`");
                return Err(());
            }
        };
        self.tokens.next();
        if known == Kleene::True && self.tokens.at("/") && &*self.tokens.peek(1).text == "2" {
            self.tokens.next();
            self.tokens.next();
            return Ok(Kleene::Unknown);
        }
        Ok(known)
    }

    /// `p` or `p[x, y]`.
    pub(crate) fn name(&mut self) -> Result<Name> {
        let span = self.tokens.peek(0).span;
        let base = self.word()?;
        let indices = match self.tokens.at("[") {
            true => self.list("[", "]")?,
            false => Vec::new(),
        };
        Ok(Name {
            base,
            indices,
            span: self.tokens.since(span),
        })
    }
}
