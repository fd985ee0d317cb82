/* moving_import.h: imports texts of any known format into tables. A text comes in parts, packed or
 * not (moving_feed.h); its format is detected from its beginning.
 *
 * Invalid records and refused items are reported, and the import continues. Importing the same
 * texts again leaves the same tables, since items are put whole. */
#pragma once

#include "base/option.h"
#include "masking/mask_rules.h"
#include "moving/moving_load.h"
#include "moving/moving_tables.h"
#include "moving/moving_text.h"
#include "templates/template.h"

struct moving_import;

/* Everything is borrowed. */
struct moving_import_options {
    const char *table; /* the table of all items, whatever the data says; NULL: as in the data */
    const char *prefix;
    struct option_texts only;      /* names of tables in the data; none: all tables */
    struct option_pairs renames;   /* tables' names in the data, and their new ones */
    struct transfer_column *types; /* of CSV's columns */
    size_t type_count;
    struct client_pace *pace;                 /* NULL: no limit */
    struct mask_rules *rules;                 /* NULL: values are not changed */
    const struct template_options *templates; /* NULL: templates get no parameters */
    bool looks; /* nothing is created or put: items are counted, and moving_tables_look is set */
    bool is_fixture; /* texts describe tables, except a fixture's items, which are found by their
                      * brackets and not parsed before they are put; items are put only into
                      * tables that this import creates; the client is of this process */
};

/* The tables and the report are borrowed; texts in the report live in the arena. */
struct moving_import *moving_import_new(struct arena *a, struct client *client,
                                        struct moving_tables *tables, struct moving_report *report,
                                        const struct moving_import_options *options);
void moving_import_free(struct moving_import *i); /* i may be NULL */

/* Begins a text. Both arguments are borrowed until moving_import_end; `table` is the table
 * according to the file's path, used unless the data or an option names another. */
void moving_import_begin(struct moving_import *i, const char *file, struct span table);
/* According to its path in a fixture's folder, the text that begins describes a table, or has
 * items. MOVING_TEXT_UNSURE, the default: its path says nothing. */
void moving_import_expect(struct moving_import *i, enum moving_text_kind kind);

/* Takes at most `most` bytes (unpacked) from the start of *part, and leaves the rest in it. *more:
 * call it again, even without further input. Returns NULL, or why nothing more can be read or
 * written, with file, line and column if known. */
MUST_CHECK const char *moving_import_feed(struct moving_import *i, struct span *part, size_t most,
                                          bool *more);
/* The text has ended. *more: call it again. *again: feed it from its beginning once more, and then
 * end it again, since settings for all of it may come at its end (moving_model.h). An error ends
 * the text. */
MUST_CHECK const char *moving_import_end(struct moving_import *i, bool *more, bool *again);
/* Whether moving_import_end may set *again; a caller that cannot rewind must keep a copy of its
 * input while this is true. */
bool moving_import_may_ask_again(const struct moving_import *i);
/* Nothing more can be read: writes the items read so far, and ends the text. */
MUST_CHECK const char *moving_import_stop(struct moving_import *i);

/* The number of records in the last text: items and invalid ones; MOVING_IMPORT_LEFT_OUT if its
 * table is not wanted. */
#define MOVING_IMPORT_LEFT_OUT (-1)
int64_t moving_import_records(const struct moving_import *i);

/* Reports a table of --only or --map that was in no text; NULL if all were found. */
const char *moving_import_unmet(struct moving_import *i);

/* After an import failed because its table is missing (moving_tables_missing), or only looked: the
 * attributes of its first item that could be a table's key. */
struct moving_keys {
    const struct transfer_column *at;
    size_t count;
};
struct moving_keys moving_import_keys(const struct moving_import *i);

/* The table's name in a file's name: "music" for music.json.gz. */
struct span moving_import_table_of(const char *path);
