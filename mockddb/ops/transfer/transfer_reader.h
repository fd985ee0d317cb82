/* transfer_reader.h: turns bytes, in parts of any size, into items, or errors with their place.
 *
 * The caller has bytes from a file, a pipe or a connection, unpacked (base/packed.h). It feeds a
 * part, takes items until the reader wants more, and feeds the next part. The reader needs memory
 * for one part and one record, however long the input is.
 *
 *     transfer_reader_feed(r, part);         after the last part: transfer_reader_end(r)
 *     while ((what = transfer_reader_next(r, arena, &record, &fault)) …
 *
 * Values are checked like PutItem does, with the service's messages. The caller checks the item's
 * size and whether it fits a table. */
#pragma once

#include "ops/transfer/transfer_format.h"
#include "wire/wire_body.h"

struct transfer_reader;

/* Copies the options but borrows what they point to. */
struct transfer_reader *transfer_reader_new(const struct transfer_format *f,
                                            const struct transfer_options *options);
void transfer_reader_free(struct transfer_reader *r); /* r may be NULL */

/* Sets the text's place in a longer one, for faults. Call it before the first byte. */
void transfer_reader_begin_at(struct transfer_reader *r, size_t line, size_t column);

/* Adds bytes, which are copied. */
void transfer_reader_feed(struct transfer_reader *r, struct span part);
/* Ends the input. */
void transfer_reader_end(struct transfer_reader *r);

/* --- reading records -------------------------------------------------------------------------- */

enum transfer_reading {
    TRANSFER_ITEM,
    TRANSFER_MORE,     /* feed more, or end the input */
    TRANSFER_END,      /* all records were read */
    TRANSFER_BAD_ITEM, /* a bad record; the text after it can be read */
    TRANSFER_BAD_TEXT  /* the rest of the text cannot be read */
};

/* An item. Bytes are borrowed from the reader until the next call, or in the arena. */
struct transfer_record {
    struct item item;
    struct span json;        /* the item in the form of requests: {"pk":{"S":"a"}} */
    const wire_node *object; /* the record, with its members besides "Item" */
    struct span text;        /* the record as it was read */
    size_t line;             /* its first line, from 1 */
};

struct transfer_fault {
    struct span text;    /* the message, in the arena */
    size_t line, column; /* from 1; a column is a byte */
    struct span record;  /* the record's text, as far as it was read */
    size_t made;         /* bytes of JSON made from the record */
};

/* Reads the next item into `a`. Sets *record or *fault, depending on the result. */
enum transfer_reading transfer_reader_next(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault);

/* Like transfer_reader_next, without making the item: record->item is empty and values are not
 * checked. For callers that only count, or pass record->json on. */
enum transfer_reading transfer_reader_skip(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault);

/* Like transfer_reader_skip, without parsing: record->json is the item's text, found by its
 * brackets and strings, record->object is NULL. For callers that pass it to a parser. The format
 * must have item_at. */
enum transfer_reading transfer_reader_cut(struct transfer_reader *r, struct arena *a,
                                          struct transfer_record *record,
                                          struct transfer_fault *fault);

/* The options, with the header once the first item was read. */
const struct transfer_options *transfer_reader_options(const struct transfer_reader *r);
