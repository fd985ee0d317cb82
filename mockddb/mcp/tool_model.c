/* check_model: the tables of a model, its sample items, and what access patterns cost there. */
#include "mcp/mcp_tool.h"

#include <stdlib.h>

#define MOST_TABLES  15                    /* of a model, and of the world that it is checked in */
#define FEW_SAMPLES  4                     /* fewer say nothing about a partition */
#define MILLISECONDS INT64_C(100000000000) /* a later time to live is after the year 5138 */

struct checking {
    struct mcp_call *c;
    struct span world, prefix;
    const wire_node *tables[MOST_TABLES]; /* their descriptions */
    const wire_node *samples[MOST_TABLES];
    size_t count;
    const wire_node *patterns; /* of the file */
    const wire_node *results;
    struct buf lines, list; /* of warnings: text, and JSON */
    size_t warnings;
};

static void warn(struct checking *k, const char *kind, struct span table, const char *text)
{
    struct wire_writer w = {&k->list, k->warnings++ > 0};

    buf_printf(&k->lines, "warning[%s]: ", kind);
    mcp_call_add(&k->lines, span_of(text));
    buf_add_char(&k->lines, '\n');
    wire_open(&w, '{');
    wire_put_member_word(&w, "kind", kind);
    if (table.len)
        wire_put_member_text(&w, "table", table);
    wire_put_member_word(&w, "text", text);
    wire_close(&w, '}');
}

/* --- the world -------------------------------------------------------------------------------- */

static const struct problem *ask(struct checking *k, const char *method, const char *path,
                                 struct span body, const wire_node **out)
{
    return mcp_call_get(
        k->c,
        &(struct mcp_request){.method = method, .path = path, .body = body, .world = k->world},
        out);
}

