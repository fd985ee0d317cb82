use crate::{bundled, Error, Result};
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// Finds the server's program.
pub(crate) fn find() -> Result<PathBuf> {
    if let Some(named) = env::var_os("MOCKDDB_BINARY").filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    if let Some((sum, program)) = bundled::PROGRAM {
        return unpack(sum, program).map_err(|e| Error(format!("mockddb's program cannot be unpacked: {e}")));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join("mockddb")).find(|file| file.is_file()).ok_or_else(|| {
        Error(format!(
            "there is no mockddb for {}-{}: use the feature bundled of a release that has it, put mockddb on the PATH, \
             or its path into MOCKDDB_BINARY",
            env::consts::OS,
            env::consts::ARCH
        ))
    })
}

/// The folder in which users' programs keep what they can make again.
fn caches() -> io::Result<PathBuf> {
    if let Some(folder) = env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let home = env::var_os("HOME").ok_or_else(|| io::Error::other("neither XDG_CACHE_HOME nor HOME is set"))?;
    Ok(Path::new(&home).join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
}

/// Returns the file with the program. Processes that run at the same time see it as a whole or not at all.
fn unpack(sum: &str, program: &[u8]) -> io::Result<PathBuf> {
    let folder = caches()?.join("mockddb").join(sum);
    let path = folder.join("mockddb");
    if fs::read(&path).is_ok_and(|content| content == program) {
        return Ok(path);
    }
    fs::create_dir_all(&folder)?;
    let unfinished = folder.join(format!("unfinished-{}-{:?}", process::id(), std::thread::current().id()));
    let written = fs::write(&unfinished, program)
        .and_then(|()| make_executable(&unfinished))
        .and_then(|()| fs::rename(&unfinished, &path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written.map(|()| path)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
