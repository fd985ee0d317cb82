#include "unit.h"

#include <libdeflate.h>

#include "http/http_gzip.h"

static const struct {
    const char *header;
    bool accepted;
} headers[] = {
    {"gzip", true},
    {"GZIP", true},
    {"gzip, deflate, br", true},
    {"deflate,gzip", true},
    {" br ; q=1.0 , gzip ; q=0.5", true},
    {"gzip;q=1", true},
    {"gzip;level=9", true},
    {"gzip;q", true},
    {NULL, false},
    {"", false},
    {",,", false},
    {"identity", false},
    {"x-gzip", false},
    {"gzipped", false},
    {"gzip;q=0", false},
    {"gzip; q=0.000", false},
    {"*", false},
};

START_TEST(knows_who_asks_for_gzip)
{
    ck_assert_int_eq(http_gzip_accepted(headers[_i].header), headers[_i].accepted);
}
END_TEST

static struct span unpacked(struct span packed, size_t room)
{
    struct libdeflate_decompressor *z = libdeflate_alloc_decompressor();
    char *out = arena_alloc(arena, room + 1);
    size_t len;

    ck_assert_int_eq(libdeflate_gzip_decompress(z, packed.at, packed.len, out, room + 1, &len),
                     LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(z);
    return (struct span){out, len};
}

static const size_t sizes[] = {0, 1, 4096, 70000, 3000000, 10};

START_TEST(packs_one_reply_after_another)
{
    struct http_gzip *z = http_gzip_new();

    for (size_t i = 0; i < COUNT(sizes); i++) {
        char *text = arena_alloc(arena, sizes[i] + 1);
        struct span in = {text, sizes[i]}, out;

        for (size_t k = 0; k < sizes[i]; k++)
            text[k] = (char)('a' + (k * k + i) % 23);
        out = http_gzip(z, in);
        ck_assert(span_equal(unpacked(out, sizes[i]), in));
        ck_assert(sizes[i] < 4096 || out.len < in.len / 4);
    }
    http_gzip_free(z);
    http_gzip_free(NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, knows_who_asks_for_gzip, 0, COUNT(headers));
    tcase_add_test(tc, packs_one_reply_after_another);
}

UNIT_TESTS(http_gzip, add_tests)
