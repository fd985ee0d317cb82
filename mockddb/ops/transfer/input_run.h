/* input_run.h: what an import or a bulk put reads: objects of a bucket, record by record, in
 * slices.
 *
 * First the objects are listed in the task's space, in the order of their keys; then they are read
 * one after the other. How far that is stands in the task (object, records), so that after a
 * restart it goes on there: the object is read from its beginning, and what was done is passed
 * over. */
#ifndef OPS_INPUT_RUN_H
#define OPS_INPUT_RUN_H

#include "base/packed.h"
#include "ops/transfer/buckets.h"
#include "ops/transfer/task.h"
#include "ops/transfer/transfer_reader.h"

struct input_source {
    struct span bucket, prefix; /* every object whose key begins with the prefix */
    const struct transfer_format *format;
    struct transfer_options options; /* what they point to lives as long as the call */
    enum packed_form packing;
};

/* The members of S3BucketSource or InputS3Configuration, and the request's options. */
struct input_source input_run_source(const wire_node *place, const wire_node *compression,
                                     const wire_node *format);

struct input_run;
void input_run_free(struct input_run *r); /* r may be NULL */

/* A slice of the list. The task is `listed` when all are there, its space is made with the first.
 * Why there is nothing to read: *why. *run is NULL at first. */
MUST_CHECK const struct error *input_run_list(struct call *c, struct task *t,
                                              const struct input_source *source,
                                              struct input_run **run, struct bucket_failure *why);

enum input_reading {
    INPUT_ITEM,
    INPUT_BAD_ITEM,   /* it is passed over */
    INPUT_BAD_OBJECT, /* the rest of the object is passed over */
    INPUT_PAUSE,      /* come again: nothing was found in this slice yet */
    INPUT_END
};

/* The next record of the task, which says so afterwards; the caller keeps it. The item, or what is
 * wrong with the object of that key. Valid until the next. */
struct input_record {
    struct span object; /* its key */
    struct transfer_record record;
    struct transfer_fault fault;
};
/* How much of the object it was. */
size_t input_run_record_len(const struct input_record *in, enum input_reading what);
MUST_CHECK const struct error *input_run_next(struct call *c, struct task *t,
                                              const struct input_source *source,
                                              struct input_run **run, struct input_record *out,
                                              enum input_reading *what);

#endif
