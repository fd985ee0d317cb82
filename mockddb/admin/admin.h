/* admin.h: the verbs under /_mockddb/: what tests and people ask of the server itself.
 *
 * JSON in, JSON out; needs no socket. A verb is a file and a row of admin_verbs.c, as an operation
 * is. Who may come in is http's affair; which verbs there are, and what each takes:
 * docs/admin-api.md. */
#ifndef ADMIN_ADMIN_H
#define ADMIN_ADMIN_H

#include "patterns/pattern_file.h"
#include "worlds/worlds.h"

struct admin;

struct admin_request {
    const char *method; /* "GET" */
    struct span path;   /* what comes after "/_mockddb/", without query */
    struct span query;  /* what comes after "?", or empty */
    struct span body;   /* a JSON object, or empty */
    const char *file;   /* of a body that was too long to be held: its path; else NULL */
    struct span world;  /* the name that the request gives; at NULL: the first one */
};

struct admin_reply {
    int status;
    const char *content_type;
    struct span body;    /* valid until the next request */
    int file;            /* not -1: the body is what this descriptor has; the caller closes it */
    struct world *world; /* in which something may have changed: the reply waits for its flush */
    /* Not NULL: the verb has begun a piece of work. Until admin_step says that it is done, the rest
     * of this reply means nothing. */
    struct admin_work *work;
    /* Not NULL: the body comes in lines, from admin_stream_next. */
    struct admin_stream *stream;
    /* The rest means nothing: it has to be asked again, once one more copy of a world has ended
     * (worlds_copies_ended). Never of a request that brings a file. */
    bool waits;
};

/* Files of access patterns that the server was given. */
struct admin_patterns {
    const struct pattern_file *files;
    size_t count;
    const char *prefix;                /* of their tables */
    const struct catalogue *catalogue; /* of all of them; NULL: there are none */
};

/* Borrows the worlds and the patterns; NULL: there are none. */
struct admin *admin_new(struct worlds *worlds, const struct admin_patterns *patterns);
void admin_free(struct admin *a); /* a may be NULL */

/* Whether this cannot be handled yet, because of work that goes on alone: ask again once nothing
 * does. Work for files, which are not in memory, begins all the same, and waits before its first
 * slice. */
bool admin_must_wait(const struct admin *a, const struct admin_request *request);

/* Whether there is work that goes on alone. */
bool admin_works_alone(const struct admin *a);

void admin_handle(struct admin *a, const struct admin_request *request, struct admin_reply *reply);

/* --- work in slices --------------------------------------------------------------------------- */

struct admin_work;

/* Whether a slice can be done now: the work waits neither for other work nor for the disk
 * (file_sync_bell). */
bool admin_is_due(const struct admin *a, const struct admin_work *w);

/* Does a slice, if it is due; true when the work is done, and the reply filled in. */
bool admin_step(struct admin *a, struct admin_work *w, struct admin_reply *reply);

/* Ends work, done or not. */
void admin_end(struct admin_work *w);

/* --- replies in lines ------------------------------------------------------------------------- */

enum admin_more {
    ADMIN_LINE,        /* here is one */
    ADMIN_NOTHING_YET, /* there may be one after the next request to the server */
    ADMIN_ALL,         /* that was all */
};

/* The next line, with its end; it is valid until the next request or line. */
enum admin_more admin_stream_next(struct admin *a, struct admin_stream *s, struct span *line);
void admin_stream_end(struct admin_stream *s); /* read to its end or not */

#endif
