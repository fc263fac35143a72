//! Rotations are quaternions `<x, y, z, s>`. In LSL `a * b` means "first `a`, then `b`", so the
//! product is Hamilton's with its operands exchanged, and `v * r` rotates the vector `v`.
//!
//! The formulas are those of any text on quaternions (for instance Kuipers, *Quaternions and
//! Rotation Sequences*, 1999); where several rotations would do, the choices follow what the wiki
//! documents for the function.

use model::{RichTable, Value};

use super::casts::ZERO_ROTATION;
use super::entry::Answer;
use super::values::{flag, parameter, rotation_from, rotation_of, single, vector_from, vector_of};
use super::vectors::{Triple, cross, dot, normalize, zip};

type Quaternion = [f64; 4];

/// First `a`, then `b`.
fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        b[3] * a[0] + b[0] * a[3] + b[1] * a[2] - b[2] * a[1],
        b[3] * a[1] - b[0] * a[2] + b[1] * a[3] + b[2] * a[0],
        b[3] * a[2] + b[0] * a[1] - b[1] * a[0] + b[2] * a[3],
        b[3] * a[3] - b[0] * a[0] - b[1] * a[1] - b[2] * a[2],
    ]
}

fn conjugate(q: Quaternion) -> Quaternion {
    [-q[0], -q[1], -q[2], q[3]]
}

/// Rotates a vector. A quaternion that is not of length one also scales it, as in LSL.
fn rotate(v: Triple, q: Quaternion) -> Triple {
    let turned = product(product(conjugate(q), [v[0], v[1], v[2], 0.0]), q);
    [turned[0], turned[1], turned[2]]
}

/// All zeros stand for no rotation.
fn not_zero(q: Quaternion) -> Quaternion {
    if q == [0.0; 4] { ZERO_ROTATION } else { q }
}

/// The quaternion of length one, if it has not nearly that already.
fn normalized(q: Quaternion) -> Quaternion {
    let q = not_zero(q);
    let square = dot(q, q);
    if (square - 1.0).abs() < 2e-6 {
        return q;
    }
    q.map(|x| x / square.sqrt())
}

/// The angle of a rotation, from 0 to pi.
fn angle_of(q: Quaternion) -> f64 {
    let axis = [q[0], q[1], q[2]];
    2.0 * dot(axis, axis).sqrt().atan2(q[3].abs())
}

fn pair(table: &RichTable, args: &[Value]) -> Answer<(Quaternion, Quaternion)> {
    Ok((rotation_of(table, &args[0])?, rotation_of(table, &args[1])?))
}

pub(super) fn add(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(rotation_from(table, zip(a, b, |a, b| a + b)))
}

pub(super) fn subtract(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(rotation_from(table, zip(a, b, |a, b| a - b)))
}

pub(super) fn negate(table: &RichTable, args: &[Value]) -> Answer {
    Ok(rotation_from(
        table,
        rotation_of(table, &args[0])?.map(|x| -x),
    ))
}

pub(super) fn multiply(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(rotation_from(table, product(a, b)))
}

pub(super) fn divide(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(rotation_from(table, product(a, conjugate(b))))
}

pub(super) fn rotate_vector(table: &RichTable, args: &[Value]) -> Answer {
    let v = vector_of(table, &args[0])?;
    Ok(vector_from(table, rotate(v, rotation_of(table, &args[1])?)))
}

pub(super) fn rotate_vector_back(table: &RichTable, args: &[Value]) -> Answer {
    let v = vector_of(table, &args[0])?;
    let q = conjugate(rotation_of(table, &args[1])?);
    Ok(vector_from(table, rotate(v, q)))
}

pub(super) fn equal(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(flag(a == b))
}

pub(super) fn unequal(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(flag(a != b))
}

/// The smallest angle that turns one rotation into the other.
pub(super) fn angle_between(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(single(
        table,
        angle_of(product(not_zero(a), conjugate(not_zero(b)))),
    ))
}

pub(super) fn angle(table: &RichTable, args: &[Value]) -> Answer {
    Ok(single(table, angle_of(rotation_of(table, &args[0])?)))
}

pub(super) fn axis(table: &RichTable, args: &[Value]) -> Answer {
    let q = rotation_of(table, &args[0])?;
    let sign = if q[3] < 0.0 { -1.0 } else { 1.0 };
    Ok(vector_from(
        table,
        normalize([q[0], q[1], q[2]].map(|x| sign * x)),
    ))
}

pub(super) fn from_axis_and_angle(table: &RichTable, args: &[Value]) -> Answer {
    let axis = normalize(vector_of(table, &args[0])?);
    let angle = parameter(table, &args[1])?;
    if axis == [0.0; 3] {
        return Ok(rotation_from(table, ZERO_ROTATION));
    }
    let (sin, cos) = (angle / 2.0).sin_cos();
    Ok(rotation_from(
        table,
        [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos],
    ))
}

