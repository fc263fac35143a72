//! `cargo xtask gen-nodegraph`: scripts of nodes as large as those of Hasegawa and Yokogawa's
//! Table I, in our own format.
//!
//! Kinds of nodes stand in the proportions of their section V-A: 98 with one output, 7 branches,
//! 14 with states, 12 with both, 3 entries, 30 with a meaning of their own, of which two in five set
//! flags here. A script is a row of scenes: the event mode is switched on, nodes follow one
//! another with branches that meet again and forks that are joined, and it is switched off. Side
//! chains begin in a scene and run beside it; with loops, some of them begin anew for ever. A
//! missing edge is the paper's Fig. 3: the lines of one output of a branch inside a scene are gone.

use std::fmt::Write as _;

use crate::random::Random;

/// What a script is to be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) nodes: usize,
    pub(crate) seed: u64,
    /// Side chains.
    pub(crate) side: usize,
    /// Nodes of a side chain, about.
    pub(crate) length: usize,
    pub(crate) loops: bool,
    /// Whether an edge is missing.
    pub(crate) bug: bool,
}

/// The eight scripts of Table I: numbers of nodes, and in which of them something was found.
pub(crate) const TABLE: [Wanted; 8] = [
    wanted(156, 1, 4, false),
    wanted(94, 2, 3, false),
    wanted(37, 3, 1, false),
    wanted(49, 4, 2, false),
    wanted(177, 5, 3, true),
    wanted(73, 6, 2, false),
    wanted(162, 7, 4, true),
    wanted(430, 8, 9, false),
];

const fn wanted(nodes: usize, seed: u64, side: usize, bug: bool) -> Wanted {
    Wanted {
        nodes,
        seed,
        side,
        length: 8,
        loops: false,
        bug,
    }
}

const ONE: &[&str] = &[
    "PlaySE",
    "StopSE",
    "SetCamera",
    "ShowUI",
    "HideUI",
    "ChangeBGM",
    "SpawnNPC",
    "SetWeather",
    "Teleport",
    "SetParam",
    "SetQuest",
    "AddItem",
];
const BRANCH: &[&str] = &["If", "Switch"];
const WAIT: &[&str] = &["Delay", "FadeOut", "WaitLoad", "MoveTo", "PlayAnim"];
const WAIT_BRANCH: &[&str] = &["MovieClip", "Dialog", "Battle", "WaitTrigger"];
const CUSTOM: &[&str] = &["DoOnce", "FlipFlop", "Gate", "WaitAll"];

