"""examples/java: the SDK for Java 2 (enhanced, asynchronous, streams) and DynamoDBMapper of SDK 1, with the extension for
JUnit, which is installed from its packed files into an empty folder, and the Java line of docs/explain.md.
With MOCKDDB_RELEASE_TESTS=1 also examples/java-kcl, the Kinesis Client Library on a table's stream."""

import os
import pathlib
import re

from e2e import ROOT, Report, temporary_folder
from toolchains import KEPT, SETTINGS, binaries, copy_sources, maven_fetch, maven_tests, pack, succeeds, why_no_java, why_not_fetched

EXAMPLE = ROOT / "examples/java"


def run_example(report, name, at_least, folder, packed):
    """Runs an example in a folder of its own, with a home that has nothing but the packed files' address."""
    why = maven_fetch(ROOT / "examples" / name / "pom.xml", folder / f"{name}-fetch")
    if why:
        report.skip(f"examples/{name}", f"the SDKs cannot be fetched: {why}")
        return
    home = folder / f"{name}-home"
    home.mkdir()
    (home / "settings.xml").write_text(SETTINGS.format(home=home, kept=KEPT, packed=packed))
    maven_tests(
        report, f"examples/{name}", copy_sources(f"examples/{name}", folder / name), at_least, "-s", home / "settings.xml",
        HOME=home, XDG_CACHE_HOME=home / "cache",
    )


def main():
    report = Report()
    why = why_no_java()
    if why:
        report.skip("Java's clients", why)
        report.done()
    with report.case("docs/explain.md: the Java line is in the example"):
        page = (ROOT / "docs/explain.md").read_text(encoding="utf-8")
        written = (EXAMPLE / "src/test/java/orders/EnhancedTest.java").read_text(encoding="utf-8")
        header = re.search(r"`DynamoDbClient\.builder\(\)(\.overrideConfiguration\(.*?\))\.build\(\)`", page)[1]
        answer = re.search(r"`(sdkHttpResponse\(\)[^`]*)`", page)[1]
        assert header in written and answer in written, (header, answer)
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        packed = folder / "packed"
        ended = pack("java", binaries(folder / "programs"), packed)
        why = why_not_fetched(ended)
        if why:
            report.skip("Java's clients", f"what the package needs cannot be fetched: {why}")
            report.done()
        succeeds(ended)
        run_example(report, "java", 35, folder, packed)
        if os.environ.get("MOCKDDB_RELEASE_TESTS") == "1":
            run_example(report, "java-kcl", 1, folder, packed)
        else:  # it has 100 libraries, and takes minutes to start
            report.skip("examples/java-kcl", "only with MOCKDDB_RELEASE_TESTS=1")
    report.done()


main()
