/* http_own.h: pages of our own, under /_mockddb/, which are no verbs. */
#ifndef HTTP_HTTP_OWN_H
#define HTTP_HTTP_OWN_H

#include "http/http_handler.h"

void http_own_health(struct http_handler *h, struct http_exchange *x);
/* Prometheus' text of all worlds. */
void http_own_metrics(struct http_handler *h, struct http_exchange *x);
void http_own_nothing(struct http_handler *h, struct http_exchange *x);

#endif
