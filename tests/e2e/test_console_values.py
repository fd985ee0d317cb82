"""Names and values of attributes that a form can do harm to, in the console in a headless Chromium."""

import chromium

chromium.main("console_values.mjs")
