//! From the lines of a table to kinds. A line that cannot be read is reported and left out.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::lexer::{Line, Token, lines};
use super::{
    Action, Comparison, Expr, FUNCTIONS, Fire, Kind, Lhs, RuleDecl, VarDecl, VarType, When,
};
use crate::codes::table as codes;

/// Parentheses and negations inside each other.
const MAX_DEPTH: u32 = 100;

/// What is wrong with a line.
struct Wrong(Span, String);

type Read<T> = Result<T, Wrong>;

/// The kinds of a table.
pub(super) fn parse(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    // The kinds that the lines being read are about: one line may name several.
    let mut open = 0;
    for line in lines(file, diagnostics) {
        let mut reader = Reader {
            end: line.last().expect("lines are not empty").1.end_point(),
            tokens: line,
            at: 0,
            depth: 0,
        };
        let read = if reader.word("kind") {
            open = kinds.len();
            reader.kinds(&mut kinds)
        } else if kinds.is_empty() {
            Err(reader.expected("`kind NAME` first"))
        } else {
            reader.line(&mut kinds[open..])
        };
        if let Err(Wrong(span, message)) = read {
            diagnostics.push(Diagnostic::error(codes::SYNTAX, message).at(span));
        }
    }
    kinds
}

struct Reader {
    tokens: Line,
    at: usize,
    end: Span,
    depth: u32,
}

impl Reader {
    fn kinds(&mut self, kinds: &mut Vec<Kind>) -> Read<()> {
        loop {
            let span = self.span();
            let name = self.name("the name of a kind")?;
            let names = match self.sign(".{") {
                true => {
                    let members = self.names("the last part of a name")?;
                    self.need("}")?;
                    let full = members.iter().map(|member| format!("{name}.{member}"));
                    full.collect()
                }
                false => vec![name],
            };
            kinds.extend(names.into_iter().map(|name| Kind {
                name,
                inputs: Vec::new(),
                outputs: Vec::new(),
                states: Vec::new(),
                settings: Vec::new(),
                numbered: Vec::new(),
                ignored: Vec::new(),
                vars: Vec::new(),
                rules: Vec::new(),
                values: Vec::new(),
                pure_effect: false,
                span,
            }));
            if !self.sign(",") {
                return self.done();
            }
        }
    }

    fn line(&mut self, kinds: &mut [Kind]) -> Read<()> {
        let span = self.tokens[0].1.to(self.end);
        if self.is_word("in") || self.is_word("out") {
            let inward = self.word("in");
            if !inward {
                self.at += 1;
            }
            if self.is_numbered() {
                let low = self.sum()?;
                self.need("..")?;
                let high = self.sum()?;
                self.done()?;
                for kind in kinds {
                    let numbered = (inward, low.clone(), high.clone());
                    kind.numbered.push(numbered);
                }
                return Ok(());
            }
            let pins = self.names("the name of a pin")?;
            self.done()?;
            for kind in kinds {
                let list = match inward {
                    true => &mut kind.inputs,
                    false => &mut kind.outputs,
                };
                list.extend(pins.iter().cloned());
            }
        } else if self.word("ignores") {
            let mut names = Vec::new();
            loop {
                names.push(match self.sign("*") {
                    true => "*".to_owned(),
                    false => self.name("the name of a setting or of a data input")?,
                });
                if !self.sign(",") {
                    break;
                }
            }
            self.done()?;
            for kind in kinds {
                kind.ignored.extend(names.iter().cloned());
            }
        } else if self.word("cosmetic") {
            self.done()?;
            for kind in kinds {
                kind.pure_effect = true;
            }
        } else if self.word("states") {
            let mut states = Vec::new();
            loop {
                let name = self.name("the name of a state")?;
                let ends = self.sign("*");
                states.push((name, ends));
                if !self.sign(",") {
                    break;
                }
            }
            self.done()?;
            for kind in kinds {
                kind.states.extend(states.iter().cloned());
            }
        } else if self.word("setting") {
            let name = self.name("the name of a setting")?;
            self.need("=")?;
            let value = self.expr()?;
            let most = match self.word("max") {
                true => Some(self.int()?),
                false => None,
            };
            self.done()?;
            for kind in kinds {
                let setting = (name.clone(), value.clone(), most);
                kind.settings.push(setting);
            }
        } else if self.word("var") {
            let var = self.var()?;
            self.done()?;
            for kind in kinds {
                kind.vars.push(var.clone());
            }
        } else if self.word("value") {
            let name = self.name("the name of a data output")?;
            self.need("=")?;
            let value = self.expr()?;
            self.done()?;
            for kind in kinds {
                kind.values.push((name.clone(), value.clone()));
            }
        } else {
            let rule = self.rule(span)?;
            for kind in kinds {
                kind.rules.push(rule.clone());
            }
        }
        Ok(())
    }

