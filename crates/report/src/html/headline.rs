//! What a run shows, in one sentence, and the step that the page opens at.
//!
//! A run that ends in a violation opens at its last step: until then the property could still
//! have held. A run that never ends opens at the step that enters its loop: before it, the run
//! could still have gone elsewhere. If nothing changes in the loop, it is the last step in which something
//! happens. In a graph, a run that never ends opens at the step in which the signal ends that
//! should have led on.

use std::collections::HashMap;

use model::Picture;

use crate::ending::one_line;
use crate::values::{Line, Story, StoryStep};

/// What stands above a run.
#[derive(Default)]
pub(super) struct Headline {
    /// Sentences; code and names stand between backticks.
    pub(super) text: String,
    /// The number of the step that is shown first; 0 is the beginning.
    pub(super) opens_at: usize,
    /// Pins of the picture where something is to be changed, as `box.pin`.
    pub(super) pins: Vec<String>,
    /// The line of the script that makes the property fail.
    pub(super) line: Option<Line>,
}

/// What a run shows of the property that is asked.
pub(super) fn of(asked: &str, story: &Story, picture: Option<&Picture>) -> Headline {
    let opens_at = opens_at(story);
    let drawn = picture.and_then(|picture| Drawn::new(picture).headline(asked, story, opens_at));
    drawn.unwrap_or_else(|| told(asked, story, opens_at))
}

/// Whether nothing happens in a step that a reader would see.
fn is_idle(step: &StoryStep) -> bool {
    let seen = |happening: &crate::values::Happening| !happening.detail || happening.line.is_some();
    step.changes.is_empty() && !step.happenings.iter().any(seen)
}

/// How many steps there are up to the last in which something happens.
fn busy(story: &Story) -> usize {
    let last = story.steps.iter().rposition(|step| !is_idle(step));
    last.map_or(0, |last| last + 1)
}

fn opens_at(story: &Story) -> usize {
    let busy = busy(story);
    match story.repeats_from {
        None => story.steps.len(),
        Some(start) if busy <= start => busy,
        Some(start) => start.max(1),
    }
}

/// What the variables of the property have come to, in a step or for ever.
fn outcome(asked: &str, story: &Story, step: Option<&StoryStep>) -> String {
    let values = &story.ending.values;
    if story.repeats_from.is_some() {
        let stays = values
            .iter()
            .map(|one| format!("`{}` stays `{}`", one.name, one.value));
        let stays: Vec<String> = stays.collect();
        return match stays.is_empty() {
            true => format!("`{asked}` does not hold"),
            false => stays.join(", "),
        };
    }
    let changes = step.map_or(&[][..], |step| &step.changes);
    let becomes: Vec<String> = changes
        .iter()
        .filter(|change| values.iter().any(|one| one.name == change.variable))
        .map(|change| format!("`{}` becomes `{}`", change.variable, change.after))
        .collect();
    let ending = story.ending.text.as_str();
    let broken = ["here `", "so this run violates `"];
    let ending = match broken.iter().any(|start| ending.starts_with(start)) {
        true => format!("`{asked}` does not hold"),
        false => ending.to_owned(),
    };
    match becomes.is_empty() {
        true => ending,
        false => format!("{}, and {ending}", becomes.join(", ")),
    }
}

