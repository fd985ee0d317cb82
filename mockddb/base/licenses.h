/* licenses.h: the licences of what the program consists of. */
#ifndef BASE_LICENSES_H
#define BASE_LICENSES_H

/* All texts, each below a heading; NUL-terminated UTF-8. */
extern const unsigned char licenses_text[];

#endif
