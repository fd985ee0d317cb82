#include "ops/table/table_name.h"

#include "model/limits.h"
#include "model/names.h"

/* Cuts everything before the next ':' off the front of *from; false when there is none. */
static bool cut_part(struct span *from, struct span *part)
{
    const char *colon = from->len ? memchr(from->at, ':', from->len) : NULL;

    if (!colon)
        return false;
    *part = (struct span){from->at, (size_t)(colon - from->at)};
    *from = span_from(*from, part->len + 1);
    return true;
}

bool arn_parse(struct span text, struct arn *out)
{
    struct span scheme, name;
    const char *slash;

    if (!cut_part(&text, &scheme) || !span_is(scheme, "arn") || !cut_part(&text, &out->partition) ||
        !cut_part(&text, &out->service) || !cut_part(&text, &out->region) ||
        !cut_part(&text, &out->account))
        return false;
    out->table = out->rest = (struct span){NULL, 0};
    if (!span_starts_with(text, SPAN_LIT("table/")))
        return true;
    name = span_from(text, sizeof "table/" - 1);
    slash = name.len ? memchr(name.at, '/', name.len) : NULL;
    out->table = (struct span){name.at, slash ? (size_t)(slash - name.at) : name.len};
    out->rest = span_from(name, out->table.len);
    return true;
}

/* What is wrong with an ARN, as the words before "in '<arn>'"; NULL when nothing is. */
static const char *arn_problem(const struct call *c, const struct arn *arn)
{
    if (!span_is(arn->partition, "aws"))
        return "Invalid AWS partition";
    if (!span_equal(arn->region, c->settings->region))
        return "Invalid AWS region";
    if (!arn->table.len)
        return "Invalid resource type";
    return NULL;
}

const struct error *table_name_read(struct call *c, struct span text, struct span *name)
{
    struct arn arn;
    const char *problem;

    if (!span_starts_with(text, SPAN_LIT("arn:"))) {
        *name = text;
        return NULL;
    }
    if (!arn_parse(text, &arn) || !span_is(arn.service, "dynamodb"))
        problem = NULL;
    else if (!(problem = arn_problem(c, &arn)) && names_keep_pattern(arn.table) &&
             arn.table.len <= LIMIT_NAME && !arn.rest.len) {
        *name = arn.table;
        return NULL;
    }
    if (problem)
        return error_bare(c->arena,
                          error_validation(c->arena, "1 validation error detected: %s in '%.*s'",
                                           problem, SPAN_ARG(text)));
    return error_bare(
        c->arena,
        error_validation(c->arena,
                         "1 validation error detected: Value '%.*s' at 'tableName' failed to "
                         "satisfy constraint: Valid ARN format is "
                         "arn:partition:dynamodb:region:account-id:table/table-name",
                         SPAN_ARG(text)));
}

const struct error *table_name_required(struct call *c)
{
    if (wire_get(c->body, "TableName"))
        return NULL;
    return error_validation(c->arena, "The parameter 'TableName' is required but was not present "
                                      "in the request");
}

struct span table_arn(const struct call *c, struct span name, const char *kind, struct span rest)
{
    return span_of(arena_printf(c->arena, "arn:aws:dynamodb:%.*s:%.*s:table/%.*s%s%.*s",
                                SPAN_ARG(c->settings->region), SPAN_ARG(c->settings->account),
                                SPAN_ARG(name), kind, SPAN_ARG(rest)));
}
