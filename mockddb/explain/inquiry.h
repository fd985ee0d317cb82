/* inquiry.h: a finished call that is being explained: what is known of it, what may be looked at
 * for that, and what was found out.
 *
 * An inquiry reads the call's store and changes nothing. It is bounded in time, rows and memory:
 * what is not found out by then is not said. Everything lives in its arena. */
#pragma once

#include "catalogue/catalogue.h"
#include "dispatch/dispatch.h"
#include "ops/read/read_plan.h"
#include "store/cursor.h"

/* A share of the items that a filter took away. */
struct removed {
    struct span clause;
    const struct expr_cond *part;
    size_t items;
};

/* What a read did. */
struct facts {
    struct span table, index; /* index empty: the table itself */
    struct span range;        /* in plain words */
    size_t read, returned, pages, bytes;
    size_t counted; /* of those read: that the filter's parts were looked at with */
    double units;
    bool more;               /* the page ended before the range did */
    double all_units;        /* of all pages; < 0: not known */
    struct removed *removed; /* by each part of the filter that took anything away; items count
                                for the first part that they do not pass */
    size_t removed_count;
};

struct inquiry;
struct write_before;

/* What is known of earlier requests. */
struct explain_past {
    /* Adds notes about a read that succeeded. */
    void (*note)(const struct explain_past *self, struct inquiry *q, const struct read_page *page);
};

/* A mended request. */
struct proposal {
    struct span command; /* to paste; empty: no command */
    struct span gives;   /* what it gave when it was tried; empty: it was not */
    struct span answer;  /* its reply; empty: it was not tried, or the reply is long */
    size_t count;        /* items that it gave */
    double units;
};

enum advice {
    ADVICE_HINT, /* worth the first line */
    ADVICE_NOTE  /* good to know */
};

struct hint {
    const char *name;
    enum advice weight;
    struct span text;
    struct proposal proposal;
};

#define INQUIRY_HINTS 8
#define INQUIRY_LINES 12

struct inquiry {
    struct arena *arena;
    struct call call; /* of the same operation and body, in a unit that reads */
    const struct call_record *record;
    const struct dispatch_parts *parts;
    const struct catalogue *catalogue; /* NULL: no patterns are known */
    const struct explain_past *past;   /* NULL: nothing is known of earlier requests */
    double calls_a_day;                /* 0: not known */
    const struct write_before *before; /* explain_write.h: of writes; NULL: not known */
    struct catalogue_match match;      /* which of them the call is, or could have been */
    struct dispatcher *trials;         /* NULL until there is one */
    struct dispatch_memory *trial_memory;
    struct dispatch_budget trial_budget; /* of the next one: what time is left for */
    struct fault_point *undo;            /* of the trials: undoes what they write */
    bool no_trials;                      /* what is found now is no correction of the first fault */
    int64_t until_us;                    /* clock_work_us: other programs cost it nothing */
    size_t rows_left;
    unsigned asked_for_time; /* how often: the clock is read every eighth time */

    /* What is looked at: the call's body, or a part of it (explain_entry.h). */
    const wire_node *entry;
    enum error_kind failure; /* its error's; ERROR_NONE: it succeeded */
    const char *about;       /* in front of what is found there */

    /* What was found. */
    struct span reason;
    bool page_ended;                  /* the reason is that other pages follow */
    struct span lines[INQUIRY_LINES]; /* that belong to the reason */
    size_t line_count;
    struct proposal proposal;
    /* A corrected request that was refused or gave nothing, while there is no better proposal. */
    const char *next_operation; /* NULL: none was tried */
    struct span next_body;
    bool next_is_sure; /* the correction does not guess: what it is refused for is another fault */
    struct hint hints[INQUIRY_HINTS];
    size_t hint_count;
    bool has_facts;
    struct facts facts;
};

/* Whether one more row may be looked at; counts it. */
bool inquiry_may_read(struct inquiry *q);

/* Whether there is time left, between rows that are already known. */
bool inquiry_has_time(struct inquiry *q);

/* A part of what is left of rows and time, for one kind of look: the looks after it still have the
 * rest. Shares do not nest. */
struct inquiry_share {
    size_t kept_back; /* rows for the looks after it */
    int64_t until_us; /* of the whole inquiry */
};
struct inquiry_share inquiry_begin_share(struct inquiry *q, unsigned percent);
void inquiry_end_share(struct inquiry *q, const struct inquiry_share *share);

/* A trial may abandon all units of the store, so the inquiry's own ends before it (its cursors with
 * it) and another one begins after it. False: there is no time left for one. */
bool inquiry_pause(struct inquiry *q);
void inquiry_go_on(struct inquiry *q);

/* Whether the call failed. */
static inline bool inquiry_failed(const struct inquiry *q)
{
    return q->record->error != NULL;
}

/* --- what the call did ------------------------------------------------------------------------ */

/* What a call used, of all tables. */
struct inquiry_use {
    size_t read, returned, pages, bytes, unprocessed;
    double units;
};
struct inquiry_use inquiry_used(const struct call_record *record);

/* Whether a reply ends before what was asked for does, and whether a request continues a read. */
bool inquiry_has_more(struct inquiry *q, struct span reply);
bool inquiry_continues(const wire_node *body);

/* --- what was asked --------------------------------------------------------------------------- */

/* Read a part of the request, which may be missing (NULL) or wrong: whether it is what it should
 * be. */
bool inquiry_read_item(struct inquiry *q, const wire_node *node, struct item *out);
bool inquiry_read_attr(struct inquiry *q, const wire_node *node, struct attr *out);

/* In lower case, followed by a NUL. */
struct span inquiry_lower(struct inquiry *q, struct span text);
