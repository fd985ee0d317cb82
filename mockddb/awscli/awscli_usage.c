#include "awscli/awscli_usage.h"

static const char usage[] =
    "usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]\n"
    "To see help text, you can run:\n"
    "\n"
    "  aws help\n"
    "  aws <command> help\n"
    "  aws <command> <subcommand> help\n";

const struct problem *awscli_usage_error(struct arena *a, const char *fmt, ...)
{
    const char *text;
    va_list args;

    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return problem_invalid(a, "%s\naws: error: %s\n", usage, text);
}

const struct problem *awscli_usage_unknown(struct arena *a, const char *list)
{
    return problem_invalid(a, "%s\nUnknown options: %s\n", usage, list);
}

const struct problem *awscli_usage_value(struct arena *a, const char *option, const char *fmt, ...)
{
    const char *text;
    va_list args;

    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return problem_invalid(a, "Error parsing parameter '%s': %s", option, text);
}
