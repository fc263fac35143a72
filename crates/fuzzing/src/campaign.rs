//! Many executions of one target.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use source::limits::{Limits, within};

use crate::minimise::minimise;
use crate::mutate::Mutator;
use crate::panics::{Panicked, watch};
use crate::target::{Depth, Target};

/// Accepted inputs that are kept to be changed.
const MOST_ACCEPTED: usize = 2_000;
/// Refused inputs that are kept to be changed.
const MOST_REFUSED: usize = 200;
/// An accepted input goes on to all that follows once in so many, unless something else is asked.
const WHOLE_EVERY: u64 = 200;
/// Executions that are spent on making a finding smaller.
const TRIES: usize = 2_000;
/// Findings beyond this are not kept: the first are enough to do.
const MOST_FINDINGS: usize = 50;

/// What has been tried.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Inputs read.
    pub executions: u64,
    /// Those that were accepted.
    pub accepted: u64,
    /// Those that were read until the limit of time.
    pub stopped: u64,
    /// Those that went on to passes, engines, translation or simulation.
    pub whole: u64,
    /// Inputs kept because they showed something new, the examples among them.
    pub kept: usize,
    /// Panics, repeated ones among them.
    pub panics: u64,
}

/// An input that panics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Where, and what it says.
    pub panicked: Panicked,
    /// How far the input has to be followed.
    pub depth: Depth,
    /// The input, made small.
    pub input: Vec<u8>,
}

/// Executions of a target on changed inputs.
pub struct Campaign {
    target: &'static Target,
    mutator: Mutator,
    /// An accepted input goes on to all that follows once in so many.
    whole_every: u64,
    limit: Option<Duration>,
    slow: Duration,
    accepted: Vec<Vec<u8>>,
    refused: Vec<Vec<u8>>,
    /// What has been seen.
    features: HashSet<u64>,
    /// Examples that have not been read yet.
    examples: Vec<Vec<u8>>,
    statistics: Statistics,
    findings: Vec<Finding>,
}

impl Campaign {
    /// A campaign that begins with examples.
    #[must_use]
    pub fn new(target: &'static Target, mut examples: Vec<Vec<u8>>, seed: u64) -> Campaign {
        examples.extend((target.made)());
        examples.reverse();
        Campaign {
            target,
            mutator: Mutator::new(target.is_text, &examples, seed),
            whole_every: WHOLE_EVERY,
            limit: None,
            slow: Duration::MAX,
            accepted: Vec::new(),
            refused: Vec::new(),
            features: HashSet::new(),
            examples,
            statistics: Statistics::default(),
            findings: Vec::new(),
        }
    }

    /// Lets one accepted input in so many go on to passes, engines and the rest. Reading takes
    /// microseconds and the rest up to a fifth of a second, so this decides how many are read.
    #[must_use]
    pub fn whole_every(mut self, accepted: u64) -> Campaign {
        self.whole_every = accepted.max(1);
        self
    }

    /// Sets a time limit for reading an input. Inputs that take longer than `slow` are not mutated
    /// further, as slow inputs breed slower ones. The inputs tried then depend on the speed of the
    /// machine.
    #[must_use]
    pub fn within(mut self, limit: Duration, slow: Duration) -> Campaign {
        self.limit = Some(limit);
        self.slow = slow;
        self
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> &'static Target {
        self.target
    }

    /// What has been tried so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What has been found so far.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Reads the examples that are left, and so many changed inputs. Before each, `about` is shown
    /// it: what cannot be caught may happen.
    pub fn run(&mut self, executions: u64, about: &mut dyn FnMut(&[u8])) {
        while let Some(example) = self.examples.pop() {
            self.execute(example, true, about);
        }
        for _ in 0..executions {
            let input = self.next();
            self.execute(input, false, about);
        }
    }

