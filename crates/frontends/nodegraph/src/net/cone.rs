//! The cone of influence, pin by pin: what of a net can bear on what is observed.
//!
//! A signal's arrival at an input matters if a rule there sets a variable that matters, or sends
//! a signal on whose arrival matters; a variable matters if it is observed, or a rule that
//! matters reads it. Everything else is left out: targets of outputs, assignments, machines.
//!
//! Where all nodes move at once, two signals can meet at a node, and one of them is lost: there a node
//! matters with all its inputs, or not at all.
//!
//! Nothing is lost, in either timing, for formulas that cannot tell how long nothing happens. What is
//! left moves as before, since nothing outside is read. And a run of what is left is a run of the
//! whole as soon as the rest moves too: when interleaved, between two steps or not at all, for time need
//! not pass; when all move at once, by choices that are free of each other. If fairness is
//! asked of waits inside only, a run that is fair there is one of the whole that can be made fair:
//! what waits outside can always end. A wave that never comes to rest is a finding of its own.

use std::collections::HashSet;

use super::{MachineId, Net, Rule, VarId};

/// What is observed of a net.
#[derive(Clone, Default, Debug)]
pub(crate) struct Observed {
    pub(crate) vars: Vec<VarId>,
    /// Outputs that are seen to fire.
    pub(crate) fired: Vec<(MachineId, u16)>,
    /// Inputs that are seen to be entered.
    pub(crate) entered: Vec<(MachineId, u16)>,
}

/// What matters.
#[derive(Clone, Default, Debug)]
pub(crate) struct Cone {
    pub(crate) vars: HashSet<VarId>,
    pub(crate) inputs: HashSet<(MachineId, u16)>,
    /// Machines that matter by what they do themselves.
    pub(crate) own: HashSet<MachineId>,
}

impl Cone {
    /// Whether anything about the machine matters.
    pub(crate) fn has(&self, net: &Net, id: MachineId) -> bool {
        self.own.contains(&id)
            || (0..net.machine(id).inputs.len() as u16).any(|at| self.inputs.contains(&(id, at)))
    }
}

/// Something that a rule belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Site {
    Input(MachineId, u16),
    Own(MachineId),
}

/// What of a net bears on what is observed; `meeting` if signals can meet at a node.
pub(crate) fn cone(net: &Net, observed: &Observed, meeting: bool) -> Cone {
    // Who sets a variable, who reaches an input, who fires an output.
    let mut setters: Vec<Vec<Site>> = vec![Vec::new(); net.vars.len()];
    let mut senders = std::collections::HashMap::<(MachineId, u16), Vec<Site>>::new();
    let mut firing = std::collections::HashMap::<(MachineId, u16), Vec<Site>>::new();
    let mut visit = |site: Site, id: MachineId, rule: &Rule| {
        for effect in &rule.effects {
            for (var, _) in &effect.sets {
                setters[var.index()].push(site);
            }
            for &out in &effect.outs {
                firing.entry((id, out)).or_default().push(site);
                for &target in &net.machine(id).outputs[usize::from(out)].targets {
                    senders.entry(target).or_default().push(site);
                }
            }
        }
    };
    for (id, machine) in net.ids() {
        for (at, input) in machine.inputs.iter().enumerate() {
            for rule in &input.rules {
                visit(Site::Input(id, at as u16), id, rule);
            }
        }
        for (_, rule) in &machine.own {
            visit(Site::Own(id), id, rule);
        }
    }
    let mut cone = Cone::default();
    let mut vars: Vec<VarId> = observed.vars.clone();
    let mut sites: Vec<Site> = Vec::new();
    for pin in &observed.fired {
        sites.extend(firing.get(pin).into_iter().flatten());
    }
    // What becomes of a signal that is seen may be seen as well.
    let entered = observed.entered.iter();
    sites.extend(entered.map(|&(id, at)| Site::Input(id, at)));
    loop {
        source::limits::check();
        if let Some(var) = vars.pop() {
            if cone.vars.insert(var) {
                sites.extend(&setters[var.index()]);
            }
            continue;
        }
        let Some(site) = sites.pop() else {
            return cone;
        };
        let (new, rules): (bool, Vec<&Rule>) = match site {
            Site::Input(id, at) => {
                let new = cone.inputs.insert((id, at));
                if new {
                    sites.extend(senders.get(&(id, at)).into_iter().flatten());
                }
                (
                    new,
                    net.machine(id).inputs[usize::from(at)]
                        .rules
                        .iter()
                        .collect(),
                )
            }
            Site::Own(id) => {
                let own = net.machine(id).own.iter();
                (cone.own.insert(id), own.map(|(_, rule)| rule).collect())
            }
        };
        if !new {
            continue;
        }
        if meeting {
            let (Site::Input(id, _) | Site::Own(id)) = site;
            let machine = net.machine(id);
            let inputs = 0..machine.inputs.len() as u16;
            sites.extend(inputs.map(|at| Site::Input(id, at)));
            if !machine.own.is_empty() {
                sites.push(Site::Own(id));
            }
        }
        // All rules of the place: which of them applies is decided by all their guards, and what
        // they assign may be read from what they read.
        for rule in rules {
            rule.guard.vars(&mut |var| vars.push(var));
            for (_, update) in rule.effects.iter().flat_map(|effect| &effect.sets) {
                for (test, _) in update.iter().flatten() {
                    test.vars(&mut |var| vars.push(var));
                }
            }
        }
    }
}

