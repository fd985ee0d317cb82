"""Case files of the console in a headless Chromium: what is shared, and how hostile files are opened."""

import chromium

chromium.main("console_share.mjs")
