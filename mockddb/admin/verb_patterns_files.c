/* GET /_mockddb/patterns/files: the server's files of access patterns, as they were loaded. */
#include "admin/admin_verb.h"

static const struct problem *show_files(struct admin_call *c)
{
    const struct admin_patterns *p = c->patterns;

    wire_put_member_text(&c->out, "prefix", span_of(p && p->prefix ? p->prefix : ""));
    wire_open_member(&c->out, "files", '[');
    for (size_t i = 0; p && i < p->count; i++)
        wire_put_raw(&c->out, p->files[i].text);
    wire_close(&c->out, ']');
    return NULL;
}

const struct admin_verb verb_patterns_files = {
    .method = "GET", .path = "patterns/files", .flags = ADMIN_NO_WORLD, .run = show_files};
