/* moving_files.h: what is to be read where a path leads: a file; the files of a fixture; all files
 * below a folder, such as an export to S3. */
#ifndef MOVING_MOVING_FILES_H
#define MOVING_MOVING_FILES_H

#include "base/progress.h"
#include "moving/moving_import.h"

struct moving_file {
    const char *path;  /* "-": standard input */
    struct span table; /* that it is of by its place; empty: nothing says so */
    uint64_t size;     /* 0: unknown */
    int64_t items;     /* that it has, as a manifest says; MOVING_MANIFEST_UNCOUNTED: none does */
    bool first;        /* it describes a table */
    bool schema;       /* it has to, by its place */
};

struct moving_files {
    struct moving_file *at;
    size_t count;
};

/* Adds what is found at a path, or in the fixture of that name. NULL, or what is wrong. */
MUST_CHECK const char *moving_files_find(struct arena *a, const char *path,
                                         struct moving_files *out);

/* Imports them, those that describe tables before all others. Progress may be NULL. */
MUST_CHECK const char *moving_files_import(struct arena *a, struct moving_files *files,
                                           struct moving_import *import,
                                           const struct moving_report *report,
                                           struct progress *progress);

#endif
