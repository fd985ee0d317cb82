"""Exports of a server as files: what their manifests say, and their items, checked on the way."""

import base64
import gzip
import hashlib
import json


def digest(data):
    return base64.b64encode(hashlib.md5(data).digest()).decode()


def read_checked(bucket, key):
    """A manifest, whose checksum stands beside it."""
    data = (bucket / key).read_bytes()
    checksum = (bucket / key).with_suffix(".md5").read_text()
    assert len(checksum) == 24, checksum
    assert checksum == digest(data), f"{key}: {checksum} is not its checksum"
    return data


def lines(bucket, manifest):
    """The summary of an export, and the lines of its data files."""
    summary = json.loads(read_checked(bucket, manifest))
    found = []
    for line in read_checked(bucket, summary["manifestFilesS3Key"]).splitlines():
        file = json.loads(line)
        data = (bucket / file["dataFileS3Key"]).read_bytes()
        assert file["md5Checksum"] == digest(data), file
        twice = hashlib.md5(hashlib.md5(data).digest()).hexdigest()
        assert file["etag"] == f"{twice}-1", file
        of_file = gzip.decompress(data).decode().splitlines()
        assert len(of_file) == file["itemCount"], file
        found += of_file
    assert summary["itemCount"] == len(found), summary
    return summary, found


def items(bucket, manifest):
    """The items of a full export in DYNAMODB_JSON by their key pk."""
    _, found = lines(bucket, manifest)
    all_of_them = [json.loads(line)["Item"] for line in found]
    by_key = {item["pk"]["S"]: item for item in all_of_them}
    assert len(by_key) == len(all_of_them), "an item was exported twice"
    return by_key
