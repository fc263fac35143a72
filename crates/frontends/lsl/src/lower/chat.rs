//! What the scripts of a linkset say to each other on channels.
//!
//! What is said waits with the messages of `link_message` in one queue for each script that listens. Which
//! listens hear it is decided when it is said. A prim does not hear itself. How far objects are from each
//! other is not modelled: what only those near hear, is heard or not.

use std::collections::BTreeMap;

use model::{ExprId, Place, Stmt, Type as ModelType};
use source::Span;

use super::build::Build;
use super::code::Coder;
use super::company::{Ears, Filter};
use super::flow::Holder;
use super::{Input, outside};
use crate::library;
use crate::linkset::member::{Member, speaks};
use crate::types::Type;

/// Whether something is so for certain, and whether it may be.
#[derive(Clone, Copy)]
pub(super) struct Truth {
    pub(super) certain: ExprId,
    possible: ExprId,
}

impl Build {
    /// Under which names an object may speak whose name is not known, as far as the script can tell them apart.
    pub(super) fn names_heard(&mut self, input: Input<'_>) -> Vec<ExprId> {
        let is_used = input
            .survey
            .used_parameters
            .contains(&("listen".to_owned(), 1))
            || input.watch.during.contains("listen");
        if !is_used {
            return vec![self.text("")];
        }
        let class = self.flow.class_of(Holder::Parameter("listen", 1));
        self.range(class, "the name of an object")
    }

    /// What the script's listens let through.
    pub(super) fn filters(&self) -> Vec<Filter> {
        let listens = self.world.listens.values();
        let filters = listens.map(|listen| Filter {
            open: listen.open,
            muted: listen.muted,
            channel: listen.channel,
            id: listen.id,
            name: listen.name,
            message: listen.message,
            others: listen.others,
        });
        filters.collect()
    }

    fn surely(&mut self, fact: ExprId) -> Truth {
        Truth {
            certain: fact,
            possible: fact,
        }
    }

    fn both(&mut self, one: Truth, other: Truth) -> Truth {
        Truth {
            certain: self.and(one.certain, other.certain),
            possible: self.and(one.possible, other.possible),
        }
    }

    fn either(&mut self, one: Truth, other: Truth) -> Truth {
        Truth {
            certain: self.or(one.certain, other.certain),
            possible: self.or(one.possible, other.possible),
        }
    }

    /// Whether two texts are equal, as far as that can be told.
    pub(super) fn equality(&mut self, left: ExprId, right: ExprId) -> Truth {
        let Some(entry) = library::binary("==", Type::String, Type::String) else {
            let equal = self.equal(left, right);
            return self.surely(equal);
        };
        let equal = self.apply(entry, &[left, right]);
        let equal = self.as_bool(equal);
        let determined = self.determined(entry, &[left, right]);
        let open = self.not(determined);
        Truth {
            certain: self.and(determined, equal),
            possible: self.or(open, equal),
        }
    }

    /// Whether a listen lets something pass: it asks for nothing, or for this.
    fn passes(&mut self, filter: ExprId, said: ExprId, nothing: &[&str]) -> Truth {
        let mut passes = self.equality(filter, said);
        for text in nothing {
            let text = self.text(text);
            let open = self.equality(filter, text);
            passes = self.either(passes, open);
        }
        passes
    }
}

/// Something that is said.
#[derive(Clone, Copy)]
struct Said {
    channel: ExprId,
    text: ExprId,
    /// The key of the prim that says it, and its name, if that is known.
    key: ExprId,
    name: Option<ExprId>,
    /// Only those near hear it.
    near: bool,
    /// Whom it is said to, if not to all.
    target: Option<ExprId>,
}

