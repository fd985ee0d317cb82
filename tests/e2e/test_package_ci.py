"""The GitHub Action and the files for GitHub, GitLab and CircleCI in examples/ci: their steps, run as a runner does."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile

from chroots import find_programs, packing
from e2e import PATIENCE, ROOT, Report, equal, run_program, temporary_folder, wait_until

try:
    import yaml
except ImportError:
    yaml = None

BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]  # GitHub's `shell: bash`
SUITE = """
const { AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ACCESS_KEY_ID: key, AWS_REGION: region } = process.env;
async function send(operation, body) {
    const headers = {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `DynamoDB_20120810.${operation}`,
        "x-amz-date": "20260101T000000Z",
        authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/${region}/dynamodb/aws4_request, ` +
            "SignedHeaders=host, Signature=0",
    };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
}
const { TableNames: [table] } = await send("ListTables", {});
await send("DescribeTable", { TableName: table });
if (process.env.SCANS) await send("Scan", { TableName: table });
console.log(`tested ${table} as ${key}`);
"""
REPORT = "mockddb: 2 requests, "


class Runner:
    """Runs the steps of a job as GitHub's runner does; a step that fails skips the others but those of always()."""

    def __init__(self, folder, **environment):
        self.folder = folder
        self.temp = folder / "runner"
        self.temp.mkdir(exist_ok=True)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "X64",
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            **environment,
        }
        self.output = ""
        self.failed = False

    def run(self, script, environment):
        """Runs a script; returns its outputs. What it adds to the environment is there for the next."""
        files = {name: self.temp / name for name in ("GITHUB_ENV", "GITHUB_OUTPUT")}
        for path in files.values():
            path.write_text("")
        path = self.temp / "step.sh"
        path.write_text(script)
        ended = subprocess.run(
            [*BASH, path],
            cwd=self.folder,
            env=self.environment | environment | {name: str(path) for name, path in files.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        self.output += ended.stdout
        self.failed |= ended.returncode != 0
        found = [dict(line.split("=", 1) for line in path.read_text().splitlines()) for path in files.values()]
        self.environment |= found[0]
        return found[1]

    def action(self, folder, given):
        """Runs a composite action; returns its outputs."""
        action = yaml.safe_load((folder / "action.yml").read_text())
        equal(action["runs"]["using"], "composite")
        inputs = {name: given.pop(name, one.get("default")) for name, one in action.get("inputs", {}).items()}
        equal(given, {})
        steps = {}

        def value(text):
            places = {"inputs": inputs, "github": {"action_path": str(folder)}, "steps": steps}

            def look_up(match):
                found = places
                for word in match[1].split("."):
                    found = found[word]
                return found

            return re.sub(r"\$\{\{ (\S+) \}\}", look_up, text)

        for step in action["runs"]["steps"]:
            equal(step["shell"], "bash")
            assert "${{" not in step["run"], "an input must not be part of a script"
            environment = {name: value(text) for name, text in step.get("env", {}).items()}
            steps[step.get("id")] = {"outputs": self.run(step["run"], environment)}
            if self.failed:
                return {}
        return {name: value(one["value"]) for name, one in action.get("outputs", {}).items()}

    def step(self, step):
        if self.failed and step.get("if") != "always()":
            return
        if "run" in step:
            self.run(step["run"], {})
        elif step["uses"].startswith("./"):
            self.action(self.folder / step["uses"], dict(step.get("with", {})))
        else:
            equal(step["uses"].split("@")[0], "actions/checkout")

    def job(self, job):
        for step in job["steps"]:
            self.step(step)
        return self


def ends(runner):
    """Waits until no process of the job's server is there."""
    address = runner.environment.get("MOCKDDB_URL", "").split("//")[-1]

    def gone():
        return run_program(["bash", "-c", f"exec 3<>/dev/tcp/{address.replace(':', '/')}"]).returncode != 0

    wait_until(gone)


def github(report, folder):
    job = yaml.safe_load((ROOT / "examples/ci/github.yml").read_text())["jobs"]["test"]
    with report.case("GitHub: the job tests against the server, and prints what was requested"):
        runner = Runner(folder).job(job)
        equal((runner.failed, runner.output), (False, runner.output))
        for text in ("tested Users as test", REPORT, "DescribeTable", "no=Scan"):
            assert text in runner.output, f"no {text} in {runner.output}"
        assert REPORT in (runner.temp / "summary").read_text()
        equal(runner.environment["AWS_ENDPOINT_URL_DYNAMODB"], runner.environment["MOCKDDB_URL"])
        ends(runner)
    with report.case("GitHub: the report fails where a rule of fail-on is broken"):
        runner = Runner(folder, SCANS="1").job(job)
        equal(runner.failed, True)
        assert "broken  no=Scan" in runner.output and "::error::mockddb: a rule" in runner.output, runner.output
        ends(runner)
    with report.case("GitHub: the report ends the server, too, when the tests fail"):
        runner = Runner(folder).job({**job, "steps": [*job["steps"][:2], {"run": "exit 1"}, job["steps"][-1]]})
        equal(runner.failed, True)
        ends(runner)


def action(report, folder):
    place = folder / ".github/actions/mockddb"
    with report.case("the action: keys that are set stay, quotes in options are a shell's, and the url is an output"):
        runner = Runner(folder, AWS_ACCESS_KEY_ID="mine")
        found = runner.action(place, {"options": "--mask 'card number' --region eu-west-1\n--journal \"5\""})
        equal((runner.failed, runner.output), (False, runner.output))
        equal((found["url"], runner.environment["AWS_ACCESS_KEY_ID"]), (runner.environment["MOCKDDB_URL"], "mine"))
        runner.action(place / "report", {})
        equal(runner.failed, False)
    with report.case("the action: a server that was killed makes the report fail"):
        runner = Runner(folder)
        runner.action(place, {})
        (server,) = run_program(["pgrep", "-f", f"^{place}/bin/linux-x64/mockddb run"]).stdout.split()
        os.kill(int(server), signal.SIGKILL)
        runner.action(place / "report", {})
        equal(runner.failed, True)
    for name, given, environment, text in (
        ("an unknown option", {"options": "--prot 1"}, {}, "did not start: mockddb: unknown option --prot"),
        ("a quote without its end", {"options": "--mask 'a"}, {}, "options has a quote without its end"),
        ("a platform without a program", {}, {"RUNNER_OS": "Windows"}, "no program for Windows-X64 comes with"),
        ("a program that does not exist", {"program": "/no/such"}, {}, "no program /no/such"),
    ):
        with report.case(f"the action refuses {name}, in one line"):
            runner = Runner(folder, **environment)
            runner.action(place, given)
            equal((runner.failed, "MOCKDDB_URL" in runner.environment), (True, False))
            errors = [line for line in runner.output.splitlines() if line.startswith("::error::")]
            equal(len(errors), 1)
            assert text in errors[0], errors
    with report.case("the report without a server is refused"):
        runner = Runner(folder)
        runner.action(place / "report", {})
        assert runner.failed and "started no server" in runner.output, runner.output


def documented(report, folder):
    """docs/ci.md: its commands, and its steps for GitHub, which are those of the example."""
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    job = yaml.safe_load((ROOT / "examples/ci/github.yml").read_text())["jobs"]["test"]
    with report.case("docs/ci.md: the steps for GitHub are the example's"):
        (block,) = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        equal(yaml.safe_load(block), job["steps"][1:])
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for block in blocks:
        with report.case(f"docs/ci.md: {block.splitlines()[0]}"):
            aside = folder / "aside"
            aside.mkdir()
            for name in ("fixtures", "package.json", "suite.mjs"):
                (aside / name).symlink_to(folder / name)
            (archive,) = (folder / "tools").glob("mockddb-action-*")
            shutil.copy(archive, aside)
            path = f"{folder}/.github/actions/mockddb/bin/linux-x64:{os.environ['PATH']}"
            ended = run_program(["bash", "-ec", block], folder=aside, PATH=path, HOME=str(folder))
            equal((ended.returncode, ended.stderr), (0, ended.stderr))
            assert "tested Users" in ended.stdout or (aside / ".github/actions/mockddb/action.yml").is_file()
            shutil.rmtree(aside)


def gitlab(report, folder):
    job = yaml.safe_load((ROOT / "examples/ci/gitlab.yml").read_text())["test"]
    for scans, status in ({}, 0), ({"SCANS": "1"}, 3):
        with report.case(f"GitLab: the job ends with {status} {'where it scans' if scans else ''}"):
            script = "\n".join(["set -eo pipefail", *job["before_script"], *job["script"]])
            ended = run_program(["bash", "-c", script], folder=folder, HOME=str(folder), **scans)
            equal((ended.returncode, REPORT in ended.stderr or bool(scans)), (status, True))
            assert "tested Users" in ended.stdout, ended


def circleci(report, folder):
    job = yaml.safe_load((ROOT / "examples/ci/circleci.yml").read_text())["jobs"]["test"]
    with report.case("CircleCI: each step in a shell of its own, which reads $BASH_ENV"):
        variables = folder / "bash_env"
        variables.write_text("")
        for step in job["steps"]:
            if step == "checkout":
                continue
            ended = run_program(
                ["bash", "-eo", "pipefail", "-c", step["run"]["command"]],
                folder=folder, HOME=str(folder), BASH_ENV=str(variables),
            )
            equal((ended.returncode, ended.stderr), (0, ended.stderr))
        assert "tested Users" in ended.stdout and REPORT in ended.stderr, ended


def prepare(folder, binaries):
    """A repository with a suite, the action and the archive. Returns why not, or None."""
    if not binaries:
        return "there is no release build for x86-64"
    if not yaml:
        return "there is no python3-yaml"
    if not shutil.which("npm"):
        return "npm is not installed"
    for name in ("action", "tarball"):
        words = [sys.executable, "-B", ROOT / f"packages/{name}/pack", binaries, folder / "tools"]
        equal(run_program(words, SOURCE_DATE_EPOCH="1700000000").returncode, 0)
    (folder / ".github/actions").mkdir(parents=True)
    with tarfile.open(folder / f"tools/mockddb-action-{packing.version()}.tar.gz") as archive:
        archive.extractall(folder / ".github/actions")
    shutil.copytree(ROOT / "fixtures/guides-overview", folder / "fixtures")
    (folder / "package.json").write_text(json.dumps({"scripts": {"test": "node suite.mjs"}}))
    (folder / "suite.mjs").write_text(SUITE)
    return None


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        binaries, _ = find_programs(folder)
        why = prepare(folder, binaries)
        if why:
            report.skip("the files for CI", why)
            report.done()
        github(report, folder)
        action(report, folder)
        documented(report, folder)
        gitlab(report, folder)
        circleci(report, folder)
    report.done()


if __name__ == "__main__":
    main()
