"""Runs a script of this folder that drives the console in a headless Chromium (browser.mjs)."""

import os
import shutil
import sys

from e2e import BINARY, NODE_FOLDER, Report, Server, has_node, node_script

NET = 900 if os.environ.get("MOCKDDB_RELEASE_TESTS") == "1" else 400  # seconds until a browser is taken as hanging


def main(script):
    report = Report()
    # The first has no windows to draw: a page costs a third of the processor time.
    programs = ("chromium-headless-shell", "chromium", "chromium-browser")
    chromium = next(filter(None, map(shutil.which, programs)), None)
    driver = (NODE_FOLDER / "node_modules/puppeteer-core").is_dir()
    if not chromium or not has_node() or not driver:
        missing = "no Chromium" if not chromium else "no Node.js 20, or no puppeteer-core"
        report.lack("the console in a browser", f"there is {missing}")
        report.done()
    environment = os.environ | {"MOCKDDB": BINARY}
    for tries_left in (2, 1, 0):  # a headless browser hangs now and then; what the script printed before counts
        with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
            command = ["node", node_script(script, "browser.mjs"), chromium, server.url, *sys.argv[1:]]
            if not report.relay(f"{script} comes to its end", command, environment, net=NET, may_hang=tries_left > 0):
                print(f"# begun again: {script} was ended after {NET} s, behind {report.count} cases; {server.read_stderr().strip()}")
                continue
            with report.case("the server ends cleanly"):
                server.stop()
            break
    report.done()
