#include "http/http_server.h"

#include "base/heap.h"
#include "base/log.h"
#include "http/http_connection.h"
#include "store/store_memory.h"

#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BACKLOG         1024
#define UPKEEP_MS       100 /* between two looks at connections and memory */
#define LAST_WRITES_MS  200 /* for replies under way when the server is asked to end */
#define ACCEPT_AGAIN_MS 100 /* after running out of descriptors */

struct http_server {
    struct worlds *worlds;
    struct http_tls *tls; /* NULL: plain HTTP */
    struct event_base *base;
    struct evconnlistener *listener;
    struct event *background, *upkeep, *terminate, *interrupt;
    struct event *child_ended, *hang_up;
    pid_t child;           /* for which it serves; 0: for anybody */
    int64_t background_ms; /* when it is to come, as the turn counts */
    bool background_is_due;
    bool upkeep_waits; /* the second is to come */
    struct http_turn turn;
    int64_t trimmed_ms;            /* what was there then is given back, … */
    struct heap_return back;       /* … or on its way, … */
    bool returning;                /* … and after it what stores left */
    int64_t watched_ms, worked_ms; /* since when how much goes on is watched; the turn's then */
    bool stopping;
    uint16_t port;
    char url[300];
};

static struct timeval milliseconds(int ms)
{
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000L};
}

/* --- connections ----------------------------------------------------------------------------- */

static void on_connection(struct evconnlistener *listener, evutil_socket_t fd,
                          struct sockaddr *address, int len, void *arg)
{
    struct http_server *s = arg;
    struct bufferevent *stream = s->tls
                                     ? http_tls_accepting(s->tls, s->base)
                                     : bufferevent_socket_new(s->base, fd, BEV_OPT_CLOSE_ON_FREE);

    (void)listener, (void)address, (void)len;
    if (!stream || (s->tls && bufferevent_setfd(stream, fd)))
        process_out_of_memory();
    http_connection_open(&s->turn, stream);
}

static void on_accept_again(evutil_socket_t fd, short what, void *listener)
{
    (void)fd, (void)what;
    evconnlistener_enable(listener);
}

/* Out of descriptors: the listener would report that without end, so it rests. */
static void on_accept_error(struct evconnlistener *listener, void *arg)
{
    struct timeval delay = milliseconds(ACCEPT_AGAIN_MS);

    (void)arg;
    evconnlistener_disable(listener);
    if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, on_accept_again,
                        listener, &delay))
        process_out_of_memory();
}

/* --- timer and signals ----------------------------------------------------------------------- */

/* A step of what is on its way back to the system, unless somebody needs memory again. */
static void give_back(struct http_server *s)
{
    s->returning = s->turn.worked_ms - s->worked_ms <= HTTP_QUIET_MS;
    if (!s->returning)
        heap_return_end(&s->back);
    else if ((s->back.going && heap_return_step(&s->back)) || store_memory_return_step())
        return;
    s->returning = false;
    s->watched_ms = s->turn.now_ms;
    s->worked_ms = s->turn.worked_ms;
}

/* What a burst needed goes back to the system when little goes on. To wait until nothing does would
 * be to wait for ever where a health check comes every second. */
static void trim(struct http_server *s)
{
    const struct http_turn *t = &s->turn;
    bool quiet = t->worked_ms - s->worked_ms <= HTTP_QUIET_MS;

    if (s->returning) {
        give_back(s);
        return;
    }
    if (t->now_ms - s->watched_ms < HTTP_TRIM_MS)
        return;
    s->watched_ms = t->now_ms;
    s->worked_ms = t->worked_ms;
    if (!quiet || s->trimmed_ms >= t->moved_ms)
        return;
    heap_return_begin(&s->back);
    s->returning = true;
    http_handler_trim(s->turn.handler);
    s->trimmed_ms = t->now_ms;
}

static void on_background(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;

    (void)fd, (void)what;
    s->background_ms = INT64_MAX;
    s->background_is_due = true;
}

static void on_upkeep(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;

    (void)fd, (void)what;
    http_turn_sweep(&s->turn);
    trim(s);
    s->upkeep_waits = false;
}

static bool needs_upkeep(const struct http_server *s)
{
    return !TAILQ_EMPTY(&s->turn.all) || s->returning || s->trimmed_ms < s->turn.moved_ms;
}

