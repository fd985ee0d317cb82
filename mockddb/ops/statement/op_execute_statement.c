#include "base/base64.h"
#include "base/digest.h"
#include "base/hash.h"
#include "model/item_codec.h"
#include "ops/key_check.h"
#include "ops/read/query_key.h"
#include "ops/read/read_index.h"
#include "ops/read/read_request.h"
#include "ops/statement/statement_write.h"
#include "partiql/partiql_key.h"

#include <stdlib.h>

/* --- NextToken -------------------------------------------------------------------------------- */

/* NextToken, where a SELECT continues.
 *
 * Opaque to clients: base64 of a digest of statement, parameters and table, the position, and a
 * check of the whole. Limit and ConsistentRead may change from page to page. */

/* A position between rows of a SELECT: one of its ranges, and the last entry read from it. */
struct statement_position {
    size_t range;
    struct span key; /* empty: no entry was read */
};

/* The common part of a statement's tokens. With long parameters it takes much time, so it is made
 * before rows are read: the page then ends in time for its token. */
struct statement_seal {
    const struct statement *of;
    bool made;
    unsigned char digest[SHA256_LEN];
};

#define VERSION 2

#define LONG_PARAMETERS ((size_t)64 * 1024) /* total bytes */

/* The bytes before the key in a token; CHECK_LEN bytes follow the key. */
struct token_head {
    unsigned char version;
    unsigned char digest[SHA256_LEN];
    unsigned char range[4];
};
#define CHECK_LEN 4

static void put_number(unsigned char to[4], uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* Adds a parameter's digest. */
static void add_parameter(struct call *c, const struct attr *parameter, struct buf *out)
{
    unsigned char digest[SHA256_LEN];
    struct arena_mark before = arena_mark(c->arena);
    struct buf text = buf_in(c->arena);

    attr_encode(&text, parameter);
    arena_charge(c->arena, text.len / ITEM_ENCODED_AT_STEP);
    digest_sha256(buf_span(&text), digest);
    arena_release(c->arena, before);
    buf_add(out, digest, sizeof digest);
}

/* The digest of the statement, its parameters and table. */
static const unsigned char *digest_of(struct call *c, struct statement_seal *seal)
{
    const struct statement *s = seal->of;
    struct buf text = buf_in(c->arena);

    if (seal->made)
        return seal->digest;
    buf_add_span(&text, s->table->uuid);
    buf_add_json_string(&text, s->text);
    buf_reserve(&text, s->parameter_count * SHA256_LEN);
    for (size_t i = 0; i < s->parameter_count; i++)
        add_parameter(c, &s->parameters[i], &text);
    digest_sha256(buf_span(&text), seal->digest);
    seal->made = true;
    return seal->digest;
}

static struct statement_seal statement_token_seal(struct call *c, const struct statement *s)
{
    struct statement_seal seal = {.of = s};
    size_t size = 0;

    for (size_t i = 0; i < s->parameter_count; i++)
        size += attr_size(&s->parameters[i]);
    if (size > LONG_PARAMETERS)
        (void)digest_of(c, &seal);
    return seal;
}

static void check_of(struct span bytes, unsigned char out[CHECK_LEN])
{
    put_number(out, hash_bytes(bytes));
}

/* Makes the token of a position, in the call's arena. */
static struct span statement_token(struct call *c, struct statement_seal *seal,
                                   const struct statement_position *position)
{
    struct buf bytes = buf_in(c->arena), text = buf_in(c->arena);
    struct token_head head = {.version = VERSION};
    unsigned char check[CHECK_LEN];

    memcpy(head.digest, digest_of(c, seal), SHA256_LEN);
    put_number(head.range, (uint32_t)position->range);
    buf_add(&bytes, &head, sizeof head);
    buf_add_span(&bytes, position->key);
    check_of(buf_span(&bytes), check);
    buf_add(&bytes, check, sizeof check);
    base64_encode(&text, buf_span(&bytes));
    return buf_span(&text);
}

static bool is_whole(struct span bytes)
{
    unsigned char check[CHECK_LEN];

    if (bytes.len < sizeof(struct token_head) + CHECK_LEN)
        return false;
    bytes.len -= CHECK_LEN;
    check_of(bytes, check);
    return memcmp(bytes.at + bytes.len, check, CHECK_LEN) == 0;
}

/* "Invalid NextToken", "NextToken does not match request" */
static const struct error *statement_token_read(struct call *c, struct statement_seal *seal,
                                                struct span token, struct statement_position *out)
{
    struct span bytes;
    struct token_head head;

    if (!base64_decode(c->arena, token, &bytes) || !is_whole(bytes))
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_TOKEN),
                            "Invalid NextToken");
    memcpy(&head, bytes.at, sizeof head);
    if (head.version != VERSION || memcmp(head.digest, digest_of(c, seal), SHA256_LEN) != 0)
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_TOKEN),
                            "NextToken does not match request");
    out->range = (uint32_t)head.range[0] << 24 | (uint32_t)head.range[1] << 16 |
                 (uint32_t)head.range[2] << 8 | head.range[3];
    out->key = (struct span){bytes.at + sizeof head, bytes.len - sizeof head - CHECK_LEN};
    return NULL;
}

