#include "http/http_route.h"

#include <strings.h>

const char *const http_route_form_types[] = {"application/x-www-form-urlencoded", NULL};

struct span http_route_path(const char *uri)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < COUNT(schemes) && *uri != '/'; i++) {
        size_t len = strlen(schemes[i]);

        if (strncasecmp(uri, schemes[i], len) == 0)
            uri += len + strcspn(uri + len, "/?");
    }
    return (struct span){uri, strcspn(uri, "?")};
}

static bool path_fits(const char *pattern, struct span path)
{
    size_t at = 0;

    for (; *pattern; pattern++) {
        if (*pattern != '*') {
            if (at == path.len || path.at[at++] != *pattern)
                return false;
            continue;
        }
        if (!pattern[1])
            return true;
        while (at < path.len && path.at[at] != '/')
            at++;
    }
    return at == path.len;
}

static bool target_fits(const char *prefix, const char *target)
{
    return target && strncmp(target, prefix, strlen(prefix)) == 0;
}

static bool fits(const struct http_route *r, struct span path, const struct http_request *request)
{
    enum http_method method = request->method == HTTP_HEAD ? HTTP_GET : request->method;

    if (r->flags & HTTP_BY_TYPE && !http_route_type(request->fields.content_type, r->types))
        return false;
    return (!r->methods || r->methods & HTTP_TAKES(method)) &&
           (!r->path || path_fits(r->path, path)) &&
           (!r->target || target_fits(r->target, request->fields.x_amz_target));
}

const struct http_route *http_route_find(const struct http_route *table, unsigned without,
                                         const struct http_request *request)
{
    struct span path = http_route_path(request->uri);

    while ((table->flags & without) || !fits(table, path, request))
        table++;
    return table;
}

const char *http_route_type(const char *header, const char *const *types)
{
    size_t len;

    if (!header)
        return NULL;
    header += strspn(header, " \t");
    len = strcspn(header, "; \t");
    for (; *types; types++)
        if (len == strlen(*types) && strncasecmp(header, *types, len) == 0)
            return *types;
    return NULL;
}
