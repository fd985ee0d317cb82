/* journal_show.h: entries of a journal as JSON: docs/journal.md, "An entry". */
#pragma once

#include "journal/journal_entry.h"

/* Writes the entry as one object without line breaks; `whole`: with the request as it was sent. */
void journal_show(struct arena *a, const struct journal *j, struct span world,
                  const struct journal_entry *e, bool whole, struct buf *out);

/* Which entries to show; an empty or zero member matches all. */
struct journal_filter {
    struct span operation, table;
    struct span error; /* a name; "any": every failed request; "none": only successful ones */
    int64_t since_ms;  /* on the world's clock */
    double min_units;
};

/* Whether a filter may have that error. */
bool journal_show_is_error(struct span name);

bool journal_show_takes(struct arena *a, const struct journal_filter *f,
                        const struct journal_entry *e);
