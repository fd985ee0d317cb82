#include "http/http_door.h"

#include "base/ascii.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <strings.h>

/* "127.0.0.1:8000", "[::1]:8000" or "localhost": a name or address, and an optional port. */
struct door_place {
    struct span name; /* without brackets */
    struct span port; /* digits; len 0: none given */
};

static bool read_place(const char *text, struct door_place *out)
{
    bool bracketed = *text == '[';
    size_t len = bracketed ? strcspn(text, "]") : strcspn(text, ":");
    const char *rest = text + len;

    *out = (struct door_place){.name = {text, len}};
    if (bracketed) {
        out->name = (struct span){text + 1, len - 1};
        if (*rest++ != ']')
            return false;
    }
    if (*rest == ':')
        out->port = span_of(rest + 1);
    else if (*rest)
        return false;
    return out->name.len && span_is_all(out->port, ascii_is_digit);
}

static bool same_name(struct span name, const char *other)
{
    return name.len == strlen(other) && strncasecmp(name.at, other, name.len) == 0;
}

/* Parses an address; returns its length in bytes, or 0 for a name. */
static size_t read_address(struct span name, unsigned char bytes[sizeof(struct in6_addr)])
{
    char text[INET6_ADDRSTRLEN];

    if (name.len >= sizeof text)
        return 0;
    (void)snprintf(text, sizeof text, "%.*s", SPAN_ARG(name));
    if (inet_pton(AF_INET, text, bytes) == 1)
        return sizeof(struct in_addr);
    return inet_pton(AF_INET6, text, bytes) == 1 ? sizeof(struct in6_addr) : 0;
}

static bool is_loopback(struct span name)
{
    static const struct span localhost = SPAN_LIT_INIT(".localhost");
    unsigned char bytes[sizeof(struct in6_addr)];
    size_t len = read_address(name, bytes);

    if (len == sizeof(struct in_addr))
        return bytes[0] == 127;
    if (len)
        return memcmp(bytes, &in6addr_loopback, len) == 0;
    return same_name(name, localhost.at + 1) ||
           (name.len > localhost.len &&
            same_name(span_from(name, name.len - localhost.len), localhost.at));
}

/* 0.0.0.0 and [::] are all addresses of this machine. */
static bool is_wildcard(const char *served)
{
    static const unsigned char zero[sizeof(struct in6_addr)];
    unsigned char bytes[sizeof(struct in6_addr)];
    size_t len = read_address(span_of(served), bytes);

    return len && memcmp(bytes, zero, len) == 0;
}

/* Compares parsed addresses, since one address has several spellings. */
static bool is_served(struct span name, const char *served)
{
    unsigned char one[sizeof(struct in6_addr)], other[sizeof(struct in6_addr)];
    size_t len = read_address(name, one);

    if (len && len == read_address(span_of(served), other))
        return memcmp(one, other, len) == 0;
    return same_name(name, served);
}

static bool is_allowed(struct span name, const struct http_door *door)
{
    for (size_t i = 0; i < door->allowed_count; i++)
        if (same_name(name, door->allowed[i]))
            return true;
    return false;
}

/* A name without dots, such as "mockddb": a container, or a machine in the same network. */
static bool is_single(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!isalnum((unsigned char)name.at[i]) && name.at[i] != '-' && name.at[i] != '_')
            return false;
    return true;
}

/* Behind a wildcard address a port may be forwarded (containers), so any port is accepted. DNS
 * rebinding needs a name that an attacker can own, so addresses and names without dots are safe. */
static bool is_ours(const struct door_place *host, const struct http_door *door, uint16_t port)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    char own[8];

    if (is_allowed(host->name, door))
        return true;
    if (is_wildcard(door->served))
        return is_loopback(host->name) || read_address(host->name, bytes) || is_single(host->name);
    (void)snprintf(own, sizeof own, "%u", (unsigned)port);
    if (host->port.len && !span_is(host->port, own))
        return false;
    return is_loopback(host->name) || is_served(host->name, door->served);
}

/* Whether --cors lists the origin, or "*". */
static bool is_listed(const char *list, const char *origin)
{
    while (list && *list) {
        size_t len = strcspn(list, ", ");

        if (same_name((struct span){list, len}, origin))
            return true;
        list += len;
        list += strspn(list, ", ");
    }
    return false;
}

/* Origins such as http://localhost:3000 that name this machine, with any port. "null" and the
 * origins of files and extensions name no machine. */
static bool is_at_home(const struct http_door *door, const char *origin)
{
    static const char *const schemes[] = {"http://", "https://"};
    struct door_place place;

    for (size_t i = 0; i < COUNT(schemes); i++) {
        size_t len = strlen(schemes[i]);

        if (strncasecmp(origin, schemes[i], len) == 0)
            return read_place(origin + len, &place) &&
                   (is_loopback(place.name) || is_served(place.name, door->served) ||
                    is_allowed(place.name, door));
    }
    return false;
}

const char *http_door_refuses(const struct http_door *door, const struct http_fields *fields)
{
    const char *origin = fields->origin;

    if (!origin || is_listed(door->origins, "*") || is_listed(door->origins, origin) ||
        is_at_home(door, origin))
        return NULL;
    return "pages of this origin may not use the server: --cors ORIGIN or --allow-host NAME lets "
           "them in";
}

const char *http_door_answer(const struct http_door *door, const char *origin)
{
    return !door->origins || is_listed(door->origins, "*") ? "*" : origin;
}

/* --- our own pages ---------------------------------------------------------------------------- */

/* A page may call the server that it came from. `origin` is scheme://host:port. */
static bool is_same_origin(const char *origin, const char *host)
{
    const char *place = strstr(origin, "://");

    return place && strcasecmp(place + 3, host) == 0;
}

/* The value that browsers send for a request that no other site's page caused. */
static bool is_same_site(const char *sec_fetch_site)
{
    return strcmp(sec_fetch_site, "same-origin") == 0 || strcmp(sec_fetch_site, "none") == 0;
}

/* The user follows a link: the page with the link cannot read the result. */
static bool is_navigation(const struct http_fields *fields)
{
    return !fields->origin && fields->sec_fetch_mode && fields->sec_fetch_dest &&
           strcmp(fields->sec_fetch_mode, "navigate") == 0 &&
           strcmp(fields->sec_fetch_dest, "document") == 0;
}

const char *http_door_refuses_own(const struct http_door *door, uint16_t port, bool linked,
                                  const struct http_fields *fields)
{
    struct door_place host;

    if (!fields->host || !read_place(fields->host, &host) || !is_ours(&host, door, port))
        return "the Host header names no address of this server";
    if (linked && is_navigation(fields))
        return NULL;
    if ((fields->origin && !is_same_origin(fields->origin, fields->host)) ||
        (fields->sec_fetch_site && !is_same_site(fields->sec_fetch_site)))
        return "this is not for pages of other sites";
    return NULL;
}
