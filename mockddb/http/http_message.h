/* http_message.h: a request and a reply, as a front end passes them on.
 *
 * A front end (http_connection) fills in a request, calls http_handler_answer and sends the reply;
 * it knows nothing of their meaning. */
#pragma once

#include "base/attributes.h"
#include "base/span.h"
#include "http/http_limits.h"

struct world;

enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    HTTP_POST,
    HTTP_PUT,
    HTTP_DELETE,
    HTTP_OPTIONS,
    HTTP_OTHER
};

/* Values of the headers that are used; NULL if missing. */
struct http_fields {
    const char *accept_encoding;
    const char *access_control_request_headers;
    const char *access_control_request_method;
    const char *authorization;
    const char *connection;
    const char *content_encoding;
    const char *content_length;
    const char *content_type;
    const char *date;
    const char *expect;
    const char *host;
    const char *if_none_match;
    const char *mcp_method;
    const char *mcp_name;
    const char *mcp_protocol_version;
    const char *origin;
    const char *sec_fetch_dest;
    const char *sec_fetch_mode;
    const char *sec_fetch_site;
    const char *transfer_encoding;
    const char *user_agent;
    const char *x_amz_date;
    const char *x_amz_security_token;
    const char *x_amz_target;
    const char *x_mockddb_aside;
    const char *x_mockddb_explain;
    const char *x_mockddb_world;
    const char *x_mockddb_world_exists;
    const char *x_mockddb_unknown; /* name of an unknown header with our prefix */
    const char *x_mockddb_twice;   /* name of one of our headers that was given twice */
    bool ambiguous; /* the end of the request, or its target, could be understood in two ways */
};

struct http_header {
    const char *name, *value;
};

struct http_request {
    enum http_method method;
    const char *uri; /* path and query, as received */
    uint16_t port;   /* where it arrived */
    bool http_1_0;   /* else 1.1 */
    bool unread;     /* the rest of its body will not be read */
    int refused;     /* 0, or the status with which the front end refuses it */
    struct http_fields fields;
    const struct http_header *headers; /* all headers as received */
    size_t header_count;
    struct span body;
    const unsigned char *body_sum; /* SHA-256 of an uploaded body; NULL: it is in `body` */
};

#define HTTP_MAX_HEADERS 16

/* Borrowed: valid until the next request is handled. */
struct http_reply {
    int status;
    const char *reason;
    struct http_header headers[HTTP_MAX_HEADERS]; /* in this order */
    size_t header_count;
    struct span body;
    bool close;                /* the connection is closed after it … */
    bool dropped;              /* … and it is not even sent */
    bool in_buffer;            /* the body can be kept: dispatch_hold_reply */
    const struct world *world; /* wait for this world's flush; NULL: send it at once */
};

/* Notes a header's value in *fields if it is one of them; called for each header. A length that is
 * repeated, or in a form that parsers treat differently, makes the fields ambiguous (RFC 9112, 6.3;
 * "request smuggling"). */
void http_message_note(struct http_fields *fields, const char *name, const char *value);

/* Whether a header with this name changes the request's meaning, so that a signature must cover
 * it. */
bool http_message_is_meant(const char *name);

/* Whether the request allows the connection to stay open. */
bool http_message_keeps_alive(const struct http_request *request);

/* The method with this name in capital letters, or HTTP_OTHER. */
enum http_method http_message_method(const char *word);
/* The method's name, such as "GET"; "" for HTTP_OTHER. */
const char *http_message_method_name(enum http_method method);

/* "Not Found" for 404; never empty. */
const char *http_message_reason(int status);
