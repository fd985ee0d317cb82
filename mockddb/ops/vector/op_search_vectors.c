#include "base/ascii.h"
#include "model/item_codec.h"
#include "ops/op_expression.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/pace.h"
#include "ops/vector/search_condition.h"
#include "ops/vector/search_load.h"
#include "ops/vector/search_scan.h"

/* --- types of members ------------------------------------------------------------------------- */

/* The types of members are checked with the messages of the service's newer parser.
 *
 * The parser reads members in the order of the request and fails at the first of a wrong type, with
 * its place in the text. At the end it reports missing members. In between, the checks of all
 * operations check the contents of members. Source: docs/behaviour/vectors.md, "Requests". */

enum kind { TEXT, SEQUENCE, MAP, NUMBER };

static const struct {
    const char *name;
    enum kind kind;
    bool required; /* optional fields may be null */
} fields[] = {
    {"TableName", TEXT, true},
    {"IndexName", TEXT, true},
    {"SearchVector", SEQUENCE, true},
    {"TopK", NUMBER, true},
    {"SearchConditionExpression", TEXT, false},
    {"ProjectionExpression", TEXT, false},
    {"ExpressionAttributeNames", MAP, false},
    {"ExpressionAttributeValues", MAP, false},
    {"ReturnConsumedCapacity", TEXT, false},
};

static const char *const expected[] = {
    [TEXT] = "a string", [SEQUENCE] = "a sequence", [MAP] = "a map", [NUMBER] = "i32"};

/* The same, for explanations. */
static const char *const taken[] = {
    [TEXT] = "a string", [SEQUENCE] = "a list", [MAP] = "a map", [NUMBER] = "a whole number"};

static bool is_number(struct span raw)
{
    return *raw.at == '-' || ascii_is_digit(*raw.at);
}

static bool is_whole(struct span raw)
{
    for (size_t i = 0; i < raw.len; i++)
        if (raw.at[i] == '.' || raw.at[i] == 'e' || raw.at[i] == 'E')
            return false;
    return true;
}

static bool fits_kind(enum kind kind, struct span raw)
{
    switch (kind) {
    case TEXT:
        return *raw.at == '"';
    case SEQUENCE:
        return *raw.at == '[';
    case MAP:
        return *raw.at == '{';
    case NUMBER:
        break;
    }
    return is_number(raw) && is_whole(raw);
}

/* Appends " at line 1 column 17": the position of `at`. */
static void add_place(struct call *c, struct buf *text, const char *at)
{
    size_t line = 1, column = 0;

    for (const char *from = wire_raw(c->body).at; from < at; from++) {
        column = *from == '\n' ? 0 : column + 1;
        line += *from == '\n';
    }
    buf_printf(text, " at line %zu column %zu", line, column);
}

/* The error for a value of the wrong type. Containers are only named. */
static const struct error *wrong_type(struct call *c, struct span raw, const wire_node *node,
                                      enum kind kind)
{
    bool container = *raw.at == '[' || *raw.at == '{';
    struct buf text = buf_in(c->arena);

    buf_add_text(&text, "invalid type: ");
    if (*raw.at == 'n') {
        buf_add_text(&text, "null");
    } else if (container) {
        buf_add_text(&text, *raw.at == '[' ? "sequence" : "map");
    } else if (*raw.at == '"') {
        buf_add_text(&text, "string ");
        buf_add_json_string(&text, wire_text(node));
    } else {
        buf_add_text(&text, !is_number(raw) ? "boolean `"
                            : is_whole(raw) ? "integer `"
                                            : "floating point `");
        buf_add_span(&text, raw);
        buf_add_char(&text, '`');
    }
    buf_printf(&text, ", expected %s", expected[kind]);
    add_place(c, &text, container ? raw.at : span_end(raw));
    return error_because(c->arena, error_of(c->arena, ERROR_SERIALIZATION, buf_span(&text)),
                         ERROR_WHY(CAUSE_MEMBER_TYPE, .operand = wire_name(node), .place = raw,
                                   .beside = span_of(taken[kind])));
}

static const struct error *check_field(struct call *c, const wire_node *node)
{
    struct span raw = wire_raw(node);

    for (size_t i = 0; i < COUNT(fields); i++)
        if (span_is(wire_name(node), fields[i].name))
            return fits_kind(fields[i].kind, raw) || (*raw.at == 'n' && !fields[i].required)
                       ? NULL
                       : wrong_type(c, raw, node, fields[i].kind);
    return NULL;
}

