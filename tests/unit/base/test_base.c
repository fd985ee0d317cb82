#include "unit.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/crc32.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/search.h"
#include "base/terminal.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdalign.h>
#include <unistd.h>

/* --- arena --------------------------------------------------------------------------------- */

static const size_t block_sizes[] = {0, 1, 7, 8, 16, 100, 4096, 65535, 65536, 65537, 1000000};

static bool all_are(const unsigned char *at, size_t size, unsigned char byte)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != byte)
            return false;
    return true;
}

START_TEST(blocks_are_zeroed_and_aligned)
{
    size_t size = block_sizes[_i];

    for (int round = 0; round < 3; round++) {
        unsigned char *first = arena_alloc(arena, size), *second = arena_alloc(arena, size);

        ck_assert_uint_eq((uintptr_t)first % alignof(max_align_t), 0);
        ck_assert_uint_eq((uintptr_t)second % alignof(max_align_t), 0);
        ck_assert(all_are(first, size, 0) && all_are(second, size, 0));
        memset(first, 0xAA, size);
        memset(second, 0x55, size);
        ck_assert(all_are(first, size, 0xAA));
        if (round == 1)
            arena_reset(arena);
    }
}
END_TEST

/* What was there before a mark, the newest block's rest included, survives any number of steps. */
START_TEST(a_release_gives_back_what_came_after_the_mark)
{
    struct arena_mark empty = arena_mark(arena);
    unsigned char *before = arena_alloc(arena, block_sizes[_i] + 1);

    memset(before, 0xAA, block_sizes[_i] + 1);
    for (int step = 0; step < 3; step++) {
        struct arena_mark mark = arena_mark(arena), inner;
        unsigned char *first = NULL;

        for (size_t i = 0; i < COUNT(block_sizes); i++) {
            unsigned char *at = arena_alloc(arena, block_sizes[i]);

            first = i ? first : at;
            memset(at, 0x55, block_sizes[i]);
        }
        inner = arena_mark(arena);
        memset(arena_alloc(arena, 100000), 0x66, 100000);
        arena_release(arena, inner);
        ck_assert(all_are(first, block_sizes[0], 0x55));
        arena_release(arena, mark);
        ck_assert(all_are(before, block_sizes[_i] + 1, 0xAA));
    }
    arena_release(arena, empty);
    ck_assert(all_are(arena_alloc(arena, 1000), 1000, 0));
    arena_reset(arena);
}
END_TEST

START_TEST(steps_that_are_released_do_not_add_up)
{
    const struct arena_budget budget = {.bytes = 300000, .steps = 10000000};
    jmp_buf landing;

    if (setjmp(landing))
        ck_abort_msg("the budget is used up");
    arena_alloc(arena, 60000);
    arena_limit(arena, &budget, &landing);
    for (int step = 0; step < 1000; step++) {
        struct arena_mark mark = arena_mark(arena);

        arena_alloc(arena, 10000); /* in a further block */
        arena_alloc(arena, 100000);
        arena_release(arena, mark);
    }
    arena_unlimit(arena);
}
END_TEST

START_TEST(what_an_arena_within_it_took_is_the_budgets_again)
{
    const struct arena_budget budget = {.bytes = 300000, .steps = 10000000};
    jmp_buf landing;

    if (setjmp(landing))
        ck_abort_msg("the budget is used up");
    arena_limit(arena, &budget, &landing);
    for (int step = 0; step < 1000; step++) {
        struct arena *within = arena_new_in(arena);

        arena_alloc(within, 10000);
        arena_alloc(within, 100000);
        arena_free(within);
    }
    ck_assert_uint_eq(arena_left(arena)->bytes, budget.bytes);
    arena_unlimit(arena);
}
END_TEST

START_TEST(only_work_that_allows_it_runs_again)
{
    const struct arena_budget budget = {.bytes = 300000, .steps = 10000000};
    jmp_buf landing;
    volatile int tries = 0;

    switch (setjmp(landing)) {
    case ARENA_RUN_AGAIN:
        ck_assert_int_eq(tries, 1);
        break;
    default:
        tries++;
        arena_limit(arena, &budget, &landing);
        arena_run_again(arena); /* returns */
        arena_allow_again(arena);
        arena_run_again(arena_new_in(arena));
        ck_abort_msg("it did not run again");
    }
    arena_limit(arena, &budget, &landing); /* another budget, which does not allow it */
    arena_run_again(arena);
    arena_unlimit(arena);
}
END_TEST

