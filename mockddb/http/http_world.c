#include "http/http_world.h"

#include "base/sha256.h"
#include "http/http_handler.h"

#define HASHED_BYTES 20

static struct span hashed_name(struct arena *a, struct span key)
{
    unsigned char hash[SHA256_LEN];
    struct buf name = buf_in(a);

    sha256_of(key, hash);
    buf_add_text(&name, "key-");
    buf_add_hex(&name, hash, HASHED_BYTES);
    return buf_span(&name);
}

static struct span key_name(struct arena *a, const struct http_claim *claim)
{
    struct span key = http_auth_access_key(a, claim);

    return !key.len || world_is_name(key) ? key : hashed_name(a, key);
}

struct span http_world_name(const struct http_handler *h, const struct http_request *request,
                            const struct http_claim *claim)
{
    if (request->fields.x_mockddb_world)
        return span_of(request->fields.x_mockddb_world);
    return h->options.worlds_by_key ? key_name(h->arena, claim) : (struct span){"", 0};
}
