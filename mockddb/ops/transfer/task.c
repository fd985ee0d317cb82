#include "ops/transfer/task.h"

#include "base/ascii.h"
#include "model/schema_members.h"
#include "ops/table/table_name.h"
#include "wire/wire_print.h"

#include <stddef.h>

#define SUFFIX_LEN    8
#define TIME_LEN      8 /* in a key */
#define FILE_NAME_LEN 26

/* Hexadecimal digits of a NextToken: the last task of the page, and zeros. */
#define CURSOR_DIGITS 112

#define AT(member)       .name = #member, .offset = offsetof(struct task, member)
#define USAGE_AT(member) .name = #member, .offset = offsetof(struct task_usage, member)

const char *const task_statuses[] = {
    [TASK_IN_PROGRESS] = "IN_PROGRESS",
    [TASK_CANCELLING] = "CANCELLING",
    [TASK_COMPLETED] = "COMPLETED",
    [TASK_COMPLETED_WITH_ERRORS] = "COMPLETED_WITH_ERRORS",
    [TASK_CANCELLED] = "CANCELLED",
    [TASK_FAILED] = "FAILED",
    NULL,
};

static const struct {
    uint32_t space;
    const char *arn_kind;
} kinds[] = {
    [TASK_EXPORT] = {KEY_SPACE_EXPORTS, "/export/"},
    [TASK_IMPORT] = {KEY_SPACE_IMPORTS, "/import/"},
    [TASK_BULK_PUT] = {KEY_SPACE_BULK_PUTS, "/bulk-operation/"},
};

static const char *const index_kinds[] = {
    [KIND_LOCAL] = "LOCAL",
    [KIND_GLOBAL] = "GLOBAL",
    [KIND_VECTOR] = "VECTOR",
    NULL,
};

static const struct schema_member usage_members[] = {
    {.kind = SCHEMA_TEXT, USAGE_AT(index)},
    {.kind = SCHEMA_ENUM, USAGE_AT(kind), .words = index_kinds},
    {.kind = SCHEMA_INT, USAGE_AT(bytes)},
    {.name = NULL},
};
static const struct schema_shape usage_shape = {sizeof(struct task_usage), usage_members};

/* The stored members of a task. */
static const struct schema_member members[] = {
    {.kind = SCHEMA_TEXT, AT(region)},
    {.kind = SCHEMA_TEXT, AT(table)},
    {.kind = SCHEMA_TEXT, AT(table_id)},
    {.kind = SCHEMA_TEXT, AT(suffix)},
    {.kind = SCHEMA_INT, AT(created_ms)},
    {.kind = SCHEMA_INT, AT(ended_ms)},
    {.kind = SCHEMA_INT, AT(ready_ms)},
    {.kind = SCHEMA_ENUM, AT(status), .words = task_statuses},
    {.kind = SCHEMA_TEXT, AT(token)},
    {.kind = SCHEMA_TEXT, AT(request)},
    {.kind = SCHEMA_TEXT, AT(failure_code)},
    {.kind = SCHEMA_TEXT, AT(failure_message)},
    {.kind = SCHEMA_INT, AT(items)},
    {.kind = SCHEMA_INT, AT(bytes)},
    {.kind = SCHEMA_INT, AT(imported)},
    {.kind = SCHEMA_INT, AT(faults)},
    {.kind = SCHEMA_INT, AT(refused)},
    {.kind = SCHEMA_INT, AT(input_bytes)},
    {.kind = SCHEMA_INT, AT(objects)},
    {.kind = SCHEMA_INT, AT(from_ms)},
    {.kind = SCHEMA_INT, AT(moment_ms)},
    {.kind = SCHEMA_TEXT, AT(source)},
    {.kind = SCHEMA_WORD, AT(table_space)},
    {.kind = SCHEMA_WORD, AT(log_space)},
    {.kind = SCHEMA_BYTES, AT(log_end)},
    {.kind = SCHEMA_BYTES, AT(log_position)},
    {.kind = SCHEMA_TEXT, AT(file)},
    {.kind = SCHEMA_WORD, AT(space)},
    {.kind = SCHEMA_FLAG, AT(listed)},
    {.kind = SCHEMA_TEXT, AT(object)},
    {.kind = SCHEMA_INT, AT(records)},
    {.kind = SCHEMA_TEXT, AT(aside)},
    {.kind = SCHEMA_FLAG, AT(read)},
    {.kind = SCHEMA_INT, AT(put_bytes)},
    {.kind = SCHEMA_ARRAY,
     AT(usage),
     .shape = &usage_shape,
     .count_offset = offsetof(struct task, usage_count)},
    {.kind = SCHEMA_WORD, AT(reports)},
    {.kind = SCHEMA_WORD, AT(report)},
    {.kind = SCHEMA_INT, AT(report_bytes)},
    {.kind = SCHEMA_BYTES, AT(report_position)},
    {.name = NULL},
};
static const struct schema_shape shape = {sizeof(struct task), members};

