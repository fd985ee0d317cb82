//! The verbs under /_mockddb/ (docs/admin-api.md), by HTTP over a connection each.

use crate::{Error, Result};
use std::io::{self, Read, Write};
use std::net::TcpStream;

/// Sends a request with these headers, and returns the status and the answer.
fn send(url: &str, method: &str, path: &str, headers: &str, body: &str) -> Result<(u16, String)> {
    let host = url.strip_prefix("http://").unwrap_or(url);
    let request = format!(
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let exchange = || -> io::Result<Vec<u8>> {
        let mut connection = TcpStream::connect(host)?;
        connection.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer)?;
        Ok(answer)
    };
    let answer = exchange().map_err(|e| Error(format!("no answer from {url}: {e}")))?;
    parse(&answer).ok_or_else(|| Error(format!("{method} {path}: the answer is cut off")))
}

/// Whether a request's access key names its world at this server.
pub(crate) fn worlds_are_by_access_key(url: &str) -> Result<bool> {
    let probe = format!("probe-{}", std::process::id());
    let headers = format!(
        "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n\
         X-Amz-Date: 20240101T000000Z\r\nx-mockddb-aside: true\r\nAuthorization: AWS4-HMAC-SHA256 \
         Credential={probe}/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n"
    );
    send(url, "POST", "", &headers, "{}")?;
    Ok(verb(url, "DELETE", &format!("worlds/{probe}"), None, "").is_ok()) // the request has made it
}

fn parse(answer: &[u8]) -> Option<(u16, String)> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let status = head.get(9..12)?.parse().ok()?;
    let body = &answer[end + 4..];
    let body = if head.contains("\r\ntransfer-encoding: chunked") { join_chunks(body)? } else { body.to_vec() };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    if length.is_some_and(|length| length.parse() != Ok(body.len())) {
        return None;
    }
    Some((status, String::from_utf8_lossy(&body).into_owned()))
}

fn join_chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).ok()?, 16).ok()?;
        rest = &rest[end + 2..];
        if length == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..length)?);
        rest = rest.get(length + 2..)?;
    }
}

/// Sends a verb to a world. An answer other than 200 is an error, with the server's words.
pub(crate) fn verb(url: &str, method: &str, path: &str, world: Option<&str>, body: &str) -> Result<String> {
    let header = world.map(|name| format!("x-mockddb-world: {name}\r\n")).unwrap_or_default();
    let (status, answer) = send(url, method, &format!("_mockddb/{path}"), &header, body)?;
    if status == 200 {
        return Ok(answer);
    }
    let why = answer.trim().trim_start_matches("{\"message\":\"").trim_end_matches("\"}").replace("\\\"", "\"");
    Err(Error(format!("{method} {path}: {why}")))
}

/// Whether a text can be the name of a world or a snapshot.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if (1..=64).contains(&name.len()) && !name.starts_with('.') && name.chars().all(is_name) {
        return Ok(());
    }
    Err(Error(format!("not a name: {name:?}; names are 1 to 64 of A-Z a-z 0-9 _ . - and do not begin with a dot")))
}
