"""The container images: their layout, and their programs as an engine would run them, in a folder of their own.

There is no engine. Images are unpacked, and their entry points run with the image's user, environment and working
folder in a chroot, in a network of their own, where port 8000 is free.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile

from chroots import add_arm64, call, copy_libraries, enter_network, find_programs, packing, proc_in, status_of
from e2e import PATIENCE, ROOT, Report, Running, equal, run_program, temporary_folder

PACK = ROOT / "packages/image/pack"
SHELL = pathlib.Path("/usr/share/doc/busybox-static/copyright")  # there if the shell is installed
MOST = 8 * 1024 * 1024  # bytes of an image's files
OCI = "application/vnd.oci.image."
TABLE = {
    "TableName": "Kept",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def port_check(port):
    """What Testcontainers runs in a container to see whether a port is open."""
    return f"cat /proc/net/tcp* | awk '{{print $2}}' | grep -i :{port:x} || nc -vz -w 1 localhost {port}"


def pack(*words):
    return run_program([sys.executable, "-B", PACK, *words], SOURCE_DATE_EPOCH="1700000000")


# --- the layout -----------------------------------------------------------------------------------


class Layout:
    """Reads an OCI image layout and holds it to the specification."""

    def __init__(self, path):
        self.files = {}
        with tarfile.open(path) as tar:
            for entry in tar:
                assert entry.name not in self.files, f"{entry.name} is there twice"
                assert (entry.uid, entry.gid, entry.mtime) == (0, 0, 1700000000), entry.name
                self.files[entry.name] = tar.extractfile(entry).read() if entry.isfile() else None
        self.read = {"oci-layout", "index.json", "manifest.json", "blobs", "blobs/sha256"}
        equal(json.loads(self.files["oci-layout"]), {"imageLayoutVersion": "1.0.0"})

    def blob(self, descriptor, *kinds):
        """The bytes of a descriptor, after checking it."""
        assert descriptor["mediaType"] in [OCI + kind for kind in kinds], descriptor
        algorithm, digest = descriptor["digest"].split(":")
        equal(algorithm, "sha256")
        name = f"blobs/{algorithm}/{digest}"
        self.read.add(name)
        data = self.files[name]
        equal((len(data), hashlib.sha256(data).hexdigest()), (descriptor["size"], digest))
        return data

    def index(self, data):
        found = json.loads(data)
        equal((found["schemaVersion"], found["mediaType"]), (2, OCI + "index.v1+json"))
        return found["manifests"]

    def images(self):
        """{tag: {architecture: (config, [layer])}}"""
        tags = {}
        for entry in self.index(self.files["index.json"]):
            tag = entry["annotations"]["org.opencontainers.image.ref.name"]
            assert tag not in tags, tag
            data = self.blob(entry, "index.v1+json", "manifest.v1+json")
            manifests = self.index(data) if entry["mediaType"] == OCI + "index.v1+json" else [entry]
            tags[tag] = dict(self.image(one) for one in manifests)
            equal(len(tags[tag]), len(manifests))
        equal(sorted(set(self.files) - self.read), [])  # nothing that no image needs
        return tags

    def image(self, descriptor):
        manifest = json.loads(self.blob(descriptor, "manifest.v1+json"))
        equal((manifest["schemaVersion"], manifest["mediaType"]), (2, OCI + "manifest.v1+json"))
        config = json.loads(self.blob(manifest["config"], "config.v1+json"))
        equal(descriptor["platform"], {"architecture": config["architecture"], "os": config["os"]})
        layers = [gzip.decompress(self.blob(one, "layer.v1.tar+gzip")) for one in manifest["layers"]]
        equal(config["rootfs"]["type"], "layers")
        equal(
            config["rootfs"]["diff_ids"], [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
        )
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", config["created"])
        return config["architecture"], (config, layers)


def unpack(layers, root):
    """Writes the files of the layers as an engine does; returns their bytes."""
    total = 0
    for layer in layers:
        with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
            for entry in tar:
                path = pathlib.PurePosixPath(entry.name)
                assert not path.is_absolute() and ".." not in path.parts, entry.name
                assert entry.mtime == 1700000000, entry.name
                to = root / path
                if entry.isdir():
                    to.mkdir(exist_ok=True)
                elif entry.issym():
                    to.symlink_to(entry.linkname)
                else:
                    assert entry.isfile(), entry.name
                    to.write_bytes(tar.extractfile(entry).read())
                total += entry.size
                os.lchown(to, entry.uid, entry.gid)
                if not entry.issym():
                    to.chmod(entry.mode)
    return total


# --- a container ----------------------------------------------------------------------------------


class Container:
    """A container's folder and configuration."""

    def __init__(self, root, config):
        self.root = root
        self.config = config["config"]
        self.user = int(self.config["User"].split(":")[0])
        equal(self.config["User"], f"{self.user}:{self.user}")

    def volume(self, place):
        """Mounts an empty folder of the image's user there."""
        path = self.root / place.lstrip("/")
        path.mkdir(exist_ok=True)
        os.chown(path, self.user, self.user)
        return path

    def paths(self):
        """Its files and folders, without what is mounted at /proc."""
        for folder, names, files in os.walk(self.root):
            if folder == str(self.root):
                names.remove("proc")
            yield from (pathlib.Path(folder, name) for name in [*names, *files])

    def enter(self):
        os.chroot(self.root)
        os.chdir(self.config["WorkingDir"])
        os.setgroups([])
        os.setgid(self.user)
        os.setuid(self.user)

    def start(self, words, kind, **more):
        environment = dict(one.split("=", 1) for one in self.config["Env"])
        program = words[0]
        if "/" not in program:  # an engine looks it up in the image's PATH
            places = [f"{folder}/{program}" for folder in environment["PATH"].split(":")]
            program = next(place for place in places if (self.root / place.lstrip("/")).exists())
        return kind([program, *words[1:]], env=environment, stdin=subprocess.DEVNULL, preexec_fn=self.enter, **more)

    def run(self, *words):
        return self.start(words, subprocess.run, capture_output=True, text=True, timeout=PATIENCE, check=False)

    def healthcheck(self):
        kind, *words = self.config["Healthcheck"]["Test"]
        equal(kind, "CMD")
        return self.run(*words).returncode

    @contextlib.contextmanager
    def running(self, *command):
        """Its entry point with that command, or the image's own; yields the process, ready."""
        words = [*self.config["Entrypoint"], *(command or self.config["Cmd"])]
        with self.start(words, Running, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            ready = process.stdout.readline()
            assert ready == "mockddb listening on http://0.0.0.0:8000\n", f"{ready}{process.stderr.read()}"
            yield process
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=PATIENCE)
            equal((process.returncode, errors), (0, errors))


