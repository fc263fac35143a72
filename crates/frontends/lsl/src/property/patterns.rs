//! Event patterns: what they are about, and the names that they bring into scope.

use source::{Diagnostic, Span};

use super::resolve::{Event, Extra, Happening, Place, Resolver, Scope};
use super::syntax::{Argument, EventKind, Pattern};
use crate::Type;
use crate::ast::{BinaryOp, ExprId, ExprKind, Name};
use crate::check::suggest;
use crate::codes::property as code;
use crate::facts;

impl Resolver<'_> {
    /// A pattern and the scope that it opens.
    pub(super) fn event(&mut self, pattern: &Pattern) -> Option<(Event, Scope)> {
        let (happening, types) = self.happening(pattern)?;
        let mut scope = Scope::new();
        let mut conditions = Vec::new();
        if !pattern.arguments.is_empty() || !types.is_empty() {
            self.count(pattern.arguments.len(), types.len(), pattern.span)?;
        }
        for (index, (&argument, &ty)) in pattern.arguments.iter().zip(&types).enumerate() {
            let extra = Extra::Argument {
                index: u32::try_from(index).expect("few arguments"),
                ty,
            };
            conditions.extend(self.argument(argument, ty, extra, index, &mut scope));
        }
        let mut during = None;
        if let Some(written) = &pattern.during {
            let event = self.lsl_event(written.event)?;
            self.count(
                written.arguments.len(),
                event.parameters.len(),
                written.span,
            )?;
            for (index, (&argument, parameter)) in
                written.arguments.iter().zip(&event.parameters).enumerate()
            {
                let extra = Extra::Parameter {
                    event: event.name.to_owned(),
                    index,
                    ty: parameter.ty,
                };
                let position = pattern.arguments.len() + index;
                conditions.extend(self.argument(
                    argument,
                    parameter.ty,
                    extra,
                    position,
                    &mut scope,
                ));
            }
            self.out.watch.during.insert(event.name.to_owned());
            let named = |argument: &Argument| !matches!(argument, Argument::Any);
            if written.arguments.iter().any(named) {
                self.out.watch.brought.insert(event.name.to_owned());
            }
            during = Some(event.name.to_owned());
        }
        conditions.extend(&pattern.conditions);
        let place = Place {
            scope: &scope,
            old: true,
            required: false,
        };
        for &condition in &conditions {
            self.condition(condition, place);
        }
        let event = Event {
            happening,
            during,
            conditions,
            span: pattern.span,
        };
        Some((event, scope))
    }

    /// Brings an argument's name into scope, or gives back the test that it must pass.
    fn argument(
        &mut self,
        argument: Argument,
        ty: Type,
        extra: Extra,
        position: usize,
        scope: &mut Scope,
    ) -> Option<ExprId> {
        let other = match argument {
            Argument::Any => return None,
            Argument::Name(name) => {
                let text = self.checked.ast.name_text(name);
                let known = scope.contains_key(&name.symbol)
                    || self.ghosts.contains_key(&name.symbol)
                    || self.checked.global_named(text).is_some()
                    || facts::constant(text).is_some();
                if !known {
                    let extra = self.extra(extra);
                    scope.insert(name.symbol, (ty, extra));
                    return None;
                }
                self.checked.ast.add_expr(ExprKind::Name(name), name.span)
            }
            Argument::Equal(expr) => expr,
        };
        let span = self.checked.ast.expr(other).span;
        let symbol = self.checked.ast.intern(&format!("#{position}"));
        let extra = self.extra(extra);
        scope.insert(symbol, (ty, extra));
        let name = ExprKind::Name(Name { symbol, span });
        let left = self.checked.ast.add_expr(name, span);
        let test = ExprKind::Binary {
            op: BinaryOp::Equal,
            op_span: span,
            left,
            right: other,
        };
        Some(self.checked.ast.add_expr(test, span))
    }

    fn count(&mut self, written: usize, wanted: usize, span: Span) -> Option<()> {
        if written == wanted {
            return Some(());
        }
        let arguments = if wanted == 1 { "argument" } else { "arguments" };
        self.diagnostics.push(
            Diagnostic::error(
                code::ARGUMENTS,
                format!("this event has {wanted} {arguments}, not {written}"),
            )
            .at(span)
            .help("`_` stands for an argument that does not matter"),
        );
        None
    }

    /// What a pattern is about, and the types of its arguments.
    fn happening(&mut self, pattern: &Pattern) -> Option<(Happening, Vec<Type>)> {
        match pattern.kind {
            EventKind::Call(name) => self.call(name),
            EventKind::Changes(name) => {
                let text = self.checked.ast.name_text(name).to_owned();
                if let Some(global) = self.checked.global_named(&text) {
                    self.out.watch.changes.insert(global);
                    return Some((Happening::Changes(global), Vec::new()));
                }
                let ghost = self.ghosts.contains_key(&name.symbol);
                let mut diagnostic = Diagnostic::error(
                    code::EVENT,
                    if ghost {
                        format!("changes of the ghost `{text}` are no events")
                    } else {
                        format!("the script has no global variable `{text}`")
                    },
                )
                .at(name.span);
                let globals: Vec<String> = self
                    .checked
                    .ast
                    .globals
                    .iter()
                    .map(|global| self.checked.ast.name_text(global.name).to_owned())
                    .collect();
                if let Some(similar) = suggest(&text, globals.iter().map(String::as_str)) {
                    diagnostic =
                        diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
                }
                self.diagnostics.push(diagnostic);
                None
            }
            EventKind::Paid(_) | EventKind::Discarded(_) => {
                self.out.watch.during.insert("money".to_owned());
                let happening = match pattern.kind {
                    EventKind::Paid(_) => Happening::Paid,
                    _ => Happening::Discarded,
                };
                Some((happening, vec![Type::Key, Type::Integer]))
            }
            EventKind::OwnerChanges(span) => {
                if self.checked.global_named("owner").is_some() {
                    self.diagnostics.push(
                        Diagnostic::warning(
                            code::EVENT,
                            "`owner changes` is about the object's owner, not about the variable `owner`",
                        )
                        .at(span),
                    );
                }
                Some((Happening::OwnerChanges, Vec::new()))
            }
            EventKind::Handled(name) => {
                let event = self.lsl_event(name)?;
                let types = event.parameters.iter().map(|p| p.ty).collect();
                // What the event brings matters, although its handler may not read it.
                self.out.watch.during.insert(event.name.to_owned());
                self.out.watch.brought.insert(event.name.to_owned());
                Some((Happening::Handled(event.name.to_owned()), types))
            }
        }
    }

    fn call(&mut self, name: Name) -> Option<(Happening, Vec<Type>)> {
        let text = self.checked.ast.name_text(name).to_owned();
        let types = if let Some(user) = self.checked.function_named(&text) {
            let parameters = &self.checked.ast.function(user).parameters;
            parameters.iter().map(|p| p.ty).collect()
        } else if let Some(function) = facts::function(&text) {
            function.parameters.iter().map(|p| p.ty).collect()
        } else {
            let users: Vec<String> = self
                .checked
                .ast
                .functions
                .iter()
                .map(|function| self.checked.ast.name_text(function.name).to_owned())
                .collect();
            let names = facts::functions()
                .iter()
                .map(|function| function.name)
                .chain(users.iter().map(String::as_str));
            let mut diagnostic =
                Diagnostic::error(code::EVENT, format!("there is no function `{text}`"))
                    .at(name.span);
            if let Some(similar) = suggest(&text, names) {
                diagnostic = diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        self.out.watch.calls.insert(text.clone());
        Some((Happening::Call(text), types))
    }

    fn lsl_event(&mut self, name: Name) -> Option<&'static facts::Event> {
        let text = self.checked.ast.name_text(name);
        let Some(event) = facts::event(text) else {
            let mut diagnostic =
                Diagnostic::error(code::EVENT, format!("LSL has no event `{text}`")).at(name.span);
            if let Some(similar) = suggest(text, facts::events().iter().map(|event| event.name)) {
                diagnostic = diagnostic.fix_it(name.span, similar, format!("write `{similar}`"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        let mut states = self.states.values();
        if !states.any(|&state| self.checked.handler_of(state, event.name).is_some()) {
            self.diagnostics.push(
                Diagnostic::warning(
                    code::UNHANDLED,
                    format!("no state handles `{}`", event.name),
                )
                .at(name.span)
                .saying("this never happens"),
            );
        }
        Some(event)
    }
}
