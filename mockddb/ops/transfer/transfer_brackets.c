#include "ops/transfer/transfer_brackets.h"

void transfer_brackets_map(struct buf *out, const struct transfer_brackets *how,
                           const struct item *map)
{
    buf_add_char(out, '{');
    for (size_t i = 0; i < map->len; i++) {
        if (i)
            buf_add_char(out, ',');
        how->name(out, map->at[i].name);
        buf_add_char(out, ':');
        how->value(out, &map->at[i].value);
    }
    buf_add_char(out, '}');
}

void transfer_brackets_list(struct buf *out, const struct transfer_brackets *how,
                            const struct attr_list *list)
{
    buf_add_char(out, '[');
    for (size_t i = 0; i < list->len; i++) {
        if (i)
            buf_add_char(out, ',');
        how->value(out, &list->at[i]);
    }
    buf_add_char(out, ']');
}
