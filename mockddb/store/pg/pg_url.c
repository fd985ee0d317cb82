#include "store/pg/pg_url.h"

#include "base/buf.h"
#include "base/cut.h"

#define SCHEMA         "mockddb" /* without ?schema= */
#define LONGEST_SCHEMA 63        /* bytes of a name in PostgreSQL */

static bool is_schema(struct span name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_", digits[] = "0123456789";

    if (!name.len || name.len > LONGEST_SCHEMA || !strchr(letters, name.at[0]) ||
        span_starts_with(name, SPAN_LIT("pg_")))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!name.at[i] || (!strchr(letters, name.at[i]) && !strchr(digits, name.at[i])))
            return false;
    return true;
}

static bool has_password(const char *behind_scheme)
{
    const char *at = strrchr(behind_scheme, '@'), *colon = strchr(behind_scheme, ':');

    return (at && colon && colon < at) || strstr(behind_scheme, "password=");
}

const char *pg_url_read(struct arena *a, const char *text, struct pg_url *out)
{
    const char *scheme = strstr(text, "://"), *question = strchr(text, '?');
    struct buf database = buf_in(a);
    struct span query, part;
    char mark = '?';

    *out = (struct pg_url){.schema = SCHEMA};
    if (!scheme ||
        (strncmp(text, "postgresql://", 13) != 0 && strncmp(text, "postgres://", 11) != 0))
        return "the URL does not begin with postgresql://";
    if (has_password(scheme + 3))
        return "the URL has a password, which a list of processes shows: leave it out and give it "
               "as PGPASSWORD, or in a file that PGPASSFILE names";
    query = question ? span_of(question + 1) : (struct span){NULL, 0};
    buf_add_span(&database,
                 question ? (struct span){text, (size_t)(question - text)} : span_of(text));
    while (query.len) {
        part = cut_part(&query, '&');
        if (span_starts_with(part, SPAN_LIT("schema="))) {
            part = span_from(part, 7);
            if (!is_schema(part))
                return "schema= in the URL is not a name of a-z 0-9 _, at most 63 of them, that "
                       "begins with a letter";
            out->schema = arena_text(a, part);
            continue;
        }
        buf_add_char(&database, mark);
        buf_add_span(&database, part);
        mark = '&';
    }
    out->database = buf_text(&database);
    return NULL;
}
