//! Message digests, in hexadecimal, of the UTF-8 text.

use md5::Md5;
use model::{RichTable, Value};
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::entry::{Answer, Stop};
use super::values::{integer, text};

fn hexadecimal<D: Digest>(data: &[u8]) -> String {
    D::digest(data)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// MD5 of the text, a colon, and the nonce.
pub(super) fn md5(table: &RichTable, args: &[Value]) -> Answer {
    let salted = format!("{}:{}", text(table, &args[0])?, integer(&args[1]));
    Ok(table.text(&hexadecimal::<Md5>(salted.as_bytes())))
}

pub(super) fn sha1(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&hexadecimal::<Sha1>(text(table, &args[0])?.as_bytes())))
}

pub(super) fn sha256(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&hexadecimal::<Sha256>(text(table, &args[0])?.as_bytes())))
}

/// A digest by the name of its algorithm. What an unsupported name gives is the world's affair.
pub(super) fn by_name(table: &RichTable, args: &[Value]) -> Answer {
    let data = text(table, &args[0])?;
    let data = data.as_bytes();
    let digest = match &*text(table, &args[1])? {
        "md5" => hexadecimal::<Md5>(data),
        "sha1" => hexadecimal::<Sha1>(data),
        "md5_sha1" => hexadecimal::<Md5>(data) + &hexadecimal::<Sha1>(data),
        "sha224" => hexadecimal::<Sha224>(data),
        "sha256" => hexadecimal::<Sha256>(data),
        "sha384" => hexadecimal::<Sha384>(data),
        "sha512" => hexadecimal::<Sha512>(data),
        _ => return Err(Stop::Unknown),
    };
    Ok(table.text(&digest))
}
