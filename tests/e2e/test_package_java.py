"""packages/java: its own tests, and its packed files as a program uses them. test_clients_java.py has a user's suite."""

import os
import pathlib
import shutil
import sys

from e2e import BINARY, ROOT, Report, equal, temporary_folder
from toolchains import MAVEN, copy_sources, kill_case, maven_tests, pack_cases, run, why_no_java, why_not_fetched

WAITS = """
import io.github.mockddb.Mockddb;

class Waits {
    public static void main(String[] arguments) throws Exception {
        try {
            System.out.println(Mockddb.start(arguments).url());
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
        Thread.currentThread().join();
    }
}
"""


def main():
    report = Report()
    why = why_no_java()
    if why:
        report.skip("the package for Java", why)
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        own = copy_sources("packages/java", folder / "own")
        why = why_not_fetched(run([*MAVEN, "-DskipTests", "package"], own))
        if why:
            report.skip("the package for Java", f"what it needs cannot be fetched: {why}")
            report.done()
        maven_tests(report, "packages/java", own, 17, MOCKDDB_BINARY=BINARY)
        packed = pack_cases(report, "java", folder)
        with report.case("java: without Maven nothing is packed, and one line says so"):
            out = folder / "no-maven"
            words = [sys.executable, ROOT / "packages/java/pack", folder / "programs", out]
            (folder / "bin").mkdir()
            (folder / "bin/git").symlink_to(shutil.which("git"))
            ended = run(words, folder, PATH=folder / "bin", SOURCE_DATE_EPOCH="1767225600")
            equal((ended.returncode, ended.stderr.splitlines()[-1]), (1, "java: there is no mvn, which compiles the modules"))
            assert not out.exists()
        jars = {path.parent.parent.name: str(path) for path in packed.rglob("*.jar")}
        (folder / "Waits.java").write_text(WAITS)
        java = ["java", "-Xshare:auto", "-cp", os.pathsep.join((jars["mockddb"], jars["mockddb-junit5"])), "Waits.java"]
        environment = {"HOME": folder, "XDG_CACHE_HOME": folder / "cache"}
        kill_case(report, "packed: a killed JVM leaves no server", java, folder, **environment)
        kill_case(report, "packed: a second one uses the unpacked program", java, folder, **environment)
        with report.case("packed: one file is unpacked"):
            equal([path.name for path in (folder / "cache").rglob("*") if path.is_file()], ["mockddb"])
        for what, words, why in (
            ("an unknown option", [*java, "--no-such"], "mockddb ended with 2: mockddb: unknown option --no-such"),
            ("a jar without this platform", [*java[:3], jars["mockddb"], "Waits.java"], "there is no mockddb for linux-"),
        ):
            with report.case(f"packed: {what} is one line"):
                ended = run(words, folder, **environment)
                equal((ended.returncode, ended.stdout.count("\n"), ended.stderr), (1, 1, ""))
                assert ended.stdout.startswith(why), ended.stdout
    report.done()


main()