/* The request {"TableName": name}. */
static struct span table_request(struct mcp_call *c, struct span name)
{
    struct buf out = buf_in(c->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", name);
    wire_close(&w, '}');
    return buf_span(&out);
}

static const struct problem *list_tables(struct checking *k, const wire_node **names)
{
    const wire_node *answer;
    const struct problem *p = mcp_call_aside(k->c, k->world, "ListTables", SPAN_LIT("{}"), &answer);

    if (p)
        return p;
    *names = wire_get(answer, "TableNames");
    return wire_count(*names) <= MOST_TABLES
               ? NULL
               : problem_invalid(k->c->arena, "a model is checked with at most %d tables",
                                 MOST_TABLES);
}

/* Empties the new world, which has what new worlds begin with, and puts the model into it. */
static const struct problem *load_model(struct checking *k)
{
    const wire_node *names, *answer, *model = wire_get(k->c->arguments, "model");
    struct mcp_request request = {
        .method = "POST", .path = "import", .uploads = true, .world = k->world};
    const struct problem *p;

    if ((p = list_tables(k, &names)))
        return p;
    for (const wire_node *n = wire_first(names); n; n = wire_next(n))
        if ((p = mcp_call_aside(k->c, k->world, "DeleteTable", table_request(k->c, wire_text(n)),
                                &answer)))
            return p;
    request.body = wire_raw(model);
    request.query = arena_printf(k->c->arena, "name=model.json%s%s",
                                 k->prefix.len ? "&prefix=" : "", mcp_call_step(k->c, k->prefix));
    if ((p = mcp_call_get(k->c, &request, &answer)))
        return p;
    if (wire_integer(wire_get(answer, "refused"), 0))
        warn(k, "sample-refused", (struct span){NULL, 0},
             arena_printf(k->c->arena, "%lld sample items were refused: %.*s",
                          (long long)wire_integer(wire_get(answer, "refused"), 0),
                          SPAN_ARG(wire_text(
                              wire_get(wire_first(wire_get(answer, "refusals")), "message")))));
    return NULL;
}

static const struct problem *read_tables(struct checking *k)
{
    const wire_node *names, *answer;
    const struct problem *p = list_tables(k, &names);

    for (const wire_node *n = wire_first(p ? NULL : names); n && !p; n = wire_next(n)) {
        struct span request = table_request(k->c, wire_text(n));

        if ((p = mcp_call_aside(k->c, k->world, "DescribeTable", request, &answer)))
            return p;
        k->tables[k->count] = wire_get(answer, "Table");
        if ((p = mcp_call_aside(k->c, k->world, "Scan", request, &answer)))
            return p;
        k->samples[k->count++] = wire_get(answer, "Items");
    }
    if (!p && !k->count)
        return problem_invalid(k->c->arena, "the model has no tables");
    return p;
}

static const struct problem *run_patterns(struct checking *k)
{
    const wire_node *file = wire_get(k->c->arguments, "patterns"), *answer;
    struct buf body = buf_in(k->c->arena);
    struct wire_writer w = {&body, false};
    const struct problem *p;

    wire_open(&w, '{');
    wire_put_member_raw(&w, "file", wire_raw(file));
    wire_put_member_bool(&w, "allow_writes", true);
    wire_close(&w, '}');
    if ((p = ask(k, "POST", "patterns/run", buf_span(&body), &answer)))
        return p;
    k->patterns = wire_get(file, "patterns");
    k->results = wire_get(wire_get(answer, "report"), "results");
    return NULL;
}

/* --- steps of patterns ------------------------------------------------------------------------ */

/* A step: its place in the file, and what it did. */
struct step {
    const wire_node *pattern, *step, *request, *result;
};

/* Takes the next step; *at begins with zeros. The results have the order of the file. */
static bool next_step(const struct checking *k, struct step *at, const wire_node **report)
{
    if (!at->pattern) {
        at->pattern = wire_first(k->patterns);
        *report = wire_first(k->results);
        at->step = wire_first(wire_get(at->pattern, "steps"));
        at->result = wire_first(wire_get(*report, "steps"));
    } else {
        at->step = wire_next(at->step);
        at->result = at->result ? wire_next(at->result) : NULL;
    }
    while (!at->step && at->pattern) {
        at->pattern = wire_next(at->pattern);
        *report = *report ? wire_next(*report) : NULL;
        at->step = at->pattern ? wire_first(wire_get(at->pattern, "steps")) : NULL;
        at->result = *report ? wire_first(wire_get(*report, "steps")) : NULL;
    }
    at->request = at->step ? wire_get(at->step, "request") : NULL;
    return at->step != NULL;
}

/* Whether the step's request is for the table. */
static bool is_of_table(const struct checking *k, const struct step *s, struct span table)
{
    struct span name = wire_text(wire_get(s->request, "TableName"));

    return table.len == k->prefix.len + name.len && span_starts_with(table, k->prefix) &&
           span_equal(span_from(table, k->prefix.len), name);
}

static const char *named(struct checking *k, const struct step *s)
{
    return arena_printf(k->c->arena, "pattern %.*s",
                        SPAN_ARG(wire_text(wire_get(s->pattern, "name"))));
}

/* --- warnings --------------------------------------------------------------------------------- */

static void check_steps(struct checking *k)
{
    struct step s = {NULL};
    const wire_node *report = NULL;

    while (next_step(k, &s, &report)) {
        struct span update = wire_text(wire_get(s.request, "UpdateExpression"));
        struct span table = wire_text(wire_get(s.request, "TableName"));

        if (span_is(wire_text(wire_get(s.step, "operation")), "Scan"))
            warn(k, "scan", table,
                 arena_printf(k->c->arena,
                              "%s scans %.*s: it pays for every item, however many "
                              "there will be",
                              named(k, &s), SPAN_ARG(table)));
        if (strstr(arena_text(k->c->arena, update), "list_append"))
            warn(k, "growing-item", table,
                 arena_printf(k->c->arena,
                              "%s appends to a list in an item of %.*s: the item "
                              "grows until 400 KB, and each write pays for all of it",
                              named(k, &s), SPAN_ARG(table)));
    }
}

/* How the patterns read an index. */
struct reading {
    size_t steps, projected;
    struct buf attributes; /* the ProjectionExpressions */
};

static struct reading read_index(struct checking *k, struct span table, struct span index)
{
    struct reading found = {.attributes = buf_in(k->c->arena)};
    struct step s = {NULL};
    const wire_node *report = NULL;

