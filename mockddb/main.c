#include "base/process.h"
#include "commands/command.h"
#include "http/http_server.h"
#include "store/store.h"

int main(int argc, char **argv)
{
    static process_part *const parts[] = {store_start, http_server_start, NULL};
    struct arena *arena;
    int status;

    process_start(parts);
    arena = arena_new();
    status = command_do(arena, argc ? argv + 1 : argv);
    arena_free(arena);
    return status;
}
