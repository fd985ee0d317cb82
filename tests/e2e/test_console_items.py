"""The console's tables and items in a headless Chromium."""

import chromium

chromium.main("console_items.mjs")
