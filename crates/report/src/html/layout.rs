//! Where boxes are drawn: where their author placed them, or in layers.
//!
//! Places of the author's are spread, if boxes would cover each other: other programs draw smaller
//! boxes. They are brought nearer, if lines have room then. A sheet that nobody placed is laid out in layers from left to right, after Sugiyama, Tagawa and
//! Toda ("Methods for visual understanding of hierarchical system structures", 1981): lines that
//! close a cycle are left out, a box stands behind all that lead to it, and in each layer boxes
//! are ordered by the middle of their neighbours. Values are not what gives a graph its direction:
//! a box without signals stands just before the first box that it serves.

use std::collections::HashMap;

use model::{Picture, PictureBox};

/// A box's place and size.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A picture with places.
pub(super) struct Placed {
    pub(super) boxes: Vec<Place>,
    /// Name and place of each sheet's title.
    pub(super) sheets: Vec<(String, f64, f64)>,
}

const GAP_X: f64 = 70.0;
const GAP_Y: f64 = 26.0;
/// Boxes of a sheet for which overlaps are looked for.
const MOST_COMPARED: usize = 1_500;

/// Finds places for all boxes.
pub(super) fn place(picture: &Picture) -> Placed {
    let mut boxes: Vec<Place> = picture.boxes.iter().map(size).collect();
    let mut sheets: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (index, drawn) in picture.boxes.iter().enumerate() {
        let at = *known.entry(&drawn.sheet).or_insert_with(|| {
            sheets.push((&drawn.sheet, Vec::new()));
            sheets.len() - 1
        });
        sheets[at].1.push(index);
    }
    let mut titles = Vec::new();
    let mut top = 0.0;
    for (name, members) in sheets {
        place_sheet(picture, &members, &mut boxes);
        let least = |value: fn(&Place) -> f64| {
            let values = members.iter().map(|&index| value(&boxes[index]));
            values.fold(f64::INFINITY, f64::min)
        };
        let (left, first) = (least(|place| place.x), least(|place| place.y));
        let mut bottom = top;
        for &index in &members {
            let place = &mut boxes[index];
            place.x -= left;
            place.y += top - first;
            bottom = f64::max(bottom, place.y + place.height);
        }
        titles.push((name.to_owned(), 0.0, top - 14.0));
        top = bottom + 90.0;
    }
    Placed {
        boxes,
        sheets: titles,
    }
}

/// How large a box must be for its texts.
fn size(drawn: &PictureBox) -> Place {
    let longest = |pins: &[model::PicturePin]| {
        let lengths = pins.iter().map(|pin| pin.title.chars().count());
        lengths.max().unwrap_or(0)
    };
    let rows = drawn.inputs.len().max(drawn.outputs.len());
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts on a page")]
    let (title, pins, rows) = (
        drawn.title.chars().count() as f64,
        (longest(&drawn.inputs) + longest(&drawn.outputs)) as f64,
        rows as f64,
    );
    // Texts are 13 units high, and about 7.5 wide a character.
    let width = (title * 8.4 + 22.0)
        .max(pins * 7.4 + 46.0)
        .clamp(110.0, 330.0);
    Place {
        width,
        height: 38.0 + rows * 20.0 + 24.0,
        ..Place::default()
    }
}

fn place_sheet(picture: &Picture, members: &[usize], boxes: &mut [Place]) {
    let (placed, unplaced): (Vec<usize>, Vec<usize>) = members
        .iter()
        .partition(|&&index| picture.boxes[index].position.is_some());
    if placed.is_empty() {
        place_in_layers(picture, members, boxes);
        return;
    }
    spread(picture, &placed, boxes);
    if unplaced.is_empty() {
        return;
    }
    // What the author did not place stands below.
    place_in_layers(picture, &unplaced, boxes);
    let bottom = placed
        .iter()
        .map(|&index| boxes[index].y + boxes[index].height);
    let bottom = bottom.fold(f64::NEG_INFINITY, f64::max);
    let left = placed.iter().map(|&index| boxes[index].x);
    let left = left.fold(f64::INFINITY, f64::min);
    for &index in &unplaced {
        boxes[index].x += left;
        boxes[index].y += bottom + 2.0 * GAP_Y;
    }
}

