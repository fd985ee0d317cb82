/* transfer_reader.h: bytes in, in parts of any size; items out, one by one, or what is wrong and
 * where.
 *
 * Whoever has bytes, from a file, a pipe or a connection, packed (base/packed.h) or not, feeds them
 * as they come and takes items until there are none, then feeds again. Memory is that of a part and
 * a record, however long all of it is.
 *
 *     transfer_reader_feed(r, part);         … and after the last: transfer_reader_end(r)
 *     while ((what = transfer_reader_next(r, arena, &record, &fault)) …
 *
 * Values are checked as PutItem checks them, with the service's messages; whether an item fits a
 * table, and its size, is the caller's affair. */
#ifndef OPS_TRANSFER_READER_H
#define OPS_TRANSFER_READER_H

#include "ops/transfer/transfer_format.h"
#include "wire/wire_body.h"

struct transfer_reader;

/* The options are copied; what they point to is borrowed. */
struct transfer_reader *transfer_reader_new(const struct transfer_format *f,
                                            const struct transfer_options *options);
void transfer_reader_free(struct transfer_reader *r); /* r may be NULL */

/* Where the text stands in a longer one, for faults; before the first byte. */
void transfer_reader_begin_at(struct transfer_reader *r, size_t line, size_t column);

/* Further bytes, which are copied. */
void transfer_reader_feed(struct transfer_reader *r, struct span part);
/* There are no more. */
void transfer_reader_end(struct transfer_reader *r);

/* --- what comes out --------------------------------------------------------------------------- */

enum transfer_reading {
    TRANSFER_ITEM,
    TRANSFER_MORE,     /* feed, or end */
    TRANSFER_END,      /* all was read */
    TRANSFER_BAD_ITEM, /* this is no item; what comes behind it can be read */
    TRANSFER_BAD_TEXT  /* nothing behind this can be read */
};

/* An item. Bytes are borrowed from the reader until the next call, or in the arena. */
struct transfer_record {
    struct item item;
    struct span json;        /* the item as it stands in a request: {"pk":{"S":"a"}} */
    const wire_node *object; /* the record, with what it has beside "Item" */
    struct span text;        /* the record as it was read … */
    size_t line;             /* … and the line where it begins, from 1 */
};

struct transfer_fault {
    struct span text;    /* what is wrong, in the arena */
    size_t line, column; /* from 1; a column is a byte */
    struct span record;  /* as it was read, as far as it goes */
    size_t made;         /* bytes of JSON that it had become */
};

/* The next item; `a` is for what it is made of. Sets *record or *fault, as it answers. */
enum transfer_reading transfer_reader_next(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault);

/* The same without making the item: record->item is left empty, its values are not checked. For
 * whoever sends record->json on, or counts. */
enum transfer_reading transfer_reader_skip(struct transfer_reader *r, struct arena *a,
                                           struct transfer_record *record,
                                           struct transfer_fault *fault);

/* The same without parsing: record->json is the item as far as brackets and strings go,
 * record->object NULL. For whoever sends it on to where it is parsed; of formats that have item_at.
 */
enum transfer_reading transfer_reader_cut(struct transfer_reader *r, struct arena *a,
                                          struct transfer_record *record,
                                          struct transfer_fault *fault);

/* The header of a format that has one, once the first item was read. */
const struct transfer_options *transfer_reader_options(const struct transfer_reader *r);

#endif
