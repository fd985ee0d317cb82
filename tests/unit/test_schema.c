#include "unit.h"

#include "model/schema.h"

static struct key_schema keys_of(const char *hash, const char *range)
{
    struct key_schema keys = {.hash = {{span_of(hash), ATTR_S}}, .hash_count = 1};

    if (range) {
        keys.range[0] = (struct key_part){span_of(range), ATTR_N};
        keys.range_count = 1;
    }
    return keys;
}

/* A table with keys pk and sk and three indexes; it lives in the test's arena. */
static struct table *plain_table(void)
{
    static struct span include[] = {SPAN_LIT_INIT("x"), SPAN_LIT_INIT("y")};
    struct table *t = arena_alloc(arena, sizeof *t);

    t->name = SPAN_LIT("T");
    t->keys = keys_of("pk", "sk");
    t->index_count = 3;
    t->indexes = arena_array(arena, t->index_count, sizeof *t->indexes);
    t->indexes[0] = (struct index){
        .name = SPAN_LIT("keys"), .keys = keys_of("pk", "a"), .projection = PROJECT_KEYS_ONLY};
    t->indexes[1] = (struct index){.name = SPAN_LIT("include"),
                                   .keys = keys_of("a", "sk"),
                                   .projection = PROJECT_INCLUDE,
                                   .include = include,
                                   .include_count = COUNT(include)};
    t->indexes[2] = (struct index){
        .name = SPAN_LIT("all"), .keys = keys_of("b", NULL), .projection = PROJECT_ALL};
    return t;
}

START_TEST(finds_indexes_by_name)
{
    const struct table *t = plain_table();

    ck_assert_ptr_eq(schema_find_index(t, SPAN_LIT("include")), &t->indexes[1]);
    ck_assert_ptr_null(schema_find_index(t, SPAN_LIT("includ")));
    ck_assert_ptr_null(schema_find_index(t, SPAN_LIT("All")));
}
END_TEST

START_TEST(knows_its_key_attributes)
{
    const struct table *t = plain_table();

    ck_assert(schema_is_key(&t->keys, SPAN_LIT("pk")));
    ck_assert(schema_is_key(&t->keys, SPAN_LIT("sk")));
    ck_assert(!schema_is_key(&t->keys, SPAN_LIT("a")));
    ck_assert(schema_is_key(&t->indexes[0].keys, SPAN_LIT("a")));
    ck_assert(!schema_is_key(&t->indexes[2].keys, SPAN_LIT("sk")));
}
END_TEST

static const char *const item_text =
    "{\"y\":{\"S\":\"5\"},\"pk\":{\"S\":\"1\"},\"b\":{\"S\":\"4\"},\"a\":{\"S\":\"3\"},\"sk\":{"
    "\"N\":\"2\"},\"z\":{\"S\":\"6\"}}";

static const struct {
    const char *index, *projected;
} views[] = {
    {"keys", "{\"pk\":{\"S\":\"1\"},\"a\":{\"S\":\"3\"},\"sk\":{\"N\":\"2\"}}"},
    {"include",
     "{\"y\":{\"S\":\"5\"},\"pk\":{\"S\":\"1\"},\"a\":{\"S\":\"3\"},\"sk\":{\"N\":\"2\"}}"},
    {"all", NULL},
};

START_TEST(an_index_holds_its_projection)
{
    const struct table *t = plain_table();
    const struct index *ix = schema_find_index(t, span_of(views[_i].index));
    struct item it = unit_item(item_text), view = schema_project(arena, t, ix, &it);

    ck_assert_str_eq(unit_item_text(&view), views[_i].projected ? views[_i].projected : item_text);
    for (size_t i = 0; i < it.len; i++)
        ck_assert(schema_projects(t, ix, it.at[i].name) ==
                  (item_find(&view, it.at[i].name) != NULL));
}
END_TEST