    fn var(&mut self) -> Read<VarDecl> {
        let name = self.name("the name of a variable")?;
        if self.sign("[") {
            if !self.word("inputs") {
                return Err(self.expected("`inputs`"));
            }
            let except = match self.word("except") {
                true => self.names("the name of an input")?,
                false => Vec::new(),
            };
            self.need("]")?;
            return Ok(VarDecl {
                name,
                ty: VarType::Marks(except),
                first: None,
            });
        }
        self.need(":")?;
        let ty = if self.word("bool") {
            VarType::Bool
        } else {
            let low = self.sum()?;
            self.need("..")?;
            VarType::Range(low, self.sum()?)
        };
        let first = match self.sign("=") {
            true => Some(self.expr()?),
            false => None,
        };
        Ok(VarDecl { name, ty, first })
    }

    fn rule(&mut self, span: Span) -> Read<RuleDecl> {
        let mut states = Vec::new();
        let when = if self.word("on") {
            let mut pins = Vec::new();
            loop {
                pins.push(match self.sign("*") {
                    true => "*".to_owned(),
                    false => self.name("the name of an input")?,
                });
                if !self.sign(",") {
                    break;
                }
            }
            if self.word("in") {
                states = self.names("the name of a state")?;
            }
            When::On(pins)
        } else if self.word("later") {
            if !self.is_sign(":") && !self.is_word("when") {
                states = self.names("the name of a state")?;
            }
            When::Later
        } else if self.word("start") {
            When::Start
        } else if self.word("event") {
            let early = self.word("early");
            When::Event { early }
        } else {
            let words = "`kind`, `in`, `out`, `states`, `setting`, `ignores`, `var`, `value`, `on`, \
                         `later`, `start`, `event` or `cosmetic`";
            return Err(self.expected(words));
        };
        let condition = match self.word("when") {
            true => Some(self.expr()?),
            false => None,
        };
        self.need(":")?;
        let mut alternatives = vec![self.actions()?];
        while self.sign("|") {
            alternatives.push(self.actions()?);
        }
        self.done()?;
        Ok(RuleDecl {
            when,
            states,
            condition,
            alternatives,
            span,
        })
    }

    fn actions(&mut self) -> Read<Vec<Action>> {
        let mut actions = Vec::new();
        if self.word("nothing") {
            return Ok(actions);
        }
        loop {
            actions.push(self.action()?);
            if !self.sign(",") {
                return Ok(actions);
            }
        }
    }