/// Roll about x, then pitch about y, then yaw about z, in radians. Of the two quaternions of a
/// rotation, the one that conversion from its matrix would give: `s` is positive, or where `s` is
/// small, the greatest of the other components is.
pub(super) fn from_euler(table: &RichTable, args: &[Value]) -> Answer {
    let [x, y, z] = vector_of(table, &args[0])?;
    let turn = |axis: usize, angle: f64| {
        let mut q = [0.0, 0.0, 0.0, (angle / 2.0).cos()];
        q[axis] = (angle / 2.0).sin();
        q
    };
    // LSL's zero rotation of `<0, 0, z>` is the outermost: roll comes first in the frame that
    // pitch and yaw have turned, hence the order.
    let q = product(product(turn(2, z), turn(1, y)), turn(0, x));
    let diagonal = [
        1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]),
        1.0 - 2.0 * (q[0] * q[0] + q[2] * q[2]),
        1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1]),
    ];
    let decisive = if diagonal.iter().sum::<f64>() > 0.0 {
        3
    } else {
        (0..3).fold(0, |best, i| {
            if diagonal[i] > diagonal[best] {
                i
            } else {
                best
            }
        })
    };
    let sign = if q[decisive] < 0.0 { -1.0 } else { 1.0 };
    Ok(rotation_from(table, q.map(|x| sign * x)))
}

pub(super) fn to_euler(table: &RichTable, args: &[Value]) -> Answer {
    let [x, y, z, s] = normalized(rotation_of(table, &args[0])?);
    let sine = 2.0 * (x * z + y * s);
    let angles = if sine.abs() > 0.999_99 {
        // Pitch is straight up or down: roll and yaw turn about one axis, and yaw takes it all.
        [
            0.0,
            sine.clamp(-1.0, 1.0).asin(),
            (z * s + x * y).atan2(0.5 - (x * x + z * z)),
        ]
    } else {
        [
            (x * s - y * z).atan2(0.5 - (x * x + y * y)),
            sine.asin(),
            (z * s - x * y).atan2(0.5 - (z * z + y * y)),
        ]
    };
    Ok(vector_from(table, angles))
}

/// The rotation that turns the coordinate axes into these three, which should be at right angles
/// and of length one.
pub(super) fn from_axes(table: &RichTable, args: &[Value]) -> Answer {
    let fwd = vector_of(table, &args[0])?;
    let left = vector_of(table, &args[1])?;
    let up = vector_of(table, &args[2])?;
    // Shepperd's method (1978): divide by the component that is largest.
    let diagonal = [fwd[0], left[1], up[2]];
    let trace: f64 = diagonal.iter().sum();
    if trace > 0.0 {
        let root = (1.0 + trace).sqrt();
        let half = 0.5 / root;
        return Ok(rotation_from(
            table,
            [
                half * (left[2] - up[1]),
                half * (up[0] - fwd[2]),
                half * (fwd[1] - left[0]),
                root * 0.5,
            ],
        ));
    }
    let axes = [fwd, left, up];
    let i = (0..3).fold(0, |best, i| {
        if diagonal[i] > diagonal[best] {
            i
        } else {
            best
        }
    });
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let root = (1.0 + diagonal[i] - diagonal[j] - diagonal[k])
        .max(0.0)
        .sqrt();
    let half = if root == 0.0 { 0.0 } else { 0.5 / root };
    let mut q = [0.0; 4];
    q[i] = root * 0.5;
    q[j] = half * (axes[i][j] + axes[j][i]);
    q[k] = half * (axes[i][k] + axes[k][i]);
    q[3] = half * (axes[j][k] - axes[k][j]);
    let q = not_zero(q);
    let length = dot(q, q).sqrt();
    Ok(rotation_from(table, q.map(|x| x / length)))
}

pub(super) fn forward(table: &RichTable, args: &[Value]) -> Answer {
    turned_axis(table, args, [1.0, 0.0, 0.0])
}

pub(super) fn left(table: &RichTable, args: &[Value]) -> Answer {
    turned_axis(table, args, [0.0, 1.0, 0.0])
}

pub(super) fn up(table: &RichTable, args: &[Value]) -> Answer {
    turned_axis(table, args, [0.0, 0.0, 1.0])
}

fn turned_axis(table: &RichTable, args: &[Value], axis: Triple) -> Answer {
    let q = not_zero(rotation_of(table, &args[0])?);
    Ok(vector_from(table, normalize(rotate(axis, q))))
}

/// The smallest rotation from the direction of one vector to that of the other.
pub(super) fn between(table: &RichTable, args: &[Value]) -> Answer {
    let a = normalize(vector_of(table, &args[0])?);
    let b = normalize(vector_of(table, &args[1])?);
    let cosine = dot(a, b);
    // As close to one as two binary32 directions can be told apart.
    let aligned = 1.0 - f64::from(f32::EPSILON);
    if cosine > aligned {
        return Ok(rotation_from(table, ZERO_ROTATION));
    }
    let q = if cosine < -aligned {
        // Half a turn about any axis at right angles; the one nearest to x, or z itself.
        let [x, y, z] = cross(cross(a, [1.0, 0.0, 0.0]), a);
        let axis = [x, y, z];
        if dot(axis, axis) < 1e-10 {
            [0.0, 0.0, 1.0, 0.0]
        } else {
            let [x, y, z] = normalize(axis);
            [x, y, z, 0.0]
        }
    } else {
        let [x, y, z] = cross(a, b);
        [x, y, z, cosine + 1.0]
    };
    let length = dot(q, q).sqrt();
    // Adding zero turns a negative zero into a positive one.
    Ok(rotation_from(table, q.map(|x| x / length + 0.0)))
}
