/* Lists the kernels of kernels.def. Most kernels are compiled for each
 * instruction set; the CS_KERNEL_ONCE kernels are compiled only once. */
#include "base/registry.h"
#include "kernel/kernel.h"

#define CS_KERNEL(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_kernel_type, cs_kernel_##name)
#define CS_KERNEL_ONCE(name, file)                                             \
    extern const cs_kernel_type cs_kernel_##name##_base;
#include "kernels/kernels.def"
#undef CS_KERNEL
#undef CS_KERNEL_ONCE

static const cs_kernel_type *const table[][CS_SIMD_COUNT] = {
#define CS_KERNEL(name, file) CS_VARIANT_ROW(cs_kernel_##name)
#define CS_KERNEL_ONCE(name, file) CS_SINGLE_ROW(cs_kernel_##name##_base)
#include "kernels/kernels.def"
#undef CS_KERNEL
#undef CS_KERNEL_ONCE
    {NULL}};

CS_REGISTRY(cs_kernel_type, cs_kernel)
