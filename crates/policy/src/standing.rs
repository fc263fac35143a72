//! Where code is and where it comes from, as expressions of a program, and whether a rule is about it.
//!
//! Sites, origins and hosts are positions in the lists of [`Names`]. What a location net does not say
//! is chosen once, where the code begins to run. A rule is evaluated in the state of the moment in
//! which a call is made, so that adding a rule never takes a violation away.

use model::{Binary, ExprId, ExprPool, Type};

use crate::names::Names;
use crate::net::Provenance;
use crate::rules::{Origin, Rule, Subject};

/// The type of positions in lists of names.
pub const POSITION: Type = Type::Int {
    bits: 16,
    signed: false,
};

/// Where code is and comes from.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The position of the location around it among the sites; their number is none of them, and
    /// one more is one that nobody names.
    pub site: ExprId,
    /// The names of what is inside of the site, down to the code.
    pub inner: Vec<String>,
    /// The position of its origin among those that are told apart.
    origin: ExprId,
    /// The position of the address of the host that it comes from.
    code_base: ExprId,
    /// Without a net, the site of its origin, whose path may begin outside of what a policy names.
    origin_site: Option<ExprId>,
    /// Whether its site and that of its origin are the same, if nobody names either.
    same: ExprId,
}

/// Who chooses what a location net does not say.
pub trait Chooser {
    /// The expressions of the program.
    fn pool(&mut self) -> &mut ExprPool;
    /// A [position](POSITION) from 0 to `last`, any of which may really be.
    fn position(&mut self, fact: &str, last: usize) -> ExprId;
    /// A truth value; both may really be.
    fn truth(&mut self, fact: &str) -> ExprId;
}

impl Standing {
    /// Of nobody, before a run begins.
    #[must_use]
    pub fn nowhere(pool: &mut ExprPool) -> Standing {
        let none = pool.int(0, POSITION);
        Standing {
            site: none,
            inner: Vec::new(),
            origin: none,
            code_base: none,
            origin_site: None,
            same: pool.bool(false),
        }
    }

    /// Of code of which this is known; `has_net` says whether there is a location net at all.
    pub fn new(
        names: &Names,
        known: &Provenance,
        has_net: bool,
        chooser: &mut impl Chooser,
    ) -> Standing {
        fn at<T: PartialEq>(all: &[T], one: &T) -> usize {
            let found = all.iter().position(|other| other == one);
            found.unwrap_or(all.len())
        }
        let mut position = |known: Option<usize>, fact: &str, last: usize| match known {
            Some(known) => chooser.pool().int(known as i128, POSITION),
            None => chooser.position(fact, last),
        };
        let site = known.at.as_ref().map(|path| at(&names.sites, &path[0]));
        let site = position(site, "where the agent is", names.sites.len() + 1);
        let origin = known.origin.as_ref().map(|path| at(&names.origins, path));
        let origin = position(origin, "where the code comes from", names.origins.len());
        let host = known.code_base.as_ref().map(|host| at(&names.hosts, host));
        let fact = "the address of the host of the code";
        let code_base = position(host, fact, names.hosts.len());
        let (same, origin_site) = if has_net {
            (chooser.pool().bool(false), None)
        } else {
            let same = chooser.truth("whether two sites are the same");
            let fact = "the site where the code comes from";
            (same, Some(chooser.position(fact, names.sites.len() + 1)))
        };
        let inner = match &known.at {
            Some(path) => path[1..].to_vec(),
            // An agent that is not said to be anywhere is somewhere, under a name of its own.
            None => vec![String::new()],
        };
        Standing {
            site,
            inner,
            origin,
            code_base,
            origin_site,
            same,
        }
    }

    /// Whether the code is within a site.
    pub fn is_at_site(&self, site: &str, names: &Names, pool: &mut ExprPool) -> ExprId {
        let at = names.sites.iter().position(|known| known == site);
        is_position(self.site, at, pool)
    }

