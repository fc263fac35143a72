//! From the text of a policy to its rules.

use std::collections::BTreeMap;

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use crate::codes as code;
use crate::words::{Kind, Reader, Word};

use crate::rules::{Arguments, Before, Order, Origin, Permission, Policy, Rule, Subject, Variable};

/// A rule whose operations are not looked up yet.
struct Draft {
    rule: Rule,
    /// For each permission the operation that it names.
    operations: Vec<Option<Word>>,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Reads policies; their rules add up, and an operation of one is known in all.
pub fn parse<'s>(
    files: impl IntoIterator<Item = &'s SourceFile>,
    diagnostics: &mut Diagnostics,
) -> Policy {
    let mut parser = Parser::default();
    for file in files {
        if let Err(diagnostic) = parser.file(&mut Reader::new(file)) {
            diagnostics.push(*diagnostic);
        }
    }
    parser.finish(diagnostics)
}

#[derive(Default)]
struct Parser {
    high: Vec<Variable>,
    drafts: Vec<Draft>,
    /// With the operation that each names.
    orders: Vec<(Order, Option<Word>)>,
    operations: BTreeMap<String, Vec<String>>,
}

impl Parser {
    fn file(&mut self, reader: &mut Reader) -> Parsed<()> {
        loop {
            if reader.peek().kind == Kind::End {
                return Ok(());
            } else if reader.takes_name("High") {
                expect(reader, "=")?;
                expect(reader, "{")?;
                let variables = variables(reader)?;
                self.high.extend(variables);
                expect(reader, "}")?;
            } else if reader.takes_name("operation") {
                self.operation(reader)?;
            } else if reader.peek().is_name("deny") {
                self.deny(reader)?;
            } else if reader.peek().is_name("never") {
                self.never(reader)?;
            } else if reader.peek().is_name("visit") {
                self.visit(reader)?;
            } else {
                let expected = "`deny`, `never`, `visit`, `operation` or `High`";
                return Err(unexpected(reader, expected));
            }
        }
    }

    /// Definitions of the same operation add up.
    fn operation(&mut self, reader: &mut Reader) -> Parsed<()> {
        let name = name(reader, "the name of an operation")?;
        expect(reader, "{")?;
        let mut functions = vec![self::name(reader, "the name of a function")?.text];
        while reader.takes(",") {
            functions.push(self::name(reader, "the name of a function")?.text);
        }
        expect(reader, "}")?;
        self.operations
            .entry(name.text)
            .or_default()
            .extend(functions);
        Ok(())
    }

    /// `never enter LOCATION after` a call, or after reading what is secret.
    fn never(&mut self, reader: &mut Reader) -> Parsed<()> {
        let start = reader.next().span;
        takes(reader, "enter")?;
        let enters = name(reader, "a location")?.text;
        takes(reader, "after")?;
        let mut operation = None;
        let end = reader.peek().span;
        let before = if reader.takes_name("reading") {
            takes(reader, "High")?;
            Before::NothingRead
        } else if reader.takes_name("operation") {
            operation = Some(name(reader, "the name of an operation")?);
            Before::NotCalled(Vec::new())
        } else {
            if !reader.takes_name("function") {
                let expected = "`function`, `operation` or `reading High`";
                return Err(unexpected(reader, expected));
            }
            Before::NotCalled(vec![name(reader, "the name of a function")?.text])
        };
        let order = Order {
            enters,
            before,
            span: start.to(end),
        };
        self.orders.push((order, operation));
        Ok(())
    }

    /// `visit LOCATION before LOCATION`.
    fn visit(&mut self, reader: &mut Reader) -> Parsed<()> {
        let start = reader.next().span;
        let visited = name(reader, "a location")?.text;
        takes(reader, "before")?;
        let entered = name(reader, "a location")?;
        let order = Order {
            enters: entered.text,
            before: Before::Visited(visited),
            span: start.to(entered.span),
        };
        self.orders.push((order, None));
        Ok(())
    }

    fn deny(&mut self, reader: &mut Reader) -> Parsed<()> {
        let start = reader.next().span;
        if !reader.takes_name("to") {
            return Err(unexpected(reader, "`to`"));
        }
        let mut to = Vec::new();
        if !reader.takes_name("public") {
            loop {
                let location = name(reader, "`public` or a location")?.text;
                let subtree = reader.takes("*");
                to.push(Subject { location, subtree });
                if !reader.takes(",") {
                    break;
                }
            }
        }
        let mut code_base = None;
        if reader.takes_name("codeBase") {
            code_base = Some(name(reader, "the address of a host")?.text);
        }
        let mut code_origin = None;
        if reader.takes_name("codeOrigin") {
            code_origin = Some(origin(reader)?);
        }
        expect(reader, "{")?;
        let mut operations = Vec::new();
        let mut permissions = Vec::new();
        loop {
            let (permission, operation) = permission(reader)?;
            permissions.push(permission);
            operations.push(operation);
            let separated = reader.takes(",");
            if reader.peek().is("}") {
                break;
            }
            if !separated && !reader.peek().is_name("permission") {
                return Err(unexpected(reader, "`,` or `}`"));
            }
        }
        let end: Span = reader.next().span;
        self.drafts.push(Draft {
            rule: Rule {
                to,
                code_base,
                code_origin,
                permissions,
                span: start.to(end),
            },
            operations,
        });
        Ok(())
    }

