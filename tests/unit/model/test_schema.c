#include "unit.h"

#include "model/limits.h"
#include "model/schema.h"
#include "model/schema_members.h"

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
    {"keys", "{\"pk\":{\"S\":\"1\"},\"sk\":{\"N\":\"2\"},\"a\":{\"S\":\"3\"}}"},
    {"include",
     "{\"pk\":{\"S\":\"1\"},\"sk\":{\"N\":\"2\"},\"a\":{\"S\":\"3\"},\"y\":{\"S\":\"5\"}}"},
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

/* Every member that schema_members.h lists gets a value of its own: none is empty, no two are alike
 * but for flags and words of short lists. */
static void fill(const struct schema_shape *shape, char *to, int *number);

static void fill_elements(const struct schema_member *m, char *to, int *number)
{
    size_t count = m->kind == SCHEMA_FIXED ? LIMIT_KEY_PARTS : 3;
    char *at = to + m->offset;

    memcpy(to + m->count_offset, &count, sizeof count);
    if (m->kind == SCHEMA_ARRAY) {
        at = arena_array(arena, count, m->shape->size);
        memcpy(to + m->offset, &at, sizeof at);
    }
    for (size_t i = 0; i < count; i++)
        fill(m->shape, at + i * m->shape->size, number);
}

static void fill_member(const struct schema_member *m, char *to, int *number)
{
    char *text = arena_printf(arena, "%s \xc3\xa9\n%d", m->name, ++*number);
    struct span span = span_of(text);
    uint32_t word = UINT32_MAX - (uint32_t)*number;
    int64_t large = INT64_MIN + 1 + *number;
    bool flag = true;
    int ordinal = 1;

    switch (m->kind) {
    case SCHEMA_BYTES:
        text[1] = '\0';
        text[2] = '\xff';
        memcpy(to + m->offset, &span, sizeof span);
        break;
    case SCHEMA_TEXT:
        memcpy(to + m->offset, &span, sizeof span);
        break;
    case SCHEMA_INT:
        memcpy(to + m->offset, &large, sizeof large);
        break;
    case SCHEMA_WORD:
        memcpy(to + m->offset, &word, sizeof word);
        break;
    case SCHEMA_FLAG:
        memcpy(to + m->offset, &flag, sizeof flag);
        break;
    case SCHEMA_ENUM:
    case SCHEMA_TYPE:
        memcpy(to + m->offset, &ordinal, sizeof ordinal);
        break;
    case SCHEMA_STRUCT:
        fill(m->shape, to + m->offset, number);
        break;
    case SCHEMA_FIXED:
    case SCHEMA_ARRAY:
        fill_elements(m, to, number);
        break;
    }
}

static void fill(const struct schema_shape *shape, char *to, int *number)
{
    for (const struct schema_member *m = shape->members; m->name; m++)
        fill_member(m, to, number);
}

static struct table full_table(void)
{
    struct table t = {.arena = NULL};
    int number = 0;

    fill(&schema_members_table, (char *)&t, &number);
    return t;
}

/* Whether all members are equal: the catalog form has each that is not zero. */
static bool same_tables(const struct table *one, const struct table *two)
{
    return span_equal(schema_encode(arena, one), schema_encode(arena, two));
}

/* The number of bytes that the member takes in its struct. */
static size_t size_of(const struct schema_member *m)
{
    switch (m->kind) {
    case SCHEMA_TEXT:
    case SCHEMA_BYTES:
        return sizeof(struct span);
    case SCHEMA_INT:
        return sizeof(int64_t);
    case SCHEMA_WORD:
        return sizeof(uint32_t);
    case SCHEMA_FLAG:
        return sizeof(bool);
    case SCHEMA_ENUM:
    case SCHEMA_TYPE:
        return sizeof(int);
    case SCHEMA_STRUCT:
        return m->shape->size;
    case SCHEMA_FIXED:
        return LIMIT_KEY_PARTS * m->shape->size;
    case SCHEMA_ARRAY:
        break;
    }
    return sizeof(void *);
}

/* Changes members one after the other; after each the tables differ, and are the same again once it
 * is undone. `whole` is the table that the struct at `at` belongs to. */
static void check_each(const struct schema_shape *shape, char *at, const struct table *whole,
                       const struct table *same)
{
    for (const struct schema_member *m = shape->members; m->name; m++) {
        size_t size = size_of(m), count = 1;
        char *elements = at + m->offset, *kept;

        if (m->kind == SCHEMA_FIXED || m->kind == SCHEMA_ARRAY)
            elements = (char *)(uintptr_t)schema_members_elements(m, at, &count);
        if (m->shape) {
            for (size_t i = 0; i < count; i++)
                check_each(m->shape, elements + i * m->shape->size, whole, same);
            continue;
        }
        kept = arena_alloc_raw(arena, size);
        memcpy(kept, at + m->offset, size);
        memset(at + m->offset, 0, size);
        if (same_tables(whole, same))
            ck_abort_msg("a table without its %s is not another one", m->name);
        memcpy(at + m->offset, kept, size);
        ck_assert(same_tables(whole, same));
    }
}

