#include "unit.h"

#include "store/memory/tree.h"
#include "support/memory_in_use.h"

/* The oracle: keys in order, each with the entry that the tree must have. */
struct model {
    size_t count;
    struct tree_entry *at[3000];
};

static size_t position_of(const struct model *m, struct span key)
{
    size_t i = 0;

    while (i < m->count && span_compare(tree_entry_key(m->at[i]), key) < 0)
        i++;
    return i;
}

static bool has_at(const struct model *m, size_t i, struct span key)
{
    return i < m->count && span_equal(tree_entry_key(m->at[i]), key);
}

static void put(struct tree *t, struct model *m, struct span key, size_t size)
{
    size_t i = position_of(m, key);
    struct tree_entry *e = tree_entry_new(key, size, SPAN_LIT("body")), *old = tree_put(t, e);

    ck_assert_ptr_eq(old, has_at(m, i, key) ? m->at[i] : NULL);
    if (!old) {
        memmove(m->at + i + 1, m->at + i, (m->count - i) * sizeof *m->at);
        m->count++;
    }
    tree_entry_release(old);
    m->at[i] = e;
}

static void remove_key(struct tree *t, struct model *m, struct span key)
{
    size_t i = position_of(m, key);
    struct tree_entry *old = tree_remove(t, key);

    ck_assert_ptr_eq(old, has_at(m, i, key) ? m->at[i] : NULL);
    if (!old)
        return;
    tree_entry_release(old);
    m->count--;
    memmove(m->at + i, m->at + i + 1, (m->count - i) * sizeof *m->at);
}

static void compare(const struct tree *t, const struct model *m)
{
    struct tree_place place;
    struct tree_entry *e;
    size_t i = 0, entries;

    ck_assert(tree_check(t, &entries));
    ck_assert_uint_eq(entries, m->count);
    for (e = tree_seek(t, SPAN_LIT(""), false, &place); e; e = tree_step(&place, false))
        ck_assert_ptr_eq(e, m->at[i++]);
    ck_assert_uint_eq(i, m->count);
    for (e = tree_seek(t, SPAN_LIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), true, &place); e;
         e = tree_step(&place, true))
        ck_assert_ptr_eq(e, m->at[--i]);
    ck_assert_uint_eq(i, 0);
}

/* Keys of several forms, so that nodes share long beginnings, none, and one key begins another. */
static struct span some_key(char *text, unsigned kind, unsigned numbers)
{
    unsigned n = unit_random(numbers), len;

    switch (kind) {
    case 0:
        len = (unsigned)sprintf(text, "USER#0000000000000000000000000000000000%06u#", n);
        break;
    case 1: /* "", "a", "aa", … and their neighbours */
        len = n % 40;
        memset(text, 'a' + (int)(n / 40 % 2), len);
        break;
    case 2: /* NUL bytes */
        len = n % 12;
        memset(text, 0, len);
        if (len)
            text[len - 1] = (char)(n / 12);
        break;
    default:
        len = 8;
        for (unsigned i = 0; i < len; i++)
            text[i] = (char)(n >> (i % 4 * 8) ^ i * 37);
    }
    return (struct span){text, len};
}

#define KEPT_BY_MALLOC 20000 /* blocks of each size that are free, and count as used */

/* Frees nodes until the process has no more memory than before. */
static void free_all(size_t before)
{
    while (tree_free(25))
        ;
    ck_assert_uint_lt(memory_in_use(), before + KEPT_BY_MALLOC);
}

