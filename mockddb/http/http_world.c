#include "http/http_world.h"

#include "base/digest.h"
#include "http/http_handler.h"

#define HASHED_BYTES 20

static struct span hashed_name(struct arena *a, struct span key)
{
    unsigned char hash[SHA256_LEN];
    struct buf name = buf_in(a);

    digest_sha256(key, hash);
    buf_add_text(&name, "key-");
    buf_add_hex(&name, hash, HASHED_BYTES);
    return buf_span(&name);
}

static struct span key_name(struct arena *a, const struct http_claim *claim)
{
    struct span key = http_auth_access_key(a, claim);

    if (!key.len)
        return (struct span){NULL, 0};
    return world_is_name(key) ? key : hashed_name(a, key);
}

struct span http_world_name(const struct http_handler *h, const struct http_request *request,
                            const struct http_claim *claim)
{
    if (request->fields.x_mockddb_world)
        return span_of(request->fields.x_mockddb_world);
    return h->options.worlds_by_key ? key_name(h->arena, claim) : (struct span){NULL, 0};
}

bool http_world_asks(const struct http_handler *h, const char *header)
{
    return header && strcmp(header, "true") == 0 && !(h->options.without & HTTP_ADMIN);
}

static bool is_flag(const char *header)
{
    return !header || strcmp(header, "true") == 0 || strcmp(header, "false") == 0;
}

const char *http_world_problem(const struct http_handler *h, const struct http_request *request)
{
    const struct http_fields *fields = &request->fields;

    if (fields->x_mockddb_unknown)
        return arena_printf(h->arena, "unknown header %s", fields->x_mockddb_unknown);
    if (fields->x_mockddb_twice)
        return arena_printf(h->arena, "the header %s is given twice", fields->x_mockddb_twice);
    if (h->options.without & HTTP_ADMIN)
        return NULL;
    if (!is_flag(fields->x_mockddb_aside))
        return "the header x-mockddb-aside is neither true nor false";
    if (!is_flag(fields->x_mockddb_explain))
        return "the header x-mockddb-explain is neither true nor false";
    if (!is_flag(fields->x_mockddb_world_exists))
        return "the header x-mockddb-world-exists is neither true nor false";
    return NULL;
}
