#include "ddb_stream_lambda_function.h"

#include "ddb_stream_lambda_command.h"
#include "ddb_stream_lambda_invoke.h"

struct function {
    struct command *command; /* one of the two */
    struct invoke *invoke;
};

const char *function_new(struct arena *a, struct event_base *base,
                         const struct function_options *options, struct function **out)
{
    struct function *f = arena_alloc(a, sizeof *f);
    const char *problem = NULL;

    if (options->command)
        f->command = command_new(a, base, options);
    else
        problem = invoke_new(a, base, options, &f->invoke);
    if (!problem)
        *out = f;
    return problem;
}

void function_free(struct function *f)
{
    if (!f)
        return;
    if (f->command)
        command_free(f->command);
    else
        invoke_free(f->invoke);
}

void function_call(struct function *f, struct arena *a, struct span event, function_done *done,
                   void *context)
{
    if (f->command)
        command_call(f->command, a, event, done, context);
    else
        invoke_call(f->invoke, a, event, done, context);
}
