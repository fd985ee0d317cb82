"""The console's view Rehearse in a headless Chromium."""

import chromium

chromium.main("console_explore.mjs")
