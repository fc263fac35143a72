//! The table of library functions that compute, by name.

use model::{RichTable, Value};

use super::entry::{PureEntry, entry};
use super::values::{element, list, rotation, vector};
use super::{
    csv, digests, encodings, floats, json, list_search, list_sort, list_statistics, lists, maths,
    parse_list, rotations, string_search, strings, vectors,
};
use crate::Type;

/// The library function of this name, if it is pure and computed here.
///
/// ```
/// use lsl::library;
/// use model::Value;
/// let table = model::RichTable::default();
/// let upper = library::pure("llToUpper").expect("a pure function");
/// assert_eq!((upper.eval)(&table, &[table.text("abc")]), Ok(table.text("ABC")));
/// // What the world decides stays open, and an integer made of it is not determined.
/// let name = library::unknown(&table, "llGetObjectName", &[]);
/// let length = library::pure("llStringLength").expect("a pure function");
/// assert_eq!((length.determined)(&table, &[name]), Ok(Value::Bool(false)));
/// assert!(library::pure("llGetPos").is_none());
/// ```
#[must_use]
pub fn pure(name: &str) -> Option<&'static PureEntry> {
    FUNCTIONS.iter().find(|entry| entry.name == name)
}

/// The names of the functions that [`pure`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|entry| entry.name)
}

/// Rounds a float to binary32, as storing it in a variable, parameter or list does. An integer is
/// converted.
#[must_use]
pub fn store_float() -> &'static PureEntry {
    static STORE: PureEntry = entry!("(float)", Float, floats::store);
    &STORE
}

/// Makes a value of this type an element of a list; see [`element`].
#[must_use]
pub fn as_element(ty: Type) -> &'static PureEntry {
    static ELEMENTS: [PureEntry; 6] = [
        entry!("element", Integer, |t, a: &[Value]| Ok(element(
            t,
            &a[0],
            Type::Integer
        ))),
        entry!("element", Float, |t, a: &[Value]| Ok(element(
            t,
            &a[0],
            Type::Float
        ))),
        entry!("element", String, |t, a: &[Value]| Ok(element(
            t,
            &a[0],
            Type::String
        ))),
        entry!("element", Key, |t, a: &[Value]| Ok(element(
            t,
            &a[0],
            Type::Key
        ))),
        entry!("element", Vector, |t, a: &[Value]| Ok(element(
            t,
            &a[0],
            Type::Vector
        ))),
        entry!("element", Rotation, |t, a: &[Value]| Ok(element(
            t,
            &a[0],
            Type::Rotation
        ))),
    ];
    match ty {
        Type::Integer | Type::List => &ELEMENTS[0],
        Type::Float => &ELEMENTS[1],
        Type::String => &ELEMENTS[2],
        Type::Key => &ELEMENTS[3],
        Type::Vector => &ELEMENTS[4],
        Type::Rotation => &ELEMENTS[5],
    }
}

/// A list of any number of elements, each made by [`as_element`].
#[must_use]
pub fn list_literal() -> &'static PureEntry {
    static LITERAL: PureEntry = entry!("[]", List, |t: &RichTable, a: &[Value]| Ok(list(
        t,
        a.to_vec()
    )));
    &LITERAL
}

/// `<x, y, z>` of floats or integers.
#[must_use]
pub fn vector_literal() -> &'static PureEntry {
    static LITERAL: PureEntry = entry!("<>", Vector, |t, a: &[Value]| Ok(vector(
        t,
        a.try_into().expect("a vector has three components")
    )));
    &LITERAL
}

/// `<x, y, z, s>` of floats or integers.
#[must_use]
pub fn rotation_literal() -> &'static PureEntry {
    static LITERAL: PureEntry = entry!("<>", Rotation, |t, a: &[Value]| Ok(rotation(
        t,
        a.try_into().expect("a rotation has four components")
    )));
    &LITERAL
}

