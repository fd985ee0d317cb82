#include "ops/policy/policy_action.h"

#include "base/ascii.h"
#include "base/attributes.h"
#include "ops/op.h"

/* Actions besides the names of operations. */
static const char *const actions[] = {
    "AssociateTableReplica",
    "ConditionCheckItem",
    "CreateTableReplica",
    "DeleteTableReplica",
    "DescribeReservedCapacity",
    "DescribeReservedCapacityOfferings",
    "GetAbacStatus",
    "InjectError",
    "PartiQLDelete",
    "PartiQLInsert",
    "PartiQLSelect",
    "PartiQLUpdate",
    "PurchaseReservedCapacityOfferings",
    "ReadDataForReplication",
    "ReplicateSettings",
    "RestoreTableFromAwsBackup",
    "StartAwsBackupJob",
    "UpdateAbacStatus",
    "UpdateGlobalTableVersion",
    "WriteDataForReplication",
};

/* `*` matches any text and `?` one character. On a mismatch the last `*` takes one more. */
static bool matches_pattern(struct span pattern, const char *text)
{
    size_t at = 0, star = pattern.len;
    const char *retry = text;

    while (*text) {
        if (at < pattern.len && pattern.at[at] == '*') {
            star = at++;
            retry = text;
        } else if (at < pattern.len &&
                   (pattern.at[at] == '?' || ascii_lower(pattern.at[at]) == ascii_lower(*text))) {
            at++;
            text++;
        } else if (star < pattern.len) {
            at = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (at < pattern.len && pattern.at[at] == '*')
        at++;
    return at == pattern.len;
}

bool policy_action_matches(struct span pattern, const char *action)
{
    static const char prefix[] = "dynamodb:";
    size_t len = sizeof prefix - 1;

    if (span_is(pattern, "*"))
        return true;
    if (pattern.len < len || !matches_pattern((struct span){pattern.at, len}, prefix))
        return false;
    return matches_pattern(span_from(pattern, len), action);
}

bool policy_action_is_known(struct span pattern)
{
    static const enum op_service services[] = {OP_DYNAMODB, OP_STREAMS};
    const struct op *op;

    for (size_t s = 0; s < COUNT(services); s++)
        for (size_t i = 0; (op = op_at(services[s], i)); i++)
            if (!(op->form & OP_BY_ITEMS) && policy_action_matches(pattern, op->name))
                return true;
    for (size_t i = 0; i < COUNT(actions); i++)
        if (policy_action_matches(pattern, actions[i]))
            return true;
    return false;
}
