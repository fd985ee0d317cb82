/* moving_feed.h: reads a file, a pipe or an upload into an import, in steps. */
#pragma once

#include "moving/moving_import.h"

#include <stdio.h>

/* Set the first members, then call moving_feed_begin. */
struct moving_feed {
    struct moving_import *import;
    struct arena *arena; /* for errors */
    const char *file;    /* file and table as for moving_import_begin */
    struct span table;
    int fd;             /* at the start of the text */
    size_t part, piece; /* most bytes of a step: of the file, and of the unpacked text */

    uint64_t bytes;   /* of the file, taken so far */
    bool done;        /* the text has ended */
    int64_t start;    /* offset of the text; -1: the input can be read only once … */
    FILE *copy;       /* … so this is a copy, as long as the import may ask for the text again */
    char *room;       /* for a part */
    struct span left; /* of the part */
    bool more;        /* the part is not finished */
    bool read;        /* all parts are */
};

/* Begins the import's next text. */
void moving_feed_begin(struct moving_feed *f);
/* Reads a part, or takes a piece of one, or does a part of the end. Returns NULL, or the error. */
MUST_CHECK const char *moving_feed_step(struct moving_feed *f);
/* Ends the text: items read so far are written even after an error. May be called again. Returns
 * NULL, or the error. */
const char *moving_feed_end(struct moving_feed *f);
