#include "moving/moving_tables.h"

struct known {
    struct moving_table table;
    bool made;
    struct known *next;
};

struct moving_tables {
    struct arena *arena;
    struct client *client;
    struct moving_table key; /* for tables without a schema; key_count 0: they are not created */
    struct known *known;
    struct span missing;
    size_t made;
    bool looks;                 /* nothing is created */
    moving_tables_claim *claim; /* NULL: every table may be created */
    void *context;
};

struct moving_tables *moving_tables_new(struct arena *a, struct client *client)
{
    struct moving_tables *t = arena_alloc(a, sizeof *t);

    *t = (struct moving_tables){.arena = a, .client = client};
    return t;
}

struct span moving_tables_missing(const struct moving_tables *t)
{
    return t->missing;
}

void moving_tables_ask(struct moving_tables *t, moving_tables_claim *claim, void *context)
{
    t->claim = claim;
    t->context = context;
}

void moving_tables_look(struct moving_tables *t)
{
    t->looks = true;
}

size_t moving_tables_made(const struct moving_tables *t)
{
    return t->made;
}

/* --- keys ------------------------------------------------------------------------------------- */

const char *moving_tables_set_key(struct moving_tables *t, const char *key)
{
    const char *at = key;

    for (;;) {
        size_t len = strcspn(at, ",");
        struct span part = {at, len};
        enum attr_type type;

        if (t->key.key_count == COUNT(t->key.keys) || len < 3 || at[len - 2] != ':' ||
            !attr_type_of_code(span_from(part, len - 1), &type) ||
            (type != ATTR_S && type != ATTR_N && type != ATTR_B))
            return arena_printf(t->arena,
                                "--key %s: expected NAME:TYPE or NAME:TYPE,NAME:TYPE with a type "
                                "of S, N or B",
                                key);
        t->key.types[t->key.key_count] = type;
        t->key.keys[t->key.key_count++] = (struct span){at, len - 2};
        if (!at[len])
            return NULL;
        at += len + 1;
    }
}

static struct span create_request(struct moving_tables *t, struct span name)
{
    struct buf out = client_table_request_begun(t->arena, name);
    size_t i;

