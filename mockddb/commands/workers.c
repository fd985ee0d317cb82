#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "commands/workers.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/terminal.h"
#include "commands/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define AGAIN_MS 1000  /* after its start, a process that has ended is started again */
#define END_MS   10000 /* a process that has not ended this long after SIGTERM is killed */

struct process {
    const char *name; /* "worker 1" */
    pid_t id;         /* 0: it is not running */
    int64_t began_ms;
};

/* Beside the processes there is only this one: it starts them again, and passes signals on. */
struct workers {
    struct arena *arena;
    struct serve_options options; /* of the workers */
    struct http_sockets sockets;
    struct process *at; /* the first does the jobs and serves no client */
    size_t count;
    _Atomic size_t *connections; /* of each process, in memory that they share */
    int life[2]; /* a pipe: the processes end when its writing end is closed, as with this process
                  */
};

/* Signals that have come: their handler only writes them here. */
static int signals[2];

static void note_signal(int number)
{
    const char mark = (char)number;
    int saved = errno;

    (void)!write(signals[1], &mark, 1);
    errno = saved;
}

static void handle_signals(void (*handler)(int))
{
    static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    for (size_t i = 0; i < COUNT(numbers); i++)
        (void)sigaction(numbers[i], &action, NULL);
}

/* What a process does from its start to its end. It writes to `ready` when it serves. */
NO_RETURN static void serve(struct workers *w, size_t own, int ready)
{
    const bool does_jobs = own == 0;
    struct http_sockets none = {.count = 0, .host = w->sockets.host, .port = w->sockets.port};
    struct http_share share = {w->connections, w->count, own};
    struct serving_role role = {.sockets = does_jobs ? none : w->sockets,
                                .share = does_jobs ? (struct http_share){0} : share,
                                .does_jobs = does_jobs};
    struct serving *s;
    int status = EXIT_SUCCESS;

    handle_signals(SIG_DFL);
    (void)setpgid(0, 0); /* Ctrl-C in a terminal is for the process that started this one */
    (void)dup2(w->life[0], STDIN_FILENO);
    (void)close(w->life[0]);
    (void)close(w->life[1]);
    for (int i = 0; does_jobs && i < w->sockets.count; i++)
        (void)close(w->sockets.at[i]);
    if ((s = serving_start(w->arena, &w->options, &role, NULL, &status))) {
        (void)!write(ready, "", 1);
        (void)close(ready);
        http_server_watch_input(serving_server(s));
        http_server_run(serving_server(s));
        serving_stop(s);
    }
    exit(status);
}

/* Starts a process, and returns where it says that it serves, or -1. */
static int start_process(struct workers *w, struct process *p)
{
    int ready[2];

    p->began_ms = clock_monotonic_ms();
    if (pipe(ready))
        return -1;
    (void)fflush(NULL);
    if ((p->id = fork()) == 0) {
        (void)close(ready[0]);
        serve(w, (size_t)(p - w->at), ready[1]);
    }
    (void)close(ready[1]);
    if (p->id > 0)
        return ready[0];
    p->id = 0;
    (void)close(ready[0]);
    return -1;
}

/* Waits until a process serves; returns false if it has ended, which has said why. */
static bool wait_until_ready(int ready)
{
    char mark;
    ssize_t got;

    do
        got = read(ready, &mark, 1);
    while (got < 0 && errno == EINTR);
    (void)close(ready);
    return got == 1;
}

/* The jobs' process comes first: it loads the fixtures. */
static bool start_all(struct workers *w)
{
    for (size_t i = 0; i < w->count; i++) {
        int ready = start_process(w, &w->at[i]);

        if (ready < 0)
            log_error("cannot start %s: %s", w->at[i].name, strerror(errno));
        if (ready < 0 || !wait_until_ready(ready))
            return false;
    }
    return true;
}

static void take_end(struct workers *w, pid_t id, int status, bool is_ending)
{
    for (size_t i = 0; i < w->count; i++) {
        struct process *p = &w->at[i];

        if (p->id != id)
            continue;
        p->id = 0;
        w->connections[i] = HTTP_NO_CONNECTIONS;
        if (!is_ending && WIFSIGNALED(status))
            log_error("%s (process %ld) was ended by signal %d, and is started again", p->name,
                      (long)id, WTERMSIG(status));
        else if (!is_ending)
            log_error("%s (process %ld) ended with status %d, and is started again", p->name,
                      (long)id, WEXITSTATUS(status));
    }
}

