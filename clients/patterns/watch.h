/* watch.h: waits until a pattern file, or the fixture that it belongs to, has changed. */
#pragma once

#include "base/arena.h"

/* A hash of the files' state; equal as long as no file has changed. */
uint64_t watch_look(char *const *paths, size_t count);

/* Polls until the state differs from `before` and is stable for a moment; returns the new state. */
uint64_t watch_wait(char *const *paths, size_t count, uint64_t before);
