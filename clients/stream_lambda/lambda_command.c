#include "stream_lambda/lambda_command.h"

#include "base/buf.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_MAX ((size_t)6 * 1024 * 1024)

extern char **environ;

/* A running process. */
struct child_run {
    struct child_run *next;
    struct lambda_command *command;
    pid_t pid;
    struct span event; /* the part not written yet */
    struct buf answer;
    struct event *writable, *readable, *timer;
    bool timed_out;
    lambda_function_done *done;
    void *context;
};

struct lambda_command {
    struct lambda_function function; /* first */
    const char *text;
    struct timeval timeout;
    bool wants_answer;
    struct event_base *base;
    struct event *child_ended;
    struct child_run *runs;
};

/* --- pipes ------------------------------------------------------------------------------------ */

static struct event *watch(struct lambda_command *c, int fd, short what, event_callback_fn call,
                           struct child_run *r)
{
    struct event *e = event_new(c->base, fd, what, call, r);

    process_need(e && event_add(e, what ? NULL : &c->timeout) == 0);
    return e;
}

/* Forgets an event and closes its pipe. */
static void end_pipe(struct event **e)
{
    if (*e) {
        (void)close(event_get_fd(*e));
        event_free(*e);
    }
    *e = NULL;
}

static void on_writable(evutil_socket_t fd, short what, void *context)
{
    struct child_run *r = context;
    ssize_t written = write(fd, r->event.at, r->event.len);

    (void)what;
    if (written < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (written > 0)
        r->event = span_from(r->event, (size_t)written);
    if (written < 0 || !r->event.len) /* a command need not read the whole event */
        end_pipe(&r->writable);
}

static void on_readable(evutil_socket_t fd, short what, void *context)
{
    struct child_run *r = context;
    char chunk[65536];
    ssize_t got = read(fd, chunk, sizeof chunk);

    (void)what;
    if (got > 0 && r->answer.len <= ANSWER_MAX)
        buf_add(&r->answer, chunk, (size_t)got);
    if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
        end_pipe(&r->readable);
}

/* Reads the output that the process wrote before it ended. */
static void read_rest(struct child_run *r)
{
    size_t before;

    do {
        before = r->answer.len;
        if (r->readable)
            on_readable(event_get_fd(r->readable), 0, r);
    } while (r->answer.len > before);
}

/* --- the end of a process --------------------------------------------------------------------- */

static void release_run(struct child_run *r)
{
    end_pipe(&r->writable);
    end_pipe(&r->readable);
    if (r->timer)
        event_free(r->timer);
}

static const char *why_failed(struct child_run *r, int status)
{
    struct arena *a = r->answer.arena;

    if (r->timed_out)
        return arena_printf(a, "it took longer than %ld s", (long)r->command->timeout.tv_sec);
    if (WIFSIGNALED(status))
        return arena_printf(a, "it was ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status))
        return arena_printf(a, "exit status %d", WEXITSTATUS(status));
    return r->answer.len > ANSWER_MAX ? "its answer is longer than 6 MB" : NULL;
}

static void finish_run(struct child_run *r, int status)
{
    struct lambda_function_result result = {.status = 200};

    read_rest(r);
    result.why = why_failed(r, status);
    result.answer = buf_span(&r->answer);
    if (result.why)
        result.outcome = FUNCTION_FAILED;
    release_run(r);
    r->done(r->context, &result);
}

/* A run is taken off the list before it is finished, because `done` may add another. */
static void on_child_ended(evutil_socket_t fd, short what, void *context)
{
    struct lambda_command *c = context;
    struct child_run **link = &c->runs;

    (void)fd, (void)what;
    while (*link) {
        struct child_run *r = *link;
        int status;

        if (waitpid(r->pid, &status, WNOHANG) != r->pid) {
            link = &r->next;
            continue;
        }
        *link = r->next;
        finish_run(r, status);
        link = &c->runs;
    }
}

static void on_timeout(evutil_socket_t fd, short what, void *context)
{
    struct child_run *r = context;

    (void)fd, (void)what;
    r->timed_out = true;
    (void)kill(-r->pid, SIGKILL);
}

/* --- the beginning ---------------------------------------------------------------------------- */

/* Makes a pipe; our end is non-blocking and not inherited. */
static bool open_pipe(int ends[2], int ours)
{
    if (pipe(ends))
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[ours], F_SETFL, O_NONBLOCK);
    return true;
}

/* Starts a process group, so that a signal from the terminal does not reach it and a timeout kills
 * all of it. out < 0: it shares our standard output. */
static int spawn(const char *text, int in, int out, pid_t *pid)
{
    char shell[] = "sh", flag[] = "-c";
    char *const argv[] = {shell, flag, (char *)(uintptr_t)text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int error;

    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (out >= 0)
        (void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    return error;
}

/* Returns 0 or an errno. */
static int start_run(struct child_run *r)
{
    struct lambda_command *c = r->command;
    int in[2], out[2] = {-1, -1}, error;

    if (!open_pipe(in, 1))
        return errno;
    if (c->wants_answer && !open_pipe(out, 0)) {
        error = errno;
    } else if (!(error = spawn(c->text, in[0], out[1], &r->pid))) {
        r->writable = watch(c, in[1], EV_WRITE | EV_PERSIST, on_writable, r);
        if (c->wants_answer)
            r->readable = watch(c, out[0], EV_READ | EV_PERSIST, on_readable, r);
        r->timer = watch(c, -1, 0, on_timeout, r);
    } else {
        (void)close(out[0]);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    if (error)
        (void)close(in[1]);
    return error;
}

static void call_command(struct lambda_function *f, struct arena *a, struct span event,
                         lambda_function_done *done, void *context)
{
    struct lambda_command *c = (struct lambda_command *)f;
    struct child_run *r = arena_alloc(a, sizeof *r);
    int error;

    r->command = c;
    r->event = event;
    r->answer = buf_in(a);
    r->done = done;
    r->context = context;
    if (!(error = start_run(r))) {
        r->next = c->runs;
        c->runs = r;
        return;
    }
    done(context, &(struct lambda_function_result){
                      .outcome = FUNCTION_NOT_REACHED,
                      .why = arena_printf(a, "cannot start a process: %s", strerror(error))});
}

/* Kills running commands. */
static void free_command(struct lambda_function *f)
{
    struct lambda_command *c = (struct lambda_command *)f;

    for (struct child_run *r = c->runs; r; r = r->next) {
        (void)kill(-r->pid, SIGKILL);
        (void)waitpid(r->pid, NULL, 0);
        release_run(r);
    }
    event_free(c->child_ended);
}

struct lambda_function *lambda_command_new(struct arena *a, struct event_base *base,
                                           const struct lambda_options *options)
{
    struct lambda_command *c = arena_alloc(a, sizeof *c);

    *c = (struct lambda_command){.function = {call_command, free_command},
                                 .text = options->command,
                                 .timeout = {.tv_sec = options->timeout},
                                 .wants_answer = options->reports_failures,
                                 .base = base};
    c->child_ended = evsignal_new(base, SIGCHLD, on_child_ended, c);
    process_need(c->child_ended && event_add(c->child_ended, NULL) == 0);
    return &c->function;
}
