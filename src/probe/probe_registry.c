/* List of all probes, from probes.def. Most probes are compiled once per
 * instruction set; the CS_PROBE_ONCE probes are compiled once. */
#include "base/registry.h"
#include "probe/probe.h"

#define CS_PROBE(name, file) CS_DECLARE_VARIANTS(cs_probe_type, cs_probe_##name)
#define CS_PROBE_ONCE(name, file)                                              \
    extern const cs_probe_type cs_probe_##name##_base;
#include "probe/probes.def"
#undef CS_PROBE
#undef CS_PROBE_ONCE

static const cs_probe_type *const table[][CS_SIMD_COUNT] = {
#define CS_PROBE(name, file) CS_VARIANT_ROW(cs_probe_##name)
#define CS_PROBE_ONCE(name, file) CS_SINGLE_ROW(cs_probe_##name##_base)
#include "probe/probes.def"
#undef CS_PROBE
#undef CS_PROBE_ONCE
    {NULL}};

CS_REGISTRY(cs_probe_type, cs_probe)
