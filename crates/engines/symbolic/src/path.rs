//! Runs, read off rings: one state after the other, each with a step to the next.
//!
//! Images of single states are cheap, so no fixpoint is computed here, but for the way back when
//! a cycle does not close by itself.

use std::collections::HashMap;

use crate::diagram::{Bdd, Result, Var};
use crate::fixpoint::{Forever, Until};
use crate::system::System;

/// How often a cycle goes around in the hope of meeting itself before its way back is searched.
const ROUNDS: usize = 16;

/// A state: the value of each latch, and the set that has it only.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) values: Vec<bool>,
    pub(crate) set: Bdd,
}

/// A path that is being made.
pub(crate) struct Path {
    pub(crate) states: Vec<State>,
    /// For the step that leaves each state, but perhaps the last one: what must hold of it.
    pub(crate) steps: Vec<Option<Bdd>>,
    /// Where the last step leads, if it closes a cycle.
    pub(crate) loop_start: Option<usize>,
}

impl Path {
    pub(crate) fn at(state: State) -> Path {
        Path {
            states: vec![state],
            steps: Vec::new(),
            loop_start: None,
        }
    }

    pub(crate) fn last(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    fn push(&mut self, step: Option<Bdd>, state: State) {
        self.steps.push(step);
        self.states.push(state);
    }
}

impl System<'_> {
    /// A state of a set.
    pub(crate) fn choose_state(&mut self, set: &Bdd) -> Result<Option<State>> {
        let Some(chosen) = self.space.m.choose(set) else {
            return Ok(None);
        };
        let chosen: HashMap<Var, bool> = chosen.into_iter().collect();
        let vars = self.space.current.clone();
        let values: Vec<bool> = vars
            .iter()
            .map(|var| chosen.get(var).copied().unwrap_or(false))
            .collect();
        let all: Vec<(Var, bool)> = vars.into_iter().zip(values.iter().copied()).collect();
        let set = self.space.m.literals(&all)?;
        Ok(Some(State { values, set }))
    }

    /// A shortest path from an initial state to a state of a set in the ring that has one.
    pub(crate) fn path_to(&mut self, ring: usize, set: &Bdd) -> Result<Option<Path>> {
        let goal = self.rings[ring].clone();
        let goal = self.space.m.and(&goal, set)?;
        let Some(mut state) = self.choose_state(&goal)? else {
            return Ok(None);
        };
        let mut states = vec![state.clone()];
        for ring in (0..ring).rev() {
            let before = self.before(&state.set, None)?;
            let here = self.rings[ring].clone();
            let here = self.space.m.and(&before, &here)?;
            match self.choose_state(&here)? {
                Some(before) => state = before,
                None => return Ok(None),
            }
            states.push(state.clone());
        }
        states.reverse();
        Ok(Some(Path {
            steps: vec![None; states.len() - 1],
            states,
            loop_start: None,
        }))
    }

