//! Reading statements.

use source::TokenKind;

use super::{Modifiers, PRIMITIVES, Parser, Read};
use crate::tree::{Expr, ExprKind, For, Stmt, StmtKind, Try, Type};

impl Parser {
    /// A block with its braces.
    pub(crate) fn block(&mut self) -> Read<Vec<Stmt>> {
        self.deeper(|parser| {
            parser.expect("{")?;
            let mut all = Vec::new();
            while !parser.tokens.accept("}") {
                all.push(parser.statement()?);
            }
            Ok(all)
        })
    }

    fn statement(&mut self) -> Read<Stmt> {
        let span = self.tokens.peek(0).span;
        let kind = self.deeper(Parser::statement_kind)?;
        Ok(Stmt {
            kind,
            span: self.tokens.since(span),
        })
    }

    fn boxed(&mut self) -> Read<Box<Stmt>> {
        Ok(Box::new(self.statement()?))
    }

    fn statement_kind(&mut self) -> Read<StmtKind> {
        if self.tokens.at("{") {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.tokens.accept(";") {
            return Ok(StmtKind::Empty);
        }
        let first = self.tokens.peek(0).clone();
        if first.kind == TokenKind::Name && self.tokens.peek(1).is(":") && !first.is_word("default")
        {
            self.tokens.next();
            self.tokens.next();
            return Ok(StmtKind::Labelled(first.text.to_string(), self.boxed()?));
        }
        if first.kind == TokenKind::Name
            && let Some(kind) = self.keyword_statement(&first.text)?
        {
            return Ok(kind);
        }
        self.modifiers()?;
        if self.class_if_any(&Modifiers::default())? {
            return Ok(StmtKind::Empty);
        }
        let primitive = PRIMITIVES.iter().any(|word| self.tokens.at_word(word));
        if primitive || self.type_before_name() {
            let local = self.local()?;
            self.expect(";")?;
            return Ok(local);
        }
        let value = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(value))
    }

    /// A statement that begins with a keyword, if it is one.
    fn keyword_statement(&mut self, word: &str) -> Read<Option<StmtKind>> {
        let known = [
            "if",
            "while",
            "do",
            "for",
            "switch",
            "synchronized",
            "return",
            "break",
            "continue",
            "assert",
            "throw",
            "try",
        ];
        if !known.contains(&word) {
            return Ok(None);
        }
        self.tokens.next();
        Ok(Some(match word {
            "if" => {
                let condition = self.in_parentheses()?;
                let then = self.boxed()?;
                let otherwise = match self.tokens.accept_word("else") {
                    true => Some(self.boxed()?),
                    false => None,
                };
                StmtKind::If(condition, then, otherwise)
            }
            "while" => StmtKind::While(self.in_parentheses()?, self.boxed()?),
            "do" => {
                let body = self.boxed()?;
                if !self.tokens.accept_word("while") {
                    return self.expected("`while`");
                }
                let condition = self.in_parentheses()?;
                self.expect(";")?;
                StmtKind::Do(body, condition)
            }
            "for" => self.for_statement()?,
            "switch" => self.switch()?,
            "synchronized" => StmtKind::Synchronized(self.in_parentheses()?, self.block()?),
            "return" => {
                let value = match self.tokens.at(";") {
                    true => None,
                    false => Some(self.expression()?),
                };
                self.expect(";")?;
                StmtKind::Return(value)
            }
            "break" | "continue" => {
                let label = match self.tokens.at(";") {
                    true => None,
                    false => Some(self.word()?),
                };
                self.expect(";")?;
                match word {
                    "break" => StmtKind::Break(label),
                    _ => StmtKind::Continue(label),
                }
            }
            "assert" => {
                let condition = self.expression()?;
                if self.tokens.accept(":") {
                    self.expression()?;
                }
                self.expect(";")?;
                StmtKind::Assert(condition)
            }
            "throw" => {
                let value = self.expression()?;
                self.expect(";")?;
                StmtKind::Throw(value)
            }
            _ => self.try_statement()?,
        }))
    }

    pub(super) fn in_parentheses(&mut self) -> Read<Expr> {
        self.expect("(")?;
        let value = self.expression()?;
        self.expect(")")?;
        Ok(value)
    }

    /// A declaration of variables, without the semicolon.
    fn local(&mut self) -> Read<StmtKind> {
        let ty = self.ty()?;
        let mut all = Vec::new();
        loop {
            let name = self.word()?;
            while self.tokens.accept("[") {
                self.expect("]")?;
            }
            let value = match self.tokens.accept("=") {
                true => Some(self.variable_value()?),
                false => None,
            };
            all.push((name, value));
            if !self.tokens.accept(",") {
                return Ok(StmtKind::Local(ty, all));
            }
        }
    }