static void collect_ended(struct workers *w, bool is_ending)
{
    int status;
    pid_t id;

    while ((id = waitpid(-1, &status, WNOHANG)) > 0)
        take_end(w, id, status, is_ending);
}

/* Starts ended processes again. Returns in how many milliseconds the next one is due, or -1. */
static int restart_ended(struct workers *w)
{
    int64_t now = clock_monotonic_ms(), wait = -1;

    for (size_t i = 0; i < w->count; i++) {
        struct process *p = &w->at[i];
        int64_t left = p->began_ms + AGAIN_MS - now;
        int ready;

        if (!p->id && left <= 0 && (ready = start_process(w, p)) >= 0)
            (void)close(ready);
        if (!p->id && left <= 0)
            left = AGAIN_MS;
        if (!p->id && (wait < 0 || left < wait))
            wait = left;
    }
    return (int)wait;
}

static void send_signal(const struct workers *w, int number)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i].id)
            (void)kill(w->at[i].id, number);
}

/* Waits for a signal. Returns its number, or 0 at the time's end. */
static int next_signal(int ms)
{
    struct pollfd there = {.fd = signals[0], .events = POLLIN};
    char number;

    if (poll(&there, 1, ms) > 0 && read(signals[0], &number, 1) == 1)
        return number;
    return 0;
}

static void supervise(struct workers *w)
{
    int number, wait = -1;

    do {
        number = next_signal(wait);
        collect_ended(w, false);
        wait = number == SIGTERM || number == SIGINT || number == SIGHUP ? -1 : restart_ended(w);
    } while (number == 0 || number == SIGCHLD);
}

static bool are_running(const struct workers *w)
{
    size_t i = 0;

    while (i < w->count && !w->at[i].id)
        i++;
    return i < w->count;
}

static void end_all(struct workers *w)
{
    int64_t until = clock_monotonic_ms() + END_MS;

    send_signal(w, SIGTERM);
    for (collect_ended(w, true); are_running(w); collect_ended(w, true))
        if (clock_monotonic_ms() < until)
            (void)next_signal(100);
        else
            send_signal(w, SIGKILL);
}

/* Buckets of one process would not be another's. */
static const char *share_buckets(struct workers *w)
{
    const char *parent = getenv("TMPDIR");
    char *folder;

    if (w->options.setup.has_s3_root)
        return NULL;
    folder = arena_printf(w->arena, "%s/mockddb-s3-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return arena_printf(w->arena, "no folder can be made for exports and imports: %s: %s",
                            folder, strerror(errno));
    w->options.setup.s3_root = folder;
    w->options.setup.has_s3_root = true;
    return NULL;
}

/* Returns false if there is no memory. */
static bool share_connections(struct workers *w)
{
    w->connections = mmap(NULL, w->count * sizeof *w->connections, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; w->connections != MAP_FAILED && i < w->count; i++)
        w->connections[i] = HTTP_NO_CONNECTIONS;
    return w->connections != MAP_FAILED;
}

static const char *set_up(struct workers *w, const struct serve_options *options)
{
    const char *problem = http_sockets_inherit(w->arena, &w->sockets);

    if (!problem && !w->sockets.count)
        problem = http_sockets_open(w->arena, options->host, options->port, &w->sockets);
    if (problem || (problem = share_buckets(w)))
        return problem;
    w->count = (size_t)options->setup.service.workers + 1;
    if (pipe(w->life) || pipe(signals) || !share_connections(w))
        return strerror(errno);
    w->at = arena_array(w->arena, w->count, sizeof *w->at);
    w->at[0].name = "the process of the jobs";
    for (size_t i = 1; i < w->count; i++)
        w->at[i].name = arena_printf(w->arena, "worker %zu", i);
    handle_signals(note_signal);
    return NULL;
}

int workers_run(struct arena *a, const struct serve_options *options)
{
    struct workers w = {.arena = a, .options = *options};
    const char *problem = set_up(&w, options);
    char url[100];
    bool started;

    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    if ((started = start_all(&w))) {
        http_sockets_url(&w.sockets, options->tls_certificate != NULL, url, sizeof url);
        printf("mockddb listening on %s\n", url);
        if (fflush(stdout) || ferror(stdout))
            log_error("standard output cannot be written: listening on %s", url);
        supervise(&w);
    }
    end_all(&w);
    if (!options->setup.has_s3_root)
        (void)rmdir(w.options.setup.s3_root);
    return started ? EXIT_SUCCESS : EXIT_FAILURE;
}
