#include "ops/policy/policy_document.h"

#include "base/ascii.h"
#include "wire/wire_print.h"

/* --- actions ---------------------------------------------------------------------------------- */

/* Actions besides the names of operations. Source: service authorization reference, "Actions
 * defined by Amazon DynamoDB". */
static const char *const *const more_actions = NAMES(
    "AssociateTableReplica", "ConditionCheckItem", "CreateTableReplica", "DeleteTableReplica",
    "DescribeReservedCapacity", "DescribeReservedCapacityOfferings", "GetAbacStatus", "InjectError",
    "PartiQLDelete", "PartiQLInsert", "PartiQLSelect", "PartiQLUpdate",
    "PurchaseReservedCapacityOfferings", "ReadDataForReplication", "ReplicateSettings",
    "RestoreTableFromAwsBackup", "StartAwsBackupJob", "UpdateAbacStatus",
    "UpdateGlobalTableVersion", "WriteDataForReplication");

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

/* Whether a pattern of a policy ("dynamodb:GetItem", "dynamodb:Get*", "*") matches the action.
 * Ignores case. */
static bool policy_action_matches(struct span pattern, const char *action)
{
    static const char prefix[] = "dynamodb:";
    size_t len = sizeof prefix - 1;

    if (span_is(pattern, "*"))
        return true;
    if (pattern.len < len || !matches_pattern((struct span){pattern.at, len}, prefix))
        return false;
    return matches_pattern(span_from(pattern, len), action);
}

/* Whether the pattern matches any action of the service. */
static bool policy_action_is_known(struct span pattern)
{
    static const enum op_service services[] = {OP_DYNAMODB, OP_STREAMS};
    const struct op *op;

    for (size_t s = 0; s < COUNT(services); s++)
        for (size_t i = 0; (op = op_at(services[s], i)); i++)
            if (!(op->form & OP_BY_ITEMS) && policy_action_matches(pattern, op->name))
                return true;
    for (size_t i = 0; more_actions[i]; i++)
        if (policy_action_matches(pattern, more_actions[i]))
            return true;
    return false;
}

struct policy_text {
    struct call *call;
    struct span text, resource;
    bool confirmed;
    const wire_node *statements; /* an object or a list of objects */
};

/* --- walking ---------------------------------------------------------------------------------- */

static bool is_text(const wire_node *node)
{
    return wire_text(node).at != NULL;
}

static bool is_list(const wire_node *node)
{
    return wire_first(node) && !wire_name(wire_first(node)).at;
}

/* The first element of a member that has one value or a list, and the element after `at`. */
static const wire_node *first_of(const wire_node *value)
{
    return is_list(value) ? wire_first(value) : value;
}

static const wire_node *next_of(const wire_node *value, const wire_node *at)
{
    return at == value ? NULL : wire_next(at);
}

static const wire_node *get_either(const wire_node *statement, const char *name, const char *other)
{
    const wire_node *value = wire_get(statement, name);

    return value ? value : wire_get(statement, other);
}

/* --- faults of the text ----------------------------------------------------------------------- */

static const struct error *invalid_policy(const struct policy_text *p, struct error_why why,
                                          const char *what, struct span which, const char *tail)
{
    return error_caused(p->call->arena, ERROR_VALIDATION, why,
                        ERROR_PARAMETER "Invalid policy document: %s%.*s%s", what, SPAN_ARG(which),
                        tail);
}

/* Reports the first place of the name in the text. `takes` is what the member takes; "": there is
 * no such member. */
static const struct error *syntax_error(const struct policy_text *p, const char *name,
                                        const char *takes)
{
    const char *text = arena_text(p->call->arena, p->text);
    const char *at = strstr(text, arena_printf(p->call->arena, "\"%s\"", name));
    size_t row = 1, column = 1;

    for (const char *c = text; at && c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        row += *c == '\n';
    }
    return invalid_policy(p,
                          ERROR_WHY(*takes ? CAUSE_POLICY_VALUE : CAUSE_POLICY_MEMBER,
                                    .operand = span_of(name), .beside = span_of(takes)),
                          "Syntax error at ",
                          span_of(arena_printf(p->call->arena, "position (%zu,%zu)", row, column)),
                          "");
}