    fn next(&mut self) -> Vec<u8> {
        let random = self.mutator.random();
        let from_accepted = !self.accepted.is_empty() && random.chance(92);
        let pool = if from_accepted || self.refused.is_empty() {
            &self.accepted
        } else {
            &self.refused
        };
        // The shorter of two: short inputs are read faster and cover as much.
        let two = [random.pick(pool), random.pick(pool)];
        let shorter = two.into_iter().flatten().min_by_key(|input| input.len());
        let parent = shorter.cloned().unwrap_or_default();
        let other = random.pick(&self.accepted).cloned().unwrap_or_default();
        self.mutator.mutated(&parent, &other)
    }

    fn execute(&mut self, input: Vec<u8>, is_example: bool, about: &mut dyn FnMut(&[u8])) {
        about(&input);
        self.statistics.executions += 1;
        let target = self.target;
        let begin = Instant::now();
        let limits = Limits {
            deadline: self.limit.map(|limit| begin + limit),
            ..Limits::default()
        };
        let seen = match watch(|| within(limits, || (target.read)(&input))) {
            Ok(Ok(seen)) => seen,
            Ok(Err(_)) => {
                self.statistics.stopped += 1;
                return;
            }
            Err(panicked) => return self.found(panicked, Depth::Read, &input, about),
        };
        let is_slow = begin.elapsed() > self.slow;
        let mut new = is_example;
        for feature in &seen.features {
            new |= self.features.insert(*feature);
        }
        if seen.accepted {
            self.statistics.accepted += 1;
            if is_example || self.statistics.accepted.is_multiple_of(self.whole_every) {
                self.statistics.whole += 1;
                if let Err(panicked) = watch(|| (target.whole)(&input)) {
                    self.found(panicked, Depth::Whole, &input, about);
                }
            }
        }
        let (pool, most) = match seen.accepted {
            true => (&mut self.accepted, MOST_ACCEPTED),
            false => (&mut self.refused, MOST_REFUSED),
        };
        if !new || is_slow && !is_example {
            return;
        }
        self.statistics.kept += 1;
        if pool.len() < most {
            pool.push(input);
        } else {
            let at = self.mutator.random().below(most);
            pool[at] = input;
        }
    }

    fn found(
        &mut self,
        panicked: Panicked,
        depth: Depth,
        input: &[u8],
        about: &mut dyn FnMut(&[u8]),
    ) {
        self.statistics.panics += 1;
        let known = |finding: &Finding| finding.panicked.place == panicked.place;
        if self.findings.len() >= MOST_FINDINGS || self.findings.iter().any(known) {
            return;
        }
        let target = self.target;
        let does = |input: &[u8]| {
            let done = match depth {
                Depth::Read => watch(|| drop((target.read)(input))),
                Depth::Whole => watch(|| (target.whole)(input)),
            };
            done.is_err_and(|other| other.place == panicked.place)
        };
        let input = minimise(input, TRIES, &mut |smaller| {
            about(smaller);
            does(smaller)
        });
        self.findings.push(Finding {
            panicked,
            depth,
            input,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Seen;

    /// Accepts what holds an `a`, and panics at `aaaa`.
    static ODD: Target = Target {
        name: "odd",
        is_text: false,
        made: Vec::new,
        read: |input| {
            assert!(!input.windows(4).any(|w| w == b"aaaa"), "four of them");
            Seen {
                accepted: input.contains(&b'a'),
                features: vec![input.iter().filter(|c| **c == b'a').count() as u64],
            }
        },
        whole: |_| {},
    };

    #[test]
    fn what_panics_is_found_and_made_small() {
        let mut campaign = Campaign::new(&ODD, vec![b"xaxaxaxax".to_vec()], 3);
        let mut shown = 0;
        campaign.run(20_000, &mut |_| shown += 1);
        let statistics = campaign.statistics();
        assert_eq!(statistics.executions, 20_001);
        assert!(shown >= statistics.executions);
        assert!(
            statistics.accepted > 10_000 && statistics.panics > 0,
            "{statistics:?}"
        );
        let [finding] = campaign.findings() else {
            panic!("one place panics");
        };
        assert_eq!(finding.input, b"aaaa");
        assert_eq!(finding.panicked.message, "four of them");
    }
}
