//! One run: events come out of the queue one by one, and the world acts in between.

use crate::claims::{Cut, Moment, Standing};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::script::Script;
use crate::value::Value;
use crate::world::{Event, Habits, Unheard};

/// How a run is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Where the random numbers begin: the same seed gives the same run.
    pub seed: u64,
    /// How many times something happens.
    pub steps: usize,
    /// How the world behaves.
    pub habits: Habits,
}

/// What a run has shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The properties, in the order of the file.
    pub standings: Vec<Standing>,
    /// What happened, in words: a line for each event, indented lines for what came of it.
    pub story: Vec<String>,
    /// The properties that nobody writes and that the run has broken, by name.
    pub unasked: Vec<&'static str>,
    /// Why the run could not be followed to its end, if so.
    pub lost: Option<&'static str>,
}

/// Makes a run.
///
/// ```
/// use lsl_concrete::{Habits, Plan, Script, run};
/// let text = "//@ property few: always touches < 2;\n\
///             integer touches; default { touch_start(integer n) { ++touches; } }";
/// let script = Script::read("t.lsl", text, &lsl::Options::default()).expect("no errors");
/// let broken = (0..20).any(|seed| {
///     let plan = Plan { seed, steps: 40, habits: Habits::default() };
///     run(&script, &plan).standings[0].broken.is_some()
/// });
/// assert!(broken);
/// ```
#[must_use]
pub fn run(script: &Script, plan: &Plan) -> Shown {
    let mut machine = match Machine::new(script, plan.seed, plan.habits) {
        Ok(machine) => machine,
        Err(_) => {
            return Shown {
                standings: Vec::new(),
                story: Vec::new(),
                unasked: Vec::new(),
                lost: Some("the script cannot begin"),
            };
        }
    };
    machine.stable();
    let lost = machine.go(plan.steps);
    machine.world.name_people();
    Shown {
        standings: machine.claims.standings,
        story: machine.world.story,
        unasked: machine.claims.unasked.broken,
        lost,
    }
}

