/* moving_columns.h: how items without types of their own are read: CSV and plain JSON. */
#pragma once

#include "moving/moving_report.h"
#include "moving/moving_tables.h"
#include "ops/transfer/transfer_format.h"

struct moving_columns {
    struct arena *arena;
    struct moving_report *report; /* gets notes on what was inferred */
    const char *file;
    struct span head; /* the beginning of the text … */
    bool whole;       /* … is all of it */
    const struct moving_table *table;
    const struct transfer_column *types; /* explicit ones */
    size_t type_count;
};

/* Sets the options for reading the text. Returns NULL, or why it has no items of the table. */
MUST_CHECK const char *moving_columns_choose(const struct moving_columns *c,
                                             const struct transfer_format *format,
                                             struct transfer_options *options);

/* The attributes of the first item that could be keys of a table, in order. Everything lives in the
 * arena; returns 0 if there is no item. */
size_t moving_columns_keys(struct arena *a, const struct transfer_format *format, struct span head,
                           bool whole, struct transfer_column **out);
