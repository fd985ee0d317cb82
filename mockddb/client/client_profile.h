/* client_profile.h: finds keys and region where the AWS CLI does.
 *
 * The order is the CLI's: an explicit profile; else AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
 * AWS_SESSION_TOKEN; else the profile that AWS_PROFILE names; else "default". Profiles are read
 * from ~/.aws/credentials and ~/.aws/config (AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE). Only
 * profiles that contain keys are supported, not those that get them by signing in. */
#pragma once

#include "base/sigv4.h"

struct client_profile {
    struct sigv4_keys keys; /* access_key NULL: no keys were found */
    const char *region;     /* NULL: no region was found */
    const char *endpoint;   /* endpoint_url; NULL: the profile has none */
};

/* Returns an environment variable that is set and not empty, else NULL. */
const char *client_profile_variable(const char *name);

/* `name` NULL: no profile was requested. Returns NULL, or why the profile cannot be used. */
MUST_CHECK const char *client_profile_load(struct arena *a, const char *name,
                                           struct client_profile *out);
