/* moving_copy.h: copies whole tables from one client to another; an interrupted copy can be
 * resumed. */
#ifndef MOVING_MOVING_COPY_H
#define MOVING_MOVING_COPY_H

#include "base/progress.h"
#include "moving/moving_report.h"
#include "moving/moving_scan.h"
#include "moving/moving_tables.h"

struct moving_copy {
    struct client *from, *to;
    const struct span *tables;
    size_t table_count;
    const char *prefix; /* put in front of the names there */
    const char *state;  /* path of the file that records the progress until the end */
    struct client_pace *pace;
    struct moving_report *report;
    uint64_t before;           /* set to the number of items that earlier runs of this copy put */
    bool before_unknown;       /* … is set: an older version has put some and not counted them */
    struct progress *progress; /* may be NULL */
};

/* Returns NULL when everything is copied, else the error. */
MUST_CHECK const char *moving_copy_run(struct arena *a, struct moving_copy *c);

#endif
