"""Addresses of the views with pictures: reload, Back, two worlds, a server that is gone, late or read-only."""

import chromium

chromium.main("console_states.mjs")