START_TEST(growing_keeps_the_bytes)
{
    unsigned char *at = NULL;
    size_t size = 0;

    for (size_t larger = 1; larger < 300000; larger = larger * 2 + 1) {
        at = arena_grow(arena, at, size, larger);
        memset(at + size, (int)(larger % 251), larger - size);
        size = larger;
        if (larger % 3 == 0)
            arena_alloc(arena, 10); /* now something else is the newest block */
    }
    for (size_t from = 0, to = 1; to <= size; from = to, to = to * 2 + 1)
        ck_assert(all_are(at + from, to - from, (unsigned char)(to % 251)));
    ck_assert_ptr_eq(arena_grow(arena, at, size, size - 1), at);
}
END_TEST

START_TEST(texts_are_copied_and_ended)
{
    struct span s = {"abcdef", 3};
    struct span copy = arena_span(arena, s);

    ck_assert_str_eq(arena_text(arena, s), "abc");
    ck_assert_str_eq(arena_text(arena, (struct span){NULL, 0}), "");
    ck_assert_span_eq(copy, "abc");
    ck_assert_int_eq(copy.at[3], '\0');
    ck_assert_ptr_ne(copy.at, s.at);
    ck_assert_str_eq(arena_printf(arena, "%s-%d-%0200d", "a", 7, 0) + 4,
                     arena_printf(arena, "%0200d", 0));
}
END_TEST

START_TEST(a_product_that_overflows_ends_the_process)
{
    arena_array(arena, SIZE_MAX / 2, 3);
}
END_TEST

/* --- buf ----------------------------------------------------------------------------------- */

START_TEST(a_buffer_grows)
{
    struct buf b = buf_in(arena);

    ck_assert_str_eq(buf_text(&b), "");
    for (int i = 0; i < 20000; i++) {
        buf_add_char(&b, (char)('a' + i % 26));
        if (i % 1000 == 0)
            arena_alloc(arena, 1);
    }
    ck_assert_uint_eq(b.len, 20000);
    for (int i = 0; i < 20000; i++)
        ck_assert_int_eq(b.at[i], 'a' + i % 26);
    b.len = 0;
    buf_add(&b, NULL, 0);
    buf_add_text(&b, "x");
    buf_add_span(&b, SPAN_LIT("y\0z"));
    buf_printf(&b, "%d%s", 42, arena_printf(arena, "%01000d", 0));
    ck_assert_uint_eq(b.len, 1 + 3 + 2 + 1000);
    ck_assert(span_starts_with(buf_span(&b), SPAN_LIT("xy\0z42000")));
    ck_assert_uint_eq(strlen(buf_text(&b)), 2);
    ck_assert_uint_eq(b.len, 1006);
}
END_TEST

static const struct {
    int64_t value;
    const char *text;
} integers[] = {
    {0, "0"},
    {7, "7"},
    {-10, "-10"},
    {INT64_MAX, "9223372036854775807"},
    {INT64_MIN, "-9223372036854775808"},
};

START_TEST(writes_integers)
{
    struct buf b = buf_in(arena);

    buf_add_integer(&b, integers[_i].value);
    ck_assert_str_eq(buf_text(&b), integers[_i].text);
}
END_TEST

/* Whether or not there is room for it. */
START_TEST(formats_texts_of_any_length)
{
    struct buf b = buf_in(arena);

    for (int len = 1; len <= 1000; len++) {
        b.len = 0;
        buf_printf(&b, "%0*d", len, 7);
        ck_assert_int_eq((int)b.len, len);
        buf_printf(&b, "x%0*d", 1000, 0);
        ck_assert_int_eq((int)b.len, len + 1001);
        ck_assert_mem_eq(b.at + len - 1, "7x0", 3);
    }
}
END_TEST

