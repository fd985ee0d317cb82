/* import, export: items from and to files, or as text. */
#include "base/file.h"
#include "base/folder.h"
#include "mcp/mcp_tool.h"

#include <errno.h>
#include <unistd.h>

#define MOST_EXPORTED ((size_t)16 << 20) /* bytes that one call writes, up to a page more */

/* No path leads out of the folder, also none with symbolic links (base/folder.h). *out must be
 * freed. */
static const struct problem *open_folder(struct mcp_call *c, struct span path, struct folder **out)
{
    *out = NULL;
    if (!c->options->files)
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "the tools use no files: --mcp-files DIR gives them a folder");
    if (!folder_allows(path) || span_has(path, '\0'))
        return problem_invalid(c->arena, "%.*s is not a path within the folder of --mcp-files",
                               SPAN_ARG(path));
    *out = folder_open(c->options->files);
    return *out ? NULL
                : problem_new(c->arena, PROBLEM_FAILED, "the folder of --mcp-files: %s",
                              strerror(errno));
}

/* --- import ----------------------------------------------------------------------------------- */

static const struct problem *read_file(struct mcp_call *c, struct span path, struct span *out)
{
    struct folder *folder;
    const struct problem *p = open_folder(c, path, &folder);
    struct buf text = buf_in(c->arena);
    ssize_t len = 0;
    int fd;

    if (p)
        return p;
    if ((fd = folder_read(folder, path)) < 0)
        p = problem_invalid(c->arena, "%.*s cannot be read within the folder of --mcp-files: %s",
                            SPAN_ARG(path), strerror(errno));
    while (!p && (len = read(fd, buf_reserve(&text, 65536), 65536)) > 0)
        if ((text.len += (size_t)len) > MOST_EXPORTED)
            p = problem_invalid(c->arena, "%.*s has more than %zu bytes: mockddb import takes it",
                                SPAN_ARG(path), MOST_EXPORTED);
    if (fd >= 0)
        (void)close(fd);
    folder_free(folder);
    *out = buf_span(&text);
    return p || len >= 0
               ? p
               : problem_new(c->arena, PROBLEM_FAILED, "%.*s: %s", SPAN_ARG(path), strerror(errno));
}

static const struct problem *run_import(struct mcp_call *c)
{
    struct span path = mcp_call_text(c, "file"), text = mcp_call_text(c, "text"), world;
    struct mcp_request request = {.method = "POST", .path = "import", .uploads = true};
    const wire_node *answer;
    const struct problem *p;

    if ((path.len != 0) == (text.len != 0))
        return problem_invalid(c->arena, "one of file and text is needed");
    if (path.len && (p = read_file(c, path, &text)))
        return p;
    if ((p = mcp_call_own_world(c, &world)))
        return p;
    request.world = world;
    request.body = text;
    request.query = mcp_call_query(c, NAMES("table", "key", "types", "prefix"));
    if (path.len)
        request.query = arena_printf(
            c->arena, "%s%sname=%s", request.query, *request.query ? "&" : "",
            mcp_call_step(c, span_of(file_base(arena_text(c->arena, path)))));
    if ((p = mcp_call_get(c, &request, &answer)))
        return p;
    c->result.reason = arena_printf(c->arena, "%lld items were put, %lld refused",
                                    (long long)wire_integer(wire_get(answer, "items"), 0),
                                    (long long)wire_integer(wire_get(answer, "refused"), 0));
    c->result.data = wire_raw(answer);
    return NULL;
}

/* --- export ----------------------------------------------------------------------------------- */

