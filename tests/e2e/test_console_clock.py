"""What the console shows when the world's clock moves, and what it can undo, in a headless Chromium."""

import chromium

chromium.main("console_clock.mjs")
