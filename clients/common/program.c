#include "common/program.h"

#include "base/completion.h"
#include "base/process.h"
#include "client/client_http.h"

#include <signal.h>

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
    return command_line_fail(program->name, problem, status);
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
        return command_line_print(program->name, text);
    if (problem)
        return program_fail(program, problem, COMMAND_LINE_WRONG);
    command_line_help(&help, "", program);
    option_help(&help, common);
    return command_line_run(a, program->name, &line, buf_text(&help),
                            arena_printf(a, "%s " MOCKDDB_VERSION "\n", program->name));
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