static const struct error *check_names(const struct policy_text *p, const wire_node *object,
                                       const char *const *known)
{
    for (const wire_node *m = wire_first(object); m; m = wire_next(m))
        if (names_find(known, wire_name(m), -1) < 0)
            return syntax_error(p, arena_text(p->call->arena, wire_name(m)), "");
    return NULL;
}

/* --- the statements one by one ---------------------------------------------------------------- */

static const struct error *check_required(const struct policy_text *p, const wire_node *statement)
{
    static const struct {
        const char *name, *other;
    } required[] = {
        {"Effect", "Effect"},
        {"Principal", "NotPrincipal"},
        {"Action", "NotAction"},
        {"Resource", "NotResource"},
    };

    for (size_t i = 0; i < COUNT(required); i++)
        if (!get_either(statement, required[i].name, required[i].other))
            return invalid_policy(p,
                                  ERROR_WHY(CAUSE_MEMBER_NEEDS,
                                            .operand = SPAN_LIT("the policy's Statement"),
                                            .beside = span_of(required[i].name)),
                                  "Missing required field ", span_of(required[i].name), "");
    return NULL;
}

static const struct error *check_form(const struct policy_text *p, const wire_node *statement)
{
    static const char *const known[] = {"Sid",       "Effect",    "Principal", "NotPrincipal",
                                        "Action",    "NotAction", "Resource",  "NotResource",
                                        "Condition", NULL};
    static const char *const texts[] = {"Sid",      "Action",      "NotAction",
                                        "Resource", "NotResource", NULL};
    static const char *const effects[] = {"Allow", "Deny", NULL};
    const struct error *e;
    const char *const *names;

    if (is_text(statement) || is_list(statement))
        return syntax_error(p, "Statement", "objects");
    if ((e = check_names(p, statement, known)) || (e = check_required(p, statement)))
        return e;
    names = texts;
    for (; *names; names++) {
        const wire_node *value = wire_get(statement, *names);

        for (const wire_node *n = first_of(value); n; n = next_of(value, n))
            if (!is_text(n))
                return syntax_error(p, *names, "texts");
    }
    if (names_find(effects, wire_text(wire_get(statement, "Effect")), -1) < 0)
        return syntax_error(p, "Effect", "Allow or Deny");
    return NULL;
}

static const struct error *check_sid(const struct policy_text *p, const wire_node *statement)
{
    struct span sid = wire_text(wire_get(statement, "Sid"));

    for (const wire_node *s = first_of(p->statements); sid.len && s != statement;
         s = next_of(p->statements, s))
        if (span_equal(wire_text(wire_get(s, "Sid")), sid))
            return invalid_policy(p, ERROR_WHY(CAUSE_NAMED_TWICE, .operand = sid),
                                  "The Statement Ids in the policy are not unique",
                                  (struct span){"", 0}, "");
    return NULL;
}

static const struct error *check_actions(const struct policy_text *p, const wire_node *statement)
{
    const wire_node *actions = get_either(statement, "Action", "NotAction");
    struct buf unknown = buf_in(p->call->arena);
    size_t count = 0; /* a name may be empty */

    for (const wire_node *n = first_of(actions); n; n = next_of(actions, n)) {
        if (policy_action_is_known(wire_text(n)))
            continue;
        buf_add_text(&unknown, count++ ? ", " : "");
        buf_add_span(&unknown, wire_text(n));
    }
    if (!count)
        return NULL;
    return invalid_policy(p, ERROR_WHY(CAUSE_POLICY_ACTION, .operand = buf_span(&unknown)),
                          "The following action names are invalid: ", buf_span(&unknown), "");
}