/// A net without what does not matter. Machines and variables are renumbered; the tables say how.
pub(crate) struct Slice {
    pub(crate) net: Net,
    pub(crate) machines: Vec<Option<MachineId>>,
    pub(crate) vars: Vec<Option<VarId>>,
    inputs: HashSet<(MachineId, u16)>,
}

impl Slice {
    /// Whether an input of the net that was cut is left.
    pub(crate) fn has_input(&self, id: MachineId, at: u16) -> bool {
        self.inputs.contains(&(id, at))
    }
}

/// Cuts a net down to a cone.
pub(crate) fn slice(net: &Net, cone: &Cone) -> Slice {
    let mut result = Net::default();
    let mut machines = vec![None; net.machines.len()];
    let mut kept = 0;
    for (id, _) in net.ids() {
        if cone.has(net, id) {
            machines[id.index()] = Some(MachineId::new(kept));
            kept += 1;
        }
    }
    let mut vars = vec![None; net.vars.len()];
    for (id, var) in net.var_ids() {
        let owner = match var.owner {
            super::Owner::Flag => Some(super::Owner::Flag),
            super::Owner::State(of) => machines[of.index()].map(super::Owner::State),
            super::Owner::Memory(of) => machines[of.index()].map(super::Owner::Memory),
        };
        if let (true, Some(owner)) = (cone.vars.contains(&id), owner) {
            vars[id.index()] = Some(VarId::new(result.vars.len()));
            result.vars.push(super::Var {
                owner,
                ..var.clone()
            });
        }
    }
    for note in &net.notes {
        let mut note = note.clone();
        if let Some(machine) = note.machine {
            note.machine = machines[machine.index()];
            if note.machine.is_none() {
                continue;
            }
        }
        if let super::NoteKind::Range(var) = &mut note.what {
            match vars[var.index()] {
                Some(new) => *var = new,
                None => continue,
            }
        }
        result.notes.push(note);
    }
    result.ends_loops = net.ends_loops;
    result.unfollowed = net.unfollowed.clone();
    let begun = net.begun.iter();
    result.begun = begun
        .filter_map(|(var, count)| Some((vars[var.index()]?, *count)))
        .collect();
    for (id, machine) in net.ids() {
        if machines[id.index()].is_none() {
            continue;
        }
        let mut machine = machine.clone();
        let keep = |rule: &mut Rule| {
            rename_test(&mut rule.guard, &vars);
            for effect in &mut rule.effects {
                effect.sets.retain_mut(|(var, update)| {
                    let Some(new) = vars[var.index()] else {
                        return false;
                    };
                    *var = new;
                    for (test, _) in update.iter_mut().flatten() {
                        rename_test(test, &vars);
                    }
                    true
                });
            }
        };
        for (at, input) in machine.inputs.iter_mut().enumerate() {
            match cone.inputs.contains(&(id, at as u16)) {
                true => input.rules.iter_mut().for_each(keep),
                false => input.rules.clear(),
            }
        }
        match cone.own.contains(&id) {
            true => machine.own.iter_mut().for_each(|(_, rule)| keep(rule)),
            false => machine.own.clear(),
        }
        for output in &mut machine.outputs {
            let targets = output.targets.iter();
            output.targets = targets
                .filter(|target| cone.inputs.contains(target))
                .filter_map(|(to, at)| Some((machines[to.index()]?, *at)))
                .collect();
        }
        let renamed = |var: VarId| vars[var.index()];
        machine.state = machine.state.and_then(renamed);
        if machine.state.is_none() {
            machine.ending.clear();
        }
        machine.memory = machine.memory.iter().copied().filter_map(renamed).collect();
        let marks = machine.marks.iter();
        machine.marks = marks
            .filter_map(|(at, var)| Some((*at, renamed(*var)?)))
            .collect();
        result.machines.push(machine);
    }
    Slice {
        net: result,
        machines,
        vars,
        inputs: cone.inputs.clone(),
    }
}

/// A test over the variables that are left. Where one is not, the test is never looked at.
pub(crate) fn rename_test(test: &mut super::Test, vars: &[Option<VarId>]) {
    use super::Test;
    match test {
        Test::Always | Test::Never => {}
        Test::Is(var, _) => match vars[var.index()] {
            Some(new) => *var = new,
            None => *test = Test::Always,
        },
        Test::Not(inner) => rename_test(inner, vars),
        Test::All(tests) | Test::Any(tests) => {
            for test in tests {
                rename_test(test, vars);
            }
        }
    }
}
