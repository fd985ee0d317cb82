/* input_run.h: the input of an import or bulk put: objects of a bucket, read record by record, in
 * slices.
 *
 * First the objects are listed in the task's space, in the order of their keys. Then they are read
 * one after the other. The task has the position (object, records), so that reading continues after
 * a restart: the object is read from its beginning, and finished records are passed over. */
#ifndef OPS_INPUT_RUN_H
#define OPS_INPUT_RUN_H

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

/* Makes a slice of the list and, in the first slice, the task's space. task->listed is set when the
 * list is complete. *why says why the input cannot be read. *run is NULL at first. */
MUST_CHECK const struct error *input_run_list(struct call *c, struct task *t,
                                              const struct input_source *source,
                                              struct input_run **run, struct bucket_failure *why);

enum input_reading {
    INPUT_ITEM,
    INPUT_BAD_ITEM,   /* the record is passed over */
    INPUT_BAD_OBJECT, /* the rest of the object is passed over */
    INPUT_PAUSE,      /* no record in this slice; call again */
    INPUT_END
};

/* Reads the next record and counts it in the task, which the caller stores. The record has the
 * item, or the fault in the object `object`. Valid until the next call. */
struct input_record {
    struct span object; /* its key */
    struct transfer_record record;
    struct transfer_fault fault;
};
/* The cost of a record, in bytes. */
size_t input_run_record_len(const struct input_record *in, enum input_reading what);
MUST_CHECK const struct error *input_run_next(struct call *c, struct task *t,
                                              const struct input_source *source,
                                              struct input_run **run, struct input_record *out,
                                              enum input_reading *what);

#endif
