#include "journal/assertions.h"

#include "base/cut.h"
#include "journal/assertion_kind.h"
#include "wire/wire_node.h"

#include <math.h>
#include <stdlib.h>

#define MAX_ASSERTIONS 100
#define MAX_NAMES      1000 /* of one assertion */
#define LOOKS_EACH     20   /* the steps of an assertion besides its names */

struct assertions {
    struct assertion *at;
    size_t len;
    uint64_t requests;
};

/* --- reading ---------------------------------------------------------------------------------- */

static const char *known_kinds(struct arena *a)
{
    struct buf list = buf_in(a);

    for (const struct assertion_kind *k = assertion_kind_table; k->name; k++)
        buf_printf(&list, "%s%s", k == assertion_kind_table ? "" : ", ", k->name);
    return buf_text(&list);
}

static const struct problem *find_kind(struct arena *a, struct span name,
                                       const struct assertion_kind **out)
{
    for (*out = assertion_kind_table; (*out)->name; (*out)++)
        if (span_is(name, (*out)->name))
            return NULL;
    return problem_invalid(a, "%.*s is not one of %s", SPAN_ARG(name), known_kinds(a));
}

/* An empty list has a meaning only for indexes: no index. */
static const struct problem *check_words(struct arena *a, const struct assertion *x)
{
    bool operations = strcmp(x->kind->name, "no") == 0;
    bool indexes = strcmp(x->kind->name, "only_indexes") == 0;

    if (!x->word_count && !indexes)
        return problem_invalid(a, "%s takes names", x->kind->name);
    for (size_t i = 0; i < x->word_count; i++) {
        if (operations && !op_find(OP_DYNAMODB, x->words[i]) && !op_find(OP_STREAMS, x->words[i]))
            return problem_invalid(a, "no: there is no operation %.*s", SPAN_ARG(x->words[i]));
        if (indexes && !names_is_name(x->words[i]))
            return problem_invalid(a, "only_indexes: no index can be called %.*s",
                                   SPAN_ARG(x->words[i]));
    }
    return NULL;
}

static const struct problem *check_number(struct arena *a, const struct assertion *x)
{
    bool percent = x->kind->value == ASSERTION_PERCENT;

    if (isfinite(x->number) && x->number >= 0 && (!percent || x->number <= 100))
        return NULL;
    return problem_invalid(a, "%s takes a number from 0 %s", x->kind->name,
                           percent ? "to 100" : "on");
}

/* Reads a word or a list of words. */
static const struct problem *read_list(struct arena *a, const wire_node *node, struct assertion *x)
{
    bool list = wire_is_list(node);
    size_t count = list ? wire_count(node) : 1;

    if (count > MAX_NAMES)
        return problem_invalid(a, "%s takes up to %d names", x->kind->name, MAX_NAMES);
    x->words = arena_array(a, count ? count : 1, sizeof *x->words);
    for (const wire_node *n = list ? wire_first(node) : node; n; n = list ? wire_next(n) : NULL) {
        struct span word = wire_text(n);

        if (!word.len)
            return problem_invalid(a, "%s takes names", x->kind->name);
        x->words[x->word_count++] = word;
    }
    return check_words(a, x);
}

static const struct problem *read_member(struct arena *a, const wire_node *node,
                                         struct assertion *x)
{
    switch (x->kind->value) {
    case ASSERTION_WORDS:
        return read_list(a, node, x);
    case ASSERTION_NUMBER:
    case ASSERTION_PERCENT:
        x->number = wire_is_number(node) ? wire_double(node, -1) : -1;
        return check_number(a, x);
    case ASSERTION_FLAG:
        break;
    }
    return wire_bool(node, false) ? NULL : problem_invalid(a, "%s takes true", x->kind->name);
}

static void remember_text(struct arena *a, struct assertions *all)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->at[i].kind->remembers)
            all->at[i].recent = arena_array(a, ASSERTION_RECENT, sizeof *all->at[i].recent);
}

const struct problem *assertions_read(struct arena *a, const wire_node *body,
                                      struct assertions **out)
{
    const wire_node *list = wire_get(body, "assert");
    struct assertions *all = arena_alloc(a, sizeof *all);
    const struct problem *p;

    if (!list || !wire_is_list(list) || !wire_count(list) || wire_count(list) > MAX_ASSERTIONS)
        return problem_invalid(a, "assert must be a list of 1 to 100 assertions");
    all->at = arena_array(a, wire_count(list), sizeof *all->at);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        size_t number = all->len++;
        struct assertion *x = &all->at[number];

        if (!wire_is_object(n) || wire_count(n) != 1)
            return problem_invalid(a, "assert[%zu] must be an object with one member", number);
        x->text = wire_raw(n);
        x->numbered = true;
        if ((p = find_kind(a, wire_name(wire_first(n)), &x->kind)) ||
            (p = read_member(a, wire_first(n), x)))
            return problem_within(a, p, "assert[%zu]", number);
    }
    remember_text(a, all);
    *out = all;
    return NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