    fn action(&mut self) -> Read<Action> {
        if self.sign("->") {
            return Ok(Action::Goto(self.name("the name of a state")?));
        }
        if self.word("then") {
            return Ok(Action::Then);
        }
        if self.word("calls") {
            return Ok(Action::Fire(Fire::Calls));
        }
        if self.word("clear") {
            let lhs = Lhs::AllMarks(self.name("the name of marks")?);
            return Ok(Action::Assign(lhs, Some(Expr::Bool(false))));
        }
        if self.word("mark") {
            let lhs = Lhs::Mark(self.name("the name of marks")?);
            return Ok(Action::Assign(lhs, Some(Expr::Bool(true))));
        }
        if self.word("out") {
            if self.word("each") {
                return Ok(Action::Fire(Fire::Each));
            }
            if self.word("any") {
                if self.word("untold") {
                    return Ok(Action::Fire(Fire::Untold));
                }
                let by = match self.word("by") {
                    true => Some(self.expr()?),
                    false => None,
                };
                return Ok(Action::Fire(Fire::Any(by)));
            }
            if self.word("named") {
                let value = self.sum()?;
                if !self.word("else") {
                    return Err(self.expected("`else`"));
                }
                let other = self.name("the name of an output")?;
                return Ok(Action::Fire(Fire::Named(value, other)));
            }
            if self.word("nth") {
                return Ok(Action::Fire(Fire::Nth(self.sum()?)));
            }
            let pin = self.name("the name of an output")?;
            if self.word("times") {
                let low = self.sum()?;
                let high = match self.sign("..") {
                    true => self.sum()?,
                    false => low.clone(),
                };
                let again = match self.word("while") {
                    true => Some(self.expr()?),
                    false => None,
                };
                return Ok(Action::Fire(Fire::Times(pin, low, high, again)));
            }
            return Ok(Action::Fire(Fire::Pin(pin)));
        }
        let lhs = if self.word("flag") {
            self.need("(")?;
            let name = self.name("the name of a setting")?;
            self.need(")")?;
            Lhs::FlagOf(name)
        } else {
            Lhs::Word(self.name("`->`, `out`, `mark`, `clear`, `nothing` or an assignment")?)
        };
        self.need(":=")?;
        let value = match self.word("any") {
            true => None,
            false => Some(self.expr()?),
        };
        Ok(Action::Assign(lhs, value))
    }

