#include "fixtures_table.h"

#include "ops/op.h"
#include "wire/wire_print.h"

#define TIME_TO_LIVE "TimeToLiveSpecification"

static const struct wire_member *create_members(void)
{
    return op_find(OP_DYNAMODB, SPAN_LIT("CreateTable"))->members;
}

static const struct wire_member *find_member(const struct wire_member *members, struct span name)
{
    for (const struct wire_member *m = members; m->name; m++)
        if (span_is(name, m->name))
            return m;
    return NULL;
}

static void begin_member(struct buf *out, struct span name)
{
    if (out->at[out->len - 1] != '{')
        buf_add_char(out, ',');
    buf_add_json_string(out, name);
    buf_add_char(out, ':');
}

/* --- CreateTable inputs ----------------------------------------------------------------------- */

static const char *copy_input(struct arena *a, const wire_node *input, struct buf *out)
{
    for (const wire_node *m = wire_first(input); m; m = wire_next(m)) {
        if (span_is(wire_name(m), "TableName") || span_is(wire_name(m), TIME_TO_LIVE))
            continue;
        if (!find_member(create_members(), wire_name(m)))
            return arena_printf(a, "CreateTable has no member %.*s", SPAN_ARG(wire_name(m)));
        begin_member(out, wire_name(m));
        wire_print_json(out, m);
    }
    return NULL;
}

/* --- DescribeTable answers -------------------------------------------------------------------- */

#define THROUGHPUT "ProvisionedThroughput" /* described as zero on on-demand tables */

static void copy_shaped(struct buf *out, const struct wire_shape *shape, const wire_node *node,
                        bool on_demand);

/* Copies what there is a member for; all else only describes. */
static void copy_members(struct buf *out, const struct wire_member *members, const wire_node *node,
                         bool on_demand)
{
    for (const wire_node *m = wire_first(node); m; m = wire_next(m)) {
        const struct wire_member *known = find_member(members, wire_name(m));

        if (!known || span_is(wire_name(m), "TableName") ||
            (on_demand && span_is(wire_name(m), THROUGHPUT)))
            continue;
        begin_member(out, wire_name(m));
        copy_shaped(out, known->shape, m, on_demand);
    }
}

static void copy_shaped(struct buf *out, const struct wire_shape *shape, const wire_node *node,
                        bool on_demand)
{
    if (shape->type == WIRE_STRUCT) {
        buf_add_char(out, '{');
        copy_members(out, shape->members, node, on_demand);
        buf_add_char(out, '}');
    } else if (shape->type == WIRE_LIST) {
        buf_add_char(out, '[');
        for (const wire_node *e = wire_first(node); e; e = wire_next(e)) {
            copy_shaped(out, shape->element, e, on_demand);
            buf_add_text(out, wire_next(e) ? "," : "");
        }
        buf_add_char(out, ']');
    } else {
        wire_print_json(out, node);
    }
}

/* Members whose description is shaped otherwise than the input. */
static void copy_renamed(struct buf *out, const wire_node *table)
{
    static const struct {
        const char *described, *inside, *member;
    } renamed[] = {
        {"BillingModeSummary", "BillingMode", "BillingMode"},
        {"TableClassSummary", "TableClass", "TableClass"},
    };
    const wire_node *sse = wire_get(table, "SSEDescription");
    const wire_node *key = wire_get(sse, "KMSMasterKeyArn");

    for (size_t i = 0; i < COUNT(renamed); i++) {
        const wire_node *value = wire_get(wire_get(table, renamed[i].described), renamed[i].inside);

        if (!value)
            continue;
        begin_member(out, span_of(renamed[i].member));
        wire_print_json(out, value);
    }
    if (!span_is(wire_text(wire_get(sse, "Status")), "ENABLED"))
        return;
    buf_add_text(out, ",\"SSESpecification\":{\"Enabled\":true,\"SSEType\":\"KMS\"");
    if (key) {
        begin_member(out, SPAN_LIT("KMSMasterKeyId"));
        wire_print_json(out, key);
    }
    buf_add_char(out, '}');
}

static void copy_description(const wire_node *table, struct buf *out)
{
    const wire_node *mode = wire_get(wire_get(table, "BillingModeSummary"), "BillingMode");

    copy_members(out, create_members(), table, span_is(wire_text(mode), "PAY_PER_REQUEST"));
    copy_renamed(out, table);
}

/* --- both ------------------------------------------------------------------------------------- */

static struct span partition_of(const wire_node *input)
{
    for (const wire_node *e = wire_first(wire_get(input, "KeySchema")); e; e = wire_next(e))
        if (span_is(wire_text(wire_get(e, "KeyType")), "HASH"))
            return wire_text(wire_get(e, "AttributeName"));
    return (struct span){"", 0};
}

static struct buf begin_request(struct arena *a, struct span table_name)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"TableName\":");
    buf_add_json_string(&out, table_name);
    return out;
}

static struct span time_to_live(struct arena *a, struct span table_name, const wire_node *spec)
{
    struct buf out = begin_request(a, table_name);

    if (!spec)
        return (struct span){"", 0};
    begin_member(&out, SPAN_LIT(TIME_TO_LIVE));
    wire_print_json(&out, spec);
    buf_add_char(&out, '}');
    return buf_span(&out);
}

const char *fixture_table_read(struct arena *a, struct span text, const char *name,
                               const char *prefix, struct fixture_table *out)
{
    const wire_node *root, *described, *input;
    struct span table_name;
    const char *problem;
    struct buf create;

    if (wire_parse(a, text, &root))
        return arena_printf(a, "line %zu: this is not a JSON object", wire_error_line(a, text));
    described = wire_get(root, "Table");
    input = described ? described : root;
    table_name = wire_text(wire_get(input, "TableName"));
    if (!span_is(table_name, name))
        return arena_printf(a, "TableName is \"%.*s\", not the file's name", SPAN_ARG(table_name));
    out->full_name = span_of(arena_printf(a, "%s%s", prefix, name));
    out->partition = partition_of(input);
    create = begin_request(a, out->full_name);
    if (described)
        copy_description(described, &create);
    else if ((problem = copy_input(a, root, &create)))
        return problem;
    buf_add_char(&create, '}');
    out->create_table = buf_span(&create);
    out->time_to_live = time_to_live(a, out->full_name, wire_get(root, TIME_TO_LIVE));
    return NULL;
}
