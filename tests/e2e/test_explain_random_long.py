"""The same as test_explain_random.py with 10 000 of each.

Usage: test_explain_random_long.py [SEED]
"""

import random
import sys

from e2e import Report, Server
from explain_random import run

COUNT = 10000

if __name__ == "__main__":
    report = Report()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(10**6)
    with Server() as server:
        run(report, server, seed, COUNT)
    report.done()
