/* moving_copy.h: whole tables from one door to another, so that a copy that was interrupted goes on
 * where it was. */
#ifndef MOVING_MOVING_COPY_H
#define MOVING_MOVING_COPY_H

#include "base/progress.h"
#include "moving/moving_pace.h"
#include "moving/moving_report.h"
#include "moving/moving_scan.h"
#include "moving/moving_tables.h"

struct moving_copy {
    struct moving_door *from, *to;
    const struct span *tables;
    size_t table_count;
    const char *prefix; /* of the names there */
    const char *state;  /* path of a file that says how far the copy is, while it is not whole */
    struct moving_pace *pace;
    struct moving_report *report;
    uint64_t before;           /* is set: items that earlier runs of this copy have put … */
    bool before_unknown;       /* … is set: an older version has put some and not counted them */
    struct progress *progress; /* may be NULL */
};

/* NULL when all is there, else why it is not. */
MUST_CHECK const char *moving_copy_run(struct arena *a, struct moving_copy *c);

#endif
