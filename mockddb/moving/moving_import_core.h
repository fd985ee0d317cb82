/* moving_import_core.h: what the parts of an import share: texts of items and of tables
 * (moving_import.c), and models (moving_import_model.c). */
#pragma once

#include "base/packed.h"
#include "moving/moving_import.h"
#include "moving/moving_model.h"
#include "moving/moving_names.h"
#include "ops/transfer/transfer_reader.h"

/* A table of a model: its name in the model, and its destination; NULL: it is not wanted. */
struct modelled {
    struct span name;
    const struct moving_table *table;
};

/* The current text. */
struct import_text {
    const char *file;
    struct span place; /* its table, according to its path */
    enum moving_text_kind expected;
    bool cuts; /* items are not parsed */
    struct moving_text known;
    struct buf whole;             /* its beginning; for a table's description, all of it */
    size_t judged_from;           /* number of bytes at which to decide again */
    bool knows_form;              /* whether it is packed … */
    struct packed_reader *packed; /* … NULL: it is not */
    struct transfer_reader *reader;
    int64_t records;
};

/* Where items go. */
struct import_goal {
    struct moving_load *load;
    const struct moving_table *table; /* of a model that `load` writes to */
    struct span name;                 /* the table's as in the data, for masks */
};

struct import_model {
    struct moving_model *text; /* NULL: the text is not a model */
    bool again;                /* it is read for the second time */
    struct modelled *tables;   /* NULL until they are known */
    size_t count, made;
    struct transfer_guesses guesses; /* in the sample data */
    size_t demanded; /* tables provisioned in the model that were created on demand */
    struct span first_demanded;
};

struct moving_import {
    struct arena *arena;
    struct client *client;
    struct moving_tables *tables;
    struct moving_report *report;
    struct moving_import_options options;
    char *room;              /* for unpacked bytes */
    struct moving_names met; /* names of tables in the texts */
    struct moving_keys keys;
    struct arena *whole_arena, *record;
    struct import_text text;
    struct import_goal goal;
    struct import_model model;
};

/* Adds the name of the text's file to a problem; NULL stays NULL. */
const char *moving_import_in_file(struct moving_import *i, const char *problem);

/* Notes a table in the data; returns whether it is wanted. */
bool moving_import_meet(struct moving_import *i, struct span name);
/* The name of the table for items of the table `name` in the data. */
struct span moving_import_name_of(const struct moving_import *i, struct span name);

/* The items that the reader gives from now on go to the table. */
const char *moving_import_begin_load(struct moving_import *i, const struct moving_table *table);
/* Takes all complete items from the reader: masks, puts or refuses them. */
const char *moving_import_take_items(struct moving_import *i);
/* Writes the items that wait. */
const char *moving_import_end_load(struct moving_import *i);

/* A text that is a model: its beginning is in text.whole. */
const char *moving_import_begin_model(struct moving_import *i);
const char *moving_import_take_model(struct moving_import *i, struct span part);
/* As moving_import_end: creates the tables, one at a time; then the data is read again. */
const char *moving_import_finish_model(struct moving_import *i, bool *more, bool *again);
