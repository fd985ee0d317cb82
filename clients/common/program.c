#include "common/program.h"

#include "base/completion.h"
#include "base/licenses.h"
#include "base/process.h"
#include "base/terminal.h"
#include "client/client_http.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

const struct command *program_find(const char *name)
{
    static const struct command *const programs[] = {&program_capture, &program_json,
                                                     &program_patterns, &program_stream_lambda};

    for (size_t i = 0; i < COUNT(programs); i++)
        if (strcmp(name, programs[i]->name) == 0)
            return programs[i];
    return NULL;
}

int program_fail(const struct command *program, const char *problem, int status)
{
    terminal_say("%s: %s\n", program->name, problem);
    return status;
}

static int print_text(const struct command *program, const char *text)
{
    if (fputs(text, stdout) != EOF && fflush(stdout) != EOF)
        return EXIT_SUCCESS;
    return program_fail(program, "standard output cannot be written", EXIT_FAILURE);
}

static int run_line(struct arena *a, const struct command *program, char *const *words)
{
    static const struct option_group common[] = {{NULL, command_line_common, 0}, {NULL, NULL, 0}};
    const struct command *const alone[] = {program, NULL};
    const struct manual manual = {.program = program->name,
                                  .version = MOCKDDB_VERSION,
                                  .summary = program->summary,
                                  .commands = alone,
                                  .common = common};
    const char *text = words[0] && words[1] && strcmp(words[0], "--help") == 0
                           ? completion_or_manual(a, &manual, (const char *const *)words + 1)
                           : NULL;
    struct command_line line = {.command = program};
    const char *problem = command_line_read(a, words, NULL, &line);
    struct buf help = buf_in(a);

    if (text)
        return print_text(program, text);
    if (problem)
        return program_fail(program, problem, COMMAND_LINE_WRONG);
    if (line.wants_help) {
        command_line_help(&help, "", program);
        option_help(&help, common);
        return print_text(program, buf_text(&help));
    }
    if (line.wants_version)
        return print_text(program, arena_printf(a, "%s " MOCKDDB_VERSION "\n", program->name));
    if (line.wants_licenses)
        return print_text(program, (const char *)licenses_text);
    if (line.given.repeated)
        terminal_say("%s: option %s is given more than once: the last one counts\n", program->name,
                     line.given.repeated);
    return program->run(a, line.options);
}

int program_run(const struct command *program, int argc, char **argv)
{
    static process_part *const parts[] = {client_http_start, NULL};
    struct arena *a;
    int status;

    process_start(parts);
    (void)signal(SIGPIPE, SIG_IGN);
    a = arena_new();
    status = run_line(a, program, argc ? argv + 1 : argv);
    arena_free(a);
    return status;
}