/* --- ARNs ------------------------------------------------------------------------------------- */

const struct wire_shape task_arn_shape = {.type = WIRE_STRING,
                                          WIRE_BOUNDS(LIMIT_TASK_ARN_MIN, LIMIT_ARN)};

static bool is_token(struct span text)
{
    return text.len && !span_has(text, '$');
}

const struct wire_shape task_token_shape = {
    .type = WIRE_STRING, .pattern = "^[^\\$]+$", .keeps = is_token, .client_fills = true};

struct span task_id(const struct call *c, const struct task *t)
{
    return table_arn_moment(c, t->created_ms, t->suffix);
}

struct span task_arn(const struct call *c, const struct task *t)
{
    return table_arn(c, t->table, kinds[t->kind].arn_kind, task_id(c, t));
}

const struct error *task_read_table(struct call *c, struct arn *out)
{
    struct span text = wire_text(wire_get(c->body, "TableArn"));

    if (!table_arn_parse(text, out) || !span_is(out->service, "dynamodb") ||
        !names_match_pattern(out->table))
        return table_name_arn_fault(c, error_parameter(c->arena, "tableArn is not a valid ARN"),
                                    text);
    return out->rest.len
               ? table_name_arn_fault(
                     c, error_validation(c->arena, "Invalid Request: Table ARN is invalid."), text)
               : NULL;
}

bool task_is_here(struct call *c, const struct arn *arn)
{
    return span_is(arn->partition, "aws") && span_equal(arn->region, op_region(c));
}

bool task_parse_arn(enum task_kind kind, struct span text, struct arn *arn, struct task *place)
{
    struct span before = span_of(kinds[kind].arn_kind);

    *place = (struct task){.kind = kind};
    if (!table_arn_parse(text, arn) || !span_is(arn->service, "dynamodb") || !arn->table.len ||
        !span_starts_with(arn->rest, before) ||
        !table_arn_parse_moment(span_from(arn->rest, before.len), &place->created_ms,
                                &place->suffix))
        return false;
    place->table = arn->table;
    return true;
}

struct span task_random_name(struct call *c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char random[FILE_NAME_LEN];
    struct buf name = buf_in(c->arena);

    clock_random(c->clock, random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        buf_add_char(&name, letters[random[i] % 32]);
    return buf_span(&name);
}

/* --- rows ------------------------------------------------------------------------------------- */

static struct span key_of(struct call *c, const struct task *t)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, kinds[t->kind].space);
    buf_add_big_endian(&key, (uint64_t)t->created_ms, TIME_LEN);
    buf_add_span(&key, t->suffix);
    return buf_span(&key);
}

bool task_decode(struct call *c, const struct store_row *row, struct task *out)
{
    uint32_t space = (uint32_t)span_big_endian((struct span){row->key.at, KEY_SPACE_LEN});

    *out = (struct task){.kind = (enum task_kind)(space - KEY_SPACE_EXPORTS)};
    return schema_members_read(c->arena, &shape, row->body, out);
}

const struct error *task_keep(struct call *c, const struct task *t)
{
    struct span body = schema_members_write(c->arena, &shape, t);
    struct store_row row;
    const struct error *e = unit_get(c->unit, key_of(c, t), &row);

    return e ? e : unit_put(c->unit, &row, body.len, body);
}

/* The request in its canonical form, which is stored and compared. */
static struct span request_of(const struct call *c)
{
    const struct wire_shape body = {.type = WIRE_STRUCT, .members = c->op->members};
    struct buf text = buf_in(c->arena);

    wire_print_canonical(&text, &body, c->body);
    return buf_span(&text);
}

