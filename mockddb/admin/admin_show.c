#include "admin/admin_show.h"

void admin_show_text(struct admin_call *c, const char *member, struct span text)
{
    wire_put_member_text(&c->out, member, text);
}

void admin_show_number(struct admin_call *c, const char *member, int64_t number)
{
    wire_put_member_integer(&c->out, member, number);
}

void admin_show_moment(struct admin_call *c, const char *member, int64_t ms)
{
    admin_show_text(c, member,
                    span_of(arena_printf(c->arena, "%sZ", clock_iso_time(c->arena, ms))));
}

void admin_show_content(struct admin_call *c, const struct table_totals *content)
{
    admin_show_number(c, "tables", content->tables);
    admin_show_number(c, "items", content->items);
    admin_show_number(c, "bytes", content->bytes);
}

void admin_show_time(struct admin_call *c, const struct clock_time *time)
{
    admin_show_moment(c, "now", time->now_ms);
    admin_show_number(c, "now_ms", time->now_ms);
    wire_key(&c->out, "frozen");
    wire_put_bool(&c->out, time->rate == 0);
    wire_put_member_raw(&c->out, "rate", span_of(arena_printf(c->arena, "%.15g", time->rate)));
}
