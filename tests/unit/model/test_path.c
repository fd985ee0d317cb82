#include "unit.h"

#include "model/path.h"

/* A path from text in the simplest form: a.b[2].c */
static struct path path_of(const char *text)
{
    struct path p = {arena_array(arena, strlen(text) + 1, sizeof(struct path_step)), 0};

    while (*text) {
        struct path_step *step = &p.at[p.len++];
        size_t len = strcspn(text, ".[");

        if (*text == '[') {
            step->is_index = true;
            step->index = (uint32_t)strtoul(text + 1, NULL, 10);
            len = strcspn(text, "]") + 1;
        } else {
            step->name = (struct span){text, len};
        }
        text += len;
        text += *text == '.';
    }
    return p;
}

static const char *const subject =
    "{\"a\":{\"S\":\"1\"},\"m\":{\"M\":{\"x\":{\"S\":\"2\"},\"l\":{\"L\":[{\"S\":\"3\"},{\"M\":{"
    "\"y\":{\"S\":\"4\"}}},{\"L\":[{\"S\":\"5\"}]}]}}},\"s\":{\"SS\":[\"6\"]}}";

static const struct {
    const char *path, *found; /* NULL: nothing there */
} places[] = {
    {"a", "1"},
    {"m.x", "2"},
    {"m.l[0]", "3"},
    {"m.l[1].y", "4"},
    {"m.l[2][0]", "5"},
    {"b", NULL},
    {"a.b", NULL},
    {"a[0]", NULL},
    {"m[0]", NULL},
    {"m.y", NULL},
    {"m.l.x", NULL},
    {"m.l[3]", NULL},
    {"m.l[4294967295]", NULL},
    {"m.l[1].z", NULL},
    {"m.l[1][0]", NULL},
    {"m.l[2].y", NULL},
    {"s[0]", NULL},
};

START_TEST(finds_what_a_path_leads_to)
{
    struct item it = unit_item(subject);
    struct path p = path_of(places[_i].path);
    const struct attr *value = path_find(&it, &p);

    ck_assert_ptr_null(path_find(NULL, &p));
    if (!places[_i].found) {
        ck_assert_ptr_null(value);
        return;
    }
    ck_assert_ptr_nonnull(value);
    ck_assert_span_eq(value->bytes, places[_i].found);
}
END_TEST

static const struct {
    const char *a, *b;
    enum path_clash clash;
    bool equal;
} pairs[] = {
    {"a", "a", PATH_OVERLAP, true},
    {"a", "b", PATH_APART, false},
    {"a", "ab", PATH_APART, false},
    {"a", "a.b", PATH_OVERLAP, false},
    {"a.b", "a.b", PATH_OVERLAP, true},
    {"a.b", "a.c", PATH_APART, false},
    {"a.b", "b.b", PATH_APART, false},
    {"l", "l[0]", PATH_OVERLAP, false},
    {"l[0]", "l[0]", PATH_OVERLAP, true},
    {"l[0]", "l[1]", PATH_APART, false},
    {"a.c", "a[1]", PATH_CONFLICT, false},
    {"a.c.d", "a[1].d", PATH_CONFLICT, false},
    {"a.b.c", "a.b[0]", PATH_CONFLICT, false},
    {"a.b.c", "a.d[0]", PATH_APART, false},
    {"c[1].a", "c", PATH_OVERLAP, false},
};

START_TEST(tells_how_two_paths_clash)
{
    struct path a = path_of(pairs[_i].a), b = path_of(pairs[_i].b);

    ck_assert_int_eq(path_clash(&a, &b), pairs[_i].clash);
    ck_assert_int_eq(path_clash(&b, &a), pairs[_i].clash);
    ck_assert(path_equal(&a, &b) == pairs[_i].equal);
    ck_assert(path_equal(&b, &a) == pairs[_i].equal);
}
END_TEST

static const struct {
    const char *a, *b;
    bool equal;
} twins[] = {
    {"a", "a", true},        {"a", "b", false},      {"a.b[1]", "a.b[1]", true},
    {"a[1]", "a[2]", false}, {"a[1]", "a.b", false}, {"a", "a.b", false},
};

START_TEST(tells_whether_two_paths_are_equal)
{
    struct path a = path_of(twins[_i].a), b = path_of(twins[_i].b);

    ck_assert_int_eq(path_equal(&a, &b), twins[_i].equal);
    ck_assert_int_eq(path_equal(&b, &a), twins[_i].equal);
}
END_TEST

static const struct {
    const char *path, *printed;
} prints[] = {
    {"a", "[a]"},
    {"a.b[1].c", "[a, b, [1], c]"},
    {"l[0]", "[l, [0]]"},
    {"l[2147483647][0]", "[l, [2147483647], [0]]"},
};

START_TEST(prints_paths_as_messages_have_them)
{
    struct path p = path_of(prints[_i].path);
    struct buf out = buf_in(arena);

    path_print(&out, &p);
    ck_assert_str_eq(buf_text(&out), prints[_i].printed);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, finds_what_a_path_leads_to, 0, COUNT(places));
    tcase_add_loop_test(tc, tells_how_two_paths_clash, 0, COUNT(pairs));
    tcase_add_loop_test(tc, tells_whether_two_paths_are_equal, 0, COUNT(twins));
    tcase_add_loop_test(tc, prints_paths_as_messages_have_them, 0, COUNT(prints));
}

UNIT_TESTS(path, add_tests)
