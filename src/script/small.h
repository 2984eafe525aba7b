/* Memory for the small objects of an interpreter, which come and go by the
 * thousand: a third of what malloc takes. */
#ifndef CS_SCRIPT_SMALL_H
#define CS_SCRIPT_SMALL_H

#include <stdbool.h>
#include <stddef.h>

enum { CS_SMALL = 128 /* bytes: the largest */, CS_SMALL_STEP = 16 };

/* All zero: nothing yet. */
typedef struct cs_small {
    char *arena; /* [own] of which only what is used is ever touched */
    size_t used;
    bool tried;
    void *free[CS_SMALL / CS_SMALL_STEP]; /* lists, by size */
} cs_small;

/* What realloc(block, new) does, new = 0: frees; `old` is what was last asked
 * for. Large blocks, and all once there is no more room, are those of
 * cs_reallocate. On failure NULL, and `block` stays valid. */
void *cs_small_reallocate(cs_small *s, void *block, size_t old, size_t new);

/* Frees what cs_small_reallocate gave, large blocks aside. */
void cs_small_fini(cs_small *s);

#endif