START_TEST(the_key_of_an_item_is_in_schema_order)
{
    const struct table *t = plain_table();
    struct item it = unit_item(item_text), key = schema_key_of(arena, t, &it);

    ck_assert_str_eq(unit_item_text(&key), "{\"pk\":{\"S\":\"1\"},\"sk\":{\"N\":\"2\"}}");
}
END_TEST

/* --- the catalog form ---------------------------------------------------------------------- */

static struct throughput throughput_from(int64_t n)
{
    return (struct throughput){n, n + 1, n + 2, n + 3, n + 4, n + 5};
}

static struct key_schema long_keys(void)
{
    return (struct key_schema){
        .hash = {{SPAN_LIT("h1"), ATTR_S},
                 {SPAN_LIT("h2"), ATTR_N},
                 {SPAN_LIT("h3"), ATTR_B},
                 {SPAN_LIT("h\n4"), ATTR_S}},
        .hash_count = 4,
        .range = {{SPAN_LIT("r1"), ATTR_B}, {SPAN_LIT("r2"), ATTR_S}},
        .range_count = 2,
    };
}

static struct index full_index(void)
{
    static struct span include[] = {SPAN_LIT_INIT("x"), SPAN_LIT_INIT("\xc3\xa9")};

    return (struct index){
        .name = SPAN_LIT("full"),
        .space = UINT32_MAX,
        .global = true,
        .keys = long_keys(),
        .projection = PROJECT_INCLUDE,
        .include = include,
        .include_count = COUNT(include),
        .status = STATUS_DELETING,
        .backfilling = true,
        .backfill_position = SPAN_LIT("\0\xff\x80key"),
        .backfilled = true,
        .throughput = throughput_from(100),
        .on_demand = {1, 2},
        .warm = {3, 4},
        .transition_until_ms = 5,
        .next_throughput = throughput_from(200),
        .next_warm = {6, 7},
    };
}

/* Every member holds something that no other member holds. */
static struct table full_table(void)
{
    static struct definition definitions[] = {
        {SPAN_LIT_INIT("pk"), ATTR_S}, {SPAN_LIT_INIT("n"), ATTR_N}, {SPAN_LIT_INIT("b"), ATTR_B}};
    static struct tag tags[] = {{SPAN_LIT_INIT("k"), SPAN_LIT_INIT("v")},
                                {SPAN_LIT_INIT("empty"), SPAN_LIT_INIT("")}};
    static struct index indexes[2];

    indexes[0] = (struct index){
        .name = SPAN_LIT("local"), .keys = keys_of("pk", "n"), .status = STATUS_ACTIVE};
    indexes[1] = full_index();
    return (struct table){
        .name = SPAN_LIT("Full.Table-1_"),
        .uuid = SPAN_LIT("00000000-0000-4000-8000-000000000000"),
        .space = 4000000000,
        .keys = keys_of("pk", "n"),
        .definitions = definitions,
        .definition_count = COUNT(definitions),
        .indexes = indexes,
        .index_count = COUNT(indexes),
        .status = STATUS_UPDATING,
        .created_ms = 1760000000123,
        .due_ms = 11,
        .change = CHANGE_CLASS,
        .transition_until_ms = 12,
        .on_demand = true,
        .was_on_demand = true,
        .on_demand_since_ms = INT64_MAX,
        .throughput = throughput_from(300),
        .next_throughput = throughput_from(400),
        .on_demand_limits = {13, -1},
        .warm = {14, 15},
        .next_warm = {16, 17},
        .warm_until_ms = 18,
        .deletion_protection = true,
        .table_class = SPAN_LIT("STANDARD"),
        .next_table_class = SPAN_LIT("STANDARD_INFREQUENT_ACCESS"),
        .table_class_ms = 19,
        .table_class_before_ms = 20,
        .sse = true,
        .sse_until_ms = 21,
        .kms_key_arn = SPAN_LIT("arn:aws:kms:us-east-1:000000000000:key/1"),
        .next_kms_key_arn = SPAN_LIT("arn:aws:kms:us-east-1:000000000000:key/2"),
        .sse_window_ms = 23,
        .sse_changes = 24,
        .sse_changed_ms = 25,
        .resource_policy = SPAN_LIT("{\"Version\":\"2012-10-17\"}"),
        .tags = tags,
        .tag_count = COUNT(tags),
        .ttl_attribute = SPAN_LIT("ttl"),
        .stream_enabled = true,
        .stream_view = VIEW_OLD_IMAGE,
        .stream_label = SPAN_LIT("2026-10-09T12:00:00.123"),
        .stream_space = 22,
        .stream_shards = 3,
    };
}

