#include "support/fault_memory.h"

#include <sqlite3.h>
#include <stdlib.h>

static sqlite3_mem_methods given; /* what the store has set */
static unsigned left, refused;
static bool every, at_hand;

static bool refuses(void)
{
    if (!left || (left > 1 && left--))
        return false;
    refused++;
    left = every;
    return true;
}

static void *take(int size)
{
    void *block;

    at_hand = true;
    block = refuses() ? NULL : given.xMalloc(size);
    at_hand = false;
    return block;
}

static void *resize(void *block, int size)
{
    at_hand = true;
    block = refuses() ? NULL : given.xRealloc(block, size);
    at_hand = false;
    return block;
}

bool fault_memory_is_at_hand(void)
{
    return at_hand;
}

void fault_memory_install(void)
{
    static sqlite3_mem_methods methods;

    if (given.xMalloc)
        return;
    if (sqlite3_shutdown() != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &given) != SQLITE_OK)
        abort();
    methods = given;
    methods.xMalloc = take;
    methods.xRealloc = resize;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK)
        abort();
}

void fault_memory_arm(unsigned nth, bool lasting)
{
    left = nth;
    every = lasting;
    refused = 0;
}

unsigned fault_memory_lift(void)
{
    left = 0;
    return refused;
}
