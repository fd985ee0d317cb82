/* http_message.h: a request and a reply, as whoever moves bytes hands them over.
 *
 * A front end (http_connection) fills in a request, calls http_handler_answer and sends the reply;
 * it knows nothing of what they mean. */
#ifndef HTTP_HTTP_MESSAGE_H
#define HTTP_HTTP_MESSAGE_H

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

/* Values of the request headers that matter; NULL where there is none. */
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
    const char *origin;
    const char *sec_fetch_dest;
    const char *sec_fetch_mode;
    const char *sec_fetch_site;
    const char *transfer_encoding;
    const char *x_amz_date;
    const char *x_amz_security_token;
    const char *x_amz_target;
    const char *x_mockddb_aside;
    const char *x_mockddb_explain;
    const char *x_mockddb_world;
    const char *x_mockddb_unknown; /* the name of another header that begins so */
    const char *x_mockddb_twice;   /* the name of one of these that is there more than once */
    bool ambiguous; /* where the request ends, or for whom it is, could be read in two ways */
};

struct http_header {
    const char *name, *value;
};

struct http_request {
    enum http_method method;
    const char *uri; /* path and query, as received */
    uint16_t port;   /* where it came in */
    bool http_1_0;   /* else 1.1 */
    bool unread;     /* there is more of its body that nobody will read */
    int refused;     /* 0, or the status with which the front end refuses it */
    struct http_fields fields;
    const struct http_header *headers; /* all of them, as received */
    size_t header_count;
    struct span body;
};

#define HTTP_MAX_HEADERS 16

/* Borrowed: valid until the next request is handled. */
struct http_reply {
    int status;
    const char *reason;
    struct http_header headers[HTTP_MAX_HEADERS]; /* in this order */
    size_t header_count;
    struct span body;
    bool close;                /* the connection ends with it … */
    bool dropped;              /* … and it is not sent */
    bool in_buffer;            /* the body can be held: dispatch_hold_reply */
    const struct world *world; /* whose flush it waits for; NULL: it may leave at once */
};

/* Notes the header's value in *fields if it is one of those; to be called for each header. A length
 * that is given twice, or in a form that not everybody reads alike, makes the fields ambiguous
 * (RFC 9112, 6.3; "request smuggling"). */
void http_message_note(struct http_fields *fields, const char *name, const char *value);

/* Whether a header of that name changes what a request means, so that a signature has to
 * cover it. */
bool http_message_is_meant(const char *name);

/* Whether the connection goes on after the request, as far as the request has its say. */
bool http_message_keeps_alive(const struct http_request *request);

/* The method that a word names, in capital letters; HTTP_OTHER where it is none of them. */
enum http_method http_message_method(const char *word);
/* And back: "GET"; "" for HTTP_OTHER. */
const char *http_message_method_name(enum http_method method);

/* "Not Found" for 404; never empty. */
const char *http_message_reason(int status);

#endif
