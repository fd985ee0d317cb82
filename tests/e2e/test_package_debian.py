"""The deb and the rpm: what is in them, that they install, and the service with its socket, as systemd starts it.

No systemd runs here: systemd-analyze reads the units, and their command is started with the sockets that the socket
unit names, as another user, in a folder that has nothing but the package's files. test_first_answer.py installs the deb.
"""

import configparser
import contextlib
import fcntl
import gzip
import os
import pathlib
import re
import shutil
import signal
import socket
import sys

from chroots import add_arm64, call, copy_libraries, enter_network, find_programs, packing, proc_in, status_of
from e2e import PATIENCE, ROOT, Report, equal, run_program, temporary_folder

PACK = ROOT / "packages/debian/pack"
UNITS = "usr/lib/systemd/system"
USER = 61184  # among the numbers that systemd gives to DynamicUser
PATHS = {
    "usr/bin/mockddb",
    "usr/bin/ddb-patterns",
    f"{UNITS}/mockddb.service",
    f"{UNITS}/mockddb.socket",
    "usr/share/bash-completion/completions/mockddb",
    "usr/share/fish/vendor_completions.d/mockddb.fish",
    "usr/share/man/man1/mockddb.1.gz",
    "usr/share/man/man1/ddb-patterns.1.gz",
    "usr/share/bash-completion/completions/ddb-patterns",
    "usr/share/doc/mockddb/copyright",
    "usr/share/mockddb/fixtures/ecommerce/tables/ShopifyEntitiesTable.json",
}


def pack(*words):
    return run_program([sys.executable, "-B", PACK, *words], SOURCE_DATE_EPOCH="1700000000")


def packages(report, folder, binaries, flags):
    with report.case("the same bytes in two folders"):
        for out in ("one", "two"):
            ended = pack(*flags, binaries, folder / out)
            equal((ended.returncode, ended.stdout), (0, ""))
        made = sorted(path.name for path in (folder / "one").iterdir())
        equal(made, sorted(path.name for path in (folder / "two").iterdir()))
        for name in made:
            equal((folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(), True)
    for kind, text in (("nothing", "no program for Linux"), ("text", "is not a program for linux-x64")):
        with report.case(f"refused: {kind} in the place of the program"):
            wrong = folder / kind
            (wrong / "linux-x64").mkdir(parents=True)
            if kind == "text":
                (wrong / "linux-x64/mockddb").write_text("#!/bin/sh\n" * 20)
            ended = pack(wrong, folder / "refused")
            equal((ended.returncode, (folder / "refused").exists()), (1, False))
            assert text in ended.stderr.splitlines()[-1], ended.stderr


def deb(report, folder):
    path = folder / f"one/mockddb_{packing.version()}_amd64.deb"
    root = folder / "root"
    with report.case("the deb needs no other package, and its files are root's"):
        fields = {}
        for line in run_program(["dpkg-deb", "-f", path]).stdout.splitlines():
            if line and not line.startswith(" "):
                name, value = line.split(": ", 1)
                fields[name] = value
        equal((fields["Package"], fields["Version"], fields["Architecture"]), ("mockddb", packing.version(), "amd64"))
        equal({"Depends", "Pre-Depends"} & set(fields), set())
        assert re.fullmatch(r"[\w ]+ <[\w.]+@[\w.]+>", fields["Maintainer"]), fields["Maintainer"]
        assert fields["Homepage"].startswith("https://"), fields["Homepage"]
        kib = 0
        for line in run_program(["dpkg-deb", "-c", path]).stdout.splitlines():
            mode, owner, size = line.split()[:3]
            equal(owner, "root/root")
            kib += -(-int(size) // 1024) if mode[0] == "-" else 1  # a link is no copy of its file
            program = mode == "-rwxr-xr-x" and "/usr/bin/" in line
            assert program or mode in ("drwxr-xr-x", "-rw-r--r--", "lrwxrwxrwx"), line
        equal(int(fields["Installed-Size"]), kib)
    with report.case("the packages for arm64 say so"):
        other = folder / f"one/mockddb_{packing.version()}_arm64.deb"
        equal(run_program(["dpkg-deb", "-f", other, "Architecture"]).stdout, "arm64\n")
        other = folder / f"one/mockddb-{packing.version()}.aarch64.rpm"
        if other.is_file():
            equal(run_program(["rpm", "-qp", "--queryformat", "%{ARCH}", other]).stdout, "aarch64")
    with report.case("the deb has the program, fixtures, units, the manual page and completions"):
        equal(run_program(["dpkg-deb", "-x", path, root]).returncode, 0)
        found = {str(one.relative_to(root)) for one in root.rglob("*") if one.is_file()}
        equal(sorted((PATHS | {"usr/share/zsh/vendor-completions/_mockddb"}) - found), [])
        page = gzip.decompress((root / "usr/share/man/man1/mockddb.1.gz").read_bytes()).decode()
        assert page.startswith(".TH MOCKDDB 1 "), page[:80]
        assert "complete -F _mockddb mockddb" in (root / "usr/share/bash-completion/completions/mockddb").read_text()
    return root


def rpm(report, folder):
    path = folder / f"one/mockddb-{packing.version()}.x86_64.rpm"
    if not path.is_file():
        report.skip("the rpm", "rpmbuild is not installed")
        return
    with report.case("the rpm needs nothing but rpm itself"):
        needed = run_program(["rpm", "-qp", "--requires", path]).stdout.split("\n")
        equal([line for line in needed if line and not line.startswith("rpmlib(")], [])
    if os.getuid():
        report.skip("the rpm installs into an empty root", "only root may change the root folder")
        return
    with report.case("the rpm installs into an empty root, and goes again"):
        root = folder / "rpm"
        root.mkdir()
        words = ["rpm", "--root", root, "--dbpath", "/rpmdb"]
        for ended in (run_program([*words, "--initdb"]), run_program([*words, "-i", "--ignorearch", path])):
            equal((ended.returncode, ended.stdout), (0, ""))
        found = {str(one.relative_to(root)) for one in root.rglob("*") if one.is_file()}
        equal(sorted((PATHS | {"usr/share/zsh/site-functions/_mockddb"}) - found), [])
        equal(run_program([*words, "-V", "mockddb"]).returncode, 0)
        equal(run_program([*words, "-e", "mockddb"]).returncode, 0)
        equal([one for one in root.rglob("*mockddb*")], [])


class Unit(configparser.RawConfigParser):
    """A unit's file; a name may have several values, one a line."""

    def __init__(self, path):
        super().__init__(strict=False, dict_type=Several)
        self.optionxform = str
        self.read(path)

    def values(self, section, name):
        return self.get(section, name).splitlines()


class Several(dict):
    """Adds to a list that is there."""

    def __setitem__(self, key, value):
        if isinstance(value, list) and key in self:
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


def listening(address):
    host, port = address.rsplit(":", 1)
    family = socket.AF_INET6 if "[" in host else socket.AF_INET
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host.strip("[]"), int(port)))
    made.listen()
    return made


