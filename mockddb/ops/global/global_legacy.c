#include "ops/global/global_legacy.h"

const struct error *global_legacy_closed(struct call *c)
{
    return error_parameter(c->arena, "DynamoDB global tables version 2017.11.29 is not supported. "
                                     "We recommend using DynamoDB global tables version "
                                     "2019.11.21, instead of version 2017.11.29 (Legacy).");
}

const struct error *global_legacy_not_found(struct call *c, const char *lead)
{
    return error_new(c->arena, ERROR_GLOBAL_TABLE_NOT_FOUND,
                     "%sGlobal table with name: '%.*s' does not exist.", lead,
                     SPAN_ARG(wire_text(wire_get(c->body, "GlobalTableName"))));
}
