#include "ops/global/global_group.h"
#include "ops/table/table_name.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_state.h"
#include "ops/ttl/ttl_index.h"

static const struct error *describe_ttl(struct call *c)
{
    struct wire_writer *w = &c->reply;
    const struct table *t;
    const struct error *e;
    const char *state;

    if ((e = table_state_find(c, &t)))
        return e;
    state = names_statuses[t->status];
    if (t->status == STATUS_CREATING || t->status == STATUS_DELETING)
        return error_validation(
            c->arena,
            "Cannot describe time to live while table is in %s state: Current table state is %s",
            state, state);
    wire_open_member(w, "TimeToLiveDescription", '{');
    wire_put_member_word(w, "TimeToLiveStatus", names_on_off[t->ttl_attribute.len != 0]);
    if (t->ttl_attribute.len)
        wire_put_member_text(w, "AttributeName", t->ttl_attribute);
    wire_close(w, '}');
    return NULL;
}

const struct op op_describe_time_to_live = {
    .name = "DescribeTimeToLive",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_ttl,
};

/* For this time after CreateTable the operation does not find the table; then it reports that the
 * table is being created. */
#define UNKNOWN_MS 2500

static const struct wire_shape specification = WIRE_STRUCT_OF(
    "TimeToLiveSpecification", {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {"Enabled", &wire_boolean, WIRE_REQUIRED});

struct ttl_spec {
    bool enable;
    struct span attribute;
};

static const struct error *check_changeable(struct call *c, const struct table *t)
{
    if (t->status == STATUS_DELETING)
        return table_state_being_deleted(c, t->name);
    if (t->status != STATUS_CREATING)
        return NULL;
    if (clock_now_ms(c->clock) - t->created_ms < UNKNOWN_MS)
        return table_state_not_found(c, t->name);
    return table_state_in_use(c, "Table %.*s is being created", SPAN_ARG(t->name));
}

static const struct error *check_change(struct call *c, const struct table *t, bool enable,
                                        struct span attribute)
{
    if (enable && t->global.strong)
        return error_not_when_strong(c->arena, "Time to Live is");
    if (t->ttl_attribute.len && !span_equal(attribute, t->ttl_attribute))
        return error_caused(
            c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_TTL_OTHER, .operand = t->ttl_attribute),
            "TimeToLive is active on a different AttributeName: current AttributeName is %.*s",
            SPAN_ARG(t->ttl_attribute));
    if (enable != (t->ttl_attribute.len > 0))
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_UNCHANGED, .operand = SPAN_LIT("TimeToLiveSpecification")),
                        "TimeToLive is already %s", enable ? "enabled" : "disabled");
}

/* Changes one table; all replicas of a global table change in the same way. */
static const struct error *change_ttl(struct call *c, struct table *draft, void *data)
{
    const struct ttl_spec *spec = data;

    return spec->enable ? ttl_index_enable(c, draft, spec->attribute) : ttl_index_disable(c, draft);
}

static const struct error *update_ttl(struct call *c)
{
    const wire_node *node = wire_get(c->body, "TimeToLiveSpecification");
    struct ttl_spec spec = {wire_bool(wire_get(node, "Enabled"), false),
                            wire_text(wire_get(node, "AttributeName"))};
    const struct table *old;
    struct table *t;
    const struct error *e;
    struct wire_writer *w = &c->reply;

    if ((e = table_state_find(c, &old)) || (e = check_changeable(c, old)) ||
        (e = check_change(c, old, spec.enable, spec.attribute)))
        return e;
    t = schema_copy(c->arena, old);
    if ((e = change_ttl(c, t, &spec)) || (e = global_group_each(c, old, change_ttl, &spec)))
        return e;
    wire_open_member(w, "TimeToLiveSpecification", '{');
    wire_put_member_bool(w, "Enabled", spec.enable);
    wire_put_member_text(w, "AttributeName", spec.attribute);
    wire_close(w, '}');
    return table_state_keep(c, t);
}

const struct op op_update_time_to_live = {
    .name = "UpdateTimeToLive",
    .access = OP_WRITES,
    .once = true,
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0},
                            {"TimeToLiveSpecification", &specification, WIRE_REQUIRED}),
    .precheck = table_name_required,
    .run = update_ttl,
};
