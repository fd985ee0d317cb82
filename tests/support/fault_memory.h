/* fault_memory.h: memory that SQLite asks for and does not get, when a test says so. */
#pragma once

#include <stdbool.h>

/* Comes between SQLite and its memory. No store may be open, and one must have been before, so that
 * the library is set up. Once is enough. */
void fault_memory_install(void);

/* The n-th block from here on is not given, counted from 1; where it is lasting, none after it. */
void fault_memory_arm(unsigned nth, bool lasting);

/* Whether it is SQLite that is given memory just now. */
bool fault_memory_is_at_hand(void);

/* No more faults; how many blocks were not given. */
unsigned fault_memory_lift(void);
