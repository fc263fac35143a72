//! The functions of the language in mCRL2, on terms of the one sort.
//!
//! A function that is given something it has no result for has no value. What has to be true of its
//! arguments stands beside the expression, as a list of conditions (*needs*): the expression alone means
//! nothing where one of them is false. Whoever uses it decides what happens then.
//!
//! Functions on texts are refused, for texts are numbers here; so are those on numbers that are no
//! integers, and `process-id`.

use super::terms::{Refusal, Scope, Terms};
use crate::load::Dialect;
use crate::term::Pattern;

/// Conditions without which an expression has no value.
pub(super) type Needs = Vec<String>;

/// A function of the model: its name, its sorts, its equations.
type Helper = (&'static str, &'static str, &'static str);

/// What functions of the language are made of.
pub(super) const HELPERS: [Helper; 14] = [
    // 32 bits, as on both buses.
    (
        "wrapped",
        "Int -> Int",
        "wrapped(i) = (i + 2147483648) mod 4294967296 - 2147483648;",
    ),
    // Towards zero, as on both buses.
    (
        "quotient",
        "Int # Int -> Int",
        "quotient(i, j) = if((i < 0) == (j < 0), abs(i) div Nat2Pos(abs(j)), -(abs(i) div Nat2Pos(abs(j))));",
    ),
    (
        "nth",
        "List(Term) # Int -> Term",
        "nth(u |> q, i) = if(i == 1, u, nth(q, i - 1));",
    ),
    (
        "head_or",
        "List(Term) # Term -> Term",
        "head_or([], t) = t;\n    head_or(u |> q, t) = u;",
    ),
    (
        "behind",
        "List(Term) -> List(Term)",
        "behind([]) = [];\n    behind(u |> q) = q;",
    ),
    (
        "as_items",
        "Term -> List(Term)",
        "as_items(t) = if(is_list(t), items(t), [t]);",
    ),
    (
        "replaced",
        "List(Term) # Int # Term -> List(Term)",
        "replaced([], i, t) = [];\n    \
         replaced(u |> q, i, t) = if(i == 1, t |> q, u |> replaced(q, i - 1, t));",
    ),
    (
        "minus",
        "List(Term) # List(Term) -> List(Term)",
        "minus([], r) = [];\n    minus(u |> q, r) = if(u in r, minus(q, r), u |> minus(q, r));",
    ),
    (
        "common",
        "List(Term) # List(Term) -> List(Term)",
        "common([], r) = [];\n    common(u |> q, r) = if(u in r, u |> common(q, r), common(q, r));",
    ),
    (
        "within",
        "List(Term) # List(Term) -> Bool",
        "within([], r) = true;\n    within(u |> q, r) = u in r && within(q, without(r, u));",
    ),
    // A table in Java: only its first row is looked at.
    (
        "has_row",
        "List(Term) -> Bool",
        "has_row([]) = true;\n    has_row(u |> q) = is_list(u) && items(u) != [];",
    ),
    (
        "last_or",
        "List(Term) # Term -> Term",
        "last_or([], t) = t;\n    last_or(u |> q, t) = last_or(q, u);",
    ),
    // A table in C: the first pair with the key.
    (
        "looked_up",
        "List(Term) # Term -> Term",
        "looked_up([], t) = list([]);\n    \
         looked_up(u |> q, t) = if(is_list(u) && head_or(as_items(u), undefined) == t && items(u) != [], \
         head_or(behind(items(u)), list([])), looked_up(q, t));",
    ),
    (
        "stored",
        "List(Term) # Term # Term -> List(Term)",
        "stored([], t, p) = [list([t, p])];\n    \
         stored(u |> q, t, p) = if(is_list(u) && head_or(as_items(u), undefined) == t && items(u) != [], \
         list([t, p]) |> q, u |> stored(q, t, p));",
    ),
];

impl Terms {
    /// The call of a function of the model, which is declared then.
    pub(super) fn helper(&mut self, name: &'static str, args: &[&str]) -> String {
        match name {
            "within" => {}
            "looked_up" | "stored" => {
                for other in ["head_or", "as_items", "behind"] {
                    self.helpers.insert(other);
                }
            }
            _ => {}
        }
        self.helpers.insert(name);
        format!("{name}({})", args.join(", "))
    }

    /// Whether a test holds, where it has a value: a variable that holds no truth value does not.
    pub(super) fn test(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        match pattern {
            Pattern::Apply(word, args) if self.is_truth(word, args) => {
                self.truth(pattern, scope, needs)
            }
            _ => {
                let value = self.computed(pattern, scope, needs)?;
                Ok(format!("({value} == truth(true))"))
            }
        }
    }

    /// Whether a function has truth values.
    fn is_truth(&self, word: &str, args: &[Pattern]) -> bool {
        built_in(word, args.len()) == Some(crate::types::Type::Bool)
    }

    /// A truth value that is computed.
    fn truth(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let (word, args) = match pattern {
            Pattern::Bool(truth) => return Ok(truth.to_string()),
            Pattern::Apply(word, args) if self.is_truth(word, args) => (&**word, args.as_slice()),
            _ => {
                let value = self.computed(pattern, scope, needs)?;
                needs.push(format!("is_truth({value})"));
                return Ok(format!("({value} == truth(true))"));
            }
        };
        let kind = |terms: &mut Self, needs: &mut Needs, is: &dyn Fn(&str) -> String| {
            let value = terms.computed(&args[0], scope, needs)?;
            Ok::<String, Refusal>(is(&value))
        };
        let ng = self.dialect == Dialect::Ng;
        Ok(match (word, args) {
            ("not", [one]) => format!("!{}", self.truth(one, scope, needs)?),
            ("and" | "or", [a, b]) => {
                let sign = if word == "and" { "&&" } else { "||" };
                let a = self.truth(a, scope, needs)?;
                format!("({a} {sign} {})", self.truth(b, scope, needs)?)
            }
            ("equal" | "not-equal", [a, b]) => {
                let sign = if word == "equal" { "==" } else { "!=" };
                let a = self.computed(a, scope, needs)?;
                format!("({a} {sign} {})", self.computed(b, scope, needs)?)
            }
            ("less" | "less-equal" | "greater" | "greater-equal", [a, b]) => {
                let sign = match word {
                    "less" => "<",
                    "less-equal" => "<=",
                    "greater" => ">",
                    _ => ">=",
                };
                let a = self.number(a, scope, needs)?;
                format!("({a} {sign} {})", self.number(b, scope, needs)?)
            }
            ("is-bool", [_]) => kind(self, needs, &|t| format!("is_truth({t})"))?,
            ("is-int", [_]) => kind(self, needs, &|t| format!("is_number({t})"))?,
            ("is-str" | "is-bstr", [_]) => kind(self, needs, &|t| format!("is_text({t})"))?,
            ("is-list", [_]) => kind(self, needs, &|t| format!("is_list({t})"))?,
            ("is-empty", [_]) => kind(self, needs, &|t| format!("({t} == list([]))"))?,
            ("is-var", [_]) => kind(self, needs, &|t| format!("({t} == undefined)"))?,
            ("is-appl", [_]) if ng => kind(self, needs, &|t| {
                format!("!(is_number({t}) || is_list({t}))")
            })?,
            ("is-appl", [_]) => kind(self, needs, &|t| {
                format!("!(is_number({t}) || is_truth({t}) || is_text({t}) || is_list({t}))")
            })?,
            // No term is a number that is no integer, and none has gaps.
            ("is-real" | "is-result-var" | "is-formal", [_]) => {
                kind(self, needs, &|_| "false".to_owned())?
            }
            ("member", [a, b]) => {
                let a = self.computed(a, scope, needs)?;
                format!("({a} in {})", self.items(b, scope, needs)?)
            }
            ("subset", [a, b]) => {
                let a = self.items(a, scope, needs)?;
                let b = self.items(b, scope, needs)?;
                self.helper("within", &[&a, &b])
            }
            _ => return Err(format!("the function `{word}`")),
        })
    }

    /// A number that is computed.
    fn number(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        if let Pattern::Int(number) = pattern {
            return Ok(number.to_string());
        }
        let value = self.computed(pattern, scope, needs)?;
        needs.push(format!("is_number({value})"));
        Ok(format!("number_of({value})"))
    }

    /// The items of a list that is computed.
    fn items(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let value = self.computed(pattern, scope, needs)?;
        if !matches!(pattern, Pattern::List(_)) {
            needs.push(format!("is_list({value})"));
        }
        Ok(format!("items({value})"))
    }

    /// A term whose functions are computed.
    pub(super) fn computed(
        &mut self,
        pattern: &Pattern,
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let mut all = |terms: &mut Self, parts: &[Pattern]| {
            let parts = parts.iter().map(|part| terms.computed(part, scope, needs));
            parts.collect::<Result<Vec<String>, Refusal>>()
        };
        let (word, args) = match pattern {
            Pattern::List(items) => {
                let items = all(self, items)?;
                return Ok(format!("list([{}])", items.join(", ")));
            }
            Pattern::Apply(word, args) => (&**word, args.as_slice()),
            _ => return self.closed(pattern, scope),
        };
        match (word, args) {
            ("quote", [quoted]) => return self.closed(quoted, scope),
            ("process-id", []) => return Err("the number of a process that is read".into()),
            // The bus in Java leaves it as it is.
            ("current-time", []) if self.dialect == Dialect::Ng => {
                return Ok(self.applied(word, &[]));
            }
            _ => {}
        }
        match built_in(word, args.len()) {
            None => {
                let args = all(self, args)?;
                Ok(self.applied(word, &args))
            }
            Some(crate::types::Type::Bool) => {
                Ok(format!("truth({})", self.truth(pattern, scope, needs)?))
            }
            Some(crate::types::Type::Int) => self.integer(word, args, scope, needs),
            Some(_) => self.of_lists(word, args, scope, needs),
        }
    }

    /// A function whose values are numbers.
    fn integer(
        &mut self,
        word: &str,
        args: &[Pattern],
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let result = match (word, args) {
            ("sec" | "msec", [one]) => return self.computed(one, scope, needs),
            ("add" | "sub" | "mul", [a, b]) => {
                let sign = match word {
                    "add" => '+',
                    "sub" => '-',
                    _ => '*',
                };
                let a = self.number(a, scope, needs)?;
                format!("{a} {sign} {}", self.number(b, scope, needs)?)
            }
            ("min" | "hour", [one]) => {
                let seconds = if word == "min" { 60 } else { 3600 };
                format!("{} * {seconds}", self.number(one, scope, needs)?)
            }
            ("div" | "mod", [a, b]) => {
                let a = self.number(a, scope, needs)?;
                let b = self.number(b, scope, needs)?;
                needs.push(format!("{b} != 0"));
                let quotient = self.helper("quotient", &[&a, &b]);
                match word {
                    "div" => quotient,
                    _ => format!("{a} - {b} * {quotient}"),
                }
            }
            ("abs", [one]) => format!("abs({})", self.number(one, scope, needs)?),
            ("size", [one]) => {
                return Ok(format!("number(#{})", self.items(one, scope, needs)?));
            }
            _ => return Err(format!("the function `{word}`")),
        };
        Ok(format!("number({})", self.helper("wrapped", &[&result])))
    }

    /// A function on lists.
    fn of_lists(
        &mut self,
        word: &str,
        args: &[Pattern],
        scope: &Scope<'_>,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let ng = self.dialect == Dialect::Ng;
        let nothing = if ng { "undefined" } else { "list([])" };
        let items = match (word, args) {
            ("functional", [one]) => return self.computed(one, scope, needs),
            ("first", [one]) => {
                let items = self.items(one, scope, needs)?;
                return Ok(self.helper("head_or", &[&items, nothing]));
            }
            ("index", [list, at]) => {
                let items = self.items(list, scope, needs)?;
                let at = self.number(at, scope, needs)?;
                needs.push(format!("1 <= {at} && {at} <= #{items}"));
                return Ok(self.helper("nth", &[&items, &at]));
            }
            ("get", [list, key]) => {
                let items = self.items(list, scope, needs)?;
                let key = self.computed(key, scope, needs)?;
                if !ng {
                    return Ok(self.helper("looked_up", &[&items, &key]));
                }
                needs.push(self.helper("has_row", &[&items]));
                let row = self.helper("head_or", &[&items, "list([])"]);
                let row = format!("items({row})");
                let first = self.helper("head_or", &[&row, "undefined"]);
                let last = self.helper("last_or", &[&row, "undefined"]);
                return Ok(format!("if({first} == {key}, {last}, undefined)"));
            }
            ("next", [one]) => {
                let items = self.items(one, scope, needs)?;
                self.helper("behind", &[&items])
            }
            ("join", [a, b]) => {
                let a = self.computed(a, scope, needs)?;
                let b = self.computed(b, scope, needs)?;
                let (a, b) = (
                    self.helper("as_items", &[&a]),
                    self.helper("as_items", &[&b]),
                );
                format!("{a} ++ {b}")
            }
            ("replace", [list, at, new]) => {
                let items = self.items(list, scope, needs)?;
                let at = self.number(at, scope, needs)?;
                let new = self.computed(new, scope, needs)?;
                if !ng {
                    needs.push(format!("1 <= {at} && {at} <= #{items}"));
                }
                self.helper("replaced", &[&items, &at, &new])
            }
            ("put", [list, key, value]) => {
                let items = self.items(list, scope, needs)?;
                let key = self.computed(key, scope, needs)?;
                let value = self.computed(value, scope, needs)?;
                match ng {
                    true => format!("list([{key}, {value}]) |> {items}"),
                    false => self.helper("stored", &[&items, &key, &value]),
                }
            }
            ("diff" | "inter", [a, b]) => {
                let a = self.items(a, scope, needs)?;
                let b = self.items(b, scope, needs)?;
                let name = if word == "diff" { "minus" } else { "common" };
                self.helper(name, &[&a, &b])
            }
            ("delete", [list, item]) => {
                let items = self.items(list, scope, needs)?;
                let item = self.computed(item, scope, needs)?;
                format!("without({items}, {item})")
            }
            _ => return Err(format!("the function `{word}`")),
        };
        Ok(format!("list({items})"))
    }
}

/// What a function of the language gives, if it is one.
fn built_in(word: &str, arity: usize) -> Option<crate::types::Type> {
    let known = crate::library::built_ins(Dialect::Ng);
    let found = known
        .into_iter()
        .find(|function| function.name == word && function.arity == arity);
    found.map(|function| function.result)
}