/// Puts boxes where the author put them, farther apart if they would cover each other.
fn spread(picture: &Picture, placed: &[usize], boxes: &mut [Place]) {
    // Nearer, if that leaves room for lines; else as they are, if they do not touch; else farther apart.
    let (loose, tight) = ((50.0, 30.0), (8.0, 6.0));
    let scales: &[(f64, (f64, f64))] = match placed.len() {
        0..=MOST_COMPARED => &[
            (0.7, loose),
            (0.8, loose),
            (0.9, loose),
            (1.0, tight),
            (1.2, tight),
            (1.5, tight),
            (2.0, tight),
            (2.6, tight),
            (3.4, tight),
            (4.5, tight),
            (6.0, tight),
        ],
        _ => &[(1.5, tight)],
    };
    for (attempt, (scale, gap)) in scales.iter().enumerate() {
        for &index in placed {
            let (x, y) = picture.boxes[index].position.unwrap_or_default();
            // A place that is no number is a place that nobody chose.
            let sound = |value: f64| {
                if value.is_finite() {
                    value.clamp(-1e7, 1e7)
                } else {
                    0.0
                }
            };
            boxes[index].x = sound(x) * scale;
            boxes[index].y = sound(y) * scale;
        }
        let last = attempt + 1 == scales.len();
        if last || !any_overlap(picture, placed, boxes, *gap) {
            return;
        }
    }
}

/// Whether any two boxes are nearer to each other than these gaps.
fn any_overlap(
    picture: &Picture,
    placed: &[usize],
    boxes: &[Place],
    (beside, below): (f64, f64),
) -> bool {
    let mut sorted: Vec<usize> = placed.to_vec();
    // A frame around others covers them on purpose, and two boxes of one place always overlap.
    sorted.retain(|&index| !picture.boxes[index].remark);
    sorted.sort_by(|&a, &b| boxes[a].x.total_cmp(&boxes[b].x));
    for (at, &a) in sorted.iter().enumerate() {
        let one = boxes[a];
        for &b in &sorted[at + 1..] {
            let other = boxes[b];
            if other.x >= one.x + one.width + beside {
                break;
            }
            let same = picture.boxes[a].position == picture.boxes[b].position;
            let apart =
                other.y >= one.y + one.height + below || one.y >= other.y + other.height + below;
            if !apart && !same {
                return true;
            }
        }
    }
    false
}

fn place_in_layers(picture: &Picture, members: &[usize], boxes: &mut [Place]) {
    let local: HashMap<usize, usize> = members
        .iter()
        .enumerate()
        .map(|(at, &index)| (index, at))
        .collect();
    let count = members.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut serves: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for line in &picture.lines {
        let (Some(&from), Some(&to)) = (local.get(&line.from), local.get(&line.to)) else {
            continue;
        };
        if from == to {
            continue;
        }
        near[from].push(to);
        near[to].push(from);
        if picture.boxes[line.from].outputs[line.output].data {
            serves[from].push(to);
        } else {
            next[from].push(to);
        }
    }
    let layers = layers(&next, &serves);
    let mut top = 0.0;
    for part in parts(&near) {
        let mut columns: Vec<Vec<usize>> = Vec::new();
        let first = part.iter().map(|&at| layers[at]).min().unwrap_or(0);
        for &at in &part {
            let layer = layers[at] - first;
            columns.resize(columns.len().max(layer + 1), Vec::new());
            columns[layer].push(at);
        }
        order(&mut columns, &near);
        let heights = columns.iter().map(|column| {
            let heights = column.iter().map(|&at| boxes[members[at]].height + GAP_Y);
            heights.sum::<f64>()
        });
        let heights: Vec<f64> = heights.collect();
        let tallest = heights.iter().copied().fold(0.0, f64::max);
        let mut x = 0.0;
        for (column, height) in columns.iter().zip(&heights) {
            if column.is_empty() {
                continue;
            }
            let mut y = top + (tallest - height) / 2.0;
            let mut widest: f64 = 0.0;
            for &at in column {
                let place = &mut boxes[members[at]];
                (place.x, place.y) = (x, y);
                y += place.height + GAP_Y;
                widest = widest.max(place.width);
            }
            x += widest + GAP_X;
        }
        top += tallest + GAP_Y;
    }
}

