/* pattern_operation.h: what the runner must know of an operation before it sends one. */
#ifndef PATTERNS_PATTERN_OPERATION_H
#define PATTERNS_PATTERN_OPERATION_H

#include "wire/wire_body.h"

/* Whether the service has such an operation, of tables or of streams. */
bool pattern_operation_is_one(const char *operation);

/* Whether sending this could change something; operations not known here could. */
bool pattern_operation_writes(const char *operation, const wire_node *request);

/* Whether it has the member ReturnConsumedCapacity. */
bool pattern_operation_reports_capacity(const char *operation);

/* Whether it is paged by ExclusiveStartKey. */
bool pattern_operation_is_paged(const char *operation);

/* Keys that a get asks for; 0 for all other operations. */
size_t pattern_operation_keys(const char *operation, const wire_node *request);

#endif
