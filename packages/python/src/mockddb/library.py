"""libmockddb through ctypes: the server inside this process (docs/library.md)."""

import contextlib
import ctypes
import functools
import os
import pathlib
import sysconfig
import threading
import weakref
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from .program import Error

ABI = 1
OK, LOST, FORKED, BUSY = 0, 3, 4, 5  # enum mockddb_result
ASIDE, EXPLAIN = 1, 2  # flags of a request
DROPPED, CUT, WRONG_CRC = 1, 2, 4  # flags of a reply
ENDING = 5.0  # seconds that the end of the process waits for another thread's request
CLOSED = "the embedded server is closed"

Log = Callable[[str], None]
_LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("words", ctypes.POINTER(ctypes.c_char_p)),
        ("word_count", ctypes.c_size_t),
        ("flags", ctypes.c_uint32),
        ("log", _LOG),
        ("log_context", ctypes.c_void_p),
    ]


class _Request(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("world", ctypes.c_char_p),
        ("target", ctypes.c_char_p),
        ("body", ctypes.c_char_p),
        ("body_len", ctypes.c_size_t),
        ("region", ctypes.c_char_p),
        ("access_key", ctypes.c_char_p),
        ("client", ctypes.c_char_p),
        ("flags", ctypes.c_uint32),
    ]


class _Reply(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("status", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
        ("body", ctypes.c_void_p),
        ("body_len", ctypes.c_size_t),
        ("content_type", ctypes.c_char_p),
        ("delay_ms", ctypes.c_int64),
        ("date_skew_ms", ctypes.c_int64),
        ("explanation", ctypes.c_uint64),
    ]


class Reply(NamedTuple):
    """The reply to a request of an operation, and what fault rules do to it on its way."""

    status: int
    body: bytes
    content_type: str
    flags: int  # DROPPED, CUT, WRONG_CRC
    delay_ms: int
    date_skew_ms: int
    explanation: int  # 0: none


def find_library(path: Union[str, "os.PathLike[str]", None] = None) -> str:
    """The path of libmockddb: this one, else MOCKDDB_LIBRARY, else the one of this package."""
    named = os.fspath(path) if path is not None else os.environ.get("MOCKDDB_LIBRARY")
    if named:
        if not os.path.isfile(named):
            raise Error(f"{'library' if path is not None else 'MOCKDDB_LIBRARY'}: there is no file {named}")
        return os.path.abspath(named)
    for own in sorted((pathlib.Path(__file__).parent / "lib").glob("libmockddb.*")):
        return str(own)
    raise Error(
        f"this installation has no libmockddb for {sysconfig.get_platform()}: give its path as library=… or in "
        "MOCKDDB_LIBRARY, or use mockddb.start()"
    )


def _load(path: str) -> Any:
    try:
        library = ctypes.CDLL(path)
        abi = library.mockddb_abi()
    except (OSError, AttributeError) as problem:
        raise Error(f"{path} is not libmockddb: {problem}") from None
    if abi != ABI:
        raise Error(f"{path} has version {abi} of libmockddb's interface, this package needs {ABI}")
    handle, text, reply = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_Reply)
    library.mockddb_open.argtypes = [ctypes.POINTER(_Options), ctypes.POINTER(handle)]
    library.mockddb_close.argtypes = [handle]
    library.mockddb_problem.argtypes = [handle]
    library.mockddb_problem.restype = text
    library.mockddb_call.argtypes = [handle, ctypes.POINTER(_Request), reply]
    library.mockddb_verb.argtypes = [handle, text, text, text, text, ctypes.c_size_t, reply]
    return library


def _pass_on(log: Log, problems: List[BaseException], _: Any, line: bytes) -> None:
    try:
        log(line.decode(errors="replace"))
    except Exception as problem:  # pylint: disable=broad-except # it cannot pass through C
        problems.append(problem)


