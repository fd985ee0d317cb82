"""examples/java: the SDK for Java 2 (enhanced, asynchronous, streams) and DynamoDBMapper of SDK 1, with the extension for
JUnit, which is installed from its packed files into an empty folder, and the Java line of docs/explain.md."""

import pathlib
import re

from e2e import ROOT, Report, temporary_folder
from toolchains import KEPT, SETTINGS, binaries, copy_sources, maven_fetch, maven_tests, pack, succeeds, why_no_java

EXAMPLE = ROOT / "examples/java"


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
        why = maven_fetch(EXAMPLE / "pom.xml", folder / "fetch")
        if why:
            report.skip("Java's clients", f"the SDKs cannot be fetched: {why}")
            report.done()
        packed = folder / "packed"
        succeeds(pack("java", binaries(folder / "programs"), packed))
        home = folder / "home"
        home.mkdir()
        (home / "settings.xml").write_text(SETTINGS.format(home=home, kept=KEPT, packed=packed))
        maven_tests(
            report, "examples/java", copy_sources("examples/java", folder / "suite"), 15, "-s", home / "settings.xml",
            HOME=home, XDG_CACHE_HOME=home / "cache",
        )
    report.done()


main()
