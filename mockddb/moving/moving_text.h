/* moving_text.h: detects the format of a text by its beginning. */
#pragma once

#include "ops/transfer/transfer_format.h"

enum moving_text_kind {
    MOVING_TEXT_EMPTY,
    MOVING_TEXT_UNSURE,   /* more of the text is needed */
    MOVING_TEXT_ITEMS,    /* items, in `format` */
    MOVING_TEXT_TABLE,    /* the input of CreateTable, or a table's description */
    MOVING_TEXT_MODEL,    /* a model of NoSQL Workbench */
    MOVING_TEXT_TEMPLATE, /* of CloudFormation, or another file of infrastructure */
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

/* Text that must precede its records if they are read alone: a header, or Ion's version marker; may
 * be empty. */
struct span moving_text_head(const struct moving_text *text, struct span head, bool whole,
                             const struct transfer_options *options);
