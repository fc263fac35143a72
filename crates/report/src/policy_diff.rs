//! What two versions of a script may call, compared: as a value, as text and as JSON.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::values::Line;

/// The version of the JSON form.
pub const POLICY_DIFF_VERSION: u32 = 1;

/// Which calls an update gains and loses, and what becomes of the rules of a policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PolicyDiff {
    /// The version of this form.
    pub version: u32,
    /// The file of the version before.
    pub old: String,
    /// The file of the version after.
    pub new: String,
    /// Calls that differ, and those of which it is not known whether they do.
    pub calls: Vec<CallChange>,
    /// The rules of the policy, in their order.
    pub rules: Vec<CallChange>,
    /// Which texts were not asked about, if there were too many.
    pub left_out: usize,
    /// 0 nothing is gained, 1 something is, 3 that is not known.
    pub status: u8,
}

/// Whether a change is of some kind.
type Is = fn(&CallChange) -> bool;

/// Whether something can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Can {
    /// A run was found in which it does.
    Happen,
    /// It is proved that it does not.
    Not,
    /// It is not known.
    Maybe,
}

/// A call, or the violation of a rule, in both versions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallChange {
    /// The function, or the rule.
    pub name: String,
    /// A text that is passed to the function, if the call is about one.
    pub text: Option<String>,
    /// Whether the call is about passing none of the texts that are in the files.
    pub other_text: bool,
    /// Whether it can happen in the version before.
    pub old: Can,
    /// Whether it can happen in the version after.
    pub new: Can,
    /// Where, in the version after, or before if it is lost.
    pub line: Option<Line>,
}

impl CallChange {
    /// Whether the update can do what the version before could not.
    #[must_use]
    pub fn is_gained(&self) -> bool {
        (self.old, self.new) == (Can::Not, Can::Happen)
    }

    /// Whether it cannot do any more what the version before could.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        (self.old, self.new) == (Can::Happen, Can::Not)
    }

    /// Whether it may be gained, as far as is known.
    #[must_use]
    pub fn may_be_gained(&self) -> bool {
        // Who may have passed a text before does not gain it.
        let is_new = match self.other_text || self.text.is_some() {
            true => self.old == Can::Not,
            false => self.old != Can::Happen,
        };
        is_new && self.new != Can::Not && !self.is_gained()
    }

    fn shown(&self) -> String {
        let mut shown = source::shown(&self.name).into_owned();
        if let Some(text) = &self.text {
            let _ = write!(shown, "(\"{}\")", source::shown(text));
        }
        if self.other_text {
            shown.push_str("(a text that is in neither file)");
        }
        shown
    }
}

impl PolicyDiff {
    /// Fills in the status.
    #[must_use]
    pub fn finished(mut self) -> PolicyDiff {
        let all = || self.calls.iter().chain(&self.rules);
        self.status = if all().any(CallChange::is_gained) {
            1
        } else if all().any(CallChange::may_be_gained) || self.left_out > 0 {
            3
        } else {
            0
        };
        self
    }

    /// As JSON, indented, with a final line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("a comparison holds nothing that JSON cannot say") + "\n"
    }

    /// As text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{} -> {}\n",
            source::shown(&self.old),
            source::shown(&self.new)
        );
        let kinds: [(&str, Is); 3] = [
            ("gained", CallChange::is_gained),
            ("lost", CallChange::is_lost),
            ("not known", CallChange::may_be_gained),
        ];
        for (kind, is) in kinds {
            for change in self.calls.iter().filter(|change| is(change)) {
                let _ = write!(out, "  {kind:<10} {}", change.shown());
                if kind == "not known" {
                    let _ = write!(
                        out,
                        ": {} before, {} now",
                        word(change.old),
                        word(change.new)
                    );
                }
                out.push_str(&place(change.line.as_ref()));
                out.push('\n');
            }
        }
        for rule in &self.rules {
            let verdict = |can| match can {
                Can::Happen => "fails",
                Can::Not => "holds",
                Can::Maybe => "not known",
            };
            let _ = write!(
                out,
                "  {:<10} {} -> {}",
                rule.name,
                verdict(rule.old),
                verdict(rule.new)
            );
            if rule.new == Can::Happen {
                out.push_str(&place(rule.line.as_ref()));
            }
            out.push('\n');
        }
        let count = |is: Is| self.calls.iter().filter(|call| is(call)).count();
        let _ = writeln!(
            out,
            "\n{} gained, {} lost, {} not known. Exit status {}: {}.",
            count(CallChange::is_gained),
            count(CallChange::is_lost),
            count(CallChange::may_be_gained),
            self.status,
            match self.status {
                0 => "the update gains nothing",
                1 => "the update gains something",
                _ => "whether the update gains something is not known",
            }
        );
        if self.left_out > 0 {
            let _ = writeln!(out, "{} texts were not asked about", self.left_out);
        }
        out
    }
}

fn word(can: Can) -> &'static str {
    match can {
        Can::Happen => "it can happen",
        Can::Not => "it cannot happen",
        Can::Maybe => "it may happen",
    }
}

fn place(line: Option<&Line>) -> String {
    line.map_or_else(String::new, |line| {
        format!(
            "  {}:{}  `{}`",
            source::shown(&line.file),
            line.line,
            line.source
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(old: Can, new: Can) -> u8 {
        let call = CallChange {
            name: "send".to_owned(),
            text: None,
            other_text: false,
            old,
            new,
            line: None,
        };
        let diff = PolicyDiff {
            version: POLICY_DIFF_VERSION,
            old: "a.c".to_owned(),
            new: "b.c".to_owned(),
            calls: vec![call],
            rules: Vec::new(),
            left_out: 0,
            status: 0,
        };
        diff.finished().status
    }

    #[test]
    fn only_a_proof_of_the_old_and_a_run_of_the_new_are_a_gain() {
        use Can::{Happen, Maybe, Not};
        assert_eq!(status(Not, Happen), 1);
        for known in [(Not, Not), (Happen, Happen), (Happen, Not), (Maybe, Not)] {
            assert_eq!(status(known.0, known.1), 0, "{known:?}");
        }
        assert_eq!(status(Happen, Maybe), 0, "it could before");
        for open in [(Not, Maybe), (Maybe, Maybe), (Maybe, Happen)] {
            assert_eq!(status(open.0, open.1), 3, "{open:?}");
        }
    }
}
