//! Regular formulas and formulas of actions from text.

use std::ops::Range;
use std::sync::Arc;

use super::scan::{is_name_start, quoted_length};
use super::{MuError, MuSyntax, Parsed, Parser, Tightness, Vocabulary, WORDS, Word};
use crate::mu::formula::{Action, Pattern, Regular};

/// An action with what its arguments look like.
type Named<V> = (
    <V as Vocabulary>::Event,
    Arc<[Pattern<<V as Vocabulary>::Value>]>,
);

impl<'t, V: Vocabulary> Parser<'t, V> {
    pub(super) fn regular(&mut self) -> Parsed<Word<V>, V::Error> {
        self.deeper(Self::choice)
    }

    pub(super) fn choice(&mut self) -> Parsed<Word<V>, V::Error> {
        let mut parts = vec![self.sequence()?];
        while self.eat("+") {
            parts.push(self.sequence()?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Regular::Choice(parts.into()),
        })
    }

    pub(super) fn sequence(&mut self) -> Parsed<Word<V>, V::Error> {
        let mut parts = vec![self.repeated()?];
        while self.eat(".") {
            parts.push(self.repeated()?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Regular::Sequence(parts.into()),
        })
    }

    pub(super) fn repeated(&mut self) -> Parsed<Word<V>, V::Error> {
        let (mut regular, joined) = self.actions()?;
        loop {
            self.blanks();
            let begin = self.at;
            let star = self.eat("*");
            // A plus that an operand follows joins.
            let plus = !star && self.peek() == Some(b'+') && {
                self.at += 1;
                let joins = self.action_begins();
                if joins {
                    self.at = begin;
                }
                !joins
            };
            if !star && !plus {
                return Ok(regular);
            }
            // For mCRL2, actions that are joined are one operand.
            if joined && !V::AS_MCRL2 {
                return Err(self.wrong(MuSyntax::Ambiguous, begin..begin + 1));
            }
            regular = if star {
                Regular::Star(Arc::new(regular))
            } else {
                Regular::Plus(Arc::new(regular))
            };
        }
    }

    /// Whether an operand begins here.
    pub(super) fn action_begins(&mut self) -> bool {
        matches!(self.peek(), Some(b'!' | b'(')) || self.peek().is_some_and(is_name_start)
    }

    /// `a => b || c && d`, to the right; says whether anything has been joined.
    pub(super) fn actions(&mut self) -> Parsed<(Word<V>, bool), V::Error> {
        let (left, joined) = self.either_actions()?;
        self.blanks();
        let place = self.at..self.at + 2;
        if !self.eat("=>") {
            return Ok((left, joined));
        }
        let right = self.deeper(Self::actions)?.0;
        match (left, right) {
            (Regular::Action(left), Regular::Action(right)) => {
                let parts = [Action::Not(Arc::new(left)), right];
                Ok((Regular::Action(Action::Or(parts.into())), true))
            }
            _ => Err(self.wrong(MuSyntax::NotAnAction, place)),
        }
    }

    /// `a || b && c`; says whether anything has been joined.
    pub(super) fn either_actions(&mut self) -> Parsed<(Word<V>, bool), V::Error> {
        let (first, mut joined) = self.both_actions()?;
        let mut parts = vec![first];
        loop {
            self.blanks();
            let place = self.at..self.at + 2;
            if !self.eat("||") {
                break;
            }
            joined = true;
            parts.push(self.operand_of(Tightness::Or, Self::both_actions)?.0);
            self.only_actions(&parts, place)?;
        }
        Ok((join(parts, Action::Or), joined))
    }

    pub(super) fn both_actions(&mut self) -> Parsed<(Word<V>, bool), V::Error> {
        let mut parts = vec![self.action()?];
        loop {
            self.blanks();
            let place = self.at..self.at + 2;
            if !self.eat("&&") {
                break;
            }
            parts.push(self.operand_of(Tightness::And, Self::action)?);
            self.only_actions(&parts, place)?;
        }
        let joined = parts.len() > 1;
        Ok((join(parts, Action::And), joined))
    }

    pub(super) fn only_actions(
        &self,
        parts: &[Word<V>],
        place: Range<usize>,
    ) -> Parsed<(), V::Error> {
        if parts.iter().all(|part| matches!(part, Regular::Action(_))) {
            Ok(())
        } else {
            Err(self.wrong(MuSyntax::NotAnAction, place))
        }
    }

    pub(super) fn action(&mut self) -> Parsed<Word<V>, V::Error> {
        self.deeper(Self::action_here)
    }

