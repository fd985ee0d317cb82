/* moving_output.h: writes a file from start to end, packed if its name says so. It gets its name
 * when it is complete; devices and pipes are written directly. */
#pragma once

#include "base/buf.h"

struct moving_output;

/* "-" is standard output. Returns NULL and sets *problem on failure. */
struct moving_output *moving_output_open(struct arena *a, const char *path, const char **problem);
/* Gives up: removes the file. */
void moving_output_free(struct moving_output *o); /* o may be NULL */

MUST_CHECK const char *moving_output_add(struct moving_output *o, struct span bytes);
/* Completes the file: it gets its name. */
MUST_CHECK const char *moving_output_end(struct moving_output *o);

/* Writes a whole file; private: only the user may read it, and it is synced. */
MUST_CHECK const char *moving_output_write(struct arena *a, const char *path, struct span text);
MUST_CHECK const char *moving_output_write_private(struct arena *a, const char *path,
                                                   struct span text);

/* Whether writing to the path would overwrite a file that is read at `other`, where "-" is standard
 * input. Either may be NULL. */
bool moving_output_hits(const char *path, const char *other);
