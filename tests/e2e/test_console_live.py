"""The console's view Live in a headless Chromium."""

import chromium

chromium.main("console_live.mjs")
