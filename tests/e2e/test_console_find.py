"""Finding items by any attribute in a headless Chromium: where it stops, and why it finds nothing."""

import chromium

chromium.main("console_find.mjs")