static void check_throughput(const struct throughput *a, const struct throughput *b)
{
    ck_assert_int_eq(a->read, b->read);
    ck_assert_int_eq(a->write, b->write);
    ck_assert_int_eq(a->last_increase_ms, b->last_increase_ms);
    ck_assert_int_eq(a->last_decrease_ms, b->last_decrease_ms);
    ck_assert_int_eq(a->decreases_today, b->decreases_today);
    ck_assert_int_eq(a->decreases_day, b->decreases_day);
}

static void check_units(const struct unit_pair *a, const struct unit_pair *b)
{
    ck_assert_int_eq(a->read, b->read);
    ck_assert_int_eq(a->write, b->write);
}

/* Equal bytes, but not the same bytes. */
static void check_text(struct span a, struct span b)
{
    ck_assert(span_equal(a, b));
    ck_assert(!a.len || a.at != b.at);
}

static void check_parts(const struct key_part *a, const struct key_part *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_text(a[i].name, b[i].name);
        ck_assert_int_eq(a[i].type, b[i].type);
    }
}

static void check_keys(const struct key_schema *a, const struct key_schema *b)
{
    ck_assert_uint_eq(a->hash_count, b->hash_count);
    ck_assert_uint_eq(a->range_count, b->range_count);
    check_parts(a->hash, b->hash, a->hash_count);
    check_parts(a->range, b->range, a->range_count);
}

static void check_index(const struct index *a, const struct index *b)
{
    check_text(a->name, b->name);
    ck_assert_uint_eq(a->space, b->space);
    ck_assert(a->global == b->global);
    check_keys(&a->keys, &b->keys);
    ck_assert_int_eq(a->projection, b->projection);
    ck_assert_uint_eq(a->include_count, b->include_count);
    for (size_t i = 0; i < a->include_count; i++)
        check_text(a->include[i], b->include[i]);
    ck_assert_int_eq(a->status, b->status);
    ck_assert(a->backfilling == b->backfilling);
    check_text(a->backfill_position, b->backfill_position);
    ck_assert(a->backfilled == b->backfilled);
    check_throughput(&a->throughput, &b->throughput);
    check_units(&a->on_demand, &b->on_demand);
    check_units(&a->warm, &b->warm);
    ck_assert_int_eq(a->transition_until_ms, b->transition_until_ms);
    check_throughput(&a->next_throughput, &b->next_throughput);
    check_units(&a->next_warm, &b->next_warm);
}

static void check_arrays(const struct table *a, const struct table *b)
{
    ck_assert_uint_eq(a->definition_count, b->definition_count);
    for (size_t i = 0; i < a->definition_count; i++) {
        check_text(a->definitions[i].name, b->definitions[i].name);
        ck_assert_int_eq(a->definitions[i].type, b->definitions[i].type);
    }
    ck_assert_uint_eq(a->index_count, b->index_count);
    for (size_t i = 0; i < a->index_count; i++)
        check_index(&a->indexes[i], &b->indexes[i]);
    ck_assert_uint_eq(a->tag_count, b->tag_count);
    for (size_t i = 0; i < a->tag_count; i++) {
        check_text(a->tags[i].key, b->tags[i].key);
        check_text(a->tags[i].value, b->tags[i].value);
    }
}