    /// Goes from the last state to the target of an until. Returns whether there is a way.
    pub(crate) fn descend(&mut self, path: &mut Path, until: &Until) -> Result<bool> {
        let mut at = None;
        let state = path.last().set.clone();
        for (index, ring) in until.rings.iter().enumerate() {
            if self.space.m.is_subset(&state, ring)? {
                at = Some(index);
                break;
            }
        }
        let Some(ring) = at else { return Ok(false) };
        for ring in until.rings[..ring].iter().rev() {
            if !self.step_into(path, ring, None)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a step into a set.
    pub(crate) fn step_into(
        &mut self,
        path: &mut Path,
        set: &Bdd,
        taken: Option<&Bdd>,
    ) -> Result<bool> {
        let state = path.last().set.clone();
        let after = self.after(&state, taken)?;
        let after = self.space.m.and(&after, set)?;
        match self.choose_state(&after)? {
            Some(state) => {
                path.push(taken.cloned(), state);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Goes on for ever, fairly: into the core, around all conditions, and back.
    pub(crate) fn close(&mut self, path: &mut Path, forever: &Forever) -> Result<bool> {
        if !self.descend(path, &forever.entry)? {
            return Ok(false);
        }
        let mut heads: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut visited = self.space.m.zero();
        loop {
            for round in 0..=ROUNDS {
                let here = path.states.len() - 1;
                if let Some(&start) = heads.get(&path.last().values) {
                    path.states.pop();
                    path.loop_start = Some(start);
                    return Ok(true);
                }
                if round == ROUNDS {
                    break;
                }
                heads.insert(path.last().values.clone(), here);
                let state = path.last().set.clone();
                visited = self.space.m.or(&visited, &state)?;
                if !self.round(path, forever, &visited)? {
                    return Ok(false);
                }
            }
            if self.way_back(path, forever, &visited)? {
                let start = heads.get(&path.last().values).copied();
                path.states.pop();
                path.loop_start = start;
                return Ok(start.is_some());
            }
            // From here there is no way back to where it has been: it has gone down, for good.
            heads.clear();
            visited = self.space.m.zero();
        }
    }

    /// Meets each condition once.
    fn round(&mut self, path: &mut Path, forever: &Forever, heads: &Bdd) -> Result<bool> {
        let start = path.states.len();
        for way in &forever.ways {
            let state = path.last().set.clone();
            if !self.space.m.is_subset(&state, &way.until.all)? {
                // A compassion condition that need not be met.
                continue;
            }
            if !self.descend(path, &way.until)?
                || !self.step_on(path, forever, way.step.as_ref(), heads)?
            {
                return Ok(false);
            }
        }
        if path.states.len() == start {
            return self.step_on(path, forever, None, heads);
        }
        Ok(true)
    }

    /// A step within the core, to where the path has been, if possible.
    fn step_on(
        &mut self,
        path: &mut Path,
        forever: &Forever,
        step: Option<&Bdd>,
        heads: &Bdd,
    ) -> Result<bool> {
        let again = self.space.m.and(&forever.core, heads)?;
        Ok(self.step_into(path, &again, step)? || self.step_into(path, &forever.core, step)?)
    }

    /// Goes within the core to one of some states, if one can be reached.
    fn way_back(&mut self, path: &mut Path, forever: &Forever, goal: &Bdd) -> Result<bool> {
        let mut rings = vec![path.last().set.clone()];
        let mut seen = rings[0].clone();
        loop {
            let last = rings[rings.len() - 1].clone();
            let after = self.after(&last, None)?;
            let after = self.space.m.and(&after, &forever.core)?;
            let found = self.space.m.and(&after, goal)?;
            if let Some(end) = self.choose_state(&found)? {
                let mut back = vec![end];
                for ring in rings.iter().skip(1).rev() {
                    let before = self.before(&back[back.len() - 1].set, None)?;
                    let before = self.space.m.and(&before, ring)?;
                    match self.choose_state(&before)? {
                        Some(state) => back.push(state),
                        None => return Ok(false),
                    }
                }
                for state in back.into_iter().rev() {
                    path.push(None, state);
                }
                return Ok(true);
            }
            let new = self.space.m.without(&after, &seen)?;
            if new.is_zero() {
                return Ok(false);
            }
            seen = self.space.m.or(&seen, &new)?;
            rings.push(new);
        }
    }

    /// The inputs of each step of a path; of the last state too, if something is to hold there.
    pub(crate) fn inputs_of(
        &mut self,
        path: &Path,
        at_end: Option<&Bdd>,
    ) -> Result<Vec<Vec<bool>>> {
        let mut rows = Vec::new();
        for (index, step) in path.steps.iter().enumerate() {
            let from = &path.states[index];
            let to = match path.states.get(index + 1) {
                Some(to) => to,
                None => &path.states[path.loop_start.unwrap_or(0)],
            };
            let (from, to) = (from.clone(), to.clone());
            let inputs =
                self.relation
                    .inputs_between(&mut self.space, &from.set, &to.set, step.as_ref())?;
            let mut row = self.input_row(&inputs);
            for (input, value) in row.iter_mut().enumerate() {
                if self.space.is_next[input] {
                    let var = self.space.inputs[input];
                    let latch = self.space.next.iter().position(|&next| next == var);
                    *value = latch.is_some_and(|latch| to.values[latch]);
                }
            }
            rows.push(row);
        }
        if let (Some(condition), None) = (at_end, path.loop_start) {
            let state = path.last().set.clone();
            let here = self.space.m.and(&state, condition)?;
            rows.push(self.input_row(&here));
        }
        Ok(rows)
    }

    fn input_row(&self, set: &Bdd) -> Vec<bool> {
        let chosen = self.space.m.choose(set).unwrap_or_default();
        let chosen: HashMap<Var, bool> = chosen.into_iter().collect();
        let inputs = self.space.inputs.iter();
        inputs
            .map(|var| chosen.get(var).copied().unwrap_or(false))
            .collect()
    }
}
