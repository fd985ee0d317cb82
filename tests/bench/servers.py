"""Servers that are measured: started here on core 0, or found behind an address."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "build/release/bin"
PROGRAM = pathlib.Path(os.environ.get("MOCKDDB_BINARY") or BIN / "mockddb").resolve()  # what is measured
TICKS = os.sysconf("SC_CLK_TCK")
SERVER_CORE, CLIENT_CORE = 0, 1
LISTENING = "0A"  # a socket's state in /proc/net/tcp


def enough_cores():
    return (os.cpu_count() or 1) > 1


def pinned(core, command):
    """A command bound to one core, where there are enough."""
    if shutil.which("taskset") and enough_cores():
        return ["taskset", "-c", str(core), *command]
    return list(command)


def read(path):
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()


class Usage:
    """What a process has used so far; threads that have ended are left out of all but `user`."""

    def __init__(self, pid):
        self.cpu = self.wait = 0.0
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                ran, waited, _ = read(f"/proc/{pid}/task/{thread}/schedstat").split()
                self.cpu += int(ran) / 1e9
                self.wait += int(waited) / 1e9  # it could have run, something else had the core
        self.user = int(read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()[11]) / TICKS


class Server:
    """A server that runs on this machine."""

    def __init__(self, name, pid, url):
        self.name, self.pid, self.url = name, pid, url

    def usage(self):
        return Usage(self.pid)

    def memory_mb(self, what):
        for line in read(f"/proc/{self.pid}/status").splitlines():
            if line.startswith(what + ":"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"no memory of {self.name}")

    def resident_mb(self):
        return self.memory_mb("VmRSS")

    def forget_peak(self):
        """From here on the peak is counted anew; returns what is resident."""
        with open(f"/proc/{self.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
        return self.resident_mb()

    def peak_mb(self):
        return self.memory_mb("VmHWM")


class Started(Server):
    """Runs from `with` to its end. It prints its address on its first line."""

    def __init__(self, name, program, *options):
        self.process = subprocess.Popen(
            pinned(SERVER_CORE, [str(program), *options]),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        url = self.process.stdout.readline().split()[-1]
        super().__init__(name, self.process.pid, url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def mockddb(*options):
    return Started("mockddb", PROGRAM, "--port", "0", *options)


def bare():
    return Started("bare", BIN / "bench_bare")


def listening_inode(port):
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in read(table).splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING and int(fields[1].rsplit(":", 1)[1], 16) == port:
                return fields[9]
    return None


def listening_process(port):
    """The process that listens on a port of this machine."""
    wanted = f"socket:[{listening_inode(port)}]"
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                if os.readlink(f"/proc/{pid}/fd/{descriptor}") == wanted:
                    return int(pid)
    raise SystemExit(f"bench: no process of ours listens on port {port}")


def peer(text):
    """NAME=URL or URL of a server that somebody else has started; it is moved to core 0."""
    name, _, url = text.rpartition("=")
    parts = urllib.parse.urlsplit(url)
    pid = listening_process(parts.port or 80)
    if enough_cores():
        for thread in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(thread), {SERVER_CORE})
    return Server(name or parts.netloc, pid, url.rstrip("/"))
