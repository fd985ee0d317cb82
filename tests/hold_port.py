"""Runs a command while port 8000, where mockddb serves without an option, is in use.

  hold_port.py COMMAND …

So no test depends on that port being free, and none asks a server that somebody left running there. Where
nobody has the port, this program listens on it and counts who connects; the exit status is the command's, or
1 where somebody did. It prints the processor time of the command and of what that started and waited for.
"""

import resource
import socket
import subprocess
import sys
import threading

PORT = 8000


def listen(family, address):
    """A socket that listens, or None where another program has the port, or there is no such address."""
    try:
        return socket.create_server((address, PORT), family=family)
    except OSError:
        return None


def count(listening, callers):
    while True:
        connection, caller = listening.accept()
        callers.append(caller)
        connection.close()


def main():
    callers = []
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        listening = listen(family, address)
        if listening:
            threading.Thread(target=count, args=(listening, callers), daemon=True).start()
    status = subprocess.run(sys.argv[1:], check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor time: {used.ru_utime + used.ru_stime:.0f} s")
    if callers:
        print(f"hold_port: {len(callers)} connections came to port {PORT}: a test asks whoever has it")
    return status or bool(callers)


sys.exit(main())
