#include "admin/admin_show.h"

void admin_show_moment(struct admin_call *c, const char *member, int64_t ms)
{
    wire_put_member_word(&c->out, member,
                         arena_printf(c->arena, "%sZ", clock_iso_time(c->arena, ms)));
}

void admin_show_content(struct admin_call *c, const struct table_totals *content)
{
    wire_put_member_integer(&c->out, "tables", content->tables);
    wire_put_member_integer(&c->out, "items", content->items);
    wire_put_member_integer(&c->out, "bytes", content->bytes);
}

void admin_show_time(struct admin_call *c, const struct clock_time *time)
{
    admin_show_moment(c, "now", time->now_ms);
    wire_put_member_integer(&c->out, "now_ms", time->now_ms);
    wire_put_member_bool(&c->out, "frozen", time->rate == 0);
    wire_put_member_raw(&c->out, "rate", span_of(arena_printf(c->arena, "%.15g", time->rate)));
}
