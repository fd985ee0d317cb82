/* moving_pages.h: reads parts of tables page by page and gives each page to a sink. A file holds
 * the progress after each page, so that an interrupted run can be continued. */
#pragma once

#include "base/progress.h"
#include "moving/moving_scan.h"
#include "wire/wire_reply.h"

/* The first member of a sink. Everything is borrowed. */
struct moving_pages {
    size_t count;           /* of the parts */
    const char *state;      /* path of the file with the progress */
    struct span plan;       /* equal for runs that may continue each other */
    const char *of_another; /* what is wrong with the file of a run that had another plan */
    const char *part_name, *done_name; /* members of the file */
    bool is_private;                   /* only the user may read the file, and it is synced */
    struct progress *progress;         /* may be NULL */

    /* Begins part number `part`: describes its table, and says what of it is read. */
    const char *(*begin)(struct moving_pages *p, struct arena *a, struct moving_scan *out);
    /* Writes a page durably. */
    const char *(*put)(struct moving_pages *p, struct arena *page, const struct moving_scan *scan,
                       const wire_node *items);
    /* After the last part, while the state still exists; may be NULL. */
    const char *(*finish)(struct moving_pages *p);
    void (*write_state)(const struct moving_pages *p, struct wire_writer *w); /* more members */
    void (*read_state)(struct moving_pages *p, const wire_node *state);

    size_t part;      /* the part that is read, from 0 */
    size_t done;      /* its items so far, or the keys that were asked for */
    struct buf start; /* where its next page begins (moving_scan.start) */
};

/* Reads the progress of an earlier run, if there is one. Returns NULL, or what is wrong. */
MUST_CHECK const char *moving_pages_open(struct arena *a, struct moving_pages *p, bool *found);

/* Writes the progress. */
MUST_CHECK const char *moving_pages_keep(struct arena *a, const struct moving_pages *p);

/* Reads the parts that are left; at the end the file is deleted. Returns NULL, or the error. */
MUST_CHECK const char *moving_pages_run(struct arena *a, struct moving_pages *p);
