#include "stream_lambda/lambda_run.h"

#include "base/terminal.h"

#include <event2/event.h>

void lambda_run_say(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    terminal_say("ddb-stream-lambda: ");
    terminal_vsay(fmt, args);
    terminal_say("\n");
    va_end(args);
}

void lambda_run_fail(struct lambda_run *run, const char *why)
{
    if (!run->failed)
        lambda_run_say("%s", why);
    run->failed = true;
    run->stopping = true;
    run->changed(run);
}

struct event *lambda_run_timer_new(struct lambda_run *run, void (*call)(int, short, void *),
                                   void *context)
{
    struct event *timer = process_have(evtimer_new(run->base, call, context));

    return timer;
}

void lambda_run_timer_set(struct event *timer, int64_t ms)
{
    struct timeval delay = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    process_need(event_add(timer, &delay) == 0);
}
