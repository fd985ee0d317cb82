"""Runs many commands of the AWS CLI on one start of Python, which is most of what a command costs.

  with Worker(CLI) as worker: worker.install(PATH)   writes a program to PATH that is called as `aws` is
  aws_worker.py SOCKET CLI                           the process that has the CLI's modules

The program sends its arguments, environment, folder and standard files to the process, which forks: a child
takes them and runs the CLI's own main() from start to end. So commands share modules and the files of the
service's model as they were read, and nothing else; two that run at once are two processes. Exit status,
output and what is read from standard input are those of the CLI, which test_aws_worker.py compares.
"""

import contextlib
import gc
import importlib
import inspect
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

# Without site and without modules that are not in the interpreter, it starts in a fortieth of the CLI's time.
PROGRAM = """#!{python} -IS
import _socket, os, sys
path, cli, more = {path!r}, {cli!r}, {more!r}
try:
    for standard in 0, 1, 2:
        os.fstat(standard)
except OSError:  # it is closed, so that it cannot be sent
    os.execv(cli, [cli, *sys.argv[1:], *more])
worker = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
worker.connect(path)
words = [os.fsencode(word) for word in (*sys.argv[1:], *more)]
variables = [name + b"=" + value for name, value in os.environb.items()]
request = b"\\0".join([os.getcwdb(), b"%d" % len(words), *words, *variables])
files = (0).to_bytes(4, "little") + (1).to_bytes(4, "little") + (2).to_bytes(4, "little")
worker.sendmsg([b"%08d" % len(request)], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
worker.sendall(request)
status = int(worker.recv(16) or 255)
if status < 0:
    os.kill(os.getpid(), -status)
os._exit(status)
"""


def interpreter(cli):
    """The Python that runs the CLI, or None where the CLI is another kind of program."""
    with open(cli, "rb") as file:
        first = file.readline(200)
    words = first[2:].split() if first.startswith(b"#!") else ()
    return os.fsdecode(words[0]) if len(words) == 1 and b"python" in words[0] else None


class Worker:
    """The process, which has these variables more. `usable` is False where the CLI is not a Python program."""

    def __init__(self, cli, **variables):
        self.cli = cli
        self.folder = tempfile.mkdtemp(prefix="mockddb-aws-")
        self.path = os.path.join(self.folder, "socket")
        self.python = interpreter(cli) if hasattr(os, "pidfd_open") else None
        self.process = None
        if self.python:
            self.process = subprocess.Popen(
                [self.python, "-B", os.path.abspath(__file__), self.path, cli],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={
                    "HOME": self.folder,
                    "PATH": os.defpath,
                    "LANG": "C.UTF-8",
                    "AWS_ACCESS_KEY_ID": "a",
                    "AWS_SECRET_ACCESS_KEY": "b",
                    "AWS_EC2_METADATA_DISABLED": "true",
                    **{name: value for name, value in os.environ.items() if name.startswith("MOCKDDB_")},
                    **variables,
                },
            )
        self.usable = self.process is not None and self.process.stdout.readline() == b"ready\n"
        self.program = cli  # what acts as the CLI
        if self.usable:
            self.program = os.path.join(self.folder, "aws")
            self.install(pathlib.Path(self.program))

    def install(self, path, *more):
        """Writes the program, which adds `more` to the words of each command."""
        path.write_text(PROGRAM.format(python=self.python, path=self.path, cli=self.cli, more=more))
        path.chmod(0o755)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def receive(connection):
    """The folder, the words, the environment and the standard files of a command."""
    size, files, _, _ = socket.recv_fds(connection, 8, 3)
    left = int(size)
    parts = []
    while left:
        parts.append(connection.recv(left))
        if not parts[-1]:
            os._exit(1)  # the caller is gone
        left -= len(parts[-1])
    folder, count, *rest = b"".join(parts).split(b"\0")
    words, variables = rest[: int(count)], rest[int(count) :]
    return folder, words, dict(variable.split(b"=", 1) for variable in variables), files


