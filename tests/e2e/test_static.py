"""The programs of scripts/static that are in build/static: format, what they need, size, the papers beside them. Those
for Linux are run, arm64 by qemu-user. With MOCKDDB_RELEASE_TESTS=1 linux-x64 is built first."""

import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import socket
import struct
import subprocess

import macho
import postgres
from certificates import make_certificate
from chroots import packing
from e2e import PATIENCE, ROOT, Report, Server, equal, run_program, temporary_folder, wait_until
from hostile import memory, request

PLATFORMS = ("linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64")
MACHINES = {"linux-x64": ("x86_64", 62), "linux-arm64": ("aarch64", 183)}
BUILT = ROOT / "build/static"
MOST_BYTES = {"linux-x64": 6_400_000}  # of which libpq may take 400 000, as of …
MOST_ELSEWHERE = 7_400_000
LOADER, DYNAMIC = 3, 2  # ELF's kinds of segments
LARGE, WAITING = 300_000, 60  # bytes of an item, and requests whose bodies have not come as a whole
BURST_MB, KEPT_MB = 15, 4  # which these take at least, and what may be kept of it


def segments(data):
    """(kind, the bytes of the file) of each."""
    start, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<2H", data, 54)
    for i in range(count):
        kind, _, at, _, _, length = struct.unpack_from("<IIQQQQ", data, start + size * i)
        yield kind, data[at : at + length]


def test_table(report):
    with report.case("one list of platforms"):
        names = subprocess.check_output([ROOT / "scripts/static", "--list"], text=True).split()
        equal((sorted(names), sorted(names)), (sorted(PLATFORMS), sorted(packing.PLATFORMS)))
    with report.case("each library of CMakeLists.txt is built"):
        text = (ROOT / "CMakeLists.txt").read_text()
        asked = re.findall(r"pkg_check_modules\(\w+ REQUIRED(?: IMPORTED_TARGET)? ([^)]*)\)", text)
        assert len(asked) > 5, asked
        script = (ROOT / "scripts/static").read_text()
        for name in " ".join(asked).split():
            assert re.search(rf"^{re.escape(name)} ", script, re.MULTILINE), name


def test_elf(report, name, data):
    with report.case(f"{name}: an ELF file of 64 bits that needs no other file"):
        equal((data[:6], struct.unpack_from("<2H", data, 16)), (b"\x7fELF\x02\x01", (2, MACHINES[name][1])))
        kinds = [kind for kind, _ in segments(data)]
        assert len(kinds) > 2 and not {LOADER, DYNAMIC} & set(kinds), kinds
    with report.case(f"{name}: mockddb.debug is loaded as the same bytes, so that its addresses are those of the program"):
        debug = (BUILT / name / "mockddb.debug").read_bytes()
        equal(data[64:512] == debug[64:512], True)  # the addresses of segments; before them is the place of the sections
        for one, other in zip(segments(data), segments(debug), strict=True):
            equal((one[0], one[1][512:] == other[1][512:]), (other[0], True))


