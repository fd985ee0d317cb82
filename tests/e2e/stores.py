"""Where the servers of a test that ends them keep their tables: in a file, or in a schema of a PostgreSQL database of the
test's own, with $MOCKDDB_TEST_STORE=postgresql."""

import contextlib
import os
import pathlib

import postgres
from e2e import temporary_folder
from invariants import check_invariants

WORKERS = os.environ.get("MOCKDDB_TEST_WORKERS")  # processes of a server; without it, one
IN_DATABASE = os.environ.get("MOCKDDB_TEST_STORE") == "postgresql"


class Place:
    """A folder for what a test writes, and the `options` that make a server keep its tables there."""

    def __init__(self, folder, cluster):
        self.folder, self.cluster = pathlib.Path(folder), cluster
        self.schemas = []
        self.path = None if cluster else self.folder / "trial.db"
        self.options = self.new("trial", "--db", str(self.path))

    def new(self, schema, *otherwise):
        """The options for a new schema; for tables that are not in a database, `otherwise`."""
        if not self.cluster:
            return otherwise
        self.schemas.append(schema)
        workers = ("--workers", WORKERS) if WORKERS else ()
        return ("--store", postgres.make_schema(self.cluster, schema), *workers)

    def end_database(self):
        """Ends the database in the middle of what it does, and starts it again; a file has none."""
        if self.cluster:
            self.cluster.stop("immediate")
            self.cluster.start()

    def check(self):
        """The rows of its schemas fit together, while a server changes them as well."""
        for schema in self.schemas:
            check_invariants(self.cluster, schema)


@contextlib.contextmanager
def place(report):
    """A Place for one test. Where no PostgreSQL server is installed, the report ends here, with one line."""
    if IN_DATABASE and not postgres.binaries():
        report.lack("a store in PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    with postgres.Cluster() if IN_DATABASE else contextlib.nullcontext() as cluster, temporary_folder() as folder:
        yield Place(folder, cluster)
