/* world_fault.h: why an operation on worlds failed. */
#ifndef WORLDS_WORLD_FAULT_H
#define WORLDS_WORLD_FAULT_H

#include "base/arena.h"

enum world_fault_kind {
    WORLD_MISSING,  /* it does not exist */
    WORLD_EXISTS,   /* it exists already */
    WORLD_BUSY,     /* a verb is running in it */
    WORLD_WAITS,    /* it is being copied: try again when a copy has ended */
    WORLD_LIMIT,    /* there are too many worlds, or they use too much memory */
    WORLD_MISNAMED, /* not a valid name */
    WORLD_REFUSED,  /* not possible for this world */
    WORLD_FAILED,   /* the store failed */
};

/* A pointer to a fault is the result of functions; NULL is success. */
struct world_fault {
    enum world_fault_kind kind;
    const char *message; /* one sentence */
};

MUST_CHECK const struct world_fault *world_fault(struct arena *a, enum world_fault_kind kind,
                                                 const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
