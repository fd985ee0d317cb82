/* assertion_kind.h: the interface of a kind of assertion: a row of assertion_kind_table. */
#pragma once

#include "journal/journal_entry.h"

enum assertion_value { ASSERTION_NUMBER, ASSERTION_PERCENT, ASSERTION_WORDS, ASSERTION_FLAG };

#define ASSERTION_RECENT 64  /* throttled calls that are remembered */
#define ASSERTION_TEXT   256 /* bytes of a request's shape that a report shows */

/* The request that a report names: a copy, since its entry and world may be gone by then. */
struct assertion_request {
    uint64_t id;
    int64_t began_ms;
    const struct op *op;              /* NULL: the request names no operation */
    char world[LIMIT_WORLD_NAME + 1]; /* the world's name */
    char shape[ASSERTION_TEXT];       /* catalogue_shape.h */
    char client[ASSERTION_TEXT];      /* empty: unknown */
};

struct assertion_recent {
    uint64_t hash; /* of its world, and of the request or its subject */
    int64_t end_us;
    struct assertion_request request;
};

struct assertion {
    const struct assertion_kind *kind;
    struct span text; /* as it was given */
    bool numbered;    /* the report names requests by their ids as well, which can be looked up */
    double number;
    struct span *words;
    size_t word_count;
    const struct catalogue *catalogue; /* NULL: there are no patterns */
    bool *sent;                        /* for each pattern step, whether it was sent */

    /* The results so far. */
    double total;                    /* in the kind's own unit */
    struct span world;               /* of the current request */
    uint64_t count;                  /* requests that break it */
    struct assertion_request first;  /* of those */
    struct assertion_recent *recent; /* up to ASSERTION_RECENT; NULL: its kind needs none */
    size_t recent_count;
};

struct assertion_kind {
    const char *name;
    enum assertion_value value;
    bool of_patterns; /* needs a catalogue */
    bool reads_body;  /* the whole body of each request */
    bool remembers;   /* recent requests */
    void (*take)(struct assertion *x, const struct journal_entry *e);
    bool (*holds)(const struct assertion *x); /* NULL: it holds as long as no request breaks it */
    const char *what; /* what happened in the requests that break it; or NULL */
    /* Says why it does not hold, after `what`; NULL: `what` says all. */
    void (*say)(const struct assertion *x, struct buf *out);
};

/* Says why the assertion does not hold. */
void assertion_kind_say(const struct assertion *x, struct buf *out);

/* Ends with a NULL name. */
extern const struct assertion_kind assertion_kind_table[];
