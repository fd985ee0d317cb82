/* moving_report.h: what came of items that were to go somewhere. */
#ifndef MOVING_MOVING_REPORT_H
#define MOVING_MOVING_REPORT_H

#include "base/span.h"

/* An item that is not in the table, or a record that is none. */
struct moving_refusal {
    const char *file;
    size_t line, column; /* 0: unknown */
    struct span message, text;
};

/* What came of it all. */
struct moving_report {
    uint64_t items, deleted, refused; /* items: those that were put */
    uint64_t expired;                 /* of them: their time to live was over when they were put */
    int64_t first_due_ms;             /* when the first of all that are over was due; 0: none is */
    struct span head; /* what has to stand before records of the text at hand that are read alone */
    void (*tell)(struct moving_report *r, const struct moving_refusal *refusal);
};

/* Counts it, and tells whoever listens. */
void moving_report_refuse(struct moving_report *r, const struct moving_refusal *refusal);

#endif
