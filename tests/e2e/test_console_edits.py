"""Items that several people change at a time, in the console in a headless Chromium."""

import chromium

chromium.main("console_edits.mjs")