/* The part of an ARN after the account, table/T/…; for other texts the whole text. */
static struct span relative_id(struct span arn)
{
    struct span rest = arn;

    for (int parts = 0; parts < 5; parts++) {
        const char *colon = span_find(rest, ':');

        if (!colon)
            return arn;
        rest = span_from(rest, (size_t)(colon - rest.at) + 1);
    }
    return rest;
}

/* Whether this is the resource or a part of it: a table's indexes. */
static bool is_resource(const struct policy_text *p, struct span named)
{
    if (span_is(named, "*"))
        return true;
    return span_starts_with(named, p->resource) &&
           (named.len == p->resource.len || span_has(SPAN_LIT("/*"), named.at[p->resource.len]));
}

static const struct error *check_resources(const struct policy_text *p, const wire_node *statement)
{
    const wire_node *resources = get_either(statement, "Resource", "NotResource");

    for (const wire_node *n = first_of(resources); n; n = next_of(resources, n))
        if (!is_resource(p, wire_text(n)))
            return invalid_policy(
                p, ERROR_WHY(CAUSE_POLICY_RESOURCE, .operand = wire_text(n), .beside = p->resource),
                "The relative-id ", relative_id(wire_text(n)),
                arena_printf(p->call->arena, " is invalid for ARN %.*s", SPAN_ARG(p->resource)));
    return NULL;
}

/* --- principals ----------------------------------------------------------------------------- */

/* Checks the form only; this server does not know users and roles. */
static bool is_identity(struct span text)
{
    return span_is(text, "*") ||
           (text.len == LIMIT_ACCOUNT_DIGITS && span_is_all(text, ascii_is_digit)) ||
           span_starts_with(text, SPAN_LIT("arn:aws:iam::")) ||
           span_starts_with(text, SPAN_LIT("arn:aws:sts::"));
}

static const struct error *check_principals(const struct policy_text *p, const wire_node *statement)
{
    static const char *const kinds[] = {"AWS", "Service", "Federated", "CanonicalUser", NULL};
    const wire_node *principal = get_either(statement, "Principal", "NotPrincipal");
    bool fine = is_text(principal) ? span_is(wire_text(principal), "*") : wire_count(principal) > 0;

    for (const wire_node *kind = is_text(principal) ? NULL : wire_first(principal); kind && fine;
         kind = wire_next(kind)) {
        fine = names_find(kinds, wire_name(kind), -1) >= 0 && first_of(kind);
        for (const wire_node *n = first_of(kind); n && fine; n = next_of(kind, n))
            fine = span_is(wire_name(kind), "AWS") ? is_identity(wire_text(n)) : is_text(n);
    }
    if (fine)
        return NULL;
    return error_caused(p->call->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_POLICY_PRINCIPAL),
                        "Invalid principal in policy document.");
}

/* Whether a statement applies to everyone (or also to this account) without conditions. */
static bool concerns_caller(const struct policy_text *p, const wire_node *statement,
                            bool account_as_well)
{
    const wire_node *principal = wire_get(statement, "Principal");
    const wire_node *identities = is_text(principal) ? principal : wire_get(principal, "AWS");
    struct span account = p->call->settings->account;
    struct span root = span_of(
        arena_printf(p->call->arena, "arn:aws:iam::%.*s:root", SPAN_ARG(account)));

    if (wire_get(statement, "Condition"))
        return false;
    if (!principal)
        return true; /* NotPrincipal */
    for (const wire_node *n = first_of(identities); n; n = next_of(identities, n))
        if (span_is(wire_text(n), "*") || (account_as_well && (span_equal(wire_text(n), account) ||
                                                               span_equal(wire_text(n), root))))
            return true;
    return false;
}

static bool is_allow(const wire_node *statement)
{
    return span_is(wire_text(wire_get(statement, "Effect")), "Allow");
}

