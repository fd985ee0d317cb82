use crate::{program, verbs, Error, Result, World};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, JoinHandle};

const READY: &str = "mockddb listening on ";

/// A mockddb server on a free port, which ends when this is dropped, or with this process, however that ends.
#[derive(Debug)]
pub struct Server {
    url: String,
    process: Mutex<Option<Process>>, // None: it has ended, or runs elsewhere
}

#[derive(Debug)]
struct Process {
    child: Child,
    log: Option<JoinHandle<String>>,
}

impl Server {
    /// Starts a server with no tables.
    pub fn start() -> Result<Server> {
        Server::start_with::<&str>(&[])
    }

    /// Starts a server with arguments of the command line: `Server::start_with(&["--fixtures", "template.yaml"])`.
    pub fn start_with<S: AsRef<str>>(arguments: &[S]) -> Result<Server> {
        let program = program::find()?;
        let mut child = Command::new(&program)
            .args(["--port", "0", "--until-eof", "--worlds", "by-access-key"])
            .args(arguments.iter().map(AsRef::as_ref))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| Error(format!("{} cannot be started: {e}", program.display())))?;
        let errors = child.stderr.take().map(BufReader::new);
        let log = thread::spawn(move || last_line(errors));
        let mut process = Process { child, log: Some(log) };
        let mut output = process.child.stdout.take().map(BufReader::new);
        let ready =
            output.as_mut().and_then(|lines| lines.lines().map_while(io_ok).find(|line| line.starts_with(READY)));
        match ready {
            None => Err(process.end().err().unwrap_or_else(|| Error(format!("{} served nothing", program.display())))),
            Some(line) => {
                thread::spawn(move || output.map(|mut rest| rest.read_to_end(&mut Vec::new())));
                Ok(Server { url: line[READY.len()..].to_owned(), process: Mutex::new(Some(process)) })
            }
        }
    }

    /// The server that all tests of this process share: the one at `MOCKDDB_URL`, as under `mockddb run`, else one that
    /// is started when this is first called.
    pub fn shared() -> Result<&'static Server> {
        static SHARED: OnceLock<Result<Server>> = OnceLock::new();
        let make = || match std::env::var("MOCKDDB_URL") {
            Ok(url) if !url.is_empty() => Server::at(&url),
            _ => Server::start(),
        };
        SHARED.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// A server that runs at this address, with `--worlds by-access-key`.
    pub fn at(url: &str) -> Result<Server> {
        let url = url.trim_end_matches('/');
        if verbs::worlds_are_by_access_key(url)? {
            return Ok(Server { url: url.to_owned(), process: Mutex::new(None) });
        }
        Err(Error(format!("the server at {url} needs the option --worlds by-access-key")))
    }

    /// The endpoint of an SDK's client.
    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn port(&self) -> u16 {
        self.url.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(80)
    }

    /// The world of this name, which is made if it does not exist.
    pub fn world(&self, name: &str) -> Result<World> {
        verbs::check_name(name)?;
        self.make_world(name)?;
        Ok(World::new(&self.url, name, false))
    }

    /// A new world for a test, which is dropped with the value: its name is the test's in a valid form, with a number if
    /// that is taken.
    pub fn new_world(&self, test: &str) -> Result<World> {
        let valid: String =
            test.chars().take(54).map(|c| if verbs::check_name(&format!("t{c}")).is_ok() { c } else { '_' }).collect();
        for number in 1.. {
            let name = if number == 1 { format!("t-{valid}") } else { format!("t-{valid}-{number}") };
            if self.make_world(&name)? {
                return Ok(World::new(&self.url, &name, true));
            }
        }
        unreachable!()
    }

    /// Whether the world was made; else it exists.
    fn make_world(&self, name: &str) -> Result<bool> {
        match self.verb("POST", &format!("worlds/{name}")) {
            Err(Error(why)) if why.ends_with(&format!("world {name} already exists")) => Ok(false),
            made => made.map(|_| true),
        }
    }

    fn verb(&self, method: &str, path: &str) -> Result<String> {
        verbs::verb(&self.url, method, path, None, "{}")
    }

    /// Ends the server. It is an error if it ends badly, as with `--fail-on` where a rule is broken.
    pub fn stop(&self) -> Result<()> {
        let process = self.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        process.map_or(Ok(()), |mut process| process.end())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

impl Process {
    fn end(&mut self) -> Result<()> {
        drop(self.child.stdin.take()); // it ends when its standard input does
        let status = self.child.wait().map_err(|e| Error(e.to_string()))?;
        let line = self.log.take().and_then(|log| log.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        Err(Error(format!("mockddb ended with {status}: {line}")))
    }
}

fn io_ok<T>(read: std::io::Result<T>) -> Option<T> {
    read.ok()
}

/// Reads to the end, and returns the last line.
fn last_line(lines: Option<impl BufRead>) -> String {
    let mut last = "it wrote nothing to standard error".to_owned();
    for line in lines.into_iter().flat_map(BufRead::lines).map_while(io_ok) {
        if !line.is_empty() {
            last = line;
        }
    }
    last
}
