//! Base64 and URL encoding. Bytes that are not UTF-8 become question marks, one each.

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use model::{RichTable, Value};

use super::entry::Answer;
use super::values::{int, integer, text};

/// The standard alphabet; padding may be missing and spare bits may be set.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of the Base64 digits at the start of the text; what follows is not looked at.
fn decode(encoded: &str) -> Vec<u8> {
    let digits = encoded
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
        .count();
    // One digit left over makes no byte.
    let digits = if digits % 4 == 1 { digits - 1 } else { digits };
    BASE64
        .decode(&encoded[..digits])
        .expect("only digits, of a length that Base64 has")
}

/// Bytes as text, which ends at the first NUL.
fn utf8(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let mut text = String::new();
    for chunk in bytes[..end].utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

pub(super) fn to_base64(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&BASE64.encode(text(table, &args[0])?.as_bytes())))
}

/// Control characters become question marks, except those that LSL lets pass.
pub(super) fn from_base64(table: &RichTable, args: &[Value]) -> Answer {
    let mut bytes = decode(&text(table, &args[0])?);
    if bytes.last() == Some(&0) {
        bytes.pop();
    }
    for byte in &mut bytes {
        if *byte < 0x20 && !matches!(byte, 0x09 | 0x0A | 0x0F | 0x1F) {
            *byte = b'?';
        }
    }
    Ok(table.text(&utf8(&bytes)))
}

/// The integer's four bytes, the highest first.
pub(super) fn integer_to_base64(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&BASE64.encode(integer(&args[0]).to_be_bytes())))
}

/// Missing bytes are zero; more than eight digits are 0.
pub(super) fn base64_to_integer(table: &RichTable, args: &[Value]) -> Answer {
    let encoded = text(table, &args[0])?;
    if encoded.chars().count() > 8 {
        return Ok(int(0));
    }
    let decoded = decode(&encoded);
    let bytes = std::array::from_fn(|i| decoded.get(i).copied().unwrap_or(0));
    Ok(int(i32::from_be_bytes(bytes)))
}

/// The exclusive or of the bytes, the second text repeated as often as needed.
pub(super) fn xor_base64(table: &RichTable, args: &[Value]) -> Answer {
    let pattern = text(table, &args[1])?;
    if pattern.is_empty() {
        return Ok(args[0].clone());
    }
    let mut pattern = decode(&pattern);
    if pattern.is_empty() {
        pattern.push(0);
    }
    let mixed: Vec<u8> = decode(&text(table, &args[0])?)
        .iter()
        .zip(pattern.iter().cycle())
        .map(|(a, b)| a ^ b)
        .collect();
    Ok(table.text(&BASE64.encode(mixed)))
}

/// All but letters and digits become `%` and two hexadecimal digits a byte.
pub(super) fn escape_url(table: &RichTable, args: &[Value]) -> Answer {
    let mut escaped = String::new();
    for byte in text(table, &args[0])?.bytes() {
        if byte.is_ascii_alphanumeric() {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    Ok(table.text(&escaped))
}

/// A digit that is none counts as 0; an escape that the text's end cuts off is dropped.
pub(super) fn unescape_url(table: &RichTable, args: &[Value]) -> Answer {
    let text = text(table, &args[0])?;
    let mut characters = text.chars();
    let mut bytes = Vec::new();
    while let Some(character) = characters.next() {
        if character != '%' {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let (Some(high), Some(low)) = (characters.next(), characters.next()) else {
            break;
        };
        let digit = |c: char| c.to_digit(16).unwrap_or(0);
        let value = digit(high) * 16 + digit(low);
        bytes.push(u8::try_from(value).expect("two hexadecimal digits make a byte"));
    }
    Ok(table.text(&utf8(&bytes)))
}
