/* http_console.h: serves the console, whose files are compiled into the program:
 * docs/console.md. */
#pragma once

#include "http/http_handler.h"

struct http_console_file {
    const char *path;            /* "views/tables.js" */
    const char *type;            /* of its content */
    const unsigned char *packed; /* by gzip */
    size_t len;
};

/* The files of console/; a path of NULL ends the list. Written by console/embed.cmake. */
extern const struct http_console_file http_console_files[];

/* Answers GET of /_mockddb/ and of the files below /_mockddb/console/. */
void http_console_page(struct http_handler *h, struct http_exchange *x);

/* Answers GET of /_mockddb with a redirect to the page. */
void http_console_redirect(struct http_handler *h, struct http_exchange *x);
