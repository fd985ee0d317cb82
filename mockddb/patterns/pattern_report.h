/* pattern_report.h: the results of a run in the forms that people and CI systems read. */
#ifndef PATTERNS_PATTERN_REPORT_H
#define PATTERNS_PATTERN_REPORT_H

#include "patterns/pattern_result.h"

#include "base/buf.h"

struct pattern_report_format {
    const char *name;
    void (*write)(struct buf *out, const struct pattern_report *report);
    bool describes_tables; /* wants file_result.tables */
};

/* NULL when there is no format of that name. */
const struct pattern_report_format *pattern_report_format_of(const char *name);

/* The form "json" in parts: each result as soon as it is there, then the whole. */
void pattern_report_json_result(struct buf *out, const struct pattern_result *result, bool first);
void pattern_report_json(struct buf *out, const char *endpoint, size_t patterns, size_t failed,
                         struct span results);

#endif
