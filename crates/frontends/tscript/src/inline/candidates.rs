//! Which processes a call may be of.
//!
//! A call of a variable is one of each process whose name it may hold. What is inlined for one of these
//! names may call again what it was given, under a name that it never has when it comes to that: such a
//! call can never be made, and is no mistake of the script's. Nor is it meant where the arguments cannot have
//! the types of the parameters.

use super::{Binding, Inliner, Scope};
use crate::ast::{Call, TermKind};
use crate::behaviour::Test;
use crate::term::{Pattern, VarId};
use crate::types::{Fit, Type};

impl Inliner<'_, '_> {
    /// Of the processes that a call may be of, those that take its arguments; all if none does, unless it
    /// can never be made.
    pub(super) fn fitting(&mut self, call: &Call, scope: &Scope) -> Vec<(usize, Option<Test>)> {
        let mut all = self.candidates(call, scope);
        let given = matches!(
            scope.0.get(&call.name),
            Some(Binding::Value(Pattern::Str(_)))
        );
        let supposed = self.supposing && given;
        let fits = |index: usize| {
            self.script.processes[index].formals.len() == call.args.len()
                && !(supposed && self.stack.contains(&index))
        };
        if supposed || all.iter().any(|(index, _)| fits(*index)) {
            all.retain(|(index, _)| fits(*index));
        }
        all
    }

    /// The variable that holds the name of the process that is called: one that holds a text hides the
    /// process of its name.
    pub(super) fn named_by(&self, call: &Call, scope: &Scope) -> Option<VarId> {
        let holds_text = |variable: &VarId| {
            matches!(self.variables[variable.index()].ty, Type::Str | Type::Term)
        };
        match scope.0.get(&call.name) {
            Some(Binding::Var(var) | Binding::Value(Pattern::Var(var))) if holds_text(var) => {
                Some(*var)
            }
            _ => None,
        }
    }

    /// The processes that a call may mean, each with a test.
    fn candidates(&mut self, call: &Call, scope: &Scope) -> Vec<(usize, Option<Test>)> {
        let name = match (self.named_by(call, scope), scope.0.get(&call.name)) {
            (Some(var), _) => Pattern::Var(var),
            (None, Some(Binding::Value(Pattern::Str(text)))) => Pattern::Str(text.clone()),
            _ => {
                let found = self.known(call);
                return found.map(|index| (index, None)).into_iter().collect();
            }
        };
        if let Pattern::Str(name) = &name {
            let found = self.by_name.get(&**name).copied();
            return found.map(|index| (index, None)).into_iter().collect();
        }
        let arity = call.args.len();
        let script = self.script;
        let all = script.processes.iter().enumerate();
        let args: Vec<Pattern> = call
            .args
            .iter()
            .map(|arg| self.term(arg, scope, false))
            .collect();
        let types: Vec<Type> = args.iter().map(|arg| self.type_of(arg, false)).collect();
        let mut passed = false;
        let found: Vec<_> = all
            .filter(|(index, process)| {
                let formals = process
                    .formals
                    .iter()
                    .map(|formal| Type::of_term(&formal.ty));
                let takes = process.formals.len() == arity
                    && !self.stack.contains(index)
                    && process.formals.iter().zip(&call.args).all(|(formal, arg)| {
                        formal.result == matches!(arg.kind, TermKind::Var { result: true, .. })
                    });
                let fits = formals.zip(&types).all(|(formal, ty)| may_be(ty, &formal));
                passed |= takes && !fits;
                takes && fits
            })
            .map(|(index, process)| {
                let wanted = Pattern::Str(process.name.as_str().into());
                let test = Test {
                    test: Pattern::Apply("equal".into(), vec![name.clone(), wanted]),
                    wanted: true,
                };
                (index, Some(test))
            })
            .collect();
        self.passes_over |= passed;
        found
    }
}

/// Whether a value of one type may have another.
fn may_be(ty: &Type, wanted: &Type) -> bool {
    ty.fits(wanted) != Fit::Never || wanted.fits(ty) != Fit::Never
}

#[cfg(test)]
mod tests {
    /// Whether the report says that a variable names no process of other types.
    fn says_so(texts: [&str; 2]) -> bool {
        let [first, second] = texts;
        let text = format!(
            "process P(N : int) is snd-msg(p(N))
             process Q(N : {first}) is snd-msg(q(N))
             process R is let F : str in F := \"P\" . F({second}) endlet
             process S is (rec-msg(p(<int>)) + rec-msg(q(<term>))) * delta
             toolbus(R, S)"
        );
        let loaded = crate::load("s.tb", &text, &crate::Options::default());
        let found: Vec<_> = loaded.diagnostics.iter().map(|it| &it.message).collect();
        let program = loaded.program.unwrap_or_else(|| panic!("{found:?}"));
        let mut assumptions = program.assumptions.iter();
        assumptions.any(|it| it.text.contains("names no process whose parameters"))
    }

    #[test]
    fn a_process_that_is_passed_over_for_its_types_is_an_assumption() {
        assert!(says_so(["str", "1"]));
        assert!(!says_so(["int", "1"]));
    }
}
