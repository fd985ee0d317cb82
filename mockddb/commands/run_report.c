#include "commands/run_report.h"

static void count_operation(struct run_report *r, const struct journal_entry *e)
{
    size_t i = 0;

    while (i < r->len && r->rows[i].op != e->op)
        i++;
    if (i == COUNT(r->rows))
        return;
    if (i == r->len)
        r->rows[r->len++].op = e->op;
    r->rows[i].calls++;
    r->rows[i].errors += e->status != 200;
}

void run_report_take(struct run_report *r, const struct journal_entry *e)
{
    r->calls++;
    r->errors += e->status != 200;
    if (e->op)
        count_operation(r, e);
    r->read_units += e->read_units;
    r->write_units += e->write_units;
}

static void add_count(struct buf *out, uint64_t n, const char *what)
{
    buf_printf(out, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : "s");
}

void run_report_write(struct buf *out, const struct run_report *r)
{
    buf_add_text(out, "mockddb: ");
    add_count(out, r->calls, "request");
    buf_printf(out, ", %.15g read units, %.15g write units, ", r->read_units, r->write_units);
    add_count(out, r->errors, "error");
    buf_add_char(out, '\n');
    for (size_t i = 0; i < r->len; i++) {
        buf_printf(out, "mockddb:   %-24s %6llu", r->rows[i].op->name,
                   (unsigned long long)r->rows[i].calls);
        if (r->rows[i].errors) {
            buf_add_text(out, ", ");
            add_count(out, r->rows[i].errors, "error");
        }
        buf_add_char(out, '\n');
    }
}
