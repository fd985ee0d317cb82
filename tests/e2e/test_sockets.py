"""Sockets that another program opens and passes to the server, as a systemd socket unit does (LISTEN_FDS)."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

from e2e import BINARY, HEADERS, PATIENCE, READY, Report, Running, equal

# Gives the sockets the numbers from 3 on. $1: how many; then their numbers, and the program.
PASS = """
count=$1; shift
for ((i = 0; i < count; i++)); do
    eval "exec $((i + 3))<&$1 $1<&-"; shift
done
export LISTEN_FDS=${FDS-$count} LISTEN_PID=${PID-$$} LISTEN_FDNAMES=mockddb.socket
exec "$@"
"""
REQUEST = "\r\n".join(f"{name}: {value}" for name, value in HEADERS.items())


def listening(address, port=0, family=socket.AF_INET):
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind((address, port))
    made.listen()
    return made


@contextlib.contextmanager
def both_loopbacks():
    """Sockets at 127.0.0.1 and ::1 with one port."""
    while True:
        first = listening("127.0.0.1")
        try:
            second = listening("::1", first.getsockname()[1], socket.AF_INET6)
        except OSError:  # another program has the port there
            first.close()
            continue
        with first, second:
            yield first, second
        return


def command(sockets, words):
    """The words of a command that passes the sockets; its descriptors have high numbers, for `PASS` moves them."""
    moved = [os.dup2(one.fileno(), 100 + at) for at, one in enumerate(sockets)]
    return ["bash", "-c", PASS, "bash", str(len(moved)), *map(str, moved), BINARY, *words], moved


@contextlib.contextmanager
def activated(sockets, *words, **environment):
    """A server at these sockets; yields it and the address that it prints."""
    words, passed = command(sockets, words)
    with tempfile.TemporaryFile(mode="w+") as errors, Running(
        words,
        env=os.environ | environment,
        pass_fds=passed,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    ) as process:
        for one in passed:
            os.close(one)
        line = process.stdout.readline()
        errors.seek(0)
        assert READY.match(line), f"{line!r}: {errors.read()}"
        yield process, READY.match(line)[1]
        process.send_signal(signal.SIGTERM)
        equal(process.wait(PATIENCE), 0)


def ended(sockets, *words, **environment):
    words, passed = command(sockets, words)
    result = subprocess.run(
        words,
        env=os.environ | environment,
        pass_fds=passed,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    for one in passed:
        os.close(one)
    return result


def refused(report, name, sockets, *texts, words=(), **environment):
    with report.case(f"refused: {name}"):
        result = ended(sockets, *words, **environment)
        equal((result.stdout, result.returncode), ("", 1))
        equal(len(result.stderr.splitlines()), 1)
        for text in texts:
            assert text in result.stderr, f"no {text} in {result.stderr}"


def send(connection):
    body = "{}"
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\n{REQUEST}\r\nConnection: close\r\n"
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())


def connect(to):
    connection = socket.create_connection(to.getsockname()[:2], PATIENCE)
    send(connection)
    return connection


def answer(connection):
    with connection, connection.makefile("rb") as stream:
        return stream.read().split(b"\r\n", 1)[0].decode()


def status_for(url, host):
    """The status of a verb for a request that names this host."""
    request = urllib.request.Request(f"{url}/_mockddb/clock", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return reply.status
    except urllib.error.HTTPError as error:
        return error.code


def serving(report):
    with report.case("it answers at each socket, also who connected before it started"), both_loopbacks() as two:
        early = [connect(one) for one in two]
        with activated(two) as (_, url):
            equal(url, f"http://127.0.0.1:{two[0].getsockname()[1]}")
            equal([answer(one) for one in early], ["HTTP/1.1 200 OK"] * 2)
            equal([answer(connect(one)) for one in two], ["HTTP/1.1 200 OK"] * 2)
    with report.case("who connects between two servers is answered by the second"), both_loopbacks() as two:
        with activated(two):
            pass
        waiting = [connect(one) for one in two]
        with activated(two):
            equal([answer(one) for one in waiting], ["HTTP/1.1 200 OK"] * 2)
    for address, name, expected in (("127.0.0.1", "db", 403), ("0.0.0.0", "db", 200)):
        with report.case(f"names in Host are checked by the socket's address, {address}"):
            with listening(address) as one, activated([one]) as (_, url):
                equal(url, f"http://{address}:{one.getsockname()[1]}")
                port = one.getsockname()[1]
                reached = f"http://127.0.0.1:{port}"
                equal((status_for(reached, f"{name}:{port}"), status_for(reached, f"localhost:{port}")), (expected, 200))
    with report.case("the address that reaches furthest counts, in either order"):
        with listening("::", 0, socket.AF_INET6) as wide, listening("127.0.0.1", wide.getsockname()[1]) as narrow:
            for order in ([wide, narrow], [narrow, wide]):
                with activated(order) as (_, url):
                    assert url.startswith("http://[::]:"), url
    with report.case("a file descriptor that is passed to another process is not taken"):
        with listening("127.0.0.1") as one, activated([one], "--port", "0", PID="1") as (_, url):
            assert not url.endswith(f":{one.getsockname()[1]}"), url
    with report.case("no sockets: it opens its own"):
        with activated([], "--port", "0") as (_, url):
            assert url.startswith("http://127.0.0.1:"), url
    with report.case("the command of run inherits neither variables nor sockets"), listening("127.0.0.1") as one:
        script = 'env | grep ^LISTEN_; for f in /proc/self/fd/*; do readlink "$f"; done; echo "$MOCKDDB_URL"'
        result = ended([one], "run", "--", "sh", "-c", script)
        equal(result.returncode, 0)
        equal(re.findall("LISTEN_|socket:", result.stdout), [])
        equal(result.stdout.splitlines()[-1], f"http://127.0.0.1:{one.getsockname()[1]}")


def refusals(report):
    with listening("127.0.0.1") as one, listening("127.0.0.1") as other:
        refused(report, "sockets with different ports", [one, other], "different ports")
        refused(report, "an address beside the sockets", [one], "--host", words=["--host", "127.0.0.1"])
        refused(report, "a port beside the sockets", [one], "--port", words=["--port", "8000"])
        for count in ("9", "-1", "two", ""):
            refused(report, f"{count!r} sockets", [one], "LISTEN_FDS", "from 0 to 8", FDS=count)
        refused(report, "a socket too few", [one], "descriptor 4 ", FDS="2")
    with socket.socket() as silent, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        silent.bind(("127.0.0.1", 0))
        datagrams.bind(("127.0.0.1", 0))
        refused(report, "a socket that does not listen", [silent], "descriptor 3 is not a listening TCP socket")
        refused(report, "a socket for datagrams", [datagrams], "descriptor 3 ")
    with socket.socket(socket.AF_UNIX) as local, tempfile.TemporaryDirectory() as folder:
        local.bind(f"{folder}/socket")
        local.listen()
        refused(report, "a socket of this machine only", [local], "descriptor 3 ")
    with tempfile.TemporaryFile() as file:
        refused(report, "a file", [file], "descriptor 3 ")


def main():
    report = Report()
    serving(report)
    refusals(report)
    report.done()


if __name__ == "__main__":
    main()
