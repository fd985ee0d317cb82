"""The page of a table in a headless Chromium: tabs, old addresses, the table of items, the item at the side."""

import chromium

chromium.main("console_table.mjs")
