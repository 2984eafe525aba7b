#include "kernel/members.h"

#include <string.h>

const char *cs_kernel_no_member(const cs_kernel_type *type)
{
    static const struct {
        unsigned flags;
        const char *why;
    } rows[] = {
        {CS_KERNEL_SIMULATES, "simulates data of the whole target"},
        {CS_KERNEL_PARTS,
         "uses more of the target than log p, its gradient and "
         "its differences"},
        {CS_KERNEL_WEIGHS, "weights its draws"},
        {CS_KERNEL_ENSEMBLE, "uses the states of the other chains"},
    };
    if (type->wraps)
        return "changes the temperature of its steps, so the members have no "
               "common target";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (type->flags & rows[i].flags)
            return rows[i].why;
    return type->exchange ? "exchanges states between chains" : NULL;
}

size_t cs_kernel_param_length(const cs_kernel_type *type, const char *name)
{
    size_t longest = 0;
    bool dots = false;
    for (size_t i = 0; i < type->n_params + type->n_lists; i++) {
        size_t n = strlen(type->params[i].name);
        dots |= strchr(type->params[i].name, '.') != NULL;
        if (n > longest && strncmp(type->params[i].name, name, n) == 0 &&
            (!name[n] || name[n] == '.'))
            longest = n;
    }
    return longest ? longest : dots ? strlen(name) : strcspn(name, ".");
}