START_TEST(it_is_an_ordered_map)
{
    struct model m = {.count = 0};
    struct tree t = {NULL};
    char text[64];
    size_t before = memory_in_use();

    for (unsigned round = 0; round < 24; round++) {
        unsigned grows = round % 3 ? 3 : 1, numbers = round < 12 ? 700 : 40;

        for (unsigned i = 0; i < 800; i++) {
            struct span key = some_key(text, _i < 4 ? (unsigned)_i : unit_random(4), numbers);

            if (unit_random(4) < grows)
                put(&t, &m, key, i);
            else
                remove_key(&t, &m, key);
            ck_assert_ptr_eq(tree_find(&t, key), has_at(&m, position_of(&m, key), key)
                                                     ? m.at[position_of(&m, key)]
                                                     : NULL);
        }
        compare(&t, &m);
        for (unsigned i = 0; i < 50; i++) { /* from anywhere, in both directions */
            struct span key = some_key(text, _i < 4 ? (unsigned)_i : unit_random(4), numbers);
            size_t at = position_of(&m, key);
            struct tree_place place;

            ck_assert_ptr_eq(tree_seek(&t, key, false, &place), at < m.count ? m.at[at] : NULL);
            ck_assert_ptr_eq(tree_seek(&t, key, true, &place), at ? m.at[at - 1] : NULL);
        }
    }
    while (m.count)
        remove_key(&t, &m, tree_entry_key(m.at[unit_random((unsigned)m.count)]));
    ck_assert_ptr_null(t.root);
    free_all(before);
}
END_TEST

/* Ascending keys leave full nodes, so that a table that was imported in order is small. */
START_TEST(ascending_keys_fill_nodes)
{
    struct tree t = {NULL};
    size_t entries, before = memory_in_use();
    char text[16];

    for (unsigned i = 0; i < 20000; i++)
        ck_assert_ptr_null(
            tree_put(&t, tree_entry_new((struct span){text, (size_t)sprintf(text, "%08u", i)}, i,
                                        SPAN_LIT(""))));
    ck_assert(tree_check(&t, &entries));
    ck_assert_uint_eq(entries, 20000);
    tree_release(&t);
    free_all(before);
}
END_TEST

/* Copies of a tree, copies of these, each changed by itself: none sees another's changes. */
START_TEST(copies_share_and_differ)
{
    enum { COPIES = 6 };
    struct model *models = arena_alloc(arena, COPIES * sizeof *models);
    struct tree trees[COPIES] = {{NULL}};
    size_t before = memory_in_use();
    char text[64];

    for (unsigned i = 0; i < 1500; i++)
        put(&trees[0], &models[0], some_key(text, unit_random(4), 1000), i);
    for (unsigned round = 0; round < 200; round++) {
        unsigned from = unit_random(COPIES), to = unit_random(COPIES);

        if (from != to) {
            tree_release(&trees[to]);
            trees[to] = tree_share(&trees[from]);
            models[to] = models[from];
        }
        if (round % 3)
            (void)tree_free(3);
        for (unsigned i = 0; i < 60; i++) {
            struct span key = some_key(text, unit_random(4), 1000);

            if (unit_random(2))
                put(&trees[to], &models[to], key, i);
            else
                remove_key(&trees[to], &models[to], key);
        }
        compare(&trees[from], &models[from]);
        compare(&trees[to], &models[to]);
    }
    for (unsigned i = 0; i < COPIES; i++) {
        compare(&trees[i], &models[i]);
        tree_release(&trees[i]);
    }
    free_all(before);
}
END_TEST

START_TEST(an_entry_keeps_its_owner)
{
    size_t before = memory_in_use();
    struct tree items = {NULL}, index = {NULL};
    struct tree_entry *owner = tree_entry_new(SPAN_LIT("item"), 5, SPAN_LIT("{}"));

    ck_assert_ptr_null(tree_put(&items, owner));
    ck_assert_ptr_null(tree_put(&index, tree_entry_link(SPAN_LIT("by-name"), 3, owner)));
    tree_entry_release(tree_remove(&items, SPAN_LIT("item")));
    ck_assert(span_is(tree_entry_body(tree_find(&index, SPAN_LIT("by-name"))), "{}"));
    tree_entry_release(tree_remove(&index, SPAN_LIT("by-name")));
    free_all(before);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, it_is_an_ordered_map, 0, 5);
    tcase_add_test(tc, ascending_keys_fill_nodes);
    tcase_add_test(tc, copies_share_and_differ);
    tcase_add_test(tc, an_entry_keeps_its_owner);
}

UNIT_TESTS(tree, add_tests)
