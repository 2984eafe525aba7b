/* Samplers for binary states whose transition matrices cs.theory computes:
 * dmala, dula, edmala, edula. */
#pragma once

#include "base/param.h"

#include <lua.h>
#include <stdbool.h>

typedef struct cs_bit_theory {
    const char *name, *title, *help;
    const cs_param *rows;
    size_t n;
    bool entropic, adjusted;
} cs_bit_theory;

/* All samplers of this kind; the last entry has a NULL name. */
extern const cs_bit_theory cs_bit_theories[];

/* Pushes the results for one sampler. The values are in the order of the
 * sampler's parameters. Returns 1; raises errors. */
int cs_script_bit_theory(lua_State *L, const cs_bit_theory *k,
                         const cs_value *v);
