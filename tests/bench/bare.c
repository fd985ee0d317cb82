/* bare.c: the floor of an evhttp server. A POST to /N is answered with N bytes and the headers of a
 * DynamoDB reply; nothing is parsed, looked up or computed. Set up as mockddb's own HTTP room is:
 * changelist, no delay, large writes, no trimming of the heap. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { MAX_REPLY = 4 << 20 };

static char reply_bytes[MAX_REPLY];

static void answer(struct evhttp_request *request, void *unused)
{
    struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
    size_t size = strtoul(evhttp_request_get_uri(request) + 1, NULL, 10);

    (void)unused;
    evhttp_add_header(headers, "Server", "Server");
    evhttp_add_header(headers, "Content-Type", "application/x-amz-json-1.0");
    evhttp_add_header(headers, "x-amzn-RequestId",
                      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF");
    evhttp_add_header(headers, "x-amz-crc32", "2745614147");
    evbuffer_add_reference(evhttp_request_get_output_buffer(request), reply_bytes,
                           size < MAX_REPLY ? size : MAX_REPLY, NULL, NULL);
    evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

static struct bufferevent *new_connection(struct event_base *base, void *unused)
{
    struct bufferevent *connection = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);

    (void)unused;
    if (connection)
        bufferevent_set_max_single_write(connection, MAX_REPLY);
    return connection;
}

static void stop(evutil_socket_t signal_number, short events, void *base)
{
    (void)signal_number;
    (void)events;
    event_base_loopbreak(base);
}

static int listen_on_free_port(struct evhttp *http)
{
    const int yes = 1;
    struct sockaddr_in address = {0};
    socklen_t length = sizeof(address);
    struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
    evutil_socket_t fd;

    if (!bound)
        return -1;
    fd = evhttp_bound_socket_get_fd(bound);
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) ||
        getsockname(fd, (struct sockaddr *)&address, &length))
        return -1;
    return ntohs(address.sin_port);
}

int main(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base;
    struct evhttp *http;
    struct event *terminated;
    int port;

    (void)signal(SIGPIPE, SIG_IGN); /* clients go away in the middle of a reply */
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    memset(reply_bytes, 'x', sizeof(reply_bytes));
    event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
    base = event_base_new_with_config(config);
    event_config_free(config);
    http = evhttp_new(base);
    evhttp_set_bevcb(http, new_connection, NULL);
    evhttp_set_gencb(http, answer, NULL);
    terminated = evsignal_new(base, SIGTERM, stop, base);
    event_add(terminated, NULL);
    port = listen_on_free_port(http);
    if (port < 0) {
        perror("bare");
        return EXIT_FAILURE;
    }
    printf("bare listening on http://127.0.0.1:%d\n", port);
    (void)fflush(stdout);
    event_base_dispatch(base);
    event_free(terminated);
    evhttp_free(http);
    event_base_free(base);
    return EXIT_SUCCESS;
}
