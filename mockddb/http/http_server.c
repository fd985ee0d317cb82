#include "http/http_server.h"

#include "base/file_sync.h"
#include "base/heap.h"
#include "base/log.h"
#include "http/http_connection.h"
#include "store/store_memory.h"

#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define UPKEEP_MS        100 /* between two checks of connections and memory */
#define RETURN_MS        20 /* between two steps of returning memory: at most a quarter of a core */
#define LAST_WRITES_MS   200 /* for replies under way when the server ends */
#define ACCEPT_AGAIN_MS  100 /* after running out of descriptors */
#define ACCEPT_WAIT_MS   5   /* at most, for processes that have fewer connections */
#define ACCEPTS_AT_ONCE  64
#define KEPT_DESCRIPTORS 32 /* for files: connections leave this many, or a quarter, unused */

struct http_server {
    struct worlds *worlds;
    struct http_tls *tls; /* NULL: plain HTTP */
    struct event_base *base;
    struct event *listeners[HTTP_SOCKETS_MOST]; /* NULL: not used */
    struct event *accept_again;                 /* they are off until then */
    struct http_share share;
    bool has_let_others; /* accept the connections that have come */
    struct event *background, *upkeep, *terminate, *interrupt;
    struct event *child_ended, *hang_up;
    struct event *synced;  /* a sync to disk has ended that a copy waits for */
    struct event *input;   /* standard input, whose end stops the server; or NULL */
    pid_t child;           /* serve until this process ends; 0: until a signal */
    int64_t background_ms; /* when the timer is due, in the turn's time */
    bool background_is_due;
    bool upkeep_waits; /* the upkeep timer is set */
    struct http_turn turn;
    size_t most;             /* connections, unless none of them can be closed */
    int64_t closed_ms;       /* when closing was last logged; 0: never */
    int64_t trimmed_ms;      /* memory unused since then is being returned, … */
    struct heap_return back; /* … is being returned now, … */
    bool returning;          /* … followed by the stores' memory */
    int64_t watched_ms,
        worked_ms; /* start of the period in which work is measured; the turn's total then */
    bool stopping;
    uint16_t port;
    char url[300];
};

static struct timeval milliseconds(int ms)
{
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000L};
}

/* --- connections ----------------------------------------------------------------------------- */

/* Closes the connection that was idle longest; returns false if each has something to do. */
static bool make_way(struct http_server *s)
{
    if (!http_turn_make_way(&s->turn))
        return false;
    if (http_turn_is_news(&s->turn, &s->closed_ms))
        log_error("there are more connections than descriptors: the ones that were idle "
                  "longest are closed (%zu are open; ulimit -n sets the limit)",
                  s->turn.count);
    return true;
}

static void open_connection(struct http_server *s, evutil_socket_t fd)
{
    struct bufferevent *stream;

    process_need(evutil_make_socket_nonblocking(fd) == 0);
    (void)evutil_make_socket_closeonexec(fd);
    if (s->turn.count >= s->most)
        (void)make_way(s);
    stream = s->tls ? http_tls_accepting(s->tls, s->base)
                    : bufferevent_socket_new(s->base, fd, BEV_OPT_CLOSE_ON_FREE);
    process_need(stream && (!s->tls || bufferevent_setfd(stream, fd) == 0));
    http_connection_open(&s->turn, stream);
}

static void set_listeners(struct http_server *s, bool on)
{
    for (size_t i = 0; i < COUNT(s->listeners); i++)
        if (s->listeners[i])
            (void)(on ? event_add(s->listeners[i], NULL) : event_del(s->listeners[i]));
}

static void accept_later(struct http_server *s, int ms)
{
    struct timeval delay = milliseconds(ms);

    set_listeners(s, false);
    event_add(s->accept_again, &delay);
}

static void on_accept_again(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;

    (void)fd, (void)what;
    if (!s->stopping)
        set_listeners(s, true);
}

/* How many connections more than the process that has fewest. */
static size_t connections_ahead(const struct http_server *s)
{
    size_t least = s->turn.count;

    for (size_t i = 0; i < s->share.count; i++) {
        size_t other = s->share.connections[i];

        least = other < least ? other : least;
    }
    return s->turn.count - least;
}