impl Coder<'_> {
    /// Whether a call says something that another script of the linkset may hear.
    pub(super) fn is_heard(&self, function: &str) -> bool {
        let member = self.input.member;
        speaks(function).is_some() && member.is_some_and(|member| member.hearers().next().is_some())
    }

    /// Somebody says something: puts it into the queues of those who hear it.
    pub(super) fn say(&mut self, function: &str, args: &[ExprId], span: Span) {
        let Some(member) = self.input.member else {
            return;
        };
        let args: Vec<ExprId> = args.iter().map(|&arg| self.save(arg)).collect();
        let (target, args) = match function {
            "llRegionSayTo" => (args.first().copied(), &args[1..]),
            _ => (None, &args[..]),
        };
        let &[channel, text] = args else {
            return;
        };
        let name = &member.linkset.prims[member.script().prim].name;
        let said = Said {
            channel,
            text,
            key: self.build.world.this_object,
            name: name.as_deref().map(|name| self.build.text(name)),
            near: speaks(function) == Some(true),
            target,
        };
        // The scripts of one prim are all near enough, or none is.
        let mut near: BTreeMap<usize, Place> = BTreeMap::new();
        for peer in self.build.company.peers.clone() {
            let (Some(inbox), Some(ears)) = (peer.inbox, &peer.ears) else {
                continue;
            };
            if peer.prim == member.script().prim {
                continue;
            }
            let ready = self.is_ready(&peer, &ears.handling);
            let mut heard = self.build.surely(ready);
            if let Some(target) = said.target {
                let meant = self.is_target(target, peer.prim, peer.key);
                heard = self.build.both(heard, meant);
            } else if !said.near {
                // Nothing is said to the whole region on channel 0.
                let zero = self.build.int(0);
                let public = self.build.equal(channel, zero);
                let private = self.build.not(public);
                let private = self.build.surely(private);
                heard = self.build.both(heard, private);
            }
            let (hears, again) = self.heard_by(ears, said);
            heard = self.build.both(heard, hears);
            let never = Some(&model::Value::Bool(false));
            if self.build.program.exprs.constant(heard.possible) == never {
                continue;
            }
            let mut deliver = self.is_delivered(heard, member, span);
            if said.near {
                let alone = self.hearers_in(peer.prim) == 1;
                let condition = alone.then_some(deliver);
                let near = match near.get(&peer.prim) {
                    Some(near) => near.clone(),
                    None => {
                        let chosen = self.near_enough(condition);
                        near.insert(peer.prim, chosen.clone());
                        chosen
                    }
                };
                let near = self.build.program.exprs.load(near, ModelType::Bool);
                deliver = self.build.and(deliver, near);
                deliver = self.save(deliver);
            }
            let name = self.name_heard(ears, said, deliver, span);
            let (none, kind) = (self.build.int(0), self.build.int(1));
            let mut message = vec![channel, none, text, said.key, kind, name];
            message.extend(self.input.survey.has_receipts.then_some(none));
            self.post(inbox, deliver, message.clone(), span);
            if let Some(again) = again {
                // Whether several listens hear it once or each for itself is told nowhere.
                let again = self.build.and(again, deliver);
                let again = self.maybe(again, "whether several listens hear the same twice", span);
                self.post(inbox, again, message, span);
            }
        }
        for (_, place) in near {
            let no = self.build.bool(false);
            self.emit(Stmt::Assign(place, no));
        }
    }

    /// How many scripts of a prim hear what others say.
    fn hearers_in(&self, prim: usize) -> usize {
        let peers = self.build.company.peers.iter();
        peers
            .filter(|peer| peer.prim == prim && peer.ears.is_some())
            .count()
    }

    /// Chooses whether a prim is near enough to hear, where it matters.
    fn near_enough(&mut self, condition: Option<ExprId>) -> Place {
        let place = self.temporary(&ModelType::Bool);
        let (no, yes) = (self.build.bool(false), self.build.bool(true));
        let choice = Build::one_of(place.clone(), "near enough to hear", vec![no, yes]);
        let choose = vec![Stmt::Choose(choice)];
        match condition {
            Some(condition) => {
                let far = vec![Stmt::Assign(place.clone(), no)];
                self.emit(Stmt::If(condition, choose, far));
            }
            None => choose.into_iter().for_each(|stmt| self.emit(stmt)),
        }
        place
    }

    /// Whether what is said to somebody is said to a prim. Whether it is said to the other prims of that
    /// object, too, is told nowhere.
    fn is_target(&mut self, target: ExprId, prim: usize, key: ExprId) -> Truth {
        let mut meant = self.build.equality(target, key);
        let Some(member) = self.input.member else {
            return meant;
        };
        let prims = &member.linkset.prims;
        for peer in self.build.company.peers.clone() {
            if peer.prim != prim && prims[peer.prim].object == prims[prim].object {
                let near = self.build.equality(target, peer.key);
                meant.possible = self.build.or(meant.possible, near.possible);
            }
        }
        meant
    }

    /// Whether a script's listens hear what is said, and whether more than one does.
    fn heard_by(&mut self, ears: &Ears, said: Said) -> (Truth, Option<ExprId>) {
        let no = self.build.bool(false);
        let mut heard = self.build.surely(no);
        let mut several = no;
        for listen in &ears.listens {
            let own = self.listen_hears(listen, said);
            let both = self.build.and(heard.possible, own.possible);
            several = self.build.or(several, both);
            heard = self.build.either(heard, own);
            // Listens of earlier calls may hear anything.
            if let Some(others) = listen.others {
                let others = self.build.read(others);
                heard.possible = self.build.or(heard.possible, others);
                several = self.build.or(several, others);
            }
        }
        let heard = Truth {
            certain: self.save(heard.certain),
            possible: self.save(heard.possible),
        };
        let is_one = self.build.program.exprs.constant(several) == Some(&model::Value::Bool(false));
        let several = (!is_one).then(|| self.save(several));
        (heard, several)
    }

    fn listen_hears(&mut self, listen: &Filter, said: Said) -> Truth {
        let open = self.build.read(listen.open);
        let channel = self.build.read(listen.channel);
        let there = self.build.equal(channel, said.channel);
        let mut on = self.build.and(open, there);
        if let Some(muted) = listen.muted {
            let muted = self.build.read(muted);
            let loud = self.build.not(muted);
            on = self.build.and(on, loud);
        }
        let mut heard = self.build.surely(on);
        let whom = self.build.read(listen.id);
        let by_key = self.build.passes(whom, said.key, &["", outside::NULL_KEY]);
        heard = self.build.both(heard, by_key);
        let what = self.build.read(listen.message);
        let by_text = self.build.passes(what, said.text, &[""]);
        heard = self.build.both(heard, by_text);
        if let Some(name) = listen.name {
            let name = self.build.read(name);
            let by_name = match said.name {
                Some(said) => self.build.passes(name, said, &[""]),
                None => {
                    let empty = self.build.text("");
                    let any = self.build.equality(name, empty);
                    Truth {
                        certain: any.certain,
                        possible: self.build.bool(true),
                    }
                }
            };
            heard = self.build.both(heard, by_name);
        }
        heard
    }

    /// Whether what may be heard is.
    fn is_delivered(&mut self, heard: Truth, member: Member<'_>, span: Span) -> ExprId {
        let place = self.temporary(&ModelType::Bool);
        self.emit(Stmt::Assign(place.clone(), heard.certain));
        let uncertain = self.build.not(heard.certain);
        let open = self.build.and(heard.possible, uncertain);
        if self.build.program.exprs.constant(open) != Some(&model::Value::Bool(false)) {
            let what = format!("who hears what {} says", member.script().name);
            let (mut choice, _) = self.build.doubtful(&what, span);
            choice.place = place.clone();
            self.emit(Stmt::If(open, vec![Stmt::Choose(choice)], Vec::new()));
        }
        self.build.program.exprs.load(place, ModelType::Bool)
    }

    /// Something that may or may not be so, under a condition.
    pub(super) fn maybe(&mut self, condition: ExprId, what: &str, span: Span) -> ExprId {
        let place = self.temporary(&ModelType::Bool);
        let no = self.build.bool(false);
        self.emit(Stmt::Assign(place.clone(), no));
        let (mut choice, _) = self.build.doubtful(what, span);
        choice.place = place.clone();
        self.emit(Stmt::If(condition, vec![Stmt::Choose(choice)], Vec::new()));
        self.build.program.exprs.load(place, ModelType::Bool)
    }

    /// The name under which something is said, as a script hears it.
    fn name_heard(&mut self, ears: &Ears, said: Said, deliver: ExprId, span: Span) -> ExprId {
        if let Some(name) = said.name {
            return name;
        }
        if let [only] = ears.names[..] {
            return only;
        }
        let place = self.temporary(&ModelType::Rich);
        let what = "the name of an object";
        let outside = self
            .build
            .outside(what, span, model::Lifetime::Reading, false);
        let choice = self
            .build
            .chosen(place.clone(), what, ears.names.clone(), outside);
        let nobody = self.build.text("");
        self.emit(Stmt::Assign(place.clone(), nobody));
        self.emit(Stmt::If(deliver, vec![Stmt::Choose(choice)], Vec::new()));
        self.build.program.exprs.load(place, ModelType::Rich)
    }
}
