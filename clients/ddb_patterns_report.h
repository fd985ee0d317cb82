/* ddb_patterns_report.h: the results of a run in the forms that people and CI systems read. */
#ifndef DDB_PATTERNS_REPORT_H
#define DDB_PATTERNS_REPORT_H

#include "ddb_patterns_result.h"

#include "base/buf.h"

struct report {
    const char *endpoint;
    const char *prefix;
    const struct file_result *files;
    size_t file_count;
};

struct report_format {
    const char *name;
    void (*write)(struct buf *out, const struct report *report);
    bool describes_tables; /* wants file_result.tables */
};

/* NULL when there is no format of that name. */
const struct report_format *report_format_of(const char *name);

/* The cheat sheet, commands included (ddb_patterns_markdown.c). */
void report_markdown(struct buf *out, const struct report *report);

/* Units as people write them: 1, 0.5, 12.5. */
const char *report_units(struct arena *a, double units);

#endif
