/* transfer_format.h: the formats in which items leave and come: one file each, format_NAME.c, and a
 * row of the table here.
 *
 * A text is a line of records, one for each item. A format says where a record ends, and turns one
 * into the JSON of DynamoDB's exports, {"Item":{"pk":{"S":"a"}}}, from where all are read alike
 * (transfer_reader.h); and it writes items. Nothing here knows operations, tables or files.
 * Source: developer guide, "DynamoDB table export output format", "Import format quotas and
 * validation"; docs/behaviour/transfer.md. */
#ifndef OPS_TRANSFER_FORMAT_H
#define OPS_TRANSFER_FORMAT_H

#include "base/buf.h"
#include "base/siphash.h"
#include "model/attr.h"

/* A column of CSV, or an attribute of items in plain JSON. */
struct transfer_column {
    struct span name;
    enum attr_type type;
};

/* What a format has guessed, where it may. */
struct transfer_guesses {
    size_t items;       /* in which something was guessed */
    char attribute[80]; /* of the first of them */
};

/* How a text is read or written; all zero is what imports of the service do. */
struct transfer_options {
    /* CSV. Reading: where no header is given, the first line is it. A column that has no type is a
     * string. Numbers and strings are text, binaries base64, booleans true and false; a cell of
     * another type has the value's own JSON: {"L":[…]}. An empty cell is no attribute, one of two
     * quotes an empty string. Writing: the header is what is written, and has to be there. */
    char delimiter; /* 0: a comma */
    const struct span *header;
    size_t header_count;
    const struct transfer_column *types; /* plain JSON has them as well; all others as JSON says */
    size_t type_count;
    const enum attr_type *column_types; /* of a header that was read, one for each column */

    /* Text that is no record ends its line where the records before it have a line each, and not
     * the whole text, as imports of the service have it. What JSON lacks is said. */
    bool by_lines;

    bool has_conditions; /* Ion: a record may have a condition beside Item */

    struct transfer_guesses *guesses; /* NULL: nobody asks */

    /* Against names that were chosen to collide: a secret for what strangers send, else NULL. */
    const struct siphash_key *key;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* How far looking for the end of a record has come; all zero at its beginning. */
struct transfer_frame {
    size_t begin;  /* where the record begins, once it has */
    size_t at;     /* what is before it was looked at; of a whole record: its end */
    size_t depth;  /* of brackets */
    size_t blanks; /* of the record, outside of its strings; only what may have many counts them */
    uint64_t
        lists;     /* which of the open brackets are lists', a bit each, the innermost the lowest */
    char before;   /* the last character that is no blank, outside of strings */
    int state;     /* the format's own; 0: before the record */
    size_t looked; /* bytes that had been there when the format looked at them all */
    const char *problem;
    bool unclosed;    /* what is wrong: another record begins at `at`, so this one lacks its end */
    int list, answer; /* the format's own: what records stand in, kept from one to the next */
};

enum transfer_framing {
    TRANSFER_FRAME_MORE, /* it does not end in this text */
    TRANSFER_FRAME_WHOLE,
    TRANSFER_FRAME_WRONG /* what stands at f->at is no record: f->problem */
};

/* What is wrong, where, in a record. */
struct transfer_problem {
    const char *text; /* in the arena, or static */
    const char *at;   /* in the record; NULL: at its beginning */
    bool of_item;     /* only this record is wrong: what comes behind it can be read */
};

/* What became of an item in a while, as incremental exports have it. */
struct transfer_change {
    int64_t micros; /* when it was changed last, since 1970 */
    struct item keys;
    const struct item *old, *new; /* NULL: there is none, or it is not asked for */
};

/* Behind the name of an attribute that has none. */
#define TRANSFER_UNTYPED \
    " has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": \"1\"} and the like"

struct transfer_format {
    const char *name;   /* "DYNAMODB_JSON" */
    const char *ending; /* of files' names: ".json" */

    /* Looks on for the record that begins with `text`, or behind blanks in it. `last`: nothing
     * comes behind the text. It is called again with more text, the same at the beginning. */
    enum transfer_framing (*frame)(struct transfer_frame *f, const struct transfer_options *options,
                                   struct span text, bool last);

    /* Where a text that begins as a record stops being one, or its end; NULL: nobody can tell but
     * by reading. */
    const char *(*wrong_at)(struct arena *a, struct span text);

    /* Takes the header of `options` from a record; false where it is none. What it is made of is in
     * the arena. NULL: there are no headers. */
    bool (*read_header)(struct arena *a, struct transfer_options *options, struct span record,
                        struct transfer_problem *problem);

    /* Where in a record of DynamoDB's JSON the item begins: with it, or in its member "Item". NULL:
     * in that, always. */
    const char *(*item_at)(struct span record);

    /* Appends what the record is in the JSON of DynamoDB's exports. NULL: it is that already, or
     * the item alone. */
    bool (*read)(struct arena *a, const struct transfer_options *options, struct span record,
                 struct buf *json, struct transfer_problem *problem);

    /* --- writing --- */

    /* What stands before all records. NULL: nothing. */
    void (*begin)(struct buf *out, const struct transfer_options *options);
    /* A record of the item, with what ends it. */
    void (*write)(struct arena *a, struct buf *out, const struct transfer_options *options,
                  const struct item *it);
    /* The same for an item as it is stored (model/item_codec.h); NULL: it has to be decoded. */
    void (*write_stored)(struct buf *out, const struct transfer_options *options,
                         struct span stored);
    /* A record of a change. NULL: the format has none. */
    void (*write_change)(struct buf *out, const struct transfer_change *change);
};

extern const struct transfer_format transfer_format_dynamodb_json;
extern const struct transfer_format transfer_format_ion;
extern const struct transfer_format transfer_format_csv;
extern const struct transfer_format transfer_format_jsonl; /* plain JSON: types as JSON has them */
extern const struct transfer_format transfer_format_printed; /* DynamoDB's, as tools print it */

/* The format of that name that can be asked for, or NULL. */
const struct transfer_format *transfer_format_find(struct span name);

/* --- writing ---------------------------------------------------------------------------------- */

void transfer_format_begin(const struct transfer_format *f, const struct transfer_options *options,
                           struct buf *out);

/* Appends a record; *a is for what is needed meanwhile. */
void transfer_format_write(const struct transfer_format *f, const struct transfer_options *options,
                           struct arena *a, struct buf *out, const struct item *it);
void transfer_format_write_stored(const struct transfer_format *f,
                                  const struct transfer_options *options, struct arena *a,
                                  struct buf *out, struct span stored);

#endif
