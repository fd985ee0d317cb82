"""The console's pictures in a headless Chromium."""

import chromium

chromium.main("console_pictures.mjs")
