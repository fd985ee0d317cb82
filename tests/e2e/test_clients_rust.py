"""examples/rust: the SDK for Rust and serde_dynamo, with the packed crate. Only with MOCKDDB_RELEASE_TESTS=1, because the
SDK takes minutes to compile."""

import os
import pathlib
import shutil

from e2e import ROOT, Report, temporary_folder
from toolchains import binaries, cargo_tests, pack, run, succeeds


def main():
    report = Report()
    why = None
    if os.environ.get("MOCKDDB_RELEASE_TESTS") != "1":
        why = "only with MOCKDDB_RELEASE_TESTS=1"
    elif not shutil.which("cargo"):
        why = "there is no cargo"
    if why:
        report.skip("Rust's clients", why)
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        succeeds(pack("rust", binaries(folder / "programs"), folder / "packed"))
        suite = folder / "suite"
        shutil.copytree(ROOT / "examples/rust", suite)
        manifest = (suite / "Cargo.toml").read_text(encoding="utf-8")
        (suite / "Cargo.toml").write_text(manifest.replace("../../packages/rust", f"{folder}/packed/crates/mockddb"))
        fetched = run(["cargo", "fetch"], suite)
        if fetched.returncode:
            report.skip("Rust's clients", f"the SDK cannot be fetched: {fetched.stderr.splitlines()[-1]}")
            report.done()
        target = ROOT / "build/rust"  # kept, because the SDK takes minutes to compile
        cargo_tests(report, "examples/rust", suite, 6, CARGO_TARGET_DIR=target, XDG_CACHE_HOME=folder / "cache")
    report.done()


main()
