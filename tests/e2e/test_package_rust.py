"""packages/rust: its own tests, and its packed crates as a program uses them, which needs no registry."""

import pathlib
import shutil

from e2e import BINARY, ROOT, Report, equal, temporary_folder
from toolchains import cargo_tests, kill_case, pack, pack_cases, run, succeeds

WAITS = """fn main() {
    match mockddb::Server::shared() {
        Ok(server) => println!("{}", server.url()),
        Err(why) => {
            println!("{why}");
            std::process::exit(1);
        }
    }
    loop {
        std::thread::park();
    }
}
"""


def build_waits(folder, packed):
    """Builds a program that uses the packed crates, and returns its path."""
    (folder / "src").mkdir(parents=True)
    (folder / "src/main.rs").write_text(WAITS)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "waits"\nversion = "0.1.0"\nedition = "2021"\n\n'
        f'[dependencies]\nmockddb = {{ path = "{packed}/crates/mockddb" }}\n'
    )
    succeeds(run(["cargo", "build", "--offline"], folder))
    return folder / "target/debug/waits"


def main():
    report = Report()
    if not shutil.which("cargo"):
        report.skip("the package for Rust", "there is no cargo")
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        own = folder / "own"
        shutil.copytree(ROOT / "packages/rust", own)
        cargo_tests(report, "packages/rust", own, 9, MOCKDDB_BINARY=BINARY)
        for lint in (["fmt", "--check"], ["clippy", "--all-targets", "--", "-D", "warnings"]):
            if shutil.which(f"cargo-{lint[0]}"):
                with report.case(f"packages/rust: cargo {lint[0]} finds nothing"):
                    succeeds(run(["cargo", *lint], own))
            else:
                report.skip(f"packages/rust: cargo {lint[0]}", "it is not installed")
        packed = pack_cases(report, "rust", folder)
        waits = build_waits(folder / "waits", packed)
        clean = {"HOME": folder / "home", "XDG_CACHE_HOME": None, "PATH": "/nonexistent"}
        kill_case(report, "packed: a killed program leaves no server", [waits], folder, **clean)
        kill_case(report, "packed: a second one uses the unpacked program", [waits], folder, **clean)
        with report.case("packed: one file is unpacked"):
            equal([path.name for path in (folder / "home").rglob("*") if path.is_file()], ["mockddb"])
        programs = folder / "darwin"
        (programs / "darwin-arm64").mkdir(parents=True)
        (programs / "darwin-arm64/mockddb").write_text("a program of another platform")
        succeeds(pack("rust", programs, folder / "other"))
        with report.case("packed without this platform: one line says so, and what to do"):
            ended = run([build_waits(folder / "without", folder / "other")], folder, **clean)
            equal((ended.returncode, ended.stdout.count("\n"), ended.stderr), (1, 1, ""))
            assert ended.stdout.startswith("there is no mockddb for linux-"), ended.stdout
        with report.case("packed: MOCKDDB_BINARY is used first"):
            ended = run([waits], folder, MOCKDDB_BINARY="/nowhere/mockddb", **clean)
            assert ended.stdout.startswith("/nowhere/mockddb cannot be started: "), ended.stdout
    report.done()


main()
