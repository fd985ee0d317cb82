"""examples/embedded/orders.go: compiled with cgo and libmockddb, and run."""

import embedding

# pylint: disable=wrong-import-position
import pathlib
import shutil

from e2e import ROOT, Report, equal, temporary_folder
from toolchains import go_settings, run, succeeds


def main():
    report = Report()
    if not go_settings() or not shutil.which("gcc"):
        report.skip("examples/embedded/orders.go", "there is no Go, or no gcc")
        report.done()
    if not embedding.LIBRARY.is_file():
        report.lack("examples/embedded/orders.go", f"there is no {embedding.LIBRARY}")
        report.done()
    with temporary_folder() as name, report.case("examples/embedded/orders.go"):
        folder, library = pathlib.Path(name), embedding.LIBRARY.parent
        shutil.copy(ROOT / "mockddb/library/mockddb.h", folder)
        flags = {"CGO_CFLAGS": f"-I{folder}", "CGO_LDFLAGS": f"-L{library} -Wl,-rpath,{library}", "CGO_ENABLED": "1"}
        succeeds(run(["go", "build", "-o", folder / "orders", ROOT / "examples/embedded/orders.go"], folder, **flags))
        ended = run([folder / "orders"], folder, **embedding.environment())
        equal((ended.returncode, ended.stdout, ended.stderr), (0, '200 {"Item":{"id":{"S":"o1"}}}\n', ""))
    report.done()


main()