static const struct {
    struct span in;
    const char *out;
} json_strings[] = {
    {SPAN_LIT_INIT(""), "\"\""},
    {SPAN_LIT_INIT("plain"), "\"plain\""},
    {SPAN_LIT_INIT("\"\\/"), "\"\\\"\\\\/\""},
    {SPAN_LIT_INIT("\n\r\t\b\f"), "\"\\n\\r\\t\\b\\f\""},
    {SPAN_LIT_INIT("a\0b"), "\"a\\u0000b\""},
    {SPAN_LIT_INIT("\x01\x1f\x7f"), "\"\\u0001\\u001f\x7f\""},
    {SPAN_LIT_INIT("\xc3\xa9\xf0\x9f\x98\x80"), "\"\xc3\xa9\xf0\x9f\x98\x80\""},
    {SPAN_LIT_INIT("a\"\"\\\n\x01z\"\""), "\"a\\\"\\\"\\\\\\n\\u0001z\\\"\\\"\""},
    {SPAN_LIT_INIT("12345678\"12345678"), "\"12345678\\\"12345678\""},
    {SPAN_LIT_INIT("1234567812345678\n12345678\\"), "\"1234567812345678\\n12345678\\\\\""},
};

START_TEST(writes_json_strings)
{
    struct buf b = buf_in(arena);

    buf_add_json_string(&b, json_strings[_i].in);
    ck_assert_str_eq(buf_text(&b), json_strings[_i].out);
}
END_TEST

/* --- utf8 ---------------------------------------------------------------------------------- */

static const struct {
    struct span text;
    bool valid;
    size_t units; /* where it is valid */
} texts[] = {
    {SPAN_LIT_INIT(""), true, 0},
    {SPAN_LIT_INIT("abc"), true, 3},
    {SPAN_LIT_INIT("\0"), true, 1},
    {SPAN_LIT_INIT("\x7f"), true, 1},
    {SPAN_LIT_INIT("ab\xc3\xa9"), true, 3},
    {SPAN_LIT_INIT("\xc2\x80"), true, 1},
    {SPAN_LIT_INIT("\xe0\xa0\x80"), true, 1},
    {SPAN_LIT_INIT("\xed\x9f\xbf"), true, 1},
    {SPAN_LIT_INIT("\xee\x80\x80"), true, 1},
    {SPAN_LIT_INIT("\xef\xbf\xbf"), true, 1},
    {SPAN_LIT_INIT("\xf0\x90\x80\x80"), true, 2},
    {SPAN_LIT_INIT("\xf4\x8f\xbf\xbf"), true, 2},
    {SPAN_LIT_INIT("\x80"), false, 0},
    {SPAN_LIT_INIT("\xc3"), false, 0},
    {SPAN_LIT_INIT("\xc3("), false, 0},
    {SPAN_LIT_INIT("\xc0\x80"), false, 0},
    {SPAN_LIT_INIT("\xc1\xbf"), false, 0},
    {SPAN_LIT_INIT("\xe0\x9f\xbf"), false, 0},
    {SPAN_LIT_INIT("\xed\xa0\x80"), false, 0},
    {SPAN_LIT_INIT("\xe2\x82"), false, 0},
    {SPAN_LIT_INIT("\xf0\x8f\xbf\xbf"), false, 0},
    {SPAN_LIT_INIT("\xf4\x90\x80\x80"), false, 0},
    {SPAN_LIT_INIT("\xf5\x80\x80\x80"), false, 0},
    {SPAN_LIT_INIT("\xf0\x9f\x98"), false, 0},
    {SPAN_LIT_INIT("a\xff"), false, 0},
};

START_TEST(knows_utf8)
{
    /* a block of its own, so that reading past it is noticed */
    size_t len = texts[_i].text.len;
    struct span text = {memcpy(arena_alloc_raw(arena, len), texts[_i].text.at, len), len};

    ck_assert(utf8_valid(text) == texts[_i].valid);
    if (texts[_i].valid)
        ck_assert_uint_eq(utf8_utf16_length(text), texts[_i].units);
}
END_TEST

/* --- texts for screens --------------------------------------------------------------------- */