const struct error *task_begin(struct call *c, struct task *t)
{
    struct span token = wire_text(wire_get(c->body, "ClientToken"));
    const struct error *e;
    uint32_t random[2];
    struct store_row row;

    clock_random(c->clock, random, sizeof random);
    t->suffix = span_of(arena_printf(c->arena, "%08x", random[0]));
    t->aside = span_of(arena_printf(c->arena, "%08x", random[1]));
    t->region = c->region;
    t->created_ms = clock_now_ms(c->clock);
    t->ready_ms = op_transition_end(c);
    t->token = token.at ? token : span_of(clock_uuid(c->clock, c->arena));
    t->request = request_of(c);
    /* Moves the creation time to the next millisecond that gives the task a key of its own. */
    while (!(e = unit_get(c->unit, key_of(c, t), &row)) && row.found)
        t->created_ms++;
    if (e)
        return e;
    op_wake(c, WAKE_TRANSFER, clock_now_ms(c->clock));
    return task_keep(c, t);
}

const struct error *task_end(struct call *c, struct task *t, enum task_status status)
{
    t->status = status;
    t->ended_ms = clock_now_ms(c->clock);
    return task_keep(c, t);
}

const struct error *task_fail(struct call *c, struct task *t, const char *code, const char *message)
{
    t->failure_code = span_of(code);
    t->failure_message = span_of(message);
    return task_end(c, t, TASK_FAILED);
}

bool task_has_ended(const struct task *t)
{
    return t->status >= TASK_COMPLETED;
}

const struct error *task_find(struct call *c, const struct task *place, struct task *out,
                              bool *found)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, key_of(c, place), &row);

    *found = !e && row.found && task_decode(c, &row, out) && span_equal(out->table, place->table) &&
             span_equal(out->region, c->region);
    return e;
}

const struct error *task_request(struct call *c, const struct task *t, const wire_node **out)
{
    return wire_parse_keyed(c->arena, t->request, clock_hash_key(c->clock), out);
}

/* --- visiting tasks --------------------------------------------------------------------------- */

/* The rows of a kind, newest first, before one task or all. */
static struct store_range range_of(struct call *c, enum task_kind kind, const struct task *before)
{
    struct store_range range = cursor_range(c->arena, kinds[kind].space);

    if (before)
        range.high = key_of(c, before);
    range.backwards = true;
    return range;
}

struct store_range task_range_of_all(struct call *c, struct span behind)
{
    struct store_range range = cursor_range_behind(c->arena, KEY_SPACE_EXPORTS, behind);

    range.high = cursor_range(c->arena, KEY_SPACE_BULK_PUTS).high;
    return range;
}

/* Visits the tasks of a kind in the call's region, newest first, until `visit` returns false. Only
 * the memory of the last task is kept. */
static const struct error *
visit_tasks(struct call *c, enum task_kind kind, const struct task *before,
            bool (*visit)(struct call *c, const struct task *t, void *data), void *data)
{
    struct cursor *cursor = cursor_open(c->unit, range_of(c, kind, before));
    struct store_row row;
    const struct error *e;
    struct task t;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        struct arena_mark mark = arena_mark(c->arena);

        if (task_decode(c, &row, &t) && span_equal(t.region, c->region) && !visit(c, &t, data))
            break;
        arena_release(c->arena, mark);
    }
    cursor_close(cursor);
    return e;
}

struct token_search {
    struct span token;
    struct task *out;
    bool found;
};

static bool has_token(struct call *c, const struct task *t, void *data)
{
    struct token_search *s = data;

    if (t->created_ms + LIMIT_TASK_TOKEN_MS <= clock_now_ms(c->clock))
        return false;
    if (!span_equal(t->token, s->token))
        return true;
    *s->out = *t;
    s->found = true;
    return false;
}

const struct error *task_find_token(struct call *c, enum task_kind kind, struct task *out,
                                    bool *found, bool *same)
{
    struct token_search search = {.token = wire_text(wire_get(c->body, "ClientToken")), .out = out};
    const struct error *e = NULL;

    if (search.token.at)
        e = visit_tasks(c, kind, NULL, has_token, &search);
    *found = search.found;
    if (e || !search.found)
        return e;
    *same = span_equal(request_of(c), out->request);
    return NULL;
}

static bool count_open(struct call *c, const struct task *t, void *count)
{
    (void)c;
    *(int64_t *)count += !task_has_ended(t);
    return true;
}

const struct error *task_count_open(struct call *c, enum task_kind kind, int64_t *count)
{
    *count = 0;
    return visit_tasks(c, kind, NULL, count_open, count);
}

