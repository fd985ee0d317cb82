#include "base/ascii.h"
#include "base/words.h"
#include "partiql/partiql_lex.h"

#include "model/attr.h"

#include <stdlib.h>

#define LONGEST_WORD 20

/* Words that must be quoted if used as a name, in byte order: those with a kind of their own, … */
static const struct reserved {
    const char *word;
    enum partiql_token_kind kind;
} reserved_words[] = {
    {"all", PQ_ALL},         {"and", PQ_AND},
    {"as", PQ_AS},           {"asc", PQ_ASC},
    {"between", PQ_BETWEEN}, {"by", PQ_BY},
    {"delete", PQ_DELETE},   {"desc", PQ_DESC},
    {"except", PQ_OPERATOR}, {"false", PQ_FALSE},
    {"from", PQ_FROM},       {"group", PQ_GROUP},
    {"having", PQ_HAVING},   {"in", PQ_IN},
    {"insert", PQ_INSERT},   {"intersect", PQ_OPERATOR},
    {"into", PQ_INTO},       {"is", PQ_IS},
    {"like", PQ_OPERATOR},   {"limit", PQ_LIMIT},
    {"missing", PQ_MISSING}, {"modified", PQ_MODIFIED},
    {"new", PQ_NEW},         {"not", PQ_NOT},
    {"null", PQ_NULL},       {"old", PQ_OLD},
    {"or", PQ_OR},           {"order", PQ_ORDER},
    {"remove", PQ_REMOVE},   {"returning", PQ_RETURNING},
    {"select", PQ_SELECT},   {"set", PQ_SET},
    {"true", PQ_TRUE},       {"union", PQ_OPERATOR},
    {"update", PQ_UPDATE},   {"value", PQ_VALUE},
    {"where", PQ_WHERE},
};

/* … and the others. */
static const struct span keywords = SPAN_LIT_INIT(
    "absolute action add allocate alter any are assertion at authorization begin bigint bit blob "
    "bool boolean can_cast can_lossless_cast cascade cascaded case cast catalog char character "
    "check clob close collate collation column commit conflict connect connection constraint "
    "constraints continue convert corresponding create cross current current_date current_time "
    "current_timestamp current_user cursor date deallocate dec decimal declare default "
    "deferrable deferred describe descriptor diagnostics disconnect distinct do domain double "
    "drop else end escape exception exec execute external extract fetch first float for foreign "
    "found full get global go goto grant identity immediate index indicator initially inner "
    "input insensitive int int2 int4 int8 integer integer2 integer4 integer8 interval isolation "
    "join key language last left let level local match module names national natural nchar next "
    "no nothing numeric of offset on only open option outer output overlaps pad partial pivot "
    "position precision prepare preserve primary prior privileges procedure public read real "
    "references relative restrict revoke right rollback rows schema scroll section session "
    "session_user smallint some space sql sqlcode sqlerror sqlstate string struct symbol "
    "system_user table temporary then time timestamp to transaction translate translation tuple "
    "unique unknown unpivot usage user using values varchar varying view when whenever with work "
    "write zone");
static const struct span functions = SPAN_LIT_INIT(
    "avg bag bit_length char_length character_length coalesce count date_add date_diff exists "
    "list lower max min nullif octet_length sexp size substring sum trim upper");

static int compare_word(const void *word, const void *row)
{
    return span_compare(*(const struct span *)word, span_of(((const struct reserved *)row)->word));
}

enum partiql_token_kind partiql_word_kind(struct span text, struct span *word)
{
    const struct reserved *found;
    char lower[LONGEST_WORD];
    struct span key = {lower, text.len};

    if (text.len > sizeof lower)
        return PQ_NAME;
    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(text.at[i]);
    found = bsearch(&key, reserved_words, COUNT(reserved_words), sizeof *found, compare_word);
    if (found) {
        *word = span_of(found->word);
        return found->kind;
    }
    if ((*word = words_find(keywords, key)).at)
        return PQ_KEYWORD;
    return (*word = words_find(functions, key)).at ? PQ_FUNCTION : PQ_NAME;
}

#define T(type) (1U << (ATTR_##type))

bool partiql_type_of_word(struct span word, unsigned *types)
{
    static const struct {
        const char *word;
        unsigned types;
    } type_words[] = {
        {"null", T(NULL)},   {"missing", 0},
        {"bool", T(BOOL)},   {"boolean", T(BOOL)},
        {"smallint", T(N)},  {"integer", T(N)},
        {"int", T(N)},       {"int2", T(N)},
        {"integer2", T(N)},  {"int4", T(N)},
        {"integer4", T(N)},  {"int8", T(N)},
        {"integer8", T(N)},  {"bigint", T(N)},
        {"float", T(N)},     {"real", T(N)},
        {"decimal", T(N)},   {"dec", T(N)},
        {"numeric", T(N)},   {"char", T(S)},
        {"character", T(S)}, {"varchar", T(S)},
        {"string", T(S)},    {"symbol", 0},
        {"blob", T(B)},      {"clob", 0},
        {"struct", T(M)},    {"tuple", T(M)},
        {"list", T(L)},      {"sexp", 0},
        {"timestamp", 0},    {"date", 0},
        {"time", 0},         {"bag", T(SS) | T(NS) | T(BS)},
        {"any", 0},
    };

    for (size_t i = 0; i < COUNT(type_words); i++)
        if (span_is(word, type_words[i].word)) {
            *types = type_words[i].types;
            return true;
        }
    return false;
}

bool partiql_completes_type(struct span first, struct span second)
{
    return (span_is(first, "double") && span_is(second, "precision")) ||
           (span_is(first, "character") && span_is(second, "varying"));
}
