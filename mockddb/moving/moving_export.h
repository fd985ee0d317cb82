/* moving_export.h: a table's items into a file, in any format that import reads. */
#ifndef MOVING_MOVING_EXPORT_H
#define MOVING_MOVING_EXPORT_H

#include "base/progress.h"
#include "moving/moving_scan.h"

enum moving_export_format {
    MOVING_EXPORT_DYNAMODB_JSON,
    MOVING_EXPORT_ION,
    MOVING_EXPORT_CSV,
    MOVING_EXPORT_JSONL,
    MOVING_EXPORT_FIXTURE, /* the path is a folder */
    MOVING_EXPORT_FORMAT_COUNT
};

/* By its name on a command line; false where there is none. */
bool moving_export_find(const char *name, enum moving_export_format *out);

struct moving_export_options {
    enum moving_export_format format;
    const char *path;
    const char *schema; /* path for what makes the table again; NULL: it is not written */
};

struct moving_export_report {
    uint64_t items;
    const char *types; /* as --types takes them; NULL: there are none that have to be said */
    bool untold;       /* there are sets and binaries that plain JSON has not, nor --types */
};

/* Writes the table. Everything said is the arena's. NULL, or why it is not there; then no file is.
 */
MUST_CHECK const char *moving_export(struct arena *a, struct moving_scan *scan,
                                     const struct moving_export_options *options,
                                     struct progress *progress, struct moving_export_report *out);

#endif
