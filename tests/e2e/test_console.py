"""Every view of the console in a headless Chromium, the keyboard, and hostile values."""

import chromium

chromium.main("console.mjs")
