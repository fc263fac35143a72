//! What `--cluster` and `--process` ask for.

use std::path::PathBuf;

/// What `--cluster` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// So many processes on this machine.
    Local(usize),
    /// A list of hosts, and which of them this is.
    Hosts(PathBuf, usize),
    /// What a supervisor says on standard input.
    Supervised(Seat),
}

/// The place of a process that a supervisor has started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seat {
    /// Which of the cluster's processes it is.
    pub(crate) process: usize,
    /// Whether it is the only one that the supervisor has started.
    pub(crate) is_only: bool,
}

/// The most processes on one machine.
const MOST: usize = 256;
/// The value of `--cluster` for processes that a supervisor has started.
pub(super) const SUPERVISED: &str = "supervised";
/// The same if others are started elsewhere.
pub(super) const ONLY: &str = "supervised-only";
/// The exit status of a process that has lost others.
pub(super) const LOST: u8 = 70;

impl Asked {
    /// Reads the values of `--cluster` and `--process`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn read(
        cluster: Option<&str>,
        process: Option<&str>,
    ) -> Result<Option<Asked>, String> {
        let Some(cluster) = cluster else {
            return match process {
                Some(_) => Err("--process: give a list of hosts with --cluster".to_owned()),
                None => Ok(None),
            };
        };
        let number = process.map(|process| {
            let number = process.parse();
            number.map_err(|_| format!("--process: `{process}` is no number of a process"))
        });
        let number: Option<usize> = number.transpose()?;
        let asked = match (cluster.split_once(':'), number) {
            (Some(("local", _)), Some(_)) => {
                Err("--process: processes of this machine are started without it".to_owned())
            }
            (Some(("local", count)), None) => {
                let count = count
                    .parse()
                    .ok()
                    .filter(|count| (1..=MOST).contains(count));
                count.map(Asked::Local).ok_or_else(|| {
                    format!("--cluster: give local:N with a number from 1 to {MOST}")
                })
            }
            (_, Some(process)) if [SUPERVISED, ONLY].contains(&cluster) => {
                let is_only = cluster == ONLY;
                Ok(Asked::Supervised(Seat { process, is_only }))
            }
            (_, Some(number)) => Ok(Asked::Hosts(PathBuf::from(cluster), number)),
            (_, None) => Err(
                "--cluster: say with --process which of the hosts in the list this is, from 0"
                    .to_owned(),
            ),
        };
        asked.map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_so_many_processes_here_or_one_of_a_list() {
        let read = |cluster, process| Asked::read(Some(cluster), process);
        assert_eq!(read("local:3", None), Ok(Some(Asked::Local(3))));
        let hosts = Asked::Hosts(PathBuf::from("hosts"), 1);
        assert_eq!(read("hosts", Some("1")), Ok(Some(hosts)));
        assert_eq!(
            read("supervised", Some("0")),
            Ok(Some(Asked::Supervised(Seat {
                process: 0,
                is_only: false
            })))
        );
        assert_eq!(Asked::read(None, None), Ok(None));
        assert!(Asked::read(None, Some("0")).is_err());
        for (cluster, process) in [
            ("local:0", None),
            ("local:257", None),
            ("local:", None),
            ("local:2", Some("0")),
            ("hosts", None),
            ("hosts", Some("-1")),
        ] {
            assert!(read(cluster, process).is_err(), "{cluster} {process:?}");
        }
    }
}
