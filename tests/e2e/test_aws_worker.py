"""aws_worker.py: each kind of command has the exit status and the output that the CLI itself gives."""

import pathlib
import signal
import subprocess

from e2e import PATIENCE, Report, Server, Shell, aws_worker, equal, wait_until

GET = "aws dynamodb get-item --table-name Tab --key"
KINDS = {  # a shell script of each
    "JSON": f"""{GET} '{{"pk": {{"S": "a"}}}}'""",
    "text": "aws dynamodb describe-table --table-name Tab --output text",
    "a table": "aws dynamodb scan --table-name Tab --output table",
    "YAML": "aws dynamodb scan --table-name Tab --output yaml",
    "a query of the answer": "aws dynamodb scan --table-name Tab --query 'Items[].pk.S' --output text",
    "pages": "aws dynamodb scan --table-name Tab --page-size 1 --max-items 2",
    "letters": f"""{GET} '{{"pk": {{"S": "é€😀"}}}}' --output text""",
    "no answer": """aws dynamodb put-item --table-name Tab --item '{"pk": {"S": "d"}}'""",
    "a waiter": "aws dynamodb wait table-exists --table-name Tab",
    "streams": "aws dynamodbstreams list-streams",
    "another service": "aws application-autoscaling describe-scalable-targets --service-namespace dynamodb",
    "an error of the service": f"""{GET} '{{"other": {{"S": "a"}}}}'""",
    "an option that does not exist": "aws dynamodb list-tables --no-such-option",
    "an option that is missing": "aws dynamodb get-item --table-name Tab",
    "a parameter of the wrong type": f"""{GET} '{{"pk": "a"}}'""",
    "JSON that ends early": f"""{GET} '{{"pk": '""",
    "words in shorthand": f"{GET} pk={{S=a}} --return-consumed-capacity TOTAL",
    "an empty word": "aws dynamodb describe-table --table-name ''",
    "a file of this folder": f"""echo '{{"pk": {{"S": "a"}}}}' >key.json; {GET} file://key.json""",
    "a file of the user": f"""echo '{{"pk": {{"S": "a"}}}}' >~/key.json; {GET} file://~/key.json""",
    "standard input": f"""echo '{{"pk": {{"S": "a"}}}}' | {GET} file:///dev/stdin""",
    "a skeleton": "aws dynamodb list-tables --generate-cli-skeleton",
    "the version": "aws --version",
    "no command": "aws",
    "another profile": "aws dynamodb list-tables --profile controller",
    "a profile that does not exist": "aws dynamodb list-tables --profile no-such-profile",
    "variables": "AWS_REGION=eu-west-1 AWS_DEFAULT_OUTPUT=text aws dynamodb list-tables",
    "no credentials": "AWS_SHARED_CREDENTIALS_FILE=/nonexistent AWS_CONFIG_FILE=/nonexistent aws dynamodb list-tables",
    "another encoding": f"""LANG=C LC_ALL=C PYTHONIOENCODING=ascii {GET} '{{"pk": {{"S": "a"}}}}' --output text""",
    "an alias of the user": "mkdir -p ~/.aws/cli; printf '[toplevel]\\nls = dynamodb list-tables\\n' >~/.aws/cli/alias; aws ls",
    "configuration": "aws configure get region; aws configure list",
    "a closed output": f"""{GET} '{{"pk": {{"S": "a"}}}}' >&-""",
    "a reader that leaves": "aws dynamodb scan --table-name Tab | true; echo ${PIPESTATUS[0]}",
    "no server": "AWS_MAX_ATTEMPTS=1 aws dynamodb list-tables --endpoint-url http://127.0.0.1:1",
    "two at once": "aws dynamodb list-tables & aws dynamodb describe-limits >limits; wait; cat limits",
}




def outcome(shell, script):
    answer = shell.run(script)
    return {"status": answer.status, "stdout": answer.stdout, "stderr": answer.stderr}


def children(worker):
    pid = worker.process.pid
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def ends_with_its_caller(shell, worker):
    """The command waits for a table that never comes."""
    command = ["bash", "-c", "exec aws dynamodb wait table-exists --table-name Missing"]
    with subprocess.Popen(command, cwd=shell.home, env=shell.environment, stdin=subprocess.DEVNULL) as process:
        wait_until(lambda: children(worker))
        process.send_signal(signal.SIGTERM)
        equal(process.wait(PATIENCE), -signal.SIGTERM)
    wait_until(lambda: not children(worker))


def main():
    report = Report()
    with Server() as server, Shell(server) as shell, Shell(server, worker=False) as alone:
        if not shell.cli or not aws_worker(shell.cli).usable:
            report.skip("the AWS CLI", "it is not installed, or is not a Python program")
            report.done()
        table = {
            "TableName": "Tab",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        }
        server.call("CreateTable", table)
        server.put_items("Tab", [{"pk": {"S": key}, "n": {"N": "1"}} for key in ("a", "b", "c", "é€😀")])
        for kind, script in KINDS.items():
            with report.case(kind):
                equal(outcome(shell, script), outcome(alone, script))
        with report.case("a command ends with its caller"):
            ends_with_its_caller(shell, aws_worker(shell.cli))
    report.done()


main()