static const struct error *search_body_check_types(struct call *c)
{
    const struct error *e = NULL;

    for (const wire_node *n = wire_first(c->body); !e && n; n = wire_next(n))
        e = check_field(c, n);
    return e;
}

static const struct error *search_body_check_missing(struct call *c)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        if (fields[i].required && !wire_get(c->body, fields[i].name)) {
            struct span raw = wire_raw(c->body);
            struct buf text = buf_in(c->arena);

            buf_printf(&text, "missing field `%s`", fields[i].name);
            add_place(c, &text, span_end(raw));
            return error_written(
                &text, ERROR_WHY(CAUSE_MEMBER_MISSING, .operand = span_of(fields[i].name)));
        }
    return NULL;
}

/* The charge of a search: bytes for each dimension, and for each result besides its key. */
#define DIMENSION_BYTES 30.6875
#define RESULT_BYTES    65

static const struct op_styles search_styles = {
    .expressions = {{.name = "SearchConditionExpression", .takes_values = true},
                    {.name = "ProjectionExpression"}},
};

struct search_request {
    size_t most; /* TopK */
    const struct expr_search *condition;
    struct expr_projection projection;
    bool projects;
    const struct table *table;
    const struct index *index;
    float *vector; /* padded */
    struct search_filter filter;
};

/* --- reading the request ---------------------------------------------------------------------- */

/* Operators are checked after unused placeholders, like in key conditions. */
static const struct error *read_expressions(struct call *c, struct search_request *r)
{
    const wire_node *text = wire_get(c->body, "SearchConditionExpression");
    enum expr_search_form form = c->settings->extended_search ? EXPR_SEARCH_EXTENDED
                                                              : EXPR_SEARCH_EQUALITY;
    struct node *tree = NULL;
    struct expr_search *condition;
    struct expr_vars vars;
    const struct error *e;

    if ((e = op_expression_check_styles(c, &search_styles, c->body)) ||
        (e = op_expression_read_vars(c, &search_styles, c->body, &vars)))
        return e;
    if (text && (e = expr_read_search(c->arena, wire_text(text), &vars, &tree)))
        return e;
    r->projects = wire_get(c->body, "ProjectionExpression") != NULL;
    if ((e = op_expression_read_projection(c, c->body, &vars, &r->projection)) ||
        (e = expr_check_unused(c->arena, &vars)) || !tree)
        return e;
    condition = arena_alloc(c->arena, sizeof *condition);
    r->condition = condition;
    return expr_reduce_search(c->arena, tree, form, condition);
}

/* --- checks against the index ----------------------------------------------------------------- */

static bool read_element(struct call *c, const wire_node *element, float *out)
{
    struct buf text = buf_in(c->arena);
    struct num n;

    if (wire_count(element) != 1 ||
        num_parse(wire_text(wire_get(element, "N")), false, &n) != NUM_OK)
        return false;
    num_format(&text, &n);
    return vector_float(buf_span(&text), out);
}

static const struct error *read_vector(struct call *c, struct search_request *r)
{
    const wire_node *list = wire_get(c->body, "SearchVector");
    size_t count = wire_count(list), i = 0;

    r->vector = arena_array(c->arena, vector_padded(count), sizeof *r->vector);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        if (!read_element(c, n, &r->vector[i++]))
            return error_caused(c->arena, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_SEARCH_VALUE, .count = i - 1, .place = wire_raw(n)),
                                "Search vector contains invalid values. All values in the search "
                                "vector must be a 32-bit floating-point number attribute");
    if (count == (size_t)r->index->vector.dimensions)
        return NULL;
    return error_validation(
        c->arena, "Input search vector dimension %zu does not match vector index dimension %lld",
        count, (long long)r->index->vector.dimensions);
}

/* --- results ---------------------------------------------------------------------------------- */

/* The vector with the floats of the index. */
static struct attr floats_of(struct arena *a, const struct vector_row *row, size_t count)
{
    struct attr list = {.type = ATTR_L,
                        .list = {.at = arena_array(a, count, sizeof *list.list.at), .len = count}};

    for (size_t i = 0; i < count; i++) {
        struct buf text = buf_in(a);

        vector_print_float(&text, row->at[i]);
        list.list.at[i] = (struct attr){.type = ATTR_N, .bytes = buf_span(&text)};
    }
    return list;
}