/* Out of descriptors. The listener would report that endlessly, so it is disabled until an idle
 * connection is closed, as soon as libevent is back in its loop, or for a while. */
static void take_accept_error(struct http_server *s, int why)
{
    bool way = (why == EMFILE || why == ENFILE) && make_way(s);

    if (why != EAGAIN && why != EINTR && why != ECONNABORTED)
        accept_later(s, way ? 0 : ACCEPT_AGAIN_MS);
}

static void note_connections(const struct http_server *s)
{
    if (s->share.count)
        s->share.connections[s->share.own] = s->turn.count;
}

/* The system wakes all processes that share a socket, and often the same one is first. */
static void on_connections(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;
    size_t ahead = connections_ahead(s);
    evutil_socket_t got = 0;

    (void)what;
    s->has_let_others = ahead && !s->has_let_others;
    if (s->has_let_others) {
        accept_later(s, ahead < ACCEPT_WAIT_MS ? (int)ahead : ACCEPT_WAIT_MS);
        return;
    }
    for (int n = 0; n < (s->share.count ? 1 : ACCEPTS_AT_ONCE) && got >= 0; n++)
        if ((got = accept(fd, NULL, NULL)) >= 0)
            open_connection(s, got);
        else
            take_accept_error(s, errno);
    note_connections(s);
}

/* --- timer and signals ----------------------------------------------------------------------- */

/* Does a step of returning memory, unless the memory is needed again. */
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

/* Returns a burst's memory when there is little work. Waiting for no work at all would take forever
 * with a health check every second. */
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

/* At the end of a turn. Without connections and due work, neither timer is set. */
static void set_timers(struct http_server *s)
{
    int rest_ms = worlds_rest_ms(s->worlds);

    if (rest_ms != WORLD_RESTS && s->turn.now_ms + rest_ms < s->background_ms) {
        struct timeval delay = milliseconds(rest_ms);

        event_add(s->background, &delay);
        s->background_ms = s->turn.now_ms + rest_ms;
    }
    if (!s->upkeep_waits &&
        (!TAILQ_EMPTY(&s->turn.all) || s->returning || s->trimmed_ms < s->turn.moved_ms)) {
        struct timeval delay = milliseconds(s->returning ? RETURN_MS : UPKEEP_MS);

        event_add(s->upkeep, &delay);
        s->upkeep_waits = true;
    }
}

/* The next turn will continue the work that waits for the disk. */
static void on_synced(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what, (void)arg;
    file_sync_heard();
}

/* If both processes are in the terminal's foreground group, the child gets Ctrl-C by itself. */
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

/* What is read is ignored. */
static void on_input(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;
    char bytes[4096];
    ssize_t len = read((int)fd, bytes, sizeof bytes);

    (void)what;
    if (len == 0 || (len < 0 && errno != EINTR && errno != EAGAIN))
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

/* Raises the limit on descriptors as far as allowed. Returns how many connections leave room for
 * files. */
static size_t raise_descriptor_limit(void)
{
    struct rlimit limit;
    rlim_t kept;

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return SIZE_MAX;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {limit.rlim_max, limit.rlim_max};

        if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
            limit = raised;
    }
    kept = limit.rlim_cur / 4 < KEPT_DESCRIPTORS ? limit.rlim_cur / 4 : KEPT_DESCRIPTORS;
    return limit.rlim_cur - kept;
}

/* Accepted sockets inherit TCP_NODELAY. Without it a long reply waits 40 ms for the client's ACK.
 */
static void start_listening(struct http_server *s, const struct http_sockets *sockets)
{
    int on = 1;

    s->accept_again = process_have(evtimer_new(s->base, on_accept_again, s));
    for (int i = 0; i < sockets->count; i++) {
        evutil_socket_t fd = sockets->at[i];

        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        s->listeners[i] = process_have(
            event_new(s->base, fd, EV_READ | EV_PERSIST, on_connections, s));
    }
    set_listeners(s, true);
    s->port = sockets->port;
    http_sockets_url(sockets, s->tls != NULL, s->url, sizeof s->url);
}

