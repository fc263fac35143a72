//! Answers to what the script has asked for: in any order, late, or never.

use crate::machine::Machine;
use crate::value::{NULL_KEY, Value};
use crate::world::{Asked, Event, NOTECARD};

/// What a notecard says behind its last line.
pub(crate) const EOF: &str = "\n\n\n";

impl Machine<'_> {
    /// One of the pending requests is answered.
    pub(crate) fn answer(&mut self) {
        if self.world.requests.is_empty() {
            return;
        }
        // Mostly in the order of asking.
        let index = match self.world.random.chance(2, 3) {
            true => 0,
            false => self.world.random.below(self.world.requests.len()),
        };
        let request = self.world.requests.remove(index);
        let (event, rest) = match request.asked {
            Asked::Http => ("http_response", Some(self.response())),
            Asked::Url => ("http_request", Some(self.url())),
            Asked::Transfer => {
                let parameters = lsl::facts::event("transaction_result");
                let success = match parameters {
                    Some(event) if self.script.range("transaction_result.success").is_some() => {
                        self.world.parameter(event.name, &event.parameters[1])
                    }
                    _ => Value::Integer(self.world.small(2)),
                };
                let data = self.world.text();
                (
                    "transaction_result",
                    Some(vec![success, Value::text(&data)]),
                )
            }
            asked => {
                let text = self.data_for(&asked);
                ("dataserver", text.map(|text| vec![Value::text(&text)]))
            }
        };
        let Some(rest) = rest else {
            return;
        };
        let mut args = vec![Value::key(&request.key)];
        args.extend(rest);
        self.raise(Event::new(event, args));
    }

    fn response(&mut self) -> Vec<Value> {
        let event = lsl::facts::event("http_response");
        let status = match event {
            Some(event) if self.script.range("http_response.status").is_some() => {
                self.world.parameter(event.name, &event.parameters[1])
            }
            _ => {
                let statuses = [200, 200, 200, 404, 415, 499, 500, 503];
                Value::Integer(*self.world.random.pick(&statuses).unwrap_or(&200))
            }
        };
        let metadata = match self.world.random.chance(1, 3) {
            true => vec![Value::Integer(0), Value::Integer(2048)],
            false => Vec::new(),
        };
        let body = self.world.text();
        vec![status, Value::list(metadata), Value::text(&body)]
    }

    fn url(&mut self) -> Vec<Value> {
        if self.world.random.chance(1, 3) {
            let reason = self.world.text();
            return vec![Value::text("URL_REQUEST_DENIED"), Value::text(&reason)];
        }
        let url = format!(
            "http://sim.example.com:12046/cap/{}",
            self.world.fresh_key()
        );
        self.world.urls.push(url.clone());
        vec![Value::text("URL_REQUEST_GRANTED"), Value::text(&url)]
    }

    /// The text of a `dataserver` event; `None` if there is no answer.
    fn data_for(&mut self, asked: &Asked) -> Option<String> {
        let world = &mut self.world;
        Some(match asked {
            Asked::Line(name, line) => {
                let item = world.item(name).filter(|item| item.kind == NOTECARD)?;
                let line = usize::try_from(*line).ok();
                let text = line.and_then(|line| item.lines.get(line));
                text.cloned().unwrap_or_else(|| EOF.to_owned())
            }
            Asked::Lines(name) => {
                let item = world.item(name).filter(|item| item.kind == NOTECARD)?;
                item.lines.len().to_string()
            }
            Asked::Found => world.random.below(5).to_string(),
            Asked::AgentData(who, what) => {
                let person = world.people.iter().find(|person| person.key == *who);
                match what {
                    1 => world.random.below(2).to_string(),
                    2 => person?.name.clone(),
                    3 => format!(
                        "20{:02}-0{}-1{}",
                        5 + world.small(15),
                        1 + world.small(9),
                        world.small(9)
                    ),
                    8 => world.random.below(4).to_string(),
                    _ => return None,
                }
            }
            Asked::Name(who) => {
                let person = world.people.iter().find(|person| person.key == *who);
                person.map_or_else(|| "???".to_owned(), |person| person.name.clone())
            }
            Asked::UserKey(name) => {
                let person = world
                    .people
                    .iter()
                    .find(|person| person.name.eq_ignore_ascii_case(name));
                match person {
                    Some(person) => person.key.clone(),
                    None if world.random.chance(1, 2) => world.random.uuid(),
                    None => NULL_KEY.to_owned(),
                }
            }
            Asked::InventoryData => {
                format!(
                    "<{}.00000, {}.00000, 20.00000>",
                    world.small(256),
                    world.small(256)
                )
            }
            Asked::SimulatorData(what) => match what {
                5 => format!(
                    "<{}.00000, 256000.00000, 0.00000>",
                    256_000 + world.small(100) * 256
                ),
                6 => ["up", "down", "starting", "stopping", "crashed", "unknown"]
                    [world.random.below(6)]
                .to_owned(),
                7 => ["PG", "MATURE", "ADULT", "UNKNOWN"][world.random.below(4)].to_owned(),
                _ => return None,
            },
            Asked::KeyValue => match world.random.chance(1, 2) {
                true => format!("1,{}", world.text()),
                false => format!("0,{}", 1 + world.small(18)),
            },
            Asked::Http | Asked::Url | Asked::Transfer => return None,
        })
    }
}
