#include "ops/statement/statement_token.h"

#include "base/base64.h"
#include "base/hash.h"
#include "base/sha256.h"
#include "model/item_codec.h"

#define VERSION 1

/* What precedes the key in a token, and what follows it. */
struct head {
    unsigned char version;
    unsigned char digest[SHA256_LEN];
    unsigned char range[4];
};
#define CHECK_LEN 4

static void put_number(unsigned char to[4], uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(number >> (24 - 8 * i));
}

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* What a token belongs to. */
static void digest_of(struct call *c, const struct statement *s, unsigned char out[SHA256_LEN])
{
    struct buf text = buf_in(c->arena);

    buf_add_span(&text, s->table->uuid);
    buf_add_json_string(&text, s->text);
    for (size_t i = 0; i < s->parameter_count; i++)
        attr_encode(&text, &s->parameters[i]);
    sha256_of(buf_span(&text), out);
}

static void check_of(struct span bytes, unsigned char out[CHECK_LEN])
{
    put_number(out, hash_bytes(bytes));
}

struct span statement_token(struct call *c, const struct statement *s,
                            const struct statement_position *position)
{
    struct buf bytes = buf_in(c->arena), text = buf_in(c->arena);
    struct head head = {.version = VERSION};
    unsigned char check[CHECK_LEN];

    digest_of(c, s, head.digest);
    put_number(head.range, (uint32_t)position->range);
    buf_add(&bytes, &head, sizeof head);
    buf_add_span(&bytes, position->key);
    check_of(buf_span(&bytes), check);
    buf_add(&bytes, check, sizeof check);
    base64_encode(&text, buf_span(&bytes));
    return buf_span(&text);
}

static bool is_whole(struct span bytes)
{
    unsigned char check[CHECK_LEN];

    if (bytes.len < sizeof(struct head) + CHECK_LEN)
        return false;
    bytes.len -= CHECK_LEN;
    check_of(bytes, check);
    return memcmp(bytes.at + bytes.len, check, CHECK_LEN) == 0;
}

const struct error *statement_token_read(struct call *c, const struct statement *s,
                                         struct span token, struct statement_position *out)
{
    unsigned char digest[SHA256_LEN];
    struct span bytes;
    struct head head;

    if (!base64_decode(c->arena, token, &bytes) || !is_whole(bytes))
        return error_validation(c->arena, "Invalid NextToken");
    memcpy(&head, bytes.at, sizeof head);
    digest_of(c, s, digest);
    if (head.version != VERSION || memcmp(head.digest, digest, SHA256_LEN) != 0)
        return error_validation(c->arena, "NextToken does not match request");
    out->range = number_at(head.range);
    out->key = (struct span){bytes.at + sizeof head, bytes.len - sizeof head - CHECK_LEN};
    return NULL;
}
