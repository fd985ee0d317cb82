#include "model/path.h"

static const struct attr *step_into(const struct attr *value, const struct path_step *step)
{
    if (step->is_index)
        return value->type == ATTR_L && step->index < value->list.len ? &value->list.at[step->index]
                                                                      : NULL;
    return value->type == ATTR_M ? item_find(&value->map, step->name) : NULL;
}

const struct attr *path_find(const struct item *it, const struct path *p)
{
    const struct attr *value = item_find(it, p->at[0].name);

    for (size_t i = 1; value && i < p->len; i++)
        value = step_into(value, &p->at[i]);
    return value;
}

/* Indexes come before names. */
static int step_compare(const struct path_step *a, const struct path_step *b)
{
    if (a->is_index != b->is_index)
        return a->is_index ? -1 : 1;
    return a->is_index ? (a->index > b->index) - (a->index < b->index)
                       : span_compare(a->name, b->name);
}

int path_compare(const struct path *a, const struct path *b)
{
    size_t shared = a->len < b->len ? a->len : b->len;

    for (size_t i = 0; i < shared; i++) {
        int order = step_compare(&a->at[i], &b->at[i]);

        if (order)
            return order;
    }
    return (a->len > b->len) - (a->len < b->len);
}

bool path_same_step(const struct path_step *a, const struct path_step *b)
{
    return step_compare(a, b) == 0;
}

bool path_equal(const struct path *a, const struct path *b)
{
    return a->len == b->len && path_clash(a, b) == PATH_OVERLAP;
}

enum path_clash path_clash(const struct path *a, const struct path *b)
{
    size_t shared = a->len < b->len ? a->len : b->len;

    for (size_t i = 0; i < shared; i++) {
        if (a->at[i].is_index != b->at[i].is_index)
            return PATH_CONFLICT;
        if (!path_same_step(&a->at[i], &b->at[i]))
            return PATH_APART;
    }
    return PATH_OVERLAP;
}

void path_add(struct buf *out, const struct path *p)
{
    for (size_t i = 0; i < p->len; i++) {
        if (p->at[i].is_index) {
            buf_printf(out, "[%lu]", (unsigned long)p->at[i].index);
            continue;
        }
        buf_add_text(out, i ? "." : "");
        buf_add_span(out, p->at[i].name);
    }
}

void path_print(struct buf *out, const struct path *p)
{
    buf_add_char(out, '[');
    for (size_t i = 0; i < p->len; i++) {
        if (i)
            buf_add_text(out, ", ");
        if (p->at[i].is_index)
            buf_printf(out, "[%lu]", (unsigned long)p->at[i].index);
        else
            buf_add_span(out, p->at[i].name);
    }
    buf_add_char(out, ']');
}
