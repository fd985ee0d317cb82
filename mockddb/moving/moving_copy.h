/* moving_copy.h: copies whole tables from one client to another; an interrupted copy can be
 * resumed. */
#pragma once

#include "moving/moving_pages.h"
#include "moving/moving_report.h"
#include "moving/moving_tables.h"

struct moving_copy {
    struct moving_pages pages; /* first; `state` and `progress` are the caller's */
    struct client *from, *to;
    const struct moving_names *tables;
    const char *prefix; /* put in front of the names there */
    struct client_pace *pace;
    struct moving_report *report;
    uint64_t before;     /* set to the number of items that earlier runs of this copy put */
    bool before_unknown; /* … is set: an older version has put some and not counted them */
    /* The items of the current table that were read back and are equal; used if report->compared
     * is its address. */
    struct moving_digest compared;
    /* Called when a table is copied; may be NULL. */
    void (*finished)(const struct moving_copy *c, struct span table);

    struct moving_tables *made; /* set by moving_copy_run */
    struct moving_load *load;
};

/* Returns NULL when everything is copied, else the error. */
MUST_CHECK const char *moving_copy_run(struct arena *a, struct moving_copy *c);
