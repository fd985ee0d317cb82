/* fault_kind.h: what a rule can make go wrong: a file, and a row of fault_kind_table. */
#ifndef FAULTS_FAULT_KIND_H
#define FAULTS_FAULT_KIND_H

#include "ops/disturbance.h"
#include "ops/op_subject.h"

/* A rule being read. Memory is the rules' own. */
struct fault_reading {
    struct arena *arena;
    const char *where; /* "rules[0]" */
    const char *problem;
};

/* A rule that takes effect on a call. */
struct fault_hit {
    struct call *call;
    struct disturbance *disturbance;
    const struct op_subject *subject; /* that the rule is about; NULL: the request names none */
    double random;                    /* from 0 to below 1; the same at every run */
    const struct error *error;        /* the kind's to set: the reply */
};

struct fault_kind {
    const char *member;           /* of a rule, that asks for it */
    const char *const *and_those; /* which belong to it, up to NULL; NULL: none */
    unsigned forms; /* mask of enum op_form: operations in which it can happen; 0: all */
    /* Whether it can in a request of those about these subjects; NULL: in all. */
    bool (*happens)(const struct op_subjects *subjects);
    bool looks_back; /* it needs the world's past (ops/past.h) */
    /* NULL, with the problem set, where something is wrong. */
    const void *(*read)(struct fault_reading *r, const wire_node *rule);
    void (*apply)(const void *state, struct fault_hit *hit);
};

/* Ends with NULL. */
extern const struct fault_kind *const fault_kind_table[];

/* Whether it can happen in the operation. */
bool fault_kind_touches(const struct fault_kind *kind, const struct op *op);
/* Whether it can happen in the call. */
bool fault_kind_happens(const struct fault_kind *kind, const struct call *c,
                        const struct op_subjects *subjects);

/* --- for readers of members ------------------------------------------------------------------- */

/* Notes what is wrong with a member, "rules[0].MEMBER …"; returns false. */
bool fault_kind_refuse(struct fault_reading *r, const char *member, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The number where it was sent as a whole one, else `otherwise`. */
int64_t fault_kind_whole(const wire_node *node, int64_t otherwise);
/* A whole number; *out stays as it is where the member is not there. */
bool fault_read_count(struct fault_reading *r, const wire_node *rule, const char *member,
                      int64_t low, int64_t high, int64_t *out);
/* "250ms", or a number of milliseconds, up to an hour. */
bool fault_read_delay(struct fault_reading *r, const wire_node *rule, const char *member,
                      int64_t *ms);
/* A member that is there to say true. */
bool fault_read_true(struct fault_reading *r, const wire_node *rule, const char *member);
/* One of the words; its place goes to *out. */
bool fault_kind_read_word(struct fault_reading *r, const wire_node *rule, const char *member,
                          const char *const *words, int *out);

#endif
