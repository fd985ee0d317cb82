"""examples/java: the SDK for Java 2 (enhanced, asynchronous, streams) and DynamoDBMapper of SDK 1, with the extension for
JUnit, which is installed from its packed files into an empty folder, and the Java line of docs/explain.md.
With MOCKDDB_RELEASE_TESTS=1 also examples/kotlin, the SDK for Kotlin, and examples/java-kcl, the Kinesis Client Library on
a table's stream."""

import os
import pathlib
import re

from client_examples import check_row
from e2e import ROOT, Report, temporary_folder
from toolchains import KEPT, SETTINGS, binaries, copy_sources, maven_fetch, maven_tests, pack, succeeds, why_no_java, why_not_fetched

EXAMPLE = ROOT / "examples/java"
KOTLIN = (ROOT / "examples/kotlin/pom.xml").read_text(encoding="utf-8")
KOTLIN_SDK = re.search(r"<awssdk.version>(.*)</", KOTLIN)[1]  # the newest whose client for streams can be fetched here
NEWEST_KOTLIN_SDK = "1.5.59"


def run_example(report, sources, at_least, folder, packed):
    """Runs a copy of an example, with a home that has nothing but the packed files' address."""
    name = sources.name
    why = maven_fetch(sources / "pom.xml", folder / f"{name}-fetch")
    if why:
        report.skip(f"examples/{name}", f"the SDKs cannot be fetched: {why}")
        return
    home = folder / f"{name}-home"
    home.mkdir()
    (home / "settings.xml").write_text(SETTINGS.format(home=home, kept=KEPT, packed=packed))
    settings = ("-s", home / "settings.xml")
    maven_tests(report, f"examples/{name}", sources, at_least, *settings, HOME=home, XDG_CACHE_HOME=home / "cache")


def newest_kotlin(folder):
    """A copy of the Kotlin example with the newest version of the SDK, without streams."""
    sources = copy_sources("examples/kotlin", folder / f"kotlin {NEWEST_KOTLIN_SDK}")
    (sources / "src/test/kotlin/orders/StreamTest.kt").unlink()
    pom = re.sub(r" *<dependency>\s*<groupId>aws\S*\s*<artifactId>dynamodbstreams.*?</dependency>\n", "", KOTLIN, flags=re.DOTALL)
    (sources / "pom.xml").write_text(pom.replace(f">{KOTLIN_SDK}<", f">{NEWEST_KOTLIN_SDK}<"))
    return sources


def main():
    report = Report()
    for version, name in ((KOTLIN_SDK, "StreamTest.kt"), (NEWEST_KOTLIN_SDK, "OrdersTest.kt")):
        check_row(report, "SDK for Kotlin", version, name)
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
        run_example(report, copy_sources("examples/java", folder / "java"), 35, folder, packed)
        if os.environ.get("MOCKDDB_RELEASE_TESTS") == "1":
            run_example(report, copy_sources("examples/kotlin", folder / "kotlin"), 6, folder, packed)
            run_example(report, newest_kotlin(folder), 5, folder, packed)
            run_example(report, copy_sources("examples/java-kcl", folder / "java-kcl"), 1, folder, packed)
        else:  # they take minutes
            report.skip("examples/kotlin, examples/java-kcl", "only with MOCKDDB_RELEASE_TESTS=1")
    report.done()


main()
