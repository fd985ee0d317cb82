#include "ops/statement/statement_token.h"

#include "base/base64.h"
#include "base/hash.h"
#include "model/item_codec.h"

#define VERSION 2

#define LONG_PARAMETERS ((size_t)64 * 1024) /* total bytes */

/* The bytes before the key in a token; CHECK_LEN bytes follow the key. */
struct token_head {
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

/* Adds a parameter's digest. */
static void add_parameter(struct call *c, const struct attr *parameter, struct buf *out)
{
    unsigned char digest[SHA256_LEN];
    struct arena_mark before = arena_mark(c->arena);
    struct buf text = buf_in(c->arena);

    attr_encode(&text, parameter);
    arena_charge(c->arena, text.len / ITEM_ENCODED_AT_STEP);
    sha256_of(buf_span(&text), digest);
    arena_release(c->arena, before);
    buf_add(out, digest, sizeof digest);
}

/* The digest of the statement, its parameters and table. */
static const unsigned char *digest_of(struct call *c, struct statement_seal *seal)
{
    const struct statement *s = seal->of;
    struct buf text = buf_in(c->arena);

    if (seal->made)
        return seal->digest;
    buf_add_span(&text, s->table->uuid);
    buf_add_json_string(&text, s->text);
    buf_reserve(&text, s->parameter_count * SHA256_LEN);
    for (size_t i = 0; i < s->parameter_count; i++)
        add_parameter(c, &s->parameters[i], &text);
    sha256_of(buf_span(&text), seal->digest);
    seal->made = true;
    return seal->digest;
}

struct statement_seal statement_token_seal(struct call *c, const struct statement *s)
{
    struct statement_seal seal = {.of = s};
    size_t size = 0;

    for (size_t i = 0; i < s->parameter_count; i++)
        size += attr_size(&s->parameters[i]);
    if (size > LONG_PARAMETERS)
        (void)digest_of(c, &seal);
    return seal;
}

static void check_of(struct span bytes, unsigned char out[CHECK_LEN])
{
    put_number(out, hash_bytes(bytes));
}

struct span statement_token(struct call *c, struct statement_seal *seal,
                            const struct statement_position *position)
{
    struct buf bytes = buf_in(c->arena), text = buf_in(c->arena);
    struct token_head head = {.version = VERSION};
    unsigned char check[CHECK_LEN];

    memcpy(head.digest, digest_of(c, seal), SHA256_LEN);
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

    if (bytes.len < sizeof(struct token_head) + CHECK_LEN)
        return false;
    bytes.len -= CHECK_LEN;
    check_of(bytes, check);
    return memcmp(bytes.at + bytes.len, check, CHECK_LEN) == 0;
}

const struct error *statement_token_read(struct call *c, struct statement_seal *seal,
                                         struct span token, struct statement_position *out)
{
    struct span bytes;
    struct token_head head;

    if (!base64_decode(c->arena, token, &bytes) || !is_whole(bytes))
        return error_validation(c->arena, "Invalid NextToken");
    memcpy(&head, bytes.at, sizeof head);
    if (head.version != VERSION || memcmp(head.digest, digest_of(c, seal), SHA256_LEN) != 0)
        return error_validation(c->arena, "NextToken does not match request");
    out->range = number_at(head.range);
    out->key = (struct span){bytes.at + sizeof head, bytes.len - sizeof head - CHECK_LEN};
    return NULL;
}
