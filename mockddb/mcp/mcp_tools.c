#include "mcp/mcp_tools.h"

#include "base/cut.h"

extern const struct mcp_tool tool_explain, tool_try, tool_operation, tool_tables, tool_worlds,
    tool_patterns_list, tool_patterns_run, tool_patterns_draft, tool_journal, tool_assert,
    tool_clock, tool_faults, tool_snapshot, tool_import, tool_export, tool_check_model;

#define DEFAULT_GROUPS "rehearse"

static const struct group {
    const char *name;
    const struct mcp_tool *const *tools; /* up to NULL */
} groups[] = {
    {"rehearse",
     (const struct mcp_tool *const[]){&tool_explain, &tool_try, &tool_tables, &tool_worlds,
                                      &tool_patterns_list, &tool_patterns_run, NULL}},
    {"tests",
     (const struct mcp_tool *const[]){&tool_journal, &tool_assert, &tool_clock, &tool_faults,
                                      &tool_patterns_draft, &tool_check_model, NULL}},
    {"data", (const struct mcp_tool *const[]){&tool_operation, &tool_snapshot, &tool_import,
                                              &tool_export, NULL}},
};

static bool is_chosen(const struct mcp_options *o, const char *group)
{
    struct span rest = span_of(o->tools ? o->tools : DEFAULT_GROUPS);

    while (rest.len)
        if (span_is(cut_part(&rest, ','), group))
            return true;
    return false;
}

const char *mcp_tools_check(struct arena *a, const char *names)
{
    struct span rest = span_of(names);

    while (rest.len) {
        struct span name = cut_part(&rest, ',');
        size_t i = 0;

        while (i < COUNT(groups) && !span_is(name, groups[i].name))
            i++;
        if (i == COUNT(groups))
            return arena_printf(a, "has %.*s, which is not one of rehearse, tests, data",
                                SPAN_ARG(name));
    }
    return NULL;
}

const struct mcp_tool *mcp_tools_at(const struct mcp_options *o, size_t i)
{
    for (size_t g = 0; g < COUNT(groups); g++) {
        if (!is_chosen(o, groups[g].name))
            continue;
        for (const struct mcp_tool *const *tool = groups[g].tools; *tool; tool++)
            if ((o->files || !((*tool)->flags & MCP_FILES)) && !i--)
                return *tool;
    }
    return NULL;
}

const struct mcp_tool *mcp_tools_find(const struct mcp_options *o, struct span name)
{
    const struct mcp_tool *tool;

    for (size_t i = 0; (tool = mcp_tools_at(o, i)); i++)
        if (span_is(name, tool->name))
            return tool;
    return NULL;
}

const char *mcp_tools_group(struct span name)
{
    for (size_t g = 0; g < COUNT(groups); g++)
        for (const struct mcp_tool *const *tool = groups[g].tools; *tool; tool++)
            if (span_is(name, (*tool)->name))
                return groups[g].name;
    return NULL;
}
