//! Packing replaces this file by one with the programs of the crates for platforms.

/// The program's checksum and the program.
pub(crate) const PROGRAM: Option<(&str, &[u8])> = None;
