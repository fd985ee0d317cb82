"""500 random right requests, of which nothing is said, and 500 with one known mistake; another seed each time.

Usage: test_explain_random.py [SEED]
"""

import random
import sys

from e2e import Report, Server
from explain_random import run

COUNT = 500

if __name__ == "__main__":
    report = Report()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(10**6)
    with Server() as server:
        run(report, server, seed, COUNT)
    report.done()
