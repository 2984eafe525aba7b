/* The list of kernels: kernels.def, once for each instruction set. */
#include "base/registry.h"
#include "kernel/kernel.h"

#define CS_KERNEL(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_kernel_type, cs_kernel_##name)
#include "kernels/kernels.def"
#undef CS_KERNEL

static const cs_kernel_type *const table[][CS_SIMD_COUNT] = {
#define CS_KERNEL(name, file) CS_VARIANT_ROW(cs_kernel_##name)
#include "kernels/kernels.def"
#undef CS_KERNEL
    {NULL}};

CS_REGISTRY(cs_kernel_type, cs_kernel)
