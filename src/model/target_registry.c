/* The list of targets: targets.def, once for each instruction set. */
#include "base/simd.h"
#include "model/target.h"

#include <string.h>

#define CS_TARGET(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_target_type, cs_target_##name)
#include "model/targets.def"
#undef CS_TARGET

static const cs_target_type *const table[][CS_SIMD_COUNT] = {
#define CS_TARGET(name, file) CS_VARIANT_ROW(cs_target_##name)
#include "model/targets.def"
#undef CS_TARGET
    {NULL}};

const cs_target_type *cs_target_at(size_t i)
{
    size_t n = sizeof table / sizeof *table - 1;
    return i < n ? table[i][cs_simd_level()] : NULL;
}

const cs_target_type *cs_target_find(const char *name)
{
    const cs_target_type *type;
    for (size_t i = 0; (type = cs_target_at(i)); i++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}
