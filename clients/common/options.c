#include "common/options.h"

#include "base/process.h"
#include "base/terminal.h"
#include "client/client_http.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>

const char *options_fault(struct arena *a, int code, char *const *argv)
{
    if (code == ':')
        return arena_printf(a, "%s needs a value", argv[optind - 1]);
    if (code != '?')
        return NULL;
    if (optopt > 0 && optopt <= SCHAR_MAX &&
        isprint(optopt)) /* a letter: its word may have more letters, and is not skipped yet */
        return arena_printf(a, "unknown option -%c; --help lists them", optopt);
    return arena_printf(a, "unknown option %s; --help lists them", argv[optind - 1]);
}

const char *options_no_value(struct arena *a, const struct option *options, int code,
                             const char *value)
{
    while (options->val != code)
        options++;
    return *value ? NULL : arena_printf(a, "--%s is empty", options->name);
}

const char *options_no_prefix(struct arena *a, const char *prefix)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

    if (!prefix[strspn(prefix, allowed)])
        return NULL;
    return arena_printf(a, "--table-prefix %s: tables' names have only A-Z a-z 0-9 _ . -", prefix);
}

void options_start(void)
{
    static process_part *const parts[] = {client_http_start, NULL};

    process_start(parts);
    (void)signal(SIGPIPE, SIG_IGN);
}

bool options_print(const char *program, const char *text)
{
    if (fputs(text, stdout) != EOF && fflush(stdout) != EOF)
        return true;
    terminal_say("%s: standard output cannot be written\n", program);
    return false;
}
