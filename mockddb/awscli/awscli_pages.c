#include "awscli/awscli_pages.h"

#include "awscli/awscli_order.h"
#include "awscli/awscli_why.h"
#include "base/base64.h"
#include "base/one_more.h"

#define TRUNCATED "boto_truncate_amount" /* in a token: items of the page already printed */

/* --- state ------------------------------------------------------------------------------------ */

struct cli_page {
    const wire_node *answer;
    size_t from, to;  /* the part of the list that is printed */
    bool counts_zero; /* its counts were printed by an earlier command */
};

struct awscli_pages {
    struct arena *arena;
    const struct awscli_command *command;
    const struct op_paging *paging; /* NULL: there is one page, printed unchanged */
    struct cli_page *at;
    size_t len;
    size_t skip;            /* items of the first page to skip */
    int64_t printed;        /* items printed so far */
    const wire_node *token; /* of the next page, or NULL */
    const char *resume;     /* the value of NextToken, or NULL */
};

static const struct problem *read_token(struct awscli_pages *p, const char *text)
{
    const wire_node *token;
    struct span decoded;

    if (!base64_decode(p->arena, span_of(text), &decoded) ||
        !json_parse(p->arena, decoded, &token) || json_kind(token) != JSON_OBJECT)
        return problem_because(
            p->arena, problem_new(p->arena, PROBLEM_FAILED, "Bad starting token: %s", text),
            awscli_why_of_token(text));
    p->skip = (size_t)wire_integer(wire_get(token, TRUNCATED), 0);
    p->token = wire_get(token, p->paging->input_token);
    return NULL;
}

const struct problem *awscli_pages_new(struct arena *a, const struct awscli_command *command,
                                       struct awscli_pages **out)
{
    struct awscli_pages *p = *out = arena_alloc(a, sizeof *p);

    p->arena = a;
    p->command = command;
    p->paging = command->all_pages ? command->op->paging : NULL;
    return p->paging && command->starting_token ? read_token(p, command->starting_token) : NULL;
}

struct span awscli_pages_request(const struct awscli_pages *p)
{
    const struct awscli_command *c = p->command;
    struct buf out = buf_in(p->arena);
    const char *comma = c->request.len > 2 ? ", " : "";

