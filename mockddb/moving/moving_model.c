#include "moving/moving_model.h"

#include "base/buf.h"
#include "base/one_more.h"
#include "base/plain.h"
#include "model/limits.h"
#include "model/names.h"
#include "wire/wire_reply.h"

#define MAX_ATTRIBUTES 64 /* in keys, including those of indexes */
#define MAX_NAME       16 /* one byte more than the longest name that leads to sample data */
#define MAX_OUTLINE    ((size_t)2 << 20) /* of a model without its sample data */

/* Definitions of key attributes, each once. */
struct definitions {
    struct span names[MAX_ATTRIBUTES];
    size_t count;
    struct buf json;
    const wire_node *at; /* the table or index that was read last */
};

/* Which part of the model is open. */
enum model_place { OUTSIDE, MODEL, TABLES, TABLE, OWN_DATA, FACETS, FACET, FACET_DATA };
enum state { BETWEEN, IN_STRING, AFTER_BACKSLASH };

/* Sample data that was left out of the outline. */
struct model_gap {
    size_t at;             /* in the outline */
    struct text_place end; /* where the text continues */
};

struct moving_model {
    struct arena *arena;
    bool again;

    /* of the text */
    enum model_place place;
    enum state state;
    size_t beside;       /* number of open brackets that do not lead to sample data */
    char name[MAX_NAME]; /* the beginning of the last string */
    size_t name_len;
    size_t tables; /* begun so far */
    size_t known;  /* their final number, after the first reading */
    struct text_place at;

    /* The text without sample data, which is still a valid model. */
    struct buf outline;
    struct model_gap *gaps;
    size_t gap_count;
    bool *has_own; /* for each table: its own TableData has data */

    const wire_node *next; /* the table that is read next */
    const char *seen;      /* the outline has been searched for places up to here … */
    struct text_place seen_place;
    size_t seen_gaps;
};

struct moving_model *moving_model_new(void)
{
    struct arena *a = arena_new();
    struct moving_model *m = arena_alloc(a, sizeof *m);

    m->arena = a;
    m->outline = buf_in(a);
    m->at = (struct text_place){1, 1};
    return m;
}

void moving_model_free(struct moving_model *m)
{
    if (m)
        arena_free(m->arena);
}

void moving_model_again(struct moving_model *m)
{
    m->again = true;
    m->place = OUTSIDE;
    m->state = BETWEEN;
    m->beside = m->name_len = m->tables = 0;
    m->at = (struct text_place){1, 1};
}

/* --- where sample data is ------------------------------------------------------------------------
 */

/* Transitions between parts: a bracket, after a member's name in objects. */
static const struct way {
    enum model_place from;
    const char *name;
    char bracket;
    enum model_place to;
} ways[] = {
    {OUTSIDE, NULL, '{', MODEL},
    {MODEL, "DataModel", '[', TABLES},
    {TABLES, NULL, '{', TABLE},
    {TABLE, "TableData", '[', OWN_DATA},
    {TABLE, "TableFacets", '[', FACETS},
    {FACETS, NULL, '{', FACET},
    {FACET, "TableData", '[', FACET_DATA},
};

static bool is_data(const struct moving_model *m)
{
    return m->place == OWN_DATA || m->place == FACET_DATA;
}

static void open_bracket(struct moving_model *m, char c)
{
    const struct span name = {m->name, m->name_len};

    for (size_t i = 0; !m->beside && i < COUNT(ways); i++) {
        const struct way *w = &ways[i];

        if (w->from != m->place || w->bracket != c || (w->name && !span_is(name, w->name)))
            continue;
        m->place = w->to;
        m->tables += m->place == TABLE;
        return;
    }
    m->beside++;
}

/* The kind of bracket does not matter: the outline, and each item, is parsed as JSON. */
static void close_bracket(struct moving_model *m)
{
    if (m->beside) {
        m->beside--;
        return;
    }
    for (size_t i = 0; i < COUNT(ways); i++)
        if (ways[i].to == m->place) {
            m->place = ways[i].from;
            return;
        }
}

/* Skips a string's bytes up to its next backslash, or past its end. */
static const char *pass_string(struct moving_model *m, const char *at, const char *end)
{
    const char *stop = at;

    while ((stop = plain_end(stop, end)) < end && *stop != '"' && *stop != '\\')
        stop++;       /* a control character; the JSON parser will refuse it */
    if (!m->beside) { /* it may be a name */
        size_t len = (size_t)(stop - at), room = MAX_NAME - m->name_len;

        memcpy(m->name + m->name_len, at, len < room ? len : room);
        m->name_len += len < room ? len : room;
    }
    if (stop == end)
        return end;
    m->state = *stop == '"' ? BETWEEN : AFTER_BACKSLASH;
    return stop + 1;
}

