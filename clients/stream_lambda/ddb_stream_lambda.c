/* ddb-stream-lambda: follows a table's stream and passes its records to a local function, like a
 * Lambda event source mapping. */
#include "base/terminal.h"
#include "common/options.h"
#include "stream_lambda/lambda_follow.h"

#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_CANNOT = 2 };

static int run_follower(struct arena *a, int argc, char **argv)
{
    static const int statuses[] = {
        [FOLLOW_DONE] = EXIT_DONE, [FOLLOW_FAILED] = EXIT_FAILED, [FOLLOW_NEVER] = EXIT_CANNOT};
    struct lambda_options options;
    const char *answer = NULL, *problem;

    problem = lambda_options_read(a, argc, argv, &options, &answer);
    if (problem) {
        terminal_say("ddb-stream-lambda: %s\n", problem);
        return EXIT_CANNOT;
    }
    if (answer)
        return options_print("ddb-stream-lambda", answer) ? EXIT_DONE : EXIT_FAILED;
    return statuses[lambda_follow(a, &options)];
}

int main(int argc, char **argv)
{
    struct arena *a;
    int status;

    options_start();
    a = arena_new();
    status = run_follower(a, argc, argv);
    arena_free(a);
    return status;
}
