/* worlds_call.h: a request of an operation to one of the worlds, over HTTP or within the process.
 */
#pragma once

#include "worlds/worlds.h"

struct worlds_call {
    struct span world; /* its name; at NULL: the first world */
    bool world_exists; /* it is not made: a world that does not exist is an error */
    /* A request with an auth_error neither makes nor opens a world. */
    struct request request;
    bool explains;          /* is explained for the summary, if there is one, … */
    bool keeps_explanation; /* … and for the caller */
};

struct worlds_answer {
    struct reply reply;   /* leaves after worlds_flush, unless its world is lost */
    struct world *world;  /* NULL: the world in the request cannot be used, as the reply says */
    uint64_t explanation; /* the number of the kept one (explanations.h); 0: none */
};

enum worlds_called {
    WORLDS_ANSWERED,
    /* Call again, without an answer yet: */
    WORLDS_UNFINISHED,      /* at once: a slice was done; only if request.in_slices */
    WORLDS_WAITS_FOR_COPY,  /* after the next copy has ended (worlds_copies_ended) */
    WORLDS_WAITS_FOR_CLOCK, /* when the clock of answer.world has arrived */
};

/* Finds the request's world, makes it on first use, and runs the request in it. The arena is for
 * problems and explanations. */
enum worlds_called worlds_call(struct worlds *all, struct arena *a, const struct worlds_call *call,
                               struct worlds_answer *out);
