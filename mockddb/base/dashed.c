#include "base/dashed.h"

#include <ctype.h>

void dashed_add(struct buf *out, struct span name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.at[i];
        bool after_small = i && !isupper((unsigned char)name.at[i - 1]);
        bool before_small = i && i + 1 < name.len && islower((unsigned char)name.at[i + 1]);

        if (isupper(c) && (after_small || before_small))
            buf_add_char(out, '-');
        buf_add_char(out, (char)tolower(c));
    }
}