/* At the end of a turn. While nobody is there and nothing falls due, neither timer comes. */
static void set_timers(struct http_server *s)
{
    int rest_ms = worlds_rest_ms(s->worlds);

    if (rest_ms != WORLD_RESTS && s->turn.now_ms + rest_ms < s->background_ms) {
        struct timeval delay = milliseconds(rest_ms);

        event_add(s->background, &delay);
        s->background_ms = s->turn.now_ms + rest_ms;
    }
    if (!s->upkeep_waits && needs_upkeep(s)) {
        struct timeval delay = milliseconds(UPKEEP_MS);

        event_add(s->upkeep, &delay);
        s->upkeep_waits = true;
    }
}

/* Ctrl-C reaches the child by itself where both are at the terminal. */
static bool came_from_terminal(int signal_number)
{
    return signal_number == SIGINT && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static void on_stop(evutil_socket_t signal_number, short what, void *arg)
{
    struct http_server *s = arg;

    (void)what;
    if (!s->child)
        s->stopping = true;
    else if (!came_from_terminal((int)signal_number))
        (void)kill(s->child, (int)signal_number);
}

static void on_child(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;
    siginfo_t info = {.si_pid = 0};

    (void)fd, (void)what;
    if (waitid(P_PID, (id_t)s->child, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
        s->stopping = true;
}

static void on_log(int severity, const char *text)
{
    if (severity >= EVENT_LOG_WARN)
        log_error("%s", text);
}

/* --- set-up ---------------------------------------------------------------------------------- */

void http_server_start(void)
{
    event_set_mem_functions(process_malloc, process_realloc, free);
}

static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    if (config) {
        event_config_set_flag(config,
                              EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST | EVENT_BASE_FLAG_NOLOCK);
        base = event_base_new_with_config(config);
        event_config_free(config);
    }
    if (!base)
        process_out_of_memory();
    return base;
}

/* As many connections as the system lets us have. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void write_url(struct http_server *s, const char *host)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;

    if (getsockname(evconnlistener_get_fd(s->listener), (struct sockaddr *)&address, &len) == 0)
        s->port = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                      : ((struct sockaddr_in *)&address)->sin_port);
    (void)snprintf(s->url, sizeof s->url, strchr(host, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
                   s->tls ? "https" : "http", host, (unsigned)s->port);
}

static const char *listen_problem(struct arena *a, const struct http_server_options *o, int cause)
{
    if (cause == EADDRINUSE)
        return arena_printf(a, "port %u of %s is in use", (unsigned)o->port, o->host);
    return arena_printf(a, "cannot listen on port %u of %s: %s", (unsigned)o->port, o->host,
                        strerror(cause));
}

static const char *start_listening(struct http_server *s, struct arena *a,
                                   const struct http_server_options *o)
{
    const struct evutil_addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                          .ai_flags = EVUTIL_AI_PASSIVE};
    const unsigned flags = LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_CLOSE_ON_FREE;
    struct evutil_addrinfo *found;
    char port[8];
    int on = 1, result, cause;

    (void)snprintf(port, sizeof port, "%u", (unsigned)o->port);
    if ((result = evutil_getaddrinfo(o->host, port, &hints, &found)))
        return arena_printf(a, "cannot listen on %s: %s", o->host, evutil_gai_strerror(result));
    s->listener = evconnlistener_new_bind(s->base, NULL, NULL, flags, BACKLOG, found->ai_addr,
                                          (int)found->ai_addrlen);
    cause = errno;
    evutil_freeaddrinfo(found);
    if (!s->listener)
        return listen_problem(a, o, cause);
    /* Accepted sockets inherit it. Without it a long reply waits 40 ms for the client's ACK. */
    setsockopt(evconnlistener_get_fd(s->listener), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    write_url(s, o->host);
    return NULL;
}

static void add_events(struct http_server *s)
{
    s->background = evtimer_new(s->base, on_background, s);
    s->upkeep = evtimer_new(s->base, on_upkeep, s);
    s->terminate = evsignal_new(s->base, SIGTERM, on_stop, s);
    s->interrupt = evsignal_new(s->base, SIGINT, on_stop, s);
    if (!s->background || !s->upkeep || !s->terminate || !s->interrupt)
        process_out_of_memory();
    s->background_ms = INT64_MAX;
    set_timers(s);
    event_add(s->terminate, NULL);
    event_add(s->interrupt, NULL);
}

struct http_server *http_server_new(struct arena *a, const struct http_server_options *options,
                                    struct worlds *worlds, struct http_handler *handler,
                                    const char **problem)
{
    struct http_server *s = calloc(1, sizeof *s);

    if (!s)
        process_out_of_memory();
    (void)signal(SIGPIPE, SIG_IGN); /* a write that fails says so, … */
    (void)signal(SIGXFSZ, SIG_IGN); /* … also one of a file that has reached a limit */
    raise_descriptor_limit();
    event_set_log_callback(on_log);
    s->worlds = worlds;
    s->tls = options->tls;
    s->base = new_base();
    http_turn_open(&s->turn);
    if ((*problem = start_listening(s, a, options))) {
        http_server_free(s);
        return NULL;
    }
    s->turn.base = s->base;
    s->turn.handler = handler;
    s->turn.secure = s->tls != NULL;
    s->turn.port = s->port;
    evconnlistener_set_cb(s->listener, on_connection, s);
    evconnlistener_set_error_cb(s->listener, on_accept_error);
    add_events(s);
    return s;
}

void http_server_serve_child(struct http_server *s, pid_t child)
{
    s->child = child;
    s->child_ended = evsignal_new(s->base, SIGCHLD, on_child, s);
    s->hang_up = evsignal_new(s->base, SIGHUP, on_stop, s);
    if (!s->child_ended || !s->hang_up)
        process_out_of_memory();
    event_add(s->child_ended, NULL);
    event_add(s->hang_up, NULL);
    on_child(-1, 0, s); /* it may have ended before somebody looked */
}

static void free_event(struct event *event)
{
    if (event)
        event_free(event);
}

void http_server_free(struct http_server *s)
{
    if (!s)
        return;
    heap_return_end(&s->back);
    free_event(s->background);
    free_event(s->upkeep);
    free_event(s->terminate);
    free_event(s->interrupt);
    free_event(s->child_ended);
    free_event(s->hang_up);
    http_turn_close(&s->turn);
    if (s->listener)
        evconnlistener_free(s->listener);
    event_base_free(s->base);
    free(s);
}

struct event_base *http_server_base(const struct http_server *s)
{
    return s->base;
}

const char *http_server_url(const struct http_server *s)
{
    return s->url;
}

/* Slices of what goes on beside requests, behind all that was answered: whoever comes meanwhile
 * waits for the end of one, and for nothing more. */
static void work_beside(struct http_server *s)
{
    if (!s->background_is_due && !http_admin_is_busy(s->turn.handler))
        return;
    if (s->tls) /* there, replies leave in the loop */
        event_base_loop(s->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    if (s->background_is_due)
        (void)worlds_idle(s->worlds);
    s->background_is_due = false;
    http_admin_step(s->turn.handler);
    http_turn_flush(&s->turn);
}

void http_server_turn(struct http_server *s, bool wait)
{
    wait = wait && !http_turn_is_due(&s->turn) && !http_admin_is_busy(s->turn.handler);
    event_base_loop(s->base, EVLOOP_ONCE | (wait ? 0 : EVLOOP_NONBLOCK));
    http_turn_begin(&s->turn);
    if (http_turn_is_slow(&s->turn)) /* what new connections have sent already is read now */
        event_base_loop(s->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    http_turn_run(&s->turn);
    work_beside(s);
    set_timers(s);
}

static void on_time_is_up(evutil_socket_t fd, short what, void *arg)
{
    bool *over = arg;

    (void)fd, (void)what;
    *over = true;
}

/* Lets the last replies out, for a moment. */
static void finish_writing(struct http_server *s)
{
    struct timeval limit = milliseconds(LAST_WRITES_MS);
    bool over = false;
    struct event *timer = evtimer_new(s->base, on_time_is_up, &over);

    if (!timer)
        process_out_of_memory();
    evconnlistener_disable(s->listener);
    event_add(timer, &limit);
    while (http_turn_has_replies(&s->turn) && !over)
        http_server_turn(s, true);
    event_free(timer);
}

void http_server_run(struct http_server *s)
{
    while (!s->stopping)
        http_server_turn(s, true);
    finish_writing(s);
}
