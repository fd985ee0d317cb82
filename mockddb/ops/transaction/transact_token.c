#include "ops/transaction/transact.h"

#include "base/digest.h"
#include "model/key.h"
#include "wire/wire_print.h"

const struct wire_shape transact_token_shape = {
    .type = WIRE_STRING, WIRE_BOUNDS(1, LIMIT_CLIENT_TOKEN), .client_fills = true};

/* The stored form of a token: the time of the request and a digest of its payload. */
struct token_record {
    int64_t done_ms;
    unsigned char digest[SHA256_LEN];
};

static struct span token_of(const struct call *c)
{
    return wire_text(wire_get(c->body, "ClientRequestToken"));
}

/* Tokens are separate for each operation and region. */
static struct span key_of_token(const struct call *c)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, KEY_SPACE_TOKENS);
    buf_add_text(&key, c->op->name);
    buf_add_char(&key, '/');
    buf_add_span(&key, schema_id(c->arena, c->region, token_of(c)));
    return buf_span(&key);
}

static const struct wire_shape *shape_of(const struct op *op, const char *member)
{
    const struct wire_member *m = op->members;

    while (strcmp(m->name, member) != 0)
        m++;
    return m->shape;
}

static struct token_record record_of(const struct call *c, const char *payload)
{
    struct token_record record = {.done_ms = clock_now_ms(c->clock)};
    struct buf text = buf_in(c->arena);

    wire_print_canonical(&text, shape_of(c->op, payload), wire_get(c->body, payload));
    digest_sha256(buf_span(&text), record.digest);
    return record;
}

static bool read_record(struct span body, struct token_record *out)
{
    if (body.len != sizeof *out)
        return false;
    memcpy(out, body.at, sizeof *out);
    return true;
}

int64_t transact_token_end_ms(struct span body)
{
    struct token_record record;

    return read_record(body, &record) ? record.done_ms + LIMIT_TOKEN_LIFE_MS : 0;
}

bool transact_token_is_sound(struct span body)
{
    struct token_record record;

    return read_record(body, &record) && record.done_ms >= 0 && record.done_ms <= CLOCK_LAST_MS;
}

/* Finds the token's row, which may have expired; not found without a token. */
static const struct error *find_row(struct call *c, struct store_row *row)
{
    row->found = false;
    return token_of(c).len ? unit_get(c->unit, key_of_token(c), row) : NULL;
}

/* Whether the request was done before, within the token's life. */
static const struct error *is_done(struct call *c, const char *payload, bool *done)
{
    struct token_record now, then;
    const struct error *e;
    struct store_row row;

    *done = false;
    if ((e = find_row(c, &row)))
        return e;
    if (!row.found || !read_record(row.body, &then) ||
        clock_now_ms(c->clock) - then.done_ms >= LIMIT_TOKEN_LIFE_MS)
        return NULL;
    now = record_of(c, payload);
    if (memcmp(now.digest, then.digest, SHA256_LEN) != 0)
        return error_caused(
            c->arena, ERROR_IDEMPOTENT_MISMATCH,
            ERROR_WHY(CAUSE_TOKEN_USED, .operand = token_of(c),
                      .beside = SPAN_LIT("ClientRequestToken")),
            "DynamoDB rejected the request because you retried a request with a "
            "different payload but with an idempotent token that was already used.");
    *done = true;
    return NULL;
}

/* Stores the request's token, if it has one, with the current time. */
static const struct error *keep_token(struct call *c, const char *payload)
{
    struct token_record record;
    struct span body = {(const char *)&record, sizeof record};
    const struct error *e;
    struct store_row row;

    if (!token_of(c).len)
        return NULL;
    if ((e = find_row(c, &row)))
        return e;
    record = record_of(c, payload);
    op_wake(c, WAKE_FORGET, record.done_ms + LIMIT_TOKEN_LIFE_MS);
    return unit_put(c->unit, &row, body.len, body);
}

const struct error *transact_write_once(struct call *c, struct transact *t, const char *payload,
                                        bool *replayed)
{
    const struct error *refused = transact_resolve(c, t), *e;

    if (!refused && (e = transact_want(c, t, token_of(c).len ? key_of_token(c) : token_of(c))))
        return e;
    if ((e = is_done(c, payload, replayed)) || (e = refused))
        return e;
    if (*replayed)
        return transact_replay(c, t);
    if ((e = transact_write(c, t)))
        return e;
    return keep_token(c, payload);
}
