//! Calls of processes that other scripts define, and calls that other scripts make, if the script is open.

use super::{Inliner, Scope};
use crate::ast::{Call, ProcessDef, Word};
use crate::behaviour::{Atom, Core, CoreId, Test};
use crate::term::{Pattern, VarId};

impl Inliner<'_, '_> {
    /// What a process does that is defined elsewhere; `pid` is given a value, if there is one.
    pub(super) fn outside(&mut self, call: &Call, pid: Option<Pattern>, scope: &Scope) -> CoreId {
        let named = self.named_by(call, scope).map(Pattern::Var);
        let mut args = vec![named.unwrap_or_else(|| Pattern::Str(call.name.as_str().into()))];
        args.extend(call.args.iter().map(|arg| self.term(arg, scope, false)));
        args.extend(pid);
        self.push_atom(Atom {
            word: Word::Outside,
            args,
            creates: None,
            delayed: false,
            delay: None,
            timeout: None,
            span: call.span,
        })
    }

    /// A process that begins when other scripts call it, with any arguments. That it is called is an action
    /// like a call of a process of theirs, by its own name, which the script itself can never call.
    pub(super) fn called_by_others(
        &mut self,
        definition: &ProcessDef,
        parameters: usize,
        body: CoreId,
    ) -> CoreId {
        let variables = (0..parameters)
            .map(|index| Pattern::Result(VarId(u32::try_from(index).expect("few variables"))));
        let mut args = vec![Pattern::Str(definition.name.as_str().into())];
        args.extend(variables);
        let called = self.push_atom(Atom {
            word: Word::Outside,
            args,
            creates: None,
            delayed: false,
            delay: None,
            timeout: None,
            span: definition.name_span,
        });
        self.cores.sequence(called, body)
    }

    /// Adds the process that is defined elsewhere, where a variable of an open script says which is called:
    /// it is none of the script.
    pub(super) fn or_outside(
        &mut self,
        choices: &mut Vec<CoreId>,
        (call, pid): (&Call, Option<Pattern>),
        tests: Vec<Test>,
        scope: &Scope,
    ) {
        if !self.open || self.named_by(call, scope).is_none() {
            return;
        }
        let outside = self.outside(call, pid, scope);
        choices.push(tests.into_iter().fold(outside, |then, test| {
            let test = Test {
                wanted: false,
                ..test
            };
            self.cores.add(Core::If { test, then })
        }));
    }

    /// Whether a call means a process that is defined elsewhere.
    pub(super) fn is_outside(&self, call: &Call, scope: &Scope) -> bool {
        let name = call.name.as_str();
        self.open && !scope.0.contains_key(name) && !self.by_name.contains_key(name)
    }
}
