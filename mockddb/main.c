#include "commit.h"

#include "base/process.h"
#include "commands/command.h"
#include "common/program.h"
#include "http/http_server.h"
#include "store/store.h"

int main(int argc, char **argv)
{
    static process_part *const parts[] = {store_start, http_server_start, NULL};
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    const struct command *client = NULL;
    struct arena *arena;
    int status;

    if (argc && (client = program_find(slash ? slash + 1 : argv[0])))
        return program_run(client, argc, argv);
    if (argc > 1 && (client = program_find(argv[1])))
        return program_run(client, argc - 1, argv + 1);
    process_start(parts);
    arena = arena_new();
    status = command_do(arena, argc ? argv + 1 : argv, MOCKDDB_COMMIT);
    arena_free(arena);
    return status;
}
