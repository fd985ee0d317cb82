#include "http/http_message.h"

#include <strings.h>

#define OWN_PREFIX "X-Mockddb-"

#define FIELD(text, member) \
    .name = (text), .len = sizeof(text) - 1, .offset = offsetof(struct http_fields, member)

static const struct field {
    const char *name;
    size_t len, offset;
    bool once;  /* a second one makes the request ambiguous */
    bool own;   /* a second one is refused by the header's reader */
    bool meant; /* it changes the request's meaning */
} wanted[] = {
    {FIELD("Accept-Encoding", accept_encoding)},
    {FIELD("Access-Control-Request-Headers", access_control_request_headers)},
    {FIELD("Access-Control-Request-Method", access_control_request_method)},
    {FIELD("Authorization", authorization)},
    {FIELD("Connection", connection)},
    {FIELD("Content-Encoding", content_encoding), .once = true, .meant = true},
    {FIELD("Content-Length", content_length), .once = true},
    {FIELD("Content-Type", content_type)},
    {FIELD("Date", date)},
    {FIELD("Expect", expect)},
    {FIELD("Host", host), .once = true, .meant = true},
    {FIELD("If-None-Match", if_none_match)},
    {FIELD("Mcp-Method", mcp_method)},
    {FIELD("Mcp-Name", mcp_name)},
    {FIELD("Mcp-Protocol-Version", mcp_protocol_version)},
    {FIELD("Origin", origin), .once = true},
    {FIELD("Sec-Fetch-Dest", sec_fetch_dest)},
    {FIELD("Sec-Fetch-Mode", sec_fetch_mode)},
    {FIELD("Sec-Fetch-Site", sec_fetch_site)},
    {FIELD("Transfer-Encoding", transfer_encoding), .once = true},
    {FIELD("User-Agent", user_agent)},
    {FIELD("X-Amz-Date", x_amz_date)},
    {FIELD("X-Amz-Security-Token", x_amz_security_token)},
    {FIELD("X-Amz-Target", x_amz_target), .meant = true},
    {FIELD("X-Mockddb-Aside", x_mockddb_aside), .own = true, .meant = true},
    {FIELD("X-Mockddb-Explain", x_mockddb_explain), .own = true, .meant = true},
    {FIELD("X-Mockddb-World", x_mockddb_world), .own = true, .meant = true},
    {FIELD("X-Mockddb-World-Exists", x_mockddb_world_exists), .own = true, .meant = true},
};

static const struct field *find_field(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < COUNT(wanted); i++)
        if (len == wanted[i].len && strcasecmp(name, wanted[i].name) == 0)
            return &wanted[i];
    return NULL;
}

bool http_message_is_meant(const char *name)
{
    const struct field *field = find_field(name);

    return field && field->meant;
}

static bool is_length(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

static bool is_ambiguous(const struct http_fields *fields)
{
    if (fields->content_length && !is_length(fields->content_length))
        return true;
    return fields->transfer_encoding &&
           (fields->content_length || strcasecmp(fields->transfer_encoding, "chunked") != 0);
}

void http_message_note(struct http_fields *fields, const char *name, const char *value)
{
    const struct field *field = find_field(name);
    const char *before = NULL;

    if (!field) {
        fields->ambiguous = fields->ambiguous || !*name || strpbrk(name, " \t");
        if (strncasecmp(name, OWN_PREFIX, sizeof OWN_PREFIX - 1) == 0)
            fields->x_mockddb_unknown = name;
        return;
    }
    memcpy(&before, (const char *)fields + field->offset, sizeof before);
    if (field->once)
        fields->ambiguous = fields->ambiguous || before;
    if (field->own && before)
        fields->x_mockddb_twice = name;
    memcpy((char *)fields + field->offset, &value, sizeof value);
    if (field->once && !fields->ambiguous)
        fields->ambiguous = is_ambiguous(fields);
}

/* Whether a list such as "close, TE" has the word. */
static bool lists(const char *list, const char *word)
{
    while (list && *list) {
        size_t len = strcspn(list, ", \t");

        if (len == strlen(word) && strncasecmp(list, word, len) == 0)
            return true;
        list += len;
        list += strspn(list, ", \t");
    }
    return false;
}

/* HTTP parsers disagree about the end of a slightly malformed chunk. On a connection shared by a
 * proxy, the bytes after it might not be what their sender meant. */
bool http_message_keeps_alive(const struct http_request *request)
{
    const struct http_fields *fields = &request->fields;

    if (request->refused || request->unread || fields->transfer_encoding ||
        lists(fields->connection, "close"))
        return false;
    return !request->http_1_0 || lists(fields->connection, "keep-alive");
}

static const char *const methods[] = {
    [HTTP_GET] = "GET",       [HTTP_HEAD] = "HEAD",       [HTTP_POST] = "POST", [HTTP_PUT] = "PUT",
    [HTTP_DELETE] = "DELETE", [HTTP_OPTIONS] = "OPTIONS", [HTTP_OTHER] = "",
};

enum http_method http_message_method(const char *word)
{
    enum http_method method = HTTP_GET;

    while (method < HTTP_OTHER && strcmp(methods[method], word) != 0)
        method++;
    return method;
}

const char *http_message_method_name(enum http_method method)
{
    return methods[method];
}

const char *http_message_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {204, "No Content"},
        {304, "Not Modified"},
        {308, "Permanent Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {409, "Conflict"},
        {413, "Request Entity Too Large"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    static const char *const classes[] = {"Information", "Success", "Redirection", "Client Error",
                                          "Server Error"};

    for (size_t i = 0; i < COUNT(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return status >= 100 && status < 600 ? classes[status / 100 - 1] : "Unknown";
}