static void check_table(const struct table *a, const struct table *b)
{
    check_text(a->name, b->name);
    check_text(a->uuid, b->uuid);
    ck_assert_uint_eq(a->space, b->space);
    check_keys(&a->keys, &b->keys);
    check_arrays(a, b);
    ck_assert_int_eq(a->status, b->status);
    ck_assert_int_eq(a->created_ms, b->created_ms);
    ck_assert_int_eq(a->due_ms, b->due_ms);
    ck_assert_int_eq(a->change, b->change);
    ck_assert_int_eq(a->transition_until_ms, b->transition_until_ms);
    ck_assert(a->on_demand == b->on_demand);
    ck_assert(a->was_on_demand == b->was_on_demand);
    ck_assert_int_eq(a->on_demand_since_ms, b->on_demand_since_ms);
    check_throughput(&a->throughput, &b->throughput);
    check_throughput(&a->next_throughput, &b->next_throughput);
    check_units(&a->on_demand_limits, &b->on_demand_limits);
    check_units(&a->warm, &b->warm);
    check_units(&a->next_warm, &b->next_warm);
    ck_assert_int_eq(a->warm_until_ms, b->warm_until_ms);
    ck_assert(a->deletion_protection == b->deletion_protection);
    check_text(a->table_class, b->table_class);
    check_text(a->next_table_class, b->next_table_class);
    ck_assert_int_eq(a->table_class_ms, b->table_class_ms);
    ck_assert_int_eq(a->table_class_before_ms, b->table_class_before_ms);
    ck_assert(a->sse == b->sse);
    ck_assert_int_eq(a->sse_until_ms, b->sse_until_ms);
    check_text(a->kms_key_arn, b->kms_key_arn);
    check_text(a->next_kms_key_arn, b->next_kms_key_arn);
    ck_assert_int_eq(a->sse_window_ms, b->sse_window_ms);
    ck_assert_int_eq(a->sse_changes, b->sse_changes);
    ck_assert_int_eq(a->sse_changed_ms, b->sse_changed_ms);
    check_text(a->resource_policy, b->resource_policy);
    check_text(a->ttl_attribute, b->ttl_attribute);
    ck_assert(a->stream_enabled == b->stream_enabled);
    ck_assert_int_eq(a->stream_view, b->stream_view);
    check_text(a->stream_label, b->stream_label);
    ck_assert_uint_eq(a->stream_space, b->stream_space);
    ck_assert_uint_eq(a->stream_shards, b->stream_shards);
}

START_TEST(the_catalog_form_keeps_everything)
{
    const struct table t = full_table();
    struct span text = schema_encode(arena, &t);
    struct table *again = schema_decode(NULL, text);

    ck_assert_ptr_nonnull(again);
    check_table(again, &t);
    ck_assert(span_equal(schema_encode(arena, again), text));
    schema_free(again);
}
END_TEST

START_TEST(a_decoded_table_owns_its_memory)
{
    const struct table t = full_table();
    struct arena *other = arena_new();
    struct table *again = schema_decode(NULL, schema_encode(other, &t));

    arena_free(other);
    check_table(again, &t);
    schema_free(again);
}
END_TEST

START_TEST(a_copy_owns_its_memory)
{
    const struct table t = full_table();
    struct table *original = schema_decode(NULL, schema_encode(arena, &t));
    struct table *copy = schema_copy(NULL, original);

    check_table(copy, original);
    ck_assert_ptr_ne(copy->arena, original->arena);
    ck_assert_ptr_ne(copy->indexes, original->indexes);
    schema_free(original);
    check_table(copy, &t);
    schema_free(copy);
}
END_TEST

START_TEST(an_empty_table_can_be_copied_and_freed)
{
    struct table *t = schema_new(NULL), *copy = schema_copy(NULL, t);

    ck_assert_uint_eq(copy->index_count, 0);
    schema_free(t);
    schema_free(copy);
    schema_free(NULL);
}
END_TEST

#define KEYS "\"keys\":{\"M\":{\"hash\":{\"L\":[{\"M\":{\"name\":{\"S\":\"pk\"}}}]}}}"

