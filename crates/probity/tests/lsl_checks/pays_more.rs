//! What a script pays beside what it has received: payments, shares of them, and what is left.

use super::{shop, verdict};

#[test]
fn a_script_pays_no_more_than_it_has_received() {
    let globals = "integer price = 10; integer held; key payer; float cut = 0.3; list known;
        key PARTNER = \"aaaaaaaa-0000-4000-8000-000000000001\";
        refund(key who, integer n) { if (n > 0) llGiveMoney(who, n); }
        integer settle(integer n) { llGiveMoney(payer, n); return n; }
        integer put(integer n) { held = n; return n + 1; }";
    let keep = "if (held == 0) { held = amount; payer = id; } else ";
    let later = format!("{keep} {{ llGiveMoney(payer, held); held = 0; refund(id, amount); }}");
    let twice = format!("{keep} {{ llGiveMoney(payer, held); llGiveMoney(id, amount); }}");
    for (body, expected) in [
        ("llGiveMoney(id, amount);", "holds"),
        ("refund(id, amount);", "holds"),
        (
            "if (amount >= price) llGiveMoney(id, amount - price);",
            "holds",
        ),
        ("refund(id, amount - price);", "holds"),
        (
            "llGiveMoney(PARTNER, amount * 30 / 100); llGiveMoney(id, amount / 2);",
            "holds",
        ),
        (
            "llGiveMoney(PARTNER, (integer)(amount * cut)); llGiveMoney(id, amount * 7 / 10);",
            "holds",
        ),
        // Whatever is rounded in whichever order: of 1 to 100,000 these are at most a third each.
        (
            "llGiveMoney(PARTNER, llRound(amount * (float)(20 / 100.0))); llGiveMoney(id, llRound(((float)amount / 100.0) * 20));",
            "holds",
        ),
        // Halves are rounded up: of 1, both are 1.
        (
            "llGiveMoney(PARTNER, llRound(amount * 0.5)); llGiveMoney(id, llRound(amount * 0.5));",
            "fails",
        ),
        ("llGiveMoney(PARTNER, llCeil(amount * 1.01));", "fails"),
        // Of what is below zero this is more than zero.
        (
            "held = amount - 100; llGiveMoney(PARTNER, (integer)(held * held * 0.000005));",
            "fails",
        ),
        (&later, "holds"),
        // The whole and a part of it, or parts that come to more than the whole.
        (
            "llGiveMoney(PARTNER, amount / 2); refund(id, amount);",
            "fails",
        ),
        ("integer n = amount; refund(id, n); refund(id, n);", "fails"),
        (&twice, "fails"),
        // More than was taken away is left.
        ("llGiveMoney(id, amount - (-1));", "fails"),
        ("held = amount - price; llGiveMoney(id, 0 - held);", "fails"),
        // Two differences may wrap around.
        (
            "held = amount - 2000000000; price = 2000000000; llGiveMoney(id, held - price);",
            "fails",
        ),
        ("llGiveMoney(id, price);", "fails"),
        ("llGiveMoney(PARTNER, amount + 1);", "fails"),
        // Variables that change where it is hard to see.
        ("held = put(amount); llGiveMoney(id, held);", "fails"),
        (
            "held = amount; if (amount == (held = 50)) refund(id, amount); refund(id, held);",
            "fails",
        ),
        (
            "held = settle(amount) + settle(amount); llGiveMoney(id, amount - price);",
            "fails",
        ),
        (
            "for (held = amount; held > 5; held = price) refund(id, held);",
            "fails",
        ),
        // What is not followed may be negative.
        (
            "llGiveMoney(id, amount - llList2Integer(known, 0));",
            "possible",
        ),
        (
            "integer n = (integer)llGetObjectDesc(); llGiveMoney(id, 0 - n);",
            "fails",
        ),
    ] {
        let said = verdict(&shop(globals, body), "pays-more");
        match expected {
            "fails" => assert_ne!(said, "holds", "{body}"),
            _ => assert_eq!(said, expected, "{body}"),
        }
    }
}

