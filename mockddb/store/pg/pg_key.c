#include "store/pg/pg_key.h"

#include "base/digest.h"
#include "model/key.h"

#define LONGEST_PARTITION 256  /* bytes */
#define LONGEST_KEY       2400 /* an index row of PostgreSQL has at most 2704 bytes */
#define LONGEST_HEAD      2320 /* has at least the partition, and the sort key of any length */
#define SIGN              0x80000000u

/* The length of the partition attributes, without the last one's end; 0: they are not whole. */
static size_t partition_length(unsigned parts, struct span key)
{
    for (size_t i = 0; parts && i + 1 < key.len; i++) {
        if (key.at[i])
            continue;
        if (key.at[i + 1] != '\xff' && !--parts)
            return i;
        i++;
    }
    return 0;
}

static void add_digest(struct buf *out, struct span part)
{
    unsigned char digest[SHA256_LEN];

    digest_sha256(part, digest);
    buf_add(out, "\0\2", 2);
    buf_add(out, digest, sizeof digest);
}

static struct span shorten(struct arena *a, unsigned parts, struct span key)
{
    size_t partition = partition_length(parts, key), head = LONGEST_HEAD;
    struct buf out = buf_in(a), cut = buf_in(a);
    bool behind;

    if (partition > LONGEST_PARTITION) {
        add_digest(&out, (struct span){key.at, partition});
        buf_add_span(&out, span_from(key, partition));
        key = buf_span(&out);
    }
    if (key.len <= LONGEST_KEY)
        return key;
    /* The first key that can follow another has one zero more than the two at each key's end. */
    behind = memcmp(key.at + key.len - 3, "\0\0\0", 3) == 0;
    key.len -= behind;
    while (!key.at[head - 1]) /* a zero and what follows it stay together */
        head--;
    buf_add(&cut, key.at, head);
    add_digest(&cut, span_from(key, head));
    if (behind)
        buf_add_char(&cut, '\0');
    return buf_span(&cut);
}

struct pg_place pg_key_place(struct arena *a, unsigned parts, struct span whole)
{
    size_t prefix = whole.len < KEY_PREFIX_LEN ? whole.len : KEY_PREFIX_LEN;
    struct pg_place p = {.whole = whole, .key = {"", 0}};
    uint32_t slot = 0;

    p.space = (uint32_t)span_big_endian((struct span){whole.at, KEY_SPACE_LEN});
    for (size_t i = KEY_SPACE_LEN; i < KEY_PREFIX_LEN; i++)
        slot = slot << 8 | (i < prefix ? (unsigned char)whole.at[i] : 0);
    p.slot = (int32_t)(slot ^ SIGN);
    if (whole.len > prefix) {
        struct span key = span_from(whole, prefix);

        p.key = shorten(a, parts, key);
        p.is_short = p.key.at != key.at;
    }
    return p;
}

void pg_key_add_whole(struct buf *out, const struct pg_place *p)
{
    buf_add_big_endian(out, p->space, KEY_SPACE_LEN);
    buf_add_big_endian(out, (uint32_t)p->slot ^ SIGN, KEY_PREFIX_LEN - KEY_SPACE_LEN);
    buf_add_span(out, p->key);
}

int pg_key_compare(const struct pg_place *a, const struct pg_place *b)
{
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    return span_compare(a->key, b->key);
}
