#include "base/hash.h"

uint32_t hash_bytes(struct span bytes)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < bytes.len; i++)
        h = (h ^ (unsigned char)bytes.at[i]) * 0x100000001b3u;
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 33;
    return (uint32_t)(h >> 32);
}
