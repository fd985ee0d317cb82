"""mockddb, an offline DynamoDB server, for Python programs and tests.

    with mockddb.start(fixtures=["tests/fixture"]) as server:
        server.client().put_item(TableName="Orders", Item={"id": {"S": "1"}})

`mockddb.embedded` has the server within this process. The wheel has the program; there is nothing else to install.
docs/pip.md has the pytest plugin.
"""

from .embedding import Embedded, EmbeddedWorld, embedded
from .program import Error, find_program
from .server import Server, start
from .world import Clock, Credentials, Faults, Journal, World

__version__ = "0.0.0"
__all__ = [
    "Clock",
    "Credentials",
    "Embedded",
    "EmbeddedWorld",
    "Error",
    "Faults",
    "Journal",
    "Server",
    "World",
    "embedded",
    "find_program",
    "start",
]
