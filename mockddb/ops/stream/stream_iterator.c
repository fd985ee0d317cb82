#include "ops/stream/stream_iterator.h"

#include "base/ascii.h"
#include "base/base64.h"

#include <errno.h>
#include <stdlib.h>

#define MAX_SHARD 999999999

/* Flags of an iterator's position. */
enum { ON_RECORD = 1, AGAIN = 2 };

const struct error *stream_iterator_place(struct call *c, const struct stream *s, uint64_t from,
                                          struct stream_iterator *it)
{
    struct cursor *cursor = cursor_open(c->unit, stream_record_range(c, s, it->shard, from));
    int64_t room = STREAM_ROOM;
    struct stream_record record;
    enum stream_next next;
    const struct error *e = stream_next_record(c, cursor, &room, &record, &next);

    it->on_record = !e && next == STREAM_RECORD;
    cursor_close(cursor);
    if (e)
        return e;
    if (next != STREAM_END) {
        it->next = record.number + (next == STREAM_OLD);
        return NULL;
    }
    e = stream_last_number(c, s, it->shard, &it->next);
    it->next++;
    return e;
}

struct span stream_iterator_text(struct call *c, const struct stream_iterator *it)
{
    const char *inner = arena_printf(
        c->arena, "%u/%llu/%d/%lld", it->shard, (unsigned long long)it->next,
        (it->on_record ? ON_RECORD : 0) | (it->again ? AGAIN : 0), (long long)it->issued_ms);
    struct buf text = buf_in(c->arena);

    buf_add_span(&text, it->arn);
    buf_add_text(&text, "|1|");
    base64_encode(&text, span_of(inner));
    return buf_span(&text);
}

static const struct error *invalid_iterator(struct call *c)
{
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_ITERATOR),
                        "Invalid ShardIterator");
}

/* Takes digits and the character after them. */
static bool take_number(const char **text, uint64_t most, char behind, uint64_t *out)
{
    char *end;

    if (!ascii_is_digit(**text))
        return false;
    errno = 0;
    *out = strtoull(*text, &end, 10);
    if (errno || *out > most || *end != behind)
        return false;
    *text = end + 1;
    return true;
}

/* Reads exactly "shard/next/flags/issued". */
static bool read_numbers(const char *text, struct stream_iterator *out)
{
    uint64_t shard, marks, issued;

    if (!take_number(&text, MAX_SHARD, '/', &shard) ||
        !take_number(&text, UINT64_MAX, '/', &out->next) ||
        !take_number(&text, ON_RECORD | AGAIN, '/', &marks) ||
        !take_number(&text, INT64_MAX / 2, '\0', &issued))
        return false;
    out->shard = (uint32_t)shard;
    out->on_record = (marks & ON_RECORD) != 0;
    out->again = (marks & AGAIN) != 0;
    out->issued_ms = (int64_t)issued;
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
        return invalid_iterator(c);
    out->arn = (struct span){whole, (size_t)(mark - whole)};
    if (!stream_is_arn(out->arn))
        return invalid_iterator(c);
    if (clock_now_ms(c->clock) - out->issued_ms > LIMIT_ITERATOR_LIFE_MS)
        return error_caused(c->arena, ERROR_EXPIRED_ITERATOR, ERROR_WHY(CAUSE_ITERATOR_OLD),
                            "Shard iterator has expired");
    return NULL;
}
