//! What processes of the script talk to: notes that wait, tools, how often events may happen.

use std::fmt::Write as _;

use super::Writer;
use super::actions::Beside;
use super::terms::{Refusal, applied};
use crate::ast::Word;
use crate::load::Dialect;

/// An action of the script with a tool.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ToolAction {
    pub(super) word: &'static str,
    /// How many arguments it has, the tool among them.
    pub(super) count: usize,
    /// The event, if it may happen so often only, and how often.
    pub(super) counted: Option<(String, i64)>,
}

impl ToolAction {
    /// Its name, as it is seen.
    pub(super) fn name(&self) -> String {
        let mut name = format!("{}_{}", super::terms::identifier(self.word), self.count);
        if let Some((event, _)) = &self.counted {
            let _ = write!(name, "_{}", super::terms::identifier(event));
        }
        name
    }

    pub(super) fn sorts(&self) -> String {
        let mut sorts = vec!["Term"; self.count];
        if self.counted.is_some() {
            sorts.push("Nat");
        }
        sorts.join(" # ")
    }
}

impl Writer<'_, '_> {
    /// The processes that keep notes; and those that are told when all is over.
    pub(super) fn queues(&mut self) {
        if self.listeners.is_empty() {
            return;
        }
        let listeners = self.listeners.clone();
        let notes: Vec<String> = listeners
            .iter()
            .map(|slot| format!("r_note_{slot}"))
            .collect();
        let mut together: Vec<&str> = notes.iter().map(String::as_str).collect();
        together.push("s_note");
        self.actions.meet(&together, "snd_note_1");
        self.actions.of_terms("s_note", 1);
        for note in &notes {
            self.actions.of_terms(note, 1);
        }
        for (ours, theirs, seen, sorts) in [
            ("s_subscribe", "r_subscribe", "subscribe", "Nat # Term"),
            (
                "s_unsubscribe",
                "r_unsubscribe",
                "unsubscribe",
                "Nat # Term",
            ),
            ("s_get", "r_get", "rec_note", "Nat # Term # Term"),
            ("s_no_note", "r_no_note", "no_note", "Nat # Term"),
            ("s_none", "r_none", "none", "Nat # Term"),
            ("s_end", "r_end", "ends", "Nat"),
            ("s_stop", "r_stop", "stops", "Nat"),
        ] {
            self.actions.meet(&[ours, theirs], seen);
            for name in [ours, theirs, seen] {
                self.actions.declare(name, sorts);
            }
        }
        let most = self.lowering.notes().map_or(0, |notes| notes.most());
        let rest = match self.lowering.dialect {
            Dialect::C => "without(s, p), purge(q, p)",
            Dialect::Ng => "without(s, p), q",
        };
        for slot in listeners {
            let name = format!("Notes_{slot}");
            // What can be done, and what becomes of subscriptions and notes. Whoever does it may end
            // with it: then nothing is left of them.
            let deeds = [
                (
                    format!("sum t: Term. (#q < {most} || !lets_in(s, t)) -> r_note_{slot}(t)"),
                    "s, if(lets_in(s, t), q <| t, q)",
                ),
                (
                    format!("sum p: Term. r_subscribe({slot}, p)"),
                    "if(p in s, s, s <| p), q",
                ),
                (format!("sum p: Term. r_unsubscribe({slot}, p)"), rest),
                (
                    format!("sum p: Term. has(q, p) -> r_get({slot}, p, first(q, p))"),
                    "s, drop(q, p)",
                ),
                (
                    format!("sum p: Term. (!has(q, p)) -> r_no_note({slot}, p)"),
                    "s, q",
                ),
                (
                    format!("sum p: Term. (!has(q, p)) -> r_none({slot}, p)"),
                    "s, q",
                ),
            ];
            let mut summands = vec![
                format!("r_end({slot}) . {name}([], [])"),
                format!("r_stop({slot}) . {name}([], [])"),
            ];
            for (deed, left) in deeds {
                summands.push(format!("{deed} . {name}({left})"));
                summands.push(format!("{deed}|r_end({slot}) . {name}([], [])"));
            }
            self.goes_down(&name, &mut summands);
            self.process(&name, "s, q: List(Term)", &summands);
            self.parallel.push(format!("{name}([], [])"));
        }
    }