/// The layer of each box: behind all that send it signals, but for lines that close a cycle.
fn layers(next: &[Vec<usize>], serves: &[Vec<usize>]) -> Vec<usize> {
    let count = next.len();
    let mut entered = vec![false; count];
    for &to in next.iter().flatten() {
        entered[to] = true;
    }
    // Depth first, boxes that nothing enters first; the order in which boxes are left, reversed,
    // is one in which all lines but those that close cycles go forward.
    let mut state = vec![0_u8; count];
    let mut left = Vec::new();
    let starts = (0..count).filter(|&at| !entered[at]).chain(0..count);
    for start in starts.collect::<Vec<usize>>() {
        if state[start] != 0 {
            continue;
        }
        state[start] = 1;
        let mut stack = vec![(start, 0)];
        while let Some((at, child)) = stack.last_mut() {
            match next[*at].get(*child) {
                Some(&to) => {
                    *child += 1;
                    if state[to] == 0 {
                        state[to] = 1;
                        stack.push((to, 0));
                    }
                }
                None => {
                    left.push(*at);
                    stack.pop();
                }
            }
        }
    }
    let mut rank = vec![0; count];
    for (place, &at) in left.iter().rev().enumerate() {
        rank[at] = place;
    }
    let mut layer = vec![0; count];
    for &at in left.iter().rev() {
        for &to in next[at].iter().filter(|&&to| rank[to] > rank[at]) {
            layer[to] = layer[to].max(layer[at] + 1);
        }
    }
    // Layers are counted from a distance, so that boxes of values find room before the first.
    let shift = longest_service(next, serves);
    for layer in &mut layer {
        *layer += shift;
    }
    let mut settled: Vec<bool> = (0..count)
        .map(|at| entered[at] || !next[at].is_empty())
        .collect();
    for _ in 0..shift {
        let before = settled.clone();
        for at in 0..count {
            if before[at] {
                continue;
            }
            let served = serves[at].iter().filter(|&&to| before[to]);
            if let Some(first) = served.map(|&to| layer[to]).min() {
                layer[at] = first.saturating_sub(1);
                settled[at] = true;
            }
        }
    }
    layer
}

/// How long the longest chain of values may become in the picture.
fn longest_service(next: &[Vec<usize>], serves: &[Vec<usize>]) -> usize {
    let any = serves.iter().any(|list| !list.is_empty());
    if any { next.len().min(40) } else { 0 }
}

