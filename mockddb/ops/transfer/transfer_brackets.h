/* transfer_brackets.h: maps and lists as JSON and Ion have them alike: brackets around, commas
 * between. */
#ifndef OPS_TRANSFER_BRACKETS_H
#define OPS_TRANSFER_BRACKETS_H

#include "base/buf.h"
#include "model/attr.h"

/* How a format writes what stands between them. */
struct transfer_brackets {
    void (*name)(struct buf *out, struct span name);
    void (*value)(struct buf *out, const struct attr *value);
};

void transfer_brackets_map(struct buf *out, const struct transfer_brackets *how,
                           const struct item *map);
void transfer_brackets_list(struct buf *out, const struct transfer_brackets *how,
                            const struct attr_list *list);

#endif