static const struct error *check_public(const struct policy_text *p, const wire_node *statement)
{
    if (!is_allow(statement) || !concerns_caller(p, statement, false))
        return NULL;
    return error_caused(p->call->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_POLICY_PUBLIC),
                        "Resource-based policy grants unbounded access in one or more elements. "
                        "Please revise the policy to ensure least-privilege form of access");
}

static bool has_policy_action(const wire_node *actions)
{
    static const char *const own[] = {"PutResourcePolicy", "GetResourcePolicy",
                                      "DeleteResourcePolicy"};

    for (const wire_node *n = first_of(actions); n; n = next_of(actions, n))
        for (size_t i = 0; i < COUNT(own); i++)
            if (policy_action_matches(wire_text(n), own[i]))
                return true;
    return false;
}

static const struct error *check_own_access(const struct policy_text *p, const wire_node *statement)
{
    if (p->confirmed || is_allow(statement) || !concerns_caller(p, statement, true) ||
        !has_policy_action(wire_get(statement, "Action")))
        return NULL;
    return error_caused(p->call->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_POLICY_OWN),
                        ERROR_PARAMETER
                        "The policy removes the permission to change the policy of this resource. "
                        "Set ConfirmRemoveSelfResourceAccess to true to confirm this");
}

/* --- the document ----------------------------------------------------------------------------- */

static const struct error *read_statements(struct policy_text *p)
{
    static const char *const known[] = {"Version", "Id", "Statement", NULL};
    static const char *const versions[] = {"2012-10-17", "2008-10-17", NULL};
    struct arena *a = p->call->arena;
    const wire_node *root, *version;
    const struct error *e;

    if (p->text.len > LIMIT_POLICY_BYTES)
        return error_caused(
            a, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_MEMBER_LONG, .operand = SPAN_LIT("the policy"), .count = p->text.len,
                      .beside = span_of(arena_printf(a, "%zu", LIMIT_POLICY_BYTES))),
            ERROR_PARAMETER "Maximum policy size of %zu bytes exceeded", LIMIT_POLICY_BYTES);
    if (wire_parse_keyed(a, p->text, clock_hash_key(p->call->clock), &root))
        return invalid_policy(p, ERROR_WHY(CAUSE_POLICY_TEXT), "This policy contains invalid Json",
                              (struct span){"", 0}, "");
    if ((e = check_names(p, root, known)))
        return e;
    version = wire_get(root, "Version");
    if (version && names_find(versions, wire_text(version), -1) < 0)
        return syntax_error(p, "Version", "2012-10-17");
    p->statements = wire_get(root, "Statement");
    if (is_text(p->statements))
        return syntax_error(p, "Statement", "objects");
    if (!wire_count(p->statements))
        return invalid_policy(p,
                              ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("the policy"),
                                        .beside = SPAN_LIT("a Statement")),
                              "Could not parse the policy: Statement is empty!",
                              (struct span){"", 0}, "");
    return NULL;
}

const struct error *policy_document_check(struct call *c, struct span text, struct span resource,
                                          bool confirmed)
{
    static const struct error *(*const rules[])(const struct policy_text *, const wire_node *) = {
        check_form,       check_sid,    check_actions,    check_resources,
        check_principals, check_public, check_own_access,
    };
    struct policy_text p = {.call = c, .text = text, .resource = resource, .confirmed = confirmed};
    const struct error *e = read_statements(&p);

    for (size_t i = 0; !e && i < COUNT(rules); i++)
        for (const wire_node *s = first_of(p.statements); s && !e; s = next_of(p.statements, s))
            e = rules[i](&p, s);
    return e;
}

struct span policy_document_compact(struct arena *a, struct span text)
{
    struct buf out = buf_in(a);
    const wire_node *root;

    if (wire_parse(a, text, &root))
        return text;
    wire_print_json(&out, root);
    return buf_span(&out);
}
