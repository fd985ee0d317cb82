#include "commands/ctl_verbs.h"

#include <ctype.h>

#include "base/file.h"
#include "base/sigv4.h"
#include "wire/json.h"

/* The arguments that may follow a verb's own words. */
enum rest {
    NOTHING,
    MEMBERS,    /* member=value, one or more: the body */
    MAY_CHANGE, /* member=value, none or more: the body */
    FILTERS,    /* filter=value, none or more: the query */
    ASSERTIONS, /* rule=value, one or more: each an object of the list "assert" */
};

/* The verbs. A word in capitals matches any word: NAME replaces the * in the path, FILE becomes
 * the body. The first matching row wins. */
static const struct verb {
    const char *words;
    enum rest rest;
    const char *method, *path;
    const char *help;
} verbs[] = {
    {"health", NOTHING, "GET", "health", "whether the server is healthy"},
    {"clock", NOTHING, "GET", "clock", "the world's time"},
    {"clock", MEMBERS, "POST", "clock", "freeze=MOMENT, advance=36h, rate=60, resume=true, …"},
    {"reset", MAY_CHANGE, "POST", "reset", "restore the world's initial state"},
    {"snapshots", NOTHING, "GET", "snapshots", "list them"},
    {"snapshots drop NAME", NOTHING, "DELETE", "snapshots/*", "drop one"},
    {"snapshot NAME", MAY_CHANGE, "POST", "snapshots/*",
     "save the world under this name; replaces an older snapshot"},
    {"restore NAME", MAY_CHANGE, "POST", "snapshots/*/restore",
     "restore the world from a snapshot"},
    {"worlds", NOTHING, "GET", "worlds", "list them"},
    {"worlds make NAME", MAY_CHANGE, "POST", "worlds/*",
     "a new world: from=OTHER, snapshot=NAME, empty=true"},
    {"worlds drop NAME", NOTHING, "DELETE", "worlds/*", "drop one"},
    {"differences", FILTERS, "GET", "differences",
     "what two worlds differ in: from=A, to=B, table=T"},
    {"journal --follow", FILTERS, "GET", "journal", "requests so far, and new ones as they come"},
    {"journal clear", NOTHING, "DELETE", "journal", "forget it"},
    {"journal", FILTERS, "GET", "journal", "requests so far: limit=10, operation=Query, …"},
    {"faults", NOTHING, "GET", "faults", "the rules, and how often each matched"},
    {"faults clear", NOTHING, "DELETE", "faults", "remove all fault rules"},
    {"faults drop ID", NOTHING, "DELETE", "faults/*", "remove this rule"},
    {"faults FILE", NOTHING, "POST", "faults", "add the rules of a file; - is standard input"},
    {"throttle", NOTHING, "GET", "throttle", "which tables throttle requests"},
    {"throttle off", NOTHING, "DELETE", "throttle", "none does"},
    {"throttle", MEMBERS, "POST", "throttle", "mode=provisioned, burst=empty, tables=[\"T\"]"},
    {"assert", ASSERTIONS, "POST", "assert", "no=Scan, max_read_units=20, …: status 1 if not so"},
    {"partitions", FILTERS, "GET", "metrics/partitions",
     "which keys take the load: table=T, limit=5"},
    {"check", FILTERS, "GET", "check", "look for data that is probably wrong: table=T, items=N"},
    {"collections", FILTERS, "GET", "collections",
     "the parts of keys and the kinds of items: table=T, prefix=P"},
    {"explain NAME", NOTHING, "GET", "explanations/*", "what a request did, and why"},
    {"patterns run", MAY_CHANGE, "POST", "patterns/run", "run the access patterns and report"},
    {"patterns", FILTERS, "GET", "patterns",
     "used patterns, and requests that match none: worlds=all"},
};

#define FREE_FORM "METHOD PATH [JSON]"

/* --- words ------------------------------------------------------------------------------------ */

/* Takes the next word of a verb; *rest is what follows it. */
static struct span next_word(const char **rest)
{
    struct span word = {*rest, strcspn(*rest, " ")};

    *rest += word.len + strspn(*rest + word.len, " ");
    return word;
}

static bool stands_for_any(struct span word)
{
    return isupper((unsigned char)word.at[0]) != 0;
}

/* Whether the words begin as the verb's do. Sets *rest to the words after them, and *given to the
 * word that matched a word in capitals. */
static bool words_fit(const struct verb *v, char *const *words, char *const **rest,
                      const char **given)
{
    for (const char *form = v->words; *form; words++) {
        struct span word = next_word(&form);

        if (!*words || (!stands_for_any(word) && !span_is(word, *words)))
            return false;
        if (stands_for_any(word))
            *given = *words;
    }
    *rest = words;
    return true;
}

static bool rest_fits(const struct verb *v, char *const *rest)
{
    if (v->rest == NOTHING)
        return !*rest;
    if (!*rest)
        return v->rest != MEMBERS && v->rest != ASSERTIONS;
    for (; *rest; rest++)
        if (!strchr(*rest, '=') || **rest == '=')
            return false;
    return true;
}

/* --- what is sent ----------------------------------------------------------------------------- */

/* Adds "name": value; a value that is not JSON becomes a string. */
static void add_member(struct buf *out, const char *word)
{
    const char *equals = strchr(word, '=');
    struct span value = span_of(equals + 1);
    const wire_node *node;

    buf_add_json_string(out, (struct span){word, (size_t)(equals - word)});
    buf_add_text(out, ": ");
    if (json_parse(out->arena, value, &node))
        buf_add_span(out, value);
    else
        buf_add_json_string(out, value);
}

