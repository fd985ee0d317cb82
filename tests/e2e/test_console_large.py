"""Much data in the console. With MOCKDDB_RELEASE_TESTS=1: 1,000,000 items, and 2,000 requests a second."""

import chromium

chromium.main("console_large.mjs")
