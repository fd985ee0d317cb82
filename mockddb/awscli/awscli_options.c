#include "awscli/awscli_options.h"

#include "awscli/awscli_usage.h"
#include "base/dashed.h"

static const struct awscli_option globals[] = {
    {"--debug", AWSCLI_IGNORED, AWSCLI_NOTHING, NULL, true},
    {"--endpoint-url", AWSCLI_ENDPOINT, AWSCLI_ONE, NULL, true},
    {"--no-verify-ssl", AWSCLI_IGNORED, AWSCLI_NOTHING, NULL, true},
    {"--no-paginate", AWSCLI_NO_PAGINATE, AWSCLI_NOTHING, NULL, true},
    {"--output", AWSCLI_OUTPUT, AWSCLI_ONE, NULL, true},
    {"--query", AWSCLI_QUERY, AWSCLI_ONE, NULL, true},
    {"--profile", AWSCLI_IGNORED, AWSCLI_ONE, NULL, true},
    {"--region", AWSCLI_IGNORED, AWSCLI_ONE, NULL, true},
    {"--color", AWSCLI_IGNORED, AWSCLI_ONE, NULL, true},
    {"--no-sign-request", AWSCLI_IGNORED, AWSCLI_NOTHING, NULL, true},
    {"--ca-bundle", AWSCLI_IGNORED, AWSCLI_ONE, NULL, true},
    {"--cli-read-timeout", AWSCLI_IGNORED, AWSCLI_ONE, NULL, true},
    {"--cli-connect-timeout", AWSCLI_IGNORED, AWSCLI_ONE, NULL, true},
    {"--cli-binary-format", AWSCLI_UNKNOWN_HERE, AWSCLI_ONE, NULL, true},
    {"--no-cli-pager", AWSCLI_IGNORED, AWSCLI_NOTHING, NULL, true},
    {"--cli-auto-prompt", AWSCLI_UNKNOWN_HERE, AWSCLI_NOTHING, NULL, true},
    {"--no-cli-auto-prompt", AWSCLI_IGNORED, AWSCLI_NOTHING, NULL, true},
};

static const struct awscli_option own[] = {
    {"--cli-input-json", AWSCLI_INPUT_JSON, AWSCLI_ONE, NULL, false},
    {"--cli-input-yaml", AWSCLI_UNKNOWN_HERE, AWSCLI_ONE, NULL, false},
    {"--generate-cli-skeleton", AWSCLI_UNKNOWN_HERE, AWSCLI_NOTHING, NULL, false},
};

static const struct awscli_option paging[] = {
    {"--starting-token", AWSCLI_STARTING_TOKEN, AWSCLI_ONE, NULL, false},
    {"--max-items", AWSCLI_MAX_ITEMS, AWSCLI_ONE, NULL, false},
    {"--page-size", AWSCLI_PAGE_SIZE, AWSCLI_ONE, NULL, false},
};

static void add_options(struct awscli_options *out, const struct awscli_option *rows, size_t count)
{
    memcpy(out->at + out->len, rows, count * sizeof *rows);
    out->len += count;
}

static const char *option_name(struct arena *a, const char *dashes, const char *member)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, dashes);
    dashed_add(&out, span_of(member));
    return buf_text(&out);
}

static void add_member(struct arena *a, struct awscli_options *out, const struct wire_member *m)
{
    bool flag = m->shape->type == WIRE_BOOLEAN;
    struct awscli_option row = {
        .name = option_name(a, "--", m->name),
        .meaning = flag ? AWSCLI_YES : AWSCLI_MEMBER,
        .takes = flag                          ? AWSCLI_NOTHING
                 : m->shape->type == WIRE_LIST ? AWSCLI_MANY
                                               : AWSCLI_ONE,
        .member = m,
    };

    add_options(out, &row, 1);
    if (!flag)
        return;
    row.name = option_name(a, "--no-", m->name);
    row.meaning = AWSCLI_NO;
    add_options(out, &row, 1);
}

struct awscli_options awscli_options_of(struct arena *a, const struct op *op)
{
    const struct op_paging *pages = op ? op->paging : NULL;
    struct awscli_options out = {NULL, 0};
    const struct wire_member *members = op ? op_members(a, op) : NULL;
    size_t count = COUNT(globals) + COUNT(own) + COUNT(paging);

    for (const struct wire_member *m = members; m && m->name; m++)
        count += 2;
    out.at = arena_array(a, count, sizeof *out.at);
    add_options(&out, globals, COUNT(globals));
    for (const struct wire_member *m = members; m && m->name; m++)
        add_member(a, &out, m);
    if (op)
        add_options(&out, own, COUNT(own));
    if (pages)
        add_options(&out, paging, pages->limit ? COUNT(paging) : COUNT(paging) - 1);
    return out;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The CLI reads the global options first, and alone, so these are searched first. */
static const struct awscli_option *options_beginning(const struct awscli_options *options,
                                                     struct span name, bool global,
                                                     struct buf *others)
{
    const struct awscli_option *found = NULL;

    for (size_t i = 0; i < options->len; i++) {
        const struct awscli_option *o = &options->at[i];

        if (o->global != global || !span_starts_with(span_of(o->name), name))
            continue;
        buf_printf(others, "%s%s", others->len ? ", " : "", o->name);
        found = found ? found : o;
    }
    return found;
}

const struct problem *awscli_options_find(struct arena *a, const struct awscli_options *options,
                                          const char *word, const struct awscli_option **out,
                                          const char **value)
{
    struct span name = {word, strcspn(word, "=")};
    struct buf names = buf_in(a);

    *out = NULL;
    *value = word[name.len] ? word + name.len + 1 : NULL;
    if (!span_starts_with(name, SPAN_LIT("--")) || name.len == 2)
        return NULL;
    for (size_t i = 0; i < options->len; i++)
        if (span_is(name, options->at[i].name)) {
            *out = &options->at[i];
            return NULL;
        }
    if (!(*out = options_beginning(options, name, true, &names)))
        *out = options_beginning(options, name, false, &names);
    if (strchr(buf_text(&names), ','))
        return awscli_usage_error(a, "ambiguous option: %s could match %s", word, buf_text(&names));
    return NULL;
}

bool awscli_options_look_like(const char *word)
{
    size_t digits;

    if (word[0] != '-' || !word[1] || strchr(word, ' '))
        return false;
    digits = strspn(word + 1, "0123456789.");
    return !digits || word[1 + digits]; /* not a negative number */
}
