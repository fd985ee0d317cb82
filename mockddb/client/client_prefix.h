/* client_prefix.h: the option --table-prefix. */
#pragma once

#include "base/option.h"

option_take client_prefix_take; /* of names of tables, into a const char *; may be empty */
