//! Which moves are enabled: what is possible, less what something more urgent excludes.

use model::{Mode, UnknownReason};

use crate::ir::instruction::{MoveInfo, Slot};
use crate::vm::dependencies::Tracking;
use crate::vm::machine::{Exit, Machine};

type Result<T> = std::result::Result<T, UnknownReason>;

impl Machine<'_> {
    /// The location code of an instance.
    pub(crate) fn location(&self, instance: usize) -> usize {
        let slot: Slot = self.code.instances[instance].location;
        usize::try_from(self.get(slot)).expect("a location's code")
    }

    /// How control stays where an instance is; nothing if it is nowhere.
    pub(crate) fn mode(&self, instance: usize) -> Option<Mode> {
        self.code.instances[instance].modes[self.location(instance)]
    }

    /// The moves that begin where the instances are.
    pub(crate) fn offered(&self, out: &mut Vec<u32>) {
        for (instance, info) in self.code.instances.iter().enumerate() {
            out.extend_from_slice(&info.moves[self.location(instance)]);
        }
    }

    /// Whether a move is possible. Leaves behind what its choices wrote.
    fn probe(&mut self, id: u32) -> Result<bool> {
        match self.run(self.code.moves[id as usize].enumerate).0 {
            Exit::Yield { .. } => Ok(true),
            Exit::Stop => Err(self.stopped()),
            _ => Ok(false),
        }
    }

    /// Moves of some instances whose guards and communication allow them, before anything excludes another.
    fn possible(
        &mut self,
        instances: std::ops::Range<usize>,
        wanted: impl Fn(&MoveInfo) -> bool,
    ) -> Result<Vec<u32>> {
        let code = self.code;
        let head = self.log.head();
        let boundary = self.log.take_boundary();
        let mut image = self.spare.pop().unwrap_or_default();
        let mut kept = Vec::new();
        let mut written = false;
        for instance in instances {
            for &id in &code.instances[instance].moves[self.location(instance)] {
                let info = &code.moves[id as usize];
                if !wanted(info) {
                    continue;
                }
                if info.writes && !std::mem::replace(&mut written, true) {
                    image.clear();
                    image.extend_from_slice(self.lasting());
                }
                if self.probe(id)? {
                    kept.push(id);
                }
                self.log.go_back(head);
                if info.writes {
                    self.lasting_mut().copy_from_slice(&image);
                }
            }
        }
        self.spare.push(image);
        self.log.set_boundary(boundary);
        Ok(kept)
    }

    /// Whether any such move is possible. What was there before is lost where moves have choices.
    fn is_any_possible(&mut self, wanted: impl Fn(&[model::Part]) -> bool) -> Result<bool> {
        let code = self.code;
        let head = self.log.head();
        let boundary = self.log.take_boundary();
        let mut image = self.spare.pop().unwrap_or_default();
        let mut any = false;
        let mut written = false;
        'instances: for (instance, info) in code.instances.iter().enumerate() {
            for &id in &info.moves[self.location(instance)] {
                let info = &code.moves[id as usize];
                if !wanted(&info.parts) {
                    continue;
                }
                if info.writes && !std::mem::replace(&mut written, true) {
                    image.clear();
                    image.extend_from_slice(self.lasting());
                }
                any = self.probe(id)?;
                self.log.go_back(head);
                if any {
                    break 'instances;
                }
                if info.writes {
                    self.lasting_mut().copy_from_slice(&image);
                }
            }
        }
        self.spare.push(image);
        self.log.set_boundary(boundary);
        Ok(any)
    }

    /// The enabled moves. A holder inside a region excludes everybody else, one that is atomic
    /// only if it can go on and nobody of higher priority can move; the second result says whether
    /// it goes on.
    pub(crate) fn enabled(&mut self, holder: Option<usize>) -> Result<(Vec<u32>, bool)> {
        let code = self.code;
        self.dependencies.incomplete = true;
        let mut moves = self.possible(0..code.instances.len(), |_| true)?;
        if !code.uniform {
            self.most_urgent_siblings(&mut moves);
        }
        let mut goes_on = false;
        if let Some(holder) = holder {
            let is_its = |&id: &u32| code.moves[id as usize].is_of(holder);
            let mut mine: Vec<u32> = moves.iter().copied().filter(is_its).collect();
            if self.mode(holder) == Some(Mode::Atomic) && self.outranked(holder, &moves) {
                mine.clear();
            }
            goes_on = !mine.is_empty();
            if goes_on || self.mode(holder) == Some(Mode::Region) {
                moves = mine;
            }
        }
        if !code.uniform {
            self.highest_class(&mut moves);
        }
        Ok((moves, goes_on))
    }

    /// The enabled moves of the holder, for programs in which no move excludes another: the moves of other
    /// instances need not be tried.
    pub(crate) fn enabled_of(&mut self, holder: usize) -> Result<Vec<u32>> {
        debug_assert!(self.code.uniform, "a move may exclude another");
        if self.barriers {
            self.dependencies.incomplete = true;
            let all = 0..self.code.instances.len();
            return self.possible(all, |info| info.is_of(holder));
        }
        self.note_location(holder);
        self.possible(holder..holder + 1, |info| info.is_of(holder))
    }

    /// Writes down that it has been asked where an instance is.
    pub(crate) fn note_location(&mut self, instance: usize) {
        if self.tracking == Tracking::Everything {
            self.dependencies
                .read
                .push(self.code.instances[instance].location);
        }
    }

    /// Keeps, for each instance, the highest precedence and the lowest rank among its siblings.
    fn most_urgent_siblings(&self, moves: &mut Vec<u32>) {
        let code = self.code;
        let mut best: Vec<Option<(u16, u16)>> = vec![None; code.instances.len()];
        let each = |id: u32| {
            let info = &code.moves[id as usize];
            info.parts
                .iter()
                .map(|part| part.instance as usize)
                .zip(&info.urgency)
        };
        for &id in moves.iter() {
            for (instance, urgency) in each(id) {
                best[instance] = best[instance].max(*urgency);
            }
        }
        moves.retain(|&id| {
            each(id).all(|(instance, urgency)| urgency.is_none() || *urgency == best[instance])
        });
    }

    /// Keeps the moves of the highest class and, among those, of the highest process priority.
    fn highest_class(&mut self, moves: &mut Vec<u32>) {
        let code = self.code;
        let class = |id: &u32| code.moves[*id as usize].class;
        let highest = moves.iter().map(class).max();
        moves.retain(|id| Some(class(id)) == highest);
        if code.no_priorities {
            return;
        }
        let priorities = self.priorities();
        let priority = |id: &u32| priorities[code.moves[*id as usize].parts[0].instance as usize];
        let highest = moves.iter().map(priority).max();
        moves.retain(|id| Some(priority(id)) == highest);
    }

    /// The priority of each instance.
    fn priorities(&mut self) -> Vec<i64> {
        let code = self.code;
        (0..code.instances.len())
            .map(|n| match code.instances[n].priorities[self.location(n)] {
                Some(pc) => {
                    self.run(pc);
                    self.get(code.result)
                }
                None => 0,
            })
            .collect()
    }

    /// Whether one of the moves is of somebody of higher priority than the holder.
    fn outranked(&mut self, holder: usize, moves: &[u32]) -> bool {
        if self.code.no_priorities {
            return false;
        }
        let priorities = self.priorities();
        let mover = |id: &u32| self.code.moves[*id as usize].parts[0].instance as usize;
        moves
            .iter()
            .any(|id| priorities[mover(id)] > priorities[holder])
    }

    /// Whether the instance with a number can take part in a possible move.
    pub(crate) fn is_enabled(&mut self, number: i64) -> Result<bool> {
        let Ok(number) = u32::try_from(number) else {
            return Ok(false);
        };
        self.dependencies.incomplete = true;
        if let Some(movers) = self.movers {
            return Ok(movers.checked_shr(number).unwrap_or(0) & 1 != 0);
        }
        if std::mem::replace(&mut self.asking, true) {
            // It is what is being found out.
            return Ok(false);
        }
        let answer = self.aside(|machine| {
            machine.is_any_possible(|parts| parts.iter().any(|p| p.instance == number))
        });
        self.asking = false;
        answer
    }

    /// Whether no instance can move, moves that ask this taken as not possible.
    pub(crate) fn is_nothing_enabled(&mut self) -> Result<bool> {
        self.dependencies.incomplete = true;
        if let Some(answer) = self.timeout {
            return Ok(answer);
        }
        self.timeout = Some(false);
        let answer = self.aside(|machine| Ok(!machine.is_any_possible(|_| true)?));
        self.timeout = None;
        answer
    }

    /// Runs code in the middle of other code, which finds everything as it was.
    fn aside<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let through = std::mem::take(&mut self.through);
        self.suspend_lists();
        let mut image = self.spare.pop().unwrap_or_default();
        image.clear();
        image.extend_from_slice(self.lasting());
        let lasting = image.len();
        image.extend_from_slice(&self.memory[self.code.temporaries.clone()]);
        let result = f(self);
        self.lasting_mut().copy_from_slice(&image[..lasting]);
        self.memory[self.code.temporaries.clone()].copy_from_slice(&image[lasting..]);
        self.spare.push(image);
        self.list_base -= self.code.lists;
        self.through = through;
        result
    }

    /// Keeps the lists of the present enumeration and begins with fresh ones.
    pub(crate) fn suspend_lists(&mut self) {
        self.list_base += self.code.lists;
        self.make_room_for_lists();
    }

    /// Lists for the present enumeration and for one inside it.
    pub(crate) fn make_room_for_lists(&mut self) {
        let needed = self.list_base + 2 * self.code.lists;
        if self.lists.len() < needed {
            self.lists.resize_with(needed, Default::default);
        }
    }
}