static const char *pass_bytes(struct moving_model *m, const char *at, const char *end)
{
    char c = *at;

    if (m->state == IN_STRING)
        return pass_string(m, at, end);
    if (m->state == AFTER_BACKSLASH) {
        m->state = IN_STRING;
        m->name_len = m->beside ? m->name_len : MAX_NAME; /* not a known name */
    } else if (c == '"') {
        m->state = IN_STRING;
        m->name_len = m->beside ? m->name_len : 0;
    } else if (c == '{' || c == '[') {
        open_bracket(m, c);
    } else if (c == '}' || c == ']') {
        close_bracket(m);
    }
    return at + 1;
}

/* Whether sample data ends with this byte. */
static bool ends_data(const struct moving_model *m, char c)
{
    return m->state == BETWEEN && !m->beside && (c == '}' || c == ']');
}

/* --- the text, for the first time ------------------------------------------------------------- */

static void note_data(struct moving_model *m, const struct moving_model_run *run)
{
    if (!m->gap_count || m->gaps[m->gap_count - 1].at != m->outline.len) {
        m->gaps = one_more(m->arena, m->gaps, m->gap_count, sizeof *m->gaps);
        m->gaps[m->gap_count++] = (struct model_gap){.at = m->outline.len};
    }
    m->gaps[m->gap_count - 1].end = m->at;
    for (size_t i = 0; i < run->text.len && m->place == OWN_DATA; i++)
        m->has_own[run->table] |= !span_has(SPAN_LIT(" \t\r\n,"), run->text.at[i]);
}

static const char *note_run(struct moving_model *m, const struct moving_model_run *run,
                            size_t before)
{
    if (run->is_data) {
        note_data(m, run);
        return NULL;
    }
    for (size_t i = before; i < m->tables; i++) {
        m->has_own = one_more(m->arena, m->has_own, i, sizeof *m->has_own);
        m->has_own[i] = false;
    }
    if (m->outline.len + run->text.len > MAX_OUTLINE)
        return "this is too long for a model: without sample data it has more than 2 MB";
    buf_add_span(&m->outline, run->text);
    return NULL;
}

const char *moving_model_take(struct moving_model *m, struct span *part,
                              struct moving_model_run *out)
{
    const char *at = part->at, *end = part->at + part->len;
    const bool data = is_data(m) && !ends_data(m, *at), own = m->place == OWN_DATA;
    const size_t tables = m->tables;

    *out = (struct moving_model_run){data, data ? tables - 1 : 0, false, m->at, *part};
    do
        at = pass_bytes(m, at, end);
    while (at < end && is_data(m) == data && !(data && ends_data(m, *at)));
    out->text.len = (size_t)(at - part->at);
    *part = span_from(*part, out->text.len);
    m->at = text_place_after(m->at, out->text);
    if (!m->again)
        return note_run(m, out, tables);
    if (data && out->table >= m->known)
        return "the file was changed while it was read";
    out->counts = data && (own || !m->has_own[out->table]);
    return NULL;
}

/* --- the outline ------------------------------------------------------------------------------ */

/* Converts a position in the outline to its place in the text. Must be called with increasing
 * positions. */
static struct text_place place_of(struct moving_model *m, const char *at)
{
    const struct span outline = buf_span(&m->outline);

    if (!m->seen) {
        m->seen = outline.at;
        m->seen_place = (struct text_place){1, 1};
    }
    while (m->seen_gaps < m->gap_count && outline.at + m->gaps[m->seen_gaps].at <= at) {
        m->seen = outline.at + m->gaps[m->seen_gaps].at;
        m->seen_place = m->gaps[m->seen_gaps++].end;
    }
    m->seen_place = text_place_after(m->seen_place, (struct span){m->seen, (size_t)(at - m->seen)});
    m->seen = at;
    return m->seen_place;
}

/* A sentence about this position of the outline. */
static const char *say_at(struct moving_model *m, struct arena *a, const char *at, const char *text)
{
    const struct text_place place = place_of(m, at);

    return arena_printf(a, "line %zu, column %zu: %s", place.line, place.column, text);
}

const char *moving_model_read(struct moving_model *m, size_t *tables)
{
    const struct span outline = buf_span(&m->outline);
    const wire_node *model, *list;
    struct span service;
    const char *at;

    if (wire_parse(m->arena, outline, &model)) {
        at = wire_error_at(m->arena, outline);
        return say_at(m, m->arena, at ? at : outline.at, "this is not JSON");
    }
    service = wire_text(wire_get(wire_get(model, "ModelMetadata"), "AWSService"));
    if (service.len && !span_is(service, "Amazon DynamoDB"))
        return arena_printf(m->arena, "this is a model of %.*s", SPAN_ARG(service));
    list = wire_get(model, "DataModel");
    if (wire_count(list) != m->tables)
        return "DataModel is not a list of tables";
    m->next = wire_first(list);
    m->known = m->tables;
    *tables = m->tables;
    return NULL;
}