START_TEST(members_that_a_text_lacks_are_empty)
{
    struct table *t = schema_decode(NULL, SPAN_LIT("{\"name\":{\"S\":\"T\"}," KEYS "}"));

    ck_assert_ptr_nonnull(t);
    ck_assert_span_eq(t->name, "T");
    ck_assert_uint_eq(t->keys.hash_count, 1);
    ck_assert_span_eq(t->keys.hash[0].name, "pk");
    ck_assert_int_eq(t->keys.hash[0].type, ATTR_S);
    ck_assert_uint_eq(t->index_count, 0);
    ck_assert_uint_eq(t->ttl_attribute.len, 0);
    ck_assert_int_eq(t->due_ms, 0);
    schema_free(t);
}
END_TEST

START_TEST(members_of_a_newer_text_are_passed_over)
{
    struct table *t = schema_decode(
        NULL, SPAN_LIT("{\"name\":{\"S\":\"T\"},\"new\":{\"L\":[]}," KEYS "}"));

    ck_assert_ptr_nonnull(t);
    schema_free(t);
}
END_TEST

static const char *const no_tables[] = {
    "",
    "garbage",
    "{}",
    "{\"name\":{\"S\":\"T\"}}",
    "{" KEYS "}",
    "{\"name\":{\"S\":\"\"}," KEYS "}",
    "{\"name\":{\"N\":\"1\"}," KEYS "}",
    "{\"name\":{\"S\":\"T\"}," KEYS,
    "{\"name\":{\"S\":\"T\"}," KEYS "}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"space\":{\"N\":\"4294967296\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"space\":{\"N\":\"-1\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"space\":{\"N\":\"\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"space\":{\"S\":\"1\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"due_ms\":{\"N\":\"9223372036854775808\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"due_ms\":{\"N\":\"1.5\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"due_ms\":{\"N\":\"-\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"status\":{\"S\":\"SLEEPING\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"sse\":{\"S\":\"true\"}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"tags\":{\"M\":{}}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"tags\":{\"L\":[{\"S\":\"k\"}]}}",
    "{\"name\":{\"S\":\"T\"}," KEYS ",\"indexes\":{\"L\":[{\"M\":{}}]}}",
    "{\"name\":{\"S\":\"T\"},\"keys\":{\"M\":{\"hash\":{\"L\":[{\"M\":{}},{\"M\":{}},{\"M\":{}},{"
    "\"M\":{}},{\"M\":{}}]}}}}",
};

START_TEST(what_is_no_table_is_refused)
{
    ck_assert_ptr_null(schema_decode(NULL, span_of(no_tables[_i])));
}
END_TEST

START_TEST(no_shortened_or_altered_text_does_harm)
{
    const struct table t = full_table();
    struct span text = schema_encode(arena, &t);

    for (size_t len = 0; len < text.len; len += 7)
        ck_assert_ptr_null(schema_decode(NULL, (struct span){text.at, len}));
    for (int i = 0; i < 500; i++) {
        char *altered = arena_text(arena, text);

        altered[unit_random((unsigned)text.len)] = (char)unit_random_from(-128, 127);
        schema_free(schema_decode(NULL, (struct span){altered, text.len}));
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_indexes_by_name);
    tcase_add_test(tc, knows_its_key_attributes);
    tcase_add_loop_test(tc, an_index_holds_its_projection, 0, COUNT(views));
    tcase_add_test(tc, the_key_of_an_item_is_in_schema_order);
    tcase_add_test(tc, the_catalog_form_keeps_everything);
    tcase_add_test(tc, a_decoded_table_owns_its_memory);
    tcase_add_test(tc, a_copy_owns_its_memory);
    tcase_add_test(tc, an_empty_table_can_be_copied_and_freed);
    tcase_add_test(tc, members_that_a_text_lacks_are_empty);
    tcase_add_test(tc, members_of_a_newer_text_are_passed_over);
    tcase_add_loop_test(tc, what_is_no_table_is_refused, 0, COUNT(no_tables));
    tcase_add_test(tc, no_shortened_or_altered_text_does_harm);
}

int main(void)
{
    return unit_run("schema", add_tests);
}
