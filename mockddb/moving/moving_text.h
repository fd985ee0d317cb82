/* moving_text.h: what a text is, by how it begins. */
#ifndef MOVING_MOVING_TEXT_H
#define MOVING_MOVING_TEXT_H

#include "ops/transfer/transfer_format.h"

enum moving_text_kind {
    MOVING_TEXT_EMPTY,
    MOVING_TEXT_UNSURE,   /* more of it has to be seen */
    MOVING_TEXT_ITEMS,    /* `format` says how they are written */
    MOVING_TEXT_TABLE,    /* the input of CreateTable, or what describes a table */
    MOVING_TEXT_MODEL,    /* of NoSQL Workbench */
    MOVING_TEXT_MANIFEST, /* of an export to S3 */
};

struct moving_text {
    enum moving_text_kind kind;
    const struct transfer_format *format;
    bool changes; /* of an incremental export (moving_changes.h) */
};

/* Looks at the beginning of a text; `whole`: there is no more of it. */
struct moving_text moving_text_know(struct span head, bool whole);

bool moving_text_is_binary_ion(struct span head);
/* By its byte order mark. */
bool moving_text_is_utf16(struct span head);

/* What stands between the fields of CSV, by its header: a comma, or where that has none the
 * semicolon, tab or bar that it has. */
char moving_text_delimiter(struct span head);

/* Reads the header of CSV into *options; false where it is none, or does not end. */
bool moving_text_header(struct arena *a, struct span head, bool whole,
                        struct transfer_options *options);

/* What has to stand before its records where they are read alone: a header, or what says that it is
 * Ion; empty: nothing. */
struct span moving_text_head(const struct moving_text *text, struct span head, bool whole,
                             const struct transfer_options *options);

/* Types of CSV's columns as the rows at the beginning of a text have them, all but those that are
 * strings: numbers as numbers, true and false as booleans, {"L": […]} and similar ones as what they
 * are. Everything is the arena's. */
size_t moving_text_types(struct arena *a, const struct transfer_options *options, struct span head,
                         bool whole, struct transfer_column **out);

/* The attributes of the first item that could be keys of a table, in their order. Everything is the
 * arena's; 0 where no item is to be seen. */
size_t moving_text_keys(struct arena *a, const struct moving_text *text, struct span head,
                        bool whole, struct transfer_column **out);

#endif
