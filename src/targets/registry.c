/* The list of targets from targets.def, with a variant for each instruction
 * set. */
#include "base/registry.h"
#include "target/target.h"

#define CS_TARGET(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_target_type, cs_target_##name)
#include "targets/targets.def"
#undef CS_TARGET

static const cs_target_type *const table[][CS_SIMD_COUNT] = {
#define CS_TARGET(name, file) CS_VARIANT_ROW(cs_target_##name)
#include "targets/targets.def"
#undef CS_TARGET
    {NULL}};

CS_REGISTRY(cs_target_type, cs_target)
