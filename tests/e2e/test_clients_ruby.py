"""examples/ruby: the AWS SDK for Ruby 1, from Debian's package."""

import shutil
import subprocess

from client_examples import check_row, run_client
from e2e import ROOT, Report

VERSION = "1.67.0"
OPERATIONS = ["CreateTable", "BatchWriteItem", "Query", "Scan", "PutItem", "UpdateItem"]  # it has no transactions


def why_no_sdk():
    """Why the SDK cannot be run here, or None."""
    if not shutil.which("ruby"):
        return "there is no ruby"
    loaded = subprocess.run(["ruby", "-e", 'require "aws-sdk"; AWS::DynamoDB'], capture_output=True, check=False)
    return "ruby-aws-sdk is not installed" if loaded.returncode else None


def main():
    report = Report()
    check_row(report, "AWS SDK for Ruby 1", VERSION, "orders.rb")
    why = why_no_sdk()
    if why:
        report.skip("the SDK for Ruby", why)
    else:
        command = ["ruby", ROOT / "examples/ruby/orders.rb"]
        run_client(report, f"SDK for Ruby {VERSION}", command, f"aws-sdk {VERSION}\n", OPERATIONS, each=[])
    report.done()


main()
