/* task.h: exports, imports and bulk puts as they are kept: what was asked for, how far it is, how
 * it ended.
 *
 * A task is begun by a call and done in slices between calls (task_run.h). What must outlive the
 * process stands in its row: whatever a slice does to the store is kept with it in one unit. Rows
 * of a kind are one space, in the order of their times:
 *
 *   key = space | creation (8 bytes, big-endian, ms) | suffix (8)
 *
 * Source: docs/behaviour/transfer.md. */
#ifndef OPS_TASK_H
#define OPS_TASK_H

#include "ops/table/table_arn.h"
#include "store/cursor.h"

enum task_kind { TASK_EXPORT, TASK_IMPORT, TASK_BULK_PUT, TASK_KIND_COUNT };

enum task_status {
    TASK_IN_PROGRESS,
    TASK_CANCELLING,
    TASK_COMPLETED, /* from here on it has ended */
    TASK_COMPLETED_WITH_ERRORS,
    TASK_CANCELLED,
    TASK_FAILED
};
extern const char *const task_statuses[];

/* What a bulk put has put into an index. */
struct task_usage {
    struct span index;
    enum index_kind kind;
    int64_t bytes;
};

struct task {
    enum task_kind kind; /* of its space; not kept */
    struct span region;  /* as call.region has it */
    struct span table, table_id, suffix;
    int64_t created_ms; /* with the suffix the end of its ARN */
    int64_t ended_ms;   /* 0: it has not */
    int64_t ready_ms;   /* it does not end before */
    enum task_status status;
    struct span token;   /* ClientToken, the one made up where none was given */
    struct span request; /* its canonical JSON: all that answers repeat is read from it */
    struct span failure_code, failure_message;

    int64_t items, bytes;         /* written by an export; read by the others */
    int64_t imported, faults;     /* of those read: put, and wrong */
    int64_t refused;              /* by their condition */
    int64_t input_bytes, objects; /* of the whole input, once `listed` */

    /* An export. */
    struct span source;         /* the table's catalog form, as it was */
    int64_t from_ms, moment_ms; /* of a window the beginning (0: none), the moment or the end */
    uint32_t table_space;
    uint32_t log_space;       /* the table's changes, held by `space` (recovery_log.h) */
    struct span log_end;      /* where they ended when it began */
    struct span log_position; /* the last of them that was looked at */
    struct span file;         /* name of its data file */

    /* An export's items as of its moment, where they have changed since; an import's objects. */
    uint32_t space;

    /* An import or bulk put. */
    bool listed;        /* all of its objects are in `space` */
    struct span object; /* the one that is read: its key; len 0: none yet */
    int64_t records;    /* of that, so many are done */
    struct span aside;  /* part of the names of unfinished files */

    /* A bulk put. */
    bool read;                /* all of its objects */
    int64_t put_bytes;        /* sizes of the items that were put … */
    struct task_usage *usage; /* … and what of them is in each index that has any */
    size_t usage_count;
    uint32_t reports;            /* space of the lines of its reports; 0: none yet */
    uint32_t report;             /* the one that is written when all was read, … */
    int64_t report_bytes;        /* … how much of its file is there, … */
    struct span report_position; /* … and where its lines go on */
};

/* --- ARNs ------------------------------------------------------------------------------------- */

extern const struct wire_shape task_arn_shape, task_token_shape;

/* In the call's arena. */
struct span task_arn(const struct call *c, const struct task *t);
/* The last part of it. */
struct span task_id(const struct call *c, const struct task *t);

/* The request's TableArn, which names a table and nothing that belongs to one; whether that may be
 * a table of this region. */
MUST_CHECK const struct error *task_read_table(struct call *c, struct arn *out);
bool task_is_here(struct call *c, const struct arn *arn);

/* Takes apart an ARN of that kind; false where the text is none. */
bool task_parse_arn(enum task_kind kind, struct span text, struct arn *arn, struct task *place);

/* --- rows ------------------------------------------------------------------------------------- */

/* Begins a task: its id, its token, its row. Set before: kind, table, table_id, and what the kind
 * has. */
MUST_CHECK const struct error *task_begin(struct call *c, struct task *t);

/* Keeps what has changed. */
MUST_CHECK const struct error *task_keep(struct call *c, const struct task *t);

/* It has ended; kept. */
MUST_CHECK const struct error *task_end(struct call *c, struct task *t, enum task_status status);
MUST_CHECK const struct error *task_fail(struct call *c, struct task *t, const char *code,
                                         const char *message);

bool task_has_ended(const struct task *t);

/* The task of an id; found is false where there is none. */
MUST_CHECK const struct error *task_find(struct call *c, const struct task *place, struct task *out,
                                         bool *found);

/* The request's ClientToken was used in the last eight hours: *found, and whether the request was
 * the same. */
MUST_CHECK const struct error *task_find_token(struct call *c, enum task_kind kind,
                                               struct task *out, bool *found, bool *same);

/* How many have not ended. */
MUST_CHECK const struct error *task_count_open(struct call *c, enum task_kind kind, int64_t *count);

/* Whether a bulk put into the table has not ended. */
MUST_CHECK const struct error *task_puts_into(struct call *c, const struct table *t, bool *out);

/* All rows of all kinds from the oldest of the first on, behind a key (len 0: all). */
struct store_range task_range_of_all(struct call *c, struct span behind);
/* False for what cannot be read. */
bool task_decode(struct call *c, const struct store_row *row, struct task *out);

/* What was asked for, as the request had it. */
MUST_CHECK const struct error *task_request(struct call *c, const struct task *t,
                                            const wire_node **out);

/* --- lists ------------------------------------------------------------------------------------ */

/* A page of a list, newest first: writes `member` with what `put` writes of each that it lets pass,
 * and NextToken where there are more. */
struct task_page {
    enum task_kind kind;
    const char *member;
    int64_t limit;
    bool (*shows)(struct call *c, const struct task *t); /* NULL: all */
    void (*put)(struct call *c, const struct task *t);   /* the inside of an object */
};
MUST_CHECK const struct error *task_put_page(struct call *c, const struct task_page *page);

/* --- answers ---------------------------------------------------------------------------------- */

/* Members of the object that is open. Of the request, as it was sent; where it is absent, nothing.
 */
void task_put_asked(struct wire_writer *w, const wire_node *request, const char *name);
void task_put_time(struct wire_writer *w, const char *name, int64_t ms);
/* Left out where there is none. */
void task_put_text(struct wire_writer *w, const char *name, struct span text);

#endif
