/* fuzz_awscli.c: pasted lines with commands of the AWS CLI. */
#include "fuzz.h"

#include "awscli/awscli_command.h"
#include "awscli/awscli_shell.h"
#include "wire/json.h"

static void check_command(struct arena *a, char *const *words)
{
    struct awscli_command c = {.op = NULL};
    const wire_node *request;

    if (!awscli_command_read(a, words, AWSCLI_NO_FILES, &c))
        must(json_parse(a, c.request, &request), "a request is JSON");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct awscli_lines lines;

    if (!awscli_shell_read(a, text, "/home/me", &lines))
        for (size_t i = 0; i < lines.len; i++)
            check_command(a, lines.at[i]);
    arena_free(a);
    return 0;
}
