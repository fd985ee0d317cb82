/* admin_verb.h: what a verb is, and what a call of it works with. */
#ifndef ADMIN_ADMIN_VERB_H
#define ADMIN_ADMIN_VERB_H

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
    struct world *world;    /* the one that is meant */
    struct span name;       /* what the * of the path stands for */
    struct span query;      /* "limit=10&operation=Query" */
    const wire_node *body;  /* an object; NULL where the request has none */
    struct span text;       /* the same as it was sent */
    const char *upload;     /* path of the file that the request brings; NULL: none */
    struct wire_writer out; /* the reply's object is open */
    int file;               /* a verb that answers with a file sets its descriptor */
    struct admin_work *work;
    struct admin_stream *stream;
    int status; /* of the reply; 0: 200 */
};

/* Why a verb is not done. NULL is success. */
struct admin_fault {
    int status; /* 0: it has to wait for a copy of a world */
    const char *message;
};

enum admin_flags {
    ADMIN_CHANGES = 1,  /* changes something: refused where the server is read-only */
    ADMIN_NO_WORLD = 2, /* is about no world, or about the one that its path names */
    ADMIN_WHOLE = 4, /* is not ended in its middle: what it does has budgets or slices of its own */
    ADMIN_ALONE = 8, /* its work may keep much memory: of all such work one goes on at a time */
};

struct admin_verb {
    const char *method;
    const char *path;           /* after "/_mockddb/"; one step of it may be "*" */
    unsigned flags;             /* of admin_flags */
    const char *const *members; /* that the body may have, up to NULL; NULL: it takes no body */
    const char *const *filters; /* that the query may have, up to NULL; NULL: it takes none */
    const struct admin_fault *(*run)(struct admin_call *c);
};

/* Ends with NULL. */
extern const struct admin_verb *const admin_verbs[];

MUST_CHECK const struct admin_fault *admin_refuse(struct admin_call *c, int status, const char *fmt,
                                                  ...) PRINTF_LIKE(3, 4);

#define ADMIN_BEYOND_BUDGET "this takes more than mockddb does for one request"

/* What is wrong with a world; NULL stays NULL. */
MUST_CHECK const struct admin_fault *admin_world_fault(struct admin_call *c,
                                                       const struct world_fault *f);

/* --- what requests bring ---------------------------------------------------------------------- */

/* Whether it could be a world's name; names in paths and regions have the same form. */
bool admin_is_name(struct span text);

/* A whole number in digits, as ids in paths are; false: it is none. */
bool admin_read_number(struct span text, uint64_t *out);

/* The value of a filter in the query, percent-decoded; {NULL, 0} where it is not there. */
struct span admin_filter(const struct admin_call *c, const char *name);

/* A duration: 1500 (milliseconds), "90s", "15m", "36h", "7d", "250ms"; negative ones begin with -.
 */
MUST_CHECK const struct admin_fault *admin_read_duration(struct admin_call *c, const char *member,
                                                         int64_t *ms);
/* A moment: ISO 8601 ("2026-01-01T00:00:00Z"), or milliseconds since 1970. */
MUST_CHECK const struct admin_fault *admin_read_moment(struct admin_call *c, const char *member,
                                                       int64_t *ms);

/* The filter `table`, empty where there is none; a name that nothing has would be taken for "there
 * was nothing about it". */
MUST_CHECK const struct admin_fault *admin_read_table(struct admin_call *c, struct span *out);

/* --- work in slices --------------------------------------------------------------------------- */

struct admin_work;

/* What a verb does that takes long. */
struct admin_job {
    /* Does a slice; true when all is done. */
    bool (*step)(struct admin_work *w);
    /* Writes the reply, after the last slice. */
    const struct admin_fault *(*answer)(struct admin_call *c, struct admin_work *w);
    void (*end)(struct admin_work *w); /* frees the state */
    /* Whether a slice has to wait for the disk; NULL: never. */
    bool (*waits)(const struct admin_work *w);
    bool is_copy; /* of a world, which sees to it that nobody else is at work in it */
};

struct admin_work {
    const struct admin_job *job;
    void *state; /* the job's own */
    struct admin *admin;
    bool alone; /* as ADMIN_ALONE says */
    struct worlds *worlds;
    struct world *world; /* is neither dropped nor reset meanwhile */
};

/* Begins a job for the call, which is the call's work from here on. */
void admin_begin(struct admin_call *c, const struct admin_job *job, void *state);

/* Begins the job of a copy, whose answer `answer` writes when it has ended without a fault; a short
 * one is over at once. */
MUST_CHECK const struct admin_fault *
admin_copy(struct admin_call *c, struct worlds_copy *copy,
           const struct admin_fault *(*answer)(struct admin_call *c, struct worlds_copy *copy));

/* --- replies in lines ------------------------------------------------------------------------- */

struct admin_stream {
    struct worlds *worlds; /* what it reports on may be gone by the next line: look for it there */
    void *state;
    enum admin_more (*next)(struct admin_stream *s, struct arena *a, struct buf *line);
    void (*end)(struct admin_stream *s); /* frees the state; may be NULL */
};

/* Makes the call's reply one in lines (JSON, one object each); its members are the verb's to set.
 */
struct admin_stream *admin_begin_stream(struct admin_call *c);

#endif
