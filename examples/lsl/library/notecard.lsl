// Reads its settings from a notecard, and again when the notecard is changed.
//
// A line counts only if it answers the request for it: `dataserver` comes for the requests of every
// script in the prim, and for those of a reading that was broken off. Whoever uses the settings
// looks at `ready` first. Put what to do with a line into `read`.

integer ready;                  // whether the settings are those of the notecard
key     request = NULL_KEY;     // for the line that is awaited
integer line;                   // its number

//@ property only_its_own_lines:
//@     when call read(text) during dataserver(id, data)
//@         require id == request && text == data && text != EOF && !ready;
//@ property lines_after_lines:
//@     when call llGetNotecardLine(name, n) during dataserver(id, data)
//@         require n == line && id == request;
//@ property no_line_twice:
//@     when line changes during dataserver(id, data) require line == old(line) + 1 && id == request;
//@ property ready_at_the_end_only:
//@     when ready changes during dataserver(id, data)
//@         require ready && id == request && data == EOF;
//@ property ready_has_been_read: always ready -> request == NULL_KEY;
//@ property never_while_ready: when call llGetNotecardLine(name, n) require !ready && n == line;
//@ property begins_at_the_beginning:
//@     when call llGetNotecardLine(name, n) during changed(_) require n == 0;

// What to do with a line.
read(string text)
{
    llOwnerSay(text);
}

begin()
{
    ready = FALSE;
    line = 0;
    if (llGetInventoryType("settings") != INVENTORY_NOTECARD)
    {
        request = NULL_KEY;
        llOwnerSay("I need a notecard with the name settings.");
        return;
    }
    request = llGetNotecardLine("settings", line);
}

default
{
    state_entry()
    {
        begin();
    }

    dataserver(key id, string data)
    {
        if (request == NULL_KEY || id != request) return;
        if (data == EOF)
        {
            ready = TRUE;
            request = NULL_KEY;
            return;
        }
        read(data);
        ++line;
        request = llGetNotecardLine("settings", line);
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
        if (change & CHANGED_INVENTORY) begin();
    }
}