struct table_search {
    struct span table_id;
    bool found;
};

static bool is_open_for(struct call *c, const struct task *t, void *search)
{
    struct table_search *s = search;

    (void)c;
    s->found = !task_has_ended(t) && span_equal(t->table_id, s->table_id);
    return !s->found;
}

const struct error *task_puts_into(struct call *c, const struct table *t, bool *out)
{
    struct table_search search = {.table_id = t->uuid};
    const struct error *e = visit_tasks(c, TASK_BULK_PUT, NULL, is_open_for, &search);

    *out = search.found;
    return e;
}

/* --- lists ------------------------------------------------------------------------------------ */

static bool read_byte(struct span text, size_t i, unsigned char *byte)
{
    int high = ascii_hex(text.at[2 * i]), low = ascii_hex(text.at[2 * i + 1]);

    if (high < 0 || low < 0)
        return false;
    *byte = (unsigned char)(high << 4 | low);
    return true;
}

static bool parse_cursor(struct call *c, struct span text, struct task *place)
{
    char *bytes = arena_alloc(c->arena, CURSOR_DIGITS / 2);

    if (text.len != CURSOR_DIGITS)
        return false;
    for (size_t i = 0; i < CURSOR_DIGITS / 2; i++)
        if (!read_byte(text, i, (unsigned char *)bytes + i) ||
            (i >= TIME_LEN + SUFFIX_LEN && bytes[i]))
            return false;
    place->created_ms = (int64_t)span_big_endian((struct span){bytes, TIME_LEN});
    place->suffix = (struct span){bytes + TIME_LEN, SUFFIX_LEN};
    return true;
}

struct task_page_state {
    const struct task_page *page;
    const struct arn *table; /* NULL: tasks of all tables */
    int64_t count;
    struct task last; /* only its position */
    char last_suffix[SUFFIX_LEN];
};

/* A task beyond the limit shows that there is another page. */
static bool put_row(struct call *c, const struct task *t, void *data)
{
    struct task_page_state *s = data;
    size_t len = t->suffix.len < SUFFIX_LEN ? t->suffix.len : SUFFIX_LEN;

    if ((s->page->shows && !s->page->shows(c, t)) ||
        (s->table && !(task_is_here(c, s->table) && span_equal(s->table->table, t->table))))
        return true;
    if (s->count++ == s->page->limit)
        return false;
    if (len)
        memcpy(s->last_suffix, t->suffix.at, len);
    s->last = (struct task){
        .kind = t->kind, .created_ms = t->created_ms, .suffix = {s->last_suffix, len}};
    wire_open(&c->reply, '{');
    s->page->put(c, t);
    wire_close(&c->reply, '}');
    return true;
}

const struct error *task_put_page(struct call *c, const struct task_page *page)
{
    struct span token = wire_text(wire_get(c->body, "NextToken"));
    struct task before = {.kind = page->kind};
    struct task_page_state state = {.page = page};
    const struct error *e;
    struct arn arn;

    if (page->by_table && wire_get(c->body, "TableArn")) {
        if ((e = task_read_table(c, &arn)))
            return e;
        state.table = &arn;
    }
    if (token.at && !parse_cursor(c, token, &before))
        return error_validation(c->arena, "Invalid Request: Provided nextToken is invalid: %.*s",
                                SPAN_ARG(token));
    wire_open_member(&c->reply, page->member, '[');
    e = visit_tasks(c, page->kind, token.at ? &before : NULL, put_row, &state);
    wire_close(&c->reply, ']');
    if (!e && state.count > page->limit) {
        struct span key = span_from(key_of(c, &state.last), KEY_SPACE_LEN);
        struct buf digits = buf_in(c->arena);

        /* Writes the position of a task as hexadecimal digits, padded with zeros. */
        buf_add_hex(&digits, key.at, key.len);
        while (digits.len < CURSOR_DIGITS)
            buf_add_char(&digits, '0');
        wire_put_member_text(&c->reply, "NextToken", buf_span(&digits));
    }
    return e;
}

/* --- answers ---------------------------------------------------------------------------------- */

void task_put_asked(struct wire_writer *w, const wire_node *request, const char *name)
{
    const wire_node *member = wire_get(request, name);

    if (!member)
        return;
    wire_put_member_raw(w, name, wire_raw(member));
}