/// The headline of a run that is told on the lines of a script.
fn told(asked: &str, story: &Story, opens_at: usize) -> Headline {
    let step = opens_at.checked_sub(1).and_then(|at| story.steps.get(at));
    let seen = step.and_then(|step| {
        let lines = step.happenings.iter().rev();
        let mut lines = lines.filter(|one| one.line.is_some());
        lines
            .clone()
            .find(|one| !one.detail)
            .or_else(|| lines.next())
    });
    let line = seen.and_then(|one| one.line.clone());
    let place = match (&line, step) {
        // What somebody executes is a part of the line; else all of it is.
        (Some(line), _) => match seen.and_then(|one| Some((one.who.as_ref()?, &one.text))) {
            Some((who, text)) if !text.is_empty() => {
                format!("line {}, `{}` in `{who}`", line.line, one_line(text))
            }
            _ => {
                let source = line.source.trim_end_matches(';');
                format!("line {}, `{source}`", line.line)
            }
        },
        (None, Some(step)) => format!("step {}", step.number),
        (None, None) => "already at the beginning".to_owned(),
    };
    let result = outcome(asked, story, step);
    let text = match story.repeats_from {
        None => format!("{place}: {result}"),
        Some(_) if step.is_none() => format!("nothing ever happens: {result}"),
        Some(start) if busy(story) <= start => {
            format!("after {place}, nothing more happens: {result}")
        }
        Some(start) => {
            let after = match start {
                0 => String::new(),
                _ => format!("after {place}, "),
            };
            let last = story.steps.len();
            let round = match start + 1 == last {
                true => format!("step {last} repeats"),
                false => format!("steps {} to {last} repeat", start + 1),
            };
            format!("{after}{round} for ever: {result}")
        }
    };
    Headline {
        text,
        opens_at,
        pins: Vec::new(),
        line,
    }
}

/// A picture whose pins are looked up by name.
struct Drawn<'p> {
    picture: &'p Picture,
    /// Box and position of each pin.
    inputs: HashMap<String, (usize, usize)>,
    outputs: HashMap<String, (usize, usize)>,
}

impl<'p> Drawn<'p> {
    fn new(picture: &'p Picture) -> Self {
        let mut drawn = Drawn {
            picture,
            inputs: HashMap::new(),
            outputs: HashMap::new(),
        };
        for (index, one) in picture.boxes.iter().enumerate() {
            for (at, pin) in one.inputs.iter().enumerate() {
                let name = format!("{}.{}", one.name, pin.name);
                drawn.inputs.insert(name, (index, at));
            }
            for (at, pin) in one.outputs.iter().enumerate() {
                let name = format!("{}.{}", one.name, pin.name);
                drawn.outputs.insert(name, (index, at));
            }
        }
        drawn
    }

    fn headline(&self, asked: &str, story: &Story, opens: usize) -> Option<Headline> {
        let found = match story.repeats_from {
            Some(start) => self
                .lacks(story)
                .or_else(|| self.ends(story, false))
                .or_else(|| {
                    // What comes first; what waits may wait only because something ended before. Where
                    // the run goes on, a box of which nothing leads on is no more than an end.
                    let stops = busy(story) <= start;
                    let ends = stops.then(|| self.ends(story, true)).flatten();
                    let waits = stops.then(|| self.waits(story)).flatten();
                    let found = [waits, ends, self.stays(story)];
                    let first = found.into_iter().flatten().min_by_key(|(step, ..)| *step);
                    first
                        .or_else(|| self.unreached(story))
                        .or_else(|| self.waits(story))
                }),
            None => self.breaks(story),
        };
        let (step, pins, what) = found?;
        let opens_at = match story.repeats_from {
            Some(_) => step,
            None => opens,
        };
        let result = outcome(asked, story, story.steps.get(opens_at.checked_sub(1)?));
        Some(Headline {
            text: format!("{what}: {result}"),
            opens_at,
            pins,
            line: None,
        })
    }

    /// The step in which the property's variables changed last before the loop.
    fn decided(&self, story: &Story) -> usize {
        let names = &story.ending.values;
        let decided = story.steps.iter().rposition(|step| {
            let mut changes = step.changes.iter();
            changes.any(|change| names.iter().any(|one| one.name == change.variable))
        });
        decided.unwrap_or(0)
    }

    /// The inputs that a box waits for which the property is about.
    fn lacks(&self, story: &Story) -> Option<(usize, Vec<String>, String)> {
        let missing = story
            .ending
            .values
            .iter()
            .filter(|one| one.value == "false");
        let missing = missing.filter_map(|one| {
            let (name, pin) = one.name.split_once(".got.")?;
            let place = format!("{name}.{pin}");
            self.inputs.contains_key(&place).then_some(place)
        });
        let places: Vec<String> = missing.collect();
        let &(at, _) = self.inputs.get(places.first()?)?;
        let titles = places.iter().map(|place| {
            let (index, pin) = self.inputs[place];
            format!("`{}`", self.picture.boxes[index].inputs[pin].title)
        });
        let titles = titles.collect::<Vec<_>>().join(" and ");
        let what = format!(
            "`{}` waits for {titles}, where no signal comes",
            self.title(at)
        );
        Some((self.decided(story) + 1, places, what))
    }

