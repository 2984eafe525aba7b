/* The list of probes: probes.def, once for each instruction set. */
#include "base/simd.h"
#include "probe/probe.h"

#include <string.h>

#define CS_PROBE(name, file) CS_DECLARE_VARIANTS(cs_probe_type, cs_probe_##name)
#include "probe/probes.def"
#undef CS_PROBE

static const cs_probe_type *const table[][CS_SIMD_COUNT] = {
#define CS_PROBE(name, file) CS_VARIANT_ROW(cs_probe_##name)
#include "probe/probes.def"
#undef CS_PROBE
    {NULL}};

const cs_probe_type *cs_probe_at(size_t i)
{
    size_t n = sizeof table / sizeof *table - 1;
    return i < n ? table[i][cs_simd_level()] : NULL;
}

const cs_probe_type *cs_probe_find(const char *name)
{
    const cs_probe_type *type;
    for (size_t i = 0; (type = cs_probe_at(i)); i++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}
