#include "common/options.h"

#include <ctype.h>
#include <getopt.h>

const char *options_fault(struct arena *a, int code, char *const *argv)
{
    if (code == ':')
        return arena_printf(a, "%s needs a value", argv[optind - 1]);
    if (code != '?')
        return NULL;
    if (isprint(optopt)) /* a letter; its argument may hold more and is not passed yet */
        return arena_printf(a, "unknown option -%c; --help lists them", optopt);
    return arena_printf(a, "unknown option %s; --help lists them", argv[optind - 1]);
}
