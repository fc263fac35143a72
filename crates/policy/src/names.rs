//! The names of sites, origins and hosts that are told apart.

use crate::net::Net;
use crate::rules::{Before, Origin, Policy};

/// Names that are told apart.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The sites.
    pub sites: Vec<String>,
    /// Where code may come from, as paths; what is in none of them is a site that nobody names.
    pub origins: Vec<Vec<String>>,
    /// Addresses of hosts.
    pub hosts: Vec<String>,
}

impl Names {
    /// The names that a policy and a net use.
    #[must_use]
    pub fn new(policy: &Policy, net: Option<&Net>) -> Names {
        let mut names = Names::default();
        let all = |net: &Net| {
            let threads = net.threads.iter().map(|(_, provenance)| provenance.clone());
            threads.chain([net.agent.clone()]).collect::<Vec<_>>()
        };
        for provenance in net.map(all).unwrap_or_default() {
            names.origins.extend(provenance.origin);
            names.hosts.extend(provenance.code_base);
        }
        match net {
            Some(net) => names.sites.clone_from(&net.sites),
            None => {
                for order in &policy.orders {
                    names.sites.push(order.enters.clone());
                    if let Before::Visited(site) = &order.before {
                        names.sites.push(site.clone());
                    }
                }
                for rule in &policy.rules {
                    let to = rule.to.iter().map(|subject| subject.location.clone());
                    names.sites.extend(to);
                    for permission in &rule.permissions {
                        let texts = permission.arguments.texts();
                        names
                            .sites
                            .extend(texts.iter().map(|(text, _)| (*text).to_owned()));
                    }
                }
            }
        }
        for rule in &policy.rules {
            if let Some(Origin::Path(path)) = &rule.code_origin {
                if net.is_none() {
                    names.sites.push(path[0].clone());
                }
                names.origins.push(path.clone());
            }
            names.hosts.extend(rule.code_base.clone());
        }
        let sites = names.sites.iter().map(|site| vec![site.clone()]);
        names.origins.extend(sites.collect::<Vec<_>>());
        for list in [&mut names.sites, &mut names.hosts] {
            list.sort();
            list.dedup();
        }
        names.origins.sort();
        names.origins.dedup();
        names
    }
}