    pub(super) fn action_here(&mut self) -> Parsed<Word<V>, V::Error> {
        self.blanks();
        let begin = self.at;
        if self.eat("!") {
            return match self.operand_of(Tightness::Prefix, Self::action)? {
                Regular::Action(action) => Ok(Regular::Action(Action::Not(Arc::new(action)))),
                _ => Err(self.wrong(MuSyntax::NotAnAction, begin..begin + 1)),
            };
        }
        if self.eat("(") {
            let inner = self.enclosed(Self::regular)?;
            self.close(")", begin)?;
            return Ok(inner);
        }
        let word = self.action_word();
        let action = match word {
            "" => {
                return Err(self.wrong(MuSyntax::MissingAction, begin..self.character_end(begin)));
            }
            "true" => Action::Any,
            "false" => Action::None,
            "tau" => Action::Silent,
            "val" => Action::Data(self.value_condition()?),
            "forall" | "exists" => {
                let binders = self.binders()?;
                let place = self.at..self.character_end(self.at);
                let word = if word == "forall" { "forall" } else { "exists" };
                let Regular::Action(body) = self.actions_reaching(word)? else {
                    return Err(self.wrong(MuSyntax::NotAnAction, place));
                };
                let mut action = body;
                for binder in self.unbind(binders)?.into_iter().rev() {
                    action = if word == "forall" {
                        Action::ForAll(binder, Arc::new(action))
                    } else {
                        Action::Exists(binder, Arc::new(action))
                    };
                }
                action
            }
            first => return self.happens(first, begin),
        };
        Ok(Regular::Action(action))
    }

    /// What a quantifier among actions is about: all to the right, where that is certain.
    fn actions_reaching(&mut self, word: &'static str) -> Parsed<Word<V>, V::Error> {
        if !V::AS_MCRL2 {
            return Ok(self.actions()?.0);
        }
        let body = match self.behind {
            Tightness::Nothing => self.actions()?.0,
            Tightness::Or => self.either_actions()?.0,
            Tightness::And => self.both_actions()?.0,
            Tightness::Prefix => self.action()?,
        };
        self.ends_before_looser(word)?;
        Ok(body)
    }

    /// `name(pattern, ...)`, or several with bars between them.
    pub(super) fn happens(&mut self, first: &'t str, begin: usize) -> Parsed<Word<V>, V::Error> {
        let mut all = vec![self.one_happens(first, begin)?];
        while self.bar_follows() {
            self.at += 1;
            self.blanks();
            let begin = self.at;
            let name = self.action_word();
            if name.is_empty() || WORDS.contains(&name) {
                let place = begin..self.character_end(begin);
                return Err(self.wrong(MuSyntax::MissingAction, place));
            }
            all.push(self.one_happens(name, begin)?);
        }
        if all.len() > 1 || V::AS_MCRL2 {
            return Ok(Regular::Action(Action::Together(all.into())));
        }
        let (event, patterns) = all.remove(0);
        Ok(Regular::Action(Action::Happens(event, patterns)))
    }

    fn bar_follows(&mut self) -> bool {
        self.peek() == Some(b'|') && !self.rest().starts_with("||")
    }

    fn one_happens(&mut self, first: &'t str, begin: usize) -> Parsed<Named<V>, V::Error> {
        let mut name = first.to_owned();
        // A name of two words.
        self.blanks();
        if self.peek().is_some_and(is_name_start) && !V::AS_MCRL2 {
            let more = &self.rest()[..self.name_length(self.rest())];
            if !WORDS.contains(&more) {
                self.at += more.len();
                name = format!("{name} {more}");
            }
        }
        let name_end = self.text[..self.at].trim_end().len();
        let open = self.at;
        // Patterns are read twice: how many there are says what the name means.
        let count = self.count_arguments();
        let event = match self.vocabulary.event(&name, count, begin) {
            Ok(event) => event,
            Err(error) => {
                return Err(MuError::Name {
                    error,
                    range: begin..name_end,
                });
            }
        };
        let mut patterns = Vec::new();
        if self.eat("(") && !self.eat(")") {
            loop {
                let place = patterns.len();
                patterns.push(self.pattern(Some((&event, place)))?);
                if !self.eat(",") {
                    break;
                }
            }
            self.close(")", open)?;
        }
        Ok((event, patterns.into()))
    }

    /// How many arguments stand in parentheses here.
    pub(super) fn count_arguments(&mut self) -> usize {
        if self.peek() != Some(b'(') {
            return 0;
        }
        let bytes = self.text.as_bytes();
        let (mut open, mut commas, mut any) = (0usize, 0, false);
        let mut at = self.at;
        while at < bytes.len() {
            match bytes[at] {
                b'(' | b'[' | b'{' => open += 1,
                b')' | b']' | b'}' => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        break;
                    }
                }
                b',' if open == 1 => commas += 1,
                b'"' => {
                    any = true;
                    at += quoted_length(&self.text[at..]) - 1;
                }
                byte => any |= !byte.is_ascii_whitespace(),
            }
            at += 1;
        }
        if any { commas + 1 } else { 0 }
    }
}

/// Several formulas of actions as one.
fn join<E, V>(
    mut parts: Vec<Regular<E, V>>,
    how: impl FnOnce(Arc<[Action<E, V>]>) -> Action<E, V>,
) -> Regular<E, V> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let actions: Vec<Action<E, V>> = parts
        .into_iter()
        .filter_map(|part| match part {
            Regular::Action(action) => Some(action),
            _ => None,
        })
        .collect();
    Regular::Action(how(actions.into()))
}