static const struct problem *read_value(struct arena *a, struct span value, struct assertion *x)
{
    char *text = arena_text(a, value), *end;

    if (x->kind->value == ASSERTION_NUMBER || x->kind->value == ASSERTION_PERCENT) {
        x->number = strtod(text, &end);
        if (!value.len || *end)
            x->number = -1;
        return check_number(a, x);
    }
    if (x->kind->value == ASSERTION_FLAG)
        return !value.len || span_is(value, "true")
                   ? NULL
                   : problem_invalid(a, "%s takes true", x->kind->name);
    x->words = arena_array(a, value.len + 1, sizeof *x->words);
    do
        x->words[x->word_count++] = cut_part(&value, '|');
    while (value.len);
    return check_words(a, x);
}

const struct problem *assertions_read_words(struct arena *a, const char *words,
                                            struct assertions **out)
{
    struct assertions *all = arena_alloc(a, sizeof *all);
    struct span rest = span_of(arena_text(a, span_of(words)));
    const struct problem *p;

    all->at = arena_array(a, MAX_ASSERTIONS, sizeof *all->at);
    do {
        struct span value = cut_part(&rest, ','), whole = value, name = cut_part(&value, '=');
        struct assertion *x = &all->at[all->len];

        if (all->len++ == MAX_ASSERTIONS)
            return problem_invalid(a, "there are more than 100 assertions");
        x->text = whole;
        if ((p = find_kind(a, name, &x->kind)) || (p = read_value(a, value, x)))
            return problem_within(a, p, "%.*s", SPAN_ARG(whole));
    } while (rest.len);
    remember_text(a, all);
    *out = all;
    return NULL;
}

/* --- patterns --------------------------------------------------------------------------------- */

static const struct problem *know_patterns(struct arena *a, const struct catalogue *c,
                                           struct assertion *x)
{
    if (!x->kind->of_patterns)
        return NULL;
    if (!c)
        return problem_invalid(
            a, "%s: the server has no access patterns; --patterns FILE gives it some",
            x->kind->name);
    for (size_t i = 0; i < x->word_count; i++)
        if (!catalogue_has(c, x->words[i]))
            return problem_invalid(a, "%s: there is no pattern %.*s", x->kind->name,
                                   SPAN_ARG(x->words[i]));
    x->catalogue = c;
    x->sent = arena_array(a, catalogue_count(c) + 1, sizeof *x->sent);
    return NULL;
}

const struct problem *assertions_know(struct arena *a, struct assertions *all,
                                      const struct catalogue *c)
{
    const struct problem *p = NULL;

    for (size_t i = 0; i < all->len && !p; i++)
        p = know_patterns(a, c, &all->at[i]);
    return p;
}

/* --- taking requests and reporting ------------------------------------------------------------ */

size_t assertions_take(struct assertions *all, struct span world, const struct journal_entry *e)
{
    size_t looks = 0;

    all->requests++;
    for (size_t i = 0; i < all->len; i++) {
        all->at[i].world = world;
        all->at[i].kind->take(&all->at[i], e);
        looks += LOOKS_EACH + all->at[i].word_count;
        if (all->at[i].kind->reads_body)
            looks += e->body_len / 8;
    }
    return looks;
}

static bool assertion_holds(const struct assertion *x)
{
    return x->kind->holds ? x->kind->holds(x) : !x->count;
}

bool assertions_hold(const struct assertions *all)
{
    for (size_t i = 0; i < all->len; i++)
        if (!assertion_holds(&all->at[i]))
            return false;
    return true;
}

void assertions_show(const struct assertions *all, uint64_t dropped, struct wire_writer *w)
{
    wire_put_member_bool(w, "holds", !dropped && assertions_hold(all));
    wire_put_member_integer(w, "requests", (int64_t)all->requests);
    wire_put_member_integer(w, "dropped", (int64_t)dropped);
    wire_open_member(w, "report", '[');
    for (size_t i = 0; i < all->len; i++) {
        const struct assertion *x = &all->at[i];
        struct buf why = buf_in(w->out->arena);

        wire_open(w, '{');
        wire_put_member_raw(w, "assert", x->text);
        wire_put_member_bool(w, "holds", assertion_holds(x));
        if (!assertion_holds(x)) {
            assertion_kind_say(x, &why);
            wire_put_member_text(w, "why", buf_span(&why));
        }
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

uint64_t assertions_requests(const struct assertions *all)
{
    return all->requests;
}

void assertions_print(const struct assertions *all, struct buf *out)
{
    for (size_t i = 0; i < all->len; i++) {
        const struct assertion *x = &all->at[i];

        buf_printf(out, "%s  %.*s", assertion_holds(x) ? "holds " : "broken", SPAN_ARG(x->text));
        if (!assertion_holds(x)) {
            buf_add_text(out, ": ");
            assertion_kind_say(x, out);
        }
        buf_add_char(out, '\n');
    }
}
