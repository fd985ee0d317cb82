#include "worlds/snapshot_tail.h"

#include <string.h>

/* All numbers are little-endian. */
enum {
    AT_STORE_LEN = 0,
    AT_TAKEN = 8,
    AT_NOW = 16,
    AT_RATE = 24, /* bits of a double */
    AT_FLAGS = 32,
    AT_VERSION = 36,
    AT_MARK = SNAPSHOT_SUM_AT + SHA256_LEN
};

#define VERSION    1
#define FLAG_MOVED 1u /* the clock is not the system's */

static const char mark[16] = "mockddb-snapshot";

const char snapshot_tail_missing[] = "this is not a snapshot of mockddb, or its end is missing";
const char snapshot_tail_damaged[] = "this snapshot is damaged";

static void put_number(unsigned char *at, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t get_number(const unsigned char *at, size_t bytes)
{
    uint64_t number = 0;

    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)at[i] << (8 * i);
    return number;
}

void snapshot_tail_write(unsigned char out[SNAPSHOT_TAIL_LEN], const struct snapshot_tail *tail)
{
    uint64_t rate;

    memcpy(&rate, &tail->time.rate, sizeof rate);
    put_number(out + AT_STORE_LEN, tail->store_len, 8);
    put_number(out + AT_TAKEN, (uint64_t)tail->taken_ms, 8);
    put_number(out + AT_NOW, (uint64_t)tail->time.now_ms, 8);
    put_number(out + AT_RATE, rate, 8);
    put_number(out + AT_FLAGS, tail->time.moved ? FLAG_MOVED : 0, 4);
    put_number(out + AT_VERSION, VERSION, 4);
    memcpy(out + AT_MARK, mark, sizeof mark);
}

static bool is_sound(const struct snapshot_tail *t)
{
    return t->time.now_ms >= 0 && t->time.now_ms <= CLOCK_LAST_MS && t->taken_ms >= 0 &&
           t->taken_ms <= CLOCK_LAST_MS && t->time.rate >= 0 && t->time.rate <= 100000;
}

const char *snapshot_tail_read(const unsigned char bytes[SNAPSHOT_TAIL_LEN], size_t store_len,
                               struct snapshot_tail *out)
{
    uint64_t rate = get_number(bytes + AT_RATE, 8);

    if (memcmp(bytes + AT_MARK, mark, sizeof mark) != 0)
        return snapshot_tail_missing;
    if (get_number(bytes + AT_VERSION, 4) != VERSION)
        return "this snapshot was written by a newer mockddb";
    *out = (struct snapshot_tail){.store_len = store_len,
                                  .taken_ms = (int64_t)get_number(bytes + AT_TAKEN, 8)};
    memcpy(&out->time.rate, &rate, sizeof rate);
    out->time.now_ms = (int64_t)get_number(bytes + AT_NOW, 8);
    out->time.moved = get_number(bytes + AT_FLAGS, 4) & FLAG_MOVED;
    return get_number(bytes + AT_STORE_LEN, 8) == store_len && is_sound(out)
               ? NULL
               : snapshot_tail_damaged;
}
