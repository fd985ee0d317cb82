/* explain_update.h: the words for updates that do not fit the item, or its keys. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_update_lacks, explain_update_parent, explain_update_key;
