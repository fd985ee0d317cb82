/* watch.h: waits until a file of patterns, or the fixture that it is part of, has changed. */
#ifndef PATTERNS_WATCH_H
#define PATTERNS_WATCH_H

#include "base/arena.h"

/* What the files looked like; equal as long as nobody has changed them. */
uint64_t watch_look(char *const *paths, size_t count);

/* Looks again and again until they look otherwise, and are left alone for a moment; returns how. */
uint64_t watch_wait(char *const *paths, size_t count, uint64_t before);

#endif
