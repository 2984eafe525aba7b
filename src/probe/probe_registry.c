/* The list of probes: probes.def, once for each instruction set. */
#include "base/registry.h"
#include "probe/probe.h"

#define CS_PROBE(name, file) CS_DECLARE_VARIANTS(cs_probe_type, cs_probe_##name)
#include "probe/probes.def"
#undef CS_PROBE

static const cs_probe_type *const table[][CS_SIMD_COUNT] = {
#define CS_PROBE(name, file) CS_VARIANT_ROW(cs_probe_##name)
#include "probe/probes.def"
#undef CS_PROBE
    {NULL}};

CS_REGISTRY(cs_probe_type, cs_probe)
