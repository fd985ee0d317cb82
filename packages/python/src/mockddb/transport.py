"""Requests of botocore's clients answered in this process: no socket is opened. Signing, which nobody would check, is left
out; retries, waiters, paging and errors stay botocore's."""

import email.utils
import io
import time
import zlib
from typing import Any, Dict, Iterator, Optional

from .library import ASIDE, CUT, DROPPED, EXPLAIN, WRONG_CRC, Handle, Reply, request_id
from .program import Error

NOTE = "x-mockddb-embedded"  # a header between this module's two hooks: region and seconds until a timeout
FLAGS = {"x-mockddb-aside": ASIDE, "x-mockddb-explain": EXPLAIN}
CLIENT_BYTES = 64  # of its name in the journal, as with a server


class _Body(io.BytesIO):
    """What botocore reads of a response."""

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield self.read()


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


class Transport:
    """Answers the requests of clients for one world."""

    def __init__(self, handle: Handle, world: str) -> None:
        self._handle = handle
        self._world = world

    def attach(self, events: Any, service: str) -> None:
        """Takes over what an emitter of events sends to a service: a client's emitter, or a session's, which its later
        clients copy. An earlier world's hooks are taken out: each handler of an event is called."""
        hooks = (
            (events.register_first, "choose-signer", self._sign_nothing),
            (events.register_last, "before-sign", self._note),
            (events.register_first, "before-send", self._send),
        )
        for register, name, hook in hooks:
            events.unregister(f"{name}.{service}", unique_id=f"mockddb-{name}-{service}")
            register(f"{name}.{service}", hook, unique_id=f"mockddb-{name}-{service}")

    def _sign_nothing(self, **_: Any) -> Any:
        import botocore  # pylint: disable=import-outside-toplevel # only who has it gets here

        return botocore.UNSIGNED

    def _note(self, request: Any, region_name: Optional[str] = None, **_: Any) -> None:
        config = request.context.get("client_config")
        del request.headers[NOTE]
        request.headers[NOTE] = f"{region_name or ''} {getattr(config, 'read_timeout', None) or 'none'}"

    def _send(self, request: Any, **_: Any) -> Any:
        from botocore import awsrequest, exceptions  # pylint: disable=import-outside-toplevel

        headers = request.headers
        region, timeout = _text(headers.get(NOTE, " none")).split(" ")
        target = headers.get("X-Amz-Target")
        if target is None:
            raise Error("an embedded server answers the JSON protocol of DynamoDB only: use mockddb.start()")
        flags = sum(flag for name, flag in FLAGS.items() if _text(headers.get(name)).lower() == "true")
        agent = _text(headers.get("User-Agent", "")).encode("latin-1", "replace")
        body = request.body or b""
        reply = self._handle.call(
            self._world,
            _text(target),
            body.encode() if isinstance(body, str) else bytes(body),
            region or None,
            agent.split(b" ")[0][:CLIENT_BYTES] or None,
            flags,
        )
        if reply.delay_ms:
            seconds = reply.delay_ms / 1000
            if timeout != "none" and seconds > float(timeout):
                time.sleep(float(timeout))
                raise exceptions.ReadTimeoutError(endpoint_url=request.url, error="the reply is delayed by a fault rule")
            time.sleep(seconds)
        if reply.flags & (DROPPED | CUT):
            raise exceptions.ConnectionClosedError(endpoint_url=request.url, request=request)
        return awsrequest.AWSResponse(request.url, reply.status, _headers(reply), _Body(reply.body))


def _headers(reply: Reply) -> Dict[str, str]:
    crc = zlib.crc32(reply.body) ^ (1 if reply.flags & WRONG_CRC else 0)
    headers = {
        "Server": "Server",
        "Date": email.utils.formatdate(time.time() + reply.date_skew_ms / 1000, usegmt=True),
        "Content-Type": reply.content_type,
        "Content-Length": str(len(reply.body)),
        "x-amzn-RequestId": request_id(),
        "x-amz-crc32": str(crc),
    }
    if reply.explanation:
        headers["x-mockddb-explain"] = str(reply.explanation)
    return headers
