use crate::{verbs, Error, Result};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A set of tables with its own clock, faults and journal, which requests with its access key use.
#[derive(Debug)]
pub struct World {
    url: String,
    name: String,
    own: bool, // it is dropped on the server, too
}

impl World {
    pub(crate) fn new(url: &str, name: &str, own: bool) -> World {
        World { url: url.to_owned(), name: name.to_owned(), own }
    }

    /// The endpoint of an SDK's client.
    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn region(&self) -> &str {
        "us-east-1"
    }

    /// The world's name: a request that is signed with it uses this world.
    pub fn access_key_id(&self) -> &str {
        &self.name
    }

    /// Any does.
    pub fn secret_access_key(&self) -> &str {
        "any"
    }

    fn verb(&self, method: &str, path: &str, body: &str) -> Result<String> {
        verbs::verb(&self.url, method, path, Some(&self.name), body)
    }

    /// Restores the world's initial state.
    pub fn reset(&self) -> Result<()> {
        self.verb("POST", "reset", "{}").map(drop)
    }

    /// Keeps the world's state under a name.
    pub fn snapshot(&self, name: &str) -> Result<()> {
        verbs::check_name(name)?;
        self.verb("POST", &format!("snapshots/{name}"), "{}").map(drop)
    }

    /// Brings the world's state back to a snapshot.
    pub fn restore(&self, name: &str) -> Result<()> {
        verbs::check_name(name)?;
        self.verb("POST", &format!("snapshots/{name}/restore"), "{}").map(drop)
    }

    /// Makes a copy of this world under another name; it is dropped with the value.
    pub fn fork(&self, name: &str) -> Result<World> {
        verbs::check_name(name)?;
        let from = format!("{{\"from\": \"{}\"}}", self.name);
        verbs::verb(&self.url, "POST", &format!("worlds/{name}"), None, &from)?;
        Ok(World::new(&self.url, name, true))
    }

    /// An error with the broken ones if the world's requests break an assertion of the list (JSON, docs/journal.md).
    pub fn assert_that(&self, assertions: &str) -> Result<()> {
        self.verb("POST", "assert", &format!("{{\"assert\": {assertions}}}"))
            .map(drop)
            .map_err(|Error(why)| Error(format!("broken: {why}")))
    }

    pub fn clock(&self) -> Clock<'_> {
        Clock(self)
    }

    pub fn faults(&self) -> Faults<'_> {
        Faults(self)
    }

    pub fn journal(&self) -> Journal<'_> {
        Journal(self)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if self.own {
            let _ = verbs::verb(&self.url, "DELETE", &format!("worlds/{}", self.name), None, "");
        }
    }
}

/// The world's time. Each method returns it.
#[derive(Debug)]
pub struct Clock<'a>(&'a World);

impl Clock<'_> {
    fn verb(&self, method: &str, body: &str) -> Result<SystemTime> {
        let answer = self.0.verb(method, "clock", body)?;
        let digits = answer.split_once("\"now_ms\":").map_or("", |(_, rest)| rest);
        let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
        let ms = digits.parse().map_err(|_| Error(format!("not the clock's answer: {answer}")))?;
        Ok(UNIX_EPOCH + Duration::from_millis(ms))
    }

    fn set_to(&self, member: &str, moment: SystemTime) -> Result<SystemTime> {
        let since = moment.duration_since(UNIX_EPOCH).map_err(|_| Error("a moment before 1970".to_owned()))?;
        self.verb("POST", &format!("{{\"{member}\": {}}}", since.as_millis()))
    }

    pub fn now(&self) -> Result<SystemTime> {
        self.verb("GET", "")
    }

    /// Stops the clock at a moment.
    pub fn freeze(&self, moment: SystemTime) -> Result<SystemTime> {
        self.set_to("freeze", moment)
    }

    /// Lets time pass. What falls due on the way is done first: expiry, states of tables, and so on.
    pub fn advance(&self, by: Duration) -> Result<SystemTime> {
        self.verb("POST", &format!("{{\"advance\": {}}}", by.as_millis()))
    }

    /// Shows a moment, from which the clock continues.
    pub fn set(&self, moment: SystemTime) -> Result<SystemTime> {
        self.set_to("set", moment)
    }

    /// Lets a frozen clock continue.
    pub fn resume(&self) -> Result<SystemTime> {
        self.verb("POST", "{\"resume\": true}")
    }

    /// Makes it the system's clock again.
    pub fn real(&self) -> Result<SystemTime> {
        self.verb("POST", "{\"real\": true}")
    }
}

/// The world's fault rules (docs/faults.md). Answers are JSON: each rule with its id, the calls it has seen, its hits.
#[derive(Debug)]
pub struct Faults<'a>(&'a World);

impl Faults<'_> {
    /// Adds a list of rules: `[{"operation": "PutItem", "times": 1, "error": "ThrottlingException"}]`.
    pub fn add(&self, rules: &str) -> Result<String> {
        self.0.verb("POST", "faults", &format!("{{\"rules\": {rules}}}"))
    }

    pub fn list(&self) -> Result<String> {
        self.0.verb("GET", "faults", "")
    }

    pub fn remove(&self, id: u64) -> Result<()> {
        self.0.verb("DELETE", &format!("faults/{id}"), "").map(drop)
    }

    pub fn clear(&self) -> Result<()> {
        self.0.verb("DELETE", "faults", "").map(drop)
    }
}

/// The world's newest requests (docs/journal.md).
#[derive(Debug)]
pub struct Journal<'a>(&'a World);

impl Journal<'_> {
    /// The requests that fit filters such as `operation=Scan` and `limit=10`, each as JSON, the oldest first.
    pub fn entries(&self, filters: &[&str]) -> Result<Vec<String>> {
        let encode = |c: char| {
            if c.is_ascii_alphanumeric() || "=_.-:".contains(c) {
                return c.to_string();
            }
            c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect()
        };
        let query: Vec<String> = filters.iter().map(|filter| filter.chars().map(encode).collect()).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let answer = self.0.verb("GET", &format!("journal{mark}{}", query.join("&")), "")?;
        Ok(answer.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    pub fn clear(&self) -> Result<()> {
        self.0.verb("DELETE", "journal", "").map(drop)
    }
}
