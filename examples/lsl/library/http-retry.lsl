// Fetches a page and tries again when that fails.
//
// A touch asks URL for its text. If there is no answer, or not the status 200, it tries again
// after 70 seconds, TRIES times in all. An answer counts only if it is to the request that is
// under way: `http_response` comes for the requests of every script in the prim, and for those that
// were given up. A second touch meanwhile changes nothing. Put what to do into `done` and `failed`.

string  URL   = "https://example.com/prices.txt";
integer TRIES = 3;

key     request = NULL_KEY;     // that is under way
integer tries;                  // made for this touch, 0 if none is under way

//@ // If an answer is lost, only the timer goes on.
//@ assume timer keeps firing for comes_to_an_end;
//@ // A new owner has not asked for anything: the script starts anew.
//@ assume owner stays for comes_to_an_end;
//@
//@ ghost integer asked;         // requests made since the last touch that began something
//@ on call begin()                { asked = 0; }
//@ on call llHTTPRequest(_, _, _) { asked += 1; }
//@
//@ property only_its_own_answer:
//@     when call done(text) during http_response(id, status, meta, body)
//@         require id == request && status == 200 && text == body && tries > 0;
//@ property tries_are_limited: always 0 <= tries && tries <= TRIES && asked <= TRIES;
//@ property gives_up_last: when call failed() require tries == TRIES;
//@ property one_at_a_time: when call begin() require tries == 0;
//@ property comes_to_an_end: tries > 0 leads to call done(_) || call failed();
//@ property one_outcome_each: [] (call done(_) || call failed() -> tries == 0);

// What to do with the text.
done(string text)
{
    llOwnerSay(text);
}

// What to do if all tries were in vain.
failed()
{
    llOwnerSay("The page cannot be had.");
}

// A throttled request gives NULL_KEY and no answer; the timer covers that, too.
try()
{
    ++tries;
    request = llHTTPRequest(URL, [HTTP_METHOD, "GET"], "");
    llSetTimerEvent(70.0);      // an answer comes within sixty seconds
}

begin()
{
    try();
}

end()
{
    llSetTimerEvent(0.0);
    request = NULL_KEY;
    tries = 0;
}

default
{
    touch_start(integer n)
    {
        if (tries == 0) begin();
    }

    http_response(key id, integer status, list meta, string body)
    {
        if (tries == 0 || id != request || status != 200) return;
        done(body);
        end();
    }

    timer()
    {
        if (tries < TRIES)
        {
            try();
        }
        else
        {
            failed();
            end();
        }
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
