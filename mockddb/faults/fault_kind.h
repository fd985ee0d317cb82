/* fault_kind.h: the interface of a kind of fault. Each is a row of fault_kind_table, and a
 * file of its own unless it only sets members of the disturbance. */
#pragma once

#include "base/problem.h"
#include "ops/disturbance.h"
#include "ops/op_subject.h"

/* A rule that is being read. Its memory belongs to the rules. */
struct fault_reading {
    struct arena *arena;
    const char *where; /* "rules[0]" */
    const struct problem *problem;
};

/* A rule that is applied to a call. */
struct fault_hit {
    struct call *call;
    struct disturbance *disturbance;
    const struct op_subject *subject; /* the one that matches the rule; NULL: none named */
    double random;                    /* from 0 to below 1; the same in every run */
    const struct error *error;        /* the reply, set by the kind */
};

#define FAULT_VALUES 2

struct fault_kind {
    const char *member;           /* the member of a rule that asks for it */
    const char *const *and_those; /* further members that belong to it, up to NULL; NULL: none */
    unsigned forms; /* mask of enum op_form: operations in which it can occur; 0: all */
    /* Whether it can occur in a request about these subjects; NULL: in all. */
    bool (*happens)(const struct op_subjects *subjects);
    bool looks_back; /* it needs the world's past (ops/past.h) */
    size_t sets;     /* offset of a bool of the disturbance; 0: none */
    /* The members whose values are stored in members of the disturbance: how they are read. */
    struct fault_value {
        const char *member; /* NULL: no further one */
        enum fault_form {
            FAULT_TRUE,
            FAULT_COUNT,
            FAULT_DELAY,
            FAULT_TRUE_OR_DELAY,
            FAULT_WORD
        } form;
        int64_t low, high;        /* of FAULT_COUNT */
        const char *const *words; /* of FAULT_WORD, whose value is the word's index; up to NULL */
        size_t at;                /* offset of an int64_t of the disturbance */
    } values[FAULT_VALUES];
    /* Reads the kind's members of a rule; NULL: by `values`. Returns NULL, with the problem set, on
     * an error. */
    const void *(*read)(struct fault_reading *r, const wire_node *rule);
    void (*apply)(const void *state, struct fault_hit *hit); /* after the values; may be NULL */
};

/* Ends with NULL. */
extern const struct fault_kind *const fault_kind_table[];

/* Whether it can occur in the operation. */
bool fault_kind_touches(const struct fault_kind *kind, const struct op *op);
/* Whether it can occur in the call. */
bool fault_kind_happens(const struct fault_kind *kind, const struct call *c,
                        const struct op_subjects *subjects);

/* --- for readers of members ------------------------------------------------------------------- */

/* Like `read` and `apply` of the kind, with its `values`. */
const void *fault_kind_read(const struct fault_kind *kind, struct fault_reading *r,
                            const wire_node *rule);
void fault_kind_apply(const struct fault_kind *kind, const void *state, struct fault_hit *hit);

/* Records what is wrong with a member, "rules[0].MEMBER …"; returns false. */
bool fault_kind_refuse(struct fault_reading *r, const char *member, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The number if it was sent as an integer, else `otherwise`. */
int64_t fault_kind_whole(const wire_node *node, int64_t otherwise);
/* Reads an integer; *out is unchanged if the member is absent. */
bool fault_read_count(struct fault_reading *r, const wire_node *rule, const char *member,
                      int64_t low, int64_t high, int64_t *out);
/* Reads a member as its row says; *out is unchanged if it is absent. */
bool fault_kind_read_value(struct fault_reading *r, const wire_node *rule,
                           const struct fault_value *v, int64_t *out);
