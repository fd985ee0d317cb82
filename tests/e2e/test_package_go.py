"""packages/go: its own tests, and its packed modules in an empty folder, with a suite as a user writes it."""

import pathlib
import shutil

from e2e import BINARY, ROOT, Report, temporary_folder
from toolchains import go_settings, go_tests, kill_case, pack, pack_cases, run, succeeds

MODULE = "github.com/mockddb/mockddbtest"
WAITS = f"""package waits

import (
	"fmt"
	"testing"

	"{MODULE}"
	_ "{MODULE}/program"
)

func TestWaits(t *testing.T) {{
	fmt.Println(mockddbtest.Start(t).URL)
	select {{}}
}}

func TestStarts(t *testing.T) {{ mockddbtest.Start(t) }}
"""


def install(folder, packed, settings, version, *more):
    """A user's environment: an empty home, only Go on the PATH, and the packed modules beside those of `more`."""
    home = folder.parent / f"{folder.name}-home"
    home.mkdir()
    environment = settings | {
        "HOME": home,
        "PATH": f"{settings['GOROOT']}/bin",
        "GOMODCACHE": home / "modules",
        "GOPROXY": ",".join(f"file://{place}" for place in (packed / "go-modules", *more)),
        "GONOSUMDB": "*",
        "GOFLAGS": "-mod=mod -modcacherw",
    }
    for module in (MODULE, f"{MODULE}/program"):
        succeeds(run(["go", "get", f"{module}@{version}"], folder, **environment))
    return environment


def waiting_module(folder):
    folder.mkdir()
    (folder / "go.mod").write_text("module example.com/waits\n\ngo 1.21\n")
    (folder / "waits_test.go").write_text(WAITS)
    return folder


def installed(report, folder, packed, settings, version):
    suite = folder / "suite"
    shutil.copytree(ROOT / "examples/go", suite)
    fetched = run(["go", "mod", "download"], ROOT / "examples/go")
    if fetched.returncode:
        report.skip("packed: a user's suite", "the SDK for Go cannot be fetched")
    else:
        with report.case("packed: the modules are installed into an empty folder"):
            (suite / "program_test.go").write_text(f'package orders\n\nimport _ "{MODULE}/program"\n')
            succeeds(run(["go", "mod", "edit", f"-dropreplace={MODULE}", f"-droprequire={MODULE}"], suite))
            environment = install(suite, packed, settings, version, f"{settings['GOMODCACHE']}/cache/download")
        go_tests(report, "packed", suite, 11, **environment)
    waits = waiting_module(folder / "waits")
    environment = install(waits, packed, settings, version)
    succeeds(run(["go", "test", "-c", "-trimpath", "-o", "waits"], waits, **environment))
    kill_case(report, "packed: a killed test program leaves no server", ["./waits", "-test.run=TestWaits"], waits, **environment)


def other_platform(report, folder, settings, version):
    """A module that was packed without this platform's program."""
    packed = folder / "other"
    programs = folder / "darwin"
    (programs / "darwin-arm64").mkdir(parents=True)
    (programs / "darwin-arm64/mockddb").write_text("a program of another platform")
    succeeds(pack("go", programs, packed))
    waits = waiting_module(folder / "without")
    environment = install(waits, packed, settings, version)
    with report.case("packed without this platform: one line says so, and what to do"):
        ended = run(["go", "test", "-trimpath", "-run", "TestStarts", "./..."], waits, **environment)
        lines = [line for line in ended.stdout.splitlines() if "mockddb" in line]
        assert ended.returncode == 1 and len(lines) == 1, ended.stdout + ended.stderr
        assert "there is no mockddb for " in lines[0] and "MOCKDDB_BINARY" in lines[0], lines[0]


def main():
    report = Report()
    settings = go_settings()
    if not settings:
        report.skip("the package for Go", "there is no Go")
        report.done()
    go_tests(report, "packages/go", ROOT / "packages/go", 10, MOCKDDB_BINARY=BINARY)
    with report.case("packages/go: gofmt and go vet find nothing"):
        for module in ("packages/go", "examples/go"):
            assert not run(["gofmt", "-l", "."], ROOT / module).stdout
        succeeds(run(["go", "vet", "."], ROOT / "packages/go"))
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        packed = pack_cases(report, "go", folder)
        version = (packed / "go-modules" / MODULE / "@v/list").read_text().strip()
        installed(report, folder, packed, settings, version)
        other_platform(report, folder, settings, version)
    report.done()


main()
