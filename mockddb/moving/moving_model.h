/* moving_model.h: data models of NoSQL Workbench: their tables and sample data.
 *
 * A model is read twice and never kept as a whole, since a table's definition is on both sides of
 * its sample data: the first reading finds the tables, the second the data.
 *
 *     while (part.len) moving_model_take(m, &part, &run)      … for each part; then, at the end,
 *     moving_model_read(m, &count) and moving_model_table(m, number, …) for each of its tables
 *     moving_model_again(m)                                   … and all parts once more */
#pragma once

#include "base/arena.h"
#include "ops/transfer/transfer_format.h"
#include "wire/wire_body.h"

/* Sample data: items in lists, one list after another. Guesses are noted in the options. */
extern const struct transfer_format moving_model_samples;

struct moving_model;

struct moving_model *moving_model_new(void);
void moving_model_free(struct moving_model *m); /* m may be NULL */

/* A run of bytes: items of sample data with separators, or anything else. */
struct moving_model_run {
    bool is_data;
    size_t table; /* index of their table */
    bool counts;  /* in the second reading: use the items; false for a facet's if the table has its
                     own data */
    struct text_place place;
    struct span text;
};

/* Takes the next run of a part, which must not be empty. Returns NULL, or why the text cannot be a
 * model. */
MUST_CHECK const char *moving_model_take(struct moving_model *m, struct span *part,
                                         struct moving_model_run *out);

/* Ends the first reading; *tables is the number of tables. Returns NULL, or what is wrong. */
MUST_CHECK const char *moving_model_read(struct moving_model *m, size_t *tables);
/* Starts the second reading. */
void moving_model_again(struct moving_model *m);

struct moving_model_table {
    struct span name;
    struct text_place place;
    struct span create_table; /* the input of CreateTable, with on-demand billing */
    bool is_provisioned;      /* in the model */
};

/* Reads the next table, in order. Returns NULL, or what is wrong, in the arena. The table belongs
 * to the model. */
MUST_CHECK const char *moving_model_table(struct moving_model *m, struct arena *a,
                                          struct moving_model_table *out);
