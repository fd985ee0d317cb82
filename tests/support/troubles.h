/* troubles.h: the ways in which what lies below the newest store can fail, for tests that try them
 * all.
 *
 * Calls of the file system, statements, their preparation and commits fail at the n-th chance; a
 * database that is full has room for n - 1 more pages. Tests begin with n = 1 and go on until
 * nothing fails any more. */
#pragma once

#include "support/fault_vfs.h"

enum trouble_kind {
    TROUBLE_IN_FILES,
    TROUBLE_IN_STATEMENTS,
    TROUBLE_IN_PREPARATION,
    TROUBLE_IN_COMMITS,
    TROUBLE_IN_PAGES
};

struct trouble {
    const char *name;
    enum trouble_kind kind;
    struct fault fault; /* of files */
};

extern const struct trouble troubles[]; /* ends with a NULL name */

/* Trouble comes at the n-th chance from here on, counted from 1. */
void trouble_arm(const struct trouble *t, unsigned nth);

/* No more trouble; how often something failed. Of pages that is not known: 0. */
unsigned trouble_lift(const struct trouble *t);

/* The next n to try: all of the first, then ever fewer; under valgrind few from the beginning. */
unsigned trouble_next(unsigned nth);

/* What was armed last, for whoever reads that a test failed. */
const char *trouble_last(void);