/* --- keys ------------------------------------------------------------------------------------- */

static void define(struct definitions *d, struct span name, struct span type)
{
    for (size_t i = 0; i < d->count; i++)
        if (span_equal(d->names[i], name))
            return;
    if (d->count == MAX_ATTRIBUTES)
        return; /* the service reports too many attributes */
    d->names[d->count++] = name;
    buf_add_text(&d->json, d->count > 1 ? ",{\"AttributeName\":" : "{\"AttributeName\":");
    buf_add_json_string(&d->json, name);
    buf_add_text(&d->json, ",\"AttributeType\":");
    buf_add_json_string(&d->json, type);
    buf_add_char(&d->json, '}');
}

/* Adds an attribute of a key; returns false if the model has none. */
static bool put_key(struct wire_writer *w, struct definitions *d, const wire_node *attribute,
                    const char *role)
{
    struct span name = wire_text(wire_get(attribute, "AttributeName"));

    if (!name.len)
        return false;
    define(d, name, wire_text(wire_get(attribute, "AttributeType")));
    wire_open(w, '{');
    wire_put_member_text(w, "AttributeName", name);
    wire_put_member_word(w, "KeyType", role);
    wire_close(w, '}');
    return true;
}

static bool put_key_schema(struct wire_writer *w, struct definitions *d, const wire_node *of)
{
    const wire_node *keys = wire_get(of, "KeyAttributes");
    bool has_partition;

    wire_open_member(w, "KeySchema", '[');
    has_partition = put_key(w, d, wire_get(keys, "PartitionKey"), "HASH");
    (void)put_key(w, d, wire_get(keys, "SortKey"), "RANGE");
    wire_close(w, ']');
    return has_partition;
}

static const char *put_indexes(struct arena *a, struct wire_writer *w, struct definitions *d,
                               const wire_node *table, const char *kind)
{
    const wire_node *list = wire_get(table, kind);

    if (!wire_count(list))
        return NULL;
    wire_open_member(w, kind, '[');
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        const wire_node *projection = wire_get(n, "Projection");
        struct span name = wire_text(wire_get(n, "IndexName"));

        d->at = n;
        if (!names_is_name(name))
            return arena_printf(a,
                                "an index is called %.*s: its name has %d to %d letters, digits "
                                "and _ . -",
                                SPAN_ARG(name), LIMIT_NAME_MIN, LIMIT_NAME);
        wire_open(w, '{');
        wire_put_member_text(w, "IndexName", name);
        if (!put_key_schema(w, d, n))
            return arena_printf(a, "index %.*s has no partition key", SPAN_ARG(name));
        wire_put_member_raw(w, "Projection",
                            projection ? wire_raw(projection)
                                       : SPAN_LIT("{\"ProjectionType\":\"ALL\"}"));
        wire_close(w, '}');
    }
    wire_close(w, ']');
    return NULL;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* On error, d->at is the faulty part. */
static const char *read_table(struct arena *a, struct buf *json, const wire_node *table,
                              struct span name, struct definitions *d)
{
    struct wire_writer w = {json, false};
    const char *problem;

    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", name);
    wire_put_member_word(&w, "BillingMode", "PAY_PER_REQUEST");
    if (!put_key_schema(&w, d, table))
        return arena_printf(a, "table %.*s has no partition key", SPAN_ARG(name));
    if ((problem = put_indexes(a, &w, d, table, "LocalSecondaryIndexes")) ||
        (problem = put_indexes(a, &w, d, table, "GlobalSecondaryIndexes")))
        return arena_printf(a, "table %.*s: %s", SPAN_ARG(name), problem);
    wire_key(&w, "AttributeDefinitions");
    buf_add_char(json, '[');
    buf_add_span(json, buf_span(&d->json));
    buf_add_text(json, "]}");
    return NULL;
}

const char *moving_model_table(struct moving_model *m, struct arena *a,
                               struct moving_model_table *out)
{
    const wire_node *table = m->next;
    struct buf json = buf_in(a);
    struct definitions d = {.json = buf_in(a), .at = table};
    const char *problem;

    *out = (struct moving_model_table){
        .name = wire_text(wire_get(table, "TableName")),
        .place = place_of(m, wire_raw(table).at),
        .is_provisioned = span_is(wire_text(wire_get(table, "BillingMode")), "PROVISIONED"),
    };
    m->next = wire_next(table);
    if (!out->name.len)
        return say_at(m, a, wire_raw(table).at, "a table has no TableName");
    if ((problem = read_table(a, &json, table, out->name, &d)))
        return say_at(m, a, wire_raw(d.at).at, problem);
    out->create_table = buf_span(&json);
    return NULL;
}
