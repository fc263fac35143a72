//! Runs that begin alike: their beginning is told once.

use std::collections::VecDeque;

use super::looks::TextOptions;
use super::steps::{sentences, told};
use crate::values::Story;

/// A beginning that takes fewer lines is told again: to look it up would take as long.
const WORTH_IT: usize = 4;

/// Of so many runs it is remembered that they were told. Others are far up the page, and all together may
/// be thousands.
const REMEMBERED: usize = 50;

/// The runs that have been told last.
#[derive(Default)]
pub(super) struct ToldRuns<'r>(VecDeque<(String, &'r Story)>);

/// The beginning of a run that has been told with another one.
pub(super) struct Beginning<'t> {
    /// How many macro steps it has.
    pub(super) steps: usize,
    /// The number of the next step that is told.
    pub(super) next: usize,
    /// What the other run is called.
    pub(super) run: &'t str,
}

impl<'r> ToldRuns<'r> {
    /// Notes that a run has been told, under this name.
    pub(super) fn push(&mut self, name: String, story: &'r Story) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((name, story));
    }

    /// The longest beginning that a run has in common with one that has been told, if it is worth
    /// the reference. Who wants every step gets every step.
    pub(super) fn beginning_of(
        &self,
        story: &Story,
        options: TextOptions,
    ) -> Option<Beginning<'_>> {
        if options.verbose {
            return None;
        }
        let mut longest: Option<(usize, &str)> = None;
        for (name, other) in &self.0 {
            let steps = common(story, other, options);
            if steps > longest.map_or(0, |(most, _)| most) {
                longest = Some((steps, name));
            }
        }
        let (steps, run) = longest?;
        let mut next = 1;
        let (lines, _) = told(&story.steps[..steps], &mut next, options);
        (lines.len() >= WORTH_IT).then_some(Beginning { steps, next, run })
    }
}

/// How many steps two runs have in common at their beginnings, so that both tell them alike: the last of them
/// is not told together with what follows, nor is a loop or the last step of a run reached.
fn common(story: &Story, other: &Story, options: TextOptions) -> usize {
    if story.beginning != other.beginning {
        return 0;
    }
    let pairs = story.steps.iter().zip(&other.steps);
    let alike = pairs.take_while(|(one, another)| one == another).count();
    let ends = [story, other].map(|run| {
        let last = run.steps.len().saturating_sub(1);
        run.repeats_from.map_or(last, |start| start.min(last))
    });
    let mut most = alike.min(ends[0]).min(ends[1]);
    let is_apart = |steps: usize| {
        let last = sentences(&story.steps[steps - 1], options);
        let following = |run: &Story| sentences(&run.steps[steps], options);
        !last.is_empty() && last != following(story) && last != following(other)
    };
    while most > 0 && !is_apart(most) {
        most -= 1;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Ending, Happening, HappeningKind, StoryStep};

    fn run(words: &[&str]) -> Story {
        let step = |(number, text): (usize, &&str)| StoryStep {
            number,
            happenings: vec![Happening {
                places: Vec::new(),
                message: None,
                kind: HappeningKind::Event,
                who: None,
                text: (*text).into(),
                detail: text.is_empty(),
                line: None,
            }],
            changes: Vec::new(),
        };
        Story {
            possible: false,
            beginning: Vec::new(),
            steps: (1..).zip(words).map(step).collect(),
            repeats_from: None,
            ending: Ending {
                text: "it is over".into(),
                values: Vec::new(),
                line: None,
                waiting: Vec::new(),
            },
            graphs: Vec::new(),
        }
    }

    fn shared(told: &Story, story: &Story) -> Option<(usize, usize)> {
        let mut runs = ToldRuns::default();
        runs.push("first".to_owned(), told);
        let found = runs.beginning_of(story, TextOptions::default())?;
        Some((found.steps, found.next))
    }

    #[test]
    fn a_long_common_beginning_is_found() {
        let told = run(&["a", "b", "", "c", "d", "x", "y"]);
        assert_eq!(
            shared(&told, &run(&["a", "b", "", "c", "d", "z"])),
            Some((5, 5))
        );
        // Too short; and another beginning.
        assert_eq!(shared(&told, &run(&["a", "b", "z"])), None);
        assert_eq!(shared(&told, &run(&["b", "b", "", "c", "d", "z"])), None);
    }

    #[test]
    fn steps_that_are_told_together_are_not_parted() {
        let told = run(&["a", "b", "c", "d", "e", "e", "x"]);
        let other = run(&["a", "b", "c", "d", "e", "y"]);
        assert_eq!(shared(&told, &other), Some((4, 5)));
        // The last step of a run is told with it.
        let whole = run(&["a", "b", "c", "d", "e"]);
        assert_eq!(shared(&told, &whole), Some((4, 5)));
    }

    #[test]
    fn a_loop_is_told_with_its_run() {
        let told = run(&["a", "b", "c", "d", "e", "f"]);
        let mut looping = told.clone();
        looping.repeats_from = Some(4);
        assert_eq!(shared(&told, &looping), Some((4, 5)));
        looping.repeats_from = Some(3);
        assert_eq!(shared(&told, &looping), None);
    }
}
