/* check_findings.h: what a check of the data found, and its JSON. */
#pragma once

#include "journal/journal_mask.h"
#include "wire/wire_reply.h"

#define CHECK_FINDINGS 1000 /* further ones are counted */

struct check_finding {
    const char *kind; /* a word of docs/commands.md */
    struct span table, index, attribute;
    struct span text; /* a sentence */
    struct item key;  /* of an example, or of a partition; len 0: no key */
    uint64_t items;   /* that have it; 0: it is not about items */
};

struct check_findings {
    struct arena *arena; /* for all texts */
    struct check_finding *at;
    size_t len;
    uint64_t more;
};

/* Adds one; its text is formatted as by printf. Returns it, or NULL if there are too many. */
struct check_finding *check_findings_add(struct check_findings *f, const char *kind,
                                         struct span table, struct span index,
                                         struct span attribute, const char *fmt, ...)
    PRINTF_LIKE(6, 7);

/* Writes the members "findings" and "more", without values that the journal's options mask. */
void check_findings_show(const struct check_findings *f, const struct journal_options *masks,
                         struct wire_writer *w);
