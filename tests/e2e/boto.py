"""boto3 for the tests that run the guides' Python code."""

import functools
import os

try:
    import boto3
except ImportError:
    boto3 = None


def connect(server):
    """Points boto3 at the server, so that `boto3.resource('dynamodb')` works as the guides have it.
    From 1.28 on AWS_ENDPOINT_URL_DYNAMODB would do; Debian 12's boto3 is older."""
    os.environ.update(
        AWS_ACCESS_KEY_ID="a",
        AWS_SECRET_ACCESS_KEY="b",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_REGION="us-east-1",
        AWS_EC2_METADATA_DISABLED="true",
    )
    session = boto3.Session()
    boto3.resource = functools.partial(session.resource, endpoint_url=server.url)
    boto3.client = functools.partial(session.client, endpoint_url=server.url)


def payload(answer):
    """An answer without what describes its transport."""
    return {name: value for name, value in answer.items() if name != "ResponseMetadata"}
