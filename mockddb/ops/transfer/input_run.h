/* input_run.h: the input of an import or bulk put: objects of a bucket, read record by record, in
 * slices.
 *
 * First the objects are listed in the task's space, in the order of their keys. Then they are read
 * one after the other. The task has the position (object, records), so that reading continues after
 * a restart: the object is read from its beginning, and finished records are passed over. */
#pragma once

#include "base/packed.h"
#include "ops/transfer/buckets.h"
#include "ops/transfer/task.h"
#include "ops/transfer/transfer_reader.h"

struct input_source {
    struct span bucket, prefix; /* every object whose key begins with the prefix */
    const struct transfer_format *format;
    struct transfer_options options; /* they borrow from the call */
    enum packed_form packing;
};

/* The members of S3BucketSource or InputS3Configuration, and the request's options. */
struct input_source input_run_source(const wire_node *place, const wire_node *compression,
                                     const wire_node *format);

struct input_run;
void input_run_free(struct input_run *r); /* r may be NULL */

struct input_record {
    struct span object; /* its key */
    struct transfer_record record;
    struct transfer_fault fault;
};

/* A slice of a task's work. The caller sets all but the table. */
struct input_slice {
    struct call *call;
    struct task *task;
    const wire_node *request;
    struct input_source source;
    struct input_run **run; /* *run is NULL at first */
    const struct table *table;
};

/* What a kind of task does. */
struct input_sink {
    /* The list is complete; may end the task. NULL: nothing to do. */
    const struct error *(*listed)(struct input_slice *s);
    /* The record has an item … */
    const struct error *(*put)(struct input_slice *s, struct input_record *in);
    /* … or a fault, and it is passed over, or the rest of its object is. */
    const struct error *(*refuse)(struct input_slice *s, struct input_record *in);
    /* All records were read. */
    const struct error *(*end)(struct input_slice *s);
    int records; /* of a slice */
};

/* Does a slice: continues the list, or reads records; stores the task. */
MUST_CHECK const struct error *input_run_step(struct input_slice *s, const struct input_sink *sink);

/* Drops the task's spaces, before it ends; input_run_fail also ends it. */
MUST_CHECK const struct error *input_run_drop(struct call *c, struct task *t);
MUST_CHECK const struct error *input_run_fail(struct call *c, struct task *t, const char *code,
                                              const char *message);