    /// Whether the code does not come from the site where it is.
    pub fn is_remote(&self, names: &Names, pool: &mut ExprPool) -> ExprId {
        match self.origin_site {
            Some(from) => self.is_elsewhere(from, names, pool),
            None => self.is_from_elsewhere(names, pool),
        }
    }

    /// Whether the site of an origin, which may be any, is not that of the code. Two sites that
    /// nobody names may be the same; the outermost location is none.
    fn is_elsewhere(&self, from: ExprId, names: &Names, pool: &mut ExprPool) -> ExprId {
        let outermost = names.sites.len();
        let stranger = pool.int(outermost as i128 + 1, POSITION);
        let outermost = pool.int(outermost as i128, POSITION);
        let equal = equal(from, self.site, pool);
        let strange = self::equal(from, stranger, pool);
        let differ = pool.not(self.same);
        let differ = pool.and(strange, differ);
        let nowhere = self::equal(from, outermost, pool);
        let unequal = pool.not(equal);
        let other = pool.or(unequal, differ);
        pool.or(other, nowhere)
    }

    /// The same in a given net.
    fn is_from_elsewhere(&self, names: &Names, pool: &mut ExprPool) -> ExprId {
        let mut local = pool.bool(false);
        for (at, path) in names.origins.iter().enumerate() {
            let Some(site) = names.sites.iter().position(|site| *site == path[0]) else {
                continue;
            };
            let from = is_position(self.origin, Some(at), pool);
            let here = is_position(self.site, Some(site), pool);
            let both = pool.and(from, here);
            local = pool.or(local, both);
        }
        pool.not(local)
    }

    /// Whether a rule is about the code, as it is now.
    pub fn is_subject(&self, rule: &Rule, names: &Names, pool: &mut ExprPool) -> ExprId {
        let mut holds = pool.bool(rule.to.is_empty());
        for subject in &rule.to {
            let here = self.is_at(subject, names, pool);
            holds = pool.or(holds, here);
        }
        if let Some(host) = &rule.code_base {
            let at = names.hosts.iter().position(|known| known == host);
            let here = is_position(self.code_base, at, pool);
            holds = pool.and(holds, here);
        }
        match &rule.code_origin {
            None => {}
            Some(Origin::Remote) => {
                let remote = self.is_remote(names, pool);
                holds = pool.and(holds, remote);
            }
            Some(Origin::Path(path)) => {
                let mut any = pool.bool(false);
                for (at, known) in names.origins.iter().enumerate() {
                    if known.ends_with(path) {
                        let here = is_position(self.origin, Some(at), pool);
                        any = pool.or(any, here);
                    }
                }
                holds = pool.and(holds, any);
            }
        }
        holds
    }

    /// Whether the code is at a location: the location is the agent's own or right around it, or,
    /// with all inside of it, anywhere around it.
    fn is_at(&self, subject: &Subject, names: &Names, pool: &mut ExprPool) -> ExprId {
        let depth = self.inner.len();
        let near = match subject.subtree {
            true => 0,
            false => depth.saturating_sub(2),
        };
        if self.inner[near..].contains(&subject.location) {
            return pool.bool(true);
        }
        match subject.subtree || depth < 2 {
            true => self.is_at_site(&subject.location, names, pool),
            false => pool.bool(false),
        }
    }
}

fn is_position(value: ExprId, at: Option<usize>, pool: &mut ExprPool) -> ExprId {
    match at {
        Some(at) => {
            let at = pool.int(at as i128, POSITION);
            equal(value, at, pool)
        }
        None => pool.bool(false),
    }
}

fn equal(a: ExprId, b: ExprId, pool: &mut ExprPool) -> ExprId {
    match (pool.constant(a), pool.constant(b)) {
        (Some(one), Some(other)) => {
            let same = one == other;
            pool.bool(same)
        }
        _ => pool.binary(Binary::Eq, a, b),
    }
}
