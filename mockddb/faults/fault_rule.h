/* fault_rule.h: one rule: which calls it matches, which of them it hits, and what happens then. */
#pragma once

#include "faults/fault_kind.h"

#define FAULT_KINDS_AT_ONCE 12

struct fault_rule {
    struct span text;   /* as it was given */
    uint64_t id;        /* from 1 */
    struct arena *home; /* owns all that it refers to; rules that were added together share one */

    /* Which calls it matches; an empty filter matches all. */
    const struct op **operations;
    size_t operation_count;
    struct span table, index, access_key;
    struct item key;        /* attributes with these values */
    struct item key_prefix; /* attributes with these prefixes */
    int64_t from_ms, until_ms;

    /* Which of those it hits. */
    int64_t nth;   /* from this one on, */
    int64_t times; /* this many times; INT64_MAX: always */
    double probability;
    int64_t seed;

    struct {
        const struct fault_kind *kind;
        const void *state;
    } effects[FAULT_KINDS_AT_ONCE];
    size_t effect_count;

    int64_t seen, hits;
};

/* Reads {"operation": …}; returns false, with the problem set, on an error. The rule borrows from
 * the node, which must outlive it. */
bool fault_rule_read(struct fault_reading *r, const wire_node *node, struct fault_rule *out);

/* Whether the rule matches the call; *subject is the matching subject of the call, or NULL. */
bool fault_rule_fits(const struct fault_rule *rule, struct call *c,
                     const struct op_subjects *subjects, const struct op_subject **subject);

/* Counts a matching call, and returns whether the rule hits; *random is from 0 to below 1. */
bool fault_rule_hits(struct fault_rule *rule, double *random);
