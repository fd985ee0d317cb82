#include "explain/inquiry.h"

#include "base/ascii.h"
#include "wire/wire_attr.h"
#include "wire/wire_node.h"

bool inquiry_may_read(struct inquiry *q)
{
    if (!q->rows_left)
        return false;
    q->rows_left--;
    if (q->rows_left % 16 == 0 && clock_work_us() > q->until_us)
        q->rows_left = 0;
    return q->rows_left > 0;
}

bool inquiry_has_time(struct inquiry *q)
{
    if (q->asked_for_time++ % 8 == 0 && clock_work_us() > q->until_us)
        q->rows_left = 0;
    return q->rows_left > 0;
}

struct inquiry_share inquiry_begin_share(struct inquiry *q, unsigned percent)
{
    size_t rows = q->rows_left * percent / 100;
    int64_t now = clock_work_us(), left = q->until_us - now;
    struct inquiry_share share = {.kept_back = q->rows_left - rows, .until_us = q->until_us};

    q->rows_left = rows;
    q->until_us = now + (left > 0 ? left : 0) * percent / 100;
    return share;
}

void inquiry_end_share(struct inquiry *q, const struct inquiry_share *share)
{
    q->rows_left += share->kept_back;
    q->until_us = share->until_us;
}

bool inquiry_pause(struct inquiry *q)
{
    if (clock_work_us() > q->until_us || !q->call.unit)
        return false;
    unit_undo(q->call.unit);
    q->call.unit = NULL;
    return true;
}

void inquiry_go_on(struct inquiry *q)
{
    if (unit_begin(q->call.store, q->arena, UNIT_READS, &q->call.unit))
        q->rows_left = 0;
}

/* --- what the call did ------------------------------------------------------------------------ */

struct inquiry_use inquiry_used(const struct call_record *record)
{
    struct inquiry_use out = {.units = 0};

    for (const struct capacity *used = record->accounts; used; used = used->next) {
        out.read += used->items_read;
        out.returned += used->items_returned;
        out.pages += used->pages;
        out.bytes += used->bytes_read;
        out.unprocessed += used->unprocessed;
        out.units += capacity_total(used);
    }
    return out;
}

bool inquiry_has_more(struct inquiry *q, struct span reply)
{
    const wire_node *root;

    return !wire_parse(q->arena, reply, &root) &&
           (wire_get(root, "LastEvaluatedKey") || wire_get(root, "NextToken") ||
            wire_count(wire_get(root, "UnprocessedKeys")));
}

bool inquiry_continues(const wire_node *body)
{
    return wire_get(body, "ExclusiveStartKey") || wire_get(body, "NextToken");
}

/* --- what was asked --------------------------------------------------------------------------- */

bool inquiry_read_item(struct inquiry *q, const wire_node *node, struct item *out)
{
    return node && wire_is_object(node) && !wire_read_item(q->arena, node, WIRE_LAYER_CURRENT, out);
}

bool inquiry_read_attr(struct inquiry *q, const wire_node *node, struct attr *out)
{
    return node && wire_is_object(node) && !wire_read_attr(q->arena, node, WIRE_LAYER_CURRENT, out);
}

/* --- words ------------------------------------------------------------------------------------ */

struct span inquiry_lower(struct inquiry *q, struct span text)
{
    char *lower = arena_text(q->arena, text);

    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(lower[i]);
    return (struct span){lower, text.len};
}
