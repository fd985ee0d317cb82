"""Ways out of a form with edits, and what addresses and fields do, in the console in a headless Chromium."""

import chromium

chromium.main("console_leaving.mjs")