static const struct {
    const char *text, *shown;
} screens[] = {
    {"a line\n\tand another\n", "a line\n\tand another\n"},
    {"\x1b[2Jgone", "\\u001b[2Jgone"},
    {"a\rb\bc\x7f\a", "a\\u000db\\u0008c\\u007f\\u0007"},
    {"\xc2\x9b"
     "31m",
     "\\u009b31m"}, /* the second set, in UTF-8 */
    {"\x9b"
     "31m \xff",
     "\\u009b31m \xff"}, /* as a byte of its own */
    {"Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x98\x80", "Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\xa0\xc2", "\xc2\xa0\xc2"},
    {"", ""},
};

START_TEST(a_screen_gets_no_control_characters)
{
    struct buf out = buf_in(arena);

    terminal_add(&out, span_of(screens[_i].text));
    ck_assert_str_eq(buf_text(&out), screens[_i].shown);
}
END_TEST

/* --- base64 -------------------------------------------------------------------------------- */

static const struct {
    const char *bytes, *text;
} codes[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xff\xfe\xfb", "//77"},
};

START_TEST(writes_and_reads_base64)
{
    struct buf out = buf_in(arena);
    struct span bytes;

    base64_encode(&out, span_of(codes[_i].bytes));
    ck_assert_str_eq(buf_text(&out), codes[_i].text);
    ck_assert(base64_decode(arena, span_of(codes[_i].text), &bytes));
    ck_assert_span_eq(bytes, codes[_i].bytes);
}
END_TEST

static const char *const no_codes[] = {
    "Z",       "Zg",   "Zg=",  "Zh==",     "Zm9=",       "Zm9v=",
    "Zm9vZg",  "=m9v", "Zm=v", "Z===",     "====",       "Zm9v\nZg=",
    "Zm9v Zg", "Zm9-", "Zm9_", "Zg==Zg==", "\xc3\xa9==", "Zm9vZm9vZm9vZm9vZm9vZm9v\n\n\n\n",
};

START_TEST(refuses_what_is_no_base64)
{
    struct span bytes = {NULL, 7};

    ck_assert(!base64_decode(arena, span_of(no_codes[_i]), &bytes));
    ck_assert_uint_eq(bytes.len, 7);
}
END_TEST

START_TEST(base64_survives_any_length)
{
    for (size_t len = 0; len < 300; len++) {
        char *bytes = arena_alloc(arena, len);
        struct buf out = buf_in(arena);
        struct span again;

        for (size_t i = 0; i < len; i++)
            bytes[i] = (char)(i * 37 + len);
        base64_encode(&out, (struct span){bytes, len});
        ck_assert(base64_decode(arena, buf_span(&out), &again));
        ck_assert(span_equal(again, (struct span){bytes, len}));
    }
}
END_TEST

/* --- crc32 and hash ------------------------------------------------------------------------ */

static const struct {
    const char *bytes;
    uint32_t crc;
} checksums[] = {
    {"", 0},
    {"123456789", 0xcbf43926},
    {"{}", 2745614147},
    {"<UnknownOperationException/>\n", 3552371480},
    {"{\"__type\":\"com.amazon.coral.service#SerializationException\"}", 3948637019},
    {"{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}", 1368724161},
    {"healthy: dynamodb.us-east-1.amazonaws.com ", 3128867991},
};

START_TEST(checksums_are_those_of_the_service)
{
    ck_assert_uint_eq(crc32_of(span_of(checksums[_i].bytes)), checksums[_i].crc);
}
END_TEST

/* The order of Scan in existing files depends on these. */
static const struct {
    struct span bytes;
    uint32_t hash;
} hashes[] = {
    {SPAN_LIT_INIT(""), 0xecba3df2},
    {SPAN_LIT_INIT("a"), 0xed8170de},
    {SPAN_LIT_INIT("a\0\0"), 0xeadb4095},
    {SPAN_LIT_INIT("USER#1\0\0"), 0xa21df541},
    {SPAN_LIT_INIT("\xff\xfe\xfd"), 0xe84cd581},
};

START_TEST(hashes_never_change)
{
    ck_assert_uint_eq(hash_bytes(hashes[_i].bytes), hashes[_i].hash);
}
END_TEST

