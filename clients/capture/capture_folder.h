/* capture_folder.h: the fixture folder that is written, and the progress.
 *
 * Items are appended to their files. The state, a hidden file beside them, records after each page
 * how long the files are and where the next page begins. A run that resumes another truncates the
 * files to the recorded lengths and continues. */
#ifndef CAPTURE_CAPTURE_FOLDER_H
#define CAPTURE_CAPTURE_FOLDER_H

#include "base/buf.h"
#include "wire/wire_body.h"

#include <stdio.h>

struct capture_folder;

/* The progress of a run. */
struct capture_place {
    size_t job;        /* index of the current job */
    size_t done;       /* items of the job so far */
    struct span start; /* JSON: where the job's next page begins; empty: at the first item */
    size_t missing;    /* requested keys without an item so far */
    double units;      /* read units consumed so far */
};

/* Opens the folder: it is created, or has an unfinished run of the same plan. Everything lives in
 * the arena; *place is where to continue. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_folder_open(struct arena *a, const char *path, struct span plan,
                                           struct capture_folder **out,
                                           struct capture_place *place);

/* Whether the fixture has this file. */
bool capture_folder_has(const struct capture_folder *f, struct arena *a, const char *name);

/* Writes a whole file of the fixture, such as tables/NAME.json. */
MUST_CHECK const char *capture_folder_write(struct capture_folder *f, struct arena *a,
                                            const char *name, struct span text);

/* Appends lines to the items of a table, then saves the progress. */
MUST_CHECK const char *capture_folder_add(struct capture_folder *f, struct arena *a,
                                          struct span table, struct span lines,
                                          const struct capture_place *place);

/* Opens the items of a table for reading; NULL: none were written. */
FILE *capture_folder_items(const struct capture_folder *f, struct arena *a, struct span table);

/* Deletes the state after the last page. */
MUST_CHECK const char *capture_folder_end(struct capture_folder *f, struct arena *a);

#endif
