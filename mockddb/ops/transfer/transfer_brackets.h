/* transfer_brackets.h: writes maps and lists of JSON and Ion, which differ in names and values
 * only.
 */
#ifndef OPS_TRANSFER_BRACKETS_H
#define OPS_TRANSFER_BRACKETS_H

#include "base/buf.h"
#include "model/attr.h"

/* How a format writes names and values. */
struct transfer_brackets {
    void (*name)(struct buf *out, struct span name);
    void (*value)(struct buf *out, const struct attr *value);
};

void transfer_brackets_map(struct buf *out, const struct transfer_brackets *how,
                           const struct item *map);
void transfer_brackets_list(struct buf *out, const struct transfer_brackets *how,
                            const struct attr_list *list);

#endif