impl Machine<'_> {
    /// Goes on for so many steps; says why it ended before, if the run was lost.
    fn go(&mut self, steps: usize) -> Option<&'static str> {
        let mut entering = true;
        for _ in 0..steps {
            if self.claims.over() || self.world.dead {
                break;
            }
            let ended = if entering {
                self.begin();
                let state = self.script.state_name(self.state);
                self.world.tell(format!("{state}: state_entry()"));
                self.handle("state_entry", Vec::new())
            } else if let Some(event) = self.next_event() {
                self.begin();
                self.deliver(event)
            } else {
                self.begin();
                self.act();
                Ok(())
            };
            match self.finish(ended) {
                Ok(enters) => entering = enters,
                Err(why) => return Some(why),
            }
            self.stable();
            for unheard in std::mem::take(&mut self.world.unheard) {
                self.begin();
                match unheard {
                    Unheard::Paid(args) => self.paid(&args),
                    Unheard::Lost(args) => self.lose(&args),
                    Unheard::Sold => self.sold(),
                }
                self.stable();
            }
        }
        None
    }

    /// The event that is handled next, unless the world acts first.
    fn next_event(&mut self) -> Option<Event> {
        let waiting = self.world.queue.len();
        if waiting == 0 || (waiting < 8 && !self.alone() && self.world.random.chance(1, 4)) {
            return None;
        }
        self.world.queue.pop_front()
    }

    fn begin(&mut self) {
        self.handling.clear();
        self.detected.clear();
        self.world.of_event.clear();
        self.statements = 0;
    }

    /// Lets the script handle an event.
    fn deliver(&mut self, event: Event) -> Result<(), Halt> {
        let args: Vec<String> = event.args.iter().map(Value::to_string).collect();
        self.world
            .tell(format!("{}({})", event.name, args.join(", ")));
        let is_news = |event: &Event| event.sale || event.name == "on_rez";
        if !is_news(&event) && self.world.queue.iter().any(is_news) {
            self.cut(Cut::UnheardNews);
        }
        if event.name == "on_rez" {
            if self.world.queue.iter().any(|event| event.name == "money") {
                self.cut(Cut::PaidTooEarly);
            }
            self.world.pay_dialog = self.world.handles("money");
        }
        self.detected = event.detected;
        if event.name == "timer" {
            self.world.since_timer = 0;
        } else {
            self.world.since_timer += 1;
        }
        match event.name {
            "money" => self.paid(&event.args),
            "changed" if event.sale => self.sold(),
            _ => {}
        }
        // Moving a little: handling takes time.
        self.world.clock += self.world.random.unit() / 20.0;
        self.handle(event.name, event.args)
    }

    fn sold(&mut self) {
        self.moment(Moment::OwnerChanges, &[]);
    }

    /// What follows the end of a handler. Says whether a state is to be entered.
    fn finish(&mut self, ended: Result<(), Halt>) -> Result<bool, &'static str> {
        let mut halt = match ended {
            Ok(()) => return Ok(false),
            Err(Halt::State(state)) if state == self.state => return Ok(false),
            Err(halt) => halt,
        };
        if let Halt::State(target) = halt {
            match self.handle("state_exit", Vec::new()) {
                // A `state` statement in `state_exit` changes nothing any more.
                Ok(()) | Err(Halt::State(_)) => halt = Halt::State(target),
                Err(other) => halt = other,
            }
        }
        // Dialogs were about the object that has been taken.
        self.world.pay_dialog &= !self.handling.iter().any(|event| event.event == "on_rez");
        match halt {
            Halt::Lost(why) => return Err(why),
            Halt::State(target) => {
                self.empty_queue();
                self.leave();
                self.enter_state(target);
                let name = self.script.state_name(target);
                self.world.tell(format!("  state {name}"));
                return Ok(true);
            }
            Halt::Reset => {
                self.empty_queue();
                self.reset();
                self.world.tell("  the script is reset".to_owned());
                return Ok(true);
            }
            Halt::Die => {
                self.empty_queue();
                self.world.dead = true;
                self.world.tell("  the object is gone".to_owned());
            }
            Halt::Fault(fault) => {
                self.claims.unasked.fault(fault);
                self.world.tell(format!("  the script stops: {fault:?}"));
                self.empty_queue();
                self.world.stopped = true;
            }
        }
        Ok(false)
    }

    /// All that waits is lost, payments with what they paid. More of them may have come while the
    /// last handler ran.
    fn empty_queue(&mut self) {
        let rezzed = self.handling.iter().any(|event| event.event == "on_rez");
        let offers = self.world.pay_dialog && self.world.handles("money") && !rezzed;
        if offers && self.world.random.chance(1, 4) {
            for _ in 0..=self.world.random.below(2) {
                self.pay_behind();
            }
        }
        let mut lost = 0;
        let waiting = std::mem::take(&mut self.world.queue);
        if waiting
            .iter()
            .any(|event| event.sale || event.name == "on_rez")
        {
            self.cut(Cut::UnheardNews);
        }
        for event in waiting {
            match event.name {
                "money" => {
                    lost += 1;
                    self.cut(Cut::PaymentLost);
                    let args: Vec<String> = event.args.iter().map(Value::to_string).collect();
                    self.world
                        .tell(format!("  lost: money({})", args.join(", ")));
                    self.paid(&event.args);
                    self.moment(Moment::Discarded, &event.args);
                }
                "changed" if event.sale => self.sold(),
                _ => {}
            }
        }
        let stated = self.script.range("lost-payments");
        if stated.is_some_and(|(_, most)| lost > most) {
            self.cut(Cut::TooManyLost);
        }
    }

    /// A payment is made whose event is thrown away unseen.
    fn lose(&mut self, args: &[Value]) {
        self.cut(Cut::PaymentLost);
        self.world
            .tell(format!("  lost: money({}, {})", args[0], args[1]));
        self.paid(args);
        self.moment(Moment::Discarded, args);
    }

    /// What a change of state takes away.
    fn leave(&mut self) {
        self.world.listens.clear();
        self.world.on.remove("sensor");
    }

    /// Everything of the script as at the beginning.
    fn reset(&mut self) {
        for (index, value) in self.first_values.clone().into_iter().enumerate() {
            let id = self.script.checked.ast.global_ids().nth(index);
            if let Some(id) = id {
                self.set_global(id, value);
            }
        }
        self.leave();
        let world = &mut self.world;
        world.timer = None;
        world.granted = 0;
        world.asked.clear();
        world.on.clear();
        world.targets.clear();
        world.urls.clear();
        world.clock_zero = world.clock;
        world.since_timer = 0;
        world.start_parameter = 0;
        if !world.habits.foreign_replies {
            world.requests.clear();
        }
        if let Some(state) = self.script.checked.state_named("default") {
            self.enter_state(state);
        }
    }
}
