/* task.h: stored exports, imports and bulk puts: the request, the progress, the result.
 *
 * A call begins a task; slices between calls do its work (task_run.h). The task's row has all that
 * must survive a restart: each slice commits its changes and the row in one unit. Each kind has a
 * space, with rows in the order of their times:
 *
 *   key = space | creation (8 bytes, big-endian, ms) | suffix (8)
 *
 * Source: docs/behaviour/transfer.md. */
#pragma once

#include "ops/table/table_arn.h"
#include "store/cursor.h"

enum task_kind { TASK_EXPORT, TASK_IMPORT, TASK_BULK_PUT, TASK_KIND_COUNT };

enum task_status {
    TASK_IN_PROGRESS,
    TASK_CANCELLING,
    TASK_COMPLETED, /* this status and all later ones: the task has ended */
    TASK_COMPLETED_WITH_ERRORS,
    TASK_CANCELLED,
    TASK_FAILED
};
extern const char *const task_statuses[];

/* The bytes that a bulk put has written to an index. */
struct task_usage {
    struct span index;
    enum index_kind kind;
    int64_t bytes;
};

struct task {
    enum task_kind kind; /* from its space; not stored */
    struct span region;  /* like call.region */
    struct span table, table_id, suffix;
    int64_t created_ms; /* with the suffix the end of its ARN */
    int64_t ended_ms;   /* 0: not yet */
    int64_t ready_ms;   /* its work begins then */
    enum task_status status;
    struct span token;   /* ClientToken, or a generated one */
    struct span request; /* in canonical JSON; answers repeat members from it */
    struct span failure_code, failure_message;

    int64_t items, bytes;         /* written by an export; read by the others */
    int64_t imported, faults;     /* items read: valid and put, or invalid */
    int64_t refused;              /* items whose condition failed */
    int64_t input_bytes, objects; /* of the whole input, once `listed` */

    /* An export. */
    struct span source;         /* the table at the request, in catalog form */
    int64_t from_ms, moment_ms; /* the window; a full export has from_ms 0 and its moment */
    uint32_t table_space;
    uint32_t log_space;       /* the table's log, held by `space` (recovery_log.h) */
    struct span log_end;      /* the log's end when the export began */
    struct span log_position; /* the last change that was read */
    struct span file;         /* name of its data file */

    /* An export's items that have changed since its moment; the list of an import's objects. */
    uint32_t space;

    /* An import or bulk put. */
    bool listed;        /* all of its objects are in `space` */
    struct span object; /* key of the object that is being read; len 0: none yet */
    int64_t records;    /* finished records of the object */
    struct span aside;  /* part of the names of unfinished files */

    /* A bulk put. */
    bool read;                /* all of its objects are read */
    int64_t put_bytes;        /* sizes of the items that were put */
    struct task_usage *usage; /* bytes in each index that has any */
    size_t usage_count;
    uint32_t reports;            /* space of the lines of its reports; 0: none yet */
    uint32_t report;             /* the report that is being written */
    int64_t report_bytes;        /* written bytes of its file */
    struct span report_position; /* its next line */
};

/* --- ARNs ------------------------------------------------------------------------------------- */

extern const struct wire_shape task_arn_shape, task_token_shape;

/* Returns the task's ARN, in the call's arena. */
struct span task_arn(const struct call *c, const struct task *t);
/* Returns the last part of the ARN. */
struct span task_id(const struct call *c, const struct task *t);

/* Reads the request's TableArn, which must name a table. task_is_here: whether the ARN has the
 * call's region. */
MUST_CHECK const struct error *task_read_table(struct call *c, struct arn *out);
bool task_is_here(struct call *c, const struct arn *arn);

/* Parses an ARN of this kind; false for other texts. */
bool task_parse_arn(enum task_kind kind, struct span text, struct arn *arn, struct task *place);

/* A random file name in the service's form, 26 characters of a-z and 2-7. In the call's arena. */
struct span task_random_name(struct call *c);

/* --- rows ------------------------------------------------------------------------------------- */

/* Begins a task: sets its id and token and stores it. The caller has set kind, table, table_id and
 * the members of the kind. */
MUST_CHECK const struct error *task_begin(struct call *c, struct task *t);

/* Stores the task. */
MUST_CHECK const struct error *task_keep(struct call *c, const struct task *t);

/* Ends the task and stores it. */
MUST_CHECK const struct error *task_end(struct call *c, struct task *t, enum task_status status);
MUST_CHECK const struct error *task_fail(struct call *c, struct task *t, const char *code,
                                         const char *message);

bool task_has_ended(const struct task *t);

/* Finds the task of an id. */
MUST_CHECK const struct error *task_find(struct call *c, const struct task *place, struct task *out,
                                         bool *found);

/* Finds the task with the request's ClientToken from the last eight hours. *same: its request was
 * equal. */
MUST_CHECK const struct error *task_find_token(struct call *c, enum task_kind kind,
                                               struct task *out, bool *found, bool *same);

/* Counts the tasks that have not ended. */
MUST_CHECK const struct error *task_count_open(struct call *c, enum task_kind kind, int64_t *count);

/* Whether a bulk put into the table is open. */
MUST_CHECK const struct error *task_puts_into(struct call *c, const struct table *t, bool *out);

/* The range of the rows of all kinds, oldest first, behind a key (len 0: all). */
struct store_range task_range_of_all(struct call *c, struct span behind);
/* False if the row is damaged. */
bool task_decode(struct call *c, const struct store_row *row, struct task *out);

/* Parses the stored request. */
MUST_CHECK const struct error *task_request(struct call *c, const struct task *t,
                                            const wire_node **out);

/* --- lists ------------------------------------------------------------------------------------ */

/* A page of a list, newest first. Writes `member` with an object for each task that `shows`
 * accepts, and NextToken if there are more. */
struct task_page {
    enum task_kind kind;
    const char *member;
    int64_t limit;
    bool by_table; /* the request's TableArn, if it has one, selects tasks */
    bool (*shows)(struct call *c, const struct task *t); /* NULL: shows all */
    void (*put)(struct call *c, const struct task *t);   /* writes the object's members */
};
MUST_CHECK const struct error *task_put_page(struct call *c, const struct task_page *page);

/* --- answers ---------------------------------------------------------------------------------- */

/* Copies a member of the request into the open object, if the request has it. */
void task_put_asked(struct wire_writer *w, const wire_node *request, const char *name);
