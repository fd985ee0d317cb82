#include "stream_lambda/lambda_function.h"

#include "stream_lambda/lambda_command.h"
#include "stream_lambda/lambda_invoke.h"

struct lambda_function {
    struct lambda_command *command; /* one of the two */
    struct lambda_invoke *invoke;
};

const char *lambda_function_new(struct arena *a, struct event_base *base,
                                const struct lambda_function_options *options,
                                struct lambda_function **out)
{
    struct lambda_function *f = arena_alloc(a, sizeof *f);
    const char *problem = NULL;

    if (options->command)
        f->command = lambda_command_new(a, base, options);
    else
        problem = lambda_invoke_new(a, base, options, &f->invoke);
    if (!problem)
        *out = f;
    return problem;
}

void lambda_function_free(struct lambda_function *f)
{
    if (!f)
        return;
    if (f->command)
        lambda_command_free(f->command);
    else
        lambda_invoke_free(f->invoke);
}

void lambda_function_call(struct lambda_function *f, struct arena *a, struct span event,
                          lambda_function_done *done, void *context)
{
    if (f->command)
        lambda_command_call(f->command, a, event, done, context);
    else
        lambda_invoke_call(f->invoke, a, event, done, context);
}