static FUNCTIONS: &[PureEntry] = &[
    // Numbers.
    entry!("llAbs", Integer, maths::abs),
    entry!("llAcos", Float, |t, a| maths::map(t, a, f64::acos)),
    entry!("llAsin", Float, |t, a| maths::map(t, a, f64::asin)),
    entry!("llAtan2", Float, maths::atan2),
    entry!("llCeil", Integer, maths::ceil),
    entry!("llCos", Float, |t, a| maths::map(t, a, f64::cos)),
    entry!("llFabs", Float, |t, a| maths::map(t, a, f64::abs)),
    entry!("llFloor", Integer, maths::floor),
    entry!("llLog", Float, |t, a| maths::map(t, a, |x| {
        maths::logarithm(x, f64::ln)
    })),
    entry!("llLog10", Float, |t, a| maths::map(t, a, |x| {
        maths::logarithm(x, f64::log10)
    })),
    entry!("llModPow", Integer, maths::modular_power),
    entry!("llPow", Float, maths::power),
    entry!("llRound", Integer, maths::round),
    entry!("llSin", Float, |t, a| maths::map(t, a, f64::sin)),
    entry!("llSqrt", Float, |t, a| maths::map(t, a, f64::sqrt)),
    entry!("llTan", Float, |t, a| maths::map(t, a, f64::tan)),
    // Vectors and rotations.
    entry!("llAngleBetween", Float, rotations::angle_between),
    entry!("llAxes2Rot", Rotation, rotations::from_axes),
    entry!("llAxisAngle2Rot", Rotation, rotations::from_axis_and_angle),
    entry!("llEuler2Rot", Rotation, rotations::from_euler),
    entry!("llLinear2sRGB", Vector, vectors::linear_to_srgb),
    entry!("llRot2Angle", Float, rotations::angle),
    entry!("llRot2Axis", Vector, rotations::axis),
    entry!("llRot2Euler", Vector, rotations::to_euler),
    entry!("llRot2Fwd", Vector, rotations::forward),
    entry!("llRot2Left", Vector, rotations::left),
    entry!("llRot2Up", Vector, rotations::up),
    entry!("llRotBetween", Rotation, rotations::between),
    entry!("llVecDist", Float, vectors::distance),
    entry!("llVecMag", Float, vectors::magnitude),
    entry!("llVecNorm", Vector, vectors::unit),
    entry!("llsRGB2Linear", Vector, vectors::srgb_to_linear),
    // Strings.
    entry!("llChar", String, strings::character),
    entry!("llDeleteSubString", String, strings::delete_sub_string),
    entry!("llGetSubString", String, strings::sub_string),
    entry!("llHash", Integer, strings::hash),
    entry!("llInsertString", String, strings::insert),
    entry!("llOrd", Integer, strings::ordinal),
    entry!("llReplaceSubString", String, string_search::replace),
    entry!("llStringLength", Integer, strings::length),
    entry!("llStringTrim", String, strings::trim),
    entry!("llSubStringIndex", Integer, string_search::position),
    entry!("llToLower", String, strings::to_lower),
    entry!("llToUpper", String, strings::to_upper),
    // Strings as carriers of other data.
    entry!("llBase64ToInteger", Integer, encodings::base64_to_integer),
    entry!("llBase64ToString", String, encodings::from_base64),
    entry!("llCSV2List", List, csv::from_csv),
    entry!("llComputeHash", String, digests::by_name),
    entry!("llDumpList2String", String, csv::dump),
    entry!("llEscapeURL", String, encodings::escape_url),
    entry!("llIntegerToBase64", String, encodings::integer_to_base64),
    entry!("llJson2List", List, json::to_list),
    entry!("llJsonGetValue", String, json::value_at),
    entry!("llJsonSetValue", String, json::with_value),
    entry!("llJsonValueType", String, json::type_at),
    entry!("llList2CSV", String, csv::to_csv),
    entry!("llList2Json", String, json::from_list),
    entry!("llMD5String", String, digests::md5),
    entry!("llParseString2List", List, parse_list::parse),
    entry!(
        "llParseStringKeepNulls",
        List,
        parse_list::parse_keeping_nulls
    ),
    entry!("llSHA1String", String, digests::sha1),
    entry!("llSHA256String", String, digests::sha256),
    entry!("llStringToBase64", String, encodings::to_base64),
    entry!("llUnescapeURL", String, encodings::unescape_url),
    entry!("llXorBase64", String, encodings::xor_base64),
    // Lists.
    entry!("llDeleteSubList", List, lists::delete_sub_list),
    entry!("llGetListEntryType", Integer, lists::entry_type),
    entry!("llGetListLength", Integer, lists::length),
    entry!("llList2Float", Float, lists::float_at),
    entry!("llList2Integer", Integer, lists::integer_at),
    entry!("llList2Key", Key, lists::key_at),
    entry!("llList2List", List, lists::sub_list),
    entry!("llList2ListSlice", List, lists::slice),
    entry!("llList2ListStrided", List, lists::strided),
    entry!("llList2Rot", Rotation, lists::rotation_at),
    entry!("llList2String", String, lists::string_at),
    entry!("llList2Vector", Vector, lists::vector_at),
    entry!("llListFindList", Integer, list_search::find),
    entry!("llListFindListNext", Integer, list_search::find_nth),
    entry!("llListFindStrided", Integer, list_search::find_strided),
    entry!("llListInsertList", List, lists::insert),
    entry!("llListReplaceList", List, lists::replace),
    entry!("llListSort", List, list_sort::sort),
    entry!("llListSortStrided", List, list_sort::sort_strided),
    entry!("llListStatistics", Float, list_statistics::statistics),
];
