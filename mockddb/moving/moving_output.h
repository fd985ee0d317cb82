/* moving_output.h: a file that is written from its beginning to its end, packed where its name says
 * so. It has its name once it is whole; what is no file but a device or a pipe stays what it is. */
#ifndef MOVING_MOVING_OUTPUT_H
#define MOVING_MOVING_OUTPUT_H

#include "base/buf.h"

struct moving_output;

/* "-" is standard output. NULL, and *problem, where it cannot be made. */
struct moving_output *moving_output_open(struct arena *a, const char *path, const char **problem);
/* Gives up: the file is not there. */
void moving_output_free(struct moving_output *o); /* o may be NULL */

MUST_CHECK const char *moving_output_add(struct moving_output *o, struct span bytes);
/* All is written: the file gets its name. */
MUST_CHECK const char *moving_output_end(struct moving_output *o);

/* Whether what is written at the path would take the place of what is read at another, "-" being
 * standard input there. Either may be NULL. */
bool moving_output_hits(const char *path, const char *other);

#endif
