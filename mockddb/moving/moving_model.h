/* moving_model.h: data models of NoSQL Workbench: their tables, and the sample data in them.
 *
 * A model is read twice, and never held as a whole, since what makes a table stands in front of its
 * sample data and behind it: once for its tables, once for the data.
 *
 *     while (part.len) moving_model_take(m, &part, &run)      … for each part: then, at the end,
 *     moving_model_read(m, &count) and moving_model_table(m, number, …) for each of its tables
 *     moving_model_again(m)                                   … and all parts once more */
#ifndef MOVING_MOVING_MODEL_H
#define MOVING_MOVING_MODEL_H

#include "base/arena.h"
#include "wire/wire_body.h"

struct moving_model;

struct moving_model *moving_model_new(void);
void moving_model_free(struct moving_model *m); /* m may be NULL */

/* A run of bytes: items of sample data with what stands between them, or anything else. */
struct moving_model_run {
    bool is_data;
    size_t table;        /* the number of the table that they are of, from 0 */
    bool counts;         /* the second time: they are the table's, or it has none but its facets' */
    size_t line, column; /* where the run begins, from 1 */
    struct span text;
};

/* Takes the next run of a part, which is not empty. NULL, or why nothing can come of the text. */
MUST_CHECK const char *moving_model_take(struct moving_model *m, struct span *part,
                                         struct moving_model_run *out);

/* The text has ended for the first time: how many tables it has. NULL, or what is wrong with it. */
MUST_CHECK const char *moving_model_read(struct moving_model *m, size_t *tables);
/* It is begun again. */
void moving_model_again(struct moving_model *m);

struct moving_model_table {
    struct span name;
    size_t line;              /* where it stands */
    struct span create_table; /* the input of CreateTable; on demand */
    bool is_provisioned;      /* in the model */
};

/* The next table: the first, the second … NULL, or what is wrong with it. Everything is the
 * model's; in the arena is only what is wrong. */
MUST_CHECK const char *moving_model_table(struct moving_model *m, struct arena *a,
                                          struct moving_model_table *out);

#endif
