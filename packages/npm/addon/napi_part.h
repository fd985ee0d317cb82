/* napi_part.h: what the addon uses of Node-API, version 8, declared by hand: its ABI never changes,
 * and so building needs no headers of Node.js. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct napi_env_part *napi_env;
typedef struct napi_value_part *napi_value;
typedef struct napi_ref_part *napi_ref;
typedef struct napi_work_part *napi_async_work;
typedef struct napi_info_part *napi_callback_info;
typedef enum { napi_ok } napi_status; /* anything else is an error */
typedef enum { napi_string = 4 } napi_valuetype;
typedef enum { napi_uint8_array = 1 } napi_typedarray_type;

typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void *data, void *hint);
typedef void (*napi_async_execute_callback)(napi_env, void *data);
typedef void (*napi_async_complete_callback)(napi_env, napi_status, void *data);

napi_status napi_throw_error(napi_env, const char *code, const char *message);
napi_status napi_create_error(napi_env, napi_value code, napi_value message, napi_value *);
napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *argc, napi_value *argv,
                             napi_value *self, void **data);
napi_status napi_typeof(napi_env, napi_value, napi_valuetype *);
napi_status napi_is_typedarray(napi_env, napi_value, bool *);
napi_status napi_get_typedarray_info(napi_env, napi_value, napi_typedarray_type *, size_t *length,
                                     void **data, napi_value *buffer, size_t *offset);
napi_status napi_get_value_string_utf8(napi_env, napi_value, char *, size_t size, size_t *length);
napi_status napi_get_value_uint32(napi_env, napi_value, uint32_t *);
napi_status napi_get_value_external(napi_env, napi_value, void **);
napi_status napi_get_array_length(napi_env, napi_value, uint32_t *);
napi_status napi_get_element(napi_env, napi_value, uint32_t index, napi_value *);
napi_status napi_set_element(napi_env, napi_value, uint32_t index, napi_value);
napi_status napi_set_named_property(napi_env, napi_value, const char *name, napi_value);
napi_status napi_get_null(napi_env, napi_value *);
napi_status napi_get_undefined(napi_env, napi_value *);
napi_status napi_get_global(napi_env, napi_value *);
napi_status napi_create_int64(napi_env, int64_t, napi_value *);
napi_status napi_create_string_utf8(napi_env, const char *, size_t length, napi_value *);
napi_status napi_create_buffer_copy(napi_env, size_t length, const void *, void **copy,
                                    napi_value *);
napi_status napi_create_array_with_length(napi_env, size_t length, napi_value *);
napi_status napi_create_external(napi_env, void *data, napi_finalize, void *hint, napi_value *);
napi_status napi_create_function(napi_env, const char *name, size_t length, napi_callback,
                                 void *data, napi_value *);
napi_status napi_create_reference(napi_env, napi_value, uint32_t count, napi_ref *);
napi_status napi_get_reference_value(napi_env, napi_ref, napi_value *);
napi_status napi_delete_reference(napi_env, napi_ref);
napi_status napi_call_function(napi_env, napi_value self, napi_value function, size_t argc,
                               const napi_value *argv, napi_value *);
napi_status napi_create_async_work(napi_env, napi_value resource, napi_value name,
                                   napi_async_execute_callback, napi_async_complete_callback,
                                   void *data, napi_async_work *);
napi_status napi_queue_async_work(napi_env, napi_async_work);
napi_status napi_delete_async_work(napi_env, napi_async_work);

/* What Node.js looks for in the addon. */
__attribute__((visibility("default"))) int32_t node_api_module_get_api_version_v1(void);
__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env,
                                                                          napi_value exports);
