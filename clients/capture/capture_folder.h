/* capture_folder.h: the fixture folder that is written, and how far it is.
 *
 * Items go to the end of their files; the state, one file beside them whose name begins with a dot,
 * says after each page how long the files are and what comes next. A run that begins where another
 * one ended takes away what was written after the last page, and goes on. */
#ifndef CAPTURE_CAPTURE_FOLDER_H
#define CAPTURE_CAPTURE_FOLDER_H

#include "base/buf.h"
#include "wire/wire_body.h"

struct capture_folder;

/* Where a run is. */
struct capture_place {
    size_t job;        /* which of its jobs is at hand */
    size_t done;       /* items of it so far */
    struct span start; /* JSON: where its next page begins; empty: at its beginning */
    size_t missing;    /* keys so far that no item has */
    double units;      /* that were consumed */
};

/* Opens the folder, which is made, or has a run of the same plan in it. Everything is the arena's;
 * *place is where to go on. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_folder_open(struct arena *a, const char *path, struct span plan,
                                           struct capture_folder **out,
                                           struct capture_place *place);

/* Whether a file of the fixture is there. */
bool capture_folder_has(const struct capture_folder *f, struct arena *a, const char *name);

/* Writes a whole file of the fixture, such as tables/NAME.json. */
MUST_CHECK const char *capture_folder_write(struct capture_folder *f, struct arena *a,
                                            const char *name, struct span text);

/* Adds lines to the items of a table, and then says where the run is. */
MUST_CHECK const char *capture_folder_add(struct capture_folder *f, struct arena *a,
                                          struct span table, struct span lines,
                                          const struct capture_place *place);

/* All is there: the state goes. */
MUST_CHECK const char *capture_folder_end(struct capture_folder *f, struct arena *a);

#endif
