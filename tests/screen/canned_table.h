/* The canned snapshot as a fixture: created before a test, freed after it. */
#pragma once

#include "base/memory.h"
#include "canned.h"

static unsigned char *memory; /* [CANNED_BYTES] */
static cs_flat table;         /* stored in `memory` */

static inline int setup(void **state)
{
    (void)state;
    memory = cs_alloc(CANNED_BYTES, 1);
    if (memory)
        canned(&table, memory);
    return !memory || table.full;
}

static inline int teardown(void **state)
{
    (void)state;
    cs_free(memory);
    return 0;
}
