#include "model/names.h"
#include "ops/op.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static const struct wire_member describe_ttl_members[] = {
    {"TableName", &wire_table_name, 0},
    {NULL, NULL, 0},
};

static const struct error *check_status(struct call *c, const struct table *t)
{
    const char *state = names_statuses[t->status];

    if (t->status != STATUS_CREATING && t->status != STATUS_DELETING)
        return NULL;
    return error_validation(c->arena,
                            "Cannot describe time to live while table is in %s state: Current "
                            "table state is %s",
                            state, state);
}

static const struct error *describe_ttl(struct call *c)
{
    struct wire_writer *w = &c->reply;
    const struct table *t;
    const struct error *e;

    if ((e = table_state_find(c, &t)) || (e = check_status(c, t)))
        return e;
    wire_key(w, "TimeToLiveDescription");
    wire_open(w, '{');
    wire_put_member_word(w, "TimeToLiveStatus", names_on_off[t->ttl_attribute.len != 0]);
    if (t->ttl_attribute.len) {
        wire_put_member_text(w, "AttributeName", t->ttl_attribute);
    }
    wire_close(w, '}');
    return NULL;
}

const struct op op_describe_time_to_live = {
    .name = "DescribeTimeToLive",
    .access = OP_READS,
    .members = describe_ttl_members,
    .precheck = table_name_required,
    .run = describe_ttl,
};