    /// The boxes that write a variable of the property, too, and that no signal enters after it has got
    /// the value that it keeps.
    fn unreached(&self, story: &Story) -> Option<(usize, Vec<String>, String)> {
        let from = self.decided(story);
        let names: Vec<&str> = story
            .ending
            .values
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let writes = |one: &model::PictureBox| one.sets.iter().any(|set| names.contains(&&**set));
        let boxes = self.picture.boxes.iter().enumerate();
        let idle = boxes.filter(|(at, one)| {
            let mut steps = story.steps[from..].iter();
            writes(one) && !steps.any(|step| self.entered(step, *at))
        });
        let mut places = Vec::new();
        for (at, one) in idle {
            let pins = one.inputs.iter().filter(|pin| !pin.data);
            places.extend(pins.map(|pin| (at, format!("{}.{}", one.name, pin.name))));
        }
        let mut titles: Vec<String> = places
            .iter()
            .map(|(at, _)| format!("`{}`", self.title(*at)))
            .collect();
        titles.dedup();
        if titles.is_empty() || titles.len() > 3 {
            return None;
        }
        let places = places.into_iter().map(|(_, place)| place).collect();
        let what = format!(
            "no signal comes to {}, which could change it",
            titles.join(" or ")
        );
        Some((from + 1, places, what))
    }

    /// The first output that fires though nothing is joined to it, after the property's variables
    /// have got the values that they keep. At first of boxes with other outputs that lead on: a
    /// box of which nothing leads on is where a graph may well end.
    fn ends(&self, story: &Story, anywhere: bool) -> Option<(usize, Vec<String>, String)> {
        let from = self.decided(story);
        for (index, step) in story.steps.iter().enumerate().skip(from) {
            for place in step.happenings.iter().flat_map(|one| &one.places) {
                let Some(&(at, pin)) = self.outputs.get(place) else {
                    continue;
                };
                let outputs = self.picture.boxes[at].outputs.iter().enumerate();
                let mut signals = outputs.filter(|(_, one)| !one.data);
                let forks = signals.any(|(one, _)| one != pin && self.leads_on(at, one));
                let data = self.picture.boxes[at].outputs[pin].data;
                if !data
                    && !self.leads_on(at, pin)
                    && (forks || anywhere)
                    && !self.goes_on(step, at)
                {
                    let what = format!("`{}` leads nowhere", self.label(place));
                    return Some((index + 1, vec![place.clone()], what));
                }
            }
        }
        None
    }

    fn leads_on(&self, at: usize, output: usize) -> bool {
        let mut lines = self.picture.lines.iter();
        lines.any(|line| line.from == at && line.output == output)
    }

    /// A box that starts to wait and is not heard of again, of which no output leads on.
    fn stays(&self, story: &Story) -> Option<(usize, Vec<String>, String)> {
        let from = self.decided(story);
        let mut found = None;
        for (index, step) in story.steps.iter().enumerate().skip(from) {
            for change in &step.changes {
                let place = |one: &model::PictureBox| one.name == change.variable;
                let Some(at) = self.picture.boxes.iter().position(place) else {
                    continue;
                };
                found = found.filter(|(_, known)| *known != at);
                if self.entered(step, at) {
                    found = Some((index + 1, at));
                }
            }
        }
        let (step, at) = found?;
        let outputs = self.picture.boxes[at].outputs.iter().enumerate();
        let signals: Vec<usize> = outputs
            .filter(|(_, pin)| !pin.data)
            .map(|(output, _)| output)
            .collect();
        if signals.is_empty() || signals.iter().any(|&output| self.leads_on(at, output)) {
            return None;
        }
        let pins = &self.picture.boxes[at].outputs;
        let places: Vec<String> = signals
            .iter()
            .map(|&output| format!("{}.{}", self.picture.boxes[at].name, pins[output].name))
            .collect();
        let what = match places.as_slice() {
            [place] => format!("`{}` leads nowhere", self.label(place)),
            _ => format!("nothing follows `{}`", self.title(at)),
        };
        Some((step, places, what))
    }

