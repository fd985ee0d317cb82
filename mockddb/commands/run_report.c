#include "commands/run_report.h"

static void count(struct run_report *r, const struct call_record *record)
{
    size_t i = 0;

    while (i < r->len && r->rows[i].op != record->op)
        i++;
    if (i == COUNT(r->rows))
        return;
    if (i == r->len)
        r->rows[r->len++].op = record->op;
    r->rows[i].calls++;
    r->rows[i].errors += record->status != 200;
}

static void on_finished(struct observer *self, const struct call_record *record)
{
    struct run_report *r = (struct run_report *)(void *)self;

    r->calls++;
    r->errors += record->status != 200;
    if (record->op)
        count(r, record);
    for (const struct capacity *c = record->accounts; c; c = c->next)
        *(c->writes ? &r->write_units : &r->read_units) += capacity_total(c);
}

void run_report_begin(struct run_report *r)
{
    *r = (struct run_report){.observer.finished = on_finished};
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
