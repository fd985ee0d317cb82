#include "ops/transfer/transfer_brackets.h"

#include "base/base64.h"

static void write_value(struct buf *out, const struct transfer_brackets *how,
                        const struct attr *value);

static void write_list(struct buf *out, const struct transfer_brackets *how,
                       const struct attr_list *list)
{
    buf_add_char(out, '[');
    for (size_t i = 0; i < list->len; i++) {
        if (i)
            buf_add_char(out, ',');
        write_value(out, how, &list->at[i]);
    }
    buf_add_char(out, ']');
}

static void write_value(struct buf *out, const struct transfer_brackets *how,
                        const struct attr *value)
{
    switch (value->type) {
    case ATTR_S:
        how->string(out, value->bytes);
        break;
    case ATTR_N:
        how->number(out, value->bytes);
        break;
    case ATTR_B:
        buf_add_text(out, how->binary_begins);
        base64_encode(out, value->bytes);
        buf_add_text(out, how->binary_ends);
        break;
    case ATTR_BOOL:
        buf_add_text(out, value->boolean ? "true" : "false");
        break;
    case ATTR_M:
        transfer_brackets_map(out, how, &value->map);
        break;
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
        if (how->set_mark)
            buf_printf(out, "%s%s::", how->set_mark, attr_type_code(value->type));
        write_list(out, how, &value->list);
        break;
    case ATTR_L:
        write_list(out, how, &value->list);
        break;
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        buf_add_text(out, "null");
        break;
    }
}

void transfer_brackets_map(struct buf *out, const struct transfer_brackets *how,
                           const struct item *map)
{
    buf_add_char(out, '{');
    for (size_t i = 0; i < map->len; i++) {
        if (i)
            buf_add_char(out, ',');
        how->name(out, map->at[i].name);
        buf_add_char(out, ':');
        write_value(out, how, &map->at[i].value);
    }
    buf_add_char(out, '}');
}
