#include "unit.h"

#include "base/siphash.h"

/* The authors' own vectors: the key is 00 01 … 0F, the message 00 01 … of that length. */
static const struct {
    size_t len;
    uint64_t hash;
} vectors[] = {
    {0, 0x726fdb47dd0e0e31},  {1, 0x74f839c593dc67fd},  {2, 0x0d6c8009d9a94f5a},
    {3, 0x85676696d7fb7e2d},  {7, 0xab0200f58b01d137},  {8, 0x93f5f5799a932462},
    {15, 0xa129ca6149be45e5}, {63, 0x958a324ceb064572},
};

START_TEST(agrees_with_the_published_vectors)
{
    const struct siphash_key key = {{0x0706050403020100, 0x0f0e0d0c0b0a0908}};
    char message[64];

    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (char)i;
    ck_assert_uint_eq(siphash(&key, (struct span){message, vectors[_i].len}), vectors[_i].hash);
}
END_TEST

START_TEST(depends_on_the_key)
{
    const struct siphash_key one = {{1, 2}}, two = {{1, 3}};

    ck_assert_uint_ne(siphash(&one, SPAN_LIT("name")), siphash(&two, SPAN_LIT("name")));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, agrees_with_the_published_vectors, 0, COUNT(vectors));
    tcase_add_test(tc, depends_on_the_key);
}

UNIT_TESTS(siphash, add_tests)
