//! MOB04..: what is not followed.

codes! {
    NOT_MODELLED = "MOB0401", "not followed",
        what: "Lists what the program does in a way that is not followed: inline assembly, code that is reached by a computed `goto`, memory that is read as another type, and the like.",
        why: "A run that comes there may do anything afterwards. What can fail then is *not known*; what does not depend on it is answered.",
        example: "int main(void) { __asm__(\"nop\"); return 0; }",
        fix: "Write it in plain C, or leave it: if no run comes there, nothing changes.";
}