/* --- SELECT ----------------------------------------------------------------------------------- */

/* Equality with the whole primary key reads one item. Equality with the partition key, or with
 * several by IN or OR, reads these partitions, each within its condition on the sort key. Other
 * conditions read the whole table or index. The condition is then evaluated for each row. Source:
 * docs/behaviour/partiql.md, "Access". */

#define PAGE_PARTITIONS 10 /* most places that a page reads */

/* Rows of one partition or of all partitions. */
struct select_place {
    const struct attr *hash; /* NULL: all partitions */
    bool has_sort, loose, beside;
    struct store_range range;
};

struct select_plan {
    struct select_place *places; /* in the order of reading */
    size_t len;
    bool one_item; /* the condition has the whole primary key */
    bool backwards;
};

/* --- places ----------------------------------------------------------------------------------- */

static struct select_place *new_places(struct call *c, struct select_plan *plan, size_t count)
{
    plan->places = arena_array(c->arena, count, sizeof *plan->places);
    return plan->places;
}

static bool same_partition(const struct select_place *a, const struct select_place *b)
{
    return attr_equal(a->hash, b->hash);
}

static bool ranges_overlap(const struct store_range *a, const struct store_range *b)
{
    return span_compare(a->low, b->high) < 0 && span_compare(b->low, a->high) < 0;
}

/* Whether the service refuses these overlapping places, since it would read rows twice. */
static bool are_refused(const struct select_place *a, const struct select_place *b)
{
    if (a->loose || b->loose || (!a->has_sort && !b->has_sort))
        return false;
    return (a->has_sort || a->beside) && (b->has_sort || b->beside);
}

/* Adds a place and merges it with overlapping ones. */
static const struct error *add_place(struct call *c, struct select_plan *plan,
                                     const struct select_place *place)
{
    struct select_place added = *place;
    size_t i = 0;

    while (i < plan->len) {
        struct select_place *old = &plan->places[i];

        if (!same_partition(old, &added) || !ranges_overlap(&old->range, &added.range)) {
            i++;
            continue;
        }
        if (are_refused(old, &added))
            return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_RANGES),
                                "Overlapping conditions with range keys are not "
                                "supported in where clause");
        /* Extends `a` so that it covers both. */
        if (span_compare(old->range.low, added.range.low) < 0)
            added.range.low = old->range.low;
        if (span_compare(old->range.high, added.range.high) > 0)
            added.range.high = old->range.high;
        added.has_sort = added.has_sort && old->has_sort;
        added.loose = added.loose || old->loose;
        added.beside = added.beside || old->beside;
        plan->len--;
        memmove(old, old + 1, (plan->len - i) * sizeof *old);
        i = 0; /* the larger place may overlap others */
    }
    plan->places[plan->len++] = added;
    return NULL;
}

static size_t count_partitions(const struct select_plan *plan)
{
    size_t count = 0;

    for (size_t i = 0; i < plan->len; i++) {
        size_t before = 0;

        while (!same_partition(&plan->places[before], &plan->places[i]))
            before++;
        count += before == i;
    }
    return count;
}