/* One object with all members, or assertions, which are objects with a member each. */
static struct span body_of(struct arena *a, char *const *words, bool assertions)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, assertions ? "{\"assert\": [{" : "{");
    for (size_t i = 0; words[i]; i++) {
        buf_add_text(&out, !i ? "" : assertions ? "}, {" : ", ");
        add_member(&out, words[i]);
    }
    buf_add_text(&out, assertions ? "}]}" : "}");
    return buf_span(&out);
}

static const char *query_of(struct arena *a, char *const *words)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; words[i]; i++) {
        const char *equals = strchr(words[i], '=');

        buf_add_text(&out, i ? "&" : "");
        sigv4_encode(&out, (struct span){words[i], (size_t)(equals - words[i])});
        buf_add_char(&out, '=');
        sigv4_encode(&out, span_of(equals + 1));
    }
    return buf_text(&out);
}

static const char *fill_request(struct arena *a, const struct verb *v, char *const *rest,
                                const char *given, struct ctl_request *out)
{
    const char *star = strchr(v->path, '*');

    *out = (struct ctl_request){.method = v->method, .query = "", .body = {"", 0}};
    out->only_asks = strcmp(v->method, "GET") == 0 || v->rest == ASSERTIONS;
    if (star && given) {
        struct buf name = buf_in(a);

        sigv4_encode(&name, span_of(given));
        out->path = arena_printf(a, "/_mockddb/%.*s%s%s", (int)(star - v->path), v->path,
                                 buf_text(&name), star + 1);
    } else {
        out->path = arena_printf(a, "/_mockddb/%s", v->path);
        if (given && !file_read(a, strcmp(given, "-") == 0 ? "/dev/stdin" : given, &out->body))
            return file_error(a, given);
        if (given)
            return NULL;
    }
    if (v->rest == FILTERS)
        out->query = query_of(a, rest);
    if ((out->follows = strstr(v->words, "--follow") != NULL))
        out->query = arena_printf(a, "%s%sfollow=true", out->query, *out->query ? "&" : "");
    if (*rest && v->rest != FILTERS)
        out->body = body_of(a, rest, v->rest == ASSERTIONS);
    return NULL;
}

/* Snapshot files are as large as a world, so they are printed as they arrive. */
static bool is_snapshot_file(const char *path)
{
    static const char start[] = "/_mockddb/snapshots/", end[] = "/file";
    size_t len = strlen(path);

    return strncmp(path, start, sizeof start - 1) == 0 && len > sizeof end - 1 &&
           strcmp(path + len - (sizeof end - 1), end) == 0;
}

/* Reads METHOD PATH [JSON], such as POST /_mockddb/clock '{"freeze": true}'; the path may leave out
 * /_mockddb/. */
static const char *read_free_form(struct arena *a, char *const *words, struct ctl_request *out)
{
    static const char own[] = "/_mockddb/";
    const char *method = words[0], *path = words[1], *query;

    if (strcmp(method, "GET") != 0 && strcmp(method, "POST") != 0 && strcmp(method, "DELETE") != 0)
        return arena_printf(a, "ctl knows no verb %s; `mockddb ctl help` lists them", method);
    if (!path || (words[2] && words[3]))
        return "this is used as: mockddb ctl " FREE_FORM;
    if (words[2] && strcmp(method, "GET") == 0)
        return "GET takes no JSON: put filters after a ? in the path";
    if (strncmp(path, own, sizeof own - 1) != 0)
        path = arena_printf(a, "%s%s", own, path + (*path == '/'));
    query = strchr(path, '?');
    *out = (struct ctl_request){
        .method = method,
        .path = query ? arena_text(a, (struct span){path, (size_t)(query - path)}) : path,
        .query = query ? query + 1 : "",
        .body = span_of(words[2] ? words[2] : ""),
        .only_asks = strcmp(method, "GET") == 0,
        .follows = strcmp(method, "GET") == 0 && is_snapshot_file(path),
    };
    return NULL;
}

const char *ctl_verbs_read(struct arena *a, char *const *words, struct ctl_request *out)
{
    const char *known = NULL;

    for (size_t i = 0; i < COUNT(verbs); i++) {
        char *const *rest = words;
        const char *given = NULL;

        if (!words_fit(&verbs[i], words, &rest, &given))
            continue;
        if (rest_fits(&verbs[i], rest))
            return fill_request(a, &verbs[i], rest, given, out);
        known = verbs[i].words;
    }
    if (known)
        return arena_printf(a, "%s: its arguments are member=value; `mockddb ctl help` shows how",
                            known);
    return read_free_form(a, words, out);
}

/* --- help ------------------------------------------------------------------------------------- */

const char *ctl_verbs_row(struct arena *a, size_t at, const char **help)
{
    static const char *const more[] = {
        [NOTHING] = "",
        [MEMBERS] = " member=value ...",
        [MAY_CHANGE] = " [member=value ...]",
        [FILTERS] = " [filter=value ...]",
        [ASSERTIONS] = " rule=value ...",
    };

    *help = at < COUNT(verbs) ? verbs[at].help : "any other verb of docs/admin-api.md";
    if (at < COUNT(verbs))
        return arena_printf(a, "%s%s", verbs[at].words, more[verbs[at].rest]);
    return at == COUNT(verbs) ? FREE_FORM : NULL;
}
