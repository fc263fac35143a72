//! Reading expressions, by the precedence of operators. Lambdas and classes without names become
//! classes of the file.

use source::{Span, TokenKind};

use super::{PRIMITIVES, Parser, Read};
use crate::tree::{Class, Expr, ExprKind, Method};

/// Operators from the loosest on.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">=", "instanceof"],
    &["<<", ">>", ">>>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const UPDATES: &[&str] = &["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="];

impl Parser {
    /// Expressions with commas between them, up to a mark.
    pub(super) fn expressions(&mut self, end: &str) -> Read<Vec<Expr>> {
        let mut all = Vec::new();
        while !self.tokens.at(end) {
            all.push(self.expression()?);
            if !self.tokens.accept(",") && !self.tokens.at(end) {
                return self.expected(&format!("`,` or `{end}`"));
            }
        }
        Ok(all)
    }

    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let all = self.expressions(")")?;
        self.expect(")")?;
        Ok(all)
    }

    /// An expression.
    pub(crate) fn expression(&mut self) -> Read<Expr> {
        self.deeper(Parser::assignment)
    }

    fn since(&self, span: Span, kind: ExprKind) -> Expr {
        Expr {
            kind,
            span: self.tokens.since(span),
        }
    }

    fn assignment(&mut self) -> Read<Expr> {
        let span = self.tokens.peek(0).span;
        if self.at_lambda() {
            return self.lambda(span);
        }
        let left = self.conditional()?;
        if self.tokens.accept("=") {
            let right = self.expression()?;
            return Ok(self.since(span, ExprKind::Assign(Box::new([left, right]))));
        }
        let shifts = self.shift_assignment();
        if shifts > 0 || UPDATES.iter().any(|mark| self.tokens.at(mark)) {
            (0..shifts.max(1)).for_each(|_| {
                self.tokens.next();
            });
            let right = self.expression()?;
            return Ok(self.since(span, ExprKind::Update(Box::new(left), vec![right])));
        }
        Ok(left)
    }

    /// How many tokens `>>=` or `>>>=` has, if it comes.
    fn shift_assignment(&self) -> usize {
        let mut at = 0;
        while self.tokens.peek(at).is(">") {
            at += 1;
        }
        match self.tokens.peek(at).is(">=") && at > 0 {
            true => at + 1,
            false => 0,
        }
    }

    fn at_lambda(&self) -> bool {
        if self.tokens.peek(0).kind == TokenKind::Name {
            return self.tokens.peek(1).is("->");
        }
        if !self.tokens.at("(") {
            return false;
        }
        let mut at = 1;
        while !self.tokens.peek(at).is(")") {
            let token = self.tokens.peek(at);
            if token.kind != TokenKind::Name && !token.is(",") {
                return false;
            }
            at += 1;
        }
        self.tokens.peek(at + 1).is("->")
    }

    fn lambda(&mut self, span: Span) -> Read<Expr> {
        while !self.tokens.accept("->") {
            self.tokens.next();
        }
        let (outer, before) = (self.around.last().cloned(), self.tokens.left());
        let mentioned = self.names_ahead();
        let body = self.lambda_body()?;
        debug_assert!(self.tokens.left() < before, "a body was read");
        let name = self.nameless_class();
        self.file.classes.push(Class {
            name: name.clone(),
            outer,
            inner: true,
            interfaces: vec!["Runnable".to_owned()],
            methods: vec![Method {
                name: "run".to_owned(),
                is_static: false,
                synchronized: false,
                result: Parser::void(),
                parameters: Vec::new(),
                body: Some(body),
                span,
            }],
            mentioned,
            ..Class::default()
        });
        Ok(self.since(span, ExprKind::New(name, Vec::new())))
    }

    fn nameless_class(&mut self) -> String {
        self.nameless += 1;
        let outer = self.around.first().map_or("", String::as_str);
        format!("{outer}${}", self.nameless)
    }

    /// The names that are mentioned up to the end of the brackets that open here, or of the statement.
    fn names_ahead(&self) -> Vec<String> {
        let (mut at, mut open) = (0, 0_usize);
        let mut found: Vec<String> = Vec::new();
        loop {
            let token = self.tokens.peek(at);
            match &*token.text {
                "(" | "{" | "[" => open += 1,
                ")" | "}" | "]" if open <= 1 => return found,
                ")" | "}" | "]" => open -= 1,
                ";" if open == 0 => return found,
                _ if token.kind == TokenKind::End => return found,
                name if token.kind == TokenKind::Name && !found.iter().any(|one| one == name) => {
                    found.push(name.to_owned());
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn conditional(&mut self) -> Read<Expr> {
        let span = self.tokens.peek(0).span;
        let test = self.binary(0)?;
        if !self.tokens.accept("?") {
            return Ok(test);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.expression()?;
        Ok(self.since(span, ExprKind::If(Box::new([test, then, otherwise]))))
    }

    fn binary(&mut self, level: usize) -> Read<Expr> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let span = self.tokens.peek(0).span;
        let mut left = self.binary(level + 1)?;
        loop {
            let next = self.operator();
            let Some(operator) = operators.iter().find(|one| **one == next) else {
                return Ok(left);
            };
            let shift = [">>", ">>>", "<<"].contains(operator);
            (0..if shift { operator.len() } else { 1 }).for_each(|_| {
                self.tokens.next();
            });
            if *operator == "instanceof" {
                self.tokens.accept_word("final");
                let ty = self.ty()?;
                if self.tokens.peek(0).kind == TokenKind::Name {
                    let span = self.tokens.next().span;
                    self.outside(span, "a pattern");
                }
                left = self.since(span, ExprKind::InstanceOf(Box::new(left), ty));
                continue;
            }
            let right = self.deeper(|parser| parser.binary(level + 1))?;
            let both = [left, right];
            let kind = match *operator {
                "||" => ExprKind::Or(Box::new(both)),
                "&&" => ExprKind::And(Box::new(both)),
                "==" => ExprKind::Equal(true, Box::new(both)),
                "!=" => ExprKind::Equal(false, Box::new(both)),
                other => ExprKind::Operator(other.to_owned(), both.into()),
            };
            left = self.since(span, kind);
        }
    }

    /// The operator that comes; angle brackets that touch are one.
    fn operator(&self) -> String {
        let first = self.tokens.peek(0);
        if first.kind == TokenKind::Name {
            return first.text.to_string();
        }
        let mut text = first.text.to_string();
        let mut at = 1;
        while first.kind == TokenKind::Punct
            && (first.is("<") || first.is(">"))
            && self.tokens.peek(at).is(&first.text)
            && !self.tokens.peek(at).spaced
        {
            text.push_str(&first.text);
            at += 1;
        }
        text
    }

    fn unary(&mut self) -> Read<Expr> {
        let span = self.tokens.peek(0).span;
        if self.tokens.accept("!") {
            let inner = self.deeper(Parser::unary)?;
            return Ok(self.since(span, ExprKind::Not(Box::new(inner))));
        }
        for mark in ["++", "--"] {
            if self.tokens.accept(mark) {
                let inner = Box::new(self.deeper(Parser::unary)?);
                return Ok(self.since(span, ExprKind::Update(inner, by_one(mark, span))));
            }
        }
        for mark in ["-", "+", "~"] {
            if self.tokens.accept(mark) {
                let inner = self.deeper(Parser::unary)?;
                return Ok(self.since(span, ExprKind::Operator(mark.to_owned(), vec![inner])));
            }
        }
        if self.at_cast() {
            self.tokens.next();
            let ty = self.ty()?;
            self.expect(")")?;
            let inner = match self.at_lambda() {
                true => self.expression()?,
                false => self.deeper(Parser::unary)?,
            };
            return Ok(self.since(span, ExprKind::Cast(ty, Box::new(inner))));
        }
        self.postfix()
    }

    fn at_cast(&self) -> bool {
        if !self.tokens.at("(") {
            return false;
        }
        let Some(mut at) = self.type_length(1) else {
            return false;
        };
        while self.tokens.peek(at).is("[") && self.tokens.peek(at + 1).is("]") {
            at += 2;
        }
        if !self.tokens.peek(at).is(")") {
            return false;
        }
        let primitive = PRIMITIVES
            .iter()
            .any(|word| self.tokens.peek(1).is_word(word));
        let next = self.tokens.peek(at + 1);
        let begins = match next.kind {
            TokenKind::Name => !next.is_word("instanceof"),
            TokenKind::Number | TokenKind::Text => true,
            _ => next.is("(") || next.is("!"),
        };
        primitive || begins
    }

    fn postfix(&mut self) -> Read<Expr> {
        let span = self.tokens.peek(0).span;
        let mut value = self.primary()?;
        loop {
            if self.tokens.accept(".") {
                if self.tokens.at("<") {
                    self.skip_type_arguments();
                }
                if self.tokens.accept_word("class") {
                    let (ExprKind::Name(name) | ExprKind::Field(_, name)) = value.kind else {
                        return self.expected("a class");
                    };
                    value = self.since(span, ExprKind::Class(name));
                    continue;
                }
                if self.tokens.accept_word("this") {
                    value = self.since(span, ExprKind::Unknown);
                    self.outside(span, "`this` of a class around this one");
                    continue;
                }
                let name = self.word()?;
                let kind = match self.tokens.at("(") {
                    true => ExprKind::Call(Some(Box::new(value)), name, self.arguments()?),
                    false => ExprKind::Field(Box::new(value), name),
                };
                value = self.since(span, kind);
            } else if self.tokens.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                value = self.since(span, ExprKind::Index(Box::new([value, index])));
            } else if self.tokens.at("++") || self.tokens.at("--") {
                let mark = self.tokens.next();
                let by = by_one(&mark.text, mark.span);
                value = self.since(span, ExprKind::Update(Box::new(value), by));
            } else if self.tokens.accept("::") {
                self.word()?;
                value = self.since(span, ExprKind::Unknown);
                self.outside(span, "a reference to a method");
            } else {
                return Ok(value);
            }
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let first = self.tokens.peek(0).clone();
        let span = first.span;
        if first.is("(") {
            return self.in_parentheses();
        }
        match first.kind {
            TokenKind::Number => {
                self.tokens.next();
                return Ok(self.since(span, ExprKind::Number(first.text.to_string())));
            }
            TokenKind::Text => {
                self.tokens.next();
                return Ok(self.since(span, ExprKind::Text));
            }
            TokenKind::Name => {}
            _ => return self.expected("an expression"),
        }
        self.tokens.next();
        let kind = match &*first.text {
            "null" => ExprKind::Null,
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "new" => return self.creation(span),
            "this" | "super" if self.tokens.at("(") => {
                ExprKind::Construct(&*first.text == "super", self.arguments()?)
            }
            "this" => ExprKind::This,
            "switch" => {
                self.skip_balanced();
                self.skip_balanced();
                self.outside(span, "a `switch` with a value");
                ExprKind::Unknown
            }
            name if self.tokens.at("(") => ExprKind::Call(None, name.to_owned(), self.arguments()?),
            name => ExprKind::Name(name.to_owned()),
        };
        Ok(self.since(span, kind))
    }

    /// What stands behind `new`.
    fn creation(&mut self, span: Span) -> Read<Expr> {
        let ty = self.ty()?;
        if ty.dimensions > 0 || self.tokens.at("[") {
            let mut parts = Vec::new();
            while self.tokens.accept("[") {
                if !self.tokens.at("]") {
                    parts.push(self.expression()?);
                }
                self.expect("]")?;
            }
            if self.tokens.at("{") {
                parts.extend(self.elements()?);
            }
            return Ok(self.since(span, ExprKind::NewArray(parts)));
        }
        let arguments = self.arguments()?;
        if !self.tokens.at("{") {
            return Ok(self.since(span, ExprKind::New(ty.name, arguments)));
        }
        let name = self.nameless_class();
        let class = Class {
            name: name.clone(),
            outer: self.around.last().cloned(),
            inner: true,
            // Whether it is a class or an interface is seen later.
            superclass: Some(ty.name),
            mentioned: self.names_ahead(),
            ..Class::default()
        };
        self.class_body(class, false)?;
        Ok(self.since(span, ExprKind::New(name, arguments)))
    }
}

/// What `--` adds; nothing for `++`.
fn by_one(mark: &str, span: Span) -> Vec<Expr> {
    match mark {
        "++" => Vec::new(),
        _ => vec![Expr {
            kind: ExprKind::Number("-1".to_owned()),
            span,
        }],
    }
}
