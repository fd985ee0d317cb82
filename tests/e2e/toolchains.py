"""What the tests of packages and clients in other languages share: whether a toolchain can be used here, the packed
files, and test programs whose results become cases."""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import xml.etree.ElementTree

from e2e import BINARY, PATIENCE, ROOT, equal, wait_until

PLATFORM = "linux-x64" if os.uname().machine == "x86_64" else "linux-arm64"


def run(words, folder, timeout=PATIENCE, **environment):
    """Runs a program to its end. A variable that is None is left out of its environment."""
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment_with(**environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def environment_with(**changes):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MOCKDDB"))}
    kept["MOCKDDB_TEST_PROGRAM"] = os.environ.get("MOCKDDB_TEST_PROGRAM", "")
    return {name: str(value) for name, value in (kept | changes).items() if value is not None}


def succeeds(ended):
    if ended.returncode:
        raise AssertionError(f"exit status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended


def installed(folder, packages, command):
    """The folder that command fills with packages of a registry, once; None where that is not possible."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder / "installed"
    wanted = "\n".join(packages)
    with open(folder.with_name(f"{folder.name}.lock"), "w") as lock:  # tests run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.is_file() and done.read_text() == wanted:
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        try:
            ended = run(command, ROOT)
        except subprocess.TimeoutExpired:
            return None
        if ended.returncode:
            print(*(f"# {line}" for line in ended.stderr.splitlines()[:3]), sep="\n")  # why
            return None
        done.write_text(wanted)
        return folder


def binaries(folder, platform=PLATFORM):
    """A folder for a pack script, with the program under test as this platform's."""
    (folder / platform).mkdir(parents=True)
    shutil.copy(BINARY, folder / platform / "mockddb")
    return folder


def pack(package, binary_folder, out):
    return run([ROOT / "packages" / package / "pack", binary_folder, out], ROOT, SOURCE_DATE_EPOCH="1767225600")


def pack_cases(report, package, folder):
    """Packs twice; returns the folder of the packed files."""
    programs = binaries(folder / "programs")
    out = folder / "packed"
    with report.case(f"{package}: packing names the platforms that are left out, one a line"):
        ended = succeeds(pack(package, programs, out))
        lines = [line for line in ended.stderr.splitlines() if " is left out: " in line]
        equal((len(lines), ended.stderr.count("\n")), (3, 3))
    with report.case(f"{package}: packing again gives the same bytes"):
        succeeds(pack(package, programs, folder / "again"))
        equal(sums(folder / "again"), sums(out))
        assert sums(out), "nothing was packed"
    with report.case(f"{package}: without a program nothing is packed"):
        (folder / "empty").mkdir()
        ended = pack(package, folder / "empty", folder / "none")
        equal((ended.returncode, ended.stderr.splitlines()[-1]), (1, f"no program in {folder / 'empty'}"))
        assert not (folder / "none").exists()
    return out


def sums(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def kill_case(report, name, command, folder, **environment):
    """Kills a program that prints a server's URL and then waits; no server may be left."""
    with report.case(name):
        with subprocess.Popen(
            command, cwd=folder, env=environment_with(**environment), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as process:
            try:
                printed = []
                for line in process.stdout:
                    printed.append(line)
                    if url := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                        break
                else:
                    raise AssertionError("".join(printed))
                port = int(url[1])
                assert answers(port), f"no server on port {port}"
            finally:
                process.send_signal(signal.SIGKILL)
            process.wait()
        wait_until(lambda: not answers(port))


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE):
        return True
    return False


# --- Go --------------------------------------------------------------------------------------------------------------

GO_RESULT = re.compile(r"^--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)


def go_settings():
    """Where Go keeps what it has fetched and built; None without Go."""
    if not shutil.which("go"):
        return None
    names = ("GOCACHE", "GOMODCACHE", "GOROOT")
    return dict(zip(names, subprocess.check_output(["go", "env", *names], text=True).split()))


def go_tests(report, what, folder, at_least, **environment):
    """Runs the tests of a module; each is a case."""
    ended = run(["go", "test", "-v", "-count=1", "-trimpath", "./..."], folder, **environment)
    printed = ended.stdout + ended.stderr
    results = GO_RESULT.findall(ended.stdout)
    for result, name in results:
        if result == "PASS":
            report.line("ok", f"{what}: {name}")
        else:
            report.fail(f"{what}: {name}", printed)
    with report.case(f"{what}: go test ends well, and ran its tests"):
        succeeds(ended)
        assert len(results) >= at_least, printed


# --- Java ------------------------------------------------------------------------------------------------------------

MAVEN = ["mvn", "-B", "-ntp", "-q"]
KEPT = pathlib.Path.home() / ".m2/repository"  # where Maven keeps what it has fetched
SETTINGS = """<settings>
  <localRepository>{home}/repository</localRepository>
  <mirrors><mirror><id>kept</id><mirrorOf>central</mirrorOf><url>file://{kept}</url></mirror></mirrors>
  <profiles><profile><id>packed</id>
    <repositories><repository><id>packed</id><url>file://{packed}/maven</url></repository></repositories>
  </profile></profiles>
  <activeProfiles><activeProfile>packed</activeProfile></activeProfiles>
</settings>
"""


def why_no_java():
    """Why nothing of Java can be run here, or None."""
    for name in ("java", "javac", "mvn"):
        if not shutil.which(name):
            return f"there is no {name}"
    return None


def copy_sources(package, folder):
    """Copies a folder of the repository without what Maven has built in it."""
    shutil.copytree(ROOT / package, folder, ignore=shutil.ignore_patterns("target"))
    return folder


def maven_fetch(pom, folder):
    """Lets Maven fetch what a project needs except mockddb; returns why it cannot, or None."""
    folder.mkdir()
    text = pom.read_text(encoding="utf-8")
    text = re.sub(r" *<dependency>\s*<groupId>io\.github\.mockddb</groupId>.*?</dependency>\n", "", text, flags=re.DOTALL)
    (folder / "pom.xml").write_text(text)
    for name, function in (("java/FetchTest.java", "void runs()"), ("kotlin/FetchKotlinTest.kt", "fun runs()")):
        test = folder / "src/test" / name
        test.parent.mkdir(parents=True)
        test.write_text(f"class {test.stem} {{ @org.junit.jupiter.api.Test {function} {{}} }}\n")
    return why_not_fetched(run([*MAVEN, "test"], folder))


def why_not_fetched(ended):
    """What Maven says that it cannot fetch, or None."""
    missing = re.search(r"Could not (?:resolve|transfer|find artifact)|PluginResolutionException|Non-resolvable", ended.stdout + ended.stderr)
    return missing and missing.string[missing.start() :][:200].splitlines()[0]


def maven_tests(report, what, folder, at_least, *options, **environment):
    """Runs the tests of a project and its modules; each is a case."""
    ended = run([*MAVEN, *options, "test"], folder, **environment)
    count = 0
    for path in sorted(folder.rglob("target/surefire-reports/TEST-*.xml")):
        for case in xml.etree.ElementTree.parse(path).iter("testcase"):
            name = f"{what}: {case.get('classname').rpartition('.')[2]}.{case.get('name')}"
            problem = next((one for one in (case.find("failure"), case.find("error")) if one is not None), None)
            count += 1
            if problem is None:
                report.line("ok", name)
            else:
                report.fail(name, problem.text or problem.get("message"))
    with report.case(f"{what}: Maven ends well, and ran its tests"):
        succeeds(ended)
        assert count >= at_least, ended.stdout


# --- Rust ------------------------------------------------------------------------------------------------------------

CARGO_RESULT = re.compile(r"^test (\S+) \.\.\. (ok|FAILED)$", re.MULTILINE)


def cargo_tests(report, what, folder, at_least, **environment):
    """Runs the tests of a crate; each is a case."""
    ended = run(["cargo", "test", "--no-fail-fast"], folder, **environment)
    results = CARGO_RESULT.findall(ended.stdout)
    for name, result in results:
        if result == "ok":
            report.line("ok", f"{what}: {name}")
        else:
            report.fail(f"{what}: {name}", ended.stdout)
    with report.case(f"{what}: cargo test ends well, and ran its tests"):
        succeeds(ended)
        assert len(results) >= at_least, ended.stdout + ended.stderr
