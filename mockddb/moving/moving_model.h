/* moving_model.h: data models of NoSQL Workbench: their tables, and the sample data in them. */
#ifndef MOVING_MOVING_MODEL_H
#define MOVING_MOVING_MODEL_H

#include "base/arena.h"
#include "wire/wire_body.h"

/* The tables of a model, one after another, NULL behind the last. NULL, or what is wrong with the
 * text, which has to live as long as they are looked at. */
MUST_CHECK const char *moving_model_read(struct arena *a, struct span text,
                                         const wire_node **first_table);

struct moving_model_table {
    struct span name;
    struct span create_table; /* the input of CreateTable; on demand */
    const wire_node **items;  /* sample data */
    size_t item_count;
};

/* NULL, or what is wrong with the table. Everything is the arena's or the text's. */
MUST_CHECK const char *moving_model_table(struct arena *a, const wire_node *table,
                                          struct moving_model_table *out);

#endif
