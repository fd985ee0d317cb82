#include "ops/transfer/export_filter.h"

static const struct wire_member filter_members[] = {
    {"FilterExpression", &wire_string, 0},
    {"ProjectionExpression", &wire_string, 0},
    {"KeyConditionExpression", &wire_string, 0},
    {"ExpressionAttributeNames", &wire_name_map, 0},
    {"ExpressionAttributeValues", &wire_attr_map, 0},
    {NULL, NULL, 0},
};
const struct wire_shape export_filter_shape = WIRE_STRUCT_FROM("FilterSpecification",
                                                               filter_members);

/* Makes the request of a read that returns the items of the export. */
static const struct error *make_read(struct call *c, const wire_node *spec, struct span table,
                                     const wire_node **out)
{
    struct buf body = buf_in(c->arena);

    buf_add_text(&body, "{\"TableName\":");
    buf_add_json_string(&body, table);
    for (const struct wire_member *m = filter_members; m->name; m++) {
        const wire_node *member = wire_get(spec, m->name);

        if (!member)
            continue;
        buf_printf(&body, ",\"%s\":", m->name);
        buf_add_span(&body, wire_raw(member));
    }
    buf_add_char(&body, '}');
    return wire_parse_keyed(c->arena, buf_span(&body), clock_hash_key(c->clock), out);
}

const struct error *export_filter_read(struct call *c, const wire_node *spec, struct span table,
                                       struct read_page *out)
{
    const wire_node *body = c->body, *read;
    struct read_plan plan;
    const struct error *e = make_read(c, spec, table, &read);

    if (e)
        return e;
    c->body = read;
    e = wire_get(read, "KeyConditionExpression") ? read_plan_query(c, &plan)
                                                 : read_plan_scan(c, &plan);
    c->body = body;
    if (!e)
        *out = plan.page;
    return e;
}

bool export_filter_passes(const struct read_page *filter, const struct item *it)
{
    return expr_matches(filter->filter, it);
}

struct item export_filter_project(struct call *c, const struct read_page *filter,
                                  const struct item *it)
{
    return filter->projection ? expr_project(c->arena, filter->projection, it) : *it;
}