def _close(library: Any, pointer: Any, lock: Any, process: int, _: Any) -> None:
    """Also at the end of the process, where a thread may still be within a request: then the handle stays open."""
    if os.getpid() == process and lock.acquire(timeout=ENDING):
        try:
            library.mockddb_close(pointer)
        finally:
            lock.release()


class Handle:
    """A server of its own in this process. Threads may share it: a lock lets one of them in at a time."""

    def __init__(self, words: Sequence[str], library: Union[str, "os.PathLike[str]", None], log: Optional[Log]) -> None:
        self._library = _load(find_library(library))
        self._lock = threading.RLock()  # the log function is called within a request, by the same thread
        self._inside = False
        self._process = os.getpid()
        self._request = _Request(size=ctypes.sizeof(_Request))
        self._reply = _Reply(size=ctypes.sizeof(_Reply))
        self._problems: List[BaseException] = []  # of the log function
        self._log = _LOG(functools.partial(_pass_on, log, self._problems)) if log else _LOG()
        given = (ctypes.c_char_p * len(words))(*(os.fsencode(word) for word in words))
        options = _Options(ctypes.sizeof(_Options), given, len(words), 0, self._log)
        self._pointer = ctypes.c_void_p()
        result = self._library.mockddb_open(ctypes.byref(options), ctypes.byref(self._pointer))
        if result != OK:
            problem = self._problem()
            self._library.mockddb_close(self._pointer)
            raise Error(f"the embedded server did not start: {problem}")
        self._end = weakref.finalize(self, _close, self._library, self._pointer, self._lock, self._process, self._log)

    def _problem(self) -> str:
        return self._library.mockddb_problem(self._pointer).decode(errors="replace")

    @contextlib.contextmanager
    def _use(self) -> Iterator[None]:
        """Around each use of the handle; after it, an error of the log function is raised."""
        if os.getpid() != self._process:  # first: another thread may have held the lock when this process was forked
            raise Error("the embedded server is the parent process's: start one after the fork, or use mockddb.start()")
        with self._lock:
            if not self._end.alive:
                raise Error(CLOSED)
            if self._inside:
                raise Error("the log function cannot use the server that calls it")
            self._inside = True
            try:
                yield
                if self._problems:
                    raise self._problems.pop()
            finally:
                self._inside = False

    def _body(self) -> bytes:
        return ctypes.string_at(self._reply.body, self._reply.body_len) if self._reply.body_len else b""

    def call(
        self,
        world: str,
        target: str,
        body: bytes,
        region: Optional[str] = None,
        client: Optional[bytes] = None,
        flags: int = 0,
    ) -> Reply:
        """Sends a request of an operation. The world's name is its access key, as with a server."""
        with self._use():
            request, reply = self._request, self._reply
            request.world = request.access_key = world.encode()
            request.target = target.encode()
            request.body, request.body_len = body, len(body)
            request.region = region.encode() if region else None
            request.client, request.flags = client, flags
            result = self._library.mockddb_call(self._pointer, ctypes.byref(request), ctypes.byref(reply))
            if result != OK:
                raise Error(self._problem())
            return Reply(
                reply.status,
                self._body(),
                reply.content_type.decode(),
                reply.flags,
                reply.delay_ms,
                reply.date_skew_ms,
                reply.explanation,
            )

    def verb(self, world: str, method: str, path: str, body: Optional[bytes]) -> Tuple[int, bytes]:
        """Sends a request of a verb (docs/admin-api.md); its status and body."""
        with self._use():
            words = (world.encode(), method.encode(), path.encode(), body, len(body or b""))
            result = self._library.mockddb_verb(self._pointer, *words, ctypes.byref(self._reply))
            if result != OK:
                raise Error(f"{method} {path}: {self._problem()}")
            return self._reply.status, self._body()

    def close(self) -> None:
        """Waits for other threads' requests. Later uses are errors; closing twice is none."""
        if os.getpid() != self._process:
            return
        with self._lock:
            if self._inside:
                raise Error("the log function cannot close the server that calls it")
            self._end()


def request_id() -> str:
    """As long as the service's."""
    return os.urandom(26).hex().upper()
