//! Functions of WASI preview 1 (`wasi_snapshot_preview1`), as its documentation has them: what they
//! write, and which of them do not return.

/// What a documented function writes: for each of its out-parameters its position, and how many bytes
/// are written there; none if that depends on what it is given.
pub(crate) struct Documented {
    /// The positions of its texts, each an address with its length behind it.
    pub(crate) texts: &'static [usize],
    /// Out-parameters of known size.
    pub(crate) writes: &'static [(usize, u64)],
    /// Whether it writes buffers whose place or size is read from memory or from other arguments.
    pub(crate) buffers: bool,
    /// Whether it returns.
    pub(crate) returns: bool,
}

const fn writing(writes: &'static [(usize, u64)]) -> Documented {
    Documented {
        texts: &[],
        writes,
        buffers: false,
        returns: true,
    }
}

/// A function that is given paths.
const fn paths(texts: &'static [usize], writes: &'static [(usize, u64)]) -> Documented {
    Documented {
        texts,
        writes,
        buffers: false,
        returns: true,
    }
}

const BUFFERS: Documented = Documented {
    texts: &[],
    writes: &[],
    buffers: true,
    returns: true,
};

const EXIT: Documented = Documented {
    texts: &[],
    writes: &[],
    buffers: false,
    returns: false,
};

const TABLE: &[(&str, Documented)] = &[
    ("args_get", BUFFERS),
    ("args_sizes_get", writing(&[(0, 4), (1, 4)])),
    ("clock_res_get", writing(&[(1, 8)])),
    ("clock_time_get", writing(&[(2, 8)])),
    ("environ_get", BUFFERS),
    ("environ_sizes_get", writing(&[(0, 4), (1, 4)])),
    ("fd_advise", writing(&[])),
    ("fd_allocate", writing(&[])),
    ("fd_close", writing(&[])),
    ("fd_datasync", writing(&[])),
    ("fd_fdstat_get", writing(&[(1, 24)])),
    ("fd_fdstat_set_flags", writing(&[])),
    ("fd_filestat_get", writing(&[(1, 64)])),
    ("fd_filestat_set_size", writing(&[])),
    ("fd_pread", BUFFERS),
    ("fd_prestat_dir_name", BUFFERS),
    ("fd_prestat_get", writing(&[(1, 8)])),
    ("fd_pwrite", writing(&[(4, 4)])),
    ("fd_read", BUFFERS),
    ("fd_readdir", BUFFERS),
    ("fd_renumber", writing(&[])),
    ("fd_seek", writing(&[(3, 8)])),
    ("fd_sync", writing(&[])),
    ("fd_tell", writing(&[(1, 8)])),
    ("fd_write", writing(&[(3, 4)])),
    ("path_create_directory", paths(&[1], &[])),
    ("path_filestat_get", paths(&[2], &[(4, 64)])),
    ("path_link", paths(&[2, 5], &[])),
    ("path_open", paths(&[2], &[(8, 4)])),
    (
        "path_readlink",
        Documented {
            buffers: true,
            ..paths(&[1], &[])
        },
    ),
    ("path_remove_directory", paths(&[1], &[])),
    ("path_rename", paths(&[1, 4], &[])),
    ("path_symlink", paths(&[0, 3], &[])),
    ("path_unlink_file", paths(&[1], &[])),
    ("proc_exit", EXIT),
    ("proc_raise", writing(&[])),
    ("random_get", BUFFERS),
    ("sched_yield", writing(&[])),
    ("sock_shutdown", writing(&[])),
];

/// Whose functions they are.
const MODULE: &str = "wasi_snapshot_preview1.";

/// What is documented of a function, by the name of its module and its own.
pub(crate) fn documented(name: &str) -> Option<&'static Documented> {
    let name = name.strip_prefix(MODULE)?;
    let mut rows = TABLE.iter();
    rows.find(|(known, _)| *known == name).map(|(_, row)| row)
}
