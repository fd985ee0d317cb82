#include "ops/stream/stream_iterator.h"

#include "base/base64.h"

#include <stdio.h>

#define LIFE_MS ((int64_t)15 * 60 * 1000)

struct span stream_iterator_text(struct call *c, const struct stream_iterator *it)
{
    const char *inner = arena_printf(c->arena, "%u/%llu/%lld", it->shard,
                                     (unsigned long long)it->next, (long long)it->issued_ms);
    struct buf text = buf_in(c->arena);

    buf_add_span(&text, it->arn);
    buf_add_text(&text, "|1|");
    base64_encode(&text, span_of(inner));
    return buf_span(&text);
}

static const struct error *invalid(struct call *c)
{
    return error_validation(c->arena, "Invalid ShardIterator");
}

/* Reads "shard/next/issued", nothing before, between or behind. */
static bool read_numbers(const char *text, struct stream_iterator *out)
{
    unsigned shard;
    unsigned long long next;
    long long issued;
    int used = 0;

    if (strspn(text, "0123456789/") != strlen(text) ||
        sscanf(text, "%9u/%20llu/%18lld%n", &shard, &next, &issued, &used) != 3 || text[used])
        return false;
    out->shard = shard;
    out->next = next;
    out->issued_ms = issued;
    return true;
}

const struct error *stream_iterator_read(struct call *c, struct span text,
                                         struct stream_iterator *out)
{
    const char *whole = arena_text(c->arena, text);
    const char *mark = strstr(whole, "|1|");
    struct span inner;

    if (!mark || strlen(whole) != text.len || !base64_decode(c->arena, span_of(mark + 3), &inner) ||
        !read_numbers(arena_text(c->arena, inner), out))
        return invalid(c);
    out->arn = (struct span){whole, (size_t)(mark - whole)};
    if (clock_now_ms(c->clock) - out->issued_ms > LIFE_MS)
        return error_new(c->arena, ERROR_EXPIRED_ITERATOR,
                         "The shard iterator has expired and can no longer be used to retrieve "
                         "stream records. A shard iterator expires 15 minutes after it is "
                         "retrieved using the GetShardIterator action.");
    return NULL;
}