    fn expr(&mut self) -> Read<Expr> {
        let mut left = self.conjunction()?;
        while self.word("or") {
            let right = self.conjunction()?;
            left = Expr::Or(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Read<Expr> {
        let mut left = self.comparison()?;
        while self.word("and") || self.sign("&") {
            let right = self.comparison()?;
            left = Expr::And(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Read<Expr> {
        if self.word("not") || self.sign("!") {
            self.deeper()?;
            let inner = self.comparison()?;
            self.depth -= 1;
            return Ok(Expr::Not(Box::new(inner)));
        }
        let left = self.sum()?;
        let found = [
            ("==", Comparison::Equal, false),
            ("!=", Comparison::Different, false),
            ("<=", Comparison::LessEqual, false),
            (">=", Comparison::LessEqual, true),
            ("<", Comparison::Less, false),
            (">", Comparison::Less, true),
        ]
        .into_iter()
        .find(|(sign, ..)| self.sign(sign));
        let Some((_, comparison, turned)) = found else {
            return Ok(left);
        };
        let right = self.sum()?;
        let (left, right) = if turned { (right, left) } else { (left, right) };
        Ok(Expr::Compare(comparison, Box::new(left), Box::new(right)))
    }

    fn sum(&mut self) -> Read<Expr> {
        let mut left = self.operand()?;
        loop {
            if self.sign("+") {
                left = Expr::Add(Box::new(left), Box::new(self.operand()?));
            } else if self.sign("-") {
                left = Expr::Sub(Box::new(left), Box::new(self.operand()?));
            } else {
                return Ok(left);
            }
        }
    }

    fn operand(&mut self) -> Read<Expr> {
        if self.sign("(") {
            self.deeper()?;
            let inner = self.expr()?;
            self.depth -= 1;
            self.need(")")?;
            return Ok(inner);
        }
        if self.sign("-") {
            let number = self.int()?;
            return Ok(Expr::Int(number.wrapping_neg()));
        }
        if self.sign("[") {
            let pin = self.name("the name of a data input")?;
            self.need("]")?;
            return Ok(Expr::Pin(pin));
        }
        if let Some((Token::Quoted(name), _)) = self.tokens.get(self.at) {
            let name = name.clone();
            self.at += 1;
            return Ok(Expr::Word(name));
        }
        if self.word("true") {
            return Ok(Expr::Bool(true));
        }
        if self.word("false") {
            return Ok(Expr::Bool(false));
        }
        if self.word("inputs") {
            return Ok(Expr::Inputs);
        }
        if self.word("outputs") {
            return Ok(Expr::Outputs);
        }
        if self.word("all") {
            let name = self.name("the name of marks")?;
            let but = self.word("but");
            if but && !self.word("this") {
                return Err(self.expected("`this`"));
            }
            return Ok(Expr::AllMarked(name, !but));
        }
        if self.word("none") {
            return Ok(Expr::NoneMarked(self.name("the name of marks")?));
        }
        if self.word("flag") {
            self.need("(")?;
            let name = self.name("the name of a setting")?;
            self.need(")")?;
            return Ok(Expr::FlagOf(name));
        }
        let word = self.name("a value")?;
        if let Ok(number) = word.parse() {
            return Ok(Expr::Int(number));
        }
        if let Some((_, count, function)) = FUNCTIONS.iter().find(|(name, ..)| *name == word)
            && self.sign("(")
        {
            self.deeper()?;
            let mut arguments = vec![self.expr()?];
            while arguments.len() < *count {
                self.need(",")?;
                arguments.push(self.expr()?);
            }
            self.depth -= 1;
            self.need(")")?;
            return Ok(Expr::Call(*function, arguments));
        }
        if self.sign("[") {
            if !self.word("this") {
                return Err(self.expected("`this`"));
            }
            self.need("]")?;
            return Ok(Expr::Mark(word));
        }
        Ok(Expr::Word(word))
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Wrong(self.span(), "nested too deeply".to_owned()));
        }
        Ok(())
    }

    fn int(&mut self) -> Read<i64> {
        let span = self.span();
        let word = self.name("a number")?;
        let number = word.parse();
        number.map_err(|_| Wrong(span, format!("`{word}` is no number")))
    }

    fn names(&mut self, what: &str) -> Read<Vec<String>> {
        let mut names = vec![self.name(what)?];
        while self.sign(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Read<String> {
        match self.tokens.get(self.at) {
            Some((Token::Word(name) | Token::Quoted(name), _)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn is_word(&self, wanted: &str) -> bool {
        matches!(self.tokens.get(self.at), Some((Token::Word(word), _)) if word == wanted)
    }

    fn word(&mut self, wanted: &str) -> bool {
        let found = self.is_word(wanted);
        self.at += usize::from(found);
        found
    }

    /// Whether what follows are two numbers with `..` between them.
    fn is_numbered(&self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        rest.iter().any(|(token, _)| *token == Token::Sign(".."))
    }

    fn is_sign(&self, wanted: &str) -> bool {
        matches!(self.tokens.get(self.at), Some((Token::Sign(sign), _)) if *sign == wanted)
    }

    fn sign(&mut self, wanted: &str) -> bool {
        let found = self.is_sign(wanted);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, sign: &str) -> Read<()> {
        match self.sign(sign) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{sign}`"))),
        }
    }

    fn done(&self) -> Read<()> {
        match self.at == self.tokens.len() {
            true => Ok(()),
            false => Err(self.expected("the end of the line")),
        }
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |token| token.1)
    }

    fn expected(&self, what: &str) -> Wrong {
        Wrong(self.span(), format!("expected {what}"))
    }
}

/// An expression that stands alone; none if it is no expression.
pub(crate) fn expression(text: &str) -> Option<Expr> {
    let mut sources = source::SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("expression", text);
    let tokens = lines(sources.file(file), &mut diagnostics)
        .into_iter()
        .next()?;
    let mut reader = Reader {
        end: tokens.last()?.1.end_point(),
        tokens,
        at: 0,
        depth: 0,
    };
    let expr = reader.expr().ok()?;
    (reader.done().is_ok() && !diagnostics.has_errors()).then_some(expr)
}