/* The next page of the table. */
static const struct problem *scan_page(struct mcp_call *c, struct span world, struct span start,
                                       const wire_node **out)
{
    struct buf request = buf_in(c->arena);
    struct wire_writer w = {&request, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", mcp_call_text(c, "table"));
    if (start.len)
        wire_put_member_raw(&w, "ExclusiveStartKey", start);
    wire_close(&w, '}');
    return mcp_call_aside(c, world, "Scan", buf_span(&request), out);
}

static const struct problem *write_file(struct mcp_call *c, struct span path, struct span text)
{
    struct folder *folder;
    const struct problem *p = open_folder(c, path, &folder);
    struct span aside = span_of(
        arena_printf(c->arena, "%.*s.%llx", SPAN_ARG(path), (unsigned long long)c->number));

    if (p)
        return p;
    if (!folder_put(folder, path, aside, text)) {
        p = problem_invalid(c->arena, "%.*s cannot be written within the folder of --mcp-files: %s",
                            SPAN_ARG(path), strerror(errno));
        (void)folder_remove(folder, aside);
    }
    folder_free(folder);
    return p;
}

/* The items as lines of DynamoDB JSON, or as the result's data. */
static const struct problem *run_export(struct mcp_call *c)
{
    struct span path = mcp_call_text(c, "file"), world, start = {NULL, 0};
    const wire_node *given = wire_get(c->arguments, "start"), *page;
    struct buf lines = buf_in(c->arena), list = buf_in(c->arena);
    struct wire_writer w = {&list, false};
    const struct problem *p;
    struct folder *folder = NULL;
    size_t count = 0;

    if (path.len && c->options->writes == MCP_WRITES_NONE)
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "the tools may only read (--mcp-writes none)");
    if (path.len && (p = open_folder(c, path, &folder)))
        return p;
    folder_free(folder); /* it is opened again when all items have come */
    if ((p = mcp_call_world(c, &world)))
        return p;
    if (given)
        start = wire_raw(given);
    wire_open(&w, '[');
    do {
        if ((p = scan_page(c, world, start, &page)))
            return p;
        for (const wire_node *n = wire_first(wire_get(page, "Items")); n; n = wire_next(n)) {
            count++;
            if (!path.len) {
                wire_put_raw(&w, wire_raw(n));
                continue;
            }
            buf_add_text(&lines, "{\"Item\":");
            buf_add_span(&lines, wire_raw(n));
            buf_add_text(&lines, "}\n");
        }
        given = wire_get(page, "LastEvaluatedKey");
        start = given ? wire_raw(given) : (struct span){NULL, 0};
    } while (path.len && start.len && lines.len < MOST_EXPORTED);
    wire_close(&w, ']');
    if (path.len && (p = write_file(c, path, buf_span(&lines))))
        return p;
    c->result.reason = arena_printf(c->arena, "%zu items%s%.*s", count,
                                    path.len ? " were written to " : "", SPAN_ARG(path));
    if (start.len)
        c->result.about = span_of(arena_printf(c->arena,
                                               "the table has more items: call again with start "
                                               "%.*s",
                                               SPAN_ARG(start)));
    c->result.data = path.len ? (struct span){NULL, 0} : buf_span(&list);
    c->result.rest = "ask for more with max_items, or give file";
    return NULL;
}

static const struct wire_shape any_object = {.type = WIRE_MAP};

const struct mcp_tool tool_import = {
    .name = "import",
    .about = "Put items into a table of a world: from text or a file, as DynamoDB JSON, plain JSON "
             "or CSV. A missing table is made with key.",
    .flags = MCP_CHANGES | MCP_LOSES,
    .members = MCP_MEMBERS({{"text", &wire_string, 0}, "the items themselves"},
                           {{"file", &wire_string, 0}, "or a path within the folder for files"},
                           {{"table", &wire_string, 0}, "the table; without it the file's name"},
                           {{"key", &wire_string, 0}, "of a new table: pk:S,sk:N"},
                           {{"types", &wire_string, 0}, "of columns: age:N"},
                           {{"prefix", &wire_string, 0}, "goes in front of tables' names"},
                           MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_import,
};

const struct mcp_tool tool_export = {
    .name = "export",
    .about = "The items of a table: some here, or all in a file of the folder for files.",
    .members = MCP_MEMBERS({{"table", &wire_string, WIRE_REQUIRED}, "the table"},
                           {{"file", &wire_string, 0}, "a path within the folder for files"},
                           {{"start", &any_object, 0}, "the key after which to begin"},
                           MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_export,
};
