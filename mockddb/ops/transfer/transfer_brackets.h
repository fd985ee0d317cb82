/* transfer_brackets.h: writes values of JSON and Ion, which differ in names and scalars only. */
#pragma once

#include "model/attr.h"

/* How a format writes names and scalars. */
struct transfer_brackets {
    void (*name)(struct buf *out, struct span name);
    void (*string)(struct buf *out, struct span text);
    void (*number)(struct buf *out, struct span canonical);
    const char *binary_begins, *binary_ends; /* around base64 */
    const char *set_mark;                    /* before the type of a set; NULL: sets are lists */
};

void transfer_brackets_map(struct buf *out, const struct transfer_brackets *how,
                           const struct item *map);
