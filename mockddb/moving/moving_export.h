/* moving_export.h: writes a table's items into a file, in a format that import reads. */
#pragma once

#include "base/progress.h"
#include "moving/moving_digest.h"
#include "moving/moving_scan.h"

enum moving_export_format {
    MOVING_EXPORT_DYNAMODB_JSON,
    MOVING_EXPORT_ION,
    MOVING_EXPORT_CSV,
    MOVING_EXPORT_JSONL,
    MOVING_EXPORT_FIXTURE, /* the path is a folder */
    MOVING_EXPORT_FORMAT_COUNT
};

/* Finds a format by its name on the command line; returns false for an unknown name. */
bool moving_export_find(const char *name, enum moving_export_format *out);

struct moving_export_options {
    enum moving_export_format format;
    const char *path;
    const char *schema; /* path for the table's schema; NULL: none is written */
    bool compares;      /* of a fixture: its items are read back, and must be equal */
};

struct moving_export_report {
    uint64_t items;
    struct moving_digest digest; /* of the items, if the export compares */
    const char *types;           /* the --types that import needs for the file; NULL: none */
    bool untold; /* there are sets or binaries that neither plain JSON nor --types can express */
};

/* Writes the table. Texts in the report live in the arena. Returns NULL, or the error; then there
 * is no file. */
MUST_CHECK const char *moving_export(struct arena *a, struct moving_scan *scan,
                                     const struct moving_export_options *options,
                                     struct progress *progress, struct moving_export_report *out);
