#include "ops/transfer/transfer_shapes.h"

#include "base/ascii.h"
#include "model/limits.h"

/* --- patterns --------------------------------------------------------------------------------- */

static bool is_bucket(struct span text)
{
    if (text.len < 2 || !ascii_is_letter_or_digit(text.at[0]) ||
        !ascii_is_letter_or_digit(text.at[text.len - 1]))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_letter_or_digit(text.at[i]) && !span_has(SPAN_LIT(".-_"), text.at[i]))
            return false;
    return true;
}

static bool is_account(struct span text)
{
    return text.len == LIMIT_ACCOUNT_DIGITS && span_is_all(text, ascii_is_digit);
}

/* --- shapes ----------------------------------------------------------------------------------- */

const struct wire_shape transfer_shapes_bucket = {
    .type = WIRE_STRING,
    WIRE_AT_MOST(LIMIT_BUCKET),
    .pattern = "^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$",
    .keeps = is_bucket,
};
const struct wire_shape transfer_shapes_bucket_owner = {
    .type = WIRE_STRING, .pattern = "[0-9]{12}", .keeps = is_account};
const struct wire_shape transfer_shapes_prefix = {.type = WIRE_STRING,
                                                  WIRE_AT_MOST(LIMIT_OBJECT_KEY)};
const struct wire_shape transfer_shapes_encryption = {.type = WIRE_STRING,
                                                      .values = NAMES("AES256", "KMS")};
const struct wire_shape transfer_shapes_kms_key = {.type = WIRE_STRING,
                                                   WIRE_BOUNDS(1, LIMIT_KMS_KEY)};
const struct wire_shape transfer_shapes_compression = {.type = WIRE_STRING,
                                                       .values = NAMES("ZSTD", "NONE", "GZIP")};
const struct wire_shape transfer_shapes_arn = {.type = WIRE_STRING, WIRE_BOUNDS(1, LIMIT_ARN)};
const struct wire_shape transfer_shapes_page = {.type = WIRE_INTEGER,
                                                WIRE_BOUNDS(1, LIMIT_TASKS_PAGE)};
