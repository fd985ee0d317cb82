/* fuzz_mcp.c: the first line is a message of MCP, the others are answers to its requests. */
#include "fuzz.h"

#include "mcp/mcp.h"
#include "wire/json.h"

#define MOST_REQUESTS 100 /* more than a call may make */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mcp_options options = {.tools = "rehearse,tests,data"};
    static const struct mcp_envelope envelope = {.is_http = false};
    struct arena *a = arena_new();
    struct span rest = fuzz_input(a, data, size);
    struct mcp_message *m = mcp_new(&options, &envelope, fuzz_line(&rest), 1);
    const wire_node *reply;
    size_t asked = 0;

    while (mcp_step(m, 0)) {
        struct span line = fuzz_line(&rest);

        must(asked++ < MOST_REQUESTS, "a call makes a bounded number of requests");
        mcp_take(m, &(struct mcp_answer){line.len % 7 ? 200 : 404, line}, NULL);
    }
    must(!mcp_reply(m).len || json_parse(a, mcp_reply(m), &reply), "a reply is JSON");
    must(!span_has(mcp_reply(m), '\n'), "a reply is one line");
    mcp_free(m);
    arena_free(a);
    return 0;
}