static void add_events(struct http_server *s)
{
    s->background = evtimer_new(s->base, on_background, s);
    s->upkeep = evtimer_new(s->base, on_upkeep, s);
    s->terminate = evsignal_new(s->base, SIGTERM, on_stop, s);
    s->interrupt = evsignal_new(s->base, SIGINT, on_stop, s);
    s->synced = event_new(s->base, file_sync_bell(), EV_READ | EV_PERSIST, on_synced, s);
    process_need(s->background && s->upkeep && s->terminate && s->interrupt && s->synced);
    s->background_ms = INT64_MAX;
    set_timers(s);
    event_add(s->terminate, NULL);
    event_add(s->interrupt, NULL);
    event_add(s->synced, NULL);
}

struct http_server *http_server_new(const struct http_server_options *options,
                                    struct worlds *worlds, struct http_handler *handler)
{
    struct http_server *s = process_zeroed(sizeof *s);
    struct event_config *config;

    (void)signal(SIGPIPE, SIG_IGN); /* writing to a closed connection is an error instead, … */
    (void)signal(SIGXFSZ, SIG_IGN); /* … and so is writing to a file that has reached its limit */
    s->most = raise_descriptor_limit();
    event_set_log_callback(on_log);
    s->worlds = worlds;
    s->tls = options->tls;
    config = process_have(event_config_new());
    event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST | EVENT_BASE_FLAG_NOLOCK);
    s->base = process_have(event_base_new_with_config(config));
    event_config_free(config);
    http_turn_open(&s->turn);
    s->share = options->share;
    start_listening(s, &options->sockets);
    note_connections(s);
    s->turn.base = s->base;
    s->turn.handler = handler;
    s->turn.secure = s->tls != NULL;
    s->turn.port = s->port;
    add_events(s);
    return s;
}

void http_server_serve_child(struct http_server *s, pid_t child)
{
    s->child = child;
    s->child_ended = evsignal_new(s->base, SIGCHLD, on_child, s);
    s->hang_up = evsignal_new(s->base, SIGHUP, on_stop, s);
    process_need(s->child_ended && s->hang_up);
    event_add(s->child_ended, NULL);
    event_add(s->hang_up, NULL);
    on_child(-1, 0, s); /* the child may have ended before the handler was set */
}

void http_server_watch_input(struct http_server *s)
{
    s->input = process_have(event_new(s->base, STDIN_FILENO, EV_READ | EV_PERSIST, on_input, s));
    event_add(s->input, NULL);
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
    free_event(s->synced);
    free_event(s->child_ended);
    free_event(s->hang_up);
    free_event(s->input);
    http_turn_close(&s->turn);
    free_event(s->accept_again);
    for (size_t i = 0; i < COUNT(s->listeners); i++)
        if (s->listeners[i]) {
            (void)close(event_get_fd(s->listeners[i]));
            event_free(s->listeners[i]);
        }
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

/* Does slices of background work after all requests were answered: a new request waits for at most
 * one slice. */
static void work_beside(struct http_server *s)
{
    if (!s->background_is_due && !http_admin_is_due(s->turn.handler))
        return;
    if (s->tls) /* with TLS, replies are sent by the loop */
        event_base_loop(s->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    if (s->background_is_due && worlds_idle(s->worlds))
        s->turn.moved_ms =
            s->turn.now_ms; /* memory freed by a deletion after the last return is returned, too */
    s->background_is_due = false;
    http_admin_step(s->turn.handler);
    http_turn_flush(&s->turn);
}

void http_server_turn(struct http_server *s, bool wait)
{
    wait = wait && !http_turn_is_due(&s->turn) && !http_admin_is_due(s->turn.handler);
    event_base_loop(s->base, EVLOOP_ONCE | (wait ? 0 : EVLOOP_NONBLOCK));
    http_turn_begin(&s->turn);
    if (http_turn_is_slow(&s->turn)) /* read what new connections have sent already */
        event_base_loop(s->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    http_turn_run(&s->turn);
    work_beside(s);
    note_connections(s);
    set_timers(s);
}

static void on_time_is_up(evutil_socket_t fd, short what, void *arg)
{
    bool *over = arg;

    (void)fd, (void)what;
    *over = true;
}

/* Sends the last replies, for a moment. */
static void finish_writing(struct http_server *s)
{
    struct timeval limit = milliseconds(LAST_WRITES_MS);
    bool over = false;
    struct event *timer = process_have(evtimer_new(s->base, on_time_is_up, &over));

    set_listeners(s, false);
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
