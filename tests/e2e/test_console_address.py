"""What an address of the console does and does not do, in a headless Chromium."""

import chromium

chromium.main("console_address.mjs")
