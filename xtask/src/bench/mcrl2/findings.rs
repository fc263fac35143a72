//! The findings on the auction, as formulas about the script and about the model that it becomes.
//!
//! The sort of values in the model is infinite, so that its formulas name each bidder and each item.

/// A finding.
pub(super) struct Finding {
    pub(super) name: &'static str,
    /// About the script.
    pub(super) here: &'static str,
    /// About the model.
    pub(super) there: fn(&Model) -> String,
}

/// What a model's formulas name.
pub(super) struct Model {
    bidders: u32,
    /// The term for the text with which the auction ends.
    closed: String,
    /// The terms for the items.
    items: Vec<String>,
}

impl Model {
    /// Finds the names of texts in a model, which lists them in comments.
    ///
    /// # Errors
    /// If a text is missing.
    pub(super) fn new(model: &str, bidders: u32) -> Result<Model, String> {
        let texts: Vec<(&str, &str)> = model.lines().filter_map(text).collect();
        let closed = texts
            .iter()
            .find(|(_, text)| *text == "the auction is closed");
        let (closed, _) = closed.ok_or("find the text with which the auction ends")?;
        let items = texts
            .iter()
            .filter(|(_, text)| text.starts_with("new-item"));
        let items: Vec<String> = items.map(|(term, _)| (*term).to_owned()).collect();
        if items.is_empty() {
            return Err("find the items' texts in the model".to_owned());
        }
        Ok(Model {
            bidders,
            closed: (*closed).to_owned(),
            items,
        })
    }

    fn bidders(&self) -> impl Iterator<Item = String> {
        (1..=self.bidders).map(|bidder| format!("c_bidder_1(number({bidder}))"))
    }

    /// The numbers of the bidders' processes: the first process is the auction.
    fn processes(&self) -> impl Iterator<Item = u32> {
        2..=self.bidders + 1
    }

    /// The master tells of an item, or the bus that it has been sold.
    fn of_items(&self, action: &str) -> String {
        let items = self.items.iter();
        any(items.map(|item| format!("{action}(c_master_1(number(1)), c_new_item_1({item}))")))
    }

    /// A tool vanishes, perhaps as its process ends.
    fn vanishes(&self, bidder: &str) -> String {
        let vanishes = format!("rec_disconnect_1({bidder})");
        let ends = self.processes().map(|at| format!("{vanishes}|ends({at})"));
        any(std::iter::once(vanishes.clone()).chain(ends))
    }
}

/// A text's term and the text, from a line like `%   text(0) is "a"`.
fn text(line: &str) -> Option<(&str, &str)> {
    let (term, text) = line.strip_prefix('%')?.trim().split_once(" is ")?;
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    term.starts_with("text(").then_some((term, text))
}

fn joined(parts: impl Iterator<Item = String>, sign: &str) -> String {
    let parts: Vec<String> = parts.collect();
    format!("({})", parts.join(sign))
}

fn any(parts: impl Iterator<Item = String>) -> String {
    joined(parts, " || ")
}

fn all(parts: impl Iterator<Item = String>) -> String {
    joined(parts, " && ")
}

/// An answer to a bid.
fn answer(bidder: &str) -> String {
    let answers = ["c_accepted", "c_rejected"].into_iter();
    any(answers.map(|answer| format!("snd_do_2({bidder}, c_accept_1({answer}))")))
}

/// A bidder learns for how much an item is sold.
fn sold(bidder: &str) -> String {
    let amounts = ["1", "2"].into_iter();
    any(amounts.map(|amount| format!("snd_do_2({bidder}, c_sold_1(number({amount})))")))
}

