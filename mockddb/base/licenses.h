/* licenses.h: the licences of what the program consists of. */
#pragma once

/* All texts, each below a heading; NUL-terminated UTF-8. */
extern const unsigned char licenses_text[];
