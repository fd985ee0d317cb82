"""A proxy between a server and its PostgreSQL database: it counts trips, delays them, ends the connection at a chosen
message of either side, and changes the text of a statement."""

import contextlib
import socket
import struct
import threading
import time

SETTLING = 0.02  # seconds in which the database has probably done what it was sent
FORWARD, BACK = "to the database", "to the server"


class Closed(Exception):
    """One of the ends is gone, or the proxy has closed them."""


class Messages:
    """The messages of one end, one after another: a byte for the kind and four for the length, except in the first
    one that a client sends."""

    def __init__(self, end, is_client):
        self.end, self.data, self.head = end, b"", 4 if is_client else 5

    def wait_for(self, size):
        while len(self.data) < size:
            part = self.end.recv(1 << 16)
            if not part:
                raise Closed
            self.data += part

    def next(self):
        self.wait_for(self.head)
        size = struct.unpack("!I", self.data[self.head - 4 : self.head])[0] + self.head - 4
        self.wait_for(size)
        message, self.data = self.data[:size], self.data[size:]
        self.head = 5
        return message


class Cut:
    """Ends a connection at the message with that number, from now on, of those that go in one direction: before the
    other side has it, or after."""

    def __init__(self, direction, number, when):
        self.direction, self.left, self.when = direction, number, when


class Proxy:
    """A context manager that listens at a socket in the folder. What its members say may be changed at any time."""

    def __init__(self, cluster, folder):
        self.target = str(cluster.folder / ".s.PGSQL.5432")
        self.folder = folder
        self.cut_unit = None  # "before" or "after" the Sync of the next unit
        self.cut = None  # a Cut
        self.cuts = 0
        self.trips = 0
        self.messages = {FORWARD: 0, BACK: 0}
        self.delay = 0  # seconds, of each trip
        self.meanwhile = None  # is called once, before the next unit
        self.is_closed = False  # no new connection is made
        self.replaced = None  # (what, by what) in the text of statements
        self.replacements = 0
        self.open = set()
        self.muted = set()  # connections that get no answer any more
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/.s.PGSQL.5432")
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            database = socket.socket(socket.AF_UNIX)
            try:
                if self.is_closed:
                    raise OSError("closed")
                database.connect(self.target)
            except OSError:
                client.close()
                continue
            self.open.add((client, database))
            for run in (self.forward, self.pass_back):
                threading.Thread(target=run, args=(client, database), daemon=True).start()

    def close(self, client, database):
        self.open.discard((client, database))
        for end in (client, database):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close_all(self):
        """Ends all connections at once, wherever they are."""
        for pair in list(self.open):
            self.close(*pair)

    def is_cut(self, direction):
        """Counts a message; "before" or "after" if the connection ends there."""
        self.messages[direction] += 1
        cut = self.cut
        if not cut or cut.direction != direction:
            return None
        cut.left -= 1
        if cut.left > 0:
            return None
        self.cut = None
        self.cuts += 1
        return cut.when

    def pass_back(self, client, database):
        with contextlib.suppress(OSError, Closed):
            messages = Messages(database, False)
            while True:
                message = messages.next()
                when = self.is_cut(BACK)
                if when == "before" or client in self.muted:
                    break
                client.sendall(message)
                if when:
                    break
        self.close(client, database)

    def forward(self, client, database):
        """A unit is what has the statement that changes the row of `process`."""
        names, is_unit, waiting = set(), False, b""
        with contextlib.suppress(OSError, Closed):
            messages = Messages(client, True)
            while True:
                message = messages.next()
                kind, texts = message[:1], message[5:].split(b"\0")
                if kind == b"P":
                    if b"SET unit" in texts[1]:
                        names.add(texts[0])
                    message = self.changed(message)
                is_unit = is_unit or (kind == b"B" and texts[1] in names)
                if is_unit and self.meanwhile:
                    self.meanwhile, call = None, self.meanwhile
                    call()
                when = self.is_cut(FORWARD)
                if kind == b"S":
                    self.trips += 1
                    if is_unit and self.cut_unit:
                        when, self.cut_unit = self.cut_unit, None
                        self.cuts += 1
                    if self.delay:
                        time.sleep(self.delay)
                    is_unit = False
                waiting += message if when != "before" else b""
                if when or not messages.data or len(waiting) > 1 << 16:
                    if when == "after":
                        self.muted.add(client)
                    database.sendall(waiting)
                    waiting = b""
                if when == "after":
                    time.sleep(SETTLING)
                if when:
                    break
        self.close(client, database)

    def changed(self, message):
        if not self.replaced or self.replaced[0] not in message:
            return message
        self.replacements += 1
        content = message[5:].replace(*self.replaced)
        return message[:1] + struct.pack("!I", len(content) + 4) + content

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.close_all()
