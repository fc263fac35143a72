//! Faults in what `llRemoteLoadScriptPin` does: a script that is loaded begins otherwise than it should, elsewhere, or
//! comes where it cannot.

use super::Mutant;

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    runs(
        "        set(halts.reset, self.build, true);\n",
        "        set(halts.reset, self.build, false);\n",
        "a script that is loaded keeps what it knew",
    ),
    runs(
        "|parameter| self.build.set(parameter, given.parameter)",
        "|parameter| {\n                    let zero = self.build.int(0);\n                    self.build.set(parameter, zero)\n                }",
        "a script that is loaded has no start parameter",
    ),
    runs(
        "            Build::one_of(place.clone(), &what, vec![yes, no])\n",
        "            Build::one_of(place.clone(), &what, vec![yes, yes])\n",
        "whoever loads a script has the pin",
    ),
    runs(
        "            let is_off = self.build.not(given.running);\n",
        "            let is_off = self.build.bool(false);\n",
        "a script that is loaded to wait runs",
    ),
    runs(
        "        set(halts.gone, self.build, false);\n",
        "",
        "a script that was not there does not come",
    ),
    literate(
        "            set(old.gone, self.build, true);\n",
        "            set(old.gone, self.build, false);\n",
        "the script whose place is taken stays",
    ),
    literate(
        "vec![Stmt::If(gone, Vec::new(), stmts)]",
        "vec![Stmt::If(gone, stmts.clone(), stmts)]",
        "what is not in the inventory any more is loaded",
    ),
    literate(
        "            let is_this = self.build.equality(key, prim).certain;\n",
        "            let is_this = self.build.equality(prim, prim).certain;\n",
        "whatever key a script has sent, its script comes into the last prim",
    ),
    literate(
        "            let is_own = self.prims[prim].object == caller.object;\n            let own_number = self.link_number(prim);\n",
        "            let is_own = self.prims[prim].object == caller.object;\n            let own_number = self.link_number(prim) + 1;\n",
        "a script comes into the next prim",
    ),
];

/// A fault that random scripts show which load each other.
const fn runs(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        tests: &["linkset_runs"],
        ..literate(search, replacement, breaks)
    }
}

/// A fault that snippets show.
const fn literate(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "lsl",
        tests: &["linksets"],
        folder: "crates/frontends/lsl/src",
        search,
        replacement,
        breaks,
    }
}
