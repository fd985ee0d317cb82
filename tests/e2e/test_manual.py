"""The manual page and the shell completions that the program writes from its tables of options."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time

from e2e import BINARY, PATIENCE, PROGRAMS, Report, clean_environment, equal, outcome, run_program, temporary_folder

COMMANDS = ("serve", "run", "try", "ctl", "check", "import", "export", "push", "pull", "healthcheck")
CLIENTS = ("ddb-capture", "ddb-json", "ddb-patterns", "ddb-stream-lambda")
FILES = ("shop.db", "shop.jsonl")  # in the folder in which shells complete

# A command line, the completions that must be among those offered, and those that must not be.
LINES = [
    ("mockddb ", {*COMMANDS, "help"}, {"--port", "journal"}),
    ("mockddb im", {"import"}, {"push"}),
    ("mockddb --re", {"--read-only", "--regions", "--replica-lag-ms"}, {"--port", "--rate"}),
    ("mockddb -in", {"-inMemory"}, {"-port"}),
    ("mockddb run --re", {"--read-only"}, {"--rate"}),
    ("mockddb push --re", {"--region"}, {"--read-only"}),
    ("mockddb push --yes --ra", {"--rate"}, {"--read-only"}),
    ("mockddb --worlds ", {"by-header", "by-access-key"}, {"run", "shop.db"}),
    ("mockddb run --worlds by-a", {"by-access-key"}, {"by-header"}),
    ("mockddb --db sh", {"shop.db"}, {"--db"}),
    ("mockddb import sh", {"shop.db", "shop.jsonl"}, {"serve"}),
    ("mockddb import shop.jsonl --ta", {"--table"}, {"--tls-cert"}),
    ("mockddb run -- ech", {"echo"}, {"--explain"}),
    ("mockddb ctl ", {"clock", "reset", "snapshots", "worlds"}, {"METHOD", "clear"}),
    ("mockddb ctl --wor", {"--world"}, {"--worlds"}),
    ("mockddb help jo", {"journal"}, {"run"}),
    ("mockddb help man", {"man"}, {"all"}),
]


def text_of(*words):
    ended = run_program([BINARY, "help", *words])
    equal((ended.returncode, ended.stderr), (0, ""))
    return ended.stdout


def options_of(command):
    return sorted(set(re.findall(r"^  (--?[a-zA-Z][\w-]*)", text_of(command), re.MULTILINE)))


def page(report, folder):
    everything = text_of("all")
    source = text_of("man")
    plain = source.replace("\\-", "-").replace("\\(aq", "'").replace("\\(dq", '"')
    with report.case("the manual page has each option, command and verb with its help"):
        for name in re.findall(r"^  (--?[a-zA-Z][\w-]*)", everything, re.MULTILINE):
            assert f"\n.TP\n\\fB{name}\\fR" in plain, f"no {name}"
        for name in COMMANDS:
            assert f"\n.TP\n\\fB{name}\\fR" in plain, f"no {name}"
        for verb in re.findall(r"^  (\S.*?)  ", run_program([BINARY, "ctl", "help"]).stdout, re.MULTILINE):
            assert f"\\fB{verb}\\fR" in plain, f"no {verb}"
        assert "\nlisten on this port (8000); 0 takes a free one\n" in plain, plain
    with report.case("the manual page is ASCII, and no text of it is read as a request of the formatter"):
        assert source.isascii()
        requests = {line.split()[0] for line in source.splitlines() if line[:1] in (".", "'")}
        equal(requests - {".TH", ".SH", ".SS", ".TP", ".B", ".nf", ".fi"}, set())
    path = folder / "mockddb.1"
    path.write_text(source)
    if not shutil.which("mandoc"):
        report.skip("mandoc finds nothing to warn of", "mandoc is not installed")
    else:
        with report.case("mandoc finds nothing to warn of but the missing date"):
            found = run_program(["mandoc", "-T", "lint", "-W", "warning", path]).stdout
            equal([line for line in found.splitlines() if "missing date" not in line], [])
    if not shutil.which("groff"):
        report.skip("groff prints the page as it is meant", "groff is not installed")
        return
    with report.case("groff prints the page as it is meant"):
        ended = run_program(["groff", "-man", "-Tutf8", "-ww", "-P-c", path], MANWIDTH="80")
        printed = re.sub(r"\x1b\[[\d;]*m|.\x08", "", ended.stdout)
        equal((ended.returncode, ended.stderr), (0, ""))
        examples = ("mockddb run --fail-on no=Scan -- pytest", 'mockddb try "SELECT * FROM Orders"')
        for text in ("--port N", "run -- COMMAND …", "the certificate's key (PEM)", *examples):
            assert text in printed, f"no {text} in {printed}"


def in_bash(folder, line):
    """What bash would offer at the end of the line: COMP_WORDS as readline splits it."""
    name = line.split()[0]
    words = re.findall(r"=|[^\s=]+", line) + ([""] if line[-1] in " =" else [])
    script = f"""
        source ./{name}.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _{name}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    ended = run_program(["bash", "-c", script, "bash", *words], folder=folder)
    equal((ended.returncode, ended.stderr), (0, ""))
    return set(ended.stdout.split())


def in_fish(folder, line):
    ended = run_program(
        ["fish", "--no-config", "-c", f"source {line.split()[0]}.fish; complete -C $argv[1]", line],
        folder=folder,
        HOME=str(folder),
    )
    equal((ended.returncode, ended.stderr), (0, ""))
    return {offer.split("\t")[0] for offer in ended.stdout.splitlines()}


