/* admin_verb.h: the definition of a verb, and the state of a call. */
#pragma once

#include "admin/admin.h"
#include "wire/wire_body.h"
#include "wire/wire_reply.h"
#include "worlds/worlds_copy.h"

struct admin_call {
    struct arena *arena;
    struct admin *admin;
    const struct admin_verb *verb;
    struct worlds *worlds;
    const struct admin_patterns *patterns;
    struct world *world;    /* the request's world */
    struct span name;       /* the step of the path that matches * */
    struct span query;      /* "limit=10&operation=Query" */
    const wire_node *body;  /* a JSON object, or NULL without a body */
    struct span text;       /* the body as text */
    const char *upload;     /* path of the uploaded file, or NULL */
    struct wire_writer out; /* the reply's object is open */
    int file;               /* descriptor of a file to answer with, set by the verb */
    struct admin_work *work;
    struct admin_stream *stream;
    int status; /* of the reply; 0 means 200 */
    /* For admin.c: */
    const struct admin_request *request;
    struct arena_budget left; /* of the request's limits */
};

enum admin_flags {
    ADMIN_CHANGES = 1,  /* changes something: refused by a read-only server */
    ADMIN_NO_WORLD = 2, /* uses no world, or the world in its path */
    ADMIN_WHOLE = 4,    /* is never ended halfway: it has its own budgets or slices */
    ADMIN_COPIES = 16,  /* copies or replaces worlds, or moves their time: not with a database */
    ADMIN_OWN = 32,     /* is about this process: not if it is one of several */
    ADMIN_FILE = 64,    /* takes a file in place of a body */
    ADMIN_ALONE = 8,    /* its work may use much memory: only one such work runs at a time */
};

struct admin_verb {
    const char *method;
    const char *path;    /* after "/_mockddb/"; one step of it may be "*" */
    unsigned flags;      /* of admin_flags */
    const char *members; /* allowed in the body, with blanks between them; NULL: no body */
    const char *filters; /* allowed in the query, likewise; NULL: no query */
    /* PROBLEM_WAITS: the request is repeated when a copy of a world has ended. */
    const struct problem *(*run)(struct admin_call *c);
};

/* The verbs of each file; both end with a zero. */
extern const struct admin_verb *const admin_verbs[];

#define ADMIN_BEYOND_BUDGET "this needs more work or memory than one request may use"

/* --- what requests bring ---------------------------------------------------------------------- */

/* Reads a number in digits, such as an id in a path; returns false for other texts. */
bool admin_read_number(struct span text, uint64_t *out);

/* The value of a filter in the query, percent-decoded; {NULL, 0} if it is missing. */
struct span admin_filter(const struct admin_call *c, const char *name);

/* Reads the filter `name`: true, or empty, or false; *out is false if it is missing. */
MUST_CHECK const struct problem *admin_read_bool(struct admin_call *c, const char *name, bool *out);
/* Reads the filter `name`, a whole number from 1 to `most`; leaves *out alone if it is missing. */
MUST_CHECK const struct problem *admin_read_count(struct admin_call *c, const char *name,
                                                  uint64_t most, uint64_t *out);

/* A duration: 1500 (milliseconds), "90s", "15m", "36h", "7d", "250ms"; negative ones begin with -.
 */
MUST_CHECK const struct problem *admin_read_duration(struct admin_call *c, const char *member,
                                                     int64_t *ms);
/* A moment: ISO 8601 ("2026-01-01T00:00:00Z"), or milliseconds since 1970. */
MUST_CHECK const struct problem *admin_read_moment(struct admin_call *c, const char *member,
                                                   int64_t *ms);

/* Reads the filter `table`, empty if it is missing. Refuses unknown names: an empty answer would
 * look as if there had been no requests. */
MUST_CHECK const struct problem *admin_read_table(struct admin_call *c, struct span *out);
/* "table … does not exist" */
MUST_CHECK const struct problem *admin_no_table(struct admin_call *c, struct span table);

/* Refuses to run requests in a world whose clock is being advanced. */
MUST_CHECK const struct problem *admin_check_clock(struct admin_call *c);

/* --- work in slices --------------------------------------------------------------------------- */

struct admin_work;

/* Work of a verb that takes long. */
struct admin_job {
    /* Does a slice; returns true at the end. */
    bool (*step)(struct admin_work *w);
    /* Writes the reply, after the last slice. */
    const struct problem *(*answer)(struct admin_call *c, struct admin_work *w);
    void (*end)(struct admin_work *w); /* frees the state */
};

struct admin_work {
    const struct admin_job *job; /* NULL: it is the copy */
    void *state;                 /* the job's own */
    struct worlds_copy *copy;    /* the copy itself keeps others out of the world */
    void (*answer)(struct admin_call *c, struct worlds_copy *copy);
    struct admin *admin;
    bool alone; /* runs alone, as with ADMIN_ALONE */
    struct worlds *worlds;
    struct world *world; /* must not be dropped or reset meanwhile */
};

/* Begins a job for the call; it becomes the call's work. */
void admin_begin(struct admin_call *c, const struct admin_job *job, void *state);

/* Makes the copy the call's work; when it has succeeded, `answer` writes the reply. A short copy
 * ends at once. */
MUST_CHECK const struct problem *admin_copy(struct admin_call *c, struct worlds_copy *copy,
                                            void (*answer)(struct admin_call *c,
                                                           struct worlds_copy *copy));

/* --- replies in lines ------------------------------------------------------------------------- */

struct admin_stream {
    struct worlds
        *worlds; /* the subject of the lines may be gone by the next line, so look it up here */
    void *state;
    enum admin_more (*next)(struct admin_stream *s, struct arena *a, struct buf *line);
    void (*end)(struct admin_stream *s); /* frees the state; may be NULL */
};

/* Makes the call's reply a series of lines (one JSON object each); the verb sets the members. */
struct admin_stream *admin_begin_stream(struct admin_call *c);
