/* The list of kernels: kernels.def, once for each instruction set. */
#include "base/simd.h"
#include "kernel/kernel.h"

#include <string.h>

#define CS_KERNEL(name, file)                                                  \
    CS_DECLARE_VARIANTS(cs_kernel_type, cs_kernel_##name)
#include "kernel/kernels.def"
#undef CS_KERNEL

static const cs_kernel_type *const table[][CS_SIMD_COUNT] = {
#define CS_KERNEL(name, file) CS_VARIANT_ROW(cs_kernel_##name)
#include "kernel/kernels.def"
#undef CS_KERNEL
    {NULL}};

const cs_kernel_type *cs_kernel_at(size_t i)
{
    size_t n = sizeof table / sizeof *table - 1;
    return i < n ? table[i][cs_simd_level()] : NULL;
}

const cs_kernel_type *cs_kernel_find(const char *name)
{
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}
