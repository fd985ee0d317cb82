"""examples/scale-out: the Compose file, the load balancer's configuration and the Kubernetes manifest, without an engine.

The manifest is checked against Kubernetes' published schemas (kubernetes-validate, which has them in it). Compose's own
check runs where `docker compose` is; everywhere, all that the file names is looked up: services, volumes, files, options
of mockddb. The commands of the file then run as they are written, at addresses of this machine.
"""

import re
import shlex
import shutil
import socket
import subprocess
import sys
import time

import yaml

import postgres
from e2e import BINARY, PATIENCE, ROOT, Report, Running, Server, equal, run_program, temporary_folder, wait_until
from fleet import PROCESSES
from toolchains import installed

FOLDER = ROOT / "examples/scale-out"
VALIDATOR = "kubernetes-validate==1.37.0"
KUBERNETES = "1.31"  # whose schemas are used
URL = "postgresql://app@database/app?schema=team_a"


def compose():
    return yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))


def manifests():
    return list(yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text(encoding="utf-8")))


def containers():
    """(manifest's kind, container) of all that run something."""
    for one in manifests():
        for container in one["spec"].get("template", {}).get("spec", {}).get("containers", []):
            yield one["kind"], container


def commands():
    """mockddb's command lines in the files."""
    found = [shlex.split(one["command"]) for one in compose()["services"].values() if one["image"] == "mockddb"]
    return found + [container["args"] for _, container in containers()]


def test_compose(report):
    services = compose()["services"]
    if shutil.which("docker") and not subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
        with report.case("docker compose takes the file"):
            ended = run_program(["docker", "compose", "config", "-q"], folder=FOLDER, DATABASE_PASSWORD="secret")
            equal((ended.returncode, ended.stderr), (0, ""))
    else:
        print("# docker compose is not here: what the file names is looked up, and its commands run")
    with report.case("Compose: each service, volume and file that is named exists"):
        for name, service in services.items():
            waits = service.get("depends_on", {})
            equal((name, set(waits) - services.keys()), (name, set()))
            equal("image" in service, True)
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                equal((FOLDER / source).exists() if source.startswith(".") else source in compose()["volumes"], True)
    with report.case("Compose: three servers, and the balancer has each of them and no other"):
        servers = {name for name, one in services.items() if "--store" in one.get("command", "")}
        config = (FOLDER / "haproxy.cfg").read_text(encoding="utf-8")
        equal((len(servers), set(re.findall(r"^ +server \w+ (\w+):8000$", config, re.MULTILINE))), (3, servers))


def test_kubernetes(report, folder):
    with report.case("Kubernetes: servers, their service and their budget select the same pods"):
        kinds = {one["kind"]: one for one in manifests()}
        pods = kinds["Deployment"]["spec"]["template"]["metadata"]["labels"]
        equal(kinds["Service"]["spec"]["selector"], pods)
        for kind in ("Deployment", "PodDisruptionBudget"):
            equal(kinds[kind]["spec"]["selector"]["matchLabels"], pods)
        (container,) = kinds["Deployment"]["spec"]["template"]["spec"]["containers"]
        equal(container["readinessProbe"]["httpGet"]["path"], "/_mockddb/health")
    place = ROOT / "build/python/kubernetes-validate"
    command = [sys.executable, "-m", "pip", "install", "-q", "--target", place, VALIDATOR]
    if not installed(place, [VALIDATOR], command):
        report.skip("Kubernetes' schemas", "kubernetes-validate cannot be fetched")
        return

    def validated(path):
        words = ["-m", "kubernetes_validate", "--strict", "-k", KUBERNETES, path]
        ended = run_program([sys.executable, *words], PYTHONPATH=str(place))
        return ended.returncode, ended.stdout + ended.stderr

    with report.case(f"Kubernetes: the manifest is one by the schemas of {KUBERNETES}"):
        status, text = validated(FOLDER / "kubernetes.yaml")
        equal((status, text.count("passed")), (0, len(manifests())))
    with report.case("Kubernetes: a member that does not exist is noticed"):
        bad = folder / "bad.yaml"
        bad.write_text((FOLDER / "kubernetes.yaml").read_text(encoding="utf-8").replace("replicas: 3", "replica: 3"))
        status, text = validated(bad)
        equal((status, "'replica' was unexpected" in text), (1, True))


