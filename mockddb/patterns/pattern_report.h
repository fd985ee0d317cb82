/* pattern_report.h: writes the results of a run in formats for people and for CI systems. */
#pragma once

#include "patterns/pattern_result.h"

#include "base/buf.h"

struct pattern_report_format {
    const char *name;
    void (*write)(struct buf *out, const struct pattern_report *report);
    bool describes_tables; /* needs file_result.tables */
};

/* NULL if there is no format of that name. */
const struct pattern_report_format *pattern_report_format_of(const char *name);

/* The format "json" in parts: each result when it is ready, then the end. */
void pattern_report_json_result(struct buf *out, const struct pattern_result *result, bool first);
void pattern_report_json(struct buf *out, const char *endpoint, size_t patterns, size_t failed,
                         struct span results);

/* Appends a request as the AWS CLI command that sends it, `aws dynamodb …`, one option a line, with
 * `cli` (array of strings or NULL) on the last one; ends with a newline. All words are quoted for a
 * POSIX shell. */
void pattern_report_command(struct buf *out, const struct pattern_step *step,
                            const wire_node *request, const wire_node *cli);
