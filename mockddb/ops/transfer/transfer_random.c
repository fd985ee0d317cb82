#include "ops/transfer/transfer_random.h"

#define NAME_LEN 26

struct span transfer_random_name(struct call *c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char random[NAME_LEN];
    struct buf name = buf_in(c->arena);

    clock_random(c->clock, random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        buf_add_char(&name, letters[random[i] % 32]);
    return buf_span(&name);
}