    /// The tools.
    pub(super) fn tools(&mut self) -> Result<(), Refusal> {
        let kinds = self.lowering.tools.kinds.len();
        let most = self.lowering.tools.connections();
        let polite = self.lowering.polite;
        let connects = self
            .tool_actions
            .iter()
            .any(|action| action.word == "rec-connect");
        let executes = self
            .tool_actions
            .iter()
            .any(|action| action.word == "execute");
        let actions: Vec<ToolAction> = self.tool_actions.iter().cloned().collect();
        for kind in 0..kinds {
            let (first, count) = self.lowering.tools.range(kind);
            let vanishes = self.lowering.tools.kinds[kind].vanishes && !polite;
            for number in 0..count {
                let at = first + number;
                let tool = self.lowering.tool_as_value(kind, number);
                let tool = self.terms.value(&self.lowering.program.rich, &tool)?;
                let name = format!("Tool_{at}");
                let away = match most {
                    Some(most) => format!("link == 0 && uses < {most}"),
                    None => "link == 0".to_owned(),
                };
                let mut summands = Vec::new();
                if connects {
                    let more = if most.is_some() { "uses + 1" } else { "uses" };
                    summands.push(format!(
                        "({away}) -> t_connect_{at}({tool}) . {name}(1, asked, open, {more})"
                    ));
                    self.comes(kind, number, ("connect", "rec_connect_1", 1));
                    for later in number + 1..count {
                        summands.push(format!(
                            "sum t: Term. (!({away})) -> b_connect_{at}_{}(t) . \
                             {name}(link, asked, open, uses)",
                            first + later
                        ));
                    }
                }
                if executes {
                    summands.push(format!(
                        "sum t: Term. (link == 0) -> t_execute_{at}(t, {tool}) . \
                         {name}(1, asked, open, uses)"
                    ));
                    self.comes(kind, number, ("execute", "execute_2", 2));
                    for later in number + 1..count {
                        summands.push(format!(
                            "sum t, u: Term. (!(link == 0)) -> b_execute_{at}_{}(t, u) . \
                             {name}(link, asked, open, uses)",
                            first + later
                        ));
                    }
                }
                if vanishes {
                    self.actions.of_terms("vanishes_1", 1);
                    self.actions.allow("vanishes_1", 0, Beside::default());
                    summands.push(format!(
                        "(link == 1) -> vanishes_1({tool}) . {name}(2, asked, open, uses)"
                    ));
                }
                for action in &actions {
                    summands.extend(self.tool_action(action, &name, &tool, vanishes));
                }
                self.goes_down(&name, &mut summands);
                self.process(
                    &name,
                    "link: Nat, asked: Bool, open: List(Term), uses: Nat",
                    &summands,
                );
                self.parallel.push(format!("{name}(0, false, [], 0)"));
            }
        }
        Ok(())
    }

    /// A tool that comes is the first that may: those before it say that they may not.
    fn comes(&mut self, kind: usize, number: usize, (word, seen, count): (&str, &str, usize)) {
        let (first, _) = self.lowering.tools.range(kind);
        let at = first + number;
        let mut parts = vec![format!("s_{word}_{at}"), format!("t_{word}_{at}")];
        parts.extend((first..at).map(|before| format!("b_{word}_{before}_{at}")));
        for part in &parts {
            self.actions.of_terms(part, count);
        }
        self.actions.of_terms(seen, count);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.actions.meet(&parts, seen);
    }