    fn entered(&self, step: &StoryStep, at: usize) -> bool {
        let mut places = step.happenings.iter().flat_map(|one| &one.places);
        places.any(|place| self.inputs.get(place).is_some_and(|one| one.0 == at))
    }

    /// Whether a box goes on in a step by another output, or starts to wait and goes on later.
    fn goes_on(&self, step: &StoryStep, at: usize) -> bool {
        let places = || step.happenings.iter().flat_map(|one| &one.places);
        let by_another = places().any(|place| {
            let output = self.outputs.get(place);
            output.is_some_and(|&(index, pin)| index == at && self.leads_on(at, pin))
        });
        let name = &self.picture.boxes[at].name;
        let changes = step.changes.iter().any(|change| change.variable == *name);
        by_another || changes && self.entered(step, at)
    }

    /// The last input that a signal enters and does not go on from.
    fn waits(&self, story: &Story) -> Option<(usize, Vec<String>, String)> {
        let busy = busy(story);
        let step = story.steps.get(busy.checked_sub(1)?)?;
        let places: Vec<&String> = step.happenings.iter().flat_map(|one| &one.places).collect();
        let place = *places.last()?;
        let &(at, _) = self.inputs.get(place)?;
        let entered = |pin: &str| {
            let name = format!("{}.{pin}", self.picture.boxes[at].name);
            let mut places = story.steps.iter().flat_map(|step| &step.happenings);
            places.any(|one| one.places.contains(&name))
        };
        let drawn = &self.picture.boxes[at];
        let missing: Vec<&model::PicturePin> = drawn
            .inputs
            .iter()
            .enumerate()
            .filter(|(pin, one)| {
                let mut lines = self.picture.lines.iter();
                !one.data && lines.any(|line| line.to == at && line.input == *pin)
            })
            .map(|(_, one)| one)
            .filter(|one| !entered(&one.name))
            .collect();
        if missing.is_empty() {
            let what = format!("the signal stops at `{}`", self.label(place));
            return Some((busy, vec![place.clone()], what));
        }
        let names = missing.iter().map(|pin| format!("`{}`", pin.title));
        let names = names.collect::<Vec<_>>().join(" and ");
        let pins = missing
            .iter()
            .map(|pin| format!("{}.{}", drawn.name, pin.name));
        let what = format!(
            "`{}` waits for {names}, where no signal comes",
            self.title(at)
        );
        Some((busy, pins.collect(), what))
    }

    /// Where in the last step the property breaks: at the pin that the failure names, at a box that is
    /// about a variable of the property, or at the last pin.
    fn breaks(&self, story: &Story) -> Option<(usize, Vec<String>, String)> {
        let step = story.steps.last()?;
        let places: Vec<&String> = step.happenings.iter().flat_map(|one| &one.places).collect();
        let named = places
            .iter()
            .rev()
            .find(|place| story.ending.text.contains(place.as_str()));
        let changed = |variable: &str| {
            let names = &story.ending.values;
            let changes = &mut step.changes.iter();
            names.iter().any(|one| one.name == variable)
                && changes.any(|change| change.variable == variable)
        };
        let sets = |place: &&&String| {
            let input = self.inputs.get(**place);
            input.is_some_and(|&(at, _)| {
                let drawn = &self.picture.boxes[at];
                changed(&drawn.name) || drawn.sets.iter().any(|one| changed(one))
            })
        };
        let setter = places.iter().rev().find(sets);
        let place = named.or(setter).or(places.last())?;
        let verb = match self.inputs.contains_key(*place) {
            true => "a signal enters",
            false => "a signal leaves",
        };
        let what = format!("{verb} `{}`", self.label(place));
        Some((story.steps.len(), vec![(*place).clone()], what))
    }