    /// The functions of an operation.
    fn functions_of(&self, word: &Word, diagnostics: &mut Diagnostics) -> Vec<String> {
        if let Some(functions) = self.operations.get(&word.text) {
            return functions.clone();
        }
        let message = format!("no operation `{}` is defined", word.text);
        let help = format!("write `operation {} {{ ... }}`", word.text);
        let error = Diagnostic::error(code::OPERATION, message).at(word.span);
        let defined = self.operations.keys().map(String::as_str);
        diagnostics.push(error.did_you_mean(&word.text, defined).help(help));
        Vec::new()
    }

    fn finish(mut self, diagnostics: &mut Diagnostics) -> Policy {
        let mut rules = Vec::new();
        for Draft {
            mut rule,
            operations,
        } in std::mem::take(&mut self.drafts)
        {
            for (permission, operation) in rule.permissions.iter_mut().zip(operations) {
                if let Some(word) = operation {
                    permission.functions = self.functions_of(&word, diagnostics);
                }
            }
            rules.push(rule);
        }
        let mut orders = Vec::new();
        for (mut order, operation) in std::mem::take(&mut self.orders) {
            if let Some(word) = operation {
                order.before = Before::NotCalled(self.functions_of(&word, diagnostics));
            }
            orders.push(order);
        }
        Policy {
            rules,
            orders,
            high: self.high,
        }
    }
}

fn origin(reader: &mut Reader) -> Parsed<Origin> {
    if reader.takes_name("remote") {
        return Ok(Origin::Remote);
    }
    let mut path = vec![name(reader, "`remote` or a location")?.text];
    while reader.takes(":") {
        path.push(name(reader, "a location")?.text);
    }
    Ok(Origin::Path(path))
}

/// A permission, and the operation that it is about in place of a function.
fn permission(reader: &mut Reader) -> Parsed<(Permission, Option<Word>)> {
    if !reader.takes_name("permission") {
        return Err(unexpected(reader, "`permission`"));
    }
    let mut permission = Permission {
        functions: Vec::new(),
        assignment: false,
        arguments: Arguments::Any,
        position: None,
    };
    if reader.takes_name("operation") {
        let operation = name(reader, "the name of an operation")?;
        return Ok((permission, Some(operation)));
    }
    if reader.takes_name("assignment") {
        permission.assignment = true;
        permission.arguments = match () {
            () if reader.takes_name("high") => Arguments::High,
            () if reader.takes_name("args") => Arguments::Of(variables(reader)?),
            () => return Err(unexpected(reader, "`high` or `args`")),
        };
        return Ok((permission, None));
    }
    if !reader.takes_name("function") {
        return Err(unexpected(
            reader,
            "`function`, `operation` or `assignment`",
        ));
    }
    permission.functions = vec![name(reader, "the name of a function")?.text];
    let ends = |word: &Word| {
        word.is(",") || word.is("}") || word.is_name("permission") || word.kind == Kind::End
    };
    if reader.peek().is_name("arg") && reader.second().text.bytes().all(|b| b.is_ascii_digit()) {
        reader.next();
        let number = reader.next();
        permission.position = number.text.parse().ok().filter(|&number| number > 0);
        if permission.position.is_none() {
            let message = "arguments are counted from 1";
            let error = Diagnostic::error(code::POLICY, message).at(number.span);
            return Err(Box::new(error));
        }
    }
    if reader.takes_name("high") {
        permission.arguments = Arguments::High;
    } else if reader.takes_name("args") {
        permission.arguments = Arguments::Of(variables(reader)?);
    } else if reader.peek().is_name("except") && !ends(reader.second()) {
        reader.next();
        let mut all = Vec::new();
        while !ends(reader.peek()) {
            let text = name(reader, "a text, `,` or `}`")?.text;
            all.push((text, reader.takes("*")));
        }
        permission.arguments = Arguments::Except(all);
    } else if !ends(reader.peek()) {
        // A location is the text that names it.
        let text = name(reader, "a text, `args`, `high`, `,` or `}`")?.text;
        permission.arguments = match reader.takes("*") {
            true => Arguments::Prefix(text),
            false => Arguments::Text(text),
        };
    } else if permission.position.is_some() {
        return Err(unexpected(reader, "what that argument may not be"));
    }
    Ok((permission, None))
}