def test_commands(report):
    help_text = run_program([BINARY, "--help"]).stdout + run_program([BINARY, "serve", "--help"]).stdout
    for words in commands():
        with report.case(f"mockddb {' '.join(words)}: its options exist"):
            if words[0] == "store":
                equal(words, ["store", "init", URL])
            else:
                equal([word for word in words if word.startswith("--") and word not in help_text], [])


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Balanced:
    """A program that is the balancer of servers, with the example's configuration at other addresses."""

    def __init__(self, folder, ports):
        self.port = free_port()
        config = (FOLDER / "haproxy.cfg").read_text(encoding="utf-8").replace("bind :8000", f"bind 127.0.0.1:{self.port}")
        for number, port in enumerate(ports):
            config = config.replace(f"mockddb{number + 1}:8000", f"127.0.0.1:{port}")
        self.path = folder / "haproxy.cfg"
        self.path.write_text(config)
        self.url = f"http://127.0.0.1:{self.port}"

    post, call = Server.post, Server.call


def test_running(report, folder):
    """Three servers, the balancer before them; one server ends, and one that has no database gets no request."""
    with postgres.Cluster() as cluster:
        url = cluster.url("team_a")
        (words,) = {tuple(words) for words in commands()[1:] if "--store" in words and words[0] == "--store"}
        words = [url if word == URL else word for word in words]
        equal(run_program([BINARY, "store", "init", url]).returncode, 0)
        servers = [Server(*words) for _ in range(3)]
        balanced = Balanced(folder, [server.port for server in servers])
        equal(run_program(["haproxy", "-c", "-q", "-f", balanced.path]).returncode, 0)
        with Running(["haproxy", "-db", "-f", balanced.path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            wait_until(lambda: answers(balanced.port))
            table = {
                "TableName": "Shared",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "BillingMode": "PAY_PER_REQUEST",
            }
            with report.case("three servers behind the balancer have the same tables and items"):
                balanced.call("CreateTable", table)
                for number in range(30):
                    balanced.call("PutItem", {"TableName": "Shared", "Item": {"pk": {"S": str(number)}}})
                    key = {"TableName": "Shared", "Key": {"pk": {"S": str(number)}}, "ConsistentRead": True}
                    equal(balanced.call("GetItem", key), {"Item": {"pk": {"S": str(number)}}})
                equal([one.call("Scan", {"TableName": "Shared"})["Count"] for one in servers], [30] * 3)
            with report.case("a server ends: the others have its requests, and at most those under way fail"):
                servers.pop().kill()
                statuses = [balanced.post("Scan", {"TableName": "Shared"})[0] for _ in range(30)]
                equal(set(statuses) - {200, 502, 503}, set())
                wait_until(lambda: {balanced.post("Scan", {"TableName": "Shared"})[0] for _ in range(6)} == {200})
            running.terminate()
            running.wait(PATIENCE)
        for server in servers:
            server.stop()


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE):
            return True
    except OSError:
        time.sleep(0.02)
        return False


def main():
    report = Report()
    with temporary_folder() as name:
        folder = type(FOLDER)(name)
        test_compose(report)
        test_kubernetes(report, folder)
        test_commands(report)
        if not shutil.which("haproxy") or not postgres.binaries():
            report.lack("the example as it runs", "there is no haproxy or no PostgreSQL server (scripts/setup installs both)")
        elif PROCESSES > 1:
            test_running(report, folder)
    report.done()


if __name__ == "__main__":
    main()
