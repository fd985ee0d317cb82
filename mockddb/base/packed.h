/* packed.h: bytes in gzip or zstd form: read in parts, however long they are, and made.
 *
 * Both forms may be put one behind another: what several calls of packed_add made is read as one.
 * Memory does not depend on how much there is. */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#include "base/buf.h"

enum packed_form { PACKED_NOT, PACKED_GZIP, PACKED_ZSTD };

/* What the ending of a file's name says: .gz, .zst, or neither. */
enum packed_form packed_form_of_name(struct span name);

/* --- reading ---------------------------------------------------------------------------------- */

struct packed_reader;

struct packed_reader *packed_reader_new(enum packed_form form);
void packed_reader_free(struct packed_reader *r); /* r may be NULL */

/* Takes bytes off the front of *packed and puts what they hold to `room`, up to `size` bytes, *len
 * of them. When *packed is empty and nothing comes out, more is needed. NULL, or what is wrong with
 * them. */
MUST_CHECK const char *packed_read(struct packed_reader *r, struct span *packed, char *room,
                                   size_t size, size_t *len);

/* There are no more: NULL, or that something is missing. */
MUST_CHECK const char *packed_reader_end(const struct packed_reader *r);

/* --- making ----------------------------------------------------------------------------------- */

struct packed_writer;

struct packed_writer *packed_writer_new(enum packed_form form);
void packed_writer_free(struct packed_writer *w); /* w may be NULL */

/* Appends the bytes in that form, whole in itself. */
void packed_add(struct packed_writer *w, struct buf *out, struct span bytes);

#endif