pub(super) const FINDINGS: [Finding; 5] = [
    Finding {
        name: "F1",
        here: "[(!shutdown(_))*] <true* . shutdown(_)> true",
        there: |model| {
            let closed = format!("shutdown_1({})", model.closed);
            format!("[(!{closed})*] <true* . {closed}> true")
        },
    },
    Finding {
        name: "F2-again",
        here: "[true* . create(Bidder(_))] <true* . subscribe(sold(_))> true",
        there: |model| {
            let created = model
                .bidders()
                .map(|bidder| format!("create_1(c_Bidder_1({bidder}))"));
            let subscribed = model
                .processes()
                .map(|at| format!("subscribe({at}, c_sold_1(hole_number))"));
            format!(
                "[true* . {}] <true* . {}> true",
                any(created),
                any(subscribed)
            )
        },
    },
    Finding {
        name: "F3",
        here: "forall b. [true* . rec-event(b, bid(2)) . (!snd-do(b, accept(_)))* . \
               snd-do(b, accept(accepted)) . (!(snd-do(b, sold(_)) || rec-disconnect(b)))* . \
               snd-do(b, sold(1))] false",
        there: |model| {
            all(model.bidders().map(|bidder| {
                format!(
                    "[true* . rec_event_2({bidder}, c_bid_1(number(2))) . (!{})* . \
                     snd_do_2({bidder}, c_accept_1(c_accepted)) . (!({} || {}))* . \
                     snd_do_2({bidder}, c_sold_1(number(1)))] false",
                    answer(&bidder),
                    sold(&bidder),
                    model.vanishes(&bidder)
                )
            }))
        },
    },
    Finding {
        name: "F3-answer",
        here: "forall b. [true* . rec-event(b, bid(_))] \
               (mu X. (<!rec-event(_, new-item(_))> X || <snd-do(b, accept(_))> true))",
        there: |model| {
            all(model.bidders().map(|bidder| {
                format!(
                    "[true* . rec_event_2({bidder}, c_bid_1(number(2)))] \
                     (mu X. (<!{}> X || <{}> true))",
                    model.of_items("rec_event_2"),
                    answer(&bidder)
                )
            }))
        },
    },
    Finding {
        name: "F5",
        here: "[true* . snd-note(sold(_)) . (!snd-ack-event(_, new-item(_)))* . \
               msg(_, new-item(_, _))] false",
        there: |model| {
            let amounts = ["1", "2"];
            let notes = amounts.map(|amount| format!("snd_note_1(c_sold_1(number({amount})))"));
            let told = model.bidders().flat_map(|bidder| {
                let items = model.items.iter();
                items.flat_map(move |item| {
                    let bidder = bidder.clone();
                    amounts.map(move |amount| {
                        format!("msg_2({bidder}, c_new_item_2({item}, number({amount})))")
                    })
                })
            });
            format!(
                "[true* . {} . (!{})* . {}] false",
                any(notes.into_iter()),
                model.of_items("snd_ack_event_2"),
                any(told)
            )
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &str =
        "% Texts:\n%   text(0) is \"new-item-1\"\n%   text(1) is \"the auction is closed\"\n";

    #[test]
    fn formulas_name_what_the_model_calls_texts() {
        let model = Model::new(TEXTS, 2).expect("the texts are there");
        assert_eq!(model.closed, "text(1)");
        assert_eq!(model.items, ["text(0)"]);
        assert_eq!(
            (FINDINGS[0].there)(&model),
            "[(!shutdown_1(text(1)))*] <true* . shutdown_1(text(1))> true"
        );
        assert!(Model::new("% Texts:\n", 2).is_err());
    }

    #[test]
    fn formulas_name_every_bidder_and_its_process() {
        let model = Model::new(TEXTS, 2).expect("the texts are there");
        assert_eq!(
            model.vanishes("b"),
            "(rec_disconnect_1(b) || rec_disconnect_1(b)|ends(2) || rec_disconnect_1(b)|ends(3))"
        );
        let again = (FINDINGS[1].there)(&model);
        for named in [
            "c_bidder_1(number(1))",
            "c_bidder_1(number(2))",
            "subscribe(3, ",
        ] {
            assert!(again.contains(named), "{again}");
        }
    }
}
