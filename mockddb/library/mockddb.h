/* mockddb.h: libmockddb, the server without its sockets, inside another program: docs/library.md.
 *
 * A handle is a server of its own: worlds, clocks, faults and journal. A process may have several,
 * each used by one thread at a time. The library starts no threads that call back, handles no
 * signals, prints nothing, never ends the process, and leaves the settings of malloc and SQLite as
 * they are. Texts end with a NUL; bodies have a length. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#error "libmockddb needs a POSIX system"
#endif
#define MOCKDDB_API __attribute__((visibility("default")))

/* Changes only when a program has to be changed or compiled again. Members that are added at the
 * end of a struct do not change it: `size` says which ones the caller knows. */
#define MOCKDDB_ABI 1

/* The MOCKDDB_ABI that the library was built with. */
MOCKDDB_API int mockddb_abi(void);
/* "0.1.0" */
MOCKDDB_API const char *mockddb_version(void);

struct mockddb;

/* What functions return. Of anything but MOCKDDB_OK, mockddb_problem has the reason in words. An
 * error of the service is a reply: MOCKDDB_OK, and its status is 400 or more. */
enum mockddb_result {
    MOCKDDB_OK = 0,
    MOCKDDB_INVALID = 1, /* an argument or option is wrong; nothing was done */
    MOCKDDB_FAILED = 2,  /* a file cannot be used, or the like */
    MOCKDDB_LOST = 3,    /* memory ran out, now or in an earlier call: only mockddb_close is left */
    MOCKDDB_FORKED = 4,  /* the handle is the parent process's: only mockddb_close is left */
    MOCKDDB_BUSY = 5,    /* another thread is using the handle, or its log function calls */
};

/* --- opening ---------------------------------------------------------------------------------- */

/* How a handle does the work between requests: expiring items, filling indexes, ending states of
 * tables. */
#define MOCKDDB_JOBS_APART                                                 \
    1u /* only in mockddb_advance; else every call does a step that is due \
        */

struct mockddb_options {
    size_t size; /* sizeof(struct mockddb_options) */
    /* Options of `mockddb serve`, one word each, that are not about its sockets: "--fixtures",
     * "./fixture", "--db", "FILE". Without --db and --data-dir, everything is in memory. */
    const char *const *words;
    size_t word_count;
    uint32_t flags; /* MOCKDDB_JOBS_APART */
    /* Receives lines for the operator, without a line end; NULL: they are dropped. It is called
     * within functions of this handle, and must not call any with it. */
    void (*log)(void *context, const char *line);
    void *log_context;
};

/* Opens a handle; options NULL: one in memory, with the defaults of the server. On failure *out is
 * a handle that only has a problem, and must be closed; NULL if there is no memory for it. Nothing
 * is borrowed. */
MOCKDDB_API int mockddb_open(const struct mockddb_options *options, struct mockddb **out);

/* Closes the handle, which may be NULL: saves files, frees everything. Of a lost or a forked handle
 * only what is certain is freed. */
MOCKDDB_API void mockddb_close(struct mockddb *db);

/* Why the last function returned something other than MOCKDDB_OK or MOCKDDB_BUSY, in one sentence;
 * "" after success. Valid until the next function with this handle. db NULL: there was no memory.
 */
MOCKDDB_API const char *mockddb_problem(const struct mockddb *db);

/* --- requests --------------------------------------------------------------------------------- */

/* Flags of a request. */
#define MOCKDDB_ASIDE   1u /* not in the journal or metrics; no faults or throttling apply */
#define MOCKDDB_EXPLAIN 2u /* keeps an explanation: verb GET explanations/NUMBER */

struct mockddb_request {
    size_t size;        /* sizeof(struct mockddb_request) */
    const char *world;  /* made on first use; NULL: the first one, "default" */
    const char *target; /* X-Amz-Target: "DynamoDB_20120810.GetItem" */
    const char *body;   /* JSON */
    size_t body_len;
    const char *region; /* that it is signed for, with --regions by-request; NULL: the default */
    const char *access_key; /* NULL: none */
    const char *client;     /* its name in the journal; NULL: none */
    uint32_t flags;         /* MOCKDDB_ASIDE, MOCKDDB_EXPLAIN */
    const char *host;       /* Host, which DescribeEndpoints returns; NULL: the service's name */
};

/* Flags of a reply: what a fault rule does to it on its way, which is left to the caller. */
#define MOCKDDB_DROPPED   1u /* the client gets no reply: its connection closes */
#define MOCKDDB_CUT       2u /* the connection closes after body_len bytes, too early */
#define MOCKDDB_WRONG_CRC 4u /* x-amz-crc32 does not fit the body */

struct mockddb_reply {
    size_t size;              /* sizeof(struct mockddb_reply), set by the caller */
    int32_t status;           /* of HTTP */
    uint32_t flags;           /* MOCKDDB_DROPPED … */
    const char *body;         /* valid until the next function with this handle; */
    size_t body_len;          /* a NUL behind it is not promised */
    const char *content_type; /* valid as long as the body */
    int64_t delay_ms;         /* a fault: the reply leaves this much later */
    int64_t date_skew_ms;     /* a fault: its Date is off by this much */
    uint64_t explanation;     /* its number; 0: none */
};

/* Sends a request of an operation to its world, and does all of it: the reply to a write comes when
 * it is saved. */
MOCKDDB_API int mockddb_call(struct mockddb *db, const struct mockddb_request *request,
                             struct mockddb_reply *reply);

/* Sends a request of a verb (docs/admin-api.md). path: what follows /_mockddb/, with the query:
 * "journal?limit=10". world NULL: the first one. body: JSON, or the file of a verb that takes one;
 * NULL: none. Long verbs are done when this returns; a journal that is followed ends with its last
 * line so far. */
MOCKDDB_API int mockddb_verb(struct mockddb *db, const char *world, const char *method,
                             const char *path, const char *body, size_t body_len,
                             struct mockddb_reply *reply);

/* POST snapshots/NAME: takes a snapshot of the world; NULL: of the first one. */
MOCKDDB_API int mockddb_snapshot(struct mockddb *db, const char *world, const char *name,
                                 struct mockddb_reply *reply);

/* POST worlds/NAME: makes a world as a copy of another one; from NULL: of the first one. */
MOCKDDB_API int mockddb_fork(struct mockddb *db, const char *from, const char *name,
                             struct mockddb_reply *reply);

/* Does the work between requests that is due by the worlds' clocks: for `for_ms` milliseconds, or a
 * step of a few more; 0: until no more is due. *next_ms, which may be NULL, is in how many
 * milliseconds of real time more will be due: 0: now, -1: not before the next call. */
MOCKDDB_API int mockddb_advance(struct mockddb *db, int64_t for_ms, int64_t *next_ms);

#ifdef __cplusplus
}
#endif