START_TEST(every_member_is_stored)
{
    struct table t = full_table();
    const struct table same = full_table();

    ck_assert(same_tables(&t, &same));
    check_each(&schema_members_table, (char *)&t, &t, &same);
    t.index_count--;
    ck_assert(!same_tables(&t, &same));
}
END_TEST

START_TEST(the_catalog_form_keeps_everything)
{
    const struct table t = full_table();
    struct span text = schema_encode(arena, &t);
    struct table *again = schema_decode(NULL, text);

    ck_assert_ptr_nonnull(again);
    ck_assert(same_tables(again, &t));
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
    ck_assert(same_tables(again, &t));
    schema_free(again);
}
END_TEST

/* Under a sanitizer, reading what the original owned is noticed. */
START_TEST(a_copy_owns_its_memory)
{
    const struct table t = full_table();
    struct table *original = schema_decode(NULL, schema_encode(arena, &t));
    struct table *copy = schema_copy(NULL, original);

    ck_assert(same_tables(copy, original));
    ck_assert_ptr_ne(copy->arena, original->arena);
    ck_assert_ptr_ne(copy->indexes, original->indexes);
    schema_free(original);
    ck_assert(same_tables(copy, &t));
    schema_free(copy);
}
END_TEST

START_TEST(an_empty_table_can_be_copied_and_freed)
{
    struct table *t = schema_new(NULL), *copy = schema_copy(NULL, t);

    ck_assert_uint_eq(copy->index_count, 0);
    ck_assert(same_tables(copy, t));
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

static const struct {
    const char *what;
    struct index index;
    size_t count, parts; /* as many as there may be */
} most[] = {
    {"local indexes", {.keys.hash_count = 1}, LIMIT_LOCALS, 0},
    {"global indexes", {.keys.hash_count = 1, .global = true}, LIMIT_GLOBALS, 0},
    {"vector indexes", {.vector.dimensions = 2, .global = true}, LIMIT_VECTORS, 0},
    {"filters", {.vector.dimensions = 2, .global = true}, 1, LIMIT_INLINE_FILTERS},
};

static bool is_table_with(size_t row, size_t indexes, size_t parts)
{
    struct table t = {.name = SPAN_LIT("T"), .keys.hash_count = 1};
    struct table *again;

    t.keys.hash[0].name = SPAN_LIT("pk");
    t.indexes = arena_array(arena, indexes, sizeof *t.indexes);
    for (; t.index_count < indexes; t.index_count++) {
        struct index *ix = &t.indexes[t.index_count];

        *ix = most[row].index;
        ix->name = SPAN_LIT("I");
        ix->keys.hash[0].name = SPAN_LIT("a");
        ix->vector.parts = arena_array(arena, parts, sizeof *ix->vector.parts);
        ix->vector.part_count = parts;
    }
    again = schema_decode(NULL, schema_encode(arena, &t));
    schema_free(again);
    return again != NULL;
}

/* Whoever asks a table has room for no more. */
START_TEST(no_table_has_more_than_a_table_may_have)
{
    ck_assert_msg(is_table_with((size_t)_i, most[_i].count, most[_i].parts), "%s", most[_i].what);
    ck_assert_msg(!is_table_with((size_t)_i, most[_i].count + !most[_i].parts,
                                 most[_i].parts ? most[_i].parts + 1 : 0),
                  "one more of %s", most[_i].what);
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
    tcase_add_test(tc, every_member_is_stored);
    tcase_add_test(tc, the_catalog_form_keeps_everything);
    tcase_add_test(tc, a_decoded_table_owns_its_memory);
    tcase_add_test(tc, a_copy_owns_its_memory);
    tcase_add_test(tc, an_empty_table_can_be_copied_and_freed);
    tcase_add_test(tc, members_that_a_text_lacks_are_empty);
    tcase_add_test(tc, members_of_a_newer_text_are_passed_over);
    tcase_add_loop_test(tc, what_is_no_table_is_refused, 0, COUNT(no_tables));
    tcase_add_loop_test(tc, no_table_has_more_than_a_table_may_have, 0, COUNT(most));
    tcase_add_test(tc, no_shortened_or_altered_text_does_harm);
}

UNIT_TESTS(schema, add_tests)
