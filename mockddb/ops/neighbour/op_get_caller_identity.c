#include "ops/op.h"

static const struct wire_member get_caller_identity_members[] = {
    {NULL, NULL, 0},
};

static const struct wire_member get_caller_identity_result[] = {
    {"Arn", &wire_string, 0},
    {"UserId", &wire_string, 0},
    {"Account", &wire_string, 0},
    {NULL, NULL, 0},
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
    .members = get_caller_identity_members,
    .result = get_caller_identity_result,
    .run = get_caller_identity,
};