static const struct error *plan_query(struct call *c, const struct statement *s,
                                      const struct partiql_ranges *ranges, struct select_plan *plan)
{
    const struct error *e;
    size_t partitions;

    new_places(c, plan, ranges->len);
    for (size_t i = 0; i < ranges->len; i++) {
        const struct partiql_range *from = &ranges->at[i];
        struct select_place place = {
            .hash = &from->key.at[0].low,
            .has_sort = from->key.len > 1,
            .loose = from->loose,
            .beside = from->beside,
        };

        if ((e = query_key_range(c, s->table, s->index, &from->key, NULL, &place.range)) ||
            (e = add_place(c, plan, &place)))
            return e;
    }
    partitions = count_partitions(plan);
    if (partitions <= LIMIT_PARTITIONS)
        return NULL;
    return error_caused(
        c->arena, ERROR_VALIDATION,
        ERROR_WHY(CAUSE_MEMBER_HIGH,
                  .operand = SPAN_LIT("the number of partitions that WHERE asks for"),
                  .place = span_of(arena_printf(c->arena, "%zu", partitions)),
                  .beside = span_of(arena_printf(c->arena, "%d", LIMIT_PARTITIONS))),
        "The IN operator is provided with too many operands; number of operands: %zu", partitions);
}

static const struct error *find_places(struct call *c, const struct statement *s,
                                       struct select_plan *plan)
{
    const struct key_schema *keys = statement_keys(s);
    struct span range = keys->range_count ? keys->range[0].name : (struct span){NULL, 0};
    struct partiql_ranges ranges;
    const struct error *e;
    struct name_list names;

    if (s->has_key) {
        struct buf low = buf_in(c->arena);
        struct select_place *place = new_places(c, plan, 1);

        if ((e = key_check_parameter(c->arena, s->table, &s->key)))
            return e;
        key_of_item(&low, s->table, &s->key);
        place->hash = &s->key.at[0].value;
        place->range = (struct store_range){.low = buf_span(&low),
                                            .high = cursor_key_behind(c->arena, buf_span(&low))};
        plan->len = 1;
        plan->one_item = true;
        return NULL;
    }
    ranges = partiql_find_ranges(c->arena, s->parsed.where, keys->hash[0].name, range);
    if (!ranges.len) {
        new_places(c, plan, 1)->range = cursor_range(c->arena,
                                                     s->index ? s->index->space : s->table->space);
        plan->len = 1;
        return NULL;
    }
    /* A read of an index by key must not filter by attributes that the index does not have. */
    if (s->index) {
        partiql_required_names(c->arena, s->parsed.where, &names.at, &names.len);
        if ((e = read_index_check_filter(c->arena, s->table, s->index, &names)))
            return e;
    }
    return plan_query(c, s, &ranges, plan);
}

/* --- ORDER BY --------------------------------------------------------------------------------- */

static int by_hash_up(const void *a, const void *b)
{
    const struct select_place *one = a, *two = b;
    int order = attr_compare(one->hash, two->hash);

    return order ? order : span_compare(one->range.low, two->range.low);
}

static int by_hash_up_sort_down(const void *a, const void *b)
{
    const struct select_place *one = a, *two = b;
    int order = attr_compare(one->hash, two->hash);

    return order ? order : span_compare(two->range.low, one->range.low);
}

static int by_hash_down(const void *a, const void *b)
{
    return by_hash_up_sort_down(b, a);
}

static int by_hash_down_sort_down(const void *a, const void *b)
{
    return by_hash_up(b, a);
}

static const struct partiql_order *find_term(const struct statement *s, struct span name)
{
    for (size_t i = 0; i < s->parsed.order_count; i++) {
        const struct partiql_order *term = &s->parsed.order[i];

        if (term->by.len == 1 && span_equal(term->by.at[0].name, name))
            return term;
    }
    return NULL;
}

/* Sorts the places. Without a term the partition key ascends and the sort key descends. */
static const struct error *set_order(struct call *c, const struct statement *s,
                                     struct select_plan *plan)
{
    static int (*const orders[2][2])(const void *, const void *) = {
        {by_hash_up, by_hash_up_sort_down}, {by_hash_down, by_hash_down_sort_down}};
    const struct key_schema *keys = statement_keys(s);
    const struct partiql_order *hash, *sort = NULL;
    const struct error *e;

    if (!s->parsed.order_count)
        return NULL;
    if ((e = statement_check_order(c, s)))
        return e;
    if (!plan->places[0].hash)
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_ORDER_SCAN),
                            "Must have at least one non-optional hash key condition "
                            "in WHERE clause when using ORDER BY clause.");
    if (count_partitions(plan) > 1 && !find_term(s, statement_keys(s)->hash[0].name))
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_ORDER_PARTITIONS),
                            "Must have hash key in ORDER BY clause when more than "
                            "one hash key condition specified in WHERE clause.");
    hash = find_term(s, keys->hash[0].name);
    if (keys->range_count)
        sort = find_term(s, keys->range[0].name);
    plan->backwards = sort ? sort->descending : true;
    qsort(plan->places, plan->len, sizeof *plan->places,
          orders[hash && hash->descending][plan->backwards]);
    return NULL;
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Reads places from *position on, and moves it to the start of the next page or behind the last
 * place. */