    /// What a box is called: its title, with its name if others are titled alike.
    fn title(&self, at: usize) -> String {
        let one = &self.picture.boxes[at];
        let mut boxes = self.picture.boxes.iter();
        let alike = boxes.any(|other| other.title == one.title && other.name != one.name);
        match alike && one.title != one.name {
            true => format!("{} ({})", one.title, one.name),
            false => one.title.clone(),
        }
    }

    fn label(&self, place: &str) -> String {
        let (at, pin, output) = match (self.outputs.get(place), self.inputs.get(place)) {
            (Some(&(at, pin)), _) => (at, pin, true),
            (None, Some(&(at, pin))) => (at, pin, false),
            (None, None) => return place.to_owned(),
        };
        let one = &self.picture.boxes[at];
        let pins = if output { &one.outputs } else { &one.inputs };
        format!("{} ▸ {}", self.title(at), pins[pin].title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Change, Ending, Happening, HappeningKind, Holder, Named};

    fn step(number: usize, line: Option<u32>, change: Option<(&str, &str)>) -> StoryStep {
        let happening = line.map(|line| Happening {
            kind: HappeningKind::Step,
            who: None,
            text: String::new(),
            detail: false,
            line: Some(Line {
                file: "f".to_owned(),
                line,
                column: 1,
                source: "pay(n);".to_owned(),
            }),
            places: Vec::new(),
            message: None,
        });
        let change = change.map(|(variable, after)| Change {
            variable: variable.to_owned(),
            holder: Holder::Script,
            before: "0".to_owned(),
            after: after.to_owned(),
            detail: false,
        });
        StoryStep {
            number,
            happenings: happening.into_iter().collect(),
            changes: change.into_iter().collect(),
        }
    }

    fn story(steps: Vec<StoryStep>, repeats_from: Option<usize>) -> Story {
        Story {
            possible: false,
            beginning: Vec::new(),
            steps,
            repeats_from,
            ending: Ending {
                text: "so this run violates `left >= 0`".to_owned(),
                values: vec![Named {
                    name: "left".to_owned(),
                    value: "-1".to_owned(),
                }],
                line: None,
                waiting: Vec::new(),
            },
            graphs: Vec::new(),
        }
    }

    fn told_of(story: &Story) -> (String, usize) {
        let headline = of("left >= 0", story, None);
        (headline.text, headline.opens_at)
    }

    #[test]
    fn a_violation_is_at_the_last_step() {
        let steps = vec![
            step(1, Some(3), None),
            step(2, Some(7), Some(("left", "-1"))),
        ];
        let text = "line 7, `pay(n)`: `left` becomes `-1`, and `left >= 0` does not hold";
        assert_eq!(told_of(&story(steps, None)), (text.to_owned(), 2));
        let text = "already at the beginning: `left >= 0` does not hold";
        assert_eq!(told_of(&story(Vec::new(), None)), (text.to_owned(), 0));
    }

    #[test]
    fn a_run_that_never_ends_is_at_its_loop_or_before_it_stops() {
        let idle = |number| step(number, None, None);
        let busy = |number| step(number, Some(4), Some(("n", "1")));
        let stops = story(vec![busy(1), busy(2), idle(3), idle(4)], Some(3));
        let text = "after line 4, `pay(n)`, nothing more happens: `left` stays `-1`";
        assert_eq!(told_of(&stops), (text.to_owned(), 2));
        let goes_round = story(vec![busy(1), busy(2), busy(3)], Some(1));
        let text = "after line 4, `pay(n)`, steps 2 to 3 repeat for ever: `left` stays `-1`";
        assert_eq!(told_of(&goes_round), (text.to_owned(), 1));
        let one = story(vec![busy(1)], Some(0));
        let text = "step 1 repeats for ever: `left` stays `-1`";
        assert_eq!(told_of(&one), (text.to_owned(), 1));
        let nothing = story(vec![idle(1)], Some(0));
        let text = "nothing ever happens: `left` stays `-1`";
        assert_eq!(told_of(&nothing), (text.to_owned(), 0));
    }
}
