/* packed.h: packs and unpacks bytes in gzip or zstd form, in parts, whatever their length; unpacks
 * zlib's form, which HTTP calls deflate.
 *
 * Parts in either form may follow one another: the output of several calls of packed_add is read as
 * one. Memory does not depend on the length. */
#pragma once

#include "base/buf.h"

enum packed_form { PACKED_NOT, PACKED_GZIP, PACKED_ZSTD, PACKED_ZLIB };

/* The form that a file name's ending says: .gz, .zst, or neither. */
enum packed_form packed_form_of_name(struct span name);

/* --- reading ---------------------------------------------------------------------------------- */

struct packed_reader;

struct packed_reader *packed_reader_new(enum packed_form form);
void packed_reader_free(struct packed_reader *r); /* r may be NULL */

/* Takes bytes off the front of *packed and unpacks them to `room`, at most `size` bytes; *len is
 * their number. If *packed is empty and nothing is unpacked, more input is needed. Returns NULL, or
 * a text that says what is wrong. */
MUST_CHECK const char *packed_read(struct packed_reader *r, struct span *packed, char *room,
                                   size_t size, size_t *len);

/* Called at the end of the input. Returns NULL, or a text that says that something is missing. */
MUST_CHECK const char *packed_reader_end(const struct packed_reader *r);

/* Unpacks all of the bytes into *out, but ends when that has more than `most` bytes. Returns NULL,
 * or a text that says what is wrong. */
MUST_CHECK const char *packed_unpack(enum packed_form form, struct span packed, size_t most,
                                     struct buf *out);

/* --- packing --------------------------------------------------------------------------------- */

struct packed_writer;

struct packed_writer *packed_writer_new(enum packed_form form);
void packed_writer_free(struct packed_writer *w); /* w may be NULL */

/* Appends the bytes in packed form, complete in itself. */
void packed_add(struct packed_writer *w, struct buf *out, struct span bytes);
