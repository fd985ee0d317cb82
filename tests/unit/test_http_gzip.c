#include "unit.h"

#include <libdeflate.h>

#include "http/http_gzip.h"

static const struct {
    const char *header;
    enum http_coding choice;
} headers[] = {
    {"gzip", HTTP_GZIP},
    {"deflate", HTTP_DEFLATE},
    {"GZIP", HTTP_GZIP},
    {"gzip, deflate, br", HTTP_GZIP},
    {"deflate,gzip", HTTP_DEFLATE},
    {"br, identity, deflate, gzip", HTTP_DEFLATE},
    {"dog, gzip ,, cat", HTTP_GZIP},
    {" br ; q=1.0 , gzip ; q=0.5", HTTP_GZIP},
    {"gzip;q=1", HTTP_GZIP},
    {"gzip;level=9", HTTP_GZIP},
    {"gzip;q", HTTP_GZIP},
    {"gzip;q=", HTTP_GZIP},
    {"gzip;q=0.8, deflate;q=0.5", HTTP_GZIP},
    {"gzip;q=0.5, deflate;q=0.8", HTTP_DEFLATE},
    {"br, gzip;q=0, deflate; q = 0.5 , identity;q=0", HTTP_DEFLATE},
    {"*", HTTP_GZIP},
    {"*, deflate;q=0.5", HTTP_GZIP},
    {"*, deflate", HTTP_DEFLATE},
    {"*, identity", HTTP_GZIP},
    {"*, gzip;q=0.5", HTTP_DEFLATE},
    {"*;q=0.5,identity", HTTP_GZIP},
    {"gzip;q=0, *", HTTP_DEFLATE},
    {"gzip;q=0.5,identity;q=0.8", HTTP_GZIP},
    {"br,identity;q=0.5,gzip;q=0.0001", HTTP_GZIP},
    {"gzip;q=0, gzip;q=1, gzip;q=0", HTTP_GZIP},
    {"deflate;q=0.5, gzip;q=31", HTTP_GZIP},
    {"gzip;q=31,deflate;q=51", HTTP_GZIP},
    {"deflate;q=0.5, gzip;q=0.2", HTTP_DEFLATE},
    {"deflate;q=0.5, gzip;q=1;q=0.2", HTTP_GZIP},
    {"deflate;q=0.5,gzip;q=0.", HTTP_DEFLATE},
    {"deflate;q=0.5,gzip;q=0.x", HTTP_GZIP},
    {"deflate;q=0.5,gzip;q=0. x", HTTP_GZIP},
    {"deflate;q=0.5,gzip;q=0.1.1", HTTP_GZIP},
    {"deflate;q=-0.5,gzip;q=0.2", HTTP_GZIP},
    {"deflate;q=0.5,gzip;q=0.00000000000000000", HTTP_GZIP},
    {"gzip;q =0;q=1", HTTP_GZIP},
    {NULL, HTTP_PLAIN},
    {"", HTTP_PLAIN},
    {",,", HTTP_PLAIN},
    {";q=1", HTTP_PLAIN},
    {"identity", HTTP_PLAIN},
    {"br", HTTP_PLAIN},
    {"x-gzip", HTTP_PLAIN},
    {"gzipped", HTTP_PLAIN},
    {"gzip br", HTTP_PLAIN},
    {"gzip:q=1", HTTP_PLAIN},
    {"\"gzip\"", HTTP_PLAIN},
    {"gzip;q=0", HTTP_PLAIN},
    {"gzip ;q=0", HTTP_PLAIN},
    {"gzip; q=0.000", HTTP_PLAIN},
    {"gzip;nq=0;q=1", HTTP_PLAIN},
    {"gzip;q= 0;q=1", HTTP_PLAIN},
    {"gzip; q=0;q=1", HTTP_PLAIN},
    {"*;q=0", HTTP_PLAIN},
    {"identity;q=0", HTTP_PLAIN},
    {"br;q=0.8,identity;q=0.5,*;q=0", HTTP_PLAIN},
};

START_TEST(knows_what_is_asked_for)
{
    ck_assert_int_eq(http_gzip_choice(headers[_i].header), headers[_i].choice);
}
END_TEST

static struct span unpacked(enum http_coding coding, struct span packed, size_t room)
{
    struct libdeflate_decompressor *z = libdeflate_alloc_decompressor();
    char *out = arena_alloc(arena, room + 1);
    size_t len;

    ck_assert_int_eq((coding == HTTP_GZIP ? libdeflate_gzip_decompress
                                          : libdeflate_zlib_decompress)(z, packed.at, packed.len,
                                                                        out, room + 1, &len),
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
        for (enum http_coding c = HTTP_GZIP; c <= HTTP_DEFLATE; c++) {
            out = http_gzip(z, c, in);
            ck_assert(span_equal(unpacked(c, out, sizes[i]), in));
            ck_assert(sizes[i] < 4096 || out.len < in.len / 4);
        }
        ck_assert_ptr_eq(http_gzip(z, HTTP_PLAIN, in).at, in.at);
    }
    http_gzip_free(z);
    http_gzip_free(NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, knows_what_is_asked_for, 0, COUNT(headers));
    tcase_add_test(tc, packs_one_reply_after_another);
}

int main(void)
{
    return unit_run("http_gzip", add_tests);
}
