/* partiql_kind.h: the kinds of PartiQL statements, and the values of RETURNING. */
#pragma once

enum partiql_kind {
    PARTIQL_SELECT,
    PARTIQL_INSERT,
    PARTIQL_UPDATE,
    PARTIQL_DELETE,
    PARTIQL_EXISTS /* EXISTS(SELECT …): a condition check */
};

enum partiql_returning {
    PARTIQL_RETURNING_NOTHING,
    PARTIQL_RETURNING_ALL_OLD,
    PARTIQL_RETURNING_ALL_NEW,
    PARTIQL_RETURNING_MODIFIED_OLD,
    PARTIQL_RETURNING_MODIFIED_NEW
};
