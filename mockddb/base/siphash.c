#include "base/siphash.h"

#include "base/platform.h"

#include <pthread.h>
#include <time.h>

struct siphash_state {
    uint64_t v[4];
};

static uint64_t rotate_word(uint64_t word, int bits)
{
    return (word << bits) | (word >> (64 - bits));
}

static void run_rounds(struct siphash_state *s, int count)
{
    uint64_t *v = s->v;

    while (count--) {
        v[0] += v[1];
        v[1] = rotate_word(v[1], 13) ^ v[0];
        v[0] = rotate_word(v[0], 32);
        v[2] += v[3];
        v[3] = rotate_word(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate_word(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate_word(v[1], 17) ^ v[2];
        v[2] = rotate_word(v[2], 32);
    }
}

static void take_word(struct siphash_state *s, uint64_t word)
{
    s->v[3] ^= word;
    run_rounds(s, 2);
    s->v[0] ^= word;
}

/* Up to eight bytes, the first one lowest. */
static uint64_t word_of(const char *at, size_t len)
{
    uint64_t word = 0;

    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return word;
}

uint64_t siphash(const struct siphash_key *key, struct span bytes)
{
    struct siphash_state s = {{
        key->word[0] ^ 0x736f6d6570736575u,
        key->word[1] ^ 0x646f72616e646f6du,
        key->word[0] ^ 0x6c7967656e657261u,
        key->word[1] ^ 0x7465646279746573u,
    }};
    struct span rest = bytes;

    for (; rest.len >= 8; rest = span_from(rest, 8))
        take_word(&s, word_of(rest.at, 8));
    take_word(&s, word_of(rest.at, rest.len) | (uint64_t)bytes.len << 56);
    s.v[2] ^= 0xff;
    run_rounds(&s, 4);
    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

struct siphash_table siphash_table_new(struct arena *a, const struct siphash_key *key, size_t count)
{
    size_t size = 64;

    while (size < 2 * count)
        size *= 2;
    return (struct siphash_table){key, arena_array(a, size, sizeof(uint32_t)), size - 1};
}

/* --- keys ------------------------------------------------------------------------------------- */

struct siphash_key siphash_random_key(void)
{
    struct siphash_key key;
    struct timespec now;

    if (platform_random(&key, sizeof key))
        return key;
    clock_gettime(CLOCK_REALTIME, &now);
    return (struct siphash_key){
        {(uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 30), (uint64_t)(uintptr_t)&key}};
}

static struct siphash_key own_key;

static void make_own_key(void)
{
    own_key = siphash_random_key();
}

const struct siphash_key *siphash_own_key(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;

    (void)pthread_once(&made, make_own_key);
    return &own_key;
}