    if (!p->paging || (!c->has_page_size && !p->token))
        return c->request;
    buf_add(&out, c->request.at, c->request.len - 1);
    if (c->has_page_size) {
        buf_printf(&out, "%s\"%s\": %lld", comma, p->paging->limit, (long long)c->page_size);
        comma = ", ";
    }
    if (p->token) {
        buf_printf(&out, "%s\"%s\": ", comma, p->paging->input_token);
        json_write(&out, p->token);
    }
    buf_add_char(&out, '}');
    return buf_span(&out);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* The token of a page with the number of its items printed (0: all pages before it). */
static const char *token_text(struct awscli_pages *p, const wire_node *token, size_t printed)
{
    struct buf json = buf_in(p->arena), out = buf_in(p->arena);

    buf_printf(&json, "{\"%s\": ", p->paging->input_token);
    if (token)
        json_write(&json, token);
    else
        buf_add_text(&json, "null");
    if (printed)
        buf_printf(&json, ", \"" TRUNCATED "\": %zu", printed);
    buf_add_char(&json, '}');
    base64_encode(&out, buf_span(&json));
    return buf_text(&out);
}

bool awscli_pages_take(struct awscli_pages *p, const wire_node *answer)
{
    const struct awscli_command *c = p->command;
    struct cli_page *page;
    const wire_node *next;
    int64_t left;

    p->at = one_more(p->arena, p->at, p->len, sizeof *p->at);
    page = &p->at[p->len++];
    *page = (struct cli_page){.answer = answer};
    if (!p->paging)
        return false;
    page->to = wire_count(wire_get(answer, p->paging->results[0]));
    if (p->len == 1 && c->starting_token) {
        page->from = p->skip < page->to ? p->skip : page->to;
        page->counts_zero = true;
    }
    left = c->has_max_items ? c->max_items - p->printed : INT64_MAX;
    if ((int64_t)(page->to - page->from) > left) {
        page->to = page->from + (size_t)(left > 0 ? left : 0);
        p->resume = token_text(p, p->token, page->to);
        return false;
    }
    p->printed += (int64_t)(page->to - page->from);
    next = wire_get(answer, p->paging->output_token);
    if (next && c->has_max_items && p->printed == c->max_items)
        p->resume = token_text(p, next, 0);
    p->token = next;
    return next && !p->resume;
}

int64_t awscli_pages_hidden_count(const struct awscli_pages *p)
{
    const struct awscli_command *c = p->command;
    int64_t received = 0;

    for (size_t i = 0; p->paging && i < p->len; i++)
        received += (int64_t)(wire_count(wire_get(p->at[i].answer, p->paging->results[0])) -
                              p->at[i].from);
    return c->has_max_items && received > c->max_items ? received - c->max_items : 0;
}

/* --- output ----------------------------------------------------------------------------------- */

static void add_key(struct buf *out, const char *name)
{
    buf_printf(out, "%s\"%s\": ", out->at[out->len - 1] == '{' ? "" : ", ", name);
}

/* Adds the joined list of `count` pages from `first` on; returns whether any page has it. */
static bool add_list(const struct awscli_pages *p, struct buf *out, size_t first, size_t count)
{
    const char *name = p->paging->results[0];
    bool there = false;

    for (size_t i = first; i < first + count; i++) {
        const wire_node *n = wire_first(wire_get(p->at[i].answer, name));

        if (!wire_get(p->at[i].answer, name))
            continue;
        if (!there) {
            add_key(out, name);
            buf_add_char(out, '[');
        }
        there = true;
        for (size_t k = 0; n && k < p->at[i].to; n = wire_next(n), k++) {
            if (k < p->at[i].from)
                continue;
            buf_add_text(out, out->at[out->len - 1] == '[' ? "" : ", ");
            awscli_order_write_part(out, p->command->op->name, name, n);
        }
    }
    if (there)
        buf_add_char(out, ']');
    return there;
}

static bool add_sum(const struct awscli_pages *p, struct buf *out, const char *name, size_t first,
                    size_t count)
{
    int64_t sum = 0;
    bool there = false;

    for (size_t i = first; i < first + count; i++) {
        const wire_node *n = wire_get(p->at[i].answer, name);

        there = there || n;
        sum += p->at[i].counts_zero ? 0 : wire_integer(n, 0);
    }
    if (there) {
        add_key(out, name);
        buf_printf(out, "%lld", (long long)sum);
    }
    return there;
}

static void add_once(const struct awscli_pages *p, struct buf *out)
{
    const char *name = p->paging->once;
    const wire_node *n = name ? wire_get(p->at[0].answer, name) : NULL;

    if (!name)
        return;
    add_key(out, name);
    if (n)
        awscli_order_write_part(out, p->command->op->name, name, n);
    else
        buf_add_text(out, "null");
}

static void add_null(struct buf *out, const char *name)
{
    add_key(out, name);
    buf_add_text(out, "null");
}

/* A single page has null for missing members; the joined output omits them. */
static void add_results(const struct awscli_pages *p, struct buf *out, size_t first, size_t count,
                        bool alone)
{
    const char *const *name = p->paging->results;

    if (!add_list(p, out, first, count) && alone)
        add_null(out, *name);
    while (*++name)
        if (!add_sum(p, out, *name, first, count) && alone)
            add_null(out, *name);
}

struct span awscli_pages_whole(const struct awscli_pages *p)
{
    struct buf out = buf_in(p->arena);

    if (!p->paging) {
        awscli_order_write(&out, p->command->op->name, p->at[0].answer);
        return buf_span(&out);
    }
    buf_add_char(&out, '{');
    add_results(p, &out, 0, p->len, false);
    add_once(p, &out);
    if (p->resume) {
        add_key(&out, "NextToken");
        buf_add_json_string(&out, span_of(p->resume));
    }
    buf_add_char(&out, '}');
    return buf_span(&out);
}

size_t awscli_pages_parts(const struct awscli_pages *p)
{
    return p->paging ? p->len + (p->resume != NULL) : 1;
}

struct span awscli_pages_part(const struct awscli_pages *p, size_t i)
{
    struct buf out = buf_in(p->arena);

    if (!p->paging)
        return awscli_pages_whole(p);
    buf_add_char(&out, '{');
    if (i == p->len) {
        buf_add_text(&out, "\"NextToken\": {\"NextToken\": ");
        buf_add_json_string(&out, span_of(p->resume));
        buf_add_char(&out, '}');
    } else {
        if (!i)
            add_once(p, &out);
        add_results(p, &out, i, 1, true);
    }
    buf_add_char(&out, '}');
    return buf_span(&out);
}
