"""Making tables and indexes by form in a headless Chromium."""

import chromium

chromium.main("console_indexes.mjs")