# --- the cases ------------------------------------------------------------------------------------


def layouts(report, folder, binaries, flags):
    """Packs twice; returns the images of the layout, by tag."""
    images = {}
    with report.case("the same bytes in two folders"):
        for out in ("one", "two"):
            ended = pack(*flags, binaries, folder / out)
            equal(ended.returncode, 0)
        names = sorted(path.name for path in (folder / "one").iterdir())
        equal(names, sorted(path.name for path in (folder / "two").iterdir()))
        for name in names:
            equal((folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(), True)
    version = packing.version()
    with report.case("the layout is one of OCI's: digests, sizes, media types, one index of platforms for each tag"):
        images = Layout(folder / f"one/mockddb-image-{version}.oci.tar").images()
        tags = ["latest", version]
        if SHELL.is_file():
            tags += ["local-compat", f"{version}-local-compat"]
        equal(sorted(images), sorted(tags))
        equal(images["latest"], images[version])
        for tag in images:
            equal(sorted(images[tag]), ["amd64", "arm64"])
    with report.case("docker load finds each image of a platform, with its tags"):
        for arch in images["latest"]:
            layout = Layout(folder / f"one/mockddb-image-{version}-{arch}.docker.tar")
            alone = layout.images()
            equal(alone, {tag: {arch: one[arch]} for tag, one in images.items() if arch in one})
            listed = json.loads(layout.files["manifest.json"])
            equal(sorted(tag for one in listed for tag in one["RepoTags"]), sorted(f"mockddb:{tag}" for tag in alone))
            for one in listed:
                config = json.loads(layout.files[one["Config"]])
                equal(
                    config["rootfs"]["diff_ids"],
                    [
                        "sha256:" + hashlib.sha256(gzip.decompress(layout.files[layer])).hexdigest()
                        for layer in one["Layers"]
                    ],
                )
                for tag in one["RepoTags"]:
                    equal(alone[tag.split(":")[1]][arch][0], config)
    with report.case("the configuration: user, port, volume, healthcheck by the program"):
        for tag, platforms in images.items():
            for config, _ in platforms.values():
                config = config["config"]
                equal((config["User"], config["Volumes"]), ("1000:1000", {"/data": {}}))
                equal(config["ExposedPorts"], {"8000/tcp": {}})
                equal(config["Healthcheck"]["Test"][:3], ["CMD", "/usr/bin/mockddb", "healthcheck"])
                equal(config["Entrypoint"][0], "java" if "compat" in tag else "/usr/bin/mockddb")
                equal(config["Labels"]["org.opencontainers.image.version"], version)
    return images


def left_out(report, folder, binaries, flags):
    """A folder with the program for x64 alone."""
    with report.case("a platform without a program is left out, with one line"):
        alone = folder / "alone"
        (alone / "linux-x64").mkdir(parents=True)
        shutil.copy(binaries / "linux-x64/mockddb", alone / "linux-x64")
        ended = pack(*flags, alone, folder / "three")
        equal(ended.returncode, 0)
        assert ended.stderr.startswith(f"image: no {alone}/linux-arm64/mockddb: "), ended.stderr
        images = Layout(folder / f"three/mockddb-image-{packing.version()}.oci.tar").images()
        equal(sorted(images["latest"]), ["amd64"])


def refusals(report, folder, binaries):
    wrong = folder / "wrong"
    for platform, name, content, text in (
        ("linux-x64", "mockddb", None, "has a program for neither linux-x64 nor linux-arm64"),
        ("linux-arm64", "mockddb", "program", "is not a program for linux-arm64"),
        ("linux-x64", "mockddb", "text", "is not a program for linux-x64"),
        ("linux-x64", "mockddb", "dynamic", "needs shared libraries"),
    ):
        with report.case(f"refused: {content or 'nothing'} in {platform}"):
            shutil.rmtree(wrong, ignore_errors=True)
            (wrong / platform).mkdir(parents=True)
            if content == "text":
                (wrong / platform / name).write_text("#!/bin/sh\n" * 20)
            elif content == "dynamic":
                shutil.copy(os.path.realpath(sys.executable), wrong / platform / name)
            elif content:
                shutil.copy(binaries / "linux-x64/mockddb", wrong / platform / name)
            ended = pack(wrong, folder / "refused")
            equal((ended.returncode, ended.stdout), (1, ""))
            assert text in ended.stderr.splitlines()[-1], ended.stderr
            equal((folder / "refused").exists(), False)


def plain(report, container):
    with report.case("it answers on port 8000, as the image's user, to every name that containers use"):
        equal(container.healthcheck(), 1)
        with container.running() as process:
            equal(call("ListTables", {}), {"TableNames": []})
            equal(container.healthcheck(), 0)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            equal(re.search(r"^Uid:\s+(.*)$", status, re.MULTILINE)[1].split(), ["1000"] * 4)
            for host in ("dynamodb:8000", "172.17.0.2:8000", "localhost:49153"):
                equal(status_of("/_mockddb/clock", host), 200)
            equal(status_of("/_mockddb/clock", "evil.example:8000"), 403)
    with report.case("a volume keeps the tables of --db"):
        data = container.volume("/data")
        with container.running("--db", "/data/shop.db"):
            call("CreateTable", TABLE)
        with container.running("--db", "/data/shop.db"):
            equal(call("ListTables", {}), {"TableNames": ["Kept"]})
        equal({path.stat().st_uid for path in data.iterdir()}, {1000})
    with report.case("the fixtures are in the image"), container.running("--fixtures", "ecommerce"):
        equal(len(call("ListTables", {})["TableNames"]), 3)
        assert call("Scan", {"TableName": "EcomIndexSettingsTable"})["Count"] > 0
    with report.case("it can write nowhere but in its volume, its home and /tmp"):
        writable = {"/data", "/home/dynamodblocal", "/tmp"}
        for path in container.paths():
            info = path.lstat()
            if not path.is_symlink() and (info.st_uid == 1000 or info.st_mode & 0o002):
                inside = "/" + str(path.relative_to(container.root))
                assert any(inside == one or inside.startswith(one + "/") for one in writable), inside
    with report.case("the licences of all that the images have are in them"):
        text = (container.root / "usr/share/doc/mockddb/copyright").read_text()
        for name in ("mockddb", "openssl", "sqlite", "musl"):
            assert f"==== {name} ====" in text, name
    with report.case("commands of the program"):
        ended = container.run("/usr/bin/mockddb", "--version")
        assert ended.stdout.startswith("mockddb "), ended
    with report.case("refused: a command that is not one"):
        ended = container.run(*container.config["Entrypoint"], "--prot")
        equal((ended.returncode, ended.stdout), (2, ""))


def local(report, container, what):
    with report.case(f"{what}: the command line of DynamoDB Local"):
        command = ["-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-sharedDb", "-inMemory"]
        with container.running(*command) as process:
            equal(process.stdout.readline(), "Initializing DynamoDB Local with the following configuration:\n")
            equal(call("ListTables", {}), {"TableNames": []})
            equal((status_of("/"), container.healthcheck()), (400, 0))
    with report.case(f"{what}: without -inMemory and -dbPath nothing is kept, as docs/container.md says"):
        with container.running("-jar", "DynamoDBLocal.jar", "-sharedDb"):
            call("CreateTable", TABLE)
        here = container.root / container.config["WorkingDir"].lstrip("/")
        equal([path for path in container.paths() if path.suffix == ".db" and here in path.parents], [])


def compat(report, container):
    local(report, container, "local-compat")
    with report.case("local-compat: the licence of the shell is beside it"):
        assert "Version 2" in (container.root / "usr/share/doc/busybox/GPL-2").read_text()
    with report.case("local-compat: the image's own command, and Testcontainers' check of the port"):
        with container.running():
            equal(status_of("/"), 400)
            equal(container.run("/bin/sh", "-c", port_check(8000)).returncode, 0)
            equal(container.run("/bin/sh", "-c", port_check(8001)).returncode != 0, True)


def composed(report, plain_container, compat_container):
    """The services of the Compose files, with their commands."""
    try:
        import yaml  # pylint: disable=import-outside-toplevel
    except ImportError:
        report.skip("the Compose files", "there is no python3-yaml")
        return
    folder = ROOT / "examples/docker"
    service = yaml.safe_load((folder / "compose.yaml").read_text())["services"]["dynamodb"]
    with report.case("compose.yaml: tables and fixtures, kept in the volume"):
        equal((service["image"], service["volumes"]), ("mockddb", ["tables:/data"]))
        for path in plain_container.volume("/data").iterdir():
            path.unlink() if path.is_file() else shutil.rmtree(path)
        for expected in (3, 4):
            with plain_container.running(*shlex.split(service["command"])):
                equal(len(call("ListTables", {})["TableNames"]), expected)
                equal(status_of("/_mockddb/health", "dynamodb:8000"), 200)
                if expected == 3:
                    call("CreateTable", TABLE)
    service = yaml.safe_load((folder / "compose.local.yaml").read_text())["services"]["dynamodb-local"]
    for container in filter(None, (compat_container, plain_container)):
        with report.case(f"compose.local.yaml, which was written for DynamoDB Local, by {container.root.name}"):
            equal(service["image"], "mockddb:local-compat")
            equal(service["working_dir"], container.config["WorkingDir"])
            data = container.volume("/home/dynamodblocal/data")
            with container.running(*shlex.split(service["command"])):
                call("CreateTable", TABLE)
            with container.running(*shlex.split(service["command"])):
                equal(call("ListTables", {}), {"TableNames": ["Kept"]})
            equal((data / "mockddb.db").exists(), True)


def documented(report, container):
    """The lines of docs/container.md that start a container: volumes and what follows the image's name."""
    text = (ROOT / "docs/container.md").read_text(encoding="utf-8")
    for line in re.findall(r"^docker run .*", text, re.MULTILINE):
        with report.case(line):
            words = shlex.split(line)
            at = words.index("mockddb")
            volumes = [words[i + 1].split(":") for i in range(at) if words[i] == "-v"]
            for source, place, *how in volumes:
                path = container.volume(place)
                if source == "./my-tables":
                    equal(how, ["ro"])
                    shutil.copytree(ROOT / "fixtures/guides-overview", path, dirs_exist_ok=True)
            with container.running(*words[at + 1 :]):
                equal((container.healthcheck(), "Users" in call("ListTables", {})["TableNames"]), (0, "ro" in line))
                reset = re.search(r"^docker exec NAME (.*)", text, re.MULTILINE)[1].split()
                path = "/usr/bin/" + reset[0]
                equal(container.run(path, *reset[1:]).returncode, 1 if "--read-only" in words else 0)
            for _, place, *_ in volumes:
                for path in (container.root / place.lstrip("/")).iterdir():
                    path.unlink() if path.is_file() else shutil.rmtree(path)


def containers(report, folder, images, is_static):
    if os.getuid():
        report.skip("the images' programs", "only root may change owners and the root folder")
        return
    made = {}
    for tag in ("latest", "local-compat"):
        if tag not in images:
            report.skip(tag, "no static busybox is installed (busybox-static)")
            continue
        config, layers = images[tag]["amd64"]
        root = folder / tag
        root.mkdir()
        size = unpack(layers, root)
        if tag == "latest" and is_static:
            with report.case(f"the files of the image are {MOST >> 20} MB at most"):
                assert size <= MOST, size
        if not is_static:
            copy_libraries(root)
        made[tag] = Container(root, config)
    why = enter_network()
    if why:
        report.skip("the images' programs", why)
        return
    container = made.get("local-compat")
    with contextlib.ExitStack() as mounts:
        for one in made.values():
            mounts.enter_context(proc_in(one.root))
        plain(report, made["latest"])
        local(report, made["latest"], "the plain image")
        if container:
            compat(report, container)
        documented(report, made["latest"])
        composed(report, made["latest"], container)


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        binaries, is_static = find_programs(folder)
        if not binaries:
            report.skip("the images", "there is no release build for x86-64")
            report.done()
        flags = [] if is_static else ["--any-program"]
        images = layouts(report, folder, add_arm64(binaries, folder), flags)
        left_out(report, folder, binaries, flags)
        refusals(report, folder, binaries)
        if images:
            containers(report, folder, images, is_static)
    report.done()


if __name__ == "__main__":
    main()
