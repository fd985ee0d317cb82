"""What views of the console show is in their address, nothing covers it, and forms get the focus, in a headless Chromium."""

import chromium

chromium.main("console_shown.mjs")
