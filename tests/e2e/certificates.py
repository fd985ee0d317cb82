"""Certificates for servers with TLS, made by openssl."""

import subprocess


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], capture_output=True, check=True)


def make_certificate(folder, name, *key):
    """A certificate that is its own authority, and its key."""
    certificate, secret = folder / f"{name}.crt", folder / f"{name}.key"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    openssl(
        "req",
        "-x509",
        "-newkey",
        *key,
        "-nodes",
        "-days",
        2,
        "-subj",
        "/CN=localhost",
        "-addext",
        names,
        "-keyout",
        secret,
        "-out",
        certificate,
    )
    return certificate, secret


def options(pair):
    return ("--tls-cert", str(pair[0]), "--tls-key", str(pair[1]))