@contextlib.contextmanager
def started(root, words, environment, sockets):
    """A process as the service unit has it; yields its standard output."""
    output, side = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.dup2(side, 1)
            high = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD, 100) for one in sockets]
            for at, one in enumerate(high):
                os.dup2(one, 3 + at)
            os.closerange(3 + len(high), 1024)
            os.chroot(root)
            os.chdir("/")
            os.setgroups([])
            os.setgid(USER)
            os.setuid(USER)
            listen = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(high))}
            os.execve(words[0], words, environment | listen)
        finally:
            os._exit(127)
    os.close(side)
    try:
        with open(output, encoding="utf-8") as stream:
            yield stream
        os.kill(child, signal.SIGTERM)
        equal(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        child = None
    finally:
        if child:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def units(report, root):
    if not shutil.which("systemd-analyze"):
        report.skip("systemd-analyze", "systemd is not installed")
        return
    with report.case("systemd-analyze finds nothing wrong with the units, and the service guarded"):
        copy = root.parent / "units"
        copy.mkdir()
        for name in ("mockddb.service", "mockddb.socket"):
            text = (root / UNITS / name).read_text()
            (copy / name).write_text(text.replace("=/usr/bin/mockddb", f"={root}/usr/bin/mockddb"))
        ended = run_program(["systemd-analyze", "verify", "--man=no", *copy.iterdir()])
        equal((ended.returncode, ended.stderr), (0, ""))
        ended = run_program(["systemd-analyze", "security", "--offline=true", copy / "mockddb.service"])
        level = re.search(r"exposure level for mockddb.service: ([\d.]+)", ended.stdout)
        assert level and float(level[1]) < 2, ended.stdout[-200:]


def service(report, root):
    """In a network of its own, where the socket unit's ports are free."""
    unit = Unit(root / UNITS / "mockddb.service")
    home = root / "var/lib/mockddb"
    home.mkdir(parents=True)
    os.chown(home, USER, USER)
    home.chmod(0o700)
    options = dict(line.strip('"').split("=", 1) for line in unit.values("Service", "Environment"))
    (command,) = unit.values("Service", "ExecStart")
    words = command.replace("$MOCKDDB_OPTIONS", options["MOCKDDB_OPTIONS"]).split()
    addresses = Unit(root / UNITS / "mockddb.socket").values("Socket", "ListenStream")
    table = {
        "TableName": "Kept",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
    with report.case("the service answers at its sockets, and keeps its tables in its own folder"):
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(listening(one)) for one in addresses]
            for expected in ([], ["Kept"]):
                with started(root, words, options, sockets) as output:
                    equal(output.readline(), "mockddb listening on http://127.0.0.1:8000\n")
                    equal(call("ListTables", {}), {"TableNames": expected})
                    equal(status_of("/_mockddb/health"), 200)
                    if not expected:
                        call("CreateTable", table)
        equal((home / "mockddb.db").stat().st_uid, USER)
    with report.case("docs/serving.md: other options and another port, by systemctl edit"):
        text = (ROOT / "docs/serving.md").read_text(encoding="utf-8")
        options = re.search(r'^Environment="MOCKDDB_OPTIONS=(.*)"$', text, re.MULTILINE)[1]
        (address,) = re.findall(r"^ListenStream=(.+)$", text, re.MULTILINE)
        with listening(address) as one, started(root, [*words[:2], *options.split()], {}, [one]) as output:
            equal(output.readline(), f"mockddb listening on http://{address}\n")
            endpoint = f"http://127.0.0.1:{address.split(':')[1]}"
            equal(run_program([root / "usr/bin/mockddb", "healthcheck", "--endpoint", endpoint]).returncode, 0)


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        binaries, is_static = find_programs(folder)
        if not binaries or not shutil.which("cpack") or not shutil.which("dpkg-deb"):
            report.skip("the packages", "there is no release build for x86-64, no cpack or no dpkg-deb")
            report.done()
        packages(report, folder, add_arm64(binaries, folder), [] if is_static else ["--any-program"])
        root = deb(report, folder)
        rpm(report, folder)
        units(report, root)
        if not is_static:
            copy_libraries(root)
        why = enter_network()
        if why:
            report.skip("the service", why)
        else:
            with proc_in(root):
                service(report, root)
    report.done()


if __name__ == "__main__":
    main()
