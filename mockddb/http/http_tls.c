#include "http/http_tls.h"

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

struct http_tls {
    SSL_CTX *context;
};

/* Takes OpenSSL's error text, and clears its errors. */
static const char *reason(void)
{
    unsigned long first = ERR_peek_error();
    const char *text = ERR_SYSTEM_ERROR(first) ? strerror(ERR_GET_REASON(first))
                                               : ERR_reason_error_string(first);

    ERR_clear_error();
    return text ? text : "it cannot be read";
}

/* Instead of asking on the terminal. */
static int no_passphrase(char *to, int size, int writing, void *arg)
{
    (void)to, (void)size, (void)writing, (void)arg;
    return -1;
}

static const char *read_files(struct arena *a, SSL_CTX *context, const struct http_tls_files *files)
{
    if (SSL_CTX_use_certificate_chain_file(context, files->certificate) != 1)
        return arena_printf(a, "certificate %s: %s", files->certificate, reason());
    if (SSL_CTX_use_PrivateKey_file(context, files->key, SSL_FILETYPE_PEM) != 1)
        return arena_printf(a, "key %s: %s", files->key, reason());
    return NULL;
}

static SSL_CTX *new_context(const SSL_METHOD *method)
{
    SSL_CTX *context = process_have(SSL_CTX_new(method));

    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); /* clients keep tickets instead */
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    return context;
}

struct http_tls *http_tls_new(struct arena *a, const struct http_tls_files *files,
                              const char **problem)
{
    SSL_CTX *context = new_context(TLS_server_method());
    struct http_tls *tls;

    if ((*problem = read_files(a, context, files))) {
        SSL_CTX_free(context);
        return NULL;
    }
    tls = arena_alloc(a, sizeof *tls);
    tls->context = context;
    return tls;
}

void http_tls_free(struct http_tls *tls)
{
    if (tls)
        SSL_CTX_free(tls->context);
}

bool http_tls_met_http(struct bufferevent *connection)
{
    unsigned long error = bufferevent_get_openssl_error(connection);

    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_HTTP_REQUEST;
}

struct bufferevent *http_tls_accepting(struct http_tls *tls, struct event_base *base)
{
    SSL *ssl = process_have(SSL_new(tls->context));
    struct bufferevent *connection = process_have(bufferevent_openssl_socket_new(
        base, -1, ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE));

    bufferevent_openssl_set_allow_dirty_shutdown(connection, 1);
    return connection;
}
