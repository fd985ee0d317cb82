/* transfer_format.h: the formats of imports and exports. Each is a file, format_NAME.c, and a row
 * of the table here.
 *
 * A text is a sequence of records, one per item. A format finds the end of a record, converts the
 * record to the JSON of DynamoDB's exports, {"Item":{"pk":{"S":"a"}}}, which the reader reads
 * (transfer_reader.h), and writes items. Nothing here knows operations, tables or files.
 * Source: developer guide, "DynamoDB table export output format", "Import format quotas and
 * validation"; docs/behaviour/transfer.md. */
#pragma once

#include "model/attr.h"

/* A column of CSV, or an attribute of items in plain JSON. */
struct transfer_column {
    struct span name;
    enum attr_type type;
};

/* What a format has guessed, if it may guess. */
struct transfer_guesses {
    size_t items;       /* number of items with a guess */
    char attribute[80]; /* of the first guess */
};

/* How a text is read or written; all zero: like imports of the service. */
struct transfer_options {
    /* CSV. Reading: without a given header the first line is the header. A column without a type is
     * a string. Numbers and strings are text, binaries base64, booleans true and false; a cell of
     * another type has DynamoDB's JSON: {"L":[…]}. An empty cell is no attribute, two quotes are an
     * empty string. Writing: a header is required and names the attributes to write. */
    char delimiter; /* 0: a comma */
    const struct span *header;
    size_t header_count;
    const struct transfer_column
        *types; /* also for plain JSON; other attributes have JSON's types */
    size_t type_count;
    const enum attr_type *column_types; /* one for each column of a header that was read */

    /* If each record has a line, a bad record ends with its line; with imports of the service it
     * ends the whole text. Errors in JSON are explained. */
    bool by_lines;

    bool has_conditions; /* Ion: a record may have a condition beside Item */

    struct transfer_guesses *guesses; /* NULL: not wanted */

    /* A secret key for hashes of names from untrusted input, else NULL. */
    const struct siphash_key *key;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* The progress of the search for a record's end; all zero at the beginning. */
struct transfer_frame {
    size_t begin;   /* the record's start, once found */
    size_t at;      /* the search's position; after success the record's end */
    size_t depth;   /* of brackets */
    size_t blanks;  /* in the record, outside of strings; counted by some formats only */
    uint64_t lists; /* a bit for each open bracket, innermost lowest: 1 for a list */
    char before;    /* the last character outside of strings that is not a blank */
    int state;      /* the format's own; 0: before the record */
    size_t looked;  /* the text's length when the format last looked at all of it */
    const char *problem;
    bool unclosed;    /* the problem: another record begins at `at`, so this one lacks its end */
    int list, answer; /* the format's own: position in a list or answer; kept between records */
};

enum transfer_framing {
    TRANSFER_FRAME_MORE, /* the record does not end in this text */
    TRANSFER_FRAME_WHOLE,
    TRANSFER_FRAME_WRONG /* no record at f->at: see f->problem */
};

/* An error in a record. */
struct transfer_problem {
    const char *text; /* in the arena, or static */
    const char *at;   /* its place; NULL: the record's beginning */
    bool of_item;     /* only this record is bad; records after it can be read */
};

/* The change of an item in the window of an incremental export. */
struct transfer_change {
    int64_t micros; /* time of the last change, since 1970 */
    struct item keys;
    const struct item *old, *new; /* NULL: absent, or not wanted */
};

/* The error for an attribute without a type, after its name. */
#define TRANSFER_UNTYPED \
    " has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": \"1\"} and the like"

struct transfer_format {
    const char *name;   /* "DYNAMODB_JSON" */
    const char *ending; /* of file names: ".json" */

    /* Searches for the end of the record at the beginning of `text`, which may have blanks before
     * it. `last`: no more text will follow. Called again with the same text, extended. */
    enum transfer_framing (*frame)(struct transfer_frame *f, const struct transfer_options *options,
                                   struct span text, bool last);

    /* The place of the error in a text that begins like a record, or its end. NULL: only `read` can
     * tell. */
    const char *(*wrong_at)(struct arena *a, struct span text);

    /* Reads a header into `options`, in the arena; false if the record is not a header. NULL: the
     * format has no headers. */
    bool (*read_header)(struct arena *a, struct transfer_options *options, struct span record,
                        struct transfer_problem *problem);

    /* The start of the item in a record of DynamoDB's JSON: the record itself or its member "Item".
     * NULL: always "Item". */
    const char *(*item_at)(struct span record);

    /* Appends the record in the JSON of DynamoDB's exports. NULL: the record has this form already,
     * or is the item alone. */
    bool (*read)(struct arena *a, const struct transfer_options *options, struct span record,
                 struct buf *json, struct transfer_problem *problem);

    /* --- writing --- */

    /* Writes the text before all records. NULL: no text. */
    void (*begin)(struct buf *out, const struct transfer_options *options);
    /* Writes the item's record and its end. */
    void (*write)(struct arena *a, struct buf *out, const struct transfer_options *options,
                  const struct item *it);
    /* Like write, for an item in stored form (model/item_codec.h). NULL: decode it first. */
    void (*write_stored)(struct buf *out, const struct transfer_options *options,
                         struct span stored);
    /* Writes a record of a change. NULL: the format has no changes. */
    void (*write_change)(struct buf *out, const struct transfer_change *change);
};

extern const struct transfer_format transfer_format_dynamodb_json;
extern const struct transfer_format transfer_format_ion;
extern const struct transfer_format transfer_format_csv;
extern const struct transfer_format transfer_format_jsonl; /* plain JSON, with JSON's types */
extern const struct transfer_format
    transfer_format_printed; /* DynamoDB's JSON, as tools print it */

/* Returns the format that requests call `name`, or NULL. */
const struct transfer_format *transfer_format_find(struct span name);

/* --- writing ---------------------------------------------------------------------------------- */

void transfer_format_begin(const struct transfer_format *f, const struct transfer_options *options,
                           struct buf *out);

/* Appends a record; `a` is for temporary memory. */
void transfer_format_write(const struct transfer_format *f, const struct transfer_options *options,
                           struct arena *a, struct buf *out, const struct item *it);
void transfer_format_write_stored(const struct transfer_format *f,
                                  const struct transfer_options *options, struct arena *a,
                                  struct buf *out, struct span stored);
