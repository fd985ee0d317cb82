/* licenses.h: the licences of what the program consists of. */
#pragma once

#include "base/span.h"

/* All texts in UTF-8, each below a heading, packed in gzip form. */
extern const struct span licenses_packed;
