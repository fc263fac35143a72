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
    NO_PROPERTIES = "LSL0804", "linkset without properties",
        what: "Points at linksets in which neither the file nor a script states a property. Run-time errors are looked for in all scripts together, and nothing else.",
        why: "The checks that need no properties, about money above all, are made for a script that is checked by itself.",
        example: "[[prim]]\nscripts = [\"menu.lsl\"]",
        fix: "Check each script by itself, and state what they do together: `properties = [\"always till.sold + shelf.left <= 2\"]`.";
}