def first_variables(environment):
    """What Python and the CLI's modules read when they start; another value needs another start."""
    wanted = (b"LANG", b"LC_", b"PYTHON", b"AWS_DATA_PATH")
    alike = (b"PYTHONUNBUFFERED", b"PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in environment.items() if name.startswith(wanted) and name not in alike}


def become(cli, first, folder, words, environment, files):
    """Makes this process the command's. Where it needs another start of Python, that is the CLI itself."""
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environb.update(environment)
    # The place of aliases is a default argument in the CLI, so a command of a user who has some is a new start as well.
    if first_variables(environment) != first or os.path.exists(os.path.expanduser("~/.aws/cli/alias")):
        os.execve(cli, [cli, *words], environment)
    time.tzset()
    sys.argv = [cli, *map(os.fsdecode, words)]


def keep(connection, child):
    """Sends the command's status when it ends; ends it when its caller is gone."""
    handle = os.pidfd_open(child)
    if connection in select.select([connection, handle], [], [])[0]:
        os.kill(child, signal.SIGTERM)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(OSError):
        connection.sendall(b"%d" % status)


def remember(owner, name, key):
    """Makes a method of botocore that reads files read them once; a command's process has a copy of what was read."""
    read, known = getattr(owner, name), {}

    def remembering(self, *words, **named):
        place = key(self), words, tuple(named.items())
        if place not in known:
            known[place] = read(self, *words, **named)
        return known[place]

    setattr(owner, name, remembering)


def paths_in_home():
    """(owner, name, path with ~) of what modules and classes keep of the home folder since they were loaded."""
    home = os.path.expanduser("~/")
    for module in list(sys.modules.values()):
        for owner in (module, *filter(inspect.isclass, vars(module).values())):
            for name, value in list(vars(owner).items()):
                if isinstance(value, str) and value.startswith(home):
                    yield owner, name, "~/" + value[len(home) :]


def warm_up():
    """Loads the modules and files that a command for DynamoDB needs, and returns the CLI's main()."""
    clidriver = importlib.import_module("awscli.clidriver")
    loaders = importlib.import_module("botocore.loaders")
    remember(loaders.JSONFileLoader, "load_file", lambda _: None)
    remember(loaders.Loader, "list_available_services", lambda loader: tuple(loader.search_paths))
    logging = getattr(clidriver, "disable_crt_logging", None)  # it starts a thread; AWS CLI 1 has none
    clidriver.disable_crt_logging = lambda: None
    words = ["dynamodb", "list-tables", "--region", "us-east-1", "--generate-cli-skeleton", "output"]
    clidriver.create_clidriver().main(words)
    clidriver.disable_crt_logging = logging
    if len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("the CLI has started a thread, so this process must not fork")
    models, homes = os.environ["AWS_DATA_PATH"], list(paths_in_home())

    def run():
        os.environ["AWS_DATA_PATH"] = models  # where its modules put it
        for owner, name, path in homes:
            setattr(owner, name, os.path.expanduser(path))
        return clidriver.main()

    return run


def reap(*_):
    """Takes the keepers that have ended, so that their processor time is counted."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def main():
    path, cli = sys.argv[1:]
    first = first_variables(dict(os.environb))
    ready = os.dup(1)
    os.dup2(0, 1)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    run = warm_up()
    gc.freeze()
    os.write(ready, b"ready\n")
    os.close(ready)
    signal.signal(signal.SIGCHLD, reap)
    while True:
        connection, _ = listening.accept()
        if os.fork():
            connection.close()
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        listening.close()
        command = receive(connection)
        child = os.fork()
        if child:
            for file in command[-1]:
                os.close(file)
            keep(connection, child)
            os._exit(0)
        connection.close()
        become(cli, first, *command)
        return run()


if __name__ == "__main__":
    sys.exit(main())