START_TEST(digests_are_sha256)
{
    unsigned char digest[SHA256_LEN];
    struct buf out = buf_in(arena);

    digest_sha256(SPAN_LIT("abc"), digest);
    for (size_t i = 0; i < sizeof digest; i++)
        buf_printf(&out, "%02x", digest[i]);
    ck_assert_str_eq(buf_text(&out),
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
END_TEST

/* --- search -------------------------------------------------------------------------------- */

static bool contains_plainly(struct span in, struct span part)
{
    for (size_t i = 0; i + part.len <= in.len; i++)
        if (span_starts_with(span_from(in, i), part))
            return true;
    return false;
}

static struct span random_bytes(size_t max)
{
    size_t len = unit_random((unsigned)max + 1);
    char *bytes = arena_alloc(arena, len);

    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)unit_random(2);
    return (struct span){bytes, len};
}

START_TEST(finds_what_a_plain_search_finds)
{
    for (int i = 0; i < 30000; i++) {
        struct span in = random_bytes(24), part = random_bytes(8);
        size_t looked = 0;

        ck_assert(search_contains(in, part, &looked) == contains_plainly(in, part));
        if (i % 100 == 0)
            arena_reset(arena);
    }
}
END_TEST

START_TEST(searching_stays_linear)
{
    size_t len = 400000, looked = 0;
    char *in = arena_alloc(arena, len), *part = arena_alloc(arena, len / 2);

    memset(in, 'a', len);
    memset(part, 'a', len / 2);
    part[len / 4] = 'b';
    ck_assert(!search_contains((struct span){in, len}, (struct span){part, len / 2}, &looked));
    ck_assert_uint_gt(looked, len);
    ck_assert_uint_lt(looked, 2 * len);
    memcpy(in + len / 2, part, len / 2);
    ck_assert(search_contains((struct span){in, len}, (struct span){part, len / 2}, &looked));
    ck_assert_uint_lt(looked, 4 * len);
}
END_TEST

/* --- clock --------------------------------------------------------------------------------- */

START_TEST(a_fixed_clock_stands_still)
{
    struct clock *c = clock_new_fixed(1760000000000, 1);

    ck_assert_int_eq(clock_now_ms(c), 1760000000000);
    clock_advance(c, 1500);
    ck_assert_int_eq(clock_now_ms(c), 1760000001500);
    clock_advance(c, -2000);
    ck_assert_int_eq(clock_now_ms(c), 1759999999500);
    clock_free(c);
}
END_TEST

START_TEST(only_a_fixed_clock_has_a_known_key)
{
    struct clock *clocks[] = {clock_new_fixed(0, 1), clock_new_fixed(9, 1), clock_new_system(),
                              clock_new_system()};
    uint64_t first[COUNT(clocks)];

    for (size_t i = 0; i < COUNT(clocks); i++) {
        first[i] = clock_hash_key(clocks[i])->word[0];
        clock_free(clocks[i]);
    }
    ck_assert_uint_eq(first[0], first[1]);
    ck_assert_uint_ne(first[1], first[2]);
    ck_assert_uint_ne(first[2], first[3]);
}
END_TEST

START_TEST(a_held_clock_stands_still)
{
    struct clock *c = clock_new_fixed(1000, 1);

    clock_hold(c);
    clock_advance(c, 500);
    ck_assert_int_eq(clock_now_ms(c), 1000);
    clock_release(c);
    ck_assert_int_eq(clock_now_ms(c), 1500);
    clock_free(c);
}
END_TEST

START_TEST(a_clock_goes_as_fast_as_it_is_told)
{
    struct clock *c = clock_new_system();

    clock_set(c, 1000);
    clock_set_rate(c, 0);
    ck_assert_int_eq(clock_rate(c) != 0, 0);
    ck_assert_int_le(clock_now_ms(c) - 1000, 60000);
    clock_set(c, 5000);
    ck_assert_int_eq(clock_now_ms(c), 5000);
    clock_set_rate(c, 1e6);
    while (clock_now_ms(c) < 1000000)
        ;
    clock_follow_system(c);
    ck_assert_int_gt(clock_now_ms(c), 1760000000000);
    clock_free(c);
}
END_TEST

START_TEST(the_systems_clock_can_be_moved)
{
    struct clock *c = clock_new_system();
    int64_t now = clock_now_ms(c), later;

    clock_advance(c, 3600000);
    later = clock_now_ms(c);
    ck_assert_int_ge(later, now + 3600000);
    ck_assert_int_lt(later, now + 3660000);
    clock_free(c);
    clock_free(NULL);
}
END_TEST

static bool looks_like_uuid(const char *text)
{
    static const char pattern[] = "xxxxxxxx-xxxx-4xxx-Nxxx-xxxxxxxxxxxx";

    if (strlen(text) != strlen(pattern))
        return false;
    for (size_t i = 0; pattern[i]; i++) {
        const char *allowed = pattern[i] == 'x' ? "0123456789abcdef" : "89ab";

        if (pattern[i] == 'x' || pattern[i] == 'N' ? !strchr(allowed, text[i])
                                                   : text[i] != pattern[i])
            return false;
    }
    return true;
}

START_TEST(the_same_seed_gives_the_same_ids)
{
    struct clock *a = clock_new_fixed(0, 42), *b = clock_new_fixed(5, 42),
                 *c = clock_new_fixed(0, 43);
    const char *first = clock_uuid(a, arena), *second = clock_uuid(a, arena);

    ck_assert(looks_like_uuid(first) && looks_like_uuid(second));
    ck_assert_str_ne(first, second);
    ck_assert_str_eq(clock_uuid(b, arena), first);
    ck_assert_str_ne(clock_uuid(c, arena), first);
    clock_free(a);
    clock_free(b);
    clock_free(c);
}
END_TEST

START_TEST(two_processes_get_different_ids)
{
    struct clock *a = clock_new_system(), *b = clock_new_system();

    ck_assert_str_ne(clock_uuid(a, arena), clock_uuid(b, arena));
    clock_free(a);
    clock_free(b);
}
END_TEST

START_TEST(random_bytes_fill_exactly_what_was_asked_for)
{
    struct clock *c = clock_new_fixed(0, 7);

    for (size_t len = 0; len < 40; len++) {
        unsigned char *bytes = arena_alloc(arena, len + 1);

        clock_random(c, bytes, len);
        ck_assert_int_eq(bytes[len], 0);
    }
    clock_free(c);
}
END_TEST

/* --- files ------------------------------------------------------------------------------------ */

#define LONG_LINE 3000 /* more than is read at a time */

/* What a file holds, and what it holds after a line x was appended; "-" is a long text. */
static const struct {
    const char *before, *after;
} appended[] = {
    {"", "x\n"},        {"a\n", "a\nx\n"},           {"a\nb", "a\nx\n"},
    {"a", "x\n"},       {"a\n\nb\n", "a\n\nb\nx\n"}, {"-", "x\n"},
    {"a\n-", "a\nx\n"}, {"-\n", "-\nx\n"},           {"-\n-", "-\nx\n"},
};

static struct span with_long_lines(const char *text)
{
    struct buf out = buf_in(arena);

    for (; *text; text++)
        for (int n = *text == '-' ? LONG_LINE : 1; n; n--)
            buf_add_char(&out, *text);
    return buf_span(&out);
}

START_TEST(lines_are_appended_to_whole_lines)
{
    struct span before = with_long_lines(appended[_i].before), found;
    char folder[UNIT_FOLDER_SIZE];
    const char *path;
    FILE *file;

    unit_make_folder(folder);
    path = arena_printf(arena, "%s/lines", folder);
    ck_assert_ptr_nonnull(file = fopen(path, "wb"));
    ck_assert(!before.len || fwrite(before.at, before.len, 1, file) == 1);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(file_append_lines(path, SPAN_LIT("x\n")));
    ck_assert(file_read(arena, path, &found));
    ck_assert(span_equal(found, with_long_lines(appended[_i].after)));
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(remove(folder), 0);
}
END_TEST

/* The reason is the one why it cannot be made, not that it is missing then. */
START_TEST(a_folder_that_cannot_be_made_says_why)
{
    uid_t user = geteuid();
    int cause;

    if (!user)
        ck_assert_int_eq(seteuid(65534), 0);
    ck_assert(!file_make_folder(arena, "/mockddb-test-folder/below"));
    cause = errno;
    ck_assert_int_eq(seteuid(user), 0);
    ck_assert(cause == EACCES || cause == EROFS);
}
END_TEST

START_TEST(folders_are_made_with_those_above_them)
{
    char folder[UNIT_FOLDER_SIZE];
    const char *path, *file;

    unit_make_folder(folder);
    path = arena_printf(arena, "%s//a/b/", folder);
    file = arena_printf(arena, "%s/file", folder);
    ck_assert(file_make_folder(arena, path));
    ck_assert(file_make_folder(arena, path));
    ck_assert(file_append_lines(file, SPAN_LIT("x\n")));
    ck_assert(!file_make_folder(arena, file));
    ck_assert_int_eq(errno, ENOTDIR);
    ck_assert(!file_make_folder(arena, arena_printf(arena, "%s/below", file)));
    ck_assert_int_eq(errno, ENOTDIR);
    ck_assert(!file_make_folder(arena, ""));
    ck_assert_int_eq(remove(file), 0);
    ck_assert_int_eq(remove(arena_printf(arena, "%s/a/b", folder)), 0);
    ck_assert_int_eq(remove(arena_printf(arena, "%s/a", folder)), 0);
    ck_assert_int_eq(remove(folder), 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, blocks_are_zeroed_and_aligned, 0, COUNT(block_sizes));
    tcase_add_loop_test(tc, a_release_gives_back_what_came_after_the_mark, 0, COUNT(block_sizes));
    tcase_add_test(tc, a_folder_that_cannot_be_made_says_why);
    tcase_add_test(tc, folders_are_made_with_those_above_them);
    tcase_add_test(tc, steps_that_are_released_do_not_add_up);
    tcase_add_test(tc, what_an_arena_within_it_took_is_the_budgets_again);
    tcase_add_test(tc, only_work_that_allows_it_runs_again);
    tcase_add_test(tc, growing_keeps_the_bytes);
    tcase_add_test(tc, texts_are_copied_and_ended);
    if (unit_forks()) /* it ends the process that it runs in */
        tcase_add_exit_test(tc, a_product_that_overflows_ends_the_process, EXIT_FAILURE);
    tcase_add_test(tc, a_buffer_grows);
    tcase_add_loop_test(tc, writes_integers, 0, COUNT(integers));
    tcase_add_test(tc, formats_texts_of_any_length);
    tcase_add_loop_test(tc, writes_json_strings, 0, COUNT(json_strings));
    tcase_add_loop_test(tc, knows_utf8, 0, COUNT(texts));
    tcase_add_loop_test(tc, a_screen_gets_no_control_characters, 0, COUNT(screens));
    tcase_add_loop_test(tc, writes_and_reads_base64, 0, COUNT(codes));
    tcase_add_loop_test(tc, refuses_what_is_no_base64, 0, COUNT(no_codes));
    tcase_add_test(tc, base64_survives_any_length);
    tcase_add_loop_test(tc, checksums_are_those_of_the_service, 0, COUNT(checksums));
    tcase_add_loop_test(tc, hashes_never_change, 0, COUNT(hashes));
    tcase_add_test(tc, digests_are_sha256);
    tcase_add_test(tc, finds_what_a_plain_search_finds);
    tcase_add_test(tc, searching_stays_linear);
    tcase_add_test(tc, a_fixed_clock_stands_still);
    tcase_add_test(tc, only_a_fixed_clock_has_a_known_key);
    tcase_add_test(tc, a_held_clock_stands_still);
    tcase_add_test(tc, a_clock_goes_as_fast_as_it_is_told);
    tcase_add_test(tc, the_systems_clock_can_be_moved);
    tcase_add_test(tc, the_same_seed_gives_the_same_ids);
    tcase_add_test(tc, two_processes_get_different_ids);
    tcase_add_test(tc, random_bytes_fill_exactly_what_was_asked_for);
    tcase_add_loop_test(tc, lines_are_appended_to_whole_lines, 0, COUNT(appended));
}

UNIT_TESTS(base, add_tests)
