#include "run/draws/usual.h"

#include <string.h>

/* Returns true if the draws of some arm have numeric weights. */
static bool has_weights(const cs_arm_spec *arm, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned flags = arm[i].kernel.type->flags;
        if (flags & CS_KERNEL_WEIGHS && !(flags & CS_KERNEL_SELECTS))
            return true;
    }
    return false;
}

/* Returns true if the kernel of some arm writes a column of this name. */
static bool has_column(const cs_arm_spec *arm, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        const char *const *stat = arm[i].kernel.type->stats;
        for (; stat && *stat; stat++)
            if (strcmp(*stat, name) == 0)
                return true;
    }
    return false;
}

bool cs_probe_is_usual(const cs_probe_type *type, const cs_arm_spec *arm,
                       size_t n)
{
    return !type->asked && (!type->weighs || has_weights(arm, n)) &&
           (!type->column || has_column(arm, n, type->column));
}