def test_macho(report, name, data):
    processor = name.partition("-")[2]
    with report.case(f"{name}: a Mach-O program that macOS loads: its commands, symbols, and the signature of each page"):
        equal(macho.fault(data, processor), None)
    with report.case(f"{name}: a program for the other processor, and one that was changed, are found"):
        assert macho.fault(data, {"arm64": "x64", "x64": "arm64"}[processor])
        if name == "darwin-arm64":
            changed = bytearray(data)
            changed[len(data) // 2] ^= 1
            equal(macho.fault(changed, processor), "this is not so: the signature fits each page")


def test_papers(report, name, folder, data):
    with report.case(f"{name}: sums, and a list of what is in it"):
        sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
        equal(sorted(sums), ["mockddb", *(["mockddb.debug"] if name in MACHINES else []), "mockddb.spdx.json"])
        for file, expected in sums.items():
            equal(hashlib.sha256((folder / file).read_bytes()).hexdigest(), expected)
        document = json.loads((folder / "mockddb.spdx.json").read_text())
        equal((document["spdxVersion"], document["dataLicense"]), ("SPDX-2.3", "CC0-1.0"))
        names = [package["name"] for package in document["packages"]]
        libraries = {"libevent", "libyaml", "sqlite3", "openssl", "libdeflate", "zlib", "libzstd", "postgresql-15", "zig-runtime"}
        equal(set(names), {"mockddb", *libraries, *(["mimalloc", "musl"] if name in MACHINES else [])})
        equal(document["packages"][0]["checksums"][0]["checksumValue"], sums["mockddb"])
        linked = {row["relatedSpdxElement"] for row in document["relationships"]}
        equal(linked, {package["SPDXID"] for package in document["packages"]})
    with report.case(f"{name}: size, symbols beside it, no path of the machine"):
        assert len(data) < MOST_BYTES.get(name, MOST_ELSEWHERE), len(data)
        debug = (folder / "mockddb.debug").read_bytes() if name in MACHINES else b".debug_info"
        assert b".debug_info" in debug and b".debug_info" not in data
        for place in (ROOT, pathlib.Path.home() / ".cache"):
            assert str(place).encode() not in data + debug, place


def table(name):
    key = {"AttributeName": "pk"}
    return {
        "TableName": name,
        "AttributeDefinitions": [{**key, "AttributeType": "S"}],
        "KeySchema": [{**key, "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }


def test_running(report, name, program, folder):
    def run(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)

    with report.case(f"{name}: --version and --licenses"):
        lines = run("--version").stdout.splitlines()
        assert re.fullmatch(r"mockddb \d+\.\d+\.\d+", lines[0]), lines
        libraries = json.loads((folder / "mockddb.spdx.json").read_text())["packages"][1:-2]
        for library in libraries:  # without an epoch and Debian's additions
            upstream = re.match(r"(?:\d:)?([\d.]+\d)", library["versionInfo"])[1]
            assert upstream in lines[2], (library["name"], lines[2])
        assert {"libpq", "mimalloc", "musl", "zig"} <= set(re.findall("==== (.*) ====", run("--licenses").stdout))
    with report.case(f"{name}: it answers the cheat sheet's patterns"), temporary_folder() as place:
        with Server("--fixtures", "ecommerce", "--table-prefix", "prod-", "--db", f"{place}/a.db", binary=program) as server:
            patterns = ROOT / "fixtures/ecommerce/patterns.json"
            ended = run("ddb-patterns", "--endpoint", server.url, "--table-prefix", "prod-", str(patterns))
            equal((ended.returncode, ended.stderr), (0, ""))
    with report.case(f"{name}: what it kept is there again"), temporary_folder() as place:
        for names in ([], ["Kept"]):
            with Server("--db", f"{place}/a.db", binary=program) as server:
                equal(server.call("ListTables", {})["TableNames"], names)
                if not names:
                    server.call("CreateTable", table("Kept"))
    with report.case(f"{name}: packed files are a tenth, and come back"), temporary_folder() as place, Server(binary=program) as server:
        lines = [json.dumps({"Item": {"pk": {"S": f"key {i}"}, "text": {"S": "one of many texts that are alike " * 4}}}) for i in range(2000)]
        plain, at = pathlib.Path(place, "plain"), ("--endpoint", server.url)
        plain.write_text("\n".join(lines))
        for made, source in (("Plain", plain), ("FromZstd", f"{place}/Plain.zst"), ("FromGzip", f"{place}/FromZstd.gz")):
            server.call("CreateTable", table(made))
            equal(run("import", *at, "--table", made, str(source)).returncode, 0)
            equal(server.call("Scan", {"TableName": made, "Select": "COUNT"})["Count"], len(lines))
            for ending in ("zst", "gz"):
                packed = pathlib.Path(place, f"{made}.{ending}")
                equal(run("export", *at, "--table", made, str(packed)).returncode, 0)
                assert packed.stat().st_size * 10 < plain.stat().st_size, packed.stat().st_size


def serve_tls(cluster):
    """The cluster begins again, at a port of 127.0.0.1 that only takes TLS. Returns the port and the certificate."""
    certificate, secret = make_certificate(cluster.data, "server", "rsa:2048")
    for path in (certificate, secret):
        shutil.chown(path, cluster.user)
    with (cluster.data / "pg_hba.conf").open("a") as rules:
        rules.write("hostssl all all 127.0.0.1/32 trust\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    cluster.stop()
    settings = f"-F -k {cluster.folder} -h 127.0.0.1 -p {port} -c ssl=on -c ssl_cert_file={certificate} -c ssl_key_file={secret}"
    cluster.run("pg_ctl", "-D", cluster.data, "-w", "-l", cluster.folder / "log", "-o", settings, "start")
    return port, certificate


def test_database(report, name, program):
    """Stores in PostgreSQL, by the libpq that is in the program."""

    def status(url, **environment):
        return run_program([program, "store", "status", url], **environment)

    if not postgres.binaries():
        report.lack(f"{name}: a store in PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        return
    with postgres.Cluster() as cluster:
        url = cluster.url("kept")
        with report.case(f"{name}: a store in PostgreSQL, at a socket"):
            ended = run_program([program, "store", "init", url])
            equal((ended.returncode, ended.stderr), (0, ""))
            for names in ([], ["Kept"]):
                with Server("--store", url, binary=program) as server:
                    equal(server.call("ListTables", {})["TableNames"], names)
                    if not names:
                        server.call("CreateTable", table("Kept"))
        with report.case(f"{name}: a password by SCRAM, and a wrong one"):
            cluster.sql("CREATE ROLE guarded LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA kept TO guarded")
            cluster.sql("GRANT SELECT ON ALL TABLES IN SCHEMA kept TO guarded")
            for password, code in (("secret", 0), ("wrong", 1)):
                ended = status(cluster.url("kept", "guarded"), PGPASSWORD=password)
                equal((password, ended.returncode, "PGPASSFILE" in ended.stderr), (password, code, code == 1))
        with report.case(f"{name}: TLS with a certificate that is checked, and without one to check it by"):
            port, certificate = serve_tls(cluster)
            url = f"postgresql://postgres@127.0.0.1:{port}/postgres?schema=kept&sslmode=verify-full&sslrootcert="
            ended = status(f"{url}{certificate}")
            equal((ended.returncode, ended.stderr, "tables: 1\n" in ended.stdout), (0, "", True))
            ended = status(f"{url}{cluster.data / 'absent.crt'}")
            equal((ended.returncode, ended.stdout, "absent.crt" in ended.stderr), (1, "", True))


def test_memory(report, name, program):
    """Of a burst of large bodies, half of whose connections stay."""
    body = request("PutItem", {"TableName": "Burst", "Item": {"pk": {"S": "a"}, "text": {"S": "x" * LARGE}}})
    with report.case(f"{name}: memory of a burst goes back"), Server(binary=program) as server:
        server.call("CreateTable", table("Burst"))
        server.call("PutItem", {"TableName": "Burst", "Item": {"pk": {"S": "a"}, "text": {"S": "x" * LARGE}}})
        before = memory(server)
        waiting = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(WAITING)]
        for connection in waiting:
            connection.sendall(body[:-1])
        wait_until(lambda: memory(server) > before + BURST_MB)
        for connection in waiting:
            connection.sendall(body[-1:])
            assert connection.recv(LARGE).startswith(b"HTTP/1.1 200")
        for connection in waiting[1::2]:
            connection.close()
        wait_until(lambda: memory(server) < before + KEPT_MB)
        for connection in waiting[::2]:
            connection.close()


def runnable(name, program, folder):
    """The program, or a script that runs it in an emulator; None where neither is there."""
    machine = MACHINES[name][0]
    emulator = shutil.which(f"qemu-{machine}-static") or shutil.which(f"qemu-{machine}")
    if platform.machine() == machine:
        return program
    if not emulator:
        return None
    script = folder / name
    script.write_text(f'#!/bin/sh\nexec {emulator} {program} "$@"\n')
    script.chmod(0o755)
    return script


def test_platform(report, name, place):
    folder = BUILT / name
    if not (folder / "SHA256SUMS").exists():
        report.skip(name, f"not built: scripts/static {name}")
        return
    data = (folder / "mockddb").read_bytes()
    test_papers(report, name, folder, data)
    if name not in MACHINES:
        test_macho(report, name, data)
        return
    test_elf(report, name, data)
    program = runnable(name, folder / "mockddb", place)
    if program:
        test_running(report, name, program, folder)
        if program == folder / "mockddb":  # an emulator has memory of its own
            test_memory(report, name, program)
            test_database(report, name, program)
    else:
        report.skip(f"{name}: running", "there is no qemu-user-static")


def main():
    report = Report()
    test_table(report)
    if os.environ.get("MOCKDDB_RELEASE_TESTS") == "1":
        with report.case("scripts/static linux-x64"):
            subprocess.run([ROOT / "scripts/static", "linux-x64"], check=True, timeout=100 * PATIENCE)
    with temporary_folder() as place:
        for name in PLATFORMS:
            test_platform(report, name, pathlib.Path(place))
    report.done()


main()
