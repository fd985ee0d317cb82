/* moving_files.h: the files to import for a path: a file; the files of a fixture; all files in a
 * folder, such as an export to S3. */
#pragma once

#include "base/progress.h"
#include "moving/moving_import.h"
#include "moving/moving_text.h"

#define MOVING_FILES_UNCOUNTED (-1)

struct moving_file {
    const char *path;               /* "-": standard input */
    const char *shown;              /* the path in messages: below the name that the user gave */
    struct span table;              /* its table, according to its path; empty: unknown */
    uint64_t size;                  /* 0: unknown */
    int64_t items;                  /* number of items in the manifest, or MOVING_FILES_UNCOUNTED */
    bool first;                     /* it describes a table */
    enum moving_text_kind expected; /* according to its path; MOVING_TEXT_UNSURE: any */
};

struct moving_files {
    struct moving_file *at;
    size_t count;
};

/* Adds the files of a path, or of the fixture with this name. Returns NULL, or what is wrong. */
MUST_CHECK const char *moving_files_find(struct arena *a, const char *path,
                                         struct moving_files *out);

/* Imports the files; those that describe tables come first. Progress may be NULL. */
MUST_CHECK const char *moving_files_import(struct arena *a, struct moving_files *files,
                                           struct moving_import *import,
                                           const struct moving_report *report,
                                           struct progress *progress);
