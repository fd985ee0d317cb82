/* world_fault.h: why something cannot be done with worlds. */
#ifndef WORLDS_WORLD_FAULT_H
#define WORLDS_WORLD_FAULT_H

#include "base/arena.h"

enum world_fault_kind {
    WORLD_MISSING,  /* there is none of that name */
    WORLD_EXISTS,   /* there is one already */
    WORLD_BUSY,     /* somebody is at work in it */
    WORLD_WAITS,    /* a copy of it is on its way: ask again when one has ended */
    WORLD_LIMIT,    /* there are too many, or they take too much memory */
    WORLD_MISNAMED, /* that is no name of one */
    WORLD_REFUSED,  /* that is not for this world */
    WORLD_FAILED,   /* the store could not do it */
};

/* A pointer to one; NULL is success. */
struct world_fault {
    enum world_fault_kind kind;
    const char *message; /* one sentence */
};

MUST_CHECK const struct world_fault *world_fault(struct arena *a, enum world_fault_kind kind,
                                                 const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