static const struct error *read_places(struct call *c, const struct select_plan *plan,
                                       const struct read_page *page,
                                       struct statement_position *position, struct read_end *end)
{
    struct reading *r = read_page_begin(c, page);
    size_t stop = position->range + PAGE_PARTITIONS;
    const struct error *e;
    bool ended = false;

    for (; position->range < plan->len && position->range < stop; position->range++) {
        struct store_range range = plan->places[position->range].range;

        range.backwards = plan->backwards;
        if (position->key.len) {
            struct span behind = cursor_key_behind(c->arena, position->key);

            /* Reduces the range to the rest behind the last entry. */
            if (range.backwards && span_compare(position->key, range.high) < 0)
                range.high = position->key;
            if (!range.backwards && span_compare(behind, range.low) > 0)
                range.low = behind;
        }
        if ((e = read_page_range(r, &range, &ended)))
            return e;
        if (ended)
            break;
        position->key.len = 0;
    }
    read_page_finish(r, end);
    if (ended)
        position->key = end->key;
    return NULL;
}

/* Writes Items, NextToken and ConsumedCapacity. Call statement_find_table and _key before. */
static const struct error *statement_select(struct call *c, const struct statement *s)
{
    struct span token = wire_text(wire_get(c->body, "NextToken"));
    struct statement_position position = {0, {NULL, 0}};
    struct statement_seal seal = statement_token_seal(c, s);
    struct select_plan plan = {.len = 0};
    struct read_page page;
    struct read_end end;
    const struct error *e;
    int64_t limit;

    if (token.at && (e = statement_token_read(c, &seal, token, &position)))
        return e;
    if ((e = find_places(c, s, &plan)) || (e = set_order(c, s, &plan)))
        return e;
    limit = wire_integer(wire_get(c->body, "Limit"), 0);
    page = (struct read_page){
        .table = s->table,
        .index = s->index,
        .limit = plan.one_item ? 0 : limit,
        .consistent = s->consistent,
        .filter = s->parsed.where,
        .projection = s->parsed.columns.len ? &s->parsed.columns : NULL,
        .columns = s->parsed.columns.len ? s->parsed.column_names : NULL,
    };
    if ((e = read_places(c, &plan, &page, &position, &end)))
        return e;
    if (position.range < plan.len)
        wire_put_member_text(&c->reply, "NextToken", statement_token(c, &seal, &position));
    capacity_reply(c);
    return NULL;
}

static const struct error *write_item(struct call *c, struct statement *s)
{
    struct statement_shown shown;
    const struct error *e = statement_write(c, s, &shown, capacity_of(c, s->table));

    if (e)
        return e;
    wire_open_member(&c->reply, "Items", '[');
    if (statement_write_shows(&shown))
        statement_write_put_shown(c, &shown);
    wire_close(&c->reply, ']');
    capacity_reply(c);
    return NULL;
}

static const struct error *execute_statement(struct call *c)
{
    struct statement s;
    const struct error *e;

    if ((e = statement_read_entry(c, c->body, &s)) || (e = statement_parse_text(c, &s)) ||
        (e = statement_refuse_exists(c, &s)))
        return e;
    if (statement_is_write(&s) && wire_get(c->body, "NextToken"))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = SPAN_LIT("NextToken"),
                                      .beside = SPAN_LIT("a statement that writes")),
                            "NextToken is only valid on a SELECT statement");
    if ((e = statement_find_table(c, &s)) || (e = statement_find_key(c, &s)))
        return e;
    return statement_is_write(&s) ? write_item(c, &s) : statement_select(c, &s);
}

const struct op op_execute_statement = {
    .name = "ExecuteStatement",
    .access = OP_MAY_WRITE,
    .form = OP_STATEMENT,
    .members = WIRE_MEMBERS(
        {"Statement", &statement_text_shape, WIRE_REQUIRED},
        {"Parameters", &statement_parameters_shape, 0}, {"ConsistentRead", &wire_boolean, 0},
        {"NextToken", WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_NEXT_TOKEN)), 0},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"Limit", &read_request_limit_shape, 0},
        {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0}),
    .run = execute_statement,
};
