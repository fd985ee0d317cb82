#include "unit.h"

#include "base/packed.h"

#include <libdeflate.h>

/* Unpacks in parts of so many bytes in and so many out; NULL where that goes wrong. */
static const char *unpack(enum packed_form form, struct span packed, size_t part, size_t room,
                          struct buf *out)
{
    struct packed_reader *r = packed_reader_new(form);
    const char *problem = NULL;
    bool done = false;

    while (!problem && !done) {
        struct span taken = {packed.at, packed.len < part ? packed.len : part};
        size_t before = taken.len, len;

        problem = packed_read(r, &taken, buf_reserve(out, room), room, &len);
        out->len += len;
        packed = span_from(packed, before - taken.len);
        done = !packed.len && !len;
    }
    if (!problem)
        problem = packed_reader_end(r);
    packed_reader_free(r);
    return problem;
}

static struct buf pack_twice(enum packed_form form, struct span one, struct span two)
{
    struct packed_writer *w = packed_writer_new(form);
    struct buf out = buf_in(arena);

    packed_add(w, &out, one);
    packed_add(w, &out, two);
    packed_writer_free(w);
    return out;
}

static struct span some_bytes(size_t len)
{
    char *at = arena_alloc(arena, len);

    for (size_t i = 0; i < len; i++)
        at[i] = (char)(unit_random(3) ? 'a' : unit_random(256));
    return (struct span){at, len};
}

START_TEST(what_was_packed_in_parts_comes_back_as_one)
{
    enum packed_form form = (enum packed_form)_i;
    struct span one = some_bytes(100000), two = some_bytes(3);
    struct buf packed = pack_twice(form, one, two), out = buf_in(arena);

    ck_assert_pstr_eq(unpack(form, buf_span(&packed), 777, 4096, &out), NULL);
    ck_assert_uint_eq(out.len, one.len + two.len);
    ck_assert_mem_eq(out.at, one.at, one.len);
    ck_assert_mem_eq(out.at + one.len, two.at, two.len);
}
END_TEST

START_TEST(nothing_is_nothing)
{
    struct buf out = buf_in(arena);

    ck_assert_pstr_eq(unpack((enum packed_form)_i, (struct span){"", 0}, 1, 10, &out), NULL);
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

START_TEST(damage_and_a_missing_end_are_noticed)
{
    enum packed_form form = (enum packed_form)_i;
    struct buf packed = pack_twice(form, some_bytes(1000), some_bytes(1000)), out = buf_in(arena);

    ck_assert_str_eq(unpack(form, (struct span){packed.at, packed.len - 1}, 100, 100, &out),
                     "it ends too early");
    packed.at[0] ^= 1;
    ck_assert_ptr_nonnull(strstr(unpack(form, buf_span(&packed), 100, 100, &out), "or damaged"));
}
END_TEST

static struct span pack_as_zlib(struct span text)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    size_t most = libdeflate_zlib_compress_bound(c, text.len);
    char *bytes = arena_alloc(arena, most);
    struct span packed = {bytes, libdeflate_zlib_compress(c, text.at, text.len, bytes, most)};

    libdeflate_free_compressor(c);
    return packed;
}

START_TEST(a_whole_text_is_unpacked_up_to_a_length)
{
    struct span text = some_bytes(200000), zlib = pack_as_zlib(text);
    struct buf gzip = pack_twice(PACKED_GZIP, text, text), out;
    const char *problem;

    out = buf_in(arena);
    ck_assert_pstr_eq(packed_unpack(PACKED_ZLIB, zlib, text.len, &out), NULL);
    ck_assert(span_equal(buf_span(&out), text));
    out = buf_in(arena);
    ck_assert_pstr_eq(packed_unpack(PACKED_GZIP, buf_span(&gzip), 2 * text.len, &out), NULL);
    ck_assert_uint_eq(out.len, 2 * text.len);
    out = buf_in(arena);
    ck_assert_pstr_eq(packed_unpack(PACKED_ZLIB, zlib, text.len - 1, &out), NULL);
    ck_assert_uint_gt(out.len, text.len - 1);
    out = buf_in(arena);
    problem = packed_unpack(PACKED_ZLIB, (struct span){zlib.at, zlib.len - 1}, text.len, &out);
    ck_assert_str_eq(problem, "it ends too early");
    out = buf_in(arena);
    problem = packed_unpack(PACKED_GZIP, zlib, text.len, &out);
    ck_assert_str_eq(problem, "this is not in gzip form, or damaged");
    problem = packed_unpack(PACKED_ZLIB, buf_span(&gzip), text.len, &out);
    ck_assert_str_eq(problem, "this is not in zlib form, or damaged");
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

START_TEST(names_say_the_form)
{
    ck_assert_int_eq(packed_form_of_name(SPAN_LIT("a/b.json.gz")), PACKED_GZIP);
    ck_assert_int_eq(packed_form_of_name(SPAN_LIT("b.zst")), PACKED_ZSTD);
    ck_assert_int_eq(packed_form_of_name(SPAN_LIT(".gz")), PACKED_NOT);
    ck_assert_int_eq(packed_form_of_name(SPAN_LIT("gz")), PACKED_NOT);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, what_was_packed_in_parts_comes_back_as_one, PACKED_NOT,
                        PACKED_ZSTD + 1);
    tcase_add_loop_test(tc, nothing_is_nothing, PACKED_NOT, PACKED_ZSTD + 1);
    tcase_add_loop_test(tc, damage_and_a_missing_end_are_noticed, PACKED_GZIP, PACKED_ZSTD + 1);
    tcase_add_test(tc, a_whole_text_is_unpacked_up_to_a_length);
    tcase_add_test(tc, names_say_the_form);
}

UNIT_TESTS(packed, add_tests)
