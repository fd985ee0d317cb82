#include "ops/table/table_name.h"

#include "ops/table/table_replicas.h"

bool table_name_serves(const struct call *c, const struct arn *arn)
{
    const struct table *t;

    if (span_equal(arn->region, op_region(c)))
        return true;
    t = c->settings->regional ? NULL : op_region_table(c, arn->table);
    return t && table_replicas_find(t, arn->region);
}

const struct error *table_name_arn_fault(const struct call *c, const struct error *e,
                                         struct span text)
{
    struct error_why why = {CAUSE_ARN_FORM, .place = text};
    struct arn arn = {.table = {NULL, 0}};
    bool is_ours = table_arn_parse(text, &arn) && span_is(arn.service, "dynamodb");

    why.beside = table_arn(c, is_ours && arn.table.len ? arn.table : SPAN_LIT("NAME"), "",
                           (struct span){NULL, 0});
    if (is_ours && !span_is(arn.partition, "aws"))
        why = ERROR_WHY(CAUSE_ARN_ELSEWHERE, .operand = arn.partition, .beside = SPAN_LIT("aws"));
    else if (is_ours && !table_name_serves(c, &arn))
        why = ERROR_WHY(CAUSE_ARN_ELSEWHERE, .operand = arn.region, .beside = op_region(c));
    else if (e->kind == ERROR_ACCESS_DENIED)
        why = ERROR_WHY(CAUSE_ARN_ELSEWHERE, .operand = arn.account,
                        .beside = c->settings->account);
    return error_because(c->arena, e, why);
}

/* The error in an ARN, as the words before "in '<arn>'"; NULL if the ARN is valid. */
static const char *arn_problem(const struct call *c, const struct arn *arn)
{
    if (!span_is(arn->partition, "aws"))
        return "Invalid AWS partition";
    if (!table_name_serves(c, arn))
        return "Invalid AWS region";
    if (!arn->table.len)
        return "Invalid resource type";
    return NULL;
}

const struct error *table_name_read(struct call *c, struct span text, struct span *name)
{
    struct arn arn;
    const char *problem;
    const struct error *e;

    if (!span_starts_with(text, SPAN_LIT("arn:"))) {
        *name = text;
        return NULL;
    }
    if (!table_arn_parse(text, &arn) || !span_is(arn.service, "dynamodb"))
        problem = NULL;
    else if (!(problem = arn_problem(c, &arn)) && names_match_pattern(arn.table) &&
             arn.table.len <= LIMIT_NAME && !arn.rest.len) {
        *name = arn.table;
        return NULL;
    }
    e = problem ? error_validation(c->arena, "1 validation error detected: %s in '%.*s'", problem,
                                   SPAN_ARG(text))
                : error_validation(c->arena,
                                   "1 validation error detected: Value '%.*s' at 'tableName' "
                                   "failed to satisfy constraint: Valid ARN format is "
                                   "arn:partition:dynamodb:region:account-id:table/table-name",
                                   SPAN_ARG(text));
    return table_name_arn_fault(c, error_bare(c->arena, e), text);
}

const struct error *table_name_required(struct call *c)
{
    if (wire_get(c->body, "TableName"))
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_MEMBER_MISSING, .operand = SPAN_LIT("TableName")),
                        "The parameter 'TableName' is required but was not present in the request");
}