#[test]
fn a_share_and_the_rest_are_no_more_than_the_payment() {
    let globals = "integer held; integer on; float cut = 0.7;
        key PARTNER = \"aaaaaaaa-0000-4000-8000-000000000001\";
        pay(key who, integer n) { if (n > 0) llGiveMoney(who, n); }";
    let share = "integer share = amount * 70 / 100;";
    let hold = [
        "integer share = amount * 70 / 100; pay(PARTNER, share); pay(id, amount - share);",
        "held = (integer)(amount * cut); pay(id, amount - held); pay(PARTNER, held);",
        "integer share; if (on) share = amount * 70 / 100;
             pay(PARTNER, share); integer rest = amount - share; pay(id, rest);",
        "pay(PARTNER, amount * 70 / 100); pay(id, amount - amount * 70 / 100);",
        "pay(PARTNER, amount % 7); pay(id, amount / 7 * 7);",
    ];
    let more = [
        // What is spent beside the share and the rest, however little, and another share than was taken away.
        "SHARE pay(PARTNER, share); pay(id, amount - share); pay(id, amount / 50);",
        "SHARE pay(PARTNER, share); pay(PARTNER, share); pay(id, amount - share);",
        "SHARE held = amount - share; pay(PARTNER, share); pay(id, held); pay(id, held);",
        "SHARE pay(id, amount - share); pay(PARTNER, amount);",
        "SHARE pay(id, amount - share); pay(id, amount / 2);",
        "SHARE pay(PARTNER, share); pay(id, amount);",
        "SHARE pay(PARTNER, llCeil(amount * cut)); pay(id, amount - share);",
        "SHARE pay(PARTNER, share); if (share > 5) share -= 5; pay(id, amount - share);",
        "SHARE pay(PARTNER, share); share = share / 2; pay(id, amount - share);",
        "SHARE pay(PARTNER, share); amount = amount + 1; pay(id, amount - share);",
        "integer share = amount * 70 / 100 - 1; pay(PARTNER, 1); pay(id, amount - share);",
    ];
    let bodies = hold.map(|body| (body, true));
    for (body, holds) in bodies.into_iter().chain(more.map(|body| (body, false))) {
        let said = verdict(&shop(globals, &body.replace("SHARE", share)), "pays-more");
        assert_eq!(said == "holds", holds, "{said}: {body}");
    }
}

#[test]
fn what_is_left_of_a_rent_is_no_more_than_was_paid() {
    // What happens when somebody pays, when a day is over, and when the tenant leaves.
    let rental = |pay: &str, day: &str, leave: &str| {
        format!(
            "integer RENT = 2; integer PRICE = 3; integer days; integer on;
key tenant;
default
{{
    state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}
    run_time_permissions(integer perm) {{ if (perm & PERMISSION_DEBIT) state open; }}
}}
state open
{{
    money(key id, integer amount) {{ {pay} tenant = id; llSetTimerEvent(1.0); }}
    timer() {{ {day} }}
    touch_start(integer n) {{ {leave} }}
    changed(integer change) {{ if (change & CHANGED_OWNER) llResetScript(); }}
}}"
        )
    };
    let pay = "integer wanted = amount / RENT;
        if (amount % RENT) llGiveMoney(id, amount % RENT); days = wanted;";
    let day = "if (days > 0) days -= 1; else on = 0;";
    let leave = "if (days > 0) llGiveMoney(tenant, days * RENT); days = 0;";
    let hold = [
        (pay, day, leave),
        (pay, "if (0 < days) { --days; on = days; }", leave),
        (pay, "if (days >= 1) days = days - 1;", leave),
        ("days = amount / PRICE;", day, leave),
        ("days = amount / RENT / 5;", day, leave),
        (
            "days = amount / RENT;",
            day,
            "integer sum = RENT * days; if (sum > 0) llGiveMoney(tenant, sum / 2); days = 0;",
        ),
    ];
    let more = [
        // More days than were paid for, or a higher price.
        ("days = amount / RENT + 1;", day, leave),
        ("days = amount;", day, leave),
        ("days = amount / RENT;", day, "if (days > 0) llGiveMoney(tenant, days * PRICE); days = 0;"),
        ("days = amount / RENT;", "days += 1;", leave),
        ("days = amount / RENT;", "++days;", leave),
        ("days = amount / RENT;", "if (days > 0) days -= -1;", leave),
        // Below zero, a product may be more than zero.
        ("days = amount / RENT;", "if (days == 0) days -= 1073741825;", "if (days * RENT > 0) llGiveMoney(tenant, days * RENT); days = 0;"),
        ("days = -2147483647;", day, "if (days * RENT > 0) llGiveMoney(tenant, days * RENT); days = 0;"),
        // The same days twice, or the rest of the payment too.
        ("days = amount / RENT;", day, "if (days > 0) llGiveMoney(tenant, days * RENT);"),
        ("days = amount / RENT; llGiveMoney(id, amount);", day, leave),
        ("days = amount / RENT; if (amount > 1) llGiveMoney(id, amount / 2);", day, leave),
        // What is left without what is left of the days is more than the rest.
        ("days = amount / RENT; if (amount > 1) { llGiveMoney(id, days * RENT); if (days > 0) days -= 1;
            integer sum = days * RENT; if (amount > sum) llGiveMoney(id, amount - sum); }", "", ""),
        // What is received is no count.
        ("amount = amount / RENT; days = amount; llGiveMoney(id, amount);", day, leave),
    ];
    let scripts = hold.map(|parts| (parts, true));
    let scripts = scripts.into_iter().chain(more.map(|parts| (parts, false)));
    for ((pay, day, leave), holds) in scripts {
        let said = verdict(&rental(pay, day, leave), "pays-more");
        assert_eq!(said == "holds", holds, "{said}: {pay} | {day} | {leave}");
    }
}
