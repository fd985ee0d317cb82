/* ddb_patterns_operation.h: what the runner must know of an operation before it sends one. */
#ifndef DDB_PATTERNS_OPERATION_H
#define DDB_PATTERNS_OPERATION_H

#include "wire/wire_body.h"

/* Whether sending this could change something; operations not known here could. */
bool operation_writes(const char *operation, const wire_node *request);

/* Whether it has the member ReturnConsumedCapacity. */
bool operation_tells_capacity(const char *operation);

/* Whether it is paged by ExclusiveStartKey. */
bool operation_is_paged(const char *operation);

/* Keys that a get asks for; 0 for all other operations. */
size_t operation_keys(const char *operation, const wire_node *request);

#endif