    buf_add_text(&out, ",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":[");
    for (i = 0; i < t->key.key_count; i++) {
        buf_add_text(&out, i ? ",{\"AttributeName\":" : "{\"AttributeName\":");
        buf_add_json_string(&out, t->key.keys[i]);
        buf_printf(&out, ",\"AttributeType\":\"%s\"}", attr_type_code(t->key.types[i]));
    }
    buf_add_text(&out, "],\"KeySchema\":[");
    for (i = 0; i < t->key.key_count; i++) {
        buf_add_text(&out, i ? ",{\"AttributeName\":" : "{\"AttributeName\":");
        buf_add_json_string(&out, t->key.keys[i]);
        buf_printf(&out, ",\"KeyType\":\"%s\"}", i ? "RANGE" : "HASH");
    }
    buf_add_text(&out, "]}");
    return buf_span(&out);
}

/* --- asking ----------------------------------------------------------------------------------- */

static const char *refusal_text(struct moving_tables *t, const char *operation, struct span table,
                                const struct client_answer *answer)
{
    return arena_printf(t->arena, "%s of %.*s: %s", operation, SPAN_ARG(table),
                        client_answer_error(t->arena, answer));
}

/* Calls an operation; an error of the service is a failure. Both operations that are called are
 * refused if they took effect before. */
static const char *call_client(struct moving_tables *t, const char *operation, struct span table,
                               struct span request)
{
    struct client_answer answer;
    const char *problem = client_repeat_refused(t->client, t->arena, operation, request, &answer);

    if (problem || !answer.error_type.len)
        return problem;
    return refusal_text(t, operation, table, &answer);
}

static enum attr_type type_of(const wire_node *table, struct span attribute)
{
    enum attr_type type = ATTR_S;

    for (const wire_node *n = wire_first(wire_get(table, "AttributeDefinitions")); n;
         n = wire_next(n))
        if (span_equal(wire_text(wire_get(n, "AttributeName")), attribute))
            (void)attr_type_of_code(wire_text(wire_get(n, "AttributeType")), &type);
    return type;
}

static const struct moving_table *keep_table(struct moving_tables *t, struct span name,
                                             const wire_node *table)
{
    struct known *k = arena_alloc(t->arena, sizeof *k);
    struct moving_table *out = &k->table;

    out->name = arena_span(t->arena, name);
    for (const wire_node *n = wire_first(wire_get(table, "KeySchema"));
         n && out->key_count < COUNT(out->keys); n = wire_next(n)) {
        struct span attribute = wire_text(wire_get(n, "AttributeName"));

        out->keys[out->key_count] = arena_span(t->arena, attribute);
        out->types[out->key_count++] = type_of(table, attribute);
    }
    k->next = t->known;
    t->known = k;
    return out;
}

/* Looks the table up; *out is NULL if it cannot be used, or not yet. */
static const char *look_up(struct moving_tables *t, struct span name, struct client_answer *answer,
                           const struct moving_table **out)
{
    const char *problem = client_repeat(t->client, t->arena, "DescribeTable",
                                        client_table_request(t->arena, name), answer);
    const wire_node *table;
    struct span status;

    *out = NULL;
    if (problem || span_is(answer->error_type, "ResourceNotFoundException") ||
        (t->looks && answer->error_type.len)) /* a name that no table can have */
        return problem;
    if (answer->error_type.len)
        return refusal_text(t, "DescribeTable", name, answer);
    table = wire_get(answer->body, "Table");
    status = wire_text(wire_get(table, "TableStatus"));
    if (span_is(status, "ACTIVE") || span_is(status, "UPDATING"))
        *out = keep_table(t, name, table);
    return NULL;
}

/* Waits until it is ACTIVE; *out is NULL if it does not exist. */
static const char *wait_for(struct moving_tables *t, struct span name,
                            const struct moving_table **out)
{
    struct client_answer answer;
    const char *problem;
    size_t tries = 0;

    do
        problem = look_up(t, name, &answer, out);
    while (!problem && !*out && !answer.error_type.len && client_rest(t->client, tries++));
    if (problem || *out || answer.error_type.len)
        return problem;
    return arena_printf(t->arena, "table %.*s is not ACTIVE", SPAN_ARG(name));
}

/* --- finding and making ----------------------------------------------------------------------- */

/* A table counts as made once it is saved. */
static const char *create(struct moving_tables *t, struct span name, struct span request,
                          const struct moving_table **out)
{
    const wire_node *table = NULL;
    const char *problem;

    if (t->looks && wire_parse(t->arena, request, &table))
        return "the table's description is not JSON";
    if (t->looks)
        *out = keep_table(t, name, table);
    else if ((problem = call_client(t, "CreateTable", name, request)) ||
             (problem = wait_for(t, name, out)) || (problem = client_flush(t->client)))
        return problem;
    t->known->made = *out != NULL;
    t->made++;
    return NULL;
}

/* *out is NULL if the table does not exist. */
static const char *find_there(struct moving_tables *t, struct span name,
                              const struct moving_table **out)
{
    for (const struct known *k = t->known; k; k = k->next)
        if (span_equal(k->table.name, name)) {
            *out = &k->table;
            return NULL;
        }
    return wait_for(t, name, out);
}

static const char *check_key(struct moving_tables *t, struct span name)
{
    if (t->key.key_count || t->looks)
        return NULL;
    t->missing = arena_span(t->arena, name);
    return arena_printf(
        t->arena, "there is no table %.*s, and no schema of it: --create --key pk:S makes one",
        SPAN_ARG(name));
}

const char *moving_tables_plan(struct moving_tables *t, struct span name,
                               const struct moving_table **out)
{
    struct moving_table *planned;
    const char *problem;

    if ((problem = find_there(t, name, out)) || *out || (problem = check_key(t, name)))
        return problem;
    planned = arena_alloc(t->arena, sizeof *planned);
    *planned = t->key;
    planned->name = arena_span(t->arena, name);
    *out = planned;
    return NULL;
}

const char *moving_tables_find(struct moving_tables *t, struct span name,
                               const struct moving_table **out)
{
    const char *problem;

    if ((problem = find_there(t, name, out)) || *out || (problem = check_key(t, name)) ||
        (problem = create(t, name, create_request(t, name), out)))
        return problem;
    return *out ? NULL : arena_printf(t->arena, "table %.*s does not exist", SPAN_ARG(name));
}

bool moving_tables_has_made(const struct moving_tables *t, struct span name)
{
    for (const struct known *k = t->known; k; k = k->next)
        if (k->made && span_equal(k->table.name, name))
            return true;
    return false;
}

void moving_tables_show(const struct moving_tables *t, struct wire_writer *w)
{
    for (const struct known *k = t->known; k; k = k->next) {
        const struct known *newer = t->known;

        while (newer != k && !span_equal(newer->table.name, k->table.name))
            newer = newer->next;
        if (newer != k)
            continue; /* it was looked up more than once */
        wire_open(w, '{');
        wire_put_member_text(w, "name", k->table.name);
        wire_put_member_bool(w, "created", moving_tables_has_made(t, k->table.name));
        wire_open_member(w, "key", '[');
        for (size_t i = 0; i < k->table.key_count; i++)
            wire_put_text(w, k->table.keys[i]);
        wire_close(w, ']');
        wire_close(w, '}');
    }
}

/* A table without all of its settings would be used as it is by the next run. On another machine
 * nothing is deleted. */
static void drop_made(struct moving_tables *t, struct known *made)
{
    const struct span name = made->table.name;
    struct buf unprotect = client_table_request_begun(t->arena, name);
    struct client_answer answer;

    if (!t->client->is_here || !made->made || t->looks)
        return;
    buf_add_text(&unprotect, ",\"DeletionProtectionEnabled\":false}");
    (void)!client_call(t->client, t->arena, "UpdateTable", buf_span(&unprotect), &answer);
    (void)!client_call(t->client, t->arena, "DeleteTable", client_table_request(t->arena, name),
                       &answer);
    made->made = false;
    t->made--;
}

void moving_tables_drop_made(struct moving_tables *t)
{
    for (struct known *k = t->known; k; k = k->next)
        drop_made(t, k);
}

const char *moving_tables_create(struct moving_tables *t, const struct fixture_table *table)
{
    const struct moving_table *found;
    struct known *made;
    const char *problem = t->claim ? t->claim(t->context, table->full_name) : NULL;

    if (problem || (problem = wait_for(t, table->full_name, &found)) || found ||
        (problem = create(t, table->full_name, table->create_table, &found)))
        return problem;
    made = t->known;
    for (size_t i = 0; i < table->after_count && !problem && !t->looks; i++)
        if (!(problem = call_client(t, table->after[i].operation, table->full_name,
                                    table->after[i].body)))
            problem = wait_for(t, table->full_name, &found);
    if (problem)
        drop_made(t, made);
    return problem ? problem : client_flush(t->client);
}

const char *moving_tables_make(struct moving_tables *t, struct span text, struct span name)
{
    struct fixture_table table;
    const char *problem = fixtures_table_make(t->arena, text, arena_span(t->arena, name), &table);

    return problem ? problem : moving_tables_create(t, &table);
}

struct span moving_tables_ttl(struct moving_tables *t, struct span name)
{
    struct client_answer answer;
    const wire_node *ttl;

    if (client_succeed(t->client, t->arena, "DescribeTimeToLive",
                       client_table_request(t->arena, name), &answer))
        return (struct span){"", 0};
    ttl = wire_get(answer.body, "TimeToLiveDescription");
    return span_is(wire_text(wire_get(ttl, "TimeToLiveStatus")), "ENABLED")
               ? wire_text(wire_get(ttl, "AttributeName"))
               : (struct span){"", 0};
}
