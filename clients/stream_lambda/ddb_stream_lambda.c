/* ddb-stream-lambda: follows a table's stream and passes its records to a local function, like a
 * Lambda event source mapping. */
#include "common/program.h"
#include "stream_lambda/lambda_follow.h"
#include "stream_lambda/lambda_options.h"

static const struct command program = {
    .name = "ddb-stream-lambda",
    .summary = "Follows a table's stream and hands batches of records to a function, as a Lambda\n"
               "event source mapping does. Needs --table or --stream-arn, and --command or\n"
               "--invoke. Exit status: 0 ended as asked, 1 batches were given up or the stream\n"
               "could not be followed any more, 2 it could not begin.",
    .options = lambda_options_groups,
    .defaults = &lambda_options_default,
    .size = sizeof lambda_options_default,
    .check = lambda_options_check,
    .run = lambda_follow,
};

int main(int argc, char **argv)
{
    return program_run(&program, argc, argv);
}