fn pins(kind: &str) -> (&'static str, &'static [&'static str]) {
    match kind {
        "ScriptStart" => ("", &["Out"]),
        "If" => ("In", &["True", "False"]),
        "Switch" => ("In", &["Case0", "Case1", "Default"]),
        "Delay" | "FadeOut" | "WaitLoad" | "MoveTo" | "PlayAnim" => ("Start", &["Finished"]),
        "MovieClip" => ("Start", &["Finished", "Skipped"]),
        "Dialog" => ("Start", &["Yes", "No"]),
        "Battle" => ("Start", &["Win", "Lose", "Escape"]),
        "WaitTrigger" => ("Start", &["Entered", "TimedOut"]),
        "DoOnce" | "Gate" => ("Enter", &["Out"]),
        "FlipFlop" => ("In", &["OutA", "OutB"]),
        _ => ("In", &["Out"]),
    }
}

/// An output that leads nowhere yet.
type Open = Vec<(usize, &'static str)>;

struct Script {
    random: Random,
    /// Kinds that are still to be used.
    bag: Vec<&'static str>,
    nodes: Vec<&'static str>,
    links: Vec<(usize, &'static str, usize, &'static str)>,
    /// Branches inside of scenes.
    branches: Vec<usize>,
}

/// The script as a text in our own format.
pub(crate) fn script(wanted: &Wanted) -> String {
    let mut random = Random::new(wanted.seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let share = |kinds: usize| (wanted.nodes * kinds + 82) / 164;
    let setters = (share(12) / 2 * 2).max(2);
    let mut bag: Vec<&'static str> = Vec::new();
    for (kinds, count) in [
        (BRANCH, share(7)),
        (WAIT, share(14)),
        (WAIT_BRANCH, share(12)),
        (CUSTOM, share(18)),
    ] {
        for _ in 0..count {
            let kind = *random.pick(kinds);
            bag.push(kind);
        }
    }
    while bag.len() + setters + 1 < wanted.nodes {
        let kind = *random.pick(ONE);
        bag.push(kind);
    }
    for at in (1..bag.len()).rev() {
        let other = random.below(at + 1);
        bag.swap(at, other);
    }
    let mut script = Script {
        random,
        bag,
        nodes: Vec::new(),
        links: Vec::new(),
        branches: Vec::new(),
    };
    script.scenes(setters / 2, wanted);
    if wanted.bug && !script.branches.is_empty() {
        let at = script.random.below(script.branches.len());
        let branch = script.branches[at];
        let outs = pins(script.nodes[branch]).1;
        let gone = outs[script.random.below(outs.len())];
        script
            .links
            .retain(|(from, pin, ..)| (*from, *pin) != (branch, gone));
    }
    script.text()
}

impl Script {
    fn scenes(&mut self, scenes: usize, wanted: &Wanted) {
        let start = self.add("ScriptStart");
        let mut open: Open = vec![(start, "Out")];
        let mut side = wanted.side;
        for scene in 0..scenes {
            let left = self.bag.len().saturating_sub(side * wanted.length);
            let part = (left / (2 * (scenes - scene))).max(1);
            let before = self.random.below(part);
            open = self.row(open, before, 0, false);
            let on = self.add("SetEventMode");
            self.link(&open, on, "Enable");
            open = vec![(on, "Out")];
            let mut here = side / (scenes - scene);
            if self.random.below(scenes - scene) < side % (scenes - scene) {
                here += 1;
            }
            for _ in 0..here.min(side) {
                side -= 1;
                self.side_chain(open.clone(), wanted);
            }
            open = self.row(open, part, 0, true);
            let off = self.add("SetEventMode");
            self.link(&open, off, "Disable");
            open = vec![(off, "Out")];
        }
        let rest = self.bag.len();
        self.row(open, rest, 0, false);
    }

    fn side_chain(&mut self, open: Open, wanted: &Wanted) {
        let first = self.nodes.len();
        let length = wanted.length / 2 + self.random.below(wanted.length + 1);
        let end = self.row(open, length.max(1), 0, false);
        let waits = |kind: &&str| WAIT.contains(kind) || WAIT_BRANCH.contains(kind);
        // A loop without a wait would never come to rest.
        if wanted.loops
            && self.nodes.get(first).is_some_and(waits)
            && !matches!(self.nodes[first], "WaitAll")
            && self.random.below(2) == 0
        {
            let input = pins(self.nodes[first]).0;
            self.link(&end, first, input);
        }
    }

    /// Puts about so many nodes behind the open outputs; those that are open at the end.
    fn row(&mut self, mut open: Open, budget: usize, depth: usize, scene: bool) -> Open {
        let end = self.bag.len().saturating_sub(budget);
        while self.bag.len() > end && !open.is_empty() {
            let mut kind = self.bag.pop().expect("it is longer than its end");
            let left = self.bag.len().saturating_sub(end);
            if kind == "WaitAll" && (left < 2 || depth > 2) {
                kind = "DoOnce";
            }
            if kind == "WaitAll" {
                // A fork into two ways, which are joined.
                let one = 1 + self.random.below(3.min(left / 2));
                let a = self.row(open.clone(), one, depth + 1, scene);
                let left = self.bag.len().saturating_sub(end);
                let two = 1 + self.random.below(3.min(left));
                let b = self.row(open, two, depth + 1, scene);
                let join = self.add("WaitAll");
                self.link(&a, join, "InA");
                self.link(&b, join, "InB");
                open = vec![(join, "Out")];
                continue;
            }
            let node = self.add(kind);
            let (input, outs) = pins(kind);
            self.link(&open, node, input);
            if outs.len() == 1 {
                open = vec![(node, outs[0])];
                continue;
            }
            if scene && kind != "FlipFlop" {
                self.branches.push(node);
            }
            open = Vec::new();
            for out in outs {
                let left = self.bag.len().saturating_sub(end);
                let some = match depth {
                    0..3 => [0, 0, 1, 2, 3][self.random.below(5)].min(left / 2),
                    _ => 0,
                };
                open.extend(self.row(vec![(node, out)], some, depth + 1, scene));
            }
        }
        open
    }

    fn add(&mut self, kind: &'static str) -> usize {
        self.nodes.push(kind);
        self.nodes.len() - 1
    }

    fn link(&mut self, open: &Open, to: usize, input: &'static str) {
        for &(from, out) in open {
            let link = (from, out, to, input);
            if !self.links.contains(&link) {
                self.links.push(link);
            }
        }
    }

    fn text(&self) -> String {
        let name = |at: usize| format!("{}{}", self.nodes[at], at + 1);
        let mut text = String::from(
            "{\n\"nodegraph\": 1,\n\"name\": \"generated\",\n\"flags\": {\"EventMode\": false},\n\
             \"nodes\": [\n",
        );
        for (at, kind) in self.nodes.iter().enumerate() {
            let comma = if at + 1 < self.nodes.len() { "," } else { "" };
            let name = name(at);
            writeln!(
                text,
                "{{\"name\": \"{name}\", \"kind\": \"{kind}\"}}{comma}"
            )
            .expect("writing to a string succeeds");
        }
        text.push_str("],\n\"links\": [\n");
        for (at, (from, out, to, input)) in self.links.iter().enumerate() {
            let comma = if at + 1 < self.links.len() { "," } else { "" };
            writeln!(
                text,
                "\"{}.{out} -> {}.{input}\"{comma}",
                name(*from),
                name(*to)
            )
            .expect("writing to a string succeeds");
        }
        text.push_str(
            "],\n\"properties\": {\"event_mode_ends\": \"AG (EventMode -> AF !EventMode)\"}\n}\n",
        );
        text
    }
}

/// Writes a script.
///
/// # Errors
/// If an option cannot be read, or the file not be written.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let mut wanted = wanted(100, 1, 3, false);
    let mut output = None;
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        let number = |text: &&str| {
            text.parse::<usize>()
                .map_err(|_| format!("read {word} {text}"))
        };
        match *word {
            "--nodes" => wanted.nodes = number(value()?)?,
            "--seed" => wanted.seed = number(value()?)? as u64,
            "--side" => wanted.side = number(value()?)?,
            "--length" => wanted.length = number(value()?)?,
            "--loops" => wanted.loops = true,
            "--bug" => wanted.bug = true,
            "-o" => output = Some((*value()?).to_owned()),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let text = script(&wanted);
    match output {
        None => print!("{text}"),
        Some(path) => {
            std::fs::write(&path, text).map_err(|error| format!("write {path}: {error}"))?;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_the_size_that_is_wanted() {
        for wanted in TABLE {
            let text = script(&wanted);
            assert_eq!(text.matches("\"kind\"").count(), wanted.nodes, "{wanted:?}");
            assert_eq!(text, script(&wanted), "the same seed gives the same script");
        }
    }
}