    while (next_step(k, &s, &report)) {
        struct span projection = wire_text(wire_get(s.request, "ProjectionExpression"));

        if (!is_of_table(k, &s, table) ||
            !span_equal(wire_text(wire_get(s.request, "IndexName")), index))
            continue;
        found.steps++;
        found.projected += projection.len > 0;
        buf_printf(&found.attributes, "%s%.*s", found.attributes.len ? "; " : "",
                   SPAN_ARG(projection));
    }
    return found;
}

static void check_index(struct checking *k, struct span table, const wire_node *index)
{
    struct span name = wire_text(wire_get(index, "IndexName"));
    struct span type = wire_text(wire_get(wire_get(index, "Projection"), "ProjectionType"));
    struct reading found = read_index(k, table, name);

    if (!found.steps)
        warn(k, "unread-index", table,
             arena_printf(k->c->arena,
                          "no pattern reads index %.*s of %.*s: each write pays for "
                          "it",
                          SPAN_ARG(name), SPAN_ARG(table)));
    else if (span_is(type, "ALL") && found.projected == found.steps)
        warn(k, "wide-index", table,
             arena_printf(k->c->arena,
                          "index %.*s of %.*s has ALL attributes, and patterns ask for "
                          "these alone: %s",
                          SPAN_ARG(name), SPAN_ARG(table), buf_text(&found.attributes)));
}

/* Whether all sample items that have the partition attribute have one value of it. */
static void check_partition(struct checking *k, size_t at, const wire_node *schema,
                            const char *what)
{
    struct span name = wire_text(wire_get(wire_first(schema), "AttributeName"));
    struct span table = wire_text(wire_get(k->tables[at], "TableName"));
    const wire_node *first = NULL;
    size_t count = 0;

    for (const wire_node *i = wire_first(k->samples[at]); i; i = wire_next(i)) {
        const wire_node *value = wire_get_span(i, name);

        if (!value)
            continue;
        if (first && !json_equal(first, value))
            return;
        first = value;
        count++;
    }
    if (count >= FEW_SAMPLES)
        warn(k, "one-partition", table,
             arena_printf(k->c->arena,
                          "all %zu sample items of %s have the same %.*s: one partition "
                          "would take all requests",
                          count, what, SPAN_ARG(name)));
}

static bool is_expiry(struct span name)
{
    static const char *const names[] = {"ttl",        "TTL",       "expires",  "expiresAt",
                                        "expires_at", "expire_at", "expireAt", "expiry"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (span_is(name, names[i]))
            return true;
    return false;
}

/* A time to live that would never be over: one warning for each attribute and table. */
static void check_expiry(struct checking *k, size_t at)
{
    struct span table = wire_text(wire_get(k->tables[at], "TableName"));

    for (const wire_node *i = wire_first(k->samples[at]); i; i = wire_next(i))
        for (const wire_node *m = wire_first(i); m; m = wire_next(m)) {
            const char *number = is_expiry(wire_name(m))
                                     ? arena_text(k->c->arena, wire_text(wire_get(m, "N")))
                                     : "";

            if (is_expiry(wire_name(m)) && wire_get(m, "S")) {
                warn(k, "ttl-type", table,
                     arena_printf(k->c->arena,
                                  "%.*s of items of %.*s is a text: a time to live is "
                                  "a number of seconds",
                                  SPAN_ARG(wire_name(m)), SPAN_ARG(table)));
                return;
            }
            if (strtod(number, NULL) >= (double)MILLISECONDS) {
                warn(k, "ttl-milliseconds", table,
                     arena_printf(k->c->arena,
                                  "%.*s of items of %.*s is in milliseconds: a time to "
                                  "live is in seconds, and these items would stay",
                                  SPAN_ARG(wire_name(m)), SPAN_ARG(table)));
                return;
            }
        }
}

static void check_tables(struct checking *k)
{
    static const char *const lists[] = {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"};

    for (size_t t = 0; t < k->count; t++) {
        struct span table = wire_text(wire_get(k->tables[t], "TableName"));

        check_partition(k, t, wire_get(k->tables[t], "KeySchema"), arena_text(k->c->arena, table));
        check_expiry(k, t);
        for (size_t l = 0; l < COUNT(lists); l++)
            for (const wire_node *i = wire_first(wire_get(k->tables[t], lists[l])); i;
                 i = wire_next(i)) {
                check_index(k, table, i);
                if (l == 0)
                    check_partition(k, t, wire_get(i, "KeySchema"),
                                    arena_printf(k->c->arena, "index %.*s of %.*s",
                                                 SPAN_ARG(wire_text(wire_get(i, "IndexName"))),
                                                 SPAN_ARG(table)));
            }
    }
}

/* What mockddb check finds in the sample items. */
static const struct problem *check_items(struct checking *k)
{
    const wire_node *answer;
    const struct problem *p = ask(k, "GET", "check", (struct span){NULL, 0}, &answer);

    for (const wire_node *f = wire_first(p ? NULL : wire_get(answer, "findings")); f;
         f = wire_next(f))
        warn(k, arena_text(k->c->arena, wire_text(wire_get(f, "kind"))),
             wire_text(wire_get(f, "table")),
             arena_text(k->c->arena, wire_text(wire_get(f, "text"))));
    return p;
}

/* --- the report ------------------------------------------------------------------------------- */

static void report(struct checking *k)
{
    struct mcp_call *c = k->c;
    struct buf about = buf_in(c->arena), data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    size_t failed = 0, count = 0;

    for (const wire_node *r = wire_first(k->results); r; r = wire_next(r), count++) {
        mcp_call_add(&about, wire_text(wire_get(r, "name")));
        buf_add_text(&about, ": ");
        buf_add_span(&about, wire_raw(wire_get(r, "read")));
        buf_add_text(&about, " read, ");
        buf_add_span(&about, wire_raw(wire_get(r, "rcu")));
        buf_add_text(&about, " units\n");
        for (const wire_node *f = wire_first(wire_get(r, "failures")); f; f = wire_next(f)) {
            buf_add_text(&about, "  fails: ");
            mcp_call_add(&about, wire_text(f));
            buf_add_char(&about, '\n');
        }
        failed += wire_count(wire_get(r, "failures")) > 0;
    }
    buf_add_span(&about, buf_span(&k->lines));
    wire_open(&w, '{');
    wire_open_member(&w, "warnings", '[');
    wire_put_raw(&w, buf_span(&k->list));
    wire_close(&w, ']');
    wire_put_member_raw(&w, "patterns", wire_raw(k->results));
    wire_close(&w, '}');
    c->result.reason = arena_printf(
        c->arena, "%zu table%s; %zu of %zu patterns hold; %zu warning%s", k->count,
        k->count == 1 ? "" : "s", count - failed, count, k->warnings, k->warnings == 1 ? "" : "s");
    c->result.is_wrong = failed || k->warnings;
    c->result.about = buf_span(&about);
    c->result.data = buf_span(&data);
}

static const struct problem *check(struct checking *k)
{
    const struct problem *p;

    if ((p = load_model(k)) || (p = read_tables(k)) || (p = run_patterns(k)))
        return p;
    check_steps(k);
    check_tables(k);
    if ((p = check_items(k)))
        return p;
    if (!k->results)
        return problem_new(k->c->arena, PROBLEM_FAILED, "the server's answer has no results");
    report(k);
    return NULL;
}

/* The model is in a world of its own, which is dropped afterwards. */
static const struct problem *run_check_model(struct mcp_call *c)
{
    struct checking k = {.c = c, .lines = buf_in(c->arena), .list = buf_in(c->arena)};
    const char *world = arena_printf(c->arena, MCP_OWN_WORLD "model-%llx",
                                     (unsigned long long)c->number);
    const char *path = arena_printf(c->arena, "worlds/%s", world);
    const wire_node *answer;
    const struct problem *p, *checked;

    if ((p = ask(&k, "GET", "patterns/files", (struct span){NULL, 0}, &answer)))
        return p;
    k.prefix = wire_text(wire_get(answer, "prefix"));
    if ((p = ask(&k, "POST", path, SPAN_LIT("{}"), &answer)))
        return p;
    k.world = span_of(world);
    checked = check(&k);
    if (checked && checked->kind == PROBLEM_WAITS)
        return checked;
    k.world = (struct span){NULL, 0};
    p = ask(&k, "DELETE", path, (struct span){NULL, 0}, &answer);
    return p ? p : checked;
}

static const struct wire_shape any_object = {.type = WIRE_MAP};

const struct mcp_tool tool_check_model = {
    .name = "check_model",
    .about = "Check a data model before it is built: its tables and sample items, every access "
             "pattern with its cost, and warnings. Runs in a world of its own, which is dropped.",
    .members = MCP_MEMBERS(
        {{"model", &any_object, WIRE_REQUIRED},
         "the model: NoSQL Workbench's JSON, or a template of CloudFormation"},
        {{"patterns", &any_object, WIRE_REQUIRED}, "the file of access patterns, as JSON"},
        MCP_MEMBER_MAX_ITEMS),
    .run = run_check_model,
};