/* Projects an item: attributes that the index has, and the vector. */
static struct item shown_item(struct call *c, const struct search_request *r,
                              const struct vector_row *row, struct span body)
{
    struct item it = item_decode(c->arena, body);
    struct item view = schema_project(c->arena, r->table, r->index, &it);

    view = item_copy(c->arena, &view);
    item_set(c->arena, &view, r->index->vector.attribute,
             floats_of(c->arena, row, (size_t)r->index->vector.dimensions));
    item_make_findable(c->arena, &view);
    return expr_project(c->arena, &r->projection, &view);
}

/* The number of results, their size and their charge. */
struct search_results {
    size_t count, bytes, charge;
};

static const struct error *too_large(struct call *c)
{
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_SEARCH_SIZE),
                        "The search response exceeds the maximum allowed size of 16 MB");
}

static void count_result(struct call *c, const struct search_request *r,
                         const struct item *holds_key, size_t size, struct search_results *out)
{
    struct item key = schema_key_of(c->arena, r->table, holds_key);

    out->count++;
    out->bytes += size;
    out->charge += RESULT_BYTES + item_size(&key);
}

static const struct error *put_result(struct call *c, const struct search_request *r,
                                      const struct vector_row *row, float score,
                                      struct search_results *out)
{
    struct arena_mark before = arena_mark(c->arena);
    struct store_row stored;
    const struct error *e = unit_get(c->unit, row->key, &stored);
    struct buf text = buf_in(c->arena);

    if (e || !stored.found) /* deleted during a search in slices */
        return e;
    if (c->reply.out->len + stored.body.len > LIMIT_BATCH_TEXT)
        return too_large(c);
    wire_open(&c->reply, '{');
    wire_key(&c->reply, "Item");
    if (r->projects) {
        struct item it = shown_item(c, r, row, stored.body);

        count_result(c, r, &it, item_size(&it), out);
        if (item_find(&it, r->index->vector.attribute))
            out->charge += sizeof(float) * (size_t)r->index->vector.dimensions;
        op_stored_put_item(c, &it);
    } else {
        struct item texts = item_texts(c->arena, stored.body);
        struct item view = schema_project(c->arena, r->table, r->index, &texts);
        const struct key_schema *keys = &r->table->keys;
        const struct span names[] = {keys->hash[0].name, keys->range[0].name};
        struct item key = item_decode_only(c->arena, stored.body, names, 1 + keys->range_count);

        /* All attributes of the index except the vector, in stored form; only the key is decoded.
         */
        count_result(c, r, &key, stored.size - schema_vector_size(r->index), out);
        op_stored_put_texts(c, &view);
    }
    vector_print_score(&text, score);
    wire_put_member_raw(&c->reply, "Score", buf_span(&text));
    wire_close(&c->reply, '}');
    arena_release(c->arena, before);
    return out->bytes > LIMIT_SEARCH_BYTES ? too_large(c) : NULL;
}

static const struct error *put_results(struct call *c, const struct search_request *r,
                                       const struct vector_set *set,
                                       const struct vector_search *search)
{
    struct capacity *used = capacity_of(c, r->table);
    struct search_results results = {.count = 0};
    struct pace pace = pace_of(c->arena);
    const struct error *e = NULL;
    double bytes;

    wire_open_member(&c->reply, "SearchResults", '[');
    for (size_t i = 0; !e && i < search->count; i++) {
        struct vector_row row = vectors_row(set, search->hits[i].row);

        e = pace_begins(&pace) ? put_result(c, r, &row, search->hits[i].score, &results)
                               : too_large(c);
    }
    wire_close(&c->reply, ']');
    if (e)
        return e;
    bytes = capacity_vector_bytes(results.charge +
                                  (size_t)(DIMENSION_BYTES * (double)r->index->vector.dimensions));
    capacity_add_index(used, r->index, (struct capacity_place){.spread = true}, bytes);
    used->items_read += results.count;
    used->items_returned += results.count;
    used->bytes_read += results.bytes;
    capacity_reply_search(c, bytes);
    return NULL;
}

/* --- the search ------------------------------------------------------------------------------- */

