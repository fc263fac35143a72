//! LSL08..: files that say which scripts an object has.

codes! {
    FILE = "LSL0801", "linkset file not understood",
        what: "Finds linkset files that are no TOML, or say something else than which scripts there are, in which prims, and what is claimed of them.",
        why: "Scripts would be checked together with others than somebody believes.",
        example: "[[prim]]\nname = \"shop\"\nscript = \"menu.lsl\"",
        fix: "Write a `[[prim]]` for each prim, the root first, with `scripts = [\"menu.lsl\", \"till.lsl\"]`; before them `queue = 3`, `bounds = [...]`, `properties = [...]` or `annotations = \"\"\"...\"\"\"`. `docs/lsl-linksets.md` lists what there is.";
    SCRIPT = "LSL0802", "script of a linkset not found",
        what: "Finds scripts in a linkset file that cannot be read.",
        why: "What the object does cannot be told without them.",
        example: "[[prim]]\nscripts = [\"mneu.lsl\"]",
        fix: "Correct the name: it is that of a file, by its path from the folder of the linkset file.";
    COMMON = "LSL0803", "property of a linkset is about one script",
        what: "Finds properties in a linkset file that ask for what belongs to one script only: the events that it handles, its states, its permissions, its timer, its object's owner or inventory; and names of variables that no script has.",
        why: "A linkset file belongs to no script, so nothing would be meant.",
        example: "properties = [\"always menu.total >= 0\"]\n[[prim]]\nscripts = [\"menu.lsl\"]",
        fix: "Name variables as `SCRIPT.VARIABLE`; state what is about one script only in `//@` comments of that script.";
    NOT_ADDED_UP = "LSL0804", "what several scripts pay is not added up",
        what: "Points at linksets without properties in which scripts of one prim take the same payment, or one script leaves `pays-more` out, so that it is checked of each script that takes money by itself.",
        why: "One script may pay out what another one has received: whether they pay more than they have received all together is not looked at.",
        example: "[[prim]]\nscripts = [\"till.lsl\", \"till.lsl\", \"bank.lsl\"]",
        fix: "State it in the linkset file, with a ghost variable that counts: `annotations = \"\"\"ghost integer held; on paid(id, amount) { held += amount; } ...\"\"\"`.";
}
