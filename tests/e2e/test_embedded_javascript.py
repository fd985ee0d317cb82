"""mockddb.embedded() of the npm package: runs embedded.mjs with the SDK that scripts/setup installed, and the example."""

import embedding

embedding.enter()

# pylint: disable=wrong-import-position
import pathlib
import shutil
import tarfile

from e2e import BINARY, NODE_FOLDER, ROOT, Report, clean_environment, equal, has_node, node_script, run_program, temporary_folder
from toolchains import PLATFORM, binaries, pack, succeeds

EXAMPLE = ROOT / "examples/embedded/orders.mjs"


def installed(folder):
    """Puts the packed files where npm does; test_package_npm.py runs npm itself."""
    programs = binaries(folder / "programs")
    for file in (embedding.LIBRARY, embedding.ADDON):
        shutil.copy(file, programs / PLATFORM)
    succeeds(pack("npm", programs, folder / "packed"))
    modules = folder / "node_modules"
    for place, packed in (("mockddb", "mockddb-[0-9]*.tgz"), (f"@mockddb/{PLATFORM}", f"mockddb-{PLATFORM}-*.tgz")):
        (modules / place).parent.mkdir(parents=True, exist_ok=True)
        (file,) = (folder / "packed").glob(packed)
        with tarfile.open(file) as archive:
            archive.extractall(folder / place)
        (folder / place / "package").rename(modules / place)
    assert not (modules / "mockddb/addon").exists()
    (modules / "@aws-sdk").symlink_to(NODE_FOLDER / "node_modules/@aws-sdk")


def main():
    report = Report()
    if not has_node():
        report.skip("embedded()", "there is no Node.js 20 or no SDK")
        report.done()
    if not embedding.ADDON.is_file():
        report.lack("embedded()", f"there is no {embedding.ADDON}")
        report.done()
    package = ROOT / "packages/npm"
    more = {
        "MOCKDDB_BINARY": str(pathlib.Path(BINARY).absolute()),
        "MOCKDDB_PACKAGE": str(package),
        "MOCKDDB_ADDON": str(embedding.ADDON),
        "NODE_NO_WARNINGS": "1",
    }
    report.relay("embedded.mjs ends well", ["node", node_script("embedded.mjs")], clean_environment(**more))
    with temporary_folder() as name, report.case("installed with the library in the package for the platform: examples/embedded/orders.mjs"):
        folder = pathlib.Path(name)
        installed(folder)
        shutil.copy(EXAMPLE, folder)
        ended = run_program(["node", EXAMPLE.name], folder=folder, NODE_NO_WARNINGS="1", MOCKDDB_LIBRARY="")
        equal((ended.returncode, ended.stdout, ended.stderr), (0, "o1 is paid, after 2 tries\no1 has expired\n", ""))
    report.done()


main()