class Typist:
    """A shell at a terminal; a context manager that ends it."""

    def __init__(self, command, folder):
        self.master, side = pty.openpty()
        environment = clean_environment(HOME=str(folder), TERM="dumb", PS1="READY> ")
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=side, stdout=side, stderr=side, start_new_session=True
        )
        os.close(side)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def type(self, text):
        os.write(self.master, text.encode())

    def read_until(self, *texts):
        """Reads what the shell prints until each text is in it."""
        seen = ""
        until = time.monotonic() + PATIENCE
        while not all(text in seen for text in texts):
            ready, _, _ = select.select([self.master], [], [], max(0, until - time.monotonic()))
            assert ready, f"no {texts} in {seen!r}"
            seen += os.read(self.master, 65536).decode(errors="replace")
        return seen


def typed(report, shell, command, folder, prepare):
    """The words that Tab adds and lists at a terminal."""
    with report.case(f"{shell}: Tab completes at a terminal"), Typist(command, folder) as typist:
        typist.read_until("READY>")
        typist.type(f"{prepare}; echo prep''ared\n")
        typist.read_until("prepared")
        typist.type("mockddb --read-o\t")
        typist.read_until("mockddb --read-only")
        typist.type("\x15mockddb --world\t\t")
        typist.read_until("--worlds-memory", "--world-template", "--world-idle-s")
        typist.type("\x15mockddb --worlds=by-a\t")
        typist.read_until("by-access-key")
        typist.type("\x15mockddb import shop.j\t")
        typist.read_until("shop.jsonl")


def completions(report, folder):
    for shell in ("bash", "zsh", "fish"):
        script = text_of("completion", shell)
        (folder / f"mockddb.{shell}").write_text(script)
        with report.case(f"{shell}: each option of each command is in the script"):
            for command in COMMANDS:
                for option in options_of(command):
                    name = option.lstrip("-") if shell == "fish" else option
                    assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", script), f"no {option}"
        if not shutil.which(shell):
            report.skip(f"{shell}: completes", f"{shell} is not installed")
            continue
        with report.case(f"{shell}: the script has no syntax error"):
            ended = run_program([shell, "-n", folder / f"mockddb.{shell}"])
            equal((ended.returncode, ended.stderr), (0, ""))
        offers = {"bash": in_bash, "fish": in_fish}.get(shell)
        for line, expected, others in LINES if offers else ():
            with report.case(f"{shell}: {line!r}"):
                offered = offers(folder, line)
                equal((expected - offered, others & offered), (set(), set()))
        if shell == "bash":
            with report.case("bash: a value after an equals sign"):
                equal(in_bash(folder, "mockddb --worlds=by-a"), {"by-access-key"})
                equal(in_bash(folder, "mockddb --worlds="), {"by-access-key", "by-header"})
            with report.case("bash: each command offers exactly its options"):
                for command in COMMANDS:
                    equal(sorted(in_bash(folder, f"mockddb {command} -")), options_of(command))
            typed(report, shell, ["bash", "--norc", "--noprofile", "-i"], folder, "source mockddb.bash")
        if shell == "zsh":
            prepare = "autoload -U compinit && compinit -D -u && source ./mockddb.zsh"
            typed(report, shell, ["zsh", "-f", "-i"], folder, prepare)


def clients(report, folder):
    """The pages and completions of the programs ddb-…, which have options but no commands."""
    for client in CLIENTS:
        program = PROGRAMS / client

        def text(*words):
            ended = run_program([program, "--help", *words])  # pylint: disable=cell-var-from-loop
            equal((ended.returncode, ended.stderr), (0, ""))
            return ended.stdout

        options = sorted(set(re.findall(r"^  (--?[a-zA-Z][\w-]*)", text(), re.MULTILINE)))
        with report.case(f"{client}: the manual page has each option"):
            path = folder / f"{client}.1"
            path.write_text(text("man"))
            plain = path.read_text().replace("\\-", "-")
            assert plain.isascii() and plain.startswith(f".TH {client.upper()} 1 "), plain
            equal([name for name in options if f"\n.TP\n\\fB{name}\\fR" not in plain], [])
            if shutil.which("mandoc"):
                found = run_program(["mandoc", "-T", "lint", "-W", "warning", path]).stdout
                equal([line for line in found.splitlines() if "missing date" not in line], [])
        for shell in ("bash", "zsh", "fish"):
            script = folder / f"{client}.{shell}"
            script.write_text(text("completion", shell))
            if not shutil.which(shell):
                report.skip(f"{client}: {shell}", f"{shell} is not installed")
                continue
            with report.case(f"{client}: {shell}"):
                equal(outcome(run_program([shell, "-n", script])), (0, "", ""))
                for name in options:
                    assert (name.lstrip("-") if shell == "fish" else name) in script.read_text(), f"no {name}"
                if shell != "zsh":
                    offered = (in_bash if shell == "bash" else in_fish)(folder, f"{client} --")
                    equal(sorted(offered), options)
    for shell, offers in (("bash", in_bash), ("fish", in_fish)):
        if shutil.which(shell):
            with report.case(f"{shell}: files, and words of an option"):
                equal(offers(folder, "ddb-json shop.j"), {"shop.jsonl"})
                equal(offers(folder, "ddb-json shop.db shop.j"), {"shop.jsonl"})
                expected = {"TRIM_HORIZON", "LATEST"}
                equal(offers(folder, "ddb-stream-lambda --starting-position "), expected)


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        for name in FILES:
            (folder / name).touch()
        page(report, folder)
        completions(report, folder)
        clients(report, folder)
    for words in (["completion"], ["completion", "csh"]):
        with report.case(f"refused: help {' '.join(words)}"):
            ended = run_program([BINARY, "help", *words])
            equal((ended.returncode, ended.stdout), (2, ""))
            equal(ended.stderr, "mockddb: help completion needs a shell: bash, zsh or fish\n")
    report.done()


if __name__ == "__main__":
    main()