    /// What a tool does where the script does something with it.
    fn tool_action(
        &self,
        action: &ToolAction,
        name: &str,
        tool: &str,
        vanishes: bool,
    ) -> Option<String> {
        let parameters: Vec<String> = (1..action.count).map(|at| format!("a{at}")).collect();
        let mut args = vec![tool.to_owned()];
        args.extend(parameters.iter().cloned());
        let mut sums = String::new();
        if !parameters.is_empty() {
            let _ = write!(sums, "sum {}: Term. ", parameters.join(", "));
        }
        if action.counted.is_some() {
            sums.push_str("sum k: Nat. ");
            args.push("k".to_owned());
        }
        let event = match parameters.as_slice() {
            [one] => one.clone(),
            _ => applied(&self.terms.known("[]", parameters.len()), &parameters),
        };
        let (condition, next) = match action.word {
            "snd-eval" => ("link == 1 && !asked".into(), "1, true, open, uses".into()),
            "rec-value" => ("link == 1 && asked".into(), "1, false, open, uses".into()),
            "rec-event" => (
                format!("link == 1 && !({event} in open)"),
                format!("1, asked, open <| {event}, uses"),
            ),
            "snd-ack-event" if parameters.is_empty() => return None,
            "snd-ack-event" => (
                format!("link == 1 && meant(open, {event}) != undefined"),
                format!("1, asked, without(open, meant(open, {event})), uses"),
            ),
            "rec-disconnect" => {
                let link = if vanishes { 2 } else { 1 };
                (format!("link == {link}"), "0, false, [], uses".into())
            }
            "snd-terminate" | "snd-kill" => ("link == 1".into(), "0, false, [], uses".into()),
            "snd-do" => {
                let lost = self.lowering.dialect == Dialect::Ng && !self.lowering.polite;
                let condition = if lost {
                    "link == 1 || link == 2"
                } else {
                    "link == 1"
                };
                (condition.to_owned(), "link, asked, open, uses".to_owned())
            }
            _ => return None,
        };
        let args = args.join(", ");
        Some(format!(
            "{sums}({condition}) -> t_{}({args}) . {name}({next})",
            action.name()
        ))
    }

    /// How often events happen that happen so often only.
    pub(super) fn counters(&mut self) {
        let mut counted: Vec<(String, i64, Vec<ToolAction>)> = Vec::new();
        for action in &self.tool_actions {
            let Some((event, most)) = &action.counted else {
                continue;
            };
            match counted.iter_mut().find(|(known, ..)| known == event) {
                Some((.., actions)) => actions.push(action.clone()),
                None => counted.push((event.clone(), *most, vec![action.clone()])),
            }
        }
        for (event, most, actions) in counted {
            let name = format!("Count_{}", super::terms::identifier(&event));
            let mut summands = Vec::new();
            for action in actions {
                let args: Vec<String> = (1..=action.count).map(|at| format!("a{at}")).collect();
                summands.push(format!(
                    "sum {args}: Term. (n < {most}) -> k_{}({args}, n) . {name}(n + 1)",
                    action.name(),
                    args = args.join(", "),
                ));
            }
            self.goes_down(&name, &mut summands);
            self.process(&name, "n: Nat", &summands);
            self.parallel.push(format!("{name}(0)"));
        }
    }

    /// A component that stops when a process shuts everything down.
    fn goes_down(&mut self, name: &str, summands: &mut Vec<String>) {
        for slot in self.closers.clone() {
            let down = format!("down_{slot}_{name}");
            summands.push(format!("sum t: Term. {down}(t) . delta"));
            self.downs.entry(slot).or_default().push(down);
        }
    }

    /// That all stops when one process says so.
    pub(super) fn shutdowns(&mut self) {
        for (slot, mut downs) in std::mem::take(&mut self.downs) {
            downs.push(format!("s_shutdown_{slot}"));
            for name in &downs {
                self.actions.of_terms(name, 1);
            }
            self.actions.of_terms("shutdown_1", 1);
            let parts: Vec<&str> = downs.iter().map(String::as_str).collect();
            self.actions.meet(&parts, "shutdown_1");
        }
    }
}

/// The actions of the script with tools that are connected.
pub(super) fn with_tool(word: Word) -> bool {
    matches!(
        word,
        Word::SndEval
            | Word::SndDo
            | Word::RecValue
            | Word::RecEvent
            | Word::SndAckEvent
            | Word::RecDisconnect
            | Word::SndTerminate
            | Word::SndKill
    )
}
