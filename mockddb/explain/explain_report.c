#include "explain/explain.h"
#include "explain/explain_find.h"

#include "explain/say.h"

/* --- lines ------------------------------------------------------------------------------------ */

/* A text of one line: a name may have line ends, which are shown as in JSON, so that no name looks
 * like another line. */
static struct span on_one_line(struct arena *a, struct span text)
{
    struct buf out = buf_in(a);

    if (!span_has(text, '\n') && !span_has(text, '\r'))
        return text;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '\n' || text.at[i] == '\r')
            buf_add_text(&out, text.at[i] == '\n' ? "\\n" : "\\r");
        else
            buf_add_char(&out, text.at[i]);
    return buf_span(&out);
}

static void add_proposal(struct buf *out, const struct proposal *p)
{
    if (p->command.len)
        say_add(out, "try: %\n", p->command);
    if (p->gives.len)
        say_add(out, "     %\n", p->gives);
}

static void add_hints(struct buf *out, const struct inquiry *q, enum advice weight)
{
    for (size_t i = 0; i < q->hint_count; i++) {
        const struct hint *hint = &q->hints[i];

        if (hint->weight != weight)
            continue;
        say_add(out, "%[%]: %\n", weight == ADVICE_HINT ? "hint" : "note", hint->name,
                on_one_line(q->arena, hint->text));
        add_proposal(out, &hint->proposal);
    }
}

static void add_facts(struct buf *out, const struct inquiry *q)
{
    const struct facts *f = &q->facts;

    say_add(out, "% %%%, %: % read, ", q->call.op->name, f->table, f->index.len ? "." : "",
            f->index, on_one_line(q->arena, f->range), f->read);
    if (f->removed_count && f->counted < f->read)
        say_add(out, "of the first % ", f->counted);
    for (size_t i = 0; i < f->removed_count; i++)
        say_add(out, "% removed by %, ", f->removed[i].items,
                on_one_line(q->arena, f->removed[i].clause));
    say_add(out, "% returned, ", f->returned);
    if (f->pages > 1)
        say_add(out, "% pages, ", f->pages);
    say_add(out, "% unit%\n", f->units, f->units == 1 ? "" : "s");
    if (f->more)
        say_add(out, "  there is more: continue from LastEvaluatedKey");
    if (f->more && f->all_units >= 0)
        say_add(out, "; all pages take % unit%", f->all_units, f->all_units == 1 ? "" : "s");
    buf_add_text(out, f->more ? "\n" : "");
}

static void add_text(struct buf *out, const struct inquiry *q, const struct reply *reply)
{
    if (q->reason.len) {
        say_add(out, "why: %\n", on_one_line(q->arena, q->reason));
        for (size_t i = 0; i < q->line_count; i++)
            say_add(out, "  %\n", on_one_line(q->arena, q->lines[i]));
        add_proposal(out, &q->proposal);
    }
    add_hints(out, q, ADVICE_HINT);
    if (q->has_facts)
        add_facts(out, q);
    else
        say_add(
            out, "%: %%\n", q->call.op ? q->call.op->name : "the request", (size_t)reply->status,
            q->record && q->record->error ? say_text(q, " %", error_name(q->record->error->kind))
                                          : "");
    add_hints(out, q, ADVICE_NOTE);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_proposal(struct wire_writer *w, const struct proposal *p)
{
    if (p->command.len)
        wire_put_member_text(w, "try", p->command);
    if (p->gives.len)
        wire_put_member_text(w, "gives", p->gives);
}

static void put_lines(struct wire_writer *w, const struct inquiry *q)
{
    wire_open_member(w, "lines", '[');
    for (size_t i = 0; i < q->line_count; i++)
        wire_put_text(w, q->lines[i]);
    wire_close(w, ']');
}

static void put_hints(struct wire_writer *w, const struct inquiry *q)
{
    wire_open_member(w, "hints", '[');
    for (size_t i = 0; i < q->hint_count; i++) {
        wire_open(w, '{');
        wire_put_member_word(w, "name", q->hints[i].name);
        wire_put_member_word(w, "weight", q->hints[i].weight == ADVICE_HINT ? "hint" : "note");
        wire_put_member_text(w, "text", q->hints[i].text);
        put_proposal(w, &q->hints[i].proposal);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

static void put_facts(struct wire_writer *w, const struct facts *f)
{
    wire_open_member(w, "facts", '{');
    wire_put_member_text(w, "table", f->table);
    if (f->index.len)
        wire_put_member_text(w, "index", f->index);
    wire_put_member_text(w, "range", f->range);
    wire_put_member_integer(w, "read", (int64_t)f->read);
    wire_put_member_integer(w, "returned", (int64_t)f->returned);
    wire_open_member(w, "removed", '[');
    for (size_t i = 0; i < f->removed_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "clause", f->removed[i].clause);
        wire_put_member_integer(w, "items", (int64_t)f->removed[i].items);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_member_integer(w, "pages", (int64_t)f->pages);
    wire_put_member_bool(w, "more", f->more);
    wire_key(w, "units");
    wire_put_units(w, f->units);
    if (f->all_units >= 0) {
        wire_key(w, "all_pages_units");
        wire_put_units(w, f->all_units);
    }
    wire_close(w, '}');
}

void explain_report(struct inquiry *q, struct arena *a, const struct reply *reply,
                    struct explanation *out)
{
    struct buf json = buf_in(a), text = buf_in(a);
    struct wire_writer w = {&json, false};

    add_text(&text, q, reply);
    wire_open(&w, '{');
    if (q->reason.len)
        wire_put_member_text(&w, "reason", q->reason);
    if (q->reason.len && q->line_count)
        put_lines(&w, q);
    if (q->page_ended)
        wire_put_member_bool(&w, "page_ended", true);
    put_proposal(&w, &q->proposal);
    put_hints(&w, q);
    if (q->has_facts)
        put_facts(&w, &q->facts);
    explain_write_put_entries(q, &w);
    wire_put_member_text(&w, "text", buf_span(&text));
    wire_close(&w, '}');
    out->json = buf_span(&json);
    out->text = buf_span(&text);
}
