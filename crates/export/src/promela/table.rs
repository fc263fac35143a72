//! Pure functions, as tables over the arguments that can occur.

use std::collections::HashMap;

use model::{ExprId, FaultId, Value};

use super::expr::{Scope, Term, any};
use super::writer::Writer;

/// A conditional table longer than this is refused: SPIN's parser keeps it on a stack.
const LONGEST_TABLE: usize = 800;

impl Writer<'_> {
    /// A function as a table over the arguments that can occur.
    pub(super) fn table(
        &self,
        scope: Scope<'_>,
        function: model::FunctionId,
        args: &[ExprId],
    ) -> Term {
        let at = (scope.slot, scope.procedure);
        let name = self.program.functions[function.index()].name.clone();
        let Some(rows) = self.values.rows(&self.layout, at, function, args) else {
            return self.refuse_function(&name);
        };
        let mut faults = Vec::new();
        let mut texts = Vec::new();
        for &arg in args {
            let term = self.expr(scope, arg);
            faults.extend(term.faults);
            texts.push(term.text);
        }
        let mut failing: HashMap<FaultId, Vec<Vec<Value>>> = HashMap::new();
        let mut results = Vec::new();
        for (values, result) in rows {
            match result {
                Ok(value) => {
                    results.push((values, self.constant(&value).text));
                }
                Err(fault) => failing.entry(fault).or_default().push(values),
            }
        }
        let mut kinds: Vec<_> = failing.into_iter().collect();
        kinds.sort_by_key(|(fault, _)| *fault);
        for (fault, rows) in kinds {
            let rows: Vec<_> = rows.into_iter().map(|row| (row, "1".to_owned())).collect();
            let also: Vec<_> = results
                .iter()
                .map(|(row, _)| (row.clone(), "0".to_owned()))
                .collect();
            let all: Vec<_> = rows.into_iter().chain(also).collect();
            faults.push((format!("({} == 1)", self.decide(&texts, 0, &all)), fault));
        }
        if results.is_empty() {
            return Term {
                text: "0".into(),
                faults,
            };
        }
        let text = self.decide(&texts, 0, &results);
        if text.matches("->").count() > LONGEST_TABLE {
            return self.refuse_function(&name);
        }
        Term { text, faults }
    }

    /// Nested conditions that pick a row.
    fn decide(&self, texts: &[String], at: usize, rows: &[(Vec<Value>, String)]) -> String {
        let first = &rows[0].1;
        if at == texts.len() || rows.iter().all(|(_, result)| result == first) {
            return first.clone();
        }
        let mut branches: Vec<(String, Vec<String>)> = Vec::new();
        let mut order: Vec<&Value> = Vec::new();
        for (values, _) in rows {
            if !order.contains(&&values[at]) {
                order.push(&values[at]);
            }
        }
        for value in order {
            let mine: Vec<_> = rows
                .iter()
                .filter(|(values, _)| values[at] == *value)
                .cloned()
                .collect();
            let result = self.decide(texts, at + 1, &mine);
            let test = self.constant(value).text;
            match branches.iter_mut().find(|(known, _)| *known == result) {
                Some((_, tests)) => tests.push(test),
                None => branches.push((result, vec![test])),
            }
        }
        // The most frequent result needs no test.
        branches.sort_by_key(|(_, tests)| tests.len());
        let mut text = branches.pop().map_or(String::new(), |(result, _)| result);
        while let Some((result, tests)) = branches.pop() {
            let tests = tests
                .into_iter()
                .map(|test| format!("{} == {test}", texts[at]));
            text = format!("({} -> {result} : {text})", any(tests));
        }
        text
    }
}
