//! What processes of the script talk to: notes that wait, tools, how often events may happen.

use std::fmt::Write as _;

use super::Writer;
use super::actions::Beside;
use super::processes::SHUTDOWN;
use super::terms::Refusal;
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
            self.goes_down(&mut summands);
            self.process(&name, "s, q: List(Term)", &summands);
            self.parallel.push(format!("{name}([], [])"));
        }
    }

    /// The tools.
    pub(super) fn tools(&mut self) -> Result<(), Refusal> {
        let kinds = self.lowering.tools.kinds.len();
        let most = self.lowering.tools.connections();
        let polite = self.lowering.polite;
        let terminates = self.lowering.tools.told.is_some();
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
            let answers = self.lowering.tools.kinds[kind].answers;
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
                        "({away}) -> t_connect_{at}({tool}) . {name}(1, asked, odd, open, {more}, told)"
                    ));
                    self.comes(kind, number, ("connect", "rec_connect_1", 1));
                    for later in number + 1..count {
                        summands.push(format!(
                            "sum t: Term. (!({away})) -> b_connect_{at}_{}(t) . \
                             {name}(link, asked, odd, open, uses, told)",
                            first + later
                        ));
                    }
                }
                if executes {
                    summands.push(format!(
                        "sum t: Term. (link == 0) -> t_execute_{at}(t, {tool}) . \
                         {name}(1, asked, odd, open, uses, told)"
                    ));
                    self.comes(kind, number, ("execute", "execute_2", 2));
                    for later in number + 1..count {
                        summands.push(format!(
                            "sum t, u: Term. (!(link == 0)) -> b_execute_{at}_{}(t, u) . \
                             {name}(link, asked, odd, open, uses, told)",
                            first + later
                        ));
                    }
                }
                if vanishes {
                    self.actions.of_terms("vanishes_1", 1);
                    self.actions.allow("vanishes_1", 0, Beside::default());
                    summands.push(format!(
                        "(link == 1) -> vanishes_1({tool}) . {name}(2, 0, false, [], uses, false)"
                    ));
                }
                if terminates && !polite {
                    // Where no number is given twice, or somebody waits for that, the bus remembers it.
                    let this = &self.lowering.tools.kinds[kind];
                    let link = if this.vanishes || this.once { 2 } else { 0 };
                    self.actions.of_terms("vanishes_1", 1);
                    self.actions.allow("vanishes_1", 0, Beside::default());
                    summands.push(format!(
                        "(link == 1 && told) -> vanishes_1({tool}) . \
                         {name}({link}, 0, false, [], uses, false)"
                    ));
                }
                if answers.odd {
                    self.actions.of_terms("answers_1", 1);
                    self.actions.allow("answers_1", 0, Beside::default());
                    summands.push(format!(
                        "(link == 1 && asked > 0 && !odd) -> answers_1({tool}) . \
                         {name}(1, Int2Nat(asked - 1), true, open, uses, told)"
                    ));
                }
                for action in &actions {
                    summands.extend(self.tool_action(action, &name, &tool, kind));
                }
                self.goes_down(&mut summands);
                self.process(
                    &name,
                    "link: Nat, asked: Nat, odd: Bool, open: List(Term), uses: Nat, told: Bool",
                    &summands,
                );
                self.parallel
                    .push(format!("{name}(0, 0, false, [], 0, false)"));
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
        kind: usize,
    ) -> Option<String> {
        let this = &self.lowering.tools.kinds[kind];
        let vanishes = this.vanishes && !self.lowering.polite;
        let ng = self.lowering.dialect == Dialect::Ng;
        let terminates = self.lowering.has_word(Word::SndTerminate);
        // Where no number is given twice, what has gone is gone for good.
        let away = if this.once { 3 } else { 0 };
        let gone = format!("{away}, 0, false, [], uses, false");
        let (here, there) = ("link == 1", "link == 1 || link == 2");
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
            _ => format!("list([{}])", parameters.join(", ")),
        };
        let (condition, next) = match action.word {
            "snd-eval" => (
                format!("{here} && asked < {}", this.answers.most),
                "1, asked + 1, odd, open, uses, told".into(),
            ),
            "rec-value" => (
                format!("{here} && asked > 0"),
                "1, Int2Nat(asked - 1), odd, open, uses, told".into(),
            ),
            "rec-event" => (
                format!("{here} && !({event} in open)"),
                format!("1, asked, odd, open <| {event}, uses, told"),
            ),
            "snd-ack-event" if parameters.is_empty() => return None,
            "snd-ack-event" => (
                match ng {
                    true => there.into(),
                    false => format!("{here} && meant(open, {event}) != undefined"),
                },
                format!("link, asked, odd, without(open, meant(open, {event})), uses, told"),
            ),
            "rec-disconnect" => {
                let link = match (vanishes, ng && terminates) {
                    (true, _) => "link == 2",
                    (false, true) => there,
                    (false, false) => here,
                };
                (link.to_owned(), gone)
            }
            "snd-terminate" if ng => (
                there.to_owned(),
                "link, asked, odd, open, uses, link == 1".into(),
            ),
            "snd-kill" if ng && self.lowering.comes_by_itself(kind) => (
                there.to_owned(),
                "link, asked, odd, open, uses, told".into(),
            ),
            "snd-terminate" | "snd-kill" => (here.to_owned(), gone),
            "snd-do" => (here.to_owned(), "link, asked, odd, open, uses, told".into()),
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
            self.goes_down(&mut summands);
            self.process(&name, "n: Nat", &summands);
            self.parallel.push(format!("{name}(0)"));
        }
    }

    /// A component that stops when a process shuts everything down.
    pub(super) fn goes_down(&self, summands: &mut Vec<String>) {
        if self.closes {
            summands.push("sum t: Term. down(t) . delta".to_owned());
        }
    }

    /// That all stop when a process says so: everybody but that one goes down in the same action.
    pub(super) fn shutdown(&mut self) {
        if !self.closes {
            return;
        }
        if self.parallel.len() == 1 {
            // Actions of one meet nobody.
            let mut summands = Vec::new();
            self.goes_down(&mut summands);
            self.process("Bystander", "", &summands);
            self.parallel.push("Bystander".to_owned());
        }
        let others = self.parallel.len() - 1;
        for name in ["down", "s_shutdown", SHUTDOWN] {
            self.actions.of_terms(name, 1);
        }
        let mut parts = vec!["down"; others];
        parts.push("s_shutdown");
        self.actions.meet(&parts, SHUTDOWN);
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
