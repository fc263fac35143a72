//! Process expressions.
//!
//! From loose to tight: `||`, `+>`, `+`, `.`, `*`; `>>` is tighter than these in the bus in Java (as its parser,
//! `parsercup/toolbus.cup`, has it, not its grammar in SDF), and looser in the bus in C.
//! Chains of one operator are kept flat, so that long scripts are not deep.

use source::{Diagnostic, TokenKind};

use super::stream::{Parsed, Parser, is_capital};
use crate::ast::{Atom, Process, ProcessKind, Word};
use crate::codes::syntax as code;

/// Words that end a part of a process, or begin what belongs to it.
const KEYWORDS: [&str; 6] = ["then", "else", "fi", "in", "endlet", "is"];

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Parsed<Process> {
        self.deeper(Self::disrupt)
    }

    fn disrupt(&mut self) -> Parsed<Process> {
        if self.disrupt_is_tight {
            return self.merge();
        }
        let start = self.peek(0).span;
        let first = self.merge()?;
        if !self.accept(">>") {
            return Ok(first);
        }
        let then = self.deeper(Self::disrupt)?;
        Ok(Process {
            kind: ProcessKind::Disrupt(Box::new(first), Box::new(then)),
            span: self.since(start),
        })
    }

    /// What stands beside a `*`.
    fn operand(&mut self) -> Parsed<Process> {
        let start = self.peek(0).span;
        let mut read = self.primary()?;
        let mut more = 0;
        while self.disrupt_is_tight && self.accept(">>") {
            more += 1;
            if more > 100 {
                let at = self.peek(0).span;
                return self.fail(Diagnostic::error(code::TOO_DEEP, "nested too deeply").at(at));
            }
            let then = self.primary()?;
            read = Process {
                kind: ProcessKind::Disrupt(Box::new(read), Box::new(then)),
                span: self.since(start),
            };
        }
        Ok(read)
    }

    fn merge(&mut self) -> Parsed<Process> {
        self.chain("||", Self::biased, ProcessKind::Merge)
    }

    fn choice(&mut self) -> Parsed<Process> {
        self.chain("+", Self::sequence, ProcessKind::Choice)
    }

    fn biased(&mut self) -> Parsed<Process> {
        let start = self.peek(0).span;
        let first = self.choice()?;
        let right = self.accept("+>");
        if !right && !self.accept("<+") {
            return Ok(first);
        }
        let second = self.deeper(Self::biased)?;
        let (second_best, best) = if right {
            (first, second)
        } else {
            (second, first)
        };
        Ok(Process {
            kind: ProcessKind::Biased {
                second_best: Box::new(second_best),
                best: Box::new(best),
            },
            span: self.since(start),
        })
    }

    fn sequence(&mut self) -> Parsed<Process> {
        self.chain(".", Self::iteration, ProcessKind::Sequence)
    }

    fn iteration(&mut self) -> Parsed<Process> {
        let start = self.peek(0).span;
        let mut read = self.operand()?;
        let mut more = 0;
        while self.accept("*") {
            more += 1;
            if more > 100 {
                let at = self.peek(0).span;
                return self.fail(Diagnostic::error(code::TOO_DEEP, "nested too deeply").at(at));
            }
            let exit = self.operand()?;
            read = Process {
                kind: ProcessKind::Iteration(Box::new(read), Box::new(exit)),
                span: self.since(start),
            };
        }
        Ok(read)
    }

    fn chain(
        &mut self,
        operator: &str,
        read: fn(&mut Self) -> Parsed<Process>,
        make: fn(Vec<Process>) -> ProcessKind,
    ) -> Parsed<Process> {
        let start = self.peek(0).span;
        let first = read(self)?;
        if !self.at(operator) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.accept(operator) {
            all.push(read(self)?);
        }
        Ok(Process {
            kind: make(all),
            span: self.since(start),
        })
    }

    fn primary(&mut self) -> Parsed<Process> {
        let token = self.peek(0).clone();
        let start = token.span;
        let kind = if self.accept("(") {
            let inner = self.process()?;
            if !self.at(")") {
                let found = self.found();
                let at = self.peek(0).span;
                return self.fail(
                    Diagnostic::error(code::UNEXPECTED, format!("found {found} instead of `)`"))
                        .at(at)
                        .label(start, "this is open")
                        .help("processes are joined by `.`, `+`, `+>`, `*`, `||` or `>>`"),
                );
            }
            self.next();
            return Ok(inner);
        } else if token.kind != TokenKind::Name {
            return Err(self.unexpected("a process or an action"));
        } else if is_capital(&token) && self.peek(1).is(":=") {
            let variable = self.term()?;
            self.next();
            let value = self.term()?;
            let mut atom = Atom {
                word: Word::Assign,
                args: vec![variable, value],
                delayed: false,
                delay: None,
                timeout: None,
            };
            self.timing(&mut atom)?;
            ProcessKind::Atom(atom)
        } else if is_capital(&token) {
            ProcessKind::Call(self.call()?)
        } else {
            match &*token.text {
                "if" => self.conditional()?,
                "let" => {
                    self.next();
                    let variables = self.declarations(None)?;
                    let body = self.process()?;
                    self.expect_word("endlet", Some(start))?;
                    ProcessKind::Let(variables, Box::new(body))
                }
                "create" => {
                    self.next();
                    self.expect("(", "and a process")?;
                    let call = self.call()?;
                    let pid = if self.accept(",") {
                        Some(self.term()?)
                    } else {
                        None
                    };
                    self.expect(")", "behind the process to create")?;
                    ProcessKind::Create { call, pid }
                }
                word if KEYWORDS.contains(&word) => {
                    return Err(self.unexpected("a process or an action"));
                }
                _ => ProcessKind::Atom(self.atom()?),
            }
        };
        Ok(Process {
            kind,
            span: self.since(start),
        })
    }

    fn conditional(&mut self) -> Parsed<ProcessKind> {
        let start = self.next().span;
        let test = self.term()?;
        self.expect_word("then", Some(start))?;
        let then = self.process()?;
        let otherwise = if self.accept_word("else") {
            Some(Box::new(self.process()?))
        } else {
            None
        };
        self.expect_word("fi", Some(start))?;
        Ok(ProcessKind::If(test, Box::new(then), otherwise))
    }

    fn atom(&mut self) -> Parsed<Atom> {
        let token = self.next();
        let known = Word::ALL
            .iter()
            .find(|word| word.text() == &*token.text && **word != Word::Create);
        // It stands where an action does, so reading goes on behind it.
        if known.is_none() {
            self.diagnostics.push(no_atom(&token.text).at(token.span));
        }
        let args = if self.accept("(") {
            self.terms(")")?
        } else {
            Vec::new()
        };
        let (word, (least, most)) = match known {
            Some(word) => (*word, word.arity()),
            None => (Word::Tau, (0, usize::MAX)),
        };
        if args.len() < least || args.len() > most {
            let span = self.since(token.span);
            let wanted = match (least, most) {
                (0, 0) => "no arguments".to_owned(),
                (1, 1) => "one argument".to_owned(),
                (least, 99) => format!("at least {least}"),
                (least, most) if least == most => format!("{least} arguments"),
                (least, most) => format!("{least} to {most} arguments"),
            };
            self.diagnostics.push(
                Diagnostic::error(
                    code::ARITY,
                    format!("`{}` takes {wanted}, not {}", word.text(), args.len()),
                )
                .at(span),
            );
        }
        let mut atom = Atom {
            word,
            args,
            delayed: false,
            delay: None,
            timeout: None,
        };
        self.timing(&mut atom)?;
        Ok(atom)
    }

    /// `delay(T)`, `timeout(T)` and their absolute forms, in any order.
    fn timing(&mut self, atom: &mut Atom) -> Parsed<()> {
        loop {
            let words = match &*self.peek(0).text {
                "delay" | "abs-delay" | "timeout" | "abs-timeout" => self.next(),
                _ => return Ok(()),
            };
            self.expect("(", &format!("and a time behind `{}`", words.text))?;
            let time = self.terms(")")?.into_iter().next();
            match &*words.text {
                "delay" => (atom.delayed, atom.delay) = (true, time),
                "abs-delay" => atom.delayed = true,
                "timeout" => atom.timeout = time,
                _ => {}
            }
        }
    }
}

/// Says what was probably meant by a word that is no action.
fn no_atom(text: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(code::NO_ATOM, format!("there is no action `{text}`"));
    let meant = [
        ("send-", "snd-"),
        ("receive-", "rec-"),
        ("recv-", "rec-"),
        ("rcv-", "rec-"),
        ("snd_", "snd-"),
        ("rec_", "rec-"),
    ]
    .iter()
    .find_map(|(wrong, right)| Some(format!("{right}{}", text.strip_prefix(wrong)?)))
    .unwrap_or_else(|| text.to_owned());
    let near = source::suggest(&meant, Word::ALL.iter().map(|word| word.text()));
    let exact = Word::ALL.iter().any(|word| word.text() == meant);
    if exact {
        diagnostic.help(format!("`{meant}` was probably meant"))
    } else if let Some(near) = near {
        diagnostic.help(format!("`{near}` was probably meant"))
    } else {
        diagnostic.help("a process of that name would begin with a capital letter")
    }
}
