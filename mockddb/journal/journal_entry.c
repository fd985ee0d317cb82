#include "journal/journal_entry.h"

size_t journal_entry_size(const struct journal_entry *e)
{
    return sizeof *e + e->body_len + e->message_len + e->accounts_len + e->client_len;
}

struct span journal_entry_body(const struct journal_entry *e)
{
    return (struct span){e->bytes, e->body_len};
}

struct span journal_entry_message(const struct journal_entry *e)
{
    return (struct span){e->bytes + e->body_len, e->message_len};
}

struct span journal_entry_client(const struct journal_entry *e)
{
    return (struct span){e->bytes + e->body_len + e->message_len + e->accounts_len, e->client_len};
}

/* Takes bytes off the front; this program wrote them. */
static void take_bytes(struct span *from, void *to, size_t len)
{
    memcpy(to, from->at, len);
    *from = span_from(*from, len);
}

static struct span take_span(struct span *from, size_t len)
{
    struct span taken = {from->at, len};

    *from = span_from(*from, len);
    return taken;
}

bool journal_entry_key(struct span *keys, struct span *name)
{
    struct journal_name head;

    if (!keys->len)
        return false;
    take_bytes(keys, &head, sizeof head);
    *name = take_span(keys, head.len);
    return true;
}

/* Takes `count` names off the front and returns their bytes. */
static struct span take_keys(struct span *from, unsigned count)
{
    const char *begin = from->at;
    struct span name;

    for (unsigned i = 0; i < count; i++)
        (void)journal_entry_key(from, &name);
    return (struct span){begin, (size_t)(from->at - begin)};
}

bool journal_entry_index(struct span *indexes, struct journal_index_view *out)
{
    struct journal_index head;

    if (!indexes->len)
        return false;
    take_bytes(indexes, &head, sizeof head);
    out->units = head.units;
    out->name = take_span(indexes, head.name_len);
    out->keys = take_keys(indexes, head.key_count);
    return true;
}

bool journal_entry_account(const struct journal_entry *e, size_t *at,
                           struct journal_account_view *out)
{
    struct span rest = {e->bytes + e->body_len + e->message_len, e->accounts_len};
    struct journal_index_view index;
    const char *begin;

    rest = span_from(rest, *at);
    if (!rest.len)
        return false;
    take_bytes(&rest, &out->account, sizeof out->account);
    out->name = take_span(&rest, out->account.name_len);
    out->keys = take_keys(&rest, out->account.key_count);
    begin = rest.at;
    for (unsigned i = 0; i < out->account.index_count; i++)
        (void)journal_entry_index(&rest, &index);
    out->indexes = (struct span){begin, (size_t)(rest.at - begin)};
    *at = e->accounts_len - rest.len;
    return true;
}
