//! How speed and memory change as models grow: a plot.

use std::fmt::Write as _;

/// One measured size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) states: f64,
    /// States in a second of exploration.
    pub(crate) speed: f64,
    /// Bytes for a state, the table included.
    pub(crate) bytes: f64,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 30.0;

/// Draws speed and memory over the number of states, both axes logarithmic.
pub(crate) fn svg(points: &[Point]) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 640\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"680\" height=\"640\" fill=\"white\"/>\n",
    );
    let speeds: Vec<_> = points.iter().map(|p| (p.states, p.speed)).collect();
    let bytes: Vec<_> = points.iter().map(|p| (p.states, p.bytes)).collect();
    panel(&mut out, 0.0, "states per second", &speeds, (5, 8));
    panel(&mut out, 310.0, "bytes per state", &bytes, (0, 3));
    out.push_str("</svg>\n");
    out
}

fn panel(out: &mut String, down: f64, title: &str, points: &[(f64, f64)], decades: (i32, i32)) {
    let (low, high) = decades;
    let (first, last) = (4.0, 8.0);
    let x = |states: f64| LEFT + (states.log10() - first) / (last - first) * WIDTH;
    let span = f64::from(high - low);
    let y = |value: f64| down + TOP + HEIGHT - (value.log10() - f64::from(low)) / span * HEIGHT;
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        "<text x=\"{LEFT}\" y=\"{:.0}\" font-weight=\"bold\">{title}</text>",
        down + TOP - 10.0
    ));
    for decade in low..=high {
        let at = y(10f64.powi(decade));
        line(format!(
            "<line x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ccc\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">10^{decade}</text>",
            LEFT + WIDTH,
            LEFT - 6.0,
            at + 4.0
        ));
    }
    for decade in 4..=8 {
        let at = x(10f64.powi(decade));
        line(format!(
            "<text x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"middle\">10^{decade}</text>",
            down + TOP + HEIGHT + 16.0
        ));
    }
    let mut path = String::new();
    for (states, value) in points {
        write!(path, "{:.1},{:.1} ", x(*states), y(*value)).expect("writing to a string succeeds");
    }
    line(format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>",
        path.trim_end()
    ));
    for (states, value) in points {
        line(format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#06c\"/>",
            x(*states),
            y(*value)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_a_mark_in_both_panels() {
        let point = |states| Point {
            states,
            speed: 1e6,
            bytes: 20.0,
        };
        let drawn = svg(&[point(1e4), point(1e6), point(1e8)]);
        assert_eq!(drawn.matches("<circle").count(), 6);
        assert_eq!(drawn.matches("cx=\"620.0\"").count(), 2);
        assert!(!drawn.contains("NaN"));
    }
}
