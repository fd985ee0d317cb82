/* moving_text.h: detects the format of a text by its beginning. */
#ifndef MOVING_MOVING_TEXT_H
#define MOVING_MOVING_TEXT_H

#include "ops/transfer/transfer_format.h"

enum moving_text_kind {
    MOVING_TEXT_EMPTY,
    MOVING_TEXT_UNSURE,   /* more of the text is needed */
    MOVING_TEXT_ITEMS,    /* items, in `format` */
    MOVING_TEXT_TABLE,    /* the input of CreateTable, or a table's description */
    MOVING_TEXT_MODEL,    /* a model of NoSQL Workbench */
    MOVING_TEXT_MANIFEST, /* a manifest of an export to S3 */
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

/* The character between fields of CSV, by its header: a comma, or without a comma in it, a
 * semicolon, tab or bar. */
char moving_text_delimiter(struct span head);

/* Reads the header of CSV into *options; returns false if it is not a header, or incomplete. */
bool moving_text_header(struct arena *a, struct span head, bool whole,
                        struct transfer_options *options);

/* Text that must precede its records if they are read alone: a header, or Ion's version marker; may
 * be empty. */
struct span moving_text_head(const struct moving_text *text, struct span head, bool whole,
                             const struct transfer_options *options);

/* Infers types of CSV's columns from the first rows; lists only columns that are not strings:
 * numbers as numbers, true and false as booleans, {"L": […]} and the like as typed JSON. Everything
 * lives in the arena. */
size_t moving_text_types(struct arena *a, const struct transfer_options *options, struct span head,
                         bool whole, struct transfer_column **out);

/* The attributes of the first item that could be keys of a table, in order. Everything lives in the
 * arena; returns 0 if there is no item. */
size_t moving_text_keys(struct arena *a, const struct moving_text *text, struct span head,
                        bool whole, struct transfer_column **out);

#endif