fn variables(reader: &mut Reader) -> Parsed<Vec<Variable>> {
    let mut all = Vec::new();
    loop {
        let first = name(reader, "the name of a variable")?;
        let mut variable = Variable {
            function: None,
            name: first.text,
            span: first.span,
        };
        if reader.peek().is(":") && reader.second().is(":") {
            reader.next();
            reader.next();
            let local = name(reader, "the name of a local variable")?.text;
            variable = Variable {
                function: Some(variable.name),
                name: local,
                span: variable.span,
            };
        }
        all.push(variable);
        // The comma may end the permission.
        if !reader.peek().is(",") || reader.second().is_name("permission") {
            return Ok(all);
        }
        reader.next();
    }
}

fn name(reader: &mut Reader, what: &str) -> Parsed<Word> {
    match reader.peek().kind {
        Kind::Name | Kind::Quoted => Ok(reader.next()),
        _ => Err(unexpected(reader, what)),
    }
}

fn takes(reader: &mut Reader, word: &str) -> Parsed<()> {
    match reader.takes_name(word) {
        true => Ok(()),
        false => Err(unexpected(reader, &format!("`{word}`"))),
    }
}

fn expect(reader: &mut Reader, mark: &str) -> Parsed<()> {
    match reader.takes(mark) {
        true => Ok(()),
        false => Err(unexpected(reader, &format!("`{mark}`"))),
    }
}

fn unexpected(reader: &Reader, expected: &str) -> Box<Diagnostic> {
    let word = reader.peek();
    let message = format!("expected {expected}, found {}", word.shown());
    Box::new(Diagnostic::error(code::POLICY, message).at(word.span))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Policy, Vec<String>) {
        let mut sources = source::SourceMap::new();
        let file = sources.add("t.policy", text);
        let mut diagnostics = Diagnostics::new();
        let policy = parse([sources.file(file)], &mut diagnostics);
        let messages = diagnostics.iter().map(|d| d.message.clone());
        (policy, messages.collect())
    }

    #[test]
    fn all_forms_of_the_paper_are_read() {
        let (policy, errors) = read(
            "High={secret, f::x }  # what is secret\n\
             operation files { fread, read }\n\
             deny to public codeBase 127.0.0.1 codeOrigin airc:a0\n\
             { permission function connect bad, permission operation files }\n\
             deny to air0, air1* codeOrigin remote\n\
             { permission function fopen \"/etc/\"* permission function send args a, g::b,\n\
               permission function send high, permission function write arg 2 \"x\" }",
        );
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(policy.high.len(), 2);
        let [first, second] = policy.rules.as_slice() else {
            panic!("{policy:?}");
        };
        assert_eq!(first.code_base.as_deref(), Some("127.0.0.1"));
        let path = vec!["airc".to_owned(), "a0".to_owned()];
        assert_eq!(first.code_origin, Some(Origin::Path(path)));
        assert_eq!(
            first.permissions[0].arguments,
            Arguments::Text("bad".into())
        );
        assert_eq!(first.permissions[1].functions, ["fread", "read"]);
        assert_eq!(second.to.len(), 2);
        assert!(second.to[1].subtree);
        let arguments: Vec<_> = second.permissions.iter().map(|p| &p.arguments).collect();
        assert_eq!(*arguments[0], Arguments::Prefix("/etc/".into()));
        assert!(matches!(arguments[1], Arguments::Of(all) if all.len() == 2));
        assert_eq!(*arguments[2], Arguments::High);
        assert_eq!(second.permissions[3].position, Some(2));
    }

    #[test]
    fn orders_are_read() {
        let (policy, errors) = read(
            "operation files { fread, read }
             never enter air0 after operation files
             never enter air0 after function send
             never enter air1 after reading High
             visit air1 before air0",
        );
        assert_eq!(errors, Vec::<String>::new());
        let before: Vec<_> = policy.orders.iter().map(|order| &order.before).collect();
        let called = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned());
            Before::NotCalled(names.collect())
        };
        assert_eq!(*before[0], called(&["fread", "read"]));
        assert_eq!(*before[1], called(&["send"]));
        assert_eq!(*before[2], Before::NothingRead);
        assert_eq!(*before[3], Before::Visited("air1".to_owned()));
        assert_eq!(policy.orders[3].enters, "air0");
    }

    #[test]
    fn an_empty_policy_denies_nothing() {
        let (policy, errors) = read("# nothing\n");
        assert_eq!((policy.rules.len(), errors.len()), (0, 0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, message) in [
            (
                "allow",
                "expected `deny`, `never`, `visit`, `operation` or `High`, found `allow`",
            ),
            ("deny to public", "expected `{`, found the end"),
            (
                "deny to public { permission operation x }",
                "no operation `x` is defined",
            ),
            (
                "never enter a after x",
                "expected `function`, `operation` or `reading High`, found `x`",
            ),
            ("visit a b", "expected `before`, found `b`"),
            (
                "deny to public { permission function f arg 0 \"a\" }",
                "arguments are counted from 1",
            ),
        ] {
            assert_eq!(read(text).1, [message]);
        }
    }
}
