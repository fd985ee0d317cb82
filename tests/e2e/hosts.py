"""Network namespaces that stand in for hosts: each has an address of its own on one network, and a link that can be cut."""

import contextlib
import ctypes
import os
import subprocess

from e2e import PATIENCE

NETWORK = "192.0.2"  # for documentation, so no network has it; nothing leaves the namespaces
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def lack():
    """Why there can be no namespaces, or None."""
    try:
        ended = subprocess.run(["unshare", "-n", "ip", "link", "add", "type", "veth"], capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return f"no network namespace can be made here: {ended.stderr.strip()}" if ended.returncode else None


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=PATIENCE)


class Host:
    """What is made `within()` it has its network: sockets, and programs that begin there."""

    def __init__(self, network, number):
        self.name = f"{network.name}-{number}"
        self.address = f"{NETWORK}.{number}"
        self.link = f"m{os.getpid()}-{number}"  # its end in the switch
        ip("netns", "add", self.name)
        ip("-n", network.name, "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("-n", network.name, "link", "set", self.link, "master", "switch", "up")
        ip("-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            ip("-n", self.name, "link", "set", device, "up")
        self.network = network

    @contextlib.contextmanager
    def within(self):
        with open("/proc/thread-self/ns/net") as before, open(f"/run/netns/{self.name}") as inside:
            if LIBC.setns(inside.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            try:
                yield self
            finally:
                LIBC.setns(before.fileno(), CLONE_NEWNET)

    def cut(self, is_cut=True):
        """Packets to it and from it are lost, and no end of a connection hears of it."""
        ip("-n", self.network.name, "link", "set", self.link, "down" if is_cut else "up")


class Network:
    """A context manager: a switch, and some hosts."""

    def __init__(self, count):
        self.name = f"mockddb-{os.getpid()}"
        self.count = count
        self.hosts = []

    def __enter__(self):
        ip("netns", "add", self.name)
        ip("-n", self.name, "link", "add", "switch", "type", "bridge")
        ip("-n", self.name, "link", "set", "switch", "up")
        self.hosts = [Host(self, number + 1) for number in range(self.count)]
        return self

    def __exit__(self, *_):
        for name in (*(host.name for host in self.hosts), self.name):
            ip("netns", "delete", name)
