//! Requests: each has a key of its own, new at each call.

use crate::machine::Machine;
use crate::value::{NULL_KEY, Value};
use crate::world::{Asked, NOTECARD, Request};

impl Machine<'_> {
    pub(crate) fn request(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let text = |index: usize| args.get(index).map(Value::letters).unwrap_or_default();
        let asked = match name {
            "llGetNotecardLine" | "llGetNumberOfNotecardLines" | "llFindNotecardTextCount" => {
                let card = text(0);
                if self.world.item_kind(&card) != NOTECARD {
                    return Some(Value::key(NULL_KEY));
                }
                match name {
                    "llGetNotecardLine" => Asked::Line(card.to_string(), args[1].integer()),
                    "llGetNumberOfNotecardLines" => Asked::Lines(card.to_string()),
                    _ => Asked::Found,
                }
            }
            "llRequestAgentData" => Asked::AgentData(text(0).to_string(), args[1].integer()),
            "llRequestDisplayName" | "llRequestUsername" => Asked::Name(text(0).to_string()),
            "llRequestUserKey" => Asked::UserKey(text(0).to_string()),
            "llRequestInventoryData" => Asked::InventoryData,
            "llRequestSimulatorData" => Asked::SimulatorData(args[1].integer()),
            "llCreateKeyValue" | "llReadKeyValue" | "llUpdateKeyValue" | "llDeleteKeyValue"
            | "llKeysKeyValue" | "llKeyCountKeyValue" | "llDataSizeKeyValue" => Asked::KeyValue,
            "llHTTPRequest" => {
                // Throttled.
                if self.world.random.chance(1, 20) {
                    return Some(Value::key(NULL_KEY));
                }
                Asked::Http
            }
            "llRequestURL" | "llRequestSecureURL" => Asked::Url,
            "llTransferLindenDollars" => {
                self.world.tell(format!(
                    "  llTransferLindenDollars({}, {})",
                    args[0], args[1]
                ));
                Asked::Transfer
            }
            "llReleaseURL" => {
                let url = text(0);
                self.world.urls.retain(|own| **own != *url);
                return Some(Value::Integer(0));
            }
            "llSendRemoteData" => return Some(Value::key(&self.world.fresh_key())),
            _ => return None,
        };
        let key = self.world.fresh_key();
        self.world.requests.push(Request {
            key: key.clone(),
            asked,
        });
        Some(Value::key(&key))
    }
}
