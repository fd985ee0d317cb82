//! A DynamoDB server for tests. Each test has a world: its own tables, clock, faults and journal.
//!
//! ```no_run
//! let world = mockddb::Server::shared()?.new_world("orders")?;
//! // give an SDK's client world.url(), world.region(), world.access_key_id() and world.secret_access_key()
//! world.faults().add(r#"[{"operation": "PutItem", "times": 1, "error": "ThrottlingException"}]"#)?;
//! world.assert_that(r#"[{"no": "Scan"}]"#)?;
//! # Ok::<(), mockddb::Error>(())
//! ```
//!
//! The server is the program that `MOCKDDB_BINARY` names, else the one of the feature `bundled`, else `mockddb` on the
//! `PATH`. It has a free port and ends with this process, however that ends.

mod bundled;
mod program;
mod server;
mod verbs;
mod world;

pub use server::Server;
pub use world::{Clock, Faults, Journal, World};

/// A server that does not start or has ended, or a verb that it refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(crate) String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// What everything here returns.
pub type Result<T> = std::result::Result<T, Error>;
