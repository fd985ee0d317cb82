/* run_report.h: counts a command's requests to the server, in all worlds, and prints a few
 * lines. */
#pragma once

#include "journal/journal_entry.h"

#define RUN_REPORT_OPERATIONS 80

/* Must be zeroed before use. */
struct run_report {
    struct {
        const struct op *op;
        uint64_t calls, errors;
    } rows[RUN_REPORT_OPERATIONS]; /* ordered by first use */
    size_t len;
    uint64_t calls, errors;
    double read_units, write_units;
};

/* Counts an entry. */
void run_report_take(struct run_report *r, const struct journal_entry *e);

/* Appends the lines. */
void run_report_write(struct buf *out, const struct run_report *r);
