/* http_own.h: pages under /_mockddb/ that are not verbs. */
#ifndef HTTP_HTTP_OWN_H
#define HTTP_HTTP_OWN_H

#include "http/http_handler.h"

void http_own_health(struct http_handler *h, struct http_exchange *x);
/* Metrics of all worlds, in Prometheus' text format. */
void http_own_metrics(struct http_handler *h, struct http_exchange *x);
void http_own_nothing(struct http_handler *h, struct http_exchange *x);

#endif
