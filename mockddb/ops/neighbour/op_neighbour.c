/* op_neighbour.c: the operations of KMS and STS that tools call beside DynamoDB. */
#include "ops/table/table_build.h"

/* The part of a key's ARN after the last '/'. */
static struct span id_of(struct span arn)
{
    size_t from = arn.len;

    while (from && arn.at[from - 1] != '/')
        from--;
    return span_from(arn, from);
}

/* Every key exists, for tables as well: keys are never looked up. */
static const struct error *describe_key(struct call *c)
{
    const struct sse_spec sse = {.enabled = true, .key = wire_text(wire_get(c->body, "KeyId"))};
    struct span arn = table_build_kms_key(c, &sse),
                own = table_build_kms_key(c, &(struct sse_spec){.enabled = true});
    struct wire_writer *w = &c->reply;

    wire_open_member(w, "KeyMetadata", '{');
    wire_put_member_text(w, "AWSAccountId", c->settings->account);
    wire_put_member_text(w, "KeyId", id_of(arn));
    wire_put_member_text(w, "Arn", arn);
    wire_put_member_bool(w, "Enabled", true);
    wire_put_member_word(w, "Description", "");
    wire_put_member_word(w, "KeyUsage", "ENCRYPT_DECRYPT");
    wire_put_member_word(w, "KeyState", "Enabled");
    wire_put_member_word(w, "Origin", "AWS_KMS");
    wire_put_member_word(w, "KeyManager", span_equal(arn, own) ? "AWS" : "CUSTOMER");
    wire_put_member_word(w, "CustomerMasterKeySpec", "SYMMETRIC_DEFAULT");
    wire_put_member_word(w, "KeySpec", "SYMMETRIC_DEFAULT");
    wire_put_member_raw(w, "EncryptionAlgorithms", SPAN_LIT("[\"SYMMETRIC_DEFAULT\"]"));
    wire_put_member_bool(w, "MultiRegion", false);
    wire_close(w, '}');
    return NULL;
}

const struct op op_describe_key = {
    .name = "DescribeKey",
    .service = OP_KEYS,
    .members = WIRE_MEMBERS(
        {"KeyId", WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_KEY_ID)), WIRE_REQUIRED},
        {"GrantTokens", WIRE_SHAPE(WIRE_LIST, .element = &wire_string), 0}),
    .run = describe_key,
};

/* Each caller is the account's root: this server has no users. */
static const struct error *get_caller_identity(struct call *c)
{
    struct span account = c->settings->account;

    wire_put_member_text(
        &c->reply, "Arn",
        span_of(arena_printf(c->arena, "arn:aws:iam::%.*s:root", SPAN_ARG(account))));
    wire_put_member_text(&c->reply, "UserId", account);
    wire_put_member_text(&c->reply, "Account", account);
    return NULL;
}

const struct op op_get_caller_identity = {
    .name = "GetCallerIdentity",
    .service = OP_IDENTITY,
    .members = wire_no_members,
    .result = WIRE_MEMBERS({"Arn", &wire_string, 0}, {"UserId", &wire_string, 0},
                           {"Account", &wire_string, 0}),
    .run = get_caller_identity,
};
