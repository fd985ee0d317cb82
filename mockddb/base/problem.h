/* problem.h: why something did not succeed, as a value.
 *
 * A function that can fail returns `const struct problem *`; NULL is success. Callers return a
 * problem unchanged. The reply or the exit code follows from its kind. Problems live in an arena.
 * The errors of the service itself are values of model/error.h. */
#pragma once

#include "base/arena.h"
#include "base/text_place.h"

enum problem_kind {
    PROBLEM_INVALID,   /* the input is not valid, or not possible here */
    PROBLEM_FORBIDDEN, /* the server's options do not allow it */
    PROBLEM_MISSING,   /* the subject does not exist */
    PROBLEM_METHOD,    /* the subject exists, but does not support this method */
    PROBLEM_CONFLICT,  /* the subject exists already, or is in use */
    PROBLEM_LIMIT,     /* there is no room */
    PROBLEM_WAITS,     /* it has to wait for other work: try again later */
    PROBLEM_FAILED,    /* the work itself failed: the disk, the network, the store */
};

struct problem {
    enum problem_kind kind;
    const char *text; /* a sentence */
    const char *hint; /* the probable mistake that caused it; NULL: unknown */
    const char *file; /* where it is; NULL: not in a file, or unknown */
    struct text_place place;
    const char *part; /* of the file or the input: "pattern 2, step 1"; NULL: all, or unknown */
};

MUST_CHECK const struct problem *problem_new(struct arena *a, enum problem_kind kind,
                                             const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Like problem_new, for PROBLEM_INVALID. */
MUST_CHECK const struct problem *problem_invalid(struct arena *a, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* A problem with a text that exists already; NULL stays NULL. */
MUST_CHECK const struct problem *problem_of(struct arena *a, enum problem_kind kind,
                                            const char *text);

/* A copy in another arena; NULL stays NULL. */
MUST_CHECK const struct problem *problem_copy(struct arena *a, const struct problem *p);

/* A copy that is in this part of something; its own part is a part of that. NULL stays NULL. */
MUST_CHECK const struct problem *problem_within(struct arena *a, const struct problem *p,
                                                const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A copy that is in the file. NULL stays NULL. */
MUST_CHECK const struct problem *problem_in(struct arena *a, const struct problem *p,
                                            const char *file);

/* The text after the place: "FILE:LINE:COLUMN: PART: TEXT". NULL stays NULL. */
const char *problem_text(struct arena *a, const struct problem *p);

/* A copy with this hint. */
MUST_CHECK const struct problem *problem_because(struct arena *a, const struct problem *p,
                                                 const char *hint);
