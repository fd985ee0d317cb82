/* moving_import.h: texts of any known form into tables. A text comes in parts, packed or not; what
 * it is shows in how it begins.
 *
 *     moving_import_begin(i, "music.json", SPAN_LIT("music"));
 *     do
 *         moving_import_feed(i, part); …
 *     while (moving_import_end(i, &again), again);
 *
 * Records that are no items, and items that are refused, are in the report, and the rest goes on;
 * whoever imports the same texts again has the same tables, since items are put whole. */
#ifndef MOVING_MOVING_IMPORT_H
#define MOVING_MOVING_IMPORT_H

#include "masking/mask_rules.h"
#include "moving/moving_load.h"
#include "moving/moving_tables.h"
#include "ops/transfer/transfer_format.h"

struct moving_import;

/* A table's name in the data, and the one that it gets. */
struct moving_rename {
    struct span from, to;
};

/* Everything is borrowed. */
struct moving_import_options {
    const char *table; /* all items are of this one, whatever the data says; NULL: as it says */
    const char *prefix;
    const char *const *only; /* names as the data has them; none: all */
    size_t only_count;
    const struct moving_rename *renames;
    size_t rename_count;
    const struct transfer_column *types; /* of CSV's columns */
    size_t type_count;
    struct moving_pace *pace; /* NULL: as fast as can be */
    struct mask_rules *rules; /* NULL: values stay as they are */
    /* Says what is worth knowing, such as types that were inferred; NULL: nobody listens. */
    void (*note)(void *context, const char *text);
    void *context;
};

/* The tables and the report are borrowed; what is said lives in the arena. */
struct moving_import *moving_import_new(struct arena *a, struct moving_door *door,
                                        struct moving_tables *tables, struct moving_report *report,
                                        const struct moving_import_options *options);
void moving_import_free(struct moving_import *i); /* i may be NULL */

/* A text begins. Both are borrowed until moving_import_end; `table` is the one that it is of by
 * where it stands, unless something else is said. */
void moving_import_begin(struct moving_import *i, const char *file, struct span table);
/* The text that begins has to describe a table. */
void moving_import_want_schema(struct moving_import *i);

/* NULL, or why nothing more can be read or written, with file, line and column where those are
 * known. */
MUST_CHECK const char *moving_import_feed(struct moving_import *i, struct span part);
/* A beginning of it that is no more than `most` bytes when it is unpacked; *part is what is left.
 * *more: there may be something to do without a further part. */
MUST_CHECK const char *moving_import_feed_some(struct moving_import *i, struct span *part,
                                               size_t most, bool *more);
/* The text has ended. *again: it is to be fed from its beginning once more, and then ended, since
 * what counts for all of it may stand at its end (moving_model.h). */
MUST_CHECK const char *moving_import_end(struct moving_import *i, bool *again);
/* A part of that; *more: it is to be called again. What fails ends the text. */
MUST_CHECK const char *moving_import_end_some(struct moving_import *i, bool *more, bool *again);
/* Whether that may be, as far as is known: whoever cannot go back keeps what is fed meanwhile. */
bool moving_import_may_ask_again(const struct moving_import *i);
/* Nothing more can be read: what was read is written, and the text has ended. */
MUST_CHECK const char *moving_import_stop(struct moving_import *i);

/* How many records the text had that ended last: items, and what was none; MOVING_IMPORT_LEFT_OUT
 * where its table was not wanted. */
#define MOVING_IMPORT_LEFT_OUT (-1)
int64_t moving_import_records(const struct moving_import *i);

/* Which of the tables that were to be taken alone, or renamed, was in no text; NULL where all were.
 */
const char *moving_import_unmet(struct moving_import *i);

/* Where an import ended since its table is missing (moving_tables_missing): the attributes of its
 * first item that could be the table's key. */
struct moving_keys {
    const struct transfer_column *at;
    size_t count;
};
struct moving_keys moving_import_keys(const struct moving_import *i);

/* The table that a file is of by its name: music.json.gz is of "music". */
struct span moving_import_table_of(const char *path);

#endif
