//! Declarations of variables.

use crate::ast::{Declaration, Declarator, Init, TypeName};

use super::stream::{Parsed, Parser, is_name};

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        let token = self.peek(0);
        let basic = [
            "hidden", "show", "local", "bit", "bool", "byte", "pid", "short", "int", "unsigned",
            "mtype", "chan",
        ];
        basic.iter().any(|word| token.is_word(word))
            || self.typedefs.contains(&token.text) && is_name(self.peek(1))
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let token = self.peek(0).clone();
        let ty = match &*token.text {
            "bit" | "bool" => TypeName::Bit,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned,
            "mtype" => TypeName::Mtype(None),
            "chan" => TypeName::Chan,
            _ if is_name(&token) => return Ok(TypeName::User(self.name("a type")?)),
            _ => return Err(self.unexpected("a type")),
        };
        self.next();
        if ty == TypeName::Mtype(None) && self.at(":") && is_name(self.peek(1)) {
            self.next();
            return Ok(TypeName::Mtype(Some(self.name("the kind's name")?)));
        }
        Ok(ty)
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let mut hidden = false;
        loop {
            if self.accept_word("hidden") {
                hidden = true;
            } else if !self.accept_word("show") && !self.accept_word("local") {
                break;
            }
        }
        let ty = self.type_name()?;
        let mut variables = vec![self.declarator()?];
        while self.at(",") && is_name(self.peek(1)) {
            self.next();
            variables.push(self.declarator()?);
        }
        Ok(Declaration {
            hidden,
            ty,
            variables,
        })
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("a variable's name")?;
        let mut width = None;
        let mut length = None;
        if self.accept(":") {
            width = Some(self.operand()?);
        } else if self.accept("[") {
            length = Some(self.expression()?);
            self.expect("]")?;
        }
        let init = if self.accept("=") {
            Some(self.init()?)
        } else {
            None
        };
        Ok(Declarator {
            name,
            width,
            length,
            init,
        })
    }

    fn init(&mut self) -> Parsed<Init> {
        let start = self.here();
        if self.accept("{") {
            let mut values = vec![self.expression()?];
            while self.accept(",") {
                values.push(self.expression()?);
            }
            self.expect("}")?;
            return Ok(Init::List(values));
        }
        if !self.accept("[") {
            return Ok(Init::Value(self.expression()?));
        }
        let capacity = self.expression()?;
        self.expect("]")?;
        self.expect("of")?;
        self.expect("{")?;
        let mut fields = vec![self.type_name()?];
        while self.accept(",") {
            fields.push(self.type_name()?);
        }
        self.expect("}")?;
        Ok(Init::Channel {
            capacity,
            fields,
            span: self.since(start),
        })
    }
}
