/* mcp_call.h: a call of a tool: its arguments, the requests that it makes, and its result.
 *
 * A tool's function reads from top to bottom, and asks where it needs an answer. If it is missing
 * so far, PROBLEM_WAITS goes up, and the function runs again from the start when it has come; the
 * answers so far are returned at once. So it must do the same each time, and may change something
 * itself (a file) only when it has all answers. */
#pragma once

#include "base/problem.h"
#include "mcp/mcp_host.h"
#include "wire/json.h"
#include "wire/wire_reply.h"

struct mcp_tool;

/* What a tool found. */
struct mcp_result {
    const char *reason;   /* the first line, without its end */
    struct span about;    /* further lines */
    struct span data;     /* JSON; empty: none */
    const char *snapshot; /* taken before the call changed something, or NULL */
    struct span world;    /* that was asked; at NULL: the first one, or none */
    const char *rest;     /* how to get what a long list leaves out; NULL: by max_items */
    bool is_error;
    bool is_wrong; /* what was checked is not as it should be */
    bool is_whole; /* the lists in the data are not cut: they do not come from the database */
};

struct mcp_call {
    struct arena *arena; /* emptied before each run of the tool's function */
    struct arena *kept;  /* lives until the reply has gone */
    const struct mcp_options *options;
    const struct mcp_tool *tool;
    const wire_node *arguments; /* an object, or NULL */
    uint64_t number;
    bool is_late; /* it has taken its time: it may only clean up */
    struct mcp_result result;

    /* For mcp_call.c: */
    struct mcp_answer *answers;
    size_t answer_count, answer_bytes, asked;
    struct mcp_request pending;
    const char *broken; /* why the pending request has no answer */
};

/* Begins a run of the tool's function, which returns NULL with a result, PROBLEM_WAITS with a
 * pending request, or why the tool did not do it. A problem here takes its place. */
MUST_CHECK const struct problem *mcp_call_begin(struct mcp_call *c);
/* The answer to the pending request, or why it is missing. */
void mcp_call_take(struct mcp_call *c, const struct mcp_answer *answer, const char *problem);
/* The pending request was ended, since its time was over. */
void mcp_call_end(struct mcp_call *c);

/* --- for tools -------------------------------------------------------------------------------- */

/* Makes a request. Success is an answer with any status. */
MUST_CHECK const struct problem *mcp_call_ask(struct mcp_call *c, const struct mcp_request *request,
                                              struct mcp_answer *out);

/* Like mcp_call_ask; any status but 200 is a problem with the verb's message. The answer's body is
 * parsed. */
MUST_CHECK const struct problem *mcp_call_get(struct mcp_call *c, const struct mcp_request *request,
                                              const wire_node **out);

/* Asks the server to run and explain an operation in a world. `request` is JSON; *out gets the
 * verb's answer, whatever the operation answered. */
struct mcp_try {
    const char *operation;
    struct span request;
    const wire_node *calls_a_day; /* NULL: not asked for */
    bool aside;                   /* without a trace in the journal, and without explanation */
};
MUST_CHECK const struct problem *mcp_call_try(struct mcp_call *c, struct span world,
                                              const struct mcp_try *t, const wire_node **out);

/* Runs an operation on behalf of a tool, without a trace in the journal; an error of the service is
 * a problem. `request` is JSON. */
MUST_CHECK const struct problem *mcp_call_aside(struct mcp_call *c, struct span world,
                                                const char *operation, struct span request,
                                                const wire_node **out);

/* Appends a text from the database as a part of a line: control characters are shown as in JSON, so
 * that it cannot look like lines of ours. */
void mcp_call_add(struct buf *out, struct span text);

/* The answer's message, or its status in words. */
const char *mcp_call_message(struct mcp_call *c, const struct mcp_answer *answer);

/* The arguments, of the types that the tool's members say. */
struct span mcp_call_text(const struct mcp_call *c, const char *name); /* at NULL: not given */
int64_t mcp_call_number(const struct mcp_call *c, const char *name, int64_t otherwise);
bool mcp_call_flag(const struct mcp_call *c, const char *name);

/* An argument's text as one step of a path. */
const char *mcp_call_step(struct mcp_call *c, struct span text);
/* A query of those of the named arguments that are given; the array ends with NULL. */
const char *mcp_call_query(struct mcp_call *c, const char *const *names);
/* A JSON object of those of the named arguments that are given. */
struct span mcp_call_body(struct mcp_call *c, const char *const *names);

/* The world of a call that changes nothing there: the argument `world`, which must exist. */
MUST_CHECK const struct problem *mcp_call_world(struct mcp_call *c, struct span *out);
/* The world of a call that changes something there, if the server's mode allows that; takes a
 * snapshot of a world that no agent made. */
MUST_CHECK const struct problem *mcp_call_own_world(struct mcp_call *c, struct span *out);
/* The name with which an agent's world begins. */
struct span mcp_call_own_name(struct mcp_call *c, struct span name);
