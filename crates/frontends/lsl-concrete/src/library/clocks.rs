//! Time, the timer, chance.

use crate::machine::Machine;
use crate::value::Value;

const DAY: f64 = 86_400.0;

impl Machine<'_> {
    /// Clocks. Reading one takes a little time, so two readings may differ; none goes back.
    pub(crate) fn clock(&mut self, name: &str) -> Option<Value> {
        let world = &mut self.world;
        if name.starts_with("llGet") && world.random.chance(1, 8) {
            world.clock += world.random.unit() / 500.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "dates are far below 2^53")]
        let since_epoch = world.epoch as f64 + world.clock;
        Some(match name {
            "llGetTime" => stored(world.clock - world.clock_zero),
            "llGetAndResetTime" => {
                let time = world.clock - world.clock_zero;
                world.clock_zero = world.clock;
                stored(time)
            }
            "llResetTime" => {
                world.clock_zero = world.clock;
                Value::Integer(0)
            }
            "llGetUnixTime" => Value::Integer(i32::try_from(world.unix_time()).unwrap_or(i32::MAX)),
            "llGetTimestamp" => {
                let part = ((world.clock.fract()) * 1e6).floor();
                let (date, time) = civil(world.unix_time());
                Value::text(&format!("{date}T{time}.{part:06}Z"))
            }
            "llGetDate" => Value::text(&civil(world.unix_time()).0),
            "llGetGMTclock" => stored((since_epoch % DAY).floor()),
            "llGetWallclock" => stored(((since_epoch - 8.0 * 3600.0) % DAY).floor()),
            // Four hours are a region's day.
            "llGetTimeOfDay" | "llGetRegionTimeOfDay" => stored(since_epoch % (DAY / 6.0)),
            _ => return None,
        })
    }
}

fn stored(number: f64) -> Value {
    Value::Float(number).stored(lsl::Type::Float)
}

/// The date and the time of day of a number of seconds since 1970, by the proleptic Gregorian
/// calendar (Howard Hinnant, *chrono-compatible low-level date algorithms*).
fn civil(seconds: i64) -> (String, String) {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (
        format!("{year:04}-{month:02}-{day:02}"),
        format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60),
    )
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let both = |date: &str, time: &str| (date.to_owned(), time.to_owned());
        assert_eq!(civil(0), both("1970-01-01", "00:00:00"));
        assert_eq!(civil(951_827_696), both("2000-02-29", "12:34:56"));
        assert_eq!(civil(1_735_689_599), both("2024-12-31", "23:59:59"));
    }
}
