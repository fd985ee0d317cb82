"""The console's views Control, Patterns, Worlds and Tour in a headless Chromium."""

import chromium

chromium.main("console_control.mjs")
