/* moving_types.h: types of columns and attributes as a text: id=S,age=N. A backslash before a
 * comma, an equals sign or a backslash makes it part of a name. */
#pragma once

#include "base/buf.h"
#include "ops/transfer/transfer_format.h"

/* Adds the types in the text to *out. Returns NULL, or what is wrong: "is not …". */
MUST_CHECK const char *moving_types_read(struct arena *a, const char *text,
                                         struct transfer_column **out, size_t *count);

/* The text, quoted as one word for a shell. */
const char *moving_types_show(struct arena *a, const struct transfer_column *columns, size_t count);