/// The boxes in parts that no line joins, each in the order of the file.
fn parts(near: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; near.len()];
    let mut parts = Vec::new();
    for start in 0..near.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut at = 0;
        while at < part.len() {
            for &other in &near[part[at]] {
                if !seen[other] {
                    seen[other] = true;
                    part.push(other);
                }
            }
            at += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// Orders each layer by the middle of its boxes' neighbours in the layers beside it.
fn order(columns: &mut [Vec<usize>], near: &[Vec<usize>]) {
    let mut place: HashMap<usize, (usize, f64)> = HashMap::new();
    let note = |place: &mut HashMap<usize, (usize, f64)>, layer: usize, column: &[usize]| {
        for (row, &at) in column.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "rows of a picture")]
            place.insert(at, (layer, (row as f64 + 0.5) / column.len() as f64));
        }
    };
    for (layer, column) in columns.iter().enumerate() {
        note(&mut place, layer, column);
    }
    for sweep in 0..6 {
        let count = columns.len();
        for turn in 0..count {
            let layer = if sweep % 2 == 0 {
                turn
            } else {
                count - 1 - turn
            };
            let middle = |at: usize| {
                let beside = near[at].iter().filter_map(|other| place.get(other));
                let beside = beside.filter(|(other, _)| {
                    if sweep % 2 == 0 {
                        *other < layer
                    } else {
                        *other > layer
                    }
                });
                let (sum, number) = beside.fold((0.0, 0.0), |(sum, number), (_, row)| {
                    (sum + row, number + 1.0)
                });
                if number > 0.0 {
                    sum / number
                } else {
                    place[&at].1
                }
            };
            let mut keyed: Vec<(f64, usize)> =
                columns[layer].iter().map(|&at| (middle(at), at)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            columns[layer] = keyed.into_iter().map(|(_, at)| at).collect();
            note(&mut place, layer, &columns[layer]);
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{PictureLine, PicturePin};

    use super::*;

    fn drawn(name: usize, position: Option<(f64, f64)>) -> PictureBox {
        let pin = |data| PicturePin {
            name: "p".to_owned(),
            title: "p".to_owned(),
            data,
        };
        PictureBox {
            name: name.to_string(),
            title: name.to_string(),
            kind: String::new(),
            sheet: String::new(),
            inputs: vec![pin(false), pin(true)],
            outputs: vec![pin(false), pin(true)],
            position,
            remark: false,
            sets: Vec::new(),
        }
    }

    fn line(from: usize, to: usize, pin: usize) -> PictureLine {
        PictureLine {
            from,
            output: pin,
            to,
            input: pin,
        }
    }

    fn overlaps(places: &[Place]) -> bool {
        places.iter().enumerate().any(|(at, one)| {
            places[at + 1..].iter().any(|other| {
                one.x < other.x + other.width
                    && other.x < one.x + one.width
                    && one.y < other.y + other.height
                    && other.y < one.y + one.height
            })
        })
    }

    #[test]
    fn layers_go_from_left_to_right_and_cycles_do_no_harm() {
        let picture = Picture {
            boxes: (0..6).map(|name| drawn(name, None)).collect(),
            // 0 -> 1 -> 2 -> 1, 1 -> 3; 4 serves 3; 5 stands alone.
            lines: vec![
                line(0, 1, 0),
                line(1, 2, 0),
                line(2, 1, 0),
                line(1, 3, 0),
                line(4, 3, 1),
            ],
        };
        let placed = place(&picture).boxes;
        assert!(placed[0].x < placed[1].x && placed[1].x < placed[2].x);
        assert!(placed[1].x < placed[3].x && placed[4].x < placed[3].x);
        assert!(!overlaps(&placed), "{placed:?}");
    }

    #[test]
    fn the_authors_places_are_kept_in_shape_and_spread() {
        let at = |x: f64, y: f64| Some((x, y));
        let boxes = vec![
            drawn(0, at(0.0, 0.0)),
            drawn(1, at(60.0, 0.0)),
            drawn(2, at(0.0, 60.0)),
        ];
        let picture = Picture {
            boxes,
            lines: vec![],
        };
        let placed = place(&picture).boxes;
        assert!(!overlaps(&placed), "{placed:?}");
        assert_eq!(placed[0].y, placed[1].y);
        assert_eq!(placed[0].x, placed[2].x);
        let odd = Picture {
            boxes: vec![drawn(0, at(f64::NAN, f64::INFINITY)), drawn(1, None)],
            lines: vec![],
        };
        assert!(
            place(&odd)
                .boxes
                .iter()
                .all(|place| place.x.is_finite() && place.y.is_finite())
        );
    }

    #[test]
    fn a_long_chain_and_a_wide_fan_take_no_stack_and_little_time() {
        let count = 20_000;
        let picture = Picture {
            boxes: (0..count).map(|name| drawn(name, None)).collect(),
            lines: (1..count)
                .map(|to| line(if to % 2 == 0 { 0 } else { to - 1 }, to, 0))
                .collect(),
        };
        assert_eq!(place(&picture).boxes.len(), count);
    }
}