    /// What a variable begins with: an expression, or the elements of an array.
    pub(super) fn variable_value(&mut self) -> Read<Expr> {
        if !self.tokens.at("{") {
            return self.expression();
        }
        let span = self.tokens.peek(0).span;
        let elements = self.elements()?;
        Ok(Expr {
            kind: ExprKind::NewArray(elements),
            span: self.tokens.since(span),
        })
    }

    /// `{ a, b }`.
    pub(super) fn elements(&mut self) -> Read<Vec<Expr>> {
        self.deeper(|parser| {
            parser.expect("{")?;
            let mut all = Vec::new();
            while !parser.tokens.accept("}") {
                all.push(parser.variable_value()?);
                if !parser.tokens.accept(",") && !parser.tokens.at("}") {
                    return parser.expected("`,` or `}`");
                }
            }
            Ok(all)
        })
    }

    fn for_statement(&mut self) -> Read<StmtKind> {
        self.expect("(")?;
        self.modifiers()?;
        let mut first = Vec::new();
        if self.type_before_name() {
            let span = self.tokens.peek(0).span;
            let ahead = self.type_length(0).unwrap_or(0);
            let each = (ahead..ahead + 6).any(|at| self.tokens.peek(at).is(":"));
            let ended = (ahead..ahead + 6).any(|at| self.tokens.peek(at).is(";"));
            if each && !ended || self.tokens.peek(ahead + 1).is(":") {
                let ty = self.ty()?;
                let name = self.word()?;
                self.expect(":")?;
                let all = self.expression()?;
                self.expect(")")?;
                return Ok(StmtKind::Each(ty, name, all, self.boxed()?));
            }
            let kind = self.local()?;
            let span = self.tokens.since(span);
            first.push(Stmt { kind, span });
        } else if !self.tokens.at(";") {
            for value in self.expressions(";")? {
                let span = value.span;
                let kind = StmtKind::Expr(value);
                first.push(Stmt { kind, span });
            }
        }
        self.expect(";")?;
        let condition = match self.tokens.at(";") {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(";")?;
        let next = self.expressions(")")?;
        self.expect(")")?;
        let body = self.statement()?;
        Ok(StmtKind::For(Box::new(For {
            first,
            condition,
            next,
            body,
        })))
    }

    fn switch(&mut self) -> Read<StmtKind> {
        let value = self.in_parentheses()?;
        self.expect("{")?;
        let mut groups: Vec<Vec<Stmt>> = Vec::new();
        let mut default = false;
        while !self.tokens.accept("}") {
            if self.tokens.at_word("case") || self.tokens.at_word("default") {
                default |= self.tokens.at_word("default");
                while !self.tokens.at(":") && !self.tokens.at("->") && !self.tokens.at_end() {
                    self.tokens.next();
                }
                let arrow = self.tokens.accept("->");
                if !arrow {
                    self.expect(":")?;
                }
                groups.push(Vec::new());
                if arrow {
                    let body = self.statement()?;
                    let span = body.span;
                    let kind = StmtKind::Break(None);
                    groups.extend([vec![body, Stmt { kind, span }]]);
                }
                continue;
            }
            let statement = self.statement()?;
            match groups.last_mut() {
                Some(group) => group.push(statement),
                None => return self.expected("`case`"),
            }
        }
        Ok(StmtKind::Switch(value, groups, default))
    }

    fn try_statement(&mut self) -> Read<StmtKind> {
        if self.tokens.at("(") {
            let span = self.tokens.peek(0).span;
            self.skip_balanced();
            self.outside(span, "a resource of `try`");
        }
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.tokens.accept_word("catch") {
            self.expect("(")?;
            self.modifiers()?;
            let mut types = vec![self.ty()?.name];
            while self.tokens.accept("|") {
                types.push(self.ty()?.name);
            }
            self.word()?;
            self.expect(")")?;
            catches.push((types, self.block()?));
        }
        let finally = match self.tokens.accept_word("finally") {
            true => Some(self.block()?),
            false => None,
        };
        Ok(StmtKind::Try(Box::new(Try {
            body,
            catches,
            finally,
        })))
    }

    /// The body of a lambda: a block, or an expression.
    pub(super) fn lambda_body(&mut self) -> Read<Vec<Stmt>> {
        if self.tokens.at("{") {
            return self.block();
        }
        let value = self.expression()?;
        let span = value.span;
        let kind = StmtKind::Expr(value);
        Ok(vec![Stmt { kind, span }])
    }

    /// A type without a name.
    pub(super) fn void() -> Type {
        Type {
            name: "void".to_owned(),
            dimensions: 0,
        }
    }
}
