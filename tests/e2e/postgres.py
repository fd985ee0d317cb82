"""A PostgreSQL server of a test's own: in a temporary folder, at a socket in it, without flushing to the disk."""

import contextlib
import glob
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

from e2e import BINARY, PATIENCE, equal, run_program

PREFIX = "mockddb-pg-"
SETTINGS = "-F -c full_page_writes=off -c shared_buffers=64MB -c max_connections=30 -c autovacuum=off"
ACCESS = """local all guarded scram-sha-256
local all,replication all trust
host all all samenet trust
"""
RUNNERS = ("postgres", "nobody")  # PostgreSQL refuses to run as root


def binaries():
    """The folder of the newest server, or None."""
    found = [path for path in glob.glob("/usr/lib/postgresql/*/bin") if os.access(f"{path}/postgres", os.X_OK)]
    if found:
        return pathlib.Path(max(found, key=lambda path: int(path.split("/")[-2])))
    place = shutil.which("postgres")
    return pathlib.Path(os.path.realpath(place)).parent if place else None


class Cluster:
    """A context manager. Its superuser is `postgres`, without a password; the roles `guarded` needs one, `secret`."""

    def __init__(self, under="/tmp", settings=SETTINGS, primary=None):
        """Of a `primary`, a replica that takes each commit before it is acknowledged."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX, dir=under))
        self.settings = settings
        self.data = self.folder / "data"
        self.user = None
        if os.getuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = next(name for name in RUNNERS if name in names)
            shutil.chown(self.folder, self.user)
        self.folder.chmod(0o755)
        if primary:
            self.run("pg_basebackup", "-D", self.data, "-h", primary.folder, "-U", "postgres", "-R", "-c", "fast", "--no-sync")
            primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        else:
            self.run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C")
            (self.data / "pg_hba.conf").write_text(ACCESS)
        self.start()
        if primary:
            primary.sql("SELECT pg_reload_conf()")

    def run(self, name, *words):
        """Runs one of PostgreSQL's programs; its output goes to a file, which a server that it starts may keep."""
        group = pwd.getpwnam(self.user).pw_gid if self.user else None
        with tempfile.TemporaryFile(mode="w+") as output:
            ended = subprocess.run(
                [binaries() / name, *map(str, words)],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=PATIENCE,
                check=False,
                user=self.user,
                group=group,
                extra_groups=[] if self.user else None,
            )
            output.seek(0)
            if ended.returncode:
                raise RuntimeError(f"{name}: {output.read()}")

    def start(self, address=""):
        """At its socket, and where an address is given, at that one, too."""
        self.run(
            *("pg_ctl", "-D", self.data, "-w", "-t", int(PATIENCE), "-l", self.folder / "log"),
            *("-o", f"-k {self.folder} -h '{address}' {self.settings}", "start"),
        )

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.data, "-w", "-t", int(PATIENCE), "-m", mode, "stop")

    def promote(self):
        """Makes the replica a primary."""
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def kill(self):
        """Kills all of it, and waits for the end: what had been written stays, as nothing is on a disk that lost power."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, 9)
        until = time.monotonic() + PATIENCE
        while any(pathlib.Path(f"/proc/{one}").exists() for one in (pid, *children)) and time.monotonic() < until:
            time.sleep(0.01)

    def url(self, schema, user="postgres", folder=None):
        return f"postgresql://{user}@/postgres?host={folder or self.folder}&schema={schema}"

    def sql(self, text, schema="public"):
        """The answer's lines, with | between columns."""
        ended = subprocess.run(
            [
                *(binaries() / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder),
                *("-U", "postgres", "-d", "postgres", "-c", f"SET search_path TO {schema}", "-c", text),
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if ended.returncode:
            raise RuntimeError(ended.stderr)
        return ended.stdout.splitlines()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(RuntimeError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def make_schema(cluster, schema, program=BINARY):
    """The URL of a new schema."""
    ended = run_program([program, "store", "init", cluster.url(schema)])
    equal((ended.returncode, ended.stderr), (0, ""))
    return cluster.url(schema)
