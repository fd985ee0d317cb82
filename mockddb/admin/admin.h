/* admin.h: the verbs under /_mockddb/, which control the server itself.
 *
 * JSON in, JSON out; needs no socket. Like an operation, a verb is a file and a row of
 * admin_verbs.c. http decides who may call them; docs/admin-api.md lists the verbs and their
 * members. */
#pragma once

#include "patterns/pattern_file.h"
#include "worlds/worlds.h"

struct admin;

struct admin_request {
    const char *method; /* "GET" */
    struct span path;   /* the part after "/_mockddb/", without the query */
    struct span query;  /* the part after "?", or empty */
    struct span body;   /* a JSON object, or empty */
    const char *file;   /* path of a file with a body that is too long for memory, or NULL */
    struct span world;  /* the world in the request; at NULL: the first world */
    bool world_exists;  /* the world is not made: one that does not exist is an error */
};

struct admin_reply {
    int status;
    const char *content_type;
    struct span body;    /* valid until the next request */
    int file;            /* not -1: the body is the content of this file; the caller closes it */
    struct world *world; /* a world that may have changed: the reply waits for its flush */
    /* Not NULL: the verb has begun work. The other members are not valid until admin_step returns
     * true. */
    struct admin_work *work;
    /* Not NULL: the body is a series of lines from admin_stream_next. */
    struct admin_stream *stream;
    /* The other members are not valid: ask again after the next copy of a world has ended
     * (worlds_copies_ended). Never true for a request with a file. */
    bool waits;
};

/* The server's files of access patterns. */
struct admin_patterns {
    const struct pattern_file *files;
    size_t count;
    const char *prefix;                /* of their tables */
    const struct catalogue *catalogue; /* of all files; NULL: no patterns */
};

/* Borrows the worlds and the patterns; NULL: no patterns. */
struct admin *admin_new(struct worlds *worlds, const struct admin_patterns *patterns);
void admin_free(struct admin *a); /* a may be NULL */

/* Whether the request must wait for work that runs alone: ask again after its end. Work for files,
 * which are not in memory, begins at once, and waits before its first slice. */
bool admin_must_wait(const struct admin *a, const struct admin_request *request);

/* Whether work is running alone. */
bool admin_works_alone(const struct admin *a);

/* Whether the request is one to a verb whose body is a file (admin_request.file). */
bool admin_takes_file(const struct admin_request *request);

void admin_handle(struct admin *a, const struct admin_request *request, struct admin_reply *reply);

/* --- work in slices --------------------------------------------------------------------------- */

struct admin_work;

/* Whether a slice can be done now: the work waits neither for other work nor for the disk
 * (file_sync_bell). */
bool admin_is_due(const struct admin *a, const struct admin_work *w);

/* Whether ending it now would not have to wait for the disk. */
bool admin_may_end(const struct admin_work *w);

/* Does a slice if it is due; returns true when the work is done and the reply is complete. */
bool admin_step(struct admin *a, struct admin_work *w, struct admin_reply *reply);

/* Ends work, finished or not. */
void admin_end(struct admin_work *w);

/* Handles a request to its end, for programs that serve no others meanwhile. */
void admin_ask(struct admin *a, const struct admin_request *request, struct admin_reply *reply);

/* --- replies in lines ------------------------------------------------------------------------- */

enum admin_more {
    ADMIN_LINE,        /* *line is the next line */
    ADMIN_NOTHING_YET, /* another line may come after the next request to the server */
    ADMIN_ALL,         /* there are no more lines */
};

/* The next line, with its line end; it is valid until the next request or line. */
enum admin_more admin_stream_next(struct admin *a, struct admin_stream *s, struct span *line);
void admin_stream_end(struct admin_stream *s); /* at its end or earlier */