/* A search of a large set takes several turns; the request's hash identifies the search. */
static const struct error *run_search(struct call *c, const struct search_request *r,
                                      struct vector_set *set)
{
    struct search_scan scan = {
        .set = set,
        .query = vector_query_of(c->arena, r->index->vector.distance, r->vector,
                                 (size_t)r->index->vector.dimensions),
        .filter = r->filter,
        .most = r->most,
        .at_once = LIMIT_SEARCH_AT_ONCE,
    };
    bool in_slices = search_scan_is_long(&scan);
    uint64_t id = in_slices ? siphash(clock_hash_key(c->clock), wire_raw(c->body)) | 1 : 0;
    struct vector_search *under_way;
    const struct error *e;

    under_way = in_slices ? vectors_search(set, id, clock_ticks_us(c->clock))
                          : arena_alloc(c->arena, sizeof *under_way);
    if (!search_scan(c->arena, &scan, under_way)) {
        c->unfinished = true;
        return NULL;
    }
    e = put_results(c, r, set, under_way);
    vectors_end_search(set, id);
    return e;
}

static const struct error *search_vectors(struct call *c)
{
    struct search_request r = {.most = 0};
    struct vector_set *set;
    const struct error *e;
    int64_t k = wire_integer(wire_get(c->body, "TopK"), 0);
    struct span name = wire_text(wire_get(c->body, "IndexName"));
    const struct index *ix;

    if (k > LIMIT_TOP_K)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_HIGH, .operand = SPAN_LIT("TopK"),
                                      .place = wire_raw(wire_get(c->body, "TopK")),
                                      .beside = span_of(arena_printf(c->arena, "%d", LIMIT_TOP_K))),
                            "Provided TopK value '%lld' is out of valid range. The value must be "
                            "between 1 and %d inclusive",
                            (long long)k, LIMIT_TOP_K);
    r.most = (size_t)k;
    if ((e = read_expressions(c, &r)) || (e = op_target_find(c, &r.table)))
        return e;
    ix = schema_find_index(r.table, name);
    if (ix && schema_kind(ix) == KIND_VECTOR && ix->status == STATUS_CREATING && ix->backfilling)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_INDEX_BUSY, .operand = name),
                            "Cannot search backfilling vector index: %.*s", SPAN_ARG(name));
    if (!ix || schema_kind(ix) != KIND_VECTOR || ix->status != STATUS_ACTIVE)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(!ix                              ? CAUSE_NO_INDEX
                                      : schema_kind(ix) != KIND_VECTOR ? CAUSE_SEARCH_INDEX
                                      : ix->status == STATUS_DELETING  ? CAUSE_TABLE_BUSY
                                                                       : CAUSE_INDEX_BUSY,
                                      .operand = name,
                                      .beside = ix && ix->status == STATUS_DELETING
                                                    ? SPAN_LIT("deleted")
                                                    : r.table->name),
                            "The table does not have the specified index: %.*s", SPAN_ARG(name));
    r.index = ix;
    if ((e = read_vector(c, &r)) ||
        (e = search_condition_check(c->arena, r.index, r.condition, &r.filter)) ||
        (e = search_load(c, r.index, &set, &c->unfinished)))
        return e;
    return c->unfinished ? NULL : run_search(c, &r, set);
}

const struct op op_search_vectors = {
    .name = "SearchVectors",
    .form = OP_SEARCH,
    .members = WIRE_MEMBERS(
        {"TableName", &wire_data_table_name, WIRE_REQUIRED | WIRE_NEW_LENGTH},
        {"IndexName", &wire_index_name, WIRE_REQUIRED | WIRE_NEW_LENGTH},
        {"SearchVector",
         WIRE_SHAPE(WIRE_LIST, .element = &wire_attr, WIRE_BOUNDS(1, LIMIT_DIMENSIONS)),
         WIRE_REQUIRED | WIRE_NEW_LENGTH},
        {"TopK", WIRE_SHAPE(WIRE_INTEGER, WIRE_AT_LEAST(1)), WIRE_REQUIRED | WIRE_NEW_LENGTH},
        {"SearchConditionExpression", &wire_string, 0}, {"ProjectionExpression", &wire_string, 0},
        {"ExpressionAttributeNames", &wire_name_map, 0},
        {"ExpressionAttributeValues", &wire_attr_map, 0},
        {"ReturnConsumedCapacity", &wire_return_capacity, WIRE_NEW_ENUM}),
    .sliced = true,
    .types = search_body_check_types,
    .precheck = search_body_check_missing,
    .run = search_vectors,
};
