/* fuzz.h: what the fuzz targets share.
 *
 * A target is a program that hands bytes to one module and ends with a message where something
 * that must always hold does not. Built with clang it runs under libFuzzer (scripts/fuzz); built
 * as a test it replays its corpus (fuzz_replay.c). A target keeps nothing from one input to the
 * next, so that a finding can be repeated from its bytes alone. */
#pragma once

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

/* What libFuzzer calls for each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, as a finding, where `holds` is false. */
static inline void must(bool holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "fuzz: it does not hold that %s\n", what);
    abort();
}

/* A copy in the arena, so that reading past the end is noticed. */
static inline struct span fuzz_input(struct arena *a, const uint8_t *data, size_t size)
{
    return arena_span(a, (struct span){(const char *)data, size});
}

/* Cuts the first line off the front of *rest; without its line feed. */
static inline struct span fuzz_line(struct span *rest)
{
    const char *feed = span_find(*rest, '\n');
    size_t len = feed ? (size_t)(feed - rest->at) : rest->len;
    struct span line = {rest->at, len};

    *rest = span_from(*rest, len + (feed != NULL));
    return line;
}

/* The text with each ' made a ", so that JSON can be written without escapes. */
static inline struct span fuzz_json(struct arena *a, const char *text)
{
    char *copy = arena_text(a, span_of(text));

    for (char *at = copy; (at = strchr(at, '\'')); at++)
        *at = '"';
    return span_of(copy);
}

static inline int fuzz_sign(int order)
{
    return (order > 0) - (order < 0);
}
