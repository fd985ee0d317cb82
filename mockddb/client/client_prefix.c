#include "client/client_prefix.h"

const char *client_prefix_take(const struct option_value *v)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

    *(const char **)option_member(v) = v->text;
    return v->text[strspn(v->text, allowed)] ? "has characters that table names cannot have" : NULL;
}
