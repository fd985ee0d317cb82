/* The statements of stores in PostgreSQL: only words that its kin have as well. */
#include "unit.h"

#include "store/pg/pg_sql.h"

#include <ctype.h>

/* CockroachDB has no advisory locks and no LISTEN, Citus no sequences that it spreads, none of them
 * ctid, xmin or temporary tables. A word that is missing here is looked up for each of them first.
 */
static const char words[] =
    " ADD ALTER AND ANY AS BEGIN BY CASE COMMIT COMPRESSION CONFLICT CREATE DEFAULT DELETE DESC "
    "DISTINCT DO "
    "ELSE "
    "END EXISTS FOR FROM GROUP HAVING IF IN INSERT INTO IS JOIN KEY LEFT LIMIT NOT NOTHING NULL ON "
    "OR "
    "ORDER ORDINALITY PLACING PRIMARY REPLACE RETURNING ROLLBACK SCHEMA SELECT SET SHARE TABLE "
    "THEN UPDATE "
    "VALUES VIEW WHEN WHERE WITH "
    /* functions and types; that CockroachDB has int8send and overlay for bytea is not known */
    "bytea coalesce convert_from convert_to count epoch extract int4 int8 int8send jsonb lpad max "
    "now overlay set_config substring sum text unnest version "
    /* tables, columns and settings */
    "autovacuum_vacuum_scale_factor body bytes catalog changed copied doomed e entries entry "
    "excluded "
    "false fillfactor form found given host id information_schema item k key last lease long_key "
    "lz4 m marked meta n name number process s seen shard since size slot space spared table_name "
    "table_schema tables tally true unit until value ";

static bool is_allowed(const char *word)
{
    char marked[64];

    (void)snprintf(marked, sizeof marked, " %s ", word);
    return strstr(words, marked) != NULL;
}

static void check_words(const char *text)
{
    char word[60];

    ck_assert_ptr_nonnull(text);
    while (*text) {
        size_t len = 0;

        if (*text == '$' || *text == '%' || *text == '\'') { /* a parameter, a name, a text */
            text++;
            while (*text && *text != '\'' && (isalnum((unsigned char)*text) || *text == '-'))
                text++;
            text += *text == '\'';
            continue;
        }
        while (isalnum((unsigned char)text[len]) || text[len] == '_')
            len++;
        if (len && !isdigit((unsigned char)*text)) {
            (void)snprintf(word, sizeof word, "%.*s", (int)len, text);
            ck_assert_msg(is_allowed(word), "%s is not a word that all databases have", word);
        }
        text += len ? len : 1;
    }
}

START_TEST(words_that_all_databases_have)
{
    for (int i = 0; i < PG_SQL_COUNT; i++)
        check_words(pg_sql_text((enum pg_sql)i));
    for (const char *const *text = pg_sql_schema; *text; text++)
        check_words(*text);
    for (const char *const *text = pg_sql_rows; *text; text++)
        check_words(*text);
    for (const char *const *text = pg_sql_upgrade; *text; text++)
        check_words(*text);
    check_words(pg_sql_compression);
    check_words(PG_SQL_VIEW);
    ck_assert(!is_allowed("LISTEN") && !is_allowed("ctid") && !is_allowed("nextval"));
}
END_TEST

START_TEST(flavours)
{
    ck_assert_int_eq(pg_sql_flavour("PostgreSQL 15.18 on x86_64"), PG_POSTGRESQL);
    ck_assert_int_eq(pg_sql_flavour("CockroachDB CCL v23.1"), PG_COCKROACH);
    ck_assert_int_eq(pg_sql_flavour("PostgreSQL 11.2-YB-2.25.0.0-b0"), PG_YUGABYTE);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, words_that_all_databases_have);
    tcase_add_test(tc, flavours);
}

UNIT_TESTS(pg_sql, add_tests)
