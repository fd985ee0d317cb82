/* assertion_kind.h: a kind of assertion: a row of assertion_kind_table. */
#ifndef JOURNAL_ASSERTION_KIND_H
#define JOURNAL_ASSERTION_KIND_H

#include "journal/journal_entry.h"

enum assertion_value { ASSERTION_NUMBER, ASSERTION_PERCENT, ASSERTION_WORDS, ASSERTION_FLAG };

#define ASSERTION_RECENT 64 /* throttled calls that are remembered */

struct assertion {
    const struct assertion_kind *kind;
    struct span text; /* as it was given */
    double number;
    struct span *words;
    size_t word_count;
    const struct catalogue *catalogue; /* NULL: there are no patterns */
    bool *sent;                        /* of each of its steps, whether it was */

    /* What was seen. */
    double total;   /* of the kind's own measure */
    uint64_t count; /* requests that break it */
    uint64_t first; /* the first of them */
    struct {
        const struct op *op;
        uint64_t hash; /* of the request, or of what it names */
        int64_t end_us;
        uint64_t id;
    } recent[ASSERTION_RECENT];
    size_t recent_count;
};

struct assertion_kind {
    const char *name;
    enum assertion_value value;
    bool of_patterns; /* needs a catalogue */
    bool reads_body;  /* all of it, of each request */
    void (*take)(struct assertion *x, const struct journal_entry *e);
    bool (*holds)(const struct assertion *x); /* NULL: as long as no request breaks it */
    /* Why it does not hold. */
    void (*say)(const struct assertion *x, struct buf *out);
};

/* Ends with a NULL name. */
extern const struct assertion_kind assertion_kind_table[];

#endif
